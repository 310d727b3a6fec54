"""Random final-position documents are scored or refused with one line."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import BadPosition, score_document
from scoring.trails.box import BADGES
from scoring.trails.rules import RULINGS
from tests.support.hypothesis_settings import with_examples

pytestmark = pytest.mark.slow("hundreds of documents made up by hypothesis")

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**40, -(10**400), 2**64, math.nan, math.inf, -math.inf, 1.0, -0.0])
    | st.floats()
    | st.text()
    | st.sampled_from(["\n", "\ud800", "science", "climber-leaf", "trails", "zero-birds", "nobody", "Ana", "\u2028"])
)
KEYS = st.text() | st.sampled_from(["game", "players", "rulings", "name", "badges", "photos", "points", "birds"])
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.integers(), inner, max_size=4),
    max_leaves=12,
)
# Nearly valid, so that faults deep inside are found too.
FACES = st.fixed_dictionaries(
    {}, optional={"points": st.integers(-1, 3) | ANYTHING, "birds": st.integers(0, 2) | ANYTHING}
)
NEARLY_A_PLAYER = st.fixed_dictionaries(
    {"name": st.text(max_size=45) | st.sampled_from(["Ana", "Bo", "ana "]) | ANYTHING},
    optional={
        "badges": st.lists(st.sampled_from(sorted(BADGES)) | ANYTHING, max_size=5) | ANYTHING,
        "photos": st.lists(FACES | ANYTHING, max_size=4) | ANYTHING,
        "more": ANYTHING,
    },
)
NEARLY_RULINGS = st.dictionaries(
    st.sampled_from([ruling.id for ruling in RULINGS]) | KEYS,
    st.sampled_from(sorted({option.id for ruling in RULINGS for option in ruling.options})) | ANYTHING,
    max_size=3,
)
NEARLY_VALID = st.fixed_dictionaries(
    {"game": st.just("trails"), "players": st.lists(NEARLY_A_PLAYER | ANYTHING, min_size=1, max_size=5) | ANYTHING},
    optional={"rulings": NEARLY_RULINGS | ANYTHING, "more": ANYTHING},
)
DECK = [id for id, badge in BADGES.items() for _ in range(badge.copies)]
FACE = st.fixed_dictionaries({}, optional={"points": st.integers(0, 2), "birds": st.integers(0, 2)})


@st.composite
def valid_document(draw) -> dict:
    """Return a valid document: no card occurs more often than in the box."""
    deck = draw(st.permutations(DECK))
    players = []
    for name in ("Ana", "Bo", "Cy", "Di")[: draw(st.integers(2, 4))]:
        badges = [deck.pop() for _ in range(draw(st.integers(0, 10)))]
        players.append({"name": name, "badges": badges, "photos": draw(st.lists(FACE, max_size=8))})
    return {"game": "trails", "players": players}


def score_or_error(document) -> str:
    """Return "scored", or the error line."""
    try:
        score_document(document)
    except BadPosition as fault:
        return str(fault)
    return "scored"


@given(ANYTHING | NEARLY_VALID)
@with_examples(500)
def test_random_json_is_scored_or_refused_with_one_printable_line(document):
    line = score_or_error(document)
    assert len(line.splitlines()) == 1
    assert line.encode("utf-8")


@given(valid_document())
@with_examples(200)
def test_scored_document_adds_up(document):
    for player in score_document(document)["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"]) == sum(player["categories"].values())
        assert all(line["rules"] and line["because"] for line in player["lines"])
