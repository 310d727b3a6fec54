"""TRAILS: corrections, and rulings on open rules."""

import pytest
from msgspec.structs import replace

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.corrections import Adopt, CorrectPlayer, CorrectTable
from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.rules import RULINGS
from scoring.trails.state import EarnBadges, MoveSun, SiteAction, StartHike
from tests.support.cases import run_all_rows
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
    (START, CorrectPlayer(BO, acorn=3), {"cubes": (3, 1, 1)}),
    (START, CorrectPlayer(BO, acorn=0, leaf=0, rock=0), {"cubes": (0, 0, 0)}),
    (START, CorrectPlayer(BO, rock=14), {"cubes": (1, 1, 14)}),
    (START, CorrectPlayer(BO, canteen=False), {"canteen": False}),
    (START, CorrectPlayer(BO, space=3), {"space": 3, "facing": 1}),
    (START, CorrectPlayer(BO, space=3, facing=-1), {"space": 3, "facing": -1}),
    (START, CorrectPlayer(BO, space=6, facing=-1), {"space": 6, "facing": -1, "tasks": (StartHike(),)}),
    (STAND_INS, CorrectPlayer(BO, acorn=20), {"cubes": (20, 0, 0)}),
    (ONCE_STAND_INS, CorrectPlayer(BO, acorn=7), {"cubes": (7, 0, 0)}),
    (ONCE_STAND_INS, CorrectPlayer(BO, canteen=False), {"canteen": False}),
    (START, CorrectTable(bear="rock"), {"bear": "rock"}),
    (START, CorrectTable(sun=4), {"sun": 4, "bear": "acorn"}),
    (START, CorrectTable(sun=FINAL_SUN), {"sun": FINAL_SUN, "sun_holder": None}),
    (START, CorrectTable(bear="leaf", sun=1), {"sun": 1, "bear": "leaf"}),
    (SUN_TAKEN, CorrectTable(bear="rock"), {"bear": "rock"}),
    (START, Adopt("canteen-stay", "yes"), {"rulings": {"canteen-stay": "yes"}}),
    (OVER, Adopt("zero-birds", "everyone"), {"rulings": {"zero-birds": "everyone"}}),
]

