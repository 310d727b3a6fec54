"""PARKS: reserving and visiting parks, all payments and instants, refilling the display."""

from itertools import product

from scoring.parks import TRACKED_GAME
from scoring.parks.box import INSTANT_TEXTS, PARKS, TOKENS, WILDLIFE_INDEX
from scoring.parks.costs import payment, substitutions
from scoring.parks.moves.hiking import Hike, Skip
from scoring.parks.moves.park_actions import Reserve, VisitPark
from scoring.parks.moves.reveals import NamePark, NameReserved
from scoring.parks.moves.sites import Roll, TakeCanteen
from scoring.parks.state import NO_CARD, DoAction, ParksAction
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    OPEN_PARKS,
    PARKS_SITE,
    case_params,
    find_park,
    legal_moves,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
)


def state_at_parks(*face_up: str | None, state=None, **changes):
    """Return Ana at the Parks site with these parks face up."""
    start = with_changes(
        state or make_state(), parks=(*face_up, *(name for name in OPEN_PARKS if name not in face_up))[:3]
    )
    return state_after(with_ana(start, **{"tokens": token_counts(9, 9, 9, 9, 9), **changes}), Hike(0, PARKS_SITE))


RICH = token_counts(9, 9, 9, 9, 9)
POOR = state_at_parks("Zion", "Congaree", "Katmai", tokens=token_counts(forest=1, wildlife=1))
RESERVED = with_changes(state_at_parks("Zion", reserve=("Congaree",)), BO, reserve=("Arches",), visited=("Acadia",))
UNNAMED = state_at_parks(None, "Zion", None)

# Effect of an instant for a player who paid the exact cost.
INSTANT = {
    "": ([], {"tokens": token_counts(), "turn": BO}),
    "sun": ([], {"tokens": token_counts(sun=1)}),
    "water": ([], {"tokens": token_counts(water=1)}),
    "2 sun": ([], {"tokens": token_counts(sun=2)}),
    "2 water": ([], {"tokens": token_counts(water=2)}),
    "wildlife": ([], {"tokens": token_counts(wildlife=1)}),
    "canteen": ([TakeCanteen("parks", 0)], {"canteens": (("parks",), (), ()), "tokens": token_counts()}),
    "badge": ([], {"badge": ANA, "tokens": token_counts()}),
    "roll": ([Roll("mountain")], {"tokens": token_counts(mountain=1)}),
}

