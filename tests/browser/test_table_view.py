"""The table view fits a tablet and a television, at every player count and game stage."""

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import LONG_NAMES, NAMES, open_played_table, random_game_moves
from tests.support.parametrize import TRACKED_KEYS, parametrize_cases

pytestmark = pytest.mark.browser

TABLET, TELEVISION = {"width": 1024, "height": 768}, {"width": 1920, "height": 1080}
GAMES = [(key, players) for key in TRACKED_KEYS for players in TRACKED_GAMES[key].box.player_counts]
GAME_PARTS = (0, 0.5, 1)
# What does not fit: the page, a section (except older log lines), or a player not fully on the screen.
FAULTS_SCRIPT = """() => {
  const faults = [], page = document.documentElement;
  if (page.scrollHeight > innerHeight) faults.push(`the page is ${page.scrollHeight} high`);
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} wide`);
  const fragments = [...document.querySelectorAll(".table-view > .fragment:not([hidden])")];
  const checkInside = (part, name) => {
    const box = part.getBoundingClientRect();
    const sticksOut = box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < -1;
    if (sticksOut) faults.push(`${name} sticks out: ${Math.round(box.bottom)} low`);
  };
  for (const fragment of fragments) {
    const overflows = !fragment.matches(".fragment-footer") && fragment.scrollHeight > fragment.clientHeight + 4;
    if (overflows) faults.push(`${fragment.id}: ${fragment.scrollHeight} in ${fragment.clientHeight}`);
    checkInside(fragment, fragment.id);
  }
  for (const part of document.querySelectorAll(".table-view :is(.player, .map-card, tr, .qr, .card)"))
    checkInside(part, part.className);
  const pairs = fragments.flatMap((first, n) => fragments.slice(n + 1).map((second) => [first, second]));
  for (const [first, second] of pairs) {
    const a = first.getBoundingClientRect(), b = second.getBoundingClientRect();
    const overlapWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const overlapHeight = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (overlapWidth > 2 && overlapHeight > 2) faults.push(`${first.id} lies on ${second.id}`);
  }
  return faults;
}"""


@parametrize_cases("names", [NAMES, LONG_NAMES], ids=["usual", "long"])
@parametrize_cases(("game", "players"), GAMES)
def test_table_view_fits_without_scrolling(
    game: str, players: int, names: tuple[str, ...], start_in_process_server, new_phone
):
    server, moves = start_in_process_server(8), random_game_moves(game, players)
    screen = new_phone("the middle of the table", server.address, viewport=TABLET, is_mobile=False)
    for part in GAME_PARTS:
        table = open_played_table(server, game, players, moves[: int(part * len(moves))], names)
        for size in (TABLET, TELEVISION):
            screen.page.set_viewport_size(size)
            screen.go(f"/t/{table.code}/board")
            assert screen.page.evaluate(FAULTS_SCRIPT) == [], (part, size)
