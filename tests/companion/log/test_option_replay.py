"""Tests of games that are replayed by another option of a rules question."""

import pytest

from companion.log.entries import Opened
from companion.log.option_replay import OptionReplay, replay_with_option
from companion.log.table import Table
from companion.pages.judge import ruling_page
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import AdoptRuling
from scoring.trails import rules as r
from tests.golden_games.files import moves_of, read_golden_game
from tests.support.log_builder import ANA, DEVICES, HOST, LogBuilder, build_seated_log
from tests.support.parametrize import parametrize_cases


def play_golden_game(name: str, moves: int | None = None) -> Table:
    """Return the table of a golden game after its first moves, or after all."""
    game = read_golden_game(name)
    builder = LogBuilder("Ana", "Bo", game=game["game"])
    builder.log, builder.table = [], None
    builder.add_entry(HOST, Opened(game["game"], game["version"], game["setup"]))
    builder.sit(*DEVICES[: len(game["setup"]["players"])])
    for seat, move in moves_of(game)[:moves]:
        builder.play(seat, move)
    return builder.table


def replay_option(table: Table, ruling_id: str, option_id: str) -> OptionReplay:
    ruling = next(ruling for ruling in table.tracked.box.rulings if ruling.id == ruling_id)
    option = ruling.option(option_id)
    assert option
    return replay_with_option(table, ruling, option)


@pytest.mark.slow("a whole game")
def test_option_that_refuses_a_move_leaves_it_out_and_replays_the_rest():
    replay = replay_option(play_golden_game("alpine-trails-5"), "loop-through-camps", "no")
    found = replay.first_difference
    assert found and found.at and found.at.number == 34 and "+1 waterfall" in found.at.step.text
    assert "waterfall" not in found.new_text.partition("placed")[2]
    (left_out,) = replay.left_out
    assert left_out.at.number == 35 and left_out.reasons[0].text.startswith("You have no waterfall to place.")
    assert not replay.stop and replay.totals == ((92, 92), (82, 82), (84, 84), (79, 71), (80, 80))


@pytest.mark.slow("a whole game")
def test_option_that_only_scores_otherwise_names_the_move_that_shows_it():
    replay = replay_option(play_golden_game("alpine-trails-5"), "length-goal", "fifteen")
    found = replay.first_difference
    assert found and found.at and found.is_possible and found.new_text == ""
    assert [(field.label, field.old, field.new) for field in found.differences] == [("points", "84", "89")]
    assert replay.differences == () and replay.totals[2] == (84, 89)


@pytest.mark.slow("a whole game")
def test_option_with_another_turn_order_stops_at_the_move_that_does_not_fit():
    replay = replay_option(play_golden_game("trails-2"), "bear-same-site", "nothing")
    assert replay.first_difference and replay.stop and replay.stop.at
    assert replay.stop.text == "At this point, it is still Ana\u2019s turn."
    assert replay.stop.at.step.seat == 1 and replay.stop.at.number > replay.first_difference.at.number


@pytest.mark.slow("a whole game")
@parametrize_cases("name", ["trails-2", "parks-2", "alpine-trails-2", "on-the-trail-2-light"])
def test_option_by_which_the_table_always_played_makes_no_difference(name: str):
    table = play_golden_game(name)
    for ruling in table.tracked.box.rulings:
        replay = replay_option(table, ruling.id, table.state.rulings.get(ruling.id, ruling.default))
        assert replay.first_difference is replay.stop is None and replay.left_out == replay.differences == ()
        assert all(old == new for old, new in replay.totals)


@pytest.mark.slow("whole games")
def test_option_stops_without_a_move_where_a_private_entry_does_not_fit():
    table = play_golden_game("on-the-trail-2-half-known", 150)
    replay = replay_option(table, "empty-pile", "at-once")
    assert replay.first_difference and replay.stop
    assert replay.stop.at is None or not replay.stop.at.step.move.is_secret


def test_option_adopted_during_the_game_is_replayed_from_the_start():
    builder = build_seated_log("Ana", "Bo")
    adopt_kind = TRACKED_GAMES["trails"].find_kind(AdoptRuling)
    assert adopt_kind
    assert [each.replay is None for each in ruling_page(builder.table, ANA, 0, r.ZERO_BIRDS).options] == [True, False]
    builder.play(0, adopt_kind(r.ZERO_BIRDS.id, "everyone"))
    page = ruling_page(builder.table, ANA, 0, r.ZERO_BIRDS)
    assert [each.is_current for each in page.options] == [False, True] and all(each.replay for each in page.options)


def test_option_that_counts_before_the_first_move_names_no_move():
    replay = replay_option(build_seated_log("Ana", "Bo").table, "zero-birds", "everyone")
    assert replay.first_difference and replay.first_difference.at is None and replay.totals == ((0, 4), (0, 4))
