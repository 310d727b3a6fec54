"""Card facts: the known contents of an instance's boxes, with every change to them.

Changes from the owner's phone apply immediately. All others wait for the owner: a table keeps
playing with its own copy of the facts, and the stored facts stay as they are.
"""

import datetime
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress

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
from scoring.kernel.card_facts import CardFactsFormat
from scoring.kernel.errors import IllegalMoveError, InvalidInputError

# The status of a change, and its source.
WAITING, ACCEPTED, DECLINED, UNDONE = "waiting", "kept", "declined", "taken back"
FROM_TABLE, FROM_PAGE, FROM_FILE, FROM_UNDO = "table", "page", "file", "back"
ENTERED_BY_DEVICE = f"device = ? AND source IN ('{FROM_PAGE}', '{FROM_FILE}')"

MAX_WAITING = 20  # changes per game; beyond that, strangers' oldest changes are deleted first
MAX_WAITING_PER_STRANGER = 3  # of these, changes that one stranger entered at tables
# Changes from tables come before changes from a form, because a table takes more effort to make.
PRIORITY_ORDER = f"known DESC, source = '{FROM_TABLE}' DESC, id DESC"
MERGE_SECONDS = 300  # the owner's changes to one fact within this time are merged into one
MAX_FILE_NAME_LENGTH = 60  # characters
RULING_COLUMNS = ("game", "question", "reading", "at", "name")
MAX_OWN_RULINGS_LISTED = 50  # per game, on a page

FACTS_ERRORS = (IllegalMoveError, InvalidInputError)  # raised for facts that are contradictory or malformed


class NotPossibleError(Exception):
    """The requested operation on a change is not possible; the message has the reason."""


class CardFactsChange(Struct, frozen=True):
    """A change to the facts of a box: the facts before it and after it.

    A change that grows is replaced by one with a new id, so that the owner agrees only to the version shown.
    """

    id: int  # ascending in time; 0 until the change is stored
    game: str
    status: str
    at: str  # time of the last entry or of the decision
    device: str
    source: str
    name: str  # the table's code or the file's name
    who: str  # the players at the table
    known: bool  # does it come from the owner's phone, or from a table where that phone has a part?
    before: Struct
    after: Struct


