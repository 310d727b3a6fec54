"""Tests of the referee: moves, seats, undo, questions and the setup; each tap counts once."""

from collections.abc import Callable

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from companion.log.plans import Insert, RepairPlan, Restore, plan_to_restore
from companion.log.table import Table
from companion.service.referee import IncompleteRepairError, NotAllowedError, Referee
from companion.storage.store import TableNotFoundError
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER, leaf_edit
from tests.support.ready_setups import ready_setup

HIKE = {"type": "hike", "steps": 2}
NAME = {"type": "name-card", "end": "trailhead", "badge": "science"}
CORRECT = leaf_edit(0, 3)
OLD_CORRECTION = {"type": "correct-player", "player": 0, "leaf": 4}  # only logs of earlier versions have it


def default_setup(*names: str, game: str = "trails") -> dict:
    return to_builtins(ready_setup(list(names), game))


def plan_without(step: int) -> RepairPlan:
    """Return the plan that removes a step."""
    return RepairPlan(str(step), 1)


def step_texts(table: Table) -> list[str]:
    return [step.text for step in table.steps]


def test_move_is_written_and_the_new_table_returned(bare_referee: Referee, code: str):
    table = bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE)
    assert step_texts(table) == ["Ana hiked 2 tiles to the leaf site, +1 leaf."]
    assert bare_referee.store.latest_version(code) == table.version == 4


def test_repeated_tap_of_a_repeatable_move_counts_once(bare_referee: Referee, code: str):
    first = bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, NAME)
    assert bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, NAME) == first
    assert step_texts(first) == ["New badge at the Trailhead: Science."]


def test_repeated_tap_of_a_now_illegal_move_is_not_refused(bare_referee: Referee, code: str):
    first = bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE)
    assert bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE) == first
    with pytest.raises(IllegalMoveError, match="It is Bo\u2019s turn: hike 1 or 2 tiles."):
        bare_referee.play(bare_referee.store.table(code), ANA, "another tap", 0, HIKE)


def test_tap_repeated_much_later_counts_once(bare_referee: Referee, code: str):
    bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE)
    bare_referee.play(bare_referee.store.table(code), BO, "bo", 1, HIKE)
    table = bare_referee.play(bare_referee.store.table(code), ANA, "leave", 0, {"type": "hike", "steps": 2})
    assert bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE) == table


REPEATED: list[tuple[str, Callable[[Referee, str, int], Table]]] = [
    ("sit", lambda judge, code, step: judge.sit(judge.store.table(code), CY, "tap", 2)),
    ("stand", lambda judge, code, step: judge.stand_up(judge.store.table(code), ANA, "tap", 0)),
    ("undo", lambda judge, code, step: judge.repair(judge.store.table(code), ANA, "tap", 0, plan_without(step))),
    ("ask to undo", lambda judge, code, step: judge.repair(judge.store.table(code), BO, "tap", 1, plan_without(step))),
    ("correct", lambda judge, code, step: judge.play(judge.store.table(code), ANA, "tap", 0, CORRECT)),
    ("ask for a seat", lambda judge, code, step: judge.sit(judge.store.table(code), STRANGER, "tap", 0)),
]


@pytest.mark.parametrize(("name", "act"), REPEATED, ids=[name for name, _ in REPEATED])
def test_repeated_tap_of_any_action_counts_once(bare_referee: Referee, name: str, act):
    code = bare_referee.open_table(HOST, "trails", default_setup("Ana", "Bo", "Cy")).code
    bare_referee.sit(bare_referee.store.table(code), ANA, "sit 0", 0)
    bare_referee.sit(bare_referee.store.table(code), BO, "sit 1", 1)
    step = bare_referee.play(bare_referee.store.table(code), ANA, "hike", 0, HIKE).version
    table = act(bare_referee, code, step)
    assert table.version == step + 1
    assert act(bare_referee, code, step) == table


