"""Maps on phones: entering after the game, fixes, no JavaScript, five players."""

import itertools
import random
import re

import msgspec
import pytest
from playwright.sync_api import APIResponse, Route, expect

from scoring.alpine_trails.box import MILES, TERRAIN_ICONS, TERRAINS
from scoring.alpine_trails.map.fitting import legal_exits, legal_placements, loop_closing_exits
from scoring.alpine_trails.map.grid import edge_cells, open_ends
from scoring.alpine_trails.map.tiles import Tile, place_tile
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import Discard, PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.score_entry import Done, EnterCamp, LayLakes, PutTile
from scoring.games import TRACKED_GAMES
from tests.browser.alpine_trails_taps import (
    build_tile,
    find_cell,
    is_move_ready,
    pad_key,
    play_move,
    submit_button,
    tap_cell,
    tap_key,
)
from tests.browser.midgame_tables import open_played_table, random_game_moves, take_seat_device
from tests.browser.phone import PHONE_SIZE, TABLET_SIZE, Phone
from tests.browser.seated_tables import open_seated_table
from tests.browser.test_alpine_trails_games import MAX_TILE_TAPS, play_moves, read_game
from tests.browser.test_slow_network import PLACES_SCRIPT
from tests.browser.trails_taps import moves_to_tap, tap_button
from tests.golden_games.alpine_trails import SimulatedGame
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
FULL_MAP = 30  # tiles or more, on the map of a player after a whole game


def entered_tiles(name: str, seat: int) -> list[PutTile]:
    """Return the tiles of a golden game's map from base camp outwards, without lakes and camp."""
    names, moves, _ = read_game(name)
    state = TRACKED_GAME.replay(TRACKED_GAME.setup_format.default(names), moves)
    tiles = [tile for tile in state.players[seat].tiles if tile.kind not in ("base", "lake")]
    return [PutTile(tile.x, tile.y, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons) for tile in tiles]


@pytest.mark.long("a whole game in a browser")
def test_whole_map_is_entered_in_few_taps(server, new_phone):
    names, _, _ = read_game("alpine-trails-2")
    table = open_seated_table(server, new_phone, *names, game="alpine-trails-tally")
    phone, taps = table.phones[0], 0
    play_moves(table, [(0, EnterCamp("rock"))])
    tiles = entered_tiles("alpine-trails-2", 0)
    assert len(tiles) >= FULL_MAP
    for tile in tiles:
        number = table.table.version
        taps += play_move(phone, tile)
        phone.wait_for_version(number + 1)
    assert taps / len(tiles) <= 3
    assert {tile.cell for tile in table.table.state.players[0].tiles} >= {tile.placed.cell for tile in tiles}
    play_moves(table, [(0, LayLakes()), (0, Done())])
    assert "lake" in {tile.kind for tile in table.table.state.players[0].tiles}


def test_map_is_counted_without_drawing_it(server, new_phone):
    table = open_seated_table(server, new_phone, "Maddie", game="alpine-trails-tally")
    phone = table.phones[0]
    part = phone.unfold("by-hand")
    counted = {
        "forest": 11,
        "rock": 9,
        "meadow": 7,
        "wetland": 6,
        "waterfalls": 23,
        "lakes": 5,
        "tents": 2,
        "animals": 2,
        "path": 16,
        "goal": 7,
    }
    for field, number in counted.items():
        part.locator(f"#count-{field}").fill(str(number))
    tap_button(phone, part.get_by_role("button", name="Save totals"))
    expect(phone.find(".summary .summary-value")).to_have_text("109")
    play_moves(table, [(0, Done())])
    phone.follow_link("/score")
    expect(phone.find("h1")).to_contain_text("Trailblazer")


@pytest.mark.long("a rarer case in a browser")
def test_map_of_another_player_is_fixed_when_they_agree(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana, bo = table.phones
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("forest")), (1, PlaceTerrain("forest", -1, 0))])
    ana.follow_link("/tell")
    ana.link("Fix Bo’s map").tap()
    expect(ana.find(".editing-note")).to_contain_text("Bo")
    right = CorrectTile(1, -1, 0, "terrain", "meadow", icons=2)
    question_version = table.table.version + 1
    assert play_move(ana, right) <= MAX_TILE_TAPS
    table.wait_for_version(question_version)
    expect(bo.find(".proposal")).to_contain_text("tile just west of base camp, forest → meadow")
    bo.button("Agree").tap()
    bo.wait_for_version(question_version + 1)
    assert table.table.state.players[1].tiles[-1] == right.placed


