"""ALPINE TRAILS: building a tile move on a phone: defaults, rotation, fitting cells."""

import random

import pytest
from msgspec.structs import replace

from scoring.alpine_trails.entry_state import EntrySetup
from scoring.alpine_trails.map.fitting import legal_exits, loop_closing_exits
from scoring.alpine_trails.map.tiles import PlacedTile, Tile
from scoring.alpine_trails.map.trails import closed_loops
from scoring.alpine_trails.moves.corrections import CorrectTile, RemoveTile
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.score_entry import EnterCamp, PutTile, TakeOff
from scoring.alpine_trails.state import State
from scoring.games import TRACKED_GAMES
from tests.support.alpine_trails_maps import parse_tile, random_map
from tests.support.alpine_trails_table import ANA, BASE_CAMP, BO, TRACKED_GAME, make_state, state_after, with_ana
from tests.support.parametrize import run_all_rows


def build_draft(state: State, seat: int = ANA, **choices: str):
    """Return the move under construction after these choices."""
    return TRACKED_GAME.view_helpers["draft"](state, seat, choices)


def placements(found) -> dict[tuple[int, int], str]:
    """Return how the tile fits, by cell."""
    return {(spot.x, spot.y): spot.fit for spot in found.spots}


def test_first_tile_starts_from_common_defaults():
    found = build_draft(make_state())
    assert (found.mode, found.held_kind, found.choices) == ("play", "trail", ("trail", "terrain", "campsite"))
    assert (found.terrain, found.exits, found.miles, found.icons) == ("forest", "NS", 2, 1)
    assert found.target_cell is None and found.move is None


def test_next_tile_starts_from_the_last_placed_one():
    found = build_draft(state_after(make_state(), PlaceTrail("wetland", "ES", 3, 0, -1)))
    assert (found.terrain, found.miles, found.icons) == ("wetland", 3, 1)
    found = build_draft(state_after(make_state(), PlaceTrail("wetland", "NES", 3, 0, -1)), terrain="meadow", miles="1")
    assert (found.terrain, found.miles) == ("meadow", 1)
    found = build_draft(state_after(make_state(), PlaceTrail("wetland", "ES", 3, 0, -1)), what="terrain")
    assert found.held_tile == Tile("terrain", "wetland", icons=2)


def test_cells_are_marked_by_how_the_tile_fits():
    state = make_state(ana_map=(*BASE_CAMP, parse_tile("NS2f", 0, -1)))
    lit = placements(build_draft(state, what="trail"))
    assert (lit[0, -2], lit[2, 0], lit[1, 1], lit[-1, -1]) == ("fits", "fits", "fits", "refused")
    lit = placements(build_draft(state, what="terrain"))
    assert (lit[0, -2], lit[1, -1], lit[2, 0]) == ("refused", "fits", "fits")


def find_cell(found, x: int, y: int):
    return next(spot for spot in found.spots if (spot.x, spot.y) == (x, y))


def test_draft_has_the_fitting_exits_and_loops_of_every_cell():
    bent = (
        *BASE_CAMP,
        parse_tile("NE1w", 0, 1),
        PlacedTile(3, 0, "terrain", "forest", icons=2),
        PlacedTile(2, 0, "terrain", "rock", icons=2),
    )
    found = build_draft(with_ana(make_state(ana_map=bent), kept_animals=("goat",)))
    assert found.choices == ("trail", "terrain", "campsite", "goat")
    assert find_cell(found, 1, 1).exits == ("EW", "SW", "NW", "ESW", "NSW", "NEW", "NESW")
    assert find_cell(found, 1, 1).loop_exits == ("NW", "NSW", "NEW", "NESW")
    assert (find_cell(found, 1, 1).other_kinds, find_cell(found, 0, -1).other_kinds) == ((), ("terrain",))
    assert [(spot.x, spot.other_kinds) for spot in found.spots if spot.is_animal_spot] == [(2, ("goat",))]


