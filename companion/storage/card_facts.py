"""What is known of the boxes here, and every change of it: told by anybody, kept or declined by the owner, taken back.

What the owner's phone tells counts at once. All else waits: a table goes on with its own copy, the box stays as it is.
"""

import datetime
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from companion.log.entries import OwnRuling
from companion.log.table import Table
from companion.storage.owner import Owners
from companion.storage.store import Store, stamp
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.box_facts import Value, news_for_table
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.facts import Facts

# What becomes of a change, and how it was told.
WAITING, KEPT, DECLINED, TAKEN_BACK = "waiting", "kept", "declined", "taken back"
AT_TABLE, ON_PAGE, IN_FILE, BACK = "table", "page", "file", "back"
OF_A_PHONE = f"device = ? AND source IN ('{ON_PAGE}', '{IN_FILE}')"

MOST_WAITING = 20  # changes of a game; beyond, the oldest that strangers told go first
MOST_OF_A_PHONE = 3  # of them, from tables where one stranger told them
WEIGHT = f"known DESC, source = '{AT_TABLE}' DESC, id DESC"  # a table takes more to make than a form
SITTING = 300  # seconds; what the owner tells of one thing meanwhile is one change
LONGEST_NAME = 60  # of a file
OF_A_RULING = ("game", "question", "reading", "at", "name")
OWN_RULINGS = 50  # of a game, at most, on a page

NO_BOX = (Illegal, Malformed)  # what facts that do not go together raise


class NotPossible(Exception):
    """This cannot be done with a change; the text says why."""


class Change(Struct, frozen=True):
    """A change of a box: what was known before it, and after.

    One that grows becomes another, with an id of its own: the owner agrees to what was shown.
    """

    id: int  # of later ones greater; 0 until it is written
    game: str
    status: str
    at: str  # when it was told last, or decided
    device: str
    source: str
    name: str  # of the table or the file
    who: str  # played at the table
    known: bool  # it comes from the owner's phone or a table that has one
    before: Any
    after: Any


