"""After a game, on phones: results, charts, photos, sharing, adding, files and erasure."""

import datetime
import json
import re

import pytest
from playwright.sync_api import Locator, expect

from companion.pages.sheet import result_heading
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.seated_tables import open_seated_table
from tests.browser.test_pages_fit import page_faults
from tests.companion.exchange.test_bg_stats import bg_stats_file
from tests.support.finished_tables import large_photo, random_game_moves
from tests.support.parametrize import parametrize_cases
from tests.support.random_results import enter_random_results

pytestmark = pytest.mark.browser
LONG_NAME = "Maximiliana-Theodora von und zu Hohenzoll"[:40]


def add_result(phone: Phone, day: str, *players: tuple[str, int], game: str = "TRAILS", **more: str) -> None:
    """Add a result through the form as a player does, and wait for its page."""
    phone.go("/history")
    phone.link("Add a result").tap()
    phone.find(".choices label", has_text=re.compile(f"^{game}$")).tap()
    phone.find("#day").fill(day)
    for row, (name, points) in enumerate(players):
        phone.find(f"[name=players-{row}-name]").fill(name)
        phone.find(f"[name=players-{row}-points]").fill(str(points))
    for field, text in more.items():
        phone.find(f"#{field}").fill(text)
    phone.button("Save").tap()
    phone.page.wait_for_url("**/r/*")


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases(
    "settings", [{}, {"color_scheme": "dark"}, {"java_script_enabled": False}], ids=["light", "dark", "no script"]
)
def test_result_is_added_found_viewed_edited_and_excluded(own_server, new_phone, settings: dict):
    scripted = settings.get("java_script_enabled", True)
    phone = new_phone("Ana", own_server.address, **settings)

    def fits() -> None:
        assert not scripted or page_faults(phone) == []

    phone.go("/history")
    expect(phone.find("main")).to_contain_text("Your finished games will appear here")
    fits()
    for day, points in enumerate((31, 12, 44), 1):
        add_result(phone, f"2026-01-{day:02}", (LONG_NAME, points), ("Bo", 29), minutes="75", where="The cabin")
    expect(phone.find("h1")).to_contain_text(LONG_NAME)
    fits()
    phone.link("Past games").tap()
    expect(phone.find(".results li")).to_have_count(3)
    fits()
    phone.find("#q").fill("cabin 2026-01-02")
    phone.button("Search").tap()
    expect(phone.find(".results li")).to_have_count(1)
    phone.find(".results a").tap()
    phone.link(LONG_NAME, exact=True).tap()
    expect(phone.find("#in-trails")).to_contain_text("average score")
    expect(phone.find("#in-trails svg.chart")).to_be_visible()
    expect(phone.find(".streak li")).to_have_count(3)
    expect(phone.find("#against")).to_contain_text("Bo")
    fits()
    phone.link("All games").tap()
    expect(phone.find("[name=player]")).to_be_checked()
    expect(phone.find(".results li")).to_have_count(3)
    fits()
    phone.find(".results a").first.tap()
    phone.link("Correct this result").tap()
    expect(phone.find("h1")).to_contain_text("Correct this result")
    fits()
    phone.find("[name=players-1-points]").fill("45")
    phone.button("Save").tap()
    expect(phone.find("h1")).to_contain_text("Bo wins")
    phone.button("Hide from statistics").tap()
    expect(phone.find(".notice")).to_contain_text("hidden from lists")
    phone.go("/")
    expect(phone.find("#results li")).to_have_count(2)
    fits()


def test_new_result_starts_with_the_day_of_the_phone(own_server, new_phone):
    tongatapu = datetime.timezone(datetime.timedelta(hours=13))
    phone_time = datetime.datetime.now(tongatapu) + datetime.timedelta(days=30)  # the clock of the server is behind
    phone = new_phone("Ana", own_server.address, timezone_id="Pacific/Tongatapu")
    phone.page.clock.set_fixed_time(phone_time)
    phone.go("/history/new")
    expect(phone.find("#day")).to_have_value(phone_time.date().isoformat())
    add_result(phone, phone_time.date().isoformat(), ("Ana", 20), ("Bo", 15))
    phone.link("Correct this result").tap()
    phone.find("#day").fill("2026-01-02")
    phone.button("Save").tap()
    expect(phone.find("time").first).to_have_attribute("datetime", "2026-01-02")
    phone.link("Correct this result").tap()
    expect(phone.find("#day")).to_have_value("2026-01-02")


