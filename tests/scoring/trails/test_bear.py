"""TRAILS: meeting the bear on the Trail, and the bear by a badge or the Sun Track."""

import pytest
from msgspec.structs import replace

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import GainResource
from scoring.trails.moves.hiking import Exchange, Hike, Photograph, RollWildlife, Skip
from scoring.trails.state import BearEncounter, BothSites, EarnBadges, KeepEight, MoveBear, SiteAction
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
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
)

MET_ON_LEAF = make_state(bear="leaf")
MET_AT_EXCHANGE = make_state(bear="exchange", tasks=(BearEncounter("exchange"),)).with_player(0, space=1)
MET_AT_PHOTO = make_state(bear="photo", tasks=(BearEncounter("photo"),)).with_player(0, space=4)
BROKE_AT_PHOTO = MET_AT_PHOTO.with_player(0, cubes=(0, 0, 0))
ON_A_BADGE = make_state(
    tasks=(EarnBadges("trailhead"), MoveBear(is_optional=True)), trailhead=NO_CARDS, trail_end=NO_CARDS
)
ON_A_BADGE = ON_A_BADGE.with_player(0, hand="").with_player(1, hand="climber-rock")
NO_ACORN_LEFT = make_state().with_player(0, space=2, cubes=(7, 0, 0)).with_player(1, cubes=(8, 0, 0))
TO_EXCHANGE, TO_ACORN = RollWildlife("exchange", "exchange"), RollWildlife("acorn", "acorn")


def state_with_acorns(ana: int, rulings: dict[str, str] | None = None):
    """Return Ana before the acorn site and the bear, at night, with `ana` acorns; Bo has seven."""
    state = make_state(3, sun=4, rulings=rulings).with_player(0, space=2, cubes=(ana, 0, 0))
    return state.with_player(1, cubes=(7, 0, 0)).with_player(2, cubes=(0, 0, 0))


EXCHANGE_FIRST = replace(
    state_with_acorns(7).with_player(0, space=1), bear="exchange", tasks=(BearEncounter("exchange"),)
)
NO_SECOND_ACTION = {"bear-same-site": "nothing"}

