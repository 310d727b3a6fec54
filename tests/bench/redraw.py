"""What a move costs the phones that watch: bytes that travel, and the browser's time from their arrival to the picture, slowed six times."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from playwright.sync_api import Page, sync_playwright

from companion.referee import new_tap
from scoring.games import PLAYS
from tests.bench.games import fresh_instance
from tests.bench.report import Options, Row, row
from tests.browser.conftest import NAMES, QUIET
from tests.browser.laid import device, evening, key, laid
from tests.browser.phone import PHONE
from tests.browser.serving import SmallServer

SLOWED = 6
PARTS = {"start": 0.05, "middle": 0.5, "end": 0.9}  # of a game: where it is looked at
MOVES = 10  # that are watched there
TARGET = {"ms": 60.0, "bytes": 10_000.0}
# The time from an answer's arrival to the second frame after it was drawn; the bytes of the answer.
WATCH = """() => {
  window.seen = [];
  let came = null;
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (ctx.text) came = { at: performance.now(), bytes: new TextEncoder().encode(ctx.text).length };
  });
  document.addEventListener("htmx:after:swap", () => {
    const { at, bytes } = came;
    requestAnimationFrame(() => requestAnimationFrame(() => window.seen.push([performance.now() - at, bytes])));
  });
}"""


@dataclass
class Seen:
    ms: list[float] = field(default_factory=list)
    bytes: list[float] = field(default_factory=list)


def run(options: Options) -> Iterator[Row]:
    """Watch every title at the start, in the middle and at the end of a random game with the most players."""
    path = next(filter(None, map(shutil.which, NAMES)))
    with fresh_instance() as folder, sync_playwright() as playwright:
        server = SmallServer(folder, 8)
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        try:
            for game in (key for key, play in PLAYS.items() if not play.counting):
                for part, where in PARTS.items():
                    context = browser.new_context(viewport=PHONE, base_url=server.address, reduced_motion="reduce")
                    seen = _watched(server, context.new_page(), game, where, 3 if options.quick else MOVES)
                    context.close()
                    target = TARGET["bytes"] if part == "middle" else None
                    yield row(f"{game}, {part}: browser, slowed {SLOWED} times", "ms", seen.ms, target=TARGET["ms"])
                    yield row(f"{game}, {part}: bytes", "bytes", seen.bytes, target=target)
        finally:
            browser.close()
            server.close()


def _watched(server: SmallServer, page: Page, game: str, where: float, most: int) -> Seen:
    """Play some moves while a phone that does not make them looks on."""
    players = PLAYS[game].box.seats[-1]
    moves = evening(game, players)
    begun = int(where * len(moves))
    table = laid(server, game, players, moves[:begun])
    told = moves[begun : begun + most]
    seat = next(seat for seat in range(players) if seat != told[0][0] or players == 1)
    page.context.add_cookies([key(server, seat)])
    page.goto(f"/t/{table.code}/seat/{seat}")
    page.wait_for_timeout(300)  # the stream is open
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.evaluate(WATCH)
    for number, (mover, move) in enumerate(told, 1):
        server.referee.play(table.code, device(mover), new_tap(), mover, msgspec.to_builtins(move))
        for _ in range(400):
            if page.evaluate("window.seen.length") >= number:
                break
            page.wait_for_timeout(10)
    found = page.evaluate("window.seen")
    return Seen([ms for ms, _ in found], [size for _, size in found])
