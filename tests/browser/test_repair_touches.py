"""Count the touches from a player's page until a usual repair is requested or applied."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from companion.log.log_text import game_log
from scoring.alpine_trails.moves.corrections import CorrectTile
from tests.browser.alpine_trails_taps import change_tile, submit_button, tap_and_wait
from tests.browser.browser_servers import InProcessServer
from tests.browser.games_with_mistakes import (
    FORGOTTEN,
    FORGOTTEN_LEG,
    KNOCK_ON,
    NEIGHBOR_TAPS,
    NOTICED_MUCH_LATER,
    NOTICED_SOON,
    Mistake,
)
from tests.browser.phone import Phone, PhonePool
from tests.browser.repair_taps import (
    enter_move,
    follow_control,
    jump_in_log,
    move_selector,
    open_log,
    open_table_with_mistake,
    request_repair,
    tap_log_line,
)
from tests.browser.seated_tables import SeatedTable
from tests.browser.trails_taps import tap_button
from tests.support.parametrize import parametrize_cases
from tests.support.touch_counter import read_touches, start_counting

pytestmark = [pytest.mark.browser, pytest.mark.long("whole repairs in a browser")]

SOON, MUCH_LATER = 6, 10  # touches a repair takes at most


@pytest.fixture(scope="module")
def in_process_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    server = InProcessServer(tmp_path_factory.mktemp("instance") / "small", 50)
    yield server
    server.close()


@pytest.fixture
def new_counting_phone(browser: Browser) -> Iterator[Callable[..., Phone]]:
    phones, pool = [], PhonePool(browser)

    def new_one(name: str, address: str, **settings) -> Phone:
        phones.append(Phone(pool, address, name, **settings))
        start_counting(phones[-1])
        return phones[-1]

    yield new_one
    for phone in phones:
        phone.close()


def replace_step(table: SeatedTable, mistake: Mistake, *jumps: str) -> int:
    """Put the right move in place of the wrong one, and return the touches it took."""
    phone, index = table.phones[mistake.asker], mistake.first_wrong_step
    before = read_touches(phone)
    open_line(phone, table.table.steps[index].id, *jumps)
    choose_move(phone, mistake, index)
    for later_index, _ in mistake.wrong_moves[1:]:
        expect(phone.find("h1")).to_have_text("A later move no longer works")
        choose_move(phone, mistake, later_index)
    request_repair(phone, table)
    assert [(step.seat, step.move) for step in table.table.steps] == list(mistake.actual_log) or table.table.proposals
    return read_touches(phone).count_since(before)


def add_step(table: SeatedTable, mistake: Mistake, *jumps: str) -> int:
    """Add the forgotten move before the step that followed it, and return the touches it took."""
    phone, index = table.phones[mistake.asker], mistake.first_wrong_step
    before = read_touches(phone)
    open_line(phone, table.table.steps[index].id, *jumps)
    follow_control(phone, phone.link("Add a move before this"))
    enter_move(phone, table, *mistake.actual_log[index])
    request_repair(phone, table)
    assert [(step.seat, step.move) for step in table.table.steps] == list(mistake.actual_log) or table.table.proposals
    return read_touches(phone).count_since(before)


def open_line(phone: Phone, step: str, *jumps: str) -> None:
    """Open a step from the game log, to which the news or the menu leads."""
    news = phone.find("a.turn-news")
    if news.is_visible() and not jumps:
        follow_control(phone, news)
        tap_log_line(phone, step)
    else:
        open_log(phone)
        jump_in_log(phone, *jumps)
        tap_log_line(phone, step)


def links_to_step(table: SeatedTable, mistake: Mistake) -> list[str]:
    """Return the links of the game log that lead near the first wrong step."""
    step = table.table.steps[mistake.first_wrong_step]
    chapters = game_log(table.table, (mistake.asker,))
    title = next(part.title for part in chapters for turn in part.turns for line in turn.lines if line.id == step.id)
    return [table.table.names[step.seat], title] if title else ["Setup"]


def choose_move(phone: Phone, mistake: Mistake, index: int) -> None:
    """Tap the right move among the alternatives to a wrong one."""
    follow_control(phone, phone.find(f".moves.columns {move_selector(mistake.actual_log[index][1])}"))


@parametrize_cases("name", NOTICED_SOON)
def test_wrong_tap_three_turns_later_is_repaired_in_few_touches(name, in_process_server, new_counting_phone):
    mistake = NOTICED_SOON[name]
    table = open_table_with_mistake(in_process_server, new_counting_phone, mistake)
    touches = replace_step(table, mistake)
    print(f"{name}: {touches} touches")
    assert touches <= SOON


@parametrize_cases("name", NOTICED_MUCH_LATER)
def test_wrong_tap_half_a_game_later_is_repaired_in_few_touches(name, in_process_server, new_counting_phone):
    mistake = NOTICED_MUCH_LATER[name]
    table = open_table_with_mistake(in_process_server, new_counting_phone, mistake)
    touches = replace_step(table, mistake, *links_to_step(table, mistake))
    print(f"{name}: {touches} touches")
    assert touches <= MUCH_LATER


def test_move_forgotten_half_a_game_ago_is_added_in_few_touches(in_process_server, new_counting_phone):
    mistake = replace(FORGOTTEN["race"], step_count=150)
    table = open_table_with_mistake(in_process_server, new_counting_phone, mistake)
    touches = add_step(table, mistake, *links_to_step(table, mistake))
    print(f"{touches} touches")
    assert touches <= MUCH_LATER


def test_forgotten_run_of_unknown_leg_is_added_in_few_touches(in_process_server, new_counting_phone):
    """One key enters the color of the leg and the card that is played."""
    table = open_table_with_mistake(in_process_server, new_counting_phone, FORGOTTEN_LEG, is_bare=True)
    touches = add_step(table, FORGOTTEN_LEG)
    print(f"{touches} touches")
    assert touches <= SOON


def test_tile_that_is_wrong_in_two_ways_is_fixed_on_the_map_in_few_touches(in_process_server, new_counting_phone):
    """The age of the mistake does not matter there."""
    table = open_table_with_mistake(in_process_server, new_counting_phone, NEIGHBOR_TAPS["alpine: a tile"])
    phone, fix = table.phones[0], CorrectTile(0, 0, 1, "trail", "forest", "NS", 2, 1)
    before, version = read_touches(phone), table.table.version
    phone.find(f'#map .tile[data-mark="{fix.x},{fix.y}"]').tap()
    tap_and_wait(phone, phone.link("Fix this tile").tap)
    change_tile(phone, fix)
    tap_button(phone, submit_button(phone))
    phone.wait_for_version(version + 1)
    touches = read_touches(phone).count_since(before)
    print(f"{touches} touches")
    assert fix.placed in table.table.state.players[0].tiles
    assert touches <= SOON


@parametrize_cases("name", [name for name in KNOCK_ON if name != "alpine"])
def test_repair_that_changes_a_later_move_takes_few_touches(name, in_process_server, new_counting_phone):
    mistake = KNOCK_ON[name]
    table = open_table_with_mistake(in_process_server, new_counting_phone, mistake)
    touches = replace_step(table, mistake)
    print(f"{name}: {touches} touches")
    assert touches <= MUCH_LATER
