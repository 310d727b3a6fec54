"""Text at twice the size with long names is not cut off and does not leave a small screen."""

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import LONG_NAMES, general_addresses, table_addresses
from tests.browser.phone import Phone
from tests.browser.test_pages_fit import page_faults
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

OF_A_TABLE = ("", "/score", "/setup", "/ask")
OF_A_GAME = ("/new/{}", "/rules/{}", "/box/{}")
TWICE = "document.documentElement.style.fontSize = '200%'"
# Elements larger than their box, whose content is hidden or drawn over a neighbor.
CUT = """() => {
  const overflows = (part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 4;
  const hides = (part) => /hidden|clip/.test(getComputedStyle(part).overflow)
    && part.clientWidth > 1 && part.matches(":not(input, .board, .board *)");
  const boxes = "button:not(.tap-target), .button, .game a, .summary, .turnbar, .choices label > span";
  return [...document.querySelectorAll("#main *")]
    .filter((part) => part.checkVisibility() && part.clientWidth && overflows(part))
    .filter((part) => hides(part) || part.matches(boxes))
    .map((part) => `cut off: ${part.outerHTML.slice(0, 160)}`);
}"""


def cut_texts(phone: Phone, path: str) -> list[str]:
    phone.go(path)
    phone.page.evaluate(TWICE)
    return [f"{path}: {fault}" for fault in (*phone.page.evaluate(CUT), *page_faults(phone))]


@pytest.mark.long("every page in a browser")
@parametrize_cases("game", TRACKED_GAMES)
def test_pages_of_table_fit_with_large_text(game: str, start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("far-sighted", server.address)
    paths = table_addresses(phone, server, game, OF_A_TABLE, LONG_NAMES)
    found = [fault for path in paths for fault in cut_texts(phone, path)]
    assert found == [], "\n".join(found)


@pytest.mark.long("a rarer case in a browser")
def test_pages_away_from_table_fit_with_large_text(start_in_process_server, new_phone):
    phone = new_phone("far-sighted", start_in_process_server(8).address)
    phone.expect_in_console("404")
    found = [fault for path in general_addresses(OF_A_GAME) for fault in cut_texts(phone, path)]
    assert found == [], "\n".join(found)
