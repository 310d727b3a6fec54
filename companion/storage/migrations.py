"""The schema, step by step; each step is applied once and recorded."""

import sqlite_utils
from sqlite_utils.migrations import Migrations

migrations = Migrations("waymark")


@migrations()
def tables_and_entries(db) -> None:
    """A table is a code; everything else about it is in its entries."""
    db["tables"].create({"id": int, "code": str}, pk="id", not_null={"code"})
    db["tables"].create_index(["code"], unique=True)
    # WITHOUT ROWID keeps (table, number) and the row in one b-tree; sqlite-utils has no word for it.
    db.execute(
        """
        CREATE TABLE entries (
            table_id INTEGER NOT NULL REFERENCES tables(id),
            number INTEGER NOT NULL,
            tap TEXT NOT NULL,
            at TEXT NOT NULL,
            device TEXT NOT NULL,
            seat INTEGER,
            what TEXT NOT NULL,
            PRIMARY KEY (table_id, number),
            UNIQUE (table_id, tap)
        ) WITHOUT ROWID
        """
    )
    db["entries"].create_index(["device"])


@migrations()
def facts_of_boxes(db) -> None:
    """What the owner of a box has told of it, as JSON; one row for each game."""
    db["facts"].create({"game": str, "what": str}, pk="game", not_null={"what"})


@migrations()
def tables_of_a_phone(db) -> None:
    """Home lists the tables a phone has been at: found without reading every log."""
    db["entries"].create_index(["device", "table_id"], index_name="entries_of_a_device")


@migrations()
def owners_and_changes(db) -> None:
    """The owner's phones, and every change of a box: what it was and became, or would become. What is known stays."""
    db["owners"].create({"device": str, "seal": str}, pk="device", not_null={"seal"})
    # AUTOINCREMENT: what has grown since a page was drawn has another id, one that no change ever had.
    db.execute(
        """
        CREATE TABLE changes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL,
            status TEXT NOT NULL,
            at TEXT NOT NULL,
            device TEXT NOT NULL,
            source TEXT NOT NULL,
            name TEXT NOT NULL,
            who TEXT NOT NULL,
            known INTEGER NOT NULL,
            before TEXT NOT NULL,
            after TEXT NOT NULL
        )
        """
    )
    db["changes"].create_index(["game", "status", "id"])
    db["changes"].create_index(["name", "source", "status"])


@migrations()
def repairs(db) -> None:
    """Logs may say `Rewrote` from here on: an earlier Waymark, which cannot read that, refuses the file and not one table."""


@migrations()
def judge(db) -> None:
    """How tables play what the book is silent on is kept with the box. Logs may say `Judged`, `Claimed`, `OwnRuling` from here on."""
    db["own_rulings"].create(
        {"game": str, "question": str, "reading": str, "at": str, "name": str}, pk=("game", "question")
    )


@migrations()
def history(db) -> None:
    """How games came out, and who played. Logs may say `Arrived` from here on.

    In few words: the whole schema stands on the first page of the file, so that no other that is lost takes all with it.
    """
    for said in (
        "TABLE results(id TEXT PRIMARY KEY,code,game,ended,device,over,hidden,words,what)",
        "UNIQUE INDEX results_code ON results(code)",
        "INDEX results_ended ON results(ended)",
        # Names are as they are compared; a bot and who was forgotten have none. What is left out, or not over, does not count.
        "TABLE parts(result,seat,name,winner,counts,PRIMARY KEY(result,seat))WITHOUT ROWID",
        "INDEX parts_name ON parts(name,counts,winner)",
        "TABLE players(id INTEGER PRIMARY KEY,name)",
        "TABLE names(name PRIMARY KEY,player)WITHOUT ROWID",
        "TABLE seen(device,ended,result,PRIMARY KEY(device,ended,result))WITHOUT ROWID",
        "INDEX seen_result ON seen(result)",
        "TABLE photos(id,result,device,at,photo,small)",
        "INDEX photos_result ON photos(result)",
        "TABLE bgg(game PRIMARY KEY,number)WITHOUT ROWID",
        "TABLE arrivals(log PRIMARY KEY,code)WITHOUT ROWID",
        "TABLE unread AS SELECT id FROM tables",  # whose end, if they have one, is not known here yet
    ):
        db.execute(f"CREATE {said}")


def known_migrations() -> set[str]:
    """Return the names of all steps there are."""
    return {step.name for step in migrations.pending(sqlite_utils.Database(memory=True))}