OUTCOMES = {
    "bear-met": [
        (MET_ON_LEAF, [Hike(2)], {"cubes": (1, 2, 1), "tasks": (MoveBear(),), "turn": 0}),
        (MET_ON_LEAF, [Hike(1), Skip()], {"bear": "leaf", "turn": BO}),  # Elsewhere there is no encounter.
    ],
    "bear-die": [
        (MET_ON_LEAF, [Hike(2), RollWildlife("acorn", "acorn")], {"bear": "acorn", "cubes": (2, 2, 1), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), RollWildlife("leaf", "leaf")], {"bear": "leaf", "cubes": (1, 3, 1), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), RollWildlife("rock", "rock")], {"bear": "rock", "cubes": (1, 2, 2), "turn": BO}),
        (
            MET_ON_LEAF,
            [Hike(2), RollWildlife("exchange", "exchange")],
            {"bear": "exchange", "tasks": (SiteAction("exchange"),)},
        ),
        (MET_ON_LEAF, [Hike(2), RollWildlife("photo", "photo")], {"bear": "photo", "tasks": (SiteAction("photo"),)}),
    ],
    "bear-face": [
        (MET_ON_LEAF, [Hike(2), RollWildlife("bear", "rock")], {"bear": "rock", "cubes": (1, 2, 2), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), RollWildlife("bear", "leaf")], {"bear": "leaf", "cubes": (1, 3, 1), "turn": BO}),
        (
            make_state(bear="leaf", rulings=NO_SECOND_ACTION),
            [Hike(2), RollWildlife("bear", "leaf")],
            {"bear": "leaf", "cubes": (1, 3, 1), "turn": BO},
        ),
    ],
    "bear-may-act": [
        (MET_ON_LEAF, [Hike(2), RollWildlife("photo", "photo"), Skip()], {"bear": "photo", "photos": (), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), RollWildlife("exchange", "exchange"), Exchange("rock", "leaf")], {"cubes": (1, 4, 0)}),
        (
            MET_ON_LEAF,
            [Hike(2), RollWildlife("photo", "photo"), Photograph(pay="leaf")],
            {"cubes": (1, 1, 1), "photos": (None,)},
        ),
    ],
    "bear-night": [
        (make_state(bear="leaf", sun=2), [Hike(2), RollWildlife("rock", "rock")], {"cubes": (1, 2, 3)}),
        (make_state(bear="leaf", sun=2), [Hike(2), RollWildlife("acorn", "acorn")], {"cubes": (2, 2, 1)}),
        (
            make_state(bear="leaf", sun=ALL_NIGHT_SUN),
            [Hike(2), RollWildlife("photo", "photo"), Photograph()],
            {"cubes": (1, 3, 1)},
        ),
        (make_state(bear="leaf", sun=ALL_NIGHT_SUN), [Hike(2), RollWildlife("leaf", "leaf")], {"cubes": (1, 5, 1)}),
    ],
    "bear-order": [
        # The exchange first, then the bear.
        (MET_AT_EXCHANGE, [Exchange("acorn", "leaf")], {"cubes": (0, 3, 1), "tasks": (MoveBear(),), "turn": 0}),
        (
            MET_AT_EXCHANGE,
            [Exchange("acorn", "leaf"), RollWildlife("rock", "rock")],
            {"cubes": (0, 3, 2), "bear": "rock", "turn": BO},
        ),
        # The bear first, then the exchange.
        (
            MET_AT_EXCHANGE,
            [RollWildlife("rock", "rock")],
            {"cubes": (1, 1, 2), "bear": "rock", "tasks": (SiteAction("exchange"),), "turn": 0},
        ),
        (MET_AT_EXCHANGE, [RollWildlife("rock", "rock"), Exchange("rock", "leaf")], {"cubes": (1, 3, 1), "turn": BO}),
        (MET_AT_EXCHANGE, [RollWildlife("rock", "rock"), Skip()], {"cubes": (1, 1, 2), "turn": BO}),
        # The cube from the bear's site pays for the photo at the hiker's site.
        (
            BROKE_AT_PHOTO,
            [RollWildlife("leaf", "leaf"), Photograph(pay="leaf")],
            {"cubes": (0, 0, 0), "photos": (None,)},
        ),
        # Rolled first: the order of two sites that both have a choice is still open.
        (MET_AT_EXCHANGE, [RollWildlife("photo", "photo")], {"tasks": (BothSites("exchange", "photo"),), "turn": 0}),
        (
            MET_AT_EXCHANGE,
            [RollWildlife("photo", "photo"), Photograph(pay="rock")],
            {"tasks": (SiteAction("exchange"),)},
        ),
        (
            MET_AT_EXCHANGE.with_player(0, cubes=(0, 1, 0)),
            [RollWildlife("photo", "photo"), Exchange("leaf", "acorn"), Photograph(pay="acorn")],
            {"cubes": (1, 0, 0), "photos": (None,), "turn": BO},
        ),
        (
            MET_AT_PHOTO,
            [RollWildlife("exchange", "exchange"), Exchange("leaf", "acorn"), Photograph(pay="acorn")],
            {"cubes": (2, 0, 1), "photos": (None,), "turn": BO},
        ),
        (MET_AT_EXCHANGE, [RollWildlife("photo", "photo"), Skip()], {"cubes": (1, 1, 1), "photos": (), "turn": BO}),
        # Without a cube neither site gives anything by day; a resource from the bear's site can be exchanged.
        (MET_AT_EXCHANGE.with_player(0, cubes=(0, 0, 0)), [RollWildlife("photo", "photo")], {"photos": (), "turn": BO}),
        (
            MET_AT_EXCHANGE.with_player(0, cubes=(0, 0, 0)),
            [RollWildlife("leaf", "leaf")],
            {"tasks": (SiteAction("exchange"),)},
        ),
        # Nothing to pay with before or after.
        (BROKE_AT_PHOTO, [RollWildlife("exchange", "exchange")], {"cubes": (0, 0, 0), "photos": (), "turn": BO}),
        # A photo at each of the two sites.
        (
            MET_AT_PHOTO,
            [Photograph(pay="rock"), RollWildlife("bear", "photo"), Photograph(pay="leaf")],
            {"cubes": (1, 0, 0), "photos": (None, None), "turn": BO},
        ),
        # Few acorns are left at night: a site gives two, and the box has fifteen.
        # Two are left: the hiker's site comes first, because its cubes may pay at the bear's site.
        (state_with_acorns(6), [Hike(1)], {"cubes": (8, 0, 0), "tasks": (MoveBear(),)}),
        # None is left: the bear comes first, and the acorn paid for leaves can then be taken.
        (state_with_acorns(8), [Hike(1)], {"cubes": (8, 0, 0), "tasks": (SiteAction("acorn"), MoveBear())}),
        (
            state_with_acorns(8),
            [Hike(1), TO_EXCHANGE],
            {"cubes": (8, 0, 0), "tasks": (SiteAction("acorn"), SiteAction("exchange"))},
        ),
        (
            state_with_acorns(8),
            [Hike(1), TO_EXCHANGE, Exchange("acorn", "leaf")],
            {"cubes": (8, 2, 0), "tasks": (KeepEight(),)},
        ),
        # Only one is left: the player chooses, before and after the roll.
        (state_with_acorns(7), [Hike(1)], {"cubes": (7, 0, 0), "tasks": (BearEncounter("acorn"),), "turn": 0}),
        (state_with_acorns(7), [Hike(1), GainResource("acorn")], {"cubes": (8, 0, 0), "tasks": (MoveBear(),)}),
        (
            state_with_acorns(7),
            [Hike(1), GainResource("acorn"), TO_EXCHANGE, Exchange("acorn", "leaf")],
            {"cubes": (7, 2, 0), "tasks": (KeepEight(),)},
        ),
        (
            state_with_acorns(7),
            [Hike(1), TO_EXCHANGE],
            {"cubes": (7, 0, 0), "tasks": (BothSites("acorn", "exchange"),)},
        ),
        (
            state_with_acorns(7),
            [Hike(1), TO_EXCHANGE, GainResource("acorn")],
            {"cubes": (8, 0, 0), "tasks": (SiteAction("exchange"),)},
        ),
        (
            state_with_acorns(7),
            [Hike(1), TO_EXCHANGE, Exchange("acorn", "leaf")],
            {"cubes": (8, 2, 0), "tasks": (KeepEight(),)},
        ),
        (state_with_acorns(7), [Hike(1), TO_EXCHANGE, Skip()], {"cubes": (8, 0, 0), "turn": BO}),
        # The same where the bear goes to the site with too few.
        (EXCHANGE_FIRST, [TO_ACORN], {"cubes": (7, 0, 0), "tasks": (BothSites("exchange", "acorn"),)}),
        (EXCHANGE_FIRST, [TO_ACORN, GainResource("acorn")], {"cubes": (8, 0, 0), "tasks": (SiteAction("exchange"),)}),
        (EXCHANGE_FIRST, [TO_ACORN, Exchange("acorn", "leaf")], {"cubes": (8, 2, 0), "tasks": (KeepEight(),)}),
        # No choice: a photo is free at night, rocks cost nothing, and without a cube the acorn must come first.
        (state_with_acorns(7), [Hike(1), RollWildlife("photo", "photo"), Skip()], {"cubes": (8, 0, 0), "turn": BO}),
        (state_with_acorns(7), [Hike(1), RollWildlife("rock", "rock")], {"cubes": (8, 0, 2), "tasks": (KeepEight(),)}),
        (state_with_acorns(7), [Hike(1), TO_ACORN], {"cubes": (8, 0, 0), "turn": BO}),
        (
            EXCHANGE_FIRST.with_player(0, cubes=(0, 0, 0)).with_player(2, cubes=(7, 0, 0)),
            [TO_ACORN],
            {"cubes": (1, 0, 0), "tasks": (SiteAction("exchange"),)},
        ),
        # With stand-ins nothing runs out.
        (state_with_acorns(7, {"cube-supply": "stand-ins"}), [Hike(1)], {"cubes": (9, 0, 0), "tasks": (MoveBear(),)}),
    ],
    "resource-supply": [
        # No acorn is left: the bear comes first, and the acorn paid for its photo can then be taken.
        (NO_ACORN_LEFT, [Hike(1)], {"tasks": (SiteAction("acorn"), MoveBear()), "cubes": (7, 0, 0)}),
        (
            NO_ACORN_LEFT,
            [Hike(1), RollWildlife("photo", "photo"), Photograph(pay="acorn")],
            {"cubes": (7, 0, 0), "photos": (None,), "turn": BO},
        ),
        # The same where the bear goes to the empty site: the exchange first.
        (
            MET_AT_EXCHANGE.with_player(0, cubes=(7, 0, 0)).with_player(1, cubes=(8, 0, 0)),
            [RollWildlife("acorn", "acorn"), Exchange("acorn", "leaf")],
            {"cubes": (7, 2, 0), "bear": "acorn", "tasks": (KeepEight(),)},
        ),
    ],
    "bear-same-site": [
        (
            MET_AT_PHOTO,
            [RollWildlife("photo", "photo"), Photograph(pay="acorn"), Photograph(pay="leaf")],
            {"bear": "photo", "photos": (None, None), "turn": BO},
        ),
        (
            make_state(bear="leaf", rulings=NO_SECOND_ACTION),
            [Hike(2), RollWildlife("leaf", "leaf")],
            {"bear": "leaf", "cubes": (1, 2, 1), "turn": BO},
        ),
        (
            make_state(bear="photo", rulings=NO_SECOND_ACTION, tasks=(BearEncounter("photo"),)).with_player(0, space=4),
            [RollWildlife("photo", "photo"), Photograph(pay="acorn")],
            {"bear": "photo", "photos": (None,), "turn": BO},
        ),
        (
            make_state(bear="leaf", rulings=NO_SECOND_ACTION),
            [Hike(2), RollWildlife("rock", "rock")],
            {"bear": "rock", "cubes": (1, 2, 2)},
        ),
    ],
    "bear-no-second": [
        (make_state(bear="acorn"), [Hike(2)], {"cubes": (1, 2, 1), "turn": BO}),
        (MET_ON_LEAF, [Hike(2), RollWildlife("bear", "leaf")], {"turn": BO}),
        (make_state(bear="leaf").with_player(1, space=3), [Hike(2), RollWildlife("acorn", "acorn")], {"turn": BO}),
    ],
    "bear-from-bonus": [
        (ON_A_BADGE, [RollWildlife("rock", "rock")], {"bear": "rock", "cubes": (1, 1, 2), "turn": BO}),
        (ON_A_BADGE, [RollWildlife("photo", "photo"), Photograph(pay="acorn")], {"bear": "photo", "photos": (None,)}),
        (
            make_state().with_player(0, space=5),
            [Hike(1), RollWildlife("leaf", "leaf")],
            {"bear": "leaf", "cubes": (1, 2, 1), "sun": 1},
        ),
    ],
    "bear-bonus-optional": [
        (ON_A_BADGE, [Skip()], {"bear": "acorn", "cubes": (1, 1, 1), "turn": BO}),
        (
            make_state().with_player(0, space=5),
            [Hike(1), RollWildlife("photo", "photo"), Skip()],
            {"bear": "photo", "photos": (), "sun": 1},
        ),
    ],
}

