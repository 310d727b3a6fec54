"""Whole games of ALPINE TRAILS through the pages: a short one, a full one, a solo one."""

import pytest
from playwright.sync_api import expect

from scoring.alpine_trails.moves.placing import (
    Discard,
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    TakeCamp,
)
from scoring.alpine_trails.moves.reveals import Finish, NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal, TakeAnimal
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.browser.alpine_trails_taps import find_cell, play_move, submit_button, tap_cell, tap_key
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table, open_table, sit
from tests.browser.trails_taps import moves_to_tap
from tests.golden_games.files import moves_of, read_golden_game
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import page_count

pytestmark = pytest.mark.browser

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
ANA, BO = 0, 1
MAX_TILE_TAPS = 5  # at most: key, miles, cell, and two more on the cell for a fork


def place_trail(x: int, y: int, exits: str, miles: int, terrain: str = "rock") -> PlaceTrail:
    return PlaceTrail(terrain, exits, miles, x, y)


# Five rounds of two players: the moves in the order they are made.
OPENING = [
    (ANA, TakeCamp("rock")),
    (BO, TakeCamp("forest")),
    (ANA, NoteGoal("path-length")),
    (BO, NoteGoal("tent-icons", "any")),
    (ANA, place_trail(0, -1, "NS", 3)),
    (BO, PlaceTerrain("forest", -1, 0)),
    (ANA, place_trail(0, -2, "NS", 2)),
    (BO, place_trail(0, -1, "NSW", 1, "meadow")),
    (ANA, TakeAnimal("meadow", "wolf")),
]
AT_SIX_MILES = [
    (ANA, place_trail(0, -3, "NS", 1)),
    (BO, Discard()),
    (ANA, PlaceCampsite(0, -4)),
    (BO, PlaceTerrain("rock", 2, 0)),
]
LOOP = [
    (ANA, place_trail(0, 1, "NE", 1, "wetland")),
    (BO, PlaceTerrain("rock", 2, 1)),
    (ANA, place_trail(1, 1, "NW", 2, "wetland")),
    (ANA, PlaceWaterfall(0, 2)),
    (BO, PlaceTerrain("meadow", 1, -1)),
]
REST = [
    (ANA, PlaceTerrain("meadow", 2, 0)),
    (ANA, PlaceAnimal("wolf", 2, 0)),
    (ANA, place_trail(-1, 0, "NEW", 3, "forest")),
    (BO, TakeAnimal("forest", "bear")),
    (BO, PlaceAnimal("bear", -1, 0)),
    (BO, PlaceTerrain("forest", -2, 0)),
    (BO, PlaceTerrain("forest", -1, 1)),
    (ANA, PlaceTerrain("rock", 2, 1)),
    (ANA, PlaceTerrain("rock", 1, -1)),
    (BO, PlaceTerrain("wetland", 3, 0)),
    (BO, place_trail(0, 1, "NS", 3, "wetland")),
    (ANA, Finish()),
    (BO, Finish()),
]


@pytest.mark.long("a whole game in a browser")
def test_two_phones_play_short_game_with_every_kind_of_move(server, new_phone):
    table = short_table(server, new_phone, rounds=5)
    board = new_phone("board", viewport=TABLET_SIZE)
    board.go(f"{table.path}/board")

    play_moves(table, OPENING)
    assert_refused_at_five_miles(table.phones[ANA])
    play_moves(table, AT_SIX_MILES)
    play_moves(table, LOOP)
    assert [tile.kind for tile in table.table.state.players[ANA].tiles].count("waterfall") == 1
    play_moves(table, REST)

    state = table.table.state
    assert table.table.is_over
    assert {tile.animal for player in state.players for tile in player.tiles if tile.animal} == {"wolf", "bear"}
    assert (state.facts.meadow, state.facts.forest) == ("wolf", "bear")
    assert_lakes_at_every_end(table)
    board.wait_for_version(table.table.version)
    expect(board.find("svg.alpine")).to_have_count(2)
    assert_score_highlights_tiles(table)
    assert_sheet_has_maps(table)


def short_table(server, new_phone, rounds: int) -> SeatedTable:
    """Open a table by the pages, put fewer tiles into the bag, seat both players."""
    ana, bo = new_phone("Ana"), new_phone("Bo")
    open_table_of(ana, server, "Ana", "Bo")
    lobby = ana.page.url
    ana.follow_link("/setup")
    ana.find("select[name='setup.tiles']").select_option(str(4 * rounds))
    ana.button("Save the setup").tap()
    ana.page.wait_for_url(lobby)
    bo.go(lobby)
    for phone in (ana, bo):
        sit(phone, phone.name)
    return SeatedTable(server, lobby.rpartition("/")[2], (ana, bo))


