"""Half of all phones run WebKit, some Firefox: two phones open a table of every title there, and play by what the sheet offers."""

import os
import random
import time
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from scoring.games import PLAYS
from tests.browser.engines import ENGINES, Handset, a_screen, missing

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore:setting remote_server_addr")]  # selenium of itself

# The tiles of ALPINE TRAILS are put together on the map: that is not played here yet.
TITLES = [key for key, play in PLAYS.items() if not play.counting and 2 in play.box.seats and key != "alpine-trails"]
STEPS = 20  # that both phones are to see
READ = 0.4  # seconds before a tap: the page takes quicker ones in one place for a double tap
VERSION = "Number(document.querySelector('[data-version]')?.dataset.version)"
MINE = "Boolean(document.querySelector('.turnbar.my-turn'))"
# What can be tapped of the decision now: shown, and not to be left for later.
CHOICES = """[...document.querySelectorAll("#p-sheet button[name=move]")]
  .filter((each) => each.checkVisibility() && !each.disabled).map((each) => each.value)"""


@pytest.fixture(params=ENGINES)
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


def test_two_phones_play_every_title(handsets: tuple[Handset, Handset]):
    for game in TITLES:
        play_a_while(handsets, game, random.Random(game))


def play_a_while(handsets: tuple[Handset, Handset], game: str, rng: random.Random) -> None:
    ana, bo = handsets
    ana.go("/")
    ana.tap(ana.find(f'a[href$="/new/{game}"]'))
    ana.until("location.pathname.startsWith('/new/')")
    for number, name in enumerate(("Ana", "Bo")):
        ana.js(f"(document.getElementById('names-{number}').value = '{name}')")
    ana.tap(ana.with_words("main button", "Open the table"))
    lobby = ana.until("location.pathname.startsWith('/t/') && location.pathname")
    bo.go(lobby)
    for phone, name in ((ana, "Ana"), (bo, "Bo")):
        phone.tap(phone.with_words("main button, main a.move", name))
        phone.until("document.querySelector('.seat-page') && typeof streaming !== 'undefined' && streaming")
    for _ in range(STEPS):
        step(handsets, rng)


def step(handsets: tuple[Handset, Handset], rng: random.Random) -> None:
    """Tap something on a phone whose turn it is, and see it on both."""
    version = max(phone.js(VERSION) for phone in handsets)
    for phone in handsets:
        phone.until(f"{VERSION} === {version}")
    mover = next(phone for phone in handsets if phone.js(MINE))
    time.sleep(READ)
    choice = rng.choice(mover.js(CHOICES))
    buttons = "[...document.querySelectorAll('#p-sheet button[name=move]')].filter((each) => each.checkVisibility())"
    mover.tap(f"{buttons}.find((each) => each.value === {choice!r})")
    for phone in handsets:
        phone.until(f"{VERSION} > {version}")
