"""Paint finished maps of ALPINE TRAILS with few touches, nothing lost and the same score."""

import base64
import random
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Route, expect

from scoring.alpine_trails.map.grid import describe_cell
from scoring.alpine_trails.map.paths import cells_to_measure, next_path_to_measure
from scoring.alpine_trails.map.tiles import Animal, Cell, PlacedTile, TrailMap
from scoring.alpine_trails.points import FinalPlayer, Goal, player_lines
from scoring.alpine_trails.score_entry import PutMap
from tests.browser.map_painting import Painter, terrain_strokes, trail_lines
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_axe import axe_violations_now
from tests.browser.test_pages_fit import page_faults
from tests.support.alpine_trails_maps import parse_map, random_map

pytestmark = pytest.mark.browser

MIN_CELL = 36  # px


@dataclass(frozen=True)
class FinishedMap:
    """A map of a real evening, with the limits of touches for curved and for straight strokes."""

    drawing: str
    total: int
    touches: int
    straight_touches: int
    animals: tuple[tuple[Cell, Animal], ...] = ()
    goal: Goal | None = None

    @property
    def tiles(self) -> TrailMap:
        """Return its tiles, with the first square of base camp at 0, 0."""
        tiles, animals = with_base_at_origin(parse_map(self.drawing)), dict(self.animals)
        return tuple(replace(tile, animal=animals.get(tile.cell)) for tile in tiles)


MAPS = {
    "20 tiles": FinishedMap(
        """
        .     ES1r  lake  .     .     .
        r     camp  NSW1w f     .     .
        ES3r  NW3f  NS1w  f     .     .
        NE2f  Bf    Bf    EW1f  EW1f  lake
        f     NS3f  NS1f  .     .     .
        ES2m  NW2m  lake  .     .     .
        camp  EW1m  lake  .     .     .
        .     m     .     .     .     .
        """,
        total=50,
        touches=35,
        straight_touches=37,
    ),
    "34 tiles": FinishedMap(
        """
        .     .     .     r     ES1r  SW1w  .     .     f     .
        .     .     .     r     camp  NSW1w f     f     f     .
        .     .     .     ES3r  NW3f  NS1w  f     fall  f     .
        .     .     .     NE2f  Bf    Bf    EW1f  EW1f  SW3w  .
        .     .     .     f     NS3f  NS1f  .     .     NE3f  lake
        .     .     .     ES2m  NW2m  lake  .     .     .     .
        .     .     fall  camp  EW1m  lake  .     .     .     .
        camp  EW3w  EW2w  NW3m  m     .     .     .     .     .
        """,
        total=116,
        touches=55,
        straight_touches=55,
        animals=(((-1, 1), "bear"), ((-1, -2), "goat"), ((0, 4), "wolf")),
        goal=Goal("habitat-icons", "forest"),
    ),
    "sprawling": FinishedMap(
        """
        .     .     lake  .     .     .     .
        .     camp  NEW3m EW2m  SW2m  .     .
        .     NE2m  EW2m  EW2r  camp  .     .
        .     .     fall  ES2r  NW3f  .     .
        .     lake  r     NS3r  r     r     .
        .     NE3r  Br    Br    EW3r  EW2r  SW2w
        .     .     NS3f  r     fall  ES1r  camp
        .     .     NE2m  SW2f  f     NE3f  NW1f
        lake  EW1w  EW1w  camp  ESW1f lake  f
        .     .     .     .     lake  .     .
        """,
        total=94,
        touches=46,
        straight_touches=60,
        animals=(((1, 1), "goat"),),
        goal=Goal("path-length"),
    ),
}


def with_base_at_origin(tiles: TrailMap) -> TrailMap:
    """Return a map moved so that the western or northern square of base camp is at 0, 0."""
    x, y = min(tile.cell for tile in tiles if tile.kind == "base")
    return tuple(replace(tile, x=tile.x - x, y=tile.y - y) for tile in tiles)


@pytest.fixture
def table(server, new_phone) -> SeatedTable:
    return open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails-tally", shows_pages=False)


@pytest.fixture
def painter(table: SeatedTable) -> Iterator[Painter]:
    """Provide a phone that shows the painter."""
    phone = table.phones[0]
    phone.go(f"{table.path}/seat/0")
    phone.find("a[href$='/map']").tap()
    phone.page.wait_for_url("**/map")
    expect(phone.find("#base-keys")).to_be_visible()
    painter = Painter(phone)
    yield painter
    painter.close()


