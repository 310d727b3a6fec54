"""The owner of an instance's boxes: the phones on which its owner key has been entered."""

import hashlib
import hmac
import re
import secrets

from companion.storage.store import ALPHABET, Store
from companion.system.keys import load_or_create_key
from companion.system.limits import MINUTE, RateLimiter, address_key

KEY_LENGTH = 8  # letters
MAX_ATTEMPTS = 10  # wrong keys per minute from one phone, and from one address
MAX_ATTEMPTS_OF_ALL = 60  # wrong keys per minute from all phones together
LOSS_EFFECT = "each owner must enter it again"


class Owners:
    """The owner's phones, and the key by which a phone becomes one.

    :raises InvalidKeyError: when the key file cannot be used.
    """

    def __init__(self, store: Store):
        self._store = store
        self._key = load_or_create_key(
            store.path.with_name("owner"),
            lambda: "".join(secrets.choice(ALPHABET) for _ in range(KEY_LENGTH)),
            f"[{ALPHABET}]{{{KEY_LENGTH}}}",
            LOSS_EFFECT,
        )
        # The hash is stored with each phone, so that a new key revokes all phones.
        self._key_hash = hashlib.sha256(self._key.encode()).hexdigest()
        self._attempts = RateLimiter(MAX_ATTEMPTS, MINUTE)
        self._attempts_of_all = RateLimiter(MAX_ATTEMPTS_OF_ALL, MINUTE)

    @property
    def key(self) -> str:
        """Return the key in its readable form: BCDF-GHJK."""
        return f"{self._key[: KEY_LENGTH // 2]}-{self._key[KEY_LENGTH // 2 :]}"

    def invitation(self, address: str) -> str:
        """Return the line that explains how to become the owner, for the output of the server."""
        return f"Owner of the boxes: open {address}/owner and enter the key {self.key} once."

    def is_key(self, typed: str, device: str, address: str) -> bool:
        """Return whether this is the key; case and separators are ignored.

        :raises RateLimitError: when this phone, its address, or all phones together have tried too often.
        """
        limits = ((self._attempts, device), (self._attempts, address_key(address)), (self._attempts_of_all, "all"))
        for limit, key in limits:
            limit.take(key)
        is_match = hmac.compare_digest(re.sub("[^A-Z]", "", typed.upper()).encode(), self._key.encode())
        if is_match:
            for limit, key in limits:
                limit.give_back(key)
        return is_match

    def add(self, device: str) -> None:
        """Make a phone an owner's phone."""
        with self._store.transaction() as db:
            db.table("owners").upsert({"device": device, "seal": self._key_hash}, pk="device")

    def remove(self, device: str) -> None:
        """Make a phone a stranger's phone again."""
        with self._store.transaction() as db:
            db.conn.execute("DELETE FROM owners WHERE device = ?", [device])

    def is_owner(self, *devices: str | None) -> bool:
        """Return whether any of these phones is an owner's phone."""
        marks = ", ".join("?" * len(devices))
        query = f"SELECT 1 FROM owners WHERE seal = ? AND device IN ({marks})"
        return bool(self._store.query(query, [self._key_hash, *devices]))
