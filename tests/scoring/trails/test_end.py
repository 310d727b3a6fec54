"""TRAILS: taking the Sun, the last round, and the photos at the end."""

import pytest

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, KeepResources, Photograph, RollWildlife, Skip
from scoring.trails.moves.reveals import ForgetPhotos, NameCard, NotePhoto
from scoring.trails.state import NO_CARD, EarnBadges, KeepEight, Photo, TakePhoto
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ANA,
    BO,
    CY,
    DI,
    FINAL_SUN,
    case_params,
    finished_state,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    with_badges_earned,
    with_photos,
)


def state_before_end(players: int = 2, first: int = ANA, **changes):
    """Return all players one tile before Trail End, with nothing to buy and the Sun at its end."""
    state = make_state(players, **{"sun": FINAL_SUN if players < 4 else 11, "turn": first, **changes})
    for seat in range(players):
        state = state.with_player(seat, space=5, facing=1, hand=NO_CARD)
    return with_badges_earned(state)


TAKING = state_before_end()
LAST_TURN = state_after(TAKING, Hike(1), Skip())
OVER = state_after(LAST_TURN, Hike(1))
OVER_WITH_PHOTOS = with_photos(
    state_after(with_photos(TAKING, BO, Photo(2, 0)), Hike(1), Photograph(), Hike(1)), ANA, None, None
)

