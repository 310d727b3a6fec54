"""Tests of templates: cached output depends only on its arguments, and values are escaped."""

import functools
import gc
import random
from collections.abc import Callable, Iterator

import pytest
from flask import Flask, render_template_string
from jinja2 import Environment, nodes
from jinja2.runtime import Macro
from markupsafe import Markup, escape

from companion.log.table import to_data
from companion.pages import seat as seat_pages
from companion.rendering.templating import create_template_app, monograms, precompile
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.support.changed_secrets import strip_per_request_values
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.random_games import random_move

SHARED_GLOBALS = {"GAMES", "asset", "inline_svg", "macros", "memoize", "url_for", "dict", "namespace", "range"}
SHARED_GLOBALS |= {"icon", "labeled_count", "token", "tokens", "icon_symbols"}  # of _icons.html, checked too
SHARED_GLOBALS |= {"svg_symbols", "capitalize_first"}  # a macro of _names.html that reads only its argument


class Html:
    def __html__(self) -> str:
        return "<i>of its own</i>"


class FakeMarkup(str):
    """A string that claims to be HTML by its type, which only Markup may do."""


TEMPLATE_VALUES = [
    "plain",
    "<script>alert('\"')</script> & more",
    "",
    Markup("<b>"),
    Html(),
    FakeMarkup("<script>"),
    0,
    1,
    -7,
    True,
    False,
    None,
    1.5,
    ("<", 1),
    {"<": ">"},
]


get_bare_app = functools.cache(create_template_app)


@run_all_rows("value", TEMPLATE_VALUES, ids=lambda value: type(value).__name__)
def test_template_writes_a_value_as_escape_does(value: object):
    with get_bare_app().app_context():
        assert (
            render_template_string("{{ value }}|{% set a = value %}{{ a }}", value=value)
            == f"{escape(value)}|{escape(value)}"
        )


