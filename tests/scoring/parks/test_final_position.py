"""PARKS final-position documents: the structure of the result, faults, and round trips."""

import json
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import BadPosition, score_document
from scoring.games import TRACKED_GAMES
from scoring.parks.box import CANTEENS, GEAR, GEAR_NAMES, PARKS, PASSIONS, SEASON_TILES, TOKENS
from scoring.parks.final_position import FALL_TILE_TOKENS
from scoring.parks.rules import RULINGS
from scoring.parks.state import State
from tests.scoring.kernel.test_made_up_documents import ANYTHING
from tests.support.command import has_failed_with
from tests.support.hypothesis_settings import with_examples
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.parks_table import NAMES, finished_state, with_changes

TRACKED_GAME = TRACKED_GAMES["parks"]
FINALS = 1000


def document(ana: dict | None = None, bo: dict | None = None, **top) -> dict:
    return {"game": "parks", "players": [{"name": "Ana", **(ana or {})}, {"name": "Bo", **(bo or {})}], **top}


CUSTOM_PARK = {"name": "Home-made", "points": 4, "cost": {"sun": 2}, "instant": False}


def test_result_has_the_documented_structure():
    ana = {
        "parks": ["Arches", CUSTOM_PARK],
        "photos": 2,
        "gear": ["Binoculars"],
        "first_hiker": True,
        "passion": {"card": "Birdwatching", "side": "end"},
    }
    result = score_document(document(ana, {"parks": ["Zion"]}, fall="sun"))
    assert {key: result[key] for key in ("game", "decided_by")} == {"game": "parks", "decided_by": "points"}
    assert result["players"][0]["categories"] == {
        "fall-bonus": 3,
        "parks": 7,
        "photos": 2,
        "photo-bonus": 3,
        "passion": 2,
        "first-hiker": 1,
    }
    assert {key: result["players"][0][key] for key in ("name", "total", "rank", "winner")} == {
        "name": "Ana",
        "total": 18,
        "rank": 1,
        "winner": True,
    }
    assert result["players"][0]["lines"][1] == {
        "category": "parks",
        "label": "Arches",
        "points": 3,
        "because": "3 points printed on the card.",
        "rules": ["score-parks"],
    }
    assert result["players"][1] == {
        "name": "Bo",
        "total": 4,
        "rank": 2,
        "winner": False,
        "categories": {"fall-bonus": 0, "parks": 4, "photos": 0, "photo-bonus": 0, "passion": 0, "first-hiker": 0},
        "lines": [
            {
                "category": "parks",
                "label": "Zion",
                "points": 4,
                "because": "4 points printed on the card.",
                "rules": ["score-parks"],
            }
        ],
    }
    assert json.loads(json.dumps(result)) == result


def test_missing_key_means_none():
    empty = {"parks": [], "photos": 0, "gear": [], "first_hiker": False, "passion": None}
    assert score_document(document()) == score_document(document(empty, empty, fall=None, rulings={}))
    assert score_document(document({"parks": [{"name": "X"}]})) == score_document(
        document({"parks": [{"name": "X", "points": 0, "cost": {}, "instant": False}]})
    )


@pytest.mark.parametrize(
    "ana, bo, decided_by, winners",
    [
        ({"parks": ["Zion"]}, {"parks": ["Arches"]}, "points", ["Ana"]),
        ({"parks": ["Yosemite"]}, {"parks": ["Arches", "Congaree"]}, "parks", ["Bo"]),
        ({"parks": ["Zion"]}, {"parks": ["Olympic"]}, "shared", ["Ana", "Bo"]),
    ],
)
def test_decided_by_names_what_singled_out_the_winner(ana, bo, decided_by, winners):
    result = score_document(document(ana, bo))
    assert result["decided_by"] == decided_by
    assert [player["name"] for player in result["players"] if player["winner"]] == winners


def test_rulings_of_the_document_count():
    three_players = {
        "game": "parks",
        "players": [{"name": name, "photos": photos} for name, photos in zip(NAMES, (2, 2, 1), strict=False)],
    }
    default_points = [player["categories"]["photo-bonus"] for player in score_document(three_players)["players"]]
    ruling_points = [
        player["categories"]["photo-bonus"]
        for player in score_document({**three_players, "rulings": {"photo-tie": "no-second"}})["players"]
    ]
    assert (default_points, ruling_points) == ([4, 4, 2], [4, 4, 0])


