"""A tile of a map is picked up with a finger: to set it right, to change it after the game, at an earlier moment of the story."""

import pytest
from playwright.sync_api import expect

from companion.log.repair import Plan
from scoring.alpine_trails.moves.placing import PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.score_entry import PutTile, TellCamp
from scoring.kernel.move import Move
from tests.browser.alpine_trails_thumb import asking, choose, point, spot
from tests.browser.phone import Phone
from tests.browser.seating import Seated, seated
from tests.browser.test_pages_fit import faults
from tests.support.alpine_trails_maps import tile

pytestmark = pytest.mark.browser

ANA, BO = 0, 1
BOS_TRAIL = PlaceTrail("forest", "NS", 2, 0, -1)
PLAYED: list[tuple[int, Move]] = [
    (BO, TakeCamp("forest")),
    (ANA, TakeCamp("rock")),
    (ANA, PlaceTerrain("rock", -1, 0)),
    (BO, BOS_TRAIL),
    (BO, PlaceTrail("meadow", "ES", 3, 0, -2)),
    (ANA, PlaceTrail("wetland", "NESW", 1, 0, 1)),
]


@pytest.fixture
def maps(server, new_phone) -> Seated:
    """Return a table of two who have placed a few tiles."""
    table = seated(server, new_phone, "Ana", "Bo", game="alpine-trails")
    for seat, move in PLAYED:
        table.phones[seat].say(table.path, seat, move)
    return table


def touch(phone: Phone, x: int, y: int) -> None:
    """Tap a cell of the map with a finger, where the map shows it, and wait for what the table says of it."""
    asking(phone, lambda: point(phone, x, y))


def change(phone: Phone, name: str, value: str) -> None:
    """Tap a key for a tile that was picked up."""
    asking(phone, lambda: choose(phone, name, value))


def chosen(phone: Phone) -> list[str]:
    """Return the keys that are on."""
    keys = phone.find('#pad .key[aria-pressed="true"]:visible')
    return keys.evaluate_all("keys => keys.map(key => key.value)")


def fixing(table: Seated) -> Phone:
    """Return Ana's phone, where she sets the map of Bo right."""
    ana = table.phones[ANA]
    ana.go(f"{table.path}/seat/0/tell")
    ana.link("The map of Bo: a tile lies otherwise").tap()
    expect(ana.find(".fixing-note")).to_contain_text("Bo")
    return ana


def test_a_touched_tile_is_picked_up_changed_and_asked_about(maps: Seated):
    ana, bo = fixing(maps), maps.phones[BO]
    touch(ana, 0, -2)
    assert chosen(ana) == ["trail-meadow", "3", "trail-1"]
    expect(ana.find(".placing")).to_contain_text("A 3 mile meadow trail lies here.")
    expect(ana.find(".say")).to_be_hidden()
    touch(ana, 0, -1)
    assert chosen(ana) == ["trail-forest", "2", "trail-1"]
    change(ana, "miles", "1")
    expect(ana.find(".say button")).to_have_text(
        "Ask the table: a 1 mile forest trail instead of a 2 mile forest trail"
    )
    expect(ana.find(".say button")).to_be_in_viewport(ratio=1)
    asked = maps.table.number + 1
    ana.find(".say button").tap()
    maps.all_show(asked)
    bo.button("Agree").tap()
    bo.shows(asked + 1)
    assert tile("NS1f", 0, -1) in maps.table.state.players[BO].tiles
    assert faults(ana) == []


@pytest.mark.long("a rarer case in a browser")
def test_an_empty_cell_begins_with_the_plain_tile_and_one_that_was_described_goes_there(maps: Seated):
    ana = fixing(maps)
    touch(ana, 0, -2)
    touch(ana, 2, 0)
    assert chosen(ana) == ["trail-forest", "2", "trail-1"]
    change(ana, "key", "terrain-rock")
    touch(ana, 0, 1)
    expect(ana.find(".say button")).to_have_text("Ask the table: rock tile, 1 south of base camp")


@pytest.mark.long("a rarer case in a browser")
def test_a_touched_square_of_base_camp_stays_base_camp(maps: Seated):
    ana = fixing(maps)
    touch(ana, 1, 0)
    expect(ana.find(".placing")).to_contain_text("Base camp lies here.")
    change(ana, "key", "base-wetland")
    expect(ana.find(".say button")).to_have_text("Ask the table: base camp with wetland instead of forest")
    expect(ana.button("Ask to take off")).to_have_count(0)


