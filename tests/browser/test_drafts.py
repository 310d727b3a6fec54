"""What a phone puts together survives what others do, a question to the table, and a reload."""

import pytest

from companion.service.referee import new_tap
from scoring.games import PLAYS
from tests.browser.tables import NAMES, device, evening, hold, laid

pytestmark = pytest.mark.browser

PARTS = (0.02, 0.5)  # of an evening
UNFOLD = """() => document.querySelectorAll("#now details:not(.menu)").forEach((part) => { part.open = true; })"""
# Chooses the last thing that only changes the page, and types a number into each field, without sending it.
CHOOSE = """() => {
  const link = [...document.querySelectorAll("#now a.drafts:not(.bar-sign)")].at(-1);
  const choices = "#now form.drafts input:is([type=radio], [type=checkbox]):not(:checked)";
  const choice = [...document.querySelectorAll(choices)].at(-1);
  (choice ?? link)?.click();
  return Boolean(choice ?? link);
}"""
TYPE = """() => {
  for (const field of document.querySelectorAll("#now .stepper input")) {
    if (!field.closest("form.drafts")) field.stepUp();
  }
}"""
HELD = """() => ({
  draft: drafts(),
  typed: [...document.querySelectorAll("#now .stepper input")].map((field) => `${field.name}=${field.value}`),
  open: [...document.querySelectorAll("#now details[open][id]")].map((part) => part.id),
})"""


@pytest.mark.long("every page in a browser")
def test_what_is_put_together_survives_others_and_a_reload(small_server, new_phone):
    lost, drafted, typed = [], 0, 0
    server, phone = small_server(8), new_phone(NAMES[0])
    for game, play in PLAYS.items():
        moves = evening(game, 2)
        for part in PARTS:
            table = laid(server, game, 2, moves[: int(part * len(moves))])
            seat = play.to_move(table.state)[0]
            hold(phone, server, seat)
            phone.go(f"{server.address}/t/{table.code}/seat/{seat}")
            before = phone.page.evaluate("drafts()")
            if phone.page.evaluate(CHOOSE):
                phone.until(f"drafts() !== '{before}' && !asking")
                drafted += 1
            phone.page.evaluate(UNFOLD)
            phone.page.evaluate(TYPE)
            held = phone.page.evaluate(HELD)
            typed += len(held["typed"])
            other = device(1 - seat)
            server.referee.agree_by(table.code, other, new_tap(), 1 - seat, "most")
            phone.shows(table.number + 1)
            if (now := phone.page.evaluate(HELD)) != held:
                lost.append(f"{game} at {part}, another player's move: {held} became {now}")
            phone.page.reload()
            if (now := phone.page.evaluate("drafts()")) != held["draft"]:
                lost.append(f"{game} at {part}, a reload: {held['draft']} became {now}")
    assert drafted and typed
    assert not lost, "\n".join(lost)
