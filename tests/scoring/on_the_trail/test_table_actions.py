"""Tests of what runners do with their cards after a repair."""

import pytest

from scoring.games import TRACKED_GAMES
from scoring.on_the_trail.rules import DISCARDS_SEEN
from scoring.on_the_trail.state import State
from scoring.on_the_trail.table_actions import repair_actions
from tests.support.on_the_trail_table import ANA, make_state, with_changes

TRACKED_GAME = TRACKED_GAMES["on-the-trail"]


def texts(before: State, after: State, reader: int | None = None) -> list[str]:
    """Return the actions of Ana, as a seat may read them."""
    views = (TRACKED_GAME.view(state, reader) for state in (before, after))
    return [action.text for action in repair_actions(*views) if action.seat == ANA]


def cards(hand: int, *discard: int, state: State | None = None, **changes) -> State:
    """Return a race where Ana has some cards and a discard pile: red, yellow, green, wild."""
    own = {"unknown_hand": hand, "discard": (*discard, 0, 0, 0, 0)[:4], **changes}
    return with_changes(state or make_state(), ANA, allow_errors=True, hand=(0, 0, 0, 0), deduced=(0, 0, 0, 0), **own)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(cards(3, 1), cards(4, 1), ["Draw 1 card."], id="one more card drawn"),
        pytest.param(cards(4, 1), cards(3, 1), ["Put 1 card from the hand back on the deck."], id="one card fewer"),
        pytest.param(
            cards(3, 1),
            cards(3, 0, 1),
            ["Take 1 red card from the discard pile into the hand.", "Discard 1 yellow card from the hand."],
            id="another card played",
        ),
        pytest.param(
            cards(3, 5, 4), cards(4, 0, 0), ["Shuffle the discard pile into the deck.", "Draw 1 card."], id="reshuffle"
        ),
        pytest.param(
            cards(4, 1), cards(4, 2), ["Discard 1 red card from the hand.", "Draw 1 card."], id="one more played"
        ),
        pytest.param(
            cards(2, 0),
            cards(2, 5, 3),
            [
                "Discard 2 red cards from the hand.",
                "Find 3 red cards and 3 yellow cards in the deck and discard them.",
                "Draw 2 cards.",
            ],
            id="no reshuffle",
        ),
        pytest.param(cards(3), cards(3, setbacks=("cramps",)), ["Take the Setback Cramps."], id="Setback"),
        pytest.param(cards(3), cards(3, legs_run=2), ["Move the Runner marker 2 stops ahead."], id="marker"),
    ],
)
def test_actions_move_the_cards_of_a_runner(before: State, after: State, expected: list[str]):
    assert texts(before, after) == expected


def test_hidden_discards_are_named_to_their_owner_only():
    state = make_state(rulings={DISCARDS_SEEN.id: "hidden"})
    before, after = cards(3, 2, state=state), cards(5, 0, state=state)
    assert texts(before, after, ANA) == ["Take 2 red cards from the discard pile into the hand."]
    for reader in (None, 1 - ANA):
        assert texts(before, after, reader) == ["Take 2 cards from the discard pile into the hand."]


def test_setbacks_that_no_runner_has_go_back_into_their_deck():
    state = make_state()
    actions = repair_actions(with_changes(state, None, setback_discard=("cramps", "sprain")), state)
    assert [action.text for action in actions] == ["Shuffle Cramps and Sprain into the Setback deck."]


def test_discards_that_a_house_rule_shows_need_no_action():
    hidden, shown = (make_state(rulings={DISCARDS_SEEN.id: option}) for option in ("hidden", "open"))
    assert texts(cards(3, 2, state=hidden), cards(3, 2, state=shown)) == []
