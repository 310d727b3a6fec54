"""Tests that players choose the colors of the pieces, and that nothing else changes them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.log.apply import CorruptLogError, load_entry
from companion.log.entries import (
    ColorChosen,
    Entry,
    Imported,
    LogRewritten,
    Opened,
    Played,
    SeatLeft,
    SeatTaken,
    SetupChanged,
)
from companion.log.plans import RepairPlan, plan_to_restore
from companion.log.preview import compare, simulate
from companion.log.replay import replay
from companion.log.table import Table, to_data
from companion.log.table_files import export_position
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import Replace
from scoring.trails.moves.corrections import EditPosition
from tests.support.finished_tables import random_game_moves
from tests.support.hypothesis_settings import with_examples
from tests.support.log_builder import (
    ANA,
    BO,
    CODE,
    CY,
    STRANGER,
    TIME,
    LogBuilder,
    build_one_phone_log,
    build_seated_log,
)
from tests.support.parametrize import run_all_rows
from tests.support.ready_setups import ready_setup

HIKE = Played({"type": "hike", "steps": 2})
SWAP_HIKERS = EditPosition((Replace("players.0.hiker", "brown", "green"), Replace("players.1.hiker", "green", "brown")))


def opened_with_colors(game: str, names: tuple[str, ...], colors: tuple[str, ...]) -> Table:
    """Return a new table whose first entry has colors."""
    payload = Opened(game, TRACKED_GAMES[game].box.version, to_data(ready_setup(list(names), game)), colors=colors)
    return load_entry(None, CODE, Entry(1, TIME, ANA, None, payload))


@run_all_rows(
    "game,names,colors",
    [
        ("trails", ("Ana", "Bo", "Cy"), ("brown", "green", "grey")),
        ("parks", ("Ana", "Bo", "Cy", "Di", "Ed"), ("red", "blue", "green", "yellow", "white")),
        ("on-the-trail", ("Ana", "Bo"), ("white", "black")),
        ("on-the-trail", ("Ana",), ("white", "black")),  # the bot has the other one
        ("alpine-trails", ("Ana", "Bo"), ()),
        ("parks-tally", ("Ana", "Bo"), ()),
    ],
)
def test_pieces_have_the_colors_of_the_box_by_default(game, names, colors):
    assert LogBuilder(*names, game=game).table.piece_colors == colors


def test_chosen_color_is_one_line_of_the_log():
    builder = build_seated_log("Ana", "Bo", game="parks")
    table = builder.add_entry(ANA, ColorChosen("yellow"), 0)
    assert table.piece_colors == ("yellow", "blue")
    assert builder.log_texts[-1] == "Ana\u2019s hiker is yellow."


def test_color_can_be_chosen_together_with_a_seat():
    builder = LogBuilder("Ana", "Bo", game="on-the-trail")
    table = builder.add_entry(ANA, SeatTaken("black"), 0)
    assert table.seats == (ANA, None) and table.piece_colors == ("black", "white")
    assert builder.log_texts[-2:] == ["Ana joined.", "Ana\u2019s bib is black, Bo\u2019s is white."]


def test_color_of_a_free_seat_is_swapped():
    builder = LogBuilder("Ana", "Bo", "Cy").sit(ANA)
    table = builder.add_entry(ANA, ColorChosen("grey"), 0)
    assert table.piece_colors == ("grey", "green", "brown")
    assert builder.log_texts[-1] == "Ana\u2019s hiker is gray, Cy\u2019s is brown."


def test_color_of_a_seat_on_another_phone_is_refused():
    builder = build_seated_log("Ana", "Bo", game="parks")
    with pytest.raises(CorruptLogError, match="Bo has the blue hiker"):
        builder.add_entry(ANA, ColorChosen("blue"), 0)
    builder.add_entry(BO, SeatLeft(), 1)
    assert builder.add_entry(ANA, ColorChosen("blue"), 0).piece_colors == ("blue", "red")


def test_phone_with_several_seats_swaps_their_colors():
    builder = build_one_phone_log("Ana", "Bo", game="parks")
    table = builder.add_entry(builder.table.seats[0], ColorChosen("blue"), 0)
    assert table.piece_colors == ("blue", "red")


@run_all_rows("game,color", [("parks", "purple"), ("parks", ""), ("alpine-trails", "red"), ("parks-tally", "red")])
def test_color_that_the_box_lacks_is_refused(game, color):
    with pytest.raises(CorruptLogError, match="no piece of the color"):
        build_seated_log("Ana", "Bo", game=game).add_entry(ANA, ColorChosen(color), 0)


@run_all_rows("colors", [("red", "red"), ("red", "purple"), ("red", "blue", "green")])
def test_table_cannot_open_with_impossible_colors(colors):
    with pytest.raises(CorruptLogError, match="not different colors of the box"):
        opened_with_colors("parks", ("Ana", "Bo"), colors)


def test_players_without_a_chosen_color_get_a_free_one():
    assert opened_with_colors("on-the-trail", ("Ana",), ("black",)).piece_colors == ("black", "white")
    assert opened_with_colors("parks", ("Ana", "Bo", "Cy"), ("blue", "white")).piece_colors == ("blue", "white", "red")


def test_color_stays_with_its_player_when_the_order_changes():
    builder = build_seated_log("Ana", "Bo", "Cy", game="parks")
    builder.add_entry(ANA, ColorChosen("white"), 0)
    setup = to_data(builder.table.setup)
    rotated = setup | {"players": [setup["players"][seat] for seat in (1, 2, 0)]}
    table = builder.add_entry(ANA, SetupChanged(rotated, (1, 2, 0)))
    assert dict(zip(table.names, table.piece_colors, strict=True)) == {"Ana": "white", "Bo": "blue", "Cy": "green"}


def test_setup_of_trails_has_the_chosen_color_and_can_change_it():
    builder = build_seated_log("Ana", "Bo")
    table = builder.add_entry(ANA, ColorChosen("white"), 0)
    assert [player.hiker for player in table.setup.players] == ["white", "green"]
    setup = to_data(table.setup)
    setup["players"][0]["hiker"] = "grey"
    table = builder.add_entry(ANA, SetupChanged(setup, (0, 1)))
    assert table.piece_colors == ("grey", "green") == tuple(player.hiker for player in table.setup.players)


def test_color_is_no_part_of_a_state():
    builder = build_seated_log("Ana", "Bo", game="parks")
    before = builder.table
    table = builder.add_entry(ANA, ColorChosen("white"), 0)
    assert table.state == before.state and table.steps == before.steps
    assert not compare(before, table).differences


def test_position_file_of_trails_has_the_chosen_colors():
    builder = build_seated_log("Ana", "Bo")
    builder.add_entry(ANA, HIKE, 0)
    table = builder.add_entry(ANA, ColorChosen("white"), 0)
    assert [player["hiker"] for player in export_position(table)["position"]["players"]] == ["white", "green"]


def test_imported_table_keeps_its_colors():
    builder = build_seated_log("Ana", "Bo", game="parks")
    builder.add_entry(ANA, ColorChosen("white"), 0)
    assert builder.add_entry(CY, Imported()).piece_colors == ("white", "blue")


@run_all_rows("game", ["trails", "parks", "on-the-trail"])
def test_undo_redo_and_repair_keep_a_color_and_show_no_difference_in_it(game):
    names = ("Ana", "Bo")
    builder = build_one_phone_log(*names, game=game)
    device = builder.table.seats[0]
    moves = random_game_moves(game, names, 7)[:8]
    color = list(TRACKED_GAMES[game].box.pieces.colors)[1]
    for number, (seat, move) in enumerate(moves):
        builder.add_entry(device, Played(to_data(move)), seat)
        if number == 4:
            builder.add_entry(device, ColorChosen(color), 0)
    colors, last = builder.table.piece_colors, builder.table.steps[-1]
    assert colors[0] == color
    outcome = replay(builder.table, RepairPlan(last.id, 1), last.seat)
    preview = simulate(builder.table, device, last.seat, outcome.rewrite).preview
    assert not any("color" in difference.label for difference in preview.differences)
    removed = builder.add_entry(device, outcome.rewrite, last.seat)
    assert removed.piece_colors == colors
    restored = replay(removed, plan_to_restore(removed, last.id), last.seat)
    table = builder.add_entry(device, restored.rewrite, last.seat)
    assert table.piece_colors == colors and not compare(builder.table, table).differences
    first = table.steps[0]
    table = builder.add_entry(device, LogRewritten(first.id, last.id), 0)
    assert table.piece_colors == colors and table.state == table.initial_state


def test_correction_of_a_color_in_an_old_log_still_changes_it():
    builder = build_seated_log("Ana", "Bo")
    table = builder.add_entry(ANA, Played(to_data(SWAP_HIKERS)), 0)
    assert table.piece_colors == ("green", "brown") == tuple(player.hiker for player in table.setup.players)
    table = builder.add_entry(ANA, LogRewritten(table.steps[-1].id, table.steps[-1].id), 0)
    assert table.piece_colors == ("brown", "green")


@with_examples(60)
@given(
    game=st.sampled_from(["trails", "parks", "on-the-trail"]),
    seed=st.integers(0, 2**32),
)
def test_colors_always_differ_whatever_the_players_do(game: str, seed: int):
    rng = random.Random(seed)
    names = ("Ana", "Bo", "Cy", "Di")[: rng.randint(2, 2 if game == "on-the-trail" else 4)]
    builder = LogBuilder(*names, game=game)
    colors = [*TRACKED_GAMES[game].box.pieces.colors, "purple"]
    for _ in range(12):
        table, seat, device = builder.table, rng.randrange(len(names)), rng.choice((ANA, BO, STRANGER))
        order = rng.sample(range(len(names)), len(names))
        setup = to_data(table.setup)
        payload = rng.choice(
            [
                ColorChosen(rng.choice(colors)),
                SeatTaken(rng.choice(["", *colors])),
                SeatLeft(),
                SetupChanged(setup | {"players": [setup["players"][old] for old in order]}, tuple(order)),
            ]
        )
        before = dict(zip(table.names, table.piece_colors, strict=True))
        try:
            table = builder.add_entry(device, payload, None if isinstance(payload, SetupChanged) else seat)
        except CorruptLogError:
            continue
        assert len(set(table.piece_colors)) == len(table.names) and set(table.piece_colors) < set(colors)
        others = {name for name in before if before[name] != table.piece_colors[table.names.index(name)]}
        assert len(others) <= 2 and (not others or isinstance(payload, ColorChosen | SeatTaken))
    again = None
    for entry in builder.log:
        again = load_entry(again, CODE, entry)
    assert again.piece_colors == builder.table.piece_colors
    assert replace(again, messages=()) == replace(builder.table, messages=())
