"""TRAILS: the bonus of each badge when it is earned."""

from scoring.trails.moves.badges import EarnBadge, GainResource
from scoring.trails.moves.hiking import Exchange, Photograph, RollWildlife, Skip
from scoring.trails.state import (
    NO_CARD,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    KeepEight,
    MoveBear,
    RecyclingExchange,
    State,
    TakePhoto,
)
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BO,
    case_params,
    earn_from_hand,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    state_with_hand,
    with_badges_earned,
)

STAR = state_with_hand("astronomy-acorn", (4, 0, 0), trailhead=("climber-acorn", "sunshine-rock"), sun=1)
STAR_ONLY = state_with_hand("astronomy-acorn", (4, 0, 0))
STAR_ALONE = state_with_hand(
    "astronomy-acorn", (4, 0, 0), trailhead=("sunshine-rock", "climber-acorn"), rulings={"astronomy-bonus": "no-bonus"}
)
STAR_ABOVE = state_with_hand("sunshine-acorn", (4, 0, 0), trailhead=("astronomy-acorn", NO_CARD), sun=1)
SUNSHINE = EarnBadge("sunshine-rock")
FREE_FIRST_AID = make_state(
    4, tasks=(EarnBadges("trailhead"), EarnFreeBadge("trailhead")), trailhead=("first-aid-rock", NO_CARD)
).with_player(ANA, space=0, facing=1, hand=NO_CARD)


def crowded_state(state: State, cubes: tuple[int, int, int]) -> State:
    """Return four players: Ana with these cubes, the others with all eight of one kind each."""
    other_cubes = ((8, 0, 0), (0, 8, 0), (0, 0, 8))
    for seat, held in enumerate(other_cubes, 1):
        state = state.with_player(seat, cubes=held)
    return state.with_player(ANA, cubes=cubes)


