"""Whole games of TRAILS through the pages, from the first page to the printed sheet, everybody on a phone of their own."""

import re

import pytest
from playwright.sync_api import expect

from companion.log.table import Table, lines_for
from scoring.kernel.move import Move
from scoring.trails import PLAY
from scoring.trails.state import State
from scoring.trails.text import place
from tests.browser.phone import TABLET, Phone
from tests.browser.seating import Seated, seated_by_the_pages
from tests.browser.secrets import assert_keeps_secrets, assert_reads_own
from tests.browser.thumb import before_the_story, tap, to_tap
from tests.browser.trails_game import EVERYTHING, happened, story
from tests.support.cases import cases
from tests.support.pdf_content import drawing, pages

pytestmark = pytest.mark.browser

# What a page shows of its table, read at one moment: the head, and on which tile each hiker stands on the picture.
LOOK = """() => {
  const ends = [240, 388, 536, 684, 832, 980];
  const hikers = [...document.querySelectorAll("#trail [id^=hiker-]")].map((hiker) => hiker.transform.baseVal[0].matrix.e);
  return {
    version: Number(document.querySelector("[data-version]").dataset.version),
    head: document.querySelector("h1").innerText,
    hikers: hikers.map((x) => ends.filter((end) => end <= x).length),
    words: document.getElementById("trail").getAttribute("aria-label"),
    loadedOnce: window.loadedOnce,
  };
}"""


# Short games that have everything in them, found by trying seeds. Two phones tap all of theirs, four join at its end.
@pytest.mark.long("a whole game in a browser")
@cases(("names", "seed"), [(("Ana", "Bo"), 489), (("Ana", "Bo", "Cleo", "Dimitri"), 1199)], ids=["two", "four"])
def test_a_whole_game_is_played_on_phones_with_nothing_told_that_is_secret(names, seed, server, new_phone):
    moves = story(names, seed)
    table = seated_by_the_pages(server, new_phone, *names)
    early = before_the_story(table.phones, moves)
    for seat, move in moves[:early]:
        table.phones[seat].say(table.path, seat, move)
    board = watching(new_phone, table)
    table.all_show(table.table.number)
    for phone in table:
        phone.listen()
        phone.page.reload()

    told = moves[early:]
    tapped = set(range(len(told))) if len(names) == 2 else to_tap(told)
    for number, (seat, move) in enumerate(told[:-1]):
        play(table, board, seat, move, number in tapped)
        says_whose_turn(table, board)
        keeps_secrets(table, board)
    play(table, board, *moves[-1], True)

    assert happened(table.table.setup, [(step.seat, step.move) for step in table.table.steps]) >= EVERYTHING
    assert table.table.over
    final_page(table, board)
    on_paper(table)


def watching(new_phone, table: Seated) -> Phone:
    """Return a tablet in the middle that has gone to the table view by the lobby's link."""
    board = new_phone("board", viewport=TABLET)
    board.listen()
    board.go(table.path)
    board.follow("/board")
    board.page.evaluate("window.loadedOnce = true")
    return board


def play(table: Seated, board: Phone, seat: int, move: Move, tapped: bool) -> None:
    """Play a move on its phone, by a tap or without showing one, and see every page show it, without being loaded again."""
    before, phone = table.table, table.phones[seat]
    if tapped:
        tap(phone, before.state, seat, move)
    else:
        phone.say(table.path, seat, move)
    for phone in (*table, board):
        phone.shows(before.number + 1)
    state = table.table.state
    seen = board.page.evaluate(LOOK)
    assert seen["loadedOnce"]
    assert seen["version"] == before.number + 1
    assert seen["hikers"] == [player.at for player in state.players]
    assert [phrase for phrase in whereabouts(state) if phrase not in seen["words"]] == []


def says_whose_turn(table: Seated, board: Phone) -> None:
    """See that every page's head names who is to move, and nobody else; one's own page says it is one's turn."""
    now = table.table
    moving = [now.names[seat] for seat in PLAY.to_move(now.state)]
    assert named(now, board.find("h1").inner_text()) == moving
    for phone in table:
        head = phone.find("h1").inner_text()
        assert ("Your turn" in head or "Your last turn" in head) == (phone.name in moving)
        assert set(named(now, head)) <= set(moving) if phone.name in moving else named(now, head) == moving


def keeps_secrets(table: Seated, board: Phone) -> None:
    """See that everybody's page shows their own secrets and nobody else's, the table view none."""
    now = table.table
    assert board.find(".board-bar p").inner_text() == next(lines_for(now, ())).text
    assert_keeps_secrets(board, now, None)
    for seat, phone in enumerate(table):
        assert_reads_own(phone, now, seat)
        assert_keeps_secrets(phone, now, seat)


def named(table: Table, text: str) -> list[str]:
    """Return the players a page's head speaks of."""
    return [name for name in table.names if name in text]


def whereabouts(state: State) -> list[str]:
    """Return where the picture's words must say everybody is."""
    ways = {1: "facing Trail End", -1: "facing the Trailhead"}
    hikers = [f"{player.name} at {place(state, player.at)}, {ways[player.facing]}." for player in state.players]
    return [*hikers, f"The bear is at the {state.bear} site."]


def final_page(table: Seated, board: Phone) -> None:
    """Read the score from a phone: who won, every line with its reason, every rule behind it."""
    sheet = PLAY.box.score(PLAY.final(table.table.state))
    for phone in table:
        expect(phone.find(".winner h2")).to_have_text(sheet.verdict)
    expect(board.find("main")).to_contain_text(sheet.verdict)
    phone = table.phones[-1]
    phone.follow("/score")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text(re.compile(r"wins?$"))
    lines = phone.find("ul.lines > li.line")
    told = [(line.label, str(line.points), line.because) for column in sheet.columns for line in column.lines]
    read = lines.evaluate_all("lines => lines.map(line => [...line.children].map(part => part.textContent.trim()))")
    assert len(read) == len(told)
    assert all(
        line[:2] == list(wanted[:2]) and line[2].startswith(wanted[2]) for line, wanted in zip(read, told, strict=True)
    )
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]

    cites = lines.locator("a.cite")
    for address in set(cites.evaluate_all("links => links.map(link => link.href)")):
        assert phone.page.request.get(address).ok
    rule = cites.first.get_attribute("href").rpartition("/")[2]
    cites.first.tap()
    phone.page.wait_for_url("**/rules/trails/*")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text(PLAY.box.rules[rule].text)
    phone.page.go_back()


def on_paper(table: Seated) -> None:
    """Take the sheet away: as PDF on both papers, each one page, and as a plain page."""
    phone = table.phones[-1]
    sheet = PLAY.box.score(PLAY.final(table.table.state))
    for size, sides in (("a4", (b"595", b"841")), ("letter", (b"612", b"792"))):
        paper = phone.sheet(size)
        assert paper.headers["content-type"] == "application/pdf"
        assert paper.body().startswith(b"%PDF-") and pages(paper.body()) == 1
        assert re.findall(rb"/MediaBox ?\[ ?0 0 (\d+)\S* (\d+)\S* ?\]", drawing(paper.body())) == [sides]
    phone.follow("/print")
    expect(phone.find(".verdict")).to_have_text(sheet.verdict)
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]
