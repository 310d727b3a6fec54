"""A table told entry by entry, past referee and store: what the tests of the log start from."""

from msgspec import json

from companion.log.apply import fold
from companion.log.entries import Agreed, Declined, Entry, Opened, Played, Proposed, Sat, What, Wish
from companion.log.table import Table, lines_for, plain_move
from companion.storage.store import NoSuchTable, Store
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.support.positions import laid

AT = "2026-01-02T20:00:00.000+00:00"
CODE = "BCDFG"
HOST, ANA, BO, CY, STRANGER = "host", "ana's phone", "bo's phone", "cy's phone", "stranger"
PHONES = (ANA, BO, CY, "di's phone")


class Told:
    """A table and its log so far."""

    def __init__(self, *names: str, game: str = "trails", host: str = HOST):
        setup = json.decode(json.encode(laid(list(names), game)))  # as it comes from a phone
        self.log: list[Entry] = []
        self.table: Table = None
        self.say(host, Opened(game, PLAYS[game].box.version, setup))

    def say(self, device: str, what: What, seat: int | None = None) -> Table:
        """Add an entry."""
        entry = Entry(len(self.log) + 1, AT, device, seat, what)
        self.table = fold(self.table, CODE, entry)
        self.log.append(entry)
        return self.table

    def sit(self, *devices: str) -> "Told":
        """Seat phones: the first on seat 0, and so on."""
        for seat, device in enumerate(devices):
            self.say(device, Sat(), seat)
        return self

    def play(self, seat: int, *moves: Move) -> int:
        """Play moves from the phone that holds a seat; return the number of the last one's entry."""
        for move in moves:
            self.say(self.table.seats[seat], Played(plain_move(move)), seat)
        return self.table.number

    def propose(self, seat: int, wish: Wish) -> int:
        """Propose something from a seat's phone; return the proposal's number."""
        return self.say(self.table.seats[seat], Proposed(wish), seat).number

    def agree(self, seat: int, proposal: int) -> Table:
        return self.say(self.table.seats[seat], Agreed(proposal), seat)

    def decline(self, seat: int, proposal: int) -> Table:
        return self.say(self.table.seats[seat], Declined(proposal), seat)

    @property
    def lines(self) -> list[str]:
        return [line.text for line in self.table.lines]


def stored(store: Store, code: str) -> list[tuple]:
    """Return every entry of a table as it is stored, readable or not: number, at, device, seat, what.

    :raises NoSuchTable: when no table has this code.
    """
    entries = "SELECT number, at, device, seat, what FROM entries JOIN tables ON tables.id = table_id"
    rows = store.rows(f"{entries} WHERE code = ? ORDER BY number", [code])
    if not rows:
        raise NoSuchTable(code)
    return rows


def all_at(*names: str, game: str = "trails") -> Told:
    """Return a table where everybody sits with a phone of their own; the host's is another."""
    return Told(*names, game=game).sit(*PHONES[: len(names)])


def on_one_phone(*names: str, game: str = "trails") -> Told:
    """Return a table where one phone, the host's, holds every seat."""
    return Told(*names, game=game).sit(*(HOST for _ in names))


def readable(table: Table, *seats: int) -> list[str]:
    """Return the log as some seats may read it, oldest first."""
    return [line.text for line in lines_for(table, seats)][::-1]
