"""Half of all phones run WebKit, some Firefox: two phones open a table of every title there, play by what the sheet offers, and
look at what has been played."""

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext

import msgspec
import pytest

from companion.storage.store import Store
from scoring.games import PLAYS
from tests.browser.choices import CHOICES, CONTROLS, DRAWN, KINDS, LEADS, READ, STILL, UNFOLDS, choose
from tests.browser.engines import ENGINES, Handset, a_screen, missing
from tests.support.cases import TRACKED

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long("other browsers"),
    pytest.mark.filterwarnings("ignore:setting remote_server_addr"),  # selenium of itself
]

TITLES = [key for key in TRACKED if 2 in PLAYS[key].box.seats]
STEPS = 20  # that both phones are to see
LAID = 8  # tiles of ALPINE TRAILS, at least
VERSION = "Number(document.querySelector('[data-version]')?.dataset.version)"
MINE = "Boolean(document.querySelector('.turnbar.my-turn'))"


@pytest.fixture(scope="module", params=ENGINES)
def handsets(request: pytest.FixtureRequest, server) -> Iterator[tuple[Handset, Handset]]:
    """Two phones of an engine; where everything must be tested, none may be missing."""
    if lacks := missing(request.param):
        assert os.environ.get("WAYMARK_BROWSERS") != "all", f"{request.param} needs {lacks}"
        pytest.skip(f"{request.param} needs {lacks}")
    with a_screen() if request.param == "webkit" else nullcontext():
        phones: list[Handset] = []
        try:
            for _ in range(2):
                phones.append(ENGINES[request.param](server.address))
            yield phones[0], phones[1]
        finally:
            for phone in phones:
                phone.close()


@pytest.mark.parametrize("game", TITLES)
def test_two_phones_play_every_title(game: str, handsets: tuple[Handset, Handset], server):
    code, tapped, rng = opened(handsets, game), set[str](), random.Random(game)
    for _ in range(STEPS):
        step(handsets, server.store, code, tapped, rng)
    if game == "alpine-trails":
        tiles = Counter(tile.kind for player in server.store.table(code).state.players for tile in player.tiles)
        assert tiles["trail"] and tiles["terrain"] and tiles["trail"] + tiles["terrain"] >= LAID
        assert tapped == KINDS.keys() - {UNFOLDS}


def opened(handsets: tuple[Handset, Handset], game: str) -> str:
    """Open a table by the pages and sit down at it; return its code."""
    ana, bo = handsets
    ana.go("/")
    ana.tap(ana.find(f'a[href$="/new/{game}"]'))
    ana.until("location.pathname.startsWith('/new/') && document.readyState === 'complete'")
    for number, name in enumerate(("Ana", "Bo")):
        ana.js(f"(document.getElementById('names-{number}').value = '{name}')")
    ana.tap(ana.with_words("main button", "Open the table"))
    lobby = ana.until("location.pathname.startsWith('/t/') && location.pathname")
    bo.go(lobby)
    for phone, name in ((ana, "Ana"), (bo, "Bo")):
        phone.tap(phone.with_words("main button, main a.move", name))
        phone.until("document.querySelector('.seat-page') && typeof streaming !== 'undefined' && streaming")
    return lobby.rpartition("/")[2]


def step(handsets: tuple[Handset, Handset], store: Store, code: str, tapped: set[str], rng: random.Random) -> None:
    """Tap on a phone whose turn it is until a move is said, first what is of a kind not tapped yet, and see the move on both."""
    version = store.table(code).number
    for phone in handsets:
        phone.until(f"{VERSION} === {version} && {STILL}")
    mover = rng.choice([phone for phone in handsets if phone.js(MINE)])
    said: list[str] = []
    while not said and store.table(code).number == version:
        choices = mover.js(CHOICES)
        ready = [each for each in choices if each[2] or each[1] not in (LEADS, UNFOLDS)] or choices
        number, kind, said = choose([each for each in ready if each[1] not in tapped] or ready, rng)
        tapped.add(kind)
        before = mover.js(DRAWN)
        mover.until(READ)
        mover.tap(f"document.querySelectorAll({json.dumps(CONTROLS)})[{number}]")
        if kind != UNFOLDS:
            mover.until(f"{DRAWN} !== {json.dumps(before)}")
    for phone in handsets:
        phone.until(f"{VERSION} === {version + max(1, len(said))}")
    table = store.table(code)
    told = [table.play.decode(msgspec.json.decode(move)) for move in said]
    assert not told or [step.move for step in table.steps[-len(told) :]] == told


EVENINGS = (("2026-01-02", 31, 29), ("2026-01-03", 12, 40))  # the day, Ana's points, Bo's
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
DRAWN_WIDE = "[...document.querySelectorAll('svg.chart')].map(chart => chart.getBoundingClientRect().width)"
PICTURE = "(picture => picture.complete && picture.naturalWidth)(document.querySelector('.picture img'))"


def test_results_are_typed_in_drawn_and_looked_at(handsets: tuple[Handset, Handset]):
    phone = handsets[0]
    for day, *points in EVENINGS:
        phone.go("/history/new")
        phone.tap("document.querySelector('.choices label')")
        phone.js(f"(document.getElementById('day').value = '{day}')")
        for row, (name, figure) in enumerate(zip(("Ana", "Bo"), points, strict=True)):
            phone.js(f"(document.querySelector('[name=players-{row}-name]').value = '{name}')")
            phone.js(f"(document.querySelector('[name=players-{row}-points]').value = '{figure}')")
        phone.tap(phone.with_words("main button", "Keep it"))
        phone.until("location.pathname.startsWith('/r/') && document.readyState === 'complete'")
    assert phone.js("document.querySelector('h1').textContent").strip() == "Bo wins" and phone.js(WIDE) == 0
    phone.js("document.getElementById('picture').scrollIntoView()")
    assert phone.until(PICTURE)
    phone.tap(phone.with_words("main a.button", "Ana"))
    phone.until("location.pathname.startsWith('/history/players/') && document.readyState === 'complete'")
    widths = phone.js(DRAWN_WIDE)
    assert widths and all(widths) and phone.js("document.querySelectorAll('.streak li').length") >= len(EVENINGS)
    assert phone.js(WIDE) == 0
