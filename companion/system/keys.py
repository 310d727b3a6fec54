"""The key files of an instance: written completely or not at all, and checked on every read."""

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from companion.system.files import make_private, sync_folder


class InvalidKeyError(Exception):
    """A key file cannot be used; the message has its path, the reason, and the fix."""


def load_or_create_key(path: Path, make: Callable[[], str], pattern: str, loss_effect: str) -> str:
    """Return the key in a file; the first process to ask creates it, and all get the same key.

    :param make: returns a new key.
    :param pattern: the regular expression that every valid key matches.
    :param loss_effect: what losing the key costs, for the error message.
    :raises InvalidKeyError: when the file has no valid key, or cannot be read or written.
    """
    try:
        if not path.exists():
            _write_once(path, make())
        make_private(path)
        text = path.read_bytes().decode("ascii", "replace").strip()
    except OSError as error:
        raise InvalidKeyError(f"Cannot read or write the key {path}: {error.strerror}.") from error
    if not re.fullmatch(pattern, text):
        problem = "is incomplete or changed" if text else "is empty"
        raise InvalidKeyError(
            f"The key {path} {problem}. Restore it from a copy, or delete it. "
            f"Waymark then makes a new key, and {loss_effect}."
        )
    return text


def _write_once(path: Path, text: str) -> None:
    """Write a file completely or not at all; an existing file from another process stays."""
    handle, new_file = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        Path(new_file).chmod(0o600)  # regardless of the umask
        with open(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(new_file, path)
        except FileExistsError:
            return
        except OSError:  # the file system of a memory card has no links
            os.replace(new_file, path)
    finally:
        Path(new_file).unlink(missing_ok=True)
    sync_folder(path.parent)
