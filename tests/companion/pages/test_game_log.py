"""Tests of the game log's chapters: the rounds, seasons and turns of the rulebook."""

import random
from itertools import groupby

import pytest
from msgspec import to_builtins

from companion.log.apply import load_entry
from companion.log.entries import Entry, Opened, Played
from companion.log.log_text import game_log, lines_of_player
from companion.log.table import Table, to_data
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move, Phase
from tests.support.player_names import names_for
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup


def random_game_table(game: str, names: tuple[str, ...], seed: int) -> Table:
    """Return the table of a whole random game."""
    setup = ready_setup(list(names), game)
    record: list[tuple[int, Move]] = []
    random_game(TRACKED_GAMES[game], setup, random.Random(seed), record)
    entries = [
        Opened(game, TRACKED_GAMES[game].box.version, to_builtins(setup)),
        *(Played(to_data(move)) for _, move in record),
    ]
    seats = [None, *(seat for seat, _ in record)]
    table = None
    for number, (seat, payload) in enumerate(zip(seats, entries, strict=True), 1):
        table = load_entry(table, "TEST", Entry(number, "2026-11-25T20:00:00+00:00", "phone", seat, payload))
    assert table
    return table


def race_turns(table: Table) -> list[tuple[str, int]]:
    """Return each turn of a race in order: the player's name, and the leg on which it began."""
    began = []
    for step in table.steps:
        if step.move.phase is Phase.TURN_START:
            state = step.before
            began.append((state.players[state.turn].name, state.players[state.turn].legs_run - state.moved))
    return [turn for turn, _ in groupby(began)]


@pytest.mark.parametrize("names", [("Ana", "Bo"), ("Ana",)])
def test_round_of_a_race_with_many_taps_counts_turns(names: tuple[str, ...]):
    for seed in range(6):
        table = random_game_table("on-the-trail", names, seed)
        turn_names = [name for name, _ in race_turns(table)]
        first = "The bot" if len(names) == 1 else "Ana"
        rounds = sum(name in (first, before) for name, before in zip(turn_names, ["", *turn_names], strict=False))
        chapters = game_log(table, (0, 1))
        numbered = [chapter.title for chapter in chapters if chapter.title]
        assert numbered == [f"Round {number}" for number in range(1, rounds + 1)], seed
        for chapter in chapters:
            of_round = [
                turn.name for turn in chapter.turns if any(line.kind == "step" for line in turn.lines) and turn.name
            ]
            assert len(set(of_round)) <= 2, (seed, chapter.title)


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_chapter_of_a_whole_game_comes_once(game: str):
    names = names_for(game, 3)
    found = [chapter.title for chapter in game_log(random_game_table(game, names, 7), ()) if chapter.title]
    assert found == list(dict.fromkeys(found))


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_lines_of_each_player_are_the_turns_and_entries_of_that_player(game: str):
    names = names_for(game, 3)
    table = random_game_table(game, names, 7)
    chapters = game_log(table, (0, 1, 2))
    for seat in range(len(names)):
        shown = lines_of_player(chapters, seat)
        turns = [turn for chapter in chapters for turn in chapter.turns if turn.seat == seat]
        assert [turn for chapter in shown for turn in chapter.turns if turn.name] == turns
        ids = [line.id for chapter in shown for turn in chapter.turns for line in turn.lines]
        assert set(ids) >= {step.id for step in table.steps if step.seat == seat}
        assert len(ids) == len(set(ids))
        assert [chapter.number for chapter in shown] == sorted({chapter.number for chapter in shown})
    assert chapters == game_log(table, (0, 1, 2))
