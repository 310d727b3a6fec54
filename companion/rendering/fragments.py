"""The fragments of a page: which of them are rendered again, and which of them a phone gets.

A fragment may declare its inputs: the values that it is rendered from. While they are equal, it is not rendered again.
"""

import functools
import hashlib
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, request, session
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup, escape

from companion.pages.table import TablePage
from companion.rendering.turn_context import shared_context

KNOWN_FRAGMENTS_HEADER = "Known-Fragments"  # by which a phone names the fragments it has
MAX_SHARED_FRAGMENTS = 256  # fragments cached in memory
# The live pages, most recently shown, whose fragments are kept in memory (some 60 kB each), and of which it is known
# what a phone got last.
MAX_RENDERED_PAGES, MAX_SENT_PAGES = 512, 4096
MAX_TOKENS = 2048  # signed tokens kept in memory
# In a fragment in memory they stand for the CSRF token and the id of the tap. Escaped text never contains them.
TOKEN, TAP = "<token>", "<tap>"
# For tests: render each remembered fragment again, and fail if it differs.
IS_MEMORY_CHECKED = "WAYMARK_CHECK_FRAGMENTS" in os.environ


def page_token() -> str:
    """Return the CSRF token of this phone, which all its forms and pages share."""
    known = session.get("csrf_token")
    return _signed_token(known) if known else generate_csrf()


@functools.lru_cache(maxsize=MAX_TOKENS)
def _signed_token(session_token: str) -> str:
    """Return the current session's token; a new signature would change every form."""
    return generate_csrf()


Inputs = tuple[Any, ...] | None
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
        "lesson-card",
        "many-moves",
        "map-edit",
        "new-leg-keys",
        "picture",
        "proposal",
        "refused-moves",
        "reminders",
        "repair-notices",
        "score-entry",
        "setup-card",
        "strip",
        "tile-keys",
        "tile-placement",
        "unnamed-offer",
        "waiting",
        "waiting-players",
        "winding-board",
    }
)


@dataclass
class SentPage:
    """What was rendered last of a live page for a phone: an answer, or changes for its stream.

    It may not arrive. Therefore the phone checks that each message completes its page.
    """

    version: int = 0  # of the table; 0: nothing yet, or a page on which a move is being built
    etags: str = ""  # of all fragments of the page, as in the header `Known-Fragments`


class PageMemory:
    """The latest fragments of each page of a table, and the page that each phone has.

    A page is named by the code of its table and a name; fragments that pages share have the name of their file.
    """

    def __init__(self):
        self.rendered: Callable[[str, str], dict[str, Fragment]] = functools.lru_cache(MAX_RENDERED_PAGES)(
            lambda code, page: {}
        )
        self.sent: Callable[[str, str, str], SentPage] = functools.lru_cache(MAX_SENT_PAGES)(
            lambda code, page, device: SentPage()
        )


class FragmentCollector:
    """Collects the fragments of a page while it is rendered, leaving a placeholder for each.

    A fragment is one element. It may contain the placeholders of other fragments.
    """

    def __init__(self, rendered: "dict[str, Fragment]", inputs: tuple[Any, ...]):
        """Begin a page.

        :param rendered: its fragments in memory.
        :param inputs: the values that every fragment is rendered from.
        """
        self._rendered, self._inputs = rendered, inputs
        self._values: dict[str, str] = {}  # placeholders, and what they stand for in this answer
        self._levels: list[dict[str, Fragment]] = [{}]

    def __call__(self, name: str, inputs: Inputs = None, *, caller: Callable[[], Markup]) -> Markup:
        """Collect a fragment and return its placeholder.

        :param inputs: the values that it is rendered from, without those of all fragments; None: it is always rendered.
        """
        fragment = self._recall_or_render(name, inputs, caller)
        self._levels[-1][fragment.placeholder] = fragment
        return fragment.placeholder

    def _recall_or_render(
        self, name: str, inputs: Inputs, caller: Callable[[], Markup], label_id: str | None = None
    ) -> "Fragment":
        """Return the fragment as it was rendered last, if its inputs are still the same, or render it.

        :param label_id: as for a fragment that is not nested; None: it is nested.
        """
        remembered, all_inputs = self._rendered.get(name), (inputs, self._inputs)
        if inputs is None or remembered is None or remembered.inputs != all_inputs:
            remembered = None
        elif not IS_MEMORY_CHECKED:
            return remembered
        fragment = self._render(name, all_inputs, caller, label_id)
        assert remembered is None or remembered == fragment, f"the fragment {name} has undeclared inputs"
        if inputs is not None:
            self._rendered[name] = fragment
        return fragment

    def _render(
        self, name: str, inputs: tuple[Any, ...], caller: Callable[[], Markup], label_id: str | None
    ) -> "Fragment":
        self._levels.append({})
        element, classes = str(caller()).strip(), []
        for placeholder, value in self._values.items():
            element = element.replace(value, placeholder)
        if label_id is not None:
            classes = [name] if element else []
            for each in _CLASS_ATTRIBUTE.findall(element):
                classes += each.split()
            attributes = ("" if element else " hidden") + (f' aria-labelledby="{label_id}"' if label_id else "")
            element = f'<section class="fragment fragment-{name}" tabindex="-1"{attributes}>{element}</section>'
        etag = f"{name}={hashlib.blake2b(element.encode(), digest_size=6).hexdigest()}"
        tag = _OPENING_TAG.match(element)
        assert tag, element  # a template of ours renders one element
        return Fragment(name, etag, tag[1], element[tag.end() :], self._levels.pop(), frozenset(classes), inputs)

    def collected(self) -> "dict[str, Fragment]":
        """Return the collected fragments by their placeholders."""
        return self._levels[-1]


