"""TRAILS: what each badge brings when it is earned."""

from scoring.trails.moves.badges import EarnBadge, GainResource
from scoring.trails.moves.hiking import Exchange, Leave, Photograph, Wildlife
from scoring.trails.state import GONE, AnyResource, Bear, Earn, FreeBadge, KeepEight, State, Swap, TakePhoto
from tests.support.cases import every_row
from tests.support.trails_table import (
    ALL_NIGHT,
    ANA,
    BO,
    after,
    all_earned,
    cases,
    cited,
    codes,
    earn,
    holding,
    refusals,
    sentences,
    shown,
    table,
)

STAR = holding("astronomy-acorn", (4, 0, 0), trailhead=("climber-acorn", "sunshine-rock"), sun=1)
STAR_ONLY = holding("astronomy-acorn", (4, 0, 0))
STAR_ALONE = holding(
    "astronomy-acorn", (4, 0, 0), trailhead=("sunshine-rock", "climber-acorn"), rulings={"astronomy-bonus": "no-bonus"}
)
STAR_ABOVE = holding("sunshine-acorn", (4, 0, 0), trailhead=("astronomy-acorn", GONE), sun=1)
SUNSHINE = EarnBadge("sunshine-rock")
FREE_FIRST_AID = table(
    4, tasks=(Earn("trailhead"), FreeBadge("trailhead")), trailhead=("first-aid-rock", GONE)
).with_player(ANA, at=0, facing=1, hand=GONE)


def crowd(state: State, cubes: tuple[int, int, int]) -> State:
    """Return a table of four where Ana has these cubes, and the others have all eight they may: one of each kind fewer."""
    others = ((8, 0, 0), (0, 8, 0), (0, 0, 8))
    for seat, held in enumerate(others, 1):
        state = state.with_player(seat, cubes=held)
    return state.with_player(ANA, cubes=cubes)


