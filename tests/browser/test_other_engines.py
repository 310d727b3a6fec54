"""Play every title on two phones with WebKit or Firefox, and look at past games."""

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext

import msgspec
import pytest

from companion.storage.store import Store
from scoring.alpine_trails.map.tiles import TERRAINS, Cell, TrailMap
from scoring.games import TRACKED_GAMES
from tests.browser.map_painting import terrain_strokes, trail_lines
from tests.browser.page_controls import (
    ADVANCES,
    CAN_TAP_SCRIPT,
    CONTROLS,
    CONTROLS_SCRIPT,
    IS_IDLE_SCRIPT,
    KINDS,
    PAGE_STATE_SCRIPT,
    UNFOLDS,
    choose_control,
)
from tests.browser.test_map_painting import MAPS
from tests.browser.webdriver_phones import ENGINES, EnginePhone, missing_packages, virtual_display
from tests.support.parametrize import TRACKED_KEYS

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long("other browsers"),
    pytest.mark.filterwarnings("ignore:setting remote_server_addr"),  # a warning of Selenium itself
]

TITLES = [key for key in TRACKED_KEYS if 2 in TRACKED_GAMES[key].box.player_counts]
STEPS = 20  # steps that both phones must see, or those of a whole shorter game
MIN_TILES = 8  # minimum number of placed tiles in ALPINE TRAILS
VERSION = "Number(document.querySelector('[data-version]')?.dataset.version)"
IS_MY_TURN = "Boolean(document.querySelector('.turnbar.my-turn'))"


@pytest.fixture(scope="module", params=ENGINES)
def engine_phones(request: pytest.FixtureRequest, server) -> Iterator[tuple[EnginePhone, EnginePhone]]:
    """Provide two phones of an engine; if everything must be tested, no engine may be missing."""
    if lacks := missing_packages(request.param):
        assert os.environ.get("WAYMARK_BROWSERS") != "all", f"{request.param} needs {lacks}"
        pytest.skip(f"{request.param} needs {lacks}")
    with virtual_display() if request.param == "webkit" else nullcontext():
        phones: list[EnginePhone] = []
        try:
            for _ in range(2):
                phones.append(ENGINES[request.param](server.address))
            yield phones[0], phones[1]
        finally:
            for phone in phones:
                phone.close()


@pytest.mark.parametrize("game", TITLES)
def test_two_phones_play_every_title(game: str, engine_phones: tuple[EnginePhone, EnginePhone], server):
    code, tapped, rng = open_table(engine_phones, game), set[str](), random.Random(game)
    for _ in range(STEPS):
        if not server.store.table(code).is_over:
            tap_until_move(engine_phones, server.store, code, tapped, rng)
    if game == "alpine-trails":
        tiles = Counter(tile.kind for player in server.store.table(code).state.players for tile in player.tiles)
        assert tiles["trail"] and tiles["terrain"] and tiles["trail"] + tiles["terrain"] >= MIN_TILES
        assert tapped == KINDS.keys() - {UNFOLDS}


def open_table(handsets: tuple[EnginePhone, EnginePhone], game: str) -> str:
    """Open a table by the pages and take the seats; return its code."""
    ana, bo = handsets
    ana.go("/")
    ana.tap(ana.query_expression(f'a[href$="/new/{game}"]'))
    ana.wait_until("location.pathname.startsWith('/new/') && document.readyState === 'complete'")
    for number, name in enumerate(("Ana", "Bo")):
        ana.evaluate(f"(document.getElementById('names-{number}').value = '{name}')")
    ana.tap(ana.text_expression("main button", "Create the table"))
    lobby = ana.wait_until("location.pathname.startsWith('/t/') && location.pathname")
    bo.go(lobby)
    for phone, name in ((ana, "Ana"), (bo, "Bo")):
        phone.tap(phone.text_expression("main button, main a.move", name))
        phone.wait_until("document.querySelector('.seat-page') && typeof streaming !== 'undefined' && streaming")
    return lobby.rpartition("/")[2]


def tap_until_move(
    handsets: tuple[EnginePhone, EnginePhone], store: Store, code: str, tapped: set[str], rng: random.Random
) -> None:
    """Tap on the phone of a player to move until a move is made; wait until both show it.

    Kinds of controls that were not tapped yet come first.
    """
    version = store.table(code).version
    for phone in handsets:
        phone.wait_until(f"{VERSION} === {version} && {IS_IDLE_SCRIPT}")
    mover = rng.choice([phone for phone in handsets if phone.evaluate(IS_MY_TURN)])
    submitted: list[str] = []
    while not submitted and store.table(code).version == version:
        choices = mover.evaluate(CONTROLS_SCRIPT)
        ready = [choice for choice in choices if choice[2] or choice[1] not in (ADVANCES, UNFOLDS)] or choices
        number, kind, submitted = choose_control([choice for choice in ready if choice[1] not in tapped] or ready, rng)
        tapped.add(kind)
        before = mover.evaluate(PAGE_STATE_SCRIPT)
        mover.wait_until(CAN_TAP_SCRIPT)
        mover.tap(f"document.querySelectorAll({json.dumps(CONTROLS)})[{number}]")
        if kind != UNFOLDS:
            mover.wait_until(f"{PAGE_STATE_SCRIPT} !== {json.dumps(before)}")
    for phone in handsets:
        phone.wait_until(f"{VERSION} === {version + max(1, len(submitted))}")
    table = store.table(code)
    submitted_moves = [table.tracked.decode(msgspec.json.decode(move)) for move in submitted]
    assert not submitted_moves or [step.move for step in table.steps[-len(submitted_moves) :]] == submitted_moves


