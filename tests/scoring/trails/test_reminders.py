"""TRAILS: reminders of physical actions after a move."""

from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, KeepResources, Photograph, Skip
from scoring.trails.moves.reveals import NameCard
from scoring.trails.state import NO_CARD, EarnBadges, SiteAction, TakePhoto
from tests.support.parametrize import run_all_rows
from tests.support.reminders import reminder_texts
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BO,
    FINAL_SUN,
    TRACKED_GAME,
    case_params,
    make_state,
    state_after,
    with_badges_earned,
)

OVER_ROCK, OVER_PHOTO = 1, 2  # Spaces the Sun has moved, with two players.
RICH = (3, 3, 2)
PUT_BACK = "Ana, put the other photo face up on the discard pile."
TURN_OVER = "Ana, turn the photo discard over, unmixed: it is the new deck."
DRAW_HAND = "Ana, draw a new badge for your hand."


def state_near_end(sun: int, cubes=(0, 0, 0)):
    """Return Ana one tile before Trail End, with the Sun at this spot."""
    return make_state(sun=sun).with_player(ANA, space=5, cubes=cubes)


def state_at_trailhead(**changes):
    """Return a state where Ana earns badges at the Trailhead."""
    return make_state(**{"tasks": (EarnBadges("trailhead"),), **changes}).with_player(
        ANA, space=0, cubes=RICH, canteen=True
    )


# The turn ends when she earns a badge, because no other is within reach. No one has named the cards.
LAST_BADGE = state_at_trailhead(trailhead=(None, "science")).with_player(ANA, cubes=(0, 3, 0))


def state_with_piles(deck: int, discard: int, rulings=None):
    tasks = (EarnBadges("trailhead"), TakePhoto("photography"))
    return make_state(tasks=tasks, photo_deck=deck, photo_discard=discard, rulings=rulings)


ONE_CARD = {"short-photo-deck": "one-card"}

# (state, moves, expected reminders after the last one)
REMINDERS = {
    "sun-night": [
        (state_near_end(OVER_ROCK), (Hike(1),), ["Ana, turn the rock site to its night side."]),
        (state_near_end(OVER_ROCK, (3, 3, 1)), (Hike(1), Skip()), ["Ana, turn the rock site to its night side."]),
        (state_near_end(OVER_PHOTO, RICH), (Hike(1), Skip(), Skip()), ["Ana, turn the photo site to its night side."]),
        (
            state_near_end(OVER_ROCK, RICH),
            (Hike(1), Skip(), KeepResources(2, 3, 3)),
            ["Ana, turn the rock site to its night side."],
        ),
        (state_near_end(0), (Hike(1),), []),
        (state_near_end(ALL_NIGHT_SUN - 1), (Hike(1),), ["Ana, turn the exchange site to its night side."]),
    ],
    "sun-not-trailhead": [
        (state_at_trailhead(sun=OVER_PHOTO), (Skip(),), []),
    ],
    "badges-refill": [
        (LAST_BADGE, (EarnBadge("research-leaf"),), ["Ana, draw a badge into the gap at the Trailhead."]),
        (
            state_at_trailhead().with_player(ANA, cubes=(9, 0, 0)),
            (EarnBadge("climber-acorn"), Skip()),
            ["Ana, draw a badge into the gap at the Trailhead."],
        ),
        (
            state_at_trailhead(trailhead=(NO_CARD, NO_CARD)),
            (Skip(),),
            ["Ana, draw 2 badges into the gaps at the Trailhead."],
        ),
        (
            state_at_trailhead(trailhead=(NO_CARD, None)),
            (Skip(),),
            ["Ana, draw a badge into the gap at the Trailhead."],
        ),
    ],
    "hand-refill": [
        (LAST_BADGE, (EarnBadge("research-leaf", hand=True),), [DRAW_HAND]),
        (state_at_trailhead().with_player(ANA, hand=NO_CARD), (Skip(),), [DRAW_HAND]),
        (
            state_at_trailhead(trailhead=(NO_CARD, None)).with_player(ANA, hand=NO_CARD),
            (Skip(),),
            ["Ana, draw a badge into the gap at the Trailhead.", DRAW_HAND],
        ),
    ],
    "badge-deck-empty": [
        (with_badges_earned(state_at_trailhead(trailhead=(NO_CARD, "science"))), (Skip(),), []),
    ],
    "photo-face-up": [
        (state_with_piles(20, 4), (Photograph(),), [PUT_BACK]),
        (state_with_piles(20, 4), (Photograph(face_up=True),), []),
    ],
    "photo-deck-empty": [
        (state_with_piles(2, 0), (Photograph(),), [PUT_BACK, TURN_OVER]),
        (state_with_piles(2, 5), (Photograph(),), [PUT_BACK, TURN_OVER]),
        (state_with_piles(2, 5), (Photograph(face_up=True),), []),
        (state_with_piles(3, 5), (Photograph(),), [PUT_BACK]),
    ],
    "photo-short": [
        (state_with_piles(1, 5), (Photograph(),), [TURN_OVER, PUT_BACK]),
        (state_with_piles(1, 5, ONE_CARD), (Photograph(),), [TURN_OVER]),
        (state_with_piles(1, 0), (Photograph(),), []),
        (state_with_piles(1, 2), (Photograph(),), []),  # The piles already look as if the top photo had been taken.
        (state_with_piles(2, 1), (Photograph(),), []),
    ],
}


@run_all_rows("state, moves, texts", case_params(REMINDERS))
def test_reminders_after_a_move(state, moves, texts):
    *earlier, last = moves
    before = state_after(state, *earlier)
    after = state_after(before, last)
    assert reminder_texts(TRACKED_GAME, before, after, last) == texts


def test_badge_named_meanwhile_needs_no_draw_reminder():
    before = state_at_trailhead(trailhead=(NO_CARD, "climber-leaf"))
    left = state_after(before, Skip())
    renamed = TRACKED_GAME.play(left, ANA, NameCard("trailhead", "science"))
    assert reminder_texts(TRACKED_GAME, before, left, Skip()) == ["Ana, draw a badge into the gap at the Trailhead."]
    assert reminder_texts(TRACKED_GAME, before, renamed, Skip()) == []


def test_hike_to_a_site_needs_no_draw_reminder():
    state = make_state()
    assert reminder_texts(TRACKED_GAME, state, state_after(state, Hike(2)), Hike(2)) == []


def test_unfinished_site_has_no_reminder():
    state = make_state(tasks=(SiteAction("photo"),), sun=ALL_NIGHT_SUN).with_player(ANA, space=4)
    assert reminder_texts(TRACKED_GAME, state, state_after(state, Skip()), Skip()) == []


def test_no_reminders_after_the_end_of_play():
    """The last photo of the game ends play, so its pile no longer matters."""
    tasks, taken = (EarnBadges("trailhead"), TakePhoto("photography")), {"sun": FINAL_SUN, "sun_holder": BO}
    state = make_state(tasks=tasks, photo_deck=20, photo_discard=4, turns_left=0, **taken)
    state = state.with_player(ANA, cubes=(0, 0, 0), canteen=False)
    over = state_after(state, Photograph())
    assert over.is_over and reminder_texts(TRACKED_GAME, state, over, Photograph()) == []
