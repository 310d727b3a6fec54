"""How the sites are laid: the first thing told of a table, from the Trailhead on."""

from msgspec.structs import replace

from scoring.trails.box import FIRST_GAME
from scoring.trails.moves.corrections import CorrectTable
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NoteHand
from scoring.trails.moves.trail_setup import LaySite, LaySites
from scoring.trails.setup import once_more
from scoring.trails.state import LAY, SET_OUT
from tests.support.cases import every_row
from tests.support.trails_table import NAMES, PLAY, after, codes, sentences

BARE = PLAY.begin(PLAY.usual(list(NAMES)))
MIXED = ("rock", "photo", "leaf", "exchange", "acorn")
ONE = after(BARE, LaySite("rock", 1))
THREE = after(ONE, LaySite("photo", 2), LaySite("leaf", 3))
LAID = after(THREE, LaySite("exchange", 4))


def test_a_table_begins_with_the_sites_which_anybody_may_tell():
    assert (BARE.tasks, BARE.laid) == (LAY, 0)
    assert PLAY.to_move(BARE) == (0, 1, 2, 3)
    assert PLAY.prompt(BARE) == "Which site lies first, next to the Trailhead?"
    assert PLAY.prompt(ONE) == "Which site lies second?"
    assert codes(BARE, Hike(1)) == ["lay-first"] and codes(BARE, CorrectTable(bear="leaf")) == ["lay-first"]
    assert PLAY.legal(BARE, 2, NoteHand("science"))


def test_the_last_site_is_the_one_that_is_left_and_the_bear_stands_on_the_middle_one():
    assert (LAID.sites, LAID.laid, LAID.bear, LAID.tasks) == (MIXED, 5, "leaf", SET_OUT)
    assert PLAY.to_move(LAID) == (0,)
    said = PLAY.tell(THREE, LAID, 2, LaySite("exchange", 4))
    assert said == (
        "Cy laid the exchange site fourth. From the Trailhead: rock, photo, leaf, exchange, acorn. The bear starts on the leaf site."
    )
    assert PLAY.begin(replace(PLAY.usual(list(NAMES)), sites=MIXED)) == LAID


def test_the_order_of_a_first_game_and_of_the_last_one_is_told_at_once():
    assert list(LaySites.candidates(BARE, 0)) == [LaySites(FIRST_GAME)]
    again = PLAY.begin(once_more(replace(PLAY.usual(list(NAMES)), sites=FIRST_GAME), LAID))
    offers = list(LaySites.candidates(again, 0))
    assert [offer.label(again, 0) for offer in offers] == ["As in a first game", "As last time"]
    assert after(again, LaySites(MIXED)) == LAID
    assert list(LaySites.candidates(ONE, 0)) == []


@every_row(
    "state, move, text",
    [
        (ONE, LaySite("leaf", 1), "The first site is told already: rock."),
        (ONE, LaySite("leaf", 3), "The second site from the Trailhead comes next."),
        (ONE, LaySite("rock", 2), "The rock site lies there already; each lies there once."),
        (ONE, LaySites(FIRST_GAME), "The first site is told already: rock."),
        (
            BARE,
            LaySites(FIRST_GAME[:4]),
            "Each of the five sites lies on the Trail once: acorn, leaf, rock, exchange, photo.",
        ),
        (LAID, LaySite("acorn", 5), "Your turn starts with a hike."),
    ],
)
def test_what_cannot_lie_so_is_refused_with_the_place(state, move, text):
    assert sentences(state, move) == [text]


def test_what_is_not_told_yet_cannot_be_set_right():
    fixed = {figure.at for figure in PLAY.lying.figures(ONE) if figure.fixed}
    assert fixed >= {"sites.0", "sites.4", "turn", "to_do", "over", "sun", "players.0.at"}
    sites = [figure.value for figure in PLAY.lying.figures(ONE) if figure.at.startswith("sites")]
    assert sites == ["rock", *["not told"] * 4]
    assert PLAY.lying.state(PLAY.lying.says(ONE)) == ONE
    torn = replace(LAID, tasks=LAY)
    assert [fault.code for fault in PLAY.lying.faults(torn)] == ["sites-to-lay"]
