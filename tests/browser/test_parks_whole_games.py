"""Whole games of PARKS through the pages, from the home page to the printed sheet."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion.log.table import Table
from companion.pages.sheet import result_heading
from scoring.kernel.move import Move
from scoring.parks import TRACKED_GAME
from scoring.parks.box import SEASONS
from scoring.parks.state import State
from scoring.parks.text import space_name
from tests.browser.browser_servers import Server
from tests.browser.parks_game import REQUIRED_EVENTS, find_events, find_game
from tests.browser.parks_taps import tap_move
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.seated_tables import SeatedTable, open_table, sit
from tests.browser.trails_taps import moves_to_tap, unwatched_move_count
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import page_count, unpack_pdf

pytestmark = pytest.mark.browser

# The positions a page shows at one moment: its heading, each hiker's place, and the tokens at the sites.
POSITIONS_SCRIPT = """() => {
  const edges = document.querySelector("#trail .space-border").getAttribute("d").match(/(?<=M)\\d+/g).map(Number);
  const stands = (hiker) => edges.filter((edge) => edge <= hiker.transform.baseVal[0].matrix.e).length;
  const hikers = {};
  for (const hiker of document.querySelectorAll("#trail [id^=hiker-]")) hikers[hiker.id] = stands(hiker);
  return {
    version: Number(document.querySelector("[data-version]").dataset.version),
    mood: document.body.className,
    hikers,
    weather: [...document.querySelectorAll("#trail [id^=weather-]")].map((token) => Number(token.id.slice(8))),
    words: document.getElementById("trail").getAttribute("aria-label"),
    loadedOnce: window.loadedOnce,
  };
}"""


# Short games with every kind of event, found by trying seeds. Two phones tap all their moves; four join at the end.
@pytest.mark.long("a whole game in a browser")
@parametrize_cases(
    ("names", "seed"), [(("Ana", "Bo"), 511), (("Ana", "Bo", "Cleo", "Dimitri"), 206)], ids=["two", "four"]
)
def test_whole_game_of_parks_is_played_on_phones(names, seed, server, new_phone):
    moves = find_game(names, seed)
    table = seated_by_the_pages(server, new_phone, *names)
    early = unwatched_move_count(table.phones, moves)
    for seat, move in moves[:early]:
        table.phones[seat].submit_move(table.path, seat, move)
    board = open_board(new_phone, table)
    table.wait_for_version(table.table.version)
    later_moves = moves[early:]
    tapped = set(range(len(later_moves))) if len(names) == 2 else moves_to_tap(later_moves)
    for number, (seat, move) in enumerate(later_moves):
        play_move(table, board, seat, move, number in tapped)
        assert_turn_shown(table, board)
    assert find_events(table.table.setup, [(step.seat, step.move) for step in table.table.steps]) >= REQUIRED_EVENTS
    assert table.table.is_over
    assert_final_page(table, board)
    assert_sheets(table)


def seated_by_the_pages(server: Server, new_phone: Callable[..., Phone], *names: str) -> SeatedTable:
    """Open a table by the pages: home page, lobby, then tap one's name."""
    host, *others = (new_phone(name, server.address) for name in names)
    open_table(host, *names, game="parks")
    for phone in others:
        phone.go(host.page.url)
    table = SeatedTable(server, host.page.url.rpartition("/")[2], (host, *others))
    for phone in table:
        sit(phone, phone.name)
    return table


def open_board(new_phone, table: SeatedTable) -> Phone:
    """Return a tablet that shows the table view."""
    board = new_phone("board", viewport=TABLET_SIZE)
    board.go(table.path)
    board.follow_link("/board")
    board.page.evaluate("window.loadedOnce = true")
    return board


