"""Several phones of one table that play, tell the story otherwise, ask and answer at once: all come to the same table."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec import json, to_builtins

from companion.log.apply import fold
from companion.log.entries import Entry, What
from companion.log.log_text import story
from companion.log.repair import Out, Plan, Stop, Told, mend
from companion.log.table import DoesNotFollow, InTheWay, Table, lines_for, plain_move
from companion.service.referee import NotAllowed, NotWhole, Referee
from companion.storage.store import Store
from scoring.kernel.errors import Illegal, Malformed
from tests.companion.log.test_repair import other_move
from tests.conftest import hasten
from tests.support.cases import cases
from tests.support.invariants import GAMES_TO_PLAY, SEED
from tests.support.log_builder import PHONES, stored
from tests.support.positions import laid
from tests.support.random_games import random_move

pytestmark = pytest.mark.slow("phones in threads, at many tables")

TABLES = max(1, GAMES_TO_PLAY // 100)  # of each kind
ACTS = 25  # of each phone
REFUSALS = (Illegal, NotAllowed, NotWhole, InTheWay)  # that a phone is told; anything else nobody foresaw
NAMES = ("Ana", "Bo", "Cy")

Seen = dict[tuple[int, int], Any]  # version, seat -> what that phone saw of it


class Hand:
    """Somebody at the table, with a phone and a mind of their own."""

    def __init__(self, judge: Referee, code: str, seat: int, seed: str):
        self.judge, self.code, self.seat = judge, code, seat
        self.rng = random.Random(f"{seed} {seat}")
        self.seen: Seen = {}
        self.done = Counter()

    def run(self) -> None:
        for number in range(ACTS):
            hasten(self.judge.store)
            act = self.rng.choices((self.play, self.mend, self.answer), (5, 3, 4))[0]
            try:
                table = act(self.judge.store.table(self.code), f"{self.seat} {number}")
            except REFUSALS as refusal:
                self.done[type(refusal).__name__] += 1
                continue
            self.done[act.__name__] += 1
            key = table.number, self.seat
            assert self.seen.setdefault(key, looks(table, self.seat)) == looks(table, self.seat)

    def play(self, table: Table, tap: str) -> Table:
        rules, kinds = table.play, list(table.play.asked(table.state))
        kinds += [kind for kind in rules.moves if kind.anytime] if self.rng.random() < 0.3 else []
        found = random_move(rules, table.state, self.seat, self.rng, self.rng.sample(kinds, len(kinds)))
        if found is None:
            return table
        return self.judge.play(self.code, PHONES[self.seat], tap, self.seat, plain_move(found[0]))

    def mend(self, table: Table, tap: str) -> Table:
        return self.judge.mend(self.code, PHONES[self.seat], tap, self.seat, self._plan(table))

    def _plan(self, table: Table) -> Plan:
        """Return a repair of the table as it was a moment ago, told to its end."""
        if not table.steps:
            return Plan("nothing", 1)
        step = self.rng.choice(table.steps[-12:])
        plan = Plan(step.id, self.rng.randrange(2))
        instead = other_move(table.play, step.before, step.seat, self.rng, step.move)
        if instead and self.rng.random() < 0.7:
            plan = Plan(step.id, plan.out, open=True).saying(Told(step.seat, plain_move(instead)))
        for _ in range(3):
            try:
                if not mend(table, plan, self.seat).blocked:
                    return plan
            except (DoesNotFollow, Malformed):
                return plan
            plan = plan.saying(self.rng.choice((Out(), Stop())))
        return plan

    def answer(self, table: Table, tap: str) -> Table:
        if not table.proposals:
            return table
        proposal = self.rng.choice(table.proposals)
        return self.judge.answer(self.code, PHONES[self.seat], tap, proposal.number, self.rng.random() < 0.7)


def looks(table: Table, seat: int) -> tuple:
    """Return what a phone is shown of a table."""
    asked = [(each.number, each.text, each.waiting, each.agreed) for each in table.proposals]
    shown = table.play.view(table.state, seat), table.play.view(table.state, None)
    log = [line.text for line in lines_for(table, (seat,))]
    return (shown, asked, log, story(table, (seat,)), table.remarks, table.ended, table.consent)


def whole(table: Table) -> tuple:
    """Return everything that a log has come to."""
    return (table.steps, table.undone, table.proposals, table.lines, table.repairs, table.agreements, table.remarks)


@cases("number", range(TABLES))
@cases("consent", ["concerned", "most", "trust"])
@cases("game", ["trails", "alpine-trails"])  # one with turns, one where everybody plays at once
def test_all_who_tell_play_and_answer_at_once_come_to_the_same_table(judge: Referee, game: str, consent, number: int):
    setup = to_builtins(laid(list(NAMES), game))
    code = judge.open(PHONES[0], game, setup, consent=consent).code
    for seat in range(len(NAMES)):
        judge.sit(code, PHONES[seat], f"sit {seat}", seat)
    other = Referee(Store(judge.store.path), judge.live)  # another process: it learns of everything from the file
    hands = [
        Hand((judge, other)[seat % 2], code, seat, f"{SEED} {game} {consent} {number}") for seat in range(len(NAMES))
    ]
    with ThreadPoolExecutor(len(hands)) as threads:
        for done in [threads.submit(hand.run) for hand in hands]:
            done.result()
    fresh = Store(judge.store.path)
    tables = [each.table(code) for each in (judge.store, other.store, fresh)]
    assert whole(tables[0]) == whole(tables[1]) == whole(tables[2])
    assert tables[0].state == tables[0].play.replay(
        tables[0].setup, [(step.seat, step.move) for step in tables[0].steps]
    )
    told = versions(fresh, code)
    for (version, seat), saw in (each for hand in hands for each in hand.seen.items()):
        assert looks(told[version], seat) == saw
    for each in (other.store, fresh):
        each.db.conn.close()
    done = sum((hand.done for hand in hands), Counter())
    print(game, consent, dict(done))
    assert done["play"] and done["mend"] and done["answer"]


def versions(store: Store, code: str) -> dict[int, Table]:
    """Return a table as its stored log has it after each entry."""
    table, found = None, {}
    for number, at, device, seat, what in stored(store, code):
        table = found[number] = fold(table, code, Entry(number, at, device, seat, json.decode(what, type=What)))
    return found
