"""Tests of two servers behind nginx with the configuration of this repository."""

import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.storage.store import ALPHABET
from companion.system.paths import CHECKOUT
from tests.support.finished_tables import large_photo
from tests.support.server_processes import HttpPhone, ServerProcess, free_port, start_waymark

pytestmark = pytest.mark.long("nginx and servers in separate processes")

CONFIGURATION = CHECKOUT / "deploy" / "nginx.conf"
# The options at the head of the file.
CODE_LETTERS = re.findall("--codes ([A-Z]+)", CONFIGURATION.read_text())
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or ""
NGINX_CONFIGURATION = """daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def render_configuration(ports: dict[str, int]) -> str:
    """Return the configuration of the repository with other ports."""
    text = re.sub(
        r"(listen |:)(80|8001|8002);", lambda found: f"{found[1]}{ports[found[2]]};", CONFIGURATION.read_text()
    )
    return text if _has_ipv6() else re.sub(r" *listen \[::\].*\n", "", text)


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::", 0))
    except OSError:
        return False
    return True


class ProxiedServers:
    """Two servers and an nginx in front of them."""

    def __init__(self, folder: Path):
        assert NGINX, "nginx is missing: apt-get install nginx-light"
        self.folder = folder
        self.ports = {"80": free_port(), "8001": free_port(), "8002": free_port()}
        self.waymarks: list[ServerProcess] = []
        self.nginx: ServerProcess | None = None

    def open(self) -> None:
        folder = self.folder
        for number in range(2):
            self.start(number)
        (folder / "site.conf").write_text(render_configuration(self.ports))
        (folder / "nginx.conf").write_text(
            NGINX_CONFIGURATION.format(folder=folder, user="user root;" if os.geteuid() == 0 else "")
        )
        command = [NGINX, "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"]
        self.nginx = ServerProcess(command, self.ports["80"], folder / "nginx.log")

    def start(self, number: int) -> None:
        """Start or restart a server; the second one gets the key of the first."""
        instance = self.folder / f"instance-{number}"
        instance.mkdir(exist_ok=True)
        if number:
            shutil.copy(self.folder / "instance-0" / "secret", instance)
        options = ("--codes", CODE_LETTERS[number], "--proxies", 1, "--name", "waymark.example")
        self.waymarks[number:] = [start_waymark(instance, self.ports[f"800{number + 1}"], *options)]

    def phone(self) -> HttpPhone:
        return HttpPhone(self.ports["80"])

    def open_at(self, number: int, *names: str) -> tuple[HttpPhone, str]:
        """Return a phone that nginx has assigned to this server, and the table it has opened there."""
        for _ in range(40):  # nginx assigns phones at random
            phone = self.phone()
            code = phone.open(*names)
            if code[0] in CODE_LETTERS[number]:
                return phone, code
        raise AssertionError(f"forty phones, and none has come to Waymark {number}")

    def close(self) -> None:
        processes = [process for process in (self.nginx, *self.waymarks) if process]
        for process in processes:
            process.stop()
        assert not [process.output for process in processes if "Traceback" in process.output]


@pytest.fixture(scope="module")
def proxied_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServers]:
    club = ProxiedServers(tmp_path_factory.mktemp("club"))
    with closing(club):
        club.open()
        yield club


def test_code_letters_are_divided_between_the_servers_as_in_nginx():
    assert sorted("".join(CODE_LETTERS)) == sorted(ALPHABET)
    assert re.findall(r"\^/\[tr\]/\[([A-Z]+)\]", CONFIGURATION.read_text()) == CODE_LETTERS


def test_phone_plays_at_tables_of_both_servers(proxied_servers: ProxiedServers):
    phone, first_table = proxied_servers.open_at(0, "Ana", "Bo")
    _, second_table = proxied_servers.open_at(1, "Cy", "Di")
    for code in (first_table, second_table):
        phone.sit(code, 0)
        answer = phone.hike(code, 0)
        assert (answer.status, answer.redirect_path) == (303, f"/t/{code}/seat/0")
        assert phone.get(f"/t/{code.lower()}/seat/0").status == 200


def test_phone_is_always_assigned_to_the_same_home(proxied_servers: ProxiedServers):
    for number in range(2):
        phone, code = proxied_servers.open_at(number, "Ana", "Bo")
        assert {phone.open("Ana", "Bo")[0] in CODE_LETTERS[number] for _ in range(6)} == {True}
        assert code in phone.get("/tables").text


def test_code_redirects_to_its_table_from_both_servers(proxied_servers: ProxiedServers):
    phones, codes = zip(*(proxied_servers.open_at(number, "Ana", "Bo") for number in range(2)), strict=True)
    for phone in phones:
        for code in codes:
            answer = phone.post("/join", code=code.lower())
            assert (answer.status, answer.redirect_path) == (303, f"/t/{code}")
            assert phone.get(answer.redirect_path).status == 200


def test_result_and_photos_are_shown_from_both_servers(proxied_servers: ProxiedServers):
    for number in range(2):
        phone, _ = proxied_servers.open_at(number, "Ana", "Bo")
        rows = {"players-0-name": "Ana", "players-0-points": 3, "players-1-name": "Bo", "players-1-points": 2}
        path = phone.post("/history/new", game="trails", day="2026-01-02", **rows).redirect_path
        assert path[3] in CODE_LETTERS[number]
        assert phone.upload_file(f"{path}/photos", "photo", "table.jpg", large_photo()).status == 303
        assert "Photo 1 of the table" in proxied_servers.open_at(1 - number, "Cy", "Di")[0].get(path.lower()).text


@pytest.mark.parametrize("number", range(2))
def test_live_update_is_delivered_immediately(proxied_servers: ProxiedServers, number: int):
    phone, code = proxied_servers.open_at(number, "Ana", "Bo")
    phone.sit(code, 0)
    with proxied_servers.phone().open_stream(code) as news:
        before = next_version(news)
        assert phone.hike(code, 0).status == 303
        assert next_version(news) > before  # the stream is still open, so nothing buffers it


def next_version(news: Iterator[str]) -> int:
    """Return the next version of a stream."""
    return next(int(line.partition(" ")[2]) for line in news if line.startswith("data: "))


def test_health_page_is_answered_by_nginx_and_each_server(proxied_servers: ProxiedServers):
    for port in proxied_servers.ports.values():
        assert HttpPhone(port).get("/healthz")[::2] == (200, b"ok\n")


def test_stopped_server_affects_only_its_own_tables(proxied_servers: ProxiedServers):
    phone, first_table = proxied_servers.open_at(0, "Ana", "Bo")
    other, second_table = proxied_servers.open_at(1, "Cy", "Di")
    for code in (first_table, second_table):
        phone.sit(code, 0)
    proxied_servers.waymarks[1].stop()
    assert phone.hike(first_table, 0).status == 303
    for answer in (phone.get(f"/t/{second_table}/seat/0"), phone.hike(second_table, 0)):
        assert answer.status == 503 and "Nothing is lost" in answer.text and answer.headers["Retry-After"]
    assert other.get("/").status == 200  # its phone opens tables at the other server
    assert other.open("Cy", "Di")[0] in CODE_LETTERS[0]
    proxied_servers.start(1)
    assert phone.hike(second_table, 0).status == 303
