"""Files of an instance: for this account alone, whole or not there at all, and on the disk."""

import contextlib
import os
from pathlib import Path

OTHERS_RIGHTS = 0o077  # the rights of everyone but the owner of a file


def private_opener(path: str | Path, flags: int) -> int:
    """Open a file for this account alone, whatever the umask; made for `open(opener=private)`."""
    handle = os.open(path, flags, 0o600)
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):  # the file may belong to another account
            os.fchmod(handle, 0o600)
    return handle


def make_private(*paths: Path) -> None:
    """Make these files private to this account; missing files are left out."""
    for path in paths:
        with contextlib.suppress(OSError):  # another account's file may be given to us to read
            mode = path.stat().st_mode
            if mode & OTHERS_RIGHTS:
                path.chmod(mode & 0o700)


def sync_folder(folder: Path) -> None:
    """Have the folder's list of files on the disk, where the system lets it be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
