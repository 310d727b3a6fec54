"""Tests of the public interface for Python programs and of its documentation."""

import doctest
import json
import random

import pytest

import scoring
from companion.system.paths import CHECKOUT
from scoring import IllegalMoveError, InvalidInputError, Match
from scoring.games import GAMES
from tests.support.alpine_trails_drafts import DRAFT_CANDIDATES
from tests.support.parametrize import TRACKED_KEYS, run_all_rows
from tests.support.player_names import names_for
from tests.support.registered_games import without_small_games

SITES = ["exchange", "leaf", "acorn", "photo", "rock"]
MAX_MOVES = 2000


def start_two(game: str) -> Match:
    return scoring.start_match(game, names_for(game))


def start_trails() -> Match:
    return scoring.start_match("trails", ["Ana", "Bo"], setup={"sites": SITES})


def test_examples_of_the_documentation_print_what_it_shows():
    with without_small_games():
        result = doctest.testfile(str(CHECKOUT / "docs" / "library.md"), module_relative=False)
    assert result.attempted > 25
    assert result.failed == 0, "docs/library.md shows other results. Correct the examples that are listed above."


def test_every_public_name_is_in_the_documentation():
    text = (CHECKOUT / "docs" / "library.md").read_text(encoding="utf-8")
    assert [name for name in scoring.__all__ if f"`{name}`" not in text] == []


def possible_moves(match: Match, seat: int) -> list[scoring.Move]:
    """Return the listed legal moves of a seat, and examples of moves that are not listed."""
    kinds = [kind for kind in GAMES[match.game].tracked.moves if kind.__struct_config__.tag in match.move_types]
    built = [move for kind in kinds if kind in DRAFT_CANDIDATES for move in DRAFT_CANDIDATES[kind](match.state, seat)]
    return [*match.legal_moves(seat), *built]


def play_random_move(match: Match, rng: random.Random) -> Match:
    """Return the match after a random legal move, checked with every function that takes a move."""
    seat = rng.choice(match.to_move)
    moves = possible_moves(match, seat)
    rng.shuffle(moves)
    for move in moves:
        data = json.loads(json.dumps(match.encode_move(move)))
        assert match.decode_move(data) == move
        try:
            after = match.play(seat, data)
        except IllegalMoveError as error:
            assert error.reasons
            continue
        assert after == match.play(seat, move) and after.last_move_text
        return after
    raise AssertionError(f"seat {seat} of {match.game} has no legal move: {match.prompt}")


def check_moment(match: Match) -> None:
    """Check the functions that take no move."""
    assert scoring.read_position(json.loads(json.dumps(match.write_position()))) == match
    assert [player["name"] for player in match.score()["players"]] == list(match.players)
    for seat in (*range(len(match.players)), None):
        assert match.view(seat).view(seat) == match.view(seat)
    assert match.prompt and match.is_over == (not match.to_move)
    for seat in match.to_move:
        listed = match.legal_moves(seat)
        assert all(match.explain(seat, move).legality == "now" for move in listed[:2])
        assert {*map(str, listed)} <= {*map(str, match.legal_moves(seat, out_of_turn=True))}
        assert listed == [] or match.encode_move(listed[0])["type"] in match.move_types


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_every_public_function_works_in_a_random_game(game: str):
    rng, match, moves = random.Random(game), start_two(game), 0
    while not match.is_over and moves < MAX_MOVES:
        if moves % 20 == 0:
            check_moment(match)
        match, moves = play_random_move(match, rng), moves + 1
    assert match.is_over and match.move_types == ()
    check_moment(match)
    sheet = match.score()
    assert min(player["rank"] for player in sheet["players"]) == 1 and sheet["decided_by"]


@pytest.mark.parametrize("game", GAMES)
def test_listed_game_has_its_title_players_and_rulings(game: str):
    (info,) = [info for info in scoring.list_games() if info.key == game]
    box = GAMES[game].box
    assert (info.title, info.player_counts, info.rulings) == (box.title, box.player_counts, box.rulings)
    assert info.is_tracked == (GAMES[game].tracked is not None)


def test_match_is_unchanged_by_a_move():
    match = start_trails()
    after = match.play(0, {"type": "hike", "steps": 2})
    assert match == start_trails() != after


def test_chosen_ruling_is_used_by_the_match():
    match = scoring.start_match("trails", ["Ana", "Bo"], rulings={"zero-birds": "everyone"})
    assert match.write_position()["position"]["rulings"] == {"zero-birds": "everyone"}


