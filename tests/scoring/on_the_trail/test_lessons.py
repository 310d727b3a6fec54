"""ON THE TRAIL: which lessons of a first game a position or a step needs."""

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.lessons import LESSONS
from scoring.on_the_trail.moves.run_moves import DropOut, Run, Stay
from scoring.on_the_trail.moves.stops import TakeBoost, TakeSetback
from scoring.on_the_trail.setup import default_setup
from scoring.on_the_trail.state import State
from scoring.on_the_trail.visibility import view
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    LAST_TURN,
    PARTIAL_CARD_FACTS,
    UNFINISHED_CARD_FACTS,
    make_state,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows

UNKNOWN_BOOSTS = make_state(facts=replace(CARD_FACTS, boosts={}))
UNKNOWN_COLOR = make_state(facts=replace(CARD_FACTS, setbacks={}))
LIGHT, LIGHT_UNKNOWN_BOX = make_state(tracking="light"), make_state(tracking="light", facts=CardFacts())
ON_SETBACK_STOP, ON_AID_STOP = (
    with_changes(state_with_hand(0, 0, 0, 0, at=at, other_at=0), phase="effect", moved=1) for at in (2, 4)
)
BO_LAST_TURN = with_changes(LAST_TURN.with_player(BO, hand=(1, 1, 1, 1)), BO, unknown_hand=0)


def decision_ids(state: State, seat: int = ANA) -> set[str]:
    """Return the lessons about what a seat may decide now."""
    assert seat in TRACKED_GAME.flow.to_move(state)
    return set(LESSONS.decisions(view(state, seat), seat))


def event_ids(state: State, *moves: Move, seat: int = ANA) -> set[str]:
    """Return the lessons about what a seat meets in the last of some moves."""
    before = state_after(state, *moves[:-1])
    after = state_after(before, moves[-1])
    return set(LESSONS.events(view(before, seat), view(after, seat), seat))


@run_all_rows(
    "state, expected",
    [
        (make_state(), {"hand"}),
        (LIGHT, {"run"}),
        (state_with_hand(1, 1, 1, 1), {"run"}),
        # The color of the next leg is unknown; which Trail card comes next is another question.
        (LIGHT_UNKNOWN_BOX, {"run"}),
        (make_state(tracking="light", facts=PARTIAL_CARD_FACTS, order=()), set()),
        (with_changes(LIGHT_UNKNOWN_BOX, BO, out=True), {"run", "alone"}),
        # Cards that cannot run the yellow leg
        (state_with_hand(1, 0, 1, 0), {"run", "out"}),
        (state_with_hand(2, 0, 1, 0), {"run"}),
        (state_with_hand(2, 0, 1, 0, setbacks=("stitch",)), {"run", "out"}),
        # Between legs
        (state_after(state_with_hand(1, 1, 1, 0), Run("yellow")), {"run-on"}),
        (state_after(state_with_hand(1, 1, 1, 0, setbacks=("hitting-the-wall",)), Run("yellow")), set()),
        # Near the finish, which is 21 legs from the start
        (state_with_hand(1, 1, 1, 1, at=16), {"run"}),
        (state_with_hand(1, 1, 1, 1, at=17), {"run", "near"}),
        (state_with_hand(1, 1, 1, 1, at=17, state=make_state(facts=UNFINISHED_CARD_FACTS)), {"run"}),
        # Boosts
        (state_with_hand(0, 1, 1, 0, boosts=("helping-hand",)), {"run", "boost"}),
        (state_with_hand(0, 1, 0, 0, boosts=("helping-hand",)), {"run"}),
        (state_with_hand(0, 1, 1, 0, boosts=("cool-off",)), {"run"}),
        (state_with_hand(0, 1, 1, 0, boosts=("cool-off",), setbacks=("cramps",)), {"run", "boost"}),
        (state_with_hand(0, 1, 1, 0, boosts=("helping-hand",), setbacks=("exhaustion",)), {"run"}),
        (state_with_hand(0, 1, 1, 0, boosts=("eyes-ahead",)), {"run"}),
        (state_with_hand(0, 1, 1, 0, state=UNKNOWN_BOOSTS, boosts=("flat-out",)), {"run"}),
        (state_with_hand(1, 0, 1, 0, state=UNKNOWN_BOOSTS, boosts=("flat-out",)), set()),
        # Stops
        (ON_SETBACK_STOP, {"setback"}),
        (ON_AID_STOP, {"aid"}),
        (state_with_hand(0, 1, 0, 0, state=UNKNOWN_COLOR, setbacks=("stitch",)), {"setback-color"}),
        # An opponent who no longer races
        (with_changes(state_with_hand(1, 1, 1, 1), BO, out=True), {"run", "alone"}),
    ],
)
def test_decision_of_a_position_yields_its_lessons(state, expected):
    assert decision_ids(state) == expected


