"""Mending the past, at random: what the referee makes of a story told otherwise is what playing it so would give."""

import random
from itertools import chain

import pytest

from companion.log.entries import Rewrote
from companion.log.log_diff import entry_for
from companion.log.repair import Back, Mended, Out, Plan, Stop, Told, mend, putting_back, undoing, unpacked
from companion.log.table import Step, Table, plain_move
from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Play
from tests.support.cases import cases
from tests.support.invariants import GAMES_TO_PLAY, SEED
from tests.support.log_builder import HOST, on_one_phone
from tests.support.log_builder import Told as ToldTable
from tests.support.random_games import random_game, random_move

GAMES = max(2, GAMES_TO_PLAY // 50)  # random games of each title
REPAIRS = 12  # in each
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")


def evening(play: Play, rng: random.Random, most: int = 120) -> ToldTable:
    """Return a table of a random game as it stands somewhere in the middle of it, or at its end."""
    names = list(NAMES[: rng.choice(play.box.seats)])
    record: list[tuple[int, Move]] = []
    told = on_one_phone(*names, game=play.key)
    by_people = len(told.table.seats) == len(told.table.names)  # the app says nothing by the way
    random_game(play, told.table.setup, rng, record, chatter=0.1 if by_people else 0)
    for seat, move in record[: rng.randrange(min(10, len(record)), min(most, len(record)) + 1)]:
        told.play(seat, move)
    return told


def other_move(play: Play, state, seat: int, rng: random.Random, but: Move | None) -> Move | None:
    """Return another legal move somebody could have told there."""
    asked = play.asked(state) if seat in play.to_move(state) else ()
    kinds = [*rng.sample(asked, len(asked)), *(kind for kind in play.moves if kind.anytime and not kind.consent)]
    for _ in range(4):
        found = random_move(play, state, seat, rng, kinds)
        if found and found[0] != but:
            return found[0]
        kinds = kinds[1:]
    return None


def played_so(table: Table, story: tuple[Step, ...]):
    """Return the state that playing a story from the start gives."""
    return table.play.replay(table.setup, [(step.seat, step.move) for step in story])


def stands(table: Table, story: tuple[Step, ...], step: Step) -> bool:
    """Return whether a step is legal after a story, by the rules core alone."""
    return table.play.legal(played_so(table, story), step.seat, step.move)


def check_so_far(table: Table, mended: Mended) -> None:
    """Assert that what has been mended is what playing it so gives, and that what is in the way truly is."""
    assert played_so(table, mended.story) == (mended.story[-1].after if mended.story else table.first)
    if mended.blocked:
        assert mended.rest[0] is mended.blocked.step
        assert not stands(table, mended.story, mended.blocked.step), "it stands, but was said not to"
    named = [step.id for step in chain(mended.story, mended.aside, mended.rest)]
    assert len(named) == len(set(named)), "a step twice"
    assert set(named) >= set(table.places), "a step has got lost"


@pytest.mark.slow("random games of every title")
@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("game", PLAYS)
def test_a_story_told_otherwise_is_the_game_played_so(game: str, number: int):
    rng = random.Random(f"{SEED} {game} {number}")
    told = evening(PLAYS[game], rng)
    whole = blocked = 0
    for _ in range(REPAIRS):
        table = told.table
        step = rng.choice(table.steps)
        instead = other_move(table.play, step.before, step.seat, rng, step.move)
        if instead is None:
            continue
        out = int(rng.random() < 0.7)
        plan = Plan(step.id, out, open=True).saying(Told(step.seat, plain_move(instead)))
        mended = mend(table, plan)
        if mended.refused:
            assert not out
            continue
        check_so_far(table, mended)
        assert unpacked(plan.packed()) == plan
        if mended.blocked:
            blocked += 1
            mended = mend(table, plan.saying(Stop()))
            check_so_far(table, mended)
            assert mended.blocked is None and set(mended.rest) == set()
        else:
            whole += 1
        rewrite_and_back(told, mended)
    assert whole + blocked


def rewrite_and_back(told: ToldTable, mended: Mended) -> None:
    """Put a repair in force and assert that it is what was mended; undo it and assert that all is as before."""
    before = told.table
    what = entry_for(before, mended.story)
    if what == Rewrote():
        return
    after = told.say(HOST, what, 0)
    assert after.state == played_so(before, mended.story)
    assert [(step.seat, step.move) for step in after.steps] == [(step.seat, step.move) for step in mended.story]
    assert set(after.undone) >= {step.id for step in mended.aside}
    back = undoing(after, after.repairs[-1])
    assert back
    again = mend(after, back)
    assert not again.blocked and not again.refused
    undone = told.say(HOST, entry_for(after, again.story), 0)
    assert [(step.id, step.before, step.after, step.text) for step in undone.steps] == [
        (step.id, step.before, step.after, step.text) for step in before.steps
    ]


@pytest.mark.slow("random games, told otherwise")
@cases("number", range(GAMES))
@cases("game", PLAYS)
def test_whatever_stands_in_the_way_can_be_answered_until_the_story_is_whole(game: str, number: int):
    """Leave out, stop, or say what happened instead: each leads on, and the end is a table that can go on."""
    rng = random.Random(f"{SEED} answered {game} {number}")
    told = evening(PLAYS[game], rng)
    for _ in range(REPAIRS):
        table = told.table
        step = rng.choice(table.steps)
        plan = Plan(step.id, rng.randrange(1, 3))
        mended = mend(table, plan)
        for _ in range(60):
            check_so_far(table, mended)
            if not mended.blocked:
                break
            plan = plan.saying(answer(table, mended, rng))
            mended = mend(table, plan)
            assert mended.plan == plan and not mended.refused
        else:
            mended = mend(table, plan.saying(Stop()))
        rewrite_and_back(told, mended)


def answer(table: Table, mended: Mended, rng: random.Random) -> Told | Out:
    blocked = mended.blocked
    assert blocked
    seat = rng.choice(blocked.waits or (blocked.step.seat,))
    move = other_move(table.play, mended.state, seat, rng, None)
    return Out() if move is None or rng.random() < 0.3 else Told(seat, plain_move(move))


@pytest.mark.parametrize("game", PLAYS)
def test_what_was_set_aside_is_put_back_in_its_place(game: str):
    rng = random.Random(f"{SEED} back {game}")
    told = evening(PLAYS[game], rng)
    for _ in range(REPAIRS):
        before = told.table
        mended = mend(before, Plan(rng.choice(before.steps).id, 1))
        if mended.blocked or len(mended.aside) != 1:
            continue
        (gone,) = mended.aside
        after = told.say(HOST, entry_for(before, mended.story), 0)
        again = mend(after, putting_back(after, gone.id))
        assert not again.blocked and again.plan.here == (Back(gone.id),)
        assert told.say(HOST, entry_for(after, again.story), 0).steps == before.steps
