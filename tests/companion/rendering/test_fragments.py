"""Of a phone's own page only the pieces travel that it has not: which they are, and what they say."""

import re

import pytest
from flask import Flask

from scoring.alpine_trails.moves.placing import PlaceTrail, TakeCamp
from scoring.trails.moves.hiking import Exchange, Hike
from tests.support.other_secrets import plain
from tests.support.page_reader import read
from tests.support.phones import Seated, seated

ANA, BO = 0, 1
PICTURE = ("picture", "still", "sky", "moving", "taps")
PIECES = ("banner", "menu", "news", *PICTURE, "mine", "sheet", "things", "players", "player-0", "player-1", "log")


@pytest.fixture
def two(app: Flask) -> Seated:
    return seated(app, "Ana", "Bo")


FIRST_STEP = ("banner", "menu", "news", "moving", "taps", "sheet", "log")


def whole(two: Seated, seat: int) -> str:
    return two.phone(seat).get(f"{two.path}/seat/{seat}/now", htmx=True).text


def marks(text: str) -> list[str]:
    return re.findall('data-piece="([^"]*)"', text)


def news(two: Seated, seat: int, has: list[str]) -> str:
    answer = two.phone(seat).http.get(
        f"{two.path}/seat/{seat}/now", headers={"HX-Request": "true", "Waymark-Has": " ".join(has)}
    )
    assert answer.status_code == 200
    return answer.text


def sent(text: str) -> list[str]:
    """Return the names of the pieces that an answer brings."""
    return [mark.partition("=")[0] for mark in marks(text)]


def test_a_page_has_all_pieces_and_says_which(two: Seated):
    page = whole(two, ANA)
    assert sent(page) == list(PIECES)
    assert re.findall('data-marks="([^"]*)"', page)[0].split() == marks(page)
    assert page.lstrip().startswith('<main id="now"') and "hx-partial" not in page


def test_a_phone_that_has_all_of_it_gets_none_of_it(two: Seated):
    answer = news(two, ANA, marks(whole(two, ANA)))
    assert sent(answer) == []
    assert answer.strip().startswith('<hx-partial hx-target="#at"') and answer.strip().endswith("</span></hx-partial>")


def test_what_a_hike_changes_travels_and_nothing_else(two: Seated):
    before = {seat: whole(two, seat) for seat in (ANA, BO)}
    two.say(ANA, Hike(1))  # the first: the menu no longer offers to start from the middle
    assert set(sent(news(two, ANA, marks(before[ANA])))) == {*FIRST_STEP}
    two.say(ANA, Exchange("acorn", "leaf"))
    of_bo = news(two, BO, marks(before[BO]))
    assert "things" not in sent(of_bo) and "mine" not in sent(of_bo)


def test_the_pieces_put_together_are_the_page(two: Seated):
    had = {mark.partition("=")[0]: mark for mark in marks(whole(two, BO))}
    two.say(ANA, Hike(1))
    had |= {mark.partition("=")[0]: mark for mark in marks(news(two, BO, list(had.values())))}
    now = whole(two, BO)
    assert list(had.values()) == marks(now)


def test_a_tap_is_answered_with_what_it_changed(two: Seated):
    has = " ".join(marks(whole(two, ANA)))
    form = {"csrf_token": two.phone(ANA).token, "tap": "a tap", "move": '{"type":"hike","steps":1}'}
    headers = {"HX-Request": "true", "Waymark-Has": has}
    answer = two.phone(ANA).http.post(f"{two.path}/seat/{ANA}/play", data=form, headers=headers)
    assert answer.status_code == 200 and set(sent(answer.text)) == {*FIRST_STEP}
    refused = two.phone(ANA).http.post(f"{two.path}/seat/{ANA}/play", data=form | {"tap": "another"}, headers=headers)
    assert refused.status_code == 422 and "Not possible" in read(refused.text).text


def test_the_same_refusal_a_second_time_is_told_anew(two: Seated):
    """Each tap's refusal is an element of its own; the same tap sent again is the same one."""
    said, has = [], marks(whole(two, ANA))
    for tap in ("first", "second", "second"):
        form = {"csrf_token": two.phone(ANA).token, "tap": tap, "move": '{"type":"hike","steps":3}'}
        headers = {"HX-Request": "true", "Waymark-Has": " ".join(has)}
        answer = two.phone(ANA).http.post(f"{two.path}/seat/{ANA}/play", data=form, headers=headers)
        assert answer.status_code == 422
        said.append(sent(answer.text))
        has += marks(answer.text)
    assert said == [["news"], ["news"], []]


