"""Tests of ALPINE TRAILS pages: tiles, forks, corrections, setup, scores, secret goals."""

import json
import random
import re
from collections.abc import Iterator
from html import unescape
from itertools import cycle

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.rendering import print_pages
from scoring.alpine_trails.moves.reveals import POSSIBLE_GOALS, NoteGoal
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.score_entry import EnterCamp, PutTile
from scoring.alpine_trails.state import Player
from scoring.games import TRACKED_GAMES
from tests.support import pdf_content
from tests.support.alpine_trails_maps import random_map
from tests.support.changed_secrets import HtmlPrintQueue, strip_per_request_values, substitute_table, with_other_secrets
from tests.support.page_parser import Page, parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.table_states import (
    FILE_PAGES,
    NAMES,
    PUBLIC_PAGES,
    SEAT_PAGES,
    map_game_at_the_end,
    own_random_game_moves,
    play_moves,
)
from tests.support.table_states import random_game_moves as whole_game

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
CAMP = '{"type":"take-camp","terrain":"rock"}'


@pytest.fixture
def table_with_maps(app: Flask) -> SeatedTable:
    """Return a table of two with base camps of rock."""
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    for seat in (0, 1):
        table.submit(seat, "play", {"move": CAMP})
    return table


def draft_page(table: SeatedTable, seat: int = 0, **draft: str) -> Page:
    """Return the live region of a seat's page with these choices for a tile."""
    query = "&".join(f"draft.{name}={value}" for name, value in draft.items())
    return table.phone(seat).open(f"{table.path}/seat/{seat}/now?{query}")


def map_cells(page: Page) -> dict[str, str]:
    """Return the selectable cells by their description, with how the tile fits there."""
    return {spot["aria-label"].partition(":")[0]: spot["class"].split()[1] for spot in page.tags_with_class("hotspot")}


def button_moves(page: Page) -> list[dict]:
    """Return the moves of a page's buttons."""
    return [json.loads(value) for value in page.values("move") if value]


# Placing a tile.


def test_tile_is_built_in_a_few_taps_and_placed(table_with_maps: SeatedTable):
    page = draft_page(table_with_maps, key="trail-forest", way="ES", miles="3")
    cells = map_cells(page)
    assert (cells["just north of base camp\u2019s west square"], cells["just east of base camp"]) == ("fits", "fits")
    link = next(
        f"/t/{table_with_maps.code}/seat/0" + spot["href"]
        for spot in page.tags_with_class("hotspot")
        if spot["aria-label"].startswith("just north of base camp\u2019s west")
    )
    aimed_page = parse_page(
        table_with_maps.phone(0).get(link.partition("#")[0].replace("/seat/0?", "/seat/0/now?")).text
    )
    (move,) = [other_move for other_move in button_moves(aimed_page) if other_move["type"] == "place-trail"]
    assert move == {"type": "place-trail", "terrain": "forest", "exits": "NS", "miles": 3, "x": 0, "y": -1}
    assert table_with_maps.submit(0, "play", {"move": json.dumps(move)}).status_code == 303
    assert table_with_maps.table.state.players[0].tiles[-1].exits == "NS"
    assert [tag["data-miles"] for _, tag in draft_page(table_with_maps).tags if "data-miles" in tag] == ["3"]


def test_refused_cell_shows_the_reason_and_its_rule(table_with_maps: SeatedTable):
    table_with_maps.submit(
        0, "play", {"move": '{"type":"place-trail","terrain":"forest","exits":"NS","miles":2,"x":0,"y":-1}'}
    )
    page = draft_page(table_with_maps, what="campsite", x="0", y="-2")
    assert "Base camp is only 2 miles away by trail. A campsite needs 6 miles: 4 more." in page.text
    assert [move for move in button_moves(page) if move["type"] == "place-campsite"] == []
    assert any("campsite-six" in address for address in page.addresses)


