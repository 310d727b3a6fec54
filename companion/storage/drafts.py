"""Drafts of a seat that phones share: entries on a page that are no move yet."""

from typing import NamedTuple

from companion.storage.store import Store, VersionConflictError

MAX_DRAFT_LENGTH = 32_000  # characters; the largest map has about 6,000


class Draft(NamedTuple):
    """The entries for a seat, as text of a page's script, with their revision."""

    revision: int = 0
    text: str = ""


class Drafts:
    """The drafts of one instance, at most one for each seat of a table."""

    def __init__(self, store: Store):
        self._store = store

    def find(self, code: str, seat: int) -> Draft:
        """Return the draft of a seat, or an empty one."""
        rows = self._store.query("SELECT revision, text FROM drafts WHERE code = ? AND seat = ?", [code, seat])
        return Draft(*rows[0]) if rows else Draft()

    def save(self, code: str, seat: int, draft: Draft) -> Draft:
        """Save a draft that a phone has changed, and return it with its new revision.

        :param draft: the new text, with the revision that the phone has changed.
        :raises VersionConflictError: if another phone has saved a draft since.
        """
        with self._store.transaction() as db:
            saved = self.find(code, seat)
            if saved.revision != draft.revision:
                raise VersionConflictError
            new = Draft(draft.revision + 1, draft.text)
            db.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)", [code, seat, *new])
        return new
