"""Play random games through the real pages and count touches.

Run as `python -m tests.support.count_touches [titles] [--quick] [--json FILE]`.
"""

import argparse
import random
import shutil
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Error, Locator, sync_playwright

from companion.log.table import Table
from scoring.alpine_trails.map.tiles import trail_shape
from scoring.alpine_trails.moves.placing import Discard, PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.moves.reveals import NoteGoal
from scoring.alpine_trails.moves.wildlife import LeaveAnimal, TakeAnimal
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import EnterColour
from scoring.on_the_trail.moves.reveals import EndCard, EnterLeg, EnterStop, next_unknown_leg
from scoring.on_the_trail.moves.run_moves import DropOut, Run, RunOn, Stay
from scoring.on_the_trail.route import find_spot, stop_at
from scoring.parks.moves import hiking as parks
from scoring.parks.moves.reveals import NameGear, NamePark, NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NotePhoto
from scoring.trails.moves.trail_setup import LaySite, LaySites
from tests.bench.games import temporary_instance
from tests.bench.report import Row, describe_machine, describe_run, format_rows, make_row, rows_to_data, write_report
from tests.browser import alpine_trails_taps, midgame_tables, parks_taps, test_on_the_trail, trails_taps
from tests.browser.browser_servers import InProcessServer
from tests.browser.conftest import CHROMIUM_COMMANDS as BROWSERS
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.phone import Phone, PhonePool
from tests.browser.unreachable_choices import unreachable_choices
from tests.support.alpine_trails_drafts import DRAFT_CANDIDATES
from tests.support.on_the_trail_table import CARD_FACTS
from tests.support.ready_setups import ready_setup
from tests.support.touch_counter import read_touches, start_counting

SEED = 7
QUICK_MOVES = 15  # moves of a game
FIT_TARGET = 99  # percent of the decisions
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

    game: str
    unit: str
    count_units: Callable[[Move], int]  # number of units in a move
    play_move: PlayByHand
    setup_moves: tuple[type[Move], ...] = ()  # moves before the first turn, which belong to no turn
    counts_only_units: bool = False  # are taps counted only for moves that are of the unit
    card_facts: Any = None  # known card facts; with them, hands are not entered
    is_taught: bool = False  # whether the phone teaches the players; a choice dismisses each lesson
    variant: str = ""  # what is special about this plan, if a game has several
    name_kind: Callable[[Move], str] = lambda move: type(move).__name__  # the kind of a move that is counted separately
    # State, seat, move -> whether it is the common form of the move, which needs no unfolding or other answer first.
    is_common: Callable[[Any, int, Move], bool] = lambda state, seat, move: True
    target: float | None = None  # taps per unit
    pans_target: float | None = None  # pans per unit
    setup_target: float | None = None  # taps from the home page to a table that is set up

    @property
    def tracked(self) -> TrackedGame:
        return TRACKED_GAMES[self.game]

    @property
    def name(self) -> str:
        """Return the title for a report: "ON THE TRAIL, unknown box"."""
        return f"{self.tracked.box.title}{f', {self.variant}' if self.variant else ''}"

    def setup(self, players: int) -> Any:
        setup = ready_setup(list(NAMES[:players]), self.game)
        return msgspec.structs.replace(setup, facts=self.card_facts, tracking="light") if self.card_facts else setup


def is_common_on_map(state: Any, seat: int, move: Move) -> bool:
    """Return whether a move of ALPINE TRAILS is the common form of its kind.

    Common are a base camp of two like squares, and an answer to the first offered animal.
    """
    if isinstance(move, TakeAnimal | LeaveAnimal):
        return move.terrain == state.players[seat].offered_forks[0]
    return not isinstance(move, TakeCamp) or move == TakeCamp(move.terrain)


def is_common_in_unknown_box(state: Any, seat: int, move: Move) -> bool:
    """Return whether a move is one that people make, with the values of the tests' box.

    Hands are not entered in these races, so a runner may drop out or stop at any time. People run on while they have
    two cards or more, as they can keep only one: about 2.6 legs a turn with real hands. They enter a leg by running it.
    """
    match move:
        case EnterLeg():
            return is_true_leg(move.card, move.leg, move.colour) and not can_run_on(state, seat)
        case Run() if move.leg:
            return is_true_leg(*next_unknown_leg(state), move.leg)
        case DropOut():
            return not can_run_on(state, seat)
        case Stay():
            spot = find_spot(state, state.players[seat].legs_run)
            is_true = (
                spot is None
                or stop_at(state, state.players[seat].legs_run) is not None
                or move.stop == CARD_FACTS.cards[spot[0]].legs[spot[1]].stop
            )
            return is_true and (state.players[seat].held < 2 or not can_run_on(state, seat))
        case EnterStop():
            return move.stop == CARD_FACTS.cards[move.card].legs[move.leg].stop
        case EndCard():
            return len(state.facts.cards[move.card].legs) == len(CARD_FACTS.cards[move.card].legs)
        case EnterColour():
            return move.colour == CARD_FACTS.setbacks[move.setback]
    return True


