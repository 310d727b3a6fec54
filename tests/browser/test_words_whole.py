"""Every word on a phone is whole: none breaks inside, and no box hides lines it does not show."""

import pytest

from scoring.games import PLAYS
from scoring.kernel.tracked_game import Play
from tests.browser.phone import Phone
from tests.browser.serving import SmallServer
from tests.browser.tables import evening, hold, laid, pages_of_no_table
from tests.support.cases import cases

pytestmark = pytest.mark.browser

NAMES = (
    "Maximilianalexandera",
    "Bo",
    "Christopherjeromeson",
    "Di",
    "Wilhelminafredericka",
)  # the longest has 20 letters
OF_A_TABLE = ("", "/score", "/board", "/setup", "/print", "/log", "/ask")
OF_A_GAME = ("/new/{}", "/rules/{}", "/box/{}")
# Every word laid out on two lines, and every box that holds more lines of text than it shows.
TORN = """() => {
  const faults = [], range = document.createRange();
  for (const details of document.querySelectorAll("main details")) details.open = true;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, part = text.parentElement;
    if (part.closest("script, style, svg, .sr, .skip, code, textarea, datalist") || !part.checkVisibility()) continue;
    for (const { 0: word, index } of text.textContent.matchAll(/[^\\s\\/\\u00ad-]{2,}/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = [...range.getClientRects()].filter((each) => each.width).map((each) => each.top);
      if (Math.max(...tops) - Math.min(...tops) > 4) faults.push(`\\u201c${word}\\u201d breaks in ${part.outerHTML.slice(0, 120)}`);
    }
  }
  for (const part of document.querySelectorAll("main *")) {
    if (part.closest(".board, .map, .sr, .skip, .menu nav, svg, select, textarea, input") || !part.checkVisibility() || !part.clientHeight) continue;
    if (getComputedStyle(part).overflowY === "visible" || part.scrollHeight <= part.clientHeight + 4) continue;
    range.selectNodeContents(part);
    if ([...range.getClientRects()].some((each) => each.bottom > part.getBoundingClientRect().bottom + 4)) faults.push(`shows ${part.clientHeight} of ${part.scrollHeight}: ${part.outerHTML.slice(0, 120)}`);
  }
  return faults;
}"""


def parts(play: Play, moves: list) -> list[int]:
    """Return after how many moves of an evening to look: at its beginning, end and middle, and at each long list of reminders."""
    states = [play.begin(play.usual(list(NAMES[: play.box.seats[-1]])))]
    lists = []
    for number, (seat, move) in enumerate(moves, 1):
        states.append(play.play(states[-1], seat, move))
        reminders = list(play.hands(play.view(states[-2], None), play.view(states[-1], None), move))
        lists.append((len(reminders), number))
    longest = [number for count, number in sorted(lists, reverse=True)[:2] if count > 2]
    return [0, len(moves) // 3, 2 * len(moves) // 3, *longest, len(moves)]


def faults(phone: Phone, server: SmallServer, game: str) -> list[str]:
    """Return what is broken or hidden on the pages of a game, all through an evening."""
    play, found = PLAYS[game], []
    players = play.box.seats[-1]
    moves = evening(game, players)
    for part in parts(play, moves):
        table = laid(server, game, players, moves[:part], NAMES)
        seat = next(iter(play.to_move(table.state)), 0)
        hold(phone, server, seat)
        for end in (f"/seat/{seat}", f"/seat/{seat}/tell", *OF_A_TABLE):
            phone.go(f"/t/{table.code}{end}")
            found += [f"{game} after {part} moves, {end}: {fault}" for fault in phone.page.evaluate(TORN)]
    return found


@pytest.mark.long("every page in a browser")
@cases("game", PLAYS, first="parks")
def test_no_word_breaks_and_no_line_hides_at_a_table(game: str, small_server, new_phone):
    server = small_server(8)
    found = faults(new_phone("reads", server.address), server, game)
    assert found == [], "\n".join(found)


def test_no_word_breaks_and_no_line_hides_away_from_the_table(small_server, new_phone):
    phone, found = new_phone("reads", small_server(8).address), []
    phone.expect_in_console("404")
    for path in pages_of_no_table(OF_A_GAME):
        phone.go(path)
        found += [f"{path}: {fault}" for fault in phone.page.evaluate(TORN)]
    assert found == [], "\n".join(found)
