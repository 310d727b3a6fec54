"""What to do at the table after a repair, and what a repair changes, on phones."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from companion.log.plans import Insert, RepairPlan, Truncate
from companion.log.table import to_data
from companion.service.referee import new_tap
from scoring.trails.moves.hiking import Hike
from tests.browser import midgame_tables
from tests.browser.browser_servers import InProcessServer
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import tap_button
from tests.browser.unreachable_choices import unreachable_choices

pytestmark = pytest.mark.browser

QUESTION = "Is the table already like this?"


def open_table_after_hikes(server, new_phone) -> SeatedTable:
    table = open_seated_table(server, new_phone, "Ana", "Bo", "Cy")
    for seat, move in ((0, Hike(5, canteen=True)), (1, Hike(2)), (2, Hike(2))):
        table.phones[seat].submit_move(table.path, seat, move)
    return table


def open_preview(table: SeatedTable) -> Phone:
    """Open the preview of a repair on Ana's phone: she hiked two tiles first."""
    ana = table.phones[0]
    plan = RepairPlan(table.table.steps[0].id, 1, (Insert(0, to_data(Hike(2))),)).encode()
    ana.go(f"{table.path}/seat/0/mend/{plan}")
    return ana


def repair(table: SeatedTable) -> None:
    """Ask for the repair on Ana's phone; the others agree."""
    ana = open_preview(table)
    ana.find(".main-action button").tap()
    ana.page.wait_for_url("**/seat/0")
    for proposal in table.table.proposals:
        for seat in proposal.waiting_seats:
            phone = table.phones[seat]
            phone.go(f"{table.path}/seat/{seat}")
            version = table.table.version
            tap_button(phone, phone.find('.proposal button[name="yes"][value="1"]').first)
            phone.wait_for_version(version + 1)


def test_actions_after_a_repair_are_done_by_touch_and_stay_done(server, new_phone):
    table = open_table_after_hikes(server, new_phone)
    repair(table)
    ana = table.phones[0]
    ana.go(f"{table.path}/seat/0")
    actions = ana.find(".repair-actions")
    expect(actions).to_contain_text(QUESTION)
    if not actions.locator("li").first.is_visible():
        actions.locator("summary").tap()
    own = actions.locator("li", has_text="You:")
    expect(own).to_contain_text("Move the hiker to the leaf site.")
    version = table.table.version
    tap_button(ana, own.get_by_role("button", name="Done"))
    ana.wait_for_version(version + 1)
    expect(ana.find(".repair-actions li", has_text="You:")).to_have_count(0)
    ana.page.reload()
    expect(ana.find(".repair-actions li", has_text="You:")).to_have_count(0)


def test_table_in_line_already_takes_one_tap_for_all_phones(server, new_phone):
    table = open_table_after_hikes(server, new_phone)
    repair(table)
    ana = table.phones[0]
    ana.go(f"{table.path}/seat/0")
    board = new_phone("board")
    board.go(f"{table.path}/board")
    expect(board.find("main")).to_contain_text("Move the hiker to the leaf site.")
    version = table.table.version
    tap_button(ana, ana.button("Yes, it is"))
    ana.wait_for_version(version + 1)
    board.wait_for_version(version + 1)
    expect(ana.find(".repair-actions")).to_have_count(0)
    expect(board.find("main")).not_to_contain_text("Move the hiker to the leaf site.")


def test_switch_hides_the_changes_of_others_until_the_page_is_left(server, new_phone):
    table = open_table_after_hikes(server, new_phone)
    cy = table.phones[2]
    plan = RepairPlan(table.table.steps[0].id, len(table.table.steps)).encode()
    cy.go(f"{table.path}/seat/2/mend/{plan}")
    others = cy.find(".differences > .of-others")
    expect(others.first).to_be_visible()
    old, new = (cy.find(f".differences {tag}").first for tag in ("del", "ins"))
    expect(old).to_have_css("text-decoration-line", "line-through")
    assert new.evaluate("part => getComputedStyle(part).color") != old.evaluate("part => getComputedStyle(part).color")
    cy.find("#only-mine").tap()
    for hidden in (others, cy.find(".step-changes > .of-others")):
        expect(hidden.first).to_be_hidden()
    expect(cy.find(".differences > div:not(.of-others)").first).to_be_visible()
    version = table.table.version
    table.phones[0].go(f"{table.path}/seat/0")
    table.phones[0].submit_move(table.path, 0, Hike(1))
    cy.wait_for_version(version + 1)
    expect(cy.find("#only-mine")).to_be_checked()
    expect(others.first).to_be_hidden()


def test_bar_of_a_past_table_leads_to_other_moves_and_back_to_now(server, new_phone):
    table = open_table_after_hikes(server, new_phone)
    bo, steps = table.phones[1], table.table.steps
    bo.go(f"{table.path}/log/{steps[1].id}?seat=1")
    expect(bo.find("h1")).to_have_text("As it was before move 2")
    bo.find('.page-bar [rel="next"]').tap()
    expect(bo.find("h1")).to_have_text("As it was before move 3")
    bo.find('.page-bar [rel="prev"]').tap()
    expect(bo.find("h1")).to_have_text("As it was before move 2")
    bo.link("Back to now").tap()
    bo.page.wait_for_url(f"**{table.path}/seat/1")


@pytest.fixture(scope="module")
def in_process_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    server = InProcessServer(tmp_path_factory.mktemp("instance") / "small", 8)
    yield server
    server.close()


@pytest.mark.parametrize("game", ["parks", "on-the-trail"])
def test_choices_fit_below_the_actions_after_a_repair(game: str, in_process_server: InProcessServer, new_phone):
    players = 2 if game == "on-the-trail" else 3
    moves = midgame_tables.random_game_moves(game, players)
    table = midgame_tables.open_played_table(in_process_server, game, players, moves[: int(0.7 * len(moves))])
    seat, referee = table.tracked.flow.to_move(table.state)[0], in_process_server.referee
    plan = RepairPlan(table.steps[-4].id, edits=(Truncate(),))
    table = referee.repair(table, midgame_tables.device(seat), new_tap(), seat, plan)
    for proposal in table.proposals:
        for asked in proposal.waiting_seats:
            table = referee.answer(table, midgame_tables.device(asked), new_tap(), proposal.number, True)
    assert table.repair_actions(())
    to_move = table.tracked.flow.to_move(table.state)[0]
    phone = new_phone(address=in_process_server.address)
    midgame_tables.take_seat_device(phone, in_process_server, to_move)
    phone.go(f"/t/{table.code}/seat/{to_move}")
    expect(phone.find(".repair-actions")).to_be_visible()
    phone.wait_for_frames()
    assert not unreachable_choices(phone)
