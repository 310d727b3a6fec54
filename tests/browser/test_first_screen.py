"""The number of elements on the first screen of a seat."""

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import open_played_table, random_game_moves, take_seat_device
from tests.support.parametrize import TRACKED_KEYS

pytestmark = pytest.mark.browser

LOOKS = 8  # moments of a game at which the pages are opened
MAX_ELEMENTS = 400
COUNT_SHOWN_ELEMENTS = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const { top, bottom, width } = element.getBoundingClientRect();
  return width && top < innerHeight && bottom > 0;
}).length"""


@pytest.mark.slow("opens many pages")
@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_first_screen_of_a_seat_has_few_elements(game: str, start_in_process_server, new_phone):
    server, counts = start_in_process_server(8), {}
    phone = new_phone("Ana", address=server.address)
    players = TRACKED_GAMES[game].box.player_counts[-1]
    moves = random_game_moves(game, players)
    for look in range(LOOKS):
        number = look * len(moves) // LOOKS
        table = open_played_table(server, game, players, moves[:number])
        mover = moves[number][0]
        for seat in (mover, (mover + 1) % players):
            take_seat_device(phone, server, seat)
            phone.go(f"/t/{table.code}/seat/{seat}")
            counts[number, seat == mover] = phone.page.evaluate(COUNT_SHOWN_ELEMENTS)
    assert max(counts.values()) < MAX_ELEMENTS, counts
