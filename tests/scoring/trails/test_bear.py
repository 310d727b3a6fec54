"""TRAILS: meeting the bear on the Trail, and the bear on a badge or on the Sun Track."""

import pytest
from msgspec.structs import replace

from scoring.trails import PLAY
from scoring.trails.moves.badges import GainResource
from scoring.trails.moves.hiking import Exchange, Hike, Leave, Photograph, Wildlife
from scoring.trails.state import AtSite, Bear, BothSites, Earn, Encounter, KeepEight
from tests.support.cases import every_row
from tests.support.trails_table import (
    ALL_NIGHT,
    BO,
    NO_CARDS,
    after,
    cases,
    cited,
    codes,
    refusals,
    sentences,
    shown,
    table,
)

MET_ON_LEAF = table(bear="leaf")
MET_AT_EXCHANGE = table(bear="exchange", tasks=(Encounter("exchange"),)).with_player(0, at=1)
MET_AT_PHOTO = table(bear="photo", tasks=(Encounter("photo"),)).with_player(0, at=4)
BROKE_AT_PHOTO = MET_AT_PHOTO.with_player(0, cubes=(0, 0, 0))
ON_A_BADGE = table(tasks=(Earn("trailhead"), Bear(optional=True)), trailhead=NO_CARDS, trail_end=NO_CARDS)
ON_A_BADGE = ON_A_BADGE.with_player(0, hand="").with_player(1, hand="climber-rock")
NO_ACORN_LEFT = table().with_player(0, at=2, cubes=(7, 0, 0)).with_player(1, cubes=(8, 0, 0))
TO_EXCHANGE, TO_ACORN = Wildlife("exchange", "exchange"), Wildlife("acorn", "acorn")


def acorns_out(ana: int, rulings: dict[str, str] | None = None):
    """Return Ana before the acorn site and the bear, by night there: she has so many acorns, Bo has seven."""
    state = table(3, sun=4, rulings=rulings).with_player(0, at=2, cubes=(ana, 0, 0))
    return state.with_player(1, cubes=(7, 0, 0)).with_player(2, cubes=(0, 0, 0))


EXCHANGE_FIRST = replace(acorns_out(7).with_player(0, at=1), bear="exchange", tasks=(Encounter("exchange"),))
NO_SECOND_ACTION = {"bear-same-site": "nothing"}

