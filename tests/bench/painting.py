"""Count the touches that paint finished maps of ALPINE TRAILS."""

import random
import shutil
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

from tests.bench.games import temporary_instance
from tests.bench.report import Options, Row, make_row
from tests.browser.browser_servers import InProcessServer
from tests.browser.conftest import CHROMIUM_COMMANDS, CHROMIUM_FLAGS
from tests.browser.map_painting import Painter
from tests.browser.phone import Phone, PhonePool
from tests.browser.seated_tables import open_seated_table
from tests.browser.test_map_painting import MAPS

SHAKING_FINGERS = 5  # times that a shaking finger paints a map


def run(options: Options) -> Iterator[Row]:
    """Paint the maps of real evenings with curved, straight and shaking strokes."""
    path = next(filter(None, map(shutil.which, CHROMIUM_COMMANDS)))
    with temporary_instance() as folder, sync_playwright() as playwright:
        server = InProcessServer(folder, 50)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        pool = PhonePool(browser)
        try:
            for name, wanted in MAPS.items():
                shaking = [random.Random(seed) for seed in range(1 if options.quick else SHAKING_FINGERS)]
                for stroke, rngs, target in (
                    ("curved", [None], wanted.touches),
                    ("shaking", shaking, wanted.touches),
                    ("straight", [None], wanted.straight_touches),
                ):
                    painters = [_paint(server, pool, name, rng, only_straight=stroke == "straight") for rng in rngs]
                    note = f"cells of at least {min(painter.smallest_cell for painter in painters):.0f} px"
                    touches = [painter.touches for painter in painters]
                    yield make_row(f"map, {name}: {stroke} strokes", "touches", touches, target=target, note=note)
        finally:
            browser.close()
            server.close()


def _paint(
    server: InProcessServer, pool: PhonePool, name: str, rng: random.Random | None, *, only_straight: bool
) -> Painter:
    """Paint a map up to its score."""
    table = open_seated_table(
        server,
        lambda player, address, **settings: Phone(pool, address, player, **settings),
        "Ana",
        game="alpine-trails-tally",
        shows_pages=False,
    )
    (phone,) = table.phones
    phone.go(f"{table.path}/seat/0/map")
    painter, wanted = Painter(phone, rng), MAPS[name]
    painter.paint(wanted.tiles, wanted.goal, only_straight=only_straight)
    painter.wait_until_entered()
    painter.close()
    phone.close()
    return painter
