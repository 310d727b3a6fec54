"""Fix a tile of a map by touching it: for a correction, after the game, in a repair."""

import pytest
from playwright.sync_api import expect

from companion.log.plans import RepairPlan
from scoring.alpine_trails.moves.placing import PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.score_entry import EnterCamp, PutTile
from scoring.kernel.move import Move
from tests.browser.alpine_trails_taps import find_cell, tap_and_wait, tap_cell, tap_key
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_pages_fit import page_faults
from tests.support.alpine_trails_maps import parse_tile

pytestmark = pytest.mark.browser

ANA, BO = 0, 1
BOS_TRAIL = PlaceTrail("forest", "NS", 2, 0, -1)
PLAYED_MOVES: list[tuple[int, Move]] = [
    (BO, TakeCamp("forest")),
    (ANA, TakeCamp("rock")),
    (ANA, PlaceTerrain("rock", -1, 0)),
    (BO, BOS_TRAIL),
    (BO, PlaceTrail("meadow", "ES", 3, 0, -2)),
    (ANA, PlaceTrail("wetland", "NESW", 1, 0, 1)),
]


@pytest.fixture
def table_with_maps(server, new_phone) -> SeatedTable:
    """Return a table of two players who have placed a few tiles."""
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    for seat, move in PLAYED_MOVES:
        table.phones[seat].submit_move(table.path, seat, move)
    return table


def tap_cell_and_wait(phone: Phone, x: int, y: int) -> None:
    """Tap a cell of the map where the map shows it, and wait for the server's answer."""
    tap_and_wait(phone, lambda: tap_cell(phone, x, y))


def tap_tile_key(phone: Phone, name: str, value: str) -> None:
    """Tap a key for a tile that was picked up."""
    tap_and_wait(phone, lambda: tap_key(phone, name, value))


def pressed_keys(phone: Phone) -> list[str]:
    """Return the keys that are pressed."""
    keys = phone.find('#tile-form .key[aria-pressed="true"]:visible')
    return keys.evaluate_all("keys => keys.map(key => key.value)")


def open_map_fix(table: SeatedTable) -> Phone:
    """Return Ana's phone with the page that fixes Bo's map."""
    ana = table.phones[ANA]
    ana.go(f"{table.path}/seat/0/tell")
    ana.link("Fix Bo’s map").tap()
    expect(ana.find(".editing-note")).to_contain_text("Bo")
    return ana


def test_touched_tile_is_picked_up_changed_and_proposed(table_with_maps: SeatedTable):
    ana, bo = open_map_fix(table_with_maps), table_with_maps.phones[BO]
    tap_cell_and_wait(ana, 0, -2)
    assert pressed_keys(ana) == ["trail-meadow", "bend", "3", "trail-1"]
    expect(ana.find(".tile-placement")).to_contain_text("3-mile meadow bend.")
    expect(ana.find(".confirm-form")).to_be_hidden()
    tap_cell_and_wait(ana, 0, -1)
    assert pressed_keys(ana) == ["trail-forest", "straight", "2", "trail-1"]
    tap_tile_key(ana, "miles", "1")
    expect(ana.find(".confirm-form button")).to_have_text("Ask the table: 2 miles → 1 mile")
    expect(ana.find(".confirm-form button")).to_be_in_viewport(ratio=1)
    question_version = table_with_maps.table.version + 1
    ana.find(".confirm-form button").tap()
    table_with_maps.wait_for_version(question_version)
    bo.button("Agree").tap()
    bo.wait_for_version(question_version + 1)
    assert parse_tile("NS1f", 0, -1) in table_with_maps.table.state.players[BO].tiles
    assert page_faults(ana) == []


@pytest.mark.long("a rarer case in a browser")
def test_empty_cell_starts_with_plain_tile_or_described_tile(table_with_maps: SeatedTable):
    ana = open_map_fix(table_with_maps)
    tap_cell_and_wait(ana, 0, -2)
    tap_cell_and_wait(ana, 2, 0)
    assert pressed_keys(ana) == ["trail-forest", "straight", "2", "trail-1"]
    tap_tile_key(ana, "key", "terrain-rock")
    tap_cell_and_wait(ana, 0, 1)
    expect(ana.find(".confirm-form button")).to_have_text("Ask the table: add rock terrain, just south")


@pytest.mark.long("a rarer case in a browser")
def test_touched_base_camp_square_stays_base_camp(table_with_maps: SeatedTable):
    ana = open_map_fix(table_with_maps)
    tap_cell_and_wait(ana, 1, 0)
    expect(ana.find(".tile-placement")).to_contain_text("Base camp.")
    tap_tile_key(ana, "key", "base-wetland")
    expect(ana.find(".confirm-form button")).to_have_text("Ask the table: forest → wetland")
    expect(ana.button("Ask to remove")).to_have_count(0)


