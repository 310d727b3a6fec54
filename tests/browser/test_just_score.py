"""Score entry on one phone or several, with a running total."""

import re

import pytest
from playwright.sync_api import expect

from scoring.document import score_document, score_sheet
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table, open_table, sit
from tests.browser.trails_taps import tap_button

pytestmark = pytest.mark.browser

ANA = {
    "name": "Ana",
    "badges": ["climber-rock", "science", "collector-rock"],
    "photos": [{"points": 2, "birds": 0}, {"points": 0, "birds": 2}],
}
BO = {
    "name": "Bo",
    "badges": ["observer-leaf", "rappelling-rock", "birdwatching-acorn"],
    "photos": [{"points": 1, "birds": 1}],
}
POSITION = {"game": "trails", "players": [ANA, BO]}
FACES = {(2, 0): "2 points", (0, 2): "2 birds", (1, 1): "1 point, 1 bird"}


def enter_player(phone: Phone, player: dict) -> None:
    """Enter one player's badges and photos, while the running total follows."""
    so_far = {"name": player["name"], "badges": [], "photos": []}
    for badge in player["badges"]:
        so_far["badges"].append(badge)
        tap_button(phone, phone.find(f'.pick[value="{badge}"]'))
        expect(phone.find(".entry-total strong")).to_have_text(str(score_alone(so_far)))
    open_part(phone, "Photos")
    for photo in player["photos"]:
        so_far["photos"].append(photo)
        tap_button(phone, phone.button(FACES[photo["points"], photo["birds"]], exact=True))
        expect(phone.find(".entry-total strong")).to_have_text(str(score_alone(so_far)))


def open_part(phone: Phone, part: str) -> None:
    """Go to a part of the score entry."""
    tap_button(phone, phone.find("a.entry-tab", has_text=part))
    expect(phone.find("a.entry-tab[aria-current]")).to_have_text(part)


def tap_done(phone: Phone) -> None:
    open_part(phone, "Review")
    tap_button(phone, phone.button(re.compile("^Done")))


def score_alone(player: dict) -> int:
    """Return one player's score if the other has seen no bird and earned nothing."""
    nobody = {"name": "nobody"}
    return score_document({"game": "trails", "players": [player, nobody]})["players"][0]["total"]


def assert_same_result(table: SeatedTable, phone: Phone) -> None:
    """Assert that the score page equals the score of the same final-position document."""
    sheet = score_sheet(POSITION)
    phone.go(f"{table.path}/score")
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]
    assert phone.find("ul.lines .line .label").evaluate_all("labels => labels.map(label => label.textContent)") == [
        line.label for column in sheet.columns for line in column.lines
    ]
    expect(phone.find("h1")).to_contain_text(sheet.winners[0])
    assert phone.page.request.get(f"{table.path}/score.json").json() == score_document(POSITION)


def test_one_phone_enters_scores_for_all_players(server, new_phone):
    phone = new_phone("both")
    open_table(phone, "Ana", "Bo", game="trails-tally")
    lobby = phone.page.url
    sit(phone, "Ana")
    phone.go(lobby)
    sit(phone, "Bo")
    table = SeatedTable(server, lobby.rpartition("/")[2], (phone, phone))
    phone.go(f"{table.path}/seat/0")
    enter_player(phone, ANA)
    tap_done(phone)
    phone.unfold("menu").get_by_role("link", name=re.compile("Bo")).tap()
    phone.page.wait_for_url("**/seat/1")
    for badge in BO["badges"]:
        tap_button(phone, phone.find(f'.pick[value="{badge}"]'))
        expect(phone.find(".own-area .badge-card")).to_have_count(BO["badges"].index(badge) + 1)
    open_part(phone, "Photos")
    tap_button(phone, phone.button("1 point, 1 bird", exact=True))
    expect(phone.find(".own-area .photo-card")).to_have_count(1)
    tap_done(phone)
    expect(phone.find("h1")).to_have_text("The game is over")
    assert_same_result(table, phone)


@pytest.mark.long("a rarer case in a browser")
def test_two_phones_enter_scores_simultaneously_and_see_each_other(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally")
    ana, bo = table
    for number in range(3):
        before = table.table.version
        table.wait_for_version(before)
        tap_button(ana, ana.find(f'.pick[value="{ANA["badges"][number]}"]'))
        tap_button(bo, bo.find(f'.pick[value="{BO["badges"][number]}"]'))
        table.wait_for_version(before + 2)
    for phone, player in zip(table, (ANA, BO), strict=True):
        open_part(phone, "Photos")
        for photo in player["photos"]:
            before = table.table.version
            tap_button(phone, phone.button(FACES[photo["points"], photo["birds"]], exact=True))
            table.wait_for_version(before + 1)
    columns = score_sheet(POSITION).columns
    for phone, column in zip(table, columns, strict=True):
        expect(phone.find(".entry-total strong")).to_have_text(str(column.total))
        tap_done(phone)
    for phone in table:
        expect(phone.find("h1")).to_have_text("The game is over")
    assert_same_result(table, bo)


def test_mistaken_entry_is_removed_by_another_tap_and_buttons_stay_in_place(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally")
    ana, bo = table
    badge = ana.page.get_by_role("button", name="Climber (rock)", exact=True)
    place = badge.bounding_box()
    tap_button(ana, badge)
    expect(badge).to_have_attribute("aria-pressed", "true")
    assert badge.bounding_box() == place
    tap_button(ana, badge)
    expect(ana.find(".entry-total strong")).to_have_text("0")
    assert badge.bounding_box() == place
    open_part(ana, "Photos")
    for text, total in (("2 points", "2"), ("One fewer: 2 points", "0")):
        tap_button(ana, ana.page.get_by_role("button", name=text, exact=True))
        expect(ana.find(".entry-total strong")).to_have_text(total)
    open_part(ana, "Review")
    expect(ana.find(".score-entry")).to_contain_text("0 badges, 0 photos entered. Is that right?")
    assert table.table.state.players[0].badges == table.table.state.players[0].photos == ()
