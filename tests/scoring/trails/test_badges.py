"""TRAILS: which badges can be earned, what they cost, and how cards are replaced."""

import pytest
from msgspec.structs import replace

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Exchange, Hike, Skip
from scoring.trails.state import NO_CARD, EarnBadges, EarnFreeBadge
from scoring.trails.turn import refill_badges
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ANA,
    BO,
    NO_CARDS,
    case_params,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    with_badges_earned,
)

# Ana has just come to the Trailhead: both Climbers are face-up there, and Sunshine (acorn) is in her hand.
AT_TRAILHEAD = make_state(tasks=(EarnBadges("trailhead"),)).with_player(ANA, hand="sunshine-acorn")
RICH = AT_TRAILHEAD.with_player(ANA, cubes=(6, 6, 6))
VERY_RICH = AT_TRAILHEAD.with_player(ANA, cubes=(12, 6, 6))
AT_END = make_state(tasks=(EarnBadges("trail-end"),)).with_player(
    ANA, space=6, facing=-1, hand="sunshine-acorn", cubes=(0, 2, 5)
)
UNNAMED = make_state(tasks=(EarnBadges("trailhead"),), trailhead=(None, "climber-leaf")).with_player(
    ANA, cubes=(6, 6, 6)
)
HOLDING_SCIENCE = UNNAMED.with_player(ANA, hand="science")


def state_with_research(cubes: tuple[int, int, int], *badges: str, kind: str = "acorn"):
    """Return a state where Ana holds a Research badge, with these cubes and badges."""
    state = make_state(tasks=(EarnBadges("trailhead"),), trailhead=NO_CARDS)
    return state.with_player(ANA, hand=f"research-{kind}", cubes=cubes, badges=badges)


def state_with_deck(left: int):
    """Return Ana at the Trailhead with `left` cards in the badge deck; Bo has all the others."""
    state = AT_TRAILHEAD.with_player(ANA, hand="science", cubes=(6, 1, 1)).with_player(BO, hand="seeker-leaf")
    state = with_badges_earned(state, left)
    assert state.badge_deck == left
    return state


REFUSED = {
    "earn-where": [
        (RICH, EarnBadge("climber-rock"), "not-here"),
        (RICH, EarnBadge("sunshine-acorn"), "not-here"),
        (RICH, EarnBadge("sunshine-rock", hand=True), "not-in-hand"),
        (RICH, EarnBadge("climber-acorn", hand=True), "not-in-hand"),
        (AT_END.with_player(ANA, cubes=(5, 2, 5)), EarnBadge("climber-acorn"), "not-here"),
        (state_after(VERY_RICH, EarnBadge("climber-acorn")), EarnBadge("climber-acorn"), "not-here"),
    ],
    "earn-cost": [
        (AT_TRAILHEAD, EarnBadge("climber-acorn"), "cost"),
        (AT_TRAILHEAD.with_player(ANA, cubes=(4, 9, 9)), EarnBadge("climber-acorn"), "cost"),
        (AT_TRAILHEAD.with_player(ANA, cubes=(2, 2, 0)), EarnBadge("sunshine-acorn", hand=True), "cost"),
        (AT_END.with_player(ANA, cubes=(9, 1, 3)), EarnBadge("photography-rock"), "cost"),
        (state_with_research((2, 9, 9)), EarnBadge("research-acorn", hand=True), "cost"),
        (state_with_research((2, 9, 9), "climber-leaf"), EarnBadge("research-acorn", hand=True), "cost"),
    ],
    "research": [
        (state_with_research((1, 9, 9), "climber-acorn"), EarnBadge("research-acorn", hand=True), "cost"),
        (
            state_with_research((0, 9, 9), "climber-acorn", "first-aid-acorn"),
            EarnBadge("research-acorn", hand=True),
            "cost",
        ),
    ],
    "hand-refill": [(RICH.with_player(ANA, hand=NO_CARD), EarnBadge("science", hand=True), "hand-empty")],
    "badge-copies": [
        (UNNAMED, EarnBadge("climber-rock"), "badge-copies"),
        (UNNAMED.with_player(BO, badges=("seeker-leaf",)), EarnBadge("seeker-leaf"), "badge-copies"),
        (UNNAMED, EarnBadge("climber-rock", hand=True), "badge-copies"),
        (UNNAMED.with_player(BO, badges=("science",) * 3), EarnBadge("science", hand=True), "badge-copies"),
        (HOLDING_SCIENCE.with_player(BO, badges=("science",) * 2), EarnBadge("science"), "badge-copies"),
        (UNNAMED.with_player(ANA, hand="seeker-leaf"), EarnBadge("seeker-leaf"), "badge-copies"),
    ],
    "components": [(RICH, EarnBadge("climber"), "no-such-badge"), (RICH, EarnBadge(""), "no-such-badge")],
    "hike-must": [(make_state().with_player(ANA, space=2), EarnBadge("climber-acorn"), "hike-first")],
}

