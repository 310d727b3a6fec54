"""ON THE TRAIL: editable fields of a race, and edits with the table's consent."""

import random

import pytest
from msgspec.structs import replace

from scoring.kernel.editable import AddRemove, Change, Increment, Replace, compare_fields
from scoring.kernel.move import Move, Phase
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.cards import NO_CARDS
from scoring.on_the_trail.moves.card_reveals import EnterBoost, EnterColour, NoteCard
from scoring.on_the_trail.moves.corrections import EditPosition
from scoring.on_the_trail.moves.reveals import EndCard, EnterLeg, EnterStop, SwapCards
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, Run, RunOn
from scoring.on_the_trail.moves.stops import TakeSetback
from scoring.on_the_trail.state import State
from tests.support import rule_cases
from tests.support.invariants import TableConfig
from tests.support.on_the_trail_invariants import TABLES, assert_deck_adds_up, assert_piles_add_up
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    LAST_TURN,
    OVER,
    TRACKED_GAME,
    UNFINISHED_CARD_FACTS,
    case_params,
    make_state,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows
from tests.support.random_repairs import random_game_with_edits

EDITABLE_FIELDS = TRACKED_GAME.position_format.editable_fields

HIDDEN = {"discards-seen": "hidden"}
START = make_state()
RUNNING = state_after(state_with_hand(1, 2, 1, 0), Run("yellow"))  # Ana has run a leg, and has cards left.
WITH_CARDS_BEFORE_BO = with_changes(START, BO, setbacks=("sprain", "cramps"), boosts=("cool-off",))
PILE = with_changes(state_with_hand(1, 1, 2, 0), ANA, discard=(1, 0, 2, 0))
LIGHT = with_changes(make_state(tracking="light"), ANA, discard=(0, 1, 2, 0), unknown_discards=2)
FACE_DOWN = replace(PILE, rulings=HIDDEN)
LIGHT_DOWN = replace(LIGHT, rulings=HIDDEN)
FULL_HAND = state_with_hand(1, 2, 1, 0)
SOLO = make_state(solo=True)
DEALT_CARDS = with_changes(
    make_state(solo=True, bot_deck="cards").with_player(BO, discard=(1, 0, 2, 0), legs_run=4),
    flips=3,
    turn=ANA,
    phase="run",
)
BOTS_TURN = with_changes(DEALT_CARDS, turn=BO, phase="flip")
# Two of three legs are run; a player must enter whether the third is there.
MID_RACE = state_after(
    state_with_hand(
        0, 2, 0, 0, at=17, state=make_state(facts=UNFINISHED_CARD_FACTS), other_at=0, boosts=("intervals",)
    ),
    Activate("intervals", yellow=2),
)
AT_THE_END = with_changes(OVER, ANA, hand=(2, 1, 0, 0), unknown_hand=0)


def edit_state(state: State, *changes: Change) -> State:
    """Return the race after an edit by Ana."""
    return TRACKED_GAME.play(state, ANA, EditPosition(changes))


def field_texts(state: State) -> dict[str, str]:
    return {field.path: field.value_text for field in EDITABLE_FIELDS(state)}


