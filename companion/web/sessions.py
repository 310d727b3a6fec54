"""Identify a phone by its signed cookie, and limit guesses of table codes."""

import functools
import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable

from flask import Flask, Request, Response, current_app, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.http import dump_cookie

from companion.system.limits import RateLimiters

MAX_CACHED_COOKIES = 256  # decoded cookies kept in memory
MAX_KNOWN_TABLES = 20_000  # phones at tables kept in memory, so that opening a known table is not a guess


class Sessions(SecureCookieSessionInterface):
    """Flask's signed session cookies, independent of the server's clock, which may be years off.

    The time of the signature is ignored, and the phone's own clock decides when a cookie expires. Each whole page
    renews it, so a phone that returns within PERMANENT_SESSION_LIFETIME keeps its identity. Each cookie is decoded and
    verified once, not at every request.
    """

    def __init__(self, app: Flask):
        serializer = self.get_signing_serializer(app)
        assert serializer  # every app with a SECRET_KEY has one, as this app does
        self._serializer = serializer
        self._second_name = (
            f"{self.get_cookie_name(app)}-{hashlib.sha256(str(app.secret_key).encode()).hexdigest()[:8]}"
        )

        @functools.lru_cache(maxsize=MAX_CACHED_COOKIES)
        def read(cookie: str) -> dict:
            try:
                return serializer.loads(cookie)
            except BadSignature:
                return {}

        self._read = read

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        cookie = request.cookies.get(self._cookie_name(app, request))
        return self.session_class(self._read(cookie) if cookie else None)

    def _cookie_name(self, app: Flask, request: Request) -> str:
        """Return the name of this phone's cookie.

        It is not the usual one if another Waymark on this computer has set that: browsers send the cookies of a host
        to all its ports.
        """
        usual_name, cookies = self.get_cookie_name(app), request.cookies
        is_taken = usual_name in cookies and not self._read(cookies[usual_name])
        return self._second_name if is_taken or self._second_name in cookies else usual_name

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session.accessed:
            response.vary.add("Cookie")
        if not session or not (session.modified or _is_full_page(response)):
            return
        response.vary.add("Cookie")
        cookie = dump_cookie(
            self._cookie_name(app, request),
            self._serializer.dumps(dict(session)),
            max_age=app.permanent_session_lifetime,
            sync_expires=False,  # an expiry date would depend on the server's clock
            path=self.get_cookie_path(app),
            secure=request.is_secure,
            httponly=True,
            samesite=self.get_cookie_samesite(app),
        )
        response.headers.add("Set-Cookie", cookie)


# Why a phone that sends no cookie has no seat: each page that it came from has set one.
NO_COOKIE_TITLE = "This phone sent no cookie"
NO_COOKIE_TEXT = (
    "Waymark needs a cookie to know which seat is yours. "
    "Allow cookies for this address in the browser\u2019s settings. Then reload the page."
)


def has_cookie() -> bool:
    """Return whether the phone has sent a cookie, valid or not."""
    return any(name.startswith(current_app.config["SESSION_COOKIE_NAME"]) for name in request.cookies)


def _is_full_page(response: Response) -> bool:
    return response.status_code == 200 and response.mimetype == "text/html" and "HX-Request" not in request.headers


def device() -> str:
    """Return this phone's id, kept in Flask's signed session cookie; a new phone gets one.

    No page contains the id: only the cookie holds it.
    """
    if "device" not in session:
        session["device"] = secrets.token_urlsafe(12)
    return session["device"]


class CodeGuesses:
    """Counts wrong table codes by phone and address; a table that the phone knows is no guess."""

    def __init__(self, limits: RateLimiters) -> None:
        self._limits = limits
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def count_guess(self, code: str, device: str | None, address: str) -> Callable[[], None]:
        """Count a code as wrong before the lookup; return the function to call if the table exists.

        :raises RateLimitError: if this phone or address has to wait; never for a table that the phone knows.
        """
        with self._lock:
            if device is not None and (device, code) in self._known:
                self._known.move_to_end((device, code))
                return lambda: None
        give_back = self._limits.take("codes", device, address)

        def confirm() -> None:
            give_back()
            self.remember(code, device)

        return confirm

    def remember(self, code: str, device: str | None) -> None:
        """Remember that a phone knows a table."""
        if device is None:
            return
        with self._lock:
            self._known[device, code] = None
            while len(self._known) > MAX_KNOWN_TABLES:
                self._known.popitem(last=False)