class Boxes:
    """The facts of all boxes of an instance."""

    def __init__(self, store: Store):
        self._store = store
        self.owners = Owners(store)

    def facts(self, game: Box) -> Any:
        """Return what is known of a game's box; facts of an older version that cannot be read are none."""
        for (what,) in self._store.rows("SELECT what FROM facts WHERE game = ?", [game.key]):
            with suppress(*NO_BOX):
                return _read(game, what)
        return facts_of(game).type()

    def keep(self, game: Box, facts: Any) -> None:
        """Keep what is known of a game's box, for all later tables."""
        with self._store.writing() as db:
            db.table("facts").upsert({"game": game.key, "what": _text(facts)}, pk="game")

    def facts_for(self, game: Box, *earlier: str) -> Any:
        """Return the facts of a new table: those of the box, and those of the players' earlier tables."""
        told = [change for code in earlier for change in self._waiting(game, "source = ? AND name = ?", AT_TABLE, code)]
        return self._with(game, told)

    def seen_by(self, game: Box, device: str) -> Any:
        """Return the facts as a phone is shown them: what it has told itself and the owner has not seen yet is in them."""
        return self._with(game, [] if self.owners.has(device) else self.told_by(game, device))

    def _with(self, game: Box, told: list[Change]) -> Any:
        facts = self.facts(game)
        for change in told:
            with suppress(*NO_BOX):
                facts = facts_of(game).learned(facts, change.before, change.after)
        return facts

    # What waits, and what became of it

    def waiting(self, game: Box) -> list[Change]:
        """Return what waits for the owner, the weightiest and latest first."""
        return self._waiting(game)

    def told_by(self, game: Box, device: str) -> list[Change]:
        """Return what one phone has told away from any table; at most one change of a stranger's."""
        return self._waiting(game, OF_A_PHONE, device)

    def how_many_wait(self) -> dict[str, int]:
        """Return of how many changes the owner has not decided, by the key of their game."""
        return dict(self._store.rows("SELECT game, COUNT(*) FROM changes WHERE status = ? GROUP BY game", [WAITING]))

    def waits_for(self, code: str) -> bool:
        """Return whether something told at a table waits for the owner."""
        found = "SELECT 1 FROM changes WHERE name = ? AND source = ? AND status = ?"
        return bool(self._store.rows(found, [code, AT_TABLE, WAITING]))

    def history(self, game: Box, most: int, before: int = 0) -> list[Change]:
        """Return what has been decided, the latest first; with `before`, what had been before that change."""
        where = "status <> ?"
        given: list[str | int] = [WAITING]
        if before:
            where += " AND id < ?"
            given.append(before)
        return self._changes(game, f"{where} ORDER BY id DESC LIMIT ?", [*given, most])

    def proposed(self, game: Box, change: Change) -> Any:
        """Return the box as it would be with a change that waits.

        :raises Illegal: when they do not go together.
        """
        return facts_of(game).learned(self.facts(game), change.before, change.after)

    def _waiting(self, game: Box, where: str = "1", *given: Any) -> list[Change]:
        return self._changes(game, f"status = ? AND {where} ORDER BY {WEIGHT}", [WAITING, *given])

    def _change(self, game: Box, id: int, status: str) -> Change:
        """:raises NotPossible: when there is none that can still be decided so."""
        found = self._changes(game, "id = ? AND status = ?", [id, status])
        if not found:
            raise NotPossible("That has been settled already, or more has been told since. Look at it as it is now.")
        return found[0]

    def _changes(self, game: Box, where: str, given: list) -> list[Change]:
        """Return changes that can be read; a later version may have another idea of what a box can be."""
        sql = f"SELECT {', '.join(Change.__struct_fields__)} FROM changes WHERE game = ? AND {where}"
        changes = []
        for *columns, known, before, after in self._store.rows(sql, [game.key, *given]):
            with suppress(*NO_BOX):
                changes.append(
                    Change(*columns, known=bool(known), before=_read(game, before), after=_read(game, after))
                )
        return changes

    # Telling

    def tell(self, game: Box, device: str, change: Callable[[Any], Any]) -> None:
        """Change the box from its page: the owner's word counts, a stranger's waits.

        :raises Malformed: when what is told cannot be read.
        :raises Illegal: when no box can be so.
        """
        with self._store.writing():
            if self.owners.has(device):
                self._set(game, device, ON_PAGE, change(self.facts(game)))
            else:
                self._wait_from_a_phone(game, device, ON_PAGE, change)

    def take_in(self, game: Box, device: str, name: str, told: Any) -> bool:
        """Have the facts of a file wait for the owner, whoever brings it: nothing is replaced before it has been looked at.

        Return whether the file says anything new.

        :raises Illegal: when they do not go together with what is known.
        """
        with self._store.writing():
            name = name[:LONGEST_NAME]
            return self._wait_from_a_phone(game, device, IN_FILE, lambda known: facts_of(game).merge(known, told), name)

    def learn(self, device: str, before: Table, after: Table) -> None:
        """Note what an entry of a phone has told of the box at a table; part of the transaction that writes it down."""
        game = after.play.box
        if before.own_rulings != after.own_rulings and self.owners.has(after.host, *after.seats):
            self._learn_rulings(before, after)
        if not after.play.facts or before.state.facts == after.state.facts:
            return
        was, now = before.state.facts, after.state.facts
        who = _who(after)
        told = next(iter(self._waiting(game, "source = ? AND name = ?", AT_TABLE, after.code)), None)
        if self.owners.has(device):
            try:
                learned = facts_of(game).learned(self.facts(game), was, now)
            except NO_BOX:
                pass  # it waits, where its owner can see why
            else:
                self._set(game, device, AT_TABLE, learned, after.code, who)
                if not told:
                    return
        first = told or self._new(game, device, AT_TABLE, after.code, who, before=was)
        known = self.owners.has(after.host, *after.seats)
        self._wait(game, replace(first, known=known, after=now))

    def _learn_rulings(self, before: Table, after: Table) -> None:
        """Keep with the box how a table of its owner plays what the book is silent on; what it plays no longer goes."""
        game, kept = after.play.box.key, {ruling.question for ruling in after.own_rulings}
        gone = [[game, ruling.question] for ruling in before.own_rulings if ruling.question not in kept]
        rows = [[game, each.question, each.reading, after.at, ", ".join(after.names)] for each in after.own_rulings]
        with self._store.writing() as db:
            db.conn.executemany("DELETE FROM own_rulings WHERE game = ? AND question = ?", gone)
            db.conn.executemany(
                "INSERT OR REPLACE INTO own_rulings (game, question, reading, at, name) VALUES (?, ?, ?, ?, ?)", rows
            )

    def own_rulings(self, game: Box) -> list[OwnRuling]:
        """Return how tables of the owner have played what the book is silent on, the latest first."""
        found = self._store.rows(
            "SELECT question, reading FROM own_rulings WHERE game = ? ORDER BY at DESC, question LIMIT ?",
            [game.key, OWN_RULINGS],
        )
        return [OwnRuling(*row) for row in found]

    def rulings_told(self) -> list[dict[str, str]]:
        """Return all those rulings with who told them and when, as a file has them."""
        rows = self._store.rows(f"SELECT {', '.join(OF_A_RULING)} FROM own_rulings ORDER BY game, question")
        return [dict(zip(OF_A_RULING, row, strict=True)) for row in rows]

    def bring_rulings(self, rulings: Iterable[Mapping[str, str]]) -> None:
        """Keep rulings that came in a file, where nothing is known on the question."""
        with self._store.writing() as db:
            columns = ", ".join(OF_A_RULING)
            rows = [[ruling[column] for column in OF_A_RULING] for ruling in rulings]
            db.conn.executemany(f"INSERT OR IGNORE INTO own_rulings ({columns}) VALUES (?, ?, ?, ?, ?)", rows)

    def _wait_from_a_phone(self, game: Box, device: str, source: str, change: Callable, name: str = "") -> bool:
        owner = self.owners.has(device)
        facts = self.seen_by(game, device)
        told = [each for each in self.told_by(game, device) if not owner or each.source == source]
        first = told[0] if told else self._new(game, device, source, name)
        box, after = self.facts(game), change(facts)
        return self._wait(game, replace(first, source=source, name=name, known=owner, before=box, after=after))

    # Deciding

    def agree(
        self, game: Box, device: str, id: int, titles: Container[str] | None = None, only_new: bool = False
    ) -> None:
        """Keep a change that waits: all of it, of some things, or only what was not known; the rest is declined.

        :raises NotPossible: from a stranger's phone, or when it has been settled or leaves nothing to keep.
        :raises Illegal: when no box can be so.
        """
        with self._store.writing():
            self._by_owner(device)
            change, box = self._change(game, id, WAITING), self.facts(game)
            whole = self.proposed(game, change)
            values = facts_of(game).changes(box, whole)
            things = facts_of(game).differences(box, whole)
            places = [thing.place for thing in things if titles is None or thing.title in titles]
            chosen = {
                place: new
                for place, (old, new) in values.items()
                if any(place[: len(of)] == of for of in places) and not (only_new and old is not None)
            }
            part = len(chosen) < len(values)
            after = facts_of(game).put(box, chosen) if part else whole
            if after == box:
                raise NotPossible("Nothing of it is ticked. To leave it out, tap Not so.")
            if part:
                rest = replace(change, id=0, status=DECLINED)
                with suppress(*NO_BOX):
                    rest = replace(rest, before=after, after=facts_of(game).learned(after, change.before, change.after))
                if rest.before != rest.after:
                    self._write(rest)
            self._write_anew(replace(change, status=KEPT, before=box, after=after))
            self._box_is(game, after)

    def decline(self, game: Box, device: str, id: int) -> None:
        """Leave the box as it is. What a phone has told away from a table, it takes back itself.

        :raises NotPossible: from a stranger's phone, or when it has been settled.
        """
        with self._store.writing():
            change = self._change(game, id, WAITING)
            if change.device == device and change.source in (ON_PAGE, IN_FILE):
                self._remove(change)
                return
            self._by_owner(device)
            self._write_anew(replace(change, status=DECLINED))

    def bring_back(self, game: Box, device: str, id: int) -> None:
        """Have what was declined wait again.

        :raises NotPossible: from a stranger's phone, or when it waits already or would change nothing.
        """
        with self._store.writing():
            self._by_owner(device)
            change = self._change(game, id, DECLINED)
            if not self._brings(game, change):
                raise NotPossible("The box says all of that by now.")
            self._write_anew(replace(change, status=WAITING, known=True))

    def take_back(self, game: Box, device: str, id: int) -> list[str]:
        """Make what a change has set what it was before, where it has not been set otherwise since.

        Return the titles of what has, and so stays.

        :raises NotPossible: from a stranger's phone, or when all of it has been set otherwise since.
        :raises Illegal: when no box can be so.
        """
        with self._store.writing():
            self._by_owner(device)
            change, box = self._change(game, id, KEPT), self.facts(game)
            now = facts_of(game).values(box)
            values = facts_of(game).changes(change.before, change.after)
            mine = {place: old for place, (old, new) in values.items() if now.get(place) == new}
            others = [place for place, (old, new) in values.items() if now.get(place) not in (new, old)]
            things = facts_of(game).differences(change.before, change.after)
            stay = [thing.title for thing in things if any(at[: len(thing.place)] == thing.place for at in others)]
            if not mine:
                text = f"{' and '.join(stay)}: told otherwise since. Take the later change back first."
                raise NotPossible(text if stay else "The box is as it was before that change already.")
            after = facts_of(game).put(box, mine)
            self._write(replace(change, status=TAKEN_BACK))
            self._write(replace(self._new(game, device, BACK), status=KEPT, known=True, before=box, after=after))
            self._box_is(game, after)
            return stay

    def _by_owner(self, device: str) -> None:
        if not self.owners.has(device):
            raise NotPossible("Only the owner of the box decides that.")

    # Writing

    def _set(self, game: Box, device: str, source: str, after: Any, name: str = "", who: str = "") -> None:
        """Change the box by the owner's word; what goes on a change of a moment ago is part of that one."""
        box = self.facts(game)
        if after == box:
            return
        change = replace(self._new(game, device, source, name, who, before=box), status=KEPT, known=True, after=after)
        latest = next(iter(self.history(game, 1)), None)
        if latest and self._goes_on(game, latest, change):
            change = replace(change, id=latest.id, before=latest.before)
        if change.before == after:
            self._remove(change)
        else:
            self._write_anew(change)
        self._box_is(game, after)

    def _goes_on(self, game: Box, latest: Change, change: Change) -> bool:
        alike = all(getattr(latest, name) == getattr(change, name) for name in ("status", "device", "source", "name"))
        if not alike or latest.after != change.before:
            return False
        if change.source == AT_TABLE:
            return True
        titles = [
            {thing.title for thing in facts_of(game).differences(each.before, each.after)} for each in (latest, change)
        ]
        return titles[0] == titles[1] and abs(_time(change) - _time(latest)) <= SITTING

    def _wait(self, game: Box, change: Change) -> bool:
        """Have a change wait, if it would change anything; make room for it."""
        if not self._brings(game, change):
            self._remove(change)
            return False
        self._write_anew(change)
        strangers = "game = ? AND status = ? AND known = 0 AND source = ? AND device = ?"
        self._keep_latest(MOST_OF_A_PHONE, strangers, game.key, WAITING, AT_TABLE, change.device)
        self._keep_latest(MOST_WAITING, "game = ? AND status = ?", game.key, WAITING)
        return True

    def _keep_latest(self, most: int, where: str, *given: str) -> None:
        beyond = f"SELECT id FROM changes WHERE {where} ORDER BY {WEIGHT} LIMIT -1 OFFSET {most}"
        with self._store.writing() as db:
            db.conn.execute(f"DELETE FROM changes WHERE id IN ({beyond})", given)

    def _box_is(self, game: Box, facts: Any) -> None:
        """Keep the box, and drop what waited and says nothing new of it."""
        self.keep(game, facts)
        for change in self._waiting(game):
            if not self._brings(game, change):
                self._remove(change)

    def _brings(self, game: Box, change: Change) -> bool:
        try:
            return self.proposed(game, change) != self.facts(game)
        except NO_BOX:
            return change.before != change.after  # its owner is told why it cannot be

    def news_for(self, table: Table) -> tuple[Value, ...]:
        """Return the facts of the box that the players of a running table have not entered."""
        if not table.play.facts or table.over:
            return ()
        steps = ((step.move, step.before, step.after) for step in table.steps)
        box = self.facts(table.play.box)
        return tuple(news_for_table(table.play.facts, table.first, steps, table.state, box))

    def _new(self, game: Box, device: str, source: str, name: str = "", who: str = "", *, before: Any = None) -> Change:
        return Change(0, game.key, WAITING, stamp(), device, source, name, who, False, before, None)

    def _write_anew(self, change: Change) -> None:
        self._remove(change)
        self._write(replace(change, id=0, at=stamp()))

    def _write(self, change: Change) -> None:
        row = asdict(change) | {"id": change.id or None, "before": _text(change.before), "after": _text(change.after)}
        with self._store.writing() as db:
            db.table("changes").insert(row, pk="id", replace=True)

    def _remove(self, change: Change) -> None:
        with self._store.writing() as db:
            db.conn.execute("DELETE FROM changes WHERE id = ?", [change.id])


def _who(table: Table) -> str:
    """Return the players of a table; a bot tells nothing."""
    return ", ".join(table.names[: len(table.seats)])


def facts_of(game: Box) -> Facts:
    """Return what the owner of a box can tell; only asked of boxes where that is something."""
    assert game.facts
    return game.facts


def games_with_boxes() -> list[Box]:
    """Return the games whose boxes have facts that only an owner can tell."""
    return [game.box for game in GAMES.values() if game.box.facts]


def _read(game: Box, text: str) -> Any:
    """:raises Malformed, Illegal: when they are no facts of this game as it is now."""
    try:
        return facts_of(game).checked(msgspec.json.decode(text))
    except msgspec.DecodeError as fault:
        raise Malformed(str(fault)) from None


def _text(facts: Any) -> str:
    return msgspec.json.encode(facts).decode()


def _time(change: Change) -> float:
    return datetime.datetime.fromisoformat(change.at).timestamp()
