"""Whole games of TRAILS through the pages, from the home page to the printed sheet."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion.log.table import Table
from companion.pages.sheet import result_heading
from companion.pages.table import table_page
from scoring.kernel.move import Move
from scoring.trails import TRACKED_GAME
from scoring.trails.state import State
from scoring.trails.text import space_name
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table_by_hand
from tests.browser.secrecy_checks import assert_keeps_secrets, assert_reads_own
from tests.browser.trails_game import REQUIRED_EVENTS, find_events, find_game
from tests.browser.trails_taps import moves_to_tap, tap_move, unwatched_move_count
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import page_count, unpack_pdf

pytestmark = pytest.mark.browser

# The positions a page shows at one moment: its heading, and the tile of each hiker in the picture.
POSITIONS_SCRIPT = """() => {
  const middles = [8, 22.8, 36.4, 50, 63.6, 77.2, 92]; // of the spaces, in percent
  const middle = ({ x, width }) => x.baseVal.valueInSpecifiedUnits + width.baseVal.valueInSpecifiedUnits / 2;
  const inOrder = (a, b) => a.id.localeCompare(b.id);
  const hikers = [...document.querySelectorAll("#trail [id^=hiker-]")].sort(inOrder).map(middle);
  return {
    version: Number(document.querySelector("[data-version]").dataset.version),
    head: document.querySelector("h1").innerText,
    hikers: hikers.map((x) => middles.findIndex((middle) => Math.abs(middle - x) < 1)),
    words: document.getElementById("trail").getAttribute("aria-label"),
    loadedOnce: window.loadedOnce,
  };
}"""


# Short games with every kind of event, found by trying seeds. Two phones tap all their moves; four join at the end.
@pytest.mark.long("a whole game in a browser")
@parametrize_cases(
    ("names", "seed"), [(("Ana", "Bo"), 489), (("Ana", "Bo", "Cleo", "Dimitri"), 1199)], ids=["two", "four"]
)
def test_whole_game_is_played_on_phones_without_leaking_secrets(names, seed, server, new_phone):
    moves = find_game(names, seed)
    table = open_seated_table_by_hand(server, new_phone, *names)
    early = unwatched_move_count(table.phones, moves)
    for seat, move in moves[:early]:
        table.phones[seat].submit_move(table.path, seat, move)
    board = open_board(new_phone, table)
    table.wait_for_version(table.table.version)
    for phone in table:
        phone.record_traffic()
        phone.page.reload()

    later_moves = moves[early:]
    tapped = set(range(len(later_moves))) if len(names) == 2 else moves_to_tap(later_moves)
    for number, (seat, move) in enumerate(later_moves[:-1]):
        play_move(table, board, seat, move, number in tapped)
        assert_turn_shown(table, board)
        assert_keeps_own_secrets(table, board)
    play_move(table, board, *moves[-1], True)

    assert find_events(table.table.setup, [(step.seat, step.move) for step in table.table.steps]) >= REQUIRED_EVENTS
    assert table.table.is_over
    assert_final_page(table, board)
    assert_sheets(table)


def open_board(new_phone: Callable[..., Phone], table: SeatedTable) -> Phone:
    """Return a tablet that has opened the table view by the lobby's link."""
    board = new_phone("board", viewport=TABLET_SIZE)
    board.record_traffic()
    board.go(table.path)
    board.follow_link("/board")
    board.page.evaluate("window.loadedOnce = true")
    return board


def play_move(table: SeatedTable, board: Phone, seat: int, move: Move, tapped: bool) -> None:
    """Play a move on its phone, tapped or not; wait until all pages show it without a reload."""
    before, phone = table.table, table.phones[seat]
    if tapped:
        tap_move(phone, before.state, seat, move)
    else:
        phone.submit_move(table.path, seat, move)
    for phone in (*table, board):
        phone.wait_for_version(before.version + 1)
    state = table.table.state
    positions = board.page.evaluate(POSITIONS_SCRIPT)
    assert positions["loadedOnce"]
    assert positions["version"] == before.version + 1
    assert positions["hikers"] == [player.space for player in state.players]
    assert [phrase for phrase in expected_positions(state) if phrase not in positions["words"]] == []


def assert_turn_shown(table: SeatedTable, board: Phone) -> None:
    """Assert that each page's heading names only who is to move, and own pages show the turn."""
    current = table.table
    moving = [current.names[seat] for seat in TRACKED_GAME.flow.to_move(current.state)]
    assert players_in(current, board.find("h1").inner_text()) == moving
    for phone in table:
        head = phone.find("h1").inner_text()
        is_mine = any(text in head for text in ("Your turn", "Your last turn", "Enter your photos"))
        assert is_mine == (phone.name in moving)
        assert (
            set(players_in(current, head)) <= set(moving)
            if phone.name in moving
            else players_in(current, phone.find("h1 strong").inner_text()) == moving
        )


def assert_keeps_own_secrets(table: SeatedTable, board: Phone) -> None:
    """Assert that each page shows its own secrets only, and the table view none."""
    current = table.table
    page = table_page(current, "")
    latest = [f"{turn.name}: {turn.text}" for turn in page.latest_turns.values()] or [page.latest_text]
    assert board.find(".last-move-text").inner_text() == latest[-1]
    assert_keeps_secrets(board, current, None)
    for seat, phone in enumerate(table):
        assert_reads_own(phone, current, seat)
        assert_keeps_secrets(phone, current, seat)


def players_in(table: Table, text: str) -> list[str]:
    """Return the players that a page's heading names."""
    return [name for name in table.names if name in text]


def expected_positions(state: State) -> list[str]:
    """Return where the picture's text must say every hiker is."""
    directions = {1: "facing Trail End", -1: "facing the Trailhead"}
    hikers = [
        f"{player.name} is at {space_name(state, player.space)}, {directions[player.facing]}."
        for player in state.players
    ]
    return [*hikers, f"The bear is at the {state.bear} site."]


def assert_final_page(table: SeatedTable, board: Phone) -> None:
    """Assert that the score page shows the winner, and each line with its reason and rules."""
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state))
    for seat, phone in enumerate(table):
        expect(phone.find(".winner h2")).to_have_text(sheet.result_text_for(seat))
    expect(board.find("main")).to_contain_text(sheet.result_text)
    phone = table.phones[-1]
    phone.follow_link("/score")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\bwins?\b"))
    lines = phone.find("ul.lines > li.line")
    expected_lines = [(line.label, str(line.points), line.because) for column in sheet.columns for line in column.lines]
    read = lines.evaluate_all("lines => lines.map(line => [...line.children].map(part => part.textContent.trim()))")
    assert len(read) == len(expected_lines)
    assert all(
        line[:2] == list(expected[:2]) and line[2].startswith(expected[2])
        for line, expected in zip(read, expected_lines, strict=True)
    )
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]

    cites = lines.locator("a.cite")
    for address in set(cites.evaluate_all("links => links.map(link => link.href)")):
        assert phone.page.request.get(address).ok
    rule = cites.first.get_attribute("href").rpartition("/")[2]
    cites.first.tap()
    phone.page.wait_for_url("**/rules/trails/*")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text(TRACKED_GAME.box.rules[rule].text)
    phone.page.go_back()


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
