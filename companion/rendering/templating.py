"""The app of the templates: globals, filters, asset addresses, shared fragments.

A phone waits for its page to be rendered after each tap, so rendered output is cached wherever possible.
"""

import functools
import hashlib
import itertools
import math
import re
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jinja2
import msgspec
from flask import Flask, request, session, url_for
from flask_wtf.csrf import generate_csrf
from jinja2 import FileSystemLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup, escape

from companion.log.consent import CONSENT_LABELS, CONSENT_SENTENCES
from companion.log.entries import format_date
from companion.pages.sheet import result_heading
from companion.pages.table import TablePage
from companion.rendering.environment import TemplateEnvironment, cached_url_for
from companion.rendering.hikers import TrailPicture
from companion.rendering.turn_context import seat_context, shared_context, table_context
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
KNOWN_FRAGMENTS_HEADER = "Known-Fragments"  # by which a phone names the fragments it has
MAX_SHARED_FRAGMENTS = 256  # fragments cached in memory


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
    app.jinja_env.loader = FallbackLoader(assets_folder() / "templates")
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(
        tuple=tuple,  # memoized macros need hashable arguments, so not lists
        value_range=value_range,
        fit_in_grid=fit_in_grid,
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
        icon_symbols=icon_symbols,
        csrf_token=page_token,
        shared_fragment=SharedFragments(app),
        seat_context=seat_context,
        table_context=table_context,
        fragment_set=FragmentSet,
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


_OPENING_TAG = re.compile(r"<(\w+)")
_CLASS_ATTRIBUTE = re.compile(r'class="([^"]*)"')
# Classes on which the layout of the whole screen depends. If an element of the screen has one, the screen has it too,
# with the prefix "has-": a browser matches `.screen.has-key-row` quickly, but for `.screen:has(.key-row)` it searches
# the screen after each change.
LAYOUT_CLASSES = frozenset(
    {
        "animal-offer",
        "camp-choices",
        "checklist",
        "confirm-bar",
        "crowded-moves",
        "drawn-cards",
        "figures",
        "final-call",
        "full-screen",
        "full-sheet",
        "hike-keys",
        "hikes",
        "key-row",
        "many-moves",
        "map-edit",
        "new-leg-keys",
        "picture",
        "proposal",
        "refused-moves",
        "reminders",
        "repair-notices",
        "score-entry",
        "strip",
        "tile-keys",
        "tile-placement",
        "unnamed-offer",
        "waiting",
        "waiting-players",
        "winding-board",
    }
)


class FragmentCollector:
    """Collects the fragments of a page while it is rendered, leaving a placeholder for each.

    A fragment is one element. It may contain the placeholders of other fragments.
    """

    def __init__(self, tap: str = ""):
        self._tap = tap
        self._levels: list[dict[str, Fragment]] = [{}]

    def __call__(self, name: str, *, caller: Callable[[], Markup]) -> Markup:
        """Collect a fragment and return its placeholder."""
        self._levels.append({})
        fragment = self._build_fragment(name, str(caller()).strip())
        self._levels[-1][fragment.placeholder] = fragment
        return fragment.placeholder

    def _build_fragment(self, name: str, element: str) -> "Fragment":
        stable_part = element.replace(self._tap, "") if self._tap else element
        etag = f"{name}={hashlib.blake2b(stable_part.encode(), digest_size=6).hexdigest()}"
        tag = _OPENING_TAG.match(element)
        assert tag, element  # a template of ours renders one element
        return Fragment(name, etag, tag[1], element[tag.end() :], self._levels.pop())

    def collected(self) -> "dict[str, Fragment]":
        """Return the collected fragments by their placeholders."""
        return self._levels[-1]


class FragmentSet(FragmentCollector):
    """A live region in fragments with etags; a phone that names its etags gets only changes.

    The etags are sent in the header `Known-Fragments` ("banner=5f1c… news=…"). The id of the tap, which is new in every
    page, is ignored: the script that sends the etags also sends the newest tap id. A nested fragment does not change
    the etag of the outer one, unless it is part of a drawing (`<g>`), which cannot be swapped without the drawing.
    """

    def __init__(self, tap: str):
        super().__init__(tap)
        known = request.headers.get(KNOWN_FRAGMENTS_HEADER)
        self.is_full_page = known is None
        self._known_etags = frozenset((known or "").split())
        self._etags: list[str] = []
        self._used_classes: set[str] = set()  # and the names of the fragments that are not empty
        self._layout = ""

    def screen(self, caller: Callable[[], Markup]) -> Markup:
        """Return the fragments of the first screen in an element with the classes of its layout."""
        content = caller()
        self._layout = " ".join(f"has-{each}" for each in sorted(LAYOUT_CLASSES & self._used_classes))
        return Markup(f'<div class="screen {self._layout}">{content}</div>') if self.is_full_page else content

    def __call__(self, name: str, label_id: str = "", *, caller: Callable[[], Markup]) -> Markup:
        """Return a whole fragment, or the updates that the phone needs.

        :param label_id: the id of the element in it that names it for screen readers.
        """
        if len(self._levels) > 1:
            return super().__call__(name, caller=caller)
        self._levels.append({})
        body = str(caller()).strip()
        if body:
            self._used_classes.add(name)
        for classes in _CLASS_ATTRIBUTE.findall(body):
            self._used_classes.update(classes.split())
        attributes = "" if body else " hidden"
        if label_id:
            attributes += f' aria-labelledby="{label_id}"'
        fragment = self._build_fragment(
            name, f'<section class="fragment fragment-{name}" tabindex="-1"{attributes}>{body}</section>'
        )
        self._etags += fragment.etags()
        return fragment.render() if self.is_full_page else fragment.render_updates(self._known_etags)

    def region_state(self, version: int, caller: Callable[[], Markup]) -> Markup:
        """Return the element with the state of the region: its version, tap id and etags."""
        state = f'data-version="{version}" data-tap-id="{escape(self._tap)}" data-fragments="{" ".join(self._etags)}"'
        if self._layout:
            state += f' data-layout="{self._layout}"'
        element = Markup(f'<span id="region-state" hidden {state} {caller()}></span>')
        return element if self.is_full_page else _partial("region-state", element)


@dataclass(frozen=True)
class Fragment:
    """One rendered element: its tag and its remainder, with placeholders of nested fragments."""

    name: str
    etag: str
    tag: str
    tail: str
    children: "dict[str, Fragment]"

    @functools.cached_property
    def placeholder(self) -> Markup:
        """Return the placeholder.

        That of a part of a drawing contains the etag, so that a change of the part changes the drawing.
        """
        return Markup(f"<!--{self.etag if self.tag == 'g' else self.name}-->")

    def etags(self) -> Iterator[str]:
        """Yield its etag and those of the nested fragments, in the order of the page."""
        yield self.etag
        for child in self.children.values():
            yield from child.etags()

    def render_updates(self, known: Container[str]) -> Markup:
        """Return the updates for a phone: the fragment, its changed nested fragments, or nothing."""
        if self.etag not in known:
            return _partial(f"fragment-{self.name}", self.render(known))
        return Markup("".join(child.render_updates(known) for child in self.children.values()))

    def render(self, known: Container[str] = ()) -> Markup:
        """Return the fragment; nested ones that a phone has already are only marked as unchanged."""
        content = self.tail
        for placeholder, child in self.children.items():
            is_known = all(etag in known for etag in child.etags())
            content = content.replace(placeholder, child.render_unchanged if is_known else child.render(known))
        return Markup(f'<{self.tag} id="fragment-{self.name}" data-fragment="{self.etag}"{content}')

    @property
    def render_unchanged(self) -> Markup:
        """Return an element that stands for the unchanged fragment of the phone."""
        return Markup(f'<{self.tag} id="fragment-{self.name}" data-unchanged></{self.tag}>')


def _partial(id: str, body: Markup) -> Markup:
    """Return a partial with which htmx replaces an element."""
    return Markup(f'<hx-partial hx-target="#{id}" hx-swap="outerMorph">{body}</hx-partial>')


def render_inline(name: str, caller: Callable[[], Markup]) -> Markup:
    """Return the content of a fragment, on a page that is not rendered in fragments."""
    return caller()


class SharedFragments:
    """Fragments that are the same on all phones, rendered once per version of a table.

    They are rendered from the public view, so they cannot leak a secret from one phone to another.
    """

    def __init__(self, app: Flask):
        self._app = app
        self._cache: OrderedDict[tuple, tuple[Markup, dict[str, Fragment]]] = OrderedDict()

    def __call__(self, table: TablePage, file: str, fragment: Callable = render_inline) -> Markup:
        """Render a file for a table; on a page in fragments, the file may contain fragments too."""
        has_fragments = isinstance(fragment, FragmentCollector)
        key = (file, table.code, table.version, table.snapshot_key, has_fragments)
        rendered = self._cache.get(key)
        if rendered is None:
            template = self._app.jinja_env.get_template(f"{table.template_folder}/{file}")
            collector = FragmentCollector()
            shared = shared_context(table)
            body = Markup(template.render(shared=shared, fragment=collector if has_fragments else render_inline))
            rendered = self._cache[key] = body, collector.collected()
            while len(self._cache) > MAX_SHARED_FRAGMENTS:
                self._cache.popitem(last=False)
        body, nested = rendered
        if has_fragments:
            fragment.collected().update(nested)
        return body


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


class GridFit(NamedTuple):
    """A grid of pictures of different sizes."""

    columns: int
    has_captions_beside: bool  # whether each caption is beside its picture, not above it
    scales: tuple[float, ...]  # how large one unit of each picture is


def fit_in_grid(
    sizes: Sequence[tuple[float, float]],
    area: tuple[float, float],
    caption: tuple[float, float],
    gap: float,
    min_width: float,
) -> GridFit:
    """Return the grid in which the smallest scale of all pictures is largest.

    :param sizes: width and height of each picture, in any unit.
    :param area: width and height of the grid.
    :param caption: the width of a caption beside a picture, and its height above one.
    :param min_width: the least width of a column.
    """
    fits = []
    max_columns = max(1, min(len(sizes), int(area[0] / (min_width + gap))))
    for columns, is_beside in itertools.product(range(1, max_columns + 1), (True, False)):
        rows = math.ceil(len(sizes) / columns)
        width = area[0] / columns - gap - (caption[0] if is_beside else 0)
        height = area[1] / rows - gap - (0 if is_beside else caption[1])
        fits.append(GridFit(columns, is_beside, tuple(min(width / w, height / h) for w, h in sizes)))
    return max(fits, key=lambda fit: min(fit.scales))


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
def icon_symbols(names: tuple[str, ...]) -> Markup:
    """Return symbols of the icon sprite, to embed in a printed picture."""
    found = dict(re.findall('(?=<symbol id="([^"]+)")(.*?</symbol>)', inline_svg("icons.svg"), re.DOTALL))
    return Markup("").join(Markup(found[name]) for name in names)


def page_token() -> str:
    """Return the CSRF token of this phone, which all its forms and pages share."""
    known = session.get("csrf_token")
    return _signed_token(known) if known else generate_csrf()


@functools.lru_cache(maxsize=MEMO_SIZE)
def _signed_token(session_token: str) -> str:
    """Return the current session's token; a new signature would change every form."""
    return generate_csrf()
