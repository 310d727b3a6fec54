"""What every template can use: the games, addresses of static files, macros, pieces drawn once for all phones."""

import functools
import hashlib
import re
from collections import OrderedDict

import msgspec
from flask import Flask, g, session, url_for
from flask_wtf.csrf import generate_csrf
from jinja2 import StrictUndefined
from markupsafe import Markup

from companion.pages import TablePage
from companion.where import PACKAGE, assets
from scoring.games import GAMES

STATIC = assets() / "static"
MACROS = ("_icons.html", "_talk.html")  # what every template can use; importing them is slow in Jinja
MEMORY = 512  # results kept of each memoised macro: icons, cards
PIECES = 256  # pieces of pages kept in memory


def bare_app(**arguments) -> Flask:
    """Return an app that only knows the templates: enough to print without a server."""
    app = Flask(
        "companion",
        root_path=str(PACKAGE),
        template_folder=str(assets() / "templates"),
        static_folder=str(STATIC),
        **arguments,
    )
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["json"] = lambda value: msgspec.json.encode(value).decode()
    app.jinja_env.globals.update(
        asset=asset,
        macros=functools.cache(lambda file: app.jinja_env.get_template(file).module),
        extra=extra,
        inlined=inlined,
        csrf_token=page_token,
        shared=Shared(app),
        memo=functools.lru_cache(maxsize=MEMORY),
        GAMES=GAMES,
    )
    for file in MACROS:
        macros = vars(app.jinja_env.get_template(file).module)
        app.jinja_env.globals.update((name, value) for name, value in macros.items() if not name.startswith("_"))
    return app


class Shared:
    """Pieces of a page that look the same to all phones, drawn once for each version of a table.

    They are drawn from what everybody may see, so that one phone's secret cannot reach another by them.
    """

    def __init__(self, app: Flask):
        self._app = app
        self._drawn: OrderedDict[tuple[str, str, int], Markup] = OrderedDict()

    def __call__(self, table: TablePage, piece: str) -> Markup:
        key = (piece, table.code, table.version)
        drawn = self._drawn.get(key)
        if drawn is None:
            template = self._app.jinja_env.get_template(f"{table.game.key}/{piece}")
            drawn = Markup(template.render(view=table.public, to_move=table.to_move, over=table.over))
            self._drawn[key] = drawn
            while len(self._drawn) > PIECES:
                self._drawn.popitem(last=False)
        return drawn


@functools.cache
def _digest(name: str) -> str:
    return hashlib.blake2s((STATIC / name).read_bytes(), digest_size=5).hexdigest()


@functools.cache
def asset(name: str) -> str:
    """Return the address of a static file, with its content's hash so that it can be kept for a year."""
    return url_for("static", filename=name, v=_digest(name))


@functools.cache
def extra(kind: str, key: str) -> str | None:
    """Return a game's own style sheet or script ("css", "js") as the name of a static file, if it has one."""
    name = f"{kind}/{key}.{kind}"
    return name if (STATIC / name).exists() else None


@functools.cache
def inlined(name: str) -> Markup:
    """Return the shapes of a static picture, to be drawn inside another: a printer finds <use> only inside itself."""
    return Markup(re.search("<svg[^>]*>(.*)</svg>", (STATIC / name).read_text(encoding="utf-8"), re.DOTALL).group(1))


def page_token() -> str:
    """Return this page's token; a page has many forms."""
    if "csrf" not in g:
        known = session.get("csrf_token")
        g.csrf = _signed(known) if known else generate_csrf()
    return g.csrf


@functools.lru_cache(maxsize=MEMORY)
def _signed(known: str) -> str:
    """Return the token of a session, whose own it is; signing it anew for every fragment would only take time."""
    return generate_csrf()
