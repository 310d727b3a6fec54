"""Files of an instance: private to this account, written completely or not at all, synced."""

import contextlib
import os
from pathlib import Path

OTHERS_RIGHTS = 0o077  # the permissions of everyone but the file's owner


def private_opener(path: str | Path, flags: int) -> int:
    """Open a file with access for this account only, regardless of the umask.

    To be passed to `open` as its `opener`.
    """
    handle = os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):  # the file may belong to another account
            os.fchmod(handle, 0o600)
    return handle


def make_private(*paths: Path) -> None:
    """Make these files private to this account, skipping missing files."""
    for path in paths:
        with contextlib.suppress(OSError):  # the file may belong to another account
            mode = path.stat().st_mode
            if mode & OTHERS_RIGHTS:
                path.chmod(mode & 0o700)


def sync_folder(folder: Path) -> None:
    """Sync a folder's list of files to the disk, where the system allows it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
