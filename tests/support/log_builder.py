"""Build a table log entry by entry, without referee and store."""

from msgspec import json

from companion.log.apply import load_entry
from companion.log.entries import (
    Agreed,
    Declined,
    Entry,
    LogRewritten,
    Opened,
    Payload,
    Played,
    Proposable,
    Proposed,
    SeatTaken,
)
from companion.log.replay import replay_rewrite
from companion.log.steps import Step
from companion.log.table import Table, to_data, visible_messages
from companion.storage.store import Store, TableNotFoundError
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.support.ready_setups import ready_setup

TIME = "2026-01-02T20:00:00.000+00:00"
CODE = "BCDFG"
HOST, ANA, BO, CY, STRANGER = "host", "ana's phone", "bo's phone", "cy's phone", "stranger"
DEVICES = (ANA, BO, CY, "di's phone", "ed's phone", "fay's phone", "gus's phone")


def leaf_edit(seat: int, amount: int) -> dict:
    """Return a correction of a player's leaves as a phone sends it."""
    return {"type": "set-right", "changes": [{"type": "by", "at": f"players.{seat}.leaf", "by": amount}]}


class LogBuilder:
    """A table and its log so far."""

    def __init__(self, *names: str, game: str = "trails", host: str = HOST):
        setup = json.decode(json.encode(ready_setup(list(names), game)))  # the setup as it comes from a phone
        self.log: list[Entry] = []
        self.table: Table = None
        self.time = TIME  # of the next entry
        self.add_entry(host, Opened(game, TRACKED_GAMES[game].box.version, setup))

    def add_entry(self, device: str, payload: Payload, seat: int | None = None) -> Table:
        """Add an entry, and return the table after it."""
        entry = Entry(len(self.log) + 1, self.time, device, seat, payload)
        self.table = load_entry(self.table, CODE, entry)
        self.log.append(entry)
        return self.table

    def rewritten_steps(self, rewrite: LogRewritten) -> tuple[Step, ...]:
        """Return the steps that a rewrite of the next entry would leave."""
        return replay_rewrite(self.table, Entry(len(self.log) + 1, TIME, HOST, None, rewrite), rewrite, None)

    def sit(self, *devices: str) -> "LogBuilder":
        """Seat phones: the first on seat 0, and so on."""
        for seat, device in enumerate(devices):
            self.add_entry(device, SeatTaken(), seat)
        return self

    def play(self, seat: int, *moves: Move) -> int:
        """Play moves from the phone that holds a seat; return the number of the last entry."""
        for move in moves:
            self.add_entry(self.table.seats[seat], Played(to_data(move)), seat)
        return self.table.version

    def propose(self, seat: int, proposable: Proposable) -> int:
        """Propose something from a seat's phone; return the number of the proposal."""
        return self.add_entry(self.table.seats[seat], Proposed(proposable), seat).version

    def agree(self, seat: int, proposal: int) -> Table:
        return self.add_entry(self.table.seats[seat], Agreed(proposal), seat)

    def decline(self, seat: int, proposal: int) -> Table:
        return self.add_entry(self.table.seats[seat], Declined(proposal), seat)

    @property
    def log_texts(self) -> list[str]:
        return [line.text for line in self.table.messages]


def stored_entries(store: Store, code: str) -> list[tuple]:
    """Return the stored entries of a table, readable or not: number, time, device, seat, payload.

    :raises NoSuchTableError: if no table has this code.
    """
    entries = "SELECT number, at, device, seat, what FROM entries JOIN tables ON tables.id = table_id"
    rows = store.query(f"{entries} WHERE code = ? ORDER BY number", [code])
    if not rows:
        raise TableNotFoundError(code)
    return rows


def build_seated_log(*names: str, game: str = "trails") -> LogBuilder:
    """Return a table where each player sits with their own phone; the host uses another one."""
    return LogBuilder(*names, game=game).sit(*DEVICES[: len(names)])


def build_one_phone_log(*names: str, game: str = "trails") -> LogBuilder:
    """Return a table where one phone, the host's, holds every seat."""
    return LogBuilder(*names, game=game).sit(*(HOST for _ in names))


def readable_texts(table: Table, *seats: int) -> list[str]:
    """Return the log texts that these seats may read, oldest first."""
    return [line.text for line in visible_messages(table, seats)][::-1]
