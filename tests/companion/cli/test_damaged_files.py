"""Tests that damaged score files and exports are handled or refused in one line."""

import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.cli.main import MAX_LINE_LENGTH
from companion.rendering import print_pages
from companion.system.paths import CHECKOUT
from scoring.document import BadPosition, score_sheet
from scoring.games import GAMES
from tests.support.command import has_failed_with
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.player_names import NAMES
from tests.support.table_states import (
    in_the_middle,
    map_game_in_the_middle,
    maps_entered,
    own_random_game_moves,
    play_moves,
)

pytestmark = pytest.mark.slow("damages files page by page")

TILES = [
    {"x": 0, "y": 0, "kind": "base", "terrain": "rock", "icons": 1},
    {"x": 1, "y": 0, "kind": "base", "terrain": "rock", "icons": 1},
    {"x": 0, "y": -1, "kind": "trail", "exits": "NS", "miles": 2, "terrain": "forest", "icons": 1},
    {"x": 0, "y": -2, "kind": "lake"},
    {"x": -1, "y": 0, "kind": "trail", "exits": "NES", "miles": 3, "terrain": "rock", "icons": 2},
    {"x": 2, "y": 0, "kind": "terrain", "terrain": "meadow", "icons": 2, "animal": "wolf"},
    {"x": 1, "y": 1, "kind": "campsite"},
    {"x": 1, "y": -1, "kind": "waterfall"},
]
COUNTS = {"forest": 11, "waterfalls": 4, "lakes": 2, "animals": 1, "path": 16}
VALID_DOCUMENTS = [
    {
        "game": "trails",
        "rulings": {"zero-birds": "everyone"},
        "players": [
            {"name": "Ana", "badges": ["climber-rock", "science"], "photos": [{"points": 2}, {"birds": 2}]},
            {"name": "Bo", "badges": ["observer-leaf"]},
        ],
    },
    {
        "game": "alpine-trails",
        "rulings": {"fork-miles": "yes"},
        "players": [
            {"name": "Ana", "map": TILES, "goal": {"kind": "habitat-icons", "terrain": "rock"}},
            {"name": "Bo", "counts": COUNTS, "goal": {"kind": "path-length"}},
        ],
    },
    {"game": "alpine-trails", "solo": True, "players": [{"name": "Ana", "map": TILES}]},
    {
        "game": "parks",
        "fall": "sun",
        "players": [
            {"name": "Ana", "parks": ["Acadia", {"name": "Ours", "points": 3, "cost": {"sun": 2}}], "photos": 2},
            {"name": "Bo", "gear": ["Compass"], "passion": {"card": "Botany", "side": "end"}},
        ],
    },
    {
        "game": "on-the-trail",
        "players": [{"name": "Ana", "finished": True, "hand": 3}, {"name": "Bo", "finished": False, "hand": 2}],
    },
]
# A game without a document here has one with the default of every field.
VALID_DOCUMENTS += [
    {"game": key, "players": [{"name": name} for name in NAMES[: game.box.player_counts[0]]]}
    for key, game in GAMES.items()
    if key not in {document["game"] for document in VALID_DOCUMENTS}
]
WRONG_VALUES = [
    None,
    0,
    -1,
    1,
    9,
    10**40,
    1.5,
    True,
    "",
    "W" * 3000,
    "a\nb\u2028c",
    "\ud800",
    [],
    {},
    ["x"],
    "NESW",
    "lake",
    "terrain",
    "any",
]


def part_paths(data: Any, path: tuple = ()) -> Iterator[tuple]:
    """Yield the path to every part of plain data."""
    if path:
        yield path
    for key, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from part_paths(inner, (*path, key))


