"""An instance in one file: a copy made while it runs, and back again. Keys are in it, for phones keep their seats by them."""

import contextlib
import os
import shutil
import sqlite3
import struct
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from companion.storage.store import Store, UnreadableDatabaseError, refuse_empty
from companion.system.files import private_opener
from companion.system.paths import DATABASE_NAME, KEY_NAMES

WAL_NAMES = (f"{DATABASE_NAME}-wal", f"{DATABASE_NAME}-shm")  # what SQLite may have put beside the tables
BUSY_TIMEOUT = 5.0  # seconds for another program that holds the file
# What reading a bad archive can end in; and, of its content, what is no fault of the disk.
ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError)
READ_ERRORS = (*ARCHIVE_ERRORS, OSError, OverflowError, RuntimeError)


class BackupError(Exception):
    """It cannot be done, or not without --force; nothing has been changed. The text says why."""


def backup(instance: Path, file: Path, force: bool = False) -> None:
    """Write the tables and keys of an instance to a file, whole or not at all, for this account's eyes only.

    :raises Refused: when the file is there, or the tables cannot be read whole.
    """
    if not (instance / DATABASE_NAME).exists():
        raise BackupError(f"{instance}: no tables here yet")
    try:
        refuse_empty(instance / DATABASE_NAME)
    except UnreadableDatabaseError as fault:
        raise BackupError(str(fault)) from None
    if file.is_dir():
        raise BackupError(f"{file} is a folder. Give the name of a file to write.")
    if not file.parent.is_dir():
        raise BackupError(f"{file.parent}: there is no such folder")
    if file.exists() and not force:
        raise BackupError(f"{file} is there already; --force writes over it.")
    with _temporary_folder(file.parent) as room:
        _copy_database(instance / DATABASE_NAME, room / DATABASE_NAME)
        with open(_create_private(room / "backup"), "wb") as out:
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(room / DATABASE_NAME, DATABASE_NAME)
                for key in KEY_NAMES:
                    if (instance / key).exists():
                        archive.write(instance / key, key)
            out.flush()
            os.fsync(out.fileno())
        os.replace(room / "backup", file)


def _copy_database(database: Path, target: Path) -> None:
    """Copy the tables as they are at one moment, the part that lies in the WAL file included."""
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", timeout=BUSY_TIMEOUT, uri=True)) as db:
            db.execute("VACUUM INTO ?", [str(target)])
    except sqlite3.Error as fault:
        raise BackupError(
            f"{database} cannot be copied whole: {fault}. waymark export --all saves what can be read."
        ) from fault


def restore(file: Path, instance: Path, force: bool = False) -> Path | None:
    """Put a backup into an instance that is empty, or with `force` in place of what is there; return where that is kept.

    :raises Refused: when the file is no sound backup, something is there, or a Waymark has it open.
    """
    with open(file, "rb") as raw, _open_archive(file, raw) as archive:
        names = archive.namelist()
        instance.mkdir(parents=True, exist_ok=True)
        there = [name for name in (DATABASE_NAME, *WAL_NAMES, *KEY_NAMES) if (instance / name).exists()]
        if there and not force:
            raise BackupError(f"{instance} has tables already; --force puts them aside and takes those of the backup.")
        with _temporary_folder(instance) as room:
            for name in names:
                try:
                    _unpack(archive, name, room / name)
                except ARCHIVE_ERRORS as fault:  # what `testzip` reads in other portions and may not notice
                    raise BackupError(f"{file}: no backup of Waymark, or damaged") from fault
            _check_database(file, room / DATABASE_NAME)
            _require_unused(instance / DATABASE_NAME)
            aside = _move_existing(instance, there) if there else None
            for name in sorted(
                names, key=lambda name: name == DATABASE_NAME
            ):  # with the tables it is there: they come last
                os.replace(room / name, instance / name)
    return aside


def _open_archive(file: Path, raw: BinaryIO) -> zipfile.ZipFile:
    """Return a backup, every byte of it read once."""
    try:
        archive = zipfile.ZipFile(raw)
        names, spoilt = archive.namelist(), archive.testzip()
    except READ_ERRORS as fault:
        raise BackupError(f"{file}: no backup of Waymark, or damaged") from fault
    if spoilt or DATABASE_NAME not in names or len(set(names)) < len(names) or set(names) - {DATABASE_NAME, *KEY_NAMES}:
        raise BackupError(f"{file}: no backup of Waymark, or damaged")
    return archive


def _unpack(archive: zipfile.ZipFile, name: str, target: Path) -> None:
    with archive.open(name) as packed, open(_create_private(target), "wb") as file:
        shutil.copyfileobj(packed, file)
        file.flush()
        os.fsync(file.fileno())


def _check_database(file: Path, database: Path) -> None:
    """Look whether tables are sound and can be read by this Waymark, and bring them up to it."""
    try:
        with closing(sqlite3.connect(database)) as db:
            sound = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if sound != "ok":
                raise BackupError(f"{file}: the tables in this backup are damaged ({sound.splitlines()[-1]})")
            db.execute("SELECT 1 FROM entries JOIN tables LIMIT 1")
        Store(database).close()
    except (sqlite3.Error, UnreadableDatabaseError) as fault:
        raise BackupError(f"{file}: the tables in this backup cannot be read: {fault}") from fault


def _require_unused(database: Path) -> None:
    """Look whether a running Waymark has the tables open: then SQLite cannot put the file back into one piece.

    What is too damaged for SQLite to open is not asked.
    """
    if not database.exists():
        return
    with closing(sqlite3.connect(database, timeout=0)) as db:
        try:
            db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.DatabaseError as fault:
            if fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BackupError(
                    f"A Waymark is running with the tables in {database.parent}. Stop it first."
                ) from fault


def _move_existing(instance: Path, names: list[str]) -> Path:
    stem = time.strftime("before-%Y%m%d-%H%M%S")
    aside = instance / stem
    for number in range(2, 1000):
        with contextlib.suppress(FileExistsError):
            aside.mkdir(mode=0o700)
            break
        aside = instance / f"{stem}-{number}"
    for name in names:
        if (instance / name).exists():  # what lay beside the tables may have gone into them
            os.replace(instance / name, aside / name)
    return aside


@contextlib.contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    """Give a folder on the same disk that nobody else can look into; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=".waymark-", dir=folder) as room:
        yield Path(room)


def _create_private(path: Path) -> int:
    """Return a new file that only this account can read."""
    return private_opener(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0))
