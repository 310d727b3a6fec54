"""ON THE TRAIL: prompts, and the log lines of moves and of facts about the table."""

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.tracked_game import PlayedMove
from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.card_facts import CardFacts, Leg, TrailCard
from scoring.on_the_trail.moves.card_reveals import EnterBoost, EnterColour
from scoring.on_the_trail.moves.reveals import CutCard, EndCard, EnterLeg, EnterStop, LayCard, SwapCards
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, EndRace, Run, RunOn, Stay
from scoring.on_the_trail.moves.stops import TakeBoost, TakeSetback
from scoring.on_the_trail.state import State
from tests.scoring.on_the_trail.test_end import last_turn
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    UNFINISHED_CARD_FACTS,
    make_state,
    parse_trail_card,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows

UNKNOWN = make_state(tracking="light", facts=CardFacts(), order=(0,))
ONE_LEG = state_after(UNKNOWN, EnterLeg(0, 0, "yellow"))
BOT = make_state(solo=True, bot_deck="cards")
BOT_ON_UNKNOWN = state_after(
    make_state(solo=True, bot_deck="cards", facts=CardFacts(), order=(0,)), EnterLeg(0, 0, "yellow")
)
BOOST_ON_UNKNOWN = with_changes(
    replace(UNKNOWN, facts=replace(CARD_FACTS, cards=ONE_LEG.facts.cards)), ANA, boosts=("up-the-pace",)
)
AT_SETBACK = state_after(
    state_with_hand(
        0, 1, 0, 0, state=make_state(facts=replace(CARD_FACTS, cards=(parse_trail_card("y!"), *CARD_FACTS.cards[1:])))
    ),
    Run("yellow"),
)
WITHOUT_STOPS = state_with_hand(
    0, 1, 0, 0, state=make_state(facts=replace(CARD_FACTS, cards=(TrailCard((Leg("yellow"),)), *CARD_FACTS.cards[1:])))
)
# Leg 19 is the last known one: the finish may follow.
UNKNOWN_END = make_state(facts=UNFINISHED_CARD_FACTS)
MAYBE_AT_FINISH = state_with_hand(1, 0, 0, 0, at=18, other_at=2, state=UNKNOWN_END)
BOOST_NEAR_UNKNOWN_END = state_with_hand(1, 1, 1, 1, at=18, other_at=2, state=UNKNOWN_END, boosts=("up-the-pace",))
BOT_NEAR_UNKNOWN_END = with_changes(
    make_state(solo=True, bot_deck="cards", facts=UNFINISHED_CARD_FACTS), BO, legs_run=18
)
BOOST_BEFORE_UNKNOWN_CARD = state_with_hand(1, 0, 1, 0, at=3, state=make_state(order=(0,)), boosts=("up-the-pace",))
EYES_AHEAD = state_with_hand(1, 1, 1, 1, other_at=3, boosts=("eyes-ahead",))

