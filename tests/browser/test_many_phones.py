"""Twelve phones at one table, with the real server."""

import pytest

from scoring.trails.moves.hiking import Hike
from tests.browser.phone import PHONE_SIZE
from tests.browser.seated_tables import open_seated_table

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bo", "Cleo", "Dimitri")
PAGES = ("/board", "/board", "/score", "", "/board", "/score", "", "/board")


@pytest.mark.long("a rarer case in a browser")
def test_twelve_phones_follow_a_move_and_a_thirteenth_is_answered(server, new_phone):
    table = open_seated_table(server, new_phone, *NAMES)
    watching = [new_phone(f"watching-{number}", viewport=PHONE_SIZE) for number in range(len(PAGES))]
    for phone, page in zip(watching, PAGES, strict=True):
        with phone.page.expect_response(lambda answer: answer.url.endswith("/live") and answer.ok, timeout=20_000):
            phone.go(f"{table.path}{page}")
    everybody = (*table, *watching)
    assert len(everybody) == 12
    version = table.play(0, Hike(2))
    for phone in everybody:
        phone.wait_for_version(version)
    thirteenth = new_phone("thirteenth")
    answer = thirteenth.page.request.get(f"{table.path}/board")
    assert answer.ok