# (state, move, code, rule)
REFUSED = [
    (START, CorrectPlayer(BO), "no-change", "components"),
    (START, CorrectPlayer(BO, acorn=1, canteen=True, space=0, facing=1), "no-change", "components"),
    (START, CorrectPlayer(2, acorn=0), "no-such-player", "players"),
    (START, CorrectPlayer(-1, acorn=0), "no-such-player", "players"),
    (START, CorrectPlayer(BO, acorn=-1), "box-counts", "components"),
    (START, CorrectPlayer(BO, acorn=15), "box-counts", "components"),
    (CROWD, CorrectPlayer(BO, acorn=8), "box-counts", "components"),
    (ONCE_STAND_INS, CorrectPlayer(BO, acorn=9), "box-counts", "components"),
    (STAND_INS, CorrectPlayer(BO, acorn=10**30), "box-counts", "resource-supply"),
    (START, CorrectPlayer(BO, space=7), "no-such-space", "setup-sites"),
    (START, CorrectPlayer(BO, space=-1), "no-such-space", "setup-sites"),
    (START, CorrectPlayer(BO, space=3, facing=0), "no-such-way", "hike-facing"),
    (START, CorrectPlayer(BO, facing=-1), "faces-away", "turn-around"),
    (START, CorrectPlayer(BO, space=6), "faces-away", "turn-around"),
    (OVER, CorrectPlayer(BO, acorn=3), "play-over", "last-round"),
    (START, CorrectTable(), "no-change", "components"),
    (START, CorrectTable(bear="acorn", sun=0), "no-change", "components"),
    (START, CorrectTable(sun=8), "no-such-spot", "setup-track"),
    (START, CorrectTable(sun=-1), "no-such-spot", "setup-track"),
    (make_state(4), CorrectTable(sun=12), "no-such-spot", "setup-track"),
    (SUN_TAKEN, CorrectTable(sun=3), "sun-taken", "end-trigger"),
    (
        make_state(sun=5, tasks=(EarnBadges("trail-end"), MoveSun(), SiteAction("exchange"))).with_player(
            ANA, space=6, facing=-1
        ),
        CorrectTable(sun=FINAL_SUN),
        "sun-to-move",
        "sun-moves",
    ),
    (OVER, CorrectTable(bear="rock"), "play-over", "last-round"),
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
        (START, CorrectPlayer(BO, acorn=15), "The box has 15 acorns; the players would have 16."),
        (START, CorrectPlayer(BO, leaf=-2), "Nobody can have fewer than no leaves."),
        (START, CorrectPlayer(BO, space=6), "At Trail End a hiker faces the Trail; Bo\u2019s does not."),
        (START, CorrectTable(sun=8), "The Sun moves 7 spaces in all."),
        (make_state(4), CorrectTable(sun=12), "The Sun moves 11 spaces in all."),
        (START, Adopt("canteen-stay", "perhaps"), "“perhaps” is no reading of this; there are no, yes."),
        (START, Adopt("canteen-stay", "no"), "The table already plays it so."),
    ],
)
def test_refused_correction_names_the_numbers(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


@pytest.mark.parametrize("move", [CorrectPlayer(BO, acorn=3), CorrectTable(bear="rock"), Adopt("canteen-stay", "yes")])
def test_corrections_need_consent_and_may_come_from_any_player(move):
    assert (move.needs_consent, move.out_of_turn, move.is_secret) == (True, True, False)
    assert objection_codes(START, move, BO) == []


@run_all_rows(
    "move, said",
    [
        (CorrectPlayer(BO, acorn=3, canteen=False), "Ana had Bo corrected: 3 acorns, canteen empty. Bo +2 acorns."),
        (
            CorrectPlayer(BO, space=6, facing=-1),
            "Ana had Bo corrected: at Trail End, facing the Trailhead.",
        ),
        (CorrectTable(bear="rock"), "Ana had the table corrected: bear on the rock site."),
        (
            CorrectTable(sun=2),
            "Ana had the table corrected: Sun moved 2 spaces. "
            "The Sun moves over the photo site. Night falls on the rock site.",
        ),
        (
            Adopt("canteen-stay", "yes"),
            "Ana had the table settle “May you use your canteen to stay where you are and act there again?” so: "
            "“Yes: at a site the canteen may also take you no tiles at all.”",
        ),
    ],
)
def test_log_names_the_correction(move, said):
    assert TRACKED_GAME.log_sentence(START, TRACKED_GAME.play(START, ANA, move), ANA, move) == said


@run_all_rows("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_ruling_can_be_adopted_and_revoked(ruling):
    default, other = ruling.options
    state = TRACKED_GAME.play(START, BO, Adopt(ruling.id, other.id))
    assert objection_codes(state, Adopt(ruling.id, other.id)) == ["same-ruling"]
    back = TRACKED_GAME.play(state, BO, Adopt(ruling.id, default.id))
    assert objection_codes(back, Adopt(ruling.id, default.id)) == ["same-ruling"]


def test_adopted_ruling_holds_from_then_on():
    on_leaf = START.with_player(ANA, space=2)
    assert objection_codes(on_leaf, Hike(0, canteen=True)) == ["same-tile"]
    assert objection_codes(TRACKED_GAME.play(on_leaf, BO, Adopt("canteen-stay", "yes")), Hike(0, canteen=True)) == []


def test_correction_of_the_sun_turns_sites_to_night_and_to_day():
    night = TRACKED_GAME.play(START, ANA, CorrectTable(sun=6))
    assert all(night.is_night(space) for space in range(1, 6))
    assert not any(TRACKED_GAME.play(night, BO, CorrectTable(sun=1)).is_night(space) for space in range(1, 6))


def test_corrected_cubes_decide_what_a_player_may_do():
    state = make_state(tasks=(SiteAction("exchange"),)).with_player(ANA, space=1, cubes=(0, 1, 0))
    assert objection_codes(state, Exchange("acorn", "leaf")) == ["nothing-to-give"]
    assert objection_codes(TRACKED_GAME.play(state, BO, CorrectPlayer(ANA, acorn=1)), Exchange("acorn", "leaf")) == []


def test_player_corrected_to_no_cubes_has_nothing_to_do_at_a_site():
    state = make_state(tasks=(SiteAction("exchange"),)).with_player(ANA, space=1)
    assert TRACKED_GAME.play(state, BO, CorrectPlayer(ANA, acorn=0, leaf=0, rock=0)).turn == BO