OUTCOMES = {
    "park-cost": [
        (state_at_parks("Zion"), [VisitPark("Zion")], {"tokens": token_counts(9, 6, 9, 9, 9), "visited": ("Zion",)}),
        (
            state_at_parks("Yosemite"),
            [VisitPark("Yosemite")],
            {"tokens": token_counts(8, 8, 8, 8, 8), "visited": ("Yosemite",)},
        ),
        (state_at_parks("Badlands"), [VisitPark("Badlands")], {"tokens": token_counts(8, 7, 5, 9, 9)}),
    ],
    "wildlife-wild": [
        (POOR, [VisitPark("Congaree", forest=1)], {"tokens": token_counts(), "visited": ("Congaree",), "turn": BO}),
        (state_at_parks("Zion"), [VisitPark("Zion", mountain=2)], {"tokens": token_counts(9, 8, 9, 9, 7)}),
        (
            state_at_parks("Badlands"),
            [VisitPark("Badlands", forest=1, mountain=1, sun=3)],
            {"tokens": token_counts(9, 8, 8, 9, 4)},
        ),
    ],
    "wildlife-own": [
        (state_at_parks("Katmai"), [VisitPark("Katmai", water=1)], {"tokens": token_counts(9, 9, 9, 9, 7)})
    ],
    "visit-many": [
        (
            state_at_parks("Zion", "Congaree", "Katmai"),
            [VisitPark("Zion"), VisitPark("Katmai"), VisitPark("Congaree")],
            {"visited": ("Zion", "Katmai", "Congaree"), "turn": BO},
        ),
        (
            RESERVED,
            [VisitPark("Congaree"), VisitPark("Zion"), Skip()],
            {"visited": ("Congaree", "Zion"), "reserve": (), "turn": BO},
        ),
        (state_at_parks("Zion"), [VisitPark("Zion"), Skip()], {"visited": ("Zion",), "turn": BO}),
    ],
    "reserve": [
        (state_at_parks("Arches"), [Reserve("Arches")], {"reserve": ("Arches",), "tokens": RICH, "turn": BO}),
        (state_at_parks("Arches"), [Reserve(deck=True)], {"reserve": (None,), "turn": BO}),
        (UNNAMED, [Reserve()], {"reserve": (None,), "turn": BO}),
        (RESERVED, [Reserve(deck=True)], {"reserve": ("Congaree", None)}),
    ],
    "instant-optional": [
        (
            state_at_parks("Channel Islands", "White Sands", tokens=token_counts(0, 1, 0, 3, 1)),
            [VisitPark("Channel Islands"), VisitPark("White Sands")],
            {"visited": ("Channel Islands", "White Sands"), "tokens": token_counts(sun=1)},
        ),
    ],
    "parks-refill": [
        (state_at_parks("Arches", "Zion", "Acadia"), [VisitPark("Zion")], {"parks": ("Arches", NO_CARD, "Acadia")}),
        (
            state_at_parks("Arches", "Zion", "Acadia"),
            [VisitPark("Zion"), Skip()],
            {"parks": (None, "Arches", "Acadia")},
        ),
        (state_at_parks("Arches", "Zion", "Acadia"), [Reserve("Acadia")], {"parks": (None, "Arches", "Zion")}),
        (state_at_parks("Arches", "Zion", "Acadia"), [Reserve(deck=True)], {"parks": ("Arches", "Zion", "Acadia")}),
        (
            state_at_parks("Arches", "Zion", "Acadia"),
            [VisitPark("Acadia"), VisitPark("Arches"), Skip()],
            {"parks": (None, None, "Zion")},
        ),
    ],
    "reserve-limit": [
        (state_at_parks("Zion", reserve=(None,) * 3), [Reserve(deck=True)], {"reserve": (None,) * 4}),
    ],
}
THREE = make_state(rulings={"reserve-limit": "three"})
REFUSED = {
    "park-cost": [(POOR, VisitPark("Congaree"), "cost"), (POOR, VisitPark("Zion", mountain=1), "cost")],
    "wildlife-own": [(state_at_parks("Katmai", tokens=token_counts(water=3)), VisitPark("Katmai"), "cost")],
    "wildlife-wild": [
        (state_at_parks("Zion"), VisitPark("Zion", mountain=4), "stand-in"),
        (state_at_parks("Zion"), VisitPark("Zion", sun=-1), "stand-in"),
    ],
    "park-once": [(RESERVED, VisitPark("Acadia"), "visited")],
    "reserve-own": [(RESERVED, VisitPark("Arches"), "reserved")],
    "visit-many": [(RESERVED, VisitPark("Denali"), "not-here"), (UNNAMED, VisitPark("Denali"), "not-named")],
    "one-or-other": [(state_after(state_at_parks("Zion", "Arches"), VisitPark("Zion")), Reserve("Arches"), "visiting")],
    "reserve": [
        (RESERVED, Reserve("Denali"), "not-open"),
        (RESERVED, Reserve("Congaree"), "not-open"),
        (RESERVED, Reserve(), "not-open"),
        (RESERVED, Reserve("Zion", deck=True), "deck-unseen"),
    ],
    "reserve-limit": [(state_at_parks("Zion", state=THREE, reserve=(None,) * 3), Reserve("Zion"), "reserve-full")],
    "site-action": [(make_state(), VisitPark("Zion"), "hike-first"), (make_state(), Reserve("Zion"), "hike-first")],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_park_action_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_park_action_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@run_all_rows(
    "state, move, sentence",
    [
        (POOR, VisitPark("Congaree"), "You need 1 more Forest."),
        (
            state_at_parks("Yellowstone", tokens=token_counts()),
            VisitPark("Yellowstone"),
            "You need 2 more Sun, 3 more Water and 1 more Wildlife.",
        ),
        (POOR, VisitPark("Zion", mountain=4), "Zion costs 3 Mountain. Pay no more Wildlife than that."),
        (RESERVED, VisitPark("Acadia"), "Bo already visited Acadia. Choose another park."),
        (
            with_ana(state_at_parks("Zion"), visited=("Denali",)),
            VisitPark("Denali"),
            "You already visited Denali. Choose another park.",
        ),
        (RESERVED, VisitPark("Arches"), "Arches is in Bo\u2019s reserve. Choose another park."),
        (UNNAMED, VisitPark("Denali"), "First enter where Denali is: face-up, or in your reserve."),
        (RESERVED, Reserve(), "All face-up parks have been entered. Choose one of them."),
    ],
)
def test_refusal_text_names_the_missing_part(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_refusal_of_a_price_cites_the_rule_of_each_missing_resource():
    state = state_at_parks("Yellowstone", tokens=token_counts())
    assert objection_rules(state, VisitPark("Yellowstone")) == {"park-cost", "wildlife-own"}


@run_all_rows("instant", INSTANT_TEXTS)
def test_instant_has_its_effect(instant):
    name = find_park(instant=instant)
    moves, expected = INSTANT[instant]
    state = state_at_parks(name, tokens=PARKS[name].cost, state=with_changes(make_state(), badge=BO))
    assert select_fields(state_after(state, VisitPark(name), *moves), expected) == expected


@run_all_rows("name", PARKS)
def test_every_park_can_be_visited_for_its_printed_cost(name):
    card = PARKS[name]
    state = state_at_parks(name, tokens=card.cost)
    assert [move for move in legal_moves(state, VisitPark) if move.park == name] == [VisitPark(name)]
    assert state_after(state, VisitPark(name)).players[ANA].visited == (name,)


@run_all_rows("name", PARKS)
def test_every_park_can_be_visited_with_wildlife_alone(name):
    cost = PARKS[name].cost
    state = state_at_parks(name, tokens=token_counts(wildlife=sum(cost)))
    visits = [move for move in legal_moves(state, VisitPark) if move.park == name]
    assert visits == [VisitPark(name, *cost[:4])]


@run_all_rows("held", [token_counts(2, 1, 0, 0, 2), token_counts(0, 0, 3, 3, 3), token_counts(1, 1, 1, 1, 4)])
@run_all_rows("name", ["Zion", "Yosemite", "Badlands", "Katmai", "Acadia"])
def test_all_payments_are_listed_with_the_fewest_wildlife_first(name, held):
    cost = PARKS[name].cost
    expected = [
        substitution
        for substitution in product(*(range(due + 1) for due in cost[:4]))
        if all(due <= have for due, have in zip(payment(cost, substitution), held, strict=True))
    ]
    assert sorted(substitutions(cost, held)) == expected
    assert not expected or sum(substitutions(cost, held)[0]) == min(map(sum, expected))
    assert all(
        sum(payment(cost, substitution)) == sum(cost)
        and payment(cost, substitution)[WILDLIFE_INDEX] >= cost[WILDLIFE_INDEX]
        for substitution in expected
    )


def test_park_with_one_possible_payment_is_offered_once():
    assert legal_moves(POOR, VisitPark) == [VisitPark("Congaree", forest=1)]
    assert legal_moves(state_at_parks("Zion", "Redwood", "Denali", tokens=token_counts(mountain=3)), VisitPark) == [
        VisitPark("Zion")
    ]


def test_unaffordable_visit_is_shown_with_its_reason():
    refused = [offer for offer in TRACKED_GAME.offers(POOR, ANA, (VisitPark,)) if not offer.is_legal]
    assert [offer.move.park for offer in refused] == ["Zion", "Katmai"]
    assert refused[0].reasons[0].text == "You need 3 more Mountain."


def test_unnamed_park_is_named_and_then_visited():
    state = state_after(UNNAMED, NamePark("Congaree"), VisitPark("Congaree"))
    assert state.players[ANA].visited == ("Congaree",) and state.parks == (NO_CARD, "Zion", None)


def test_unnamed_reserved_park_is_named_and_then_visited():
    state = state_after(state_at_parks("Zion", reserve=(None,)), NameReserved("Congaree"), VisitPark("Congaree"))
    assert state.players[ANA].visited == ("Congaree",) and state.players[ANA].reserve == ()


def test_action_ends_automatically_when_no_park_is_within_reach():
    assert (
        state_after(
            state_at_parks("Zion", "Redwood", "Denali", tokens=token_counts(mountain=3)), VisitPark("Zion")
        ).turn
        == BO
    )
    waiting = state_after(
        state_at_parks("Zion", None, "Denali", tokens=token_counts(mountain=3, forest=2)), VisitPark("Zion")
    )
    assert waiting.tasks == (ParksAction(has_visited=True),)


def test_empty_deck_leaves_gaps_and_nothing_is_drawn():
    names = [name for name in PARKS if name not in ("Zion", "Arches")]
    state = state_at_parks("Zion", "Arches", "Acadia", visited=())
    names.remove("Acadia")
    state = with_changes(state, BO, visited=tuple(names))
    assert state.park_deck == 0 and objection_codes(state, Reserve(deck=True)) == ["deck-empty"]
    assert objection_rules(state, Reserve(deck=True)) == {"park-once"}
    assert state_after(state, Reserve("Zion")).parks == (NO_CARD, "Arches", "Acadia")


def test_site_without_any_park_is_skipped():
    state = with_changes(with_changes(make_state(), parks=(NO_CARD,) * 3), BO, visited=tuple(PARKS))
    assert state_after(with_ana(state, tokens=RICH), Hike(0, PARKS_SITE)).turn == BO


def test_deck_can_be_reserved_from_when_no_park_is_face_up():
    state = with_changes(make_state(), parks=(NO_CARD,) * 3, tasks=(DoAction("reserve"),))
    assert TRACKED_GAME.flow.resolve_forced_steps(state).tasks == (DoAction("reserve"),) and legal_moves(
        state, Reserve
    ) == [Reserve(deck=True)]


def test_canteen_instant_without_room_is_skipped():
    name = find_park(instant="canteen")
    state = state_at_parks(name, tokens=PARKS[name].cost, canteens=(("2 sun", "2 sun"),) * 3)
    assert state_after(state, VisitPark(name)).turn == BO


def test_die_of_an_instant_is_rolled_before_the_next_park():
    name = find_park(instant="roll")
    assert state_after(state_at_parks(name), VisitPark(name)).tasks == (ParksAction(has_visited=True), DoAction("roll"))


def test_icon_totals_of_all_parks():
    totals = [sum(card.cost[kind] for card in PARKS.values()) for kind in range(len(TOKENS))]
    assert totals == [63, 63, 63, 63, 9]


# Named by the same move


def test_face_up_park_is_named_by_visiting_it():
    visited = state_after(UNNAMED, VisitPark("Congaree", unnamed="open"))
    assert visited == state_after(UNNAMED, NamePark("Congaree"), VisitPark("Congaree"))
    assert visited.players[ANA].visited == ("Congaree",) and visited.parks == (NO_CARD, "Zion", None)


def test_reserved_park_is_named_by_visiting_it():
    state = state_at_parks("Zion", reserve=(None,))
    assert state_after(state, VisitPark("Congaree", unnamed="reserve")) == state_after(
        state, NameReserved("Congaree"), VisitPark("Congaree")
    )


def test_face_up_park_is_named_by_reserving_it():
    state = state_after(UNNAMED, Reserve("Congaree", unnamed=True))
    assert state == state_after(UNNAMED, NamePark("Congaree"), Reserve("Congaree"))
    assert state.players[ANA].reserve == ("Congaree",)


@run_all_rows(
    "state, move, refused_by",
    [
        (UNNAMED, VisitPark("Zion", unnamed="open"), ["park-once"]),
        (UNNAMED, VisitPark("Denaly", unnamed="open"), ["no-such-park"]),
        (UNNAMED, VisitPark("Congaree", unnamed="reserve"), ["no-such-card"]),
        (state_at_parks("Zion"), VisitPark("Congaree", unnamed="open"), ["no-such-card"]),
        (state_at_parks(None, tokens=token_counts(forest=1)), VisitPark("Congaree", unnamed="open"), ["cost"]),
        (UNNAMED, Reserve("Zion", unnamed=True), ["park-once"]),
        (state_at_parks("Zion"), Reserve("Congaree", unnamed=True), ["no-such-card"]),
        (UNNAMED, Reserve(unnamed=True), ["no-such-park"]),
        (UNNAMED, Reserve(deck=True, unnamed=True), ["deck-unseen"]),
    ],
)
def test_park_that_cannot_be_there_is_not_named(state, move, refused_by):
    assert objection_codes(state, move) == refused_by


def test_every_affordable_unnamed_park_is_offered_with_all_payments():
    state = state_at_parks(None, "Zion", "Redwood", tokens=token_counts(forest=2, wildlife=1))
    unnamed = [move for move in legal_moves(state, VisitPark) if move.unnamed]
    assert {VisitPark("Congaree", unnamed="open"), VisitPark("Congaree", forest=1, unnamed="open")} <= {*unnamed}
    assert {(move.park, move.substitution) for move in unnamed} == {
        (name, substitution)
        for name in PARKS
        if name not in ("Zion", "Redwood")
        for substitution in substitutions(PARKS[name].cost, state.player.tokens)
    }


def test_park_named_by_visiting_it_is_paid_as_the_player_chooses():
    state = state_at_parks(None, tokens=token_counts(forest=2, wildlife=1))
    assert state_after(state, VisitPark("Congaree", forest=1, unnamed="open")) == state_after(
        state, NamePark("Congaree"), VisitPark("Congaree", forest=1)
    )
    assert objection_codes(state, VisitPark("Congaree", forest=2, unnamed="open")) == ["cost"]
    assert objection_codes(state, VisitPark("Congaree", forest=3, unnamed="open")) == ["stand-in"]