def painted_tiles(phone: Phone) -> TrailMap:
    """Return the map that a phone shows, as the move would enter it."""
    return msgspec.convert(phone.page.evaluate("() => painter.map.tiles()"), TrailMap)


def without_miles(tiles: TrailMap) -> set[PlacedTile]:
    return {replace(tile, miles=0) for tile in tiles}


def score_lines(tiles: TrailMap, goal: Goal | None) -> list[tuple[str, int]]:
    lines = player_lines(FinalPlayer("Ana", tiles, goal=goal), {}, False)
    return sorted((line.category, line.points) for line in lines)  # those of waterfalls come in the order of the tiles


STROKES = [("20 tiles", "shaking"), ("34 tiles", "curved"), ("sprawling", "straight")]  # the others are long


@pytest.mark.parametrize(
    "name, stroke",
    [
        pytest.param(name, stroke, marks=() if (name, stroke) in STROKES else pytest.mark.long("more strokes"))
        for name in MAPS
        for stroke in ("curved", "straight", "shaking")
    ],
)
def test_map_is_painted_with_few_touches(name: str, stroke: str, table: SeatedTable, painter: Painter):
    wanted, is_straight = MAPS[name], stroke == "straight"
    painter.rng = random.Random(1) if stroke == "shaking" else None
    painter.paint(wanted.tiles, wanted.goal, only_straight=is_straight)
    painter.wait_until_entered()
    player = table.table.state.players[0]
    assert without_miles(player.tiles) == without_miles(wanted.tiles)
    assert (player.goal, player.done) == (wanted.goal, True)
    (column, _) = table.table.tracked.box.score(table.table.tracked.final_position(table.table.state)).columns
    assert (column.total, column.warnings) == (wanted.total, ())
    assert painter.touches <= (wanted.straight_touches if is_straight else wanted.touches)
    assert painter.smallest_cell >= MIN_CELL
    assert painter.moved == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long("many maps")) for n in range(1, 24))])
def test_random_map_is_painted_exactly_by_a_shaking_finger(seed: int, table: SeatedTable, painter: Painter):
    painter.rng = rng = random.Random(seed)
    goal = rng.choice((None, Goal("path-length"), Goal("path-icons", "rock"), Goal("tent-icons", "any")))
    tiles = with_base_at_origin(random_map(rng, rng.randint(12, 30)))
    painter.paint(tiles, goal, only_straight=rng.random() < 0.3)
    painter.wait_until_entered()
    player = table.table.state.players[0]
    assert without_miles(player.tiles) == without_miles(tiles)
    assert score_lines(player.tiles, player.goal) == score_lines(tiles, goal)
    assert painter.smallest_cell >= MIN_CELL
    assert painter.moved == []


FIGURES_SCRIPT = """([tiles, goal, rulings]) => {
  const map = PaintedMap.fromTiles(tiles, goal), cells = map.cellsToMeasure(rulings), next = map.nextPath(rulings);
  const texts = map.occupied.map((cell) => [cell, map.location(cell)]);
  return { tiles: map.tiles(), cells, most: next ? next.most : 0, texts, gaps: map.gaps().length };
}"""
RULINGS = ({}, {"fork-miles": "yes"}, {"shared-lake": "joined"}, {"fork-miles": "yes", "shared-lake": "joined"})


def test_page_and_rules_agree_about_miles_and_places(painter: Painter):
    for seed in range(60):
        rng = random.Random(seed)
        goal = rng.choice((None, Goal("path-icons", "forest")))
        rulings, told = rng.choice(RULINGS), rng.random()
        tiles = with_base_at_origin(random_map(rng, rng.randint(6, 32)))
        tiles = tuple(replace(tile, miles=tile.miles if rng.random() < told else 0) for tile in tiles)
        found = painter.phone.page.evaluate(
            FIGURES_SCRIPT, [msgspec.to_builtins(tiles), msgspec.to_builtins(goal), rulings]
        )
        assert set(msgspec.convert(found["tiles"], TrailMap)) == set(tiles)
        assert {cell_of(cell) for cell in found["cells"]} == set(cells_to_measure(tiles, rulings, goal is not None))
        path = next_path_to_measure(tiles, rulings, goal is not None)
        assert found["most"] == (path.most_miles if path else 0)
        assert dict(map(tuple, found["texts"])) == {f"{t.x},{t.y}": describe_cell(tiles, t.cell) for t in tiles}
        assert found["gaps"] == 0