CELL_IS_IN_MAP = """(() => {
  const cell = document.activeElement.getBoundingClientRect();
  const map = document.querySelector("#map-view").getBoundingClientRect();
  return cell.left >= map.left && cell.right <= map.right && cell.top >= map.top && cell.bottom <= map.bottom;
})()"""
ZOOM_IN = """(() => {
  const press = () => new KeyboardEvent("keydown", { key: "+", bubbles: true });
  for (let count = 0; count < 6; count += 1) document.querySelector("#map-view").dispatchEvent(press());
  return true;
})()"""


def test_focused_cell_of_an_enlarged_map_is_in_view(engine_phones: tuple[EnginePhone, EnginePhone]):
    phone = engine_phones[0]
    open_table(engine_phones, "alpine-trails")
    phone.tap(phone.text_expression(".camp-choices button", "Rock"))
    phone.wait_until("Boolean(document.querySelector('#map a.hotspot'))")
    for number in (0, -1):
        phone.evaluate(ZOOM_IN)
        phone.evaluate(f"[...document.querySelectorAll('#map a.hotspot')].at({number}).focus({{ focusVisible: true }})")
        phone.wait_until(CELL_IS_IN_MAP)


PAINTED_TILES = "painter.map.tiles()"
PLACES = """((cells) => {{
  const {{ view }} = painter, {{ left, top }} = view.frame();
  const place = (start, cell) => Math.round(start + (cell + 0.5) * view.size);
  return cells.map(([x, y]) => [place(left + view.left, x), place(top + view.top, y)]);
}})({cells})"""


def test_finished_map_is_painted_by_dragging(engine_phones: tuple[EnginePhone, EnginePhone]):
    """Firefox drags with touches, WebKit with the pointer of a mouse."""
    phone, tiles = engine_phones[0], MAPS["20 tiles"].tiles
    open_table(engine_phones, "alpine-trails-tally")
    phone.tap(phone.query_expression("a[href$='/map']"))
    phone.wait_until("typeof painter !== 'undefined'")

    def draw(brush: str, strokes: list[list[Cell]]) -> None:
        phone.tap(phone.query_expression(f"[data-brush={brush}]"))
        for stroke in strokes:
            phone.drag(phone.evaluate(PLACES.format(cells=json.dumps(stroke))))

    phone.tap(phone.query_expression("[data-base=forest]"))
    draw("trail", trail_lines(tiles))
    for terrain in TERRAINS:
        draw(terrain, terrain_strokes(tiles, terrain))
    draw("campsite", [[tile.cell] for tile in tiles if tile.kind == "campsite"])
    painted = msgspec.convert(phone.evaluate(PAINTED_TILES), TrailMap)
    assert set(painted) == {msgspec.structs.replace(tile, miles=0) for tile in tiles}
    phone.go(phone.evaluate("location.pathname"))
    phone.wait_until("typeof painter !== 'undefined'")
    assert msgspec.convert(phone.evaluate(PAINTED_TILES), TrailMap) == painted


RESULTS = (("2026-01-02", 31, 29), ("2026-01-03", 12, 40))  # the date, Ana's points, Bo's points
OVERFLOW_SCRIPT = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
DRAWN_WIDE = "[...document.querySelectorAll('svg.chart')].map(chart => chart.getBoundingClientRect().width)"
PICTURE = "(picture => picture.complete && picture.naturalWidth)(document.querySelector('.picture img'))"


def test_results_are_added_charted_and_viewed(engine_phones: tuple[EnginePhone, EnginePhone]):
    phone = engine_phones[0]
    names = ("Ana", f"Bo in {type(phone).__name__}")  # the same result of another browser would be noticed
    for day, *points in RESULTS:
        phone.go("/history/new")
        phone.tap("document.querySelector('.choices label')")
        phone.evaluate(f"(document.getElementById('day').value = '{day}')")
        for row, (name, value) in enumerate(zip(names, points, strict=True)):
            phone.evaluate(f"(document.querySelector('[name=players-{row}-name]').value = '{name}')")
            phone.evaluate(f"(document.querySelector('[name=players-{row}-points]').value = '{value}')")
        phone.tap(phone.text_expression("main button", "Save"))
        phone.wait_until("location.pathname.startsWith('/r/') && document.readyState === 'complete'")
    assert (
        phone.evaluate("document.querySelector('h1').textContent").strip().startswith(f"{names[1]} wins")
        and phone.evaluate(OVERFLOW_SCRIPT) == 0
    )
    phone.evaluate("document.getElementById('picture').scrollIntoView()")
    assert phone.wait_until(PICTURE)
    phone.tap(phone.text_expression("main a.button", "Ana"))
    phone.wait_until("location.pathname.startsWith('/history/players/') && document.readyState === 'complete'")
    widths = phone.evaluate(DRAWN_WIDE)
    assert widths and all(widths) and phone.evaluate("document.querySelectorAll('.streak li').length") >= len(RESULTS)
    assert phone.evaluate(OVERFLOW_SCRIPT) == 0