# (state, changes, expected log text, expected values of some fields)
EDITS = {
    "run-on": [
        (START, (Increment("runners.1.at", 3),), "Bo\u2019s legs run 0 \u2192 3", {"runners.1.at": "3"}),
        (RUNNING, (Increment("moved", -1),), "Legs run this turn 1 \u2192 0", {"moved": "0", "turn": "Ana"}),
    ],
    "finish": [
        (
            state_with_hand(0, 1, 0, 0, at=19, other_at=3),
            (Increment("runners.0.at", 2), Replace("turn", "first", "second")),
            "Ana\u2019s legs run 19 \u2192 21; turn from Ana to Bo",
            {"turn": "Bo", "step": "playing cards", "runners.0.held": "1"},
        ),
    ],
    "setup-hand": [
        (START, (Increment("runners.1.held", -1),), "Bo\u2019s cards in hand 4 \u2192 3", {"runners.1.held": "3"}),
        (FULL_HAND, (Increment("runners.0.held", 1),), "Ana\u2019s cards in hand 4 \u2192 5", {"runners.0.held": "5"}),
    ],
    "discards": [
        (
            PILE,
            (Increment("runners.0.discards.red", -1), Increment("runners.0.discards.wild", 1)),
            "Ana\u2019s red cards in the discard pile 1 \u2192 0, wild cards in the discard pile 0 \u2192 1",
            {"runners.0.discards.red": "0", "runners.0.discards.green": "2", "runners.0.discards.wild": "1"},
        ),
        (
            LIGHT,
            (Increment("runners.0.untold_discards", 1),),
            "Ana\u2019s discarded cards of unknown color 2 \u2192 3",
            {"runners.0.untold_discards": "3"},
        ),
        (
            FACE_DOWN,
            (Replace("runners.0.discards", "3", "shuffled"),),
            "Ana\u2019s discarded cards of unknown color from 3 to 0",
            {"runners.0.discards": "0"},
        ),
        (
            LIGHT_DOWN,
            (Increment("runners.0.untold_discards", 1),),
            "Ana\u2019s discarded cards of unknown color 5 \u2192 6",
            {"runners.0.untold_discards": "6"},
        ),
        (
            LIGHT_DOWN,
            (Increment("runners.0.untold_discards", -4),),
            "Ana\u2019s discarded cards of unknown color 5 \u2192 1",
            {"runners.0.untold_discards": "1"},
        ),
    ],
    "setback-active": [
        (
            WITH_CARDS_BEFORE_BO,
            (AddRemove("runners.1.setbacks", ("cramps",), ("nausea", "im-fine")),),
            "Bo\u2019s Setbacks \u2212Cramps, +Nausea, +\u201cI\u2019m Fine, I\u2019m Fine\u201d",
            {"runners.1.setbacks": "\u201cI\u2019m Fine, I\u2019m Fine\u201d, Sprain and Nausea"},
        ),
    ],
    "setback-reshuffle": [
        (
            with_changes(START, setback_discard=("sprain", "cramps")),
            (AddRemove("setback_discards", ("cramps",)), AddRemove("runners.0.setbacks", more=("cramps",))),
            "Discarded Setbacks \u2212Cramps; Ana\u2019s Setbacks +Cramps",
            {"setback_discards": "Sprain", "runners.0.setbacks": "Cramps"},
        ),
    ],
    "aid-boost": [
        (
            WITH_CARDS_BEFORE_BO,
            (AddRemove("runners.1.boosts", more=("flat-out",)),),
            "Bo’s Boosts +Flat Out",
            {"runners.1.boosts": "Flat Out and Cool Off"},
        ),
    ],
    "boost-once": [
        (
            with_changes(RUNNING, used=("cool-off",)),
            (AddRemove("used", ("cool-off",)),),
            "Boosts used this turn \u2212Cool Off",
            {"used": "none"},
        ),
    ],
    "dnf": [
        (
            START,
            (Replace("runners.1.out", "False", "True"),),
            "Bo\u2019s out of the race (DNF) from no to yes",
            {"runners.1.out": "yes"},
        ),
        (
            with_changes(START, BO, out=True),
            (Replace("runners.1.out", "True", "False"),),
            "Bo\u2019s out of the race (DNF) from yes to no",
            {"runners.1.out": "no"},
        ),
    ],
    "turn-passes": [
        (
            RUNNING,
            (Replace("turn", "first", "second"),),
            "Turn from Ana to Bo",
            {"turn": "Bo", "moved": "0", "step": "playing cards"},
        ),
        (DEALT_CARDS, (Replace("turn", "second", "first"),), "Turn from Ana to The bot", {"turn": "The bot"}),
    ],
    "turn-phases": [
        (
            state_after(RUNNING, Run("red")),
            (Replace("step", "run", "stop"),),
            "Phase of the turn from playing cards to applying the stop’s effect",
            {"step": "applying the stop’s effect", "moved": "2"},
        ),
    ],
    "advance-runs": [
        (
            MID_RACE,
            (Increment("to_run", -1),),
            "Boost legs still to run this turn 1 \u2192 0",
            {"to_run": "0", "moved": "2"},
        ),
    ],
    "solo-flip": [
        (DEALT_CARDS, (Increment("bot.at", 2),), "The bot\u2019s legs run 4 \u2192 6", {"bot.at": "6"}),
        (
            DEALT_CARDS,
            (Increment("bot.discards.green", -1),),
            "The bot\u2019s green cards in the discard pile 2 \u2192 1",
            {"bot.discards.green": "1"},
        ),
    ],
    "finish-both": [
        (
            AT_THE_END,
            (Increment("runners.1.held", 2),),
            "Bo\u2019s cards in hand 4 \u2192 6",
            {"runners.1.held": "6", "step": "race over"},
        ),
        (
            AT_THE_END,
            (Increment("runners.0.hand.red", -1), Increment("runners.0.hand.green", 1)),
            "Ana\u2019s red cards in hand 2 \u2192 1, green cards in hand 0 \u2192 1",
            {"runners.0.hand.red": "1", "runners.0.hand.green": "1", "runners.0.held": "3"},
        ),
    ],
    "finish-round": [
        (
            OVER,
            (Replace("step", "over", "run"),),
            "Phase of the turn from race over to playing cards",
            {"step": "playing cards", "turn": "Bo"},
        ),
    ],
}