# (state, move, log line)
LOG_LINES = [
    (UNKNOWN, EnterLeg(0, 0, "yellow"), "The next leg on Trail card 1 is yellow."),
    (ONE_LEG, EnterLeg(0, 0, "red"), "Leg 1 on Trail card 1 is red (was: yellow)."),
    (ONE_LEG, EndCard(0), "Trail card 1 ends here."),
    (ONE_LEG, EnterStop(0, 0, "setback"), "Stop 1 on Trail card 1 is a Setback stop."),
    (make_state(), EnterStop(0, 0, "aid"), "Stop 1 on Trail card 1 is an Aid Station (was: a neutral stop)."),
    (make_state(order=()), LayCard(2), "Trail card 3 comes next."),
    (make_state(), SwapCards(2, 0), "Position 1 on the Trail is Trail card 3 (was: Trail card 1)."),
    (make_state(), CutCard(0, 3), "Trail card 1 has 3 legs so far (was: 4 legs)."),
    (make_state(), CutCard(0, 4), "Trail card 1 has more legs after leg 4."),
    (make_state(), EnterColour("stitch", "green"), "Stitch shows green."),
    (
        make_state(),
        EnterBoost("up-the-pace", green=1, any=1, legs=2),
        "Up the Pace costs 1 green card and 1 card of any color and gives 2 legs.",
    ),
    (make_state(), EnterBoost("cool-off", any=2), "Cool Off costs 2 cards of any color and discards a Setback."),
    (make_state(), EnterBoost("helping-hand", red=1), "Helping Hand costs 1 red card and draws 3 cards."),
    (
        state_with_hand(1, 0, 1, 1, boosts=("up-the-pace",)),
        Activate("up-the-pace", red=1, green=1),
        "Ana used Up the Pace, \u22121 red card, \u22121 green card, +2 legs.",
    ),
    (
        BOOST_ON_UNKNOWN,
        Activate("up-the-pace", red=1, green=1),
        "Ana used Up the Pace, \u22121 red card, \u22121 green card, +2 legs.",
    ),
    (
        state_after(BOOST_ON_UNKNOWN, Activate("up-the-pace", red=1, green=1)),
        EnterLeg(0, 1, "green"),
        "The next leg on Trail card 1 is green. Ana ran the second leg from Up the Pace.",
    ),
    (
        state_with_hand(1, 0, 1, 0, boosts=("up-the-pace",)),
        Activate("up-the-pace", red=1, green=1),
        "Ana used Up the Pace, \u22121 red card, \u22121 green card, +2 legs to a Setback stop.",
    ),
    (
        state_with_hand(1, 1, 1, 1, at=20, other_at=0, boosts=("up-the-pace",)),
        Activate("up-the-pace", red=1, green=1),
        "Ana used Up the Pace, \u22121 red card, \u22121 green card, +1 leg. Ana crossed the finish line! "
        "Bo has one last turn.",
    ),
    (
        BOOST_NEAR_UNKNOWN_END,
        Activate("up-the-pace", red=1, green=1),
        "Ana used Up the Pace for up to 2 legs, \u22121 red card, \u22121 green card.",
    ),
    (
        state_after(BOOST_NEAR_UNKNOWN_END, Activate("up-the-pace", red=1, green=1)),
        EndCard(4),
        "Trail card 5 ends here. Ana crossed the finish line! Bo has one last turn.",
    ),
    (
        state_with_hand(0, 0, 3, 0, boosts=("helping-hand",)),
        Activate("helping-hand", green=2),
        "Ana used Helping Hand, \u22122 green cards, +3 cards: 4 in hand.",
    ),
    (
        state_with_hand(0, 1, 1, 0, boosts=("cool-off",), setbacks=("cramps",)),
        Activate("cool-off", green=1, setback="cramps"),
        "Ana used Cool Off to discard Cramps, \u22121 green card.",
    ),
    (
        state_after(state_with_hand(0, 1, 1, 0, boosts=("cool-off",), setbacks=("cramps",)), Run("yellow")),
        Activate("cool-off", green=1, setback="cramps"),
        "Ana used Cool Off to discard Cramps and stopped at a neutral stop, \u22121 green card, +4 cards: 4 in hand.",
    ),
    (
        state_with_hand(0, 1, 0, 0),
        Run("yellow"),
        "Ana ran the yellow leg with a yellow card to a neutral stop, +4 cards: 4 in hand.",
    ),
    (
        state_with_hand(1, 0, 0, 0, at=1),
        Run("red"),
        "Ana ran the red leg with a red card to a Setback stop.",
    ),
    (state_with_hand(0, 1, 0, 0, at=3), Run("yellow"), "Ana ran the yellow leg with a yellow card to an Aid Station."),
    (
        state_with_hand(1, 1, 1, 0),
        RunOn(3),
        "Ana ran 3 legs with matching cards (yellow, red, green) to a neutral stop, +4 cards: 4 in hand.",
    ),
    (state_with_hand(1, 1, 0, 0), Run("yellow"), "Ana ran the yellow leg with a yellow card."),
    (WITHOUT_STOPS, Run("yellow"), "Ana ran the yellow leg with a yellow card."),
    (MAYBE_AT_FINISH, Run("red"), "Ana ran the red leg with a red card."),
    (
        state_after(MAYBE_AT_FINISH, Run("red")),
        EnterLeg(4, 3, "green"),
        "The next leg on Trail card 5 is green. Ana stopped at a Setback stop.",
    ),
    (
        state_after(BOOST_BEFORE_UNKNOWN_CARD, Activate("up-the-pace", red=1, green=1)),
        LayCard(1),
        "Trail card 2 comes next. Ana ran the second leg from Up the Pace to a neutral stop. "
        "Ana drew 4 cards: 4 in hand.",
    ),
    (
        state_with_hand(0, 0, 1, 0),
        DropOut(),
        "Ana could not run a leg and dropped out (DNF).",
    ),
    (EYES_AHEAD, Run("green"), "Ana ran the yellow leg with a green card (Eyes Ahead)."),
    (BOT, Flip("green"), "The bot flipped green: no match, +2 legs."),
    (BOT, Flip("yellow"), "The bot flipped yellow: match, +4 legs."),
    (BOT, Flip("wild"), "The bot flipped its wild card: +4 legs."),
    (
        with_changes(BOT, BO, legs_run=20),
        Flip("red"),
        "The bot flipped red: no match, +1 leg. The bot crossed the finish line! Ana has one last turn.",
    ),
    (BOT_NEAR_UNKNOWN_END, Flip("red"), "The bot flipped red: match, up to 4 legs."),
    (BOT_NEAR_UNKNOWN_END, Flip("green"), "The bot flipped green: no match, up to 2 legs."),
    (
        state_after(BOT_ON_UNKNOWN, Flip("wild")),
        EnterLeg(0, 1, "red"),
        "The next leg on Trail card 1 is red. The bot ran the second leg.",
    ),
    (
        state_with_hand(1, 1, 0, 0, at=20, other_at=20),
        Run("yellow"),
        "Ana ran the yellow leg with a yellow card. Ana crossed the finish line! Bo has one last turn.",
    ),
    (
        state_after(
            state_with_hand(1, 1, 0, 0, at=18, other_at=2, state=make_state(facts=UNFINISHED_CARD_FACTS)), Run("red")
        ),
        EndCard(4),
        "Trail card 5 ends here. Ana crossed the finish line! Bo has one last turn.",
    ),
]


