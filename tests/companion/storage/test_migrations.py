"""Tests of the schema migrations, on an empty database and on one with tables."""

import pytest
import sqlite_utils
from sqlite_utils.migrations import Migrations

from companion.storage.database import UnreadableDatabaseError
from companion.storage.migrations import migrations
from companion.storage.store import Store
from tests.support.log_builder import LogBuilder

OPENING = LogBuilder("Ana", "Bo").log[0]
STEPS = [
    "tables_and_entries",
    "facts_of_boxes",
    "tables_of_a_phone",
    "owners_and_changes",
    "repairs",
    "judge",
    "history",
    "lessons",
    "drafts",
    "variants",
    "imports",
    "order_of_days",
]


@pytest.fixture
def db():
    db = sqlite_utils.Database(memory=True)
    yield db
    db.conn.close()


def step_names(steps: list) -> list[str]:
    return [step.name for step in steps]


def test_empty_database_has_every_migration_pending(db: sqlite_utils.Database):
    assert step_names(migrations.pending(db)) == STEPS and migrations.applied(db) == []


def test_every_migration_is_applied_once_and_recorded(db: sqlite_utils.Database):
    migrations.apply(db)
    assert step_names(migrations.applied(db)) == STEPS and migrations.pending(db) == []
    schema = db.schema
    migrations.apply(db)
    assert db.schema == schema and step_names(migrations.applied(db)) == STEPS


def test_schema_has_its_unique_and_foreign_keys(db: sqlite_utils.Database):
    migrations.apply(db)
    assert db["entries"].pks == ["table_id", "number"]
    unique = {tuple(index.columns) for table in ("tables", "entries") for index in db[table].indexes if index.unique}
    assert unique == {("code",), ("table_id", "number"), ("table_id", "tap")}
    assert [(key.column, key.other_table) for key in db["entries"].foreign_keys] == [("table_id", "tables")]


def test_reopened_store_keeps_its_tables(store: Store):
    table = store.open_table(OPENING)
    reopened = Store(store.path)
    assert reopened.table(table.code) == table
    assert step_names(migrations.applied(reopened.db)) == STEPS
    reopened.db.conn.close()


def test_new_migration_is_the_only_one_applied_to_an_old_database(store: Store):
    """A later version is simulated by the existing migrations and one more."""
    table = store.open_table(OPENING)
    later = Migrations("waymark")

    @later(name="tables_and_entries")
    def again(db: sqlite_utils.Database) -> None:
        raise AssertionError("applied already")

    @later()
    def remarks(db: sqlite_utils.Database) -> None:
        db["tables"].add_column("remark", str)

    later.apply(store.db)
    assert store.db["tables"].columns_dict["remark"] is str
    assert step_names(later.applied(store.db)) == [*STEPS, "remarks"]
    assert store.table(table.code) == table
    with pytest.raises(
        UnreadableDatabaseError, match="A newer version of Waymark wrote them .remarks.. Update Waymark"
    ):
        Store(store.path)
