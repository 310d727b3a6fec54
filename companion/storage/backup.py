"""Backup and restore of an instance as one file, also while it is running.

The backup includes the keys, because phones keep their seats by them.
"""

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

from companion.storage.database import BUSY_TIMEOUT, UnreadableDatabaseError, refuse_empty, wal_files
from companion.storage.store import Store
from companion.system.files import private_opener
from companion.system.paths import DATABASE_NAME, KEY_NAMES

# Errors from reading a bad archive. ARCHIVE_ERRORS come from its content and not from the disk.
ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError)
READ_ERRORS = (*ARCHIVE_ERRORS, OSError, OverflowError, RuntimeError)


class BackupError(Exception):
    """The operation is impossible or needs --force; nothing was changed."""


def backup(instance: Path, file: Path, force: bool = False) -> None:
    """Write the database and keys of an instance to a file that only this account can read.

    The file is written completely or not at all.

    :raises BackupError: when the file exists and `force` is not set, when its folder does not exist, or when the
        database cannot be read completely.
    """
    if not (instance / DATABASE_NAME).exists():
        raise BackupError(f"{instance} has no tables yet. Start a game with waymark serve.")
    try:
        refuse_empty(instance / DATABASE_NAME)
    except UnreadableDatabaseError as error:
        raise BackupError(str(error)) from None
    if file.is_dir():
        raise BackupError(f"{file} is a folder. Give a file name.")
    if not file.parent.is_dir():
        raise BackupError(f"There is no folder {file.parent}. Create it first.")
    if file.exists() and not force:
        raise BackupError(f"{file} already exists. To replace it, add --force.")
    with _temporary_folder(file.parent) as temporary:
        _copy_database(instance / DATABASE_NAME, temporary / DATABASE_NAME)
        with (
            _private_file(temporary / "backup") as output,
            zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            archive.write(temporary / DATABASE_NAME, DATABASE_NAME)
            for key in KEY_NAMES:
                if (instance / key).exists():
                    archive.write(instance / key, key)
        os.replace(temporary / "backup", file)


def _copy_database(database: Path, target: Path) -> None:
    """Copy a consistent snapshot of the database, including the part in the WAL file."""
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", timeout=BUSY_TIMEOUT, uri=True)) as db:
            db.execute("VACUUM INTO ?", [str(target)])
    except sqlite3.Error as error:
        raise BackupError(
            f"Cannot copy {database}: {error}. Save the readable part with waymark export --all."
        ) from error


def restore(file: Path, instance: Path, force: bool = False) -> Path | None:
    """Restore a backup into an empty instance, or with `force` in place of existing data.

    :return: the folder to which the existing data has been moved, if there was any.
    :raises BackupError: when the file is no valid backup, when data exists and `force` is not set, or when a
        running Waymark has the database open.
    """
    with open(file, "rb") as raw, _open_archive(file, raw) as archive:
        names = archive.namelist()
        instance.mkdir(parents=True, exist_ok=True)
        wal_names = (file.name for file in wal_files(instance / DATABASE_NAME))
        existing_names = [name for name in (DATABASE_NAME, *wal_names, *KEY_NAMES) if (instance / name).exists()]
        if existing_names and not force:
            raise BackupError(f"{instance} already has tables. To move them to a subfolder first, add --force.")
        with _temporary_folder(instance) as temporary:
            for name in names:
                try:
                    with archive.open(name) as packed, _private_file(temporary / name) as unpacked:
                        shutil.copyfileobj(packed, unpacked)
                except ARCHIVE_ERRORS as error:  # `testzip` reads in other portions and may miss it
                    raise BackupError(f"{file} is not a Waymark backup, or it is damaged.") from error
            _check_database(file, temporary / DATABASE_NAME)
            _require_unused(instance / DATABASE_NAME)
            old_folder = _move_existing(instance, existing_names) if existing_names else None
            # The database comes last, because the instance counts as restored once it is there.
            for name in sorted(names, key=lambda name: name == DATABASE_NAME):
                os.replace(temporary / name, instance / name)
    return old_folder


def _open_archive(file: Path, raw: BinaryIO) -> zipfile.ZipFile:
    """Return a backup as an archive after reading every byte of it once."""
    try:
        archive = zipfile.ZipFile(raw)
        names = archive.namelist()
        has_right_names = {DATABASE_NAME} <= set(names) <= {DATABASE_NAME, *KEY_NAMES} and len(set(names)) == len(names)
        if archive.testzip() or not has_right_names:
            raise zipfile.BadZipFile
    except READ_ERRORS as error:
        raise BackupError(f"{file} is not a Waymark backup, or it is damaged.") from error
    return archive


def _check_database(file: Path, database: Path) -> None:
    """Check that a database is intact and readable, and migrate it to this version."""
    try:
        with closing(sqlite3.connect(database)) as db:
            check_result = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if check_result != "ok":
                raise BackupError(f"The tables in {file} are damaged ({check_result.splitlines()[-1]}).")
            db.execute("SELECT 1 FROM entries JOIN tables LIMIT 1")
        Store(database).close()
    except (sqlite3.Error, UnreadableDatabaseError) as error:
        raise BackupError(f"Cannot read the tables in {file}: {error}.") from error


def _require_unused(database: Path) -> None:
    """Require that no running Waymark has the database open; SQLite could not merge its files.

    A database too damaged for SQLite to open is not checked.

    :raises BackupError: when a running Waymark has it open.
    """
    if not database.exists():
        return
    with closing(sqlite3.connect(database, timeout=0)) as db:
        try:
            db.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BackupError(f"Waymark is running with the tables in {database.parent}. Stop it first.") from error


def _move_existing(instance: Path, names: list[str]) -> Path:
    stem = time.strftime("before-%Y%m%d-%H%M%S")
    target = instance / stem
    for number in range(2, 1000):
        with contextlib.suppress(FileExistsError):
            target.mkdir(mode=0o700)
            break
        target = instance / f"{stem}-{number}"
    for name in names:
        if (instance / name).exists():  # SQLite may have merged the WAL files into the database
            os.replace(instance / name, target / name)
    return target


@contextlib.contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    """Yield a private folder on the same disk that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix=".waymark-", dir=folder) as path:
        yield Path(path)


@contextlib.contextmanager
def _private_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file that only this account can read; in the end, it is on the disk."""
    with open(path, "xb", opener=private_opener) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
