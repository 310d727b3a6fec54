"""Card facts: the known contents of an instance's boxes, with every change to them."""

from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from companion.storage.owner import Owners
from companion.storage.store import Store, timestamp
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.card_facts import CardFactsFormat
from scoring.kernel.errors import IllegalMoveError, InvalidInputError

# The status of a change, and its source.
WAITING, ACCEPTED, DECLINED, UNDONE = "waiting", "kept", "declined", "taken back"
FROM_TABLE, FROM_PAGE, FROM_FILE, FROM_UNDO = "table", "page", "file", "back"

MAX_WAITING = 20  # changes per game; beyond that, strangers' oldest changes are deleted first
MAX_WAITING_PER_STRANGER = 3  # of these, changes that one stranger entered at tables
# Changes from tables come before changes from a form, because a table takes more effort to make.
PRIORITY_ORDER = f"known DESC, source = '{FROM_TABLE}' DESC, id DESC"

FACTS_ERRORS = (IllegalMoveError, InvalidInputError)  # raised for facts that are contradictory or malformed


class CardFactsChange(Struct, frozen=True):
    """A change to the facts of a box: the facts before it and after it.

    A change that grows is replaced by one with a new id, so that the owner agrees only to the version shown.
    """

    game: str
    device: str
    source: str
    before: Struct
    after: Struct
    id: int = 0  # ascending in time; 0 until the change is stored
    status: str = WAITING
    at: str = msgspec.field(default_factory=timestamp)  # time of the last entry or of the decision
    name: str = ""  # the table's code or the file's name
    who: str = ""  # the players at the table
    known: bool = False  # does it come from the owner's phone, or from a table where that phone has a part?


class CardFactsStore:
    """The facts of all boxes of an instance, and the changes to them."""

    def __init__(self, store: Store):
        self.store = store
        self.owners = Owners(store)

    def facts(self, box: Box) -> Struct:
        """Return the stored facts of a game's box.

        Facts of an older version that cannot be decoded count as no facts.
        """
        for stored_facts in self.store.column("SELECT what FROM facts WHERE game = ?", [box.key]):
            with suppress(*FACTS_ERRORS):
                return _decode_facts(box, stored_facts)
        return card_facts_format(box).type()

    def save_facts(self, box: Box, facts: Struct) -> None:
        """Store the facts of a game's box for all later tables."""
        with self.store.transaction() as db:
            db.table("facts").upsert({"game": box.key, "what": _encode_facts(facts)}, pk="game")

    def waiting_changes(self, box: Box) -> list[CardFactsChange]:
        """Return the changes that wait for the owner, by priority and then the latest first."""
        return self._query_waiting(box, "1")

    def entered_by(self, box: Box, device: str) -> list[CardFactsChange]:
        """Return the waiting changes that a phone has entered away from any table.

        For a stranger's phone there is at most one.
        """
        return self._query_waiting(box, "device = ? AND source IN (?, ?)", device, FROM_PAGE, FROM_FILE)

    def entered_at(self, box: Box, code: str) -> list[CardFactsChange]:
        """Return the waiting changes that were entered at a table; there is at most one."""
        return self._query_waiting(box, "source = ? AND name = ?", FROM_TABLE, code)

    def waiting_counts(self) -> dict[str, int]:
        """Return the number of undecided changes by the key of their game."""
        return dict(self.store.query("SELECT game, COUNT(*) FROM changes WHERE status = ? GROUP BY game", [WAITING]))

    def has_waiting(self, code: str) -> bool:
        """Return whether a change entered at a table waits for the owner."""
        found = "SELECT 1 FROM changes WHERE name = ? AND source = ? AND status = ?"
        return bool(self.store.query(found, [code, FROM_TABLE, WAITING]))

    def decided_changes(self, box: Box, limit: int, before_id: int = 0) -> list[CardFactsChange]:
        """Return the decided changes, the latest first.

        :param before_id: return only changes older than this one; 0 for all.
        """
        condition = "status <> ? AND (id < ? OR ? = 0) ORDER BY id DESC LIMIT ?"
        return self._query(box, condition, WAITING, before_id, before_id, limit)

    def find(self, box: Box, id: int, status: str) -> CardFactsChange | None:
        """Return the change with an id; None if it no longer has this status."""
        return next(iter(self._query(box, "id = ? AND status = ?", id, status)), None)

    def _query_waiting(self, box: Box, condition: str, *parameters: str) -> list[CardFactsChange]:
        return self._query(box, f"status = ? AND {condition} ORDER BY {PRIORITY_ORDER}", WAITING, *parameters)

    def _query(self, box: Box, condition: str, *parameters: str | int) -> list[CardFactsChange]:
        """Return the matching changes that can be decoded.

        A stored change can become invalid when a later version changes the format of a box's facts.
        """
        sql = f"SELECT {', '.join(CardFactsChange.__struct_fields__)} FROM changes WHERE game = ? AND {condition}"
        changes = []
        for game, device, source, before, after, *others, known in self.store.query(sql, [box.key, *parameters]):
            with suppress(*FACTS_ERRORS):
                facts = _decode_facts(box, before), _decode_facts(box, after)
                changes.append(CardFactsChange(game, device, source, *facts, *others, known=bool(known)))
        return changes

    def write(self, change: CardFactsChange) -> None:
        """Store a change, in place of the one with its id."""
        row = asdict(change) | {
            "id": change.id or None,
            "before": _encode_facts(change.before),
            "after": _encode_facts(change.after),
        }
        with self.store.transaction() as db:
            db.table("changes").insert(row, pk="id", replace=True)

    def renew(self, change: CardFactsChange) -> None:
        """Store a change with a new id and the current time, in place of the one with its id."""
        self.remove(change)
        self.write(replace(change, id=0, at=timestamp()))

    def remove(self, change: CardFactsChange) -> None:
        """Delete a change."""
        with self.store.transaction() as db:
            db.execute("DELETE FROM changes WHERE id = ?", [change.id])

    def enforce_limits(self, box: Box, device: str) -> None:
        """Delete the waiting changes beyond the limits, those of the lowest priority first."""
        stranger_condition = "game = ? AND status = ? AND known = 0 AND source = ? AND device = ?"
        self._delete_beyond(MAX_WAITING_PER_STRANGER, stranger_condition, box.key, WAITING, FROM_TABLE, device)
        self._delete_beyond(MAX_WAITING, "game = ? AND status = ?", box.key, WAITING)

    def _delete_beyond(self, limit: int, condition: str, *parameters: str) -> None:
        excess_ids = f"SELECT id FROM changes WHERE {condition} ORDER BY {PRIORITY_ORDER} LIMIT -1 OFFSET {limit}"
        with self.store.transaction() as db:
            db.execute(f"DELETE FROM changes WHERE id IN ({excess_ids})", parameters)


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
