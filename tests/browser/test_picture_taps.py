"""Tap targets in the picture of a table are not covered by anything else."""

import pytest

from companion.log.table import to_data
from companion.service.referee import new_tap
from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import device, open_played_table, random_game_moves, take_seat_device

pytestmark = pytest.mark.browser

PLAYERS = 2
# number of states to check in each game
STATE_COUNTS = {"trails": 16, "parks": 10, "alpine-trails": 5, "alpine-trails-tally": 4, "on-the-trail": 10}
# The tap targets of the picture whose middle is covered by another target, and the cards covered by something else.
OVERLAPS_SCRIPT = """() => {
  const picture = document.querySelector("#fragment-picture");
  const label = (part) => part?.getAttribute?.("aria-label") || part?.dataset?.clickTarget
    || part?.getAttribute?.("class") || part?.tagName;
  const targets = ":is(a, button, [data-click-target])";
  const topmost = (part) => {
    part.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = part.getBoundingClientRect();
    return width && height ? document.elementFromPoint(left + width / 2, top + height / 2) : part;
  };
  const isCovered = (target) => target.checkVisibility() && topmost(target).closest(targets) !== target;
  const coveredTargets = [...picture.querySelectorAll(targets)].filter(isCovered);
  const coveredCards = [...picture.querySelectorAll(".plate")].filter((card) => {
    const cover = topmost(card).closest(targets);
    return cover && !cover.matches(".plate");
  });
  return [...coveredTargets, ...coveredCards].map((part) => `${label(part)} is under ${label(topmost(part))}`);
}"""


@pytest.mark.long("every page in a browser")
def test_picture_tap_targets_and_cards_lie_on_top_in_every_game(start_in_process_server, new_phone):
    server, offenders = start_in_process_server(8), []
    phone = new_phone("Ana", address=server.address)
    take_seat_device(phone, server, 0)
    for game, states in STATE_COUNTS.items():
        tracked, moves, target_count = TRACKED_GAMES[game], random_game_moves(game, PLAYERS), 0
        table = open_played_table(server, game, PLAYERS, [], devices=(0, 0))
        looked_at = {state * len(moves) // states for state in range(1, states)}
        for number, (seat, move) in enumerate(moves, 1):
            table = server.referee.play(table, device(0), new_tap(), seat, to_data(move))
            if number in looked_at:
                viewer = next(iter(tracked.flow.to_move(table.state)), 0)
                phone.go(f"/t/{table.code}/seat/{viewer}")
                offenders += [f"{game}, after move {number}: {text}" for text in phone.page.evaluate(OVERLAPS_SCRIPT)]
                target_count += phone.find("#fragment-picture :is(a, button, [data-click-target])").count()
        assert target_count, game
    assert offenders == []
