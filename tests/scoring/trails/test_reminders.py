"""TRAILS: what hands must do at the real table after a move."""

from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, Keep, Leave, Photograph
from scoring.trails.moves.reveals import NameCard
from scoring.trails.state import GONE, AtSite, Earn, TakePhoto
from tests.support.cases import every_row
from tests.support.reminders import by_hand
from tests.support.trails_table import ALL_NIGHT, ANA, BO, FINAL_SPOT, PLAY, after, all_earned, cases, table

OVER_ROCK, OVER_PHOTO = 1, 2  # spaces the Sun has moved at a table of two
RICH = (3, 3, 2)
PUT_BACK = "Ana, put the other photo face up on the discard pile."
TURN_OVER = "Ana, turn the photo discard over, unmixed: it is the new deck."
HERS = "Ana, draw a new badge for your hand."


def near_the_end(sun: int, cubes=(0, 0, 0)):
    """Return a table where Ana is a tile from Trail End, and the Sun has moved so far."""
    return table(sun=sun).with_player(ANA, at=5, cubes=cubes)


def visiting(**changes):
    """Return a table where Ana earns badges at the Trailhead."""
    return table(**{"tasks": (Earn("trailhead"),), **changes}).with_player(ANA, at=0, cubes=RICH, canteen=True)


# The turn ends as she earns a badge: nothing else is within reach. No one has named the cards.
LAST_BADGE = visiting(trailhead=(None, "science")).with_player(ANA, cubes=(0, 3, 0))


def piles(deck: int, discard: int, rulings=None):
    tasks = (Earn("trailhead"), TakePhoto("photography"))
    return table(tasks=tasks, photo_deck=deck, photo_discard=discard, rulings=rulings)


ONE_CARD = {"short-photo-deck": "one-card"}

# (table, moves, what hands must do after the last one)
HANDS = {
    "sun-night": [
        (near_the_end(OVER_ROCK), (Hike(1),), ["Ana, turn the rock site to its night side."]),
        (near_the_end(OVER_ROCK, (3, 3, 1)), (Hike(1), Leave()), ["Ana, turn the rock site to its night side."]),
        (near_the_end(OVER_PHOTO, RICH), (Hike(1), Leave(), Leave()), ["Ana, turn the photo site to its night side."]),
        (
            near_the_end(OVER_ROCK, RICH),
            (Hike(1), Leave(), Keep(2, 3, 3)),
            ["Ana, turn the rock site to its night side."],
        ),
        (near_the_end(0), (Hike(1),), []),
        (near_the_end(ALL_NIGHT - 1), (Hike(1),), ["Ana, turn the exchange site to its night side."]),
    ],
    "sun-not-trailhead": [
        (visiting(sun=OVER_PHOTO), (Leave(),), []),
    ],
    "badges-refill": [
        (LAST_BADGE, (EarnBadge("research-leaf"),), ["Ana, draw a badge into the gap at the Trailhead."]),
        (
            visiting().with_player(ANA, cubes=(9, 0, 0)),
            (EarnBadge("climber-acorn"), Leave()),
            ["Ana, draw a badge into the gap at the Trailhead."],
        ),
        (visiting(trailhead=(GONE, GONE)), (Leave(),), ["Ana, draw 2 badges into the gaps at the Trailhead."]),
        (visiting(trailhead=(GONE, None)), (Leave(),), ["Ana, draw a badge into the gap at the Trailhead."]),
    ],
    "hand-refill": [
        (LAST_BADGE, (EarnBadge("research-leaf", hand=True),), [HERS]),
        (visiting().with_player(ANA, hand=GONE), (Leave(),), [HERS]),
        (
            visiting(trailhead=(GONE, None)).with_player(ANA, hand=GONE),
            (Leave(),),
            ["Ana, draw a badge into the gap at the Trailhead.", HERS],
        ),
    ],
    "badge-deck-empty": [
        (all_earned(visiting(trailhead=(GONE, "science"))), (Leave(),), []),
    ],
    "photo-face-up": [
        (piles(20, 4), (Photograph(),), [PUT_BACK]),
        (piles(20, 4), (Photograph(face_up=True),), []),
    ],
    "photo-deck-empty": [
        (piles(2, 0), (Photograph(),), [PUT_BACK, TURN_OVER]),
        (piles(2, 5), (Photograph(),), [PUT_BACK, TURN_OVER]),
        (piles(2, 5), (Photograph(face_up=True),), []),
        (piles(3, 5), (Photograph(),), [PUT_BACK]),
    ],
    "photo-short": [
        (piles(1, 5), (Photograph(),), [TURN_OVER, PUT_BACK]),
        (piles(1, 5, ONE_CARD), (Photograph(),), [TURN_OVER]),
        (piles(1, 0), (Photograph(),), []),
        (piles(1, 2), (Photograph(),), []),  # the piles lie as if the photo on top had been taken
        (piles(2, 1), (Photograph(),), []),
    ],
}


@every_row("state, moves, said", cases(HANDS))
def test_what_hands_must_do_after_a_move(state, moves, said):
    *earlier, last = moves
    before = after(state, *earlier)
    now = after(before, last)
    assert by_hand(PLAY, before, now, last) == said


def test_a_badge_named_meanwhile_is_drawn():
    before = visiting(trailhead=(GONE, "climber-leaf"))
    left = after(before, Leave())
    named = PLAY.play(left, ANA, NameCard("trailhead", "science"))
    assert by_hand(PLAY, before, left, Leave()) == ["Ana, draw a badge into the gap at the Trailhead."]
    assert by_hand(PLAY, before, named, Leave()) == []


def test_nothing_is_drawn_after_a_hike_to_a_site():
    state = table()
    assert by_hand(PLAY, state, after(state, Hike(2)), Hike(2)) == []


def test_a_site_that_takes_a_while_leaves_nothing_to_do():
    state = table(tasks=(AtSite("photo"),), sun=ALL_NIGHT).with_player(ANA, at=4)
    assert by_hand(PLAY, state, after(state, Leave()), Leave()) == []


def test_once_play_is_over_nothing_is_left_to_do():
    """The last photo of the game ends play: where its pile lies no longer matters."""
    tasks, taken = (Earn("trailhead"), TakePhoto("photography")), {"sun": FINAL_SPOT, "sun_holder": BO}
    state = table(tasks=tasks, photo_deck=20, photo_discard=4, turns_left=0, **taken)
    state = state.with_player(ANA, cubes=(0, 0, 0), canteen=False)
    over = after(state, Photograph())
    assert over.over and by_hand(PLAY, state, over, Photograph()) == []