def test_explanation_of_a_later_move_names_the_moves_to_make_first():
    match = start_trails().play(0, {"type": "hike", "steps": 1}).play(0, {"type": "leave"})
    answer = match.explain(1, {"type": "exchange", "give": "acorn", "get": "rock"})
    assert answer.legality == "later" and answer.ways[0] == ("Hike 1 tile to the exchange site",)
    assert answer.effect.startswith("Bo exchanged 1 acorn")


def test_explanation_for_a_seat_that_waits_names_the_turn_first():
    answer = start_trails().explain(1, {"type": "hike", "steps": 1})
    assert answer.legality == "now" and [reason.code for reason in answer.reasons] == ["not-your-turn"]


def test_explanation_does_not_depend_on_the_secrets_of_others():
    secret = start_trails().play(1, {"type": "note-hand", "badge": "science"})
    move = {"type": "note-hand", "badge": "climber-rock"}
    assert secret.explain(0, move) == start_trails().explain(0, move)


def test_view_has_no_secret_of_another_seat_in_any_text():
    secret = start_trails().play(1, {"type": "note-hand", "badge": "science"})
    assert "Science" in secret.last_move_text and "science" in json.dumps(secret.write_position())
    for seat in (0, None):
        view = secret.view(seat)
        assert view.last_move_text == "" and "science" not in f"{json.dumps(view.write_position())} {view.state}"
    assert "science" in json.dumps(secret.view(1).write_position())


INVALID_CALLS = [
    (lambda: scoring.start_match("trial", ["Ana", "Bo"]), 'game: no game "trial"; did you mean "trails"?'),
    (lambda: scoring.start_match(None, ["Ana", "Bo"]), "game: which game? there are trails"),
    (lambda: scoring.start_match("trails", ["Ana"]), "players: TRAILS is for 2 to 4 players, not 1"),
    (lambda: scoring.start_match("trails", "Ana"), "players: expected a list, got text"),
    (lambda: scoring.start_match("trails", ["Ana", 7]), "players[1]: expected text, got a whole number"),
    (
        lambda: scoring.start_match("trails", ["Ana", "Bo"], setup={"sitse": []}),
        'no key "sitse"; did you mean "sites"?',
    ),
    (
        lambda: scoring.start_match("trails", ["Ana", "Bo"], setup={"sites": ["leave"]}),
        'sites[0]: no value "leave"; did you mean "leaf"?',
    ),
    (
        lambda: scoring.start_match("trails", ["Ana", "Bo"], rulings=7),
        "rulings: expected an object, got a whole number",
    ),
    (lambda: start_trails().legal_moves(2), "seat: this match has seats 0 to 1, not 2"),
    (lambda: start_trails().play(-1, {"type": "leave"}), "seat: this match has seats 0 to 1, not -1"),
    (lambda: start_trails().view("0"), "seat: this match has seats 0 to 1, not 0"),
    (lambda: start_trails().explain(0, {"type": "leaf"}), 'type: no move "leaf"; did you mean "leave"?'),
    (lambda: start_trails().play(0, {}), "type: this is needed; there are lay-site"),
    (lambda: start_trails().play(0, 7), "expected an object, got a whole number"),
    (
        lambda: start_trails().play(0, start_two("parks").decode_move({"type": "leave"})),
        "move: this is no move of trails",
    ),
    (lambda: scoring.read_position([]), "expected one JSON object"),
    (lambda: scoring.read_position({"game": "trails"}), "position: this is needed"),
    (lambda: scoring.json_schemas("park"), 'game: no game "park"; did you mean "parks"?'),
]


@run_all_rows("call, message", INVALID_CALLS)
def test_invalid_input_is_refused_with_its_place(call, message: str):
    with pytest.raises(InvalidInputError) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_impossible_setup_is_refused_with_a_rule():
    with pytest.raises(IllegalMoveError) as caught:
        scoring.start_match("trails", ["Ana", "ana"])
    assert [reason.rule.id for reason in caught.value.reasons] == ["players"]


def test_game_that_is_only_scored_has_no_match(monkeypatch: pytest.MonkeyPatch):
    from tests.support.small_games import peaks

    monkeypatch.setitem(GAMES, "peaks", peaks.GAME)
    with pytest.raises(InvalidInputError, match="game: PEAKS is only scored; it has no matches"):
        scoring.start_match("peaks", ["Ana"])
    assert list(scoring.json_schemas("peaks")) == ["final-position"]