def test_refused_tap_is_answered_with_the_reason(table_with_maps: SeatedTable):
    answer = table_with_maps.submit(
        0, "play", {"move": '{"type":"place-terrain","terrain":"rock","x":9,"y":9}'}, htmx=True
    )
    assert answer.status_code == 422
    assert "This square does not touch your map. Place tiles edge to edge." in parse_page(answer.text).text


@pytest.mark.parametrize(
    "address",
    [
        "draft.what=castle&draft.shape=..&draft.miles=99&draft.icons=-1&draft.turn=x&draft.x=1e9&draft.y=",
        "draft.x=99999999999999999999&draft.y=-99999999999999999999",
        "draft.what=trail&draft.what=terrain&draft.x=0&draft.x=1",
        "draft.fix=99&draft.what=lake",
        "draft.fix=1&draft.what=%00&draft.terrain=%ED%A0%80&draft.animal=<s>",
        "draft.=1&draft=2&draft.x.y=3",
        "draft.x=%D9%A4&draft.y=%E2%82%82",
    ],
)
def test_invalid_draft_in_the_address_is_answered_with_a_page(table_with_maps: SeatedTable, address: str):
    for path in ("seat/0", "seat/0/now"):
        answer = table_with_maps.phone(0).get(f"{table_with_maps.path}/{path}?{address}")
        assert answer.status_code == 200
        assert "<s>" not in answer.text


# Forks on other phones.


def test_fork_is_shown_on_the_other_phone_and_its_animal_taken_there(table_with_maps: SeatedTable):
    table_with_maps.submit(
        0, "play", {"move": '{"type":"place-trail","terrain":"forest","exits":"NES","miles":2,"x":0,"y":-1}'}
    )
    moves = [move for move in button_moves(table_with_maps.fragment(1)) if move["type"] == "take-animal"]
    assert moves and all(move["terrain"] == "forest" for move in moves)
    assert not [move for move in button_moves(table_with_maps.fragment(0)) if move["type"] == "take-animal"]
    animal = moves[0]["animal"]
    assert table_with_maps.submit(1, "play", {"move": json.dumps(moves[0])}).status_code == 303
    assert table_with_maps.table.state.players[1].kept_animals == (animal,)
    assert f"Bo took the {animal}" in table_with_maps.phone(0).open(f"{table_with_maps.path}/seat/0/log").text


# Corrections of a map.


def test_map_is_corrected_once_the_other_player_agrees(table_with_maps: SeatedTable):
    page = draft_page(table_with_maps, 1, fix="0", what="terrain", terrain="meadow", x="2", y="0")
    (move,) = [other_move for other_move in button_moves(page) if other_move["type"] == "correct-tile"]
    assert table_with_maps.submit(1, "play", {"move": json.dumps(move)}).status_code == 303
    assert len(table_with_maps.table.state.players[0].tiles) == 2
    (proposal,) = table_with_maps.table.proposals
    table_with_maps.submit(0, "answer", {"proposal": str(proposal.number), "yes": "1"})
    assert table_with_maps.table.state.players[0].tiles[-1].terrain == "meadow"


