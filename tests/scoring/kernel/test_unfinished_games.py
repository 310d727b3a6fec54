"""An unfinished game has no winner, no tie and no ranks on pages, in files and commands."""

import csv
import io
import re

import pytest
from flask import Flask
from msgspec import to_builtins

from companion.log.entries import Entry, Opened, Played
from companion.log.table import to_data
from scoring.games import TRACKED_GAMES
from tests.support.command import CommandResult
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.player_names import names_for
from tests.support.ready_setups import ready_setup
from tests.support.table_states import random_game_moves

VERDICT_WORDS = re.compile(
    r"\bwins?\b(?! by)|\bshares? the victory|\ba tie\b|Winner|\bwon\b|\b[123]\. (Ana|Bo|Cy)", re.IGNORECASE
)


def names_of(game: str) -> tuple[str, ...]:
    return names_for(game, 3)


def exported(game: str, names: tuple[str, ...]) -> dict:
    """Return the log of a whole random game in the form of an export file."""
    moves = random_game_moves(game, names)
    events = [Opened(game, TRACKED_GAMES[game].box.version, to_builtins(ready_setup(list(names), game)))]
    events += [Played(to_data(move)) for _, move in moves]
    seats = [None, *(seat for seat, _ in moves)]
    log = [
        Entry(number, "", "phone", seat, event)
        for number, (seat, event) in enumerate(zip(seats, events, strict=True), 1)
    ]
    return {"waymark": 1, "game": game, "code": "TEST", "log": to_builtins(log)}


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_replay_of_an_unfinished_game_names_no_winner(game: str, run_waymark, write_file):
    log = exported(game, names_of(game))
    last = log["log"][-1]["number"]
    for number in (1, last // 2, last - 1):
        result: CommandResult = run_waymark("replay", write_file(log), "--at", str(number))
        assert result.status == 0, result.err
        first, *_ = result.out.splitlines()
        assert first.startswith("The game is not over yet."), (number, first)
        assert not VERDICT_WORDS.search(result.out), (number, VERDICT_WORDS.search(result.out))
    assert VERDICT_WORDS.search(run_waymark("replay", write_file(log)).out)


def unfinished(app: Flask, game: str) -> SeatedTable:
    table = open_seated_table(app, *names_of(game), game=game)
    for seat in range(len(table.phones)):
        tracked, state = table.table.tracked, table.table.state
        offers = tracked.offers(state, seat) if seat in tracked.flow.to_move(state) else ()
        for offer in [offer for offer in offers if offer.is_legal][:1]:
            table.play(seat, offer.move)
    assert not table.table.is_over
    return table


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_pages_and_files_of_an_unfinished_game_name_no_winner(app: Flask, game: str):
    table = unfinished(app, game)
    data = table.phone(0).get(f"{table.path}/score.json").json
    assert data["decided_by"] is data["verdict"] is None
    assert [(player["rank"], player["winner"]) for player in data["players"]] == [(None, False)] * len(data["players"])
    rows = list(csv.DictReader(io.StringIO(table.phone(0).get(f"{table.path}/score.csv").text)))
    assert {row["rank"] for row in rows} <= {""}
    for page in ("", "/score", "/board", "/print", "/seat/0", "/seat/0/log"):
        document = table.phone(0).open(f"{table.path}{page}")
        assert not document.tags_with_class("winner") and not document.tags_with_class("won"), page
        assert "shares the victory" not in document.text and "No one finished" not in document.text, page
    found = table.referee.results.all()
    assert not [result for result in found if result.code == table.code]
