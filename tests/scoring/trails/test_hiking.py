"""TRAILS: how far a hiker goes, with and without the canteen, and the ends of the Trail."""

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.hiking import Exchange, Hike, Skip
from scoring.trails.state import BearEncounter, EarnBadges, KeepEight, SiteAction, TakePhoto
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    BO,
    case_params,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
)

START = make_state()
ON_LEAF = START.with_player(0, space=2)
ON_ROCK = START.with_player(0, space=5)
HOMEWARDS = START.with_player(0, space=4, facing=-1)
THIRSTY = START.with_player(0, canteen=False)
STAYING = make_state(rulings={"canteen-stay": "yes"})
TAKING_A_PHOTO = make_state(tasks=(EarnBadges("trailhead"), TakePhoto("photography")))

REFUSED = {
    "hike-distance": [
        (START, Hike(3), "hike-distance"),
        (START, Hike(0), "hike-distance"),
        (HOMEWARDS, Hike(4), "hike-distance"),
        (STAYING.with_player(0, space=2), Hike(0), "hike-distance"),
    ],
    "hike-ends": [
        (ON_ROCK, Hike(2), "past-the-end"),
        (ON_ROCK, Hike(2, canteen=True), "past-the-end"),
        (START, Hike(7, canteen=True), "past-the-end"),
        (HOMEWARDS, Hike(5, canteen=True), "past-the-end"),
        (HOMEWARDS.with_player(0, space=1), Hike(2), "past-the-end"),
    ],
    "canteen-filled": [
        (THIRSTY, Hike(3, canteen=True), "canteen-empty"),
        (THIRSTY, Hike(1, canteen=True), "canteen-empty"),
    ],
    "canteen-new-tile": [
        (ON_LEAF, Hike(0, canteen=True), "same-tile"),
        (ON_LEAF, Hike(-1, canteen=True), "same-tile"),
        (STAYING, Hike(0, canteen=True), "same-tile"),
        (STAYING.with_player(0, space=6, facing=-1), Hike(0, canteen=True), "same-tile"),
    ],
    "hike-must": [
        (START, Skip(), "hike-first"),
        (START, Exchange("acorn", "leaf"), "hike-first"),
    ],
    "turn-steps": [
        (make_state(tasks=(SiteAction("exchange"),)).with_player(0, space=1), Hike(1), "finish-first"),
        (make_state(tasks=(BearEncounter("acorn"),)).with_player(0, space=3), Hike(1), "finish-first"),
        (TAKING_A_PHOTO, Hike(1), "finish-first"),
        (make_state(tasks=(KeepEight(),)), Hike(1), "finish-first"),
    ],
    "turn-order": [(make_state(turn=BO), Hike(1), "not-your-turn")],
}

ALLOWED = {
    "hike-distance": [(START, Hike(1)), (START, Hike(2)), (HOMEWARDS, Hike(1)), (HOMEWARDS, Hike(2))],
    "hike-ends": [(ON_ROCK, Hike(1)), (HOMEWARDS.with_player(0, space=1), Hike(1))],
    "canteen-distance": [
        (START, Hike(3, canteen=True)),
        (START, Hike(4, canteen=True)),
        (HOMEWARDS, Hike(3, canteen=True)),
    ],
    "canteen-to-end": [(START, Hike(6, canteen=True)), (HOMEWARDS, Hike(4, canteen=True))],
    "canteen-short": [(START, Hike(1, canteen=True)), (START, Hike(2, canteen=True))],
    "canteen-filled": [(THIRSTY, Hike(1)), (THIRSTY, Hike(2))],
    "canteen-new-tile": [(STAYING.with_player(0, space=2), Hike(0, canteen=True))],
    "sharing": [(START.with_player(1, space=2), Hike(2)), (ON_ROCK.with_player(1, space=6, facing=-1), Hike(1))],
}