OUTCOMES = {
    "astronomy": [
        (STAR, [earn("astronomy-acorn")], {"tasks": (Earn("trailhead"), FreeBadge("trailhead")), "cubes": (0, 0, 0)}),
        (
            STAR,
            [earn("astronomy-acorn"), EarnBadge("climber-acorn")],
            {"badges": ("astronomy-acorn", "climber-acorn"), "cubes": (0, 0, 0)},
        ),
        (
            holding("climber-acorn", (4, 0, 0), trailhead=("astronomy-acorn", GONE)),
            [EarnBadge("astronomy-acorn"), earn("climber-acorn")],
            {"badges": ("astronomy-acorn", "climber-acorn"), "cubes": (0, 0, 0)},
        ),
        (STAR, [earn("astronomy-acorn"), Leave()], {"badges": ("astronomy-acorn",), "cubes": (0, 0, 0), "turn": BO}),
        (
            table(tasks=(Earn("trail-end"),)).with_player(
                ANA, at=6, facing=-1, hand="astronomy-acorn", cubes=(4, 0, 0)
            ),
            [earn("astronomy-acorn"), EarnBadge("climber-rock")],
            {"badges": ("astronomy-acorn", "climber-rock"), "turn": BO},
        ),
    ],
    "astronomy-free": [
        (STAR_ONLY, [earn("astronomy-acorn")], {"badges": ("astronomy-acorn",), "turn": BO}),
        (
            holding("research-acorn", (5, 0, 0), trailhead=("astronomy-acorn", GONE)),
            [EarnBadge("astronomy-acorn"), earn("research-acorn")],
            {"badges": ("astronomy-acorn", "research-acorn"), "cubes": (1, 0, 0)},
        ),
        (
            holding("astronomy-acorn", (4, 0, 0), trailhead=(None, GONE)),
            [earn("astronomy-acorn"), EarnBadge("climber-leaf")],
            {"badges": ("astronomy-acorn", "climber-leaf")},
        ),
    ],
    "astronomy-bonus": [
        (
            STAR,
            [earn("astronomy-acorn"), SUNSHINE],
            {"cubes": (0, 0, 1), "badges": ("astronomy-acorn", "sunshine-rock")},
        ),
        (STAR_ABOVE, [EarnBadge("astronomy-acorn"), earn("sunshine-acorn")], {"cubes": (0, 0, 1)}),
        (
            STAR_ALONE,
            [earn("astronomy-acorn"), SUNSHINE],
            {"cubes": (0, 0, 0), "badges": ("astronomy-acorn", "sunshine-rock")},
        ),
    ],
    "birdwatching": [
        (holding("birdwatching-leaf", (1, 2, 1)), [earn("birdwatching-leaf")], {"cubes": (0, 0, 0), "turn": BO}),
    ],
    "climber": [(holding("climber-leaf", (0, 5, 0)), [earn("climber-leaf")], {"cubes": (0, 0, 0), "turn": BO})],
    "cartography": [
        (holding("cartography-acorn", (3, 1, 0)), [earn("cartography-acorn")], {"cubes": (0, 0, 2), "turn": BO}),
        (holding("cartography-leaf", (0, 3, 1)), [earn("cartography-leaf")], {"cubes": (2, 0, 0), "turn": BO}),
        (holding("cartography-rock", (1, 0, 3)), [earn("cartography-rock")], {"cubes": (0, 2, 0), "turn": BO}),
    ],
    "navigation": [
        (holding("navigation-acorn", (3, 0, 1)), [earn("navigation-acorn")], {"cubes": (0, 2, 0), "turn": BO}),
        (holding("navigation-leaf", (1, 3, 0)), [earn("navigation-leaf")], {"cubes": (0, 0, 2), "turn": BO}),
        (holding("navigation-rock", (0, 1, 3)), [earn("navigation-rock")], {"cubes": (2, 0, 0), "turn": BO}),
    ],
    "collector": [(holding("collector-leaf", (0, 3, 0)), [earn("collector-leaf")], {"cubes": (0, 0, 0), "turn": BO})],
    "first-aid": [
        (
            holding("first-aid-rock", (0, 0, 2)),
            [earn("first-aid-rock")],
            {"cubes": (0, 0, 0), "tasks": (Earn("trailhead"), AnyResource())},
        ),
        (
            holding("first-aid-rock", (0, 0, 2)),
            [earn("first-aid-rock"), GainResource("acorn")],
            {"cubes": (1, 0, 0), "turn": BO},
        ),
        (
            holding("first-aid-acorn", (2, 0, 0)),
            [earn("first-aid-acorn"), GainResource("leaf")],
            {"cubes": (0, 1, 0), "turn": BO},
        ),
        (
            holding("first-aid-leaf", (0, 2, 0)),
            [earn("first-aid-leaf"), GainResource("rock")],
            {"cubes": (0, 0, 1), "turn": BO},
        ),
    ],
    "observer": [(holding("observer-rock", (0, 1, 2)), [earn("observer-rock")], {"cubes": (0, 0, 0), "turn": BO})],
    "photography": [
        (
            holding("photography-acorn", (3, 0, 2)),
            [earn("photography-acorn")],
            {"tasks": (Earn("trailhead"), TakePhoto("photography"))},
        ),
        (
            holding("photography-acorn", (3, 0, 2)),
            [earn("photography-acorn"), Photograph()],
            {"photos": (None,), "cubes": (0, 0, 0), "turn": BO},
        ),
        (
            holding("photography-acorn", (3, 0, 2), photo_discard=2),
            [earn("photography-acorn"), Photograph(face_up=True)],
            {"photos": (None,), "photo_discard": 1, "photo_deck": 30},
        ),
    ],
    "rappelling": [
        (holding("rappelling-rock", (0, 0, 4)), [earn("rappelling-rock")], {"cubes": (0, 0, 0), "turn": BO}),
    ],
    "recycling": [
        (
            holding("recycling-leaf", (2, 2, 1)),
            [earn("recycling-leaf")],
            {"tasks": (Earn("trailhead"), Swap()), "cubes": (1, 0, 0)},
        ),
        (
            holding("recycling-leaf", (2, 2, 1)),
            [earn("recycling-leaf"), Exchange("acorn", "rock")],
            {"cubes": (0, 0, 2), "turn": BO},
        ),
        (
            holding("recycling-leaf", (2, 2, 1), sun=ALL_NIGHT),
            [earn("recycling-leaf"), Exchange("acorn", "leaf")],
            {"cubes": (0, 2, 0), "turn": BO},
        ),
        (holding("recycling-leaf", (2, 2, 1)), [earn("recycling-leaf"), Leave()], {"cubes": (1, 0, 0), "turn": BO}),
    ],
    "recycling-none": [
        (
            holding("recycling-leaf", (1, 2, 1)),
            [earn("recycling-leaf")],
            {"badges": ("recycling-leaf",), "cubes": (0, 0, 0), "turn": BO},
        ),
    ],
    "research": [(holding("research-leaf", (0, 3, 0)), [earn("research-leaf")], {"cubes": (0, 0, 0), "turn": BO})],
    "science": [(holding("science", (1, 1, 1)), [earn("science")], {"cubes": (0, 0, 0), "turn": BO})],
    "seeker": [
        (holding("seeker-rock", (1, 0, 2)), [earn("seeker-rock")], {"tasks": (Earn("trailhead"), Bear(optional=True))}),
        (
            holding("seeker-rock", (1, 0, 2)),
            [earn("seeker-rock"), Wildlife("leaf", "leaf")],
            {"bear": "leaf", "cubes": (0, 1, 0), "turn": BO},
        ),
        (
            holding("seeker-rock", (1, 0, 2), sun=ALL_NIGHT),
            [earn("seeker-rock"), Wildlife("bear", "acorn")],
            {"bear": "acorn", "cubes": (2, 0, 0), "turn": BO},
        ),
        (
            holding("seeker-rock", (1, 0, 2)),
            [earn("seeker-rock"), Wildlife("photo", "photo")],
            {"photos": (), "turn": BO},
        ),
        (
            holding("seeker-rock", (1, 0, 2), sun=ALL_NIGHT),
            [earn("seeker-rock"), Wildlife("photo", "photo"), Photograph()],
            {"photos": (None,), "turn": BO},
        ),
        (
            holding("seeker-rock", (1, 0, 2)),
            [earn("seeker-rock"), Leave()],
            {"bear": "acorn", "cubes": (0, 0, 0), "turn": BO},
        ),
    ],
    "shutterbug": [
        (
            holding("shutterbug-leaf", (0, 4, 0)),
            [earn("shutterbug-leaf")],
            {"tasks": (Earn("trailhead"), TakePhoto("shutterbug"), TakePhoto("shutterbug"))},
        ),
        (
            holding("shutterbug-leaf", (0, 4, 0)),
            [earn("shutterbug-leaf"), Photograph(), Photograph()],
            {"photos": (None, None), "photo_deck": 28, "photo_discard": 2, "turn": BO},
        ),
        (
            holding("shutterbug-leaf", (0, 4, 0)),
            [earn("shutterbug-leaf"), Photograph(), Photograph(face_up=True)],
            {"photos": (None, None), "photo_deck": 30, "photo_discard": 0, "turn": BO},
        ),
        (
            holding("shutterbug-leaf", (0, 4, 0)),
            [earn("shutterbug-leaf"), Leave(), Photograph()],
            {"photos": (None,), "turn": BO},
        ),
    ],
    "bonus-pays": [
        (
            holding("first-aid-rock", (3, 1, 0), trailhead=("cartography-acorn", GONE)),
            [EarnBadge("cartography-acorn"), earn("first-aid-rock"), GainResource("leaf")],
            {"badges": ("cartography-acorn", "first-aid-rock"), "cubes": (0, 1, 0), "turn": BO},
        ),
        (
            holding("first-aid-leaf", (3, 1, 1), trailhead=("recycling-acorn", GONE)),
            [EarnBadge("recycling-acorn"), Exchange("acorn", "leaf"), earn("first-aid-leaf")],
            {"badges": ("recycling-acorn", "first-aid-leaf"), "cubes": (0, 0, 0)},
        ),
    ],
    "earn-bonus": [
        # right after it is paid, and once: the same visit goes on without it
        (holding("first-aid-rock", (0, 0, 2)), [earn("first-aid-rock")], {"tasks": (Earn("trailhead"), AnyResource())}),
        (
            holding("first-aid-rock", (5, 0, 2), trailhead=("climber-acorn", GONE)),
            [earn("first-aid-rock"), GainResource("leaf")],
            {"tasks": (Earn("trailhead"),), "cubes": (5, 1, 0), "turn": ANA},
        ),
        (holding("navigation-rock", (0, 1, 3)), [earn("navigation-rock")], {"cubes": (2, 0, 0)}),
    ],
    "earn-bonus-lost": [
        (
            holding("photography-acorn", (3, 0, 2), photo_deck=0),
            [earn("photography-acorn")],
            {"badges": ("photography-acorn",), "photos": (), "turn": BO},
        ),
        (
            crowd(FREE_FIRST_AID, (7, 7, 7)),
            [EarnBadge("first-aid-rock")],
            {"badges": ("first-aid-rock",), "cubes": (7, 7, 7), "tasks": (KeepEight(),)},
        ),
    ],
    "earn-bonus-optional": [
        (holding("first-aid-rock", (0, 0, 2)), [earn("first-aid-rock"), Leave()], {"cubes": (0, 0, 0), "turn": BO}),
        (holding("photography-acorn", (3, 0, 2)), [earn("photography-acorn"), Leave()], {"photos": (), "turn": BO}),
    ],
    "resource-supply": [
        (
            crowd(holding("cartography-acorn", (3, 1, 6), 4), (3, 1, 6)),
            [earn("cartography-acorn")],
            {"cubes": (0, 0, 7)},
        ),
        (
            crowd(holding("cartography-acorn", (3, 1, 6), 4, rulings={"cube-supply": "stand-ins"}), (3, 1, 6)),
            [earn("cartography-acorn")],
            {"cubes": (0, 0, 8)},
        ),
        (
            crowd(FREE_FIRST_AID, (7, 7, 6)),
            [EarnBadge("first-aid-rock"), GainResource("rock")],
            {"cubes": (7, 7, 7)},
        ),
    ],
}

