"""TRAILS: reminders of physical actions after a move."""

from msgspec.structs import replace

from scoring.kernel.edit_position import Increment
from scoring.trails.moves.badges import EarnBadge, GainResource
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Exchange, Hike, KeepResources, Photograph, RollWildlife, Skip
from scoring.trails.moves.reveals import NameCard
from scoring.trails.state import (
    NO_CARD,
    BearEncounter,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    KeepEight,
    MoveBear,
    RecyclingExchange,
    SiteAction,
    TakePhoto,
)
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
PUT_BACK = "Ana: Draw 2 photos, keep 1 secret and put the other face up on the discard pile."
FLIP_DISCARD = "Ana: Flip the photo discard pile to make a new deck. Don\u2019t shuffle."
DRAW_BADGE = "Ana: Draw a new badge for the Trailhead."
DRAW_HAND = "Ana: Draw a new hand badge."
TURN_HIKER = "Ana: Turn the hiker around."
USE_CANTEEN = "Ana: Flip the canteen to its empty side."
REFILL_CANTEEN = "Ana: Flip the canteen to its filled side."
SUN_TO_PHOTO = "Ana: Move the Sun to the photo site."
ROCK_NIGHT = "Ana: Flip the rock site to its night side."
PHOTO_NIGHT = "Ana: Flip the photo site to its night side."
SUN_TO_ACORN = "Ana: Move the Sun to the acorn site."
ROCK_CHECK = "Ana: Check that the rock site is on its night side."
BEAR_TO_LEAF = "Ana: Move the bear to the leaf site."


def paid(cubes: str) -> str:
    return f"Ana: Return {cubes} to the supply."


def exchanged(cubes: str, gained: str) -> str:
    return f"Ana: Return {cubes} to the supply and take {gained}."


def took(cubes: str) -> str:
    return f"Ana: Take {cubes} from the supply."


def state_near_end(sun: int, cubes=(0, 0, 0)):
    """Return Ana one tile before Trail End, with the Sun at this spot."""
    return make_state(sun=sun).with_player(ANA, space=5, cubes=cubes)


def state_near_trailhead(**changes):
    """Return Ana one tile before the Trailhead, on her way back."""
    return make_state().with_player(ANA, **{"space": 1, "facing": -1, "cubes": (0, 0, 0), **changes})


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
NO_SECOND_ACTION = {"bear-same-site": "nothing"}
AT_EXCHANGE = make_state(tasks=(SiteAction("exchange"),)).with_player(ANA, space=1)

