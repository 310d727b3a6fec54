"""Tests of a wheel that is built from the checkout and installed in an empty environment."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion import __version__
from companion.system.paths import CHECKOUT
from tests.companion.cli.test_main import SCORE_DOCUMENT
from tests.support.pdf_content import page_count
from tests.support.server_processes import HttpPhone, ServerProcess, free_port, start_waymark

pytestmark = [pytest.mark.long("builds and installs a wheel"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-build-isolation"] if find_spec("hatchling") else []
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *options, "-w", folder, CHECKOUT)
    (built,) = folder.glob("waymark-*.whl")
    return built


@pytest.fixture(scope="module")
def other_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder outside the checkout."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def installed_command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the command in an environment with only the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", folder)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    return scripts / "waymark"


def run(*command: object, **options) -> str:
    """Return the output of a command, which must succeed."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, encoding="utf-8", **options)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_wheel_contains_templates_static_files_code_and_licenses(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in ("templates", "static"):
        files = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / folder).rglob("*") if path.is_file()}
        assert files and {f"companion/{name}" for name in files} <= names
    code = {
        path.relative_to(CHECKOUT).as_posix()
        for top in ("companion", "scoring")
        for path in (CHECKOUT / top).rglob("*.py")
    }
    assert "scoring/py.typed" in names
    assert code | {path.relative_to(CHECKOUT).as_posix() for path in CHECKOUT.glob("scoring/*/box.toml")} <= names
    assert len([name for name in names if "LICENSE" in name or "OFL" in name or "MIT" in name]) >= 5
    assert not [name for name in names if name.startswith(("tests", "instance", "docs"))]


def test_installed_command_prints_its_version_and_a_sheet(installed_command: Path, other_folder: Path):
    assert run(installed_command, "--version", cwd=other_folder) == f"waymark {__version__}\n"
    (other_folder / "game.json").write_text(json.dumps(SCORE_DOCUMENT), encoding="utf-8")
    run(installed_command, "print", "game.json", "-o", "sheet.pdf", cwd=other_folder)
    assert page_count((other_folder / "sheet.pdf").read_bytes()) == 1


@pytest.fixture(scope="module")
def installed_server(installed_command: Path, other_folder: Path) -> Iterator[ServerProcess]:
    server = start_waymark(other_folder / "tables", free_port(), command=(installed_command,), cwd=other_folder)
    with closing(server):
        yield server


def test_installed_server_serves_pages_and_files(installed_server: ServerProcess):
    phone = HttpPhone(installed_server.port)
    assert "New game" in phone.get("/").text
    assert phone.get("/static/css/waymark.css").status == 200
    assert (installed_server.output.count("Tables are saved in "), "Traceback" in installed_server.output) == (
        1,
        False,
    )


def test_table_is_opened_printed_backed_up_and_restored(
    installed_server: ServerProcess, installed_command: Path, other_folder: Path
):
    phone = HttpPhone(installed_server.port)
    code = phone.open("Ana", "Bo")
    phone.sit(code, 0)
    assert phone.hike(code, 0).status == 303
    sheet = phone.get(f"/t/{code}/score.pdf")
    assert sheet.status == 200 and page_count(sheet.body) == 1
    run(installed_command, "backup", "evening.zip", "--instance", other_folder / "tables", cwd=other_folder)
    run(
        installed_command,
        "restore",
        other_folder / "evening.zip",
        "--instance",
        other_folder / "again",
        cwd=other_folder.parent,
    )
    second_server = start_waymark(other_folder / "again", free_port(), command=(installed_command,), cwd=other_folder)
    with closing(second_server):
        phone.port = second_server.port
        assert phone.get(f"/t/{code}/seat/0").status == 200  # the table exists and the phone has its seat
    assert run(installed_command, "export", code, "--instance", other_folder / "again") == run(
        installed_command, "export", code, "--instance", other_folder / "tables"
    )


def test_default_instance_folder_follows_system_and_environment(
    installed_command: Path, other_folder: Path, tmp_path: Path
):
    home = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "WAYMARK_"))} | {
        "HOME": str(tmp_path)
    }
    ask = "from companion.system import paths; print(paths.instance_folder(), paths.is_checkout())"
    python = installed_command.with_name("python")
    instance, checkout = run(python, "-c", ask, cwd=other_folder, env=home).split()
    assert Path(instance).name == "waymark" and tmp_path in Path(instance).parents and checkout == "False"
    configured = run(python, "-c", ask, cwd=other_folder, env={**home, "WAYMARK_INSTANCE": str(tmp_path / "told")})
    assert configured.split()[0] == str(tmp_path / "told")
