"""An unfinished move survives the moves of others, a question to the table, and a reload."""

import pytest

from companion.service.referee import new_tap
from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import NAMES, device, open_played_table, random_game_moves, take_seat_device
from tests.support.player_names import names_for

pytestmark = pytest.mark.browser

PARTS = (0.02, 0.5)  # shares of a game
UNFOLD = """() => document.querySelectorAll("#region details:not(.menu)").forEach((part) => { part.open = true; })"""
# Selects the last choice that only changes the page, and types a number into each field without sending it.
CHOOSE = """() => {
  const link = [...document.querySelectorAll("#region a.updates-draft:not(.icon-button)")].at(-1);
  const choices = "#region form.updates-draft input:is([type=radio], [type=checkbox]):not(:checked)";
  const choice = [...document.querySelectorAll(choices)].at(-1);
  (choice ?? link)?.click();
  return Boolean(choice ?? link);
}"""
TYPE = """() => {
  for (const field of document.querySelectorAll("#region .stepper input")) {
    if (!field.closest("form.updates-draft")) field.stepUp();
  }
}"""
HELD_DRAFT_SCRIPT = """() => ({
  draft: draftQuery(),
  typed: [...document.querySelectorAll("#region .stepper input")].map((field) => `${field.name}=${field.value}`),
  open: [...document.querySelectorAll("#region details[open][id]")].map((part) => part.id),
})"""


@pytest.mark.long("every page in a browser")
def test_unfinished_move_survives_other_moves_and_reload(start_in_process_server, new_phone):
    lost, drafted, typed = [], 0, 0
    server, phone = start_in_process_server(8), new_phone(NAMES[0])
    for game, tracked in TRACKED_GAMES.items():
        players = len(names_for(game))
        moves = random_game_moves(game, players)
        for part in PARTS:
            table = open_played_table(server, game, players, moves[: int(part * len(moves))])
            seat = tracked.flow.to_move(table.state)[0]
            take_seat_device(phone, server, seat)
            phone.go(f"{server.address}/t/{table.code}/seat/{seat}")
            before = phone.page.evaluate("draftQuery()")
            if phone.page.evaluate(CHOOSE):
                phone.wait_until(f"draftQuery() !== '{before}' && !pollsInFlight")
                drafted += 1
            phone.page.evaluate(UNFOLD)
            phone.page.evaluate(TYPE)
            held = phone.page.evaluate(HELD_DRAFT_SCRIPT)
            typed += len(held["typed"])
            other = (seat + 1) % players
            server.referee.change_consent(table, device(other), new_tap(), other, "most")
            phone.wait_for_version(table.version + 1)
            if (current := phone.page.evaluate(HELD_DRAFT_SCRIPT)) != held:
                lost.append(f"{game} at {part}, another player's move: {held} became {current}")
            phone.page.reload()
            if (current := phone.page.evaluate("draftQuery()")) != held["draft"]:
                lost.append(f"{game} at {part}, a reload: {held['draft']} became {current}")
    assert drafted and typed
    assert not lost, "\n".join(lost)
