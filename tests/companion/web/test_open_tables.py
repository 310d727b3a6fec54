"""Tests of the page of the open tables: who sees which, what it shows, how it stays current."""

import datetime
from collections.abc import Iterator

import pytest
from flask import Flask

from companion.log.entries import format_date, local_date
from companion.pages import tables as tables_pages
from companion.service.referee import Referee
from companion.storage.store import LatestEntry, timestamp
from companion.web import context
from companion.web.app import create_app
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NoteHand
from tests.conftest import disable_fsync
from tests.support.finished_tables import random_game_table
from tests.support.page_parser import Page
from tests.support.phones import Phone, SeatedTable, open_seated_table

NOW = datetime.datetime(2026, 11, 25, 20, tzinfo=datetime.UTC)


@pytest.fixture
def app(tmp_path) -> Iterator[Flask]:
    """Yield the app of a new instance, because the page lists all tables of an instance."""
    app = create_app(tmp_path)
    disable_fsync(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture
def referee(app: Flask) -> Referee:
    return app.extensions["waymark"]


@pytest.fixture
def owner(app: Flask) -> Phone:
    return Phone(app).become_owner()


@pytest.fixture
def tables(app: Flask) -> tuple[SeatedTable, SeatedTable]:
    return open_seated_table(app, "Ana", "Bo"), open_seated_table(app, "Cy", "Di", game="on-the-trail")


def make_quiet(table: SeatedTable, hours: float) -> None:
    """Move all entries of a table into the past."""
    time = timestamp(datetime.timedelta(hours=hours))
    with table.referee.store.transaction() as db:
        db.execute(
            "UPDATE entries SET at = ? WHERE table_id = (SELECT id FROM tables WHERE code = ?)", [time, table.code]
        )


def region_address(page: Page) -> str:
    return next(address for address in page.addresses if "have=" in address)


def test_phone_sees_only_tables_it_has_been_at(app: Flask, tables):
    own, foreign = tables
    page = own.phone(1).get("/tables").text
    assert own.code in page and "Ana" in page
    assert foreign.code not in page and "Cy" not in page
    stranger = Phone(app).get("/tables").text
    assert own.code not in stranger and foreign.code not in stranger and "There are no open tables." in stranger


def test_phone_gets_no_foreign_table_with_another_page_or_version(app: Flask, tables):
    for query in ("?page=0&have=1", "?page=1", "?page=-1", "?page=999999999999999999999", "?have=x"):
        answer = Phone(app).get(f"/tables{query}").text
        assert not any(table.code in answer for table in tables)


def test_owner_sees_every_open_table(owner: Phone, tables):
    page = owner.open("/tables")
    for table in tables:
        assert f"/t/{table.code}" in page.addresses and f"/t/{table.code}/qr.svg" in page.addresses
    assert "TRAILS" in page.text and "ON THE TRAIL" in page.text and "Cy and Di" in page.text


def test_phone_that_is_no_longer_the_owners_sees_no_foreign_table(owner: Phone, tables):
    owner.post("/owner", {"leave": "1"})
    assert not any(table.code in owner.get("/tables").text for table in tables)


def test_table_shows_whose_turn_it_is_and_how_many_seats_are_free(owner: Phone, tables):
    table, _ = tables
    assert "Not started yet" in owner.open("/tables").text
    played = table.play(0, Hike(2))
    text = owner.open("/tables").text
    (seat,) = played.tracked.flow.to_move(played.state)
    assert f"{played.names[seat]} ’s turn" in text  # the name has its own element
    assert "free seat" not in text
    table.phone(1).post(f"{table.path}/stand", {"seat": "1"})
    assert "1 free seat" in owner.open("/tables").text


def test_secret_notes_do_not_change_the_list(owner: Phone, tables):
    table, _ = tables
    before = owner.open("/tables").text
    table.play(0, NoteHand("science"))
    assert "Science" not in owner.get("/tables").text
    assert owner.open("/tables").text.replace("Ana ’s turn", "Not started yet") == before


def test_unchanged_list_is_not_sent_again_and_loads_no_table(owner: Phone, referee: Referee, tables, monkeypatch):
    address = region_address(owner.open("/tables"))
    monkeypatch.setattr(referee.store, "table", None)
    assert owner.get(address, htmx=True).status_code == 204


def test_changed_list_is_sent_without_drawings_of_qr_codes(owner: Phone, tables):
    address = region_address(owner.open("/tables"))
    tables[0].play(0, Hike(2))
    answer = owner.get(address, htmx=True)
    assert answer.text.startswith('<main id="region"') and answer.text.endswith("</main>")
    assert "</bdi>’s turn" in answer.text and "<path" not in answer.text


def test_new_table_and_finished_game_change_the_list(app: Flask, owner: Phone, referee: Referee, tables):
    address = region_address(owner.open("/tables"))
    new = open_seated_table(app, "Eva", "Finn")
    assert new.code in (page := owner.get(address, htmx=True).text)
    assert "Finished in the last 12 hours" not in page
    finished = random_game_table(referee, "trails", "Fay", "Gus", device=owner.device)
    page = owner.open("/tables")
    assert "Finished in the last 12 hours: 1" in page.text and f"/t/{finished.code}" not in page.addresses
    assert f"/r/{referee.results.of_table(finished.code).id}" in page.addresses


def test_tables_without_an_entry_for_12_hours_are_listed_apart(owner: Phone, tables):
    make_quiet(tables[0], 11.9)
    make_quiet(tables[1], 12.1)
    page = owner.open("/tables")
    assert f"/t/{tables[0].code}/qr.svg" in page.addresses
    assert f"/t/{tables[1].code}" in page.addresses and f"/t/{tables[1].code}/qr.svg" not in page.addresses
    assert "No entry for 12 hours" in page.text and "Last entry 11 h 54 min ago" in page.text


def test_many_tables_are_spread_over_pages_active_ones_first(app: Flask, owner: Phone, referee: Referee):
    setup = referee.default_setup(open_seated_table(app, "Ana", "Bo").table.tracked, ["Cy", "Di"])
    for _ in range(119):
        referee.open_table("somebody", "trails", setup)
    oldest = SeatedTable(app, referee.store.codes()[0], ())
    for code in referee.store.codes()[1:]:
        make_quiet(SeatedTable(app, code, ()), 13)
    listed: list[str] = []
    for number in range(3):
        page = owner.open(f"/tables?page={number}")
        codes = [address[3:] for address in page.addresses if address.startswith("/t/") and address.count("/") == 2]
        listed += codes
        assert len(set(codes)) == (50, 50, 20)[number]
        assert (f"/tables?page={number + 1}" in page.addresses) == (number < 2)
        assert (f"/tables?page={number - 1}" in page.addresses) == (number > 0)
    assert listed[0] == oldest.code and sorted(listed) == sorted(referee.store.codes())


def test_table_that_cannot_be_opened_is_left_out(owner: Phone, referee: Referee, tables):
    with referee.store.transaction() as db:
        db.execute("UPDATE entries SET what = '{}' WHERE table_id = 1")
    referee.store.cache.clear()
    page = owner.open("/tables")
    assert f"/t/{tables[0].code}" not in page.addresses and f"/t/{tables[1].code}" in page.addresses


def test_home_links_to_all_open_tables_with_their_number(app: Flask, owner: Phone, tables):
    open_seated_table(app, "Eva", "Finn")
    page = owner.open("/")
    assert "All open tables: 3" in page.text and "/tables" in page.addresses
    assert "All open tables: 1" in tables[0].phone(0).open("/").text
    assert "/tables" not in Phone(app).open("/").addresses


def test_owner_page_and_lobby_link_to_the_tables(owner: Phone, tables):
    assert "/tables" in owner.open("/owner").addresses
    assert "/tables" in owner.open(tables[0].path).addresses


AGES = [
    (0.5, "just now"),
    (1, "1 min ago"),
    (59.9, "59 min ago"),
    (60, "1 h ago"),
    (125, "2 h 5 min ago"),
    (-30, "just now"),  # the clock was set back
    (3 * 24 * 60, "on 22 Nov 2026"),
]


@pytest.mark.parametrize(("minutes", "age"), AGES)
def test_age_of_the_last_entry_is_told_in_words(minutes: float, age: str):
    time = (NOW - datetime.timedelta(minutes=minutes)).isoformat()
    assert tables_pages.list_tables([LatestEntry("BCDFG", 3, time)], NOW)[0].age == age
    assert format_date(local_date(time)) == "22 Nov 2026" or minutes < 24 * 60


def test_entry_without_a_time_has_no_age_and_is_quiet():
    (table,) = tables_pages.list_tables([LatestEntry("BCDFG", 3, "once")], NOW)
    assert table.age == "" and not table.is_active


def test_owner_of_very_many_tables_sees_the_latest(owner: Phone, tables, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(context, "MAX_OPEN_TABLES", 1)
    page = owner.open("/tables")
    assert f"/t/{tables[1].code}" in page.addresses and f"/t/{tables[0].code}" not in page.addresses