# (state, moves, expected reminders after the last one)
REMINDERS = {
    "turn-around": [
        (state_near_trailhead(), (Hike(1),), [TURN_HIKER]),
        (make_state(), (Hike(1),), []),
    ],
    "canteen-empties": [
        (make_state(), (Hike(2, canteen=True),), [USE_CANTEEN, took("1 leaf")]),
        (
            make_state(sun=FINAL_SUN),
            (Hike(6, canteen=True),),
            [USE_CANTEEN, TURN_HIKER, "Ana: Take the Sun."],
        ),
    ],
    "canteen-refill": [
        (state_near_trailhead(canteen=False), (Hike(1),), [TURN_HIKER, REFILL_CANTEEN]),
        (state_near_trailhead(space=3), (Hike(3, canteen=True),), [TURN_HIKER]),  # used and refilled: it stays filled
    ],
    "earn-cost": [
        (state_at_trailhead().with_player(ANA, cubes=(9, 0, 0)), (EarnBadge("climber-acorn"),), [paid("5 acorns")]),
        (
            state_at_trailhead(),
            (EarnBadge("birdwatching-rock", hand=True),),
            [paid("1 acorn, 1 leaf and 2 rocks"), DRAW_HAND],
        ),
        # Research is free, so nothing is returned.
        (
            state_at_trailhead().with_player(ANA, badges=("science",) * 3),
            (EarnBadge("research-leaf", hand=True),),
            [DRAW_HAND],
        ),
        (
            state_at_trailhead(tasks=(EarnBadges("trailhead"), EarnFreeBadge("trailhead"))),
            (EarnBadge("climber-leaf"),),
            [],
        ),
    ],
    "gains-taken": [
        (make_state(), (Hike(2),), [took("1 leaf")]),
        (make_state(bear="leaf"), (Hike(2),), [took("1 leaf")]),
        (make_state(sun=ALL_NIGHT_SUN), (Hike(3, canteen=True),), [USE_CANTEEN, took("2 acorns")]),
    ],
    "exchange-day": [
        (AT_EXCHANGE, (Exchange("leaf", "rock"),), [exchanged("1 leaf", "2 rocks")]),
        (AT_EXCHANGE, (Skip(),), []),
    ],
    "exchange-night": [
        (replace(AT_EXCHANGE, sun=ALL_NIGHT_SUN), (Exchange("leaf"),), [exchanged("1 leaf", "1 acorn and 1 rock")]),
    ],
    "resource-supply": [
        # Of the 15 rocks, the players have 14.
        (
            AT_EXCHANGE.with_player(ANA, cubes=(1, 1, 6)).with_player(BO, cubes=(0, 0, 8)),
            (Exchange("leaf", "rock"),),
            [exchanged("1 leaf", "1 rock")],
        ),
        # No rock is left.
        (
            make_state(tasks=(MoveBear(),)).with_player(ANA, cubes=(0, 0, 7)).with_player(BO, cubes=(0, 0, 8)),
            (RollWildlife("rock", "rock"),),
            ["Ana: Move the bear to the rock site."],
        ),
    ],
    "recycling": [
        (
            state_at_trailhead(tasks=(EarnBadges("trailhead"), RecyclingExchange())),
            (Exchange("leaf", "rock"),),
            [exchanged("1 leaf", "2 rocks")],
        ),
    ],
    "first-aid": [
        (
            state_at_trailhead(tasks=(EarnBadges("trailhead"), ChooseResource())),
            (GainResource("rock"),),
            [took("1 rock")],
        ),
    ],
    "cartography": [
        (
            state_at_trailhead(trailhead=("cartography-acorn", "climber-leaf")),
            (EarnBadge("cartography-acorn"),),
            [exchanged("3 acorns and 1 leaf", "2 rocks")],
        ),
    ],
    "sunshine": [
        (
            state_at_trailhead(sun=OVER_ROCK, trailhead=("sunshine-acorn", "climber-leaf")),
            (EarnBadge("sunshine-acorn"),),
            [exchanged("3 acorns and 2 leaves", "1 rock")],
        ),
    ],
    "photo-day": [
        (
            make_state(tasks=(SiteAction("photo"),), photo_deck=20).with_player(ANA, space=4),
            (Photograph(pay="rock"),),
            [paid("1 rock"), PUT_BACK],
        ),
    ],
    "resource-limit": [
        (
            make_state(tasks=(KeepEight(),)).with_player(ANA, space=2, cubes=(5, 4, 1)),
            (KeepResources(4, 4, 0),),
            [paid("1 acorn and 1 rock")],
        ),
    ],
    "bear-die": [
        (
            make_state(tasks=(MoveBear(),)),
            (RollWildlife("rock", "rock"),),
            ["Ana: Move the bear to the rock site.", took("1 rock")],
        ),
        (make_state(tasks=(MoveBear(),)), (RollWildlife("bear", "leaf"),), [BEAR_TO_LEAF, took("1 leaf")]),
        (
            make_state(tasks=(MoveBear(),), sun=ALL_NIGHT_SUN),
            (RollWildlife("leaf", "leaf"),),
            [BEAR_TO_LEAF, took("2 leaves")],
        ),
        (make_state(tasks=(MoveBear(),)), (RollWildlife("photo", "photo"),), ["Ana: Move the bear to the photo site."]),
    ],
    "bear-same-site": [
        (make_state(tasks=(MoveBear(),)), (RollWildlife("acorn", "acorn"),), [took("1 acorn")]),
        (make_state(tasks=(MoveBear(),), rulings=NO_SECOND_ACTION), (RollWildlife("acorn", "acorn"),), []),
    ],
    "bear-order": [
        (
            make_state(tasks=(BearEncounter("exchange"),), bear="exchange").with_player(ANA, space=1),
            (RollWildlife("leaf", "leaf"),),
            [BEAR_TO_LEAF, took("1 leaf")],
        ),
    ],
    "sun-moves": [
        (
            state_near_end(0),
            (Hike(1), RollWildlife("leaf", "leaf")),
            [BEAR_TO_LEAF, took("1 leaf"), "Ana: Move the Sun to the rock site."],
        ),
        (state_near_end(0), (Hike(1),), [TURN_HIKER]),
        (
            state_near_end(ALL_NIGHT_SUN),
            (Hike(1), RollWildlife("acorn", "acorn")),
            [took("2 acorns"), "Ana: Move the Sun to its final spot."],
        ),
    ],
    "sun-bonus": [
        (
            make_state(4).with_player(ANA, space=5, facing=1, cubes=(0, 0, 0)),
            (Hike(1),),
            [TURN_HIKER, took("1 rock"), "Ana: Move the Sun to the 1-acorn icon at Trail End."],
        ),
    ],
    "sun-night": [
        (state_near_end(OVER_ROCK), (Hike(1),), [TURN_HIKER, took("1 rock"), SUN_TO_PHOTO, ROCK_NIGHT]),
        (state_near_end(OVER_ROCK, (3, 3, 1)), (Hike(1), Skip()), [ROCK_CHECK]),
        (state_near_end(OVER_PHOTO, RICH), (Hike(1), Skip()), [SUN_TO_ACORN, PHOTO_NIGHT]),
        (
            state_near_end(OVER_PHOTO, RICH),
            (Hike(1), Skip(), Skip()),
            ["Ana: Check that the photo site is on its night side."],
        ),
        # No badge is within reach, so that the visit ends when the Sun moves.
        (state_near_end(OVER_PHOTO, (1, 0, 0)), (Hike(1), Skip()), [SUN_TO_ACORN, PHOTO_NIGHT]),
        (
            state_near_end(OVER_ROCK, RICH),
            (Hike(1), Skip(), KeepResources(2, 3, 3)),
            [paid("1 acorn"), ROCK_CHECK],
        ),
        (
            state_near_end(ALL_NIGHT_SUN - 1),
            (Hike(1),),
            [
                TURN_HIKER,
                "Ana: Move the Sun to the bear icon at the Trailhead.",
                "Ana: Flip the exchange site to its night side.",
            ],
        ),
    ],
    "sun-not-trailhead": [
        (state_at_trailhead(sun=OVER_PHOTO), (Skip(),), []),
    ],
    "end-trigger": [
        (state_near_end(FINAL_SUN), (Hike(1),), [TURN_HIKER, "Ana: Take the Sun."]),
    ],
    "badges-refill": [
        (LAST_BADGE, (EarnBadge("research-leaf"),), [paid("3 leaves"), DRAW_BADGE]),
        (
            state_at_trailhead().with_player(ANA, cubes=(9, 0, 0)),
            (EarnBadge("climber-acorn"), Skip()),
            [DRAW_BADGE],
        ),
        (
            state_at_trailhead(trailhead=(NO_CARD, NO_CARD)),
            (Skip(),),
            ["Ana: Draw 2 new badges for the Trailhead."],
        ),
        (
            state_at_trailhead(trailhead=(NO_CARD, None)),
            (Skip(),),
            [DRAW_BADGE],
        ),
    ],
    "hand-refill": [
        (LAST_BADGE, (EarnBadge("research-leaf", hand=True),), [paid("3 leaves"), DRAW_HAND]),
        (state_at_trailhead().with_player(ANA, hand=NO_CARD), (Skip(),), [DRAW_HAND]),
        (
            state_at_trailhead(trailhead=(NO_CARD, None)).with_player(ANA, hand=NO_CARD),
            (Skip(),),
            [DRAW_BADGE, DRAW_HAND],
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
        (state_with_piles(2, 0), (Photograph(),), [PUT_BACK, FLIP_DISCARD]),
        (state_with_piles(2, 5), (Photograph(),), [PUT_BACK, FLIP_DISCARD]),
        (state_with_piles(2, 5), (Photograph(face_up=True),), []),
        (state_with_piles(3, 5), (Photograph(),), [PUT_BACK]),
        (state_with_piles(2, 1), (Photograph(),), [PUT_BACK, FLIP_DISCARD]),
    ],
    "photo-short": [
        (state_with_piles(1, 5), (Photograph(),), [FLIP_DISCARD, PUT_BACK]),
        (state_with_piles(1, 5, ONE_CARD), (Photograph(),), [FLIP_DISCARD]),
        (state_with_piles(1, 0), (Photograph(),), []),
        (state_with_piles(1, 2), (Photograph(),), [FLIP_DISCARD, PUT_BACK]),
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
    assert reminder_texts(TRACKED_GAME, before, left, Skip()) == [DRAW_BADGE]
    assert reminder_texts(TRACKED_GAME, before, renamed, Skip()) == []


def test_correction_of_resources_has_no_reminder():
    correction = EditPosition((Increment("players.0.leaf", 2),))
    state = make_state()
    assert reminder_texts(TRACKED_GAME, state, TRACKED_GAME.play(state, BO, correction), correction) == []


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
