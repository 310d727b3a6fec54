"""Maps on phones: entered after the game, set right by consent, looked at without JavaScript, with five at the table."""

import re

import pytest
from playwright.sync_api import expect

from scoring.alpine.correcting import CorrectTile
from scoring.alpine.placing import PlaceTerrain, TakeCamp
from scoring.alpine.tally import Done, LayLakes, PutTile, TellCamp
from scoring.games import PLAYS
from tests.browser.alpine_hand import aim, say, spot
from tests.browser.hand import press, to_tap
from tests.browser.seating import seated
from tests.browser.test_alpine_games import DESCRIBED, play, told
from tests.told.alpine import Evening

pytestmark = pytest.mark.browser

PLAY = PLAYS["alpine-trails"]
FULL_MAP = 30  # tiles and more, of a player of a whole game


def lying(name: str, seat: int) -> list[PutTile]:
    """Return the tiles of a kept game's map as they are entered: outwards from base camp, lakes and base camp apart."""
    names, moves, _ = told(name)
    state = PLAY.replay(PLAY.usual(names), moves)
    tiles = [tile for tile in state.players[seat].tiles if tile.kind not in ("base", "lake")]
    return [PutTile(tile.x, tile.y, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons) for tile in tiles]


def test_a_whole_map_is_entered_in_few_taps(server, new_phone):
    names, _, _ = told("alpine-trails-2")
    table = seated(server, new_phone, *names, game="alpine-trails-tally")
    phone, taps = table.phones[0], 0
    play(table, [(0, TellCamp("rock"))])
    tiles = lying("alpine-trails-2", 0)
    assert len(tiles) >= FULL_MAP
    for tile in tiles:
        number = table.table.number
        taps += say(phone, tile) + 2  # its cell, and that it lies there
        phone.shows(number + 1)
    assert taps / len(tiles) <= DESCRIBED + 1
    assert {tile.cell for tile in table.table.state.players[0].tiles} >= {tile.placed.cell for tile in tiles}
    play(table, [(0, LayLakes()), (0, Done())])
    assert "lake" in {tile.kind for tile in table.table.state.players[0].tiles}


def test_a_map_is_counted_by_hand(server, new_phone):
    table = seated(server, new_phone, "Maddie", game="alpine-trails-tally")
    phone = table.phones[0]
    part = phone.open("by-hand")
    counted = {
        "forest": 11,
        "rock": 9,
        "meadow": 7,
        "wetland": 6,
        "waterfalls": 23,
        "lakes": 5,
        "tents": 2,
        "animals": 2,
        "path": 16,
        "goal": 7,
    }
    for field, number in counted.items():
        part.locator(f"#count-{field}").fill(str(number))
    press(phone, part.get_by_role("button", name="Write these down"))
    expect(phone.find(".tally-total strong")).to_have_text("109")
    play(table, [(0, Done())])
    phone.follow("/score")
    expect(phone.find("h1")).to_have_text("Trailblazer")


