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
from tests.support.positions import ready_setup
from tests.support.table_states import random_game_moves

NAMES = ("Ana", "Bo", "Cy")
VERDICT_WORDS = re.compile(
    r"\bwins?\b(?! by)|\bshares? the victory|\ba tie\b|Winner|\bwon\b|\b[123]\. (Ana|Bo|Cy)", re.IGNORECASE
)


def names_of(game: str) -> tuple[str, ...]:
    return NAMES[: max(TRACKED_GAMES[game].box.player_counts)]


def exported(game: str, names: tuple[str, ...]) -> dict:
    """Return the log of a whole random game in the form of an export file."""
    said = random_game_moves(game, names)
    whats = [Opened(game, TRACKED_GAMES[game].box.version, to_builtins(ready_setup(list(names), game)))]
    whats += [Played(to_data(move)) for _, move in said]
    seats = [None, *(seat for seat, _ in said)]
    log = [
        Entry(number, "", "phone", seat, what) for number, (seat, what) in enumerate(zip(seats, whats, strict=True), 1)
    ]
    return {"waymark": 1, "game": game, "code": "TEST", "log": to_builtins(log)}


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_replay_of_an_unfinished_game_names_no_winner(game: str, run_waymark, write_file):
    log = exported(game, names_of(game))
    last = log["log"][-1]["number"]
    for number in (1, last // 2, last - 1):
        said: CommandResult = run_waymark("replay", write_file(log), "--at", str(number))
        assert said.status == 0, said.err
        first, *_ = said.out.splitlines()
        assert first.startswith("The game is not over."), (number, first)
        assert not VERDICT_WORDS.search(said.out), (number, VERDICT_WORDS.search(said.out))
    assert VERDICT_WORDS.search(run_waymark("replay", write_file(log)).out)


def unfinished(app: Flask, game: str) -> SeatedTable:
    table = open_seated_table(app, *names_of(game), game=game)
    for seat in range(len(table.phones)):
        play, state = table.table.tracked, table.table.state
        offers = play.offers(state, seat) if seat in play.flow.to_move(state) else ()
        for offer in [offer for offer in offers if offer.is_legal][:1]:
            table.play(seat, offer.move)
    assert not table.table.is_over
    return table


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_pages_and_files_of_an_unfinished_game_name_no_winner(app: Flask, game: str):
    table = unfinished(app, game)
    data = table.phone(0).get(f"{table.path}/score.json").json
    assert data["decided_by"] is None
    assert [(player["rank"], player["winner"]) for player in data["players"]] == [(None, False)] * len(data["players"])
    rows = list(csv.DictReader(io.StringIO(table.phone(0).get(f"{table.path}/score.csv").text)))
    assert {row["rank"] for row in rows} <= {""}
    for page in ("", "/score", "/board", "/print", "/seat/0", "/seat/0/log"):
        shown = table.phone(0).open(f"{table.path}{page}")
        assert not shown.tags_with_class("winner") and not shown.tags_with_class("won"), page
        assert "shares the victory" not in shown.text and "Nobody finished" not in shown.text, page
    found = table.referee.history.all_results()
    assert not [result for result in found if result.code == table.code]
