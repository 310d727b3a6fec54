"""The app of the templates: globals, filters, asset addresses.

A phone waits for its page to be rendered after each tap, so rendered output is cached wherever possible.
"""

import functools
import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any

import jinja2
import msgspec
from flask import Flask, url_for
from jinja2 import FileSystemLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup

from companion.log.consent import CONSENT_LABELS, CONSENT_SENTENCES
from companion.log.entries import format_date
from companion.pages.sheet import result_heading
from companion.rendering.environment import TemplateEnvironment, cached_url_for
from companion.rendering.fragments import FragmentSet, PageMemory, SharedFragments, page_token, render_inline
from companion.rendering.hikers import TrailPicture
from companion.rendering.map_layout import fit_in_grid, largest_map, place_maps, print_maps
from companion.rendering.turn_context import seat_context, table_context
from companion.system.paths import PACKAGE, assets_folder
from scoring.games import GAMES
from scoring.kernel.english import end_sentence, quote, quote_sentence

STATIC = assets_folder() / "static"
# Their macros are globals, since importing them is slow in Jinja. Each file can use the macros of those before it.
GLOBAL_MACRO_FILES = (
    "_icons.html",
    "_names.html",
    "_citations.html",
    "_forms.html",
    "_differences.html",
    "_log.html",
    "_turns.html",
    "_card_facts_notices.html",
    "_table_links.html",
    "_phone_settings.html",
    "_position_form.html",
    "_proposals.html",
)
FALLBACK_FOLDER = "default"  # the folder of fragments for games that have none themselves
MEMO_SIZE = 2048  # cached results of each memoized macro: icons, cards, players, map tiles


def create_template_app(**arguments) -> Flask:
    """Return an app with the templates only, enough to print without a server."""
    app = Flask(
        "companion",
        root_path=str(PACKAGE),
        template_folder=str(assets_folder() / "templates"),
        static_folder=str(STATIC),
        **arguments,
    )
    app.jinja_environment = TemplateEnvironment
    page_memory = app.extensions["pages"] = PageMemory()
    app.jinja_env.loader = FallbackLoader(assets_folder() / "templates")
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(
        tuple=tuple,  # memoized macros need hashable arguments, so not lists
        value_range=value_range,
        fit_in_grid=fit_in_grid,
        largest_map=largest_map,
        print_maps=print_maps,
        place_maps=place_maps,
        end_sentence=end_sentence,
        quote=quote,
        quote_sentence=quote_sentence,
        monograms=monograms,
        shorten_names=shorten_names,
        longest_word=longest_word,
        signs_in_words=signs_in_words,
        json=lambda value: msgspec.json.encode(value).decode(),
        date=format_date,
    )
    app.jinja_env.globals.update(
        url_for=cached_url_for,
        asset=asset,
        macros=functools.cache(lambda file: app.jinja_env.get_template(file).module),
        game_asset=game_asset,
        inline_svg=inline_svg,
        svg_symbols=svg_symbols,
        icon_symbols=functools.partial(svg_symbols, "icons.svg"),
        csrf_token=page_token,
        shared_fragment=SharedFragments(app, page_memory),
        seat_context=seat_context,
        table_context=table_context,
        fragment_set=functools.partial(FragmentSet, page_memory),
        fragment=render_inline,
        memoize=functools.lru_cache(maxsize=MEMO_SIZE),
        TrailPicture=TrailPicture,
        GAMES=GAMES,
        CONSENT_LABELS=CONSENT_LABELS,
        CONSENT_SENTENCES=CONSENT_SENTENCES,
        result_heading=result_heading,
    )
    for file in GLOBAL_MACRO_FILES:
        macros = vars(app.jinja_env.get_template(file).module)
        app.jinja_env.globals.update((name, value) for name, value in macros.items() if not name.startswith("_"))
    return app


def precompile(app: Flask, pause: Callable[[], object] = lambda: None) -> None:
    """Compile every template in advance, so that no request has to wait for it."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
        pause()


class FallbackLoader(FileSystemLoader):
    """Loads templates by path; a fragment that a game lacks is loaded from the folder `default`.

    For example, "trails-score-entry/_summary.html" falls back to "default/_summary.html".
    """

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except TemplateNotFound:
            folder, _, file = template.partition("/")
            if not file.startswith("_") or folder == FALLBACK_FOLDER:
                raise
            return super().get_source(environment, f"{FALLBACK_FOLDER}/{file}")


def longest_word(names: Iterable[str]) -> int:
    """Return how many letters the longest word of some names has; a hyphen ends a word."""
    return max((len(word) for name in names for word in re.split(r"[\s-]", name)), default=0)


def signs_in_words(text: str) -> str:
    """Return a text of gains and costs as it is read aloud: "plus 1 leaf, minus 1 rock"."""
    return text.replace("+", "plus ").replace("\u2212", "minus ")


MAX_SHORT_NAME = 12


def shorten_names(text: str, names: Iterable[str]) -> str:
    """Return a text or markup with the long ones of these names cut to 12 characters."""
    for name in names:
        if len(name) > MAX_SHORT_NAME:
            text = text.replace(name, f"{name[: MAX_SHORT_NAME - 1].rstrip()}…")
    return text


def monograms(names: Iterable[str]) -> tuple[str, ...]:
    """Return a short label for each player: the first letter, and another one if it is shared."""
    stripped = [name.strip() for name in names]
    return tuple(_monogram(seat, stripped) for seat in range(len(stripped)))


def _monogram(seat: int, names: list[str]) -> str:
    """Return one player's label, with a second letter where all names differ, or a number."""
    name = names[seat]
    initial = name[:1].upper()
    sharing = [other for other in names if other[:1].upper() == initial]
    if len(sharing) == 1:
        return initial
    for position in range(1, max(map(len, sharing))):
        letters = [other[position : position + 1].lower() for other in sharing]
        if len(set(letters)) == len(letters) and not any(map(str.isspace, letters)):
            return initial + name[position : position + 1].lower()
    return f"{initial}{seat + 1}"


def value_range(values: Iterable[Any], name: str) -> tuple[Any, Any]:
    """Return the minimum and maximum of an attribute."""
    found = [getattr(value, name) for value in values]
    return min(found), max(found)


@functools.cache
def _content_hash(name: str) -> str:
    return hashlib.blake2s((STATIC / name).read_bytes(), digest_size=5).hexdigest()


@functools.cache
def asset(name: str) -> str:
    """Return a static file's address, with a content hash so that it can be cached for long."""
    return url_for("static", filename=name, v=_content_hash(name))


@functools.cache
def game_asset(kind: str, key: str) -> str | None:
    """Return the static file name of a game's own stylesheet or script ("css", "js"), or None."""
    name = f"{kind}/{key}.{kind}"
    return name if (STATIC / name).exists() else None


@functools.cache
def inline_svg(name: str) -> Markup:
    """Return the shapes of a static SVG, to embed in another.

    In print, <use> only finds shapes in the same SVG.
    """
    found = re.search("<svg[^>]*>(.*)</svg>", (STATIC / name).read_text(encoding="utf-8"), re.DOTALL)
    assert found, name  # the file has a single svg element
    return Markup(found.group(1))


@functools.cache
def svg_symbols(file: str, names: tuple[str, ...]) -> Markup:
    """Return symbols of a static SVG, to embed in a printed picture."""
    found = dict(re.findall('(?=<symbol id="([^"]+)")(.*?</symbol>)', inline_svg(file), re.DOTALL))
    return Markup("").join(Markup(found[name]) for name in names)