class FragmentSet(FragmentCollector):
    """A live region in fragments with etags; a phone that names its etags gets only changes.

    The etags are sent in the header `Known-Fragments` ("banner=5f1c… news=…"). The id of the tap, which is new in every
    page, does not count: the script that sends the etags also sends the newest tap id. A nested fragment does not
    change the etag of the outer one, unless it is part of a drawing (`<g>`), which cannot be swapped without it.
    """

    def __init__(
        self,
        memory: PageMemory,
        table: TablePage,
        page: str,
        inputs: tuple[Any, ...] = (),
        known: str | None = None,
    ):
        """Begin a page.

        :param page: its name among the live pages of the table.
        :param inputs: more values that every fragment is rendered from.
        :param known: the etags that the phone has, if the request does not name them.
        """
        super().__init__(
            memory.rendered(table.code, page),
            (
                table.names,
                table.piece_colors,
                table.own_seats,
                table.is_over,
                table.needs_consent,
                table.can_fix_own_things,
                *inputs,
            ),
        )
        self._values = {TAP: table.tap, TOKEN: page_token()}
        self._sent = memory.sent(table.code, page, session.get("device", ""))
        known = request.headers.get(KNOWN_FRAGMENTS_HEADER) if known is None else known
        self.is_full_page = known is None
        self._known_etags = frozenset((known or "").split())
        self._etags: list[str] = []
        self._used_classes: set[str] = set()
        self._layout = ""

    def screen(self, caller: Callable[[], Markup]) -> Markup:
        """Return the fragments of the first screen in an element with the classes of its layout."""
        content = caller()
        self._layout = " ".join(f"has-{each}" for each in sorted(LAYOUT_CLASSES & self._used_classes))
        return Markup(f'<div class="screen {self._layout}">{content}</div>') if self.is_full_page else content

    def __call__(self, name: str, inputs: Inputs = None, label_id: str = "", *, caller: Callable[[], Markup]) -> Markup:
        """Return the placeholder of a nested fragment, and any other whole or as updates.

        :param label_id: the id of the element in it that names it for screen readers.
        """
        if len(self._levels) > 1:
            return super().__call__(name, inputs, caller=caller)
        fragment = self._recall_or_render(name, inputs, caller, label_id)
        self._used_classes |= fragment.classes
        self._etags += fragment.etags()
        text = str(fragment.render() if self.is_full_page else fragment.render_updates(self._known_etags))
        for placeholder, value in self._values.items():
            text = text.replace(placeholder, value)
        return Markup(text)

    def region_state(self, version: int, caller: Callable[[], Markup], has_draft: bool = False) -> Markup:
        """Return the element with the state of the region: its version, tap id and etags."""
        etags = " ".join(self._etags)
        self._sent.version, self._sent.etags = 0 if has_draft else version, etags
        state = f'data-version="{version}" data-tap-id="{escape(self._values[TAP])}" data-fragments="{etags}"'
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
    classes: frozenset[str]  # of its elements, without those of nested fragments; and its name, if it is not empty
    inputs: tuple[Any, ...] = field(compare=False)  # what it was rendered from

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


def render_inline(name: str, inputs: Inputs = None, *, caller: Callable[[], Markup]) -> Markup:
    """Return the content of a fragment, on a page that is not rendered in fragments."""
    return caller()


class SharedFragments:
    """Fragments that are the same on all phones, rendered once per version of a table.

    They are rendered from the public view, so they cannot leak a secret from one phone to another.
    """

    def __init__(self, app: Flask, memory: PageMemory):
        self._app, self._memory = app, memory
        self._cache: OrderedDict[tuple, tuple[Markup, dict[str, Fragment]]] = OrderedDict()

    def __call__(self, table: TablePage, file: str, fragment: Callable = render_inline) -> Markup:
        """Render a file for a table; on a page in fragments, the file may contain fragments too."""
        has_fragments = isinstance(fragment, FragmentCollector)
        key = (file, table.code, table.version, table.snapshot_key, has_fragments)
        rendered = self._cache.get(key)
        if rendered is None:
            template = self._app.jinja_env.get_template(f"{table.template_folder}/{file}")
            rendered_fragments = self._memory.rendered(table.code, file)
            collector = FragmentCollector(rendered_fragments, (table.names, table.piece_colors, table.is_over))
            shared = shared_context(table)
            body = Markup(template.render(shared=shared, fragment=collector if has_fragments else render_inline))
            rendered = self._cache[key] = body, collector.collected()
            while len(self._cache) > MAX_SHARED_FRAGMENTS:
                self._cache.popitem(last=False)
        body, nested = rendered
        if has_fragments:
            fragment.collected().update(nested)
        return body
