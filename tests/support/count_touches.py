"""Play random games through the real pages and count touches.

Run as `python -m tests.support.count_touches [titles] [--quick]`.
"""

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
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from scoring.on_the_trail.moves.run_moves import Run, RunOn
from scoring.parks.moves import hiking as parks
from scoring.parks.moves.reveals import NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NotePhoto
from scoring.trails.moves.trail_setup import LaySite, LaySites
from tests.bench import redraw
from tests.bench.games import temporary_instance
from tests.browser import alpine_trails_taps, midgame_tables, parks_taps, test_on_the_trail, trails_taps
from tests.browser.browser_servers import InProcessServer
from tests.browser.conftest import CHROMIUM_COMMANDS as BROWSERS
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.phone import Phone, PhonePool
from tests.browser.unreachable_choices import unreachable_choices
from tests.support.alpine_trails_drafts import DRAFT_CANDIDATES
from tests.support.on_the_trail_table import CARD_FACTS
from tests.support.ready_setups import ready_setup as told
from tests.support.touch_counter import read_touches, start_counting

SEED = 7
QUICK_MOVES = 15  # moves of a game
SHORT_TIMEOUT = 8000  # ms: a control that is not there by then counts as not found
NAMES = ("Ana", "Bo", "Cleo", "Dimitri", "Eve")


PlayByHand = Callable[[Phone, Any, int, Move, Move | None], object]  # a move, and the next move of the same player


def tap_control(control: Callable[[Phone, Any, int, Move], Locator]) -> PlayByHand:
    return lambda phone, state, seat, move, _: trails_taps.tap_button(phone, control(phone, state, seat, move))


def play_on_map(phone: Phone, state: Any, seat: int, move: Move, next_move: Move | None) -> None:
    """Play a move of ALPINE TRAILS; a placed tile is submitted by the key of the next one."""
    if not isinstance(move, PlaceTrail | PlaceTerrain):
        alpine_trails_taps.play_move(phone, move)
        return
    alpine_trails_taps.build_tile(phone, move)
    name = "discard" if isinstance(next_move, Discard) else alpine_trails_taps.pad_key(next_move) if next_move else ""
    key = phone.find(f'.key[name="draft.key"][value="{name}"], .key[data-key="{name}"]')
    if isinstance(next_move, PlaceTrail | PlaceTerrain | Discard) and key.count():
        key.tap()
    else:
        trails_taps.tap_button(phone, alpine_trails_taps.submit_button(phone))


@dataclass(frozen=True)
class TitlePlan:
    """How a title is played by thumb, and which moves are counted."""

    unit: str
    count_units: Callable[[Move], int]  # number of units in a move
    play_move: PlayByHand
    setup_moves: tuple[type[Move], ...] = ()  # moves before the first turn, which belong to no turn
    counts_only_units: bool = False  # are taps counted only for moves that are of the unit
    card_facts: Any = None  # known card facts
    is_common: Callable[[Move], bool] = lambda _: True  # is it the common form of the move, which needs no unfolding

    def setup(self, game: str, players: int) -> Any:
        setup = told(list(NAMES[:players]), game)
        return msgspec.structs.replace(setup, facts=self.card_facts, tracking="light") if self.card_facts else setup


def count_legs(move: Move) -> int:
    """Return how many legs a move runs."""
    return move.legs if isinstance(move, RunOn) else int(isinstance(move, Run))


TITLES = {
    "trails": TitlePlan(
        "turn",
        lambda move: isinstance(move, Hike),
        tap_control(trails_taps.find_control),
        (LaySite, LaySites, NotePhoto),
    ),
    "parks": TitlePlan(
        "turn",
        lambda move: isinstance(move, parks.Hike),
        tap_control(lambda phone, state, _, move: parks_taps.find_control(phone, state, move)),
        (LayTile, PlaceShutterbug, NameTile),
    ),
    "alpine-trails": TitlePlan(
        "drawn tile",
        lambda move: isinstance(move, PlaceTrail | PlaceTerrain | Discard),
        play_on_map,
        (TakeCamp, NoteGoal),
        counts_only_units=True,
        is_common=lambda move: not isinstance(move, TakeCamp) or move == TakeCamp(move.terrain),
    ),
    "on-the-trail": TitlePlan(
        "leg",
        count_legs,
        tap_control(lambda phone, state, _, move: test_on_the_trail.find_control(phone, move)),
        card_facts=CARD_FACTS,
    ),
}


