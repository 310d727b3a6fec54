"""Text twice as large on a phone of 360 pixels, and names of forty letters: nothing is cut off, nothing lies beside the screen."""

import pytest

from scoring.games import PLAYS
from tests.browser.laid import evening, hold, laid
from tests.browser.test_pages_fit import faults

pytestmark = pytest.mark.browser

PARTS = (0, 0.5, 1)
TWICE = "document.documentElement.style.fontSize = '200%'"
CUT = """() => [...document.querySelectorAll(".turnbar h1, .turnbar, #p-sheet .move, #p-mine .strip")]
  .filter((each) => each.checkVisibility() && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 4))
  .map((each) => `cut off: ${each.outerHTML.slice(0, 160)}`)"""


@pytest.mark.parametrize("game", PLAYS)
def test_text_twice_as_large(game: str, small_server, new_phone):
    server, play = small_server(8), PLAYS[game]
    players = play.box.seats[-1]
    phone, moves = new_phone("far-sighted", server.address), evening(game, players)
    for part in PARTS:
        table = laid(server, game, players, moves[: int(part * len(moves))])
        seat = next(iter(play.to_move(table.state)), 0)
        hold(phone, server, seat)
        phone.go(f"/t/{table.code}/seat/{seat}")
        phone.page.evaluate(TWICE)
        assert [*phone.page.evaluate(CUT), *faults(phone)] == [], part
