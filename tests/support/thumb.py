"""`python -m tests.support.thumb [titles] [--quick]`: play whole random games through the real pages, and count what a hand has to do."""

import argparse
import random
import shutil
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from playwright.sync_api import Browser, Error, Locator, sync_playwright

from companion.log.table import Table
from scoring.alpine_trails.moves.placing import Discard, PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.moves.reveals import NoteGoal
from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Play
from scoring.on_the_trail.moves.run_moves import Run, RunOn
from scoring.parks.moves import hiking as parks
from scoring.parks.moves.reveals import NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NotePhoto
from scoring.trails.moves.trail_setup import LaySite, LaySites
from tests.bench import redraw
from tests.bench.games import fresh_instance
from tests.browser import alpine_trails_thumb, parks_thumb, tables, test_on_the_trail, thumb
from tests.browser.conftest import NAMES as BROWSERS
from tests.browser.conftest import QUIET
from tests.browser.fitting import out_of_reach
from tests.browser.phone import Drawer, Phone
from tests.browser.serving import SmallServer
from tests.support.alpine_trails_drafts import DRAFTS
from tests.support.on_the_trail_table import BOX
from tests.support.positions import laid as told
from tests.support.touches import count, touches

SEED = 7
QUICK = 15  # moves of a game
SHORT = 8000  # ms: what is not there by then is not found
NAMES = ("Ana", "Bo", "Cleo", "Dimitri", "Eve")


Say = Callable[[Phone, Any, int, Move, Move | None], object]  # a move, and the one the same hand will make next


def by_button(control: Callable[[Phone, Any, int, Move], Locator]) -> Say:
    return lambda phone, state, seat, move, _: thumb.press(phone, control(phone, state, seat, move))


def on_the_map(phone: Phone, state: Any, seat: int, move: Move, then: Move | None) -> None:
    """Say a move of ALPINE TRAILS; a tile that lies is said by the key of the next one."""
    if not isinstance(move, PlaceTrail | PlaceTerrain):
        alpine_trails_thumb.say(phone, move)
        return
    alpine_trails_thumb.lay(phone, move)
    name = "discard" if isinstance(then, Discard) else alpine_trails_thumb.key_of(then) if then else ""
    key = phone.find(f'.key[name="draft.key"][value="{name}"], .key[data-key="{name}"]')
    if isinstance(then, PlaceTrail | PlaceTerrain | Discard) and key.count():
        key.tap()
    else:
        thumb.press(phone, alpine_trails_thumb.said(phone))


@dataclass(frozen=True)
class Title:
    """How a title is played by hand, and what is counted of it."""

    unit: str
    counts: Callable[[Move], int]  # how many of the unit a move is
    say: Say
    laying: tuple[type[Move], ...] = ()  # what is played before the first turn, and is no part of one
    only: bool = False  # are only the taps counted for moves that are of the unit
    facts: Any = None  # what is known of the box
    usual: Callable[[Move], bool] = lambda _: True  # is it said in the common way, and not folded in

    def setup(self, game: str, players: int) -> Any:
        setup = told(list(NAMES[:players]), game)
        return msgspec.structs.replace(setup, facts=self.facts, tracking="light") if self.facts else setup


def legs(move: Move) -> int:
    """Return how many legs a move runs."""
    return move.legs if isinstance(move, RunOn) else int(isinstance(move, Run))


TITLES = {
    "trails": Title(
        "turn", lambda move: isinstance(move, Hike), by_button(thumb.control), (LaySite, LaySites, NotePhoto)
    ),
    "parks": Title(
        "turn",
        lambda move: isinstance(move, parks.Hike),
        by_button(lambda phone, state, _, move: parks_thumb.control(phone, state, move)),
        (LayTile, PlaceShutterbug, NameTile),
    ),
    "alpine-trails": Title(
        "drawn tile",
        lambda move: isinstance(move, PlaceTrail | PlaceTerrain | Discard),
        on_the_map,
        (TakeCamp, NoteGoal),
        only=True,
        usual=lambda move: not isinstance(move, TakeCamp) or move == TakeCamp(move.terrain),
    ),
    "on-the-trail": Title(
        "leg",
        legs,
        by_button(lambda phone, state, _, move: test_on_the_trail.control(phone, move)),
        facts=BOX,
    ),
}


