"""The Flask app: settings, the parts put together, security headers, compression."""

import functools
import gzip
import re
import secrets
from pathlib import Path

from flask import Flask, Response, abort, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.rendering.print_queue import Press
from companion.rendering.templating import Forms, bare_app, page_token
from companion.service.live import Live
from companion.service.referee import Referee
from companion.storage.store import ALPHABET, Store, refuse_empty
from companion.system import paths
from companion.system.hosts import OurHosts, name_of, our_names
from companion.system.keys import key
from companion.system.limits import Limits
from companion.system.presence import Presence
from companion.web import (
    card_facts,
    context,
    errors,
    health,
    history,
    judge,
    lobby,
    play,
    results,
    rules,
    sheets,
    timeline,
)
from companion.web.sessions import Guesses, Sessions
from scoring.kernel.documents import know_every_type

LISTENERS = 3000  # open streams at most
YEAR = 365 * 24 * 3600
KEPT = 400 * 24 * 3600  # a cookie; no browser keeps one longer
KB = 1024
BODY = 64 * KB  # of a form at most
BODIES = {  # but of one with a file
    "boxes.take_in": 128 * KB,
    "history.take_in": 2 * KB * KB,
    "results.add_photo": 12 * KB * KB,
}
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def create_app(instance: Path | None = None, **settings) -> Flask:
    """Return the app, with its tables in an instance folder (as `where.instance` has it unless told).

    :param settings: Flask's and ours: HOSTS, names it answers to besides this machine's own; PROXIES, how many reverse
        proxies stand before it and say whose request they pass on; LIMITS, in place of some of `limits.ALLOWED`;
        LISTENERS, open streams at most; LAN_ADDRESS, where phones reach this machine; CODES, the letters that the
        codes of new tables begin with.
    :raises BadKey: when the key that signs cannot be used.
    :raises Unreadable: when the tables cannot be used.
    """
    know_every_type()
    app = bare_app(instance_path=str(paths.instance(instance)))
    folder = Path(app.instance_path)
    folder.mkdir(parents=True, exist_ok=True)
    refuse_empty(folder / paths.TABLES)  # before keys are made beside it
    app.config.update(
        SECRET_KEY=signing_key(folder),
        PERMANENT_SESSION_LIFETIME=KEPT,
        SESSION_COOKIE_NAME="waymark",
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a phone may sleep through the evening
        SEND_FILE_MAX_AGE_DEFAULT=YEAR,  # asset() puts a hash in each address
        MAX_CONTENT_LENGTH=BODY,
        MAX_FORM_MEMORY_SIZE=BODY,
        MAX_FORM_PARTS=400,
        LISTENERS=LISTENERS,
        HOSTS=(),
        PROXIES=0,
        LIMITS={},
        CODES=ALPHABET,
    )
    app.config.update(settings)
    app.wsgi_app = OurHosts(app.wsgi_app, our_names(app.config["HOSTS"]))
    if proxies := app.config["PROXIES"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)  # its scheme too; the Host it passes on as it is
    app.session_interface = Sessions(app)
    app.before_request(_from_our_own_page)  # before Forms, which reads the body
    app.before_request(_longer_body)
    Forms(app)
    app.jinja_env.globals["csrf_token"] = page_token  # Flask-WTF puts its own there
    app.jinja_env.globals["warnings"] = context.warnings
    store = Store(folder / paths.TABLES, app.config["CODES"])
    live = Live(store, app.config["LISTENERS"])
    app.extensions["waymark"] = Referee(store, live, Presence())
    app.extensions["press"] = Press()
    limit(app)
    for part in (lobby, play, timeline, judge, sheets, rules, card_facts, history, results):
        app.register_blueprint(part.blueprint)
    app.register_blueprint(health.blueprint)
    errors.register(app)
    app.after_request(_secured)
    app.after_request(_compressed)
    return app


def limit(app: Flask) -> None:
    """Begin to count what phones and addresses ask for."""
    app.extensions["limits"] = Limits(app.config["LIMITS"])
    app.extensions["guesses"] = Guesses(app.extensions["limits"])


def signing_key(folder: Path) -> str:
    """Return the key that signs what phones carry, made once for each instance."""
    without = "every phone then has to take its seat again"
    return key(folder / "secret", lambda: secrets.token_hex(32), "[0-9a-f]{64}", without)


def _from_our_own_page() -> None:
    """Refuse a form sent by a page from elsewhere, where the browser says so; its token is looked at besides."""
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin", "null")
    elsewhere = origin != "null" and name_of(origin.partition("://")[2]) != name_of(request.host)
    if request.method == "POST" and (elsewhere or site not in ("same-origin", "none")):
        abort(403, "A page of another site sent this. Nothing was changed.")


def _longer_body() -> None:
    """Let the body of a form be longer where it has to be."""
    if request.endpoint in BODIES:
        request.max_content_length = BODIES[request.endpoint]
        request.max_form_memory_size = 2 * BODY  # a file is read in pieces of 64 KB, with the end of the one before


def _secured(response: Response) -> Response:
    for header, value in SECURITY.items():
        response.headers.setdefault(header, value)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"  # what a seat sees stays with the seat
    response.headers.setdefault("Cache-Control", "private, no-store")  # nor is a file kept that does not say it may be
    return response


_TEXT = re.compile(r"text/(html|css|javascript)|image/svg\+xml|application/(json|javascript)")


QUICKLY = 2  # as a level of gzip: a tenth longer than the usual 6, in half the time


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, QUICKLY, mtime=0)


_gzipped_once = functools.lru_cache(maxsize=64)(_gzipped)


# A page holds a token and names somebody chose, and lengths of what is compressed can tell secrets that stand beside chosen
# text. To have pages drawn again and again for that, another site would need our cookie, which it is not given (SameSite);
# and who has the token gets nothing taken: forms are looked at for where they come from, too.
def _compressed(response: Response) -> Response:
    """Compress pages, fragments of them and static texts: a fragment takes some 40 us, and is a quarter then."""
    wanted = "gzip" in request.headers.get("Accept-Encoding", "")
    if not wanted or response.status_code != 200 or (response.is_streamed and not response.direct_passthrough):
        return response
    if not _TEXT.match(response.mimetype or "") or "Content-Encoding" in response.headers:
        return response
    static, response.direct_passthrough = response.direct_passthrough, False
    squeeze = _gzipped_once if static else _gzipped
    response.set_data(squeeze(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add("Vary", "Accept-Encoding")
    return response
