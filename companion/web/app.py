"""The Flask app: configuration, blueprints, security headers, compression."""

import functools
import gzip
import re
import secrets
from pathlib import Path

from flask import Flask, Response, abort, request
from flask_wtf.csrf import CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.rendering.fragments import page_token
from companion.rendering.print_queue import PrintQueue
from companion.rendering.templating import create_template_app
from companion.service.live import LiveUpdates
from companion.service.referee import Referee
from companion.storage.database import refuse_empty
from companion.storage.store import ALPHABET, Store
from companion.system import paths
from companion.system.hosts import HostFilter, allowed_names, host_name
from companion.system.keys import load_or_create_key
from companion.system.limits import RateLimiters
from companion.system.presence import Presence
from companion.web import (
    card_facts,
    context,
    demo,
    errors,
    health,
    history,
    home_screen,
    imports,
    judge,
    lessons,
    lobby,
    map_painter,
    play,
    results,
    rules,
    setup_guide,
    sheets,
    tables,
    timeline,
)
from companion.web.sessions import CodeGuesses, Sessions
from scoring.kernel.parsing import warm_up_decoders

MAX_STREAMS = 3000
YEAR = 365 * 24 * 3600
COOKIE_SECONDS = 400 * 24 * 3600  # browsers keep no cookie longer
KB = 1024
MAX_FORM_BYTES = 64 * KB
MAX_UPLOAD_BYTES = {  # for forms with a file
    "card_facts.import_file": 128 * KB,
    "history.import_file": 20 * KB * KB,
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
    """Return the app, with its tables in an instance folder (default: `paths.instance_folder`).

    :param settings: Flask's settings and ours: HOSTS, host names in addition to this computer's own; PROXIES, the
        number of trusted reverse proxies in front; LIMITS, replacements for some of `limits.ALLOWANCES`; LISTENERS,
        the maximum number of open streams; LAN_ADDRESS, where phones reach this computer; CODES, the letters that the
        codes of new tables begin with.
    :raises InvalidKeyError: if the signing key cannot be used.
    :raises UnreadableDatabaseError: if the database of the tables cannot be used.
    """
    warm_up_decoders()
    app = create_template_app(instance_path=str(paths.instance_folder(instance)))
    folder = Path(app.instance_path)
    folder.mkdir(parents=True, exist_ok=True)
    refuse_empty(folder / paths.DATABASE_NAME)  # before keys are created next to it
    app.config.update(
        SECRET_KEY=signing_key(folder),
        PERMANENT_SESSION_LIFETIME=COOKIE_SECONDS,
        SESSION_COOKIE_NAME="waymark",
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a phone may sleep all evening
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
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies)  # trusts its scheme too; Host is passed on unchanged
    app.session_interface = Sessions(app)
    app.before_request(_check_same_origin)  # before CSRFProtect, which reads the body
    app.before_request(_allow_large_upload)
    CSRFProtect(app)
    app.jinja_env.globals["csrf_token"] = page_token  # Flask-WTF installs its own there
    app.jinja_env.globals["warnings"] = context.warnings
    store = Store(folder / paths.DATABASE_NAME, app.config["CODES"])
    live = LiveUpdates(store, app.config["LISTENERS"])
    app.extensions["waymark"] = Referee(store, live, Presence())
    app.extensions["press"] = PrintQueue()
    install_limits(app)
    for part in (
        lobby,
        tables,
        play,
        map_painter,
        demo,
        lessons,
        setup_guide,
        timeline,
        judge,
        sheets,
        rules,
        card_facts,
        history,
        imports,
        results,
        home_screen,
        health,
    ):
        app.register_blueprint(part.blueprint)
    errors.register(app)
    app.after_request(_add_security_headers)
    app.after_request(_compress)
    return app


def install_limits(app: Flask) -> None:
    """Install the rate limiters and the counter of code guesses."""
    app.extensions["limits"] = RateLimiters(app.config["LIMITS"])
    app.extensions["guesses"] = CodeGuesses(app.extensions["limits"])


def signing_key(folder: Path) -> str:
    """Return the key that signs session cookies, created once per instance."""
    loss_effect = "every phone must take its seat again"
    return load_or_create_key(folder / "secret", lambda: secrets.token_hex(32), "[0-9a-f]{64}", loss_effect)


def _check_same_origin() -> None:
    """Refuse a form sent by a page of another site, in addition to the check of its token."""
    site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin", "null")
    is_cross_origin = origin != "null" and host_name(origin.partition("://")[2]) != host_name(request.host)
    if request.method == "POST" and (is_cross_origin or site not in ("same-origin", "none")):
        abort(403, "This request came from another site. Nothing was changed.")


def _allow_large_upload() -> None:
    """Allow longer bodies for the forms that upload files."""
    if request.endpoint in MAX_UPLOAD_BYTES:
        request.max_content_length = MAX_UPLOAD_BYTES[request.endpoint]
        # Werkzeug reads a file in 64 KB chunks, plus the end of the previous chunk.
        request.max_form_memory_size = 2 * MAX_FORM_BYTES


def _add_security_headers(response: Response) -> Response:
    for header, value in SECURITY_HEADERS.items():
        response.headers.setdefault(header, value)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"  # so that no one can see a seat's page in a cache
    response.headers.setdefault("Cache-Control", "private, no-store")  # also for files that do not allow caching
    return response


_COMPRESSIBLE_TYPES = re.compile(r"text/(html|css|javascript)|image/svg\+xml|application/(json|javascript)")


GZIP_LEVEL = 2  # 10% larger than with level 6, in half the time


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, GZIP_LEVEL, mtime=0)


_gzip_cached = functools.lru_cache(maxsize=64)(_gzip)


# A page holds a CSRF token and names chosen by users, and the length of compressed text can leak a secret next to
# chosen text (BREACH). To have pages rendered repeatedly, another site would need our cookie, which SameSite withholds;
# and the token alone is of no use, because forms are also checked for their origin.
def _compress(response: Response) -> Response:
    """Compress pages, fragments and static text; a fragment takes 40 us, to a quarter."""
    accepts_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    if not accepts_gzip or response.status_code != 200 or (response.is_streamed and not response.direct_passthrough):
        return response
    if not _COMPRESSIBLE_TYPES.match(response.mimetype or "") or "Content-Encoding" in response.headers:
        return response
    is_static, response.direct_passthrough = response.direct_passthrough, False
    compress = _gzip_cached if is_static else _gzip
    response.set_data(compress(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add("Vary", "Accept-Encoding")
    return response
