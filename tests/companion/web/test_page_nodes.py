"""The number of elements on the page of a seat, throughout random games."""

import random

import pytest
from flask import Flask

from scoring.games import TRACKED_GAMES
from tests.support.parametrize import TRACKED_KEYS
from tests.support.phones import open_seated_table
from tests.support.random_games import random_game

NAMES = ("Ana", "Bo", "Cleo", "Dimitri", "Eve")
SEED = 7
STEP = 5  # moves between two looks at the pages
MAX_NODES = 600
# In PARKS, a card not entered yet is named while it is taken. Its page holds every card and payment, so that it works
# without scripts.
MAX_NODES_WITH_CHOOSER = 780


@pytest.mark.parametrize("game", TRACKED_KEYS)
@pytest.mark.parametrize("players", [2, 5])
def test_page_of_seat_has_few_elements_throughout_game(app: Flask, game: str, players: int):
    tracked = TRACKED_GAMES[game]
    names = NAMES[: min(players, tracked.box.player_counts[-1])]
    table, moves = open_seated_table(app, *names, game=game), []
    random_game(tracked, table.table.setup, random.Random(SEED), moves)
    for number, (mover, move) in enumerate([*moves, (0, None)]):
        if number % STEP == 0 or move is None:
            for seat in (mover, (mover + 1) % len(names)):
                page = table.phone(seat).open(f"{table.path}/seat/{seat}")
                limit = MAX_NODES_WITH_CHOOSER if page.tags_with_class("letter-picker") else MAX_NODES
                assert len(page.tags) < limit, (number, seat)
        if move is not None:
            table.play(mover, move)