def can_run_on(state: Any, seat: int) -> bool:
    """Return whether cards can run the next leg of the tests' box."""
    tracked = TRACKED_GAMES["on-the-trail"]
    return Run in tracked.available_moves(state) and any(
        is_common_in_unknown_box(state, seat, move) and tracked.is_legal(state, seat, move)
        for move in Run.candidates(state, seat)
    )


def is_true_leg(card: int, leg: int, colour: str | None) -> bool:
    """Return whether a leg of a Trail card has a color in the tests' box."""
    legs = CARD_FACTS.cards[card].legs
    return leg < len(legs) and colour == legs[leg].colour


def count_legs(move: Move) -> int:
    """Return how many legs a move runs."""
    return move.legs if isinstance(move, RunOn) else int(isinstance(move, Run))


ON_THE_TRAIL = TitlePlan(
    "on-the-trail",
    "leg",
    count_legs,
    tap_control(lambda phone, state, _, move: test_on_the_trail.find_control(phone, move)),
    card_facts=CARD_FACTS,
    target=1.3,
)
TITLES = {
    "trails": TitlePlan(
        "trails",
        "turn",
        lambda move: isinstance(move, Hike),
        tap_control(trails_taps.find_control),
        (LaySite, LaySites, NotePhoto),
        is_common=lambda _, __, move: (
            not (isinstance(move, Hike) and move.canteen and move.steps in trails_taps.SHORT_HIKES)
        ),
        target=2.2,
        pans_target=0,
    ),
    "parks": TitlePlan(
        "parks",
        "turn",
        lambda move: isinstance(move, parks.Hike),
        tap_control(lambda phone, state, _, move: parks_taps.find_control(phone, state, move)),
        (LayTile, PlaceShutterbug, NameTile),
        # A card is entered with the move that takes it, in the same taps.
        is_common=lambda _, __, move: not isinstance(move, NamePark | NameGear),
        target=2.3,
        setup_target=16,
    ),
    "alpine-trails": TitlePlan(
        "alpine-trails",
        "drawn tile",
        lambda move: isinstance(move, PlaceTrail | PlaceTerrain | Discard),
        play_on_map,
        (TakeCamp, NoteGoal),
        counts_only_units=True,
        name_kind=lambda move: trail_shape(move.exits) if isinstance(move, PlaceTrail) else type(move).__name__,
        is_common=is_common_on_map,
        target=2.6,
        pans_target=0,
    ),
    "on-the-trail": ON_THE_TRAIL,
    "on-the-trail-unknown": replace(
        ON_THE_TRAIL, card_facts=CardFacts(), variant="unknown box", is_common=is_common_in_unknown_box, target=1.6
    ),
}
TITLES |= {
    f"{key}-newcomers": replace(TITLES[key], is_taught=True, variant="newcomers")
    for key in ("trails", "parks", "alpine-trails", "on-the-trail")
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
    server: InProcessServer, phone: Phone, key: str, players: int, max_moves: int | None = None
) -> GameCounts:
    """Play a random game on one phone that holds all seats, and count."""
    title, rng = TITLES[key], random.Random(SEED)
    tracked = title.tracked
    table = open_seated_table(server, phone, title, players)
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
        candidates = DRAFT_CANDIDATES.get(kind, kind.candidates)(state, seat)
        moves = [move for move in candidates if title.is_common(state, seat, move)]
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
        counts.touches_by_kind.setdefault(title.name_kind(move), []).append(after.count_since(before))
    counts.longest_scroll = max(counts.longest_scroll, after.longest)


def current_task(state: Any) -> str:
    """Return the name of the current task of a turn."""
    tasks = getattr(state, "tasks", ())
    return type(tasks[-1]).__name__ if tasks else ""


def shown_seat(phone: Phone) -> int:
    return int(phone.page.url.rpartition("/seat/")[2].partition("/")[0].partition("?")[0])