OUTCOMES = {
    "end-trigger": [
        # Moving the Sun onto its last spot is not enough.
        (
            state_before_end(sun=6),
            [Hike(1), RollWildlife("acorn", "acorn")],
            {"sun": 7, "sun_holder": None, "turns_left": None, "turn": BO},
        ),
        # Reaching Trail End with the Sun already there is enough.
        (
            TAKING,
            [Hike(1)],
            {"sun_holder": ANA, "sun": 7, "turns_left": 1, "tasks": (EarnBadges("trail-end"), TakePhoto())},
        ),
        (
            state_before_end(sun=6),
            [Hike(1), RollWildlife("acorn", "acorn"), Hike(1), Skip()],
            {"sun_holder": BO, "turns_left": 0, "turn": ANA},
        ),
        # The Trailhead is not Trail End.
        (
            state_before_end().with_player(ANA, space=1, facing=-1),
            [Hike(1)],
            {"sun_holder": None, "turns_left": None, "turn": BO},
        ),
    ],
    "end-photo": [
        (TAKING, [Hike(1), Photograph()], {"photos": (None,), "cubes": (1, 1, 1), "turn": BO}),
        (state_before_end(photo_discard=1), [Hike(1), Photograph(face_up=True)], {"photos": (None,), "photo_deck": 31}),
        (TAKING, [Hike(1), Skip()], {"photos": (), "sun_holder": ANA, "turn": BO}),
        (state_before_end(photo_deck=0), [Hike(1)], {"photos": (), "sun_holder": ANA, "turn": BO}),
    ],
    "end-badges": [
        (
            state_before_end().with_player(ANA, cubes=(0, 0, 5)),
            [Hike(1), Photograph(), EarnBadge("climber-rock")],
            {"badges": ("climber-rock",), "photos": (None,), "turn": BO},
        ),
    ],
    "last-round": [
        (TAKING, [Hike(1), Skip()], {"turn": BO, "turns_left": 0, "is_over": False}),
        (TAKING, [Hike(1), Skip(), Hike(1)], {"is_over": True}),
        (state_before_end(3, first=BO), [Hike(1), Skip()], {"turn": CY, "turns_left": 1, "is_over": False}),
        (state_before_end(3, first=BO), [Hike(1), Skip(), Hike(1)], {"turn": ANA, "turns_left": 0, "is_over": False}),
        (state_before_end(3, first=BO), [Hike(1), Skip(), Hike(1), Hike(1)], {"is_over": True, "sun_holder": BO}),
        (
            state_before_end(4, first=DI),
            [Hike(1), Skip(), Hike(1), Hike(1)],
            {"turn": CY, "turns_left": 0, "is_over": False},
        ),
        (
            state_before_end(4, first=DI),
            [Hike(1), Skip(), Hike(1), Hike(1), Hike(1)],
            {"is_over": True, "sun_holder": DI},
        ),
    ],
    "last-round-no-sun": [
        (state_after(TAKING, Hike(1), Skip()), [Hike(1)], {"sun": 7, "sun_holder": ANA, "is_over": True}),
        (
            LAST_TURN.with_player(BO, cubes=(3, 0, 5)),
            [Hike(1)],
            {"tasks": (EarnBadges("trail-end"),), "sun": 7, "turn": BO, "is_over": False},
        ),
    ],
    "reveal": [
        (OVER_WITH_PHOTOS, [], {"revealed": False, "is_over": True}),
        (OVER_WITH_PHOTOS, [NotePhoto(1, 1)], {"revealed": False, "photos": (Photo(1, 1), None)}),
        (
            OVER_WITH_PHOTOS,
            [NotePhoto(1, 1), NotePhoto(0, 2)],
            {"revealed": True, "photos": (Photo(1, 1), Photo(0, 2))},
        ),
    ],
    "resource-limit": [
        (
            LAST_TURN.with_player(BO, space=4, cubes=(4, 4, 0)),
            [Hike(1)],
            {"tasks": (KeepEight(),), "is_over": False},
        ),
        (LAST_TURN.with_player(BO, space=4, cubes=(4, 4, 0)), [Hike(1), KeepResources(4, 4, 0)], {"is_over": True}),
    ],
}
# What the others may do in the last round: expected values of Bo after his last turn.
DEFAULT_OUTCOMES = {
    "last-round-usual": [
        (LAST_TURN.with_player(BO, space=3), [Hike(2)], {"cubes": (1, 1, 3)}),
        (LAST_TURN.with_player(BO, space=2), [Hike(1), RollWildlife("rock", "rock")], {"cubes": (3, 1, 3)}),
        (LAST_TURN.with_player(BO, space=2), [Hike(2), Photograph()], {"photos": (None,)}),
        (
            LAST_TURN.with_player(BO, space=1, facing=-1, canteen=False),
            [Hike(1)],
            {"canteen": True, "space": 0, "facing": 1},
        ),
        (
            LAST_TURN.with_player(BO, space=1, facing=-1, cubes=(5, 0, 0)),
            [Hike(1), EarnBadge("climber-acorn")],
            {"cubes": (0, 0, 0), "trailhead": (NO_CARD, "climber-leaf")},
        ),
        (
            LAST_TURN.with_player(BO, cubes=(0, 0, 5)),
            [Hike(1), EarnBadge("climber-rock")],
            {"cubes": (0, 0, 0), "trail_end": (NO_CARD, "photography-rock")},
        ),
        (LAST_TURN.with_player(BO, space=1), [Hike(4, canteen=True)], {"cubes": (1, 1, 3), "canteen": False}),
    ],
}