@run_all_rows("state, move, line", LOG_LINES)
def test_log_line_of_a_move(state: State, move: Move, line: str):
    seat = TRACKED_GAME.flow.to_move(state)[0]
    assert TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, seat, move), seat, move) == line


def test_log_of_the_ended_race_has_no_draw():
    state = last_turn(phase="effect")
    line = TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, BO, EndRace()), BO, EndRace())
    assert line == "Bo ended the race: the last turn could not change the result."


# (state, prompt)
PROMPTS = [
    (UNKNOWN, "Trail ahead: enter the color of the next leg."),
    (make_state(tracking="light", order=()), "Trail ahead: enter the next Trail card."),
    (make_state(), "Run at least 1 leg."),
    (state_after(state_with_hand(0, 2, 0, 0), Run("yellow")), "At a stop: keep running or stop here."),
    (AT_SETBACK, "Setback stop: draw a Setback."),
    (BOT, "Flip a card for the bot."),
    (last_turn(phase="run", moved=0), "Last turn. Run at least 1 leg."),
]


@run_all_rows("state, prompt", PROMPTS)
def test_prompt_names_the_decision(state: State, prompt: str):
    assert TRACKED_GAME.text.prompt(state) == prompt


def test_titles_of_moves_differ():
    titles = [kind.title for kind in TRACKED_GAME.moves]
    assert len(set(titles)) == len(titles)


def test_labels_of_ways_to_stop_contain_their_short_text():
    state = state_after(state_with_hand(1, 2, 1, 1), Run("yellow"))
    labels = [move.label(state, ANA) for move in (Stay(), Stay("red"), Stay("wild"))]
    assert [label.short for label in labels] == ["No card", "Red", "Wild"]
    assert all(label.short.lower() in label.text for label in labels)
    assert TakeBoost("cool-off").label(state, ANA).hint == "discard a Setback"
    assert DropOut().label(state, ANA).text == "Drop out (DNF)"


