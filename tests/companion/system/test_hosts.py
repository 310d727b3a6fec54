"""Tests of allowed host names and origins, which keep other sites from using a browser here."""

import pytest
from flask import Flask, request
from flask.testing import EnvironBuilder

from companion.system import hosts
from companion.system.hosts import allowed_names, is_allowed_host
from companion.web.app import create_app
from tests.support.parametrize import run_all_rows
from tests.support.phones import Phone, SeatedTable

OWN_HOSTS = [
    "192.168.1.20",
    "192.168.1.20:8000",
    "10.0.0.7:80",
    "127.0.0.1:8000",
    "0.0.0.0:8000",
    "[::1]:8000",
    "[fe80::1c2d:3e4f]:8000",
    "[::ffff:192.168.1.20]",
    "localhost",
    "LocalHost:8000",
    "tablet",
    "tablet.local:8000",
    "tablet.local.",
    "TABLET.fritz.box",
    "tablet.lan",
    "tablet.home",
    "tablet.home.arpa",
    "waymark.example",
    "waymark.example:8080",
    "wegzeichen.example",
    "xn--mller-kva.example:8000",
]
FOREIGN_HOSTS = [
    "",
    " ",
    "evil.example",
    "evil.example:8000",
    "www.waymark.example",
    "waymark.example.evil.example",
    "evilwaymark.example",
    "192.168.1.20.nip.example",
    "192.168.1",
    "192.168.1.256",
    "0x7f000001",
    "2130706433",
    "tablet.evil.example",
    "tabletx.local",
    "other",
    "other.local",
    "local",
    "com.",
    "[::1",
    "::1",
    "[127.0.0.1]",
    "[::g]",
    "127.0.0.1:0",
    "127.0.0.1:99999",
    "127.0.0.1:8000:8000",
    "127.0.0.1@evil.example",
    "127.0.0.1/evil.example",
    "localhost, evil.example",
    "evil.example\tlocalhost",
    'a"><script>x',
    "\u0661\u0662\u0667.0.0.1",
    "a" * 64,
    "a" * 300 + ".example",
    "a..b",
    ".",
    "localhost" + "." * 4000,
]


@pytest.fixture
def host_names(monkeypatch: pytest.MonkeyPatch) -> frozenset[str]:
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: "Tablet.fritz.box")
    return allowed_names(["Waymark.example", "wegzeichen.example.", "m\u00fcller.example"])


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_own_addresses_and_names_are_allowed(host_names: frozenset[str], host: str):
    assert is_allowed_host(host, host_names)


@run_all_rows("host", FOREIGN_HOSTS)
def test_every_other_name_is_foreign(host_names: frozenset[str], host: str):
    assert not is_allowed_host(host, host_names)


@pytest.mark.parametrize("machine", ["", "localhost", "localhost.localdomain", "\u00fcber"])
def test_machine_without_a_usable_name_allows_no_other_names(monkeypatch: pytest.MonkeyPatch, machine: str):
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: machine)
    assert is_allowed_host("localhost", allowed_names())
    assert not any(
        is_allowed_host(host, allowed_names()) for host in ("", ".", ".local", "local", "lan", "evil.example")
    )


@pytest.mark.slow("every page by every name")
@run_all_rows("host", FOREIGN_HOSTS)
@run_all_rows("path", ["", "/qr.svg", "/seat/0", "/live", "/nowhere"])
def test_request_under_a_foreign_name_reveals_nothing(table_of_two: SeatedTable, host: str, path: str):
    answer = table_of_two.phone(0).http.get(table_of_two.path + path, headers={"Host": host})
    assert answer.status_code == 421
    assert "does not use this address" in answer.text and "--name" in answer.text
    assert "Ana" not in answer.text and table_of_two.code not in answer.text
    assert host.strip(" .") == "" or (f" {host}" not in answer.text and f">{host}" not in answer.text)
    assert "Set-Cookie" not in answer.headers and answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_foreign_name_opens_no_table_and_gets_no_file(app: Flask, phone: Phone):
    before = app.extensions["waymark"].store.db["tables"].count
    names = {"csrf_token": phone.token, "names-0": "Ana", "names-1": "Bo"}
    assert phone.http.post("/new/trails", data=names, headers={"Host": "evil.example"}).status_code == 421
    assert phone.http.get("/static/css/waymark.css", headers={"Host": "evil.example"}).status_code == 421
    assert app.extensions["waymark"].store.db["tables"].count == before


