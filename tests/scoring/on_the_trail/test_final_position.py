"""ON THE TRAIL final-position documents: scored, or refused with one line."""

import re

import pytest

from scoring import BadPosition, score_document
from tests.support.parametrize import run_all_rows


def document(*players: dict, **top) -> dict:
    named = ({"name": name, **player} for name, player in zip(("Ana", "Bo", "Cy"), players, strict=False))
    return {"game": "on-the-trail", "players": list(named), **top}


def test_two_finishers_are_scored_as_data():
    result = score_document(document({"finished": True, "hand": 2}, {"finished": True, "hand": 3}))
    assert result["decided_by"] == "hand"
    assert [
        (player["total"], player["rank"], player["winner"], player["categories"]) for player in result["players"]
    ] == [
        (2, 2, False, {"hand": 2}),
        (3, 1, True, {"hand": 3}),
    ]


OUTCOMES = [
    (({"finished": True, "hand": 2}, {}), "points", [2, 0], [1, 2], [True, False]),
    (({"finished": True}, {"finished": False}), "points", [0, 0], [1, 2], [True, False]),
    (({}, {}), "shared", [0, 0], [1, 1], [False, False]),
    (({"finished": True, "hand": 1}, {"finished": True, "hand": 1}), "shared", [1, 1], [1, 1], [True, True]),
    (({"finished": False, "hand": 4}, {"finished": True}), "points", [0, 0], [2, 1], [False, True]),
    (({"finished": True, "hand": 1}, {"bot": True, "finished": True}), "hand", [1, 0], [1, 2], [True, False]),
    (({"finished": True}, {"bot": True, "finished": True}), "shared", [0, 0], [1, 1], [True, True]),
    (({}, {"bot": True}), "points", [0, 0], [2, 1], [False, True]),
    (({"bot": True, "finished": True}, {}), "points", [0, 0], [1, 2], [True, False]),
    (({"bot": True}, {"finished": True, "hand": 3}), "points", [0, 3], [2, 1], [False, True]),
]


@pytest.mark.parametrize("players, decided_by, totals, ranks, winners", OUTCOMES)
def test_result_of_a_race_as_data(players, decided_by, totals, ranks, winners):
    result = score_document(document(*players))
    assert result["decided_by"] == decided_by
    assert [player["total"] for player in result["players"]] == totals
    assert [player["rank"] for player in result["players"]] == ranks
    assert [player["winner"] for player in result["players"]] == winners
    for player in result["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])
        assert all(line["rules"] for line in player["lines"])


FAULTS = [
    (document(), "players: this game has 2 players, not 0"),
    (document({}), "players: this game has 2 players, not 1"),
    (document({}, {}, {}), "players: this game has 2 players, not 3"),
    (document({}, {}, fall="sun"), 'no key "fall"; there are game, rulings, players'),
    (document({"finish": True}, {}), 'players[0]: no key "finish"; did you mean "finished"?'),
    (document({"finished": 1}, {}), "players[0].finished: expected true or false, got a whole number"),
    (document({"hand": "2"}, {}), "players[0].hand: expected a whole number, got text"),
    (
        document({"hand": 13}, {}),
        "players[0].hand: a runner has 0 to 12 cards in hand at the end, not 13; did you mean 12?",
    ),
    (
        document({}, {"hand": -1}),
        "players[1].hand: a runner has 0 to 12 cards in hand at the end, not -1; did you mean 0?",
    ),
    (
        document({}, {"bot": True, "hand": 2}),
        "players[1].hand: the bot never has cards in hand, not 2; did you mean 0?",
    ),
    (document({"bot": True}, {"bot": True}), "players[1].bot: only one runner can be the bot; did you mean false?"),
    (document({"name": ""}, {}), "players[0].name: a name has 1 to 40 characters, but this one has 0"),
    (document({"name": "bo"}, {}), 'players[1].name: the name "Bo" is taken already'),
    (
        document({}, {}, rulings={"strand": "x"}),
        'rulings: no ruling "strand"; did you mean "stranding"?',
    ),
    (
        document({}, {}, rulings={"stranding": "x"}),
        'rulings.stranding: no option "x"; there are keep-a-way, at-your-risk',
    ),
]


@run_all_rows("document, message", FAULTS)
def test_fault_is_refused_with_one_line_that_names_its_place(document, message):
    with pytest.raises(BadPosition, match=f"^{re.escape(message)}$"):
        score_document(document)