def cell_of(text: str) -> Cell:
    x, y = map(int, text.split(","))
    return x, y


def paint_map_without_miles(painter: Painter, tiles: TrailMap) -> None:
    painter.enter_base(tiles)
    painter.draw_all("trail", trail_lines(tiles), is_pressed=True)
    for terrain in ("forest", "rock", "meadow", "wetland"):
        painter.draw_all(terrain, terrain_strokes(tiles, terrain))
    painter.draw_all("campsite", [[tile.cell] for tile in tiles if tile.kind == "campsite"])


@pytest.fixture
def painted(painter: Painter) -> Painter:
    """Provide a phone on which the map of 20 tiles is painted, except its miles."""
    paint_map_without_miles(painter, MAPS["20 tiles"].tiles)
    return painter


def test_each_touch_is_undone_by_one(painted: Painter):
    phone, undo = painted.phone, painted.phone.find("#undo-paint")
    shown = [phone.page.evaluate("() => JSON.stringify(painter.map)")]
    while undo.is_enabled():
        painted.tap_key("#undo-paint")
        shown.append(phone.page.evaluate("() => JSON.stringify(painter.map)"))
        assert shown[-1] != shown[-2]
    expect(phone.find("#base-keys")).to_be_visible()


# A wrong tile and its correction: the brush, the cell, and the tile's kind and terrain after one tap.
CORRECTIONS = [
    ("rock", (2, -1), "terrain", "rock"),
    ("rock", (-1, 0), "trail", "rock"),
    ("campsite", (2, -1), "campsite", None),
    ("campsite", (0, -2), "trail", None),
    ("waterfall", (-1, 1), "waterfall", None),
    ("forest", (4, 0), "stub", "forest"),
]


@pytest.mark.parametrize("brush, cell, kind, terrain", CORRECTIONS)
def test_wrong_tile_is_corrected_with_one_tap(painted: Painter, brush, cell, kind, terrain):
    painted.tap_key(f"[data-brush={brush}]")
    painted.draw([cell])
    x, y = cell
    script = "(cell) => [painter.map.kind(cell), painter.map.terrain(cell) ?? null]"
    assert painted.phone.page.evaluate(script, f"{x},{y}") == [kind, terrain]
    painted.tap_key("#undo-paint")
    assert without_miles(painted_tiles(painted.phone)) == without_miles(MAPS["20 tiles"].tiles)


DOUBLE_TAP = """([x, y]) => {
  const { view } = painter, { left, top } = view.frame(), map = document.getElementById("painted-map");
  const clientX = left + view.left + (x + 0.5) * view.size, clientY = top + view.top + (y + 0.5) * view.size;
  map.setPointerCapture = () => {};
  for (const type of ["pointerdown", "pointerup", "pointerdown", "pointerup"])
    map.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerId: 9, bubbles: true }));
}"""


def test_second_tap_that_bounces_does_nothing(painted: Painter):
    painted.tap_key("[data-brush=waterfall]")
    before = painted_tiles(painted.phone)
    painted.phone.page.evaluate(DOUBLE_TAP, [0, 5])
    after = painted_tiles(painted.phone)
    assert {tile.cell for tile in after} - {tile.cell for tile in before} == {(0, 5)}


def test_gap_is_named_and_shown(painter: Painter):
    phone = painter.phone
    painter.tap_key("[data-base=rock]")
    painter.draw([(1, 0), (2, 0), (3, 0)])
    expect(painter.next_step).to_have_text("Show 1 trail without a terrain")
    painter.tap_key("#next-step")
    expect(phone.find("#painter-news")).to_have_text("Which terrain is this trail on?")
    expect(phone.find("#painted-marks .wrong")).to_have_count(1)
    painter.draw([(2, 0)])
    expect(painter.next_step).to_have_text("Next: miles of 1 tile")
    painter.tap_key("[data-brush=rock]")
    painter.draw([(3, 0)])
    expect(painter.next_step).to_have_text("Show 1 trail that stops")
    painter.tap_key("#undo-paint")
    painter.tap_key("[data-brush=waterfall]")
    painter.draw([(3, 0)])
    expect(painter.next_step).to_have_text(r"Show 1 trail that stops")


