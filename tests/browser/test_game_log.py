"""The game log on a phone: it opens at the last line, and jumps to rounds and players."""

import pytest
from playwright.sync_api import expect

from tests.browser.games_with_mistakes import NOTICED_MUCH_LATER, NOTICED_SOON
from tests.browser.phone import Phone
from tests.browser.repair_taps import jump_in_log, open_log, open_table_with_mistake
from tests.browser.seated_tables import SeatedTable
from tests.browser.test_axe import axe_violations
from tests.browser.test_pages_fit import page_faults_in_both_schemes
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

IN_VIEW_SCRIPT = """part => {
  const box = part.getBoundingClientRect(), [middle, top] = [box.x + box.width / 2, box.y + 2];
  const isSeenAt = (y) => part.contains(document.elementFromPoint(middle, y));
  return isSeenAt(top) && isSeenAt(box.bottom - 4);
}"""


def is_in_view(phone: Phone, selector: str) -> bool:
    """Return whether an element is on the screen, and nothing lies over it."""
    return phone.find(selector).evaluate(IN_VIEW_SCRIPT)


def open_long_game(server, new_phone, name: str = "parks: a hiker", **settings) -> tuple[SeatedTable, Phone]:
    """Open a long game, with the first player's phone on its page."""
    mistake = NOTICED_MUCH_LATER[name]
    table = open_table_with_mistake(server, lambda *args: new_phone(*args, **settings), mistake)
    return table, table.phones[0]


def last_line(table: SeatedTable) -> str:
    step = [step for step in table.table.steps if not step.move.is_secret][-1]
    return f"[id='step-{step.id}']"


@parametrize_cases("has_script", [True, False], ids=["with script", "without script"])
def test_log_opens_at_the_last_line_and_jumps_to_rounds_and_players(has_script: bool, server, new_phone):
    table, phone = open_long_game(server, new_phone, java_script_enabled=has_script)
    open_log(phone)
    last = last_line(table)
    if has_script:
        assert is_in_view(phone, last)
        assert is_in_view(phone, ".log-jumps") and is_in_view(phone, ".page-bar")
    expect(phone.find(last)).to_be_in_viewport()
    expect(phone.find("#part-1")).not_to_be_in_viewport()
    jump_in_log(phone, "Spring")
    expect(phone.find("#part-1 h2")).to_be_in_viewport()
    expect(phone.find(last)).not_to_be_in_viewport()
    jump_in_log(phone, "Bo")
    expect(phone.find(".log-jumps [aria-current]")).to_have_text("Bo")
    assert set(phone.find(".turn h3").all_inner_texts()) == {"Bo"}
    jump_in_log(phone, "All")
    expect(phone.find(last)).to_have_count(1)
    jump_in_log(phone, "Latest")
    expect(phone.find(last)).to_be_in_viewport()


def test_turns_of_a_player_are_shown_at_the_same_round(server, new_phone):
    _, phone = open_long_game(server, new_phone)
    open_log(phone)
    jump_in_log(phone, "Spring", "Bo")
    assert phone.page.url.endswith("?player=1#part-1")
    expect(phone.find("#part-1 h2")).to_be_in_viewport()
    jump_in_log(phone, "Latest", "Cy")
    assert phone.page.url.endswith("?player=2#latest")


@parametrize_cases("name", ["trails: a hike", "alpine: a tile", "race: a card"])
def test_log_of_each_game_fits_and_reaches_its_first_round(name: str, server, new_phone):
    table, phone = open_long_game(server, new_phone, name)
    open_log(phone)
    assert is_in_view(phone, last_line(table))
    assert page_faults_in_both_schemes(phone) == []
    jump_in_log(phone, "Round 1")
    expect(phone.find(".chapter:has-text('Round 1') h2").first).to_be_in_viewport()


@parametrize_cases("width", [320, 360, 768])
def test_log_and_step_have_no_axe_violations(width: int, server, new_phone):
    mistake = NOTICED_SOON["parks: the die"]
    table = open_table_with_mistake(
        server, lambda *args: new_phone(*args, viewport={"width": width, "height": 640}), mistake
    )
    phone, own = table.phones[mistake.asker], f"{table.path}/seat/{mistake.asker}"
    step = table.table.steps[mistake.first_wrong_step]
    for path in (f"{own}/log#latest", f"{own}/log?player=1", f"{table.path}/log/{step.id}", f"{own}/tell"):
        assert axe_violations(phone, path) == []


def test_log_and_repair_are_reached_by_keyboard(server, new_phone):
    mistake = NOTICED_SOON["trails: the die"]
    table = open_table_with_mistake(server, new_phone, mistake)
    phone, step = table.phones[mistake.asker], table.table.steps[mistake.first_wrong_step]
    open_log(phone)
    focus_by_tab(phone, f'a[href*="/log/{step.id}?"]', key="Shift+Tab")
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_url(f"**/log/{step.id}?*")
    focus_by_tab(phone, ".moves.columns button")
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_url("**/mend/*")


def focus_by_tab(phone: Phone, selector: str, key: str = "Tab") -> None:
    """Press a key until an element has the focus."""
    for _ in range(40):
        phone.page.keyboard.press(key)
        if phone.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} never had the focus")