class CardFactsStore:
    """The facts of all boxes of an instance."""

    def __init__(self, store: Store):
        self._store = store
        self.owners = Owners(store)

    def facts(self, box: Box) -> Struct:
        """Return the stored facts of a game's box.

        Facts of an older version that cannot be decoded count as no facts.
        """
        for (stored_facts,) in self._store.query("SELECT what FROM facts WHERE game = ?", [box.key]):
            with suppress(*FACTS_ERRORS):
                return _decode_facts(box, stored_facts)
        return card_facts_format(box).type()

    def save_facts(self, box: Box, facts: Struct) -> None:
        """Store the facts of a game's box for all later tables."""
        with self._store.transaction() as db:
            db.table("facts").upsert({"game": box.key, "what": _encode_facts(facts)}, pk="game")

    def facts_for_new_table(self, box: Box, *earlier_codes: str) -> Struct:
        """Return the facts for a new table: the box's, plus those from the players' earlier tables."""
        entered_changes = [
            change
            for code in earlier_codes
            for change in self._query_waiting(box, "source = ? AND name = ?", FROM_TABLE, code)
        ]
        return self._facts_with(box, entered_changes)

    def facts_visible_to(self, box: Box, device: str) -> Struct:
        """Return the facts as shown to one phone.

        They include what this phone has entered and the owner has not reviewed yet.
        """
        return self._facts_with(box, [] if self.owners.is_owner(device) else self.entered_by(box, device))

    def _facts_with(self, box: Box, changes: list[CardFactsChange]) -> Struct:
        facts = self.facts(box)
        for change in changes:
            with suppress(*FACTS_ERRORS):
                facts = card_facts_format(box).update_from_table(facts, change.before, change.after)
        return facts

    # Waiting and decided changes

    def waiting_changes(self, box: Box) -> list[CardFactsChange]:
        """Return the changes that wait for the owner, by priority and then the latest first."""
        return self._query_waiting(box)

    def entered_by(self, box: Box, device: str) -> list[CardFactsChange]:
        """Return the waiting changes that a phone has entered away from any table.

        For a stranger's phone there is at most one.
        """
        return self._query_waiting(box, ENTERED_BY_DEVICE, device)

    def waiting_counts(self) -> dict[str, int]:
        """Return the number of undecided changes by the key of their game."""
        return dict(self._store.query("SELECT game, COUNT(*) FROM changes WHERE status = ? GROUP BY game", [WAITING]))

    def has_waiting(self, code: str) -> bool:
        """Return whether a change entered at a table waits for the owner."""
        found = "SELECT 1 FROM changes WHERE name = ? AND source = ? AND status = ?"
        return bool(self._store.query(found, [code, FROM_TABLE, WAITING]))

    def decided_changes(self, box: Box, limit: int, before_id: int = 0) -> list[CardFactsChange]:
        """Return the decided changes, the latest first.

        :param before_id: return only changes older than this one; 0 for all.
        """
        condition = "status <> ?"
        parameters: list[str | int] = [WAITING]
        if before_id:
            condition += " AND id < ?"
            parameters.append(before_id)
        return self._query_changes(box, f"{condition} ORDER BY id DESC LIMIT ?", [*parameters, limit])

    def facts_if_accepted(self, box: Box, change: CardFactsChange) -> Struct:
        """Return the box's facts as they would be with a waiting change accepted.

        :raises IllegalMoveError: when the change contradicts the current facts.
        """
        return card_facts_format(box).update_from_table(self.facts(box), change.before, change.after)

    def _query_waiting(self, box: Box, condition: str = "1", *parameters: object) -> list[CardFactsChange]:
        return self._query_changes(box, f"status = ? AND {condition} ORDER BY {PRIORITY_ORDER}", [WAITING, *parameters])

    def _require_change(self, box: Box, id: int, status: str) -> CardFactsChange:
        """Return the change with this id.

        :raises NotPossibleError: when no change with this id has this status any more.
        """
        found = self._query_changes(box, "id = ? AND status = ?", [id, status])
        if not found:
            raise NotPossibleError(
                "That has been settled already, or more has been told since. Look at it as it is now."
            )
        return found[0]

    def _query_changes(self, box: Box, condition: str, parameters: list) -> list[CardFactsChange]:
        """Return the matching changes that can be decoded.

        A stored change can become invalid when a later version changes the format of a box's facts.
        """
        sql = f"SELECT {', '.join(CardFactsChange.__struct_fields__)} FROM changes WHERE game = ? AND {condition}"
        changes = []
        for *columns, known, before, after in self._store.query(sql, [box.key, *parameters]):
            with suppress(*FACTS_ERRORS):
                changes.append(
                    CardFactsChange(
                        *columns, known=bool(known), before=_decode_facts(box, before), after=_decode_facts(box, after)
                    )
                )
        return changes

    # Entering changes

    def enter(self, box: Box, device: str, change: Callable[[Struct], Struct]) -> None:
        """Change the facts from the box's page: immediately for the owner; other changes wait.

        :raises InvalidInputError: when the entered facts cannot be parsed.
        :raises IllegalMoveError: when the resulting facts are not possible.
        """
        with self._store.transaction():
            if self.owners.is_owner(device):
                self._apply_by_owner(box, device, FROM_PAGE, change(self.facts(box)))
            else:
                self._submit_from_phone(box, device, FROM_PAGE, change)

    def import_facts(self, box: Box, device: str, name: str, facts: Struct) -> bool:
        """Queue the facts of a file for the owner's review; return whether any of them are new.

        This holds for the owner's phone as well: nothing is replaced before it has been reviewed.

        :raises IllegalMoveError: when they contradict the stored facts.
        """
        with self._store.transaction():
            name = name[:MAX_FILE_NAME_LENGTH]
            return self._submit_from_phone(
                box, device, FROM_FILE, lambda known: card_facts_format(box).merge(known, facts), name
            )

    def record_entry(self, device: str, before: Table, after: Table) -> None:
        """Record the card facts and house rules that an entry of a table's log has added.

        Runs in the transaction that writes the entry.
        """
        game = after.tracked.box
        if before.own_rulings != after.own_rulings and self.owners.is_owner(after.host, *after.seats):
            self._record_rulings(before, after)
        if not after.tracked.card_facts:
            return
        old_facts, new_facts = map(after.tracked.card_facts.of_state, (before.state, after.state))
        if old_facts == new_facts:
            return
        names = _player_names(after)
        waiting_change = next(iter(self._query_waiting(game, "source = ? AND name = ?", FROM_TABLE, after.code)), None)
        if self.owners.is_owner(device):
            try:
                merged = card_facts_format(game).update_from_table(self.facts(game), old_facts, new_facts)
            except FACTS_ERRORS:
                pass  # the change waits, and its page shows the owner what is wrong
            else:
                self._apply_by_owner(game, device, FROM_TABLE, merged, after.code, names)
                if not waiting_change:
                    return
        change = waiting_change or self._new_change(
            game, device, FROM_TABLE, after.code, names, before=old_facts, after=new_facts
        )
        known = self.owners.is_owner(after.host, *after.seats)
        self._submit(game, replace(change, known=known, after=new_facts))

    def _record_rulings(self, before: Table, after: Table) -> None:
        """Store the house rules of a table at which the box's owner takes part.

        House rules that the table has dropped are deleted.
        """
        game, questions = after.tracked.box.key, {own_ruling.question for own_ruling in after.own_rulings}
        dropped = [
            [game, own_ruling.question] for own_ruling in before.own_rulings if own_ruling.question not in questions
        ]
        rows = [
            [game, own_ruling.question, own_ruling.interpretation, after.updated_at, ", ".join(after.names)]
            for own_ruling in after.own_rulings
        ]
        with self._store.transaction() as db:
            db.conn.executemany("DELETE FROM own_rulings WHERE game = ? AND question = ?", dropped)
            db.conn.executemany(
                "INSERT OR REPLACE INTO own_rulings (game, question, reading, at, name) VALUES (?, ?, ?, ?, ?)", rows
            )

    def own_rulings(self, box: Box) -> list[OwnRuling]:
        """Return the house rules from the owner's tables, the latest first."""
        found = self._store.query(
            "SELECT question, reading FROM own_rulings WHERE game = ? ORDER BY at DESC, question LIMIT ?",
            [box.key, MAX_OWN_RULINGS_LISTED],
        )
        return [OwnRuling(*row) for row in found]

    def export_rulings(self) -> list[dict[str, str]]:
        """Return all house rules as data for an export, with their players and times."""
        rows = self._store.query(f"SELECT {', '.join(RULING_COLUMNS)} FROM own_rulings ORDER BY game, question")
        return [dict(zip(RULING_COLUMNS, row, strict=True)) for row in rows]

    def import_rulings(self, rulings: Iterable[Mapping[str, str]]) -> None:
        """Store house rules from a file, except for questions that have one already."""
        with self._store.transaction() as db:
            columns = ", ".join(RULING_COLUMNS)
            rows = [[ruling[column] for column in RULING_COLUMNS] for ruling in rulings]
            db.conn.executemany(f"INSERT OR IGNORE INTO own_rulings ({columns}) VALUES (?, ?, ?, ?, ?)", rows)

    def _submit_from_phone(self, game: Box, device: str, source: str, change: Callable, name: str = "") -> bool:
        is_owner = self.owners.is_owner(device)
        facts = self.facts_visible_to(game, device)
        earlier = [entered for entered in self.entered_by(game, device) if not is_owner or entered.source == source]
        box, new_facts = self.facts(game), change(facts)
        waiting_change = (
            earlier[0] if earlier else self._new_change(game, device, source, name, before=box, after=new_facts)
        )
        return self._submit(
            game, replace(waiting_change, source=source, name=name, known=is_owner, before=box, after=new_facts)
        )

    # Decisions of the owner

    def accept(
        self, game: Box, device: str, id: int, titles: Container[str] | None = None, only_new: bool = False
    ) -> None:
        """Apply a waiting change: all of it, some of its differences, or only new facts.

        The rest is recorded as declined.

        :param titles: the titles of the differences to accept; None for all.
        :param only_new: accept only facts that were not known before.
        :raises NotPossibleError: from a stranger's phone, when the change is no longer waiting, or when nothing
            is left to accept.
        :raises IllegalMoveError: when the resulting facts are not possible.
        """
        with self._store.transaction():
            self._require_owner(device)
            change, box = self._require_change(game, id, WAITING), self.facts(game)
            all_accepted = self.facts_if_accepted(game, change)
            values = card_facts_format(game).changed_values(box, all_accepted)
            differences = card_facts_format(game).differences(box, all_accepted)
            paths = [difference.path for difference in differences if titles is None or difference.title in titles]
            chosen = {
                path: new
                for path, (old, new) in values.items()
                if any(path[: len(prefix)] == prefix for prefix in paths) and not (only_new and old is not None)
            }
            is_partial = len(chosen) < len(values)
            new_facts = card_facts_format(game).put(box, chosen) if is_partial else all_accepted
            if new_facts == box:
                raise NotPossibleError("Nothing of it is ticked. To leave it out, tap Not so.")
            if is_partial:
                declined = replace(change, id=0, status=DECLINED)
                with suppress(*FACTS_ERRORS):
                    declined = replace(
                        declined,
                        before=new_facts,
                        after=card_facts_format(game).update_from_table(new_facts, change.before, change.after),
                    )
                if declined.before != declined.after:
                    self._write(declined)
            self._rewrite(replace(change, status=ACCEPTED, before=box, after=new_facts))
            self._save_and_drop_redundant(game, new_facts)

    def decline(self, box: Box, device: str, id: int) -> None:
        """Decline a waiting change; a phone that entered it away from a table withdraws it instead.

        :raises NotPossibleError: from a stranger's phone, or when the change is no longer waiting.
        """
        with self._store.transaction():
            change = self._require_change(box, id, WAITING)
            if change.device == device and change.source in (FROM_PAGE, FROM_FILE):
                self._remove(change)
                return
            self._require_owner(device)
            self._rewrite(replace(change, status=DECLINED))

    def restore(self, box: Box, device: str, id: int) -> None:
        """Make a declined change wait again.

        :raises NotPossibleError: from a stranger's phone, when the change is not declined any more, or when it would
            change nothing.
        """
        with self._store.transaction():
            self._require_owner(device)
            change = self._require_change(box, id, DECLINED)
            if not self._has_effect(box, change):
                raise NotPossibleError("The box says all of that by now.")
            self._rewrite(replace(change, status=WAITING, known=True))

    def undo(self, game: Box, device: str, id: int) -> list[str]:
        """Revert an accepted change, except where the facts have been changed again since.

        :return: the titles of the values that have changed since and therefore stay.
        :raises NotPossibleError: from a stranger's phone, or when nothing is left to revert.
        :raises IllegalMoveError: when the resulting facts are not possible.
        """
        with self._store.transaction():
            self._require_owner(device)
            change, box = self._require_change(game, id, ACCEPTED), self.facts(game)
            current = card_facts_format(game).values(box)
            values = card_facts_format(game).changed_values(change.before, change.after)
            reverted = {path: old for path, (old, new) in values.items() if current.get(path) == new}
            changed_since = [path for path, (old, new) in values.items() if current.get(path) not in (new, old)]
            differences = card_facts_format(game).differences(change.before, change.after)
            kept_titles = [
                difference.title
                for difference in differences
                if any(path[: len(difference.path)] == difference.path for path in changed_since)
            ]
            if not reverted:
                text = f"{' and '.join(kept_titles)}: told otherwise since. Take the later change back first."
                raise NotPossibleError(text if kept_titles else "The box is as it was before that change already.")
            new_facts = card_facts_format(game).put(box, reverted)
            self._write(replace(change, status=UNDONE))
            self._write(
                replace(
                    self._new_change(game, device, FROM_UNDO, before=box, after=new_facts), status=ACCEPTED, known=True
                )
            )
            self._save_and_drop_redundant(game, new_facts)
            return kept_titles

    def _require_owner(self, device: str) -> None:
        if not self.owners.is_owner(device):
            raise NotPossibleError("Only the owner of the box decides that.")

    # Storage

    def _apply_by_owner(
        self, game: Box, device: str, source: str, new_facts: Struct, name: str = "", player_names: str = ""
    ) -> None:
        """Apply a change by the owner, merged with the previous change when it continues that one."""
        box = self.facts(game)
        if new_facts == box:
            return
        change = replace(
            self._new_change(game, device, source, name, player_names, before=box, after=new_facts),
            status=ACCEPTED,
            known=True,
        )
        latest = next(iter(self.decided_changes(game, 1)), None)
        if latest and self._is_continuation(game, latest, change):
            change = replace(change, id=latest.id, before=latest.before)
        if change.before == new_facts:
            self._remove(change)
        else:
            self._rewrite(change)
        self._save_and_drop_redundant(game, new_facts)

    def _is_continuation(self, box: Box, latest: CardFactsChange, change: CardFactsChange) -> bool:
        is_same_source = all(
            getattr(latest, name) == getattr(change, name) for name in ("status", "device", "source", "name")
        )
        if not is_same_source or latest.after != change.before:
            return False
        if change.source == FROM_TABLE:
            return True
        titles = [
            {difference.title for difference in card_facts_format(box).differences(compared.before, compared.after)}
            for compared in (latest, change)
        ]
        return titles[0] == titles[1] and abs(_unix_time(change) - _unix_time(latest)) <= MERGE_SECONDS

    def _submit(self, box: Box, change: CardFactsChange) -> bool:
        """Make a change wait if it has any effect, and delete changes beyond the limits."""
        if not self._has_effect(box, change):
            self._remove(change)
            return False
        self._rewrite(change)
        stranger_condition = "game = ? AND status = ? AND known = 0 AND source = ? AND device = ?"
        self._delete_beyond(MAX_WAITING_PER_STRANGER, stranger_condition, box.key, WAITING, FROM_TABLE, change.device)
        self._delete_beyond(MAX_WAITING, "game = ? AND status = ?", box.key, WAITING)
        return True

    def _delete_beyond(self, limit: int, condition: str, *parameters: str) -> None:
        excess_ids = f"SELECT id FROM changes WHERE {condition} ORDER BY {PRIORITY_ORDER} LIMIT -1 OFFSET {limit}"
        with self._store.transaction() as db:
            db.conn.execute(f"DELETE FROM changes WHERE id IN ({excess_ids})", parameters)

    def _save_and_drop_redundant(self, box: Box, facts: Struct) -> None:
        """Store the facts, and delete waiting changes that no longer have an effect."""
        self.save_facts(box, facts)
        for change in self._query_waiting(box):
            if not self._has_effect(box, change):
                self._remove(change)

    def _has_effect(self, box: Box, change: CardFactsChange) -> bool:
        try:
            return self.facts_if_accepted(box, change) != self.facts(box)
        except FACTS_ERRORS:
            return change.before != change.after  # kept, so that the owner is shown why it is not possible

    def new_values_for(self, table: Table) -> tuple[FactValue, ...]:
        """Return the facts of the box that the players of a running table have not entered."""
        if not table.tracked.card_facts or table.is_over:
            return ()
        steps = ((step.move, step.before, step.after) for step in table.steps)
        box = self.facts(table.tracked.box)
        return tuple(new_values_for_table(table.tracked.card_facts, table.initial_state, steps, table.state, box))

    def _new_change(
        self,
        box: Box,
        device: str,
        source: str,
        name: str = "",
        player_names: str = "",
        *,
        before: Struct,
        after: Struct,
    ) -> CardFactsChange:
        return CardFactsChange(
            0, box.key, WAITING, timestamp(), device, source, name, player_names, False, before, after
        )

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
    """Return the names of a table's players without bots, which enter no facts."""
    return ", ".join(table.names[: len(table.seats)])


def card_facts_format(box: Box) -> CardFactsFormat:
    """Return the format of a box's card facts; the box must have some."""
    assert box.card_facts
    return box.card_facts


def games_with_card_facts() -> list[Box]:
    """Return the games whose boxes have facts that only an owner can enter."""
    return [game.box for game in GAMES.values() if game.box.card_facts]


def _decode_facts(box: Box, text: str) -> Struct:
    """Return stored facts of a box.

    :raises InvalidInputError, IllegalMoveError: when they are not valid facts of this game in its present version.
    """
    try:
        return card_facts_format(box).from_data(msgspec.json.decode(text))
    except msgspec.DecodeError as error:
        raise InvalidInputError(str(error)) from None


def _encode_facts(facts: Struct) -> str:
    return msgspec.json.encode(facts).decode()


def _unix_time(change: CardFactsChange) -> float:
    return datetime.datetime.fromisoformat(change.at).timestamp()