def test_repeated_answer_to_a_settled_question_is_not_refused(bare_referee: Referee, code: str):
    number = bare_referee.play(bare_referee.store.table(code), BO, "ask", 1, CORRECT).version
    table = bare_referee.answer(bare_referee.store.table(code), ANA, "yes", number, True)
    assert bare_referee.answer(bare_referee.store.table(code), ANA, "yes", number, True) == table
    with pytest.raises(NotAllowedError, match="already been answered"):
        bare_referee.answer(bare_referee.store.table(code), ANA, "yes again", number, True)


def test_repeated_tap_is_not_refused_for_a_later_conflict(bare_referee: Referee, code: str):
    """Bo's request is answered, but the answer is lost; Bo sends it again after moving."""
    step = bare_referee.play(bare_referee.store.table(code), ANA, "hike", 0, HIKE).version
    bare_referee.repair(bare_referee.store.table(code), BO, "ask", 1, plan_without(step))
    table = bare_referee.play(bare_referee.store.table(code), BO, "bo", 1, HIKE)
    assert bare_referee.repair(bare_referee.store.table(code), BO, "ask", 1, plan_without(step)) == table
    with pytest.raises(IncompleteRepairError) as error:
        bare_referee.repair(bare_referee.store.table(code), BO, "ask again", 1, plan_without(step))
    assert error.value.outcome.blocked.step == table.steps[-1]


NOT_YOURS: list[tuple[str, Callable[[Referee, str], Table], str]] = [
    (
        "another's seat",
        lambda judge, code: judge.play(judge.store.table(code), BO, "t", 0, HIKE),
        "Ana\u2019s seat is not on this phone.",
    ),
    (
        "without a seat",
        lambda judge, code: judge.play(judge.store.table(code), STRANGER, "t", 0, HIKE),
        "Ana\u2019s seat is not on this phone.",
    ),
    (
        "even the host",
        lambda judge, code: judge.play(judge.store.table(code), HOST, "t", 0, HIKE),
        "Ana\u2019s seat is not on this phone.",
    ),
    (
        "no such seat",
        lambda judge, code: judge.play(judge.store.table(code), ANA, "t", 2, HIKE),
        "This table has no such seat.",
    ),
    (
        "below the first",
        lambda judge, code: judge.play(judge.store.table(code), BO, "t", -1, HIKE),
        "This table has no such seat.",
    ),
    (
        "sit nowhere",
        lambda judge, code: judge.sit(judge.store.table(code), STRANGER, "t", 2),
        "This table has no such seat.",
    ),
    (
        "stand for another",
        lambda judge, code: judge.stand_up(judge.store.table(code), BO, "t", 0),
        "Ana\u2019s seat is not on this phone.",
    ),
    (
        "undo for another",
        lambda judge, code: judge.repair(judge.store.table(code), BO, "t", 0, plan_without(4)),
        "Ana\u2019s seat is not on this phone.",
    ),
    (
        "undo nothing",
        lambda judge, code: judge.repair(judge.store.table(code), BO, "t", 1, plan_without(99)),
        "game log has changed since then",
    ),
    (
        "undo sitting down",
        lambda judge, code: judge.repair(judge.store.table(code), BO, "t", 1, plan_without(2)),
        "game log has changed since then",
    ),
    (
        "put back nothing",
        lambda judge, code: judge.repair(judge.store.table(code), BO, "t", 1, RepairPlan(edits=(Restore("99"),))),
        "game log has changed since then",
    ),
    (
        "answer nothing",
        lambda judge, code: judge.answer(judge.store.table(code), BO, "t", 99, True),
        "This request has already been answered.",
    ),
    (
        "set up without a seat",
        lambda judge, code: judge.change_setup(judge.store.table(code), STRANGER, "t", default_setup("Ana", "Bo"), 0),
        "Take a seat first",
    ),
]


@pytest.mark.parametrize(("name", "act", "message"), NOT_YOURS, ids=[name for name, _, _ in NOT_YOURS])
def test_action_that_is_not_allowed_is_refused_with_the_reason(
    bare_referee: Referee, code: str, name: str, act, message: str
):
    with pytest.raises(NotAllowedError, match=message):
        act(bare_referee, code)
    assert bare_referee.store.latest_version(code) == 3