OUTCOMES = {
    "bear-met": [
        (MET_ON_LEAF, [Hike(2)], {"cubes": (1, 2, 1), "tasks": (Bear(),), "turn": 0}),
        (MET_ON_LEAF, [Hike(1), Leave()], {"bear": "leaf", "turn": BO}),  # elsewhere nobody is met
    ],
    "bear-die": [
        (MET_ON_LEAF, [Hike(2), Wildlife("acorn", "acorn")], {"bear": "acorn", "cubes": (2, 2, 1), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), Wildlife("leaf", "leaf")], {"bear": "leaf", "cubes": (1, 3, 1), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), Wildlife("rock", "rock")], {"bear": "rock", "cubes": (1, 2, 2), "turn": BO}),
        (
            MET_ON_LEAF,
            [Hike(2), Wildlife("exchange", "exchange")],
            {"bear": "exchange", "tasks": (AtSite("exchange"),)},
        ),
        (MET_ON_LEAF, [Hike(2), Wildlife("photo", "photo")], {"bear": "photo", "tasks": (AtSite("photo"),)}),
    ],
    "bear-face": [
        (MET_ON_LEAF, [Hike(2), Wildlife("bear", "rock")], {"bear": "rock", "cubes": (1, 2, 2), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), Wildlife("bear", "leaf")], {"bear": "leaf", "cubes": (1, 3, 1), "turn": BO}),
        (
            table(bear="leaf", rulings=NO_SECOND_ACTION),
            [Hike(2), Wildlife("bear", "leaf")],
            {"bear": "leaf", "cubes": (1, 3, 1), "turn": BO},
        ),
    ],
    "bear-may-act": [
        (MET_ON_LEAF, [Hike(2), Wildlife("photo", "photo"), Leave()], {"bear": "photo", "photos": (), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), Wildlife("exchange", "exchange"), Exchange("rock", "leaf")], {"cubes": (1, 4, 0)}),
        (
            MET_ON_LEAF,
            [Hike(2), Wildlife("photo", "photo"), Photograph(pay="leaf")],
            {"cubes": (1, 1, 1), "photos": (None,)},
        ),
    ],
    "bear-night": [
        (table(bear="leaf", sun=2), [Hike(2), Wildlife("rock", "rock")], {"cubes": (1, 2, 3)}),
        (table(bear="leaf", sun=2), [Hike(2), Wildlife("acorn", "acorn")], {"cubes": (2, 2, 1)}),
        (table(bear="leaf", sun=ALL_NIGHT), [Hike(2), Wildlife("photo", "photo"), Photograph()], {"cubes": (1, 3, 1)}),
        (table(bear="leaf", sun=ALL_NIGHT), [Hike(2), Wildlife("leaf", "leaf")], {"cubes": (1, 5, 1)}),
    ],
    "bear-order": [
        # the exchange first, then the bear
        (MET_AT_EXCHANGE, [Exchange("acorn", "leaf")], {"cubes": (0, 3, 1), "tasks": (Bear(),), "turn": 0}),
        (
            MET_AT_EXCHANGE,
            [Exchange("acorn", "leaf"), Wildlife("rock", "rock")],
            {"cubes": (0, 3, 2), "bear": "rock", "turn": BO},
        ),
        # the bear first, then the exchange
        (
            MET_AT_EXCHANGE,
            [Wildlife("rock", "rock")],
            {"cubes": (1, 1, 2), "bear": "rock", "tasks": (AtSite("exchange"),), "turn": 0},
        ),
        (MET_AT_EXCHANGE, [Wildlife("rock", "rock"), Exchange("rock", "leaf")], {"cubes": (1, 3, 1), "turn": BO}),
        (MET_AT_EXCHANGE, [Wildlife("rock", "rock"), Leave()], {"cubes": (1, 1, 2), "turn": BO}),
        # the bear's cube pays for the photo of one's own site
        (BROKE_AT_PHOTO, [Wildlife("leaf", "leaf"), Photograph(pay="leaf")], {"cubes": (0, 0, 0), "photos": (None,)}),
        # rolled first: which of two sites that leave a choice comes first is still open
        (MET_AT_EXCHANGE, [Wildlife("photo", "photo")], {"tasks": (BothSites("exchange", "photo"),), "turn": 0}),
        (MET_AT_EXCHANGE, [Wildlife("photo", "photo"), Photograph(pay="rock")], {"tasks": (AtSite("exchange"),)}),
        (
            MET_AT_EXCHANGE.with_player(0, cubes=(0, 1, 0)),
            [Wildlife("photo", "photo"), Exchange("leaf", "acorn"), Photograph(pay="acorn")],
            {"cubes": (1, 0, 0), "photos": (None,), "turn": BO},
        ),
        (
            MET_AT_PHOTO,
            [Wildlife("exchange", "exchange"), Exchange("leaf", "acorn"), Photograph(pay="acorn")],
            {"cubes": (2, 0, 1), "photos": (None,), "turn": BO},
        ),
        (MET_AT_EXCHANGE, [Wildlife("photo", "photo"), Leave()], {"cubes": (1, 1, 1), "photos": (), "turn": BO}),
        # without a cube neither site has anything to give by day; a resource of the bear’s can be exchanged
        (MET_AT_EXCHANGE.with_player(0, cubes=(0, 0, 0)), [Wildlife("photo", "photo")], {"photos": (), "turn": BO}),
        (MET_AT_EXCHANGE.with_player(0, cubes=(0, 0, 0)), [Wildlife("leaf", "leaf")], {"tasks": (AtSite("exchange"),)}),
        # nothing to pay with before or after
        (BROKE_AT_PHOTO, [Wildlife("exchange", "exchange")], {"cubes": (0, 0, 0), "photos": (), "turn": BO}),
        # a photo at each of the two
        (
            MET_AT_PHOTO,
            [Photograph(pay="rock"), Wildlife("bear", "photo"), Photograph(pay="leaf")],
            {"cubes": (1, 0, 0), "photos": (None, None), "turn": BO},
        ),
        # Few acorns are left, by night: two come from a site, and fifteen are in the box.
        # two are left: one's own site comes first, for its cubes may pay at the bear's
        (acorns_out(6), [Hike(1)], {"cubes": (8, 0, 0), "tasks": (Bear(),)}),
        # none is left: the bear comes first, and the acorn given for leaves is then there to be taken
        (acorns_out(8), [Hike(1)], {"cubes": (8, 0, 0), "tasks": (AtSite("acorn"), Bear())}),
        (acorns_out(8), [Hike(1), TO_EXCHANGE], {"cubes": (8, 0, 0), "tasks": (AtSite("acorn"), AtSite("exchange"))}),
        (
            acorns_out(8),
            [Hike(1), TO_EXCHANGE, Exchange("acorn", "leaf")],
            {"cubes": (8, 2, 0), "tasks": (KeepEight(),)},
        ),
        # one is left of the two: the player chooses, before the die and after it
        (acorns_out(7), [Hike(1)], {"cubes": (7, 0, 0), "tasks": (Encounter("acorn"),), "turn": 0}),
        (acorns_out(7), [Hike(1), GainResource("acorn")], {"cubes": (8, 0, 0), "tasks": (Bear(),)}),
        (
            acorns_out(7),
            [Hike(1), GainResource("acorn"), TO_EXCHANGE, Exchange("acorn", "leaf")],
            {"cubes": (7, 2, 0), "tasks": (KeepEight(),)},
        ),
        (acorns_out(7), [Hike(1), TO_EXCHANGE], {"cubes": (7, 0, 0), "tasks": (BothSites("acorn", "exchange"),)}),
        (
            acorns_out(7),
            [Hike(1), TO_EXCHANGE, GainResource("acorn")],
            {"cubes": (8, 0, 0), "tasks": (AtSite("exchange"),)},
        ),
        (
            acorns_out(7),
            [Hike(1), TO_EXCHANGE, Exchange("acorn", "leaf")],
            {"cubes": (8, 2, 0), "tasks": (KeepEight(),)},
        ),
        (acorns_out(7), [Hike(1), TO_EXCHANGE, Leave()], {"cubes": (8, 0, 0), "turn": BO}),
        # the same where the bear goes to the site with too few
        (EXCHANGE_FIRST, [TO_ACORN], {"cubes": (7, 0, 0), "tasks": (BothSites("exchange", "acorn"),)}),
        (EXCHANGE_FIRST, [TO_ACORN, GainResource("acorn")], {"cubes": (8, 0, 0), "tasks": (AtSite("exchange"),)}),
        (EXCHANGE_FIRST, [TO_ACORN, Exchange("acorn", "leaf")], {"cubes": (8, 2, 0), "tasks": (KeepEight(),)}),
        # nothing to choose: a photo is free by night, rocks pay for nothing, and without a cube the acorn must come first
        (acorns_out(7), [Hike(1), Wildlife("photo", "photo"), Leave()], {"cubes": (8, 0, 0), "turn": BO}),
        (acorns_out(7), [Hike(1), Wildlife("rock", "rock")], {"cubes": (8, 0, 2), "tasks": (KeepEight(),)}),
        (acorns_out(7), [Hike(1), TO_ACORN], {"cubes": (8, 0, 0), "turn": BO}),
        (
            EXCHANGE_FIRST.with_player(0, cubes=(0, 0, 0)).with_player(2, cubes=(7, 0, 0)),
            [TO_ACORN],
            {"cubes": (1, 0, 0), "tasks": (AtSite("exchange"),)},
        ),
        # with stand-ins nothing runs out
        (acorns_out(7, {"cube-supply": "stand-ins"}), [Hike(1)], {"cubes": (9, 0, 0), "tasks": (Bear(),)}),
    ],
    "resource-supply": [
        # no acorn left to bring: the bear comes first, and the acorn paid for its photo is then there to be taken
        (NO_ACORN_LEFT, [Hike(1)], {"tasks": (AtSite("acorn"), Bear()), "cubes": (7, 0, 0)}),
        (
            NO_ACORN_LEFT,
            [Hike(1), Wildlife("photo", "photo"), Photograph(pay="acorn")],
            {"cubes": (7, 0, 0), "photos": (None,), "turn": BO},
        ),
        # the same where the bear goes to the dry site: the exchange first
        (
            MET_AT_EXCHANGE.with_player(0, cubes=(7, 0, 0)).with_player(1, cubes=(8, 0, 0)),
            [Wildlife("acorn", "acorn"), Exchange("acorn", "leaf")],
            {"cubes": (7, 2, 0), "bear": "acorn", "tasks": (KeepEight(),)},
        ),
    ],
    "bear-same-site": [
        (
            MET_AT_PHOTO,
            [Wildlife("photo", "photo"), Photograph(pay="acorn"), Photograph(pay="leaf")],
            {"bear": "photo", "photos": (None, None), "turn": BO},
        ),
        (
            table(bear="leaf", rulings=NO_SECOND_ACTION),
            [Hike(2), Wildlife("leaf", "leaf")],
            {"bear": "leaf", "cubes": (1, 2, 1), "turn": BO},
        ),
        (
            table(bear="photo", rulings=NO_SECOND_ACTION, tasks=(Encounter("photo"),)).with_player(0, at=4),
            [Wildlife("photo", "photo"), Photograph(pay="acorn")],
            {"bear": "photo", "photos": (None,), "turn": BO},
        ),
        (
            table(bear="leaf", rulings=NO_SECOND_ACTION),
            [Hike(2), Wildlife("rock", "rock")],
            {"bear": "rock", "cubes": (1, 2, 2)},
        ),
    ],
    "bear-no-second": [
        (table(bear="acorn"), [Hike(2)], {"cubes": (1, 2, 1), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), Wildlife("bear", "leaf")], {"turn": BO}),
        (table(bear="leaf").with_player(1, at=3), [Hike(2), Wildlife("acorn", "acorn")], {"turn": BO}),
    ],
    "bear-from-bonus": [
        (ON_A_BADGE, [Wildlife("rock", "rock")], {"bear": "rock", "cubes": (1, 1, 2), "turn": BO}),
        (ON_A_BADGE, [Wildlife("photo", "photo"), Photograph(pay="acorn")], {"bear": "photo", "photos": (None,)}),
        (
            table().with_player(0, at=5),
            [Hike(1), Wildlife("leaf", "leaf")],
            {"bear": "leaf", "cubes": (1, 2, 1), "sun": 1},
        ),
    ],
    "bear-bonus-optional": [
        (ON_A_BADGE, [Leave()], {"bear": "acorn", "cubes": (1, 1, 1), "turn": BO}),
        (
            table().with_player(0, at=5),
            [Hike(1), Wildlife("photo", "photo"), Leave()],
            {"bear": "photo", "photos": (), "sun": 1},
        ),
    ],
}