@run_all_rows("state, changes, log_text, expected", case_params(EDITS))
def test_edit_changes_the_fields_and_the_log_lists_them(
    state: State, changes: tuple[Change, ...], log_text: str, expected: dict[str, str]
):
    move, edited = EditPosition(changes), edit_state(state, *changes)
    assert move.needs_consent
    assert move.label(state, ANA).text == log_text
    sentence = TRACKED_GAME.log_sentence(state, edited, ANA, move)
    assert sentence.lower().startswith(f"{rule_cases.logged_edit('Ana', log_text)}.")
    assert {path: field_texts(edited)[path] for path in expected} == expected


def test_edit_applies_to_the_state_at_the_time_of_consent():
    two_more = EditPosition((Increment("runners.1.at", 2),))
    moved_on = with_changes(START, BO, legs_run=4)
    assert [TRACKED_GAME.play(state, ANA, two_more).players[BO].legs_run for state in (START, moved_on)] == [2, 6]


# (state, changes, what remains of Ana's secret notes)
GIVES_WAY = {
    "setup-hand": [
        (FULL_HAND, (Increment("runners.0.held", 1),), {"hand": (1, 2, 1, 0), "unknown_hand": 1}),
        (FULL_HAND, (Increment("runners.0.held", -1),), {"hand": NO_CARDS, "unknown_hand": 3}),
        (
            with_changes(START, ANA, hand=(1, 0, 1, 0), unknown_hand=2),
            (Increment("runners.0.held", -1),),
            {"hand": (1, 0, 1, 0), "unknown_hand": 1},
        ),
        (
            FACE_DOWN,
            (Replace("runners.0.discards", "3", "shuffled"),),
            {"hand": (1, 1, 2, 0), "discard": NO_CARDS, "unknown_hand": 0},
        ),
    ],
    "deck-cards": [
        (PILE, (Increment("runners.0.discards.red", 1),), {"hand": (1, 1, 2, 0), "discard": (2, 0, 2, 0)}),
        (
            PILE,
            (Increment("runners.0.discards.red", 2),),
            {"hand": NO_CARDS, "unknown_hand": 4, "discard": (3, 0, 2, 0)},
        ),
    ],
    "discards": [
        (LIGHT_DOWN, (Increment("runners.0.untold_discards", -1),), {"discard": (0, 1, 2, 0), "unknown_discards": 1}),
        (LIGHT_DOWN, (Increment("runners.0.untold_discards", -3),), {"discard": NO_CARDS, "unknown_discards": 2}),
    ],
}


@run_all_rows("state, changes, left", case_params(GIVES_WAY))
def test_edit_of_visible_fields_overrides_secret_notes(state: State, changes: tuple[Change, ...], left: dict):
    ana = edit_state(state, *changes).players[ANA]
    assert {name: getattr(ana, name) for name in left} == left


