"""JSON Schemas (draft 2020-12) of the documents of a game."""

from collections.abc import Sequence
from typing import Any

import msgspec

from scoring.document import find_game, to_plain_data
from scoring.kernel.box import Box
from scoring.kernel.rule import Ruling
from scoring.kernel.tracked_game import TrackedGame

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENT_NAMES = ("final-position", "setup", "move", "position", "box-facts")
Schema = dict[str, Any]


def json_schemas(game: str) -> dict[str, Schema]:
    """Return the JSON Schema of each document of a game, by the name of the document.

    "final-position" is the input of `score_document`, "setup" what `start_match` is given, with the players, "move" a
    move, "position" the output of `write_position`, and "box-facts" the file with the card facts of a box. A game that
    is only scored has "final-position" alone. Each document that can be read is valid by its schema; readers also
    check what a schema cannot say, such as how many copies of a card there are.

    :param game: the key of the game; see `list_games`.
    :raises InvalidInputError: if there is no such game, with the nearest key.
    """
    found = find_game(game)
    schemas = {"final-position": _final_position_schema(found.box)}
    if tracked := found.tracked:
        schemas["setup"] = _setup_schema(tracked)
        schemas["move"] = msgspec.json.schema(tracked.move_type)
        if tracked.position_format:
            schemas["position"] = _position_schema(tracked)
    if found.box.card_facts:
        schemas["box-facts"] = _wrap_schema(found.box.key, "facts", found.box.card_facts.type)
    title = found.box.title
    return {
        name: {"$schema": DIALECT, "title": f"{title}: {name.replace('-', ' ')}", **to_plain_data(schema)}
        for name, schema in schemas.items()
    }


def _final_position_schema(box: Box) -> Schema:
    types = [box.player_document, *box.extra_document_fields.values()]
    (player, *others), definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    extra = dict(zip(box.extra_document_fields, others, strict=True))
    properties = {
        "game": {"const": box.key},
        "rulings": _rulings_schema(box.rulings),
        "players": {
            "type": "array",
            "items": player,
            "minItems": box.player_counts[0],
            "maxItems": box.player_counts[-1],
        },
        **extra,
    }
    schema = {"type": "object", "properties": properties, "required": ["game", "players"], "$defs": definitions}
    _refuse_unknown_keys(schema)
    return schema


def _setup_schema(tracked: TrackedGame) -> Schema:
    schema = msgspec.json.schema(tracked.setup_format.type)
    own = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    own["properties"]["rulings"] = _rulings_schema(tracked.box.rulings)
    return schema


def _position_schema(tracked: TrackedGame) -> Schema:
    assert tracked.position_format
    schema = _wrap_schema(tracked.key, "position", tracked.position_format.type)
    for definition in schema["$defs"].values():
        _refuse_unknown_keys(definition)
    return schema


def _wrap_schema(game: str, name: str, type: Any) -> Schema:
    """Return the schema of a document with one typed field and the key of its game."""
    (part,), definitions = msgspec.json.schema_components([type], ref_template="#/$defs/{name}")
    return {
        "type": "object",
        "properties": {"waymark": {"description": "The version of the file format."}, "game": {"const": game}}
        | {name: part},
        "required": ["game", name],
        "$defs": definitions,
    }


def _rulings_schema(rulings: Sequence[Ruling]) -> Schema:
    """Return the schema of the chosen options by ruling; missing ones keep their default."""
    return {
        "type": "object",
        "properties": {
            ruling.id: {
                "description": ruling.question,
                "enum": [option.id for option in ruling.options],
                "default": ruling.default,
            }
            for ruling in rulings
        },
        "additionalProperties": False,
    }


def _refuse_unknown_keys(schema: Any) -> None:
    """Change a schema in place, so that its objects have no other keys than those with a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in schema.values():
            _refuse_unknown_keys(part)
    elif isinstance(schema, list):
        for part in schema:
            _refuse_unknown_keys(part)
