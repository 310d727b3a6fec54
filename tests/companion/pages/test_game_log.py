"""The game log: its rounds, seasons and turns are those of the rulebook."""

import random
from itertools import groupby

import pytest
from msgspec import to_builtins

from companion.log.apply import fold
from companion.log.entries import Entry, Opened, Played
from companion.log.log_text import story
from companion.log.table import Table, plain_move
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.support.positions import laid
from tests.support.random_games import random_game

NAMES = ("Ana", "Bo", "Cy")


def played(game: str, names: tuple[str, ...], seed: int) -> Table:
    """Return the table of a whole random game."""
    setup = laid(list(names), game)
    record: list[tuple[int, Move]] = []
    random_game(PLAYS[game], setup, random.Random(seed), record)
    entries = [
        Opened(game, PLAYS[game].box.version, to_builtins(setup)),
        *(Played(plain_move(move)) for _, move in record),
    ]
    seats = [None, *(seat for seat, _ in record)]
    table = None
    for number, (seat, what) in enumerate(zip(seats, entries, strict=True), 1):
        table = fold(table, "TEST", Entry(number, "2026-11-25T20:00:00+00:00", "phone", seat, what))
    assert table
    return table


def turns(table: Table) -> list[tuple[str, int]]:
    """Return each turn of a race in order: whose it is, and on which leg it began."""
    began = []
    for step in table.steps:
        if step.move.begins:
            state = step.before
            began.append((state.players[state.turn].name, state.players[state.turn].at - state.moved))
    return [turn for turn, _ in groupby(began)]


@pytest.mark.parametrize("names", [("Ana", "Bo"), ("Ana",)])
def test_round_of_a_race_with_many_taps_counts_turns(names: tuple[str, ...]):
    for seed in range(6):
        table = played("on-the-trail", names, seed)
        whose = [name for name, _ in turns(table)]
        first = "The bot" if len(names) == 1 else "Ana"
        rounds = sum(name in (first, before) for name, before in zip(whose, ["", *whose], strict=False))
        chapters = story(table, (0, 1))
        numbered = [chapter.title for chapter in chapters if chapter.title]
        assert numbered == [f"Round {number}" for number in range(1, rounds + 1)], seed
        for chapter in chapters:
            of_round = [
                turn.name for turn in chapter.turns if any(line.kind == "step" for line in turn.lines) and turn.name
            ]
            assert len(set(of_round)) <= 2, (seed, chapter.title)


@pytest.mark.parametrize("game", PLAYS)
def test_chapter_of_a_whole_game_comes_once(game: str):
    names = NAMES[: max(PLAYS[game].box.seats)]
    found = [chapter.title for chapter in story(played(game, names, 7), ()) if chapter.title]
    assert found == list(dict.fromkeys(found))