def test_refused_map_shows_the_place_and_the_reason(painted: Painter, table: SeatedTable):
    phone = painted.phone
    phone.expect_in_console("422")
    phone.page.evaluate("() => { for (const cell of ['2,-1', '0,4']) painter.map.edit(cell).animal = 'bear'; }")
    painted.enter_miles(MAPS["20 tiles"].tiles)
    painted.choose_goal(None)
    expect(phone.find("#painter-news")).to_contain_text("The bear is on forest, and the bear")
    expect(phone.find("#painted-marks .wrong")).to_have_count(2)
    assert not table.table.steps


def test_map_and_undo_survive_a_reload(painted: Painter):
    phone = painted.phone
    phone.expect_in_console("409")  # the page has gone before the last save is answered
    before = painted_tiles(phone)
    phone.page.reload()
    expect(phone.find("#brush-keys")).to_be_visible()
    assert painted_tiles(phone) == before
    painted.tap_key("#undo-paint")
    assert painted_tiles(phone) != before


def test_map_painted_offline_is_saved_when_the_network_is_back(painted: Painter, table: SeatedTable, server):
    phone = painted.phone
    phone.expect_in_console("ERR_INTERNET_DISCONNECTED")
    phone.wait_until("painter.isSaved")
    phone.context.set_offline(True)
    painted.tap_key("[data-brush=rock]")
    painted.draw([(2, -1)])
    expect(phone.find("#painter-news")).to_have_text("No connection. Your map is saved on this phone.")
    phone.context.set_offline(False)
    phone.wait_until("painter.isSaved")
    assert painted_tiles(phone_that_takes_the_seat(table)) == painted_tiles(phone)


def test_touches_during_a_slow_save_are_saved_after_it(painted: Painter, table: SeatedTable):
    phone, held = painted.phone, []
    phone.wait_until("painter.isSaved")
    phone.page.route("**/map/draft", lambda route: route.continue_() if held else held.append(route))
    painted.tap_key("[data-brush=rock]")
    painted.draw([(2, -1)])
    phone.wait_for(lambda: held, "the first touch was never saved")
    painted.draw([(2, -2)])
    phone.page.evaluate("() => dispatchEvent(new Event('online'))")  # saves immediately
    held[0].continue_()
    phone.wait_until("painter.isSaved")
    assert painted_tiles(phone_that_takes_the_seat(table)) == painted_tiles(phone)


def test_reload_after_a_save_without_answer_asks_nothing(painted: Painter):
    phone = painted.phone
    phone.wait_until("painter.isSaved")
    phone.expect_in_console("ERR_FAILED")
    phone.expect_in_console("409")

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.page.route("**/map/draft", lose_answer, times=1)
    painted.tap_key("[data-brush=rock]")
    painted.draw([(2, -1)])
    expect(phone.find("#painter-news")).to_have_text("No connection. Your map is saved on this phone.")
    painted.draw([(2, -2)])
    before = painted_tiles(phone)
    phone.page.reload()
    expect(phone.find("#brush-keys")).to_be_visible()
    phone.wait_until("painter.isSaved")
    assert phone.find("#sheet-content h2").count() == 0
    assert painted_tiles(phone) == before


def phone_that_takes_the_seat(table: SeatedTable) -> Phone:
    """Return the second phone of the table after the first one has given its seat to it."""
    first, second = table.phones
    first.submit_form(f"{table.path}/stand", seat="0")
    second.submit_form(f"{table.path}/sit", seat="0")
    second.go(f"{table.path}/seat/0/map")
    return second


def test_second_tab_that_has_changed_the_map_is_asked_about(painted: Painter):
    phone = painted.phone
    phone.wait_until("painter.isSaved")
    tab = phone.context.new_page()
    tab.goto(phone.page.url)
    tab.evaluate("() => painter.change(() => painter.map.paintTerrain('2,-1', 'rock', false))")
    phone.wait_for(lambda: tab.evaluate("() => painter.isSaved"), "the other tab was never saved")
    tab.close()
    phone.expect_in_console("409")
    painted.tap_key("[data-brush=meadow]")
    painted.draw([(2, -2)])
    expect(phone.find("#sheet-content h2")).to_have_text("This map was changed elsewhere")
    painted.tap_key("#sheet-content button >> nth=0")
    terrains = {tile.cell: tile.terrain for tile in painted_tiles(phone)}
    assert (terrains[2, -1], terrains[2, -2]) == ("rock", "forest")
    painted.tap_key("#undo-paint")
    terrains = {tile.cell: tile.terrain for tile in painted_tiles(phone)}
    assert (terrains[2, -1], terrains[2, -2]) == ("forest", "meadow")


