"""What axe finds wrong with a page for people who hear it, or see it badly: nothing, on every kind of page, by day and by night."""

import re
from pathlib import Path

import pytest

from scoring.games import PLAYS
from tests.browser.phone import Phone
from tests.browser.tables import PARTS, pages_of_a_table, pages_of_no_table
from tests.support.cases import TRACKED, cases

pytestmark = pytest.mark.browser

AXE = next((Path(__file__).parent / "vendor").glob("axe-*.min.js")).read_text(encoding="utf-8")
RUN = """async (only) => (await axe.run(document, {resultTypes: ["violations"], ...only && {runOnly: only}})).violations
  .map(({id, nodes}) => `${id}: ` + nodes.slice(0, 3).map(({html}) => html.slice(0, 160)).join(" | "))"""
COLOURS = ["color-contrast", "link-in-text-block"]
OF_A_TABLE = ("", "/board", "/score", "/result", "/print", "/setup", "/ask", "/ask/sides")
OF_A_GAME = ("/new/{}", "/rules/{}", "/box/{}", "/pad/{}")


def findings(phone: Phone, path: str) -> list[str]:
    """Return what axe says of a page, light and dark."""
    phone.go(path)
    phone.page.evaluate(AXE)
    found = []
    for scheme, only in (("light", None), ("dark", COLOURS)):  # by night nothing else is otherwise
        phone.page.emulate_media(color_scheme=scheme)
        found += [f"{path} ({scheme}) {each}" for each in phone.page.evaluate(RUN, only)]
    phone.page.emulate_media(color_scheme="light")
    return [re.sub(r"/t/[A-Z]{5}", "", each) for each in found]


@cases("part", PARTS, first=0.5)
@cases("game", PLAYS)
def test_the_pages_of_a_table(game: str, part: float, small_server, new_phone):
    server = small_server(8)
    phone = new_phone("anybody", server.address)
    paths = pages_of_a_table(phone, server, game, OF_A_TABLE, parts=[part])
    found = [each for path in paths for each in findings(phone, path)]
    assert found == [], "\n".join(found)


@cases("games", [TRACKED[:1], TRACKED[1:]], ids=["one game", "the others"])
def test_the_pages_of_no_table(games: list[str], small_server, new_phone):
    phone = new_phone("anybody", small_server(8).address)
    phone.expect_in_console("404")
    found = [each for path in pages_of_no_table(OF_A_GAME, games) for each in findings(phone, path)]
    assert found == [], "\n".join(found)
