"""What was typed and not sent is not lost to another button: it is sent first, or the page asks once."""

import pytest

from scoring.games import GAMES, PLAYS
from tests.browser.phone import Phone
from tests.browser.serving import SmallServer
from tests.support.positions import told_setup
from tests.support.small_games import peaks

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bo", "Cleo")

# Types into each form of a page in turn, and presses what else is there. Names each form whose value was lost.
LOST = """() => {
  for (const part of document.querySelectorAll("details")) part.open = part.id !== "menu";
  const typed = "input[type=number], input[type=text], input:not([type]), textarea";
  const lost = [];
  let tried = 0;
  for (const form of document.querySelectorAll("main form[method=post]")) {
    const field = [...form.elements].find((each) => each.matches(typed));
    const other = [...document.querySelectorAll("main button, main a[href]")].find((each) => each.form !== form
      && (each.form ? each.type === "submit" : each.matches("a[href^='/']:not([data-discards], [target], [download])")));
    if (!field || !other || form.matches("[data-sent-first]")) continue;
    const asked = [], gone = (event) => { event.preventDefault(); lost.push(`${form.action}: ${field.name}`); };
    window.confirm = (words) => { asked.push(words); return false; };
    field.value = field.type === "number" ? Number(field.value) + 1 : `${field.value}x`;
    const said = field.value;
    window.addEventListener("click", gone);
    other.click();
    window.removeEventListener("click", gone);
    if (asked.length !== 1 || field.value !== said) lost.push(`${form.action}: ${field.name} was not asked about`);
    form.reset();
    tried += 1;
  }
  return [tried, [...new Set(lost)]];
}"""


def lobby(phone: Phone, game: str) -> str:
    """Open a table where one phone holds every seat; return its address."""
    names = NAMES[: max(PLAYS[game].box.seats)]
    path = phone.send(f"/new/{game}", **{f"names-{number}": name for number, name in enumerate(names)})
    if setup := told_setup(list(names), game):
        phone.send(f"{path}/setup", **setup)
    for seat in range(len(names)):
        phone.send(f"{path}/sit", seat=str(seat))
    return path


@pytest.mark.long("every page in a browser")
def test_typed_values_on_every_page_are_asked_about_before_they_are_lost(server, new_phone):
    phone = new_phone("Ana", server.address).own(server.boxes)
    pages = ["/history/new", "/owner", *(f"/new/{game}" for game in PLAYS)]
    pages += [f"/box/{key}" for key, game in GAMES.items() if game.box.facts]
    for game in PLAYS:
        path = lobby(phone, game)
        pages += [f"{path}{page}" for page in ("", "/setup", "/seat/0", "/seat/0/tell", "/seat/0/start", "/ask")]
    lost, tried = [], 0
    for page in pages:
        phone.go(page)
        some, found = phone.page.evaluate(LOST)
        tried += some
        lost += [f"{page}: {each}" for each in found]
    assert lost == [] and tried > len(PLAYS)


def test_typed_count_is_sent_before_done(small_server, new_phone, monkeypatch):
    monkeypatch.setitem(GAMES, peaks.GAME.box.key, peaks.GAME)
    for play in peaks.GAME.plays:
        monkeypatch.setitem(PLAYS, play.key, play)
    server: SmallServer = small_server(8)
    phone = new_phone("Ana", server.address)
    path = phone.send("/new/peaks-tally", **{"names-0": "Ana"})
    phone.send(f"{path}/sit", seat="0")
    phone.go(f"{path}/seat/0")
    counts = phone.find(".tally-count")
    for number in range(counts.count()):
        counts.nth(number).locator("button[value=up]").tap()
    phone.find("button[name=move][value*=done]").tap()
    code = path.rpartition("/")[2]
    phone.until("!document.querySelector('.tally-count')")
    table = server.store.table(code)
    assert table.sheet and table.sheet.columns[0].total == 3 + 1  # a summit and a cairn