@pytest.mark.parametrize("seed", range(20))
def test_exits_marked_as_closing_a_loop_are_those_that_earn_a_waterfall(seed: int):
    tiles = random_map(random.Random(seed), 20, camp_interval=5)
    for rulings in ({}, {"loop-through-camps": "no"}):
        for cell, fitting in legal_exits(tiles).items():
            for exits in fitting:
                earned = closed_loops(tiles, PlacedTile(*cell, "trail", "rock", exits, 1, 1), rulings)
                assert (exits in loop_closing_exits(tiles, rulings).get(cell, ())) == bool(earned), (
                    cell,
                    exits,
                    rulings,
                )


@run_all_rows(
    "fields, move",
    [
        ({"key": "trail-rock", "x": "0", "y": "-1"}, PlaceTrail("rock", "NS", 2, 0, -1)),
        ({"what": "trail", "x": "2", "y": "0"}, PlaceTrail("rock", "EW", 2, 2, 0)),
        ({"what": "trail", "way": "SW", "x": "0", "y": "-1", "miles": "3"}, PlaceTrail("rock", "SW", 3, 0, -1)),
        ({"what": "trail", "way": "NE", "x": "0", "y": "-1"}, PlaceTrail("rock", "ES", 2, 0, -1)),
        ({"what": "trail", "shape": "bend", "x": "0", "y": "-1"}, PlaceTrail("rock", "ES", 2, 0, -1)),
        ({"what": "trail", "shape": "fork", "way": "NS", "x": "0", "y": "-1"}, PlaceTrail("rock", "NES", 2, 0, -1)),
        ({"what": "trail", "shape": "fork", "way": "ESW", "x": "0", "y": "-1"}, PlaceTrail("rock", "ESW", 2, 0, -1)),
        ({"what": "terrain", "icons": "1", "x": "2", "y": "0"}, PlaceTerrain("rock", 2, 0)),
        ({"key": "terrain-wetland", "what": "trail", "x": "2", "y": "0"}, PlaceTerrain("wetland", 2, 0)),
        ({"key": "trail-forest", "icons": "trail-3", "x": "0", "y": "-1"}, PlaceTrail("forest", "NS", 2, 0, -1, 3)),
    ],
)
def test_tile_over_a_cell_has_the_chosen_shape_in_its_first_fitting_rotation(fields, move):
    found = build_draft(make_state(), **{"terrain": "rock", **fields})
    assert (found.move, found.objections) == (move, ())
    assert found.placed_tile == move.placed


def test_tap_on_the_tile_takes_the_next_fitting_exits():
    seen, fields = [], {"what": "trail", "x": "0", "y": "-1"}
    for _ in range(7):
        found = build_draft(make_state(), **fields)
        seen.append(found.exits)
        fields["way"] = found.next_exits
    assert seen == ["NS", "ES", "SW", "NES", "ESW", "NSW", "NESW"]
    assert found.next_exits == "NS"


@run_all_rows(
    "fields, text",
    [
        ({"key": "trail-meadow", "miles": "3", "x": "0", "y": "-1"}, "3-mile meadow straight, just north"),
        ({"key": "trail-meadow", "way": "NES", "x": "0", "y": "-1"}, "2-mile meadow fork, just north"),
        ({"key": "terrain-rock", "x": "2", "y": "0"}, "rock terrain, just east"),
        ({"key": "campsite", "x": "2", "y": "0"}, "campsite, just east"),
    ],
)
def test_draft_describes_the_tile_and_its_direction(fields, text):
    assert build_draft(make_state(), **fields).text == text


def test_draft_of_a_waterfall_describes_its_direction():
    assert build_draft(with_ana(make_state(), waterfalls_to_place=1), x="2", y="0").text == "waterfall, just east"


def test_next_trail_has_the_shape_of_the_last_one():
    bend = make_state(ana_map=(*BASE_CAMP, parse_tile("ES2f", 0, -1)))
    assert (build_draft(make_state()).shape, build_draft(bend).shape) == ("straight", "bend")


def test_refused_cell_has_its_reasons():
    state = make_state(ana_map=(*BASE_CAMP, parse_tile("NS2f", 0, -1)))
    found = build_draft(state, what="terrain", x="0", y="-2")
    assert [reason.text for reason in found.objections] == [
        "This would block the trail to the south (straight 2-mile forest trail)."
    ]
    found = build_draft(state, what="campsite", x="0", y="-2")
    assert found.move == PlaceCampsite(0, -2)
    assert [reason.rule.id for reason in found.objections] == ["campsite-six"]


