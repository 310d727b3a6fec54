"""Tests of the systemd service file and of the health page."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.storage import database
from companion.storage.store import Store
from companion.system.paths import CHECKOUT
from tests.support.command import parse_command
from tests.support.phones import Phone

SERVICE = CHECKOUT / "deploy" / "waymark.service"
linux = pytest.mark.skipif(sys.platform != "linux", reason="services are different on this system")
MOST_EXPOSED = 20  # of 100; systemd calls values up to 49 OK


def analyze(*arguments: object) -> str:
    """Return the complaints of systemd-analyze."""
    tool = shutil.which("systemd-analyze")
    assert tool, "systemd-analyze is missing: apt-get install systemd"
    result = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    return result.stderr + (result.stdout if result.returncode else "")


@pytest.fixture
def service(tmp_path: Path) -> Path:
    """Return a copy of the service file with an existing program in place of Waymark's."""
    text = SERVICE.read_text()
    assert text.count("/opt/waymark/bin/waymark") == 1
    (tmp_path / SERVICE.name).write_text(text.replace("/opt/waymark/bin/waymark", sys.executable))
    return tmp_path / SERVICE.name


@pytest.mark.long("asks systemd")
@linux
def test_service_file_is_valid_for_systemd(service: Path):
    assert analyze("verify", "--man=no", service) == ""


@pytest.mark.long("asks systemd")
@linux
def test_service_file_is_secure_for_systemd(service: Path):
    assert analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}", service) == ""


@pytest.mark.long("asks systemd")
@linux
def test_systemd_analyze_finds_an_invalid_setting(service: Path):
    service.write_text(service.read_text().replace("StateDirectory=", "StateFolder=", 1))
    assert "StateFolder" in analyze("verify", "--man=no", service)


@pytest.mark.long("asks systemd")
@linux
def test_systemd_analyze_finds_missing_restrictions(service: Path):
    sections = ("System", "Capab", "Restrict", "User=")
    service.write_text("\n".join(line for line in service.read_text().splitlines() if not line.startswith(sections)))
    assert analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}", service)


def test_service_file_starts_a_valid_command():
    (command,) = (line.partition("=")[2] for line in SERVICE.read_text().splitlines() if line.startswith("ExecStart="))
    program, *arguments = command.split()
    assert program == "/opt/waymark/bin/waymark" and parse_command(*arguments).params["port"] == 8000


# The health page.


def test_health_page_is_ok_without_a_cookie(app):
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")
    assert "Set-Cookie" not in answer.headers and answer.headers["Cache-Control"] == "no-store"


def test_health_page_reports_a_full_disk(phone: Phone, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database.shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1000, 999, 1))
    answer = phone.get("/healthz")
    assert answer.status_code == 503 and "that runs Waymark is full" in answer.text and answer.text.count("\n") == 1


def test_health_page_reports_a_database_held_by_another_program(phone: Phone, monkeypatch: pytest.MonkeyPatch):
    store = phone.app.extensions["waymark"].store
    other = Store(store.path)
    store.db.execute("PRAGMA busy_timeout = 20")
    try:
        with other.transaction():
            answer = phone.get("/healthz")
    finally:
        store.db.execute(f"PRAGMA busy_timeout = {int(database.BUSY_TIMEOUT * 1000)}")
        other.db.conn.close()
    assert answer.status_code == 503 and "Another program is using the database" in answer.text
    assert phone.get("/healthz").status_code == 200