def test_configured_name_is_answered_and_shown_to_the_others(tmp_path):
    app = create_app(tmp_path, HOSTS=("waymark.example",))
    phone = Phone(app)
    form = {"names-0": "Ana", "names-1": "Bo"}
    path = phone.post("/new/trails", form).headers["Location"]
    answer = phone.http.get(path, headers={"Host": "waymark.example:8080"})
    assert answer.status_code == 200 and f"http://waymark.example:8080{path}" in answer.text
    app.extensions["waymark"].store.db.conn.close()


def test_request_without_a_host_is_answered(app: Flask):
    environ = EnvironBuilder(app, "/about").get_environ()
    del environ["HTTP_HOST"]
    statuses = []
    body = app(environ, lambda status, headers, *_: statuses.append(status))
    assert statuses == ["200 OK"]
    body.close()


# Forms from other sites' pages.

FOREIGN_ORIGINS = [
    {"Origin": "http://evil.example"},
    {"Origin": "http://192.168.1.66"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "http://["},
    {"Origin": "evil"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
]
OWN_ORIGINS = [
    {},
    {"Origin": "null"},
    {"Origin": "http://localhost"},
    {"Origin": "https://localhost:8443"},  # a proxy may pass the Host on without its port
    {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN_ORIGINS, ids=str)
def test_a_form_that_a_page_from_elsewhere_sends_is_refused_even_with_our_token(
    table_of_two: SeatedTable, headers: dict[str, str]
):
    form = {"csrf_token": table_of_two.phone(0).token, "tap": "tap", "move": '{"type":"hike","steps":2}'}
    answer = table_of_two.phone(0).http.post(f"{table_of_two.path}/seat/0/play", data=form, headers=headers)
    assert answer.status_code == 403 and "This request came from another site." in answer.text
    assert table_of_two.table.version == 3


@pytest.mark.parametrize("headers", OWN_ORIGINS, ids=str)
def test_form_from_an_own_page_is_accepted_with_any_origin_header(table_of_two: SeatedTable, headers: dict[str, str]):
    form = {"csrf_token": table_of_two.phone(0).token, "tap": "tap", "move": '{"type":"hike","steps":2}'}
    assert (
        table_of_two.phone(0).http.post(f"{table_of_two.path}/seat/0/play", data=form, headers=headers).status_code
        == 303
    )
    assert table_of_two.table.version == 4


@pytest.mark.parametrize("headers", FOREIGN_ORIGINS, ids=str)
def test_link_from_another_site_is_followed(table_of_two: SeatedTable, headers: dict[str, str]):
    assert table_of_two.phone(0).http.get(table_of_two.path, headers=headers).status_code == 200


# Behind a reverse proxy.

FORWARDED = {
    "X-Forwarded-For": "203.0.113.9, 192.0.2.1",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
}


@pytest.mark.slow("several apps")
@pytest.mark.parametrize(
    ("proxies", "address", "scheme"), [(0, "127.0.0.1", "http"), (1, "192.0.2.1", "https"), (2, "203.0.113.9", "https")]
)
def test_proxy_headers_are_used_only_when_configured(tmp_path, proxies: int, address: str, scheme: str):
    app = create_app(tmp_path, PROXIES=proxies)
    with app.test_client() as http:
        assert http.get("/about", headers=FORWARDED).status_code == 200
        assert (request.remote_addr, request.scheme, request.host) == (address, scheme, "localhost")
    app.extensions["waymark"].store.db.conn.close()
