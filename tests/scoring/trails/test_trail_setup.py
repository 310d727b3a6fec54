"""TRAILS: placing the sites from the Trailhead on, as the first step of a game."""

from msgspec.structs import replace

from scoring.trails.box import FIRST_GAME_SITES
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NoteHand
from scoring.trails.moves.trail_setup import LaySite, LaySites
from scoring.trails.setup import rematch_setup
from scoring.trails.state import LAY_TRAIL, START_HIKE
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import NAMES, TRACKED_GAME, objection_codes, objection_texts, state_after

BARE = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(list(NAMES)))
MIXED = ("rock", "photo", "leaf", "exchange", "acorn")
ONE = state_after(BARE, LaySite("rock", 1))
THREE = state_after(ONE, LaySite("photo", 2), LaySite("leaf", 3))
LAID = state_after(THREE, LaySite("exchange", 4))


def test_table_begins_with_the_sites_which_any_player_may_enter():
    assert (BARE.tasks, BARE.sites_laid) == (LAY_TRAIL, 0)
    assert TRACKED_GAME.flow.to_move(BARE) == (0, 1, 2, 3)
    assert TRACKED_GAME.text.prompt(BARE) == "Which site is next to the Trailhead?"
    assert TRACKED_GAME.text.prompt(ONE) == "Which site is second from the Trailhead?"
    assert TRACKED_GAME.text.banner(ONE, 2) == ("Setup", "Which site is second from the Trailhead?")
    assert objection_codes(BARE, Hike(1)) == ["lay-first"]
    assert TRACKED_GAME.is_legal(BARE, 2, NoteHand("science"))


def test_last_site_is_placed_automatically_and_the_bear_is_on_the_middle_one():
    assert (LAID.sites, LAID.sites_laid, LAID.bear, LAID.tasks) == (MIXED, 5, "leaf", START_HIKE)
    assert TRACKED_GAME.flow.to_move(LAID) == (0,)
    sentence = TRACKED_GAME.log_sentence(THREE, LAID, 2, LaySite("exchange", 4))
    assert sentence == (
        "Cy placed the exchange site fourth. From the Trailhead: rock, photo, leaf, exchange and acorn. "
        "The bear started at the leaf site."
    )
    assert TRACKED_GAME.initial_state(replace(TRACKED_GAME.setup_format.default(list(NAMES)), sites=MIXED)) == LAID


def test_orders_of_a_first_game_and_of_the_last_game_take_one_move():
    assert list(LaySites.candidates(BARE, 0)) == [LaySites(FIRST_GAME_SITES)]
    state = TRACKED_GAME.initial_state(
        rematch_setup(replace(TRACKED_GAME.setup_format.default(list(NAMES)), sites=FIRST_GAME_SITES), LAID)
    )
    offers = list(LaySites.candidates(state, 0))
    assert [offer.label(state, 0).text for offer in offers] == ["First-game layout", "Same as last game"]
    assert state_after(state, LaySites(MIXED)) == LAID
    assert list(LaySites.candidates(ONE, 0)) == []


@run_all_rows(
    "state, move, text",
    [
        (ONE, LaySite("leaf", 1), "The first site has already been entered: rock."),
        (ONE, LaySite("leaf", 3), "First enter the second site from the Trailhead."),
        (ONE, LaySite("rock", 2), "The rock site is already on the Trail. Choose another site."),
        (ONE, LaySites(FIRST_GAME_SITES), "The first site has already been entered: rock."),
        (
            BARE,
            LaySites(FIRST_GAME_SITES[:4]),
            "The Trail needs each site once: acorn, leaf, rock, exchange and photo.",
        ),
        (LAID, LaySite("acorn", 5), "Your turn starts with a hike. Hike first."),
    ],
)
def test_impossible_site_is_refused_with_its_place(state, move, text):
    assert objection_texts(state, move) == [text]


def test_fields_not_entered_yet_cannot_be_edited():
    fixed = {field.path for field in TRACKED_GAME.position_format.editable_fields(ONE) if field.is_read_only}
    assert fixed >= {"sites.0", "sites.4", "turn", "to_do", "over", "sun", "players.0.at"}
    sites = [
        field.value for field in TRACKED_GAME.position_format.editable_fields(ONE) if field.path.startswith("sites")
    ]
    assert sites == ["rock", *["not told"] * 4]
    assert TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(ONE)) == ONE
    torn = replace(LAID, tasks=LAY_TRAIL)
    assert [fault.code for fault in TRACKED_GAME.position_format.position_errors(torn)] == ["sites-to-lay"]
