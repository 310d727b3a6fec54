"""The table view fits a tablet and a television, at every player count and game stage."""

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.tables import LONG_NAMES, NAMES, open_played_table, random_game_moves
from tests.support.cases import TRACKED_KEYS, parametrize_cases

pytestmark = pytest.mark.browser

TABLET, TELEVISION = {"width": 1024, "height": 768}, {"width": 1920, "height": 1080}
GAMES = [(key, players) for key in TRACKED_KEYS for players in TRACKED_GAMES[key].box.player_counts]
GAME_PARTS = (0, 0.5, 1)
# What does not fit: the page, a section (except older log lines), or a player not fully on the screen.
FAULTS_SCRIPT = """() => {
  const faults = [], page = document.documentElement;
  if (page.scrollHeight > innerHeight) faults.push(`the page is ${page.scrollHeight} high`);
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} wide`);
  const pieces = [...document.querySelectorAll(".table-view > .fragment:not([hidden])")];
  const inside = (part, name) => {
    const box = part.getBoundingClientRect();
    if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < -1) faults.push(`${name} sticks out: ${Math.round(box.bottom)} low`);
  };
  for (const piece of pieces) {
    if (!piece.matches(".fragment-footer") && piece.scrollHeight > piece.clientHeight + 4) faults.push(`${piece.id}: ${piece.scrollHeight} in ${piece.clientHeight}`);
    inside(piece, piece.id);
  }
  for (const part of document.querySelectorAll(".table-view .player, .table-view .map-card, .table-view tr, .table-view .qr, .table-view .card")) inside(part, part.className);
  for (const [one, other] of pieces.flatMap((one, n) => pieces.slice(n + 1).map((other) => [one, other]))) {
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2) faults.push(`${one.id} lies on ${other.id}`);
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