NO_SUCH_FIELD = "There is nothing like this to correct at this table."
NOT_OVER = "The race is not over: a runner still has a turn."
REFUSED = {
    "components": [
        (START, (), "This changes nothing."),
        (START, (Increment("runners.1.at", 0),), "This changes nothing."),
        (START, (Increment("runners.1.at", -1),), "Legs run: -1 is not possible. Enter 0 to 21."),
        (START, (Increment("runners.1.held", 10),), "Cards in hand: 14 is not possible. Enter 0 to 13."),
        (START, (Replace("turn", "second", "first"),), "Turn: this is Ana now."),
        (START, (Replace("step", "run", "rest"),), "Phase of the turn: \u201crest\u201d does not exist."),
        (START, (AddRemove("runners.0.boosts", ("flat-out",)),), "Boosts: Flat Out is no longer there."),
        (START, (AddRemove("runners.0.setbacks", more=("sunburn",)),), "Setbacks: \u201csunburn\u201d does not exist."),
        (FACE_DOWN, (Replace("runners.0.discards", "3", "3"),), "This changes nothing."),
        (FACE_DOWN, (Increment("runners.0.discards.red", 1),), NO_SUCH_FIELD),
        (FULL_HAND, (Increment("runners.0.hand.red", 1),), NO_SUCH_FIELD),
        (SOLO, (Increment("bot.discards.red", 1),), NO_SUCH_FIELD),
        (SOLO, (Increment("runners.1.at", 1),), NO_SUCH_FIELD),
        (START, (Replace("trail.0", "Trail card 1", "Trail card 2"),), NO_SUCH_FIELD),
        (OVER, (Increment("moved", 1),), NO_SUCH_FIELD),
    ],
    "setback-pile": [
        (
            WITH_CARDS_BEFORE_BO,
            (AddRemove("runners.0.setbacks", more=("sprain",)),),
            "There are 2 Sprain cards in play, but the box has only 1.",
        )
    ],
    "boost-pile": [
        (
            WITH_CARDS_BEFORE_BO,
            (AddRemove("runners.0.boosts", more=("cool-off",)),),
            "Cool Off is in play 2 times, but the box has only 1.",
        ),
    ],
    "deck-cards": [
        (PILE, (Increment("runners.0.held", 7),), "Ana has 14 cards in hand and discard pile, but a deck has only 13."),
    ],
    "finish": [(START, (Increment("runners.0.at", 21),), "Ana has finished and takes no more turns.")],
    "second-finishes": [
        (START, (Increment("runners.1.at", 21),), "Bo finished and ended the last round, so the race is over."),
    ],
    "dnf": [(START, (Replace("runners.0.out", "False", "True"),), "Ana is out of the race and takes no more turns.")],
    "finish-round": [
        (START, (Replace("step", "run", "over"),), NOT_OVER),
        (OVER, (Increment("runners.0.at", -1),), NOT_OVER),
    ],
    "run-on": [
        (RUNNING, (Increment("runners.0.at", -1),), "Ana has run 0 legs in all, so 1 this turn is not possible.")
    ],
    "run-must": [
        (START, (Replace("step", "run", "stop"),), "A runner at a stop has run at least 1 leg this turn."),
    ],
    "boost-once": [
        (START, (AddRemove("used", more=("eyes-ahead",)),), "Eyes Ahead cannot be among the Boosts used this turn."),
    ],
    "advance": [(START, (Increment("to_run", 1),), "Only a Boost used this turn can leave legs to run.")],
    "solo-flip": [(BOTS_TURN, (Increment("moved", 1),), "The bot moves 2 or 4 stops, not 1.")],
    "solo-dnf": [
        (
            BOTS_TURN,
            (Replace("runners.0.out", "False", "True"),),
            "Ana is out of the race, so the bot has won.",
        ),
    ],
}


@run_all_rows(
    "rule, state, changes, sentence",
    [
        pytest.param(rule, *case, id=f"{rule}-{number}")
        for rule, number, case in rule_cases.iterate_cases(TRACKED_GAME.box, REFUSED)
    ],
)
def test_impossible_edit_is_refused_by_its_rule(rule: str, state: State, changes: tuple[Change, ...], sentence: str):
    found = [(reason.rule.id, reason.text) for reason in TRACKED_GAME.objections(state, ANA, EditPosition(changes))]
    assert found == [(rule, sentence)]


# Effects of a move as differences between editable fields

