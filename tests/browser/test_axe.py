"""Check every kind of page with axe, in the light and the dark color scheme."""

import re
from pathlib import Path

import pytest
from msgspec import to_builtins

from companion.log.plans import RepairPlan
from companion.service.referee import new_tap
from scoring.games import TRACKED_GAMES
from tests.browser.midgame_tables import (
    GAME_PARTS,
    device,
    general_addresses,
    open_played_table,
    random_game_moves,
    table_addresses,
    take_seat_device,
)
from tests.browser.phone import Phone
from tests.support.lesson_readers import TAUGHT_GAMES
from tests.support.parametrize import TRACKED_KEYS, parametrize_cases
from tests.support.random_results import enter_random_results

pytestmark = pytest.mark.browser

AXE = next((Path(__file__).parent / "vendor").glob("axe-*.min.js")).read_text(encoding="utf-8")
RUN = """async (only) => (await axe.run(document, {resultTypes: ["violations"], ...only && {runOnly: only}})).violations
  .map(({id, nodes}) => `${id}: ` + nodes.slice(0, 3).map(({html}) => html.slice(0, 160)).join(" | "))"""
COLOURS = ["color-contrast", "link-in-text-block"]
OF_A_TABLE = ("", "/board", "/score", "/result", "/print", "/setup", "/ask", "/ask/sides")
OF_A_GAME = (
    "/new/{}",
    "/rules/{}",
    "/box/{}",
    "/pad/{}",
    "/setup-steps/{}",
    "/rules/{}/signs",
    "/demo/{}?frame=14&play=0",
)


def axe_violations(phone: Phone, path: str) -> list[str]:
    """Return the violations axe finds on a page, in the light and the dark scheme."""
    phone.go(path)
    return [re.sub(r"/t/[A-Z]{5}", "", f"{path} {violation}") for violation in axe_violations_now(phone)]


def axe_violations_now(phone: Phone) -> list[str]:
    """Return the violations axe finds on a page as it is, in the light and the dark scheme."""
    phone.page.evaluate(AXE)
    found = []
    for scheme, only in (("light", None), ("dark", COLOURS)):  # Only colors differ in the dark scheme.
        phone.page.emulate_media(color_scheme=scheme)
        found += [f"({scheme}) {violation}" for violation in phone.page.evaluate(RUN, only)]
    phone.page.emulate_media(color_scheme="light")
    return found


@parametrize_cases("part", GAME_PARTS, first=0.5)
@parametrize_cases("game", TRACKED_GAMES)
def test_pages_of_table_have_no_axe_violations(game: str, part: float, start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("anybody", server.address)
    paths = table_addresses(phone, server, game, OF_A_TABLE, game_parts=[part])
    found = [violation for path in paths for violation in axe_violations(phone, path)]
    assert found == [], "\n".join(found)


@parametrize_cases("game", TRACKED_KEYS)
def test_waiting_and_request_have_no_axe_violations(game: str, start_in_process_server, new_phone):
    server, flow = start_in_process_server(8), TRACKED_GAMES[game].flow
    phone = new_phone("anybody", server.address)
    players = TRACKED_GAMES[game].box.player_counts[-1]
    moves = random_game_moves(game, players)
    table = open_played_table(server, game, players, moves[: len(moves) // 2])
    rest = iter(moves[len(moves) // 2 :])
    while len(flow.to_move(table.state)) == players or table.steps[-1].move.is_secret:
        seat, move = next(rest)
        table = server.referee.play(table, device(seat), new_tap(), seat, to_builtins(move))
    waiting = next(seat for seat in range(players) if seat not in flow.to_move(table.state))
    take_seat_device(phone, server, waiting)
    found = axe_violations(phone, f"/t/{table.code}/seat/{waiting}")

    author = table.steps[-1].seat
    asker = next(seat for seat in range(players) if seat != author)
    plan = RepairPlan(table.steps[-1].id, 1)
    table = server.referee.repair(table, device(asker), new_tap(), asker, plan)
    for seat in (asker, author):
        phone.go("about:blank")  # so that the page of the other seat asks for nothing more
        take_seat_device(phone, server, seat)
        for page in (f"seat/{seat}", f"if/{table.proposals[0].number}", "board"):
            found += axe_violations(phone, f"/t/{table.code}/{page}")
    assert found == [], "\n".join(found)


@parametrize_cases("game", TRACKED_KEYS)
def test_colors_and_open_tables_have_no_axe_violations(game: str, start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("anybody", server.address).become_owner(server.referee.card_facts)
    table = open_played_table(server, game, 2, [])
    found = axe_violations(phone, "/tables")
    take_seat_device(phone, server, 0)
    phone.go(f"/t/{table.code}")
    for picker in phone.find(".color-picker > summary").all():
        picker.tap()
        found += axe_violations_now(phone)
    assert found == [], "\n".join(found)


@parametrize_cases("game", TAUGHT_GAMES)
def test_pages_of_a_first_game_have_no_axe_violations(game: str, start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("anybody", server.address)
    table = open_played_table(server, game, 2, [])
    take_seat_device(phone, server, 0)
    seat, learners, name = f"/t/{table.code}/seat/0", server.referee.learners, table.names[0]
    learners.set_taught(device(0), name, game, is_taught=True)
    found = axe_violations(phone, seat) + axe_violations(phone, f"{seat}/lessons")
    table = server.referee.change_setup_guide(table, device(0), new_tap())
    found += axe_violations(phone, seat) + axe_violations(phone, f"/t/{table.code}/board")
    found += axe_violations(phone, f"/t/{table.code}/setup-steps")
    assert found == [], "\n".join(found)


@parametrize_cases("games", [TRACKED_KEYS[:1], TRACKED_KEYS[1:]], ids=["one game", "the others"])
def test_pages_away_from_table_have_no_axe_violations(games: list[str], start_in_process_server, new_phone):
    phone = new_phone("anybody", start_in_process_server(8).address)
    phone.expect_in_console("404")
    found = [violation for path in general_addresses(OF_A_GAME, games) for violation in axe_violations(phone, path)]
    assert found == [], "\n".join(found)


def test_statistics_have_no_axe_violations(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    phone = new_phone("the owner", server.address).become_owner(server.referee.card_facts)
    found = axe_violations(phone, "/history/statistics")
    enter_random_results(server.referee, 60, "another phone")
    phone.go("/history/statistics")
    phone.find("details").evaluate_all("parts => parts.forEach((part) => (part.open = true))")
    found += axe_violations_now(phone)
    found += axe_violations(phone, f"/history/players/{server.referee.players.id('ana')}")
    assert found == [], "\n".join(found)
