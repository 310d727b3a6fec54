"""Take the pictures of docs/gallery.md: play seeded games, serve them, open their pages.

Run as `python -m tests.support.screenshots`; replaces all pictures in docs/screenshots. Needs Chromium and Pango.
"""

import contextlib
import io
import itertools
import random
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pypdfium2
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from companion.history.result import PlayerResult, Result, name_key
from companion.log.plans import Insert, RepairPlan
from companion.log.replay import replay
from companion.log.table import Table
from companion.service.referee import Referee, new_tap
from companion.system.paths import CHECKOUT
from companion.web import server
from companion.web.app import create_app
from scoring.alpine_trails.score_entry import PutMap
from scoring.games import TRACKED_GAMES
from scoring.kernel.legality import explain, possible_actions
from scoring.kernel.move import Move
from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, Skip
from scoring.trails.moves.reveals import NameCard, NoteHand
from scoring.trails.state import State
from tests.browser.conftest import CHROMIUM_COMMANDS as BROWSERS
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.golden_games.files import read_golden_game
from tests.support.ready_setups import ready_setup

FOLDER = CHECKOUT / "docs" / "screenshots"
NAMES = ("Ana", "Bo", "Cleo", "Dimitri")
SEED = 5
# golden games, and the share of each that is played
GOLDEN_GAME_PARTS = {"parks-3": 0.7, "alpine-trails-2": 0.85, "on-the-trail-2": 0.54}
PHONE = {"width": 360, "height": 640}
TABLET = {"width": 1180, "height": 820}
EARLIER_POINTS = ((18, 24, 21), (25, 19, 22), (27, 23), (20, 26, 24), (29, 28, 17))  # points of earlier games
# All fonts are loaded, and no animation is running.
WAIT_UNTIL_STILL = """async () => {
  await document.fonts.ready;
  await Promise.all(document.getAnimations().map((each) => each.finished));
}"""
PALETTE_SIZE = 96  # colors of a picture; flat colors need no more
SHEET_SCALE = 80 / 72  # pixels per point of a PDF: 80 pixels per inch


def main() -> None:
    """Play the games, serve them, and take the screenshots."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        app = create_app(Path(folder), LAN_ADDRESS="192.168.1.20")
        tables = _make_tables(app)
        path = next(filter(None, map(shutil.which, BROWSERS)))
        chromium = browsers.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        address = _serve(app)
        for scheme in ("light", "dark"):
            for name, path, seat, viewport, act in _pictures(tables):
                context = chromium.new_context(
                    viewport=viewport,
                    device_scale_factor=1.25 if viewport is PHONE else 1,
                    color_scheme=scheme,
                    reduced_motion="reduce",
                )
                context.add_cookies([{"name": "waymark", "value": _cookie(app, seat), "url": address}])
                page = context.new_page()
                page.goto(address + path)
                page.evaluate(WAIT_UNTIL_STILL)
                act(page)
                _save(_read_picture(page.screenshot()), f"{name}-{scheme}.png")
                context.close()
        for table in _finished_tables(tables):
            page = chromium.new_context(viewport=PHONE, device_scale_factor=1.25, reduced_motion="reduce").new_page()
            page.context.add_cookies([{"name": "waymark", "value": _cookie(app, 0), "url": address}])
            page.goto(f"{address}/t/{table.code}/result")
            _save(_read_picture(_chart_picture(page)), f"{table.game_key}-chart.png")
            page.context.close()
            _save_sheet(app, table)
            _save_picture(app, table)


def _chart_picture(page: Page) -> bytes:
    """Return a screenshot of the chart on a result's page, with its title and legend."""
    part, summary_box = page.locator("#course").bounding_box(), page.locator("#course summary").bounding_box()
    assert part and summary_box
    top, height = part["y"] - 12, summary_box["y"] - part["y"] + 12
    return page.screenshot(full_page=True, clip={"x": 0, "y": top, "width": PHONE["width"], "height": height})


def _finished_tables(tables: dict[str, Table]) -> list[Table]:
    """Return a finished table of each game."""
    return [tables["over"], *(tables[f"{name} over"] for name in GOLDEN_GAME_PARTS)]