def enter_players(phone: Phone, game: str, *players: tuple[str, str]) -> None:
    """Fill in the form of a result."""
    phone.go("/history/new")
    phone.find(".choices label", has_text=re.compile(f"^{game}$")).tap()
    phone.find("#day").fill("2026-01-02")
    for row, (name, points) in enumerate(players):
        phone.find(f"[name=players-{row}-name]").fill(name)
        if points:
            phone.find(f"[name=players-{row}-points]").fill(points)


def save_and_expect(phone: Phone, sentence: str) -> Locator:
    """Tap the last "Save", and expect a sentence once on the first screen, and the focus there."""
    phone.expect_in_console("422")
    phone.button("Save", exact=True).last.tap()
    text = phone.find("main").get_by_text(sentence)
    expect(text).to_have_count(1)
    expect(text).to_be_in_viewport(ratio=1)
    phone.wait_until("document.activeElement.matches('#problems, #outcome, #duplicate')")
    assert phone.page.evaluate("scrollY") == 0
    assert page_faults(phone) == []
    return text


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ("-5", "Ana\u2019s points cannot be negative in PARKS."),
        ("20.5", "Ana\u2019s points must be a whole number, such as 20."),
    ],
)
def test_wrong_points_are_refused_on_the_first_screen(own_server, new_phone, points: str, sentence: str):
    phone = new_phone("Ana", own_server.address)
    enter_players(phone, "PARKS", ("Ana", points), ("Bo", "20"))
    assert page_faults(phone) == []
    link = save_and_expect(phone, sentence)
    field = phone.find("[name=players-0-points]")
    expect(field).to_have_value(points)
    expect(phone.find("[value=parks]")).to_be_checked()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(sentence)
    link.tap()
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()


@parametrize_cases("settings", [{}, {"java_script_enabled": False}], ids=["script", "no script"])
def test_race_has_no_points_and_asks_who_won(own_server, new_phone, settings: dict):
    phone = new_phone("Ana", own_server.address, **settings)
    enter_players(phone, "TRAILS", ("Ana", "7"), ("Bo", ""))
    expect(phone.find("[name=players-0-points]")).to_be_visible()
    phone.find(".choices label", has_text="ON THE TRAIL").tap()
    expect(phone.find("[name=players-0-points]")).to_be_hidden()
    phone.expect_in_console("422")
    phone.button("Save", exact=True).last.tap()
    expect(phone.find("#outcome legend")).to_have_text("Who won?")
    for choice in ("Ana won", "Bo won", "Ana and Bo share the victory", "No one won"):
        expect(phone.find("#outcome label", has_text=re.compile(f"^{choice}$"))).to_be_in_viewport(ratio=1)
    assert not settings or phone.find("[name=players-0-points]").is_hidden()
    phone.find("#outcome label", has_text=re.compile("^Bo won$")).tap()
    phone.find("#outcome button").tap()
    expect(phone.find("h1")).to_have_text("Bo wins.")
    expect(phone.find(".standings .points")).to_have_text(["1", "2"])


def test_game_entered_twice_is_asked_about(own_server, new_phone):
    add_result(new_phone("Ana", own_server.address), "2026-01-02", ("Ana", 31), ("Bo", 29))
    phone = new_phone("Bo", own_server.address)
    enter_players(phone, "TRAILS", ("Bo", "29"), ("Ana", "31"))
    save_and_expect(phone, "Is this game already here?")
    expect(phone.link("Cancel").first).to_be_in_viewport(ratio=1)
    phone.button("Save anyway").tap()
    expect(phone.find("h1")).to_have_text("Ana wins with 31 points.")