def test_undo_with_one_tap_frees_the_cell_again(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana = table.phones[0]
    play_moves(
        table,
        [
            (0, TakeCamp("rock")),
            (1, TakeCamp("forest")),
            (0, PlaceTerrain("rock", -1, 0)),
            (1, PlaceTerrain("rock", 2, 0)),
        ],
    )
    assert not find_cell(ana, -1, 0).count()
    undone = table.table.version + 1
    ana.find(".turnbar .undo button").tap()
    ana.wait_for_version(undone)
    expect(find_cell(ana, -1, 0)).to_have_count(1)


@pytest.mark.long("a rarer case in a browser")
def test_five_phones_play_at_the_same_time(server, new_phone):
    evening = SimulatedGame("at once", 5, tiles=10, card=True).play()
    table = open_seated_table(
        server, new_phone, *(player.name for player in evening.state.players), game="alpine-trails"
    )
    lobby = table.phones[0]
    lobby.go(f"{table.path}/setup")
    lobby.find("select[name='setup.tiles']").select_option("10")
    for terrain, animal in (("forest", "bear"), ("rock", "goat"), ("meadow", "wolf"), ("wetland", "moose")):
        lobby.unfold("animal-card").locator(f"select[name='setup.facts.{terrain}']").select_option(animal)
    lobby.button("Save the setup").tap()
    lobby.page.wait_for_url(f"**{table.path}")
    lobby.go(f"{table.path}/seat/0")
    assert table.table.setup.facts == evening.setup.facts
    play_moves(table, evening.log, moves_to_tap(evening.log, last_moves=10))
    assert table.table.is_over
    assert [
        column.total for column in TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state)).columns
    ] == [column.total for column in TRACKED_GAME.box.score(TRACKED_GAME.final_position(evening.state)).columns]


