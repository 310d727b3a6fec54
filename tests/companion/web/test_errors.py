"""Tests of error answers: a message for an open page, and a full page with a way back."""

import logging
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.test import TestResponse

from companion.log.apply import CorruptLogError
from companion.log.plans import RepairPlan
from companion.service.referee import NotAllowedError, TooManyRetriesError
from companion.storage import database
from companion.system.limits import RateLimitError
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from tests.support.page_parser import parse_page
from tests.support.phones import HTMX_HEADERS, Phone, SeatedTable, open_seated_table

HIKE = {"move": '{"type":"hike","steps":2}'}
# error, status, text, and the seconds to wait
FAULTS = [
    (InvalidInputError("move: no such move"), 400, "move: no such move", None),
    (NotAllowedError("There is no such seat."), 403, "There is no such seat.", None),
    (RequestEntityTooLarge(), 413, "exceeds the capacity limit", None),
    (IllegalMoveError([]), 422, "Against the rules", None),
    (RateLimitError(40), 429, "Try again in 40 seconds.", "40"),
    (CorruptLogError("Entry 4 cannot be read."), 500, "Entry 4 cannot be read.", None),
    (TooManyRetriesError(), 503, "Several phones tapped at the same moment.", "1"),
    (database.DiskFullError("The disk is full. Make room."), 507, "The disk is full. Make room.", None),
    (
        database.DatabaseBusyError("Another program is using the database."),
        503,
        "Another program is using the database.",
        "5",
    ),
    (database.DamagedDataError("What is stored is damaged."), 500, "What is stored is damaged.", None),
    (database.StorageError("The file is gone."), 500, "The file is gone.", None),
    (ZeroDivisionError("secret detail"), 500, "Something went wrong", None),
]
LOGGED = (database.StorageError, ZeroDivisionError)


@pytest.fixture
def app(shared_app: Flask) -> Iterator[Flask]:
    """Yield the app, which may log errors here."""
    disabled, shared_app.logger.disabled = shared_app.logger.disabled, True
    yield shared_app
    shared_app.logger.disabled = disabled


@pytest.fixture(params=FAULTS, ids=lambda case: f"{case[1]} {type(case[0]).__name__}")
def failing_store(request, table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch) -> tuple:
    """Make every read of a table fail with one of the errors."""

    def fail(*_):
        raise request.param[0]

    monkeypatch.setattr(table_of_two.referee.store, "table", fail)
    return request.param


def send_request(table: SeatedTable, method: str, headers: dict) -> TestResponse:
    """Request a seat's live region or submit a move, whatever the outcome."""
    phone = table.phone(0)
    if method == "GET":
        return phone.http.get(f"{table.path}/seat/0/now", headers=headers)
    return phone.http.post(
        f"{table.path}/seat/0/play", data={"csrf_token": phone.token, "tap": "one", **HIKE}, headers=headers
    )


def page_links(answer: TestResponse) -> list[str]:
    """Return the addresses of the links in the main part of a page."""
    main = answer.text[answer.text.index("<main") : answer.text.index("</main>")]
    return [attributes["href"] for tag, attributes in parse_page(main).tags if tag == "a"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_open_page_gets_the_message_instead_of_a_page(table_of_two: SeatedTable, method: str, failing_store: tuple):
    table_of_two.phone(0).token  # noqa: B018 - fetched from a page that needs no table
    _, status, message, wait = failing_store
    answer = send_request(table_of_two, method, HTMX_HEADERS)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, wait)
    assert message in parse_page(answer.text).text and "secret" not in answer.text
    assert [tag for tag, _ in parse_page(answer.text).tags if tag != "p"] == ["div", "h2"]
    assert answer.headers["HX-Reswap"] == "none"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_browser_gets_a_page_that_links_back_to_the_table_first(
    table_of_two: SeatedTable, method: str, failing_store: tuple
):
    _, status, message, wait = failing_store
    answer = send_request(table_of_two, method, {})
    page = parse_page(answer.text)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, wait)
    assert message in page.text and "secret" not in answer.text and "Traceback" not in answer.text
    assert page_links(answer) == [f"{table_of_two.path}/seat/0", "/"]
    assert "Back to the table" in page.text
    assert "HX-Reswap" not in answer.headers


PLAN = RepairPlan("4", 1).encode()
BACK_PATHS = [
    ("/t/{code}/seat/0", "/t/{code}"),
    ("/t/{code}/seat/1/log", "/t/{code}/seat/1"),
    (f"/t/{{code}}/seat/1/mend/{PLAN}", "/t/{code}/seat/1"),
    (f"/t/{{code}}/seat/1/mend/{PLAN}/now", "/t/{code}/seat/1"),
    ("/t/{code}/log", "/t/{code}"),
    ("/t/{code}/log/4", "/t/{code}"),
    ("/t/{code}/log/4/now", "/t/{code}"),
    ("/t/{code}/log/4/repair", "/t/{code}"),
    ("/t/{code}/if/4", "/t/{code}"),
    ("/t/{code}/score", "/t/{code}"),
    ("/t/{code}/board/now", "/t/{code}"),
    ("/t/{code}", "/t/{code}"),
    ("/t/{code}/nowhere", "/t/{code}"),
]