def _pictures(tables: dict[str, Table]) -> Iterator[tuple]:
    """Yield each picture: name, page to open, phone, size, action before the screenshot."""
    turn, bear, reveal, over, repaired = (tables[key] for key in ("turn", "bear", "reveal", "over", "repaired"))
    mover = turn.state.turn
    yield "home", "/", 0, PHONE, _do_nothing
    yield "lobby", f"/t/{tables['new'].code}", 0, PHONE, _do_nothing
    yield "setup", f"/t/{tables['new'].code}/setup", 0, PHONE, _do_nothing
    yield "my-turn", f"/t/{turn.code}/seat/{mover}", mover, PHONE, _do_nothing
    yield "refusal", f"/t/{turn.code}/seat/{mover}", mover, PHONE, _submit_refused_move
    yield "waiting", f"/t/{turn.code}/seat/{(mover + 1) % 4}", (mover + 1) % 4, PHONE, _do_nothing
    yield "bear", f"/t/{bear.code}/seat/{bear.state.turn}", bear.state.turn, PHONE, _do_nothing
    yield "board", f"/t/{turn.code}/board", 0, TABLET, _do_nothing
    yield "log", f"/t/{repaired.code}/seat/1/log", 1, PHONE, _scroll_to_last_chapter
    yield "snapshot", f"/t/{repaired.code}/log/{repaired.steps[-12].id}?seat=1", 1, PHONE, _do_nothing
    yield "request", f"/t/{repaired.code}/seat/1", 1, PHONE, _do_nothing
    yield "ask", f"/t/{turn.code}/ask?q=water+botle+is+empty", mover, PHONE, _do_nothing
    parks = tables["parks-3"]
    visitor = parks.tracked.flow.to_move(parks.state)[0]
    yield "answer", f"/t/{parks.code}/ask/may?{_refused_move_query(parks, visitor)}", visitor, PHONE, _do_nothing
    yield "ruling", f"/t/{turn.code}/ask/ruling/{TRACKED_GAME.box.rulings[0].id}", mover, PHONE, _do_nothing
    seat = TRACKED_GAME.flow.to_move(reveal.state)[0]
    yield "reveal", f"/t/{reveal.code}/seat/{seat}", seat, PHONE, _do_nothing
    yield "score", f"/t/{over.code}/score", 0, PHONE, _do_nothing
    yield "final-board", f"/t/{over.code}/board", 0, TABLET, _do_nothing
    yield "result", f"/t/{over.code}/result", 0, PHONE, _do_nothing
    yield "history", "/history", 0, PHONE, _do_nothing
    yield "player", f"/history/players/{tables['ana']}", 0, PHONE, _scroll_to_chart
    for name in GOLDEN_GAME_PARTS:
        unfinished, ended = tables[name], tables[f"{name} over"]
        seat = unfinished.tracked.flow.to_move(unfinished.state)[0]
        yield f"{unfinished.game_key}-turn", f"/t/{unfinished.code}/seat/{seat}", seat, PHONE, _do_nothing
        yield f"{unfinished.game_key}-board", f"/t/{unfinished.code}/board", 0, TABLET, _do_nothing
        yield f"{unfinished.game_key}-score", f"/t/{ended.code}/score", 0, PHONE, _do_nothing
    yield "painted-map", f"/t/{tables['painted'].code}/seat/0/map", 0, PHONE, _do_nothing


def _refused_move_query(table: Table, seat: int) -> str:
    """Return the query of a move that is illegal this turn, but legal after one change."""
    view = table.tracked.view(table.state, seat)
    noes = (
        explain(table.tracked, view, seat, action.move)
        for action in possible_actions(table.tracked, view, seat)
        if not action.is_possible
    )
    answer = next(answer for answer in noes if answer.nearest and answer.nearest.changes)
    return urlencode({"seat": seat, "move": msgspec.json.encode(answer.move).decode()})


def _do_nothing(page: Page) -> None:
    pass


def _scroll_to_last_chapter(page: Page) -> None:
    """Scroll to the last turns of the game log."""
    page.locator(".chapter").last.scroll_into_view_if_needed()


def _scroll_to_chart(page: Page) -> None:
    """Scroll to the chart of a player's points over all games."""
    page.locator("figure").first.scroll_into_view_if_needed()