OUTCOMES = {
    "earn-where": [
        (
            RICH,
            [EarnBadge("climber-acorn")],
            {"badges": ("climber-acorn",), "cubes": (1, 6, 6), "trailhead": (NO_CARD, "climber-leaf")},
        ),
        (RICH, [EarnBadge("sunshine-acorn", hand=True)], {"badges": ("sunshine-acorn",), "hand": NO_CARD}),
        (AT_END, [EarnBadge("climber-rock"), Skip()], {"badges": ("climber-rock",), "cubes": (0, 2, 0), "turn": BO}),
        (AT_END, [EarnBadge("photography-rock"), Skip()], {"badges": ("photography-rock",), "cubes": (0, 0, 2)}),
    ],
    "earn-cost": [
        (
            AT_TRAILHEAD.with_player(ANA, cubes=(5, 0, 0)),
            [EarnBadge("climber-acorn")],
            {"cubes": (0, 0, 0), "turn": BO},
        ),
        (UNNAMED, [EarnBadge("birdwatching-leaf")], {"cubes": (5, 4, 5)}),
    ],
    "earn-face-up": [
        (RICH, [EarnBadge("climber-acorn"), EarnBadge("climber-leaf")], {"badges": ("climber-acorn", "climber-leaf")}),
    ],
    "earn-one-by-one": [
        (
            AT_TRAILHEAD.with_player(ANA, cubes=(8, 7, 0)),
            [EarnBadge("climber-acorn"), EarnBadge("climber-leaf"), EarnBadge("sunshine-acorn", hand=True)],
            {
                "badges": ("climber-acorn", "climber-leaf", "sunshine-acorn"),
                "cubes": (0, 0, 0),
                "trailhead": NO_CARDS,
                "hand": NO_CARD,
            },
        ),
        (RICH, [EarnBadge("climber-leaf"), Skip()], {"badges": ("climber-leaf",), "turn": ANA}),
        (RICH.with_player(ANA, cubes=(5, 1, 1)), [Skip()], {"badges": (), "cubes": (5, 1, 1), "turn": BO}),
    ],
    "badge-copies": [
        (UNNAMED, [EarnBadge("seeker-rock")], {"trailhead": (NO_CARD, "climber-leaf"), "badges": ("seeker-rock",)}),
        (
            UNNAMED,
            [EarnBadge("science"), EarnBadge("science", hand=True)],
            {"badges": ("science", "science"), "hand": NO_CARD},
        ),
        (
            HOLDING_SCIENCE.with_player(BO, badges=("science",)),
            [EarnBadge("science")],
            {"badges": ("science",), "hand": "science"},
        ),
    ],
    "research": [
        (state_with_research((3, 0, 0)), [EarnBadge("research-acorn", hand=True)], {"cubes": (0, 0, 0)}),
        (
            state_with_research((3, 0, 0), "climber-leaf", "seeker-rock"),
            [EarnBadge("research-acorn", hand=True)],
            {"cubes": (0, 0, 0)},
        ),
        (
            state_with_research((2, 0, 0), "climber-acorn"),
            [EarnBadge("research-acorn", hand=True)],
            {"cubes": (0, 0, 0)},
        ),
        (
            state_with_research((3, 0, 0), "climber-acorn", "first-aid-acorn"),
            [EarnBadge("research-acorn", hand=True)],
            {"cubes": (2, 0, 0)},
        ),
        (
            state_with_research((0, 3, 0), "climber-leaf", kind="leaf"),
            [EarnBadge("research-leaf", hand=True)],
            {"cubes": (0, 1, 0)},
        ),
    ],
    "science-research": [
        (state_with_research((2, 0, 0), "science"), [EarnBadge("research-acorn", hand=True)], {"cubes": (0, 0, 0)}),
        (
            state_with_research((0, 0, 1), "science", "science", kind="rock"),
            [EarnBadge("research-rock", hand=True)],
            {"cubes": (0, 0, 0)},
        ),
        (
            state_with_research((1, 0, 0), "science", "climber-acorn"),
            [EarnBadge("research-acorn", hand=True)],
            {"cubes": (0, 0, 0)},
        ),
    ],
    "research-floor": [
        (
            state_with_research((0, 0, 0), "science", "science", "science"),
            [EarnBadge("research-acorn", hand=True)],
            {"cubes": (0, 0, 0)},
        ),
        (
            state_with_research((1, 1, 1), "science", "science", "science", "climber-acorn"),
            [EarnBadge("research-acorn", hand=True)],
            {"cubes": (1, 1, 1), "badges": ("science", "science", "science", "climber-acorn", "research-acorn")},
        ),
    ],
    "badges-refill": [
        (
            RICH.with_player(ANA, cubes=(5, 1, 1)),
            [EarnBadge("climber-acorn")],
            {"trailhead": (None, "climber-leaf"), "turn": BO},
        ),
        (RICH, [EarnBadge("climber-acorn")], {"trailhead": (NO_CARD, "climber-leaf"), "turn": ANA}),
        (AT_END, [EarnBadge("climber-rock"), Skip()], {"trail_end": (None, "photography-rock"), "badge_deck": 35}),
    ],
    "hand-refill": [
        (AT_TRAILHEAD.with_player(ANA, cubes=(3, 2, 0)), [EarnBadge("sunshine-acorn", hand=True)], {"hand": NO_CARD}),
        (
            AT_TRAILHEAD.with_player(ANA, cubes=(3, 2, 0)),
            [EarnBadge("sunshine-acorn", hand=True), Skip()],
            {"hand": None, "turn": BO},
        ),
    ],
    "badge-deck-empty": [
        (
            state_with_deck(0),
            [EarnBadge("climber-acorn"), Skip()],
            {"trailhead": (NO_CARD, "climber-leaf"), "turn": BO},
        ),
        (state_with_deck(0), [EarnBadge("science", hand=True), Skip()], {"hand": NO_CARD, "turn": BO}),
        (
            state_with_deck(1),
            [EarnBadge("climber-acorn"), Skip()],
            {"trailhead": (None, "climber-leaf"), "badge_deck": 0},
        ),
    ],
}


