"""Tests of reminders for the physical table, and of the news since the last move."""

from pathlib import Path

import pytest
from flask import Flask

from companion.log.entries import Played
from companion.pages import table as table_pages
from scoring.alpine_trails.moves.placing import PlaceTerrain, PlaceTrail, TakeCamp
from scoring.alpine_trails.moves.wildlife import TakeAnimal
from scoring.games import TRACKED_GAMES
from scoring.trails.moves.hiking import Hike, Photograph
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.log_builder import ANA, BO, DEVICES, build_seated_log, leaf_edit
from tests.support.parametrize import TRACKED_KEYS
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.table_states import random_game_moves

NAMES = ("Ana", "Bo")
TO_PHOTO = (Hike(4, canteen=True), Photograph(pay="acorn"))
PUT_BACK = "Draw 2 photos, keep 1 secret and put the other face up on the discard pile."
ANA_RETURNS = "Ana: return 1 acorn to the supply."
ANA_PUTS_BACK = "Ana: draw 2 photos, keep 1 secret and put the other face up on the discard pile."
TOOK = "Ana drew 2 photos and kept 1, \u22121 acorn."


def reminders_of(builder) -> tuple[str, ...]:
    """Return the reminders of the table view, checking that only the acting phone has them too.

    On that phone only the first addresses the player.
    """
    reminders = table_pages.table_page(builder.table, "a television").reminders
    own = [text.removeprefix("You: ") for text in table_pages.table_page(builder.table, ANA, 0).reminders]
    assert [f"Ana: {text[:1].lower()}{text[1:]}" for text in own] == list(reminders)
    assert table_pages.table_page(builder.table, BO, 1).reminders == ()
    return reminders


def test_reminder_is_shown_until_the_next_move():
    builder = build_seated_log("Ana", "Bo")
    assert reminders_of(builder) == ()
    builder.play(0, *TO_PHOTO)
    assert reminders_of(builder) == (ANA_RETURNS, ANA_PUTS_BACK)
    builder.play(1, Hike(1))
    assert reminders_of(builder) == ()


def test_player_keeps_reading_reminders_while_others_play_at_the_same_time():
    builder = build_seated_log("Ana", "Bo", game="alpine-trails")
    for seat in (0, 1):
        builder.play(seat, TakeCamp("forest"))
    builder.play(0, PlaceTrail("meadow", "NES", 2, 0, -1))
    builder.play(1, TakeAnimal("meadow", "wolf"))
    sign = "Put a sign on the fork."
    assert table_pages.table_page(builder.table, ANA, 0).reminders == (sign,)
    assert table_pages.table_page(builder.table, BO, 1).reminders == ("Take the wolf from the animal card.",)
    builder.play(0, PlaceTerrain("meadow", 2, 0))
    assert table_pages.table_page(builder.table, ANA, 0).reminders == ()


@pytest.mark.parametrize("seat, move", [(0, NoteHand("science")), (1, NameCard("trailhead", "science"))])
def test_note_or_revealed_card_keeps_the_reminder(seat, move):
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, *TO_PHOTO)
    builder.play(seat, move)
    assert reminders_of(builder) == (ANA_RETURNS, ANA_PUTS_BACK)


def test_correction_clears_the_reminder():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, *TO_PHOTO)
    question = builder.propose(0, Played(leaf_edit(0, 1)))
    builder.agree(1, question)
    assert reminders_of(builder) == ()


def test_snapshot_of_an_earlier_step_has_no_reminders():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, *TO_PHOTO)
    old_table = builder.table.at_state(builder.table.steps[-1].before)
    assert table_pages.table_page(old_table, ANA, snapshot_key="5").reminders == ()


def test_reminder_is_on_the_acting_phone_and_named_on_the_table_view(table_of_two: SeatedTable):
    for move in TO_PHOTO:
        table_of_two.play(0, move)
    assert table_of_two.page(0).tags_with_class("turn-news") == []
    assert table_of_two.page(1).tags_with_class("turn-news") != []
    assert TOOK in table_of_two.page(1).text
    assert PUT_BACK in table_of_two.page(0).text and "You: return 1 acorn" in table_of_two.page(0).text
    assert "the other photo face up" not in table_of_two.page(1).text
    assert ANA_PUTS_BACK in table_of_two.phone(1).open(f"{table_of_two.path}/board").text


def test_reminder_on_a_phone_of_two_seats_names_the_player(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", phones=1)
    for move in TO_PHOTO:
        table.play(0, move)
    assert ANA_PUTS_BACK in table.page(0).text and ANA_PUTS_BACK in table.page(1).text


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_reminders_of_a_game_name_the_player_and_stop_with_the_game(game: str):
    """Each player reads only own reminders and those for everyone, and none after the game."""
    builder, wrong, reminder_count = build_seated_log(*NAMES, game=game), [], 0
    for seat, move in random_game_moves(game, NAMES):
        builder.play(seat, move)
        board = table_pages.table_page(builder.table, "a television").reminders
        for reader, name in enumerate(NAMES):
            own = table_pages.table_page(builder.table, DEVICES[reader], reader).reminders
            wrong += [text for text in own if text.startswith(tuple(f"{each}:" for each in NAMES))]
            shared = [text for text in own if text in board]
            named = [text for text in board if text.startswith(f"{name}: ")]
            assert len(own) == len(shared) + len(named), (own, board)
        reminder_count += len(board)
        if getattr(builder.table.state, "is_over", False):
            wrong += board
    assert (wrong, builder.table.is_over) == ([], True)
    has_reminders = Path(str(TRACKED_GAMES[game].box.components.__file__)).with_name("reminders.py").exists()
    assert reminder_count > 3 if has_reminders else reminder_count == 0


def test_latest_change_is_one_line_that_counts_the_others(table_of_two: SeatedTable):
    table_of_two.play(0, Hike(2))
    for _ in range(2):
        table_of_two.play(1, Hike(2))
        table_of_two.submit(1, "step", {"take_back": table_of_two.table.steps[-1].id})
    page = table_of_two.page(0)
    assert len(page.tags_with_class("repair-notices")) == 1
    assert "+1 more" in page.text
