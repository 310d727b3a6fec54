"""Tests of the page that paints a finished map, its drafts and the move that enters it."""

import json
import random

import msgspec
import pytest
from flask import Flask

from companion.log.plans import RepairPlan
from companion.storage.drafts import MAX_DRAFT_LENGTH
from scoring.alpine_trails.light_tracking import NoteLoop
from scoring.alpine_trails.map.tiles import TrailMap
from scoring.alpine_trails.score_entry import PutMap
from scoring.alpine_trails.state import AnimalCard
from scoring.games import TRACKED_GAMES
from tests.support.alpine_trails_maps import parse_map, random_map
from tests.support.parametrize import run_all_rows
from tests.support.phones import SeatedTable, open_seated_table

SCORE_ENTRY = "alpine-trails-tally"
COMPLETE_MAP = parse_map("Bf Bf" + " f" * 32)
UNFINISHED_MAP = parse_map("Bf Bf f")
OPEN_TRAIL = parse_map("Bf Bf EW2f")


@pytest.fixture
def table(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", game=SCORE_ENTRY)


def enter(table: SeatedTable, tiles, **form):
    move = msgspec.json.encode(PutMap(tiles)).decode()
    return table.submit(0, "map", {"move": move, **form})


def save_draft(table: SeatedTable, revision: int, text: str = "{}"):
    return table.submit(0, "map/draft", {"revision": str(revision), "text": text})


def painter(table: SeatedTable, seat: int = 0) -> dict:
    """Return the attributes of the painter's page, from which its script starts."""
    page = table.phone(seat).open(f"{table.path}/seat/{seat}/map")
    return next(attributes for _, attributes in page.tags if attributes.get("id") == "map-painter")


def test_complete_map_is_entered_and_the_seat_is_done(table: SeatedTable):
    answer = enter(table, COMPLETE_MAP)
    assert answer.json == {"next": f"{table.path}/seat/0"}
    player = table.table.state.players[0]
    assert (player.tiles, player.done) == (COMPLETE_MAP, True)


def test_unusual_map_is_entered_only_after_its_questions_are_confirmed(table: SeatedTable):
    (question,) = enter(table, UNFINISHED_MAP).json["questions"]
    assert question.startswith("You drew 32 tiles, and your map uses 1.")
    assert not table.table.steps
    assert "next" in enter(table, UNFINISHED_MAP, confirmed="1").json
    assert table.table.state.players[0].tiles == UNFINISHED_MAP


def test_refused_map_is_answered_with_its_places_and_changes_nothing(table: SeatedTable):
    answer = enter(table, OPEN_TRAIL)
    (refusal,) = answer.json["refusals"]
    assert (answer.status_code, refusal["code"], refusal["marks"]) == (422, "no-lake", ["2,0"])
    assert refusal["text"].endswith("no lake at its east end.")
    assert not table.table.steps


@run_all_rows(
    "move",
    ["", "{", "[]", '{"type":"put-map"}', '{"type":"put-map","tiles":[{"x":"a"}]}', '{"type":"put-map","tiles":7}'],
)
def test_unreadable_map_is_refused_in_a_sentence(table: SeatedTable, move):
    answer = table.submit(0, "map", {"move": move})
    assert answer.status_code == 400
    assert answer.json["refusals"][0]["text"].startswith("This could not be read")


def test_map_sent_twice_is_entered_once(table: SeatedTable):
    assert enter(table, COMPLETE_MAP, tap="one").json == enter(table, COMPLETE_MAP, tap="one").json
    assert len(table.table.steps) == 1
    assert enter(table, COMPLETE_MAP).json["refusals"][0]["code"] == "no-change"


def test_next_page_is_that_of_the_seat_of_this_phone_that_still_counts(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=SCORE_ENTRY, phones=1)
    assert enter(table, COMPLETE_MAP).json == {"next": f"{table.path}/seat/1"}


def test_repair_of_an_entry_has_no_link_to_the_painter(table: SeatedTable):
    table.play(0, NoteLoop())
    plan = RepairPlan(table.table.steps[0].id, 1, is_open=True)
    path = f"{table.path}/seat/0"
    assert f"{path}/map" in table.phone(0).open(path).addresses
    repair = table.phone(0).open(f"{path}/mend/{plan.encode()}")
    assert repair.addresses and not [address for address in repair.addresses if address.endswith("/map")]


def test_draft_of_a_seat_is_shown_on_its_other_phones(table: SeatedTable):
    assert save_draft(table, 0, '{"map":1}').json == {"revision": 1}
    tag = painter(table)
    assert (tag["data-revision"], tag["data-draft"]) == ("1", '{"map":1}')
    assert painter(table, 1)["data-draft"] == ""


def test_draft_that_another_phone_has_changed_is_not_overwritten(table: SeatedTable):
    save_draft(table, 0, "first")
    answer = save_draft(table, 0, "second")
    assert (answer.status_code, answer.json) == (409, {"revision": 1, "text": "first"})
    assert save_draft(table, 1, "second").json == {"revision": 2}
    assert painter(table)["data-draft"] == "second"


def test_draft_that_is_too_long_is_refused(table: SeatedTable):
    assert save_draft(table, 0, "x" * (MAX_DRAFT_LENGTH + 1)).status_code == 413
    assert painter(table)["data-draft"] == ""


def test_painter_starts_from_the_map_that_is_entered(table: SeatedTable):
    tiles = random_map(random.Random(1), 20)
    table.play(0, PutMap(tiles))
    shown = json.loads(painter(table)["data-tiles"])
    assert msgspec.convert(shown, TrailMap) == tiles


def test_painter_knows_the_animals_of_the_box_and_of_other_maps(table: SeatedTable):
    table.referee.card_facts.save_facts(TRACKED_GAMES["alpine-trails"].box, AnimalCard(rock="goat"))
    bear = msgspec.structs.replace(UNFINISHED_MAP[-1], animal="bear")
    table.play(1, PutMap((*UNFINISHED_MAP[:-1], bear)))
    assert json.loads(painter(table)["data-animals"]) == {"rock": "goat", "forest": "bear"}


def test_only_the_phone_of_a_seat_can_paint_its_map(table: SeatedTable):
    assert table.phone(1).get(f"{table.path}/seat/0/map").status_code == 303
    move = msgspec.json.encode(PutMap(COMPLETE_MAP)).decode()
    assert table.phone(1).post(f"{table.path}/seat/0/map", {"move": move}).status_code == 303
    assert not table.table.steps


@run_all_rows("game", ["parks", "trails", "trails-tally"])
def test_other_games_have_no_painter(app: Flask, game):
    table = open_seated_table(app, "Ana", "Bo", game=game)
    assert table.phone(0).get(f"{table.path}/seat/0/map").status_code == 404


def test_seat_page_leads_to_the_painter_before_and_after_the_map_is_entered(table: SeatedTable):
    address = f"{table.path}/seat/0/map"
    assert f'href="{address}"' in table.phone(0).get(f"{table.path}/seat/0").text
    enter(table, COMPLETE_MAP)
    assert f'href="{address}"' in table.phone(0).get(f"{table.path}/seat/0").text


def test_draft_is_deleted_with_its_table(app: Flask, table: SeatedTable):
    save_draft(table, 0, "draft")
    open_seated_table(app, "Cy", game=SCORE_ENTRY)  # the last opened table is never deleted
    assert table.code in table.referee.store.delete_inactive_tables("9999")
    assert table.referee.drafts.find(table.code, 0).text == ""