def _submit_refused_move(page: Page) -> None:
    """Tap a hike whose button sends another move, so that the table answers why it is refused."""
    button = page.locator("form.moves-form button[name=move]").first
    button.evaluate('button => { button.value = \'{"type":"hike","steps":3}\' }')
    button.click()
    page.locator(".refusal").wait_for()


def _make_tables(app: Flask) -> dict[str, Table]:
    """Return tables at moments suitable for a picture, all from one seeded game."""
    kinds: dict[str, int] = {}
    for seed in itertools.count(SEED):
        if kinds.keys() >= {"turn", "bear", "reveal"}:
            break
        log, states = _play_random_game(random.Random(seed))
        kinds = {kind: index for index in range(len(states) - 1, 0, -1) for kind in _picture_names(states[index])}
    return {
        "new": _open_table(app, []),
        "turn": _open_table(app, log[: kinds["turn"]]),
        "bear": _open_table(app, log[: kinds["bear"]]),
        "reveal": _open_table(app, log[: kinds["reveal"] + 1]),
        "repaired": _propose_repair(app, _open_table(app, log[: kinds["turn"]])),
        "over": _open_table(app, log),
        **{name: _open_golden_game(app, name, part) for name, part in GOLDEN_GAME_PARTS.items()},
        **{f"{name} over": _open_golden_game(app, name, 1) for name in GOLDEN_GAME_PARTS},
        "painted": _open_painted_map(app),
        "ana": _add_earlier_results(app),
    }


def _add_earlier_results(app: Flask) -> int:
    """Add results of earlier games, and return the id of the player Ana."""
    referee: Referee = app.extensions["waymark"]
    for month, points in enumerate(EARLIER_POINTS, 3):
        most = max(points)
        parts = tuple(
            PlayerResult(name, each, 1 + sum(other > each for other in points), each == most)
            for name, each in zip(NAMES, points, strict=False)
        )
        referee.results.enter(Result("AAAAAA", TRACKED_GAME.box.key, f"2026-{month:02}-14", parts), "phone 0")
    return referee.players.ids_by_name()[name_key(NAMES[0])]


def _picture_names(state: State) -> Iterator[str]:
    """Yield the pictures a state is suitable for."""
    task = type(state.tasks[-1]).__name__ if state.tasks else ""
    if task == "StartHike" and state.sun > 6 and state.players[state.turn].canteen:
        yield "turn"
    if task == "BearEncounter" and state.sun > 4:
        yield "bear"
    if state.is_over and TRACKED_GAME.flow.to_move(state):
        yield "reveal"


def _play_random_game(rng: random.Random) -> tuple[list, list]:
    """Return the moves of a game by players who earn and name what they can, and its states."""
    state = TRACKED_GAME.initial_state(ready_setup(list(NAMES)))
    log, states = [], [state]

    def play(seat: int, move: Move) -> None:
        nonlocal state
        state = TRACKED_GAME.play(state, seat, move)
        log.append((seat, move))
        states.append(state)

    while seats := TRACKED_GAME.flow.to_move(state):
        seat = seats[0]
        while not state.is_over and (reveals := _legal_moves(state, seat, (NameCard, NoteHand))):
            play(seat, rng.choice(reveals))
        seats = TRACKED_GAME.flow.to_move(state)
        seat = seats[0]
        moves = _legal_moves(state, seat, [kind for kind in TRACKED_GAME.moves if not kind.out_of_turn])
        moves = moves or _legal_moves(state, seat, [kind for kind in TRACKED_GAME.moves if not kind.needs_consent])
        moves = [move for move in moves if isinstance(move, EarnBadge)] or moves
        play(seat, rng.choice([move for move in moves if not isinstance(move, Skip)] or moves))
    return log, states


def _legal_moves(state: State, seat: int, kinds: Iterable[type[Move]]) -> list:
    """Return the legal moves of some kinds that enter something new."""
    moves = [move for move in TRACKED_GAME.candidates(state, seat, kinds) if TRACKED_GAME.is_legal(state, seat, move)]
    moves = [move for move in moves if not isinstance(move, NameCard) or move.instead is None]
    return [
        move for move in moves if not isinstance(move, NoteHand) or (move.badge and state.players[seat].hand is None)
    ]


