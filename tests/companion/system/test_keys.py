"""Tests of key files: complete or absent, checked at the start, and shared by processes."""

import os
import re
import stat
from pathlib import Path

import pytest

from companion.system import keys
from companion.system.keys import InvalidKeyError, load_or_create_key
from companion.web.app import create_app, signing_key
from tests.support.command import send_line, start_processes

VALID_KEY = "5b" * 32


def make_key(path: Path) -> str:
    return load_or_create_key(path, lambda: VALID_KEY, "[0-9a-f]{64}", "all has to be told again")


@pytest.mark.slow("several starts")
def test_key_is_created_once_per_instance_and_is_private(tmp_path: Path):
    apps = [create_app(tmp_path / folder) for folder in ("one", "one", "two")]
    keys = [app.config["SECRET_KEY"] for app in apps]
    assert keys[0] == keys[1] != keys[2] and len(keys[0]) == 64
    assert stat.S_IMODE((tmp_path / "one" / "secret").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "one").iterdir() if path.name.startswith(".")] == []
    for app in apps:
        app.extensions["waymark"].store.db.conn.close()


BAD_KEYS = {
    "empty": "",
    "is incomplete": VALID_KEY[:40],
    "cut by one": VALID_KEY[:-1],
    "too long": VALID_KEY + "00",
    "other letters": "z" * 64,
    "not text": "\0" * 64,
    "not ASCII": "\u00e4" * 64,
}


@pytest.mark.slow("several starts")
@pytest.mark.parametrize("text", BAD_KEYS.values(), ids=BAD_KEYS)
def test_bad_key_is_reported_in_one_line_and_never_signs(tmp_path: Path, text: str):
    (tmp_path / "secret").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidKeyError) as error:
        create_app(tmp_path)
    message = str(error.value)
    assert str(tmp_path / "secret") in message and "\n" not in message
    assert "Restore it from a copy" in message and "every phone must take its seat again" in message
    assert (tmp_path / "secret").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("command", [["history"], ["history", "--json"], ["import"]])
def test_command_with_a_bad_key_of_the_owner_is_stopped_in_one_line(
    tmp_path: Path, run_waymark, write_file, command: list[str]
):
    create_app(tmp_path).extensions["waymark"].store.close()
    (tmp_path / "owner").write_text("cut")
    file = [write_file({"waymark": 1})] if command == ["import"] else []
    result = run_waymark(*command, *file, "--instance", tmp_path)
    assert result.status == 2 and result.err.count("\n") == 1
    assert "Restore it from a copy" in result.err


def test_key_with_a_line_end_is_accepted(tmp_path: Path):
    (tmp_path / "key").write_text(f"{VALID_KEY}\n")
    assert make_key(tmp_path / "key") == VALID_KEY


def test_key_readable_by_others_is_made_private(tmp_path: Path):
    (tmp_path / "key").write_text(VALID_KEY)
    (tmp_path / "key").chmod(0o644)
    assert make_key(tmp_path / "key") == VALID_KEY
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_key_that_cannot_be_read_or_written_is_reported_in_one_line(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "missing" / "key"):
        with pytest.raises(InvalidKeyError, match=f"^Cannot read or write the key {re.escape(str(path))}: .+[.]$"):
            make_key(path)


@pytest.mark.skipif(not hasattr(os, "seteuid") or os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize(("rights", "exists"), [(0o500, False), (0o000, True)])
def test_folder_without_permissions_is_reported_in_one_line(tmp_path: Path, rights: int, exists: bool):
    folder = tmp_path / "instance"
    folder.mkdir()
    if exists:
        (folder / "secret").write_text(VALID_KEY)
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == 0 and not path.stat().st_mode & 0o001:
            path.chmod(path.stat().st_mode | 0o011)
    os.chown(folder, 65534, 65534)
    folder.chmod(rights)
    os.seteuid(65534)
    try:
        with pytest.raises(InvalidKeyError, match="Permission denied[.]$"):
            signing_key(folder)
    finally:
        os.seteuid(0)


FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize("fails", ["fsync", "link and replace"])
def test_key_that_could_not_be_written_completely_is_absent(tmp_path: Path, monkeypatch, fails: str):
    def refuse(*_) -> None:
        raise FULL

    for name in fails.split(" and "):
        monkeypatch.setattr(keys.os, name, refuse)
    with pytest.raises(InvalidKeyError, match="No space left on device"):
        make_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch):
    results = []
    fsync, link = os.fsync, os.link

    def synced(handle: int) -> None:
        results.append("written" if stat.S_ISREG(os.fstat(handle).st_mode) else "listed")
        fsync(handle)

    def linked(old: str, new: Path) -> None:
        assert Path(old).read_text() == VALID_KEY and stat.S_IMODE(Path(old).stat().st_mode) == 0o600
        results.append("named")
        link(old, new)

    monkeypatch.setattr(keys.os, "fsync", synced)
    monkeypatch.setattr(keys.os, "link", linked)
    make_key(tmp_path / "key")
    assert results == ["written", "named", "listed"]


def test_slower_process_uses_the_key_of_the_first(tmp_path: Path, monkeypatch):
    link = os.link

    def link_after_other_process(old: str, new: Path) -> None:
        new.write_text("a1" * 32)
        link(old, new)

    monkeypatch.setattr(keys.os, "link", link_after_other_process)
    assert make_key(tmp_path / "key") == "a1" * 32
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_file_system_without_hard_links_stores_a_key(tmp_path: Path, monkeypatch):
    def refuse(*_) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(keys.os, "link", refuse)
    assert make_key(tmp_path / "key") == VALID_KEY == make_key(tmp_path / "key")
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


TOGETHER = """
import sys
from pathlib import Path
from companion.web.app import signing_key
print("ready", flush=True)
sys.stdin.readline()
print(signing_key(Path(sys.argv[1])))
"""


@pytest.mark.long("many processes")
def test_processes_that_start_simultaneously_have_the_same_key(tmp_path: Path):
    with start_processes(6, TOGETHER, str(tmp_path)) as processes:
        send_line(processes, "go")
        found = {item.stdout.readline() for item in processes}
    assert len(found) == 1 and [path.name for path in tmp_path.iterdir()] == ["secret"]