def test_campsite_fits_trail_ends_by_their_miles():
    lit = placements(build_draft(make_state(ana_map=". EW3f EW3f Br Br EW1f ."), what="campsite"))
    assert [cell for cell, fit in lit.items() if fit == "fits"] == [(0, 0)]
    assert lit[6, 0] == "refused"


def test_earned_waterfall_comes_first():
    found = build_draft(with_ana(make_state(), waterfalls_to_place=1), x="2", y="0")
    assert (found.held_kind, found.move) == ("waterfall", PlaceWaterfall(2, 0))


def test_second_campsite_of_a_round_is_not_offered():
    assert build_draft(with_ana(make_state(), has_placed_campsite=True, tiles_used=1)).choices == ("trail", "terrain")


def test_kept_animal_fits_tiles_of_its_terrain():
    grove = (*BASE_CAMP, PlacedTile(2, 0, "terrain", "forest", icons=2), PlacedTile(3, 0, "terrain", "rock", icons=2))
    found = build_draft(
        with_ana(make_state(ana_map=grove), kept_animals=("bear",), tiles_used=2, offered_forks=("rock",)), x="2", y="0"
    )
    assert (found.held_kind, {(spot.x, spot.y): spot.fit for spot in found.spots if spot.is_animal_spot}) == (
        "bear",
        {(2, 0): "fits", (3, 0): "refused"},
    )
    assert (found.move, found.objections) == (PlaceAnimal("bear", 2, 0), ())


def test_player_who_has_played_both_tiles_only_looks():
    found = build_draft(with_ana(make_state(), tiles_used=2))
    assert (found.mode, found.held_kind, found.spots) == ("look", "", ())


def test_map_is_corrected_with_any_tile_in_any_cell():
    state = replace(make_state(ana_map=(*BASE_CAMP, parse_tile("NS2f", 0, -1))), is_play_over=True)
    found = build_draft(state, BO, fix="0", what="lake", x="0", y="-2")
    assert (found.mode, found.map_seat, found.choices) == (
        "fix",
        ANA,
        ("trail", "terrain", "campsite", "waterfall", "lake"),
    )
    assert (found.move, found.remove_move) == (CorrectTile(ANA, 0, -2, "lake"), None)
    found = build_draft(state, BO, fix="0", what="terrain", terrain="rock", x="0", y="-1", of="0,-1")
    assert (found.move, found.remove_move) == (
        CorrectTile(ANA, 0, -1, "terrain", "rock", icons=2),
        RemoveTile(ANA, 0, -1),
    )
    found = build_draft(state, BO, fix="0", terrain="meadow", x="1", y="0", icons="2", of="1,0")
    assert (found.move, found.remove_move) == (CorrectTile(ANA, 1, 0, "base", "meadow", icons=2), None)


@run_all_rows(
    "fields, icons",
    [
        ({"what": "trail"}, 1),  # As printed on the square.
        ({"what": "terrain"}, 1),
        ({"what": "terrain", "icons": "base-2"}, 2),
        ({"what": "trail", "icons": "trail-3"}, 1),  # Chosen for another tile.
    ],
)
def test_square_of_base_camp_has_its_own_icons(fields, icons):
    found = build_draft(make_state(ana_map="r Br Br"), BO, fix="0", terrain="meadow", x="1", y="0", of="1,0", **fields)
    assert (found.held_kind, found.move) == ("base", CorrectTile(ANA, 1, 0, "base", "meadow", icons=icons))


WOLF_AT_2 = (
    *BASE_CAMP,
    PlacedTile(2, 0, "terrain", "meadow", icons=2, animal="wolf"),
    PlacedTile(3, 0, "terrain", "rock", icons=2),
)


