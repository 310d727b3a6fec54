"""What axe finds wrong with a page for people who hear it, or see it badly: nothing, on every kind of page, by day and by night."""

import re
from pathlib import Path

import pytest

from scoring.games import PLAYS
from tests.browser.laid import evening, hold, laid
from tests.browser.phone import Phone

pytestmark = pytest.mark.browser

AXE = next((Path(__file__).parent / "vendor").glob("axe-*.min.js")).read_text(encoding="utf-8")
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
  .map(({id, nodes}) => `${id}: ` + nodes.slice(0, 3).map(({html}) => html.slice(0, 160)).join(" | "))"""
PARTS = (0, 0.5, 1)
OF_A_SEAT = ("", "/tell", "/log")
OF_A_TABLE = ("", "/board", "/score", "/print", "/setup")
OF_A_GAME = ("/new/{}", "/rules/{}", "/box/{}", "/pad/{}")
OTHERS = ("/", "/about", "/owner", "/nowhere")


def findings(phone: Phone, path: str) -> list[str]:
    """Return what axe says of a page, light and dark."""
    phone.go(path)
    found = []
    for scheme in ("light", "dark"):
        phone.page.emulate_media(color_scheme=scheme)
        phone.page.evaluate(AXE)
        found += [f"{path} ({scheme}) {each}" for each in phone.page.evaluate(RUN)]
    phone.page.emulate_media(color_scheme="light")
    return [re.sub(r"/t/[A-Z]{5}", "", each) for each in found]


@pytest.mark.parametrize("game", PLAYS)
def test_the_pages_of_a_table(game: str, small_server, new_phone):
    server, play = small_server(8), PLAYS[game]
    players = play.box.seats[-1]
    phone, moves, found = new_phone("anybody", server.address), evening(game, players), []
    for part in PARTS:
        table = laid(server, game, players, moves[: int(part * len(moves))])
        seat = next(iter(play.to_move(table.state)), 0)
        hold(phone, server, seat)
        paths = [f"/t/{table.code}/seat/{seat}{end}" for end in OF_A_SEAT]
        paths += [f"/t/{table.code}{end}" for end in OF_A_TABLE if end != "/setup" or not table.steps]
        found += [each for path in paths for each in findings(phone, path)]
    assert found == [], "\n".join(found)


def test_the_pages_of_no_table(small_server, new_phone):
    server = small_server(8)
    phone = new_phone("anybody", server.address)
    phone.expect_in_console("404")
    paths = [*OTHERS, *(path.format(play.box.key) for play in PLAYS.values() if not play.counting for path in OF_A_GAME)]
    found = [each for path in paths for each in findings(phone, path)]
    assert found == [], "\n".join(found)