FAULTS = [
    (document({"parks": ["Zionn"]}), 'players[0].parks[0]: no park "Zionn"; did you mean "Zion"?'),
    (document({"parks": ["Zion"]}, {"parks": ["Zion"]}), 'players[1].parks[0]: the park "Zion" appears twice'),
    (document({"parks": ["Zion", "Zion"]}), 'players[0].parks[1]: the park "Zion" appears twice'),
    (
        document({"parks": [CUSTOM_PARK]}, {"parks": [CUSTOM_PARK]}),
        'players[1].parks[0].name: the park "Home-made" appears twice',
    ),
    (document({"parks": [{"points": 3}]}), "players[0].parks[0].name: this is needed"),
    (
        document({"parks": [{"name": "Zion"}]}),
        'players[0].parks[0].name: the box already has the park "Zion"; enter only its name, or choose another name',
    ),
    (
        document({"parks": [{"name": "zion"}]}),
        'players[0].parks[0].name: the box already has the park "Zion"; enter only its name, or choose another name',
    ),
    (
        document({"parks": [{"name": " "}]}),
        "players[0].parks[0].name: a name has 1 to 40 characters, but this one has 0",
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "points": 21}]}),
        "players[0].parks[0].points: a park has 0 to 20 points, not 21; did you mean 20?",
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "points": -1}]}),
        "players[0].parks[0].points: a park has 0 to 20 points, not -1; did you mean 0?",
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "cost": {"sun": 10}}]}),
        "players[0].parks[0].cost.sun: a park costs 0 to 9 of each Resource, not 10; did you mean 9?",
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "cost": {"snow": 1}}]}),
        'players[0].parks[0].cost: no Resource "snow"; there are forest, mountain, sun, water, wildlife',
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "cost": {"sun": "1"}}]}),
        "players[0].parks[0].cost.sun: expected a whole number, got text",
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "cost": 3}]}),
        "players[0].parks[0].cost: expected an object, got a whole number",
    ),
    (
        document({"parks": [{**CUSTOM_PARK, "colour": "red"}]}),
        'players[0].parks[0]: no key "colour"; there are name, points, cost, instant',
    ),
    (document({"parks": [3]}), "players[0].parks[0]: expected an object, got a whole number"),
    (document({"parks": "Zion"}), "players[0].parks: expected a list, got text"),
    (document({"photos": -1}), "players[0].photos: a player has 0 photos or more, not -1; did you mean 0?"),
    (document({"photos": 61}), "players[0].photos: all players together have at most 60 photos, not 61"),
    (
        document({"photos": 31}, {"photos": 30}),
        "players[1].photos: all players together have at most 60 photos, not 61",
    ),
    (document({"photos": "5"}), "players[0].photos: expected a whole number, got text"),
    (document({"photos": 1.5}), "players[0].photos: expected a whole number, got a number with a fraction"),
    (document({"photos": True}), "players[0].photos: expected a whole number, got true or false"),
    (document({"gear": ["Binocular"]}), 'players[0].gear[0]: no gear "Binocular"; did you mean "Binoculars"?'),
    (
        document({"gear": [{"name": "Journal"}]}),
        (
            'players[0].gear[0].name: the box already has the gear card "Journal"; enter only its name, or choose '
            "another name"
        ),
    ),
    (document({"gear": [{"name": "Kite", "cost": 1}]}), 'players[0].gear[0]: no key "cost"; there are name'),
    (
        document({"first_hiker": True}, {"first_hiker": True}),
        "players[1].first_hiker: only one player can have the First Hiker token",
    ),
    (document({"first_hiker": 1}), "players[0].first_hiker: expected true or false, got a whole number"),
    (
        document({"passion": {"card": "Botanic", "side": "end"}}),
        'players[0].passion.card: no passion "Botanic"; did you mean "Botany"?',
    ),
    (
        document({"passion": {"card": "Botany", "side": "front"}}),
        'players[0].passion.side: no side "front"; there are gear, end',
    ),
    (
        document({"passion": {"card": "Stars", "side": "end", "scores": "photo"}}),
        'players[0].passion.scores: no thing to count "photo"; did you mean "photos"?',
    ),
    (document({"passion": {"card": "Botany"}}), "players[0].passion.side: this is needed"),
    (document({"passion": "Botany"}), "players[0].passion: expected an object or null, got text"),
    (
        document({"passion": {"card": "Botany", "side": "end", "scores": "sun"}}),
        "players[0].passion: remove scores and each; the box says what Botany scores",
    ),
    (
        document({"passion": {"card": "Botany", "side": "end"}}, {"passion": {"card": "Botany", "side": "gear"}}),
        'players[1].passion.card: the passion "Botany" appears twice',
    ),
    (
        document({"passion": {"card": "adventure", "side": "end", "scores": "photos"}}),
        (
            'players[0].passion.card: the box already has the passion "Adventure"; enter only its name, or choose '
            "another name"
        ),
    ),
    (
        document({"passion": {"card": "Stars", "side": "end", "scores": "photos", "each": 0}}),
        "players[0].passion.each: 1 to 9 of them score 1 point, not 0",
    ),
    (document(fall="suns"), 'fall: no Fall tile "suns"; did you mean "sun"?'),
    (document(fall="wildlife"), 'fall: no Fall tile "wildlife"; there are sun, water, forest, mountain'),
    (document(fall=3), 'fall: no Fall tile "3"; there are sun, water, forest, mountain'),
    (document(falls="sun"), 'no key "falls"; did you mean "fall"?'),
    (document({"park": []}), 'players[0]: no key "park"; did you mean "parks"?'),
    (document(rulings={"photo-tie": "half"}), 'rulings.photo-tie: no option "half"; there are full, no-second'),
    (document({"name": "BO"}), 'players[1].name: the name "Bo" is taken already'),
    ({"game": "parks", "players": [{"name": "Ana"}]}, "players: this game has 2 to 5 players, not 1"),
    (
        {"game": "parks", "players": [{"name": str(number)} for number in range(6)]},
        "players: this game has 2 to 5 players, not 6",
    ),
    ({"game": "parks", "players": [{}, {"name": "Bo"}]}, "players[0].name: this is needed"),
]


