"""Tests of cookies: any clock of the server, and phones that block cookies."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

from companion.web.app import COOKIE_SECONDS, create_app
from companion.web.sessions import Sessions
from tests.support.page_parser import parse_page
from tests.support.phones import HTMX_HEADERS, Phone, SeatedTable

HIKE = {"move": '{"type":"hike","steps":2}'}
DAY = 24 * 3600
NOW = time.time()
OLD_COOKIE = (  # signed with the key 5b5b...
    ".eJyrVoovSC3KTcxLzStRsiopKk3VUUouLkqLL8nPTs1TslIyIBIo6SilpJZlJqcC9STmJermp-mWZKTqpmUWFZco1QIAGoQdTw"
    ".awH3eQ.VXEt-UnxS10Vrvkgjw09zwmNy-0"
)
CLOCKS = {
    "set back by two minutes": NOW - 120,
    "without a battery, 1970": 12.0,
    "thirteen months on": NOW + 396 * DAY,
    "ten years on": NOW + 3653 * DAY,
}


@contextmanager
def set_clock(time_now: float) -> Iterator[None]:
    """Set the wall clock for everything in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: time_now)
        patch.setattr(TimestampSigner, "get_timestamp", lambda self: int(time_now))
        yield


def clear_sessions(app: Flask) -> None:
    """Forget all decoded cookies, as after a restart."""
    app.session_interface = Sessions(app)


@pytest.mark.parametrize("clock_time", CLOCKS.values(), ids=CLOCKS)
def test_a_phone_keeps_its_seat_and_its_open_page_when_the_clock_is_set(table_of_two: SeatedTable, clock_time: float):
    with set_clock(clock_time):
        clear_sessions(table_of_two.app)
        assert table_of_two.phone(0).get(f"{table_of_two.path}/seat/0").status_code == 200
        assert table_of_two.submit(0, "play", HIKE, htmx=True).status_code == 200
        answer = Phone(table_of_two.app).get("/")
        assert "Max-Age=" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize("clock_time", CLOCKS.values(), ids=CLOCKS)
def test_phone_first_seen_under_a_wrong_clock_is_recognized_later(app: Flask, clock_time: float):
    phone = Phone(app)
    with set_clock(clock_time):
        device = phone.device
    clear_sessions(app)
    assert phone.post("/new/trails", {"names-0": "Ana", "names-1": "Bo"}).status_code == 303
    assert phone.device == device


