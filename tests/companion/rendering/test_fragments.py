"""Of a phone's own page only the pieces travel that it has not: which they are, and what they say."""

import re

import pytest
from flask import Flask

from scoring.alpine_trails.moves.placing import PlaceTrail, TakeCamp
from scoring.trails.moves.hiking import Exchange, Hike
from tests.support.other_secrets import strip_per_request_values
from tests.support.page_reader import parse_page
from tests.support.phones import SeatedTable, open_seated_table

ANA, BO = 0, 1
PICTURE = ("picture", "still", "sky", "moving", "taps")
FRAGMENTS = ("banner", "menu", "news", *PICTURE, "mine", "sheet", "things", "players", "player-0", "player-1", "log")


@pytest.fixture
def table_of_two(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo")


FIRST_STEP_FRAGMENTS = ("banner", "menu", "news", "moving", "taps", "sheet", "log")


def whole_page(two: SeatedTable, seat: int) -> str:
    return two.phone(seat).get(f"{two.path}/seat/{seat}/now", htmx=True).text


def fragment_marks(text: str) -> list[str]:
    return re.findall('data-piece="([^"]*)"', text)


def changed_fragments(two: SeatedTable, seat: int, has: list[str]) -> str:
    answer = two.phone(seat).http.get(
        f"{two.path}/seat/{seat}/now", headers={"HX-Request": "true", "Waymark-Has": " ".join(has)}
    )
    assert answer.status_code == 200
    return answer.text


def sent_fragments(text: str) -> list[str]:
    """Return the names of the pieces that an answer brings."""
    return [mark.partition("=")[0] for mark in fragment_marks(text)]


def test_a_page_has_all_pieces_and_says_which(table_of_two: SeatedTable):
    page = whole_page(table_of_two, ANA)
    assert sent_fragments(page) == list(FRAGMENTS)
    assert re.findall('data-marks="([^"]*)"', page)[0].split() == fragment_marks(page)
    assert page.lstrip().startswith('<main id="now"') and "hx-partial" not in page


def test_a_phone_that_has_all_of_it_gets_none_of_it(table_of_two: SeatedTable):
    answer = changed_fragments(table_of_two, ANA, fragment_marks(whole_page(table_of_two, ANA)))
    assert sent_fragments(answer) == []
    assert answer.strip().startswith('<hx-partial hx-target="#at"') and answer.strip().endswith("</span></hx-partial>")


def test_what_a_hike_changes_travels_and_nothing_else(table_of_two: SeatedTable):
    before = {seat: whole_page(table_of_two, seat) for seat in (ANA, BO)}
    table_of_two.play(ANA, Hike(1))  # the first: the menu no longer offers to start from the middle
    assert set(sent_fragments(changed_fragments(table_of_two, ANA, fragment_marks(before[ANA])))) == {
        *FIRST_STEP_FRAGMENTS
    }
    table_of_two.play(ANA, Exchange("acorn", "leaf"))
    of_bo = changed_fragments(table_of_two, BO, fragment_marks(before[BO]))
    assert "things" not in sent_fragments(of_bo) and "mine" not in sent_fragments(of_bo)


def test_the_pieces_put_together_are_the_page(table_of_two: SeatedTable):
    had = {mark.partition("=")[0]: mark for mark in fragment_marks(whole_page(table_of_two, BO))}
    table_of_two.play(ANA, Hike(1))
    had |= {
        mark.partition("=")[0]: mark for mark in fragment_marks(changed_fragments(table_of_two, BO, list(had.values())))
    }
    now = whole_page(table_of_two, BO)
    assert list(had.values()) == fragment_marks(now)


def test_a_tap_is_answered_with_what_it_changed(table_of_two: SeatedTable):
    has = " ".join(fragment_marks(whole_page(table_of_two, ANA)))
    form = {"csrf_token": table_of_two.phone(ANA).token, "tap": "a tap", "move": '{"type":"hike","steps":1}'}
    headers = {"HX-Request": "true", "Waymark-Has": has}
    answer = table_of_two.phone(ANA).http.post(f"{table_of_two.path}/seat/{ANA}/play", data=form, headers=headers)
    assert answer.status_code == 200 and set(sent_fragments(answer.text)) == {*FIRST_STEP_FRAGMENTS}
    refused = table_of_two.phone(ANA).http.post(
        f"{table_of_two.path}/seat/{ANA}/play", data=form | {"tap": "another"}, headers=headers
    )
    assert refused.status_code == 422 and "Not possible" in parse_page(refused.text).text


def test_the_same_refusal_a_second_time_is_told_anew(table_of_two: SeatedTable):
    """Each tap's refusal is an element of its own; the same tap sent again is the same one."""
    said, has = [], fragment_marks(whole_page(table_of_two, ANA))
    for tap in ("first", "second", "second"):
        form = {"csrf_token": table_of_two.phone(ANA).token, "tap": tap, "move": '{"type":"hike","steps":3}'}
        headers = {"HX-Request": "true", "Waymark-Has": " ".join(has)}
        answer = table_of_two.phone(ANA).http.post(f"{table_of_two.path}/seat/{ANA}/play", data=form, headers=headers)
        assert answer.status_code == 422
        said.append(sent_fragments(answer.text))
        has += fragment_marks(answer.text)
    assert said == [["news"], ["news"], []]


def test_two_looks_at_the_same_table_have_the_same_marks(table_of_two: SeatedTable):
    assert fragment_marks(whole_page(table_of_two, ANA)) == fragment_marks(whole_page(table_of_two, ANA))
    assert strip_per_request_values(whole_page(table_of_two, ANA)) == strip_per_request_values(
        whole_page(table_of_two, ANA)
    )


def test_whatever_a_phone_says_it_has_there_is_an_answer(table_of_two: SeatedTable):
    for has in ("", "banner", "banner=", "=\x7f", "picture=00 picture=00", "x" * 4000):
        assert sent_fragments(changed_fragments(table_of_two, ANA, [has])) == list(FRAGMENTS)


def test_a_phone_with_several_seats_follows_the_turn(app: Flask):
    one = open_seated_table(app, "Ana", "Bo", phones=1)
    phone = one.phone(ANA)
    answer = one.submit(ANA, "play", {"move": '{"type":"hike","steps":2}'}, htmx=True)
    assert f'data-here="{one.path}/seat/{BO}"' in answer.text
    assert one.submit(BO, "play", {"move": '{"type":"hike","steps":2}'}).headers["Location"].endswith(f"/seat/{ANA}")
    assert f'data-here="{one.path}/seat/{ANA}"' in phone.get(f"{one.path}/seat/{BO}/now", htmx=True).text


NESTED_TEMPLATE = """{% set piece = pieces("a tap") %}{% call piece("outer") %}frame {{ frame }}
{% call piece("one") %}<ul class="u"><li>{{ one }}</li></ul>{% endcall %}
{% call piece("two") %}<p>{{ two }}</p>{% endcall %}{% endcall %}"""


def render_fragments(app: Flask, has: list[str] | None = None, page: str = NESTED_TEMPLATE, **values: str) -> str:
    headers = {} if has is None else {"Waymark-Has": " ".join(has)}
    with app.test_request_context(headers=headers):
        return app.jinja_env.from_string(page).render(**values)


def test_a_piece_within_another_travels_alone(app: Flask):
    before = render_fragments(app, frame="of wood", one="sun", two="moon")
    assert sent_fragments(before) == ["outer", "one", "two"] and before.index("sun") < before.index("moon")
    assert sent_fragments(render_fragments(app, fragment_marks(before), frame="of wood", one="sun", two="moon")) == []
    other = render_fragments(app, fragment_marks(before), frame="of wood", one="sun", two="stars")
    assert sent_fragments(other) == ["two"] and "stars" in other and "frame" not in other
    assert "frame" not in render_fragments(app, fragment_marks(before)[:1], frame="of wood", one="sun", two="moon")


def test_a_frame_travels_without_the_pieces_that_stay(app: Flask):
    before = render_fragments(app, frame="of wood", one="sun", two="moon")
    frame = render_fragments(app, fragment_marks(before), frame="of brass", one="sun", two="moon")
    assert sent_fragments(frame) == ["outer"] and '<ul id="p-one" data-stays></ul>' in frame and "moon" not in frame
    both = render_fragments(app, fragment_marks(before), frame="of brass", one="sun", two="stars")
    assert sent_fragments(both) == ["outer", "two"] and "sun" not in both and "stars" in both


def test_a_part_of_a_drawing_travels_in_the_drawing(app: Flask):
    """By itself `<g>` would be no part of any drawing: the drawing around it travels, without its other parts."""
    drawing = NESTED_TEMPLATE.replace("ul", "g").replace("<p>", "<g>").replace("</p>", "</g>")
    before = render_fragments(app, page=drawing, frame="of wood", one="sun", two="moon")
    other = render_fragments(app, fragment_marks(before), page=drawing, frame="of wood", one="sun", two="stars")
    assert sent_fragments(other) == ["outer", "two"] and '<g id="p-one" data-stays></g>' in other and "stars" in other
    assert (
        sent_fragments(
            render_fragments(app, fragment_marks(before), page=drawing, frame="of wood", one="sun", two="moon")
        )
        == []
    )


def test_a_laid_tile_sends_its_row_of_the_map_and_not_the_map(app: Flask):
    two = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    two.play(ANA, TakeCamp("rock"))
    two.play(BO, TakeCamp("rock"))
    for y in (-1, -2, -3):
        before = whole_page(two, ANA)
        two.play(ANA, PlaceTrail("rock", "NS", 1, 0, y))
    rows = {
        name
        for name in sent_fragments(changed_fragments(two, ANA, fragment_marks(before)))
        if name.startswith(("tiles-", "cells-"))
    }
    assert rows == {"tiles--3", "cells--4", "cells--3"}
