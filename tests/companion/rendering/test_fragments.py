"""Tests of page fragments: which ones are sent to a phone, and their contents."""

import itertools
import re
from types import SimpleNamespace

import pytest
from flask import Flask

from companion.rendering import fragments
from scoring.alpine_trails.moves.placing import PlaceTrail, TakeCamp
from scoring.trails.moves.hiking import Exchange, Hike
from tests.support.changed_secrets import strip_per_request_values
from tests.support.page_parser import parse_page
from tests.support.phones import SeatedTable, open_seated_table

ANA, BO = 0, 1
PICTURE = ("picture", "plates", "backdrop", "pieces", "reach")
FRAGMENTS = (
    "banner",
    "menu",
    "notices",
    "lesson",
    *PICTURE,
    "summary",
    "waiting",
    "actions",
    "own-area",
    "other-moves",
    "players",
    "player-0",
    "player-1",
    "game-info",
    "log",
)


@pytest.fixture
def table_of_two(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo")


FIRST_STEP_FRAGMENTS = ("banner", "menu", "pieces", "reach", "actions", "other-moves", "log")


def whole_page(table: SeatedTable, seat: int) -> str:
    return table.phone(seat).get(f"{table.path}/seat/{seat}/now", htmx=True).text


def fragment_marks(text: str) -> list[str]:
    return re.findall('data-fragment="([^"]*)"', text)


def changed_fragments(table: SeatedTable, seat: int, known: list[str]) -> str:
    answer = table.phone(seat).http.get(
        f"{table.path}/seat/{seat}/now", headers={"HX-Request": "true", "Known-Fragments": " ".join(known)}
    )
    assert answer.status_code == 200
    return answer.text


def sent_fragments(text: str) -> list[str]:
    """Return the names of the fragments in an answer."""
    return [mark.partition("=")[0] for mark in fragment_marks(text)]


def test_whole_page_has_all_fragments_and_lists_their_marks(table_of_two: SeatedTable):
    page = whole_page(table_of_two, ANA)
    assert sent_fragments(page) == list(FRAGMENTS)
    assert re.findall('data-fragments="([^"]*)"', page)[0].split() == fragment_marks(page)
    assert page.lstrip().startswith('<main id="region"') and "hx-partial" not in page


def test_phone_that_has_every_fragment_gets_none(table_of_two: SeatedTable):
    answer = changed_fragments(table_of_two, ANA, fragment_marks(whole_page(table_of_two, ANA)))
    assert sent_fragments(answer) == []
    assert answer.strip().startswith('<hx-partial hx-target="#region-state"') and answer.strip().endswith(
        "</span></hx-partial>"
    )


def test_hike_sends_only_the_changed_fragments(table_of_two: SeatedTable):
    before = {seat: whole_page(table_of_two, seat) for seat in (ANA, BO)}
    table_of_two.play(ANA, Hike(1))  # the first hike, after which the menu no longer offers to join mid-game
    assert set(sent_fragments(changed_fragments(table_of_two, ANA, fragment_marks(before[ANA])))) == {
        *FIRST_STEP_FRAGMENTS
    }
    table_of_two.play(ANA, Exchange("acorn", "leaf"))
    of_bo = changed_fragments(table_of_two, BO, fragment_marks(before[BO]))
    assert "own-area" not in sent_fragments(of_bo) and "summary" not in sent_fragments(of_bo)


def test_sent_fragments_combined_with_known_ones_equal_the_page(table_of_two: SeatedTable):
    known = {mark.partition("=")[0]: mark for mark in fragment_marks(whole_page(table_of_two, BO))}
    table_of_two.play(ANA, Hike(1))
    known |= {
        mark.partition("=")[0]: mark
        for mark in fragment_marks(changed_fragments(table_of_two, BO, list(known.values())))
    }
    current = whole_page(table_of_two, BO)
    assert sorted(known.values()) == sorted(fragment_marks(current))


def test_tap_is_answered_with_the_changed_fragments(table_of_two: SeatedTable):
    known = " ".join(fragment_marks(whole_page(table_of_two, ANA)))
    form = {"csrf_token": table_of_two.phone(ANA).token, "tap": "a tap", "move": '{"type":"hike","steps":1}'}
    headers = {"HX-Request": "true", "Known-Fragments": known}
    answer = table_of_two.phone(ANA).http.post(f"{table_of_two.path}/seat/{ANA}/play", data=form, headers=headers)
    assert answer.status_code == 200 and set(sent_fragments(answer.text)) == {*FIRST_STEP_FRAGMENTS}
    refused = table_of_two.phone(ANA).http.post(
        f"{table_of_two.path}/seat/{ANA}/play", data=form | {"tap": "another"}, headers=headers
    )
    assert refused.status_code == 422 and "Not possible" in parse_page(refused.text).text


def test_repeated_refusal_is_sent_again(table_of_two: SeatedTable):
    """Each tap's refusal is a separate element; the same tap sent again is the same element."""
    sizes, known = [], fragment_marks(whole_page(table_of_two, ANA))
    for tap in ("first", "second", "second"):
        form = {"csrf_token": table_of_two.phone(ANA).token, "tap": tap, "move": '{"type":"hike","steps":3}'}
        headers = {"HX-Request": "true", "Known-Fragments": " ".join(known)}
        answer = table_of_two.phone(ANA).http.post(f"{table_of_two.path}/seat/{ANA}/play", data=form, headers=headers)
        assert answer.status_code == 422
        sizes.append(sent_fragments(answer.text))
        known += fragment_marks(answer.text)
    assert sizes == [["notices"], ["notices"], []]


def test_unchanged_table_has_the_same_marks(table_of_two: SeatedTable):
    assert fragment_marks(whole_page(table_of_two, ANA)) == fragment_marks(whole_page(table_of_two, ANA))
    assert strip_per_request_values(whole_page(table_of_two, ANA)) == strip_per_request_values(
        whole_page(table_of_two, ANA)
    )


def test_invalid_fragment_header_is_answered_with_the_whole_page(table_of_two: SeatedTable):
    for known in ("", "banner", "banner=", "=\x7f", "picture=00 picture=00", "x" * 4000):
        assert sent_fragments(changed_fragments(table_of_two, ANA, [known])) == list(FRAGMENTS)


def test_phone_with_several_seats_follows_the_turn(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", phones=1)
    phone = table.phone(ANA)
    answer = table.submit(ANA, "play", {"move": '{"type":"hike","steps":2}'}, htmx=True)
    assert f'data-seat-url="{table.path}/seat/{BO}"' in answer.text
    assert table.submit(BO, "play", {"move": '{"type":"hike","steps":2}'}).headers["Location"].endswith(f"/seat/{ANA}")
    assert f'data-seat-url="{table.path}/seat/{ANA}"' in phone.get(f"{table.path}/seat/{BO}/now", htmx=True).text


EMPTY_TABLE = SimpleNamespace(
    code="BCDFG",
    names=(),
    piece_colors=(),
    own_seats=(),
    is_over=False,
    needs_consent=False,
    can_fix_own_things=False,
    tap="a tap",
)
NESTED_TEMPLATE = """{% set fragment = fragment_set(table, "page") %}{% call fragment("outer") %}frame {{ frame }}
{% call fragment("one") %}<ul class="u"><li>{{ one }}</li></ul>{% endcall %}
{% call fragment("two") %}<p>{{ two }}</p>{% endcall %}{% endcall %}"""


def render_fragments(app: Flask, known: list[str] | None = None, page: str = NESTED_TEMPLATE, **values: object) -> str:
    headers = {} if known is None else {"Known-Fragments": " ".join(known)}
    with app.test_request_context(headers=headers):
        return app.jinja_env.from_string(page).render(table=EMPTY_TABLE, **values)


def test_nested_fragment_is_sent_alone(app: Flask):
    before = render_fragments(app, frame="of wood", one="sun", two="moon")
    assert sent_fragments(before) == ["outer", "one", "two"] and before.index("sun") < before.index("moon")
    assert sent_fragments(render_fragments(app, fragment_marks(before), frame="of wood", one="sun", two="moon")) == []
    other = render_fragments(app, fragment_marks(before), frame="of wood", one="sun", two="stars")
    assert sent_fragments(other) == ["two"] and "stars" in other and "frame" not in other
    assert "frame" not in render_fragments(app, fragment_marks(before)[:1], frame="of wood", one="sun", two="moon")


def test_outer_fragment_is_sent_without_unchanged_inner_ones(app: Flask):
    before = render_fragments(app, frame="of wood", one="sun", two="moon")
    frame = render_fragments(app, fragment_marks(before), frame="of brass", one="sun", two="moon")
    assert (
        sent_fragments(frame) == ["outer"]
        and '<ul id="fragment-one" data-unchanged></ul>' in frame
        and "moon" not in frame
    )
    changed = render_fragments(app, fragment_marks(before), frame="of brass", one="sun", two="stars")
    assert sent_fragments(changed) == ["outer", "two"] and "sun" not in changed and "stars" in changed


def test_fragment_in_a_drawing_is_sent_within_the_drawing(app: Flask):
    """A `<g>` needs its `<svg>` to be drawn, so the drawing is sent without its other parts."""
    drawing = NESTED_TEMPLATE.replace("ul", "g").replace("<p>", "<g>").replace("</p>", "</g>")
    before = render_fragments(app, page=drawing, frame="of wood", one="sun", two="moon")
    other = render_fragments(app, fragment_marks(before), page=drawing, frame="of wood", one="sun", two="stars")
    assert (
        sent_fragments(other) == ["outer", "two"]
        and '<g id="fragment-one" data-unchanged></g>' in other
        and "stars" in other
    )
    assert (
        sent_fragments(
            render_fragments(app, fragment_marks(before), page=drawing, frame="of wood", one="sun", two="moon")
        )
        == []
    )


REMEMBERED_TEMPLATE = """{% set fragment = fragment_set(table, "page") %}
{% call fragment("outer", (frame,)) %}frame {{ frame }}
{% call fragment("one", (one,)) %}<p>{{ one }} {{ count() }} {{ table.tap }}</p>{% endcall %}{% endcall %}"""


def test_fragment_with_the_same_inputs_is_not_rendered_again(app: Flask, monkeypatch):
    monkeypatch.setattr(fragments, "IS_MEMORY_CHECKED", False)
    rendered = itertools.count()
    app.extensions["pages"].rendered.cache_clear()

    def render(**values: object) -> str:
        return render_fragments(app, page=REMEMBERED_TEMPLATE, count=lambda: next(rendered), **values)

    assert "sun 0 a tap" in render(frame="of wood", one="sun")
    assert "sun 0 a tap" in render(frame="of wood", one="sun") and "sun 0" in render(frame="of brass", one="sun")
    assert "moon 1" in render(frame="of wood", one="moon")
    EMPTY_TABLE.tap, old_tap = "another tap", EMPTY_TABLE.tap
    assert "moon 1 another tap" in render(frame="of wood", one="moon")
    EMPTY_TABLE.tap = old_tap


def test_fragment_with_an_undeclared_input_is_found(app: Flask):
    app.extensions["pages"].rendered.cache_clear()
    page = (
        '{% set fragment = fragment_set(table, "page") %}{% call fragment("outer", (frame,)) %}{{ one }}{% endcall %}'
    )
    assert "sun" in render_fragments(app, page=page, frame="of wood", one="sun")
    with pytest.raises(AssertionError, match="the fragment outer has undeclared inputs"):
        render_fragments(app, page=page, frame="of wood", one="moon")


def test_placed_tile_sends_its_row_but_not_the_whole_map(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    table.play(ANA, TakeCamp("rock"))
    table.play(BO, TakeCamp("rock"))
    for y in (-1, -2, -3):
        before = whole_page(table, ANA)
        table.play(ANA, PlaceTrail("rock", "NS", 1, 0, y))
    rows = {
        name
        for name in sent_fragments(changed_fragments(table, ANA, fragment_marks(before)))
        if name.startswith(("tiles-", "cells-"))
    }
    assert rows == {"tiles--3", "cells--4", "cells--3"}


@pytest.mark.parametrize("game", ["trails", "parks"])
def test_color_that_changes_during_the_game_changes_every_picture_of_the_piece(app: Flask, game: str):
    table = open_seated_table(app, "Ana", "Bo", game=game)
    for seat in (ANA, BO):
        whole_page(table, seat)
    colors = table.table.piece_colors
    free = next(color for color in table.table.tracked.box.pieces.colors if color not in colors)
    table.referee.choose_color(table.table, table.phone(ANA).device, "another color", ANA, free)
    for seat in (ANA, BO):
        assert strip_per_request_values(whole_page(table, seat)) == render_anew(app, table, seat)


def render_anew(app: Flask, table: SeatedTable, seat: int) -> str:
    """Return a seat's page rendered without remembered fragments."""
    app.extensions["pages"].rendered.cache_clear()
    return strip_per_request_values(whole_page(table, seat))