REFUSED = {
    "winner": [(OVER, Hike(1), "game-over"), (OVER, Skip(), "game-over")],
    "last-round": [
        (OVER_WITH_PHOTOS, Hike(1), "play-over"),
        (OVER_WITH_PHOTOS, Photograph(), "play-over"),
        (OVER, NameCard("trailhead", "science"), "play-over"),
    ],
    "end-photo": [(state_after(TAKING, Hike(1)), Photograph(pay="acorn"), "photo-is-free")],
    "photo-secret": [(OVER, NotePhoto(1, 1), "photos-named"), (OVER, ForgetPhotos(), "no-notes")],
    "photo-faces": [
        (OVER_WITH_PHOTOS, NotePhoto(3, 0), "photo-faces"),
        (OVER_WITH_PHOTOS, NotePhoto(0, -1), "photo-faces"),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_end_of_the_game_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, moves, expected", case_params(DEFAULT_OUTCOMES))
def test_last_round_is_otherwise_played_by_the_normal_rules(state, moves, expected):
    state = state_after(state, *moves)
    assert select_fields(state, expected, BO) == expected
    assert state.is_over


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_move_after_the_end_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@pytest.mark.parametrize(
    "state, move, sentence",
    [
        (OVER, Hike(1), "The game is over."),
        (OVER_WITH_PHOTOS, Hike(1), "The game is over. Only photos are still to be entered."),
    ],
)
def test_refusal_after_the_end_says_that_play_is_over(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_players_with_photos_to_reveal_move_after_the_last_turn():
    assert TRACKED_GAME.flow.to_move(OVER) == ()
    assert TRACKED_GAME.flow.to_move(OVER_WITH_PHOTOS) == (ANA,)


def test_photos_are_revealed_one_by_one_and_then_visible_to_all():
    one_named = TRACKED_GAME.play(OVER_WITH_PHOTOS, ANA, NotePhoto(1, 1))
    assert TRACKED_GAME.flow.to_move(one_named) == (ANA,)
    assert TRACKED_GAME.view(one_named, BO).players[ANA].photos == (None, None)
    both_named = TRACKED_GAME.play(one_named, ANA, NotePhoto(0, 2))
    assert TRACKED_GAME.flow.to_move(both_named) == ()
    assert TRACKED_GAME.view(both_named, BO).players[ANA].photos == (Photo(1, 1), Photo(0, 2))
    assert TRACKED_GAME.view(both_named, None) == both_named


def test_photos_noted_during_play_need_not_be_named_again():
    state = state_after(with_photos(with_photos(TAKING, ANA, Photo(1, 0)), BO, Photo(2, 0)), Hike(1), Skip(), Hike(1))
    assert TRACKED_GAME.flow.to_move(state) == ()
    assert [player.revealed for player in state.players] == [True, True]


def test_revealed_photo_can_be_named_again():
    state = TRACKED_GAME.play(TRACKED_GAME.play(OVER_WITH_PHOTOS, ANA, NotePhoto(1, 1)), ANA, NotePhoto(0, 2))
    state = TRACKED_GAME.play(state, ANA, ForgetPhotos())
    assert TRACKED_GAME.flow.to_move(state) == (ANA,)
    state = TRACKED_GAME.play(TRACKED_GAME.play(state, ANA, NotePhoto(2, 0)), ANA, NotePhoto(2, 0))
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA].points_in("photos") == 4


def test_badge_in_hand_does_not_count_at_the_end():
    state = finished_state().with_player(ANA, hand="science")
    assert [
        column.points_in("badges") for column in TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns
    ] == [0, 0]


def test_prompt_announces_the_last_turn_and_then_photos_to_reveal():
    assert TRACKED_GAME.text.prompt(LAST_TURN) == "Last turn. Hike 1 tile to Trail End."
    assert TRACKED_GAME.text.banner(LAST_TURN, BO) == ("Your last turn", "Hike 1 tile to Trail End.")
    assert (
        TRACKED_GAME.text.banner(LAST_TURN, ANA)
        is TRACKED_GAME.text.banner(OVER, BO)
        is TRACKED_GAME.text.banner(TAKING, ANA)
        is None
    )
    assert TRACKED_GAME.text.prompt(OVER_WITH_PHOTOS) == "Waiting for the photos of Ana."
    assert TRACKED_GAME.text.prompt(OVER) == "The game is over."


def test_log_says_who_takes_the_sun_and_when_play_is_over():
    after = state_after(TAKING, Hike(1))
    assert TRACKED_GAME.log_sentence(TAKING, after, ANA, Hike(1)) == (
        "Ana hiked 1 tile to Trail End and took the Sun. Everyone else gets one last turn."
    )
    assert (
        TRACKED_GAME.log_sentence(LAST_TURN, OVER, BO, Hike(1))
        == "Bo hiked 1 tile to Trail End. The game ended. Everyone revealed their photos."
    )


def test_night_stays_until_the_end():
    assert all(OVER.is_night(space) for space in range(1, 6))
