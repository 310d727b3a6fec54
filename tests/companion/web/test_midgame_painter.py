"""Tests of the page that paints a map in the middle of a game, and of who may enter it."""

import json

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from scoring.alpine_trails.map.tiles import TrailMap
from scoring.alpine_trails.moves.corrections import CorrectTile, EnterMap
from scoring.alpine_trails.moves.placing import PlaceTerrain, TakeCamp
from scoring.alpine_trails.moves.reveals import NoteGoal
from scoring.alpine_trails.state import AnimalCard
from scoring.games import TRACKED_GAMES
from tests.support.alpine_trails_maps import parse_map
from tests.support.phones import SeatedTable, open_seated_table

GAME = "alpine-trails"
OPEN_MAP = parse_map("Bf Bf EW2f")
WITH_END = parse_map("Bf Bf EW2f lake")
UNMEASURED_MAP = parse_map("Bf Bf EWf")
MAP_WITH_WATERFALL = parse_map("Bf Bf fall")


@pytest.fixture
def table(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", game=GAME)


def enter(table: SeatedTable, tiles: TrailMap, player: int = 0, **form: str):
    """Enter a map from Ana's phone."""
    move = msgspec.json.encode(EnterMap(player, tiles)).decode()
    return table.submit(0, "map" if player == 0 else f"map?draft.fix={player}", {"move": move, **form})


def painter(table: SeatedTable, address: str = "map", seat: int = 0) -> dict:
    """Return the attributes of the painter's page, from which its script starts."""
    page = table.phone(seat).open(f"{table.path}/seat/{seat}/{address}")
    return next(attributes for _, attributes in page.tags if attributes.get("id") == "map-painter")


def test_own_map_is_entered_without_asking_and_the_start_goes_on(table: SeatedTable):
    assert enter(table, OPEN_MAP).json == {"next": f"{table.path}/seat/0/start"}
    assert table.table.state.players[0].tiles == OPEN_MAP
    assert not table.table.proposals
    assert table.table.can_join_midgame


def test_map_of_another_player_waits_for_its_owner(table: SeatedTable):
    assert enter(table, OPEN_MAP, 1).json == {"next": f"{table.path}/seat/0"}
    (proposal,) = table.table.proposals
    assert (proposal.waiting_seats, proposal.text) == ((1,), "Enter Bo\u2019s map: 1 trail tile")
    table.submit(1, "answer", {"proposal": str(proposal.number), "yes": "1"})
    assert table.table.state.players[1].tiles == OPEN_MAP


def test_maps_of_all_seats_of_a_phone_are_entered_without_asking(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME, phones=1)
    enter(table, OPEN_MAP, 1)
    assert (table.table.state.players[1].tiles, table.table.proposals) == (OPEN_MAP, ())


def test_map_finished_after_the_game_has_begun_is_entered_as_a_correction(table: SeatedTable):
    for seat in range(2):
        table.play(seat, TakeCamp("forest"))
    table.play(1, PlaceTerrain("rock", 2, 0))
    assert enter(table, OPEN_MAP).json == {"next": f"{table.path}/seat/0"}
    assert table.table.state.players[0].tiles == OPEN_MAP


def test_map_without_miles_is_refused_with_its_places(table: SeatedTable):
    answer = enter(table, UNMEASURED_MAP)
    (refusal,) = answer.json["refusals"]
    assert (answer.status_code, refusal["code"], refusal["marks"]) == (422, "miles", ["2,0"])
    assert not table.table.steps


def test_missing_loop_is_asked_about_before_the_map_is_entered(table: SeatedTable):
    assert enter(table, MAP_WITH_WATERFALL).json == {
        "questions": ["Your map has 1 waterfall and 0 loops. Is a trail missing?"]
    }
    assert not table.table.steps
    assert "next" in enter(table, MAP_WITH_WATERFALL, confirmed="1").json


def test_painter_starts_from_the_map_on_the_table_with_its_open_ends(table: SeatedTable):
    table.play(0, TakeCamp("forest"))
    table.play(0, CorrectTile(0, 2, 0, "trail", "forest", "EW", 2, 1))
    shown = painter(table)
    assert msgspec.convert(json.loads(shown["data-tiles"]), TrailMap) == WITH_END
    assert (shown["data-move"], shown["data-player"], shown["data-drawn-tiles"]) == ("enter-map", "0", "0")


def test_secret_goal_is_neither_asked_for_nor_shown(table: SeatedTable):
    table.play(1, NoteGoal("path-length"))
    html = table.phone(0).get(f"{table.path}/seat/0/map?draft.fix=1").text
    assert "goal" not in html.replace('data-goal="null"', "")
    assert painter(table, seat=1)["data-goal"] == "null"


def test_painter_knows_the_animals_of_box_table_and_other_maps(app: Flask, table: SeatedTable):
    table.referee.card_facts.save_facts(TRACKED_GAMES[GAME].box, AnimalCard(rock="goat"))
    enter(table, (*parse_map("Bf Bf"), replace(parse_map(". . f")[0], animal="bear")))
    assert json.loads(painter(table, seat=1)["data-animals"]) == {"rock": "goat", "forest": "bear"}


def test_draft_of_a_map_is_shared_by_the_phones_that_paint_it(table: SeatedTable):
    answer = table.submit(0, "map/draft?draft.fix=1", {"revision": "0", "text": '{"map":1}'})
    assert answer.json == {"revision": 1}
    assert painter(table, seat=1)["data-draft"] == painter(table, "map?draft.fix=1")["data-draft"] == '{"map":1}'
    assert painter(table)["data-draft"] == ""
    answer = table.submit(1, "map/draft", {"revision": "0", "text": "late"})
    assert (answer.status_code, answer.json["text"]) == (409, '{"map":1}')


def test_button_says_whether_the_table_is_asked(app: Flask, table: SeatedTable):
    assert "data-asks-table" not in painter(table)
    assert "data-asks-table" in painter(table, "map?draft.fix=1")
    alone = open_seated_table(app, "Ana", "Bo", game=GAME, phones=1)
    assert "data-asks-table" not in painter(alone, "map?draft.fix=1")


def test_start_page_links_to_the_painter_of_each_map(table: SeatedTable):
    start, own = f"{table.path}/seat/0/start", f"{table.path}/seat/0/map"
    page = table.phone(0).open(start)
    assert [each for each in page.addresses if "/map" in each] == [own, f"{own}?draft.fix=1"]
    assert "Paint your map" in page.text and "Paint Bo\u2019s map" in page.text
    assert "Enter it tile by tile" not in page.text
    enter(table, OPEN_MAP)
    assert "Fix your map" in table.phone(0).open(start).text
    assert f"{table.path}/seat/0?draft.fix=0#map" in table.phone(0).open(start).addresses


def test_start_page_links_to_the_own_pages_of_all_seats_of_a_phone(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME, phones=1)
    page = table.phone(0).open(f"{table.path}/seat/0/start")
    assert [each for each in page.addresses if "/map" in each] == [f"{table.path}/seat/{seat}/map" for seat in (0, 1)]


def test_map_of_another_player_cannot_be_painted_for_its_score(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails-tally")
    assert painter(table, "map?draft.fix=1")["data-player"] == "0"


def test_map_cannot_be_painted_once_the_lakes_are_placed(table: SeatedTable):
    tracked = TRACKED_GAMES[GAME]
    state = replace(table.table.state, is_play_over=True)
    assert tracked.view_helpers["painter"](state, 0, {}) is None
