"""Errors of unreadable input: the place, the nearest value, at most 300 characters."""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.log.apply import CorruptLogError
from companion.log.table_files import replay_log
from scoring.document import BadPosition, read_position_document, score_document
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.english import MAX_MESSAGE_LENGTH
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason, Rule
from scoring.library import Match
from tests.golden_games.files import FOLDER, moves_of, read_golden_game
from tests.scoring.kernel.test_error_messages import WRONG, change_each_part
from tests.support.hypothesis_settings import with_examples
from tests.support.parametrize import TRACKED_KEYS, run_all_rows

HUGE = (
    *WRONG,
    "\ud800" * 400,
    "\U0001f600" * 400,
    10**400,
    {str(number): number for number in range(400)},
    [[[]]] * 400,
)
GOLDEN_GAMES = {game: read_golden_game(next(FOLDER.glob(f"{game}-2*.json")).stem) for game in TRACKED_KEYS}
ERRORS = (BadPosition, InvalidInputError, IllegalMoveError, CorruptLogError)


def golden_moves(game: str) -> list[dict]:
    """Return a move of each type in a golden game."""
    return list({move["type"]: move for _, move, _ in GOLDEN_GAMES[game]["log"]}.values())


def position_in_the_middle(game: str) -> dict:
    tracked, moves = TRACKED_GAMES[game], moves_of(GOLDEN_GAMES[game])
    setup = tracked.read_setup(GOLDEN_GAMES[game]["setup"])
    return Match(game, tracked.replay(setup, moves[: len(moves) // 2])).write_position()


def error_text(read: Callable, *arguments: Any) -> str:
    """Return the text of the error of a call, or an empty text."""
    try:
        read(*arguments)
    except ERRORS as error:
        return str(error)
    return ""


TRAILS, PARKS, ALPINE = (TRACKED_GAMES[key] for key in ("trails", "parks", "alpine-trails"))
TWO = {"players": [{"name": "Ana", "hiker": "brown"}, {"name": "Bo", "hiker": "green"}]}
MESSAGES = [
    (TRAILS.decode, {"type": "hikee"}, 'type: no move "hikee"; did you mean "hike"?'),
    (TRAILS.decode, {"type": "fly away"}, 'type: no move "fly away"; there are lay-site, lay-sites, hike'),
    (TRAILS.decode, {"type": None}, 'type: no move "null"; there are lay-site, lay-sites, hike'),
    (TRAILS.decode, {}, "type: this is needed; there are lay-site, lay-sites, hike"),
    (TRAILS.decode, [], "expected an object, got a list"),
    (TRAILS.decode, {"type": "hike"}, "steps: this is needed"),
    (TRAILS.decode, {"type": "hike", "steps": "two"}, "steps: expected a whole number, got text"),
    (TRAILS.decode, {"type": "hike", "step": 2}, 'no key "step"; did you mean "steps"?'),
    (TRAILS.decode, {"type": "hike", 7: 2, "steps": 1}, 'no key "7"; there are type, steps, canteen'),
    (TRAILS.decode, {"type": "wildlife", "site": "Acrn"}, 'site: no value "Acrn"; did you mean "acorn"?'),
    (TRAILS.decode, {"type": "wildlife", "site": 7}, "site: expected text, got a whole number"),
    (TRAILS.decode, {"type": "wildlife", "site": "\ud800"}, 'site: no value "\\ud800"; there are acorn'),
    (TRAILS.decode, {"type": "hike", "steps": "\ud800"}, "steps: a text has an incomplete character here"),
    (PARKS.decode, {"type": "lay-tile", "site": "Parks"}, "site: expected a whole number, got text"),
    (TRAILS.read_setup, TWO | {"sites": ["acorn", "leave"]}, 'sites[1]: no value "leave"; did you mean "leaf"?'),
    (TRAILS.read_setup, TWO | {"track": {"trailhead": ["foto"]}}, 'track.trailhead[0]: no value "foto"; did you mean'),
    (TRAILS.read_setup, TWO | {"rulings": {"zero-birds": 1}}, "rulings.zero-birds: expected text, got a whole number"),
    (
        TRAILS.read_setup,
        {"players": [{"name": "Ana", "hike": "x"}]},
        'players[0]: no key "hike"; did you mean "hiker"?',
    ),
    (TRAILS.read_setup, {"players": [{"name": "Ana"}]}, "players[0].hiker: this is needed"),
    (TRAILS.read_setup, {}, "players: this is needed"),
    (TRAILS.read_setup, 7, "expected an object, got a whole number"),
    (ALPINE.read_setup, {"players": [], "tiles": 1.5}, "tiles: expected a whole number, got a number with a fraction"),
    (ALPINE.read_setup, {"players": [], "facts": {"rock": "got"}}, 'facts.rock: no value "got"; did you mean "goat"?'),
]


@run_all_rows("read, data, message", MESSAGES)
def test_error_names_the_place_and_the_nearest_or_expected_value(read: Callable, data: object, message: str):
    assert error_text(read, data).startswith(message)


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_misspelled_type_of_a_move_names_the_nearest_type(game: str):
    tracked = TRACKED_GAMES[game]
    for tag in (str(kind.__struct_config__.tag) for kind in tracked.moves):
        assert error_text(tracked.decode, {"type": f"{tag}z"}) == f'type: no move "{tag}z"; did you mean "{tag}"?'


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_misspelled_value_of_a_move_names_the_nearest_value(game: str):
    def misspell(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield f"{value.upper()}z"

    texts = []
    for move in golden_moves(game):
        for path, changed in change_each_part(move, misspell):
            if text := error_text(TRACKED_GAMES[game].decode, changed):
                value = move
                for key in path:
                    value = value[key]
                texts.append(text)
                assert f'did you mean "{value}"?' in text
    assert len(texts) >= len(golden_moves(game))


def bad_inputs(game: str) -> Iterator[tuple[Callable, Any]]:
    """Yield calls of every reader of a game with a document in which one part is wrong."""
    tracked, box = TRACKED_GAMES[game], GAMES[game].box
    head = {"number": 1, "at": "", "device": "a", "seat": None}
    setup = GOLDEN_GAMES[game]["setup"]
    opened = {"type": "Opened", "game": game, "version": box.version, "setup": setup}
    log = [{**head, "what": opened}, {**head, "number": 2, "seat": 0, "what": {"type": "Sat"}}]
    documents: list[tuple[Callable, Any]] = [
        *((tracked.decode, move) for move in golden_moves(game)),
        (tracked.read_setup, setup),
        (read_position_document, position_in_the_middle(game)),
        (replay_log, {"log": log, "code": "BCDFG"}),
    ]
    if box.card_facts:
        documents.append((box.card_facts.from_data, setup.get("facts") or {}))
    for read, document in documents:
        yield from ((read, changed) for _, changed in change_each_part(document, lambda value: HUGE))
        for key in ("x" * 5000, "\u2028", "no such key", 7):
            yield read, copy.deepcopy(document) | {key: "x" * 5000}


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_error_of_any_wrong_part_is_one_line_of_at_most_300_characters(game: str):
    texts = {error_text(read, data) for read, data in bad_inputs(game)}
    assert len(texts) > 50
    assert [text for text in texts if len(text) > MAX_MESSAGE_LENGTH or len(text.splitlines()) > 1] == []


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_reason_against_a_move_with_huge_values_has_at_most_300_characters(game: str):
    tracked, reasons, seen = TRACKED_GAMES[game], [], set()
    state = tracked.initial_state(tracked.read_setup(GOLDEN_GAMES[game]["setup"]))
    for (seat, played), (_, data, _) in zip(moves_of(GOLDEN_GAMES[game]), GOLDEN_GAMES[game]["log"], strict=True):
        for _, changed in change_each_part(data, lambda value: HUGE) if type(played) not in seen else ():
            with suppress(InvalidInputError):
                reasons += tracked.objections(state, seat, tracked.decode(changed))
        seen.add(type(played))
        state = tracked.play(state, seat, played)
    assert reasons
    assert [reason for reason in reasons if len(str(reason)) > MAX_MESSAGE_LENGTH] == []


@with_examples(200)
@given(text=st.text(max_size=600), page=st.text(max_size=30))
def test_reason_with_its_citation_has_at_most_300_characters(text: str, page: str):
    reason = Reason("code", Rule("id", "section", "text", "rulebook", page), text)
    assert len(str(reason)) <= MAX_MESSAGE_LENGTH
    assert reason.text == text or len(text) > 200


ANY_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=400), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("game", TRACKED_KEYS)
@with_examples(200)
@given(data=ANY_DATA)
def test_any_data_is_read_or_refused_in_one_short_line(game: str, data: object):
    tracked = TRACKED_GAMES[game]
    readers: list[tuple[Callable, object]] = [
        (tracked.decode, data),
        (tracked.decode, {"type": data}),
        (tracked.read_setup, {"players": data}),
        (read_position_document, {"game": game, "position": data}),
        (score_document, {"game": game, "players": [data, data], "rulings": data}),
    ]
    for read, argument in readers:
        text = error_text(read, argument)
        assert len(text) <= MAX_MESSAGE_LENGTH and len(text.splitlines()) <= 1


def nest(depth: int, in_key: str) -> Any:
    """Return a list or an object, nested many times."""
    data: Any = []
    for _ in range(depth):
        data = {in_key: data} if in_key else [data]
    return data


@pytest.mark.parametrize("key", ["", "players", "facts"])
@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_deeply_nested_data_is_refused_in_one_short_line(game: str, key: str):
    tracked, deep = TRACKED_GAMES[game], nest(50_000, key)
    calls = [
        (tracked.decode, {"type": deep}),
        (tracked.decode, {"type": "set-right", "changes": deep}),
        (tracked.read_setup, {"players": deep, "facts": deep}),
        (read_position_document, {"game": game, "position": {"players": deep, "runners": deep}}),
        (score_document, {"game": game, "players": [{"name": "Ana", "parks": [deep], "map": deep}, {"name": deep}]}),
    ]
    for read, data in calls:
        assert 1 <= len(error_text(read, data)) <= MAX_MESSAGE_LENGTH


def test_error_text_for_a_file_is_one_line_of_at_most_300_characters(run_waymark, tmp_path):
    folder = tmp_path / ("x" * 200)
    folder.mkdir()
    file = folder / f"{'y' * 200}.json"
    for data in (
        {"game": "w" * 5000},
        {"game": "trails", "players": [{"name": "Ana", "badges": ["w" * 5000]}]},
        {"log": [{"w" * 5000: 1}]},
        {"position": {}, "game": "w" * 5000},
    ):
        file.write_text(json.dumps(data), encoding="utf-8")
        for command in ("score", "replay", "import"):
            arguments = ("--instance", tmp_path) if command == "import" else ()
            result = run_waymark(command, file, *arguments)
            assert (result.status, result.out) == (2, "")
            assert result.err.count("\n") == 1 and len(result.err) <= MAX_MESSAGE_LENGTH + 1


@pytest.mark.parametrize("arguments", [["w" * 5000], ["score"], ["score", "x", "--" + "w" * 5000], ["pad", "w" * 5000]])
def test_error_text_for_arguments_is_one_line_of_at_most_300_characters(run_waymark, arguments: list[str]):
    result = run_waymark(*arguments)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1 and len(result.err) <= MAX_MESSAGE_LENGTH + 1


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_explanation_of_a_move_with_impossible_values_is_no(game: str):
    """Explain each type of move with wrong values, in the first and in the last state of a game."""
    tracked, moves = TRACKED_GAMES[game], moves_of(GOLDEN_GAMES[game])
    setup = tracked.read_setup(GOLDEN_GAMES[game]["setup"])
    matches = [Match(game, tracked.initial_state(setup)), Match(game, tracked.replay(setup, moves))]
    wrong_moves = []
    for data in golden_moves(game):
        for _, changed in change_each_part(data, lambda value: ("no-such-word", 10**30)):
            with suppress(InvalidInputError):
                wrong_moves.append(tracked.decode(changed))
    assert wrong_moves
    for match in matches:
        for move in wrong_moves:
            explanation = match.explain(0, move)
            assert explanation.legality in ("no", "unknown") and explanation.label
