"""Games by keyboard alone, in landscape, and on phones without JavaScript.

Moves are chosen from the sheet: setup, beginning and end on the pages, the middle played without them.

"""

import functools
import random
import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from scoring.games import TRACKED_GAMES
from tests.browser.page_controls import (
    CONTROLS,
    CONTROLS_SCRIPT,
    IS_IDLE_SCRIPT,
    PAGE_STATE_SCRIPT,
    UNFOLDS,
    choose_control,
)
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_alpine_trails_games import AT_SIX_MILES, LOOP, OPENING, REST, play_moves, short_table
from tests.browser.trails_taps import tap_button
from tests.support.parametrize import TRACKED_KEYS, parametrize_cases
from tests.support.random_games import random_move

pytestmark = pytest.mark.browser

FIRST, LAST = 20, 6  # moves on the pages: at the beginning and at the end of a game
TABS = 150  # tab presses at most to reach anything on a page
UNFOLDING = 0.25  # probability of unfolding something instead, where possible
SIDEWAYS = {"width": 640, "height": 360}
WORD_PATTERN = re.compile(r"\w")
# The key that leads from the focused element to a control; between cells first to the column, then up or down in it.
LEADS = """(part) => {
  const now = document.activeElement;
  const cell = (control) => control.matches("#map a.hotspot") && control.dataset.cell.split(",").map(Number);
  if (part === now) return "";
  if (part.type === "radio" && part.name === now.name) return "group";
  if (cell(part) && cell(now)) {
    const [across, down] = cell(part).map((value, axis) => value - cell(now)[axis]);
    return across ? (across < 0 ? "ArrowLeft" : "ArrowRight") : down < 0 ? "ArrowUp" : "ArrowDown";
  }
  return part.compareDocumentPosition(now) === Node.DOCUMENT_POSITION_FOLLOWING ? "Shift+Tab" : "Tab";
}"""
ACTIVE = "document.activeElement !== document.body"

TapMethod = Callable[[Phone, Locator], None]


def tap_by_keyboard(phone: Phone, control: Locator) -> None:
    """Tab to a labeled control and press it; within a group of choices or cells use the arrows."""
    expect(control).to_have_accessible_name(WORD_PATTERN)
    for _ in range(TABS):
        leads = control.evaluate(LEADS)
        if leads == "group":
            control.focus()  # An arrow key would choose everything on the way.
        elif not leads:
            break
        else:
            phone.page.keyboard.press(leads)
    else:
        raise AssertionError(f"{TABS} keys do not lead to {control}")
    phone.page.keyboard.press("Space" if control.get_attribute("type") == "radio" else "Enter")


def tap_in_view(phone: Phone, control: Locator) -> None:
    """Tap a control while the current turn and the first choices are on the screen."""
    expect(phone.find(".turnbar")).to_be_in_viewport()
    expect(phone.find("#fragment-actions")).to_be_in_viewport()
    tap_button(phone, control)


def play_at_random(
    table: SeatedTable, tap_method: TapMethod, rng: random.Random, moves: int, scripts: bool = True
) -> None:
    """Choose randomly from the pages until this many moves are played or the game is over."""
    until, version, seat = table.table.version + moves, -1, 0
    while not table.table.is_over and table.table.version < until:
        current = table.table
        if current.version != version:  # Where all play simultaneously, any player goes on.
            version, seat = current.version, rng.choice(TRACKED_GAMES[current.tracked.key].flow.to_move(current.state))
        phone = table.phones[seat]
        if scripts:
            phone.wait_for_version(current.version)
            phone.wait_until(IS_IDLE_SCRIPT)
        elif f'data-version="{current.version}"' not in phone.page.content():
            phone.go(f"{table.path}/seat/{seat}")
        chosen = choose_control(phone.page.evaluate(CONTROLS_SCRIPT), rng, UNFOLDING)
        control = phone.find(CONTROLS).nth(chosen.number)
        if chosen.kind != UNFOLDS and not scripts:
            with phone.page.expect_navigation():
                tap_method(phone, control)
        else:
            before = phone.page.evaluate(PAGE_STATE_SCRIPT)
            tap_method(phone, control)
            if chosen.kind != UNFOLDS:
                phone.wait_until(f"{PAGE_STATE_SCRIPT} !== {before!r}")
        if chosen.moves:
            if scripts:
                phone.wait_for_version(current.version + len(chosen.moves))
            decoded = [current.tracked.decode(msgspec.json.decode(move)) for move in chosen.moves]
            assert [step.move for step in table.table.steps[-len(decoded) :]] == decoded
        if tap_method is tap_by_keyboard:
            phone.wait_until(ACTIVE)  # The player reads, then continues.


def play_to_near_end(table: SeatedTable, rng: random.Random) -> None:
    """Play a game without showing pages until few moves are left."""
    play, state, said = TRACKED_GAMES[table.table.tracked.key], table.table.state, []
    while seats := play.flow.to_move(state):
        kinds = play.available_moves(state)
        seat = rng.choice(seats)
        played = random_move(play, state, seat, rng, rng.sample(kinds, len(kinds)))
        assert played
        move, state = played
        said.append((seat, move))
    for seat, move in said[:-LAST]:
        table.phones[seat].submit_move(table.path, seat, move)


def play_whole_game(table: SeatedTable, tap_method: TapMethod, rng: random.Random, scripts: bool = True) -> None:
    for phone in table:
        phone.expect_in_console("422")  # A refusal is shown on the page.
    play_at_random(table, tap_method, rng, FIRST, scripts)
    play_to_near_end(table, rng)
    play_at_random(table, tap_method, rng, 1000, scripts)
    for seat, phone in enumerate(table):
        if not scripts:
            phone.go(f"{table.path}/seat/{seat}")
        expect(phone.find(".turnbar.game-over")).to_be_visible()


@pytest.mark.long("a whole game in a browser")
@parametrize_cases("game", TRACKED_KEYS)
def test_game_is_played_by_keyboard_alone(game: str, server, new_phone):
    play_whole_game(
        open_seated_table(server, new_phone, "Ana", "Bo", game=game, is_bare=True), tap_by_keyboard, random.Random(game)
    )


@pytest.mark.long("a whole game in a browser")
@parametrize_cases("game", TRACKED_KEYS, first="parks")
def test_game_is_played_in_landscape(game: str, server, new_phone):
    play_whole_game(
        open_seated_table(server, new_phone, "Ana", "Bo", game=game, is_bare=True, viewport=SIDEWAYS),
        tap_in_view,
        random.Random(game),
    )


@pytest.mark.long("a whole game in a browser")
def test_map_game_is_played_in_landscape(server, new_phone):
    table = short_table(server, functools.partial(new_phone, viewport=SIDEWAYS), rounds=5)
    play_moves(table, [*OPENING, *AT_SIX_MILES, *LOOP, *REST])
    assert table.table.is_over


@pytest.mark.long("a whole game in a browser")
@parametrize_cases("game", TRACKED_KEYS, first="on-the-trail")
def test_game_is_played_without_scripts(game: str, server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game=game, is_bare=True, java_script_enabled=False)
    play_whole_game(table, lambda _, control: control.tap(), random.Random(game), scripts=False)
