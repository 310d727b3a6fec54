"""The Flask app: settings, the parts put together, security headers, compression."""

import functools
import gzip
import re
import secrets
from pathlib import Path

from flask import Flask, Response, abort, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.rendering.print_queue import PrintQueue
from companion.rendering.templating import PageCsrfProtect, create_template_app, page_token
from companion.service.live import LiveUpdates
from companion.service.referee import Referee
from companion.storage.store import ALPHABET, Store, refuse_empty
from companion.system import paths
from companion.system.hosts import HostFilter, allowed_names, host_name
from companion.system.keys import load_or_create_key
from companion.system.limits import RateLimiters
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
from companion.web.sessions import CodeGuesses, Sessions
from scoring.kernel.documents import warm_up_decoders

MAX_STREAMS = 3000  # open streams at most
YEAR = 365 * 24 * 3600
COOKIE_SECONDS = 400 * 24 * 3600  # a cookie; no browser keeps one longer
KB = 1024
MAX_FORM_BYTES = 64 * KB  # of a form at most
MAX_UPLOAD_BYTES = {  # but of one with a file
    "card_facts.import_file": 128 * KB,
    "history.import_file": 2 * KB * KB,
    "results.add_photo": 12 * KB * KB,
}
SECURITY_HEADERS = {
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
    warm_up_decoders()
    app = create_template_app(instance_path=str(paths.instance_folder(instance)))
    folder = Path(app.instance_path)
    folder.mkdir(parents=True, exist_ok=True)
    refuse_empty(folder / paths.DATABASE_NAME)  # before keys are made beside it
    app.config.update(
        SECRET_KEY=signing_key(folder),
        PERMANENT_SESSION_LIFETIME=COOKIE_SECONDS,
        SESSION_COOKIE_NAME="waymark",
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a phone may sleep through the evening
        SEND_FILE_MAX_AGE_DEFAULT=YEAR,  # asset() puts a hash in each address
        MAX_CONTENT_LENGTH=MAX_FORM_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_FORM_BYTES,
        MAX_FORM_PARTS=400,
        LISTENERS=MAX_STREAMS,
        HOSTS=(),
        PROXIES=0,
        LIMITS={},
        CODES=ALPHABET,
    )
    app.config.update(settings)
    app.wsgi_app = HostFilter(app.wsgi_app, allowed_names(app.config["HOSTS"]))
    if proxies := app.config["PROXIES"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)  # its scheme too; the Host it passes on as it is
    app.session_interface = Sessions(app)
    app.before_request(_check_same_origin)  # before Forms, which reads the body
    app.before_request(_allow_large_upload)
    PageCsrfProtect(app)
    app.jinja_env.globals["csrf_token"] = page_token  # Flask-WTF puts its own there
    app.jinja_env.globals["warnings"] = context.warnings
    store = Store(folder / paths.DATABASE_NAME, app.config["CODES"])
    live = LiveUpdates(store, app.config["LISTENERS"])
    app.extensions["waymark"] = Referee(store, live, Presence())
    app.extensions["press"] = PrintQueue()
    install_limits(app)
    for part in (lobby, play, timeline, judge, sheets, rules, card_facts, history, results):
        app.register_blueprint(part.blueprint)
    app.register_blueprint(health.blueprint)
    errors.register(app)
    app.after_request(_add_security_headers)
    app.after_request(_compress)
    return app


def install_limits(app: Flask) -> None:
    """Begin to count what phones and addresses ask for."""
    app.extensions["limits"] = RateLimiters(app.config["LIMITS"])
    app.extensions["guesses"] = CodeGuesses(app.extensions["limits"])


def signing_key(folder: Path) -> str:
    """Return the key that signs what phones carry, made once for each instance."""
    without = "every phone then has to take its seat again"
    return load_or_create_key(folder / "secret", lambda: secrets.token_hex(32), "[0-9a-f]{64}", without)


def _check_same_origin() -> None:
    """Refuse a form sent by a page from elsewhere, where the browser says so; its token is looked at besides."""
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin", "null")
    elsewhere = origin != "null" and host_name(origin.partition("://")[2]) != host_name(request.host)
    if request.method == "POST" and (elsewhere or site not in ("same-origin", "none")):
        abort(403, "A page of another site sent this. Nothing was changed.")


def _allow_large_upload() -> None:
    """Let the body of a form be longer where it has to be."""
    if request.endpoint in MAX_UPLOAD_BYTES:
        request.max_content_length = MAX_UPLOAD_BYTES[request.endpoint]
        request.max_form_memory_size = (
            2 * MAX_FORM_BYTES
        )  # a file is read in pieces of 64 KB, with the end of the one before


def _add_security_headers(response: Response) -> Response:
    for header, value in SECURITY_HEADERS.items():
        response.headers.setdefault(header, value)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"  # what a seat sees stays with the seat
    response.headers.setdefault("Cache-Control", "private, no-store")  # nor is a file kept that does not say it may be
    return response


_COMPRESSIBLE_TYPES = re.compile(r"text/(html|css|javascript)|image/svg\+xml|application/(json|javascript)")


GZIP_LEVEL = 2  # as a level of gzip: a tenth longer than the usual 6, in half the time


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, GZIP_LEVEL, mtime=0)


_gzip_cached = functools.lru_cache(maxsize=64)(_gzip)


# A page holds a token and names somebody chose, and lengths of what is compressed can tell secrets that stand beside chosen
# text. To have pages drawn again and again for that, another site would need our cookie, which it is not given (SameSite);
# and who has the token gets nothing taken: forms are looked at for where they come from, too.
def _compress(response: Response) -> Response:
    """Compress pages, fragments of them and static texts: a fragment takes some 40 us, and is a quarter then."""
    wanted = "gzip" in request.headers.get("Accept-Encoding", "")
    if not wanted or response.status_code != 200 or (response.is_streamed and not response.direct_passthrough):
        return response
    if not _COMPRESSIBLE_TYPES.match(response.mimetype or "") or "Content-Encoding" in response.headers:
        return response
    static, response.direct_passthrough = response.direct_passthrough, False
    squeeze = _gzip_cached if static else _gzip
    response.set_data(squeeze(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add("Vary", "Accept-Encoding")
    return response
