"""With long names or text twice the size, no text is cut off and no word is broken."""

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import LONG_NAMES, general_addresses, table_addresses
from tests.browser.phone import Phone
from tests.browser.test_pages_fit import page_faults
from tests.support.long_names import NAMES_OF_TWENTY_LETTERS
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
  const boxes = "button, .button, .game a, .summary, .turnbar, .choices label > span";
  return [...document.querySelectorAll("#main *")]
    .filter((part) => part.checkVisibility() && part.clientWidth && overflows(part))
    .filter((part) => hides(part) || part.matches(boxes))
    .map((part) => `cut off: ${part.outerHTML.slice(0, 160)}`);
}"""

LONGEST_WORD = 12  # letters that fit a small screen at twice the size
# Words that are broken across lines, and names that end in an ellipsis. An address may be broken anywhere.
BROKEN_WORDS_SCRIPT = """(longest) => {
  document.querySelectorAll("details").forEach((part) => (part.open = true));
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector("#main"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    const part = text.parentElement;
    if (!part.checkVisibility() || part.closest("svg, script, option, .sr-only")) continue;
    for (const { 0: word, index } of text.textContent.matchAll(/[^\\s\\-\u2013\\/]+/g)) {
      if (word.length > longest || /^[0-9.:]+$/.test(word) && part.textContent.includes("://")) continue;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
      const isBroken = new Set(boxes.map((box) => Math.round(box.top))).size > 1;
      if (isBroken) found.push(`broken: ${word} in ${part.outerHTML.slice(0, 160)}`);
    }
    const hasEllipsis = getComputedStyle(part).textOverflow === "ellipsis" && part.scrollWidth > part.clientWidth + 1;
    if (hasEllipsis) found.push(`cut off: ${part.outerHTML.slice(0, 160)}`);
  }
  return found;
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


@pytest.mark.long("every page in a browser")
@parametrize_cases("size, longest_word", [("100%", 99), ("200%", LONGEST_WORD)])
@parametrize_cases("game", TRACKED_GAMES)
def test_words_of_pages_are_whole_with_names_of_twenty_letters(
    game: str, size: str, longest_word: int, start_in_process_server, new_phone
):
    server = start_in_process_server(8)
    phone = new_phone("Ana", server.address)
    found = []
    for path in table_addresses(phone, server, game, OF_A_TABLE, NAMES_OF_TWENTY_LETTERS):
        phone.go(path)
        phone.page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        found += [f"{path}: {fault}" for fault in phone.page.evaluate(BROKEN_WORDS_SCRIPT, longest_word)]
    assert found == [], "\n".join(found)


@pytest.mark.long("a rarer case in a browser")
def test_pages_away_from_table_fit_with_large_text(start_in_process_server, new_phone):
    phone = new_phone("far-sighted", start_in_process_server(8).address)
    phone.expect_in_console("404")
    found = [fault for path in general_addresses(OF_A_GAME) for fault in cut_texts(phone, path)]
    assert found == [], "\n".join(found)