def test_two_looks_at_the_same_table_have_the_same_marks(two: Seated):
    assert marks(whole(two, ANA)) == marks(whole(two, ANA))
    assert plain(whole(two, ANA)) == plain(whole(two, ANA))


def test_whatever_a_phone_says_it_has_there_is_an_answer(two: Seated):
    for has in ("", "banner", "banner=", "=\x7f", "picture=00 picture=00", "x" * 4000):
        assert sent(news(two, ANA, [has])) == list(PIECES)


def test_a_phone_with_several_seats_follows_the_turn(app: Flask):
    one = seated(app, "Ana", "Bo", phones=1)
    phone = one.phone(ANA)
    answer = one.tap(ANA, "play", {"move": '{"type":"hike","steps":2}'}, htmx=True)
    assert f'data-here="{one.path}/seat/{BO}"' in answer.text
    assert one.tap(BO, "play", {"move": '{"type":"hike","steps":2}'}).headers["Location"].endswith(f"/seat/{ANA}")
    assert f'data-here="{one.path}/seat/{ANA}"' in phone.get(f"{one.path}/seat/{BO}/now", htmx=True).text


WITHIN = """{% set piece = pieces("a tap") %}{% call piece("outer") %}frame {{ frame }}
{% call piece("one") %}<ul class="u"><li>{{ one }}</li></ul>{% endcall %}
{% call piece("two") %}<p>{{ two }}</p>{% endcall %}{% endcall %}"""


def drawn(app: Flask, has: list[str] | None = None, page: str = WITHIN, **what: str) -> str:
    headers = {} if has is None else {"Waymark-Has": " ".join(has)}
    with app.test_request_context(headers=headers):
        return app.jinja_env.from_string(page).render(**what)


def test_a_piece_within_another_travels_alone(app: Flask):
    before = drawn(app, frame="of wood", one="sun", two="moon")
    assert sent(before) == ["outer", "one", "two"] and before.index("sun") < before.index("moon")
    assert sent(drawn(app, marks(before), frame="of wood", one="sun", two="moon")) == []
    other = drawn(app, marks(before), frame="of wood", one="sun", two="stars")
    assert sent(other) == ["two"] and "stars" in other and "frame" not in other
    assert "frame" not in drawn(app, marks(before)[:1], frame="of wood", one="sun", two="moon")


def test_a_frame_travels_without_the_pieces_that_stay(app: Flask):
    before = drawn(app, frame="of wood", one="sun", two="moon")
    frame = drawn(app, marks(before), frame="of brass", one="sun", two="moon")
    assert sent(frame) == ["outer"] and '<ul id="p-one" data-stays></ul>' in frame and "moon" not in frame
    both = drawn(app, marks(before), frame="of brass", one="sun", two="stars")
    assert sent(both) == ["outer", "two"] and "sun" not in both and "stars" in both


def test_a_part_of_a_drawing_travels_in_the_drawing(app: Flask):
    """By itself `<g>` would be no part of any drawing: the drawing around it travels, without its other parts."""
    drawing = WITHIN.replace("ul", "g").replace("<p>", "<g>").replace("</p>", "</g>")
    before = drawn(app, page=drawing, frame="of wood", one="sun", two="moon")
    other = drawn(app, marks(before), page=drawing, frame="of wood", one="sun", two="stars")
    assert sent(other) == ["outer", "two"] and '<g id="p-one" data-stays></g>' in other and "stars" in other
    assert sent(drawn(app, marks(before), page=drawing, frame="of wood", one="sun", two="moon")) == []


def test_a_laid_tile_sends_its_row_of_the_map_and_not_the_map(app: Flask):
    two = seated(app, "Ana", "Bo", game="alpine-trails")
    two.say(ANA, TakeCamp("rock"))
    two.say(BO, TakeCamp("rock"))
    for y in (-1, -2, -3):
        before = whole(two, ANA)
        two.say(ANA, PlaceTrail("rock", "NS", 1, 0, y))
    rows = {name for name in sent(news(two, ANA, marks(before))) if name.startswith(("tiles-", "cells-"))}
    assert rows == {"tiles--3", "cells--4", "cells--3"}