def test_decision_in_the_last_turn_yields_its_lesson():
    assert decision_ids(BO_LAST_TURN, BO) == {"run", "last-turn"}


def test_decision_for_the_bot_yields_only_its_lessons():
    solo = make_state(solo=True)
    assert decision_ids(solo) == {"flip"}
    assert decision_ids(make_state(solo=True, facts=CardFacts())) == set()
    assert decision_ids(state_after(solo, Flip())) == {"hand"}


def test_decision_at_an_unknown_stop_yields_its_lesson():
    assert decision_ids(state_after(LIGHT_UNKNOWN_BOX, Run("red", leg="red"), Stay())) == {"stop"}
    assert decision_ids(state_after(LIGHT_UNKNOWN_BOX, Run("red", leg="red"))) == {"card-end", "run-on"}


@run_all_rows(
    "state, moves, expected",
    [
        # The end of a turn
        (state_with_hand(0, 1, 1, 0, other_at=0), [Run("yellow")], set()),
        (state_with_hand(0, 1, 1, 0, other_at=0), [Run("yellow"), Stay()], {"drawn"}),
        (state_with_hand(0, 1, 0, 0, other_at=0), [Run("yellow")], {"drawn"}),  # no card is left
        (state_with_hand(1, 0, 0, 0, at=1), [Run("red")], set()),  # the Setback comes first
        (state_with_hand(1, 0, 1, 0), [DropOut()], set()),
        # Setbacks that reduce the draw
        (ON_SETBACK_STOP, [TakeSetback("cramps")], {"drawn", "fewer"}),
        (ON_SETBACK_STOP, [TakeSetback("sprain")], {"drawn", "fewer"}),
        (ON_SETBACK_STOP, [TakeSetback("blisters")], {"drawn"}),
        (ON_AID_STOP, [TakeBoost("intervals")], {"drawn"}),
        # Two runners at a stop
        (state_with_hand(0, 1, 0, 0, other_at=1), [Run("yellow")], {"drawn", "same-stop"}),
        (state_with_hand(0, 1, 1, 0, other_at=1), [Run("yellow")], set()),  # the run may go on
        (state_with_hand(0, 1, 1, 0, other_at=1), [Run("yellow"), Stay()], {"drawn", "same-stop"}),
        # The finish
        (state_with_hand(0, 1, 0, 0, at=20), [Run("yellow")], {"home"}),
    ],
)
def test_step_of_a_player_yields_its_lessons(state, moves, expected):
    assert event_ids(state, *moves) == expected


@run_all_rows(
    "state, moves",
    [
        (state_with_hand(0, 1, 0, 0, other_at=1), [Run("yellow")]),
        (ON_SETBACK_STOP, [TakeSetback("cramps")]),
        (state_with_hand(0, 1, 0, 0, at=20), [Run("yellow")]),
    ],
)
def test_step_of_the_opponent_yields_no_lesson(state, moves):
    assert event_ids(state, *moves, seat=BO) == set()


@run_all_rows(
    "names, changes, expected",
    [
        (["Ana", "Bo"], {}, {"first": "Ana", "trail_entry": "You enter them during the race"}),
        (["Ana"], {}, {"first": "The bot"}),
        (["Ana", "Bo"], {"order": (4, 0, 2, 1, 3)}, {"trail_entry": "Their order is already entered"}),
        (["Ana", "Bo"], {"order": (4, 0, -1, -1, -1)}, {"trail_entry": "You enter the other cards during the race"}),
        (["Ana", "Bo"], {"tracking": "open"}, {"hand_entry": "Enter them on your own phone on your first turn"}),
        (["Ana", "Bo"], {"tracking": "light"}, {"hand_entry": "You enter only the cards that you play"}),
    ],
)
def test_setup_values_follow_the_setup(names, changes, expected):
    values = LESSONS.setup_values(replace(default_setup(names), **changes))
    assert {name: values[name] for name in expected} == expected


def test_setup_alone_deals_with_the_deck_of_the_bot():
    texts = {}
    for bot_deck in ("app", "cards", "ask"):
        steps = LESSONS.setup_steps(replace(default_setup(["Ana"]), bot_deck=bot_deck))
        texts[bot_deck] = {step.id: step.text for step in steps}["bot"]
    assert texts["app"].startswith("Waymark deals the bot’s cards")
    assert texts["cards"].startswith("Shuffle the other Race deck for the bot and put it face down.")
    assert "or let Waymark deal" in texts["ask"]


def test_setup_of_two_players_has_no_step_for_the_bot():
    assert "bot" not in {step.id for step in LESSONS.setup_steps(default_setup(["Ana", "Bo"]))}


def test_setup_has_no_gaps():
    assert LESSONS.setup_gaps(view(make_state(), None)) == {}