OUTCOMES = {
    "astronomy": [
        (
            STAR,
            [earn_from_hand("astronomy-acorn")],
            {"tasks": (EarnBadges("trailhead"), EarnFreeBadge("trailhead")), "cubes": (0, 0, 0)},
        ),
        (
            STAR,
            [earn_from_hand("astronomy-acorn"), EarnBadge("climber-acorn")],
            {"badges": ("astronomy-acorn", "climber-acorn"), "cubes": (0, 0, 0)},
        ),
        (
            state_with_hand("climber-acorn", (4, 0, 0), trailhead=("astronomy-acorn", NO_CARD)),
            [EarnBadge("astronomy-acorn"), earn_from_hand("climber-acorn")],
            {"badges": ("astronomy-acorn", "climber-acorn"), "cubes": (0, 0, 0)},
        ),
        (
            STAR,
            [earn_from_hand("astronomy-acorn"), Skip()],
            {"badges": ("astronomy-acorn",), "cubes": (0, 0, 0), "turn": BO},
        ),
        (
            make_state(tasks=(EarnBadges("trail-end"),)).with_player(
                ANA, space=6, facing=-1, hand="astronomy-acorn", cubes=(4, 0, 0)
            ),
            [earn_from_hand("astronomy-acorn"), EarnBadge("climber-rock")],
            {"badges": ("astronomy-acorn", "climber-rock"), "turn": BO},
        ),
    ],
    "astronomy-free": [
        (STAR_ONLY, [earn_from_hand("astronomy-acorn")], {"badges": ("astronomy-acorn",), "turn": BO}),
        (
            state_with_hand("research-acorn", (5, 0, 0), trailhead=("astronomy-acorn", NO_CARD)),
            [EarnBadge("astronomy-acorn"), earn_from_hand("research-acorn")],
            {"badges": ("astronomy-acorn", "research-acorn"), "cubes": (1, 0, 0)},
        ),
        (
            state_with_hand("astronomy-acorn", (4, 0, 0), trailhead=(None, NO_CARD)),
            [earn_from_hand("astronomy-acorn"), EarnBadge("climber-leaf")],
            {"badges": ("astronomy-acorn", "climber-leaf")},
        ),
    ],
    "astronomy-bonus": [
        (
            STAR,
            [earn_from_hand("astronomy-acorn"), SUNSHINE],
            {"cubes": (0, 0, 1), "badges": ("astronomy-acorn", "sunshine-rock")},
        ),
        (STAR_ABOVE, [EarnBadge("astronomy-acorn"), earn_from_hand("sunshine-acorn")], {"cubes": (0, 0, 1)}),
        (
            STAR_ALONE,
            [earn_from_hand("astronomy-acorn"), SUNSHINE],
            {"cubes": (0, 0, 0), "badges": ("astronomy-acorn", "sunshine-rock")},
        ),
    ],
    "birdwatching": [
        (
            state_with_hand("birdwatching-leaf", (1, 2, 1)),
            [earn_from_hand("birdwatching-leaf")],
            {"cubes": (0, 0, 0), "turn": BO},
        ),
    ],
    "climber": [
        (state_with_hand("climber-leaf", (0, 5, 0)), [earn_from_hand("climber-leaf")], {"cubes": (0, 0, 0), "turn": BO})
    ],
    "cartography": [
        (
            state_with_hand("cartography-acorn", (3, 1, 0)),
            [earn_from_hand("cartography-acorn")],
            {"cubes": (0, 0, 2), "turn": BO},
        ),
        (
            state_with_hand("cartography-leaf", (0, 3, 1)),
            [earn_from_hand("cartography-leaf")],
            {"cubes": (2, 0, 0), "turn": BO},
        ),
        (
            state_with_hand("cartography-rock", (1, 0, 3)),
            [earn_from_hand("cartography-rock")],
            {"cubes": (0, 2, 0), "turn": BO},
        ),
    ],
    "navigation": [
        (
            state_with_hand("navigation-acorn", (3, 0, 1)),
            [earn_from_hand("navigation-acorn")],
            {"cubes": (0, 2, 0), "turn": BO},
        ),
        (
            state_with_hand("navigation-leaf", (1, 3, 0)),
            [earn_from_hand("navigation-leaf")],
            {"cubes": (0, 0, 2), "turn": BO},
        ),
        (
            state_with_hand("navigation-rock", (0, 1, 3)),
            [earn_from_hand("navigation-rock")],
            {"cubes": (2, 0, 0), "turn": BO},
        ),
    ],
    "collector": [
        (
            state_with_hand("collector-leaf", (0, 3, 0)),
            [earn_from_hand("collector-leaf")],
            {"cubes": (0, 0, 0), "turn": BO},
        )
    ],
    "first-aid": [
        (
            state_with_hand("first-aid-rock", (0, 0, 2)),
            [earn_from_hand("first-aid-rock")],
            {"cubes": (0, 0, 0), "tasks": (EarnBadges("trailhead"), ChooseResource())},
        ),
        (
            state_with_hand("first-aid-rock", (0, 0, 2)),
            [earn_from_hand("first-aid-rock"), GainResource("acorn")],
            {"cubes": (1, 0, 0), "turn": BO},
        ),
        (
            state_with_hand("first-aid-acorn", (2, 0, 0)),
            [earn_from_hand("first-aid-acorn"), GainResource("leaf")],
            {"cubes": (0, 1, 0), "turn": BO},
        ),
        (
            state_with_hand("first-aid-leaf", (0, 2, 0)),
            [earn_from_hand("first-aid-leaf"), GainResource("rock")],
            {"cubes": (0, 0, 1), "turn": BO},
        ),
    ],
    "observer": [
        (
            state_with_hand("observer-rock", (0, 1, 2)),
            [earn_from_hand("observer-rock")],
            {"cubes": (0, 0, 0), "turn": BO},
        )
    ],
    "photography": [
        (
            state_with_hand("photography-acorn", (3, 0, 2)),
            [earn_from_hand("photography-acorn")],
            {"tasks": (EarnBadges("trailhead"), TakePhoto("photography"))},
        ),
        (
            state_with_hand("photography-acorn", (3, 0, 2)),
            [earn_from_hand("photography-acorn"), Photograph()],
            {"photos": (None,), "cubes": (0, 0, 0), "turn": BO},
        ),
        (
            state_with_hand("photography-acorn", (3, 0, 2), photo_discard=2),
            [earn_from_hand("photography-acorn"), Photograph(face_up=True)],
            {"photos": (None,), "photo_discard": 1, "photo_deck": 30},
        ),
    ],
    "rappelling": [
        (
            state_with_hand("rappelling-rock", (0, 0, 4)),
            [earn_from_hand("rappelling-rock")],
            {"cubes": (0, 0, 0), "turn": BO},
        ),
    ],
    "recycling": [
        (
            state_with_hand("recycling-leaf", (2, 2, 1)),
            [earn_from_hand("recycling-leaf")],
            {"tasks": (EarnBadges("trailhead"), RecyclingExchange()), "cubes": (1, 0, 0)},
        ),
        (
            state_with_hand("recycling-leaf", (2, 2, 1)),
            [earn_from_hand("recycling-leaf"), Exchange("acorn", "rock")],
            {"cubes": (0, 0, 2), "turn": BO},
        ),
        (
            state_with_hand("recycling-leaf", (2, 2, 1), sun=ALL_NIGHT_SUN),
            [earn_from_hand("recycling-leaf"), Exchange("acorn", "leaf")],
            {"cubes": (0, 2, 0), "turn": BO},
        ),
        (
            state_with_hand("recycling-leaf", (2, 2, 1)),
            [earn_from_hand("recycling-leaf"), Skip()],
            {"cubes": (1, 0, 0), "turn": BO},
        ),
    ],
    "recycling-none": [
        (
            state_with_hand("recycling-leaf", (1, 2, 1)),
            [earn_from_hand("recycling-leaf")],
            {"badges": ("recycling-leaf",), "cubes": (0, 0, 0), "turn": BO},
        ),
    ],
    "research": [
        (
            state_with_hand("research-leaf", (0, 3, 0)),
            [earn_from_hand("research-leaf")],
            {"cubes": (0, 0, 0), "turn": BO},
        )
    ],
    "science": [(state_with_hand("science", (1, 1, 1)), [earn_from_hand("science")], {"cubes": (0, 0, 0), "turn": BO})],
    "seeker": [
        (
            state_with_hand("seeker-rock", (1, 0, 2)),
            [earn_from_hand("seeker-rock")],
            {"tasks": (EarnBadges("trailhead"), MoveBear(is_optional=True))},
        ),
        (
            state_with_hand("seeker-rock", (1, 0, 2)),
            [earn_from_hand("seeker-rock"), RollWildlife("leaf", "leaf")],
            {"bear": "leaf", "cubes": (0, 1, 0), "turn": BO},
        ),
        (
            state_with_hand("seeker-rock", (1, 0, 2), sun=ALL_NIGHT_SUN),
            [earn_from_hand("seeker-rock"), RollWildlife("bear", "acorn")],
            {"bear": "acorn", "cubes": (2, 0, 0), "turn": BO},
        ),
        (
            state_with_hand("seeker-rock", (1, 0, 2)),
            [earn_from_hand("seeker-rock"), RollWildlife("photo", "photo")],
            {"photos": (), "turn": BO},
        ),
        (
            state_with_hand("seeker-rock", (1, 0, 2), sun=ALL_NIGHT_SUN),
            [earn_from_hand("seeker-rock"), RollWildlife("photo", "photo"), Photograph()],
            {"photos": (None,), "turn": BO},
        ),
        (
            state_with_hand("seeker-rock", (1, 0, 2)),
            [earn_from_hand("seeker-rock"), Skip()],
            {"bear": "acorn", "cubes": (0, 0, 0), "turn": BO},
        ),
    ],
    "shutterbug": [
        (
            state_with_hand("shutterbug-leaf", (0, 4, 0)),
            [earn_from_hand("shutterbug-leaf")],
            {"tasks": (EarnBadges("trailhead"), TakePhoto("shutterbug"), TakePhoto("shutterbug"))},
        ),
        (
            state_with_hand("shutterbug-leaf", (0, 4, 0)),
            [earn_from_hand("shutterbug-leaf"), Photograph(), Photograph()],
            {"photos": (None, None), "photo_deck": 28, "photo_discard": 2, "turn": BO},
        ),
        (
            state_with_hand("shutterbug-leaf", (0, 4, 0)),
            [earn_from_hand("shutterbug-leaf"), Photograph(), Photograph(face_up=True)],
            {"photos": (None, None), "photo_deck": 30, "photo_discard": 0, "turn": BO},
        ),
        (
            state_with_hand("shutterbug-leaf", (0, 4, 0)),
            [earn_from_hand("shutterbug-leaf"), Skip(), Photograph()],
            {"photos": (None,), "turn": BO},
        ),
    ],
    "bonus-pays": [
        (
            state_with_hand("first-aid-rock", (3, 1, 0), trailhead=("cartography-acorn", NO_CARD)),
            [EarnBadge("cartography-acorn"), earn_from_hand("first-aid-rock"), GainResource("leaf")],
            {"badges": ("cartography-acorn", "first-aid-rock"), "cubes": (0, 1, 0), "turn": BO},
        ),
        (
            state_with_hand("first-aid-leaf", (3, 1, 1), trailhead=("recycling-acorn", NO_CARD)),
            [EarnBadge("recycling-acorn"), Exchange("acorn", "leaf"), earn_from_hand("first-aid-leaf")],
            {"badges": ("recycling-acorn", "first-aid-leaf"), "cubes": (0, 0, 0)},
        ),
    ],
    "earn-bonus": [
        # Immediately after payment and only once: the same visit continues without it.
        (
            state_with_hand("first-aid-rock", (0, 0, 2)),
            [earn_from_hand("first-aid-rock")],
            {"tasks": (EarnBadges("trailhead"), ChooseResource())},
        ),
        (
            state_with_hand("first-aid-rock", (5, 0, 2), trailhead=("climber-acorn", NO_CARD)),
            [earn_from_hand("first-aid-rock"), GainResource("leaf")],
            {"tasks": (EarnBadges("trailhead"),), "cubes": (5, 1, 0), "turn": ANA},
        ),
        (state_with_hand("navigation-rock", (0, 1, 3)), [earn_from_hand("navigation-rock")], {"cubes": (2, 0, 0)}),
    ],
    "earn-bonus-lost": [
        (
            state_with_hand("photography-acorn", (3, 0, 2), photo_deck=0),
            [earn_from_hand("photography-acorn")],
            {"badges": ("photography-acorn",), "photos": (), "turn": BO},
        ),
        (
            crowded_state(FREE_FIRST_AID, (7, 7, 7)),
            [EarnBadge("first-aid-rock")],
            {"badges": ("first-aid-rock",), "cubes": (7, 7, 7), "tasks": (KeepEight(),)},
        ),
    ],
    "earn-bonus-optional": [
        (
            state_with_hand("first-aid-rock", (0, 0, 2)),
            [earn_from_hand("first-aid-rock"), Skip()],
            {"cubes": (0, 0, 0), "turn": BO},
        ),
        (
            state_with_hand("photography-acorn", (3, 0, 2)),
            [earn_from_hand("photography-acorn"), Skip()],
            {"photos": (), "turn": BO},
        ),
    ],
    "resource-supply": [
        (
            crowded_state(state_with_hand("cartography-acorn", (3, 1, 6), 4), (3, 1, 6)),
            [earn_from_hand("cartography-acorn")],
            {"cubes": (0, 0, 7)},
        ),
        (
            crowded_state(
                state_with_hand("cartography-acorn", (3, 1, 6), 4, rulings={"cube-supply": "stand-ins"}), (3, 1, 6)
            ),
            [earn_from_hand("cartography-acorn")],
            {"cubes": (0, 0, 8)},
        ),
        (
            crowded_state(FREE_FIRST_AID, (7, 7, 6)),
            [EarnBadge("first-aid-rock"), GainResource("rock")],
            {"cubes": (7, 7, 7)},
        ),
    ],
}

