"""Every page fits small screens, upright and in landscape; nothing covers a control."""

import random
from collections.abc import Iterator

import pytest

from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.editable import AddRemove
from scoring.kernel.move import Move
from scoring.on_the_trail.box import COST_CARDS
from scoring.on_the_trail.card_facts import BoostFact, CardFacts
from scoring.on_the_trail.moves.corrections import EditPosition
from scoring.on_the_trail.moves.reveals import EnterLeg
from tests.browser.browser_servers import Server
from tests.browser.phone import PHONE_SIZE, Phone
from tests.browser.seated_tables import SeatedTable
from tests.support.on_the_trail_table import PARTIAL_CARD_FACTS
from tests.support.on_the_trail_table import TRACKED_GAME as RACE
from tests.support.parametrize import parametrize_cases
from tests.support.player_names import names_for
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup_form
from tests.support.table_states import GENERAL_PAGES

pytestmark = pytest.mark.browser

SCREENS = ((360, 640), (320, 640), (640, 360))
SEED = 7
TABLE_PAGES = (
    "",
    "/setup",
    "/seat/0",
    "/seat/0/tell",
    "/seat/0/start",
    "/seat/0/log",
    "/ask",
    "/ask/sides",
    "/score",
    "/print",
    "/board",
)
OTHER_PAGES = (
    *GENERAL_PAGES,
    *(f"/new/{game}" for game in TRACKED_GAMES),
)

# Parts of a page that are too wide, and each control with something else at its middle. Every section is unfolded
# first.
OFFENDERS = """() => {
  // An open menu covers the page, and the row of kept animals covers what is above it.
  for (const part of document.querySelectorAll("details")) part.open = !part.matches("#menu, #kept-animals");
  const found = [], width = document.documentElement.clientWidth;
  const label = (part) => part.getAttribute("aria-label") || part.textContent.trim() || part.name || part.href || "";
  const clips = (part) => part && part !== document.body
    && (getComputedStyle(part).overflowX !== "visible" || clips(part.parentElement));
  const isTooWide = (part) => part.getBoundingClientRect().right > width + 1
    && !part.closest("svg svg, symbol") && !clips(part.parentElement);
  if (document.documentElement.scrollWidth > width) {
    const parts = [...document.querySelectorAll("main *")].filter(isTooWide);
    const innermost = parts.filter((part) => ![...part.children].some(isTooWide));
    const examples = innermost.map((part) => part.outerHTML.slice(0, 120)).slice(0, 3).join(" | ");
    found.push(`the page is ${document.documentElement.scrollWidth} wide: ${examples}`);
  }
  const hidden = (part) => part.closest("[aria-hidden=true], .sr-only, .skip-link")
    || part.matches("[tabindex='-1']") || !part.checkVisibility();
  const controls = "main :is(button, select, summary, input:not([type=hidden]))";
  for (const part of document.querySelectorAll(controls)) {
    if (hidden(part) || getComputedStyle(part).pointerEvents === "none") continue;
    const choice = part.matches("[type=radio], [type=checkbox], [type=file]") ? part.labels?.[0] ?? part : part;
    if (!choice.getClientRects().length) continue;
    choice.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = choice.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isOnTop = top && (choice.contains(top) || top.closest("label")?.control === part);
    const cover = top?.outerHTML.slice(0, 80) ?? "the edge of the screen";
    if (!isOnTop) found.push(`${part.localName} "${label(part).slice(0, 60)}" lies under ${cover}`);
  }
  return found;
}"""


def find_offenders(phone: Phone, path: str) -> Iterator[str]:
    """Yield the faults of a page on each screen."""
    phone.go(path)
    for width, height in SCREENS:
        phone.page.set_viewport_size({"width": width, "height": height})
        yield from (f"{path} at {width} x {height}: {fault}" for fault in phone.page.evaluate(OFFENDERS))