def test_guest_and_bot_are_chosen_below_the_players(own_server, new_phone):
    phone = new_phone("Ana", own_server.address)
    enter_players(phone, "ON THE TRAIL", ("Ana", ""))
    phone.unfold("kinds")
    phone.find("#players-1-kind").select_option("Bot")
    save_and_expect(phone, "Who won?")
    expect(phone.find("#kinds")).to_have_attribute("open", "")
    phone.find("#outcome label", has_text=re.compile("^Bot won$")).tap()
    phone.find("#outcome button").tap()
    expect(phone.find("h1")).to_have_text("Bot wins.")
    enter_players(phone, "TRAILS", ("Ana", "30"), ("", "20"))
    phone.unfold("kinds")
    phone.find("#players-1-kind").select_option("Guest")
    phone.button("Save", exact=True).last.tap()
    expect(phone.find("h1")).to_have_text("Ana wins with 30 points.")
    expect(phone.find(".standings")).to_contain_text("Guest")
    phone.go("/history")
    expect(phone.find("#players")).to_contain_text("Ana")
    expect(phone.find("#players")).not_to_contain_text("Guest")


@pytest.mark.long("a whole game in a browser")
def test_finished_game_has_result_with_charts_photos_and_share_address(own_server, new_phone):
    table = open_seated_table(own_server, new_phone, "Ana", "Bo", game="on-the-trail", shows_pages=False)
    ana, guest = table.phones[0], new_phone("a guest", own_server.address)
    for seat, move in random_game_moves("on-the-trail", ("Ana", "Bo"), 7):
        table.phones[seat].submit_move(table.path, seat, move)
    assert table.table.is_over
    ana.go(f"{table.path}/score")
    ana.link("Charts, table photos and sharing").tap()
    expect(ana.find("#course svg.chart")).to_be_visible()
    assert page_faults(ana) == []
    photos = ana.find("#photos")
    ana.find("#photo").set_input_files([{"name": "table.jpg", "mimeType": "image/jpeg", "buffer": large_photo()}])
    ana.wait_until("document.querySelector('#photo').files[0].size < 2500000")  # It is made smaller before it is sent.
    ana.button("Upload").tap()
    expect(photos.locator("img")).to_have_count(1)
    ana.wait_until("document.querySelector('#photos img').naturalWidth === 320")
    assert page_faults(ana) == []
    ana.find("#picture").scroll_into_view_if_needed()
    ana.wait_until("document.querySelector('#picture img').naturalWidth > 0")
    address = ana.find("#address strong").inner_text()
    png = ana.page.request.get(f"/r/{address.rpartition('/')[2]}/picture.png")
    assert png.headers["content-type"] == "image/png" and png.body().startswith(b"\x89PNG")
    expect(ana.find("#address svg")).to_be_visible()
    guest.go(f"/r/{address.rpartition('/')[2]}")
    expect(guest.find("#photos img")).to_have_count(1)
    expect(guest.find("#photo")).to_have_count(0)
    expect(guest.find("main")).to_contain_text(result_heading(table.table.sheet)[0])
    assert page_faults(guest) == []
    ana.unfold("about")
    ana.find("#where").fill("The cabin")
    assert page_faults(ana) == []
    ana.find("#about").get_by_role("button", name="Save").tap()
    expect(ana.find(".winner + p")).to_contain_text("The cabin")
    ana.find(".photos .confirm-first > summary").first.tap()
    ana.find("form[action$='/photos/remove'] button").tap()
    expect(photos.locator("img")).to_have_count(0)
    ana.find("#photo").set_input_files([{"name": "notes.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"}])
    ana.expect_in_console("422")
    ana.button("Upload").tap()
    expect(ana.find("[role=alert]:not(#error-banner)")).to_contain_text("This file is not a readable photo")
    ana.find("#photo").set_input_files([{"name": "film.jpg", "mimeType": "image/jpeg", "buffer": bytes(12_000_001)}])
    ana.wait_until("document.querySelector('#photo').validationMessage.startsWith('This photo is larger than 12 MB.')")
    ana.go("/")
    expect(ana.find("#results")).to_contain_text("ON THE TRAIL")


