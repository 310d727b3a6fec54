"""The key files of an instance: each is written whole or not at all, and looked at whenever it is read."""

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from companion.system.files import make_private, sync_folder


class InvalidKeyError(Exception):
    """A key file that cannot be used; the text says which, what is wrong with it and what can be done."""


def load_or_create_key(path: Path, make: Callable[[], str], pattern: str, loss_effect: str) -> str:
    """Return the key a file holds; the first who asks makes it, and all get the same.

    Every key has the same `shape`, a regular expression. `without` says what losing the key costs.

    :raises BadKey: when the file is no key, or cannot be read or written.
    """
    try:
        if not path.exists():
            _write_once(path, make())
        make_private(path)
        text = path.read_bytes().decode("ascii", "replace").strip()
    except OSError as fault:
        raise InvalidKeyError(f"The key {path} cannot be read or written: {fault.strerror}.") from fault
    if not re.fullmatch(pattern, text):
        wrong = "was cut short or changed" if text else "is empty"
        raise InvalidKeyError(
            f"The key {path} {wrong}. Put it back from a copy, or delete it and a new one is made: {loss_effect}."
        )
    return text


def _write_once(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all; one that somebody else has made meanwhile stays."""
    handle, made = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        Path(made).chmod(0o600)  # whatever the umask
        with open(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(made, path)
        except FileExistsError:
            return
        except OSError:  # a memory card has no links
            os.replace(made, path)
    finally:
        Path(made).unlink(missing_ok=True)
    sync_folder(path.parent)
