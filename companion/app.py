"""The Flask app: settings, the parts put together, security headers, compression."""

import functools
import gzip
import re
import secrets
from pathlib import Path

from flask import Flask, Response, request

from companion.drawing import ROOT, Forms, bare_app, page_token
from companion.live import Live
from companion.referee import Referee
from companion.seats import Guesses, Sessions
from companion.store import Store
from companion.web import boxes, errors, lobby, play, reading, sheets

LISTENERS = 3000  # open streams at most
YEAR = 365 * 24 * 3600
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def create_app(instance: Path | None = None, **settings) -> Flask:
    """Return the app, with its tables in an instance folder (`instance/` of the project unless told)."""
    app = bare_app(instance_path=str((instance or ROOT / "instance").resolve()))
    folder = Path(app.instance_path)
    folder.mkdir(parents=True, exist_ok=True)
    app.config.update(
        SECRET_KEY=_secret(folder / "secret"),
        PERMANENT_SESSION_LIFETIME=YEAR,
        SESSION_COOKIE_NAME="waymark",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,  # a phone may sleep through the evening
        SEND_FILE_MAX_AGE_DEFAULT=YEAR,  # asset() puts a hash in each address
        MAX_CONTENT_LENGTH=256 * 1024,
        MAX_FORM_PARTS=400,
        LISTENERS=LISTENERS,
    )
    app.config.update(settings)
    app.session_interface = Sessions(app)
    Forms(app)
    app.jinja_env.globals["csrf_token"] = page_token  # Flask-WTF puts its own there
    store = Store(folder / "waymark.sqlite3")
    live = Live(store, app.config["LISTENERS"])
    app.extensions["waymark"] = Referee(store, live)
    app.extensions["guesses"] = Guesses()
    for part in (lobby, play, sheets, reading, boxes):
        app.register_blueprint(part.pages)
    errors.register(app)
    app.after_request(_secured)
    app.after_request(_compressed)
    return app


def _secret(path: Path) -> str:
    """Return this instance's signing key, made once."""
    try:
        with path.open("x") as file:
            path.chmod(0o600)
            file.write(secrets.token_hex(32))
    except FileExistsError:
        pass
    return path.read_text()


def _secured(response: Response) -> Response:
    for header, value in SECURITY.items():
        response.headers.setdefault(header, value)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"  # what a seat sees stays with the seat
    return response


_TEXT = re.compile(r"text/(html|css|javascript)|image/svg\+xml|application/(json|javascript)")


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


_gzipped_once = functools.lru_cache(maxsize=64)(_gzipped)


def _compressed(response: Response) -> Response:
    """Compress whole pages and static texts; a fragment is small and wanted at once."""
    wanted = "gzip" in request.headers.get("Accept-Encoding", "") and "HX-Request" not in request.headers
    if not wanted or response.status_code != 200 or response.is_streamed and not response.direct_passthrough:
        return response
    if not _TEXT.match(response.mimetype or "") or "Content-Encoding" in response.headers:
        return response
    static, response.direct_passthrough = response.direct_passthrough, False
    squeeze = _gzipped_once if static else _gzipped
    response.set_data(squeeze(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add("Vary", "Accept-Encoding")
    return response