@dataclass
class GameCounts:
    """The counts of a game."""

    units: int = 0
    touch_count: int = 0  # taps and the pans before them
    pans: int = 0
    longest_scroll: float = 0
    touches_by_kind: dict[str, list[int]] = field(default_factory=dict)  # touches for each move of a kind
    seat_switches: int = 0  # taps that only switched to another seat
    decisions: int = 0
    misses: Counter[str] = field(default_factory=Counter)  # decisions with a choice out of reach, by task
    not_found: Counter[str] = field(default_factory=Counter)  # moves that could not be played by thumb, by kind

    @property
    def touches_per_unit(self) -> float:
        return self.touch_count / max(1, self.units)

    @property
    def fit_share(self) -> float:
        return 1 - self.misses.total() / max(1, self.decisions)


def play_game(
    server: InProcessServer, phone: Phone, game: str, players: int, max_moves: int | None = None
) -> GameCounts:
    """Play a random game on one phone that holds all seats, and count."""
    title, tracked, rng = TITLES[game], TRACKED_GAMES[game], random.Random(SEED)
    table = open_seated_table(server, phone, game, title.setup(game, players))
    phone.go(f"/t/{table.code}/seat/0")
    found, move = GameCounts(), None
    for _ in range(max_moves or sys.maxsize):
        state = table.state
        turns = tracked.flow.to_move(state)
        if not turns or table.is_over:
            break
        phone.wait_for_version(table.version)
        seat = shown_seat(phone)
        if seat not in turns:
            move = None
            before, seat = read_touches(phone), turns[0]
            phone.switch_seat(NAMES[seat])
            phone.page.wait_for_url(f"**/seat/{seat}")
            found.seat_switches += read_touches(phone).count_since(before)
        move = move or common_move(title, tracked, state, seat, rng, tracked.available_moves(state))
        if move is None:
            break
        after = tracked.play(state, seat, move)
        next_moves = (
            common_move(title, tracked, after, seat, rng, tracked.available_moves(after))
            if seat in tracked.flow.to_move(after)
            else None
        )
        play_one_move(server, phone, title, table, seat, move, next_moves, found)
        table, move = server.store.table(table.code), next_moves
    return found


def common_move(
    title: TitlePlan, tracked: TrackedGame, state: Any, seat: int, rng: random.Random, kinds: tuple[type[Move], ...]
) -> Move | None:
    """Return a random legal move of a random kind in its common form, or None without any."""
    first = rng.randrange(len(kinds))
    for kind in kinds[first:] + kinds[:first]:
        moves = [move for move in DRAFT_CANDIDATES.get(kind, kind.candidates)(state, seat) if title.is_common(move)]
        rng.shuffle(moves)
        if (found := next((move for move in moves if tracked.is_legal(state, seat, move)), None)) is not None:
            return found
    return None


def play_one_move(
    server: InProcessServer,
    phone: Phone,
    title: TitlePlan,
    table: Table,
    seat: int,
    move: Move,
    next_move: Move | None,
    counts: GameCounts,
) -> None:
    """Play one move by thumb, or submit it without a page if its control is not found."""
    phone.wait_for_frames()
    counts.decisions += 1
    if far := unreachable_choices(phone):
        task = current_task(table.state)
        counts.misses[f"{task or type(move).__name__}: {far[0][:40]}"] += 1
    before = read_touches(phone)
    try:
        title.play_move(phone, table.state, seat, move, next_move)
        phone.wait_for_version(table.version + 1, SHORT_TIMEOUT)
    except (Error, AssertionError):
        counts.not_found[type(move).__name__] += 1
        if server.store.table(table.code).version == table.version:
            phone.submit_move(f"/t/{table.code}", seat, move)
        phone.go(f"/t/{table.code}/seat/{seat}")
        return
    after = read_touches(phone)
    units = title.count_units(move)
    if not isinstance(move, title.setup_moves) and (units or not title.counts_only_units):
        counts.units += units
        counts.touch_count += after.count_since(before)
        counts.pans += after.pans - before.pans
        counts.touches_by_kind.setdefault(type(move).__name__, []).append(after.count_since(before))
    counts.longest_scroll = max(counts.longest_scroll, after.longest)


def current_task(state: Any) -> str:
    """Return the name of the current task of a turn."""
    tasks = getattr(state, "tasks", ())
    return type(tasks[-1]).__name__ if tasks else ""


def shown_seat(phone: Phone) -> int:
    return int(phone.page.url.rpartition("/seat/")[2].partition("/")[0].partition("?")[0])


def open_seated_table(server: InProcessServer, phone: Phone, game: str, setup: Any) -> Table:
    """Open a table where one phone holds all seats."""
    table = server.referee.open_table(midgame_tables.device(0), game, msgspec.to_builtins(setup))
    for seat in range(len(setup.players)):
        table = server.referee.sit(table.code, midgame_tables.device(0), f"sit {table.code} {seat}", seat)
    midgame_tables.take_seat_device(phone, server, 0)
    return table