def play_move(table: SeatedTable, board: Phone, seat: int, move: Move, tapped: bool) -> None:
    """Play a move on its phone, tapped or not; wait until all pages show it without a reload."""
    before, phone = table.table, table.phones[seat]
    if tapped:
        tap_move(phone, before.state, move)
    else:
        phone.submit_move(table.path, seat, move)
    for phone in (*table, board):
        phone.wait_for_version(before.version + 1)
    state = table.table.state
    positions = board.page.evaluate(POSITIONS_SCRIPT)
    assert positions["loadedOnce"]
    assert positions["version"] == before.version + 1
    assert f"season-{state.season}" in positions["mood"].split()
    assert positions["hikers"] == {
        f"hiker-{number}-{which}": space
        for number, player in enumerate(state.players)
        for which, space in enumerate(player.hikers)
    }
    assert positions["weather"] == [space for space, token in enumerate(state.weather, 1) if token]
    assert [phrase for phrase in expected_positions(state) if phrase not in positions["words"]] == []


def expected_positions(state: State) -> list[str]:
    """Return where the picture's text must say every hiker is."""
    hikers = []
    for player in state.players:
        spaces = dict.fromkeys(space_name(state, space) for space in player.hikers)
        both = "Both of " if len(spaces) == 1 else ""
        campfire = "lit" if player.campfire else "out"
        hikers.append(f"{both}{player.name}\u2019s hikers are at {' and '.join(spaces)}, campfire {campfire}.")
    return [f"{SEASONS[state.season]}.", *hikers]


def assert_turn_shown(table: SeatedTable, board: Phone) -> None:
    """Assert that each page's heading names who is to move, and own pages show the turn."""
    current = table.table
    moving = [current.names[seat] for seat in TRACKED_GAME.flow.to_move(current.state)]
    if moving:
        assert players_in(current, board.find("h1").inner_text()) == moving
    for seat, phone in enumerate(table):
        head = phone.find("h1").inner_text()
        assert any(text in head for text in ("Your turn", "Season tile", "Setup")) == (phone.name in moving)
        shown = " ".join(phone.find(".summary.values .num").all_inner_texts()).split()
        player = current.state.players[seat]
        canteens = sum(len(row) for row in player.canteens), sum(map(bool, player.filled))
        numbers = (*player.tokens, player.photos, *(canteens if any(player.filled) else canteens[:1]))
        assert shown == [str(number) for number in numbers]


def players_in(table: Table, text: str) -> list[str]:
    """Return the players that a page's heading names."""
    return [name for name in table.names if name in text]


def assert_final_page(table: SeatedTable, board: Phone) -> None:
    """Assert that the score page shows the winner, each line with reason and rules, the boards."""
    state = table.table.state
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state))
    for seat, phone in enumerate(table):
        expect(phone.find(".winner h2")).to_have_text(sheet.result_text_for(seat))
    expect(board.find("main")).to_contain_text(sheet.result_text)
    phone = table.phones[-1]
    phone.follow_link("/score")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\bwins?\b"))
    lines = phone.find("ul.lines > li.line")
    expected_lines = [(line.label, str(line.points)) for column in sheet.columns for line in column.lines]
    read = lines.evaluate_all("lines => lines.map(line => [...line.children].map(part => part.textContent.trim()))")
    assert [tuple(line[:2]) for line in read] == expected_lines
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]
    boards = phone.find(".park-players .board-summary").all_text_contents()
    assert [", ".join(player.visited) in board for player, board in zip(state.players, boards, strict=True)] == [
        True
    ] * len(state.players)
    for address in set(lines.locator("a.cite").evaluate_all("links => links.map(link => link.href)")):
        assert phone.page.request.get(address).ok


def assert_sheets(table: SeatedTable) -> None:
    """Assert that the sheet is one PDF page on both papers, and also a plain page."""
    phone = table.phones[-1]
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state))
    for size, sides in (("a4", (b"595", b"841")), ("letter", (b"612", b"792"))):
        paper = phone.request_sheet(size)
        assert paper.headers["content-type"] == "application/pdf"
        assert paper.body().startswith(b"%PDF-") and page_count(paper.body()) == 1
        assert re.findall(rb"/MediaBox ?\[ ?0 0 (\d+)\S* (\d+)\S* ?\]", unpack_pdf(paper.body())) == [sides]
    phone.follow_link("/print")
    expect(phone.find(".result")).to_have_text(result_heading(sheet)[0])
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]
