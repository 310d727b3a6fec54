"""On a slow network, a tap submits only the move that was on the screen under the finger."""

import random

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import NAMES, open_played_table, random_game_moves, take_seat_device
from tests.browser.phone import Phone
from tests.support.parametrize import TRACKED_KEYS, parametrize_cases

pytestmark = pytest.mark.browser

DELAY = 300  # ms: delay of each answer
FRAMES = 6  # between taps
TAPS = 60
# The tiles of ALPINE TRAILS are submitted by the next key.
# Every move of FORD ends the turn, so the phone goes to the page of the next seat.
GAMES = [key for key in TRACKED_KEYS if key not in ("alpine-trails", "ford")]
# The move under each finger, if it is readable; and each move that left the phone. A tap on what has become a link to
# another page stays on this one.
WATCH_SCRIPT = """
window.seen = []; window.left = [];
document.addEventListener("pointerdown", (event) => {
  const { clickTarget: tap } = event.target.closest("[data-click-target]")?.dataset ?? {};
  const button = tap ? document.getElementById(tap) : event.target.closest("button[name=move]");
  if (button && button.innerText.trim() + (button.getAttribute("aria-label") ?? "")) window.seen.push(button.value);
}, true);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link && link.pathname !== location.pathname) event.preventDefault();
}, true);
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const move = ctx.request.body?.get?.("move");
  if (move && ctx.sourceElement.id !== "error-banner") window.left.push([move, window.seen.at(-1)]);
});
"""
# The middles of everything on the screen that can be tapped in the sheet and the picture.
PLACES_SCRIPT = """() => [...document.querySelectorAll(
    "#fragment-actions button, #fragment-picture :is(button, [data-click-target], a.hotspot)"
  )]
  .filter((control) => control.checkVisibility())
  .map((control) => control.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2])
  .filter(([x, y]) => x > 0 && y > 50 && x < innerWidth && y < innerHeight)"""


def delay_answers(phone: Phone) -> None:
    """Delay every answer from now on."""
    wire = phone.context.new_cdp_session(phone.page)
    wire.send("Network.enable")
    late = {"offline": False, "latency": DELAY, "downloadThroughput": -1, "uploadThroughput": -1}
    wire.send("Network.emulateNetworkConditions", late)


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("game", GAMES)
def test_move_not_under_finger_is_never_submitted(game: str, start_in_process_server, new_phone):
    server, players, rng = start_in_process_server(8), TRACKED_GAMES[game].box.player_counts[-1], random.Random(game)
    moves = random_game_moves(game, players)
    # One phone holds all seats.
    table = open_played_table(server, game, players, moves[: len(moves) // 3], devices=[0] * players)
    phone = new_phone(NAMES[0], server.address)
    phone.expect_in_console("422|409|400|429")
    take_seat_device(phone, server, 0)
    phone.page.add_init_script(WATCH_SCRIPT)
    phone.go(f"/t/{table.code}/seat/{TRACKED_GAMES[game].flow.to_move(table.state)[0]}")
    delay_answers(phone)
    for _ in range(TAPS):
        if places := phone.page.evaluate(PLACES_SCRIPT):
            phone.page.touchscreen.tap(*rng.choice(places))
        phone.wait_for_frames(FRAMES)
    phone.wait_until("!document.querySelector('.htmx-request')")
    left = phone.page.evaluate("window.left")
    assert left and [move for move, under in left if move != under] == []
    assert server.store.table(table.code).version > table.version