def count_touches_from_home(server: InProcessServer, phone: Phone, game: str) -> int:
    """Return the touches from the home page to a table of two that is set up like the real one."""
    title, tracked, rng = TITLES[game], TRACKED_GAMES[game], random.Random(SEED)
    phone.go("/")
    before = read_touches(phone)
    phone.follow_link(f"/new/{game}")
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
        kinds = tuple(
            kind for kind in tracked.available_moves(table.state) if kind in title.setup_moves and kind is not LaySites
        )
        move = (
            common_move(title, tracked, table.state, 0, rng, kinds)
            if kinds and 0 in tracked.flow.to_move(table.state)
            else None
        )
        if move is None:
            break
        title.play_move(phone, table.state, 0, move, None)
        phone.wait_for_version(table.version + 1, SHORT_TIMEOUT)
    return read_touches(phone).count_since(before)


def describe_redraws(server: InProcessServer, browser: Browser, game: str, max_steps: int) -> Iterator[str]:
    """Yield the cost of a redraw in the middle of a game with the most players."""
    context = redraw.new_phone_context(browser, server)
    try:
        for player, entries in zip(
            ("own step", "another's"),
            redraw.measure_redraws(server, context.new_page(), game, 0.5, max_steps),
            strict=True,
        ):
            if entries.ms:
                ms, raw, sent = (
                    statistics.median(values) for values in (entries.ms, entries.decoded_bytes, entries.encoded_bytes)
                )
                yield f"{player} {ms:.0f} ms, {raw / 1000:.1f} kB ({sent / 1000:.1f} sent)"
    finally:
        context.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.count_touches", description=__doc__)
    parser.add_argument("titles", nargs="*", metavar="title", help=f"all, unless told: {', '.join(TITLES)}")
    parser.add_argument("--quick", action="store_true", help="the first moves of each game: does it run")
    chosen = parser.parse_args()
    if unknown := set(chosen.titles) - set(TITLES):
        parser.error(f"no title {', '.join(unknown)}")
    path = next(filter(None, map(shutil.which, BROWSERS)))
    with temporary_instance() as folder, sync_playwright() as playwright:
        server = InProcessServer(folder, 50)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        try:
            for game in chosen.titles or TITLES:
                print("\n".join(report_title(server, browser, game, quick=chosen.quick)), flush=True)
        finally:
            browser.close()
            server.close()
    return 0


def report_title(server: InProcessServer, browser: Browser, game: str, *, quick: bool) -> Iterator[str]:
    """Yield the counts of a title, line by line."""
    yield f"\n{TRACKED_GAMES[game].box.title}"
    unit = TITLES[game].unit
    for players in sorted({2, TRACKED_GAMES[game].box.player_counts[-1]}):
        phone = new_counting_phone(browser, server)
        began = time.monotonic()
        found = play_game(server, phone, game, players, QUICK_MOVES if quick else None)
        phone.close()
        yield (
            f"  {players} players: {found.touches_per_unit:.2f} taps a {unit} "
            f"({found.units} in {time.monotonic() - began:.0f} s), "
            f"of them {found.pans / max(1, found.units):.2f} pans; the longest scroll {found.longest_scroll:.0f} px; "
            f"{found.seat_switches} taps to turn to a seat"
        )
        yield f"    {found.fit_share:.1%} of {found.decisions} decisions fit" + "".join(
            f"; {times} x {kind}" for kind, times in found.misses.most_common(4)
        )
        yield "    taps a move: " + ", ".join(
            f"{kind} {statistics.mean(taps):.1f} ({len(taps)} x)"
            for kind, taps in sorted(found.touches_by_kind.items())
        )
        if found.not_found:
            yield f"    said without a hand: {dict(found.not_found)}"
    phone = new_counting_phone(browser, server)
    yield f"  from the first page to a table that lies as it does: {count_touches_from_home(server, phone, game)} taps"
    phone.close()
    yield (
        f"  a redraw in the middle, slowed {redraw.CPU_SLOWDOWN} times: "
        f"{'; '.join(describe_redraws(server, browser, game, 2 if quick else 8))}"
    )


def new_counting_phone(browser: Browser, server: InProcessServer) -> Phone:
    """Return a new phone that counts touches."""
    phone = Phone(PhonePool(browser), server.address, "all")
    phone.context.set_default_timeout(SHORT_TIMEOUT)
    start_counting(phone)
    return phone


if __name__ == "__main__":
    sys.exit(main())
