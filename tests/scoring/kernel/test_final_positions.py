"""Final-position documents: the structure of the result, and every fault with its line."""

import json
import math
import re

import pytest

from scoring import BadPosition, score_document
from scoring.games import GAMES
from scoring.kernel.english import describe_known_words
from scoring.trails.box import BADGES
from scoring.trails.rules import RULINGS
from tests.support.parametrize import run_all_rows

ANA_AND_BO = {"game": "trails", "players": [{"name": "Ana"}, {"name": "Bo"}]}


def document(ana: dict | None = None, bo: dict | None = None, **top) -> dict:
    """Return a minimal document, with more fields for Ana, for Bo, or at the top level."""
    return {"game": "trails", "players": [{"name": "Ana", **(ana or {})}, {"name": "Bo", **(bo or {})}], **top}


def placings(*players: dict) -> list[tuple]:
    """Return the result of a document with these players: name, total, rank, winner."""
    result = score_document({"game": "trails", "players": list(players)})
    return [(player["name"], player["total"], player["rank"], player["winner"]) for player in result["players"]]


# The result


def test_result_has_the_documented_structure():
    result = score_document(
        document(
            {"badges": ["climber-rock", "observer-leaf"], "photos": [{"points": 1, "birds": 1}]},
            {"badges": ["science"]},
        )
    )
    assert result == {
        "game": "trails",
        "decided_by": "points",
        "verdict": "Ana wins with 15 points.",
        "players": [
            {
                "name": "Ana",
                "total": 15,
                "rank": 1,
                "winner": True,
                "categories": {"badges": 10, "photos": 1, "bird-trophy": 4},
                "lines": [
                    {
                        "category": "badges",
                        "label": "Climber (rock)",
                        "points": 6,
                        "because": "6 points printed on the badge.",
                        "rules": ["climber"],
                    },
                    {
                        "category": "badges",
                        "label": "Observer (leaf)",
                        "points": 4,
                        "because": "2 points printed on the badge, plus 2 points for the most birds.",
                        "rules": ["observer"],
                    },
                    {"category": "photos", "label": "1 photo", "points": 1, "because": "1.", "rules": ["score-photos"]},
                    {
                        "category": "bird-trophy",
                        "label": "Bird Trophy",
                        "points": 4,
                        "because": "2 birds, the most.",
                        "rules": ["bird-trophy"],
                    },
                ],
            },
            {
                "name": "Bo",
                "total": 3,
                "rank": 2,
                "winner": False,
                "categories": {"badges": 3, "photos": 0, "bird-trophy": 0},
                "lines": [
                    {
                        "category": "badges",
                        "label": "Science",
                        "points": 3,
                        "because": "3 points printed on the badge.",
                        "rules": ["science"],
                    },
                    {
                        "category": "bird-trophy",
                        "label": "Bird Trophy",
                        "points": 0,
                        "because": "0 birds. Another player has more.",
                        "rules": ["bird-trophy"],
                    },
                ],
            },
        ],
    }
    assert json.loads(json.dumps(result, allow_nan=False)) == result


def test_missing_key_means_none():
    assert score_document(ANA_AND_BO) == score_document(
        document({"badges": [], "photos": []}, {"photos": []}, rulings={})
    )
    assert score_document(document({"photos": [{}]})) == score_document(
        document({"photos": [{"points": 0, "birds": 0}]})
    )


def test_players_keep_the_order_of_the_file():
    assert placings({"name": "Zoe"}, {"name": "Ana", "badges": ["climber-leaf"]}, {"name": "Mo"}) == [
        ("Zoe", 0, 2, False),
        ("Ana", 6, 1, True),
        ("Mo", 0, 2, False),
    ]


def test_ranks_are_1_2_2_4_where_players_tie():
    assert placings(
        {"name": "Ana", "badges": ["first-aid-leaf"]},
        {"name": "Bo", "badges": ["science"]},
        {"name": "Cy", "badges": ["climber-leaf"]},
        {"name": "Di", "badges": ["science"]},
    ) == [("Ana", 1, 4, False), ("Bo", 3, 2, False), ("Cy", 6, 1, True), ("Di", 3, 2, False)]


TWO_OF_THREE = {"badges": ["cartography-leaf", "navigation-leaf"]}


