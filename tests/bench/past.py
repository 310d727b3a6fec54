"""Mending the past: a repair near the beginning of an evening of 1,000 steps, from the tap to the page that shows what follows."""

import random
from collections.abc import Iterator

from companion.log.repair import Mended, Plan, mend
from companion.log.table import Table, plain_move
from companion.web.app import create_app
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.bench.games import NAMES, fresh_instance
from tests.bench.report import Options, Row, row, timed
from tests.support.phones import Seated, new_tap, seated
from tests.support.random_games import random_game

STEPS = 1000
TALK = 0.85  # of what is told is said by the way: a game has fewer than 1,000 moves
REPEATS = 15


def run(options: Options) -> Iterator[Row]:
    """Mend an early step of each tracked game, and beside it play the same steps by the core alone."""
    for play in PLAYS.values():
        if play.counting or (options.quick and play.key != "trails"):
            continue
        with fresh_instance() as folder:
            table = _evening(folder, play.key)
            yield from _measured(play.key, table, 3 if options.quick else REPEATS)


def _evening(folder, game: str) -> Seated:
    """Return a table where about so many steps have been told."""
    names = NAMES[: min(4, PLAYS[game].box.seats[-1])]
    table = seated(create_app(folder, TESTING=True), *names, game=game)
    record: list[tuple[int, Move]] = []
    random_game(PLAYS[game], table.table.setup, random.Random(11), record, chatter=TALK)
    for seat, move in record[:STEPS]:
        table.referee.play(table.code, table.phone(seat).device, new_tap(), seat, plain_move(move))
        for proposal in table.table.proposals:
            for each in proposal.waiting:
                table.referee.answer(table.code, table.phone(each).device, new_tap(), proposal.number, True)
    return table


def _early(table: Table) -> tuple[Plan, Mended]:
    """Return a repair after which nearly everything is played again: an early step that did not happen."""
    repairs = ((plan, mend(table, plan, 0)) for plan in (Plan(step.id, 1) for step in table.steps))
    return next(
        (plan, mended) for plan, mended in repairs if mended.whole and len(mended.story) > 0.95 * len(table.steps)
    )


def _measured(game: str, table: Seated, repeats: int) -> Iterator[Row]:
    plan, mended = _early(table.table)
    address = f"{table.path}/seat/0/mend/{plan.packed()}"
    place = table.table.places[plan.at]
    story = [(step.seat, step.move) for step in mended.story]
    steps = f"{len(story) - place} of {len(story)} steps played again"
    page = [timed(lambda: table.phone(0).open(address)) for _ in range(repeats)]
    core = [timed(lambda: table.table.play.replay(table.table.setup, story)) for _ in range(repeats)]
    yield row(f"{game}: the page that previews a repair", "ms", page, target=200, note=steps)
    yield row(f"{game}: the same story by the core alone", "ms", core)
