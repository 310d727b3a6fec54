"""After a repair, each phone lists what may still have to be done at the real table."""

import pytest
from flask import Flask

from companion.log.plans import Insert, RepairPlan
from companion.log.table import to_data
from companion.log.table_actions import SHARED
from scoring.kernel.editable import Increment
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Hike, Skip
from tests.support.page_parser import Page
from tests.support.phones import SeatedTable, new_tap, open_seated_table
from tests.support.table_states import play_moves

FIRST_HIKE = Hike(5, canteen=True)
QUESTION = "Is the table already like this?"


def repair(table: SeatedTable, seat: int, plan: RepairPlan) -> None:
    """Repair the log, and let everyone agree who is asked."""
    current = table.referee.repair(table.table, table.phone(seat).device, new_tap(), seat, plan)
    for proposal in current.proposals:
        for asked in proposal.waiting_seats:
            table.referee.answer(table.table, table.phone(asked).device, new_tap(), proposal.number, True)


def change_first_hike(table: SeatedTable) -> None:
    """Say that Ana hiked two tiles first, not five."""
    repair(table, 0, RepairPlan(table.table.steps[0].id, 1, (Insert(0, to_data(Hike(2))),)))


@pytest.fixture
def changed_table(app: Flask) -> SeatedTable:
    """Return a table where Ana, Bo and Cy have hiked, and Ana's hike was changed."""
    table = open_seated_table(app, "Ana", "Bo", "Cy")
    play_moves(table, [(0, FIRST_HIKE), (1, Hike(2)), (2, Hike(2))])
    change_first_hike(table)
    return table


def actions_of(page: Page) -> str:
    return page.text.partition(QUESTION)[2].partition("Yes, it is")[0]


def report(table: SeatedTable, seat: int, owner: int | str) -> int:
    """Report actions as done from a seat's phone; return the status."""
    sent = {"repair": str(table.table.repairs[-1].number), "owner": str(owner)}
    return table.submit(seat, "actions", sent).status_code


def test_actions_after_repair_are_listed_for_their_player_and_the_table_view(changed_table: SeatedTable):
    actions = changed_table.table.repair_actions(())
    own = [action.text for action in actions if action.seat == 0]
    assert own and {action.seat for action in actions} <= {0, None}
    assert all(text in actions_of(changed_table.page(0)) for text in own)
    for seat in (1, 2):
        assert not any(text in changed_table.page(seat).text for text in own)
    board = changed_table.phone(1).open(f"{changed_table.path}/board").text
    assert all(action.text in board for action in actions) and QUESTION not in board
    assert f"Ana : {own[0]}" in board


def test_done_actions_stay_away_after_a_reload(changed_table: SeatedTable):
    assert QUESTION in changed_table.page(0).text
    assert report(changed_table, 1, 0) == 403
    assert report(changed_table, 0, 0) == 303
    assert report(changed_table, 0, 0) == 303  # a second tap changes nothing
    assert "You : " not in actions_of(changed_table.page(0))
    assert not [action for action in changed_table.table.repair_actions(()) if action.seat == 0]
    assert report(changed_table, 2, SHARED) == 303
    assert QUESTION not in changed_table.page(0).text


def test_table_that_is_in_line_already_needs_one_tap(changed_table: SeatedTable):
    assert report(changed_table, 0, "") == 303
    assert changed_table.table.open_actions is None
    assert all(QUESTION not in changed_table.page(seat).text for seat in range(3))


def test_actions_of_a_free_seat_are_listed_on_every_phone(changed_table: SeatedTable):
    changed_table.referee.stand_up(changed_table.table, changed_table.phone(0).device, new_tap(), 0)
    assert "Ana : " in actions_of(changed_table.page(1))
    assert report(changed_table, 1, 0) == 303
    assert "Ana : " not in actions_of(changed_table.page(1))


def test_next_repair_replaces_the_actions(changed_table: SeatedTable):
    first = changed_table.table.repair_actions(())
    repair(
        changed_table,
        0,
        RepairPlan(changed_table.table.steps[0].id, 1, (Insert(0, to_data(Hike(1))), Insert(0, to_data(Skip())))),
    )
    assert changed_table.table.repair_actions(()) != first
    assert changed_table.table.open_actions.repair == changed_table.table.repairs[-1].number


def test_repair_back_to_the_old_position_leaves_nothing_to_do(changed_table: SeatedTable):
    repair(changed_table, 0, RepairPlan(changed_table.table.steps[0].id, 1, (Insert(0, to_data(FIRST_HIKE)),)))
    assert not changed_table.table.repair_actions(()) and QUESTION not in changed_table.page(0).text


def test_undo_lists_actions_until_the_next_move(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    hike = table.play(0, Hike(2)).steps[-1]
    table.submit(0, "step", {"take_back": hike.id})
    assert "Move the hiker to the Trailhead." in actions_of(table.page(0))
    table.submit(0, "step", {"put_back": hike.id})
    assert QUESTION not in table.page(0).text
    table.submit(0, "step", {"take_back": hike.id})
    table.play(0, Hike(1))
    assert table.table.open_actions is None and QUESTION not in table.page(0).text


def test_piece_that_a_later_move_has_moved_needs_no_action(changed_table: SeatedTable):
    assert any("Move the hiker" in action.text for action in changed_table.table.repair_actions(()))
    changed_table.play(0, Hike(1))
    assert not any("Move the hiker" in action.text for action in changed_table.table.repair_actions(()))


def test_undone_correction_lists_no_actions(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", phones=1)
    table.play(0, EditPosition((Increment("players.0.leaf", 2),)))
    repair(table, 0, RepairPlan(table.table.steps[-1].id, 1))
    assert table.table.open_actions is None