@run_all_rows(
    "ana, bo, decided_by, winners",
    [
        ({"badges": ["climber-leaf"]}, {"badges": ["science"]}, "points", ["Ana"]),
        ({"badges": ["climber-leaf"]}, TWO_OF_THREE, "badges", ["Bo"]),
        ({"badges": ["climber-leaf"], "photos": [{}]}, {"badges": ["climber-rock"]}, "photos", ["Ana"]),
        ({"badges": ["climber-leaf"]}, {"badges": ["seeker-rock"]}, "birds", ["Bo"]),
        ({"badges": ["climber-leaf"]}, {"badges": ["climber-rock"]}, "shared", ["Ana", "Bo"]),
        ({}, {}, "shared", ["Ana", "Bo"]),
    ],
)
def test_decided_by_names_what_singled_out_the_winner(ana, bo, decided_by, winners):
    result = score_document(document(ana, bo))
    assert result["decided_by"] == decided_by
    assert [player["name"] for player in result["players"] if player["winner"]] == winners


@run_all_rows(
    "ana, bo, rulings, total",
    [
        ({}, {}, {}, 0),
        ({}, {}, {"zero-birds": "nobody"}, 0),
        ({}, {}, {"zero-birds": "everyone"}, 4),
        ({"badges": ["rappelling-rock"]}, {}, {}, 0),
        ({"badges": ["rappelling-rock", "collector-rock"]}, {}, {}, 4),
        ({"badges": ["rappelling-rock", "collector-rock"]}, {}, {"rappelling-collector": "nothing"}, 2),
        ({"badges": ["rappelling-rock", "observer-leaf"]}, {}, {}, 4 + 4 + 4),
        ({"badges": ["rappelling-rock", "observer-leaf"]}, {}, {"rappelling-observer": "printed"}, 4 + 2 + 4),
        ({"badges": ["science", "collector-leaf", "collector-rock"]}, {}, {}, 3 + 2 + 2),
    ],
)
def test_open_rule_goes_by_its_default_or_by_the_ruling_of_the_file(ana, bo, rulings, total):
    assert score_document(document(ana, bo, rulings=rulings))["players"][0]["total"] == total


def test_every_option_of_every_ruling_is_accepted():
    for ruling in RULINGS:
        for option in ruling.options:
            assert score_document(document(rulings={ruling.id: option.id}))["game"] == "trails"


@run_all_rows(
    "given, expected",
    [
        ("  Ana\t", "Ana"),
        ("A", "A"),
        ("x" * 40, "x" * 40),
        (f" {'x' * 40} ", "x" * 40),
        ("Ana Lu O\u2019Neil-Sm\u00edth", "Ana Lu O\u2019Neil-Sm\u00edth"),
        ("\u5c71\u672c", "\u5c71\u672c"),
        ("\U0001f469\u200d\U0001f33e", "\U0001f469\u200d\U0001f33e"),  # A farmer: one emoji with a joiner.
        ("<b>&\"'", "<b>&\"'"),
    ],
)
def test_names_are_only_trimmed(given, expected):
    assert score_document(document({"name": given}))["players"][0]["name"] == expected


# Faults: (document, error line)

BADGE_LIST = describe_known_words(BADGES)
RULING_LIST = ", ".join(ruling.id for ruling in RULINGS)
GAME_LIST = ", ".join(GAMES)
PLAYER_KEYS = "name, badges, photos"


def badges(*ids) -> dict:
    return document({"badges": list(ids)})


def photos(*faces) -> dict:
    return document({"photos": list(faces)})


