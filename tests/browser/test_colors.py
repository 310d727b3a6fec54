"""Test on two phones that colors are chosen before and during a game, and kept in the next."""

import re

import pytest
from playwright.sync_api import expect

from companion.service.referee import new_tap
from tests.browser.phone import Phone
from tests.browser.seated_tables import open_table
from tests.support.finished_tables import random_game_table

pytestmark = pytest.mark.browser
NAMES = ("Ana", "Bo")


def open_picker(phone: Phone, seat: int) -> None:
    phone.find(f"#color-{seat} > summary").tap()
    expect(phone.find(f"#color-{seat} .colors")).to_be_visible()


def choose(phone: Phone, seat: int, color: str) -> None:
    """Open the colors of a seat in the lobby and tap one."""
    open_picker(phone, seat)
    phone.find(f"#color-{seat} .color", has_text=color).tap()


def shown_pieces(phone: Phone) -> list[str]:
    """Return the colors of the pieces in the rows of the lobby."""
    pieces = phone.page.locator(".seat-row > .seat-piece, .seat-row summary").locator(".figure")
    return [re.search(r"piece-(\w+)", piece.get_attribute("class")).group(1) for piece in pieces.all()]


def test_two_phones_choose_colors_and_the_rematch_keeps_them(start_in_process_server, new_phone):
    server = start_in_process_server(20)
    ana, bo = (new_phone(name, server.address) for name in NAMES)
    open_table(ana, *NAMES, game="parks")
    lobby = ana.page.url
    bo.go(lobby)
    choose(ana, 0, "White")
    ana.page.wait_for_url("**/seat/0")
    expect(bo.find("#color-0")).to_have_count(0)
    assert shown_pieces(bo) == ["white", "blue"]
    open_picker(bo, 1)
    expect(bo.find("#color-1 .color[disabled]")).to_have_text(re.compile("White\\s*Ana"))
    bo.find("#color-1 .color", has_text="Yellow").tap()
    bo.page.wait_for_url("**/seat/1")
    expect(bo.find(".players .player").nth(1).locator(".figure")).to_have_class(re.compile("piece-yellow"))

    bo.go(lobby)
    choose(bo, 1, "Green")
    expect(bo.find("#color-1 > summary .figure")).to_have_class(re.compile("piece-green"))
    expect(ana.find(".players .player").nth(1).locator(".figure")).to_have_class(re.compile("piece-green"))
    expect(ana.find(".log")).to_contain_text("Bo\u2019s hiker is green.")


def test_open_colors_stay_open_while_another_player_takes_a_seat(server, new_phone):
    ana, bo = (new_phone(name, server.address) for name in NAMES)
    open_table(ana, *NAMES)
    bo.go(ana.page.url)
    open_picker(ana, 0)
    bo.button("Bo").tap()
    bo.page.wait_for_url("**/seat/1")
    expect(ana.page.locator(".seat-row").nth(1)).to_contain_text("On another phone")
    expect(ana.find("#color-0 .colors")).to_be_visible()


def test_colors_can_be_chosen_with_the_keyboard(server, new_phone):
    phone = new_phone("keys", server.address)
    open_table(phone, *NAMES, game="on-the-trail")
    phone.find("#color-0 > summary").focus()
    phone.page.keyboard.press("Enter")
    for _ in range(2):
        phone.page.keyboard.press("Tab")
    expect(phone.page.locator(":focus")).to_have_text("Black")
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_url("**/seat/0")


def test_rematch_shows_the_colors_of_the_last_game(start_in_process_server, new_phone):
    server = start_in_process_server(20)
    phone = new_phone("host", server.address)
    open_table(phone, *NAMES, game="parks")
    phone.button("Ana").tap()
    phone.page.wait_for_url("**/seat/0")
    device = server.referee.store.table(phone.page.url.split("/")[4]).seats[0]
    table = random_game_table(server.referee, "parks", *NAMES, device=device)
    table = server.referee.choose_color(table, device, new_tap(), 0, "white")
    phone.go(f"/t/{table.code}")
    phone.button("Bo", exact=True).first.tap()
    phone.page.wait_for_url(lambda address: table.code not in address)
    new = server.referee.store.table(server.referee.store.table(table.code).next_code)
    assert new.names == ("Bo", "Ana") and new.piece_colors == ("blue", "white")
    phone.go(f"/t/{new.code}")
    assert shown_pieces(phone) == ["blue", "white"]


@pytest.mark.parametrize("width", [320, 360])
def test_every_color_of_five_players_is_whole_on_the_first_screen(server, new_phone, width):
    phone = new_phone("host", server.address, viewport={"width": width, "height": 640})
    open_table(phone, "Ana", "Bartholomew", "Cy", "Dora", "Ed", game="parks")
    for seat in range(5):
        open_picker(phone, seat)
        boxes = [color.bounding_box() for color in phone.page.locator(f"#color-{seat} .color").all()]
        assert len(boxes) == 5
        assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= 640 for box in boxes)
        phone.find(f"#color-{seat} > summary").tap()