@pytest.mark.long("a rarer case in a browser")
def test_tile_without_javascript_is_described_turned_and_placed(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails", java_script_enabled=False)
    phone = table.phones[0]
    phone.page.get_by_role("button", name="Rock").tap()
    phone.page.wait_for_load_state()
    phone.button("Meadow trail").tap()
    phone.page.wait_for_url("**draft.key=trail-meadow**")
    phone.button("3 miles").tap()
    phone.page.wait_for_url("**draft.miles=3**")
    find_cell(phone, 0, -1).dispatch_event("click")
    phone.page.wait_for_url("**draft.at=0,-1**")
    phone.find(".confirm-bar .rotate").tap()
    phone.page.wait_for_url("**draft.way=ES**")
    expect(submit_button(phone)).to_have_text("Place it: 3-mile meadow bend, just north")
    submit_button(phone).tap()
    expect(phone.find("ol.log .entry").first).to_contain_text("Ana placed a 3-mile")
    (tile,) = [tile for tile in table.table.state.players[0].tiles if tile.kind == "trail"]
    assert (tile.cell, tile.miles, tile.terrain, tile.exits) == ((0, -1), 3, "meadow", "ES")
    phone.button("Discard tile").tap()
    expect(phone.find("ol.log .entry").first).to_contain_text("Ana discarded a tile")


def test_bar_without_javascript_covers_no_square(start_in_process_server, new_phone):
    server, moves = start_in_process_server(8), random_game_moves("alpine-trails", 2)
    seat, move = next(each for each in reversed(moves) if isinstance(each[1], PlaceTerrain))
    table = open_played_table(server, "alpine-trails", 2, moves[: moves.index((seat, move))])
    phone = new_phone("Ana", server.address, java_script_enabled=False)
    take_seat_device(phone, server, seat)
    phone.go(f"/t/{table.code}/seat/{seat}?draft.key=terrain-{move.terrain}&draft.at={move.x},{move.y}")
    expect(submit_button(phone)).to_be_in_viewport(ratio=1)
    for square in phone.find("#map a.hotspot.fits").all():
        square.tap(trial=True)


# The point of the map, in its own units, below a place in the window; and the map's drawn width.
CELL_AT_POINT_SCRIPT = """(at) => {
  const svg = document.querySelector("#map-view svg"), box = svg.getBoundingClientRect();
  return { x: (at.x - box.left) / box.width, y: (at.y - box.top) / box.height, width: box.width };
}"""


def test_pinch_zoom_enlarges_map_around_the_fingers(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    phone.find("#map-view").focus()
    for _ in range(3):  # larger than its window, so that it can be panned
        phone.page.keyboard.press("+")
    box = phone.find("#map-view").bounding_box()
    middle = {"x": box["x"] + box["width"] / 2 + 30, "y": box["y"] + box["height"] / 2 - 20}
    before = phone.page.evaluate(CELL_AT_POINT_SCRIPT, middle)
    hand = phone.context.new_cdp_session(phone.page)

    def touch(kind: str, *apart: int) -> None:
        fingers = [{"x": middle["x"] + side * half, "y": middle["y"]} for half in apart for side in (-1, 1)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    version = phone.version
    touch("touchStart", 40)
    for half in (44, 48, 52):
        touch("touchMove", half)
    touch("touchEnd")
    after = phone.page.evaluate(CELL_AT_POINT_SCRIPT, middle)
    assert after["width"] == pytest.approx(before["width"] * 52 / 40, rel=0.02)
    assert (after["x"], after["y"]) == pytest.approx((before["x"], before["y"]), abs=2 / before["width"])
    assert phone.version == version and not phone.find(".tile-overlay").count()  # Nothing was tapped.


BAR = 48  # px: height of the bar over the lower edge of the map
LINE_WIDTH = 3  # px: half of a line around a cell, and rounding by the browser


def assert_map_fits(phone: Phone) -> None:
    """Assert that each cell that fits is in the map, above the bar that confirms a tile."""
    window = phone.find("#map-view").bounding_box()
    for cell in phone.find("#map a.hotspot.fits").all():
        box = cell.bounding_box()
        assert (
            box["x"] >= window["x"] - LINE_WIDTH
            and box["x"] + box["width"] <= window["x"] + window["width"] + LINE_WIDTH
        )
        assert (
            box["y"] >= window["y"] - LINE_WIDTH
            and box["y"] + box["height"] <= window["y"] + window["height"] - BAR + LINE_WIDTH
        )


@pytest.mark.long("a rarer case in a browser")
def test_map_fits_possible_cells_until_player_zooms(server, new_phone):
    names, moves, _ = read_game("alpine-trails-1")
    table = open_seated_table(server, new_phone, *names, game="alpine-trails")
    phone = table.phones[0]
    for seat, move in moves[: len(moves) // 2]:
        phone.submit_move(table.path, seat, move)
    phone.go(f"{table.path}/seat/0")
    assert phone.find("#map-view").bounding_box()["height"] >= WINDOW
    assert_map_fits(phone)
    for key in ("trail-rock", "terrain-meadow"):
        tap_key(phone, "key", key)
        assert_map_fits(phone)
    full_width = phone.find("#map").bounding_box()["width"]
    phone.find("#map-view").focus()
    for _ in range(3):
        phone.page.keyboard.press("+")
    large = phone.find("#map").bounding_box()["width"]
    assert large > full_width
    tap_key(phone, "key", "trail-rock")
    assert abs(phone.find("#map").bounding_box()["width"] - large) < 1  # As the player left it.
    phone.find("#map-view").focus()
    phone.page.keyboard.press("0")
    assert_map_fits(phone)


WINDOW = 278  # px: minimum height of the map on a phone


def delay_answers(phone: Phone, ms: int) -> None:
    """Delay every answer of the table by some milliseconds."""
    wire = phone.context.new_cdp_session(phone.page)
    wire.send("Network.enable")
    wire.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": ms, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def test_tile_that_fits_nowhere_is_reported(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    phone.find('#tile-form [value="campsite"]').tap()
    expect(phone.find(".tile-placement .no-fit")).to_have_text(
        "A campsite needs a trail end at least 6 miles from base camp and every campsite."
    )
    tap_key(phone, "key", "trail-meadow")
    expect(phone.find(".tile-placement .no-fit")).to_be_hidden()


def test_keys_and_cells_need_no_network(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    requests = []
    phone.page.on("request", lambda request: requests.append(request.url))
    move = PlaceTrail("meadow", "NES", 3, 0, -1)
    tap_key(phone, "key", "trail-meadow")
    tap_key(phone, "miles", "3")
    tap_cell(phone, 0, -1)
    while not is_move_ready(phone, move):
        tap_cell(phone, 0, -1)
    expect(submit_button(phone)).to_have_text("Place it: 3-mile meadow fork, just north")
    assert not [url for url in requests if "/seat/" in url]
    number = table.table.version
    tap_button(phone, submit_button(phone))
    phone.wait_for_version(number + 1)
    assert table.table.state.players[0].tiles[-1] == move.placed


def test_next_key_submits_shown_tile_and_nothing_else(server, new_phone):
    """Tap every few frames with 300 ms of delay; the moves sent equal the ones the bar showed."""
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    phone.wait_for_version(table.table.version)
    delay_answers(phone, 300)
    shown = []
    for key, cell in (
        ("trail-forest", (0, -1)),
        ("terrain-rock", (2, 0)),
        ("trail-wetland", (0, 1)),
        ("terrain-meadow", (-1, 0)),
    ):
        phone.find(f'.key[value="{key}"]').evaluate("key => key.click()")
        phone.wait_for_frames(6)
        find_cell(phone, *cell).dispatch_event("click")
        shown.append(submit_button(phone).get_attribute("value"))
        phone.wait_for_frames(6)
    submit_button(phone).evaluate("button => button.click()")
    delay_answers(phone, 0)
    expect(phone.find("#map .tile")).to_have_count(2 + len(shown))
    placed = [step.move for step in table.table.steps[1:]]
    assert [msgspec.json.decode(value, type=type(move)) for value, move in zip(shown, placed, strict=True)] == placed


# Everything that was visible when a finger went down: the text of the bar and the button under the finger; and each
# move that left the phone.
SHOWN = """
window.shown = []; window.left = [];
document.addEventListener("pointerdown", (event) => {
  const bar = document.querySelector(".confirm-bar:not([hidden]) .confirm-form button");
  const tapped = event.target.closest("button[name=move]");
  for (const button of [bar, tapped]) if (button?.value) window.shown.push(button.value);
}, true);
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const move = ctx.request.body?.get?.("move");
  if (move) window.left.push([move, window.shown.includes(move)]);
});
"""
TAP_COUNT = 60  # here and there, one every few frames


@pytest.mark.long("a rarer case in a browser")
def test_quick_taps_on_slow_network_submit_only_shown_moves(server, new_phone):
    chance = random.Random("quick")
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    phone.expect_in_console("422|409|400|429")
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("forest"))])
    phone.page.add_init_script(SHOWN)
    phone.go(f"{table.path}/seat/0")
    delay_answers(phone, 300)
    for _ in range(TAP_COUNT):
        if places := phone.page.evaluate(PLACES_SCRIPT):
            phone.page.touchscreen.tap(*chance.choice(places))
        phone.wait_for_frames(6)
    left = phone.page.evaluate("window.left")
    assert len(left) >= TAP_COUNT // 20
    assert [move for move, shown in left if not shown] == []


@pytest.mark.long("a rarer case in a browser")
def test_cell_tapped_first_waits_for_its_key(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    tap_cell(phone, 0, -1)
    expect(submit_button(phone)).to_be_hidden()
    tap_key(phone, "key", "terrain-wetland")
    expect(submit_button(phone)).to_have_text("Place it: wetland terrain, just north")
    tap_cell(phone, 2, 0)  # Another cell: the tile moves there.
    expect(submit_button(phone)).to_have_text("Place it: wetland terrain, just east")
    phone.find(".confirm-bar .back").tap()
    expect(submit_button(phone)).to_be_hidden()
    assert not phone.find("#map .tile-overlay").count()


@pytest.mark.long("a rarer case in a browser")
def test_discard_is_submitted_by_next_key_and_undone_by_its_own(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    number = table.table.version
    discard = phone.find('.key[data-key="discard"]')
    tap_button(phone, discard)
    expect(submit_button(phone)).to_have_text("Discard it: one of your tiles")
    tap_button(phone, discard)
    expect(submit_button(phone)).to_be_hidden()
    tap_button(phone, discard)
    tap_key(phone, "key", "terrain-rock")
    phone.wait_for_version(number + 1)
    assert isinstance(table.table.steps[-1].move, Discard)
    expect(phone.find('.key[value="terrain-rock"]')).to_have_attribute("aria-pressed", "true")


def test_tile_by_keyboard_alone_is_placed_turned_and_submitted(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    keys = phone.page.keyboard
    play_moves(table, [(0, TakeCamp("rock"))])
    phone.button("Forest trail").focus()
    keys.press("Enter")
    # The cells are one tab stop; the arrow keys move between them.
    expect(phone.find("#map a.hotspot[tabindex='0']")).to_have_count(1)
    find_cell(phone, -1, 0).focus()
    keys.press("ArrowRight")
    expect(find_cell(phone, 0, -1)).to_be_focused()
    for _ in range(2):  # placed, and turned
        keys.press("Enter")
    expect(find_cell(phone, 0, -1)).to_have_accessible_name(
        "just north of base camp’s west square: 2-mile forest bend. Tap to rotate"
    )
    expect(phone.find("#tile-status")).to_have_text(
        "Place it: 2-mile forest bend just north of base camp’s west square"
    )
    phone.find(".confirm-bar .back").focus()
    keys.press("Enter")
    expect(phone.find("#fragment-actions")).to_be_focused()  # The element that had the focus is gone.
    expect(phone.find("#tile-status")).to_be_empty()
    phone.button("Forest trail").focus()
    keys.press("Enter")
    find_cell(phone, 0, -1).focus()
    keys.press("Enter")
    number = table.table.version
    phone.button("Rock terrain").focus()
    keys.press("Enter")
    phone.wait_for_version(number + 1)
    assert table.table.state.players[0].tiles[-1].cell == (0, -1)
    # The next key submitted the tile, and the next cell is chosen.
    expect(phone.button("Rock terrain")).to_be_focused()
    find_cell(phone, 2, 0).focus()
    keys.press("Enter")
    submit_button(phone).focus()
    keys.press("Enter")
    phone.wait_for_version(number + 2)
    expect(phone.find("#fragment-actions")).to_be_focused()
    assert table.table.state.players[0].tiles[-1].cell == (2, 0)


@pytest.mark.long("a rarer case in a browser")
def test_bar_covers_no_figures_and_no_offered_animal(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    bo = table.phones[1]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock")), (0, PlaceTrail("forest", "NES", 2, 0, -1))])
    tap_key(bo, "key", "terrain-rock")
    tap_cell(bo, -1, 0)
    expect(bo.find(".summary")).to_be_visible()
    number = table.table.version
    tap_button(bo, bo.button(re.compile("^Skip")))
    bo.wait_for_version(number + 1)
    expect(submit_button(bo)).to_have_text("Place it: rock terrain, just west")
    tap_button(bo, bo.find(".confirm-bar .back"))
    expect(bo.find(".confirm-bar")).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
def test_placed_tile_is_inspected_and_fixed_from_there(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock")), (0, PlaceTrail("forest", "NS", 2, 0, -1))])
    phone.find('#map .tile[data-mark="0,-1"]').dispatch_event("click")
    expect(phone.find(".tile-placement .tile-info")).to_contain_text("Straight 2-mile forest trail just north")
    phone.link("Fix this tile").tap()
    expect(phone.find(".editing-note")).to_contain_text("Ana’s map")
    expect(phone.find(".tile-placement")).to_contain_text("Straight 2-mile forest trail. What should it be?")


@pytest.mark.long("a rarer case in a browser")
def test_slow_player_does_not_block_the_others(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock"))])
    play_moves(table, [(0, PlaceTerrain("rock", x, 0)) for x in (2, 3, 4)])
    expect(ana.find(".turnbar h1")).to_contain_text("Round 2 of 16 place your second tile.")
    assert (table.table.state.round, table.table.state.players[0].tiles_used) == (1, 3)


def random_map_with_loops(rng: random.Random, size: int) -> list[PutTile]:
    """Return a legal map in a legal order of placement, with a loop wherever one can be closed."""
    camp = TakeCamp("rock")
    tiles = camp.apply(TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(["Ana"])), 0).players[0].tiles
    placed: list[PutTile] = []
    owed = 0  # number of waterfalls still to place
    while len(placed) < size:
        loops = loop_closing_exits(tiles, {})
        if owed:
            cell, tile, owed = (
                rng.choice(sorted(legal_placements(tiles, Tile("waterfall")))),
                Tile("waterfall"),
                owed - 1,
            )
        elif loops:
            cell = rng.choice(sorted(loops))
            tile, owed = Tile("trail", rng.choice(TERRAINS), rng.choice(loops[cell]), rng.choice(MILES), 1), 1
        elif rng.random() < 1 / 4:
            cell, tile = (
                rng.choice(sorted(edge_cells(tiles))),
                Tile("terrain", rng.choice(TERRAINS), icons=TERRAIN_ICONS),
            )
        else:
            fitting = legal_exits(tiles)
            cell = rng.choice(sorted(cell for cell in fitting if fitting[cell]))
            tile = Tile("trail", rng.choice(TERRAINS), rng.choice(fitting[cell]), rng.choice(MILES), 1)
        if cell in legal_placements(tiles, tile):
            tiles = (*tiles, place_tile(tile, *cell))
            placed.append(PutTile(*cell, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons))
    return placed


class LateAnswers:
    """The answers to tiles that a phone has sent, held until the test releases them."""

    def __init__(self, phone: Phone):
        self._phone = phone
        self._are_late = True
        self._held: list[tuple[Route, APIResponse]] = []
        phone.page.route("**/play", self._answer)

    def _answer(self, route: Route) -> None:
        answer = route.fetch()
        if self._are_late:
            self._held.append((route, answer))
        else:
            route.fulfill(response=answer)

    @property
    def unanswered_tiles(self) -> int:
        """Return the number of tiles on the map that the server has not answered."""
        return self._phone.find("#map .tile-overlay.pending").count()

    def release_first(self) -> None:
        """Release the answer to the first tile, and wait until the map has it."""
        waiting = self.unanswered_tiles
        self._phone.wait_for(lambda: self._held, "no tile was sent")
        route, answer = self._held.pop()
        route.fulfill(response=answer)
        self._phone.wait_for(lambda: self.unanswered_tiles < waiting, "the answer is not shown")

    def reload_page(self) -> None:
        """Reload the page, which loses the answers in flight."""
        self._held.clear()
        self._phone.page.reload()

    def release_all(self) -> None:
        """Release all held answers, and hold none from now on."""
        self._are_late = False
        for route, answer in self._held:
            route.fulfill(response=answer)


@pytest.mark.long("a whole game in a browser")
@parametrize_cases("size", [20, 34])
def test_map_entered_with_late_answers_holds_every_tile_that_was_tapped(size, server, new_phone):
    """Answers come before the next tile, during it, after several more, or get lost on reload."""
    rng, tiles = random.Random(size), random_map_with_loops(random.Random(size), size)
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails-tally")
    phone = table.phones[0]
    play_moves(table, [(0, EnterCamp("rock"))])
    phone.wait_for_version(table.table.version)
    answers, versions = LateAnswers(phone), set()
    for tile in tiles:
        phone.find(f'.key[name="draft.key"][value="{pad_key(tile)}"]').tap()  # Submits the previous tile.
        comes = rng.choice(("before", "meanwhile", "later", "lost"))
        while answers.unanswered_tiles and (comes == "before" or not find_cell(phone, tile.x, tile.y).count()):
            answers.release_first()
        build_tile(phone, tile)
        if answers.unanswered_tiles:
            versions.add(comes)
            if comes == "meanwhile":
                answers.release_first()
            if comes == "lost":
                answers.reload_page()
                expect(submit_button(phone)).to_be_visible()
        assert is_move_ready(phone, tile)
    assert versions == {"meanwhile", "later", "lost"}
    phone.find(".end-actions button", has_text="Place").tap()
    phone.find(".end-actions button", has_text="Done").tap()
    answers.release_all()
    expect(phone.find(".end-actions")).to_have_count(0)
    placed = table.table.state.players[0].tiles
    assert {tile for tile in placed if tile.kind not in ("base", "lake")} == {tile.placed for tile in tiles}
    assert not open_ends(placed)
    expect(phone.find(".tile-placement .failed-moves")).to_have_count(0)


@pytest.mark.long("a rarer case in a browser")
def test_built_tile_survives_animal_offer_and_reload(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    bo = table.phones[1]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock"))])
    play_moves(table, [(1, PlaceTerrain("rock", x, 0)) for x in (2, 3)])
    build_tile(bo, PlaceTrail("forest", "NES", 3, 0, -1))
    label = submit_button(bo).inner_text()
    play_moves(table, [(0, PlaceTrail("forest", "NES", 2, 0, -1))])  # Bo is offered its animal.
    expect(submit_button(bo)).to_have_text(label)
    bo.page.reload()
    expect(submit_button(bo)).to_have_text(label)
    number = table.table.version
    tap_button(bo, submit_button(bo))
    expect(bo.find(".tile-placement .no-fit")).to_have_text("Take or skip the animal first. Your tile waits.")
    tap_button(bo, bo.button(re.compile("^Skip")))
    bo.wait_for_version(number + 2)
    (tile,) = [tile for tile in table.table.state.players[1].tiles if tile.kind == "trail"]
    assert (tile.cell, tile.exits, tile.miles) == ((0, -1), "NES", 3)


def test_key_pressed_after_loop_is_kept_until_waterfall_is_placed(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock")), (0, PlaceTrail("rock", "NE", 1, 0, 1))])
    build_tile(ana, PlaceTrail("rock", "NW", 1, 1, 1))
    tap_key(ana, "key", "terrain-rock")  # Submits the trail.
    expect(ana.find('.key[value="waterfall"]')).to_have_attribute("aria-pressed", "true")
    tap_cell(ana, 2, 0)
    expect(submit_button(ana)).to_have_text("Place it: waterfall, just east")
    tap_button(ana, submit_button(ana))
    expect(ana.find('.key[value="terrain-rock"]')).to_have_attribute("aria-pressed", "true")


def table_entering_map(server, new_phone) -> tuple:
    """Return a table where a map is entered, its phone, and the held request of the first tile."""
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails-tally")
    phone = table.phones[0]
    play_moves(table, [(0, EnterCamp("rock"))])
    build_tile(phone, PutTile(0, -1, "terrain", "rock", icons=2))
    return table, phone, phone.hold_request("**/play", lambda: tap_key(phone, "key", "terrain-forest"))


def test_tile_that_cannot_be_entered_is_named_and_later_ones_are_entered(server, new_phone):
    table, phone, first = table_entering_map(server, new_phone)
    build_tile(phone, PutTile(2, 0, "terrain", "forest", icons=2))
    tap_key(phone, "key", "terrain-meadow")
    build_tile(phone, PutTile(-1, 0, "terrain", "meadow", icons=2))
    tap_button(phone, submit_button(phone))
    phone.submit_move(table.path, 0, PutTile(2, 0, "campsite"))  # on another page of this seat
    first.continue_()
    expect(phone.find(".tile-placement .failed-moves")).to_contain_text("Not done: ")
    expect(phone.find(".tile-placement .failed-moves")).to_contain_text(
        "forest terrain just east of base camp. There is already a tile."
    )
    phone.find(".tile-placement .failed-moves button").tap()
    expect(phone.find(".tile-placement .failed-moves")).to_be_hidden()
    expect(phone.find('#map .tile[data-mark="-1,0"]')).to_have_count(1)
    terrains = {
        tile.cell: tile.terrain or tile.kind for tile in table.table.state.players[0].tiles if tile.kind != "base"
    }
    assert terrains == {(0, -1): "rock", (2, 0): "campsite", (-1, 0): "meadow"}


def test_undo_removes_last_submitted_tile_while_others_are_in_flight(server, new_phone):
    table, phone, first = table_entering_map(server, new_phone)
    build_tile(phone, PutTile(2, 0, "terrain", "forest", icons=2))
    tap_button(phone, submit_button(phone))
    undo = phone.find(".turnbar .undo button")
    tap_button(phone, undo)
    expect(phone.find("#map .tile-overlay")).to_have_count(1)  # the tile that has been sent
    tap_button(phone, undo)
    number = table.table.version
    first.continue_()
    phone.wait_for_version(number + 2)
    assert [tile.kind for tile in table.table.state.players[0].tiles] == ["base", "base"]


def test_picked_up_tile_leaves_the_last_button_on_the_screen(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails-tally")
    phone = table.phones[0]
    play_moves(table, [(0, EnterCamp("rock")), (0, PutTile(0, -1, "terrain", "rock", icons=2))])
    tap_cell(phone, 0, -1)
    expect(phone.find(".tile-placement")).to_contain_text("Rock terrain tile.")
    expect(phone.find(".end-actions button").last).to_be_in_viewport(ratio=1)


def test_shape_key_turns_the_tile_in_hand_or_leaves_a_cell_where_it_does_not_fit(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock")), (0, PlaceTrail("rock", "NE", 1, 0, 1))])
    tap_key(phone, "key", "trail-meadow")
    expect(phone.find('.key[value="bend"]')).to_have_attribute("aria-pressed", "true")  # as the last trail
    tap_cell(phone, 1, 1)
    expect(submit_button(phone)).to_contain_text("1-mile meadow bend")
    tap_key(phone, "shape", "fork")
    expect(submit_button(phone)).to_contain_text("1-mile meadow fork")
    tap_key(phone, "shape", "straight")
    expect(submit_button(phone)).to_contain_text("1-mile meadow straight")
    tap_cell(phone, -1, 0)
    expect(submit_button(phone)).to_contain_text("straight, just west")


def test_tap_in_a_corner_of_a_cell_turns_a_bend_to_both_edges(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    tap_key(phone, "key", "trail-meadow")
    tap_key(phone, "shape", "bend")
    tap_cell(phone, 0, -1, (0.2, 0.85))
    assert is_move_ready(phone, PlaceTrail("meadow", "SW", 2, 0, -1))


def test_cells_stay_under_the_finger_while_an_animal_is_offered(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock"))])
    tap_key(ana, "key", "trail-meadow")
    before = find_cell(ana, 0, 1).bounding_box()
    play_moves(table, [(1, PlaceTrail("forest", "NES", 2, 0, -1))])
    expect(ana.find(".animal-offer")).to_contain_text("Bo’s forest fork:")
    after = find_cell(ana, 0, 1).bounding_box()
    assert [after[key] for key in ("x", "y", "width")] == pytest.approx(
        [before[key] for key in ("x", "y", "width")], abs=1
    )
    expect(ana.find('.key[value="trail-meadow"]')).to_have_attribute("aria-pressed", "true")


def test_ring_on_the_map_is_explained_in_words(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    expect(ana.find(".map-legend")).to_be_hidden()
    play_moves(table, [(0, PlaceTrail("rock", "NE", 1, 0, 1))])
    expect(ana.find(".map-legend")).to_have_text("A trail here can complete a loop")
    tap_key(ana, "key", "terrain-rock")
    expect(ana.find(".map-legend")).to_be_hidden()


# The boxes of what a finger may be about to tap, by their text.
KEY_BOXES = """keys => keys.map(key => {
  const { left, top, width, height } = key.getBoundingClientRect();
  return [key.textContent.trim(), Math.round(left), Math.round(top), Math.round(width), Math.round(height)];
})"""


@parametrize_cases("players", [2, 5])
def test_keys_keep_their_place_while_others_play(players, server, new_phone):
    names = ("Ana", "Bo", "Cleo", "Dimitri", "Wolfeschlegelsteinhausenbergerdorff")[:players]
    table = open_seated_table(server, new_phone, *names, game="alpine-trails")
    ana = table.phones[0]
    play_moves(table, [(seat, TakeCamp("rock")) for seat in range(players)], tapped=set())
    tap_key(ana, "key", "trail-meadow")
    tap_cell(ana, 0, 1, (0.5, 0.86))
    keys = ana.find(".tile-keys .key:visible, .confirm-bar :is(a, button)")
    before = keys.evaluate_all(KEY_BOXES)
    for seat in range(1, players):
        for move in (PlaceTrail(TERRAINS[seat % 4], "NES", 2, 0, -1), PlaceTerrain("forest", 2, 0)):
            table.phones[seat].submit_move(table.path, seat, move)
            ana.wait_for_version(table.table.version)
            assert keys.evaluate_all(KEY_BOXES) == before, move
    expect(ana.find(".animal-offer")).to_be_visible()
    tap_button(ana, ana.find(".offer-key", has_text="Skip"))
    ana.wait_for_version(table.table.version)
    assert keys.evaluate_all(KEY_BOXES) == before


def test_news_of_three_other_players_shows_two_and_counts_the_rest(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", "Cleo", "Dora", game="alpine-trails")
    ana = table.phones[0]
    play_moves(table, [(seat, TakeCamp("rock")) for seat in range(4)], tapped=set())
    play_moves(table, [(seat, PlaceTerrain("rock", 2, 0)) for seat in range(1, 4)], tapped=set())
    expect(ana.find(".turn-news > span:visible .text")).to_have_text([re.compile("^Cleo:"), re.compile("^Dora:")])
    expect(ana.find(".turn-news .more:visible")).to_have_text("1 more")


def test_tap_at_the_entry_of_a_cell_forks_to_every_side(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    tap_key(phone, "key", "trail-meadow")
    tap_cell(phone, 0, -1, (0.5, 0.86))
    assert is_move_ready(phone, PlaceTrail("meadow", "NESW", 2, 0, -1))
    tap_cell(phone, 0, -1)
    assert is_move_ready(phone, PlaceTrail("meadow", "ESW", 2, 0, -1))


def test_chosen_fork_branches_toward_the_tapped_edge(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock"))])
    for position, exits in (((0.86, 0.5), "NES"), ((0.14, 0.5), "NSW"), ((0.5, 0.86), "ESW")):
        tap_key(phone, "key", "trail-meadow")
        phone.find('.key[value="fork"]').tap()
        tap_cell(phone, 0, -1, position)
        assert is_move_ready(phone, PlaceTrail("meadow", exits, 2, 0, -1))
        phone.find(".confirm-bar .back").tap()


def test_refusal_of_a_square_is_gone_after_the_tile_is_placed(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("Ana", server.address)
    table = open_played_table(server, "alpine-trails", 2, random_game_moves("alpine-trails", 2)[:8])
    seat = TRACKED_GAME.flow.to_move(table.state)[0]
    take_seat_device(phone, server, seat)
    phone.go(f"/t/{table.code}/seat/{seat}")
    phone.find('.key[name="draft.key"][value^="trail-"]').first.tap()
    phone.find(".hotspot.refused:not(.tile)").first.tap(force=True)
    expect(phone.find(".tile-placement .objection")).to_be_visible()
    phone.find(".hotspot.fits").first.tap(force=True)
    phone.find(".confirm-form button").tap()
    phone.wait_for_version(table.version + 1)
    expect(phone.find(".tile-placement .objection")).to_have_count(0)
    phone.wait_until("!location.search.includes('draft.x')")


def test_map_fits_again_after_a_refusal_has_moved_it(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play_moves(table, [(0, TakeCamp("rock")), (1, TakeCamp("rock"))])
    tap_key(phone, "key", "campsite")
    phone.find(".hotspot.refused:not(.tile)").first.tap(force=True)
    expect(phone.find(".tile-placement .objection")).to_be_visible()
    tap_key(phone, "key", "terrain-forest")
    expect(phone.find(".tile-placement .objection")).to_have_count(0)
    assert_map_fits(phone)


# The width and height of a cell of each map on the page, and the size of the number of its miles; 0 without one.
CELLS_SCRIPT = """() => [...document.querySelectorAll("svg.alpine")].map((map) => {
  const { width, height } = map.getBoundingClientRect(), { w, h } = map.dataset, style = getComputedStyle(map);
  const hasMiles = style.getPropertyValue("--large-miles") === "inline" && style.getPropertyValue("--miles") !== "none";
  return [width / w, height / h, hasMiles ? 0.4 * width / w : 0];
})"""
MIN_CELL, MIN_MILES = 26, 10  # px, on a phone; on any screen that shows them
SCREENS = (PHONE_SIZE, TABLET_SIZE, {"width": 1366, "height": 768}, {"width": 768, "height": 1024})


@parametrize_cases("size", SCREENS)
@parametrize_cases(("game", "players"), [("alpine-trails", 3), ("alpine-trails", 5), ("alpine-trails-tally", 2)])
def test_all_maps_of_a_page_have_one_scale(
    start_in_process_server, new_phone, game: str, players: int, size: dict[str, int]
):
    server = start_in_process_server(10)
    phone = new_phone("the table", server.address, viewport=size)
    moves = random_game_moves(game, players)
    for part, page in itertools.product((0.6, 1), ("board", "score")):
        table = open_played_table(server, game, players, moves[: int(part * len(moves))])
        phone.go(f"/t/{table.code}/{page}")
        cells = phone.page.evaluate(CELLS_SCRIPT)
        sizes = [side for width, height, _ in cells for side in (width, height)]
        assert len(cells) == sum(bool(player.tiles) for player in table.state.players), (part, page)
        assert not sizes or max(sizes) - min(sizes) < 0.1, (part, page, sizes)
        if size is PHONE_SIZE:
            assert all(side >= MIN_CELL - 0.1 for side in sizes), (part, page, sizes)
        assert all(miles >= MIN_MILES or (not miles and size is not PHONE_SIZE) for *_, miles in cells), (part, page)


def test_large_map_of_a_score_scrolls_to_the_tiles_of_a_line(start_in_process_server, new_phone):
    server = start_in_process_server(10)
    phone = new_phone("the table", server.address)
    table = open_played_table(server, "alpine-trails", 1, random_game_moves("alpine-trails", 1))
    phone.go(f"/t/{table.code}/score")
    room = phone.find(".score-map")
    assert room.evaluate("room => room.scrollWidth > room.clientWidth")
    line = phone.find(".line[data-marks]").last
    line.locator(".label").tap()
    tile = phone.find(".score-map .highlighted").first
    expect(tile).to_be_in_viewport()
    inside = "([tile, room]) => tile.left >= room.left - 1 && tile.right <= room.right + 1"
    boxes = [each.evaluate("part => part.getBoundingClientRect().toJSON()") for each in (tile, room)]
    assert phone.page.evaluate(inside, boxes)
