"""The rules of ON THE TRAIL in our own words, with their sources, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling, Variant

# One maker per section. The rulebook has no page numbers: its headings stand for them.
_game = partial(Rule, section="The race", book="rulebook", page="\u201cGoal of the game\u201d")
_box = partial(Rule, section="The box", book="rulebook", page="\u201cComponents\u201d")
_setup = partial(Rule, section="Setup", book="rulebook", page="\u201cSetup\u201d")
_play = partial(Rule, section="Playing cards", book="rulebook", page="\u201cPlay your cards\u201d")
_keep = partial(Rule, section="Keeping a card", book="rulebook", page="\u201cDiscard your hand\u201d")
_stop = partial(Rule, section="Stops", book="rulebook", page="\u201cApply effect of final stop\u201d")
_draw = partial(Rule, section="Drawing cards", book="rulebook", page="\u201cDraw new cards\u201d")
_setback = partial(Rule, section="Setbacks", book="rulebook", page="\u201cRace Setbacks\u201d")
_boost = partial(Rule, section="Boosts", book="rulebook", page="\u201cBoost cards\u201d")
_dnf = partial(Rule, section="Did not finish (DNF)", book="rulebook", page="\u201cDNF\u201d")
_end = partial(Rule, section="The finish", book="rulebook", page="\u201cEnd of the game\u201d")
_solo = partial(Rule, section="Solo race", book="rulebook", page="\u201cSolo mode\u201d")

# The race and the box

GOAL = _game(
    id="goal",
    text="Race along the Trail, leg by leg. Be the first to cross the finish line.",
    related=("finish-line", "finish-alone", "finish-both"),
)
PLAYERS = _game(
    id="players",
    text="Two people race each other, or one person races the bot.",
    page="\u201cHow to play\u201d",
    related=("solo",),
)
COMPONENTS = _box(
    id="components",
    text="The box has 5 Trail cards, 2 Runner markers, a Race deck for each player, 14 Setbacks and 10 Boosts.",
    related=("deck-cards", "setback-pile", "boost-pile", "trail-cards"),
)
DECK_CARDS = _box(
    id="deck-cards",
    text="Each Race deck has 13 cards: 3 red, 4 yellow, 5 green and 1 wild.",
    related=("components", "deck-reshuffle"),
)
SETBACK_PILE = _box(
    id="setback-pile",
    text=(
        "The 14 Setbacks include 4 copies of \u201cI\u2019m Fine, I\u2019m Fine\u201d and 3 of Cramps. There is 1 each "
        "of Blisters, Sprain, Exhaustion, Stitch, Dehydration, Nausea and Hitting the Wall."
    ),
    page="\u201cRace Setbacks\u201d",
    status="inferred",
    related=("components", "setback-reshuffle"),
)
BOOST_PILE = _box(
    id="boost-pile",
    text="The 10 Boosts are all different.",
    page="\u201cBoost cards\u201d",
    status="inferred",
    related=("components", "no-boost-left"),
)
TRAIL_CARDS = _box(
    id="trail-cards",
    text="A Trail card shows red, yellow and green legs. Each leg ends at a stop.",
    page="\u201cPlay your cards\u201d",
    status="inferred",
    related=("setup-trail", "finish-line"),
)
CARD_ENDS = _box(
    id="card-ends",
    text=(
        "Any Trail card can be last, so Waymark assumes that each card ends at an Aid Station. You can "
        "enter a different kind of stop."
    ),
    page="\u201cGoal of the game\u201d",
    status="inferred",
    related=("trail-cards", "finish-line"),
)

# Setup

SETUP_TRAIL = _setup(
    id="setup-trail",
    text="Lay the 5 Trail cards end to end between the players, in random order.",
    related=("trail-cards", "finish-line"),
)
SETUP_RUNNERS = _setup(
    id="setup-runners",
    text="Each player takes a Runner marker and the matching Race deck. Stack both markers on the starting space.",
    is_checked_by_players=True,
    related=("setup-hand", "setup-first"),
)
SETUP_PILES = _setup(
    id="setup-piles",
    text="Shuffle the Setbacks into a face-down deck. Do the same with the Boosts.",
    is_checked_by_players=True,
    related=("setback-pile", "boost-pile"),
)
SETUP_HAND = _setup(
    id="setup-hand",
    text="Shuffle your Race deck and draw a hand of 4 cards. Only you look at your hand.",
    related=("draw-four", "discards"),
)
SETUP_FIRST = _setup(
    id="setup-first",
    text="Choose the starting player at random.",
    is_checked_by_players=True,
    related=("turn-passes", "solo-starts"),
)

# The turn and the cards

TURN_PHASES = _play(
    id="turn-phases",
    text="A turn has 4 phases: play cards, discard your hand, apply the effect of the stop and draw new cards.",
    page="\u201cHow to play\u201d",
    related=("run-must", "keep-one", "stop-final", "draw-four"),
)
TURN_PASSES = _play(
    id="turn-passes",
    text="After you draw, your turn ends and your opponent\u2019s turn begins.",
    page="\u201cDraw new cards\u201d",
    related=("turn-phases", "finish-round", "dnf-other"),
)
RUN_MUST = _play(
    id="run-must",
    text="You must run at least 1 leg each turn.",
    page="\u201cDid not finish (DNF)\u201d",
    related=("dnf", "run-on", "advance-runs"),
)
RUN_COLOUR = _play(
    id="run-colour",
    text="Play 1 card of the leg\u2019s color to run that leg.",
    related=("run-wild", "run-pair"),
)
RUN_WILD = _play(
    id="run-wild",
    text="Play your wild card to run a leg of any color.",
    related=("run-colour", "boost-wild"),
)
RUN_PAIR = _play(
    id="run-pair",
    text="Play 2 cards of the same color to run a leg of a different color.",
    related=("run-colour", "pair-alike", "no-pair"),
)
PAIR_ALIKE = _play(
    id="pair-alike",
    text="A pair is 2 cards of the same color. Your wild card can\u2019t be part of a pair.",
    status="inferred",
    related=("run-pair", "run-wild"),
)
PLAYED = _play(
    id="played",
    text="Play cards only from your hand. Put the cards you played on your discard pile.",
    related=("discards", "deck-reshuffle"),
)
RUN_ON = _play(
    id="run-on",
    text="You can run as many legs as your cards allow. You can stop at any stop, even with cards in hand.",
    related=("run-must", "keep-one"),
)
KEEP_ONE = _keep(
    id="keep-one",
    text="After you run, you may keep 1 card. Discard the rest of your hand.",
    related=("hitting-the-wall", "discards", "finish"),
)
DISCARDS = _keep(
    id="discards",
    text="The rulebook does not say whether you discard the rest of your hand face-up. Your table decides.",
    status="open",
    related=("played", "keep-one"),
)
DRAW_FOUR = _draw(
    id="draw-four",
    text="At the end of your turn, draw 4 cards.",
    related=("cramps", "sprain", "draw-floor", "deck-reshuffle"),
)
DECK_RESHUFFLE = _draw(
    id="deck-reshuffle",
    text="When your deck runs out, reshuffle your discard pile to make a new deck.",
    related=("deck-ends", "deck-cards"),
)
DECK_ENDS = _draw(
    id="deck-ends",
    text="The rulebook does not say whether you reshuffle right away or at the next draw. Your table decides.",
    status="open",
    related=("deck-reshuffle", "setback-reshuffle"),
)

# Stops

STOP_FINAL = _stop(
    id="stop-final",
    text="Apply only the effect of the stop where your run ends. Stops you pass have no effect.",
    related=("stop-neutral", "stop-setback", "stop-aid", "stop-shared"),
)
STOP_SHARED = _stop(
    id="stop-shared",
    text="Both runners can be at the same stop. Each player applies its effect.",
    related=("stop-final",),
)
STOP_NEUTRAL = _stop(
    id="stop-neutral",
    text="A neutral stop has no effect.",
    related=("stop-final",),
)
STOP_SETBACK = _stop(
    id="stop-setback",
    text="At a Setback stop, draw a Setback. It goes face-up in front of you.",
    related=("setback-active", "setback-reshuffle"),
)
SETBACK_RESHUFFLE = _stop(
    id="setback-reshuffle",
    text="When the Setback deck runs out, reshuffle the discarded Setbacks to make a new deck.",
    related=("deck-ends", "no-setback-left"),
)
NO_SETBACK_LEFT = _stop(
    id="no-setback-left",
    text="If all Setbacks are in front of the two players, you don\u2019t draw one.",
    status="inferred",
    related=("setback-reshuffle",),
)
STOP_AID = _stop(
    id="stop-aid",
    text="At an Aid Station, choose one: draw a Boost, or discard all your Setbacks.",
    related=("aid-boost", "aid-shed", "blisters"),
)
AID_BOOST = _stop(
    id="aid-boost",
    text="Draw a Boost. It goes face-up in front of you.",
    related=("stop-aid", "boost-next-turn", "blisters"),
)
AID_NOTHING = _stop(
    id="aid-nothing",
    text="If you have no Setbacks at an Aid Station, draw a Boost.",
    status="inferred",
    related=("stop-aid", "aid-shed"),
)
AID_SHED = _stop(
    id="aid-shed",
    text="If you discard Setbacks at an Aid Station, discard all of them.",
    related=("stop-aid", "setback-active"),
)
NO_BOOST_LEFT = _stop(
    id="no-boost-left",
    text="At an Aid Station, if no Boosts are left to draw, you can only discard your Setbacks.",
    status="inferred",
    related=("stop-aid", "boost-pile"),
)

# Setbacks

SETBACK_ACTIVE = _setback(
    id="setback-active",
    text="A Setback is active from the moment it is in front of you until you discard it.",
    related=("cumulative", "cut-at-once"),
)
CUMULATIVE = _setback(
    id="cumulative",
    text="The effects of your Setbacks add up.",
    related=("cramps", "sprain", "draw-floor"),
)
CUT_AT_ONCE = _setback(
    id="cut-at-once",
    text=(
        "If you draw Cramps or Sprain, it applies to this turn\u2019s draw, too. If you draw Hitting the Wall, "
        "you don\u2019t lose the card you kept."
    ),
    status="inferred",
    related=("setback-active", "cramps", "hitting-the-wall"),
)
FINE = _setback(
    id="fine",
    text="\u201cI\u2019m Fine, I\u2019m Fine\u201d: this card has no effect.",
    related=("setback-pile",),
)
BLISTERS = _setback(
    id="blisters",
    text="Blisters: you can\u2019t draw Boosts.",
    related=("stop-aid", "aid-shed"),
)
CRAMPS = _setback(
    id="cramps",
    text="Cramps: draw 1 fewer card at the end of your turn for each Cramps card you have.",
    related=("draw-four", "draw-floor", "sprain"),
)
SPRAIN = _setback(
    id="sprain",
    text="Sprain: draw 2 fewer cards at the end of your turn.",
    related=("draw-four", "draw-floor", "cramps"),
)
DRAW_FLOOR = _setback(
    id="draw-floor",
    text="If your Setbacks reduce your draw by 4 or more, draw no cards.",
    status="inferred",
    related=("cramps", "sprain"),
)
EXHAUSTION = _setback(
    id="exhaustion",
    text="Exhaustion: you can\u2019t use your Boosts.",
    related=("boost-cost", "eyes-exhausted"),
)
NO_PAIR = _setback(
    id="no-pair",
    text="Stitch, Dehydration and Nausea each show a color. You can\u2019t play a pair of that color to run a leg.",
    related=("run-pair",),
)
HITTING_THE_WALL = _setback(
    id="hitting-the-wall",
    text="Hitting the Wall: you can\u2019t keep a card at the end of your turn.",
    related=("keep-one", "cut-at-once"),
)

# Boosts

BOOST_ANY_TIME = _boost(
    id="boost-any-time",
    text="Use Boosts at any point while you play cards: before, between or after legs.",
    page="\u201cUse a Boost card\u201d",
    related=("boost-order", "turn-phases"),
)
BOOST_COST = _boost(
    id="boost-cost",
    text="To use a Boost, discard the cards it shows. Then apply its effect.",
    related=("boost-wild", "boost-once", "exhaustion"),
)
BOOST_WILD = _boost(
    id="boost-wild",
    text="Your wild card can replace 1 of the cards that a Boost costs.",
    related=("boost-cost", "green-pays"),
)
BOOST_ORDER = _boost(
    id="boost-order",
    text="You can use several Boosts in the same turn, in any order.",
    related=("boost-once", "boost-any-time"),
)
BOOST_ONCE = _boost(
    id="boost-once",
    text="Use each Boost only once per turn.",
    related=("boost-order", "boost-kept"),
)
BOOST_KEPT = _boost(
    id="boost-kept",
    text="Keep a Boost in front of you after you use it. You can use it again on later turns.",
    related=("boost-once",),
)
BOOST_NEXT_TURN = _boost(
    id="boost-next-turn",
    text="You can use a new Boost from your next turn on.",
    page="\u201cAid Station stop\u201d",
    related=("aid-boost",),
)
ADVANCE = _boost(
    id="advance",
    text=(
        "Up the Pace, Intervals, Flat Out and Runner\u2019s High: run the number of legs shown. They can be any color."
    ),
    related=("advance-runs", "surplus"),
)
ADVANCE_RUNS = _boost(
    id="advance-runs",
    text="Legs from a Boost count as legs you run. They also count toward the 1 leg you must run.",
    status="inferred",
    related=("run-must", "advance"),
)
SURPLUS = _boost(
    id="surplus",
    text="If a Boost would take you past the finish, you stop at the finish. Extra legs are lost.",
    status="inferred",
    related=("advance", "finish"),
)
SHED = _boost(
    id="shed",
    text="Cool Off, Fire-Pit Pitstop and Welcome Break: discard 1 Setback of your choice.",
    related=("aid-shed",),
)
DRAW_THREE = _boost(
    id="draw-three",
    text="Helping Hand and Personal Best: draw 3 cards right away.",
    related=("boost-rescue", "deck-reshuffle"),
)
EYES_AHEAD = _boost(
    id="eyes-ahead",
    text="Eyes Ahead: while you are in second place, all your green cards are wild.",
    related=("level", "second-alone", "eyes-exhausted", "green-pays"),
)
LEVEL = _boost(
    id="level",
    text="The rulebook does not say whether a runner who is tied counts as second. Your table decides.",
    status="open",
    related=("eyes-ahead",),
)
SECOND_ALONE = _boost(
    id="second-alone",
    text="The rulebook does not say whether you are second behind a runner who is out of the race. Your table decides.",
    status="open",
    related=("eyes-ahead", "dnf-other"),
)
EYES_EXHAUSTED = _boost(
    id="eyes-exhausted",
    text="Eyes Ahead works automatically. The rulebook does not say whether Exhaustion stops it. Your table decides.",
    status="open",
    related=("exhaustion", "eyes-ahead"),
)
GREEN_PAYS = _boost(
    id="green-pays",
    text=(
        "The rulebook does not say whether a wild green card can replace a card that a Boost costs. Your table decides."
    ),
    status="open",
    related=("eyes-ahead", "boost-wild"),
)

# Not finishing

DNF = _dnf(
    id="dnf",
    text="If you can\u2019t run a leg on your turn, you are out of the race: you did not finish (DNF).",
    related=("dnf-forced", "dnf-other", "run-must"),
)
DNF_FORCED = _dnf(
    id="dnf-forced",
    text="You can\u2019t drop out while you can still run a leg.",
    status="inferred",
    related=("dnf", "boost-rescue", "stranded"),
)
BOOST_RESCUE = _dnf(
    id="boost-rescue",
    text=("You are not out if a Boost could give you legs, discard a blocking Setback or draw the right card."),
    status="inferred",
    related=("dnf-forced", "draw-three", "advance-runs"),
)
STRANDED = _dnf(
    id="stranded",
    text=(
        "The rulebook does not say whether you may use a Boost that leaves you no way to run a leg. Your table decides."
    ),
    status="open",
    related=("run-must", "dnf-forced"),
)
DNF_OTHER = _dnf(
    id="dnf-other",
    text="If your opponent is out of the race, you still have to finish to win.",
    related=("dnf", "dnf-both"),
)
DNF_BOTH = _dnf(
    id="dnf-both",
    text="If neither runner finishes, it is a tie and no one wins.",
    related=("dnf-other",),
)

# The finish

FINISH_LINE = _end(
    id="finish-line",
    text="The finish line is at the last stop of the Trail, an Aid Station.",
    related=("finish", "goal", "trail-cards"),
)
FINISH = _end(
    id="finish",
    text=(
        "When you reach the finish, you are a finisher. Your turn ends immediately: you don\u2019t discard, "
        "apply an effect or draw."
    ),
    related=("finish-line", "finish-keeps", "finish-round"),
)
FINISH_KEEPS = _end(
    id="finish-keeps",
    text="When you finish, keep the cards left in your hand.",
    related=("finish-both",),
)
FINISH_ROUND = _end(
    id="finish-round",
    text="When a runner finishes, play out the round, so each player gets the same number of turns.",
    related=("second-finishes", "turn-passes"),
)
SECOND_FINISHES = _end(
    id="second-finishes",
    text="If the player who went second finishes, the round is complete and the race is over.",
    status="inferred",
    related=("finish-round",),
)
FINISH_ALONE = _end(
    id="finish-alone",
    text="If you are the only finisher, you win.",
    related=("finish-both", "not-finished"),
)
NOT_FINISHED = _end(
    id="not-finished",
    text="A runner who is still on the Trail when the race is over has not finished.",
    status="inferred",
    related=("finish-alone", "finish-round"),
)
FINISH_BOTH = _end(
    id="finish-both",
    text="If both runners finish, the one with more cards in hand wins.",
    related=("finish-tie", "finish-keeps"),
)
FINISH_TIE = _end(
    id="finish-tie",
    text="If both runners finish with the same number of cards in hand, they share the victory.",
    related=("finish-both",),
)

# Alone against the bot

SOLO = _solo(
    id="solo",
    text="If you play alone, you race the bot. You follow the normal rules; the bot has its own.",
    related=("solo-flip", "solo-starts", "solo-end"),
)
SOLO_DECK = _solo(
    id="solo-deck",
    text="Shuffle the bot\u2019s deck and place it face-down. When it runs out, reshuffle the bot\u2019s discard pile.",
    related=("deck-cards", "solo-flip"),
)
SOLO_HAND = _solo(
    id="solo-hand",
    text="The bot never has cards in hand.",
    related=("solo-end", "solo-deck"),
)
SOLO_STARTS = _solo(
    id="solo-starts",
    text="The bot takes the first turn.",
    related=("solo", "finish-round"),
)
SOLO_FLIP = _solo(
    id="solo-flip",
    text=(
        "Flip the bot\u2019s top card. If it is wild or matches the color of the bot\u2019s next leg, the bot moves 4 "
        "stops. If not, the bot moves 2."
    ),
    related=("solo-stops", "solo-deck"),
)
SOLO_STOPS = _solo(
    id="solo-stops",
    text="The bot ignores the effects of stops. Discard its flipped card, and its turn is over.",
    related=("solo-flip",),
)
SOLO_END = _solo(
    id="solo-end",
    text="If you finish, decide the winner as in a two-player race.",
    related=("finish-both", "solo-hand", "solo-dnf"),
)
SOLO_DNF = _solo(
    id="solo-dnf",
    text="If you don\u2019t finish (DNF), the bot wins, wherever it is on the Trail.",
    related=("dnf", "solo-end"),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Open points: the first option is the default.

STRANDING = Ruling(
    id="stranding",
    question="May you use a Boost that leaves you no way to run a leg this turn?",
    options=(
        Option(
            "keep-a-way",
            "No. You must still have a way to run a leg. A Boost is enough if it could draw you the right card.",
        ),
        Option("at-your-risk", "Yes. Then you are out of the race (DNF)."),
    ),
    rule=STRANDED,
)
EMPTY_PILE = Ruling(
    id="empty-pile",
    question="When a deck runs out, when do you reshuffle its discard pile?",
    options=(
        Option("when-needed", "At the next draw."),
        Option("at-once", "Right after the last card is drawn."),
    ),
    rule=DECK_ENDS,
)
LEVEL_SECOND = Ruling(
    id="level-second",
    question="Are you in second place while you are tied with the other runner?",
    options=(
        Option("not-second", "No. You are second only while you are behind."),
        Option("second", "Yes. Tied runners both count as second."),
    ),
    rule=LEVEL,
)
BEHIND_NOBODY = Ruling(
    id="second-alone",
    question="Are you in second place behind a runner who is out of the race?",
    options=(
        Option("not-second", "No. Only runners still in the race have a place."),
        Option("second", "Yes. Only the positions on the Trail matter."),
    ),
    rule=SECOND_ALONE,
)
DISCARDS_SEEN = Ruling(
    id="discards-seen",
    question="Do you discard the rest of your hand face-up?",
    options=(
        Option("open", "Yes. The discard piles are face-up."),
        Option("hidden", "No. Only the cards you played are face-up."),
    ),
    rule=DISCARDS,
)
EYES_EXHAUSTION = Ruling(
    id="eyes-exhaustion",
    question="Does Exhaustion stop Eyes Ahead?",
    options=(
        Option("works", "No. Eyes Ahead works automatically."),
        Option("silenced", "Yes. No Boost works while you have Exhaustion."),
    ),
    rule=EYES_EXHAUSTED,
)
GREEN_FOR_COST = Ruling(
    id="green-for-cost",
    question="Can a green card that is wild (Eyes Ahead) replace a card that a Boost costs?",
    options=(
        Option("pays", "Yes. Like your wild card, it replaces 1 card of the cost."),
        Option("only-legs", "No. It is wild only for running legs."),
    ),
    rule=GREEN_PAYS,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))

# Common house rules in place of printed rules, in our own words.
VARIANTS = (
    Variant("How long is the Trail?", "Three Trail cards, for a short race.", SETUP_TRAIL),
    Variant("How many cards may you keep after you run?", "Up to 2 cards.", KEEP_ONE),
    Variant("Does each runner start with a Boost?", "Yes. Draw 1 Boost each before the first turn.", SETUP_PILES),
)