@run_all_rows("wrong, line", FAULTS)
def test_fault_line_has_its_place_and_the_nearest_valid_value(wrong, line):
    with pytest.raises(BadPosition) as refused:
        score_document(wrong)
    assert str(refused.value) == line


def test_largest_accepted_values_are_scored():
    score_document(document({"photos": 30}, {"photos": 30}))
    score_document(document({"gear": ["Binoculars"] * 9}, {"gear": ["Binoculars"] * 9}))
    score_document(
        document({"parks": [{"name": "A", "points": 20, "cost": dict.fromkeys(TOKENS, 9), "instant": True}]})
    )


# Random final positions


def random_position(rng: random.Random) -> dict:
    """Return a possible final position with some custom cards."""
    parks, passions = rng.sample(list(PARKS), len(PARKS)), rng.sample(list(PASSIONS), len(PASSIONS))
    players, photos, first = [], 0, rng.choice([None, 0, 1])
    for seat in range(rng.randint(2, 5)):
        own_parks: list = [parks.pop() for _ in range(rng.randint(0, 12))]
        if rng.random() < 0.2:
            cost = {token: rng.randint(1, 9) for token in TOKENS if rng.random() < 0.4}
            own_parks.append(
                {"name": f"Garden {seat}", "points": rng.randint(0, 20), "cost": cost, "instant": rng.random() < 0.5}
            )
        passion = rng.choice([None, {"card": passions.pop(), "side": rng.choice(["gear", "end"])}])
        if rng.random() < 0.1:
            passion = {
                "card": f"Own {seat}",
                "side": "end",
                "scores": rng.choice(["parks sun", "photos", "gear"]),
                "each": rng.randint(1, 9),
            }
        taken = rng.randint(0, 60 - photos) // 3
        photos += taken
        gear: list = [rng.choice(GEAR_NAMES) for _ in range(rng.randint(0, 6))] + [{"name": "Kite"}] * (
            rng.random() < 0.1
        )
        players.append(
            {
                "name": NAMES[seat],
                "parks": own_parks,
                "photos": taken,
                "gear": gear,
                "first_hiker": seat == first,
                "passion": passion,
            }
        )
    rulings = {ruling.id: rng.choice(ruling.options).id for ruling in RULINGS if rng.random() < 0.2}
    return {"game": "parks", "fall": rng.choice([None, *FALL_TILE_TOKENS]), "players": players, "rulings": rulings}