def open_seated_table(server: InProcessServer, phone: Phone, title: TitlePlan, players: int) -> Table:
    """Open a table where one phone holds all seats."""
    referee, device = server.referee, midgame_tables.device(0)
    table = referee.open_table(device, title.game, msgspec.to_builtins(title.setup(players)))
    for seat, name in enumerate(table.names[:players]):
        table = referee.sit(table, device, f"sit {table.code} {seat}", seat)
        referee.learners.start_over(device, name, title.game)
        referee.learners.set_taught(device, name, title.game, title.is_taught)
    midgame_tables.take_seat_device(phone, server, 0)
    return table


def count_touches_from_home(server: InProcessServer, phone: Phone, title: TitlePlan) -> int:
    """Return the touches from the home page to a table of two that is set up."""
    tracked, rng = title.tracked, random.Random(SEED)
    phone.go("/")
    before = read_touches(phone)
    phone.follow_link(f"/new/{title.game}")
    for number in range(2):
        field = phone.page.get_by_label(f"Name {number + 1}")
        field.tap()
        field.fill(NAMES[number])
    phone.button("Create the table").tap()
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.count_touches", description=__doc__)
    parser.add_argument("titles", nargs="*", metavar="title", help=f"{', '.join(TITLES)} (all)")
    parser.add_argument("--quick", action="store_true", help="only the first moves of each game")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the counts to this file")
    chosen = parser.parse_args()
    if unknown := set(chosen.titles) - set(TITLES):
        parser.error(f"no title {', '.join(unknown)}")
    path = next(filter(None, map(shutil.which, BROWSERS)))
    data = []
    with temporary_instance() as folder, sync_playwright() as playwright:
        server = InProcessServer(folder, 50)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        try:
            for key in chosen.titles or TITLES:
                rows = list(measure_title(server, browser, key, quick=chosen.quick))
                print("\n".join(format_rows(TITLES[key].name, rows)), flush=True)
                data += rows_to_data("taps", rows)
        finally:
            browser.close()
            server.close()
    if chosen.json:
        write_report(chosen.json, describe_run(), describe_machine(), data)
    return 0


def measure_title(server: InProcessServer, browser: Browser, key: str, *, quick: bool) -> Iterator[Row]:
    """Yield the counts of a title, with two players and with the most."""
    title = TITLES[key]
    for players in sorted({2, title.tracked.box.player_counts[-1]}):
        phone = new_counting_phone(browser, server)
        found = play_game(server, phone, key, players, QUICK_MOVES if quick else None)
        phone.close()
        label = f"{title.name}, {players} players"
        kinds = ", ".join(f"{kind} {statistics.mean(taps):.1f}" for kind, taps in sorted(found.touches_by_kind.items()))
        note = f"{found.units} {title.unit}s. {kinds}"
        if found.not_found:
            note += f". Controls not found: {describe_counts(found.not_found)}"
        yield make_row(f"{label}: per {title.unit}", "taps", [found.touches_per_unit], target=title.target, note=note)
        pans = found.pans / max(1, found.units)
        yield make_row(f"{label}: pans per {title.unit}", "pans", [pans], target=title.pans_target)
        yield make_row(f"{label}: longest scroll", "px", [found.longest_scroll])
        yield make_row(f"{label}: to change seats", "taps", [found.seat_switches])
        yield make_row(
            f"{label}: decisions that fit on the screen",
            "%",
            [100 * found.fit_share],
            more_is_better=True,
            target=FIT_TARGET,
            note=f"of {found.decisions} decisions. {describe_counts(found.misses)}".removesuffix(". "),
        )
    if title.variant:
        return  # The way to the table is the same.
    phone = new_counting_phone(browser, server)
    touches = count_touches_from_home(server, phone, title)
    phone.close()
    yield make_row(f"{title.name}: from the home page to the first turn", "taps", [touches], target=title.setup_target)


def describe_counts(counts: Counter[str]) -> str:
    """Return the most frequent kinds as text: "3 x LayTile: Night; 1 x Hike"."""
    return "; ".join(f"{times} x {kind}" for kind, times in counts.most_common(4))


def new_counting_phone(browser: Browser, server: InProcessServer) -> Phone:
    """Return a new phone that counts touches."""
    phone = Phone(PhonePool(browser), server.address, "all")
    phone.context.set_default_timeout(SHORT_TIMEOUT)
    start_counting(phone)
    return phone


if __name__ == "__main__":
    sys.exit(main())
