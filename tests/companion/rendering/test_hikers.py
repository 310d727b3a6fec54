"""Where the hikers of PARKS stand in the pictures of the Trail on a screen."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rendering.hikers import LETTER_WIDTH, TrailPicture
from companion.rendering.templating import create_template_app
from tests.support.hypothesis_settings import with_examples

TEMPLATES = create_template_app().jinja_env
PICTURES = [vars(TEMPLATES.get_template(f"parks/_{name}_trail.html").module)["picture"] for name in ("phone", "wide")]
spaces = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted).map(tuple)


@pytest.mark.parametrize("picture", PICTURES, ids=("phone", "wide"))
@with_examples(100)
@given(hikers_by_seat=st.lists(spaces, min_size=1, max_size=5), data=st.data())
def test_hikers_stand_on_their_space_and_no_tag_hides_letters(
    picture: TrailPicture, hikers_by_seat: list[tuple[int, int]], data: st.DataObject
) -> None:
    turn_seat = data.draw(st.sampled_from([None, *range(len(hikers_by_seat))]))
    figures, tags = picture.place_hikers(hikers_by_seat, "ABCDE", turn_seat)

    assert [(figure.seat, figure.number, figure.space) for figure in figures] == [
        (seat, number, space) for seat, hikers in enumerate(hikers_by_seat) for number, space in enumerate(hikers)
    ]
    for figure in figures:
        left, _, width = picture.spaces[figure.space]
        assert left <= figure.x <= left + width
    for tag, other in combinations(tags, 2):
        if (tag.ground, tag.row) == (other.ground, other.row):
            letters_width = LETTER_WIDTH * picture.tag_size * (len(tag.text) + len(other.text)) / 2
            assert abs(tag.x - other.x) >= letters_width, (tag, other)


@pytest.mark.parametrize(
    ("hikers_by_seat", "texts"),
    [
        pytest.param([(2, 4), (0, 4)], ["A1", "A2", "B", "B"], id="the player in turn tells both hikers apart"),
        pytest.param([(4, 4), (0, 4)], ["A", "A", "B", "B"], id="both on one space"),
        pytest.param([(4, 12), (0, 4)], ["A", "A", "B", "B"], id="one at Trail’s End"),
        pytest.param([(4, 4), (4, 4), (4, 5)], ["A", "B", "C", "C"], id="a crowd shares tags"),
    ],
)
def test_tags_number_the_hikers_of_the_player_in_turn(hikers_by_seat: list[tuple[int, int]], texts: list[str]) -> None:
    phone, wide = PICTURES
    assert [tag.text for tag in phone.place_hikers(hikers_by_seat, "ABC", 0)[1]] == texts
    assert [tag.text for tag in wide.place_hikers(hikers_by_seat, "ABC", 0)[1]] == [text[0] for text in texts]


def test_only_hikers_of_the_player_in_turn_on_sites_are_marked() -> None:
    figures, _ = PICTURES[0].place_hikers([(0, 3), (3, 11), (2, 5)], "ABC", 1)
    assert [(figure.seat, figure.space) for figure in figures if figure.is_marked] == [(1, 3)]