@run_all_rows(
    "fields, x, animal",
    [
        ({}, "2", "wolf"),  # No choice was made, so the animal stays.
        ({"animal": "yeti", "of": "2,0"}, "2", "wolf"),
        ({"animal": "none", "of": "2,0"}, "2", None),
        ({"animal": "bear", "of": "2,0"}, "2", "bear"),
        ({"animal": "bear"}, "2", "wolf"),  # Chosen for another tile.
        ({"animal": "bear"}, "4", "bear"),
        ({"of": "2,0"}, "3", None),
    ],
)
def test_animal_stays_on_a_corrected_tile_until_another_is_chosen(fields, x, animal):
    state = make_state(ana_map=WOLF_AT_2, round="over")
    found = build_draft(state, BO, fix="0", what="terrain", x=x, y="0", **fields)
    assert (found.move.kind, found.move.x, found.move.animal) == ("terrain", int(x), animal)


def test_map_is_entered_after_the_game():
    tally = TRACKED_GAMES["alpine-trails-tally"].initial_state(EntrySetup(("Ana", "Bo")))
    assert TRACKED_GAMES["alpine-trails-tally"].view_helpers["draft"](tally, ANA, {}).choices == ()
    tally = TRACKED_GAMES["alpine-trails-tally"].play(tally, ANA, EnterCamp("rock"))
    fields = {"what": "terrain", "terrain": "meadow", "animal": "wolf", "x": "2", "y": "0"}
    found = TRACKED_GAMES["alpine-trails-tally"].view_helpers["draft"](tally, ANA, fields)
    assert (found.mode, found.move) == ("enter", PutTile(2, 0, "terrain", "meadow", icons=2, animal="wolf"))
    tally = TRACKED_GAMES["alpine-trails-tally"].play(tally, ANA, found.move)
    assert TRACKED_GAMES["alpine-trails-tally"].view_helpers["draft"](tally, ANA, fields).remove_move == TakeOff(2, 0)


@run_all_rows(
    "fields",
    [
        {"what": "castle", "way": "X", "miles": "9", "icons": "x", "terrain": "sea", "animal": "yeti"},
        {"x": "99999999", "y": "-"},
        {"x": "\u0664", "y": "--1", "way": "-1"},
        {"fix": "7"},
        {"what": ["trail"], "x": None},
        {"key": "castle-"},
        {"key": ["trail-rock"]},
    ],
)
def test_draft_is_built_from_any_address(fields):
    found = TRACKED_GAME.view_helpers["draft"](make_state(), ANA, fields)
    assert (found.held_kind, found.exits, found.miles) == ("trail", "NS", 2)
    assert found.move is None


# Picking up a tile of the map

PICKED = make_state(
    ana_map=(
        *BASE_CAMP,
        parse_tile("NS2f", 0, -1),
        parse_tile("ES3w", 0, -2),
        parse_tile("lake", 1, -2),
        PlacedTile(2, 0, "terrain", "meadow", "", 0, 2, "wolf"),
    )
)


@run_all_rows("tile", PICKED.players[ANA].tiles, ids=lambda tile: tile.kind + tile.exits)
def test_tap_on_a_tile_of_the_map_picks_it_up_unchanged(tile):
    last = {"what": "trail", "terrain": "rock", "way": "NESW", "miles": "1", "icons": "trail-3", "of": "5,5"}
    for fields in ({}, last, {**last, "of": ""}):
        found = build_draft(PICKED, BO, **fields, fix="0", x=str(tile.x), y=str(tile.y))
        assert (found.placed_tile, found.picked_up, found.text) == (tile, tile, "")
        assert [reason.code for reason in found.objections] == ["no-change"]


@run_all_rows(
    "cell, fields, text",
    [
        ((0, -1), {"miles": "3"}, "2 miles → 3 miles"),
        ((0, -1), {"what": "terrain"}, "straight 2-mile forest trail → forest terrain tile"),
        ((0, -1), {"way": "EW"}, "north and south → east and west"),
        ((0, -1), {"way": "NE"}, "straight → bend (north and east)"),
        ((0, -1), {"icons": "trail-2"}, "1 icon → 2 icons"),
        ((0, -2), {"way": "NES"}, "bend → fork (north, east and south)"),
        ((1, -2), {"what": "campsite"}, "lake → campsite"),
        ((2, 0), {"animal": "none"}, "wolf → no animal"),
        ((2, 0), {"animal": "bear"}, "wolf → bear"),
        ((2, 0), {"terrain": "rock"}, "meadow → rock"),
        ((1, 0), {"terrain": "meadow"}, "rock → meadow"),
        ((0, -3), {}, "2-mile forest straight, north"),
    ],
)
def test_picked_up_tile_is_changed_and_the_request_is_described(cell, fields, text):
    x, y = cell
    found = build_draft(PICKED, BO, fix="0", x=str(x), y=str(y), of=f"{x},{y}" if y > -3 else "", **fields)
    assert found.text == text
    assert isinstance(found.move, CorrectTile)


