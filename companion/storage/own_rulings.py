"""The house rules from the tables of a box's owner, for other tables to look up."""

from collections.abc import Iterable

from companion.log.entries import OwnRuling
from companion.log.table import Table
from companion.storage.store import Store
from scoring.kernel.box import Box

COLUMNS = ("game", "question", "reading", "at", "name", "rule")
MAX_LISTED = 50  # per game, on a page


def record_rulings(store: Store, before: Table, after: Table) -> None:
    """Store the house rules of a table, and delete those that the table has dropped."""
    game, rulings = after.tracked.box.key, {ruling.question: ruling for ruling in after.own_rulings}
    with store.transaction() as db:
        for dropped in {ruling.question for ruling in before.own_rulings} - rulings.keys():
            db.execute("DELETE FROM own_rulings WHERE game = ? AND question = ?", [game, dropped])
        for ruling in rulings.values():
            names = ", ".join(after.names)
            row = [game, ruling.question, ruling.interpretation, after.updated_at, names, ruling.rule]
            db.execute("INSERT OR REPLACE INTO own_rulings VALUES (?, ?, ?, ?, ?, ?)", row)


def list_rulings(store: Store, box: Box) -> list[OwnRuling]:
    """Return the house rules from the owner's tables, the latest first."""
    query = "SELECT question, reading, rule FROM own_rulings WHERE game = ? ORDER BY at DESC, question LIMIT ?"
    return [OwnRuling(*row) for row in store.query(query, [box.key, MAX_LISTED])]


def export_rulings(store: Store) -> list[dict[str, str]]:
    """Return all house rules as data for an export, with their players and times."""
    rows = store.query(f"SELECT {', '.join(COLUMNS)} FROM own_rulings ORDER BY game, question")
    # Without a replaced rule, a row has the form that earlier versions read and wrote.
    return [dict(zip(COLUMNS if row[-1] else COLUMNS[:-1], row, strict=False)) for row in rows]


def import_rulings(store: Store, rulings: Iterable[dict[str, str]]) -> None:
    """Store house rules from a file, except for questions that have one already."""
    with store.transaction() as db:
        db.table("own_rulings").insert_all(
            ({"rule": "", **ruling} for ruling in rulings), pk=("game", "question"), ignore=True
        )