@pytest.mark.long("a rarer case in a browser")
def test_owner_merges_names_and_erases_one(own_server, new_phone):
    phone = new_phone("the owner", own_server.address).become_owner(own_server.card_facts)
    add_result(phone, "2026-01-01", ("Ana", 30), ("Xanthippe", 20))
    add_result(phone, "2026-01-02", ("Anna", 30), ("Xanthippe", 40))
    phone.go("/history")
    phone.find("#players").get_by_role("link", name="Anna").tap()
    phone.unfold("names")
    assert page_faults(phone) == []
    phone.find("#into").select_option(label="Ana")
    phone.button("Merge").tap()
    expect(phone.find("#in-trails")).to_contain_text("2")
    phone.unfold("names")
    phone.find("form", has_text="anna").get_by_role("button", name="Not this player").tap()
    expect(phone.find("h1")).to_have_text("Anna")
    phone.go("/history")
    phone.find("#players").get_by_role("link", name="Xanthippe").tap()
    phone.unfold("names")
    phone.find("[name=sure]").tap()
    phone.button("Delete this player").tap()
    phone.page.wait_for_url("**/history")
    expect(phone.find("main")).not_to_contain_text("Xanthippe")
    expect(phone.find(".results")).to_contain_text("Somebody")
    assert page_faults(phone) == []
    assert "Xanthippe" not in phone.page.request.get("/history.json").text()


@pytest.mark.long("a rarer case in a browser")
def test_export_is_imported_by_another_phone_and_table_continues(own_server, new_phone):
    table = open_seated_table(own_server, new_phone, "Ana", "Bo", shows_pages=False)
    for seat, move in random_game_moves("trails", ("Ana", "Bo"), 7)[:3]:
        table.phones[seat].submit_move(table.path, seat, move)
    phone = new_phone("the owner", own_server.address).become_owner(own_server.card_facts)
    phone.go("/history")
    phone.unfold("owner-of-history")
    assert page_faults(phone) == []
    with phone.page.expect_download() as download:
        phone.find("main").get_by_role("link", name="JSON").tap()
    content = download.value.path().read_bytes()
    phone.find("#file").set_input_files([{"name": "history.json", "mimeType": "application/json", "buffer": content}])
    phone.button("Import").tap()
    expect(phone.find(".notice")).to_contain_text("Everything in this file is already here")


@pytest.mark.long("a rarer case in a browser")
def test_history_fits_a_tablet(own_server, new_phone):
    phone = new_phone("a tablet", own_server.address, viewport=TABLET_SIZE)
    add_result(phone, "2026-01-01", ("Ana", 30), ("Bo", 20), game="ALPINE TRAILS")
    assert page_faults(phone) == []
    phone.go("/history")
    assert page_faults(phone) == []


@parametrize_cases(
    "settings",
    [{}, {"color_scheme": "dark"}, {"forced_colors": "active"}, {"java_script_enabled": False}],
    ids=["light", "dark", "forced colors", "no script"],
)
def test_statistics_fit_a_phone_and_are_filtered(start_in_process_server, new_phone, settings: dict):
    server = start_in_process_server(8)
    enter_random_results(server.referee, 120, "another phone")
    phone = new_phone("the owner", server.address, **settings).become_owner(server.referee.card_facts)
    scripted = settings.get("java_script_enabled", True)
    phone.go("/history")
    phone.link("Statistics").tap()
    expect(phone.find("main")).to_contain_text("120 games.")
    expect(phone.find("svg.chart")).to_have_count(9)
    assert not scripted or page_faults(phone) == []
    phone.find("#game").select_option(label="ALPINE TRAILS")
    phone.find("#year").select_option(label="2026")
    phone.button("Show").tap()
    expect(phone.find("#game")).to_have_value("alpine-trails")
    expect(phone.find("#first")).to_contain_text("ALPINE TRAILS")
    expect(phone.find("main")).not_to_contain_text("PARKS,")
    phone.find("#scores td a").first.tap()
    phone.page.wait_for_url("**/r/*")
    phone.go("/history")
    phone.find("#players").get_by_role("link", name=re.compile("^Ana ")).tap()
    expect(phone.find("#partners svg.chart")).to_be_visible()
    assert not scripted or page_faults(phone) == []
    phone.link("More statistics").tap()
    expect(phone.find("#player option:checked")).to_have_text("Ana")
    assert not scripted or page_faults(phone) == []
    with phone.page.expect_download() as download:
        phone.find("#scores").get_by_role("link", name="Export CSV").tap()
    assert download.value.suggested_filename == "waymark-scores.csv"


