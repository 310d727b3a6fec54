"""Fixtures of the tests of pages that list everything in an instance."""

from collections.abc import Iterator

import pytest
from flask import Flask

from companion.web.app import create_app, install_limits
from tests.conftest import disable_fsync


@pytest.fixture(scope="module")
def own_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Yield the app of an instance for this file alone, because lists cover all of it."""
    app = create_app(tmp_path_factory.mktemp("instance"))
    disable_fsync(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture
def empty_app(own_app: Flask) -> Flask:
    """Return the app of that instance, emptied."""
    store = own_app.extensions["waymark"].store
    with store.transaction() as db:
        for name in reversed(db.table_names()):  # entries before the tables that they refer to
            if not name.startswith("_"):  # the applied migrations
                db.execute(f"DELETE FROM {name}")
    store.cache.clear()
    install_limits(own_app)
    return own_app
