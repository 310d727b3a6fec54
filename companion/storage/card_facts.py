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
from companion.storage.store import Store, timestamp
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.box_facts import FactValue, new_values_for_table
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.facts import CardFactsFormat

# What becomes of a change, and how it was told.
WAITING, ACCEPTED, DECLINED, UNDONE = "waiting", "kept", "declined", "taken back"
FROM_TABLE, FROM_PAGE, FROM_FILE, FROM_UNDO = "table", "page", "file", "back"
ENTERED_BY_DEVICE = f"device = ? AND source IN ('{FROM_PAGE}', '{FROM_FILE}')"

MAX_WAITING = 20  # changes of a game; beyond, the oldest that strangers told go first
MAX_WAITING_PER_STRANGER = 3  # of them, from tables where one stranger told them
PRIORITY_ORDER = f"known DESC, source = '{FROM_TABLE}' DESC, id DESC"  # a table takes more to make than a form
MERGE_SECONDS = 300  # seconds; what the owner tells of one thing meanwhile is one change
MAX_FILE_NAME_LENGTH = 60  # of a file
RULING_COLUMNS = ("game", "question", "reading", "at", "name")
MAX_OWN_RULINGS_LISTED = 50  # of a game, at most, on a page

FACTS_ERRORS = (IllegalMoveError, InvalidInputError)  # what facts that do not go together raise


class NotPossibleError(Exception):
    """This cannot be done with a change; the text says why."""


class CardFactsChange(Struct, frozen=True):
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


