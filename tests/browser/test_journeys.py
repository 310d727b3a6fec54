"""Games played without a finger on an upright screen: by the keyboard alone, sideways, on phones that run no scripts.

What is chosen is what the sheet shows: laid out and begun on the pages, the middle said without them, ended on the pages.
"""

import functools
import random
import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from scoring.games import PLAYS
from tests.browser.choices import CHOICES, CONTROLS, DRAWN, STILL, UNFOLDS, choose
from tests.browser.phone import Phone
from tests.browser.seating import Seated, seated
from tests.browser.test_alpine_trails_games import AT_SIX, LOOP, OPENING, REST, play, short_table
from tests.browser.thumb import press
from tests.support.cases import TRACKED, cases
from tests.support.random_games import random_move

pytestmark = pytest.mark.browser

FIRST, LAST = 20, 6  # moves on the pages: how a game begins, and how it ends
TABS = 150  # to get anywhere on a page
UNFOLDING = 0.25  # how often something is unfolded instead, where that can be
SIDEWAYS = {"width": 640, "height": 360}
SAYING = re.compile(r"\w")
# The key that leads from what has the focus to a control; from cell to cell first to the column, then up or down in it.
LEADS = """(part) => {
  const now = document.activeElement, cell = (each) => each.matches("#map a.spot") && each.dataset.at.split(",").map(Number);
  if (part === now) return "";
  if (part.type === "radio" && part.name === now.name) return "group";
  if (cell(part) && cell(now)) {
    const [across, down] = cell(part).map((to, way) => to - cell(now)[way]);
    return across ? (across < 0 ? "ArrowLeft" : "ArrowRight") : down < 0 ? "ArrowUp" : "ArrowDown";
  }
  return part.compareDocumentPosition(now) === Node.DOCUMENT_POSITION_FOLLOWING ? "Shift+Tab" : "Tab";
}"""
ACTIVE = "document.activeElement !== document.body"

Way = Callable[[Phone, Locator], None]


def by_keys(phone: Phone, wanted: Locator) -> None:
    """Tab to a control that says what it does and press it; on to the next of a group of choices, or cells, lead the arrows."""
    expect(wanted).to_have_accessible_name(SAYING)
    for _ in range(TABS):
        leads = wanted.evaluate(LEADS)
        if leads == "group":
            wanted.focus()  # an arrow would choose all on the way
        elif not leads:
            break
        else:
            phone.page.keyboard.press(leads)
    else:
        raise AssertionError(f"{TABS} keys do not lead to {wanted}")
    phone.page.keyboard.press("Space" if wanted.get_attribute("type") == "radio" else "Enter")


def in_sight(phone: Phone, wanted: Locator) -> None:
    """Tap a control where whose turn it is and the beginning of the choices are on the screen."""
    expect(phone.find(".turnbar")).to_be_in_viewport()
    expect(phone.find("#p-sheet")).to_be_in_viewport()
    press(phone, wanted)


def walk(table: Seated, way: Way, rng: random.Random, moves: int, scripts: bool = True) -> None:
    """Choose at random of what the pages show, until so many moves are played or the game is over."""
    until, seen, seat = table.table.number + moves, -1, 0
    while not table.table.over and table.table.number < until:
        now = table.table
        if now.number != seen:  # where all play at once, anybody goes on
            seen, seat = now.number, rng.choice(PLAYS[now.play.key].to_move(now.state))
        phone = table.phones[seat]
        if scripts:
            phone.shows(now.number)
            phone.until(STILL)
        elif f'data-version="{now.number}"' not in phone.page.content():
            phone.go(f"{table.path}/seat/{seat}")
        chosen = choose(phone.page.evaluate(CHOICES), rng, UNFOLDING)
        control = phone.find(CONTROLS).nth(chosen.number)
        if chosen.kind != UNFOLDS and not scripts:
            with phone.page.expect_navigation():
                way(phone, control)
        else:
            before = phone.page.evaluate(DRAWN)
            way(phone, control)
            if chosen.kind != UNFOLDS:
                phone.until(f"{DRAWN} !== {before!r}")
        if chosen.says:
            if scripts:
                phone.shows(now.number + len(chosen.says))
            said = [now.play.decode(msgspec.json.decode(move)) for move in chosen.says]
            assert [step.move for step in table.table.steps[-len(said) :]] == said
        if way is by_keys:
            phone.until(ACTIVE)  # where a reader goes on


def to_its_end(table: Seated, rng: random.Random) -> None:
    """Say a game without showing pages until few moves are left."""
    play, state, said = PLAYS[table.table.play.key], table.table.state, []
    while seats := play.to_move(state):
        kinds = play.asked(state)
        seat = rng.choice(seats)
        played = random_move(play, state, seat, rng, rng.sample(kinds, len(kinds)))
        assert played
        move, state = played
        said.append((seat, move))
    for seat, move in said[:-LAST]:
        table.phones[seat].say(table.path, seat, move)


def journey(table: Seated, way: Way, rng: random.Random, scripts: bool = True) -> None:
    for phone in table:
        phone.expect_in_console("422")  # what is refused is told on the page
    walk(table, way, rng, FIRST, scripts)
    to_its_end(table, rng)
    walk(table, way, rng, 1000, scripts)
    for seat, phone in enumerate(table):
        if not scripts:
            phone.go(f"{table.path}/seat/{seat}")
        expect(phone.find(".turnbar.over")).to_be_visible()


@pytest.mark.long("a whole game in a browser")
@cases("game", TRACKED)
def test_by_the_keyboard_alone(game: str, server, new_phone):
    journey(seated(server, new_phone, "Ana", "Bo", game=game, bare=True), by_keys, random.Random(game))


@pytest.mark.long("a whole game in a browser")
@cases("game", TRACKED, first="parks")
def test_sideways(game: str, server, new_phone):
    journey(
        seated(server, new_phone, "Ana", "Bo", game=game, bare=True, viewport=SIDEWAYS), in_sight, random.Random(game)
    )


@pytest.mark.long("a whole game in a browser")
def test_the_map_sideways(server, new_phone):
    table = short_table(server, functools.partial(new_phone, viewport=SIDEWAYS), rounds=5)
    play(table, [*OPENING, *AT_SIX, *LOOP, *REST])
    assert table.table.over


@pytest.mark.long("a whole game in a browser")
@cases("game", TRACKED, first="on-the-trail")
def test_without_scripts(game: str, server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game=game, bare=True, java_script_enabled=False)
    journey(table, lambda _, wanted: wanted.tap(), random.Random(game), scripts=False)
