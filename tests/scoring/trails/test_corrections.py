"""TRAILS: corrections, and rulings on open rules."""

import pytest
from msgspec.structs import replace

from scoring.kernel.editable import Increment, Replace
from scoring.trails import TRACKED_GAME
from scoring.trails.moves.corrections import Adopt, EditPosition
from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.rules import RULINGS
from scoring.trails.state import SiteAction
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ANA,
    BO,
    CY,
    FINAL_SUN,
    finished_state,
    make_state,
    objection_codes,
    objection_codes_and_rules,
    objection_texts,
    select_fields,
    validate_state,
)

START = make_state()
CROWD = make_state(3).with_player(ANA, cubes=(7, 0, 0)).with_player(BO, cubes=(7, 0, 0))
STAND_INS = (
    replace(CROWD, rulings={"cube-supply": "stand-ins"})
    .with_player(BO, cubes=(8, 0, 0))
    .with_player(CY, cubes=(3, 0, 0))
)
ONCE_STAND_INS = replace(STAND_INS, rulings={"cube-supply": "limited"})
OVER = finished_state()
SUN_TAKEN = make_state(sun=FINAL_SUN, sun_holder=BO, turns_left=0)

# (state, move, expected values of Bo)
CORRECTED = [
    (START, Adopt("canteen-stay", "yes"), {"rulings": {"canteen-stay": "yes"}}),
    (OVER, Adopt("zero-birds", "everyone"), {"rulings": {"zero-birds": "everyone"}}),
]

# (state, move, code, rule)
REFUSED = [
    (START, Adopt("canteen", "yes"), "no-ruling", "canteen-new-tile"),
    (START, Adopt("canteen-stay", "perhaps"), "no-option", "canteen-new-tile"),
    (START, Adopt("canteen-stay", "no"), "same-ruling", "canteen-new-tile"),
    (make_state(rulings={"zero-birds": "everyone"}), Adopt("zero-birds", "everyone"), "same-ruling", "no-birds"),
]


@run_all_rows("state, move, expected", CORRECTED)
def test_correction_changes_the_fields_it_names(state, move, expected):
    assert select_fields(TRACKED_GAME.play(validate_state(state), ANA, move), expected, BO) == expected


@run_all_rows("state, move, code, rule", REFUSED)
def test_correction_is_refused_by_its_rule(state, move, code, rule):
    assert objection_codes_and_rules(state, move) == [(code, rule)]


@run_all_rows(
    "state, move, sentence",
    [
        (START, Adopt("canteen-stay", "perhaps"), "“perhaps” is not an option; there are no, yes."),
        (START, Adopt("canteen-stay", "no"), "Your table already plays it this way."),
    ],
)
def test_refused_correction_names_the_numbers(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


@pytest.mark.parametrize("move", [EditPosition((Increment("players.1.acorn", 2),)), Adopt("canteen-stay", "yes")])
def test_corrections_need_consent_and_may_come_from_any_player(move):
    assert (move.needs_consent, move.out_of_turn, move.is_secret) == (True, True, False)
    assert objection_codes(START, move, BO) == []


@run_all_rows(
    "move, log_text",
    [
        (
            Adopt("canteen-stay", "yes"),
            "House rule: Can you use your canteen to stay at a site and take its action again? "
            "Yes, you may use the canteen at a site to hike 0 tiles.",
        ),
    ],
)
def test_log_names_the_correction(move, log_text):
    assert TRACKED_GAME.log_sentence(START, TRACKED_GAME.play(START, ANA, move), ANA, move) == log_text


@run_all_rows("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_ruling_can_be_adopted_and_revoked(ruling):
    default, other = ruling.options
    state = TRACKED_GAME.play(START, BO, Adopt(ruling.id, other.id))
    assert objection_codes(state, Adopt(ruling.id, other.id)) == ["same-ruling"]
    restored = TRACKED_GAME.play(state, BO, Adopt(ruling.id, default.id))
    assert objection_codes(restored, Adopt(ruling.id, default.id)) == ["same-ruling"]


def test_adopted_ruling_holds_from_then_on():
    on_leaf = START.with_player(ANA, space=2)
    assert objection_codes(on_leaf, Hike(0, canteen=True)) == ["same-tile"]
    assert objection_codes(TRACKED_GAME.play(on_leaf, BO, Adopt("canteen-stay", "yes")), Hike(0, canteen=True)) == []


def test_correction_of_the_sun_turns_sites_to_night_and_to_day():
    night = TRACKED_GAME.play(START, ANA, EditPosition((Replace("sun", "0", "6"),)))
    assert all(night.is_night(space) for space in range(1, 6))
    day = TRACKED_GAME.play(night, BO, EditPosition((Replace("sun", "6", "1"),)))
    assert not any(day.is_night(space) for space in range(1, 6))


def test_corrected_cubes_decide_what_a_player_may_do():
    state = make_state(tasks=(SiteAction("exchange"),)).with_player(ANA, space=1, cubes=(0, 1, 0))
    assert objection_codes(state, Exchange("acorn", "leaf")) == ["nothing-to-give"]
    corrected = TRACKED_GAME.play(state, BO, EditPosition((Increment("players.0.acorn", 1),)))
    assert objection_codes(corrected, Exchange("acorn", "leaf")) == []


def test_player_corrected_to_no_cubes_has_nothing_to_do_at_a_site():
    state = make_state(tasks=(SiteAction("exchange"),)).with_player(ANA, space=1)
    no_cubes = tuple(Increment(f"players.0.{kind}", -1) for kind in ("acorn", "leaf", "rock"))
    assert TRACKED_GAME.play(state, BO, EditPosition(no_cubes)).turn == BO
