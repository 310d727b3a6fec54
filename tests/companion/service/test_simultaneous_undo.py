"""Tests of undo in simultaneous play: free as long as nobody had to wait for the step."""

import pytest

from companion.log.entries import LogRewritten
from companion.log.replay import ConflictingStepError
from scoring.alpine_trails.moves.placing import PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.moves.wildlife import TakeAnimal
from tests.support.log_builder import ANA, BO, LogBuilder, build_seated_log

FORK = PlaceTrail("meadow", "NSW", 1, 0, -1)


def log_with_base_camps():
    """Return a log in which Ana and Bo have placed their base camps."""
    told = build_seated_log("Ana", "Bo", game="alpine-trails")
    told.play(0, TakeCamp("rock"))
    told.play(1, TakeCamp("forest"))
    return told


def log_without(builder: LogBuilder, number: int):
    """Return the steps of the log after one step is removed."""
    return builder.table.rewritten(LogRewritten(str(number), str(number)), {})


def test_step_is_undone_freely_although_others_placed_tiles_since():
    told = log_with_base_camps()
    first = told.play(0, PlaceTerrain("rock", -1, 0))
    told.play(0, PlaceTerrain("rock", 0, 1))
    told.play(1, PlaceTerrain("forest", -1, 0))  # Ana has played both her tiles: she could not have moved then
    assert told.table.can_change_step_alone(told.table.active_step(first), ANA)
    assert not told.table.can_change_step_alone(told.table.active_step(first), BO)
    assert len(log_without(told, first)[-1].after.players[0].tiles) == 3


def test_fork_whose_animal_was_taken_cannot_be_undone():
    told = log_with_base_camps()
    fork = told.play(0, FORK)
    told.play(1, TakeAnimal("meadow", "wolf"))
    with pytest.raises(ConflictingStepError, match="Nobody has placed a meadow fork"):
        log_without(told, fork)


def test_tile_of_a_finished_round_is_undone_where_nobody_waits():
    told = log_with_base_camps()
    tile = told.play(0, PlaceTerrain("rock", -1, 0))
    told.play(0, PlaceTerrain("rock", 0, 1))
    told.play(1, PlaceTerrain("forest", -1, 0), PlaceTerrain("forest", 0, 1))
    assert told.table.state.round == 2
    told.play(1, PlaceTerrain("forest", 1, 1))
    steps = log_without(told, tile)
    assert [len(player.tiles) for player in steps[-1].after.players] == [3, 5]
    assert (steps[-1].after.round, [player.tiles_used for player in steps[-1].after.players]) == (1, [1, 3])