RECYCLING = state_after(state_with_hand("recycling-leaf", (2, 2, 1)), earn_from_hand("recycling-leaf"))
CHOOSING = make_state(tasks=(EarnBadges("trailhead"), ChooseResource()))
NO_LEAF_TO_CHOOSE = CHOOSING.with_player(ANA, cubes=(1, 7, 1)).with_player(BO, cubes=(0, 8, 0))
REFUSED = {
    "earn-where": [
        (state_after(STAR, earn_from_hand("astronomy-acorn")), EarnBadge("climber-rock"), "not-here"),
        (state_after(STAR_ABOVE, EarnBadge("astronomy-acorn")), earn_from_hand("climber-leaf"), "not-in-hand"),
    ],
    "hand-refill": [
        (state_after(STAR, earn_from_hand("astronomy-acorn")), earn_from_hand("climber-leaf"), "hand-empty")
    ],
    "turn-steps": [
        (
            state_after(state_with_hand("shutterbug-leaf", (0, 4, 0)), earn_from_hand("shutterbug-leaf")),
            EarnBadge("science"),
            "finish-first",
        ),
        (
            state_after(state_with_hand("first-aid-rock", (0, 0, 2)), earn_from_hand("first-aid-rock")),
            Photograph(),
            "finish-first",
        ),
        (
            state_after(state_with_hand("seeker-rock", (1, 0, 2)), earn_from_hand("seeker-rock")),
            GainResource("leaf"),
            "finish-first",
        ),
        (state_after(STAR, earn_from_hand("astronomy-acorn")), GainResource("leaf"), "finish-first"),
    ],
    "resource-supply": [
        (NO_LEAF_TO_CHOOSE, GainResource("leaf"), "supply-empty"),
    ],
    # The reason for the free photo is the badge, not the night.
    "photography": [
        (
            state_after(state_with_hand("photography-acorn", (4, 0, 2)), earn_from_hand("photography-acorn")),
            Photograph(pay="acorn"),
            "photo-is-free",
        ),
    ],
    "shutterbug": [
        (
            state_after(state_with_hand("shutterbug-leaf", (1, 4, 0)), earn_from_hand("shutterbug-leaf"), Photograph()),
            Photograph(pay="acorn"),
            "photo-is-free",
        ),
    ],
    "recycling": [
        (RECYCLING, Exchange("leaf", "rock"), "nothing-to-give"),
        (RECYCLING, Exchange("acorn", "acorn"), "same-kind"),
        (RECYCLING, Exchange("acorn"), "day-exchange"),
        (
            state_after(
                state_with_hand("recycling-leaf", (2, 2, 1), sun=ALL_NIGHT_SUN), earn_from_hand("recycling-leaf")
            ),
            Exchange("acorn"),
            "day-exchange",
        ),
    ],
    "badge-deck-empty": [
        (
            with_badges_earned(state_after(STAR, earn_from_hand("astronomy-acorn"))),
            earn_from_hand("climber-leaf"),
            "hand-empty",
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_badge_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_bonus_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@run_all_rows(
    "state, move, sentence",
    [
        (NO_LEAF_TO_CHOOSE, GainResource("leaf"), "The supply has no leaves left. Choose another resource."),
        (CHOOSING, Photograph(), "First choose a resource, or skip."),
        (RECYCLING, Photograph(), "First exchange 1 resource, or skip."),
        (RECYCLING, Exchange("leaf", "rock"), "You have no leaves to exchange. Choose another resource."),
        (RECYCLING, Exchange("acorn"), "With Recycling, you get 2 of a different type. Choose that type."),
        (
            make_state(tasks=(EarnBadges("trailhead"), MoveBear(is_optional=True))),
            Photograph(),
            "First roll the Wildlife die, or skip.",
        ),
        (
            state_after(STAR, earn_from_hand("astronomy-acorn")),
            earn_from_hand("climber-leaf"),
            "You have no hand badge. You draw a new one when your turn ends.",
        ),
        (
            with_badges_earned(state_after(STAR, earn_from_hand("astronomy-acorn"))),
            earn_from_hand("climber-leaf"),
            "You have no hand badge, and the badge deck is empty.",
        ),
        (
            state_after(STAR, earn_from_hand("astronomy-acorn")),
            Photograph(),
            "First choose a free badge, or skip.",
        ),
    ],
)
def test_refused_bonus_says_what_is_needed(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_stand_ins_allow_a_resource_the_box_has_no_more_of():
    state = make_state(tasks=(EarnBadges("trailhead"), ChooseResource()), rulings={"cube-supply": "stand-ins"})
    assert (
        objection_codes(state.with_player(ANA, cubes=(1, 7, 1)).with_player(BO, cubes=(0, 8, 0)), GainResource("leaf"))
        == []
    )


def test_earning_continues_after_a_free_badge():
    state = state_after(
        STAR.with_player(ANA, cubes=(9, 0, 0)), earn_from_hand("astronomy-acorn"), SUNSHINE, EarnBadge("climber-acorn")
    )
    assert select_fields(state, {"cubes": (), "badges": ()}) == {
        "cubes": (0, 0, 1),
        "badges": ("astronomy-acorn", "sunshine-rock", "climber-acorn"),
    }
