"""Games played without a finger on an upright screen: by the keyboard alone, sideways, on phones that run no scripts.

What is chosen is what the sheet shows: laid out and begun on the pages, the middle said without them, ended on the pages.
"""

import functools
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from scoring.games import PLAYS
from tests.browser.hand import press
from tests.browser.phone import Phone
from tests.browser.seating import Seated, seated
from tests.browser.test_alpine_games import AT_SIX, LOOP, OPENING, REST, play, short_table
from tests.driver import random_move

pytestmark = pytest.mark.browser

TITLES = ("trails", "parks", "on-the-trail")
FIRST, LAST = 20, 6  # moves on the pages: how a game begins, and how it ends
TABS = 150  # to get anywhere on a page
UNFOLDING = 0.25  # how often something is unfolded instead, where that can be
SIDEWAYS = {"width": 640, "height": 360}

# What can be chosen now, numbered as they stand: what leads on, and what only unfolds.
CONTROLS = "#p-sheet :is(button[name=move], .pick:not(.refused), .found button, a.drafts, summary, .letters > label > input)"
CHOICES = """(controls) => [...document.querySelectorAll(controls)].flatMap((each, number) => {
  const shown = each.checkVisibility() && !each.disabled && !each.closest("#whynot");
  return shown ? [[number, each.matches("summary, input")]] : [];
})"""
ACTIVE = "document.activeElement !== document.body"
MARKS = "[...document.querySelectorAll('[data-piece]')].map((each) => each.dataset.piece).join()"

Way = Callable[[Phone, Locator], None]


def by_keys(phone: Phone, wanted: Locator) -> None:
    """Tab to a control and press it; on to the next of a group of choices lead the arrows."""
    radio = wanted.get_attribute("type") == "radio"
    for _ in range(TABS):
        phone.page.keyboard.press("Tab")
        if wanted.evaluate("part => part === document.activeElement"):
            break
        if radio and wanted.evaluate("part => part.name && part.name === document.activeElement.name"):
            wanted.focus()  # an arrow would choose all on the way
            break
    else:
        raise AssertionError(f"{TABS} tabs do not lead to {wanted}")
    phone.page.keyboard.press("Space" if radio else "Enter")


def in_sight(phone: Phone, wanted: Locator) -> None:
    """Tap a control where whose turn it is and the beginning of the choices are on the screen."""
    expect(phone.find(".turnbar")).to_be_in_viewport()
    expect(phone.find("#p-sheet")).to_be_in_viewport()
    press(phone, wanted)


def walk(table: Seated, way: Way, rng: random.Random, moves: int, scripts: bool = True) -> None:
    """Choose at random of what the sheets show, until so many moves are played or the game is over."""
    until = table.table.number + moves
    while not table.table.over and table.table.number < until:
        now = table.table
        seat = next(iter(PLAYS[now.play.key].to_move(now.state)))
        phone = table.phones[seat]
        if scripts:
            phone.shows(now.number)
        elif f'data-version="{now.number}"' not in phone.page.content():
            phone.go(f"{table.path}/seat/{seat}")
        choices = phone.page.evaluate(CHOICES, CONTROLS)
        folds = [number for number, unfolds in choices if unfolds]
        leads = [number for number, unfolds in choices if not unfolds]
        assert choices, "nothing can be chosen"
        if folds and (not leads or rng.random() < UNFOLDING):
            way(phone, phone.find(CONTROLS).nth(rng.choice(folds)))
            continue
        chosen = phone.find(CONTROLS).nth(rng.choice(leads))
        if not scripts:
            with phone.page.expect_navigation():
                way(phone, chosen)
            continue
        before = phone.page.evaluate(MARKS)
        way(phone, chosen)
        phone.until(f"{MARKS} !== '{before}'")
        if way is by_keys:
            phone.until(ACTIVE)  # where a reader goes on


def to_its_end(table: Seated, rng: random.Random) -> None:
    """Say a game without showing pages until few moves are left."""
    play, state, said = PLAYS[table.table.play.key], table.table.state, []
    while seats := play.to_move(state):
        kinds = play.asked(state)
        played = random_move(play, state, seats[0], rng, rng.sample(kinds, len(kinds)))
        assert played
        move, state = played
        said.append((seats[0], move))
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


@pytest.mark.parametrize("game", TITLES)
def test_by_the_keyboard_alone(game: str, server, new_phone):
    journey(seated(server, new_phone, "Ana", "Bo", game=game, bare=True), by_keys, random.Random(game))


@pytest.mark.parametrize("game", TITLES)
def test_sideways(game: str, server, new_phone):
    journey(seated(server, new_phone, "Ana", "Bo", game=game, bare=True, viewport=SIDEWAYS), in_sight, random.Random(game))


def test_the_map_sideways(server, new_phone):
    table = short_table(server, functools.partial(new_phone, viewport=SIDEWAYS), rounds=5)
    play(table, [*OPENING, *AT_SIX, *LOOP, *REST])
    assert table.table.over


@pytest.mark.parametrize("game", TITLES)
def test_without_scripts(game: str, server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game=game, bare=True, java_script_enabled=False)
    journey(table, lambda _, wanted: wanted.tap(), random.Random(game), scripts=False)
