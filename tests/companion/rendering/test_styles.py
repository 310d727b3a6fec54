"""Tests of the style sheets on touch screens."""

from collections.abc import Iterator

import pytest
import tinycss2

from companion.rendering.pdf import STATIC

SHEETS = sorted((STATIC / "css").glob("*.css"))


def sticky_hover_selectors(rules: list, query: str = "") -> Iterator[str]:
    """Yield the :hover selectors that apply on touch screens and stay until the next tap."""
    for rule in rules:
        if rule.type == "at-rule" and rule.content is not None:
            inner = tinycss2.serialize(rule.prelude).replace(" ", "")
            yield from sticky_hover_selectors(tinycss2.parse_rule_list(rule.content, True, True), query + inner)
        elif rule.type == "qualified-rule" and "(hover:hover)" not in query:
            selector = tinycss2.serialize(rule.prelude)
            if ":hover" in selector or ":hover" in tinycss2.serialize(rule.content):
                yield selector.strip()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_hover_styles_apply_only_to_pointers_that_hover(sheet):
    assert list(sticky_hover_selectors(tinycss2.parse_stylesheet(sheet.read_text(encoding="utf-8"), True, True))) == []


@pytest.mark.parametrize(
    "css",
    ["a:hover{b:c}", "@media print{a:hover{b:c}}", "@media (hover:none){a,b:hover{c:d}}", "a{&:hover{b:c}}"],
)
def test_hover_style_outside_its_media_query_is_found(css):
    assert len(list(sticky_hover_selectors(tinycss2.parse_stylesheet(css)))) == 1
