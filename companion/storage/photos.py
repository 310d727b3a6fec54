"""The photos of results, as JPEG: stored, listed, read and deleted."""

import secrets
from typing import NamedTuple

from companion.storage.store import Store, timestamp

MAX_PHOTOS = 12  # per result


class TooManyPhotosError(Exception):
    """The result has the maximum number of photos."""


class Photo(NamedTuple):
    """The metadata of a photo."""

    id: str
    device: str
    created_at: str


def add_photo(store: Store, result_id: str, device: str, photo: bytes, small: bytes) -> None:
    """Add a photo to a result.

    :raises TooManyPhotosError: when the result has the maximum number of photos.
    """
    with store.transaction() as db:
        if len(list_photos(store, result_id)) >= MAX_PHOTOS:
            raise TooManyPhotosError(f"A result can have {MAX_PHOTOS} photos. Delete one first.")
        row = [secrets.token_hex(8), result_id, device, timestamp(), photo, small]
        db.execute("INSERT INTO photos VALUES (?, ?, ?, ?, ?, ?)", row)


def list_photos(store: Store, result_id: str) -> list[Photo]:
    """Return the photos of a result, the earliest first."""
    rows = store.query("SELECT id, device, at FROM photos WHERE result = ? ORDER BY rowid", [result_id])
    return [Photo(*row) for row in rows]


def read_photo(store: Store, result_id: str, photo_id: str, is_small: bool) -> bytes | None:
    """Return a photo of a result as JPEG; None if there is no such photo."""
    size = "small" if is_small else "photo"
    return store.value(f"SELECT {size} FROM photos WHERE result = ? AND id = ?", [result_id, photo_id])


def remove_photo(store: Store, result_id: str, photo_id: str) -> None:
    """Delete a photo permanently."""
    store.query("PRAGMA secure_delete = ON")
    with store.transaction() as db:
        db.execute("DELETE FROM photos WHERE result = ? AND id = ?", [result_id, photo_id])