RECYCLING = after(holding("recycling-leaf", (2, 2, 1)), earn("recycling-leaf"))
CHOOSING = table(tasks=(Earn("trailhead"), AnyResource()))
NO_LEAF_TO_CHOOSE = CHOOSING.with_player(ANA, cubes=(1, 7, 1)).with_player(BO, cubes=(0, 8, 0))
REFUSED = {
    "earn-where": [
        (after(STAR, earn("astronomy-acorn")), EarnBadge("climber-rock"), "not-here"),
        (after(STAR_ABOVE, EarnBadge("astronomy-acorn")), earn("climber-leaf"), "not-in-hand"),
    ],
    "hand-refill": [(after(STAR, earn("astronomy-acorn")), earn("climber-leaf"), "hand-empty")],
    "turn-steps": [
        (after(holding("shutterbug-leaf", (0, 4, 0)), earn("shutterbug-leaf")), EarnBadge("science"), "finish-first"),
        (after(holding("first-aid-rock", (0, 0, 2)), earn("first-aid-rock")), Photograph(), "finish-first"),
        (after(holding("seeker-rock", (1, 0, 2)), earn("seeker-rock")), GainResource("leaf"), "finish-first"),
        (after(STAR, earn("astronomy-acorn")), GainResource("leaf"), "finish-first"),
    ],
    "resource-supply": [
        (NO_LEAF_TO_CHOOSE, GainResource("leaf"), "supply-empty"),
    ],
    # what makes a photo free is cited, and not the night
    "photography": [
        (
            after(holding("photography-acorn", (4, 0, 2)), earn("photography-acorn")),
            Photograph(pay="acorn"),
            "photo-is-free",
        ),
    ],
    "shutterbug": [
        (
            after(holding("shutterbug-leaf", (1, 4, 0)), earn("shutterbug-leaf"), Photograph()),
            Photograph(pay="acorn"),
            "photo-is-free",
        ),
    ],
    "recycling": [
        (RECYCLING, Exchange("leaf", "rock"), "nothing-to-give"),
        (RECYCLING, Exchange("acorn", "acorn"), "same-kind"),
        (RECYCLING, Exchange("acorn"), "day-exchange"),
        (
            after(holding("recycling-leaf", (2, 2, 1), sun=ALL_NIGHT), earn("recycling-leaf")),
            Exchange("acorn"),
            "day-exchange",
        ),
    ],
    "badge-deck-empty": [
        (all_earned(after(STAR, earn("astronomy-acorn"))), earn("climber-leaf"), "hand-empty"),
    ],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_a_badge_brings_what_its_rule_says(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_a_bonus_is_refused_by_its_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


@every_row(
    "state, move, sentence",
    [
        (NO_LEAF_TO_CHOOSE, GainResource("leaf"), "No leaf is left under the Trail."),
        (CHOOSING, Photograph(), "First choose a resource, or leave it."),
        (RECYCLING, Photograph(), "First exchange a resource for two of another kind, or leave it."),
        (RECYCLING, Exchange("leaf", "rock"), "You have no leaf."),
        (RECYCLING, Exchange("acorn"), "With Recycling you get two of one other kind."),
        (
            table(tasks=(Earn("trailhead"), Bear(optional=True))),
            Photograph(),
            "First roll the Wildlife die, or leave it.",
        ),
        (
            after(STAR, earn("astronomy-acorn")),
            earn("climber-leaf"),
            "You draw a new hand badge at the end of the turn.",
        ),
        (
            all_earned(after(STAR, earn("astronomy-acorn"))),
            earn("climber-leaf"),
            "Your hand is empty, and no badge is left to draw.",
        ),
        (after(STAR, earn("astronomy-acorn")), Photograph(), "First choose the badge you earn for free, or leave it."),
    ],
)
def test_a_refused_bonus_says_what_is_asked(state, move, sentence):
    assert sentences(state, move) == [sentence]


def test_stand_ins_let_you_choose_a_resource_the_box_has_no_more_of():
    state = table(tasks=(Earn("trailhead"), AnyResource()), rulings={"cube-supply": "stand-ins"})
    assert codes(state.with_player(ANA, cubes=(1, 7, 1)).with_player(BO, cubes=(0, 8, 0)), GainResource("leaf")) == []


def test_earning_goes_on_after_a_free_badge():
    state = after(STAR.with_player(ANA, cubes=(9, 0, 0)), earn("astronomy-acorn"), SUNSHINE, EarnBadge("climber-acorn"))
    assert shown(state, {"cubes": (), "badges": ()}) == {
        "cubes": (0, 0, 1),
        "badges": ("astronomy-acorn", "sunshine-rock", "climber-acorn"),
    }