# (state, move, text on the Ask page, short text below a heading)
REVEAL_LABELS = [
    (ONE_LEG, EndCard(0), "Enter the end of this Trail card", "End of card"),
    (UNKNOWN_END, EndCard(4), "Enter the finish here", "Finish"),
    (make_state(order=()), LayCard(2), "Enter Trail card 3", "Trail card 3"),
    (UNKNOWN, LayCard(2), "Enter a new Trail card", "A new Trail card"),
    (make_state(), CutCard(0, 3), "Shorten Trail card 1 to 3 legs", ""),
    (make_state(), CutCard(0, 4), "Add legs to Trail card 1", ""),
    (make_state(), EnterBoost("flat-out", red=3, legs=4), "Enter the cost of Flat Out (3 red cards for 4 legs)", ""),
    (make_state(), EnterBoost("cool-off", any=1), "Enter the cost of Cool Off (1 card of any color)", ""),
]


@run_all_rows("state, move, text, short", REVEAL_LABELS)
def test_labels_of_facts_about_cards_begin_with_a_verb(state: State, move: Move, text: str, short: str):
    label = move.label(state, ANA)
    assert (label.text, label.short) == (text, short)


AT_AID = make_state(facts=replace(CARD_FACTS, cards=(parse_trail_card("y.r+"), *CARD_FACTS.cards[1:])))
READY = state_with_hand(1, 1, 1, 1, boosts=("up-the-pace",))

# (state, moves of a turn, what the news says about them)
NEWS = [
    (READY, (Run("yellow"),), "ran 1 yellow leg"),
    (READY, (Run("wild"),), "ran 1 yellow leg with the wild card"),
    (state_with_hand(2, 1, 1, 0), (Run("red", pair=True),), "ran 1 yellow leg with 2 red cards"),
    (READY, (Activate("up-the-pace", red=1, green=1),), "ran 2 legs (yellow, red), used Up the Pace"),
    (READY, (Activate("up-the-pace", red=1, green=1), Run("wild")), "ran 3 legs, used Up the Pace"),
    (
        state_with_hand(1, 1, 1, 0, state=AT_AID),
        (RunOn(2), Stay("green"), TakeBoost("flat-out")),
        "ran 2 legs (yellow, red), Aid Station: drew Flat Out, kept 1 card",
    ),
    (state_with_hand(1, 1, 1, 0, state=AT_AID), (RunOn(2), Stay()), "ran 2 legs (yellow, red), Aid Station"),
    (
        state_with_hand(1, 1, 0, 0, state=AT_AID, setbacks=("cramps", "blisters")),
        (RunOn(2),),
        "ran 2 legs (yellow, red), Aid Station: discarded all Setbacks",
    ),
    (AT_SETBACK, (TakeSetback("cramps"),), "drew Cramps"),
    (BOT, (Flip("red"),), "flipped red: no match, +2 legs"),
]


@run_all_rows("state, moves, text", NEWS)
def test_news_of_a_turn(state: State, moves: tuple[Move, ...], text: str):
    seat, played = TRACKED_GAME.flow.to_move(state)[0], []
    for move in moves:
        after = TRACKED_GAME.play(state, seat, move)
        played.append(PlayedMove(state, after, seat, move))
        state = after
    assert ", ".join(TRACKED_GAME.turn_phrases(played)) == text


def test_last_turn_is_called_for_everyone():
    state = last_turn()
    call = TRACKED_GAME.text.final_call
    assert call(make_state(), None) == call(make_state(), ANA) == ""
    assert call(state, BO) == "Last turn: Ana has finished."
    assert call(state, ANA) == "You have finished. Bo has one last turn."
    assert call(state, None) == "Ana has finished. Bo has one last turn."


def test_turns_alternate_until_the_last_one():
    next_seats = TRACKED_GAME.flow.next_seats
    assert next_seats(make_state()) == (BO,)
    assert next_seats(last_turn()) == ()
    assert next_seats(make_state(solo=True)) == (ANA,)  # after the bot
