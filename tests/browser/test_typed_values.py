"""A typed value is not lost to another button: it is sent first, or the page asks once."""

import pytest
from playwright.sync_api import expect

from scoring.games import GAMES, TRACKED_GAMES
from tests.browser.browser_servers import InProcessServer
from tests.browser.midgame_tables import open_played_table, take_seat_device
from tests.browser.phone import Phone
from tests.support.player_names import names_for
from tests.support.ready_setups import ready_setup_form

pytestmark = pytest.mark.browser


# Types into each form of a page in turn, and presses every other control. Names each form whose value was lost.
LOST_VALUES_SCRIPT = """() => {
  for (const part of document.querySelectorAll("details")) part.open = part.id !== "menu";
  const typed = "input[type=number], input[type=text], input:not([type]), textarea";
  const links = "a[href^='/']:not([data-discards-changes], [target], [download])";
  const lost = [];
  let tried = 0;
  for (const form of document.querySelectorAll("main form[method=post]")) {
    const field = [...form.elements].find((element) => element.matches(typed));
    const other = [...document.querySelectorAll("main button, main a[href]")].find((control) => control.form !== form
      && (control.form ? control.type === "submit" : control.matches(links)));
    if (!field || !other || form.matches("[data-submit-first]")) continue;
    const questions = [];
    const recordLoss = (event) => { event.preventDefault(); lost.push(`${form.action}: ${field.name}`); };
    window.confirm = (text) => { questions.push(text); return false; };
    field.value = field.type === "number" ? Number(field.value) + 1 : `${field.value}x`;
    const value = field.value;
    window.addEventListener("click", recordLoss);
    other.click();
    window.removeEventListener("click", recordLoss);
    if (questions.length !== 1 || field.value !== value) lost.push(`${form.action}: ${field.name} was not asked about`);
    form.reset();
    tried += 1;
  }
  return [tried, [...new Set(lost)]];
}"""


def open_one_phone_table(phone: Phone, game: str) -> str:
    """Open a table where one phone holds every seat; return its address."""
    names = names_for(game, 3)
    path = phone.submit_form(f"/new/{game}", **{f"names-{number}": name for number, name in enumerate(names)})
    if setup := ready_setup_form(list(names), game):
        phone.submit_form(f"{path}/setup", **setup)
    for seat in range(len(names)):
        phone.submit_form(f"{path}/sit", seat=str(seat))
    return path


@pytest.mark.long("every page in a browser")
def test_typed_values_on_every_page_are_asked_about_before_loss(server, new_phone):
    phone = new_phone("Ana", server.address).become_owner(server.card_facts)
    pages = ["/history/new", "/owner", *(f"/new/{game}" for game in TRACKED_GAMES)]
    pages += [f"/box/{key}" for key, game in GAMES.items() if game.box.card_facts]
    for game in TRACKED_GAMES:
        path = open_one_phone_table(phone, game)
        pages += [f"{path}{page}" for page in ("", "/setup", "/seat/0", "/seat/0/tell", "/seat/0/start", "/ask")]
    lost, tried = [], 0
    for page in pages:
        phone.go(page)
        some, found = phone.page.evaluate(LOST_VALUES_SCRIPT)
        tried += some
        lost += [f"{page}: {value}" for value in found]
    assert lost == [] and tried > len(TRACKED_GAMES)


def test_typed_count_is_sent_before_done(start_in_process_server, new_phone):
    server: InProcessServer = start_in_process_server(8)
    phone = new_phone("Ana", server.address)
    path = phone.submit_form("/new/peaks-tally", **{"names-0": "Ana", "names-1": "Bo", "names-2": "Cy"})
    phone.submit_form(f"{path}/sit", seat="0")
    phone.go(f"{path}/seat/0")
    counts = phone.find(".entry-count")
    for number in range(counts.count()):
        counts.nth(number).locator("button[value=up]").tap()
    phone.find("button[name=move][value*=done]").tap()
    code = path.rpartition("/")[2]
    phone.wait_until("!document.querySelector('.entry-count')")
    table = server.store.table(code)
    sheet = table.tracked.box.score(table.tracked.final_position(table.state))
    assert sheet.columns[0].total == 3 + 1  # a summit and a cairn


def test_buttons_of_a_number_stop_at_its_limits(start_in_process_server, new_phone):
    server: InProcessServer = start_in_process_server(8)
    table, phone = open_played_table(server, "peaks-tally", 3, []), new_phone("Ana", server.address)
    take_seat_device(phone, server, 0)
    phone.go(f"/t/{table.code}/seat/0")
    summits = phone.find(".entry-count").first
    typed = summits.locator("input")
    summits.locator("button[value=down]").tap()
    expect(typed).to_have_value("0")
    typed.fill("20")
    summits.locator("button[value=up]").tap()
    expect(typed).to_have_value("20")
    summits.locator("button:not([value])").tap()
    expect(phone.find(".entry-total")).to_contain_text("60")
    assert server.store.table(table.code).state.players[0].entered == {"summits": 20}