def test_names_keep_their_capitals_where_a_number_begins_a_line(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    page = table.phone(0).open(f"{table.path}/seat/0/tell").text
    assert "Sun Track icon 1 at Trail End" in page and "Left badge at the Trailhead" in page


def test_name_is_escaped_in_every_template_construct():
    """This covers text, attributes, macros, blocks, loops, joins and memos, but not safe text."""
    template = """{% macro echo(x) %}{{ x }}{{ caller() }}{% endmacro %}{% macro short(x) %}{{ x }}{% endmacro %}\
{% set cached = memoize(short) %}
    <a title="{{ name }}">{{ name }}</a>{% call echo(name) %}{{ name }}{% endcall %}\
{{ cached(name) }}{{ cached(name) }}{{ name ~ name }}
    {% for x in [name] %}{{ x }}{{ loop.index }}{% endfor %}{% set block %}{{ name }}{% endset %}\
{{ block }}{{ [name, name]|join(name) }}
    {% filter upper %}{{ name }}{% endfilter %}{{ name if name }}{{ "%s"|format(name) }}{{ name|replace("x", name) }}"""
    with get_bare_app().app_context():
        text = render_template_string(template, name="<x>\"'&")
        assert "<x>" not in text.lower() and "\"'" not in text.replace("&#34;&#39;", "")
        assert render_template_string("{{ name|safe }}", name="<x>") == "<x>"


def template_environment() -> Environment:
    """Return the Jinja environment of the app."""
    return get_bare_app().jinja_env


def parse_template(template: str) -> nodes.Template:
    return template_environment().parse(template_environment().loader.get_source(template_environment(), template)[0])


@functools.cache
def template_definitions(template: str) -> dict[str, nodes.Node]:
    """Return the top-level names of a template: its macros and the values it sets."""
    tree = parse_template(template)
    named = {each.target.name: nodes.List([each.node]) for each in tree.body if isinstance(each, nodes.Assign)}
    return named | {each.name: each for each in tree.body if isinstance(each, nodes.Macro)}


@functools.cache
def cached_macros() -> list[tuple[str, str]]:
    """Return every macro whose results are cached, as template and name."""
    found = set()
    for template in template_environment().list_templates(["html"]):
        for call in parse_template(template).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "memoize":
                found.add((template, call.args[0].name))
    return sorted(found)


def macro_dependencies(template: str, name: str, visited: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the names other than arguments that a macro and the macros it calls use."""
    if (template, name) in visited:
        return
    visited.add((template, name))
    node, definitions = template_definitions(template)[name], template_definitions(template)
    own = {each.name for each in node.find_all(nodes.Name) if each.ctx != "load"} | {"loop", "caller"}
    for each in node.find_all(nodes.Name):
        if each.ctx == "load" and each.name not in own:
            yield from macro_dependencies(template, each.name, visited) if each.name in definitions else [each.name]
    for each in node.find_all(nodes.Getattr):
        other = macro_file(definitions.get(getattr(each.node, "name", "")))
        if other and each.attr in template_definitions(other):
            yield from macro_dependencies(other, each.attr, visited)


def macro_file(node: nodes.Node | None) -> str | None:
    """Return the template that a value of `macros("file")` stands for."""
    call = node.items[0] if isinstance(node, nodes.List) else None
    return call.args[0].value if isinstance(call, nodes.Call) and getattr(call.node, "name", "") == "macros" else None


def test_cached_macros_depend_only_on_their_arguments():
    """Cached output must not depend on a phone, a page or a request, because others get it too."""
    used = {macro: set(macro_dependencies(*macro, set())) - SHARED_GLOBALS for macro in cached_macros()}
    assert {macro: names for macro, names in used.items() if names} == {}


def test_every_cached_macro_is_checked():
    cached = cached_macros()
    assert len(cached) > 30 and {"_icons.html", "parks/_cards.html", "trails/_trail.html"} < {
        template for template, _ in cached
    }
    assert "csrf_token" in set(macro_dependencies("_forms.html", "tap_form", set())) - SHARED_GLOBALS


def clear_caches(app: Flask) -> list[Callable[[], None]]:
    """Return functions that clear all caches of rendered output.

    Finding the caches of macros takes long, so it is done once.
    """
    wrapped = [object for object in gc.get_objects() if isinstance(object, functools._lru_cache_wrapper)]
    macros = [each for each in wrapped if isinstance(getattr(each, "__wrapped__", None), Macro)]
    assert macros
    return [app.jinja_env.globals["shared_fragment"]._cache.clear, *(macro.cache_clear for macro in macros)]


@pytest.mark.slow("renders everything again")
@parametrize_cases("game", ["trails", "parks", "alpine-trails", "on-the-trail"])
def test_page_is_the_same_with_and_without_cached_output(app: Flask, game: str):
    """Two tables are played in turn, with different names and secrets."""
    rng = random.Random(8)
    tables = [open_seated_table(app, *names, game=game) for names in (("Ana", "Bo"), ("Cy", "<Di>"))]
    for number in range(40):
        for table in tables:
            random_step(table, rng)
        if number % 8 == 0:
            every_page(tables)
            warm, all_memories = every_page(tables), clear_caches(app)
            for path, (phone, text) in warm.items():
                for forget in all_memories:
                    forget()
                assert strip_per_request_values(phone.get(path).text) == text, path


def every_page(tables: list[SeatedTable]) -> dict[str, tuple[Phone, str]]:
    """Return the phone and the normalized text of each page, by address."""
    pages = [
        (table.phone(seat), f"{table.path}/seat/{seat}{also}")
        for table in tables
        for seat in range(2)
        for also in ("/now", "/tell")
    ]
    pages += [(table.phone(0), f"{table.path}/board") for table in tables]
    return {path: (phone, strip_per_request_values(phone.get(path).text)) for phone, path in pages}


def random_step(table: SeatedTable, rng: random.Random) -> None:
    """Play a random move of a player who is to move, or note a secret instead."""
    current = table.table
    if current.is_over:
        return
    seat = rng.choice(current.tracked.flow.to_move(current.state))
    kinds = list(current.tracked.available_moves(current.state))
    rng.shuffle(kinds)
    secret = [kind for kind in current.tracked.moves if kind.is_secret]
    chosen = random_move(current.tracked, current.state, seat, rng, (secret if rng.random() < 0.3 else []) + kinds)
    if chosen and not chosen[0].needs_consent:
        table.play(seat, chosen[0])


# Every kind of move that notes something only its own seat may see.
SECRETS = [
    (tracked.key, kind)
    for tracked in TRACKED_GAMES.values()
    for kind in tracked.moves
    if kind.is_secret and kind.__struct_fields__
]


@pytest.mark.parametrize("game, kind", SECRETS, ids=lambda part: getattr(part, "__name__", part))
def test_public_view_of_a_page_contains_no_secret(app: Flask, game: str, kind: type[Move]):
    """The public view is the same for every seat, whichever phone asks first."""
    rng = random.Random(8)
    table = open_seated_table(app, "Ana", "Bo", game=game)
    while not (move := random_move(table.table.tracked, table.table.state, 0, rng, [kind])):
        random_step(table, rng)
    table.play(0, move[0])
    current = table.table
    page = seat_pages.seat_page(current, table.phone(0).device, 0).table
    assert page.view != page.public_view == current.tracked.view(current.state, None)
    assert page.public_view == seat_pages.seat_page(current, table.phone(1).device, 1).table.public_view


def test_every_game_with_hidden_information_has_a_secret_move():
    assert {"trails", "alpine-trails", "on-the-trail"} <= {game for game, _ in SECRETS}


@run_all_rows(
    ("names", "letters"),
    [
        (("Ana", "Bo", "élodie"), ("A", "B", "É")),
        (("Ana", "anna", "Bo"), ("Aa", "An", "B")),
        (("Bo", "Bob", "Cy", "Cleo"), ("B", "Bb", "Cy", "Cl")),
        (("Jo Ann", "Jo Bee", "Jo"), ("Ja", "Jb", "J")),
        (("Ana", "Ann", "Aba"), ("A1", "A2", "A3")),
    ],
)
def test_monograms_are_as_short_as_possible(names: tuple[str, ...], letters: tuple[str, ...]):
    assert monograms(names) == letters


def test_precompiled_page_is_rendered_without_reading_a_template(app: Flask, monkeypatch: pytest.MonkeyPatch):
    precompile(app)
    monkeypatch.setattr(app.jinja_env.loader, "get_source", lambda *_: pytest.fail("a template was read"))
    phone = Phone(app)
    assert [phone.get(path).status_code for path in ("/", "/history", "/history/new", "/rules", "/pad/trails")] == [
        200
    ] * 5


def test_csrf_token_is_accepted_only_from_its_own_phone(app: Flask):
    """This also holds when the phone's own token is already in the cache."""
    table = open_seated_table(app, "Ana", "Bo")
    ana, bo = table.phones
    move = to_data(table.table.tracked.offers(table.table.state, 0)[0].move)
    form = {"tap": "tap", "move": build_json(move)}
    for token in (bo.token, "", ana.token + "x", ana.token[:-1], "\u00e9", ana.token.swapcase()):
        assert ana.http.post(f"{table.path}/seat/0/play", data={**form, "csrf_token": token}).status_code == 400
    assert ana.http.post(f"{table.path}/seat/0/play", data={**form, "csrf_token": ana.token}).status_code == 303


def build_json(move: dict) -> str:
    return template_environment().filters["json"](move)
