"""Tests of the page that compares the players' accounts."""

import random

import pytest

from companion.log.entries import AccountClaimed
from companion.log.plans import Insert, RepairPlan, Truncate
from companion.log.table import to_data
from companion.pages.judge import accounts_page
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.support.log_builder import DEVICES, STRANGER, build_seated_log
from tests.support.parametrize import TRACKED_KEYS
from tests.support.random_games import random_game


@pytest.mark.parametrize("game", [key for key in TRACKED_KEYS if TRACKED_GAMES[key].has_secrets])
def test_account_that_ends_the_game_reveals_no_secret_to_another_account(game: str):
    tracked, names = TRACKED_GAMES[game], ("Ana", "Bo")
    builder = build_seated_log(*names, game=game)
    record: list[tuple[int, Move]] = []
    random_game(tracked, builder.table.setup, random.Random(3), record)
    for seat, move in record[:-1]:
        builder.play(seat, move)
    seat, last_move = record[-1]
    assert not builder.table.is_over
    ending = RepairPlan(edits=(Insert(seat, to_data(last_move)),))
    public_step = next(step for step in reversed(builder.table.steps) if not step.move.is_secret)
    for claimer, plan in ((0, ending), (1, RepairPlan(public_step.id, edits=(Truncate(),)))):
        builder.add_entry(DEVICES[claimer], AccountClaimed(plan.encode()), claimer)
    ended, other = accounts_page(builder.table, STRANGER, None).accounts
    assert ended.preview.ends_game and other.account_differences == ()