def test_entered_map_is_fixed_in_the_painter(table: SeatedTable, painted: Painter):
    tiles = MAPS["20 tiles"].tiles
    painted.enter_miles(tiles)
    painted.choose_goal(None)
    painted.wait_until_entered()
    phone = painted.phone
    phone.link("Fix your map").tap()
    expect(phone.find("#brush-keys")).to_be_visible()
    painted.tap_key("[data-brush=rock]")
    painted.draw([(2, -1)])
    painted.tap_key("#next-step")
    painted.wait_until_entered()
    assert {tile.terrain for tile in table.table.state.players[0].tiles if tile.cell == (2, -1)} == {"rock"}


def test_painter_starts_from_a_map_entered_tile_by_tile(table: SeatedTable):
    tiles = with_base_at_origin(random_map(random.Random(5), 16))
    phone = table.phones[0]
    phone.submit_move(table.path, 0, PutMap(tiles, Goal("path-length")))
    phone.go(f"{table.path}/seat/0/map")
    assert set(painted_tiles(phone)) == set(tiles)
    expect(phone.find("#next-step")).to_have_text("Score")


def test_tap_on_the_whole_map_zooms_in_and_paints_nothing(painted: Painter):
    before = painted_tiles(painted.phone)
    painted.tap_key("#whole-map")
    painted.tap_key("[data-brush=rock]")
    painted.draw([(2, -2)])
    assert painted_tiles(painted.phone) == before
    assert painted.phone.page.evaluate("() => painter.view.size") >= MIN_CELL


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def test_photo_lies_below_the_map_and_is_sent_nowhere(painted: Painter):
    phone, sent = painted.phone, []
    phone.wait_until("painter.isSaved")
    phone.page.on("request", lambda request: sent.append(request.url))
    phone.find("#photo-file").set_input_files({"name": "map.png", "mimeType": "image/png", "buffer": PIXEL})
    expect(phone.find("#photo-keys")).to_be_visible()
    before = phone.find("#photo-marks .photo-grid").get_attribute("d")
    painted.touch([(60, 120), (90, 150)])
    assert phone.find("#photo-marks .photo-grid").get_attribute("d") != before
    painted.tap_key("[data-key=photo][value='rows+']")
    painted.tap_key("#next-step")
    painted.touch([(180, 260)])
    expect(phone.find("#brush-keys")).to_be_visible()
    assert phone.page.evaluate("() => document.body.className").split().count("shows-photo") == 1
    painted.tap_key("#painter-menu")
    painted.tap_key("#hide-photo")
    expect(phone.find("#photo")).to_be_hidden()
    assert sent == []


def test_photo_that_cannot_be_read_is_refused_in_a_sentence(painted: Painter):
    phone = painted.phone
    phone.find("#photo-file").set_input_files({"name": "map.heic", "mimeType": "image/heic", "buffer": b"heic"})
    expect(phone.find("#painter-news")).to_have_text("This photo cannot be shown. Choose a JPEG or PNG file.")


def test_animal_of_an_unknown_terrain_is_asked_for_once(painted: Painter):
    phone = painted.phone
    painted.tap_key("[data-brush=animal]")
    painted.draw([(2, -1)])
    expect(phone.find("#painter-heading")).to_have_text("Which animal lives in forest?")
    painted.tap_key("[data-animal=bear]")
    painted.draw([(2, -2)])  # the same animal moves there
    animals = {tile.cell: tile.animal for tile in painted_tiles(phone) if tile.animal}
    assert animals == {(2, -2): "bear"}


def test_painter_fits_the_phone_and_has_no_axe_violations(painter: Painter):
    phone = painter.phone
    found = [*page_faults(phone), *axe_violations_now(phone)]
    paint_map_without_miles(painter, MAPS["20 tiles"].tiles)
    found += [*page_faults(phone), *axe_violations_now(phone)]
    painter.tap_key("#next-step")
    found += page_faults(phone)
    painter.enter_miles(MAPS["20 tiles"].tiles)
    found += [*page_faults(phone), *axe_violations_now(phone)]  # with the goal cards
    painter.choose_goal(None)
    expect(phone.find("#sheet-content")).to_be_visible()
    found += [*page_faults(phone), *axe_violations_now(phone)]
    assert found == []