def seat_all_on_one_phone(
    phone: Phone, server: Server, game: str, names: tuple[str, ...], *, is_bare: bool = False
) -> SeatedTable:
    """Open a table where one phone holds every seat; with `is_bare`, nothing is set up yet."""
    lobby = phone.submit_form(f"/new/{game}", **{f"names-{number}": name for number, name in enumerate(names)})
    if not is_bare and (setup := ready_setup_form(list(names), game)):
        phone.submit_form(f"{lobby}/setup", **setup)
    for seat in range(len(names)):
        phone.submit_form(f"{lobby}/sit", seat=str(seat))
    return SeatedTable(server, lobby.rpartition("/")[2], (phone,))


def play_to_moments(table: SeatedTable) -> Iterator[int]:
    """Play a random game; yield who is to move at some steps and before each new kind of move."""
    log: list[tuple[int, Move]] = []
    tracked = table.table.tracked
    random_game(tracked, table.table.setup, random.Random(SEED), log)
    state, shown_kinds = table.table.state, set()
    for seat, move in log:
        kinds = {kind.__name__ for kind in tracked.available_moves(state)}
        if not kinds <= shown_kinds:
            shown_kinds |= kinds
            yield tracked.flow.to_move(state)[0]
        table.phones[0].submit_move(table.path, seat, move)
        state = table.table.state
    yield 0


@parametrize_cases("game", TRACKED_GAMES)
def test_controls_on_every_page_of_game_can_be_tapped(game: str, server: Server, new_phone):
    names = names_for(game, 3)
    box = GAMES[TRACKED_GAMES[game].box.key].box
    if box is RACE.box:
        server.card_facts.save_facts(box, PARTIAL_CARD_FACTS)
    phone = new_phone("Ana", server.address)
    table = seat_all_on_one_phone(phone, server, game, names)
    found: dict[str, None] = {}
    for number, seat in enumerate(play_to_moments(table)):
        pages = (f"/seat/{seat}", f"/seat/{seat}/tell") if number else TABLE_PAGES
        found |= dict.fromkeys(offender for page in pages for offender in find_offenders(phone, f"{table.path}{page}"))
    for page in TABLE_PAGES:
        found |= dict.fromkeys(find_offenders(phone, f"{table.path}{page}"))
    if box is RACE.box:
        server.card_facts.save_facts(box, CardFacts())
    assert not found, "\n".join(found)


@pytest.mark.long("every page in a browser")
def test_controls_on_every_page_away_from_table_can_be_tapped(server: Server, new_phone):
    phone = new_phone("Ana", server.address)
    boxes = [f"/box/{key}" for key, game in GAMES.items() if game.box.card_facts]
    rules = [f"/rules/{key}" for key in GAMES]
    found = [offender for page in (*OTHER_PAGES, *rules, *boxes) for offender in find_offenders(phone, page)]
    assert not found, "\n".join(found)


def test_controls_of_boost_form_can_be_tapped_during_race(server: Server, new_phone):
    phone = new_phone("Ana", server.address)
    table = seat_all_on_one_phone(phone, server, RACE.key, names_for(RACE.key), is_bare=True)
    phone.submit_move(table.path, 0, EnterLeg(0, 0, "red"))
    phone.submit_move(table.path, 0, EditPosition((AddRemove("runners.0.boosts", more=("intervals",)),)))
    if table.table.proposals:
        phone.submit_form(f"{table.path}/answer", proposal=str(table.table.proposals[0].number), yes="1")
    found = []
    for page in ("/seat/0?draft.boost=intervals&draft.as=0", "/seat/0/tell"):
        found += find_offenders(phone, f"{table.path}{page}")
        assert phone.find("#tell-intervals button[value=up]").count() == len(COST_CARDS) + 1, page
    assert not found, "\n".join(found)
    phone.page.set_viewport_size(PHONE_SIZE)
    phone.go(f"{table.path}/seat/0")
    phone.find("a.move-key.boost").tap()
    form = phone.find("#tell-intervals")
    for card in ("red", "red", "any"):
        name = "card of any color" if card == "any" else f"{card} card"
        form.get_by_role("button", name=f"Add a {name}").tap()
    form.get_by_label("Legs gained", exact=True).fill("2")  # empty until then, so that no unread number is saved
    before = table.table.version
    form.get_by_role("button", name="Save the details of Intervals").tap()
    phone.wait_for_version(before + 1)
    assert table.table.state.facts.boosts["intervals"] == BoostFact(("red", "red", "any"), 2)
