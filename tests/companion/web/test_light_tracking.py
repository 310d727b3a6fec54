"""Tests of light tracking on the pages of a score entry of ALPINE TRAILS."""

import json

import msgspec
import pytest
from flask import Flask

from scoring.alpine_trails.light_tracking import NoteCampsite, NoteDiscard, NoteFork, NoteNotTaken, NoteRound
from scoring.alpine_trails.score_entry import CountAll, Done, EnterCamp, PutMap
from scoring.alpine_trails.state import AnimalCard
from scoring.games import GAMES
from tests.support.alpine_trails_maps import parse_map
from tests.support.phones import Phone, SeatedTable, open_seated_table

SCORE_ENTRY = "alpine-trails-tally"
KEYS = {"note-fork", "note-campsite", "note-loop", "note-discard", "note-round"}
COMPLETE_MAP = parse_map("Bf Bf" + " f" * 32)


@pytest.fixture(autouse=True)
def empty_animal_card(app: Flask) -> None:
    """Forget the animals that other tests have entered: tests share the database of an app."""
    app.extensions["waymark"].card_facts.save_facts(GAMES["alpine-trails"].box, AnimalCard())


@pytest.fixture
def table(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", game=SCORE_ENTRY)


def note_keys(table: SeatedTable, seat: int) -> list[dict]:
    """Return the notes that the page of a seat has keys for."""
    moves = [
        json.loads(attributes["value"])
        for tag, attributes in table.page(seat).tags
        if tag == "button" and attributes.get("name") == "move"
    ]
    return [move for move in moves if move["type"].startswith("note-")]


def test_page_has_a_key_for_each_note(table: SeatedTable):
    keys = note_keys(table, 0)
    assert {key["type"] for key in keys} == KEYS
    assert [key["terrain"] for key in keys if key["type"] == "note-fork"] == ["forest", "rock", "meadow", "wetland"]
    for key in keys:
        assert table.submit(0, "play", {"move": json.dumps(key)}).status_code == 303
    assert "4 forks, 1 campsite, 1 loop, 1 discard, round 2 of 16" in table.page(0).text


def test_solo_page_has_keys_for_forks_discarded_for_animals(app: Flask):
    table = open_seated_table(app, "Ana", game=SCORE_ENTRY)
    assert {key["type"] for key in note_keys(table, 0)} == KEYS - {"note-fork"} | {"note-trade"}


def test_fork_is_offered_to_the_other_player_who_can_decline(table: SeatedTable):
    table.play(0, NoteFork("forest"))
    assert "Ana placed a forest fork: the forest animal is yours." in " ".join(table.page(1).text.split())
    assert "is yours" not in table.page(0).text
    assert {"type": "note-not-taken", "terrain": "forest"} in note_keys(table, 1)
    table.play(1, NoteNotTaken("forest"))
    assert not table.table.state.players[1].notes.animals
    assert "is yours" not in table.page(1).text


def test_animal_of_an_earlier_round_can_still_be_declined(table: SeatedTable):
    for move in (NoteFork("forest"), NoteRound(1), NoteRound(2)):
        table.play(0, move)
    assert "is yours" not in table.page(1).text
    assert {"type": "note-not-taken", "terrain": "forest"} in note_keys(table, 1)


def test_undo_of_a_fork_takes_its_animals_back(table: SeatedTable):
    table.play(0, NoteFork("forest"))
    (step,) = table.table.steps
    assert table.submit(0, "step", {"take_back": step.id}).status_code == 303
    assert not any(player.notes.forks or player.notes.animals for player in table.table.state.players)


def test_no_note_is_possible_when_the_points_are_complete(table: SeatedTable):
    table.play(0, CountAll(lakes=1))
    table.play(0, Done())
    assert not note_keys(table, 0)
    answer = table.submit(0, "play", {"move": '{"type":"note-loop"}'})
    assert "Your points are complete." in answer.text
    assert not table.table.state.players[0].notes.loops


def test_keys_are_folded_once_a_map_or_totals_exist(table: SeatedTable):
    def is_open(seat: int) -> bool:
        (part,) = [attributes for _, attributes in table.page(seat).tags if attributes.get("id") == "while-playing"]
        return "open" in part

    assert is_open(0) and is_open(1)
    table.play(0, EnterCamp("rock"))
    table.play(1, CountAll(lakes=1))
    assert not is_open(0) and not is_open(1)


def test_last_round_leaves_no_round_to_finish(table: SeatedTable):
    for number in range(1, 17):
        table.play(0, NoteRound(number))
    assert "note-round" not in {key["type"] for key in note_keys(table, 0)}
    assert "all rounds done" in table.page(0).text


def test_painted_map_is_questioned_about_differences_from_the_notes(table: SeatedTable):
    table.play(1, NoteFork("forest"))
    table.play(0, NoteCampsite())
    move = msgspec.json.encode(PutMap(COMPLETE_MAP)).decode()
    assert table.submit(0, "map", {"move": move}).json["questions"] == [
        "You entered 1 campsite while playing. Your map has none. Is your map right?",
        "You hold a forest animal. Place it on your map.",
    ]
    assert "next" in table.submit(0, "map", {"move": move, "confirmed": "1"}).json


def test_painter_counts_the_tiles_without_discards(table: SeatedTable):
    table.play(0, NoteDiscard())
    page = table.phone(0).open(f"{table.path}/seat/0/map")
    (painter,) = [attributes for _, attributes in page.tags if attributes.get("id") == "map-painter"]
    assert painter["data-drawn-tiles"] == "31"


def test_animals_have_the_names_of_the_box(app: Flask):
    app.extensions["waymark"].card_facts.save_facts(GAMES["alpine-trails"].box, AnimalCard(forest="bear"))
    table = open_seated_table(app, "Ana", "Bo", game=SCORE_ENTRY)
    table.play(0, NoteFork("forest"))
    assert "the bear is yours" in " ".join(table.page(1).text.split())
    assert "Ana placed a forest fork: bear for Bo." in table.page(0).text


def test_animals_that_the_owner_enters_later_reach_the_table(app: Flask, table: SeatedTable):
    table.play(0, NoteFork("forest"))
    assert "the forest animal is yours" in " ".join(table.page(1).text.split())
    owner = Phone(app).become_owner()
    form = {"facts.forest": "bear"}
    assert owner.post("/box/alpine-trails", form).status_code == 303
    assert "the bear is yours" in " ".join(table.page(1).text.split())
