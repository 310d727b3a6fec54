"""PARKS: parks reserved and visited, every way to pay, every instant, several in one action, the display refilled."""

from itertools import product

from scoring.parks import PLAY
from scoring.parks.box import INSTANTS, PARKS, TOKENS, WILDLIFE
from scoring.parks.costs import paid, ways
from scoring.parks.moves.hiking import Hike, Leave
from scoring.parks.moves.park_actions import Reserve, VisitPark
from scoring.parks.moves.reveals import NamePark, NameReserved
from scoring.parks.moves.sites import Roll, TakeCanteen
from scoring.parks.state import GONE, Do, Parks
from tests.support.cases import every_row
from tests.support.parks_table import (
    ANA,
    BO,
    OPEN,
    PARKS_SITE,
    after,
    ana,
    but,
    cases,
    cited,
    codes,
    have,
    offered,
    park,
    refusals,
    sentences,
    shown,
    table,
)


def at_parks(*lying: str | None, state=None, **changes):
    """Return Ana at the Parks site with these parks lying open."""
    start = but(state or table(), parks=(*lying, *(name for name in OPEN if name not in lying))[:3])
    return after(ana(start, **{"tokens": have(9, 9, 9, 9, 9), **changes}), Hike(0, PARKS_SITE))


RICH = have(9, 9, 9, 9, 9)
POOR = at_parks("Zion", "Congaree", "Katmai", tokens=have(forest=1, wildlife=1))
RESERVED = but(at_parks("Zion", reserve=("Congaree",)), BO, reserve=("Arches",), visited=("Acadia",))
UNNAMED = at_parks(None, "Zion", None)

# What an instant brings to somebody who has paid with exactly enough.
INSTANT = {
    "": ([], {"tokens": have(), "turn": BO}),
    "sun": ([], {"tokens": have(sun=1)}),
    "water": ([], {"tokens": have(water=1)}),
    "2 sun": ([], {"tokens": have(sun=2)}),
    "2 water": ([], {"tokens": have(water=2)}),
    "wildlife": ([], {"tokens": have(wildlife=1)}),
    "canteen": ([TakeCanteen("parks", 0)], {"canteens": (("parks",), (), ()), "tokens": have()}),
    "badge": ([], {"badge": ANA, "tokens": have()}),
    "roll": ([Roll("mountain")], {"tokens": have(mountain=1)}),
}