def select_fields_with_deck(state, expected):
    """Return the fields a case names, including the computed badge deck."""
    counted = {"badge_deck": state.badge_deck}
    fields = [name for name in expected if name not in counted]
    return select_fields(state, dict.fromkeys(fields)) | {name: counted[name] for name in expected if name in counted}


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_earning_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_earning_has_its_outcome(state, moves, expected):
    assert select_fields_with_deck(state_after(state, *moves), expected) == expected


@run_all_rows(
    "state, move, text",
    [
        (AT_TRAILHEAD, EarnBadge("climber-acorn"), ["You need 4 more acorns. Climber (acorn) costs 5 acorns."]),
        (
            AT_END.with_player(ANA, cubes=(0, 1, 1)),
            EarnBadge("photography-rock"),
            ["You need 1 more leaf and 2 more rocks. Photography (rock) costs 2 leaves and 3 rocks."],
        ),
        (
            state_with_research((0, 0, 0), "climber-acorn"),
            EarnBadge("research-acorn", hand=True),
            ["You need 2 more acorns. Research (acorn) costs 2 acorns."],
        ),
        (
            RICH,
            EarnBadge("climber-rock"),
            ["Climber (rock) is not at the Trailhead. Choose one that is, or your hand badge."],
        ),
        (
            AT_END,
            EarnBadge("first-aid-rock"),
            ["First Aid (rock) is not at Trail End. Choose one that is, or your hand badge."],
        ),
        (RICH, EarnBadge("climber-acorn", hand=True), ["Your hand badge is Sunshine (acorn). Choose that badge."]),
        (RICH, EarnBadge("climber-acron"), ["There is no badge “climber-acron”. Did you mean “climber-acorn”?"]),
        (RICH, EarnBadge("zzz"), ["There is no badge “zzz”."]),
        (
            UNNAMED,
            EarnBadge("climber-rock"),
            ["There is only one Climber (rock), and it has already been entered. Choose another badge."],
        ),
        (
            UNNAMED.with_player(BO, badges=("science",) * 3),
            EarnBadge("science"),
            ["There are only 3 Science badges, and all have already been entered. Choose another badge."],
        ),
    ],
)
def test_refusal_to_earn_names_the_numbers(state, move, text):
    assert objection_texts(state, move) == text