def test_somebody_elses_map_is_set_right_when_they_agree(server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana, bo = table.phones
    play(table, [(0, TakeCamp("rock")), (1, TakeCamp("forest")), (1, PlaceTerrain("forest", -1, 0))])
    ana.follow("/tell")
    ana.link("The map of Bo: a tile lies otherwise").tap()
    expect(ana.find(".fixing-note")).to_contain_text("Bo")
    right = CorrectTile(1, -1, 0, "terrain", "meadow", icons=2)
    asked = table.table.number + 1
    assert say(ana, right) <= DESCRIBED
    table.all_show(asked)
    expect(bo.find(".ask")).to_contain_text("a meadow tile, 1 west of base camp")
    bo.button("Agree").tap()
    bo.shows(asked + 1)
    assert table.table.state.players[1].tiles[-1] == right.placed


def test_a_step_is_undone_with_one_tap_and_the_cell_is_free_again(server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game="alpine-trails")
    ana = table.phones[0]
    play(
        table,
        [(0, TakeCamp("rock")), (1, TakeCamp("forest")), (0, PlaceTerrain("rock", -1, 0)), (1, PlaceTerrain("rock", 2, 0))],
    )
    assert not spot(ana, -1, 0).count()
    undone = table.table.number + 1
    ana.button("Undo", exact=True).first.tap()
    ana.shows(undone)
    expect(spot(ana, -1, 0)).to_have_count(1)


def test_five_phones_play_at_the_same_time(server, new_phone):
    evening = Evening("at once", 5, tiles=10, card=True).play()
    table = seated(server, new_phone, *(player.name for player in evening.state.players), game="alpine-trails")
    lobby = table.phones[0]
    lobby.go(f"{table.path}/setup")
    lobby.find("select[name='setup.tiles']").select_option("10")
    for terrain, animal in (("forest", "bear"), ("rock", "goat"), ("meadow", "wolf"), ("wetland", "moose")):
        lobby.open("animal-card").locator(f"select[name='setup.facts.{terrain}']").select_option(animal)
    lobby.button("Use this set-up").tap()
    lobby.page.wait_for_url(f"**{table.path}")
    lobby.go(f"{table.path}/seat/0")
    assert table.table.setup.facts == evening.setup.facts
    play(table, evening.log, to_tap(evening.log, last=10))
    assert table.table.over
    assert [column.total for column in PLAY.box.score(PLAY.final(table.table.state)).columns] == [
        column.total for column in PLAY.box.score(PLAY.final(evening.state)).columns
    ]


def test_without_javascript_a_tile_is_described_turned_and_placed(server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game="alpine-trails", java_script_enabled=False)
    phone = table.phones[0]
    phone.page.get_by_role("button", name="Rock").tap()
    phone.page.wait_for_load_state()
    phone.find('form.describe input[name="draft.shape"][value="NE"]').check()
    phone.find('form.describe input[name="draft.miles"][value="3"]').check()
    phone.button("Show where it fits").tap()
    phone.page.wait_for_url("**draft.miles=3**")
    spot(phone, 0, -1).dispatch_event("click")
    phone.page.wait_for_url("**draft.x=0**")
    phone.find("a.turn").tap()
    phone.page.wait_for_load_state()
    phone.button("Place it here").tap()
    expect(phone.find("ol.log .entry").first).to_contain_text("Ana placed a 3 mile")
    (tile,) = [tile for tile in table.table.state.players[0].tiles if tile.kind == "trail"]
    assert (tile.cell, tile.miles, "S" in tile.exits) == ((0, -1), 3, True)


# Which point of the map, in its own units, lies under a place in the window; and how wide the map is drawn.
UNDER = """(at) => {
  const svg = document.querySelector("#map-view svg"), box = svg.getBoundingClientRect();
  return { x: (at.x - box.left) / box.width, y: (at.y - box.top) / box.height, width: box.width };
}"""


def test_two_fingers_make_the_map_larger_where_they_are(server, new_phone):
    table = seated(server, new_phone, "Ana", game="alpine-trails")
    phone = table.phones[0]
    play(table, [(0, TakeCamp("rock"))])
    for _ in range(2):  # larger than its window, so that it can be moved in it
        phone.find('.map-tools button[value="in"]').tap()
    box = phone.find("#map-view").bounding_box()
    middle = {"x": box["x"] + box["width"] / 2 + 30, "y": box["y"] + box["height"] / 2 - 20}
    before = phone.page.evaluate(UNDER, middle)
    hand = phone.context.new_cdp_session(phone.page)

    def touch(kind: str, *apart: int) -> None:
        fingers = [{"x": middle["x"] + side * half, "y": middle["y"]} for half in apart for side in (-1, 1)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    version = phone.version
    touch("touchStart", 40)
    for half in (44, 48, 52):
        touch("touchMove", half)
    touch("touchEnd")
    after = phone.page.evaluate(UNDER, middle)
    assert after["width"] == pytest.approx(before["width"] * 52 / 40, rel=0.02)
    assert (after["x"], after["y"]) == pytest.approx((before["x"], before["y"]), abs=2 / before["width"])
    assert phone.version == version and not phone.find(".over").count()  # nothing was tapped


def test_a_map_is_made_larger_and_whole_again_and_stays_where_it_was_looked_at(server, new_phone):
    names, moves, _ = told("alpine-trails-1")
    table = seated(server, new_phone, *names, game="alpine-trails")
    phone = table.phones[0]
    phone.go(f"{table.path}/seat/0")
    play(table, [(seat, move) for seat, move in moves[:1]])
    small = phone.find("#map").bounding_box()["width"]
    phone.find('.map-tools button[value="in"]').tap()
    large = phone.find("#map").bounding_box()["width"]
    assert large > small
    aim(phone, -1, 0)
    assert abs(phone.find("#map").bounding_box()["width"] - large) < 1  # the page was redrawn, the map kept its size
    phone.find('.map-tools button[value="centre"]').tap()
    window = phone.find("#map-view").bounding_box()
    box = phone.find("#map").bounding_box()
    assert box["x"] >= window["x"] - 1 and box["x"] + box["width"] <= window["x"] + window["width"] + 1
    assert box["y"] >= window["y"] - 1 and box["y"] + box["height"] <= window["y"] + window["height"] + 1


def test_choices_tapped_quicker_than_they_are_answered_all_count(server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", game="alpine-trails")
    phone = table.phones[0]
    play(table, [(0, TakeCamp("rock"))])
    phone.page.route("**/now?draft*", lambda route: (phone.page.wait_for_timeout(300), route.continue_()))
    for name, value in (("terrain", "meadow"), ("shape", "NES"), ("miles", "3")):
        phone.find(f'form.describe input[name="draft.{name}"][value="{value}"]').evaluate("radio => radio.click()")
    spot(phone, 0, -1).dispatch_event("click")
    expect(phone.find(".say button")).to_have_attribute(
        "value", re.compile('"terrain":"meadow","exits":"N?E?SW?","miles":3,"x":0,"y":-1')
    )
    phone.page.unroute("**/now?draft*")
    number = table.table.number
    phone.find(".say button").tap()
    phone.shows(number + 1)
    assert [
        (tile.terrain, len(tile.exits), tile.miles) for tile in table.table.state.players[0].tiles if tile.kind == "trail"
    ] == [("meadow", 3, 3)]