@dataclass
class Evening:
    """What was counted in a game."""

    units: int = 0
    touched: int = 0  # taps and pans for them
    pans: int = 0
    longest: float = 0
    kinds: dict[str, list[int]] = field(default_factory=dict)  # touches for each move of a kind
    switches: int = 0  # taps that only turned to another seat
    decisions: int = 0
    misses: Counter[str] = field(default_factory=Counter)  # decisions of which not every choice was in reach: for what
    not_found: Counter[str] = field(default_factory=Counter)  # moves that no hand could play: by kind

    @property
    def a_unit(self) -> float:
        return self.touched / max(1, self.units)

    @property
    def fit(self) -> float:
        return 1 - self.misses.total() / max(1, self.decisions)


def play(server: SmallServer, phone: Phone, game: str, players: int, most: int | None = None) -> Evening:
    """Play a random game on one phone that holds all seats, and count."""
    title, play, rng = TITLES[game], PLAYS[game], random.Random(SEED)
    table = seated(server, phone, game, title.setup(game, players))
    phone.go(f"/t/{table.code}/seat/0")
    found, move = Evening(), None
    for _ in range(most or sys.maxsize):
        state = table.state
        turns = play.to_move(state)
        if not turns or table.over:
            break
        phone.shows(table.number)
        seat = shown(phone)
        if seat not in turns:
            move = None
            before, seat = touches(phone), turns[0]
            phone.turn_to(NAMES[seat])
            phone.page.wait_for_url(f"**/seat/{seat}")
            found.switches += touches(phone).since(before)
        move = move or some_move(title, play, state, seat, rng, play.asked(state))
        if move is None:
            break
        after = play.play(state, seat, move)
        then = some_move(title, play, after, seat, rng, play.asked(after)) if seat in play.to_move(after) else None
        one(server, phone, title, table, seat, move, then, found)
        table, move = server.store.table(table.code), then
    return found


def some_move(
    title: Title, play: Play, state: Any, seat: int, rng: random.Random, kinds: tuple[type[Move], ...]
) -> Move | None:
    """Return a random legal move, of a random kind where there are several, as somebody would say it; none without any."""
    first = rng.randrange(len(kinds))
    for kind in kinds[first:] + kinds[:first]:
        moves = [move for move in DRAFTS.get(kind, kind.candidates)(state, seat) if title.usual(move)]
        rng.shuffle(moves)
        if (found := next((move for move in moves if play.legal(state, seat, move)), None)) is not None:
            return found
    return None


def one(
    server: SmallServer,
    phone: Phone,
    title: Title,
    table: Table,
    seat: int,
    move: Move,
    then: Move | None,
    found: Evening,
) -> None:
    """Say one move by hand, or without one where no hand finds it."""
    phone.frames()
    found.decisions += 1
    if far := out_of_reach(phone):
        task = state_task(table.state)
        found.misses[f"{task or type(move).__name__}: {far[0][:40]}"] += 1
    before = touches(phone)
    try:
        title.say(phone, table.state, seat, move, then)
        phone.shows(table.number + 1, SHORT)
    except (Error, AssertionError):
        found.not_found[type(move).__name__] += 1
        if server.store.table(table.code).number == table.number:
            phone.say(f"/t/{table.code}", seat, move)
        phone.go(f"/t/{table.code}/seat/{seat}")
        return
    after = touches(phone)
    units = title.counts(move)
    if not isinstance(move, title.laying) and (units or not title.only):
        found.units += units
        found.touched += after.since(before)
        found.pans += after.pans - before.pans
        found.kinds.setdefault(type(move).__name__, []).append(after.since(before))
    found.longest = max(found.longest, after.longest)


def state_task(state: Any) -> str:
    """Return what a turn asks for now, in a word."""
    tasks = getattr(state, "tasks", ())
    return type(tasks[-1]).__name__ if tasks else ""


def shown(phone: Phone) -> int:
    return int(phone.page.url.rpartition("/seat/")[2].partition("/")[0].partition("?")[0])


def seated(server: SmallServer, phone: Phone, game: str, setup: Any) -> Table:
    """Open a table of which one phone holds all seats."""
    table = server.referee.open(tables.device(0), game, msgspec.to_builtins(setup))
    for seat in range(len(setup.players)):
        table = server.referee.sit(table.code, tables.device(0), f"sit {table.code} {seat}", seat)
    tables.hold(phone, server, 0)
    return table


