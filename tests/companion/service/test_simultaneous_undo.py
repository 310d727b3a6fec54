"""Tests of undo in simultaneous play: free as long as no one had to wait for the step."""

import pytest

from companion.log.entries import LogRewritten
from companion.log.steps import ConflictingStepError
from scoring.alpine_trails.moves.placing import PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.moves.wildlife import TakeAnimal
from tests.support.log_builder import ANA, BO, LogBuilder, build_seated_log

FORK = PlaceTrail("meadow", "NSW", 1, 0, -1)


def log_with_base_camps():
    """Return a log in which Ana and Bo have placed their base camps."""
    builder = build_seated_log("Ana", "Bo", game="alpine-trails")
    builder.play(0, TakeCamp("rock"))
    builder.play(1, TakeCamp("forest"))
    return builder


def log_without(builder: LogBuilder, number: int):
    """Return the steps of the log after one step is removed."""
    return builder.rewritten_steps(LogRewritten(str(number), str(number)))


def test_step_is_undone_freely_although_others_placed_tiles_since():
    builder = log_with_base_camps()
    first = builder.play(0, PlaceTerrain("rock", -1, 0))
    builder.play(0, PlaceTerrain("rock", 0, 1))
    builder.play(1, PlaceTerrain("forest", -1, 0))  # Ana has played both her tiles: she could not have moved then
    assert builder.table.can_change_step_alone(builder.table.active_step(first), ANA)
    assert not builder.table.can_change_step_alone(builder.table.active_step(first), BO)
    assert len(log_without(builder, first)[-1].after.players[0].tiles) == 3


def test_fork_whose_animal_was_taken_cannot_be_undone():
    builder = log_with_base_camps()
    fork = builder.play(0, FORK)
    builder.play(1, TakeAnimal("meadow", "wolf"))
    with pytest.raises(ConflictingStepError, match="There is no meadow animal to take"):
        log_without(builder, fork)


def test_tile_of_a_finished_round_is_undone_where_nobody_waits():
    builder = log_with_base_camps()
    tile = builder.play(0, PlaceTerrain("rock", -1, 0))
    builder.play(0, PlaceTerrain("rock", 0, 1))
    builder.play(1, PlaceTerrain("forest", -1, 0), PlaceTerrain("forest", 0, 1))
    assert builder.table.state.round == 2
    builder.play(1, PlaceTerrain("forest", 1, 1))
    steps = log_without(builder, tile)
    assert [len(player.tiles) for player in steps[-1].after.players] == [3, 5]
    assert (steps[-1].after.round, [player.tiles_used for player in steps[-1].after.players]) == (1, [1, 3])