def test_secret_step_of_another_player_cannot_be_undone(bare_referee: Referee, code: str):
    note = bare_referee.play(
        bare_referee.store.table(code), ANA, "note", 0, {"type": "note-hand", "badge": "science"}
    ).version
    with pytest.raises(NotAllowedError, match="Only the player who made a private entry can change it"):
        bare_referee.repair(bare_referee.store.table(code), BO, "t", 1, plan_without(note))
    table = bare_referee.repair(bare_referee.store.table(code), ANA, "back", 0, plan_without(note))
    with pytest.raises(NotAllowedError, match="Only the player who made a private entry can change it"):
        bare_referee.repair(bare_referee.store.table(code), BO, "t2", 1, plan_to_restore(table, str(note)))


def test_own_note_is_undone_without_asking_players_who_moved_since(bare_referee: Referee, code: str):
    note = bare_referee.play(
        bare_referee.store.table(code), ANA, "note", 0, {"type": "note-hand", "badge": "science"}
    ).version
    bare_referee.play(bare_referee.store.table(code), ANA, "ana", 0, HIKE)
    bare_referee.play(bare_referee.store.table(code), BO, "bo", 1, HIKE)
    table = bare_referee.repair(bare_referee.store.table(code), ANA, "back", 0, plan_without(note))
    assert table.proposals == () and table.state.players[0].hand is None
    table = bare_referee.repair(bare_referee.store.table(code), ANA, "again", 0, plan_to_restore(table, str(note)))
    assert table.proposals == () and table.state.players[0].hand == "science"


MALFORMED = [
    OLD_CORRECTION,
    {},
    {"type": "fly"},
    {"type": "hike"},
    {"type": "hike", "steps": "2"},
    {"type": "hike", "steps": 2, "seat": 1},
    [],
    None,
    "hike",
]


@pytest.mark.parametrize("data", MALFORMED, ids=repr)
def test_unreadable_move_is_invalid_on_any_turn(bare_referee: Referee, code: str, data):
    for device, seat in ((ANA, 0), (BO, 1)):
        with pytest.raises(InvalidInputError):
            bare_referee.play(bare_referee.store.table(code), device, "t", seat, data)


def test_old_correction_cannot_be_inserted_by_a_repair(bare_referee: Referee, code: str):
    with pytest.raises(NotAllowedError):
        bare_referee.repair(bare_referee.store.table(code), ANA, "t", 0, RepairPlan(edits=(Insert(0, OLD_CORRECTION),)))


def test_numbers_of_a_form_may_be_text(bare_referee: Referee, code: str):
    assert bare_referee.play(
        bare_referee.store.table(code), ANA, "t", 0, {"type": "hike", "steps": "2"}, strict=False
    ).steps


@pytest.mark.parametrize("number", [0, 3, 10**30])
def test_illegal_move_is_refused_with_its_rule(bare_referee: Referee, code: str, number: int):
    with pytest.raises(IllegalMoveError) as refusal:
        bare_referee.play(bare_referee.store.table(code), ANA, "t", 0, {"type": "hike", "steps": number})
    assert refusal.value.reasons[0].rule.id == "hike-distance"


def test_move_at_a_deleted_table_is_refused(bare_referee: Referee, code: str):
    deleted_table = replace(bare_referee.store.table(code), code="BCDFG")
    with pytest.raises(TableNotFoundError):
        bare_referee.play(deleted_table, ANA, "t", 0, HIKE)


