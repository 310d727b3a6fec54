"""`explain` on random states: each way is legal, each No holds, and no secret leaks."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from scoring.alpine_trails.box import MILES
from scoring.alpine_trails.map.grid import edge_cells, neighbors, open_ends, tiles_by_cell
from scoring.alpine_trails.map.tiles import EXITS_SIMPLEST_FIRST, TERRAINS, Terrain
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.games import TRACKED_GAMES
from scoring.kernel.legality import MAX_MOVES_TRIED, Explanation, TurnSearch, explain, possible_actions
from scoring.kernel.move import Move, Phase
from scoring.kernel.tracked_game import TrackedGame
from scoring.parks.moves.park_actions import BuyGear, VisitPark
from scoring.parks.moves.sites import FillCanteenRow
from scoring.parks.state import DoAction
from tests.support.invariant_tables import TABLE_COUNTS, TABLES, seeded_rng
from tests.support.invariants import GAMES_TO_PLAY, TableConfig
from tests.support.parametrize import parametrize_cases
from tests.support.parks_table import token_counts, with_ana, with_tasks
from tests.support.random_games import random_game

DEFAULT_TABLES = TABLES if GAMES_TO_PLAY else [table for table in TABLES if "other" not in table.label]
STATES_PER_GAME = 2  # Sampled states of a game.
QUERIES_PER_SEAT = 3  # Queries in each state.
# Moves tried; a turn with more is not searched by brute force.
MAX_BRUTE_FORCE_STATES = 8_000

SMALL_MAP_TILES = 5  # Tiles on a map, two of them base camp.

_pack = msgspec.msgpack.Encoder(enc_hook=repr).encode


def sample_states(table: TableConfig) -> Iterator[tuple[random.Random, Any, int]]:
    """Yield sampled states of random games, with a random generator and the seat that moved."""
    for seed in table.seeds(TABLE_COUNTS[table.tracked.key], 24):
        with seeded_rng(seed) as rng:
            log: list[tuple[int, Move]] = []
            random_game(table.tracked, table.setup, rng, log)
            sampled = set(rng.sample(range(len(log)), min(STATES_PER_GAME, len(log))))
            state = table.tracked.initial_state(table.setup)
            for number, (seat, move) in enumerate(log):
                if number in sampled:
                    yield rng, state, seat
                state = table.tracked.play(state, seat, move)


def query_answers(table: TableConfig, rng: random.Random, state: Any, seat: int) -> Iterator[Explanation]:
    """Yield explanations of some moves a seat could ask about."""
    tracked, visible_state = table.tracked, table.tracked.view(state, seat)
    known = [query.move for query in possible_actions(tracked, visible_state, seat)]
    known += [move for move in map_queries(tracked, visible_state, seat) if move not in known]
    for move in rng.sample(known, min(QUERIES_PER_SEAT, len(known))):
        yield explain(tracked, visible_state, seat, move)


def map_queries(tracked: TrackedGame, state: Any, seat: int) -> Iterator[Move]:
    """Yield moves to ask about on a map: a campsite, a waterfall, a tile in a cell."""
    if PlaceCampsite not in tracked.available_moves(state):
        return
    tiles = state.players[seat].tiles
    for x, y in (*open_ends(tiles), *edge_cells(tiles)):
        yield from (PlaceCampsite(x, y), PlaceWaterfall(x, y), PlaceTerrain("rock", x, y))


def brute_force_moves(
    tracked: TrackedGame, state: Any, seat: int, miles: Iterable[int], terrains: Iterable[Terrain]
) -> Iterator[Move]:
    """Yield all moves possible in a state by brute force.

    :param miles: lengths of the trails to try.
    :param terrains: terrains of the terrain tiles to try.
    """
    kinds = tracked.available_moves(state) if seat in tracked.flow.to_move(state) else ()
    for kind in [kind for kind in kinds if not kind.out_of_turn] or kinds:
        cells = (
            edge_cells(state.players[seat].tiles)
            if kind.built_in_steps and hasattr(state.players[seat], "tiles")
            else ()
        )
        match kind:
            case _ if kind is PlaceTrail:
                yield from (
                    PlaceTrail("rock", exits, length, x, y)
                    for x, y in cells
                    for exits in EXITS_SIMPLEST_FIRST
                    for length in miles
                )
            case _ if kind is PlaceTerrain:
                yield from (PlaceTerrain(terrain, x, y) for x, y in cells for terrain in terrains)
            case _ if kind in (PlaceCampsite, PlaceWaterfall):
                yield from (kind(x, y) for x, y in cells)
            case _:
                yield from kind.candidates(state, seat)


def reachable_states(
    tracked: TrackedGame,
    state: Any,
    seat: int,
    max_states: int = MAX_BRUTE_FORCE_STATES,
    miles: Iterable[int] = MILES,
    terrains: Iterable[Terrain] = TERRAINS,
) -> list[Any] | None:
    """Return every state the rest of a turn can reach, or None if there are too many."""
    seen, found, tried = {_pack(state)}, [state], 0
    for reached in found:
        for move in brute_force_moves(tracked, reached, seat, miles, terrains):
            tried += 1
            if tried > max_states:
                return None
            if not tracked.is_legal(reached, seat, move):
                continue
            after = tracked.play(reached, seat, move)
            if tracked.is_turn_unfinished(state, after, seat) and (key := _pack(after)) not in seen:
                seen.add(key)
                found.append(after)
    return found


@pytest.mark.long("whole turns by brute force")
@parametrize_cases(
    "table",
    DEFAULT_TABLES,
    first=next(table for table in DEFAULT_TABLES if table.name == "parks 3 with everything"),
    ids=lambda table: table.name.replace(" ", "-"),
)
def test_ways_are_legal_and_noes_hold_by_brute_force_without_others_secrets(table):
    for rng, state, seat in sample_states(table):
        answers = list(query_answers(table, rng, state, seat))
        for answer in answers:
            assert_ways_work(table.tracked, state, seat, answer)
        assert_no_stays_no(
            table.tracked,
            table.tracked.view(state, seat),
            seat,
            [answer for answer in answers if answer.legality == "no"],
        )
        for answer in answers:
            assert_nearest_step(table.tracked, seat, answer)
        other_seat = (seat + 1) % len(state.players)
        changed = table.with_other_secret(state, other_seat, rng) if other_seat != seat else state
        for answer in answers:
            assert explain(table.tracked, table.tracked.view(changed, seat), seat, answer.move) == answer


def assert_ways_work(tracked: TrackedGame, state: Any, seat: int, answer: Explanation) -> None:
    """Assert that every way to a move is legal and ends where the move is legal."""
    assert answer.legality != "now" or not answer.reasons
    assert (answer.legality == "later") == bool(answer.ways)
    for moves, labels in zip(answer.ways, answer.way_labels, strict=True):
        reached = state
        for move in moves:
            reached = tracked.play(reached, seat, move)
        assert tracked.is_legal(reached, seat, answer.move), moves
        assert len(labels) == len(moves) and all(labels)


def assert_no_stays_no(tracked: TrackedGame, visible_state: Any, seat: int, noes: list[Explanation]) -> None:
    """Assert by brute force that a refused move is not legal in the rest of the turn."""
    ends = (reachable_states(tracked, visible_state, seat) if noes else None) or []
    for answer in noes:
        assert answer.reasons
        legal = [end for end in ends if tracked.is_legal(end, seat, answer.move)]
        if not answer.move.__struct_fields__:  # The label of a skip depends on what would be skipped.
            legal = [end for end in legal if answer.move.label(end, seat).text == answer.label]
        assert legal == [], answer.label


def assert_nearest_step(tracked: TrackedGame, seat: int, answer: Explanation) -> None:
    """Assert that no other step of the turn has fewer objections than the nearest one."""
    if answer.legality != "no" or not answer.nearest or answer.nearest.is_next_turn:
        return
    kind, steps = (
        type(answer.move),
        (later_state for _, later_state in TurnSearch(tracked, answer.state, seat, answer.move)),
    )
    available = [
        later_state
        for later_state in steps
        if kind.out_of_turn
        or (kind in tracked.available_moves(later_state) and answer.move.is_offered(later_state, seat))
    ]
    objections = [tuple(tracked.objections(later_state, seat, answer.move)) for later_state in available]
    if available:
        assert len(answer.nearest.reasons) == min(map(len, filter(None, objections)))
    else:
        assert answer.nearest.moves == () and answer.nearest.reasons == answer.reasons


def small_maps(rng: random.Random) -> Iterator[tuple[Any, int, list[Any]]]:
    """Yield small ALPINE TRAILS maps before both tiles of a round.

    Each is a state as its seat sees it, the seat, and all states its turn can reach.
    """
    tracked = TRACKED_GAMES["alpine-trails"]
    while True:
        state, log = tracked.initial_state(setup := tracked.setup_format.default(["Ana", "Bo"])), []
        random_game(tracked, setup, rng, log)
        for seat, move in log:
            player = state.players[seat]
            if 2 < len(player.tiles) < SMALL_MAP_TILES and player.tiles_used == 0 and not player.has_pending_actions:
                visible_state, home = (
                    tracked.view(state, seat),
                    state.facts.terrain(player.kept_animals[0]) if player.kept_animals else None,
                )
                if ends := reachable_states(
                    tracked, visible_state, seat, 5 * MAX_BRUTE_FORCE_STATES, MILES[-1:], [home or "forest"]
                ):
                    yield visible_state, seat, ends
                    break
            state = tracked.play(state, seat, move)


@pytest.mark.long("every place for two tiles")
@pytest.mark.parametrize("seed", range(max(2, GAMES_TO_PLAY // 50)))
def test_both_tiles_of_a_round_are_searched_on_a_small_map(seed):
    """Compares the search, which leaves out irrelevant moves, with a full one for both tiles."""
    tracked, rng = TRACKED_GAMES["alpine-trails"], random.Random(seed)
    visible_state, seat, ends = next(small_maps(rng))
    tiles = visible_state.players[seat].tiles
    cells = [
        cell for edge_cell in edge_cells(tiles) for _, cell in neighbors(edge_cell) if cell not in tiles_by_cell(tiles)
    ]
    moves = [*map_queries(tracked, visible_state, seat), *(PlaceTerrain("rock", x, y) for x, y in cells)]
    moves += [PlaceTrail("rock", exits, 2, x, y) for x, y in cells for exits in rng.sample(EXITS_SIMPLEST_FIRST, 2)]
    moves += [
        PlaceAnimal(animal, x, y)
        for animal in visible_state.players[seat].kept_animals
        for x, y in (*cells, *edge_cells(tiles))
    ]
    answers = [explain(tracked, visible_state, seat, move) for move in dict.fromkeys(moves)]
    can = {answer.move for answer in answers if any(tracked.is_legal(end, seat, answer.move) for end in ends)}
    assert can == {answer.move for answer in answers if answer.legality in ("now", "later")}
    assert {answer.legality for answer in answers} == {"now", "later", "no"}


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("tracked", TRACKED_GAMES.values(), ids=lambda tracked: tracked.key)
def test_all_answers_occur_in_every_game(tracked):
    """The tests above would also pass if the search found nothing or always gave up."""
    yes: set[str] = set()
    for table in TABLES:
        if table.tracked is tracked and not yes >= {"now", "later", "no"}:
            for rng, state, seat in sample_states(table):
                yes |= {answer.legality for answer in query_answers(table, rng, state, seat)}
    turn_has_several_moves = any(
        kind.phase is Phase.TURN and kind.resolves and not kind.out_of_turn for kind in tracked.moves
    )
    assert "now" in yes
    assert not turn_has_several_moves or yes >= {"later", "no"}


def test_search_of_a_turn_with_too_many_moves_is_incomplete():
    tracked = TRACKED_GAMES["trails"]
    state = tracked.initial_state(tracked.setup_format.default(["Ana", "Bo"]))
    search = TurnSearch(tracked, state, tracked.flow.to_move(state)[0], max_moves=3)
    assert list(search) and not search.is_complete
    assert MAX_MOVES_TRIED > 3


# Nearest step of a No: state, move, codes of the reasons now, route to the step, codes of the reasons there.
NEAREST = {
    "a park that is too dear": (
        with_ana(tokens=token_counts(forest=1)),
        VisitPark("Yellowstone"),
        ("hike-first",),
        ("Hike to the Parks site",),
        ("cost",),
    ),
    "a park while trading": (
        with_tasks(DoAction("trade"), tokens=token_counts(forest=1)),
        VisitPark("Yellowstone"),
        ("no-parks-action",),
        ("Hike from the Trailhead to the Parks site",),
        ("cost",),
    ),
    "gear that is too dear": (
        with_ana(tokens=token_counts()),
        BuyGear("binoculars-reserve"),
        ("hike-first",),
        ("Hike to the Gear space at Trail\u2019s End",),
        ("cost",),
    ),
    "a canteen row without canteens": (
        with_ana(canteens=(("sun",), (), ())),
        FillCanteenRow(1),
        ("hike-first",),
        ("Hike to the Water site",),
        ("row-empty",),
    ),
}


@pytest.mark.parametrize("name", NEAREST)
def test_explain_names_the_nearest_step_and_its_missing_conditions(name):
    state, move, codes, route, missing = NEAREST[name]
    answer = explain(TRACKED_GAMES["parks"], state, 0, move)
    assert answer.legality == "no" and answer.nearest
    assert answer.nearest.labels == route
    assert tuple(reason.code for reason in answer.reasons) == codes
    assert tuple(reason.code for reason in answer.nearest.reasons) == missing