@pytest.mark.parametrize(("path", "back_path"), BACK_PATHS)
def test_error_page_links_to_the_page_above(
    table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch, path: str, back_path: str
):
    monkeypatch.setattr(table_of_two.referee.store, "table", lambda code: [][0])
    answer = table_of_two.phone(0).get(path.format(code=table_of_two.code))
    assert answer.status_code in (404, 500)
    assert page_links(answer) == [back_path.format(code=table_of_two.code), "/"]


@pytest.mark.parametrize(
    "path", ["/t/BCDFG", "/t/BCDFG/seat/0", "/t/BCDFG/board", "/nowhere", "/t/", "/rules/chess", "/t/BCDFGH/x"]
)
def test_error_page_without_a_table_links_only_home(phone: Phone, path: str):
    answer = phone.get(path)
    assert answer.status_code == 404
    assert page_links(answer) == ["/"]


OF_A_SEAT = (
    "play",
    "right",
    "step",
    "asks",
    "answer",
    "show",
    *(f"mend/{PLAN}/{form}" for form in ("play", "right", "ask")),
)
FORMS = ["sit", "stand", "answer", "again", "setup", *(f"seat/0/{form}" for form in OF_A_SEAT)]


@pytest.mark.parametrize("form", FORMS)
def test_outdated_page_links_back_to_the_table(table_of_two: SeatedTable, form: str):
    answer = table_of_two.phone(0).http.post(f"{table_of_two.path}/{form}", data={"tap": "one", "csrf_token": "forged"})
    assert answer.status_code == 400 and "This page is out of date" in parse_page(answer.text).text
    assert page_links(answer) == [f"{table_of_two.path}/seat/0" if "seat" in form else table_of_two.path, "/"]


def test_tap_on_an_outdated_page_says_that_nothing_was_changed(table_of_two: SeatedTable):
    answer = table_of_two.phone(0).http.post(
        f"{table_of_two.path}/seat/0/play", data={"tap": "one", **HIKE}, headers=HTMX_HEADERS
    )
    assert answer.status_code == 400 and "Nothing was changed. Tap again." in parse_page(answer.text).text


def test_only_a_failed_tap_is_said_not_to_have_counted(table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch):
    table_of_two.phone(0).token  # noqa: B018
    monkeypatch.setattr(table_of_two.referee.store, "table", lambda code: [][0])
    assert "Your last action was not saved." in parse_page(send_request(table_of_two, "POST", HTMX_HEADERS).text).text
    assert (
        "Your last action was not saved." not in parse_page(send_request(table_of_two, "GET", HTMX_HEADERS).text).text
    )


def test_unexpected_errors_and_storage_errors_are_logged(
    table_of_two: SeatedTable, shared_app: Flask, caplog: pytest.LogCaptureFixture, failing_store: tuple
):
    shared_app.logger.disabled = False
    with caplog.at_level(logging.ERROR):
        send_request(table_of_two, "GET", HTMX_HEADERS)
    assert bool(caplog.records) is isinstance(failing_store[0], LOGGED)
    assert bool(caplog.text and re.search("Traceback", caplog.text)) is isinstance(failing_store[0], ZeroDivisionError)


def test_damaged_table_does_not_affect_other_tables(
    table_of_two: SeatedTable, app: Flask, monkeypatch: pytest.MonkeyPatch
):
    other = open_seated_table(app, "Cy", "Di")
    read_table = table_of_two.referee.store.table

    def table(code: str):
        if code == table_of_two.code:
            raise database.DamagedDataError("These pages cannot be read.")
        return read_table(code)

    monkeypatch.setattr(table_of_two.referee.store, "table", table)
    assert send_request(table_of_two, "POST", {}).status_code == 500
    assert other.submit(0, "play", HIKE, htmx=True).status_code == 200


REFUSED = [(HIKE | {"move": '{"type":"hike","steps":3}'}, 422), ({"move": "{"}, 400)]


@pytest.mark.parametrize(("form", "status"), REFUSED)
def test_refused_move_is_answered_with_the_live_region(table_of_two: SeatedTable, form: dict, status: int):
    answer = table_of_two.submit(0, "play", form, htmx=True)
    assert answer.status_code == status and answer.text.strip().startswith('<main id="region"')
    assert answer.text.strip().endswith("</main>") and "HX-Reswap" not in answer.headers


@pytest.mark.parametrize("htmx", [True, False])
def test_move_that_counted_is_confirmed_though_its_page_fails(
    table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch, htmx: bool
):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("companion.web.play.render_table", fail)
    answer = table_of_two.submit(0, "play", HIKE, htmx=htmx)
    assert answer.headers["HX-Redirect" if htmx else "Location"] == f"{table_of_two.path}/seat/0"
    assert answer.status_code == (200 if htmx else 303) and len(table_of_two.table.steps) == 1
    answer = table_of_two.submit(0, "play", {"move": "{"}, htmx=htmx)  # refused, and its page cannot be rendered either
    assert answer.status_code == 400


@pytest.mark.parametrize("htmx", [True, False])
def test_move_that_has_not_counted_is_never_confirmed(
    table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch, htmx: bool
):
    monkeypatch.setattr(table_of_two.referee.store, "append", lambda *_: 1 / 0)
    answer = table_of_two.submit(0, "play", HIKE, htmx=htmx)
    assert answer.status_code == 500 and "Your last action was not saved" in parse_page(answer.text).text
    assert table_of_two.table.steps == ()
