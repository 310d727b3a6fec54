"""The physical actions after a repair lead from the old position to the new one."""

import random
import re
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import pytest

from companion.log.entries import ActionsDone, LogRewritten
from companion.log.log_diff import rewrite_entry
from companion.log.plans import Insert, RepairPlan, Truncate
from companion.log.replay import replay
from companion.log.table import Table, to_data
from companion.log.table_actions import OpenActions, find_actions
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import AddRemove, EditableField, Increment, Replace
from scoring.kernel.table_actions import Count, Handling, Handlings, Pile, Value, pair_fields, path_pattern
from scoring.kernel.tracked_game import TableAction
from tests.companion.log.test_repair import other_move, random_table
from tests.support.invariants import SEED
from tests.support.log_builder import HOST, LogBuilder
from tests.support.parametrize import parametrize_cases
from tests.support.random_games import random_move

GAMES = {
    key: import_module(f"scoring.{key.replace('-', '_')}.table_actions")
    for key in ("trails", "parks", "alpine-trails", "on-the-trail")
}
# The cards of a runner, which ON THE TRAIL handles together.
RUNNER_CARDS = re.compile(r"runners\.\d+\.(held|discards(\.\w+)?|untold_discards)")
INFORMATION = ("rulings.", "facts.", "animals.")  # paths of house rules and of facts about the box
REPAIRS = 15


def handlings_of(game: str) -> Handlings:
    return GAMES[game].HANDLINGS | getattr(GAMES[game], "BOT_PILE", {})


def random_repair(builder: LogBuilder, rng: random.Random) -> Table | None:
    """Repair a random step and return the table before: replace, drop or end there."""
    table = builder.table
    step = rng.choice(table.steps[-20:])
    other = other_move(table.tracked, step.before, step.seat, rng, step.move)
    plan = RepairPlan(step.id, 1)
    if other and rng.random() < 0.6:
        plan = RepairPlan(step.id, 1, (Insert(step.seat, to_data(other)),))
    outcome = replay(table, plan)
    if outcome.refusal:
        return None
    if outcome.blocked:
        outcome = replay(table, plan.with_edit(Truncate()))
    if outcome.refusal or outcome.blocked or (rewrite := rewrite_entry(table, outcome.steps)) == LogRewritten():
        return None
    builder.add_entry(HOST, rewrite, 0)
    return table


def play_on(builder: LogBuilder, rng: random.Random, count: int) -> None:
    """Play random moves, as long as the game lasts."""
    for _ in range(count):
        tracked, state = builder.table.tracked, builder.table.state
        if seats := tracked.flow.to_move(state):
            kinds = tracked.available_moves(state)
            seat = rng.choice(seats)
            found = random_move(tracked, state, seat, rng, rng.sample(kinds, len(kinds)))
            assert found
            builder.play(seat, found[0])


def fields_of(table: Table, state: Any) -> list[EditableField]:
    assert table.tracked.position_format
    return [*table.tracked.position_format.editable_fields(table.visible_state(state, None))]


def apply_actions(fields: Iterable[EditableField], actions: Iterable[TableAction]) -> dict[str, Any]:
    """Return the values of fields, by path, after the changes of some actions."""
    values: dict[str, Any] = {field.path: field.value for field in fields}
    for change in (change for action in actions for change in action.changes):
        match change:
            case Increment(path, number):
                old = values.get(path, 0)
                values[path] = type(old)(int(old) + number)
            case Replace(path, was, now):
                assert values.get(path, "") == was
                values[path] = now
            case AddRemove(path, less, more):
                cards = Counter(values.get(path, ()))
                assert not Counter(less) - cards
                values[path] = tuple((cards - Counter(less) + Counter(more)).elements())
    return values


def is_reached(handling: Handling, path: str, old: EditableField | None, new: EditableField | None, value: Any) -> bool:
    """Return whether a field has its new value after the actions, if it is a physical thing."""
    if RUNNER_CARDS.fullmatch(path):
        return value == (new.value if new else value)
    match handling:
        case None:
            return True
        case Count():
            return (value or 0) == (new.value if new else 0)
        case Pile(unknown=unknown):
            left, right = Counter(value or ()), Counter(new.value if new else ())
            missing, extra = right - left, left - right
            return missing.total() == extra.total() and (
                not missing or {*missing} == {unknown} or {*extra} == {unknown}
            )
        case Value(unknown=unknown):
            is_open = unknown and new and unknown in (value, new.value)
            return (
                new is None
                or value == new.value
                or bool(is_open)
                or (old is not None and old.value_text == new.value_text)
            )
    if path.endswith(".hand"):  # others only know whether it is empty
        return (value == "none") == (new is not None and new.value == "none")
    return new is None or value == new.value or (old is not None and old.value_text == new.value_text)


def assert_table_reached(game: str, table: Table, before: Any, after: Any, actions: tuple[TableAction, ...]) -> None:
    old, new, handlings = fields_of(table, before), fields_of(table, after), handlings_of(game)
    values = apply_actions(old, actions)
    for path, old_field, new_field in pair_fields(old, new):
        if RUNNER_CARDS.fullmatch(path) and before.rulings != after.rulings and not path.endswith(".held"):
            continue  # under another house rule, discards that were hidden are face-up
        is_information = (
            path.startswith(INFORMATION)
            or ".hand." in path
            or (path.startswith("bot.discards.") and after.bot_deck != "cards")
        )
        handling = None if is_information or RUNNER_CARDS.fullmatch(path) else handlings[path_pattern(path)]
        assert is_reached(handling, path, old_field, new_field, values.get(path)), (path, old_field, new_field, actions)


def assert_actions_depend_on_views(table: Table, found: OpenActions, public: tuple[TableAction, ...]) -> None:
    """Assert that a seat reads only what follows from its view or what everyone reads."""
    for seat in range(len(table.seats)):
        own = table.repair_actions((seat,))
        assert [action for action in own if action.seat != seat] == [each for each in public if each.seat != seat]
        views = [table.visible_state(state, seat) for state in (found.before, found.after, table.state)]
        seen = OpenActions(found.repair, *views[:2], found.done)
        assert tuple(find_actions(table.tracked, seen, table.visible_state, views[2], (seat,))) == own


@pytest.mark.slow("random games with repairs")
@parametrize_cases("number", range(6))
@pytest.mark.parametrize("game", GAMES)
def test_actions_after_repair_lead_to_the_new_position(game: str, number: int):
    rng = random.Random(f"{SEED} actions {game} {number}")
    builder, texts = random_table(TRACKED_GAMES[game], rng), []
    for _ in range(REPAIRS):
        play_on(builder, rng, rng.choice((0, 1, 5)) if builder.table.steps else 30)
        before = random_repair(builder, rng)
        table = builder.table
        if before is None or table.is_over or before.is_over or table.open_actions is None:
            continue
        open_actions, actions = table.open_actions, table.repair_actions(())
        assert_table_reached(game, table, open_actions.before, open_actions.after, actions)
        assert_actions_depend_on_views(table, open_actions, actions)
        texts += [action.text for action in actions]
        if rng.random() < 0.7:
            builder.add_entry(HOST, ActionsDone(open_actions.repair), 0)
            assert not builder.table.repair_actions(())
    assert texts
    for text in texts:
        assert re.fullmatch(r"[A-Z0-9“].*\.", text) and "{" not in text and "not entered" not in text, text