TOP = [
    ([], "expected one JSON object"),
    (None, "expected one JSON object"),
    ("trails", "expected one JSON object"),
    (7, "expected one JSON object"),
    ({}, f"game: which game? there are {GAME_LIST}"),
    ({"players": [{"name": "Ana"}, {"name": "Bo"}]}, f"game: which game? there are {GAME_LIST}"),
    (document(game="trial"), 'game: no game "trial"; did you mean "trails"?'),
    (document(game="chess"), f'game: no game "chess"; there are {GAME_LIST}'),
    (document(game=["trails"]), f'game: no game "[...]"; there are {GAME_LIST}'),
    (document(game={}), f'game: no game "{{...}}"; there are {GAME_LIST}'),
    (document(game=3), f'game: no game "3"; there are {GAME_LIST}'),
    (document(game=True), f'game: no game "true"; there are {GAME_LIST}'),
    (document(ruling={}), 'no key "ruling"; did you mean "rulings"?'),
    (document(solo=True), 'no key "solo"; there are game, rulings, players'),
    ({**ANA_AND_BO, "two\nlines": 1}, 'no key "two\\nlines"; there are game, rulings, players'),
    ({**ANA_AND_BO, 5: 1}, 'no key "5"; there are game, rulings, players'),
    ({**ANA_AND_BO, None: 1}, 'no key "null"; there are game, rulings, players'),
    ({"game": "trails"}, "players: a list of players is needed"),
    (document(players={}), "players: a list of players is needed"),
    (document(players=None), "players: a list of players is needed"),
    (document(players="Ana"), "players: a list of players is needed"),
    (document(players=[]), "players: this game has 2 to 4 players, not 0"),
    (document(players=[{"name": "Ana"}]), "players: this game has 2 to 4 players, not 1"),
    (document(players=[{"name": str(n)} for n in range(5)]), "players: this game has 2 to 4 players, not 5"),
    (document(rulings=None), "rulings: expected an object of ruling to option"),
    (document(rulings=["zero-birds"]), "rulings: expected an object of ruling to option"),
    (document(rulings={"zero-bird": "nobody"}), 'rulings: no ruling "zero-bird"; did you mean "zero-birds"?'),
    (document(rulings={1: "nobody"}), f'rulings: no ruling "1"; there are {RULING_LIST}'),
    (
        document(rulings={"zero-birds": "everybody"}),
        'rulings.zero-birds: no option "everybody"; did you mean "everyone"?',
    ),
    (document(rulings={"zero-birds": ["nobody"]}), 'rulings.zero-birds: no option "[...]"; there are nobody, everyone'),
    (document(rulings={"zero-birds": {}}), 'rulings.zero-birds: no option "{...}"; there are nobody, everyone'),
    (document(rulings={"zero-birds": None}), 'rulings.zero-birds: no option "null"; there are nobody, everyone'),
    (document(rulings={"zero-birds": True}), 'rulings.zero-birds: no option "true"; there are nobody, everyone'),
    (document(rulings={"zero-birds": 1}), 'rulings.zero-birds: no option "1"; there are nobody, everyone'),
]

PLAYERS = [
    (document(players=[{"name": "Ana"}, 5]), "players[1]: expected an object, got a whole number"),
    (document(players=[{"name": "Ana"}, "\ud800"]), "players[1]: a text has an incomplete character here"),
    (document(players=[{"name": "Ana"}, None]), "players[1]: expected an object, got null"),
    (document(players=[["Ana"], {"name": "Bo"}]), "players[0]: expected an object, got a list"),
    (document(players=[{"name": "Ana"}, {}]), "players[1].name: this is needed"),
    (document(players=[{"name": "Ana"}, {"nam": "Bo"}]), 'players[1]: no key "nam"; did you mean "name"?'),
    (document({"badge": []}), 'players[0]: no key "badge"; did you mean "badges"?'),
    (document({}, {"total": 3}), f'players[1]: no key "total"; there are {PLAYER_KEYS}'),
    (document({3: 3}), f'players[0]: no key "3"; there are {PLAYER_KEYS}'),
    (document({"name": 5}), "players[0].name: expected text, got a whole number"),
    (document({"name": None}), "players[0].name: expected text, got null"),
    (document({"name": ""}), "players[0].name: a name has 1 to 40 characters, but this one has 0"),
    (document({"name": " \t\n "}), "players[0].name: a name has 1 to 40 characters, but this one has 0"),
    (document({"name": "x" * 41}), "players[0].name: a name has 1 to 40 characters, but this one has 41"),
    (document({"name": "bo"}), 'players[1].name: the name "Bo" is taken already'),
    (
        document({"name": "STRASSE"}, {"name": "stra\u00dfe "}),
        'players[1].name: the name "stra\u00dfe" is taken already',
    ),
    (document({"name": "A\nna"}), "players[0].name: a name must be on one line, without control characters"),
    (document({"name": "A\x00na"}), "players[0].name: a name must be on one line, without control characters"),
    (document({"name": "A\x1bna"}), "players[0].name: a name must be on one line, without control characters"),
    (document({"name": "A\u2028na"}), "players[0].name: a name must be on one line, without control characters"),
    (document({"name": "A\ud800"}), "players[0].name: a name must be on one line, without control characters"),
    (document({"name": "\u200b"}), "players[0].name: a name needs at least one visible character"),
]