def test_badge_of_the_wrong_place_and_price_is_refused_for_both():
    assert objection_codes(AT_TRAILHEAD, EarnBadge("climber-rock")) == ["not-here", "cost"]


def test_badge_named_by_earning_may_be_in_an_unknown_hand_or_slot():
    assert objection_codes(UNNAMED, EarnBadge("seeker-rock")) == []
    assert objection_codes(UNNAMED, EarnBadge("seeker-rock", hand=True)) == []


def test_earned_badge_clears_another_players_note_of_it():
    state = state_after(UNNAMED.with_player(BO, hand="seeker-rock"), EarnBadge("seeker-rock"))
    assert select_fields(state, {"hand": None}, BO) == {"hand": None}


def test_last_card_of_the_deck_fills_one_of_two_gaps():
    state = state_after(state_with_deck(1), EarnBadge("climber-acorn"), EarnBadge("science", hand=True))
    cards = [*state.trailhead, *state.trail_end, state.players[ANA].hand]
    assert state.turn == BO
    assert (cards.count(NO_CARD), cards.count(None)) == (1, 1)


@pytest.mark.parametrize("left", [1, 2])
def test_gaps_at_both_ends_are_filled_while_cards_are_left(left: int):
    state = state_with_deck(left)
    taken = (state.trailhead[0], state.trail_end[0])
    state = state.with_player(BO, badges=(*state.players[BO].badges, *taken))
    state = refill_badges(
        replace(state, trailhead=(NO_CARD, *state.trailhead[1:]), trail_end=(NO_CARD, *state.trail_end[1:]))
    )
    cards = [*state.trailhead, *state.trail_end]
    assert (cards.count(None), cards.count(NO_CARD), state.badge_deck) == (left, 2 - left, 0)


# The app asks for badges only if, by public information, one could be earned: asking because of a player's
# private notes would reveal them.
@run_all_rows(
    "state, turn",
    [
        # All named, none within reach.
        (
            with_badges_earned(make_state().with_player(ANA, space=1, facing=-1, hand=NO_CARD)),
            BO,
        ),
        # Out of reach by a private note.
        (
            make_state().with_player(ANA, space=1, facing=-1, hand="sunshine-acorn"),
            ANA,
        ),
        (make_state().with_player(ANA, space=1, facing=-1), ANA),  # Her hand is unknown: it may be Science.
        (make_state().with_player(ANA, space=1, facing=-1, cubes=(0, 0, 0)), BO),  # Unknown, but no badge is free.
        # Research is free.
        (
            make_state().with_player(ANA, space=1, facing=-1, cubes=(0, 0, 0), badges=("science",) * 3),
            ANA,
        ),
        (make_state().with_player(ANA, space=1, facing=-1, hand="sunshine-acorn", cubes=(5, 0, 0)), ANA),
        (make_state().with_player(ANA, space=1, facing=-1, hand="science"), ANA),
    ],
)
def test_badges_are_asked_for_only_where_one_may_be_within_reach(state, turn):
    assert state_after(state, Hike(1)).turn == turn


