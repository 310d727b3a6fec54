"""Tests of the counts of a game log: moves, turns and repairs."""

import random

import pytest

from companion.log.counts import LogCounts, count_log
from companion.log.entries import LogRewritten, MoveRedone, MoveUndone, NewMove, Played
from companion.log.table import Table, to_data
from companion.pages import table as table_pages
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import Increment
from scoring.on_the_trail.bot import Flip
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.log_builder import ANA, BO, LogBuilder, build_one_phone_log, build_seated_log
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup


def hiked_log() -> LogBuilder:
    """Return a log in which Ana has hiked and exchanged, Bo has hiked, and Ana has hiked again."""
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(1), Exchange("acorn", "rock"))
    builder.play(1, Hike(2))
    builder.play(0, Hike(1))
    return builder


def test_counts_of_a_table_without_moves_are_zero():
    assert count_log(build_seated_log("Ana", "Bo").table) == LogCounts((0, 0), (0, 0), 0)


def test_several_moves_of_a_turn_count_as_one_turn():
    counts = count_log(hiked_log().table)
    assert counts == LogCounts(moves_by_seat=(3, 1), turns_by_seat=(2, 1), repairs=0)
    assert counts.moves == 4


def test_undone_turn_does_not_count_until_it_is_redone():
    builder = hiked_log()
    last = builder.table.version
    builder.add_entry(ANA, MoveUndone(last), 0)
    assert count_log(builder.table) == LogCounts((2, 1), (1, 1), repairs=1)
    builder.add_entry(ANA, MoveRedone(last), 0)
    assert count_log(builder.table) == LogCounts((3, 1), (2, 1), repairs=2)


def test_repair_that_replaces_and_removes_steps_is_counted_as_one_repair():
    builder = hiked_log()
    *_, bo, ana = (step.id for step in builder.table.steps)
    hike = NewMove(1, to_data(Hike(1)))
    proposal = builder.propose(0, LogRewritten(bo, ana, (hike,)))
    builder.agree(1, proposal)
    assert count_log(builder.table) == LogCounts((2, 1), (1, 1), repairs=1)


def test_notes_names_of_cards_and_corrections_do_not_count():
    builder = hiked_log()
    before = count_log(builder.table)
    note = builder.play(1, NoteHand("climber-leaf"))
    builder.play(0, NameCard("trailhead", "science"))
    builder.agree(1, builder.propose(0, Played(to_data(EditPosition((Increment("players.0.leaf", 1),))))))
    assert len(builder.table.steps) == 7 and count_log(builder.table) == before
    builder.add_entry(BO, MoveUndone(note), 1)
    assert len(builder.table.steps) == 6 and count_log(builder.table) == before


def whole_game(game: str, *names: str) -> Table:
    """Return a table at the end of a random game, entered on one phone."""
    builder, record = build_one_phone_log(*names, game=game), []
    random_game(TRACKED_GAMES[game], ready_setup(list(names), game), random.Random(5), record)
    for seat, move in record:
        builder.play(seat, move)
    return builder.table


def test_round_of_several_tiles_is_one_turn():
    table = whole_game("alpine-trails", "Ana")
    assert count_log(table).turns_by_seat == (table.state.rounds,)
    assert count_log(table).moves > 2 * table.state.rounds


def test_turn_of_the_bot_counts_for_the_bot():
    table = whole_game("on-the-trail", "Ana")
    flips = sum(isinstance(step.move, Flip) for step in table.steps)
    turns = count_log(table).turns_by_seat
    assert len(turns) == 2 and turns[1] == flips > 0


@pytest.mark.parametrize("seat", [None, 0])
def test_page_counts_the_log_only_when_it_is_asked(seat: int | None, monkeypatch: pytest.MonkeyPatch):
    calls: list[Table] = []
    monkeypatch.setattr(table_pages, "count_log", lambda table: calls.append(table) or count_log(table))
    table = hiked_log().table
    page = table_pages.table_page(table, ANA, seat)
    assert calls == []
    assert page.log_counts == page.log_counts == count_log(table)
    assert calls == [table]