UNKNOWN_LEG = make_state(facts=CardFacts(), order=(0,))
FIELD_CHANGES = {
    "run-colour": [
        (
            FULL_HAND,
            Run("yellow"),
            [
                "legs run: 0, 1",
                "cards in hand: 4, 3",
                "yellow cards in the discard pile: 0, 1",
                "legs run this turn: 0, 1",
            ],
        ),
    ],
    "discards": [
        (
            FACE_DOWN,
            Run("yellow"),
            [
                "legs run: 0, 1",
                "cards in hand: 4, 3",
                "discarded cards of unknown color: 3, 4",
                "legs run this turn: 0, 1",
            ],
        ),
    ],
    "setup-hand": [(START, NoteCard("red"), [])],
    "stop-setback": [
        (
            with_changes(state_after(RUNNING, Run("red")), phase="effect"),
            TakeSetback("stitch"),
            [
                "cards in hand: 2, 6",
                "Setbacks: none, Stitch",
                "turn: Ana, Bo",
                "phase of the turn: applying the stop\u2019s effect, playing cards",
                "legs run this turn: 2, 0",
            ],
        ),
    ],
    "setup-trail": [
        (
            START,
            SwapCards(2, 0),
            [
                "position 1 on the Trail: card 1, card 3",
                "position 3 on the Trail: card 3, card 1",
            ],
        ),
    ],
    "trail-cards": [
        (UNKNOWN_LEG, EnterLeg(0, 0, "red"), ["Trail card 1: not entered, red leg"]),
        (
            state_after(UNKNOWN_LEG, EnterLeg(0, 0, "red")),
            EnterStop(0, 0, "setback"),
            ["Trail card 1: red leg, red leg to a Setback stop"],
        ),
        (
            state_after(UNKNOWN_LEG, EnterLeg(0, 0, "red")),
            EndCard(0),
            [
                "position 2 on the Trail: not entered, card 2",
                "Trail card 1: red leg, red leg to an Aid Station; no more legs",
            ],
        ),
    ],
    "boost-cost": [(UNKNOWN_LEG, EnterBoost("cool-off", green=1), ["cost of Cool Off: not entered, 1 green card"])],
    "no-pair": [(UNKNOWN_LEG, EnterColour("stitch", "red"), ["color on Stitch: not entered, red"])],
}


@run_all_rows("state, move, shown", case_params(FIELD_CHANGES))
def test_effects_of_a_move_show_as_changed_fields(state: State, move: Move, shown: list[str]):
    found = compare_fields(EDITABLE_FIELDS(state), EDITABLE_FIELDS(TRACKED_GAME.play(state, ANA, move)))
    assert [f"{change.label}: {change.old}, {change.new}" for change in found] == shown


def test_hand_is_visible_only_after_the_race_is_over():
    state = with_changes(LAST_TURN, ANA, hand=(2, 1, 0, 0), unknown_hand=0)
    assert not [field.path for field in EDITABLE_FIELDS(state) if ".hand." in field.path]
    assert field_texts(AT_THE_END)["runners.0.hand.red"] == "2"


def test_turn_starts_with_the_moves_that_can_begin_a_turn():
    assert {kind for kind in TRACKED_GAME.moves if kind.phase is Phase.TURN_START} == {
        Run,
        RunOn,
        Activate,
        DropOut,
        Flip,
    }
    assert TRACKED_GAME.text.chapter(START) == TRACKED_GAME.text.chapter(OVER) == ""


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_random_race_with_edits_adds_up_and_ends(table: TableConfig):
    found = [
        random_game_with_edits(TRACKED_GAME, table.setup, random.Random(f"{table.label} {number}"))
        for number in range(3)
    ]
    for state in (state for states, _ in found for state in states):
        for player in state.players:
            assert_deck_adds_up(state, player)
        assert_piles_add_up(state)
        assert list(TRACKED_GAME.position_format.position_errors(state)) == []
    assert len({place for _, places in found for place in places}) > 10


def test_hidden_discard_pile_shows_its_cards_as_unknown():
    state = with_changes(make_state(), ANA, discard=(1, 2, 0, 0))
    hidden = TRACKED_GAME.view(replace(state, rulings=HIDDEN), None)
    changes = list(compare_fields(EDITABLE_FIELDS(TRACKED_GAME.view(state, None)), EDITABLE_FIELDS(hidden)))
    assert [f"{change.label}: {change.old}, {change.new}" for change in changes if change.seat == ANA] == [
        "discarded cards of unknown color: 0, 3",
        "red cards in the discard pile: 1, unknown",
        "yellow cards in the discard pile: 2, unknown",
    ]
