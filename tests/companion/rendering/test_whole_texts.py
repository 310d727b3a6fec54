"""Tests that templates show texts as they are and take no sentence apart."""

from collections.abc import Iterator

from jinja2 import Environment, nodes

from companion.system.paths import CHECKOUT

TEMPLATES = CHECKOUT / "templates"
STRING_METHODS = {
    "endswith",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "startswith",
    "strip",
}
# Templates that change HTML or SVG, and what they change.
MARKUP_CHANGES = {
    "alpine-trails/_map.html": "the ids of a picture, of which a sheet may have several",
    "parks/_cards.html": "the name of a card, to an id without spaces",
    "parks/_print_table.html": "the size of letters in a picture, for paper",
    "parks/_trail.html": "the colors of a picture, for paper",
    "print/_sheet.html": "the fonts of a picture, for paper",
}


def templates_with_string_methods() -> Iterator[tuple[str, str]]:
    """Yield the file and the method of each place where a template takes a text apart."""
    environment = Environment(extensions=["jinja2.ext.do"], autoescape=True)
    for path in sorted(TEMPLATES.rglob("*.html")):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        file = path.relative_to(TEMPLATES).as_posix()
        filters = [found.name for found in tree.find_all(nodes.Filter)]
        calls = [found.node.attr for found in tree.find_all(nodes.Call) if isinstance(found.node, nodes.Getattr)]
        yield from ((file, name) for name in [*filters, *calls] if name in STRING_METHODS)


def test_templates_take_no_text_apart():
    found = list(templates_with_string_methods())
    unknown = [f"{file}: {method}" for file, method in found if file not in MARKUP_CHANGES]
    assert not unknown, f"Give the data or a `MoveLabel` the part that the template needs: {unknown}"
    assert {file for file, _ in found} == set(MARKUP_CHANGES)