OUTCOMES = {
    "hike-facing": [
        (START, [Hike(2)], {"space": 2, "facing": 1}),
        (HOMEWARDS, [Hike(2)], {"space": 2, "facing": -1}),
        (HOMEWARDS, [Hike(3, canteen=True)], {"space": 1, "facing": -1}),
    ],
    "turn-order": [
        (START, [Hike(2)], {"turn": BO}),
        (make_state(3), [Hike(2), Hike(2), Hike(2)], {"turn": 0}),
    ],
    "canteen-empties": [
        (START, [Hike(4, canteen=True)], {"canteen": False}),
        (START, [Hike(2, canteen=True)], {"canteen": False}),
        (START, [Hike(2)], {"canteen": True}),
        (START, [Hike(6, canteen=True)], {"canteen": False, "space": 6}),
    ],
    "canteen-new-tile": [
        (
            STAYING.with_player(0, space=2),
            [Hike(0, canteen=True)],
            {"space": 2, "cubes": (1, 2, 1), "canteen": False, "turn": BO},
        ),
    ],
    "turn-around": [
        (ON_ROCK, [Hike(1)], {"space": 6, "facing": -1}),
        (HOMEWARDS.with_player(0, space=1), [Hike(1)], {"space": 0, "facing": 1}),
    ],
    "canteen-refill": [
        (HOMEWARDS.with_player(0, space=1, canteen=False), [Hike(1)], {"canteen": True}),
        (HOMEWARDS, [Hike(4, canteen=True)], {"space": 0, "canteen": True}),
        (ON_ROCK.with_player(0, canteen=False), [Hike(1)], {"canteen": False}),
    ],
    "trailhead-steps": [
        (
            HOMEWARDS.with_player(0, space=1, canteen=False),
            [Hike(1)],
            {"facing": 1, "canteen": True, "cubes": (1, 1, 1)},
        ),
    ],
    "sun-not-trailhead": [(HOMEWARDS.with_player(0, space=1), [Hike(1)], {"sun": 0, "bear": "acorn"})],
    "sharing": [(START.with_player(1, space=2), [Hike(2)], {"space": 2, "cubes": (1, 2, 1)})],
}


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_hike_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


def test_hike_back_is_refused_by_its_distance_and_by_the_direction():
    assert objection_codes(START, Hike(-1)) == ["hike-distance", "hike-back"]
    assert objection_rules(START, Hike(-1)) == {"hike-distance", "hike-facing"}


@run_all_rows("state, move", case_params(ALLOWED))
def test_hike_is_allowed_by_its_rule(state, move):
    assert objection_codes(state, move) == []


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_hike_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


def test_empty_canteen_and_a_hike_too_far_are_both_reported():
    assert objection_codes(THIRSTY, Hike(7, canteen=True)) == ["canteen-empty", "past-the-end"]


@run_all_rows(
    "state, move, sentence",
    [
        (START, Hike(3), "Hike 1 or 2 tiles, not 3. You can hike farther with a filled canteen."),
        (ON_ROCK, Hike(2), "You can’t hike past Trail End. It is 1 tile ahead."),
        (HOMEWARDS, Hike(5, canteen=True), "You can’t hike past the Trailhead. It is 4 tiles ahead."),
        (START, Skip(), "Your turn starts with a hike. Hike first."),
        (make_state(turn=BO), Hike(1), "It is Bo\u2019s turn: hike 1 or 2 tiles."),
        (TAKING_A_PHOTO, Hike(1), "First take a free photo, or skip."),
    ],
)
def test_refused_hike_names_the_numbers(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_offers_have_every_distance_and_gray_out_those_too_far():
    offers = {(offer.move.steps, offer.move.canteen): offer.is_legal for offer in _hikes(ON_ROCK)}
    assert offers == {(1, False): True, (2, False): False, (1, True): True}


def test_offers_gray_out_an_empty_canteen():
    offers = {(offer.move.steps, offer.move.canteen): offer.is_legal for offer in _hikes(THIRSTY)}
    assert offers == {(1, False): True, (2, False): True, (3, True): False}


def test_offers_have_staying_put_only_by_ruling():
    assert Hike(0, canteen=True) not in [offer.move for offer in _hikes(ON_LEAF)]
    assert Hike(0, canteen=True) in [offer.move for offer in _hikes(STAYING)]


def _hikes(state):
    return [offer for offer in TRACKED_GAME.offers(state, 0) if isinstance(offer.move, Hike)]


@run_all_rows(
    "state, move, label, hint",
    [
        (ON_ROCK, Hike(2), "Hike 2 tiles", ""),
        (HOMEWARDS, Hike(5, canteen=True), "Hike 5 tiles with the canteen", ""),
        (ON_ROCK, Hike(1), "Hike 1 tile to Trail End", "Sun bonus (bear), then badges"),
        (
            HOMEWARDS,
            Hike(4, canteen=True),
            "Hike 4 tiles to the Trailhead with the canteen",
            "refill the canteen, then badges",
        ),
    ],
)
def test_hike_names_its_place_and_gain_unless_it_is_too_far(state, move, label, hint):
    assert (move.label(state, 0).text, move.label(state, 0).hint) == (label, hint)