class CardFactsStore:
    """The facts of all boxes of an instance."""

    def __init__(self, store: Store):
        self._store = store
        self.owners = Owners(store)

    def facts(self, box: Box) -> Any:
        """Return what is known of a game's box; facts of an older version that cannot be read are none."""
        for (what,) in self._store.query("SELECT what FROM facts WHERE game = ?", [box.key]):
            with suppress(*FACTS_ERRORS):
                return _decode_facts(box, what)
        return card_facts_format(box).type()

    def save_facts(self, box: Box, facts: Any) -> None:
        """Keep what is known of a game's box, for all later tables."""
        with self._store.transaction() as db:
            db.table("facts").upsert({"game": box.key, "what": _encode_facts(facts)}, pk="game")

    def facts_for_new_table(self, box: Box, *earlier_codes: str) -> Any:
        """Return the facts of a new table: those of the box, and those of the players' earlier tables."""
        told = [
            change
            for code in earlier_codes
            for change in self._query_waiting(box, "source = ? AND name = ?", FROM_TABLE, code)
        ]
        return self._facts_with(box, told)

    def facts_visible_to(self, box: Box, device: str) -> Any:
        """Return the facts as a phone is shown them: what it has told itself and the owner has not seen yet is in them."""
        return self._facts_with(box, [] if self.owners.is_owner(device) else self.entered_by(box, device))

    def _facts_with(self, box: Box, changes: list[CardFactsChange]) -> Any:
        facts = self.facts(box)
        for change in changes:
            with suppress(*FACTS_ERRORS):
                facts = card_facts_format(box).update_from_table(facts, change.before, change.after)
        return facts

    # What waits, and what became of it

    def waiting_changes(self, box: Box) -> list[CardFactsChange]:
        """Return what waits for the owner, the weightiest and latest first."""
        return self._query_waiting(box)

    def entered_by(self, box: Box, device: str) -> list[CardFactsChange]:
        """Return what one phone has told away from any table; at most one change of a stranger's."""
        return self._query_waiting(box, ENTERED_BY_DEVICE, device)

    def waiting_counts(self) -> dict[str, int]:
        """Return of how many changes the owner has not decided, by the key of their game."""
        return dict(self._store.query("SELECT game, COUNT(*) FROM changes WHERE status = ? GROUP BY game", [WAITING]))

    def has_waiting(self, code: str) -> bool:
        """Return whether something told at a table waits for the owner."""
        found = "SELECT 1 FROM changes WHERE name = ? AND source = ? AND status = ?"
        return bool(self._store.query(found, [code, FROM_TABLE, WAITING]))

    def decided_changes(self, box: Box, limit: int, before_id: int = 0) -> list[CardFactsChange]:
        """Return what has been decided, the latest first; with `before`, what had been before that change."""
        where = "status <> ?"
        given: list[str | int] = [WAITING]
        if before_id:
            where += " AND id < ?"
            given.append(before_id)
        return self._query_changes(box, f"{where} ORDER BY id DESC LIMIT ?", [*given, limit])

    def facts_if_accepted(self, box: Box, change: CardFactsChange) -> Any:
        """Return the box as it would be with a change that waits.

        :raises Illegal: when they do not go together.
        """
        return card_facts_format(box).update_from_table(self.facts(box), change.before, change.after)

    def _query_waiting(self, box: Box, where: str = "1", *parameters: Any) -> list[CardFactsChange]:
        return self._query_changes(box, f"status = ? AND {where} ORDER BY {PRIORITY_ORDER}", [WAITING, *parameters])

    def _require_change(self, box: Box, id: int, status: str) -> CardFactsChange:
        """:raises NotPossible: when there is none that can still be decided so."""
        found = self._query_changes(box, "id = ? AND status = ?", [id, status])
        if not found:
            raise NotPossibleError(
                "That has been settled already, or more has been told since. Look at it as it is now."
            )
        return found[0]

    def _query_changes(self, box: Box, where: str, parameters: list) -> list[CardFactsChange]:
        """Return changes that can be read; a later version may have another idea of what a box can be."""
        sql = f"SELECT {', '.join(CardFactsChange.__struct_fields__)} FROM changes WHERE game = ? AND {where}"
        changes = []
        for *columns, known, before, after in self._store.query(sql, [box.key, *parameters]):
            with suppress(*FACTS_ERRORS):
                changes.append(
                    CardFactsChange(
                        *columns, known=bool(known), before=_decode_facts(box, before), after=_decode_facts(box, after)
                    )
                )
        return changes

    # Telling

    def enter(self, box: Box, device: str, change: Callable[[Any], Any]) -> None:
        """Change the box from its page: the owner's word counts, a stranger's waits.

        :raises Malformed: when what is told cannot be read.
        :raises Illegal: when no box can be so.
        """
        with self._store.transaction():
            if self.owners.is_owner(device):
                self._apply_by_owner(box, device, FROM_PAGE, change(self.facts(box)))
            else:
                self._submit_from_phone(box, device, FROM_PAGE, change)

    def import_facts(self, box: Box, device: str, name: str, facts: Any) -> bool:
        """Have the facts of a file wait for the owner, whoever brings it: nothing is replaced before it has been looked at.

        Return whether the file says anything new.

        :raises Illegal: when they do not go together with what is known.
        """
        with self._store.transaction():
            name = name[:MAX_FILE_NAME_LENGTH]
            return self._submit_from_phone(
                box, device, FROM_FILE, lambda known: card_facts_format(box).merge(known, facts), name
            )

    def record_entry(self, device: str, before: Table, after: Table) -> None:
        """Note what an entry of a phone has told of the box at a table; part of the transaction that writes it down."""
        game = after.tracked.box
        if before.own_rulings != after.own_rulings and self.owners.is_owner(after.host, *after.seats):
            self._record_rulings(before, after)
        if not after.tracked.card_facts or before.state.facts == after.state.facts:
            return
        was, now = before.state.facts, after.state.facts
        who = _player_names(after)
        told = next(iter(self._query_waiting(game, "source = ? AND name = ?", FROM_TABLE, after.code)), None)
        if self.owners.is_owner(device):
            try:
                learned = card_facts_format(game).update_from_table(self.facts(game), was, now)
            except FACTS_ERRORS:
                pass  # it waits, where its owner can see why
            else:
                self._apply_by_owner(game, device, FROM_TABLE, learned, after.code, who)
                if not told:
                    return
        first = told or self._new_change(game, device, FROM_TABLE, after.code, who, before=was)
        known = self.owners.is_owner(after.host, *after.seats)
        self._submit(game, replace(first, known=known, after=now))

    def _record_rulings(self, before: Table, after: Table) -> None:
        """Keep with the box how a table of its owner plays what the book is silent on; what it plays no longer goes."""
        game, kept = after.tracked.box.key, {ruling.question for ruling in after.own_rulings}
        gone = [[game, ruling.question] for ruling in before.own_rulings if ruling.question not in kept]
        rows = [
            [game, each.question, each.interpretation, after.updated_at, ", ".join(after.names)]
            for each in after.own_rulings
        ]
        with self._store.transaction() as db:
            db.conn.executemany("DELETE FROM own_rulings WHERE game = ? AND question = ?", gone)
            db.conn.executemany(
                "INSERT OR REPLACE INTO own_rulings (game, question, reading, at, name) VALUES (?, ?, ?, ?, ?)", rows
            )

    def own_rulings(self, box: Box) -> list[OwnRuling]:
        """Return how tables of the owner have played what the book is silent on, the latest first."""
        found = self._store.query(
            "SELECT question, reading FROM own_rulings WHERE game = ? ORDER BY at DESC, question LIMIT ?",
            [box.key, MAX_OWN_RULINGS_LISTED],
        )
        return [OwnRuling(*row) for row in found]

    def export_rulings(self) -> list[dict[str, str]]:
        """Return all those rulings with who told them and when, as a file has them."""
        rows = self._store.query(f"SELECT {', '.join(RULING_COLUMNS)} FROM own_rulings ORDER BY game, question")
        return [dict(zip(RULING_COLUMNS, row, strict=True)) for row in rows]

    def import_rulings(self, rulings: Iterable[Mapping[str, str]]) -> None:
        """Keep rulings that came in a file, where nothing is known on the question."""
        with self._store.transaction() as db:
            columns = ", ".join(RULING_COLUMNS)
            rows = [[ruling[column] for column in RULING_COLUMNS] for ruling in rulings]
            db.conn.executemany(f"INSERT OR IGNORE INTO own_rulings ({columns}) VALUES (?, ?, ?, ?, ?)", rows)

    def _submit_from_phone(self, game: Box, device: str, source: str, change: Callable, name: str = "") -> bool:
        owner = self.owners.is_owner(device)
        facts = self.facts_visible_to(game, device)
        told = [each for each in self.entered_by(game, device) if not owner or each.source == source]
        first = told[0] if told else self._new_change(game, device, source, name)
        box, after = self.facts(game), change(facts)
        return self._submit(game, replace(first, source=source, name=name, known=owner, before=box, after=after))

    # Deciding

    def accept(
        self, game: Box, device: str, id: int, titles: Container[str] | None = None, only_new: bool = False
    ) -> None:
        """Keep a change that waits: all of it, of some things, or only what was not known; the rest is declined.

        :raises NotPossible: from a stranger's phone, or when it has been settled or leaves nothing to keep.
        :raises Illegal: when no box can be so.
        """
        with self._store.transaction():
            self._require_owner(device)
            change, box = self._require_change(game, id, WAITING), self.facts(game)
            whole = self.facts_if_accepted(game, change)
            values = card_facts_format(game).changed_values(box, whole)
            things = card_facts_format(game).differences(box, whole)
            places = [thing.path for thing in things if titles is None or thing.title in titles]
            chosen = {
                place: new
                for place, (old, new) in values.items()
                if any(place[: len(of)] == of for of in places) and not (only_new and old is not None)
            }
            part = len(chosen) < len(values)
            after = card_facts_format(game).put(box, chosen) if part else whole
            if after == box:
                raise NotPossibleError("Nothing of it is ticked. To leave it out, tap Not so.")
            if part:
                rest = replace(change, id=0, status=DECLINED)
                with suppress(*FACTS_ERRORS):
                    rest = replace(
                        rest,
                        before=after,
                        after=card_facts_format(game).update_from_table(after, change.before, change.after),
                    )
                if rest.before != rest.after:
                    self._write(rest)
            self._rewrite(replace(change, status=ACCEPTED, before=box, after=after))
            self._save_and_drop_redundant(game, after)

    def decline(self, box: Box, device: str, id: int) -> None:
        """Leave the box as it is. What a phone has told away from a table, it takes back itself.

        :raises NotPossible: from a stranger's phone, or when it has been settled.
        """
        with self._store.transaction():
            change = self._require_change(box, id, WAITING)
            if change.device == device and change.source in (FROM_PAGE, FROM_FILE):
                self._remove(change)
                return
            self._require_owner(device)
            self._rewrite(replace(change, status=DECLINED))

    def restore(self, box: Box, device: str, id: int) -> None:
        """Have what was declined wait again.

        :raises NotPossible: from a stranger's phone, or when it waits already or would change nothing.
        """
        with self._store.transaction():
            self._require_owner(device)
            change = self._require_change(box, id, DECLINED)
            if not self._has_effect(box, change):
                raise NotPossibleError("The box says all of that by now.")
            self._rewrite(replace(change, status=WAITING, known=True))

    def undo(self, game: Box, device: str, id: int) -> list[str]:
        """Make what a change has set what it was before, where it has not been set otherwise since.

        Return the titles of what has, and so stays.

        :raises NotPossible: from a stranger's phone, or when all of it has been set otherwise since.
        :raises Illegal: when no box can be so.
        """
        with self._store.transaction():
            self._require_owner(device)
            change, box = self._require_change(game, id, ACCEPTED), self.facts(game)
            now = card_facts_format(game).values(box)
            values = card_facts_format(game).changed_values(change.before, change.after)
            mine = {place: old for place, (old, new) in values.items() if now.get(place) == new}
            others = [place for place, (old, new) in values.items() if now.get(place) not in (new, old)]
            things = card_facts_format(game).differences(change.before, change.after)
            stay = [thing.title for thing in things if any(at[: len(thing.path)] == thing.path for at in others)]
            if not mine:
                text = f"{' and '.join(stay)}: told otherwise since. Take the later change back first."
                raise NotPossibleError(text if stay else "The box is as it was before that change already.")
            after = card_facts_format(game).put(box, mine)
            self._write(replace(change, status=UNDONE))
            self._write(
                replace(self._new_change(game, device, FROM_UNDO), status=ACCEPTED, known=True, before=box, after=after)
            )
            self._save_and_drop_redundant(game, after)
            return stay

    def _require_owner(self, device: str) -> None:
        if not self.owners.is_owner(device):
            raise NotPossibleError("Only the owner of the box decides that.")

    # Writing

    def _apply_by_owner(self, game: Box, device: str, source: str, after: Any, name: str = "", who: str = "") -> None:
        """Change the box by the owner's word; what goes on a change of a moment ago is part of that one."""
        box = self.facts(game)
        if after == box:
            return
        change = replace(
            self._new_change(game, device, source, name, who, before=box), status=ACCEPTED, known=True, after=after
        )
        latest = next(iter(self.decided_changes(game, 1)), None)
        if latest and self._is_continuation(game, latest, change):
            change = replace(change, id=latest.id, before=latest.before)
        if change.before == after:
            self._remove(change)
        else:
            self._rewrite(change)
        self._save_and_drop_redundant(game, after)

    def _is_continuation(self, box: Box, latest: CardFactsChange, change: CardFactsChange) -> bool:
        alike = all(getattr(latest, name) == getattr(change, name) for name in ("status", "device", "source", "name"))
        if not alike or latest.after != change.before:
            return False
        if change.source == FROM_TABLE:
            return True
        titles = [
            {thing.title for thing in card_facts_format(box).differences(each.before, each.after)}
            for each in (latest, change)
        ]
        return titles[0] == titles[1] and abs(_unix_time(change) - _unix_time(latest)) <= MERGE_SECONDS

    def _submit(self, box: Box, change: CardFactsChange) -> bool:
        """Have a change wait, if it would change anything; make room for it."""
        if not self._has_effect(box, change):
            self._remove(change)
            return False
        self._rewrite(change)
        strangers = "game = ? AND status = ? AND known = 0 AND source = ? AND device = ?"
        self._delete_beyond(MAX_WAITING_PER_STRANGER, strangers, box.key, WAITING, FROM_TABLE, change.device)
        self._delete_beyond(MAX_WAITING, "game = ? AND status = ?", box.key, WAITING)
        return True

    def _delete_beyond(self, limit: int, where: str, *parameters: str) -> None:
        beyond = f"SELECT id FROM changes WHERE {where} ORDER BY {PRIORITY_ORDER} LIMIT -1 OFFSET {limit}"
        with self._store.transaction() as db:
            db.conn.execute(f"DELETE FROM changes WHERE id IN ({beyond})", parameters)

    def _save_and_drop_redundant(self, box: Box, facts: Any) -> None:
        """Keep the box, and drop what waited and says nothing new of it."""
        self.save_facts(box, facts)
        for change in self._query_waiting(box):
            if not self._has_effect(box, change):
                self._remove(change)

    def _has_effect(self, box: Box, change: CardFactsChange) -> bool:
        try:
            return self.facts_if_accepted(box, change) != self.facts(box)
        except FACTS_ERRORS:
            return change.before != change.after  # its owner is told why it cannot be

    def new_values_for(self, table: Table) -> tuple[FactValue, ...]:
        """Return the facts of the box that the players of a running table have not entered."""
        if not table.tracked.card_facts or table.is_over:
            return ()
        steps = ((step.move, step.before, step.after) for step in table.steps)
        box = self.facts(table.tracked.box)
        return tuple(new_values_for_table(table.tracked.card_facts, table.initial_state, steps, table.state, box))

    def _new_change(
        self, box: Box, device: str, source: str, name: str = "", who: str = "", *, before: Any = None
    ) -> CardFactsChange:
        return CardFactsChange(0, box.key, WAITING, timestamp(), device, source, name, who, False, before, None)

    def _rewrite(self, change: CardFactsChange) -> None:
        self._remove(change)
        self._write(replace(change, id=0, at=timestamp()))

    def _write(self, change: CardFactsChange) -> None:
        row = asdict(change) | {
            "id": change.id or None,
            "before": _encode_facts(change.before),
            "after": _encode_facts(change.after),
        }
        with self._store.transaction() as db:
            db.table("changes").insert(row, pk="id", replace=True)

    def _remove(self, change: CardFactsChange) -> None:
        with self._store.transaction() as db:
            db.conn.execute("DELETE FROM changes WHERE id = ?", [change.id])


def _player_names(table: Table) -> str:
    """Return the players of a table; a bot tells nothing."""
    return ", ".join(table.names[: len(table.seats)])


def card_facts_format(box: Box) -> CardFactsFormat:
    """Return what the owner of a box can tell; only asked of boxes where that is something."""
    assert box.card_facts
    return box.card_facts


def games_with_card_facts() -> list[Box]:
    """Return the games whose boxes have facts that only an owner can tell."""
    return [game.box for game in GAMES.values() if game.box.card_facts]


def _decode_facts(box: Box, text: str) -> Any:
    """:raises Malformed, Illegal: when they are no facts of this game as it is now."""
    try:
        return card_facts_format(box).from_data(msgspec.json.decode(text))
    except msgspec.DecodeError as fault:
        raise InvalidInputError(str(fault)) from None


def _encode_facts(facts: Any) -> str:
    return msgspec.json.encode(facts).decode()


def _unix_time(change: CardFactsChange) -> float:
    return datetime.datetime.fromisoformat(change.at).timestamp()
