"""Every page of ALPINE TRAILS fits a phone, and the next task is on the screen."""

import pytest
from playwright.sync_api import expect

from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.alpine_trails.moves.reveals import Finish
from scoring.alpine_trails.score_entry import EnterCamp, LayLakes, PutTile
from scoring.alpine_trails.state import State
from tests.browser.midgame_tables import open_played_table, random_game_moves, take_seat_device
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_alpine_trails_games import read_game
from tests.browser.test_pages_fit import page_faults
from tests.browser.unreachable_choices import unreachable_choices
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

PAGES = ("", "/seat/0", "/seat/0/tell", "/seat/0/log", "/score", "/board", "/print")
# By task: the control that must be on the screen without scrolling, at 360 x 640.
FIRST_CONTROLS = {
    "base camp": ".camp-choices .move",
    "a tile": "#tile-form",
    "an animal": ".animal-offer .offer-key",
    "a waterfall": "#tile-form",
    "the end": ".moves-form .move.primary",
}


def current_task(state: State, seat: int) -> str:
    """Return the name of the task a round asks a player for now."""
    player = state.players[seat]
    if state.is_play_over:
        return "the end"
    if not player.tiles:
        return "base camp"
    return "an animal" if player.offered_forks else "a waterfall" if player.waterfalls_to_place else "a tile"


@parametrize_cases(
    "page", ["/new/alpine-trails", "/new/alpine-trails-tally", "/rules/alpine-trails", "/box/alpine-trails"]
)
@parametrize_cases("scheme", ["light", "dark"])
def test_page_away_from_table_fits_phone(page, scheme, new_phone):
    phone = new_phone(color_scheme=scheme)
    phone.go(page)
    assert page_faults(phone) == []


@pytest.mark.long("a whole game in a browser")
def test_each_task_of_round_is_on_screen_and_reachable(server, new_phone):
    names, moves, _ = read_game("alpine-trails-2")
    table = open_seated_table(server, new_phone, *names, game="alpine-trails")
    tasks = set()
    for seat, move in moves:
        task = current_task(table.table.state, seat)
        if task not in tasks:
            tasks.add(task)
            phone = table.phones[seat]
            phone.go(f"{table.path}/seat/{seat}")
            expect(phone.find(FIRST_CONTROLS[task]).first).to_be_in_viewport(ratio=1)
            assert page_faults(phone) == [], task
        table.phones[seat].submit_move(table.path, seat, move)
    assert tasks == set(FIRST_CONTROLS)
    for page in PAGES:
        table.phones[0].go(f"{table.path}{page}")
        assert page_faults(table.phones[0]) == [], page


@pytest.mark.long("a rarer case in a browser")
def test_pages_of_table_of_five_with_long_names_fit_phone(server, new_phone):
    _, moves, _ = read_game("alpine-trails-5")
    names = ("Anastasia-Maria Papadopoulou-Smith", "Bo", "Cleo", "Dimitri", "Wolfeschlegelsteinhausenbergerdorff")
    table = open_seated_table(server, new_phone, *names, game="alpine-trails")
    phone = table.phones[0]
    for page in ("/setup", *PAGES):
        phone.go(f"{table.path}{page}")
        assert page_faults(phone) == [], page
    for seat, move in moves[:60]:
        table.phones[seat].submit_move(table.path, seat, move)
    for page in (
        *PAGES,
        "/seat/0?draft.what=terrain&draft.icons=terrain-1",
        "/seat/0?draft.fix=1&draft.x=0&draft.y=0",
        "/seat/0?draft.what=campsite",
    ):
        phone.go(f"{table.path}{page}")
        assert page_faults(phone) == [], page


@pytest.mark.long("a whole game of five")
def test_last_button_is_on_the_screen_below_the_lakes_of_five_players(start_in_process_server, new_phone):
    server, moves = start_in_process_server(8), random_game_moves("alpine-trails", 5)
    last = next(number for number, (_, move) in enumerate(moves) if isinstance(move, Finish))
    table = open_played_table(server, "alpine-trails", 5, moves[:last], devices=[0] * 5)
    phone = new_phone("all", server.address)
    take_seat_device(phone, server, 0)
    for seat in range(5):
        phone.go(f"/t/{table.code}/seat/{seat}")
        expect(phone.find("ul.reminders li")).to_have_count(5)
        assert unreachable_choices(phone) == []


# The distance of each text of a row from its left edge.
INDENTS = """line => {
  const left = line.getBoundingClientRect().left, range = document.createRange();
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    if (texts.currentNode.textContent.trim()) for (const rect of range.getClientRects()) found.push(rect.left - left);
  }
  return found;
}"""


def test_highlighted_score_row_keeps_its_indent_beside_the_bar(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    phone.submit_move(table.path, 0, TakeCamp("meadow"))
    phone.go(f"{table.path}/score")
    line = phone.find(".line[data-marks]").first
    line.locator(".label").tap()
    expect(line).to_have_class("line is-selected")
    indents = line.evaluate(INDENTS)
    assert len(set(indents)) > 1 and min(indents) > 8


@pytest.mark.long("a rarer case in a browser")
def test_pages_of_score_only_table_fit_phone(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails-tally")
    assert_pages_fit(table.phones[0], table, ("/setup", *PAGES))
    for move in (EnterCamp("rock"), PutTile(0, -1, "trail", "rock", "NS", 2, 1), LayLakes()):
        table.phones[0].submit_move(table.path, 0, move)
    assert_pages_fit(table.phones[0], table, (*PAGES, "/seat/0?draft.what=terrain&draft.x=0&draft.y=-1"))


def assert_pages_fit(phone: Phone, table: SeatedTable, pages: tuple[str, ...]) -> None:
    for page in pages:
        phone.go(f"{table.path}{page}")
        assert page_faults(phone) == [], page