REFUSED = {
    "bear-bonus-optional": [
        (table(tasks=(Bear(),)), Leave(), "bear-waits"),
        (after(table().with_player(0, at=5), Hike(1)), Leave(), "bear-waits"),  # the Sun points to it
    ],
    "bear-die": [
        (table(tasks=(Bear(),)), Wildlife("leaf", "rock"), "die-says"),
        (table(tasks=(Bear(),)), Wildlife("moon", "rock"), "no-such-face"),
        (MET_AT_PHOTO, Wildlife("photo", "rock"), "die-says"),
        (ON_A_BADGE, Wildlife("leaf", "rock"), "die-says"),
    ],
    "bear-not-ends": [
        (table(tasks=(Bear(),)), Wildlife("bear", "trailhead"), "bear-at-an-end"),
        (table(tasks=(Bear(),)), Wildlife("bear", "trail-end"), "bear-at-an-end"),
        (ON_A_BADGE, Wildlife("bear", "trail-end"), "bear-at-an-end"),
    ],
    "turn-steps": [
        (MET_AT_PHOTO, Leave(), "finish-first"),
        (table(tasks=(AtSite("photo"),)).with_player(0, at=4), Wildlife("leaf", "leaf"), "finish-first"),
        (after(acorns_out(7), Hike(1)), GainResource("leaf"), "finish-first"),
        (after(acorns_out(7), Hike(1)), Leave(), "finish-first"),
        (after(MET_AT_EXCHANGE, Wildlife("photo", "photo")), GainResource("leaf"), "finish-first"),
    ],
    "site-action": [(MET_AT_PHOTO, Exchange("acorn", "leaf"), "no-exchange")],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_the_bear_brings_what_its_rule_says(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_the_bear_refuses_by_its_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


@every_row(
    "state, move, sentence",
    [
        (table(tasks=(Bear(),)), Leave(), "Roll the die and move the bear; what its site brings may be left."),
        (MET_AT_PHOTO, Leave(), "First meet the bear, or do the photo site first."),
        (MET_AT_PHOTO, Wildlife("leaf", "rock"), "The die shows leaf, so the bear goes to the leaf site."),
        (MET_AT_PHOTO, Wildlife("bear", "trailhead"), "The bear never goes to the Trailhead or Trail End."),
        (BROKE_AT_PHOTO, Photograph(pay="leaf"), "By day a photo costs one resource; you have no leaf."),
    ],
)
def test_a_refusal_at_the_bear_says_what_is_asked(state, move, sentence):
    assert sentences(state, move) == [sentence]


def test_a_site_face_sends_the_bear_to_no_end():
    assert codes(table(tasks=(Bear(),)), Wildlife("leaf", "trailhead")) == ["die-says", "bear-at-an-end"]


def test_the_offers_hold_all_six_faces_and_all_five_sites_for_the_bear():
    offers = [offer.move for offer in PLAY.offers(table(tasks=(Bear(),)), 0) if isinstance(offer.move, Wildlife)]
    assert {move.face for move in offers} == {"acorn", "leaf", "rock", "exchange", "photo", "bear"}
    assert [move.site for move in offers if move.face == "bear"] == ["exchange", "leaf", "acorn", "photo", "rock"]


def test_two_hikers_can_meet_the_bear_one_after_the_other():
    state = after(MET_ON_LEAF, Hike(2), Wildlife("leaf", "leaf"), Hike(2))
    assert state.tasks == (Bear(),)
    assert state.turn == BO


ASKED = after(acorns_out(7), Hike(1), TO_EXCHANGE)


def test_the_order_is_asked_for_in_words():
    assert PLAY.prompt(after(acorns_out(7), Hike(1))) == "Meet the bear, or do the acorn site first."
    assert PLAY.prompt(ASKED) == "Do the acorn site and exchange a resource, in either order, or leave the exchange."
    assert PLAY.prompt(after(MET_AT_EXCHANGE, Wildlife("photo", "photo"))) == (
        "Exchange a resource and take a photo, in either order, or leave them."
    )


@pytest.mark.parametrize(
    "move, label, hint, said",
    [
        (GainResource("acorn"), "The acorn site first", "+1 acorn", "Ana did the acorn site first. +1 acorn."),
        (
            Exchange("acorn", "leaf"),
            "Acorn for 2 leaves",
            "",
            "Ana exchanged an acorn for 2 leaves. +1 acorn, 2 leaves.",
        ),
        (Leave(), "Leave the exchange", "", "Ana left the exchange. +1 acorn."),
    ],
)
def test_either_order_says_what_it_does(move, label, hint, said):
    assert (move.label(ASKED, 0), move.hint(ASKED, 0)) == (label, hint)
    assert PLAY.tell(ASKED, after(ASKED, move), 0, move) == said


def test_the_offers_hold_both_orders():
    before = {type(offer.move) for offer in PLAY.offers(after(acorns_out(7), Hike(1)), 0) if not offer.move.anytime}
    assert before == {GainResource, Wildlife}
    assert {type(offer.move) for offer in PLAY.offers(ASKED, 0) if not offer.move.anytime} == {
        GainResource,
        Exchange,
        Leave,
    }
