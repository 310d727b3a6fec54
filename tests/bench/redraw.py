"""Benchmark the redraw after a move, in a browser on a processor that is slowed six times."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from companion.service.referee import new_tap
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.bench.games import temporary_instance
from tests.bench.report import Options, Row, make_row
from tests.browser.browser_servers import InProcessServer
from tests.browser.conftest import CHROMIUM_COMMANDS, CHROMIUM_FLAGS
from tests.browser.midgame_tables import device, device_cookie, open_played_table, random_game_moves
from tests.browser.phone import PHONE_SIZE
from tests.support.parametrize import TRACKED_KEYS

CPU_SLOWDOWN = 6
GAME_PARTS = {"start": 0.05, "middle": 0.5, "end": 0.9}  # Share of a game after which it is measured.
STEPS = 8  # Redraws to measure for the phone's own steps, and as many for others' steps.
MAX_STEPS = 80  # Steps to try until enough redraws are found.
OWN_MOVE_TARGETS = {"trails": 58.0, "parks": 62.0}  # Milliseconds.
OTHER_MOVE_TARGET = 40.0  # Milliseconds.
MOST_BYTES = 10_000.0
# Record for each redraw: milliseconds from the answer, or the message of the stream, to the screen, and its bytes.
WATCH_SCRIPT = """() => {
  window.redraws = [];
  let came = 0, bytes = 0;
  const note = (text) => { [came, bytes] = [performance.now(), new TextEncoder().encode(text).length]; };
  document.addEventListener("htmx:after:request", ({ detail }) => detail.ctx.text && note(detail.ctx.text));
  const noteMessage = ({ event, data }) => event || note(data); // one without an event is swapped in
  document.addEventListener("htmx:sse:before:message", ({ detail }) => noteMessage(detail.message));
  document.addEventListener("htmx:after:swap", () => requestAnimationFrame(() => {
    const frame = new MessageChannel(); // its message arrives after the frame
    frame.port1.onmessage = () => window.redraws.push([performance.now() - came, bytes]);
    frame.port2.postMessage(0);
  }));
}"""
# Submit a move as htmx does for a tap on its button.
SUBMIT_SCRIPT = """([address, move]) => {
  const csrf_token = document.querySelector("[name=csrf_token]").value;
  const tap = document.getElementById("region-state").dataset.tapId;
  htmx.ajax("POST", address, { source: "#main", target: "#region", swap: "outerMorph", \
values: { csrf_token, tap, move } });
}"""


@dataclass
class RedrawCosts:
    """Measurements of redraws of one kind."""

    ms: list[float] = field(default_factory=list)
    bytes: list[float] = field(default_factory=list)  # Of the text, before compression.


def run(options: Options) -> Iterator[Row]:
    """Measure each game at its start, middle and end, with the most players."""
    path = next(filter(None, map(shutil.which, CHROMIUM_COMMANDS)))
    with temporary_instance() as folder, sync_playwright() as playwright:
        server = InProcessServer(folder, 8)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        try:
            for game in TRACKED_KEYS:
                for part, share in GAME_PARTS.items():
                    context = new_phone_context(browser, server)
                    own, others = measure_redraws(
                        server, context.new_page(), game, share, 2 if options.quick else STEPS
                    )
                    context.close()
                    title = TRACKED_GAMES[game].box.title
                    yield from _rows(f"{title}, {part} of the game, own move", own, part, OWN_MOVE_TARGETS.get(game))
                    label = f"{title}, {part} of the game, another player's move"
                    yield from _rows(label, others, part, OTHER_MOVE_TARGET)
        finally:
            browser.close()
            server.close()


def _rows(label: str, costs: RedrawCosts, part: str, limit: float | None) -> Iterator[Row]:
    if costs.ms:
        yield make_row(f"{label}: redraw", "ms", costs.ms, target=limit)
        size_limit = MOST_BYTES if part == "middle" else None
        yield make_row(f"{label}: answer", "bytes", costs.bytes, target=size_limit)


def new_phone_context(browser: Browser, server: InProcessServer) -> BrowserContext:
    return browser.new_context(viewport=PHONE_SIZE, base_url=server.address, reduced_motion="reduce")


def measure_redraws(
    server: InProcessServer, page: Page, game: str, game_part: float, max_redraws: int
) -> tuple[RedrawCosts, RedrawCosts]:
    """Play on in front of one phone; return the costs of its steps and of others'."""
    players = TRACKED_GAMES[game].box.player_counts[-1]
    moves = random_game_moves(game, players)
    start = int(game_part * len(moves))
    table = open_played_table(server, game, players, moves[:start])
    seat = moves[start][0]
    page.context.add_cookies([device_cookie(server, seat)])
    page.goto(f"/t/{table.code}/seat/{seat}")
    page.wait_for_timeout(300)  # The stream is open by then.
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    page.evaluate(WATCH_SCRIPT)
    own, others = RedrawCosts(), RedrawCosts()
    for mover, move in moves[start : start + MAX_STEPS]:
        costs = own if mover == seat else others
        before = page.evaluate("redraws.length")
        _play_move(server, page, table.code, mover, move, is_own_move=mover == seat)
        for _ in range(400):
            if page.evaluate("redraws.length") > before:
                break
            page.wait_for_timeout(10)
        page.wait_for_timeout(50)
        found = page.evaluate("redraws.at(-1)")
        if len(costs.ms) < max_redraws and found:
            costs.ms.append(found[0])
            costs.bytes.append(found[1])
        if min(len(own.ms), len(others.ms)) == max_redraws or (players == 1 and len(own.ms) == max_redraws):
            break
    return own, others


def _play_move(server: InProcessServer, page: Page, code: str, seat: int, move: Move, *, is_own_move: bool) -> None:
    if is_own_move:
        page.evaluate(SUBMIT_SCRIPT, [f"/t/{code}/seat/{seat}/play", msgspec.json.encode(move).decode()])
    else:
        server.referee.play(server.referee.store.table(code), device(seat), new_tap(), seat, msgspec.to_builtins(move))
