"""JSON Schemas are true: what can be read is valid, and what is invalid cannot be read."""

import copy
import functools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

import scoring
from scoring.document import BadPosition, read_position_document, to_plain_data
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.schema import DOCUMENT_NAMES
from tests.companion.cli.test_damaged_files import VALID_DOCUMENTS, damage
from tests.golden_games.files import FOLDER, moves_of, read_golden_game
from tests.support.parametrize import TRACKED_KEYS

GOLDEN_NAMES = sorted(file.stem for file in FOLDER.glob("*.json"))
ROUNDS = 400


@functools.cache
def validator(game: str, document: str) -> Draft202012Validator:
    return Draft202012Validator(scoring.json_schemas(game)[document])


def schema_error(game: str, document: str, data: object) -> str:
    """Return the first error of a document by its schema, or an empty text."""
    return next((f"{error.json_path}: {error.message}" for error in validator(game, document).iter_errors(data)), "")


@pytest.mark.parametrize("game", GAMES)
def test_schemas_of_a_game_are_valid_schemas_of_known_documents(game: str):
    schemas = scoring.json_schemas(game)
    assert set(schemas) <= set(DOCUMENT_NAMES) and "final-position" in schemas
    for schema in json.loads(json.dumps(schemas)).values():
        Draft202012Validator.check_schema(schema)
        assert schema["title"].startswith(GAMES[game].box.title) and "2020-12" in schema["$schema"]


@pytest.mark.parametrize("document", VALID_DOCUMENTS, ids=lambda document: document["game"])
def test_final_position_that_can_be_scored_is_valid(document: dict):
    assert schema_error(document["game"], "final-position", document) == ""


def as_document(golden_game: dict) -> dict:
    """Return the final position of a golden game as a document to score."""
    final = {"game": golden_game["game"], **copy.deepcopy(golden_game["final"])}
    if golden_game["game"] == "alpine-trails":
        for player in final["players"]:
            del player["map" if player.get("counts") else "counts"]
    return final


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_documents_of_a_golden_game_are_valid(name: str):
    """Check the final position, the setup, every move, and the position after every tenth move."""
    golden_game = read_golden_game(name)
    game = golden_game["game"]
    document = as_document(golden_game)
    assert scoring.score_document(document)["decided_by"] == golden_game["result"]["decided_by"]
    assert schema_error(game, "final-position", document) == ""
    assert schema_error(game, "setup", golden_game["setup"]) == ""
    tracked = TRACKED_GAMES[game]
    state = tracked.initial_state(tracked.read_setup(golden_game["setup"]))
    for number, (seat, move) in enumerate(moves_of(golden_game)):
        assert schema_error(game, "move", to_plain_data(move)) == ""
        state = tracked.play(state, seat, move)
        if number % 10 == 0:
            assert schema_error(game, "position", scoring.Match(game, state).write_position()) == ""
    assert schema_error(game, "position", scoring.Match(game, state).write_position()) == ""


def read_final(game: str, data: Any) -> None:
    scoring.score_document(data)


def read_setup(game: str, data: Any) -> None:
    TRACKED_GAMES[game].read_setup(data)


def read_move(game: str, data: Any) -> None:
    TRACKED_GAMES[game].decode(data)


def read_position(game: str, data: Any) -> None:
    read_position_document(data)


READERS: dict[str, Callable[[str, Any], None]] = {
    "final-position": read_final,
    "setup": read_setup,
    "move": read_move,
    "position": read_position,
}


def valid_documents(game: str, name: str) -> Iterator[dict]:
    """Yield valid documents to damage."""
    golden_games = [read_golden_game(file) for file in GOLDEN_NAMES]
    for golden_game in golden_games:
        if golden_game["game"] == game:
            match name:
                case "setup":
                    yield golden_game["setup"]
                case "move":
                    yield from {move["type"]: move for _, move, _ in golden_game["log"]}.values()
                case "position":
                    match = scoring.Match(game, play_half(golden_game))
                    yield match.write_position()
    if name == "final-position":
        yield from (document for document in VALID_DOCUMENTS if document["game"] == game)


def play_half(golden_game: dict) -> Any:
    tracked, moves = TRACKED_GAMES[golden_game["game"]], moves_of(golden_game)
    return tracked.replay(tracked.read_setup(golden_game["setup"]), moves[: len(moves) // 2])


@pytest.mark.parametrize("game", TRACKED_KEYS)
@pytest.mark.parametrize("name", READERS)
def test_damaged_document_that_is_invalid_by_the_schema_is_refused_by_the_reader(game: str, name: str):
    rng, valid = random.Random(f"{game} {name}"), list(valid_documents(game, name))
    invalid_count, accepted = 0, []
    for _ in range(ROUNDS):
        data = damage(rng.choice(valid), rng)
        if isinstance(data, dict) and data.get("game", game) != game and name in ("final-position", "position"):
            continue  # It can be a valid document of another game.
        if error := schema_error(game, name, data):
            invalid_count += 1
            try:
                READERS[name](game, data)
            except (BadPosition, InvalidInputError, IllegalMoveError):
                continue
            accepted.append(error)
    assert accepted == [] and invalid_count > ROUNDS / 4


@pytest.mark.parametrize("game", [game for game in TRACKED_KEYS if GAMES[game].box.card_facts])
def test_facts_of_a_box_are_valid(game: str):
    facts_type = GAMES[game].box.card_facts.type
    data = {"waymark": 1, "game": game, "facts": msgspec.json.decode(msgspec.json.encode(facts_type()))}
    assert schema_error(game, "box-facts", data) == ""
    assert schema_error(game, "box-facts", {"game": game}) != ""