BADGE_FAULTS = [
    (
        badges("climber-rock", "science", "climber-leef"),
        'players[0].badges[2]: no badge "climber-leef"; did you mean "climber-leaf"?',
    ),
    (document({}, {"badges": ["sience"]}), 'players[1].badges[0]: no badge "sience"; did you mean "science"?'),
    (badges("Climber (rock)"), 'players[0].badges[0]: no badge "Climber (rock)"; did you mean "climber-rock"?'),
    (badges("qqq"), f'players[0].badges[0]: no badge "qqq"; {BADGE_LIST}'),
    (badges(""), f'players[0].badges[0]: no badge ""; {BADGE_LIST}'),
    (badges("sci\nence"), 'players[0].badges[0]: no badge "sci\\nence"; did you mean "science"?'),
    (badges("q" * 1000), f'players[0].badges[0]: no badge "{"q" * 60}\u2026"; {BADGE_LIST}'),
    (badges(3), "players[0].badges[0]: expected text, got a whole number"),
    (badges(None), "players[0].badges[0]: expected text, got null"),
    (badges(["science"]), "players[0].badges[0]: expected text, got a list"),
    (badges({"name": "Climber"}), "players[0].badges[0]: expected text, got an object"),
    (document({"badges": None}), "players[0].badges: expected a list, got null"),
    (document({"badges": "science"}), "players[0].badges: expected a list, got text"),
    (document({"badges": {"science": 3}}), "players[0].badges: expected a list, got an object"),
    (badges(*["science"] * 4), 'players[0].badges[3]: the box has 3 "science"; this would be number 4'),
    (
        document({"badges": ["science", "science"]}, {"badges": ["science", "climber-leaf", "science"]}),
        'players[1].badges[2]: the box has 3 "science"; this would be number 4',
    ),
    (
        document({"badges": ["climber-leaf"]}, {"badges": ["climber-leaf"]}),
        'players[1].badges[0]: the box has 1 "climber-leaf"; this would be number 2',
    ),
]

PHOTO_FAULTS = [
    (photos({"points": 3}), "players[0].photos[0].points: a photo shows 0 to 2 points, not 3; did you mean 2?"),
    (photos({}, {"points": -1}), "players[0].photos[1].points: a photo shows 0 to 2 points, not -1; did you mean 0?"),
    (photos({"birds": 3}), "players[0].photos[0].birds: a photo shows 0 to 2 birds, not 3; did you mean 2?"),
    (photos({"birds": -2}), "players[0].photos[0].birds: a photo shows 0 to 2 birds, not -2; did you mean 0?"),
    (
        photos({"points": 10**30}),
        "players[0].photos[0].points: a photo shows 0 to 2 points, not a huge number; did you mean 2?",
    ),
    (
        photos({"points": -(10**9999)}),
        "players[0].photos[0].points: a photo shows 0 to 2 points, not a huge number; did you mean 0?",
    ),
    (photos({"points": True}), "players[0].photos[0].points: expected a whole number, got true or false"),
    (photos({"birds": False}), "players[0].photos[0].birds: expected a whole number, got true or false"),
    (photos({"points": 1.5}), "players[0].photos[0].points: expected a whole number, got a number with a fraction"),
    (
        photos({"points": math.nan}),
        "players[0].photos[0].points: expected a whole number, got a number with a fraction",
    ),
    (
        photos({"points": math.inf}),
        "players[0].photos[0].points: expected a whole number, got a number with a fraction",
    ),
    (photos({"points": "1"}), "players[0].photos[0].points: expected a whole number, got text"),
    (photos({"points": None}), "players[0].photos[0].points: expected a whole number, got null"),
    (photos({"point": 1}), 'players[0].photos[0]: no key "point"; did you mean "points"?'),
    (document({}, {"photos": [{}, {"bird": 1}]}), 'players[1].photos[1]: no key "bird"; did you mean "birds"?'),
    (photos({1: 1}), 'players[0].photos[0]: no key "1"; there are points, birds'),
    (photos(1, 2), "players[0].photos[0]: expected an object, got a whole number"),
    (photos([1, 1]), "players[0].photos[0]: expected an object, got a list"),
    (document({"photos": {"points": 1}}), "players[0].photos: expected a list, got an object"),
    (document({"photos": 3}), "players[0].photos: expected a list, got a whole number"),
    (document({"photos": [{}] * 33}), "players[0].photos: the box has 32 photos; with these there would be 33"),
    (
        document({"photos": [{}] * 20}, {"photos": [{}] * 13}),
        "players[1].photos: the box has 32 photos; with these there would be 33",
    ),
]


@run_all_rows("document, fault", TOP + PLAYERS + BADGE_FAULTS + PHOTO_FAULTS)
def test_fault_is_refused_with_one_line_that_names_its_place(document, fault):
    with pytest.raises(BadPosition, match=f"^{re.escape(fault)}$"):
        score_document(document)


def test_32_photos_and_every_badge_of_the_box_are_scored():
    every = [id for id, badge in BADGES.items() for _ in range(badge.copies)]
    result = score_document(document({"badges": every}, {"photos": [{"points": 2, "birds": 2}] * 32}))
    assert result["players"][1]["total"] == 32 * 2 + 4
