"""Who is this phone: its signed token, and how guessing table codes is slowed down."""

import functools
import secrets
import threading
import time
from collections import deque
from typing import NamedTuple

from flask import Flask, Request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

COOKIES = 256  # kept in memory as read
GUESSES = 20  # wrong codes from one address ...
WINDOW = 60.0  # ... in this many seconds; then it waits


class Sessions(SecureCookieSessionInterface):
    """Flask's signed session cookies; each is read and its signature checked once, not at every request."""

    def __init__(self, app: Flask):
        opened = super().open_session
        serializer = super().get_signing_serializer(app)
        self.get_signing_serializer = lambda app: serializer
        self._read = functools.lru_cache(maxsize=COOKIES)(lambda cookie: dict(opened(app, _Asks({cookie_name: cookie}))))
        cookie_name = self.get_cookie_name(app)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        cookie = request.cookies.get(self.get_cookie_name(app))
        return self.session_class(self._read(cookie) if cookie else None)


class _Asks(NamedTuple):
    """As much of a request as a session is read from."""

    cookies: dict[str, str]


def device() -> str:
    """Return this phone's id, kept in Flask's signed session cookie; a new phone gets one.

    The id never leaves the server in a page: the cookie is the only thing that holds it.
    """
    if "device" not in session:
        session.permanent = True
        session["device"] = secrets.token_urlsafe(12)
    return session["device"]


class TooManyGuesses(Exception):
    """Too many wrong codes from one address; `wait` says for how many seconds."""

    def __init__(self, wait: float):
        super().__init__(wait)
        self.wait = max(1, round(wait))


class Guesses:
    """Wrong table codes lately, by address."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wrong: dict[str, deque[float]] = {}

    def check(self, address: str) -> None:
        """:raises TooManyGuesses: when this address has to wait."""
        with self._lock:
            wrong = self._wrong.get(address)
            if not wrong:
                return
            oldest = time.monotonic() - WINDOW
            while wrong and wrong[0] < oldest:
                wrong.popleft()
            if len(wrong) >= GUESSES:
                raise TooManyGuesses(wrong[0] - oldest)

    def wrong(self, address: str) -> None:
        """Count a wrong code."""
        with self._lock:
            self._wrong.setdefault(address, deque(maxlen=GUESSES)).append(time.monotonic())
