"""What a step costs a phone that makes it or hears of it: bytes that travel, and a browser's time to draw them, slowed six times."""

import shutil
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from companion.service.referee import new_tap
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.bench.games import fresh_instance
from tests.bench.report import Options, Row, row
from tests.browser.conftest import NAMES, QUIET
from tests.browser.phone import PHONE
from tests.browser.serving import SmallServer
from tests.browser.tables import device, evening, key, laid
from tests.support.cases import TRACKED

SLOWED = 6
PARTS = {"start": 0.05, "middle": 0.5, "end": 0.9}  # of a game: where it is looked at
STEPS = 8  # of its own that a phone makes there, and as many of others
FARTHEST = 80  # steps that are looked through for them
TARGET = {"ms": 60.0, "bytes": 10_000.0}
# Of each redraw: the time from the answer's arrival until it is on the screen, its bytes as drawn and as they travelled.
WATCH = """() => {
  window.redraws = [];
  let came = 0;
  document.addEventListener("htmx:after:request", () => { came = performance.now(); });
  document.addEventListener("htmx:after:swap", () => requestAnimationFrame(() => {
    const frame = new MessageChannel(); // a message is heard when the frame is done
    frame.port1.onmessage = () => {
      const took = performance.now() - came;
      const answer = performance.getEntriesByType("resource").findLast(({ name }) => /\\/(now\\?|play$)/.test(name));
      window.redraws.push([took, answer.decodedBodySize, answer.encodedBodySize]);
    };
    frame.port2.postMessage(0);
  }));
}"""
# A tap on a button that says a move, as htmx sends it.
SAY = """([address, move]) => {
  const csrf_token = document.querySelector("[name=csrf_token]").value, tap = document.getElementById("at").dataset.tap;
  htmx.ajax("POST", address, { source: "#main", target: "#now", swap: "outerMorph", values: { csrf_token, tap, move } });
}"""


@dataclass
class Seen:
    """What was seen of redraws of one kind."""

    ms: list[float] = field(default_factory=list)
    raw: list[float] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)


def run(options: Options) -> Iterator[Row]:
    """Watch every title at the start, in the middle and at the end of a random game with the most players."""
    path = next(filter(None, map(shutil.which, NAMES)))
    with fresh_instance() as folder, sync_playwright() as playwright:
        server = SmallServer(folder, 8)
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        try:
            for game in TRACKED:
                for part, where in PARTS.items():
                    context = phone_of(browser, server)
                    own, others = watched(server, context.new_page(), game, where, 2 if options.quick else STEPS)
                    context.close()
                    yield from _rows(f"{game}, {part}, own step", own, part)
                    yield from _rows(f"{game}, {part}, another's", others, part)
        finally:
            browser.close()
            server.close()


def _rows(what: str, seen: Seen, part: str) -> Iterator[Row]:
    if seen.ms:
        yield row(f"{what}: slowed {SLOWED} times", "ms", seen.ms, target=TARGET["ms"])
        note = f"{statistics.median(seen.sent):,.0f} over the wire"
        yield row(f"{what}: answer", "bytes", seen.raw, target=TARGET["bytes"] if part == "middle" else None, note=note)


def phone_of(browser: Browser, server: SmallServer) -> BrowserContext:
    return browser.new_context(viewport=PHONE, base_url=server.address, reduced_motion="reduce")


def watched(server: SmallServer, page: Page, game: str, where: float, most: int) -> tuple[Seen, Seen]:
    """Play on before one phone; return what it saw of its own steps and of others'."""
    players = PLAYS[game].box.seats[-1]
    moves = evening(game, players)
    begun = int(where * len(moves))
    table = laid(server, game, players, moves[:begun])
    seat = moves[begun][0]
    page.context.add_cookies([key(server, seat)])
    page.goto(f"/t/{table.code}/seat/{seat}")
    page.wait_for_timeout(300)  # the stream is open
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.evaluate(WATCH)
    own, others = Seen(), Seen()
    for mover, move in moves[begun : begun + FARTHEST]:
        seen = own if mover == seat else others
        before = page.evaluate("redraws.length")
        _say(server, page, table.code, mover, move, own=mover == seat)
        for _ in range(400):
            if page.evaluate("redraws.length") > before:
                break
            page.wait_for_timeout(10)
        page.wait_for_timeout(50)
        found = page.evaluate("redraws.at(-1)")
        if len(seen.ms) < most and found:
            for values, value in zip((seen.ms, seen.raw, seen.sent), found, strict=True):
                values.append(value)
        if min(len(own.ms), len(others.ms)) == most or (players == 1 and len(own.ms) == most):
            break
    return own, others


def _say(server: SmallServer, page: Page, code: str, mover: int, move: Move, *, own: bool) -> None:
    if own:
        page.evaluate(SAY, [f"/t/{code}/seat/{mover}/play", msgspec.json.encode(move).decode()])
    else:
        server.referee.play(code, device(mover), new_tap(), mover, msgspec.to_builtins(move))