REFUSED = {
    "bear-bonus-optional": [
        (make_state(tasks=(MoveBear(),)), Skip(), "bear-waits"),
        (state_after(make_state().with_player(0, space=5), Hike(1)), Skip(), "bear-waits"),  # By the Sun Track.
    ],
    "bear-die": [
        (make_state(tasks=(MoveBear(),)), RollWildlife("leaf", "rock"), "die-says"),
        (make_state(tasks=(MoveBear(),)), RollWildlife("moon", "rock"), "no-such-face"),
        (MET_AT_PHOTO, RollWildlife("photo", "rock"), "die-says"),
        (ON_A_BADGE, RollWildlife("leaf", "rock"), "die-says"),
    ],
    "bear-not-ends": [
        (make_state(tasks=(MoveBear(),)), RollWildlife("bear", "trailhead"), "bear-at-an-end"),
        (make_state(tasks=(MoveBear(),)), RollWildlife("bear", "trail-end"), "bear-at-an-end"),
        (ON_A_BADGE, RollWildlife("bear", "trail-end"), "bear-at-an-end"),
    ],
    "bear-met": [
        (make_state(tasks=(SiteAction("photo"),)).with_player(0, space=4), RollWildlife("leaf", "leaf"), "no-bear")
    ],
    "turn-steps": [
        (MET_AT_PHOTO, Skip(), "finish-first"),
        (state_after(state_with_acorns(7), Hike(1)), GainResource("leaf"), "finish-first"),
        (state_after(state_with_acorns(7), Hike(1)), Skip(), "finish-first"),
        (state_after(MET_AT_EXCHANGE, RollWildlife("photo", "photo")), GainResource("leaf"), "finish-first"),
    ],
    "site-action": [(MET_AT_PHOTO, Exchange("acorn", "leaf"), "no-exchange")],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_bear_move_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_bear_move_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@run_all_rows(
    "state, move, sentence",
    [
        (
            make_state(tasks=(MoveBear(),)),
            Skip(),
            "You can’t skip this roll. Roll the die and move the bear. You may skip its site.",
        ),
        (MET_AT_PHOTO, Skip(), "First roll the Wildlife die or take the photo site\u2019s action, in either order."),
        (MET_AT_PHOTO, RollWildlife("leaf", "rock"), "The die shows the leaf. Move the bear to the leaf site."),
        (
            MET_AT_PHOTO,
            RollWildlife("bear", "trailhead"),
            "The bear can’t go to the Trailhead or Trail End. Choose one of the five sites.",
        ),
        (BROKE_AT_PHOTO, Photograph(pay="leaf"), "You have no leaves to pay with. Choose another resource."),
    ],
)
def test_refusal_of_a_bear_move_says_what_is_needed(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_site_face_does_not_send_the_bear_to_an_end_of_the_trail():
    assert objection_codes(make_state(tasks=(MoveBear(),)), RollWildlife("leaf", "trailhead")) == [
        "die-says",
        "bear-at-an-end",
    ]


def test_offers_for_the_bear_have_all_six_faces_and_all_five_sites():
    offers = [
        offer.move
        for offer in TRACKED_GAME.offers(make_state(tasks=(MoveBear(),)), 0)
        if isinstance(offer.move, RollWildlife)
    ]
    assert {move.face for move in offers} == {"acorn", "leaf", "rock", "exchange", "photo", "bear"}
    assert [move.site for move in offers if move.face == "bear"] == ["exchange", "leaf", "acorn", "photo", "rock"]


def test_two_hikers_can_meet_the_bear_one_after_the_other():
    state = state_after(MET_ON_LEAF, Hike(2), RollWildlife("leaf", "leaf"), Hike(2))
    assert state.tasks == (MoveBear(),)
    assert state.turn == BO


EITHER_ORDER = state_after(state_with_acorns(7), Hike(1), TO_EXCHANGE)


def test_prompt_asks_for_the_order():
    assert (
        TRACKED_GAME.text.prompt(state_after(state_with_acorns(7), Hike(1)))
        == "Bear encounter: bear or acorn site first?"
    )
    assert TRACKED_GAME.text.prompt(EITHER_ORDER) == "Bear encounter: acorn or exchange site first?"
    assert TRACKED_GAME.text.prompt(state_after(MET_AT_EXCHANGE, RollWildlife("photo", "photo"))) == (
        "Bear encounter: exchange or photo site first?"
    )


@pytest.mark.parametrize(
    "move, label, hint, log_text",
    [
        (
            GainResource("acorn"),
            "Take the acorn site\u2019s action first",
            "+1 acorn",
            "Ana took the acorn site\u2019s action first, +1 acorn.",
        ),
        (
            Exchange("acorn", "leaf"),
            "Exchange 1 acorn for 2 leaves",
            "",
            "Ana exchanged 1 acorn for 2 leaves (bear), +2 acorns (acorn site).",
        ),
        (Skip(), "Skip the exchange", "", "Ana skipped the exchange, +1 acorn (acorn site)."),
    ],
)
def test_moves_in_either_order_have_labels_hints_and_log_lines(move, label, hint, log_text):
    assert (move.label(EITHER_ORDER, 0).text, move.label(EITHER_ORDER, 0).hint) == (label, hint)
    assert TRACKED_GAME.log_sentence(EITHER_ORDER, state_after(EITHER_ORDER, move), 0, move) == log_text


def test_offers_have_both_orders():
    before = {
        type(offer.move)
        for offer in TRACKED_GAME.offers(state_after(state_with_acorns(7), Hike(1)), 0)
        if not offer.move.out_of_turn
    }
    assert before == {GainResource, RollWildlife}
    assert {type(offer.move) for offer in TRACKED_GAME.offers(EITHER_ORDER, 0) if not offer.move.out_of_turn} == {
        GainResource,
        Exchange,
        Skip,
    }
