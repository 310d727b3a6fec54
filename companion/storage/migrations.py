"""The database schema as a list of migrations; each is applied once and recorded."""

import sqlite_utils
from sqlite_utils.migrations import Migrations

from companion.log.entries import start_of_day

migrations = Migrations("waymark")


@migrations()
def tables_and_entries(db) -> None:
    """Create the tables of codes and of log entries; a table has no other data."""
    db["tables"].create({"id": int, "code": str}, pk="id", not_null={"code"})
    db["tables"].create_index(["code"], unique=True)
    # WITHOUT ROWID keeps (table, number) and the row in one b-tree; sqlite-utils does not support it.
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
    """Create the table of card facts, as JSON, with one row for each game."""
    db["facts"].create({"game": str, "what": str}, pk="game", not_null={"what"})


@migrations()
def tables_of_a_phone(db) -> None:
    """Index the entries by phone, so that a phone's tables are found without reading every log."""
    db["entries"].create_index(["device", "table_id"], index_name="entries_of_a_device")


@migrations()
def owners_and_changes(db) -> None:
    """Create the tables of the owner's phones and of changes to card facts. Existing facts stay."""
    db["owners"].create({"device": str, "seal": str}, pk="device", not_null={"seal"})
    # AUTOINCREMENT: a change that has grown since a page was rendered gets a new id, which is never reused.
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
    """Mark the version from which logs may contain `Rewrote`.

    An earlier Waymark cannot read such logs, so it refuses the whole file and not only one table.
    """


@migrations()
def judge(db) -> None:
    """Create the table of house rules.

    From this version on, logs may contain `Judged`, `Claimed` and `OwnRuling`.
    """
    db["own_rulings"].create(
        {"game": str, "question": str, "reading": str, "at": str, "name": str}, pk=("game", "question")
    )


@migrations()
def history(db) -> None:
    """Create the tables of results, players and photos; logs may contain `Arrived` from here on.

    The statements are terse so that the whole schema fits on the first page of the file: then no other lost page
    makes all data unreadable.
    """
    for statement in (
        "TABLE results(id TEXT PRIMARY KEY,code,game,ended,device,over,hidden,words,what)",
        "UNIQUE INDEX results_code ON results(code)",
        "INDEX results_ended ON results(ended)",
        # Names are normalized; a bot and an erased player have none. Hidden and unfinished results do not count.
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
        "TABLE unread AS SELECT id FROM tables",  # tables whose result is not recorded yet
    ):
        db.execute(f"CREATE {statement}")


@migrations()
def lessons(db) -> None:
    """Create the tables of the players who are taught a game, and of the lessons they have read."""
    for statement in (
        "TABLE learners(device,name,game,is_taught,PRIMARY KEY(device,name,game))WITHOUT ROWID",
        "TABLE lessons(device,name,game,lesson,code,turn,PRIMARY KEY(device,name,game,lesson))",
    ):
        db.execute(f"CREATE {statement}")


@migrations()
def drafts(db) -> None:
    """Create the table of drafts, one for each seat."""
    db.execute("CREATE TABLE drafts(code,seat,revision,text,PRIMARY KEY(code,seat))WITHOUT ROWID")


@migrations()
def variants(db) -> None:
    """Add the printed rule that a house rule replaces."""
    db.execute("ALTER TABLE own_rulings ADD rule TEXT NOT NULL DEFAULT ''")


@migrations()
def imports(db) -> None:
    """Create the table of files with plays."""
    db.execute("CREATE TABLE imports(id TEXT PRIMARY KEY,device,at,file,what,results,names)")


@migrations()
def order_of_days(db) -> None:
    """Store the local start of each day without a time, to order it among times in UTC."""
    for id, day in db.execute("SELECT id, ended FROM results WHERE length(ended) = 10").fetchall():
        db.execute("UPDATE results SET ended = ? WHERE id = ?", [start_of_day(day), id])
        db.execute("UPDATE OR REPLACE seen SET ended = ? WHERE result = ?", [start_of_day(day), id])


def known_migrations() -> set[str]:
    """Return the names of all migrations."""
    return {step.name for step in migrations.pending(sqlite_utils.Database(memory=True))}