def damage(data: Any, rng: random.Random) -> Any:
    """Return a copy in which one to three parts are deleted, replaced, duplicated or moved."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        *keys, last_key = rng.choice([*part_paths(data)] or [("",)])
        container = data
        for key in keys:
            container = container[key]
        if not data:
            break
        match rng.choice(("gone", "other", "moved", "twice", "near", "key")):
            case "gone":
                del container[last_key]
            case "moved":
                *_, other = rng.choice([*part_paths(container)])
                container[last_key] = (
                    copy.deepcopy(container[other])
                    if isinstance(container, dict) and other in container
                    else _random_wrong_value(rng)
                )
            case "twice" if isinstance(container, list):
                container.append(copy.deepcopy(container[last_key]))
            case "near" if type(container[last_key]) is int:
                container[last_key] += rng.choice((-1, 1))
            case "key" if isinstance(container, dict):
                container[rng.choice(("x", "W" * 3000, "a\nb"))] = container.pop(last_key)
            case _:
                container[last_key] = _random_wrong_value(rng)
    return data


def _random_wrong_value(rng: random.Random) -> Any:
    # The value may be damaged in a later round, so it is copied.
    return copy.deepcopy(rng.choice(WRONG_VALUES))


@run_all_rows("valid", VALID_DOCUMENTS, ids=lambda document: document["game"])
def test_damaged_score_file_is_printed_or_refused_in_one_line(valid: dict):
    rng, rendered_count = random.Random(valid["game"]), 0
    score_sheet(valid)
    for _ in range(300):
        document = damage(valid, rng)
        try:
            score_sheet(document)
        except BadPosition as error:
            assert len(str(error).splitlines()) == 1 and len(str(error)) < MAX_LINE_LENGTH, document
        else:
            rendered_count += 1
            assert print_pages.render_html(
                "print/sheet.html", "a4", page=print_pages.print_page_of_file(document)
            ).encode(), document
    assert rendered_count > 10


@pytest.mark.parametrize("field", ["terrain", "miles", "icons"])
def test_map_with_incomplete_tiles_is_drawn(field: str):
    tiles = [{key: value for key, value in tile.items() if key != field or tile["kind"] == "base"} for tile in TILES]
    document = {"game": "alpine-trails", "players": [{"name": "Ana", "map": tiles}, {"name": "Bo", "map": tiles[:2]}]}
    html = print_pages.render_html("print/sheet.html", "a4", page=print_pages.print_page_of_file(document))
    assert html.count('<g class="tile"') == len(TILES) + 2


def race(app: Flask) -> SeatedTable:
    table = open_seated_table(app, "Ana", "Bo", game="on-the-trail")
    return play_moves(table, own_random_game_moves(table)[:40])


def park_visits(app: Flask) -> SeatedTable:
    table = open_seated_table(app, "Ana", "Bo", game="parks")
    return play_moves(table, own_random_game_moves(table)[:40])


@parametrize_cases("reach", [in_the_middle, map_game_in_the_middle, maps_entered, race, park_visits])
def test_damaged_export_is_replayed_or_refused_in_one_line(app: Flask, run_waymark, write_file, reach):
    table, rng = reach(app), random.Random(reach.__name__)
    log = run_waymark("export", table.code, "--instance", Path(app.instance_path)).out
    log = json.loads(log)["log"][:60]
    assert run_waymark("replay", write_file({"log": log})).status == 0
    for _ in range(60):
        number = rng.randrange(len(log))
        result = run_waymark(
            "replay", write_file({"log": [*log[:number], damage(log[number], rng), *log[number + 1 :]]})
        )
        if result.status:
            assert has_failed_with(result, "written.json: ") and len(result.err) <= MAX_LINE_LENGTH + 5
        else:
            assert result.err == ""


@pytest.mark.parametrize("payload", [{"type": "Sat"}, {"type": "Played", "move": {"type": "note-card", "card": "red"}}])
def test_replay_entry_with_negative_seat_is_refused(app: Flask, run_waymark, write_file, payload: dict):
    table = open_seated_table(app, "Ana", "Bo", game="on-the-trail")
    log = json.loads(run_waymark("export", table.code, "--instance", Path(app.instance_path)).out)["log"]
    log.append({"number": 4, "at": "", "device": "phone 1", "seat": -1, "what": payload})
    result = run_waymark("replay", write_file({"log": log}))
    assert has_failed_with(result, "log[3].seat: expected a whole number of at least 0")


# Standard output that cannot be written.


@pytest.fixture
def valid_file(write_file) -> Path:
    return write_file(VALID_DOCUMENTS[0])


def run_safely(*arguments: object, **streams: Any) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "companion", *map(str, arguments)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(command, cwd=CHECKOUT, env=environment, stderr=subprocess.PIPE, text=True, **streams)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@parametrize_cases("command", [["score"], ["score", "--json"], ["print", "-o", "{folder}/x.pdf"]])
def test_full_standard_output_is_reported_in_one_line(valid_file: Path, command: list[str]):
    with open("/dev/full", "w") as full:
        result = run_safely(*(part.format(folder=valid_file.parent) for part in command), valid_file, stdout=full)
    assert (result.returncode, result.stderr) == (2, "Cannot write to standard output: No space left on device.\n")


def test_reader_that_closes_the_pipe_causes_no_error(valid_file: Path):
    head = subprocess.Popen([sys.executable, "-c", "pass"], stdin=subprocess.PIPE)
    head.wait()
    with head.stdin:
        result = run_safely("score", valid_file, stdout=head.stdin)
    assert (result.returncode, result.stderr) == (0, "")
