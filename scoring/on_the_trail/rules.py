"""The rules of ON THE TRAIL in our own words, with their sources, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling

# One maker per section. The rulebook has no page numbers: its headings stand for them.
_game = partial(Rule, section="The race", book="rulebook", page="\u201cGoal\u201d")
_box = partial(Rule, section="The box", book="rulebook", page="\u201cComponents\u201d")
_setup = partial(Rule, section="Set-up", book="rulebook", page="\u201cSetup\u201d")
_play = partial(Rule, section="Playing cards", book="rulebook", page="\u201cPlay your cards\u201d")
_keep = partial(Rule, section="Keeping a card", book="rulebook", page="\u201cDiscard your hand\u201d")
_stop = partial(Rule, section="Stops", book="rulebook", page="\u201cApply effect of final stop\u201d")
_draw = partial(Rule, section="Drawing", book="rulebook", page="\u201cDraw new cards\u201d")
_setback = partial(Rule, section="Setbacks", book="rulebook", page="\u201cRace Setbacks\u201d")
_boost = partial(Rule, section="Boosts", book="rulebook", page="\u201cBoost cards\u201d")
_dnf = partial(Rule, section="Not finishing", book="rulebook", page="\u201cDNF\u201d")
_end = partial(Rule, section="The finish", book="rulebook", page="\u201cEnd of the game\u201d")
_solo = partial(Rule, section="Alone against the bot", book="rulebook", page="\u201cSolo mode\u201d")

# The race and the box

GOAL = _game(
    id="goal",
    text="Two runners race along the Trail, leg by leg, to the finish at its end.",
    related=("finish-line", "finish-alone", "finish-both"),
)
PLAYERS = _game(
    id="players",
    text="Two people race each other, or one races the bot.",
    page="\u201cHow to play\u201d",
    related=("solo",),
)
COMPONENTS = _box(
    id="components",
    text="The box holds 5 Trail cards, 2 runners, a Race deck for each runner, 14 Setbacks and 10 Boosts.",
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
        "The 14 Setbacks: I\u2019m Fine, I\u2019m Fine four times, Cramps three times, and Blisters, Sprain, "
        "Exhaustion, Stitch, "
        "Dehydration, Nausea and Hitting the Wall once each."
    ),
    page="\u201cRace Setbacks\u201d",
    status="inferred",
    related=("components", "setback-reshuffle"),
)
BOOST_PILE = _box(
    id="boost-pile",
    text="The 10 Boosts are all different, so each is there once.",
    page="\u201cBoost cards\u201d",
    status="inferred",
    related=("components", "no-boost-left"),
)
TRAIL_CARDS = _box(
    id="trail-cards",
    text="A Trail card shows legs in red, yellow or green, and a stop at the end of each leg.",
    page="\u201cPlay your cards\u201d",
    status="inferred",
    related=("setup-trail", "finish-line"),
)
CARD_ENDS = _box(
    id="card-ends",
    text=(
        "Any Trail card may lie last and end at the finish, an Aid Station: so each is taken to end at one, "
        "if you say nothing else."
    ),
    page="\u201cGoal\u201d",
    status="inferred",
    related=("trail-cards", "finish-line"),
)

# Setup

SETUP_TRAIL = _setup(
    id="setup-trail",
    text="Lay the five Trail cards in a row between you, in an order that chance decides.",
    related=("trail-cards", "finish-line"),
)
SETUP_RUNNERS = _setup(
    id="setup-runners",
    text="Take a runner each, with the deck that belongs to it. Both runners start on the same space.",
    is_checked_by_players=True,
    related=("setup-hand", "setup-first"),
)
SETUP_PILES = _setup(
    id="setup-piles",
    text="Shuffle the Setbacks into one face-down pile and the Boosts into another.",
    is_checked_by_players=True,
    related=("setback-pile", "boost-pile"),
)
SETUP_HAND = _setup(
    id="setup-hand",
    text="Shuffle your deck and draw four cards. Only you look at your hand.",
    related=("draw-four", "discards"),
)
SETUP_FIRST = _setup(
    id="setup-first",
    text="Chance decides who starts.",
    is_checked_by_players=True,
    related=("turn-passes", "solo-starts"),
)

# The turn and the cards

TURN_PHASES = _play(
    id="turn-phases",
    text="A turn has four steps, in this order: play cards, discard, do what the stop says, draw.",
    page="\u201cHow to play\u201d",
    related=("run-must", "keep-one", "stop-final", "draw-four"),
)
TURN_PASSES = _play(
    id="turn-passes",
    text="When you have drawn, it is the other runner\u2019s turn.",
    page="\u201cDraw new cards\u201d",
    related=("turn-phases", "finish-round", "dnf-other"),
)
RUN_MUST = _play(
    id="run-must",
    text="A turn without a leg is not allowed: each takes you on by one at least.",
    page="\u201cDid not finish (DNF)\u201d",
    related=("dnf", "run-on", "advance-runs"),
)
RUN_COLOUR = _play(
    id="run-colour",
    text="One card of a leg\u2019s own colour runs that leg.",
    related=("run-wild", "run-pair"),
)
RUN_WILD = _play(
    id="run-wild",
    text="Your wild card runs a leg of any colour.",
    related=("run-colour", "boost-wild"),
)
RUN_PAIR = _play(
    id="run-pair",
    text="Two cards of one colour run a leg of another colour.",
    related=("run-colour", "pair-alike", "no-pair"),
)
PAIR_ALIKE = _play(
    id="pair-alike",
    text="A pair is two cards of the same colour; the wild card is no half of one.",
    status="inferred",
    related=("run-pair", "run-wild"),
)
PLAYED = _play(
    id="played",
    text="Cards come from your hand, and go on your discard pile as soon as they are played.",
    related=("discards", "deck-reshuffle"),
)
RUN_ON = _play(
    id="run-on",
    text="You may run as many legs as your cards allow, and may stop at any stop while you still hold cards.",
    related=("run-must", "keep-one"),
)
KEEP_ONE = _keep(
    id="keep-one",
    text="After running you may keep one card of your hand. All the others are discarded.",
    related=("hitting-the-wall", "discards", "finish"),
)
DISCARDS = _keep(
    id="discards",
    text=(
        "The book does not say whether the cards you do not keep are discarded for both of you to see. Your table "
        "decides."
    ),
    status="open",
    related=("played", "keep-one"),
)
DRAW_FOUR = _draw(
    id="draw-four",
    text="A turn ends with four cards drawn.",
    related=("cramps", "sprain", "draw-floor", "deck-reshuffle"),
)
DECK_RESHUFFLE = _draw(
    id="deck-reshuffle",
    text="When your deck has run out, your discard pile is shuffled and becomes your deck.",
    related=("deck-ends", "deck-cards"),
)
DECK_ENDS = _draw(
    id="deck-ends",
    text=(
        "The book does not say whether an empty pile is made anew at once or when the next card is to be "
        "drawn. Your table decides."
    ),
    status="open",
    related=("deck-reshuffle", "setback-reshuffle"),
)

# Stops

STOP_FINAL = _stop(
    id="stop-final",
    text="Only the stop your run ends on does anything. Those you pass do not.",
    related=("stop-neutral", "stop-setback", "stop-aid", "stop-shared"),
)
STOP_SHARED = _stop(
    id="stop-shared",
    text="Both runners may stand on one stop; it works for the second as well.",
    related=("stop-final",),
)
STOP_NEUTRAL = _stop(
    id="stop-neutral",
    text="A neutral stop does nothing.",
    related=("stop-final",),
)
STOP_SETBACK = _stop(
    id="stop-setback",
    text="At a Setback stop you draw a Setback, which lies open before you.",
    related=("setback-active", "setback-reshuffle"),
)
SETBACK_RESHUFFLE = _stop(
    id="setback-reshuffle",
    text="When the pile of Setbacks has run out, the discarded ones are shuffled and become the pile.",
    related=("deck-ends", "no-setback-left"),
)
NO_SETBACK_LEFT = _stop(
    id="no-setback-left",
    text="When all Setbacks lie in front of you two, none is drawn.",
    status="inferred",
    related=("setback-reshuffle",),
)
STOP_AID = _stop(
    id="stop-aid",
    text="At an Aid Station you do one of two things: draw a Boost, or discard your Setbacks.",
    related=("aid-boost", "aid-shed", "blisters"),
)
AID_BOOST = _stop(
    id="aid-boost",
    text="A Boost you draw lies open before you.",
    related=("stop-aid", "boost-next-turn", "blisters"),
)
AID_NOTHING = _stop(
    id="aid-nothing",
    text="With no Setback in front of you there is nothing to discard at an Aid Station: you draw a Boost.",
    status="inferred",
    related=("stop-aid", "aid-shed"),
)
AID_SHED = _stop(
    id="aid-shed",
    text="If you discard Setbacks at an Aid Station, all of yours go.",
    related=("stop-aid", "setback-active"),
)
NO_BOOST_LEFT = _stop(
    id="no-boost-left",
    text="When no Boost is left in the pile, only discarding remains at an Aid Station.",
    status="inferred",
    related=("stop-aid", "boost-pile"),
)

# Setbacks

SETBACK_ACTIVE = _setback(
    id="setback-active",
    text="A Setback works from the moment it lies in front of you until it is discarded.",
    related=("cumulative", "cut-at-once"),
)
CUMULATIVE = _setback(
    id="cumulative",
    text="Several Setbacks add up.",
    related=("cramps", "sprain", "draw-floor"),
)
CUT_AT_ONCE = _setback(
    id="cut-at-once",
    text="A Setback drawn this turn already shortens this turn\u2019s draw. The card you have kept stays yours.",
    status="inferred",
    related=("setback-active", "cramps", "hitting-the-wall"),
)
FINE = _setback(
    id="fine",
    text="I\u2019m Fine, I\u2019m Fine: this card does nothing.",
    related=("setback-pile",),
)
BLISTERS = _setback(
    id="blisters",
    text="Blisters: you draw no Boosts.",
    related=("stop-aid", "aid-shed"),
)
CRAMPS = _setback(
    id="cramps",
    text="Cramps: you draw one card fewer at the end of your turns, for each of them.",
    related=("draw-four", "draw-floor", "sprain"),
)
SPRAIN = _setback(
    id="sprain",
    text="Sprain: you draw two cards fewer at the end of your turns.",
    related=("draw-four", "draw-floor", "cramps"),
)
DRAW_FLOOR = _setback(
    id="draw-floor",
    text="However many Setbacks there are, you never draw fewer than no cards.",
    status="inferred",
    related=("cramps", "sprain"),
)
EXHAUSTION = _setback(
    id="exhaustion",
    text="Exhaustion: you activate no Boosts.",
    related=("boost-cost", "eyes-exhausted"),
)
NO_PAIR = _setback(
    id="no-pair",
    text="Stitch, Dehydration and Nausea each show a colour: two cards of that colour no longer run another leg.",
    related=("run-pair",),
)
HITTING_THE_WALL = _setback(
    id="hitting-the-wall",
    text="Hitting the Wall: you keep no card at the end of your turns.",
    related=("keep-one", "cut-at-once"),
)

# Boosts

BOOST_ANY_TIME = _boost(
    id="boost-any-time",
    text="You activate Boosts while you play your cards, before, between or after running legs.",
    page="\u201cUse a Boost card\u201d",
    related=("boost-order", "turn-phases"),
)
BOOST_COST = _boost(
    id="boost-cost",
    text="To activate a Boost you discard the cards it shows, then it does what it says.",
    related=("boost-wild", "boost-once", "exhaustion"),
)
BOOST_WILD = _boost(
    id="boost-wild",
    text="Your wild card can stand for one of the cards a Boost costs.",
    related=("boost-cost", "green-pays"),
)
BOOST_ORDER = _boost(
    id="boost-order",
    text="You may activate several Boosts in one turn, in any order.",
    related=("boost-once", "boost-any-time"),
)
BOOST_ONCE = _boost(
    id="boost-once",
    text="Each Boost works once in a turn.",
    related=("boost-order", "boost-kept"),
)
BOOST_KEPT = _boost(
    id="boost-kept",
    text="A Boost stays in front of you after it has been activated, for your next turns.",
    related=("boost-once",),
)
BOOST_NEXT_TURN = _boost(
    id="boost-next-turn",
    text="A Boost you have drawn is ready on your next turn.",
    page="\u201cAid Station stop\u201d",
    related=("aid-boost",),
)
ADVANCE = _boost(
    id="advance",
    text=(
        "Up the Pace, Intervals, Flat Out and Runner\u2019s High take you on by the legs they show, whatever their "
        "colours."
    ),
    related=("advance-runs", "surplus"),
)
ADVANCE_RUNS = _boost(
    id="advance-runs",
    text="Legs a Boost brings count as run: with one of them your turn has its leg.",
    status="inferred",
    related=("run-must", "advance"),
)
SURPLUS = _boost(
    id="surplus",
    text="Legs a Boost brings beyond the finish are lost; you stop at the finish.",
    status="inferred",
    related=("advance", "finish"),
)
SHED = _boost(
    id="shed",
    text="Cool Off, Fire-Pit Pitstop and Welcome Break discard one Setback that you choose.",
    related=("aid-shed",),
)
DRAW_THREE = _boost(
    id="draw-three",
    text="Helping Hand and Personal Best let you draw three cards at once.",
    related=("boost-rescue", "deck-reshuffle"),
)
EYES_AHEAD = _boost(
    id="eyes-ahead",
    text="Eyes Ahead: while you are in second place your green cards are wild.",
    related=("level", "second-alone", "eyes-exhausted", "green-pays"),
)
LEVEL = _boost(
    id="level",
    text="The book does not say whether a runner level with the other counts as second. Your table decides.",
    status="open",
    related=("eyes-ahead",),
)
SECOND_ALONE = _boost(
    id="second-alone",
    text=(
        "The book does not say whether you are in second place behind a runner who has left the race. Your table "
        "decides."
    ),
    status="open",
    related=("eyes-ahead", "dnf-other"),
)
EYES_EXHAUSTED = _boost(
    id="eyes-exhausted",
    text=(
        "The book does not say whether Exhaustion stops Eyes Ahead, which costs nothing and works all the "
        "time. Your table decides."
    ),
    status="open",
    related=("exhaustion", "eyes-ahead"),
)
GREEN_PAYS = _boost(
    id="green-pays",
    text=(
        "The book does not say whether a green card that is wild can stand for a card a Boost costs. Your table "
        "decides."
    ),
    status="open",
    related=("eyes-ahead", "boost-wild"),
)

# Not finishing

DNF = _dnf(
    id="dnf",
    text="If on your turn you cannot run a leg, you leave the race: you did not finish.",
    related=("dnf-forced", "dnf-other", "run-must"),
)
DNF_FORCED = _dnf(
    id="dnf-forced",
    text="Nobody leaves the race who can still run a leg.",
    status="inferred",
    related=("dnf", "boost-rescue", "stranded"),
)
BOOST_RESCUE = _dnf(
    id="boost-rescue",
    text="Boosts count too: you can still run if a Boost takes you on, clears the way, or draws a card that may.",
    status="inferred",
    related=("dnf-forced", "draw-three", "advance-runs"),
)
STRANDED = _dnf(
    id="stranded",
    text=(
        "The book does not say whether you may spend cards on a Boost so that none is left to run with. Your table "
        "decides."
    ),
    status="open",
    related=("run-must", "dnf-forced"),
)
DNF_OTHER = _dnf(
    id="dnf-other",
    text="When one of you is out, the other still has to reach the finish to win.",
    related=("dnf", "dnf-both"),
)
DNF_BOTH = _dnf(
    id="dnf-both",
    text="When neither of you finishes, it is a tie and nobody wins.",
    related=("dnf-other",),
)

# The finish

FINISH_LINE = _end(
    id="finish-line",
    text="The finish is the last stop of the Trail, an Aid Station.",
    related=("finish", "goal", "trail-cards"),
)
FINISH = _end(
    id="finish",
    text=(
        "Whoever reaches the finish is a finisher. Their turn ends there and then: no discarding, no stop, no drawing."
    ),
    related=("finish-line", "finish-keeps", "finish-round"),
)
FINISH_KEEPS = _end(
    id="finish-keeps",
    text="A finisher keeps the cards still in hand.",
    related=("finish-both",),
)
FINISH_ROUND = _end(
    id="finish-round",
    text="When somebody has finished, the round is played to its end, so that nobody has had a turn more.",
    related=("second-finishes", "turn-passes"),
)
SECOND_FINISHES = _end(
    id="second-finishes",
    text="If the one who started second finishes, the round is complete and the race is over.",
    status="inferred",
    related=("finish-round",),
)
FINISH_ALONE = _end(
    id="finish-alone",
    text="The only finisher wins.",
    related=("finish-both", "not-finished"),
)
NOT_FINISHED = _end(
    id="not-finished",
    text="Whoever is still on the way when the race is over has not finished.",
    status="inferred",
    related=("finish-alone", "finish-round"),
)
FINISH_BOTH = _end(
    id="finish-both",
    text="If both of you finish, more cards in hand win.",
    related=("finish-tie", "finish-keeps"),
)
FINISH_TIE = _end(
    id="finish-tie",
    text="If both finish with as many cards in hand, both win.",
    related=("finish-both",),
)

# Alone against the bot

SOLO = _solo(
    id="solo",
    text="Alone you race a bot. You play by all the rules; it has its own.",
    related=("solo-flip", "solo-starts", "solo-end"),
)
SOLO_DECK = _solo(
    id="solo-deck",
    text="The bot\u2019s deck is shuffled and lies face down; when it has run out, its discard pile is shuffled anew.",
    related=("deck-cards", "solo-flip"),
)
SOLO_HAND = _solo(
    id="solo-hand",
    text="The bot never has a card in hand.",
    related=("solo-end", "solo-deck"),
)
SOLO_STARTS = _solo(
    id="solo-starts",
    text="The bot has the first turn.",
    related=("solo", "finish-round"),
)
SOLO_FLIP = _solo(
    id="solo-flip",
    text=(
        "On its turn a card is flipped: if it has the colour of the bot\u2019s next leg, or is wild, the bot "
        "moves 4 stops, otherwise 2."
    ),
    related=("solo-stops", "solo-deck"),
)
SOLO_STOPS = _solo(
    id="solo-stops",
    text="No stop does anything to the bot. The flipped card is discarded and its turn is over.",
    related=("solo-flip",),
)
SOLO_END = _solo(
    id="solo-end",
    text="If you finish, the race is decided as between two people.",
    related=("finish-both", "solo-hand", "solo-dnf"),
)
SOLO_DNF = _solo(
    id="solo-dnf",
    text="If you do not finish, the bot wins, wherever it is.",
    related=("dnf", "solo-end"),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Open points: the first option is the default.

STRANDING = Ruling(
    id="stranding",
    question="May you spend cards on a Boost so that you can no longer run a leg this turn?",
    options=(
        Option("keep-a-way", "No: a way to run a leg must be left, even if it takes a lucky draw."),
        Option("at-your-risk", "Yes: you may, and then you are out of the race."),
    ),
    rule=STRANDED,
)
EMPTY_PILE = Ruling(
    id="empty-pile",
    question="When is an empty pile made anew from its discards?",
    options=(
        Option("when-needed", "When the next card is to be drawn from it."),
        Option("at-once", "At once, when its last card has been drawn."),
    ),
    rule=DECK_ENDS,
)
LEVEL_SECOND = Ruling(
    id="level-second",
    question="Is a runner who is level with the other in second place?",
    options=(
        Option("not-second", "No: you are second only while you are behind."),
        Option("second", "Yes: level with the other, you count as second too."),
    ),
    rule=LEVEL,
)
BEHIND_NOBODY = Ruling(
    id="second-alone",
    question="Are you in second place behind a runner who has left the race?",
    options=(
        Option("not-second", "No: whoever has left the race has no place in it."),
        Option("second", "Yes: the places are those of the runners on the Trail."),
    ),
    rule=SECOND_ALONE,
)
DISCARDS_SEEN = Ruling(
    id="discards-seen",
    question="Do both of you see what is discarded at the end of a turn?",
    options=(
        Option("open", "Yes: discard piles lie face up."),
        Option("hidden", "No: what you have not played is discarded face down."),
    ),
    rule=DISCARDS,
)
EYES_EXHAUSTION = Ruling(
    id="eyes-exhaustion",
    question="Does Exhaustion stop Eyes Ahead?",
    options=(
        Option("works", "No: Eyes Ahead is never activated, it simply works."),
        Option("silenced", "Yes: no Boost helps you while you are exhausted."),
    ),
    rule=EYES_EXHAUSTED,
)
GREEN_FOR_COST = Ruling(
    id="green-for-cost",
    question="Can a green card that is wild by Eyes Ahead stand for a card a Boost costs?",
    options=(
        Option("pays", "Yes: like the wild card, for one card of each Boost."),
        Option("only-legs", "No: such a green card is wild for running legs only."),
    ),
    rule=GREEN_PAYS,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