def _open_table(app: Flask, log: list) -> Table:
    """Open a table, seat four phones, play."""
    referee: Referee = app.extensions["waymark"]
    table = referee.open_table("phone 0", TRACKED_GAME.key, msgspec.to_builtins(ready_setup(list(NAMES))))
    for seat in range(len(NAMES) if log else 2):
        table = referee.sit(table, f"phone {seat}", new_tap(), seat)
    for seat, move in log:
        table = referee.play(table, f"phone {seat}", new_tap(), seat, msgspec.to_builtins(move))
    return table


def _propose_repair(app: Flask, table: Table) -> Table:
    """Return the table after a proposed repair: a hike of the last turns led elsewhere."""
    for step in reversed(table.steps[:-6]):
        for other in _legal_moves(step.before, step.seat, (Hike,)) if isinstance(step.move, Hike) else ():
            plan = RepairPlan(step.id, 1, is_open=True).with_edit(Insert(step.seat, msgspec.to_builtins(other)))
            if other != step.move and replay(table, plan, 0).is_complete:
                referee: Referee = app.extensions["waymark"]
                return referee.repair(table, "phone 0", new_tap(), 0, plan)
    raise AssertionError("every hike is needed as it was")


def _open_golden_game(app: Flask, name: str, part: float) -> Table:
    """Start the game of a golden game and play a part of it, each seat from its own phone."""
    golden_game = read_golden_game(name)
    referee: Referee = app.extensions["waymark"]
    table = referee.open_table("phone 0", golden_game["game"], golden_game["setup"])
    for seat in range(len(table.seats)):
        table = referee.sit(table, f"phone {seat}", new_tap(), seat)
    for seat, move, _ in golden_game["log"][: int(part * len(golden_game["log"]))]:
        table = referee.play(table, f"phone {min(seat, len(table.seats) - 1)}", new_tap(), seat, move)
    return table


def _open_painted_map(app: Flask) -> Table:
    """Open a table that only scores ALPINE TRAILS, and enter a map of a golden game."""
    played = _open_golden_game(app, "alpine-trails-2", 1).state.players[0]
    referee: Referee = app.extensions["waymark"]
    tracked = TRACKED_GAMES["alpine-trails-tally"]
    table = referee.open_table("phone 0", tracked.key, referee.default_setup(tracked, list(NAMES[:2])))
    table = referee.sit(table, "phone 0", new_tap(), 0)
    return referee.play(table, "phone 0", new_tap(), 0, msgspec.to_builtins(PutMap(played.tiles, played.goal)))


def _cookie(app: Flask, seat: int) -> str:
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    return signer.dumps({"device": f"phone {seat}", "_permanent": True})


def _serve(app: Flask) -> str:
    """Serve the app as `waymark serve` does while this process runs; return its address."""
    listening = server.open_socket("127.0.0.1", 0)
    threading.Thread(
        target=server.Server(app, app.extensions["waymark"].live).run, args=([listening],), daemon=True
    ).start()
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def _read_picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _save(picture: Image.Image, name: str) -> None:
    """Write a picture with few colors: flat colors stay flat, the file stays small."""
    few_colors = picture.convert("RGB").quantize(PALETTE_SIZE, dither=Image.Dither.NONE)
    few_colors.save(FOLDER / name, optimize=True)


def _save_sheet(app: Flask, table: Table) -> None:
    """Save the first page of a table's score sheet."""
    pdf = app.test_client().get(f"/t/{table.code}/score.pdf").data
    with contextlib.closing(pypdfium2.PdfDocument(pdf)) as document:
        _save(document[0].render(scale=SHEET_SCALE).to_pil(), f"{table.game_key}-sheet.png")


def _save_picture(app: Flask, table: Table) -> None:
    """Save the picture of a result that is shared in a chat, scaled down."""
    result = app.extensions["waymark"].results.of_table(table.code)
    png = app.test_client().get(f"/r/{result.id}/picture.png").data
    small = _read_picture(png).resize((540, 675), Image.Resampling.LANCZOS)
    _save(small, f"{table.game_key}-picture.png")


if __name__ == "__main__":
    main()
