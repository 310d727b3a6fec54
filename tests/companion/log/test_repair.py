"""Random tests of repairs: a repaired log equals the game played that way from the start."""

import random
from itertools import chain

import pytest

from companion.log.entries import LogRewritten
from companion.log.log_diff import rewrite_entry
from companion.log.plans import (
    Drop,
    Insert,
    RepairPlan,
    Restore,
    Truncate,
    decode_plan,
    plan_to_restore,
    plan_to_revert,
)
from companion.log.replay import Outcome, replay
from companion.log.steps import Step
from companion.log.table import Table, to_data
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from tests.support.invariants import GAMES_TO_PLAY, SEED
from tests.support.log_builder import HOST, build_one_phone_log
from tests.support.log_builder import LogBuilder as ToldTable
from tests.support.parametrize import parametrize_cases
from tests.support.player_names import NAMES
from tests.support.random_games import random_game, random_move

GAMES = max(2, GAMES_TO_PLAY // 50)  # random games of each title
REPAIRS = 12  # in each game


def random_table(tracked: TrackedGame, rng: random.Random, max_moves: int = 120) -> ToldTable:
    """Return a table in the middle or at the end of a random game."""
    names = list(NAMES[: rng.choice(tracked.box.player_counts)])
    record: list[tuple[int, Move]] = []
    builder = build_one_phone_log(*names, game=tracked.key)
    by_people = len(builder.table.seats) == len(builder.table.names)  # a bot's moves are never out of turn
    random_game(tracked, builder.table.setup, rng, record, out_of_turn_chance=0.1 if by_people else 0)
    for seat, move in record[: rng.randrange(min(10, len(record)), min(max_moves, len(record)) + 1)]:
        builder.play(seat, move)
    return builder


def other_move(tracked: TrackedGame, state, seat: int, rng: random.Random, excluded: Move | None) -> Move | None:
    """Return another legal move for the seat at this state, or None."""
    move_classes = tracked.available_moves(state) if seat in tracked.flow.to_move(state) else ()
    kinds = [
        *rng.sample(move_classes, len(move_classes)),
        *(kind for kind in tracked.moves if kind.out_of_turn and not kind.needs_consent),
    ]
    for _ in range(4):
        found = random_move(tracked, state, seat, rng, kinds)
        if found and found[0] != excluded:
            return found[0]
        kinds = kinds[1:]
    return None


def replay_steps(table: Table, steps: tuple[Step, ...]):
    """Return the state after playing the steps from the start."""
    return table.tracked.replay(table.setup, [(step.seat, step.move) for step in steps])


def is_legal_after(table: Table, steps: tuple[Step, ...], step: Step) -> bool:
    """Return whether a step is legal after the steps, by the rules core alone."""
    return table.tracked.is_legal(replay_steps(table, steps), step.seat, step.move)


def assert_repair_so_far(table: Table, outcome: Outcome) -> None:
    """Assert that repaired steps replay to their state and that a blocked step is illegal."""
    assert replay_steps(table, outcome.steps) == (outcome.steps[-1].after if outcome.steps else table.initial_state)
    if outcome.blocked:
        assert outcome.remaining[0] is outcome.blocked.step
        assert not is_legal_after(table, outcome.steps, outcome.blocked.step), (
            "it is legal, but was reported as blocked"
        )
    named = [step.id for step in chain(outcome.steps, outcome.removed, outcome.remaining)]
    assert len(named) == len(set(named)), "a step twice"
    assert set(named) >= set(table.index_by_step), "a step has got lost"


@pytest.mark.slow("random games of every title")
@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_repaired_log_equals_the_game_played_that_way(game: str, number: int):
    rng = random.Random(f"{SEED} {game} {number}")
    builder = random_table(TRACKED_GAMES[game], rng)
    completed = blocked = 0
    for _ in range(REPAIRS):
        table = builder.table
        step = rng.choice(table.steps)
        wrong_move = other_move(table.tracked, step.before, step.seat, rng, step.move)
        if wrong_move is None:
            continue
        drop_count = int(rng.random() < 0.7)
        plan = RepairPlan(step.id, drop_count, is_open=True).with_edit(Insert(step.seat, to_data(wrong_move)))
        outcome = replay(table, plan)
        if outcome.refusal:
            assert not drop_count
            continue
        assert_repair_so_far(table, outcome)
        assert decode_plan(plan.encode()) == plan
        if outcome.blocked:
            blocked += 1
            outcome = replay(table, plan.with_edit(Truncate()))
            assert_repair_so_far(table, outcome)
            assert outcome.blocked is None and set(outcome.remaining) == set()
        else:
            completed += 1
        assert_repair_and_undo(builder, outcome)
    assert completed + blocked


def assert_repair_and_undo(builder: ToldTable, outcome: Outcome) -> None:
    """Apply a repair, assert its result, undo it and assert that everything is as before."""
    before = builder.table
    rewrite = rewrite_entry(before, outcome.steps)
    if rewrite == LogRewritten():
        return
    after = builder.add_entry(HOST, rewrite, 0)
    assert after.state == replay_steps(before, outcome.steps)
    assert [(step.seat, step.move) for step in after.steps] == [(step.seat, step.move) for step in outcome.steps]
    assert set(after.removed) >= {step.id for step in outcome.removed}
    revert_plan = plan_to_revert(after, after.repairs[-1])
    assert revert_plan
    reverted_outcome = replay(after, revert_plan)
    assert not reverted_outcome.blocked and not reverted_outcome.refusal
    reverted = builder.add_entry(HOST, rewrite_entry(after, reverted_outcome.steps), 0)
    assert [(step.id, step.before, step.after, step.text) for step in reverted.steps] == [
        (step.id, step.before, step.after, step.text) for step in before.steps
    ]


@pytest.mark.slow("random games with repairs")
@parametrize_cases("number", range(GAMES))
@parametrize_cases("game", TRACKED_GAMES)
def test_blocked_repair_is_answered_until_it_is_complete(game: str, number: int):
    """Answer each blocked step by dropping it or by inserting a move before it.

    Every answer leads on, and the repaired table can be played on.
    """
    rng = random.Random(f"{SEED} answered {game} {number}")
    builder = random_table(TRACKED_GAMES[game], rng)
    for _ in range(REPAIRS):
        table = builder.table
        step = rng.choice(table.steps)
        plan = RepairPlan(step.id, rng.randrange(1, 3))
        outcome = replay(table, plan)
        for _ in range(60):
            assert_repair_so_far(table, outcome)
            if not outcome.blocked:
                break
            plan = plan.with_edit(random_answer(table, outcome, rng))
            outcome = replay(table, plan)
            assert outcome.plan == plan and not outcome.refusal
        else:
            outcome = replay(table, plan.with_edit(Truncate()))
        assert_repair_and_undo(builder, outcome)


def random_answer(table: Table, outcome: Outcome, rng: random.Random) -> Insert | Drop:
    blocked = outcome.blocked
    assert blocked
    seat = rng.choice(blocked.seats_to_move or (blocked.step.seat,))
    move = other_move(table.tracked, outcome.state, seat, rng, None)
    return Drop() if move is None or rng.random() < 0.3 else Insert(seat, to_data(move))


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_removed_step_is_restored_in_its_place(game: str):
    rng = random.Random(f"{SEED} back {game}")
    builder = random_table(TRACKED_GAMES[game], rng)
    for _ in range(REPAIRS):
        before = builder.table
        outcome = replay(before, RepairPlan(rng.choice(before.steps).id, 1))
        if outcome.blocked or len(outcome.removed) != 1:
            continue
        (removed,) = outcome.removed
        after = builder.add_entry(HOST, rewrite_entry(before, outcome.steps), 0)
        restored = replay(after, plan_to_restore(after, removed.id))
        assert not restored.blocked and restored.plan.edits == (Restore(removed.id),)
        assert builder.add_entry(HOST, rewrite_entry(after, restored.steps), 0).steps == before.steps
