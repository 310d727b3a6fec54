"""No word on a phone breaks inside, and no text is hidden by its box or the winner's sun."""

import pytest

from scoring.games import TRACKED_GAMES
from scoring.kernel.tracked_game import TrackedGame
from tests.browser.browser_servers import InProcessServer
from tests.browser.midgame_tables import general_addresses, open_played_table, random_game_moves, take_seat_device
from tests.browser.phone import Phone
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

# The longest has 20 letters.
NAMES = (
    "Maximilianalexandera",
    "Bo",
    "Christopherjeromeson",
    "Di",
    "Wilhelminafredericka",
    "Bartholomewfrederick",
    "Al",
)
OF_A_TABLE = ("", "/score", "/board", "/setup", "/print", "/log", "/ask")
OF_A_GAME = ("/new/{}", "/rules/{}", "/box/{}", "/setup-steps/{}", "/rules/{}/signs", "/demo/{}?frame=14&play=0")
# Every word split across two lines, every text under the winner's sun, every box with more lines of text than it shows.
# News have at most two lines; the game log, which a tap on them opens, has the whole text.
TORN_WORDS_SCRIPT = """() => {
  const faults = [], range = document.createRange();
  const isUnderSun = (winner) => {
    const sun = getComputedStyle(winner, "::after"), { left, top } = winner.getBoundingClientRect();
    const reaches = (line) => line.right > left + parseFloat(sun.left) && line.bottom > top + parseFloat(sun.top);
    return sun.display !== "none" && [...range.getClientRects()].some(reaches);
  };
  for (const details of document.querySelectorAll("main details")) details.open = true;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, part = text.parentElement;
    const isProse = !part.closest("script, style, svg, .sr-only, .skip-link, code, textarea, datalist");
    if (!isProse || !part.checkVisibility()) continue;
    range.selectNodeContents(text);
    const winner = part.closest(".winner");
    if (winner && isUnderSun(winner)) faults.push(`covered: ${text.textContent}`);
    for (const { 0: word, index } of text.textContent.matchAll(/[^\\s\\/\\u00ad-]{2,}/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = [...range.getClientRects()].filter((box) => box.width).map((box) => box.top);
      const isBroken = Math.max(...tops) - Math.min(...tops) > 4;
      if (isBroken) faults.push(`\\u201c${word}\\u201d breaks in ${part.outerHTML.slice(0, 120)}`);
    }
  }
  for (const part of document.querySelectorAll("main *")) {
    const mayHide = ".board, .map, .turn-news, .sr-only, .skip-link, .menu nav, svg, select, textarea, input";
    const canHide = !part.closest(mayHide);
    if (!canHide || !part.checkVisibility() || !part.clientHeight) continue;
    if (getComputedStyle(part).overflowY === "visible" || part.scrollHeight <= part.clientHeight + 4) continue;
    range.selectNodeContents(part);
    const edge = part.getBoundingClientRect().bottom + 4;
    const hidesText = [...range.getClientRects()].some((box) => box.bottom > edge);
    if (hidesText) faults.push(`shows ${part.clientHeight} of ${part.scrollHeight}: ${part.outerHTML.slice(0, 120)}`);
  }
  return faults;
}"""


def moments_to_check(tracked: TrackedGame, moves: list) -> list[int]:
    """Return the move counts to check: beginning, middle, end, and each long reminder list."""
    states = [tracked.initial_state(tracked.setup_format.default(list(NAMES[: tracked.box.player_counts[-1]])))]
    lists = []
    for number, (seat, move) in enumerate(moves, 1):
        states.append(tracked.play(states[-1], seat, move))
        reminders = list(tracked.text.reminders(tracked.view(states[-2], None), tracked.view(states[-1], None), move))
        lists.append((len(reminders), number))
    longest = [number for count, number in sorted(lists, reverse=True)[:2] if count > 2]
    return [0, len(moves) // 3, 2 * len(moves) // 3, *longest, len(moves)]


def find_faults(phone: Phone, server: InProcessServer, game: str, moves: list) -> list[str]:
    """Return the broken words and hidden lines on a game's pages, all through a game."""
    tracked, found = TRACKED_GAMES[game], []
    players = tracked.box.player_counts[-1]
    for part in moments_to_check(tracked, moves):
        table = open_played_table(server, game, players, moves[:part], NAMES)
        seat = next(iter(tracked.flow.to_move(table.state)), 0)
        take_seat_device(phone, server, seat)
        for end in (f"/seat/{seat}", f"/seat/{seat}/tell", *OF_A_TABLE):
            phone.go(f"/t/{table.code}{end}")
            found += [f"{game} after {part} moves, {end}: {fault}" for fault in phone.page.evaluate(TORN_WORDS_SCRIPT)]
    return found


@pytest.mark.long("every page in a browser")
@parametrize_cases("game", TRACKED_GAMES, first="parks")
def test_no_word_breaks_and_no_line_is_hidden_at_table(game: str, start_in_process_server, new_phone):
    server = start_in_process_server(8)
    moves = random_game_moves(game, TRACKED_GAMES[game].box.player_counts[-1])
    found = find_faults(new_phone("reads", server.address), server, game, moves)
    assert found == [], "\n".join(found)


def test_no_word_breaks_with_seven_players_and_high_scores(start_in_process_server, new_phone):
    game, server = TRACKED_GAMES["peaks-tally"], start_in_process_server(8)
    assert game.box.player_counts[-1] == len(NAMES) == 7
    entries = ({"type": "tell", "what": "summits", "value": "20"}, {"type": "done"})
    moves = [(seat, game.decode(entry)) for entry in entries for seat in range(7)]
    found = find_faults(new_phone("reads", server.address), server, game.key, moves)
    assert found == [], "\n".join(found)


def test_no_word_breaks_and_no_line_is_hidden_away_from_table(start_in_process_server, new_phone):
    phone, found = new_phone("reads", start_in_process_server(8).address), []
    phone.expect_in_console("404")
    for path in general_addresses(OF_A_GAME):
        phone.go(path)
        found += [f"{path}: {fault}" for fault in phone.page.evaluate(TORN_WORDS_SCRIPT)]
    assert found == [], "\n".join(found)
