"""Start mid-game by touch: a typical position, or a player's map, in at most 40 touches."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, expect

from scoring.alpine_trails.map.grid import with_lakes
from scoring.alpine_trails.map.tiles import TrailMap
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.games import TRACKED_GAMES
from tests.browser import alpine_trails_taps
from tests.browser.browser_servers import InProcessServer
from tests.browser.map_painting import Painter
from tests.browser.phone import Phone
from tests.browser.test_alpine_trails_games import read_game
from tests.browser.test_axe import axe_violations_now
from tests.browser.test_map_painting import with_base_at_origin
from tests.browser.test_pages_fit import page_faults
from tests.support import count_touches
from tests.support.alpine_trails_maps import parse_map, random_map
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
    """Return a phone with all seats of a table that is set up, on the page to start mid-game."""
    phone = count_touches.new_counting_phone(browser, server)
    table = count_touches.open_seated_table(server, phone, count_touches.TITLES[game], 3)
    phone.go(f"/t/{table.code}/seat/0/start")
    return phone, table.code


def tap(phone: Phone, control: Locator) -> None:
    """Tap a control, after unfolding its section or the letter of a card."""
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
    """Enter the value of a field; return the taps that the page does not see, in a system list."""
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
    """Return base camp and the first tiles of a map in a recorded game, outwards."""
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
    phone.find("a", has_text="Enter it tile by tile").tap()
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


def recorded_map(seat: int) -> TrailMap:
    """Return the map of a player in a recorded game after half of its tiles.

    Animals that were placed on them later are included.
    """
    names, moves, _ = read_game("alpine-trails-3")
    tracked = TRACKED_GAMES["alpine-trails"]
    tiles = tracked.replay(tracked.setup_format.default(names), moves).players[seat].tiles
    drawn = [tile for tile in tiles if tile.kind in DRAWN_KINDS]
    return tiles[: tiles.index(drawn[HALF_MAP])]


def map_with_campsites() -> TrailMap:
    """Return a map with two campsites and two animals."""
    tiles = with_base_at_origin(parse_map(CAMPSITES))
    return tuple(replace(tile, animal=ANIMALS_AT.get(tile.cell)) for tile in tiles)


DRAWN_KINDS = ("trail", "terrain", "campsite")
CAMPSITES = """
.     ES1r  .     .
r     camp  NSW1w .
ES3r  NW3f  NS1w  f
NE2f  Bf    Bf    EW1f
.     NS3f  NS1f  .
ES2m  NW2m  .     .
camp  EW1m  .     .
"""
ANIMALS_AT = {(-1, -2): "goat", (2, -1): "bear"}
HALF_MAPS = {f"player {seat}": recorded_map(seat) for seat in range(3)} | {"campsites": map_with_campsites()}


@pytest.mark.parametrize("name", HALF_MAPS)
def test_map_is_painted_in_few_touches(name: str, in_process_server: InProcessServer, browser: Browser):
    """Half of a map, with base camp, campsites, waterfalls, animals and all miles."""
    phone, code = open_start_page(in_process_server, browser, "alpine-trails")
    tiles, before = HALF_MAPS[name], read_touches(phone)
    assert sum(tile.kind in DRAWN_KINDS for tile in tiles) == HALF_MAP
    phone.find("a", has_text="Paint your map").tap()
    phone.page.wait_for_url("**/map")
    painter = Painter(phone)
    painter.paint_tiles(with_lakes(tiles))
    expect(painter.next_step).to_have_text("Enter your map")
    painter.tap_key("#next-step")
    painter.wait_until_entered()
    assert {*in_process_server.store.table(code).state.players[0].tiles} == {*tiles}
    touches = read_touches(phone).count_since(before)
    print("alpine-trails, painted", touches, "touches, of them", read_touches(phone).pans - before.pans, "pans")
    expect(phone.find("a", has_text="Fix your map")).to_be_visible()
    painter.close()
    phone.close()
    assert touches <= MAX_TOUCHES


def paint_base_and_trail(painter: Painter) -> None:
    """Paint a rock trail of one tile that leads east from base camp, without its miles."""
    painter.enter_base(parse_map("Bf Bf"))
    painter.draw([(1, 0), (2, 0), (3, 0)])
    painter.draw_all("rock", [[(2, 0)]])


@pytest.fixture
def painter(in_process_server: InProcessServer, browser: Browser) -> Iterator[Painter]:
    phone, code = open_start_page(in_process_server, browser, "alpine-trails")
    phone.go(f"/t/{code}/seat/0/map")
    painter = Painter(phone)
    yield painter
    painter.close()
    phone.close()


def test_open_end_is_drawn_and_named_instead_of_a_lake(painter: Painter):
    paint_base_and_trail(painter)
    news = painter.phone.find("#painter-news")
    expect(news).to_have_text("1 tile, 1 open end, 0 tents")
    expect(painter.phone.find('[data-cell="3,0"] .open-end')).to_have_count(1)
    painter.draw_all("rock", [[(3, 0)]])
    expect(news).to_have_text("No open end here. Draw the trail on.")
    expect(painter.next_step).to_have_text("Show 1 trail that stops")


def test_draft_and_undo_of_a_map_survive_a_reload(painter: Painter):
    paint_base_and_trail(painter)
    painter.phone.wait_until("painter.isSaved")
    painter.phone.page.reload()
    expect(painter.next_step).to_have_text("Next: miles of 1 tile")
    painter.tap_key("#undo-paint")
    expect(painter.next_step).to_have_text("Show 1 trail without a terrain")


def test_one_tile_of_an_entered_map_is_fixed(painter: Painter, in_process_server: InProcessServer):
    phone = painter.phone
    paint_base_and_trail(painter)
    painter.enter_miles(parse_map(". . EW3r"))
    painter.tap_key("#next-step")
    phone.find("a", has_text="Fix your map").tap()
    expect(painter.next_step).to_have_text("Enter your map")
    painter.draw_all("wetland", [[(2, 0)]])
    painter.tap_key("#next-step")
    phone.page.wait_for_url("**/start")
    code = phone.page.url.split("/")[-4]
    assert in_process_server.store.table(code).state.players[0].tiles == parse_map("Bf Bf EW3w")


def test_map_in_the_middle_of_a_game_fits_the_phone(painter: Painter):
    phone = painter.phone
    found = page_faults(phone)
    paint_base_and_trail(painter)
    found += [*page_faults(phone), *axe_violations_now(phone)]
    painter.enter_miles(parse_map(". . EW3r"))
    painter.tap_key("#painter-menu")
    assert [*found, *page_faults(phone), *axe_violations_now(phone)] == []


PLACES_SCRIPT = """(tiles) => {
  const map = PaintedMap.fromTiles(tiles), found = [];
  for (let next; (next = map.nextTiles()); found.push(next.unknown[0])) map.edit(next.unknown[0]).miles = 1;
  return { found, gaps: map.gaps().length, tiles: map.tiles() };
}"""


def test_miles_of_every_trail_tile_are_asked_for_once(painter: Painter):
    for seed in range(40):
        rng = random.Random(seed)
        tiles = with_base_at_origin(random_map(rng, rng.randint(4, 24)))
        without_miles = [replace(tile, miles=0) for tile in tiles]
        found = painter.phone.page.evaluate(PLACES_SCRIPT, msgspec.to_builtins(without_miles))
        assert sorted(found["found"]) == sorted(f"{tile.x},{tile.y}" for tile in tiles if tile.kind == "trail")
        measured = {replace(tile, miles=1 if tile.kind == "trail" else 0) for tile in tiles}
        assert {*msgspec.convert(found["tiles"], TrailMap)} == measured
        assert found["gaps"] == 0