def test_offers_at_an_end_are_the_named_badges_and_all_possible_unnamed_ones():
    moves = [offer.move for offer in TRACKED_GAME.offers(AT_TRAILHEAD, ANA) if isinstance(offer.move, EarnBadge)]
    assert moves == [EarnBadge("climber-acorn"), EarnBadge("climber-leaf"), EarnBadge("sunshine-acorn", hand=True)]
    unnamed = [offer.move for offer in TRACKED_GAME.offers(UNNAMED, ANA) if isinstance(offer.move, EarnBadge)]
    assert len([move for move in unnamed if move.hand]) == 40 - 3
    assert len([move for move in unnamed if not move.hand]) == 1 + 40 - 3


def test_hint_of_a_badge_is_its_cost_for_this_player():
    assert (
        EarnBadge("research-acorn", hand=True).label(state_with_research((2, 0, 0), "science"), ANA).hint == "2 acorns"
    )
    assert (
        EarnBadge("research-acorn", hand=True).label(state_with_research((0, 0, 0), *("science",) * 3), ANA).hint
        == "free"
    )
    assert EarnBadge("birdwatching-leaf").label(UNNAMED, ANA).hint == "1 acorn, 2 leaves, 1 rock"


def test_log_names_the_earned_badge_and_its_cost():
    move = EarnBadge("climber-acorn")
    assert (
        TRACKED_GAME.log_sentence(RICH, state_after(RICH, move), ANA, move) == "Ana earned Climber (acorn), −5 acorns."
    )
    move = EarnBadge("sunshine-acorn", hand=True)
    assert (
        TRACKED_GAME.log_sentence(RICH, state_after(RICH, move), ANA, move)
        == "Ana earned Sunshine (acorn) from their hand, −3 acorns, −2 leaves."
    )


def test_badges_are_not_exchanged():
    assert objection_codes(RICH, Exchange("acorn", "leaf")) == ["finish-first"]


@pytest.mark.parametrize("cards", [("science", "science"), ("science", None)])
def test_science_that_may_be_here_twice_is_offered_once(cards):
    offers = [
        offer.move for offer in TRACKED_GAME.offers(make_state(tasks=(EarnBadges("trailhead"),), trailhead=cards), ANA)
    ]
    assert offers.count(EarnBadge("science")) == 1


@run_all_rows(
    "badge, own_rules, other_rules",
    [
        ("climber-acorn", {"earn-cost"}, {"sunshine", "research", "navigation", "cartography", "recycling-none"}),
        ("sunshine-leaf", {"sunshine", "sunshine-last-round"}, {"research", "navigation"}),
        ("research-acorn", {"research", "research-floor", "science-research"}, {"sunshine"}),
    ],
)
def test_earning_a_badge_cites_no_rules_about_other_badges(badge, own_rules, other_rules):
    cited = {rule.id for rule in EarnBadge(badge).cited_rules()}
    assert own_rules <= cited and not other_rules & cited


def test_refused_free_badge_names_the_end_and_the_rule_of_astronomy():
    state = make_state(
        tasks=(EarnBadges("trailhead"), EarnFreeBadge("trailhead")), trailhead=(NO_CARD, "first-aid-rock")
    )
    (reason,) = TRACKED_GAME.objections(state, ANA, EarnBadge("climber-rock"))
    assert [rule.id for rule in reason.rules] == ["earn-where", "astronomy"]
