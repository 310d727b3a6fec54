"""Whose the boxes are: the phones on which the instance's key has been typed."""

import hashlib
import hmac
import re
import secrets

from companion.storage.store import ALPHABET, Store
from companion.system.keys import key
from companion.system.limits import MINUTE, Limit, network

LETTERS = 8  # of the key
TRIES = 10  # wrong keys a minute from one phone, and from one address
ALL_TRIES = 60  # wrong keys a minute from all of them together
WITHOUT = "every owner's phone then has to type the new one"


class Owners:
    """The phones of the owner of the boxes, and the key that makes one.

    :raises BadKey: when the file of the key cannot be used.
    """

    def __init__(self, store: Store):
        self._store = store
        self._key = key(store.path.with_name("owner"), _made, f"[{ALPHABET}]{{{LETTERS}}}", WITHOUT)
        self._seal = hashlib.sha256(self._key.encode()).hexdigest()  # kept with a phone: a new key makes it a stranger
        self._tries = Limit(TRIES, MINUTE)
        self._all_tries = Limit(ALL_TRIES, MINUTE)

    @property
    def key(self) -> str:
        """Return the key as it is read out: BCDF-GHJK."""
        return f"{self._key[: LETTERS // 2]}-{self._key[LETTERS // 2 :]}"

    def invitation(self, address: str) -> str:
        """Return the line that tells whoever starts the server how to become the owner."""
        return f"The owner of the boxes opens {address}/owner and types {self.key} once."

    def fits(self, typed: str, device: str, address: str) -> bool:
        """Return whether this is the key, however it is typed.

        :raises TooMany: when this phone, its address, or everybody together has tried too many.
        """
        counted = ((self._tries, device), (self._tries, network(address)), (self._all_tries, "all"))
        for limit, who in counted:
            limit.take(who)
        fits = hmac.compare_digest(re.sub("[^A-Z]", "", typed.upper()).encode(), self._key.encode())
        if fits:
            for limit, who in counted:
                limit.give_back(who)
        return fits

    def add(self, device: str) -> None:
        """Make a phone the owner's."""
        with self._store.writing() as db:
            db.table("owners").upsert({"device": device, "seal": self._seal}, pk="device")

    def remove(self, device: str) -> None:
        """Make a phone a stranger's again."""
        with self._store.writing() as db:
            db.conn.execute("DELETE FROM owners WHERE device = ?", [device])

    def has(self, *devices: str | None) -> bool:
        """Return whether one of these phones is the owner's."""
        marks = ", ".join("?" * len(devices))
        found = f"SELECT 1 FROM owners WHERE seal = ? AND device IN ({marks})"
        return bool(self._store.rows(found, [self._seal, *devices]))


def _made() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