def test_picked_up_tile_keeps_the_properties_that_were_not_chosen():
    found = build_draft(PICKED, BO, fix="0", x="0", y="-2", of="0,-2", terrain="meadow")
    assert found.placed_tile == parse_tile("ES3m", 0, -2)


@pytest.mark.parametrize("fields", [{}, {"of": "0,-2", "terrain": "wetland", "miles": "3", "way": "NE"}])
def test_empty_cell_of_a_corrected_map_starts_with_the_plain_tile(fields):
    found = build_draft(PICKED, BO, fix="0", x="0", y="1", **fields)
    assert found.placed_tile == parse_tile("NS2f", 0, 1)
    assert found.picked_up is None


@pytest.mark.parametrize(
    "fields, chosen",
    [
        ({}, ("", "", 0)),  # the last tile is only the default of the next one
        ({"key": "terrain-rock"}, ("terrain", "rock", 0)),
        ({"miles": "3"}, ("", "", 3)),
        ({"fix": "0", "x": "0", "y": "-2"}, ("trail", "wetland", 3)),  # the tile that is picked up
        ({"fix": "0", "x": "0", "y": "1"}, ("trail", "forest", 2)),
    ],
)
def test_defaults_are_not_chosen_values(fields, chosen):
    found = build_draft(PICKED, ANA, **fields)
    assert (found.chosen_kind, found.chosen_terrain, found.chosen_miles) == chosen


def test_cells_show_the_next_tile_while_a_tile_is_picked_up():
    picked = placements(build_draft(PICKED, BO, fix="0", x="2", y="0"))
    assert {cell: fit for cell, fit in picked.items() if fit != "tile"} == {
        cell: fit for cell, fit in placements(build_draft(PICKED, BO, fix="0")).items() if fit != "tile"
    }


def test_tile_described_first_goes_to_the_tapped_empty_cell():
    found = build_draft(PICKED, BO, fix="0", what="terrain", terrain="rock", x="3", y="0")
    assert found.move == CorrectTile(ANA, 3, 0, "terrain", "rock", icons=2)


ENTERED = TRACKED_GAMES["alpine-trails-tally"].initial_state(EntrySetup(("Ana", "Bo")))
for move in (EnterCamp("rock"), PutTile(0, -1, "trail", "wetland", "NS", 3, 1)):
    ENTERED = TRACKED_GAMES["alpine-trails-tally"].play(ENTERED, ANA, move)


@run_all_rows(
    "fields, text, removes",
    [
        ({"y": "-1"}, "", True),
        ({"y": "-1", "what": "terrain"}, "", True),  # Described for another cell, so it is not placed here unseen.
        ({"y": "-1", "what": "terrain", "of": "0,-1"}, "straight 3-mile wetland trail → wetland terrain tile", True),
        (
            {"y": "-1", "way": "EW", "of": "0,-1"},
            "north and south → east and west",
            True,
        ),
        ({"y": "-2"}, "3-mile wetland straight, north", False),
        ({"y": "0"}, "", False),
    ],
)
def test_tile_of_an_entered_map_is_shown_before_it_is_replaced(fields, text, removes):
    found = TRACKED_GAMES["alpine-trails-tally"].view_helpers["draft"](ENTERED, ANA, {"x": "0", **fields})
    assert (found.text, found.remove_move is not None) == (text, removes)


def test_next_tile_of_an_entered_map_copies_the_last_one():
    found = TRACKED_GAMES["alpine-trails-tally"].view_helpers["draft"](ENTERED, ANA, {"x": "0", "y": "-2"})
    assert found.placed_tile == parse_tile("NS3w", 0, -2)
