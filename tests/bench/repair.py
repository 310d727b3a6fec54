"""Benchmark a repair near the start of a game of 1,000 steps, up to the page shown."""

import random
from collections.abc import Iterator

from companion.log.plans import RepairPlan
from companion.log.replay import Outcome, replay
from companion.log.table import Table, to_data
from companion.web.app import create_app
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.bench.games import NAMES, temporary_instance
from tests.bench.report import Options, Row, make_row, time_call
from tests.support.phones import SeatedTable, new_tap, open_seated_table
from tests.support.random_games import random_game

STEPS = 1000
# Share of out-of-turn moves among the steps: without them, a game has fewer than 1,000.
OUT_OF_TURN_CHANCE = 0.85
REPEATS = 15


def run(options: Options) -> Iterator[Row]:
    """Repair an early step of each tracked game, and replay the same steps in the core alone."""
    for tracked in TRACKED_GAMES.values():
        if tracked.is_score_entry or (options.quick and tracked.key != "trails"):
            continue
        with temporary_instance() as folder:
            table = _open_played_table(folder, tracked.key)
            yield from _measure(tracked.box.title, table, 3 if options.quick else REPEATS)


def _open_played_table(folder, game: str) -> SeatedTable:
    """Return a table after at most STEPS moves of a random game."""
    names = NAMES[: min(4, TRACKED_GAMES[game].box.player_counts[-1])]
    table = open_seated_table(create_app(folder, TESTING=True), *names, game=game)
    record: list[tuple[int, Move]] = []
    random_game(
        TRACKED_GAMES[game], table.table.setup, random.Random(11), record, out_of_turn_chance=OUT_OF_TURN_CHANCE
    )
    for seat, move in record[:STEPS]:
        table.referee.play(table.table, table.phone(seat).device, new_tap(), seat, to_data(move))
        for proposal in table.table.proposals:
            for waiting_seat in proposal.waiting_seats:
                table.referee.answer(
                    table.table,
                    table.phone(waiting_seat).device,
                    new_tap(),
                    proposal.number,
                    True,
                )
    return table


def _early_repair(table: Table) -> tuple[RepairPlan, Outcome]:
    """Return a repair after which nearly all is replayed: an early step that did not happen."""
    repairs = ((plan, replay(table, plan, 0)) for plan in (RepairPlan(step.id, 1) for step in table.steps))
    return next(
        (plan, outcome)
        for plan, outcome in repairs
        if outcome.is_complete and len(outcome.steps) > 0.95 * len(table.steps)
    )


def _measure(title: str, table: SeatedTable, repeats: int) -> Iterator[Row]:
    plan, outcome = _early_repair(table.table)
    address = f"{table.path}/seat/0/mend/{plan.encode()}"
    place = table.table.index_by_step[plan.start_step]
    moves = [(step.seat, step.move) for step in outcome.steps]
    steps = f"{len(moves) - place} of {len(moves)} steps replayed"
    page = [time_call(lambda: table.phone(0).open(address)) for _ in range(repeats)]
    core = [time_call(lambda: table.table.tracked.replay(table.table.setup, moves)) for _ in range(repeats)]
    yield make_row(f"{title}: preview page of a repair", "ms", page, target=200, note=steps)
    yield make_row(f"{title}: replay of the same steps in the rules core", "ms", core)
