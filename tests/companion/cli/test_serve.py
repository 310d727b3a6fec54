"""Tests of `waymark serve`: its output at the start, its options and its errors."""

import datetime
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from companion import __version__
from companion.cli import serve
from companion.cli.main import main
from companion.cli.serve import DEFAULT_PORT
from companion.cli.shared import CommandError
from companion.rendering import pdf
from companion.service import clock
from companion.storage.store import ALPHABET, Store
from companion.system import network
from companion.system.paths import CHECKOUT, DATABASE_NAME
from companion.web.app import create_app
from tests.support.command import CommandResult, has_failed_with
from tests.support.phones import Phone, open_seated_table

pytestmark = pytest.mark.slow("servers in separate processes")

WIFI, DOCKER = "192.168.1.20", "172.17.0.1"


@pytest.fixture
def start_server(run_waymark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., CommandResult]:
    """Return a function that starts the server up to the point where it would answer.

    Afterwards `start.app` is the app, `start.name` the address of the socket and `start.watch` the address watcher.
    """

    def run(app, listening: socket.socket) -> None:
        start.app, start.name = app, listening.getsockname()
        for thread in threading.enumerate():
            if thread.name == "no pdf":
                thread.join()

    monkeypatch.setattr(network, "local_addresses", lambda: [WIFI, DOCKER])
    monkeypatch.setattr(network.AddressWatcher, "start", lambda self: setattr(start, "watch", self))
    monkeypatch.setattr(pdf, "unavailable_reason", lambda: None)
    monkeypatch.setattr(serve, "_run_server", run)

    def start(*options: object) -> CommandResult:
        result = run_waymark("serve", "--instance", tmp_path / "here", "--port", "0", *options)
        if app := vars(start).get("app"):
            app.extensions["waymark"].store.db.conn.close()
        return result

    start.watch = None
    return start


def test_best_address_has_a_qr_code_and_the_others_are_listed(start_server, tmp_path: Path):
    output = start_server()
    port = start_server.name[1]
    assert (output.status, output.err) == (0, "") and "\u2588" in output.out
    lines = [line for line in output.out.splitlines() if line and not set(line) <= set("\u2588\u2580\u2584 ")]
    assert lines[:4] == [
        f"Waymark is running at http://{WIFI}:{port}",
        f"  also at http://{DOCKER}:{port}",
        "On a phone on the same network, scan the code or enter the address.",
        f"Tables are saved in {tmp_path / 'here'}.",
    ]
    assert lines[-1] == "Press Ctrl+C to stop. Nothing is lost."
    assert start_server.app.config["LAN_ADDRESS"] == WIFI


def test_new_network_address_is_printed_and_used_for_codes(
    start_server, capsys: pytest.CaptureFixture[str], monkeypatch
):
    start_server()
    monkeypatch.setattr(network, "local_addresses", lambda: ["10.1.2.3"])
    start_server.watch.check()
    assert f"Waymark is running at http://10.1.2.3:{start_server.name[1]}\n" in capsys.readouterr().out
    assert start_server.app.config["LAN_ADDRESS"] == "10.1.2.3"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_server_for_this_computer_only_draws_no_code(start_server, host: str):
    output = start_server("--host", host)
    assert "only for this computer. To let phones connect, use --host 0.0.0.0." in output.out
    assert "\u2588" not in output.out and start_server.watch is None