# Plays of other programs


@parametrize_cases(
    "settings", [{}, {"color_scheme": "dark"}, {"java_script_enabled": False}], ids=["light", "dark", "no script"]
)
def test_file_of_bg_stats_is_shown_before_it_is_imported_and_undone(own_server, new_phone, settings: dict):
    phone = new_phone("Ana", own_server.address, **settings)

    def fits() -> None:
        assert not settings.get("java_script_enabled", True) or page_faults(phone) == []

    add_result(phone, "2026-11-20", ("Ana", 25), ("Bo", 20))
    data = bg_stats_file()
    data["players"][1]["name"] = LONG_NAME
    other = {"uuid": "B", "playDate": "2026-11-21 20:00:00", "playerScores": [{"playerRefId": 2, "score": "about 9"}]}
    data["plays"] += [data["plays"][0] | other, bg_stats_file(uuid="C")["plays"][0]]
    send_plays(phone, "plays.bgsplay", json.dumps(data).encode())
    expect(phone.find("h1")).to_have_text("Check the import")
    expect(phone.find("#new li")).to_have_count(3)
    fits()
    phone.find("#players select").select_option("Same as Bo")
    phone.button("Check again with these names").tap()
    expect(phone.find("#similar li")).to_have_count(1)
    fits()
    phone.button("Import 2 new").tap()
    expect(phone.find(".notice").first).to_have_text("Imported 2 results from plays.bgsplay.")
    expect(phone.find(".results li")).to_have_count(3)
    fits()
    send_plays(phone, "plays.bgsplay", json.dumps(data).encode())
    expect(phone.find("#known")).to_contain_text("3 plays were imported before")
    phone.button("Done").tap()
    phone.unfold("imports")
    phone.find("#imports summary", has_text="plays.bgsplay: 2 results").tap()
    fits()
    phone.button("Delete them").tap()
    expect(phone.find(".results li")).to_have_count(1)


def test_columns_of_a_table_are_chosen_before_its_plays_are_shown(own_server, new_phone):
    phone = new_phone("Ana", own_server.address)
    send_plays(phone, "club.csv", b"When;Ana;Bo\n20.11.2026;25;20\n")
    expect(phone.find("h1")).to_have_text("Columns of the table")
    assert page_faults(phone) == []
    phone.button("Continue").tap()
    phone.expect_in_console("422")
    expect(phone.find("[role=alert]:not(#error-banner)")).to_contain_text("choose the game of all rows")
    phone.find("#game").select_option("TRAILS")
    phone.button("Continue").tap()
    phone.button("Import 1 new").tap()
    expect(phone.find(".results li")).to_contain_text("Ana 25")


def test_file_that_has_no_plays_is_named_on_the_first_screen(own_server, new_phone):
    phone = new_phone("Ana", own_server.address)
    phone.expect_in_console("400")
    send_plays(phone, "half.json", b'{"waymark": 1, "results": [')
    expect(phone.find("[role=alert]:not(#error-banner)")).to_contain_text("Nothing was imported: ")
    expect(phone.find("[role=alert]:not(#error-banner)")).to_be_in_viewport(ratio=1)


def send_plays(phone: Phone, name: str, content: bytes) -> None:
    phone.go("/history")
    phone.find("#file").set_input_files([{"name": name, "mimeType": "application/octet-stream", "buffer": content}])
    phone.button("Import", exact=True).tap()
