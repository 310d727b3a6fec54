"""Tests of phones that play, repair, ask and answer simultaneously and see the same table."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec import json, to_builtins

from companion.log.apply import load_entry
from companion.log.entries import Entry, Payload
from companion.log.log_text import game_log
from companion.log.plans import Drop, Insert, RepairPlan, Truncate
from companion.log.replay import replay
from companion.log.steps import ConflictingStepError, InvalidEntryError
from companion.log.table import Table, to_data, visible_messages
from companion.service.referee import IncompleteRepairError, NotAllowedError, Referee
from companion.storage.store import Store
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from tests.companion.log.test_repair import other_move
from tests.conftest import disable_fsync
from tests.support.invariants import GAMES_TO_PLAY, SEED
from tests.support.log_builder import DEVICES, stored_entries
from tests.support.parametrize import parametrize_cases
from tests.support.random_games import random_move
from tests.support.ready_setups import ready_setup

pytestmark = pytest.mark.slow("phones in threads, at many tables")

TABLES = max(1, GAMES_TO_PLAY // 100)  # of each kind
ACTIONS_PER_PHONE = 25  # of each phone
# Errors that a phone is answered with; any other exception is a bug.
REFUSALS = (
    IllegalMoveError,
    NotAllowedError,
    IncompleteRepairError,
    ConflictingStepError,
)
NAMES = ("Ana", "Bo", "Cy")

SeenStates = dict[tuple[int, int], Any]  # version, seat -> what that phone saw of it


class SimulatedPlayer:
    """A player at the table with an own phone, acting at random."""

    def __init__(self, referee: Referee, code: str, seat: int, seed: str):
        self.referee, self.code, self.seat = referee, code, seat
        self.rng = random.Random(f"{seed} {seat}")
        self.seen: SeenStates = {}
        self.action_counts = Counter()

    def run(self) -> None:
        for number in range(ACTIONS_PER_PHONE):
            disable_fsync(self.referee.store)
            act = self.rng.choices((self.play, self.repair, self.answer), (5, 3, 4))[0]
            try:
                table = act(self.referee.store.table(self.code), f"{self.seat} {number}")
            except REFUSALS as refusal:
                self.action_counts[type(refusal).__name__] += 1
                continue
            self.action_counts[act.__name__] += 1
            key = table.version, self.seat
            assert self.seen.setdefault(key, visible_table(table, self.seat)) == visible_table(table, self.seat)

    def play(self, table: Table, tap: str) -> Table:
        rules, kinds = table.tracked, list(table.tracked.available_moves(table.state))
        kinds += [kind for kind in rules.moves if kind.out_of_turn] if self.rng.random() < 0.3 else []
        found = random_move(rules, table.state, self.seat, self.rng, self.rng.sample(kinds, len(kinds)))
        if found is None:
            return table
        return self.referee.play(table, DEVICES[self.seat], tap, self.seat, to_data(found[0]))

    def repair(self, table: Table, tap: str) -> Table:
        return self.referee.repair(table, DEVICES[self.seat], tap, self.seat, self._plan(table))

    def _plan(self, table: Table) -> RepairPlan:
        """Return a repair of a possibly outdated table, with its conflicts resolved if possible."""
        if not table.steps:
            return RepairPlan("nothing", 1)
        step = self.rng.choice(table.steps[-12:])
        plan = RepairPlan(step.id, self.rng.randrange(2))
        wrong_move = other_move(table.tracked, step.before, step.seat, self.rng, step.move)
        if wrong_move and self.rng.random() < 0.7:
            plan = RepairPlan(step.id, plan.drop_count, is_open=True).with_edit(Insert(step.seat, to_data(wrong_move)))
        for _ in range(3):
            try:
                if not replay(table, plan, self.seat).blocked:
                    return plan
            except (InvalidEntryError, InvalidInputError):
                return plan
            plan = plan.with_edit(self.rng.choice((Drop(), Truncate())))
        return plan

    def answer(self, table: Table, tap: str) -> Table:
        if not table.proposals:
            return table
        proposal = self.rng.choice(table.proposals)
        return self.referee.answer(table, DEVICES[self.seat], tap, proposal.number, self.rng.random() < 0.7)


def visible_table(table: Table, seat: int) -> tuple:
    """Return everything that a seat's phone is shown of a table."""
    proposals = [
        (proposal.number, proposal.text, proposal.waiting_seats, proposal.agreed_seats) for proposal in table.proposals
    ]
    views = table.tracked.view(table.state, seat), table.tracked.view(table.state, None)
    log = [line.text for line in visible_messages(table, (seat,))]
    return (views, proposals, log, game_log(table, (seat,)), table.remarks, table.was_over, table.consent)


def table_data(table: Table) -> tuple:
    """Return everything that follows from the log of a table."""
    return (table.steps, table.removed, table.proposals, table.messages, table.repairs, table.agreements, table.remarks)


@parametrize_cases("number", range(TABLES))
@parametrize_cases("consent", ["concerned", "most", "trust"])
# One game with turns, and one where everybody plays simultaneously.
@parametrize_cases("game", ["trails", "alpine-trails"])
def test_phones_acting_simultaneously_get_the_same_table(bare_referee: Referee, game: str, consent, number: int):
    setup = to_builtins(ready_setup(list(NAMES), game))
    code = bare_referee.open_table(DEVICES[0], game, setup, consent=consent).code
    for seat in range(len(NAMES)):
        bare_referee.sit(bare_referee.store.table(code), DEVICES[seat], f"sit {seat}", seat)
    # Another process, which learns of everything from the file.
    other = Referee(Store(bare_referee.store.path), bare_referee.live)
    players = [
        SimulatedPlayer((bare_referee, other)[seat % 2], code, seat, f"{SEED} {game} {consent} {number}")
        for seat in range(len(NAMES))
    ]
    with ThreadPoolExecutor(len(players)) as threads:
        for future in [threads.submit(player.run) for player in players]:
            future.result()
    fresh = Store(bare_referee.store.path)
    tables = [each.table(code) for each in (bare_referee.store, other.store, fresh)]
    assert table_data(tables[0]) == table_data(tables[1]) == table_data(tables[2])
    assert tables[0].state == tables[0].tracked.replay(
        tables[0].setup, [(step.seat, step.move) for step in tables[0].steps]
    )
    table_by_version = tables_by_version(fresh, code)
    for (version, seat), view in (each for player in players for each in player.seen.items()):
        assert visible_table(table_by_version[version], seat) == view
    for each in (other.store, fresh):
        each.db.conn.close()
    counts = sum((player.action_counts for player in players), Counter())
    print(game, consent, dict(counts))
    assert counts["play"] and counts["repair"] and counts["answer"]


def tables_by_version(store: Store, code: str) -> dict[int, Table]:
    """Return the table after each stored entry, by version."""
    table, found = None, {}
    for number, created_at, device, seat, payload in stored_entries(store, code):
        table = found[number] = load_entry(
            table, code, Entry(number, created_at, device, seat, json.decode(payload, type=Payload))
        )
    return found
