"""Refused moves of random games, and what their answers name."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from scoring.alpine_trails.map.grid import edge_cells
from scoring.alpine_trails.map.tiles import EXITS_SIMPLEST_FIRST
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.kernel.legality import Explanation, possible_actions
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from tests.support.invariant_tables import seeded_rng
from tests.support.invariants import TableConfig
from tests.support.random_games import random_game

FAR_AWAY = (9, 9)  # a cell that touches no map


class RefusedQuery(NamedTuple):
    """A move that a seat cannot make in this turn, in the state as the seat sees it."""

    state: Any
    seat: int
    move: Move
    label: str


def refused_queries(table: TableConfig, seed: str, states: int, queries: int) -> Iterator[RefusedQuery]:
    """Yield refused moves of a random game: some of each seat, in some of its states."""
    tracked = table.tracked
    with seeded_rng(seed) as rng:
        log: list[tuple[int, Move]] = []
        random_game(tracked, table.setup, rng, log)
        sampled = set(rng.sample(range(len(log)), min(states, len(log))))
        state = tracked.initial_state(table.setup)
        for number, (mover, move) in enumerate(log):
            for seat in range(len(state.players)) if number in sampled else ():
                view = tracked.view(state, seat)
                refused = list(_refused_moves(tracked, view, seat, rng))
                for query, label in rng.sample(refused, min(queries, len(refused))):
                    yield RefusedQuery(view, seat, query, label)
            state = tracked.play(state, mover, move)


def _refused_moves(tracked: TrackedGame, view: Any, seat: int, rng: random.Random) -> Iterator[tuple[Move, str]]:
    """Yield the moves refused in this turn, with their labels if they have no fields."""
    if tracked.move_to_query:  # Its moves are too many to list.
        yield from ((move, "") for move in _map_queries(view, seat, rng) if not tracked.is_legal(view, seat, move))
        return
    for query in possible_actions(tracked, view, seat):
        if not query.is_possible:
            yield query.move, "" if query.move.__struct_fields__ else query.label


def _map_queries(view: Any, seat: int, rng: random.Random) -> Iterator[Move]:
    """Yield tiles and animals in cells of a map and beside it."""
    tiles = view.players[seat].tiles
    cells = [*edge_cells(tiles), *(tile.cell for tile in tiles), FAR_AWAY] if tiles else []
    for x, y in rng.sample(cells, min(3, len(cells))):
        yield PlaceTrail("rock", rng.choice(EXITS_SIMPLEST_FIRST), 2, x, y)
        yield from (PlaceTerrain("rock", x, y), PlaceCampsite(x, y), PlaceWaterfall(x, y), PlaceAnimal("bear", x, y))


def answer_kind(answer: Explanation) -> str:
    """Return what an answer to a refused move names."""
    if answer.wait_reason and answer.legality in ("now", "later"):
        return "possible on the seat's own turn"
    if answer.legality in ("now", "later"):
        return "possible later in the turn"
    if answer.unknown_fact:
        return "a fact not entered yet"
    nearest = answer.nearest
    if nearest is None:
        return "no change: the game is over"
    if nearest.is_next_turn and not nearest.reasons:
        return "possible on the next turn"
    if nearest.changes:
        return "a change for another place" if nearest.changes_are_for_alternative else "a change"
    if nearest.alternative and not nearest.alternative_reasons:
        return "another place"
    return f"no change: {', '.join(dict.fromkeys(reason.code for reason in nearest.reasons))}"