def test_cookie_has_the_longest_lifetime_and_protective_attributes(phone: Phone):
    cookie = phone.get("/").headers["Set-Cookie"]
    assert cookie.startswith("waymark=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie
    assert f"Max-Age={400 * DAY}" in cookie and COOKIE_SECONDS == 400 * DAY
    assert "Expires=" not in cookie and "Domain=" not in cookie and "Secure" not in cookie


def test_each_full_page_renews_the_cookie_and_nothing_else_does(table_of_two: SeatedTable):
    ana = table_of_two.phone(0)
    for path in ("/", "/about", table_of_two.path, f"{table_of_two.path}/seat/0"):
        cookie = ana.get(path).headers["Set-Cookie"]
        assert f"Max-Age={COOKIE_SECONDS}" in cookie
    for path in (f"{table_of_two.path}/now", f"{table_of_two.path}/seat/0/now"):
        assert "Set-Cookie" not in ana.get(path, htmx=True).headers
    assert "Set-Cookie" not in table_of_two.submit(0, "play", HIKE, htmx=True).headers
    for path in ("/nowhere", f"{table_of_two.path}/score.json", "/static/css/waymark.css"):
        with ana.get(path) as answer:
            assert "Set-Cookie" not in answer.headers


def test_cookie_over_https_is_secure(phone: Phone):
    assert "Secure" in phone.get("/", base_url="https://localhost").headers["Set-Cookie"]


@pytest.mark.parametrize("clock_time", [*CLOCKS.values(), NOW], ids=[*CLOCKS, "right"])
def test_cookie_of_the_first_version_is_read_whenever_it_was_signed(table_of_two: SeatedTable, clock_time: float):
    """0.1.0 signed as Flask does, with the time."""
    held = table_of_two.phone(0).device
    with table_of_two.phone(0).http.session_transaction() as cookie:
        data = {"_permanent": True, **cookie}
    with set_clock(clock_time):
        signed = SecureCookieSessionInterface().get_signing_serializer(table_of_two.app).dumps(data)
    updated = Phone(table_of_two.app)
    updated.http.set_cookie("waymark", signed)
    assert updated.get(f"{table_of_two.path}/seat/0").status_code == 200
    assert updated.device == held


def test_cookie_written_by_the_first_version_itself_is_read(tmp_path):
    (tmp_path / "secret").write_text("5b" * 32)
    app = create_app(tmp_path)
    phone = Phone(app)
    phone.http.set_cookie("waymark", OLD_COOKIE)
    assert phone.device == "ana-of-the-first"
    app.extensions["waymark"].store.db.conn.close()


def test_a_forged_tampered_or_foreign_cookie_is_a_new_phone(table_of_two: SeatedTable):
    signed = table_of_two.phone(0).http.get_cookie("waymark").value
    payload, rest = signed.split(".", 1)
    foreign = Flask("another")
    foreign.secret_key = "5b" * 32
    other_cookie = (
        SecureCookieSessionInterface().get_signing_serializer(foreign).dumps({"device": table_of_two.phone(0).device})
    )
    forged = {
        "nonsense": "forged",
        "no signature": signed.rpartition(".")[0],
        "another payload": f"{payload[:-2]}AA.{rest}",
        "another time": f"{payload}.AAAAAA.{rest.partition('.')[2]}",
        "is incomplete": signed[:-2],
        "another key": other_cookie,
        "empty": "",
    }
    for name, value in forged.items():
        stranger = Phone(table_of_two.app)
        stranger.http.set_cookie("waymark", value)
        assert stranger.get(f"{table_of_two.path}/seat/0").status_code == 303, name
        assert stranger.device != table_of_two.phone(0).device, name


def test_two_instances_on_one_computer_keep_their_cookies(app: Flask, tmp_path: Path):
    """Browsers send the cookies of a host to all its ports."""
    other_app = create_app(tmp_path / "other")
    browser: dict[str, str] = {}
    devices = [visit(each, browser) for each in (app, other_app, app, other_app, app)]
    assert len(browser) == 2 and devices[0] != devices[1]
    assert devices == [devices[0], devices[1], devices[0], devices[1], devices[0]]
    other_app.extensions["waymark"].store.db.conn.close()


def visit(app: Flask, browser: dict[str, str]) -> str:
    """Open a page with the cookies of a browser, renew them, and return the phone's id."""
    phone = Phone(app)
    for name, value in browser.items():
        phone.http.set_cookie(name, value)
    name, _, rest = phone.get("/").headers["Set-Cookie"].partition("=")
    browser[name] = rest.partition(";")[0]
    return phone.device


def test_answers_that_depend_on_the_phone_vary_by_cookie(table_of_two: SeatedTable):
    assert "Cookie" in table_of_two.phone(0).get(f"{table_of_two.path}/seat/0").headers["Vary"]
    assert "Cookie" in table_of_two.phone(0).get(f"{table_of_two.path}/seat/0/now", htmx=True).headers["Vary"]


# A phone that blocks cookies.

NO_COOKIE = "This phone sent no cookie"
ALLOW_COOKIES = "Allow cookies for this address in the browser\u2019s settings."


@pytest.fixture
def phone_without_cookies(app: Flask) -> FlaskClient:
    return app.test_client(use_cookies=False)


FORMS = {
    "/join": {"code": "BCDFG"},
    "/new/trails": {"names-0": "Ana", "names-1": "Bo"},
    "/history/new": {"game": "trails", "day": "2026-01-02", "players-0-name": "Ana"},
    "{table}/sit": {"seat": "0"},
    "{table}/seat/0/play": {"move": "{}"},
}


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("headers", [{}, HTMX_HEADERS], ids=["page", "htmx"])
def test_form_of_a_phone_that_blocks_cookies_explains_it(
    table_of_two: SeatedTable, phone_without_cookies: FlaskClient, path: str, headers: dict
):
    token = parse_page(phone_without_cookies.get("/").text).value("csrf_token")
    form = {"csrf_token": token, "tap": "one", **FORMS[path]}
    answer = phone_without_cookies.post(path.format(table=table_of_two.path), data=form, headers=headers)
    text = parse_page(answer.text).text
    assert answer.status_code == 400 and NO_COOKIE in text and ALLOW_COOKIES in text and "out of date" not in text


def test_seat_page_without_a_cookie_explains_why_it_leads_to_the_lobby(
    app: Flask, table_of_two: SeatedTable, phone_without_cookies: FlaskClient
):
    redirected = phone_without_cookies.get(f"{table_of_two.path}/seat/0")
    assert redirected.status_code == 303
    lobby = parse_page(phone_without_cookies.get(redirected.headers["Location"]).text)
    assert NO_COOKIE in lobby.text and ALLOW_COOKIES in lobby.text
    assert NO_COOKIE not in parse_page(phone_without_cookies.get(table_of_two.path).text).text  # its first visit
    new_phone = app.test_client()
    followed = new_phone.get(f"{table_of_two.path}/seat/0", follow_redirects=True)
    assert followed.status_code == 200 and NO_COOKIE not in followed.text
