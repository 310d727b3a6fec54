"""TRAILS: the photo deck and its discard pile, down to the last card."""

import pytest

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.hiking import Hike, Photograph
from scoring.trails.state import BearEncounter, BothSites, EarnBadges, SiteAction, TakePhoto
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BO,
    case_params,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    select_fields,
    state_after,
)

TAKING = make_state(tasks=(SiteAction("photo"),), sun=ALL_NIGHT_SUN).with_player(ANA, space=4)


def state_with_piles(deck: int, discard: int, rulings: dict[str, str] | None = None):
    """Return a state with a free photo to take from piles of these sizes."""
    tasks = (EarnBadges("trailhead"), TakePhoto("photography"))
    return make_state(tasks=tasks, photo_deck=deck, photo_discard=discard, rulings=rulings)


ONE_CARD = {"short-photo-deck": "one-card"}

# (deck and discard pile before, ruling, face up?, deck and discard pile after)
OUTCOMES = {
    "photo-choice": [
        (state_with_piles(32, 0), Photograph(), (30, 1)),
        (state_with_piles(20, 4), Photograph(), (18, 5)),
        (state_with_piles(20, 4), Photograph(face_up=True), (20, 3)),
        (state_with_piles(20, 1), Photograph(face_up=True), (20, 0)),
    ],
    "photo-deck-empty": [
        (state_with_piles(2, 0), Photograph(), (1, 0)),
        (state_with_piles(2, 5), Photograph(), (6, 0)),
        (state_with_piles(3, 5), Photograph(), (1, 6)),
    ],
    "photo-short": [
        (state_with_piles(1, 5), Photograph(), (4, 1)),
        (state_with_piles(1, 2), Photograph(), (1, 1)),
        (state_with_piles(1, 1), Photograph(), (1, 0)),
        (state_with_piles(1, 5, ONE_CARD), Photograph(), (5, 0)),
        (state_with_piles(1, 1, ONE_CARD), Photograph(), (1, 0)),
        (state_with_piles(1, 5, ONE_CARD), Photograph(face_up=True), (1, 4)),
    ],
    "photo-none-left": [
        (state_with_piles(1, 0), Photograph(), (0, 0)),
        (state_with_piles(1, 0, ONE_CARD), Photograph(), (0, 0)),
    ],
}


@run_all_rows("state, move, left", case_params(OUTCOMES))
def test_piles_shrink_by_their_rule(state, move, left):
    result = state_after(state, move)
    assert (result.photo_deck, result.photo_discard) == left
    assert result.players[0].photos == (None,)


@run_all_rows("deck", range(1, 12))
@run_all_rows("discard", range(6))
@run_all_rows("ruling", ["turn-over", "one-card"])
def test_player_gets_one_card_for_any_pile_sizes(deck, discard, ruling):
    result = state_after(state_with_piles(deck, discard, {"short-photo-deck": ruling}), Photograph())
    assert result.photo_deck + result.photo_discard == deck + discard - 1
    assert result.photo_deck > 0 or result.photo_discard == 0


def test_drawn_photo_leaves_the_other_card_for_the_next_player():
    state = state_after(TAKING, Photograph())
    state = state_after(state.with_player(BO, space=3), Hike(1), Photograph(face_up=True))
    assert select_fields(state, {"photos": ()}, BO) == {"photos": (None,)}
    assert (state.photo_deck, state.photo_discard) == (30, 0)


def test_face_up_photo_can_be_paid_for_by_day():
    state = make_state(tasks=(SiteAction("photo"),), photo_discard=3).with_player(ANA, space=4)
    assert objection_codes(state, Photograph(face_up=True, pay="rock")) == []
    assert state_after(state, Photograph(face_up=True, pay="rock")).players[0].cubes == (1, 1, 0)


@run_all_rows(
    "task, space", [(SiteAction("photo"), 4), (BearEncounter("photo"), 4), (BothSites("exchange", "photo"), 1)]
)
@run_all_rows("sun", [0, ALL_NIGHT_SUN])
def test_photo_is_refused_when_none_is_left(task, space, sun):
    state = make_state(tasks=(task,), photo_deck=0, sun=sun, bear="photo").with_player(ANA, space=space)
    pay = None if sun else "rock"
    for face_up in (False, True):
        assert objection_codes(state, Photograph(face_up, pay)) == ["no-photo-left"]
        assert objection_rules(state, Photograph(face_up, pay)) == {"photo-none-left"}


FLIPPED = ", and flipped the discard pile to make a new deck"


@run_all_rows(
    "state, move, label, log_text",
    [
        (state_with_piles(9, 1), Photograph(), "Draw 2 photos, keep 1", "drew 2 photos and kept 1 (Photography)"),
        (
            state_with_piles(2, 5),
            Photograph(),
            "Draw 2 photos, keep 1",
            f"drew 2 photos and kept 1 (Photography){FLIPPED}",
        ),
        (
            state_with_piles(2, 0),
            Photograph(),
            "Draw 2 photos, keep 1",
            f"drew 2 photos and kept 1 (Photography){FLIPPED}",
        ),
        (
            state_with_piles(1, 5),
            Photograph(),
            "Draw 2 photos, keep 1",
            f"drew 2 photos and kept 1 (Photography){FLIPPED}",
        ),
        (
            state_with_piles(1, 5, ONE_CARD),
            Photograph(),
            "Draw the last photo",
            f"drew the last photo (Photography){FLIPPED}",
        ),
        (state_with_piles(1, 0), Photograph(), "Draw the last photo", "drew the last photo (Photography)"),
        (
            state_with_piles(2, 5),
            Photograph(face_up=True),
            "Take the top discarded photo",
            "took the top discarded photo (Photography)",
        ),
    ],
)
def test_button_and_log_say_how_many_are_drawn_and_when_the_deck_is_reshuffled(state, move, label, log_text):
    assert move.label(state, 0).text == label
    assert TRACKED_GAME.log_sentence(state, state_after(state, move), 0, move) == f"Ana {log_text}."


def test_second_of_two_photos_is_skipped_when_no_card_is_left():
    state = make_state(tasks=(EarnBadges("trailhead"), TakePhoto("shutterbug"), TakePhoto("shutterbug")), photo_deck=1)
    result = state_after(state, Photograph())
    assert result.players[0].photos == (None,)
    assert result.tasks == (EarnBadges("trailhead"),)


@pytest.mark.parametrize(
    "state, sentence",
    [
        (
            make_state(tasks=(SiteAction("photo"),)).with_player(ANA, space=4),
            "The photo discard pile is empty. Draw from the deck instead.",
        ),
        (
            make_state(tasks=(SiteAction("photo"),), photo_deck=20).with_player(ANA, space=4),
            "The photo discard pile is empty. Draw from the deck instead.",
        ),
    ],
)
def test_refusal_says_why_there_is_no_face_up_photo(state, sentence):
    assert objection_texts(state, Photograph(face_up=True, pay="rock")) == [sentence]
