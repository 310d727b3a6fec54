"""The page of the open tables: a club's tables at a glance, QR codes to scan, live updates."""

import pytest
from playwright.sync_api import expect

from scoring.trails.moves.hiking import Hike
from tests.browser.midgame_tables import LONG_NAMES, NAMES, open_played_table
from tests.browser.seated_tables import open_seated_table

pytestmark = pytest.mark.browser

GAMES = ("trails", "parks", "alpine-trails", "on-the-trail")
# Pictures of codes that are on the screen, and the length of the side of each in CSS pixels.
QR_SIZES = """() => [...document.querySelectorAll(".qr img")].filter((code) => code.checkVisibility())
  .map((code) => code.getBoundingClientRect()).filter((box) => box.bottom <= innerHeight && box.right <= innerWidth)
  .map((box) => Math.min(box.width, box.height))"""
WIDE_SCREENS = [{"width": 1024, "height": 768}, {"width": 1920, "height": 1080}]


@pytest.fixture
def club(start_in_process_server):
    """Return a server with eight open tables, one with long names."""
    server = start_in_process_server(8)
    for number, game in enumerate(GAMES * 2):
        open_played_table(server, game, 2, [], LONG_NAMES if number == 1 else NAMES)
    return server


@pytest.mark.parametrize("viewport", WIDE_SCREENS, ids=["tablet", "television"])
def test_eight_tables_fit_a_wide_screen_with_codes_to_scan(club, new_phone, viewport: dict):
    host = new_phone("host", club.address, viewport=viewport, is_mobile=False).become_owner(club.referee.card_facts)
    host.go("/tables")
    expect(host.find(".table-card")).to_have_count(8)
    sizes = host.page.evaluate(QR_SIZES)
    assert len(sizes) == 8 and min(sizes) >= 112
    assert host.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [320, 360])
def test_phone_shows_one_qr_code_at_a_time(club, new_phone, width: int):
    viewport = {"width": width, "height": 640}
    host = new_phone("host", club.address, viewport=viewport).become_owner(club.referee.card_facts)
    host.go("/tables")
    codes = host.find(".table-card details .qr img")
    expect(codes.filter(visible=True)).to_have_count(0)
    for number in (0, 1):
        host.find(".table-card summary").nth(number).tap()
        expect(codes.filter(visible=True)).to_have_count(1)
        box = codes.nth(number).bounding_box()
        assert box and box["width"] >= 180
    assert host.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_list_follows_the_tables_and_requests_no_code_again(club, new_phone):
    host = new_phone("host", club.address, viewport=WIDE_SCREENS[0]).become_owner(club.referee.card_facts)
    table = open_seated_table(club, new_phone, "Zoe", "Yan", shows_pages=False)
    host.go("/tables")
    card = host.find(".table-card", has_text=table.code)
    expect(card).to_contain_text("Not started yet")
    host.wait_until("document.querySelectorAll('.qr img')[0].complete")
    requests: list[str] = []
    host.page.on("request", lambda request: requests.append(request.url))
    table.phones[0].submit_move(table.path, 0, Hike(2))
    expect(card).to_contain_text("’s turn")
    assert not [url for url in requests if url.endswith("qr.svg")]


def test_unfolded_code_and_focus_stay_when_the_list_changes(club, new_phone):
    host = new_phone("host", club.address).become_owner(club.referee.card_facts)
    table = open_seated_table(club, new_phone, "Zoe", "Yan", shows_pages=False)
    host.go("/tables")
    summary = host.find(f"#qr-{table.code} summary")
    summary.focus()
    host.page.keyboard.press("Enter")
    table.phones[0].submit_move(table.path, 0, Hike(2))
    expect(host.find(".table-card", has_text=table.code)).to_contain_text("’s turn")
    expect(host.find(f"#qr-{table.code} .qr")).to_be_visible()
    expect(summary).to_be_focused()


def test_card_leads_to_its_table_by_tap_and_by_keyboard(club, new_phone):
    host = new_phone("host", club.address, viewport=WIDE_SCREENS[0]).become_owner(club.referee.card_facts)
    host.go("/tables")
    first, second = host.find(".table-card").all()[:2]
    code, next_code = (card.locator(".code").text_content() for card in (first, second))
    first.tap()
    host.page.wait_for_url(f"**/t/{code}")
    host.go("/tables")
    second.get_by_role("link").focus()
    host.page.keyboard.press("Enter")
    host.page.wait_for_url(f"**/t/{next_code}")