OUTCOMES = {
    "park-cost": [
        (at_parks("Zion"), [VisitPark("Zion")], {"tokens": have(9, 6, 9, 9, 9), "visited": ("Zion",)}),
        (at_parks("Yosemite"), [VisitPark("Yosemite")], {"tokens": have(8, 8, 8, 8, 8), "visited": ("Yosemite",)}),
        (at_parks("Badlands"), [VisitPark("Badlands")], {"tokens": have(8, 7, 5, 9, 9)}),
    ],
    "wildlife-wild": [
        (POOR, [VisitPark("Congaree", forest=1)], {"tokens": have(), "visited": ("Congaree",), "turn": BO}),
        (at_parks("Zion"), [VisitPark("Zion", mountain=2)], {"tokens": have(9, 8, 9, 9, 7)}),
        (at_parks("Badlands"), [VisitPark("Badlands", forest=1, mountain=1, sun=3)], {"tokens": have(9, 8, 8, 9, 4)}),
    ],
    "wildlife-own": [(at_parks("Katmai"), [VisitPark("Katmai", water=1)], {"tokens": have(9, 9, 9, 9, 7)})],
    "visit-many": [
        (
            at_parks("Zion", "Congaree", "Katmai"),
            [VisitPark("Zion"), VisitPark("Katmai"), VisitPark("Congaree")],
            {"visited": ("Zion", "Katmai", "Congaree"), "turn": BO},
        ),
        (
            RESERVED,
            [VisitPark("Congaree"), VisitPark("Zion"), Leave()],
            {"visited": ("Congaree", "Zion"), "reserve": (), "turn": BO},
        ),
        (at_parks("Zion"), [VisitPark("Zion"), Leave()], {"visited": ("Zion",), "turn": BO}),
    ],
    "reserve": [
        (at_parks("Arches"), [Reserve("Arches")], {"reserve": ("Arches",), "tokens": RICH, "turn": BO}),
        (at_parks("Arches"), [Reserve(deck=True)], {"reserve": (None,), "turn": BO}),
        (UNNAMED, [Reserve()], {"reserve": (None,), "turn": BO}),
        (RESERVED, [Reserve(deck=True)], {"reserve": ("Congaree", None)}),
    ],
    "instant-optional": [
        (
            at_parks("Channel Islands", "White Sands", tokens=have(0, 1, 0, 3, 1)),
            [VisitPark("Channel Islands"), VisitPark("White Sands")],
            {"visited": ("Channel Islands", "White Sands"), "tokens": have(sun=1)},
        ),
    ],
    "parks-refill": [
        (at_parks("Arches", "Zion", "Acadia"), [VisitPark("Zion")], {"parks": ("Arches", GONE, "Acadia")}),
        (at_parks("Arches", "Zion", "Acadia"), [VisitPark("Zion"), Leave()], {"parks": (None, "Arches", "Acadia")}),
        (at_parks("Arches", "Zion", "Acadia"), [Reserve("Acadia")], {"parks": (None, "Arches", "Zion")}),
        (at_parks("Arches", "Zion", "Acadia"), [Reserve(deck=True)], {"parks": ("Arches", "Zion", "Acadia")}),
        (
            at_parks("Arches", "Zion", "Acadia"),
            [VisitPark("Acadia"), VisitPark("Arches"), Leave()],
            {"parks": (None, None, "Zion")},
        ),
    ],
    "reserve-limit": [
        (at_parks("Zion", reserve=(None,) * 3), [Reserve(deck=True)], {"reserve": (None,) * 4}),
    ],
}
THREE = table(rulings={"reserve-limit": "three"})
REFUSED = {
    "park-cost": [(POOR, VisitPark("Congaree"), "cost"), (POOR, VisitPark("Zion", mountain=1), "cost")],
    "wildlife-own": [(at_parks("Katmai", tokens=have(water=3)), VisitPark("Katmai"), "cost")],
    "wildlife-wild": [
        (at_parks("Zion"), VisitPark("Zion", mountain=4), "stand-in"),
        (at_parks("Zion"), VisitPark("Zion", sun=-1), "stand-in"),
    ],
    "park-once": [(RESERVED, VisitPark("Acadia"), "visited")],
    "reserve-own": [(RESERVED, VisitPark("Arches"), "reserved")],
    "visit-many": [(RESERVED, VisitPark("Denali"), "not-here"), (UNNAMED, VisitPark("Denali"), "not-named")],
    "one-or-other": [(after(at_parks("Zion", "Arches"), VisitPark("Zion")), Reserve("Arches"), "visiting")],
    "reserve": [
        (RESERVED, Reserve("Denali"), "not-open"),
        (RESERVED, Reserve("Congaree"), "not-open"),
        (RESERVED, Reserve(), "not-open"),
        (RESERVED, Reserve("Zion", deck=True), "deck-unseen"),
    ],
    "reserve-limit": [(at_parks("Zion", state=THREE, reserve=(None,) * 3), Reserve("Zion"), "reserve-full")],
    "site-action": [(table(), VisitPark("Zion"), "hike-first"), (table(), Reserve("Zion"), "hike-first")],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_parks_go_by_their_rule(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_parks_are_refused_by_their_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


@every_row(
    "state, move, sentence",
    [
        (POOR, VisitPark("Congaree"), "Congaree takes 2 Forest; you have 1."),
        (POOR, VisitPark("Zion", mountain=4), "Zion costs 3 Mountain; no more Wildlife can stand in."),
        (RESERVED, VisitPark("Acadia"), "Bo has visited Acadia already."),
        (RESERVED, VisitPark("Arches"), "Arches is in the reserve of Bo."),
        (UNNAMED, VisitPark("Denali"), "Say first where Denali lies: open, or in your reserve."),
        (RESERVED, Reserve(), "Every open park has a name here; say which one."),
    ],
)
def test_a_refusal_says_what_is_missing(state, move, sentence):
    assert sentences(state, move) == [sentence]


@every_row("instant", INSTANTS)
def test_every_instant_brings_what_it_says(instant):
    name = park(instant=instant)
    moves, expected = INSTANT[instant]
    state = at_parks(name, tokens=PARKS[name].cost, state=but(table(), badge=BO))
    assert shown(after(state, VisitPark(name), *moves), expected) == expected


@every_row("name", PARKS)
def test_every_park_can_be_visited_by_paying_what_it_shows(name):
    card = PARKS[name]
    state = at_parks(name, tokens=card.cost)
    assert [move for move in offered(state, VisitPark) if move.park == name] == [VisitPark(name)]
    assert after(state, VisitPark(name)).players[ANA].visited == (name,)


@every_row("name", PARKS)
def test_every_park_can_be_visited_with_wildlife_alone(name):
    cost = PARKS[name].cost
    state = at_parks(name, tokens=have(wildlife=sum(cost)))
    mine = [move for move in offered(state, VisitPark) if move.park == name]
    assert mine == [VisitPark(name, *cost[:4])]


@every_row("held", [have(2, 1, 0, 0, 2), have(0, 0, 3, 3, 3), have(1, 1, 1, 1, 4)])
@every_row("name", ["Zion", "Yosemite", "Badlands", "Katmai", "Acadia"])
def test_the_ways_to_pay_are_all_there_are_and_the_one_with_the_fewest_wildlife_comes_first(name, held):
    cost = PARKS[name].cost
    every = [
        way
        for way in product(*(range(due + 1) for due in cost[:4]))
        if all(due <= have for due, have in zip(paid(cost, way), held, strict=True))
    ]
    assert sorted(ways(cost, held)) == every
    assert not every or sum(ways(cost, held)[0]) == min(map(sum, every))
    assert all(sum(paid(cost, way)) == sum(cost) and paid(cost, way)[WILDLIFE] >= cost[WILDLIFE] for way in every)


def test_where_there_is_one_way_to_pay_one_visit_is_offered():
    assert offered(POOR, VisitPark) == [VisitPark("Congaree", forest=1)]
    assert offered(at_parks("Zion", "Redwood", "Denali", tokens=have(mountain=3)), VisitPark) == [VisitPark("Zion")]


def test_a_visit_that_cannot_be_paid_is_shown_with_why():
    refused = [offer for offer in PLAY.offers(POOR, ANA, (VisitPark,)) if not offer.legal]
    assert [offer.move.park for offer in refused] == ["Zion", "Katmai"]
    assert refused[0].reasons[0].text == "Zion takes 3 Mountain; you have 0."


def test_a_park_nobody_has_named_is_named_and_then_visited():
    state = after(UNNAMED, NamePark("Congaree"), VisitPark("Congaree"))
    assert state.players[ANA].visited == ("Congaree",) and state.parks == (GONE, "Zion", None)


def test_a_reserved_park_nobody_has_named_is_named_and_then_visited():
    state = after(at_parks("Zion", reserve=(None,)), NameReserved("Congaree"), VisitPark("Congaree"))
    assert state.players[ANA].visited == ("Congaree",) and state.players[ANA].reserve == ()


def test_the_action_ends_by_itself_when_no_park_can_be_in_reach():
    assert after(at_parks("Zion", "Redwood", "Denali", tokens=have(mountain=3)), VisitPark("Zion")).turn == BO
    waiting = after(at_parks("Zion", None, "Denali", tokens=have(mountain=3, forest=2)), VisitPark("Zion"))
    assert waiting.tasks == (Parks(visited=True),)


def test_with_an_empty_deck_gaps_stay_and_nothing_is_drawn():
    names = [name for name in PARKS if name not in ("Zion", "Arches")]
    state = at_parks("Zion", "Arches", "Acadia", visited=())
    names.remove("Acadia")
    state = but(state, BO, visited=tuple(names))
    assert state.park_deck == 0 and codes(state, Reserve(deck=True)) == ["deck-empty"]
    assert cited(state, Reserve(deck=True)) == {"park-once"}
    assert after(state, Reserve("Zion")).parks == (GONE, "Arches", "Acadia")


def test_where_there_is_no_park_at_all_the_site_is_passed_over():
    state = but(but(table(), parks=(GONE,) * 3), BO, visited=tuple(PARKS))
    assert after(ana(state, tokens=RICH), Hike(0, PARKS_SITE)).turn == BO


def test_with_nothing_open_the_deck_can_still_be_reserved_from():
    state = but(table(), parks=(GONE,) * 3, tasks=(Do("reserve"),))
    assert PLAY.settle(state).tasks == (Do("reserve"),) and offered(state, Reserve) == [Reserve(deck=True)]


def test_an_instant_for_a_canteen_is_passed_over_where_there_is_no_room():
    name = park(instant="canteen")
    state = at_parks(name, tokens=PARKS[name].cost, canteens=(("2 sun", "2 sun"),) * 3)
    assert after(state, VisitPark(name)).turn == BO


def test_the_die_of_an_instant_is_rolled_before_the_next_park():
    name = park(instant="roll")
    assert after(at_parks(name), VisitPark(name)).tasks == (Parks(visited=True), Do("roll"))


def test_the_icons_of_the_parks_are_counted_as_they_were_checked():
    totals = [sum(card.cost[kind] for card in PARKS.values()) for kind in range(len(TOKENS))]
    assert totals == [63, 63, 63, 63, 9]


# Named in taking it


def test_an_open_park_is_named_in_visiting_it():
    once = after(UNNAMED, VisitPark("Congaree", unnamed="open"))
    assert once == after(UNNAMED, NamePark("Congaree"), VisitPark("Congaree"))
    assert once.players[ANA].visited == ("Congaree",) and once.parks == (GONE, "Zion", None)


def test_a_reserved_park_is_named_in_visiting_it():
    state = at_parks("Zion", reserve=(None,))
    assert after(state, VisitPark("Congaree", unnamed="reserve")) == after(
        state, NameReserved("Congaree"), VisitPark("Congaree")
    )


def test_an_open_park_is_named_in_reserving_it():
    state = after(UNNAMED, Reserve("Congaree", unnamed=True))
    assert state == after(UNNAMED, NamePark("Congaree"), Reserve("Congaree"))
    assert state.players[ANA].reserve == ("Congaree",)


@every_row(
    "state, move, refused_by",
    [
        (UNNAMED, VisitPark("Zion", unnamed="open"), ["park-once"]),
        (UNNAMED, VisitPark("Denaly", unnamed="open"), ["no-such-park"]),
        (UNNAMED, VisitPark("Congaree", unnamed="reserve"), ["no-such-card"]),
        (at_parks("Zion"), VisitPark("Congaree", unnamed="open"), ["no-such-card"]),
        (at_parks(None, tokens=have(forest=1)), VisitPark("Congaree", unnamed="open"), ["cost"]),
        (UNNAMED, Reserve("Zion", unnamed=True), ["park-once"]),
        (at_parks("Zion"), Reserve("Congaree", unnamed=True), ["no-such-card"]),
        (UNNAMED, Reserve(unnamed=True), ["no-such-park"]),
        (UNNAMED, Reserve(deck=True, unnamed=True), ["deck-unseen"]),
    ],
)
def test_a_park_that_cannot_lie_there_is_not_named_in_taking_it(state, move, refused_by):
    assert codes(state, move) == refused_by


def test_every_unnamed_park_that_can_be_paid_is_offered_with_every_way_to_pay():
    state = at_parks(None, "Zion", "Redwood", tokens=have(forest=2, wildlife=1))
    unnamed = [move for move in offered(state, VisitPark) if move.unnamed]
    assert {VisitPark("Congaree", unnamed="open"), VisitPark("Congaree", forest=1, unnamed="open")} <= {*unnamed}
    assert {(move.park, move.way) for move in unnamed} == {
        (name, way)
        for name in PARKS
        if name not in ("Zion", "Redwood")
        for way in ways(PARKS[name].cost, state.player.tokens)
    }


def test_a_park_named_in_visiting_it_is_paid_as_the_player_likes():
    state = at_parks(None, tokens=have(forest=2, wildlife=1))
    assert after(state, VisitPark("Congaree", forest=1, unnamed="open")) == after(
        state, NamePark("Congaree"), VisitPark("Congaree", forest=1)
    )
    assert codes(state, VisitPark("Congaree", forest=2, unnamed="open")) == ["cost"]
    assert codes(state, VisitPark("Congaree", forest=3, unnamed="open")) == ["stand-in"]