def test_server_without_a_network_reports_it_and_keeps_watching(start_server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(network, "local_addresses", list)
    output = start_server()
    assert (
        f"http://localhost:{start_server.name[1]}, only for this computer, because it is not connected to a network."
        in output.out
    )
    assert "\u2588" not in output.out and "LAN_ADDRESS" not in start_server.app.config and start_server.watch


def test_chosen_address_is_shown_to_phones(start_server):
    output = start_server("--address", "games.example", "--address", "2001:db8::7")
    port = start_server.name[1]
    assert f"running at http://games.example:{port}\n  also at http://[2001:db8::7]:{port}\n" in output.out
    assert start_server.app.config["LAN_ADDRESS"] == "games.example" and start_server.watch is None
    assert "games.example" in start_server.app.config["HOSTS"]


def test_serve_options_reach_the_app_config(start_server):
    start_server("--name", "one.example", "--name", "two.example", "--proxies", "2", "--codes", "bcd")
    config = start_server.app.config
    assert (config["HOSTS"][:2], config["PROXIES"], config["CODES"]) == (("one.example", "two.example"), 2, "BCD")


def test_server_behind_a_proxy_reports_it(start_server):
    output = start_server("--host", "127.0.0.1", "--proxies", "1")
    assert f"Waymark is running at http://localhost:{start_server.name[1]}, behind a proxy.\n" in output.out


def test_servers_sharing_a_folder_have_separate_codes_and_one_home(tmp_path: Path):
    apps = [create_app(tmp_path, CODES=letters) for letters in ("BCD", "XZ")]
    first, second = tables = [open_seated_table(app, "Ana", "Bo") for app in apps]
    assert first.code[0] in "BCD" and second.code[0] in "XZ"
    phone = Phone(apps[1])
    phone.http.set_cookie("waymark", first.phone(0).http.get_cookie("waymark").value)
    assert first.code in phone.open("/").text
    for code in (first.code, second.code):
        assert phone.post("/join", {"code": code}).headers["Location"] == f"/t/{code}"
    assert phone.post("/join", {"code": "XXXXX"}).status_code == 404
    # The other server may know this table.
    assert phone.post("/join", {"code": "BBBBB"}).headers["Location"] == "/t/BBBBB"
    for table in tables:
        table.referee.store.db.conn.close()


def test_table_code_starts_with_one_of_the_given_letters(tmp_path: Path):
    from tests.companion.storage.test_store import OPENING

    store = Store(tmp_path / DATABASE_NAME, "XZ")
    codes = [store.open_table(OPENING).code for _ in range(30)]
    store.db.conn.close()
    assert {code[0] for code in codes} == {"X", "Z"} and len({code[1] for code in codes}) > 2


def test_terminal_that_cannot_draw_a_code_shows_no_code(monkeypatch: pytest.MonkeyPatch):
    class Old:
        encoding = "cp1252"

    monkeypatch.setattr(serve.sys, "stdout", Old)
    assert serve._terminal_qr("http://192.168.1.20:8000") == ""


def test_server_without_pdf_support_reports_it_at_the_start(start_server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pdf, "unavailable_reason", lambda: "No PDFs, because Pango is missing.")
    assert "No PDFs, because Pango is missing.\n" in start_server().out


WRONG = [
    (["--port", "-1"], "'--port': -1 is not in the range 0 to 65535"),
    (["--port", "99999"], "'--port': 99999 is not in the range 0 to 65535"),
    (["--port", "8e3"], "'--port': '8e3' is not a valid whole number"),
    (["--port", "9" * 5000], "is not a valid whole number"),
    (["--host", "no.such.host.invalid"], "--host no.such.host.invalid is not an address of this computer."),
    (["--host", "a..b"], "--host a..b is not an address of this computer."),
    (["--host", "192.0.2.77"], "--host 192.0.2.77 is not an address of this computer."),
    (["--address", "http://me:80"], "'--address': http://me:80. Use a name or an address like"),
    (["--name", "me:80"], "'--name': me:80. Use a name"),
    (["--proxies", "-1"], "'--proxies': -1 is not in the range 0 to 9"),
    (["--codes", "ABC"], f"'--codes': ABC. Use some of the letters {ALPHABET}"),
    (["--codes", "BB"], "'--codes': BB. Use some of"),
    (["--codes", ""], "'--codes': . Use some of"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_invalid_option_is_reported_in_one_line(start_server, options: list[str], message: str):
    assert has_failed_with(start_server(*options), message)


def test_instance_path_that_is_a_file_is_reported_in_one_line(run_waymark, tmp_path: Path):
    (tmp_path / "here").write_text("a shopping list")
    assert has_failed_with(run_waymark("serve", "--instance", tmp_path / "here"), "is a file.")


def test_file_that_is_no_database_is_reported_in_one_line(start_server, tmp_path: Path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / DATABASE_NAME).write_bytes(b"a shopping list, long enough to be one" * 40)
    assert has_failed_with(start_server(), "file is not a database")


def test_database_of_a_newer_version_is_reported_in_one_line(start_server, tmp_path: Path):
    start_server()
    store = Store(tmp_path / "here" / DATABASE_NAME)
    store.db["_sqlite_migrations"].insert({"migration_set": "waymark", "name": "tomorrow", "applied_at": "2030"})
    store.db.conn.close()
    assert has_failed_with(start_server(), "A newer version of Waymark wrote them (tomorrow). Update Waymark")


def test_invalid_key_is_reported_in_one_line(start_server, tmp_path: Path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "secret").write_text("")
    assert has_failed_with(start_server(), "secret is empty")


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="rights are different on this system")
@pytest.mark.parametrize("file", ["folder", "file"])
def test_folder_or_file_that_is_read_only_is_reported_in_one_line(
    run_waymark, start_server, shared_folder: Path, file: str
):
    start_server()  # imports everything while the account may still read all files
    Store(shared_folder / DATABASE_NAME).db.conn.close()
    (shared_folder / "secret").write_text("0" * 64)
    (shared_folder / "secret").chmod(0o644)
    (shared_folder / DATABASE_NAME).chmod(0o444)
    shared_folder.chmod(0o555 if file == "folder" else 0o777)
    if os.geteuid() == 0:
        os.seteuid(65534)
    assert has_failed_with(
        run_waymark("serve", "--instance", shared_folder, "--port", 0),
        f"Cannot open the tables in {shared_folder}. ",
    )


# The port.


class FakePorts:
    """A computer on which some ports are taken."""

    def __init__(self, *used_ports: int):
        self.taken = used_ports
        self.asked: list[int] = []

    def __call__(self, host: str, port: int) -> int:
        self.asked.append(port)
        if port in self.taken:
            raise OSError(98, "Address already in use (while attempting to bind)")
        return port


def test_next_free_port_is_used_when_the_default_is_taken():
    ports = FakePorts(DEFAULT_PORT, DEFAULT_PORT + 1)
    assert serve._open_socket(ports, "0.0.0.0", DEFAULT_PORT) == DEFAULT_PORT + 2
    assert ports.asked == [DEFAULT_PORT, DEFAULT_PORT + 1, DEFAULT_PORT + 2]


def test_requested_port_that_is_taken_is_not_replaced():
    with pytest.raises(
        CommandError, match="^Cannot listen on 0.0.0.0:9000: Address already in use. Try another --port.$"
    ):
        serve._open_socket(FakePorts(9000), "0.0.0.0", 9000)


def test_taken_port_is_reported_in_one_line(start_server):
    with socket.create_server(("127.0.0.1", 0)) as other:
        output = start_server("--host", "127.0.0.1", "--port", other.getsockname()[1])
    assert has_failed_with(output, "Address already in use. Try another --port.")


def test_wrong_clock_is_reported_at_the_start(start_server, monkeypatch: pytest.MonkeyPatch):
    wrong = "This computer’s clock looks wrong. It says 1 Jan 2020, but this version is from "
    assert wrong[:25] not in start_server("--host", "127.0.0.1").out
    monkeypatch.setattr(clock, "now", lambda: datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))
    assert wrong in start_server("--host", "127.0.0.1").out


# The command itself.


def test_version_is_printed(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0 and capsys.readouterr().out == f"waymark {__version__}\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_full_output_device_is_reported_in_one_line():
    with open("/dev/full", "w") as full:
        result = write_score(full)
    assert (result.returncode, result.stderr) == (2, "Cannot write to standard output: No space left on device.\n")


def write_score(output: IO) -> subprocess.CompletedProcess:
    """Run `waymark score` with its standard output going to `out`."""
    file = '{"game": "trails", "players": [{"name": "Ana"}, {"name": "Bo"}]}'
    command = [sys.executable, "-m", "companion", "score", "-"]
    return subprocess.run(command, input=file, stdout=output, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT)


def test_closed_output_pipe_causes_no_error():
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as pipe:
        result = write_score(pipe)
    assert (result.returncode, result.stderr) == (0, "")