def test_question_is_answered_only_by_asked_phones_or_the_host(bare_referee: Referee, code: str):
    number = bare_referee.play(bare_referee.store.table(code), BO, "ask", 1, CORRECT).version
    for device, agrees in ((STRANGER, True), (STRANGER, False), (BO, True)):
        with pytest.raises(NotAllowedError, match="not asked to answer"):
            bare_referee.answer(bare_referee.store.table(code), device, f"{device} {agrees}", number, agrees)
    assert bare_referee.answer(bare_referee.store.table(code), BO, "never mind", number, False).proposals == ()
    number = bare_referee.play(bare_referee.store.table(code), BO, "ask again", 1, CORRECT).version
    assert bare_referee.answer(bare_referee.store.table(code), HOST, "decide", number, True).state.players[0].cubes == (
        1,
        4,
        1,
    )


def test_repeated_request_is_asked_once(bare_referee: Referee, code: str):
    step = bare_referee.play(bare_referee.store.table(code), ANA, "hike", 0, HIKE).version
    for tap in ("one", "two"):
        bare_referee.play(bare_referee.store.table(code), ANA, f"correct {tap}", 0, leaf_edit(1, 3))
        bare_referee.repair(bare_referee.store.table(code), BO, f"back {tap}", 1, plan_without(step))
        table = bare_referee.sit(bare_referee.store.table(code), STRANGER, f"sit {tap}", 1)
    assert len(table.proposals) == 3 and table.version == step + 3
    assert len(bare_referee.play(bare_referee.store.table(code), BO, "another phone asks", 1, CORRECT).proposals) == 4


def test_sitting_down_on_the_own_seat_changes_nothing(bare_referee: Referee, code: str):
    assert bare_referee.sit(bare_referee.store.table(code), ANA, "t", 0).version == 3


def test_setup_with_another_first_player_moves_the_seats_along(bare_referee: Referee):
    code = bare_referee.open_table(HOST, "trails", default_setup("Ana", "Bo", "Cy")).code
    for seat, device in enumerate((ANA, BO, CY)):
        bare_referee.sit(bare_referee.store.table(code), device, f"sit {seat}", seat)
    table = bare_referee.change_setup(bare_referee.store.table(code), HOST, "t", default_setup("Ana", "Bo", "Cy"), 1)
    assert table.names == ("Bo", "Cy", "Ana") and table.seats == (BO, CY, ANA)
    assert bare_referee.play(bare_referee.store.table(code), BO, "bo", 0, HIKE).steps[-1].text.startswith("Bo hiked 2")


def test_setup_change_after_a_move_is_refused_until_it_is_undone(bare_referee: Referee, code: str):
    hike = bare_referee.play(bare_referee.store.table(code), ANA, "hike", 0, HIKE).version
    with pytest.raises(NotAllowedError, match="Undo every step"):
        bare_referee.change_setup(bare_referee.store.table(code), HOST, "t", default_setup("Ana", "Bea"), 0)
    bare_referee.repair(bare_referee.store.table(code), ANA, "back", 0, plan_without(hike))
    assert bare_referee.change_setup(bare_referee.store.table(code), BO, "t", default_setup("Ana", "Bea"), 0).names == (
        "Ana",
        "Bea",
    )


def test_setup_change_keeps_the_number_of_players(bare_referee: Referee, code: str):
    with pytest.raises(InvalidInputError, match="this table has 2 players, not 3"):
        bare_referee.change_setup(bare_referee.store.table(code), HOST, "t", default_setup("Ana", "Bo", "Cy"), 0)


@pytest.mark.parametrize("players", [{}, {"x": "y"}, "Ana", None, 7])
def test_setup_with_players_that_are_no_list_is_invalid(bare_referee: Referee, code: str, players):
    with pytest.raises(InvalidInputError):
        bare_referee.change_setup(
            bare_referee.store.table(code), HOST, "t", {**default_setup("Ana", "Bo"), "players": players}, 0
        )


def test_new_version_is_announced_after_it_is_written(bare_referee: Referee, code: str, monkeypatch):
    versions = []
    monkeypatch.setattr(
        bare_referee.live,
        "announce",
        lambda code, number: versions.append((number, bare_referee.store.latest_version(code))),
    )
    bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE)
    bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE)
    bare_referee.sit(bare_referee.store.table(code), ANA, "sit", 0)
    assert versions == [(4, 4)]