def from_home(server: SmallServer, phone: Phone, game: str) -> int:
    """Return the touches from the first page to a table of two that lies as the one on the table, on the host's phone."""
    title, play, rng = TITLES[game], PLAYS[game], random.Random(SEED)
    phone.go("/")
    before = touches(phone)
    phone.follow(f"/new/{game}")
    for number in range(2):
        field = phone.page.get_by_label(f"Name {number + 1}")
        field.tap()
        field.fill(NAMES[number])
    phone.button("Open the table").tap()
    phone.page.wait_for_url("**/t/*")
    phone.button(NAMES[0]).tap()
    phone.page.wait_for_url("**/seat/0")
    code = phone.page.url.split("/")[-3]
    for _ in range(20):
        table = server.store.table(code)
        kinds = tuple(kind for kind in play.asked(table.state) if kind in title.laying and kind is not LaySites)
        move = some_move(title, play, table.state, 0, rng, kinds) if kinds and 0 in play.to_move(table.state) else None
        if move is None:
            break
        title.say(phone, table.state, 0, move, None)
        phone.shows(table.number + 1, SHORT)
    return touches(phone).since(before)


def redraws(server: SmallServer, browser: Browser, game: str, most: int) -> Iterator[str]:
    """Say what a redraw costs in the middle of a game with the most players."""
    context = redraw.phone_of(browser, server)
    try:
        for whose, seen in zip(
            ("own step", "another's"), redraw.watched(server, context.new_page(), game, 0.5, most), strict=True
        ):
            if seen.ms:
                ms, raw, sent = (statistics.median(values) for values in (seen.ms, seen.raw, seen.sent))
                yield f"{whose} {ms:.0f} ms, {raw / 1000:.1f} kB ({sent / 1000:.1f} sent)"
    finally:
        context.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.thumb", description=__doc__)
    parser.add_argument("titles", nargs="*", metavar="title", help=f"all, unless told: {', '.join(TITLES)}")
    parser.add_argument("--quick", action="store_true", help="the first moves of each game: does it run")
    chosen = parser.parse_args()
    if unknown := set(chosen.titles) - set(TITLES):
        parser.error(f"no title {', '.join(unknown)}")
    path = next(filter(None, map(shutil.which, BROWSERS)))
    with fresh_instance() as folder, sync_playwright() as playwright:
        server = SmallServer(folder, 50)
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        try:
            for game in chosen.titles or TITLES:
                print("\n".join(told_of(server, browser, game, quick=chosen.quick)), flush=True)
        finally:
            browser.close()
            server.close()
    return 0


def told_of(server: SmallServer, browser: Browser, game: str, *, quick: bool) -> Iterator[str]:
    """Yield what was counted of a title, a line each."""
    yield f"\n{PLAYS[game].box.title}"
    unit = TITLES[game].unit
    for players in sorted({2, PLAYS[game].box.seats[-1]}):
        phone = taken(browser, server)
        began = time.monotonic()
        found = play(server, phone, game, players, QUICK if quick else None)
        phone.throw_away()
        yield (
            f"  {players} players: {found.a_unit:.2f} taps a {unit} ({found.units} in {time.monotonic() - began:.0f} s), "
            f"of them {found.pans / max(1, found.units):.2f} pans; the longest scroll {found.longest:.0f} px; "
            f"{found.switches} taps to turn to a seat"
        )
        yield f"    {found.fit:.1%} of {found.decisions} decisions fit" + "".join(
            f"; {times} x {what}" for what, times in found.misses.most_common(4)
        )
        yield "    taps a move: " + ", ".join(
            f"{kind} {statistics.mean(taps):.1f} ({len(taps)} x)" for kind, taps in sorted(found.kinds.items())
        )
        if found.not_found:
            yield f"    said without a hand: {dict(found.not_found)}"
    phone = taken(browser, server)
    yield f"  from the first page to a table that lies as it does: {from_home(server, phone, game)} taps"
    phone.throw_away()
    yield f"  a redraw in the middle, slowed {redraw.SLOWED} times: {'; '.join(redraws(server, browser, game, 2 if quick else 8))}"


def taken(browser: Browser, server: SmallServer) -> Phone:
    """Return a phone fresh from its drawer that counts."""
    phone = Phone(Drawer(browser), server.address, "all")
    phone.context.set_default_timeout(SHORT)
    count(phone)
    return phone


if __name__ == "__main__":
    sys.exit(main())