@parametrize_cases("seed", range(4))
def test_final_position_survives_a_round_trip_through_its_document(seed):
    for number in range(FINALS // 4):
        given = random_position(random.Random(f"{seed} {number}"))
        final = TRACKED_GAME.box.read_final_position(given)
        data = json.loads(msgspec.json.encode(final))
        reread = TRACKED_GAME.box.read_final_position({"game": "parks", **data})
        assert reread == final
        assert score_document({"game": "parks", **data}) == score_document(given)
        assert _without_defaults(data) == _without_defaults(given)


def _without_defaults(position: dict) -> dict:
    """Return a position without default values of passions."""
    players = []
    for player in position["players"]:
        passion = player["passion"]
        passion = passion and {"each": 1, **passion}
        players.append({**player, "passion": passion})
    return {"fall": position["fall"], "rulings": position["rulings"], "players": players}


def random_table(rng: random.Random) -> State:
    """Return a finished tracked table with a random final position."""
    state = finished_state(
        rng.randint(2, 5), parks=("",), tile=rng.choice([tile for tile in SEASON_TILES if tile.startswith("fall")])
    )
    parks, passions = rng.sample(list(PARKS), len(PARKS)), rng.sample(list(PASSIONS), len(PASSIONS))
    for seat in range(len(state.players)):
        state = with_changes(
            state,
            seat,
            visited=tuple(parks.pop() for _ in range(rng.randint(0, 12))),
            photos=rng.randint(0, 12),
            gear=tuple(rng.choice(list(GEAR)) for _ in range(rng.randint(0, 6))),
            canteens=((rng.choice(list(CANTEENS)),), (), ()),
            passion=passions.pop(),
            side=rng.choice([None, "gear", "end"]),
        )
    return state


def test_tracked_table_scores_like_its_document():
    for number in range(FINALS // 10):
        state = random_table(random.Random(number))
        final = TRACKED_GAME.final_position(state)
        data = json.loads(msgspec.json.encode(final))
        assert TRACKED_GAME.box.score(
            TRACKED_GAME.box.read_final_position({"game": "parks", **data})
        ) == TRACKED_GAME.box.score(final)


# Random documents

NEARLY_A_PARK = st.sampled_from([*PARKS][:6]) | st.fixed_dictionaries(
    {"name": st.text(max_size=45) | ANYTHING},
    optional={
        "points": st.integers(-1, 22) | ANYTHING,
        "cost": st.dictionaries(st.sampled_from(TOKENS) | st.text(), st.integers(-1, 10) | ANYTHING, max_size=3)
        | ANYTHING,
        "instant": st.booleans() | ANYTHING,
    },
)
NEARLY_A_PASSION = st.fixed_dictionaries(
    {"card": st.sampled_from([*PASSIONS]) | ANYTHING, "side": st.sampled_from(["gear", "end"]) | ANYTHING},
    optional={
        "scores": st.sampled_from(["photos", "sun", "gear bought"]) | ANYTHING,
        "each": st.integers(0, 10) | ANYTHING,
    },
)
NEARLY_A_PLAYER = st.fixed_dictionaries(
    {"name": st.sampled_from(["Ana", "Bo", "ana "]) | st.text(max_size=45) | ANYTHING},
    optional={
        "parks": st.lists(NEARLY_A_PARK | ANYTHING, max_size=4) | ANYTHING,
        "photos": st.integers(-1, 61) | ANYTHING,
        "gear": st.lists(st.sampled_from(GEAR_NAMES) | ANYTHING, max_size=3) | ANYTHING,
        "first_hiker": st.booleans() | ANYTHING,
        "passion": NEARLY_A_PASSION | ANYTHING,
    },
)
NEARLY = st.fixed_dictionaries(
    {"game": st.just("parks"), "players": st.lists(NEARLY_A_PLAYER | ANYTHING, min_size=1, max_size=5) | ANYTHING},
    optional={"fall": st.sampled_from(FALL_TILE_TOKENS) | ANYTHING, "rulings": ANYTHING, "more": ANYTHING},
)


@pytest.mark.slow("made up by hypothesis")
@given(NEARLY)
@with_examples(400)
def test_random_json_is_scored_or_refused_with_one_printable_line(json_document):
    try:
        result = score_document(json_document)
    except BadPosition as error:
        assert len(str(error).splitlines()) == 1 and str(error).encode("utf-8")
    else:
        for player in result["players"]:
            assert (
                player["total"] == sum(line["points"] for line in player["lines"]) == sum(player["categories"].values())
            )
            assert all(line["rules"] and line["because"] for line in player["lines"])


def test_command_line_scores_a_file_and_names_a_fault(run_waymark, tmp_path):
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(document({"parks": ["Zion"]})))
    wrong.write_text(json.dumps(document({"parks": ["Zionn"]})))
    assert json.loads(run_waymark("score", str(right), "--json").out)["players"][0]["total"] == 4
    assert has_failed_with(run_waymark("score", str(wrong)), 'did you mean "Zion"?')