@pytest.mark.long("a rarer case in a browser")
def test_of_a_counted_map_nothing_is_replaced_without_having_been_seen(server, new_phone):
    table = seated(server, new_phone, "Ana", game="alpine-trails-tally")
    ana = table.phones[ANA]
    lying = (
        TellCamp("rock"),
        PutTile(0, -1, "trail", "forest", "NS", 2, 1),
        PutTile(2, 0, "terrain", "meadow", "", 0, 2, "wolf"),
    )
    for move in lying:
        ana.say(table.path, ANA, move)
    ana.go(f"{table.path}/seat/0")
    choose(ana, "key", "campsite")
    touch(ana, 0, -1)
    assert chosen(ana) == ["trail-forest", "2", "trail-1"]
    expect(ana.find(".say")).to_be_hidden()
    change(ana, "key", "campsite")
    expect(ana.find(".say button")).to_have_text("Put it in place of the 2 mile forest trail")
    number = table.table.number
    ana.find(".say button").tap()
    ana.shows(number + 1)
    touch(ana, 2, 0)
    assert chosen(ana) == ["terrain-meadow", "wolf"]
    ana.button("Take it off").tap()
    ana.shows(number + 2)
    assert table.table.state.players[ANA].tiles[2:] == (tile("camp", 0, -1),)
    assert faults(ana) == []


# At an earlier moment


def mending(table: Seated, instead: bool = True) -> str:
    """Return the page on which Ana tells what Bo did instead of placing his first trail, or what is missing before it."""
    step = next(step for step in table.table.steps if step.move == BOS_TRAIL)
    return f"{table.path}/seat/0/mend/{Plan(step.id, int(instead), open=True).packed()}"


@pytest.mark.long("a rarer case in a browser")
def test_a_cell_touched_at_an_earlier_moment_is_of_the_player_it_is_about(maps: Seated):
    ana = maps.phones[ANA]
    ana.go(mending(maps))
    for name, camp in (("Ana", "rock"), ("Bo", "forest"), ("Ana", "rock")):
        ana.find("nav.tabs a", has_text=name).tap()
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text(name)
        point(ana, 2, 0)
        choose(ana, "key", "terrain-meadow")
        expect(ana.find(".bar .say button")).to_have_text("Lies: meadow tile, 2 east of base camp")
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text(name)
        expect(ana.find("#map")).to_have_attribute(
            "aria-label", f"The map of {name}: {3 if name == 'Ana' else 2} tiles"
        )
        expect(ana.find(f'#map .tile[data-mark="0,0"] use[href="#g-{camp}"]')).to_have_count(1)
    assert faults(ana) == []


def test_how_a_map_lay_is_told_with_the_tile_in_the_hand(maps: Seated):
    ana = maps.phones[ANA]
    ana.go(mending(maps, instead=False))
    ana.open("besides")
    ana.link("The map of Ana: a tile lay otherwise").tap()
    expect(ana.find(".fixing-note")).to_contain_text("The map of Ana")
    asking(ana, lambda: point(ana, -1, 0))
    expect(ana.find(".placing")).to_contain_text("A rock tile lies here.")
    change(ana, "key", "terrain-wetland")
    expect(ana.find(".say button")).to_have_text("It lay so: a wetland tile instead of a rock tile")
    assert faults(ana) == []
    ana.find(".say button").tap()
    ana.button("Ask Bo").tap()
    ana.page.wait_for_url("**/seat/0")
    assert maps.table.proposals


@pytest.mark.long("a rarer case in a browser")
def test_without_javascript_a_cell_is_of_the_player_it_is_about_too(server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game="alpine-trails", java_script_enabled=False)
    for seat, move in PLAYED:
        table.phones[seat].say(table.path, seat, move)
    ana = table.phones[ANA]
    ana.go(f"{mending(table)}?as=0&draft.fix=1")
    for _ in range(2):
        spot(ana, 1, 0).dispatch_event("click")
        ana.page.wait_for_url("**draft.at=1,0**")
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text("Ana")
        ana.find('.key[value="base-meadow"]').tap()
        ana.page.wait_for_url("**draft.key=base-meadow**")
        expect(ana.find("nav.tabs [aria-current]")).to_contain_text("Ana")
        expect(ana.find(".say button")).to_have_text("It lay so: base camp with meadow instead of forest")


@pytest.mark.long("a rarer case in a browser")
def test_a_picture_of_the_past_has_no_cells_to_touch(maps: Seated):
    ana = maps.phones[ANA]
    ana.go(f"{maps.path}/log/{maps.table.steps[-1].id}")
    expect(ana.find("#map .tile").first).to_be_visible()
    expect(ana.find("#map a.spot")).to_have_count(0)
