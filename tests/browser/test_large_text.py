"""With long names or text twice the size, no text is cut off and no word is broken."""

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.trails.moves.hiking import Hike
from tests.browser.browser_servers import InProcessServer
from tests.browser.midgame_tables import (
    LONG_NAMES,
    NAMES,
    general_addresses,
    open_played_table,
    random_game_moves,
    table_addresses,
    take_seat_device,
)
from tests.browser.phone import Phone
from tests.browser.test_pages_fit import page_faults
from tests.browser.trails_game import find_game
from tests.support.long_names import NAMES_OF_TWENTY_LETTERS
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

OF_A_TABLE = ("", "/score", "/setup", "/ask")
OF_A_GAME = ("/new/{}", "/rules/{}", "/box/{}", "/setup-steps/{}", "/rules/{}/signs", "/demo/{}?frame=14&play=0")
TWICE = "document.documentElement.style.fontSize = '200%'"
# Elements larger than their box, whose content is hidden or drawn over a neighbor. News are one line each; the game
# log, which a tap on them opens, has the whole text.
CUT = """() => {
  const overflows = (part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 4;
  const hides = (part) => /hidden|clip/.test(getComputedStyle(part).overflow)
    && part.clientWidth > 1 && part.matches(":not(input, .board, .board *, .turn-news *)");
  const boxes = "button, .button, .game a, .summary, .turnbar, .choices label > span";
  return [...document.querySelectorAll("#main *")]
    .filter((part) => part.checkVisibility() && part.clientWidth && overflows(part))
    .filter((part) => hides(part) || part.matches(boxes))
    .map((part) => `cut off: ${part.outerHTML.slice(0, 160)}`);
}"""

LONGEST_WORD = 12  # letters that fit a small screen at twice the size
# Words that are broken across lines, and texts that end in an ellipsis, except those with one line for as much as fits:
# news, the players who are next, the rows of other players, one's own gear. An address may be broken anywhere.
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
    const isOneLine = ".turn-news, .turnbar span, .waiting-player :is(.name, .facts, .last-turn), .cards-line";
    if (hasEllipsis && !part.closest(isOneLine)) found.push(`cut off: ${part.outerHTML.slice(0, 160)}`);
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


def open_seat_page(
    phone: Phone, server: InProcessServer, game: str, moves: list[tuple[int, Move]], players: int
) -> None:
    """Open the page of the seat to move after some moves, with text twice the size."""
    table = open_played_table(server, game, players, moves)
    seat = TRACKED_GAMES[game].flow.to_move(table.state)[0]
    take_seat_device(phone, server, seat)
    phone.go(f"/t/{table.code}/seat/{seat}")
    phone.page.evaluate(TWICE)


def box_of(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box
    return box


# A turn with more than one key, after the other players' turns.
@parametrize_cases("game, move_count", [("trails", 91), ("on-the-trail", 30)])
def test_news_picture_and_two_keys_are_on_screen_with_large_text(
    game: str, move_count: int, start_in_process_server, new_phone
):
    server, players = start_in_process_server(8), TRACKED_GAMES[game].box.player_counts[-1]
    phone = new_phone("far-sighted", server.address)
    open_seat_page(phone, server, game, random_game_moves(game, players)[:move_count], players)
    news, picture = phone.find(".turn-news > span:visible"), phone.find(".layers, .winding-picture")
    keys = phone.find(".fragment-actions .move-key")
    for part in (news, picture, keys.nth(0), keys.nth(1)):
        expect(part).to_be_in_viewport(ratio=1)
    assert box_of(picture)["height"] >= 100
    assert box_of(news)["height"] < 48, "more than one line"


def test_badges_are_below_keys_and_whole_with_large_text(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("far-sighted", server.address)
    moves = find_game(NAMES[:2], 489)
    hikes = [number for number, (_, move) in enumerate(moves) if isinstance(move, Hike)]
    for count in (hikes[12], hikes[-1]):
        open_seat_page(phone, server, "trails", moves[:count], 2)
        keys_box = box_of(phone.find(".fragment-actions"))
        badges = [box_of(badge) for badge in phone.find(".plate").all()]
        assert len(badges) == 4
        assert all(box["y"] >= keys_box["y"] + keys_box["height"] and box["height"] >= 44 for box in badges)
        assert phone.page.evaluate(BROKEN_WORDS_SCRIPT, LONGEST_WORD) == []