def test_correction_is_offered_only_for_maps_with_tiles(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    table.submit(1, "play", {"move": CAMP})
    page = table.phone(0).open(f"{table.path}/seat/0/tell")
    assert "Fix Bo\u2019s map" in page.text
    assert [address.partition("draft.")[2] for address in page.addresses if "draft." in address] == ["fix=1"]


# The setup and the box.


def test_smaller_bag_and_animal_card_are_entered_in_the_setup(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    assert form["setup.tiles"] == "64"
    card = {
        f"setup.facts.{terrain}": animal for terrain, animal in zip(KNOWN_ANIMALS, KNOWN_ANIMALS.values(), strict=True)
    }
    assert table.phone(0).post(f"{table.path}/setup", {**form, "setup.tiles": "12", **card}).status_code == 303
    state = table.table.state
    assert (state.bag_size, state.rounds) == (12, 3)
    assert {terrain: state.facts.animal(terrain) for terrain in KNOWN_ANIMALS} == KNOWN_ANIMALS


KNOWN_ANIMALS = {"forest": "bear", "rock": "goat", "meadow": "wolf", "wetland": "moose"}


def test_bag_that_is_not_divisible_by_the_tiles_of_a_round_is_refused(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    answer = table.phone(0).post(f"{table.path}/setup", {**form, "setup.tiles": "10"})
    assert answer.status_code == 422
    assert "Each round uses 4 tiles, so 10 tiles leave some over. Use 8 tiles." in parse_page(answer.text).text


@pytest.fixture
def unknown_card(app: Flask) -> Iterator[Phone]:
    """Yield the owner's phone; the animal card is unknown before and after the test."""
    phone = Phone(app).become_owner()
    empty_form = {f"facts.{terrain}": "" for terrain in KNOWN_ANIMALS}
    phone.post("/box/alpine-trails", empty_form)
    yield phone
    phone.post("/box/alpine-trails", empty_form)


def test_animal_card_has_a_page(unknown_card: Phone):
    phone = unknown_card
    for terrain, animal in KNOWN_ANIMALS.items():
        assert phone.post("/box/alpine-trails", {f"facts.{terrain}": animal}).status_code in (200, 303)
    page = phone.open("/box/alpine-trails")
    assert [button.get("aria-pressed") for _, button in page.tags if button.get("name") == "facts.forest"] == ["true"]
    exported = json.loads(phone.get("/box/alpine-trails.json").text)
    assert exported["facts"] == KNOWN_ANIMALS
    assert phone.post("/box/alpine-trails", {"facts.forest": "goat"}).status_code == 422
    assert phone.post("/box/alpine-trails", {"facts.forest": "yeti"}).status_code == 400


# The score.


def marked_tags(page: Page, tag_name: str) -> set[str]:
    return {mark for _, attributes in page.tags for mark in attributes.get(tag_name, "").split()}


def test_score_lines_mark_tiles_that_are_on_the_map(app: Flask):
    table = map_game_at_the_end(app)
    page = table.phone(0).open(f"{table.path}/score")
    marked = marked_tags(page, "data-marks")
    assert marked and marked <= marked_tags(page, "data-mark")
    for number, column in enumerate(TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state)).columns):
        expected = {f"{tile.x},{tile.y}" for tile in table.table.state.players[number].tiles}
        assert {mark for line in column.lines for mark in line.marks} <= expected


def test_printed_sheet_has_a_map_for_every_player(app: Flask):
    table = map_game_at_the_end(app)
    page = table.phone(0).open(f"{table.path}/print")
    labels = [attributes.get("aria-label", "") for tag, attributes in page.tags if tag == "svg"]
    maps = [label.partition(":")[0] for label in labels if "\u2019s map:" in label]
    assert maps == [f"{name}\u2019s map" for name in NAMES]


def test_printed_sheet_of_a_score_file_has_its_maps():
    camp = [{"x": x, "y": 0, "kind": "base", "terrain": "rock", "icons": 1} for x in (0, 1)]
    counts = {"forest": 11, "path": 16}
    document = {"game": "alpine-trails", "players": [{"name": "Ana", "map": camp}, {"name": "Bo", "counts": counts}]}
    page = parse_page(print_pages.render_html("print/sheet.html", "a4", page=print_pages.print_page_of_file(document)))
    labels = [attributes["aria-label"] for tag, attributes in page.tags if tag == "svg" and "aria-label" in attributes]
    assert labels == ["Ana\u2019s map: 2 squares"]


@pytest.mark.long("large PDFs")
@parametrize_cases("size", ["a4", "letter"])
def test_sheet_of_five_large_maps_has_one_page_of_maps(app: Flask, size: str):
    table = open_seated_table(app, "Ana", "Bo", "Cy", "Di", "Ed", game="alpine-trails")
    for seat in range(5):
        table.submit(seat, "play", {"move": CAMP})
    chance = random.Random(5)

    def busy(player: Player) -> Player:
        return replace(player, tiles=random_map(chance, 26, camp_interval=4), goal=Goal("waterfall-icons", "any"))

    with substitute_table(table.referee.store, with_other_secrets(table.table, -1, busy)):
        data = table.phone(0).get(f"{table.path}/score.pdf?paper={size}").data
    assert pdf_content.page_count(data) == 2


# Score entry.


def test_counts_are_entered_as_on_the_score_pad(app: Flask):
    table = open_seated_table(app, "Maddie", game="alpine-trails-tally")
    counts = {
        "forest": 11,
        "rock": 9,
        "meadow": 7,
        "wetland": 6,
        "waterfalls": 23,
        "lakes": 5,
        "tents": 2,
        "animals": 2,
    }
    fields = {f"move.{name}": str(number) for name, number in (counts | {"path": 16, "goal": 7}).items()}
    names = {name for form in table.page(0).forms for name, _ in form.fields if name.startswith("move.")}
    assert set(fields) <= names
    assert table.submit(0, "play", {"move.type": "count-all", **fields}).status_code == 303
    table.submit(0, "play", {"move": '{"type":"done"}'})
    page = table.phone(0).open(f"{table.path}/score")
    assert "Maddie scores 109 points: Trailblazer." in page.text


def test_steppers_of_totals_name_what_they_count(app: Flask):
    table = open_seated_table(app, "Maddie", game="alpine-trails-tally")
    page_html = table.phone(0).get(f"{table.path}/seat/0").text
    for counted in ("Forest icons", "Tiles around waterfalls", "Lakes", "Miles in the longest path"):
        assert page_html.count(f"{counted}: ") == 2  # a button for fewer and one for more


def test_map_is_entered_and_its_lakes_are_placed_with_one_tap(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails-tally")
    table.submit(0, "play", {"move": '{"type":"tell-camp","terrain":"rock"}'})
    page = draft_page(table, what="trail", terrain="forest", shape="NS", miles="2", x="0", y="-1")
    (move,) = [other_move for other_move in button_moves(page) if other_move["type"] == "put-tile"]
    table.submit(0, "play", {"move": json.dumps(move)})
    (lakes,) = [other_move for other_move in button_moves(table.fragment(0)) if other_move["type"] == "lay-lakes"]
    table.submit(0, "play", {"move": json.dumps(lakes)})
    assert [tile.kind for tile in table.table.state.players[0].tiles] == ["base", "base", "trail", "lake"]


# Secrets.


def with_other_goal(player: Player) -> Player:
    number = POSSIBLE_GOALS.index((player.goal.kind, player.goal.terrain)) + 7 if player.goal else 0
    return replace(player, goal=Goal(*POSSIBLE_GOALS[number % len(POSSIBLE_GOALS)]))


def without_goal(player: Player) -> Player:
    return replace(player, goal=None)


@pytest.mark.long("every page of a whole game, twice")
def test_pages_of_other_phones_never_depend_on_a_secret_goal(app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(app.extensions, "press", HtmlPrintQueue())
    table, stranger = open_seated_table(app, *NAMES[:3], game="alpine-trails"), Phone(app)
    for seat in range(3):
        table.play(seat, NoteGoal(*POSSIBLE_GOALS[5 * seat]))
    everybodys = [path for path in (*PUBLIC_PAGES, *FILE_PAGES) if path != "qr.svg"]
    game, changes = own_random_game_moves(table, seed=3), cycle((with_other_goal, without_goal))
    for number, (seat, move) in enumerate(game):
        if number % 9 == 0:
            viewer = number // 9 % 4
            phone = (*table.phones, stranger)[viewer]
            own = [path.replace("0", str(viewer)) for path in SEAT_PAGES] if viewer < 3 else []
            real = fresh_answers(table, phone, own + everybodys)
            current = table.table
            with substitute_table(table.referee.store, with_other_secrets(current, viewer, next(changes))):
                assert fresh_answers(table, phone, own + everybodys) == real
        table.play(seat, move)
    assert table.table.is_over
    assert "Goal" in table.phone(1).open(f"{table.path}/score").text


def fresh_answers(table: SeatedTable, phone: Phone, paths: list[str]) -> dict[str, str]:
    """Return the answers of these pages to a phone, rendered without cached output."""
    table.app.jinja_env.globals["shared_fragment"]._cache.clear()
    return {path: strip_per_request_values(phone.get(f"{table.path}/{path}".rstrip("/")).text) for path in paths}


@pytest.mark.parametrize("seed", range(2))
def test_every_goal_can_be_noted_on_the_own_page_only(table_with_maps: SeatedTable, seed: int):
    moves = [item for item in button_moves(table_with_maps.page(0)) if item["type"] == "note-goal"]
    assert {(item["kind"], item.get("terrain")) for item in moves} == set(POSSIBLE_GOALS)
    chosen = random.Random(seed).choice(moves)
    table_with_maps.submit(0, "play", {"move": json.dumps(chosen)})
    assert table_with_maps.table.state.players[0].goal == Goal(chosen["kind"], chosen.get("terrain"))
    assert "entered the goal card" in table_with_maps.phone(0).open(f"{table_with_maps.path}/seat/0/log").text
    assert "entered the goal card" not in table_with_maps.phone(1).open(f"{table_with_maps.path}/seat/1/log").text


def test_animal_on_a_tile_stays_selected_until_another_is_chosen(app: Flask):
    table = open_seated_table(app, "Ana", game="alpine-trails-tally")
    table.play(0, EnterCamp("rock"))
    table.play(0, PutTile(2, 0, "terrain", "meadow", icons=2, animal="wolf"))

    def chosen(x: str, **options: str) -> str:
        """Return the animal on the tile that would be placed."""
        found = TRACKED_GAMES["alpine-trails-tally"].view_helpers["draft"](
            table.table.state, 0, {"what": "terrain", "x": x, "y": "0", **options}
        )
        return found.placed_tile.animal or "none"

    assert chosen("2") == "wolf"
    assert chosen("2", animal="none", of="2,0") == "none"
    assert chosen("3", animal="bear") == "bear"
    assert chosen("2", animal="bear") == "wolf"  # the bear was chosen for another tile


def test_tile_of_an_entered_map_is_replaced_only_after_it_was_shown(app: Flask):
    table = open_seated_table(app, "Ana", game="alpine-trails-tally")
    table.play(0, EnterCamp("rock"))
    table.play(0, PutTile(0, -1, "trail", "forest", "NS", 2, 1))
    page = draft_page(table, what="terrain", terrain="meadow", x="0", y="-1")
    assert "Straight 2-mile forest trail." in page.text
    assert [move["type"] for move in button_moves(page) if move["type"] in ("put-tile", "take-off")] == ["take-off"]
    page = draft_page(table, what="terrain", terrain="meadow", x="0", y="-1", of="0,-1")
    assert "straight 2-mile forest trail \u2192 meadow terrain tile" in page.text
    assert {"type": "put-tile", "x": 0, "y": -1, "kind": "terrain", "terrain": "meadow", "icons": 2} in button_moves(
        page
    )


def test_solo_player_is_not_shown_as_a_winner(app: Flask):
    alone = play_moves(open_seated_table(app, "Ana", game="alpine-trails"), whole_game("alpine-trails", ("Ana",)))
    assert alone.table.is_over
    page = alone.phone(0).get(f"{alone.path}/score").text
    assert "Ana scores" in page and 'class="won' not in page and "Winner: " not in page and "Place</th>" not in page


# Offered animals, rulings, questions.


FORK = '{"type":"place-trail","terrain":"rock","exits":"NES","miles":1,"x":0,"y":-1,"icons":1}'


def markup(table: SeatedTable, path: str, seat: int = 0) -> str:
    """Return the HTML of a page as a seat's phone gets it."""
    return table.phone(seat).get(f"{table.path}/{path}").text


def rock_tile(x: int, y: int) -> str:
    return f'{{"type":"place-terrain","terrain":"rock","x":{x},"y":{y}}}'


def test_offered_animal_keeps_the_controls_and_the_selected_tile(table_with_maps: SeatedTable):
    for x in (2, 3):
        table_with_maps.submit(1, "play", {"move": rock_tile(x, 0)})
    before = draft_page(table_with_maps, 1, key="trail-forest", at="0,-1")
    table_with_maps.submit(0, "play", {"move": FORK})
    page = draft_page(table_with_maps, 1, key="trail-forest", at="0,-1")
    assert "Round 2 of 16 draw 2 tiles once Ana is done." in before.text
    assert "Round 2 of 16 draw 2 tiles once Ana is done." in page.text
    assert map_cells(page) == map_cells(before) and "fits" in map_cells(page).values()
    sent = markup(table_with_maps, "seat/1", 1)
    assert sent.index("take-animal") < sent.index('id="tile-form"') and "data-needs-animal" in sent
    table_with_maps.submit(1, "play", {"move": '{"type":"leave-animal","terrain":"rock"}'})
    assert "data-needs-animal" not in markup(table_with_maps, "seat/1", 1)


def test_animal_is_offered_to_a_player_without_base_camp(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    table.submit(0, "play", {"move": CAMP})
    table.submit(0, "play", {"move": FORK})
    assert "Ana \u2019s rock fork: take the animal of this terrain." in table.fragment(1).text


def test_oldest_of_two_offered_animals_is_shown_with_the_number_of_others(table_with_maps: SeatedTable):
    table_with_maps.submit(0, "play", {"move": FORK})
    second_fork = FORK.replace('"rock"', '"forest"').replace('"x":0,"y":-1', '"x":2,"y":0').replace("NES", "NEW")
    table_with_maps.submit(0, "play", {"move": second_fork})
    page = table_with_maps.fragment(1)
    assert "rock fork: take the animal of this terrain. +1 more" in page.text and "forest fork:" not in page.text
    table_with_maps.submit(1, "play", {"move": '{"type":"take-animal","terrain":"rock","animal":"goat"}'})
    page = table_with_maps.fragment(1)
    assert "forest fork: take the animal of this terrain." in page.text and "more" not in page.text.partition("Skip")[0]


def test_offer_of_a_known_animal_names_it(table_with_maps: SeatedTable):
    table_with_maps.submit(0, "play", {"move": FORK})
    table_with_maps.submit(1, "play", {"move": '{"type":"take-animal","terrain":"rock","animal":"goat"}'})
    table_with_maps.submit(1, "play", {"move": FORK})
    assert "Bo \u2019s fork: goat for you? Take goat Skip" in table_with_maps.fragment(0).text


def test_offer_of_one_of_two_forks_names_the_terrain(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", "Cleo", game="alpine-trails")
    for seat in range(3):
        table.submit(seat, "play", {"move": CAMP})
    for seat in (0, 1):
        table.submit(seat, "play", {"move": FORK})
    assert "Rock fork: take the animal of this terrain." in table.fragment(2).text


def test_table_view_marks_the_players_the_round_waits_for(table_with_maps: SeatedTable):
    for x in (2, 3):
        table_with_maps.submit(1, "play", {"move": rock_tile(x, 0)})
    page = table_with_maps.phone(0).open(f"{table_with_maps.path}/board")
    assert [card["class"] for card in page.tags_with_class("map-card")] == ["map-card is-active", "map-card"]
    assert "Waiting for Ana." in page.text


def waiting_table(app: Flask, phones: int = 2) -> SeatedTable:
    """Return a table of two where Ana has used her tiles of the only round."""
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails", phones=phones)
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    table.phone(0).post(f"{table.path}/setup", {**form, "setup.tiles": "4"})
    for seat in (0, 1):
        table.submit(seat, "play", {"move": CAMP})
    table.play(0, NoteGoal("path-length"))
    table.submit(0, "play", {"move": FORK.replace("NES", "NS").replace('"miles":1', '"miles":3')})
    table.submit(0, "play", {"move": rock_tile(2, 0)})
    return table


def test_waiting_page_shows_the_others_and_what_can_be_planned(app: Flask):
    text = waiting_table(app).page(0).text
    for words in ("Waiting for Bo", "2 points", "2 tiles to place", "no open trail"):
        assert words in text
    for words in (
        "What you can plan",
        "3 more miles to your next campsite.",
        "if your longest path is at least 15 miles",
    ):
        assert words in text


def test_waiting_page_hides_the_goal_on_a_phone_of_several_players(app: Flask):
    text = waiting_table(app, phones=1).page(0).text
    assert "What you can plan" in text and "0 so far" not in text


def test_waiting_page_does_not_depend_on_the_goal_of_another(app: Flask):
    table = waiting_table(app)
    table.play(1, NoteGoal("tent-icons", "any"))
    real = fresh_answers(table, table.phone(0), ["seat/0"])
    with substitute_table(table.referee.store, with_other_secrets(table.table, 0, with_other_goal)):
        assert fresh_answers(table, table.phone(0), ["seat/0"]) == real


def test_goal_card_is_asked_for_above_the_last_button(app: Flask):
    table = waiting_table(app)
    for _ in range(2):
        table.submit(1, "play", {"move": '{"type":"discard"}'})
    actions = markup(table, "seat/1", 1).partition('class="fragment fragment-actions"')[2].partition("below-fold")[0]
    assert actions.index("which goal card do you have?") < actions.index("I’m done")
    assert "which goal card do you have?" not in markup(table, "seat/0")


def test_controls_select_no_animal_by_default(table_with_maps: SeatedTable):
    table_with_maps.submit(1, "play", {"move": FORK})
    table_with_maps.submit(0, "play", {"move": '{"type":"take-animal","terrain":"rock","animal":"goat"}'})
    while not table_with_maps.table.state.is_play_over:
        seat = TRACKED_GAME.flow.to_move(table_with_maps.table.state)[0]
        terrain = table_with_maps.table.state.players[seat].offered_forks
        move = f'{{"type":"leave-animal","terrain":"{terrain[0]}"}}' if terrain else '{"type":"discard"}'
        table_with_maps.submit(seat, "play", {"move": move})
    sent = markup(table_with_maps, "seat/0")
    assert 'value="goat"' in sent and "data-preselected" not in sent


LOOP = (
    '{"type":"place-trail","terrain":"rock","exits":"NE","miles":1,"x":0,"y":1,"icons":1}',
    '{"type":"place-trail","terrain":"rock","exits":"NW","miles":1,"x":1,"y":1,"icons":1}',
)


def ruling_text(table: SeatedTable, option: int, ruling: str = "loop-through-camps") -> str:
    """Return the text of an option on the page of a ruling."""
    page = table.phone(0).open(f"{table.path}/ask/ruling/{ruling}?seat=0").text
    return page.partition(table.table.tracked.box.rulings[0].options[option].text)[2].partition("Back to")[0]


def test_ruling_page_names_the_first_difference_and_the_moves_left_out(table_with_maps: SeatedTable):
    for move in (*LOOP, '{"type":"place-waterfall","x":0,"y":2}'):
        table_with_maps.submit(0, "play", {"move": move})
    text = " ".join(ruling_text(table_with_maps, 1).split())
    first, _, left_out = text.partition("First difference")[2].partition("Not possible, so left out here")
    assert "Move 4: Ana placed a 1-mile rock bend" in first and "waterfalls to place 1 → becomes 0" in first
    assert "Move 5: Ana placed a waterfall" in left_out and "You have no waterfall to place." in left_out
    assert "Score so far" in left_out and "instead of" in left_out


def test_ruling_page_names_the_move_at_which_another_player_had_to_move(table_with_maps: SeatedTable):
    adopt = {"move": '{"type":"adopt","ruling":"loop-through-camps","option":"no"}'}
    table_with_maps.submit(0, "play", adopt)
    for proposal in table_with_maps.table.proposals:
        table_with_maps.submit(1, "answer", {"proposal": str(proposal.number), "yes": "1"})
    for move in LOOP:
        table_with_maps.submit(0, "play", {"move": move})
    page = table_with_maps.phone(0).open(f"{table_with_maps.path}/ask/ruling/loop-through-camps?seat=0").text
    assert "If you had played it this way from the start" in page
    assert "waterfall" in page.partition("from the start")[2]
    table_with_maps.submit(0, "play", {"move": rock_tile(2, 0)})
    page = table_with_maps.phone(0).open(f"{table_with_maps.path}/ask/ruling/loop-through-camps?seat=0").text
    assert "left out here" in page and "First, place the waterfall you earned." in page


def test_ruling_page_without_a_difference_says_so(table_with_maps: SeatedTable):
    table_with_maps.submit(0, "play", {"move": rock_tile(2, 0)})
    assert "No difference in this game so far." in ruling_text(table_with_maps, 1)


@pytest.mark.parametrize(
    "tile, cell, answer, rule",
    [
        ("trail-bend", "0,-1", "Yes.", ""),
        ("campsite", "0,-1", "No, not this round.", "campsite"),
        ("waterfall", "0,-1", "Yes, later this round.", "waterfall"),
    ],
)
def test_question_about_a_tile_is_answered_with_its_rule(table_with_maps: SeatedTable, tile, cell, answer, rule):
    ask_page = markup(table_with_maps, "ask?seat=0")
    assert 'name="draft.tile"' in ask_page and "just north of base camp" in ask_page.lower()
    page = table_with_maps.phone(0).open(
        f"{table_with_maps.path}/ask/may?seat=0&draft.tile={tile}&draft.terrain=rock&draft.at={cell}"
    )
    assert answer in page.text
    assert any(f"/rules/alpine-trails/{rule}" in address for address in page.addresses)
    assert any(text in page.text for text in ("Allowed instead", "Possible here with a change")) == answer.startswith(
        "No"
    )


def test_tap_on_a_square_lists_what_may_go_there(table_with_maps: SeatedTable):
    page = table_with_maps.phone(0).get(f"{table_with_maps.path}/ask?seat=0").text
    assert 'id="may-here"' not in page
    links = re.findall(r'href="([^"]*draft.at=0,-1)#map"', page)
    here = table_with_maps.phone(0).get(unescape(links[0])).text.partition('id="may-here"')[2].partition("</ul>")[0]
    assert "Just north of base camp" in here and "Straight trail" in here and "No, see why" in here
    for link in re.findall(r'href="([^"]*/ask/may[^"]*)"', here):
        assert table_with_maps.phone(0).get(unescape(link)).status_code == 200


@pytest.mark.parametrize("cell", ["9,9", "x", "9999,1", ""])
def test_tap_on_an_unusual_square_shows_the_page(table_with_maps: SeatedTable, cell):
    assert table_with_maps.phone(0).get(f"{table_with_maps.path}/ask?seat=0&draft.at={cell}").status_code == 200


@pytest.mark.parametrize(
    "query", ["draft.tile=trail-knot&draft.at=0,-1", "draft.tile=terrain&draft.at=here", "draft.tile=lake"]
)
def test_question_about_an_invalid_tile_or_cell_redirects_back(table_with_maps: SeatedTable, query):
    answer = table_with_maps.phone(0).get(f"{table_with_maps.path}/ask/may?seat=0&{query}")
    assert answer.status_code == 303 and "/ask" in answer.headers["Location"]


def test_undo_button_in_the_log_is_in_the_line_that_it_undoes(table_with_maps: SeatedTable):
    for x in (2, 3):
        table_with_maps.submit(0, "play", {"move": rock_tile(x, 0)})
    log = markup(table_with_maps, "seat/0").partition('<ol class="log"')[2]
    newest = log.partition("</li>")[0]
    assert "2 squares east of base camp" in newest
    assert f'name="take_back" value="{table_with_maps.table.version}"' in newest