def open_table_of(host: Phone, server, *names: str) -> None:
    open_table(host, *names, game="alpine-trails")


def play_moves(table: SeatedTable, moves: list[tuple[int, Move]], tapped: set[int] | None = None) -> None:
    """Play moves, each on its own phone, all or some by taps; assert that every page shows them."""
    for index, (seat, move) in enumerate(moves):
        number = table.table.version
        table.wait_for_version(number)
        if tapped is None or index in tapped:
            assert play_move(table.phones[seat], move) <= MAX_TILE_TAPS
        else:
            table.phones[seat].submit_move(table.path, seat, move)
        table.wait_for_version(number + 1)


def assert_refused_at_five_miles(phone: Phone) -> None:
    """Tap the trail's end for a campsite; assert that the page shows the distance and no button."""
    tap_key(phone, "key", "campsite")
    assert "refused" in find_cell(phone, 0, -3).get_attribute("class")
    tap_cell(phone, 0, -3)
    expect(phone.find(".tile-placement .objection")).to_contain_text(
        "Base camp is only 5 miles away by trail (2 + 3). A campsite needs 6 miles: 1 more."
    )
    expect(submit_button(phone)).to_be_hidden()


def assert_lakes_at_every_end(table: SeatedTable) -> None:
    lakes = [{tile.cell for tile in player.tiles if tile.kind == "lake"} for player in table.table.state.players]
    assert lakes == [{(-1, -1), (-2, 0)}, {(0, -2), (-1, -1), (0, 2)}]


def assert_score_highlights_tiles(table: SeatedTable) -> None:
    """Assert that tapping a line of the score highlights just its tiles, and again clears them."""
    phone = table.phones[ANA]
    phone.follow_link("/score")
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state))
    assert phone.find("table.scores tr.total td").all_inner_texts() == [str(column.total) for column in sheet.columns]
    phone.find('table.scores a[href="#lines-0-lakes"]').tap()
    lakes = {f"{tile.x},{tile.y}" for tile in table.table.state.players[0].tiles if tile.kind == "lake"}
    assert (
        set(phone.find("#lines-0 .tile.highlighted").evaluate_all("tiles => tiles.map(tile => tile.dataset.mark)"))
        == lakes
    )
    phone.find("#lines-0-lakes").tap()
    for number, column in enumerate(sheet.columns):
        part = phone.find(f"#lines-{number}")
        for line in (line for line in column.lines if line.marks):
            shown = part.locator("li.line", has_text=line.because).filter(has_text=line.label).first.locator(".label")
            shown.tap()
            lit = part.locator(".tile.highlighted").evaluate_all("tiles => tiles.map(tile => tile.dataset.mark)")
            assert sorted(lit) == sorted(set(line.marks)), line
            shown.tap()
            assert part.locator(".tile.highlighted").count() == 0


def assert_sheet_has_maps(table: SeatedTable) -> None:
    phone = table.phones[ANA]
    for size in ("a4", "letter"):
        paper = phone.request_sheet(size)
        assert paper.body().startswith(b"%PDF-") and page_count(paper.body()) == 1
    phone.follow_link("/print")
    expect(phone.find(".map-row svg")).to_have_count(2)


def read_game(name: str) -> tuple[list[str], list[tuple[int, Move]], dict]:
    """Return a golden game: the players, every move, the result."""
    game = read_golden_game(name)
    return [player["name"] for player in game["setup"]["players"]], moves_of(game), game["result"]


@pytest.mark.long("a whole game in a browser")
@parametrize_cases("name", ["alpine-trails-2", "alpine-trails-1"], ids=["two-players", "solo"])
def test_whole_game_of_full_length_is_played_through_pages(name, server, new_phone):
    """Play a full game; only its last rounds are tapped, on maps of full size."""
    names, moves, result = read_game(name)
    table = open_seated_table(server, new_phone, *names, game="alpine-trails")
    play_moves(table, moves, moves_to_tap(moves, last_moves=16))
    assert table.table.is_over
    phone = table.phones[0]
    phone.follow_link("/score")
    totals = [str(player["total"]) for player in result["players"]]
    assert phone.find("table.scores tr.total td").all_inner_texts() == totals
    title = result["players"][0].get("title")
    expect(phone.find("h1")).to_contain_text(title or "win")