@pytest.mark.long("a rarer case in a browser")
def test_counted_map_is_not_replaced_before_it_was_shown(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", game="alpine-trails-tally")
    ana = table.phones[ANA]
    map_moves = (
        EnterCamp("rock"),
        PutTile(0, -1, "trail", "forest", "NS", 2, 1),
        PutTile(2, 0, "terrain", "meadow", "", 0, 2, "wolf"),
    )
    for move in map_moves:
        ana.submit_move(table.path, ANA, move)
    ana.go(f"{table.path}/seat/0")
    tap_key(ana, "key", "campsite")
    tap_cell_and_wait(ana, 0, -1)
    assert pressed_keys(ana) == ["trail-forest", "straight", "2", "trail-1"]
    expect(ana.find(".confirm-form")).to_be_hidden()
    tap_tile_key(ana, "key", "campsite")
    expect(ana.find(".confirm-form button")).to_have_text("Fix it: straight 2-mile forest trail → campsite")
    number = table.table.version
    ana.find(".confirm-form button").tap()
    ana.wait_for_version(number + 1)
    tap_cell_and_wait(ana, 2, 0)
    assert pressed_keys(ana) == ["terrain-meadow", "wolf"]
    ana.button("Remove this tile").tap()
    ana.wait_for_version(number + 2)
    assert table.table.state.players[ANA].tiles[2:] == (parse_tile("camp", 0, -1),)
    assert page_faults(ana) == []


# Repairs of an earlier step


def open_placement_repair(table: SeatedTable, instead: bool = True) -> str:
    """Return the page where Ana enters a move instead of, or before, Bo's first trail."""
    step = next(step for step in table.table.steps if step.move == BOS_TRAIL)
    return f"{table.path}/seat/0/mend/{RepairPlan(step.id, int(instead), is_open=True).encode()}"


@pytest.mark.long("a rarer case in a browser")
def test_cell_touched_in_repair_belongs_to_the_repaired_player(table_with_maps: SeatedTable):
    ana = table_with_maps.phones[ANA]
    ana.go(open_placement_repair(table_with_maps))
    for name, camp in (("Ana", "rock"), ("Bo", "forest"), ("Ana", "rock")):
        ana.find("nav.tabs a", has_text=name).tap()
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text(name)
        tap_cell(ana, 2, 0)
        tap_key(ana, "key", "terrain-meadow")
        expect(ana.find(".confirm-bar .confirm-form button")).to_have_text("Place it: meadow terrain, just east")
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text(name)
        expect(ana.find("#map")).to_have_attribute("aria-label", f"{name}’s map: {3 if name == 'Ana' else 2} squares")
        expect(ana.find(f'#map .tile[data-mark="0,0"][href$="#base-{camp}"]')).to_have_count(1)
    assert page_faults(ana) == []


def test_map_at_earlier_step_is_fixed_with_picked_up_tile(table_with_maps: SeatedTable):
    ana = table_with_maps.phones[ANA]
    ana.go(open_placement_repair(table_with_maps, instead=False))
    ana.unfold("other-facts")
    ana.link("Fix Ana’s map").tap()
    expect(ana.find(".editing-note")).to_contain_text("Ana’s map")
    tap_and_wait(ana, lambda: tap_cell(ana, -1, 0))
    expect(ana.find(".tile-placement")).to_contain_text("Rock terrain tile.")
    tap_tile_key(ana, "key", "terrain-wetland")
    expect(ana.find(".confirm-form button")).to_have_text("Fix it: rock → wetland")
    assert page_faults(ana) == []
    ana.find(".confirm-form button").tap()
    ana.button("Ask Bo").tap()
    ana.page.wait_for_url("**/seat/0")
    assert table_with_maps.table.proposals


@pytest.mark.long("a rarer case in a browser")
def test_cell_in_repair_without_javascript_belongs_to_the_repaired_player(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails", java_script_enabled=False)
    for seat, move in PLAYED_MOVES:
        table.phones[seat].submit_move(table.path, seat, move)
    ana = table.phones[ANA]
    ana.go(f"{open_placement_repair(table)}?as=0&draft.fix=1")
    for _ in range(2):
        find_cell(ana, 1, 0).dispatch_event("click")
        ana.page.wait_for_url("**draft.at=1,0**")
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text("Ana")
        ana.find('.key[value="base-meadow"]').tap()
        ana.page.wait_for_url("**draft.key=base-meadow**")
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text("Ana")
        expect(ana.find(".confirm-form button")).to_have_text("Fix it: forest → meadow")


@pytest.mark.long("a rarer case in a browser")
def test_picture_of_past_step_has_no_cells_to_touch(table_with_maps: SeatedTable):
    ana = table_with_maps.phones[ANA]
    ana.go(f"{table_with_maps.path}/log/{table_with_maps.table.steps[-1].id}")
    expect(ana.find("#map .tile").first).to_be_visible()
    expect(ana.find("#map a.hotspot")).to_have_count(0)
