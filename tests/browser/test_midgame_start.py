"""Start in the middle of a game by touch: a typical position of three players in at most 40 touches."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator

from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.games import TRACKED_GAMES
from tests.browser import alpine_trails_taps
from tests.browser.browser_servers import InProcessServer
from tests.browser.phone import Phone
from tests.browser.test_alpine_trails_games import read_game
from tests.support import count_touches
from tests.support.touch_counter import read_touches

pytestmark = pytest.mark.browser

MAX_TOUCHES = 40
HALF_MAP = 16  # tiles of one player, of three
MAX_TOUCHES_PER_TILE = 3
# Half way through a game: path of a field -> its value; of cards, the keys.
POSITIONS: dict[str, dict[str, Any]] = {
    "trails": {
        "players.0.acorn": 2, "players.0.leaf": 0, "players.0.rock": 3, "players.0.canteen": "empty",
        "players.0.at": "photo", "players.0.badges": ("science", "science"), "players.0.photos": 2,
        "players.1.acorn": 0, "players.1.rock": 2, "players.1.at": "leaf", "players.1.back": "yes",
        "players.1.badges": ("collector-acorn", "climber-rock"), "players.1.photos": 3,
        "players.2.acorn": 3, "players.2.leaf": 2, "players.2.at": "trail-end",
        "players.2.badges": ("seeker-leaf", "observer-rock"), "players.2.photos": 1,
        "bear": "rock", "sun": "4", "discarded_photos": 2,
    },
    "parks": {
        "players.0.forest": 1, "players.0.sun": 2, "players.0.water": 1, "players.0.photos": 2,
        "players.0.top.canteens": ("2 sun", "2 sun"), "players.0.visited": ("Acadia", "Zion"),
        "players.0.gear": ("compass-trade",),
        "players.1.mountain": 2, "players.1.water": 1, "players.1.photos": 3,
        "players.1.top.canteens": ("forest",), "players.1.visited": ("Yosemite",),
        "players.2.sun": 1, "players.2.wildlife": 1, "players.2.photos": 1,
        "players.2.top.canteens": ("photo",), "players.2.visited": ("Glacier",), "players.2.gear": ("journal-sun",),
        "season": "Summer", "first_hiker": "1", "turn": "1",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def in_process_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    server = InProcessServer(tmp_path_factory.mktemp("instance") / "small", 8)
    yield server
    server.close()


def open_start_page(server: InProcessServer, browser: Browser, game: str) -> tuple[Phone, str]:
    """Return a phone that holds all seats of a table that is set up, on the page to start mid-game."""
    phone = count_touches.new_counting_phone(browser, server)
    table = count_touches.open_seated_table(server, phone, count_touches.TITLES[game], 3)
    phone.go(f"/t/{table.code}/seat/0/start")
    return phone, table.code


def tap(phone: Phone, control: Locator) -> None:
    """Tap a control, after what hides it has been unfolded: its section, or the letter of a card."""
    section = control.locator("xpath=ancestor::details[not(@open)]")
    if section.count():
        section.last.locator("summary").first.tap()
    letter = control.locator(
        "xpath=ancestor::div[contains(@class, 'choices')]/preceding-sibling::label[1]/input[@type='radio']"
    )
    if letter.count() and not control.is_visible():
        letter.tap()
    control.tap()


def enter_value(phone: Phone, path: str, value: Any) -> int:
    """Enter the value of a field; return the taps in a list of the system, which a page does not see."""
    if isinstance(value, tuple):
        for number, key in enumerate(value):
            keys = phone.find(f'[name="more.{path}"][value="{key}"]')
            tap(phone, keys.nth(value[:number].count(key)))
        return 0
    field = phone.find(f'[name="is.{path}"]')
    if field.first.evaluate("field => field.localName") == "select":
        tap(phone, field)
        field.select_option(str(value))
        return 1
    tap(phone, phone.find(f'[name="is.{path}"][value="{value}"]'))
    return 0


@pytest.mark.parametrize("game", POSITIONS)
def test_typical_position_is_entered_in_few_touches(game: str, in_process_server: InProcessServer, browser: Browser):
    phone, code = open_start_page(in_process_server, browser, game)
    before, hidden_taps = read_touches(phone), 0
    for path, value in POSITIONS[game].items():
        hidden_taps += enter_value(phone, path, value)
    phone.find("form.position-form > button").tap()
    phone.page.wait_for_url(re.compile(f"/t/{code}/seat/\\d$"))
    table = in_process_server.store.table(code)
    fields = {field.path: field for field in table.tracked.position_format.editable_fields(table.state)}
    for path, value in POSITIONS[game].items():
        found = fields[path].value
        assert sorted(found) == sorted(value) if isinstance(value, tuple) else str(found) == str(value), path
    touches = read_touches(phone).count_since(before) + hidden_taps
    print(game, touches, "touches, of them", read_touches(phone).pans - before.pans, "pans")
    phone.close()
    assert touches <= MAX_TOUCHES


def half_map() -> tuple[TakeCamp, list[CorrectTile]]:
    """Return base camp and the first tiles on the map of a player in a recorded game, from base camp outwards."""
    names, moves, _ = read_game("alpine-trails-3")
    camp = next(move for seat, move in moves if seat == 0 and isinstance(move, TakeCamp))
    tracked = TRACKED_GAMES["alpine-trails"]
    state = tracked.replay(tracked.setup_format.default(names), moves)
    tiles = [tile for tile in state.players[0].tiles if tile.kind in ("trail", "terrain") and tile.animal is None]
    return camp, [
        CorrectTile(0, tile.x, tile.y, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons)
        for tile in tiles[:HALF_MAP]
    ]


def test_map_is_entered_with_the_keys_of_score_entry(in_process_server: InProcessServer, browser: Browser):
    """Half of the map of one player; each player enters their own on their own phone."""
    phone, code = open_start_page(in_process_server, browser, "alpine-trails")
    camp, tiles = half_map()
    phone.submit_move(f"/t/{code}", 0, camp)
    camped = in_process_server.store.table(code).version
    phone.go(f"/t/{code}/seat/0/start")
    before = read_touches(phone)
    phone.find("a", has_text="Enter your map").tap()
    phone.page.wait_for_url("**draft.fix=0*")
    for number, (tile, next_tile) in enumerate(pairwise(tiles), 1):
        alpine_trails_taps.build_tile(phone, tile)
        phone.find(f'.key[value="{alpine_trails_taps.pad_key(next_tile)}"]').tap()  # the next key sends the tile
        phone.wait_for_version(camped + number)
    alpine_trails_taps.build_tile(phone, tiles[-1])
    alpine_trails_taps.submit_button(phone).tap()
    phone.wait_for_version(camped + HALF_MAP)
    assert {tile.placed for tile in tiles} <= {*in_process_server.store.table(code).state.players[0].tiles}
    touches = read_touches(phone).count_since(before)
    print("alpine-trails", touches, "touches, of them", read_touches(phone).pans - before.pans, "pans")
    phone.close()
    assert touches <= MAX_TOUCHES_PER_TILE * HALF_MAP
