"""Tests of the news: whole turns in a few words, for the players who waited."""

import pytest

from companion.log.turns import TurnNews, latest_turns, turns_since
from companion.pages.table import table_page
from scoring.trails.moves.hiking import Hike, Photograph
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.log_builder import ANA, BO, CY, build_seated_log
from tests.support.parametrize import TRACKED_KEYS
from tests.support.table_states import random_game_moves

TO_PHOTO = (Hike(4, canteen=True), Photograph(pay="acorn"))


def news_for(builder, seat: int) -> list[tuple[str, str]]:
    """Return the name and the moves that the news of a seat has for each other player."""
    device = (ANA, BO, CY)[seat]
    return [(turn.name, turn.text) for turn in table_page(builder.table, device, seat).turns_of_others(seat)]


def turn(name: str, seat: int | None, text: str, *, is_unfinished: bool = False) -> TurnNews:
    return TurnNews(name, seat, "1", is_unfinished, lambda: text)


def test_news_has_the_whole_turn_of_each_other_player():
    builder = build_seated_log("Ana", "Bo", "Cy")
    builder.play(0, *TO_PHOTO)
    builder.play(1, Hike(2))
    ((ana, ana_text), (bo, bo_text)) = news_for(builder, 2)
    assert (ana, bo) == ("Ana", "Bo") and bo_text
    assert "\u22121 acorn" in ana_text and len(ana_text) > len(bo_text)


def test_news_begins_after_the_players_own_last_turn():
    builder = build_seated_log("Ana", "Bo", "Cy")
    for seat in (0, 1, 2):
        builder.play(seat, Hike(2))
    assert [name for name, _ in news_for(builder, 0)] == ["Bo", "Cy"]
    assert [name for name, _ in news_for(builder, 1)] == ["Cy"]
    builder.play(0, Hike(2, canteen=True))  # an unfinished turn does not hide what happened before it
    assert [name for name, _ in news_for(builder, 0)] == ["Bo", "Cy"]
    assert [name for name, _ in news_for(builder, 1)] == ["Cy", "Ana"]
    assert table_page(builder.table, BO, 1).latest_turns["Ana"].is_unfinished


def test_private_entries_and_moves_out_of_turn_are_not_news():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, TO_PHOTO[0], NoteHand("science"))
    builder.play(1, NameCard("trailhead", "science"))
    builder.play(0, TO_PHOTO[1])
    ((_, text),) = news_for(builder, 1)
    assert "Science" not in text and "\u22121 acorn" in text


def test_several_turns_of_one_player_are_joined():
    turns = (turn("Ana", 0, "a"), turn("Bo", 1, "b"), turn("Bo", 1, "c"), turn("The bot", None, "d"))
    assert [(each.name, each.text) for each in turns_since(turns, 0)] == [("Bo", "b; c"), ("The bot", "d")]
    assert {name: each.text for name, each in latest_turns(turns).items()} == {"Ana": "a", "Bo": "c", "The bot": "d"}


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_news_of_random_games_follows_the_log(game: str):
    builder, long_news = build_seated_log("Ana", "Bo", game=game), []
    for seat, move in random_game_moves(game, ("Ana", "Bo")):
        builder.play(seat, move)
        page = table_page(builder.table, ANA, 0)
        others = page.turns_of_others(0)
        assert all(each.seat != 0 and each.text for each in others)
        assert {each.step_id for each in page.latest_turns.values()} <= builder.table.turn_starts.keys()
        long_news += [each.text for each in others if len(each.text) > 2]
    assert long_news
