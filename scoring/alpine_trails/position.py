"""Position format of ALPINE TRAILS: everything visible on the table, and its errors.

A correction may enter any map, so a position is not checked against the rules of placement or
against the tiles drawn so far.
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import (
    ANIMALS_OF_EACH,
    BAG_SIZES,
    BASE_SQUARES,
    LAKE_BACKS,
    TENTS,
    TILES_PER_ROUND,
    TRAIL_TILES,
    WATERFALL_TILES,
)
from scoring.alpine_trails.editable import editable_fields, own_fields
from scoring.alpine_trails.map.grid import describe_cell, is_connected, tiles_by_cell
from scoring.alpine_trails.map.tiles import ANIMAL_PLURALS, ANIMALS, TERRAINS, Animal, Terrain, TrailMap
from scoring.alpine_trails.map.tiles import tile_errors as against_tile
from scoring.alpine_trails.moves.reveals import POSSIBLE_GOALS
from scoring.alpine_trails.moves.wildlife import wrong_home_reason
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.setup import check_setup
from scoring.alpine_trails.state import (
    AnimalCard,
    Player,
    PlayerSetup,
    Setup,
    State,
    count_animals_of,
    count_on_maps,
    count_taken_animals,
)
from scoring.alpine_trails.turn import LAKE_BACKED_KINDS
from scoring.kernel.english import pluralize
from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Reason


class PlayerPosition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One player's part of the position."""

    name: str
    map: TrailMap = ()  # empty until base camp is entered
    goal: Goal | Literal["not told"] = "not told"
    kept: tuple[Animal, ...] = ()
    played: int = 0  # tiles used this round, plus those of later rounds that were entered ahead
    campsite: bool = False  # whether one of the last two tiles was given up for a campsite
    waterfalls: int = 0  # earned, not placed yet
    forks: tuple[Terrain, ...] = ()  # other players' forks whose animal may still be taken
    complete: bool = False  # whether the owner has confirmed the finished map


class Position(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position of the whole table."""

    players: tuple[PlayerPosition, ...]
    bag: int | Literal["as printed"] = "as printed"  # tiles put into the bag at setup
    round: int | Literal["over"] = 1  # over: the bag is empty and the lakes are placed
    ahead: bool = False  # whether players who have entered both tiles may go on to the next round
    animals: dict[Terrain, Animal] = {}  # known part of the animal card
    rulings: dict[str, str] = {}


def to_position(state: State) -> Position:
    """Return the position that describes a state."""
    sides = tuple(
        PlayerPosition(
            name=player.name,
            map=player.tiles,
            goal=player.goal or "not told",
            kept=player.kept_animals,
            played=0 if state.is_play_over else player.tiles_used,
            campsite=player.has_placed_campsite,
            waterfalls=player.waterfalls_to_place,
            forks=player.offered_forks,
            complete=player.is_complete,
        )
        for player in state.players
    )
    return Position(
        players=sides,
        bag="as printed" if state.bag_size == BAG_SIZES.get(len(sides)) else state.bag_size,
        round="over" if state.is_play_over else state.round,
        ahead=state.can_play_ahead,
        animals={terrain: animal for terrain in TERRAINS if (animal := state.facts.animal(terrain))},
        rulings=state.rulings,
    )


def from_position(position: Position) -> State:
    """Return the state that a position describes."""
    over = position.round == "over"
    players = tuple(
        Player(
            name=player.name,
            tiles=player.map,
            goal=None if player.goal == "not told" else player.goal,
            kept_animals=player.kept,
            tiles_used=TILES_PER_ROUND if over else player.played,
            has_placed_campsite=player.campsite,
            waterfalls_to_place=player.waterfalls,
            offered_forks=player.forks,
            is_complete=player.complete,
        )
        for player in position.players
    )
    tiles = BAG_SIZES.get(len(players), 0) if position.bag == "as printed" else position.bag
    state = State(
        players=players,
        bag_size=tiles,
        rulings=position.rulings,
        facts=AnimalCard(**position.animals),
        can_play_ahead=position.ahead,
    )
    return (
        replace(state, round=state.rounds, is_play_over=True)
        if position.round == "over"
        else replace(state, round=position.round)
    )


def position_errors(state: State) -> Iterator[Reason]:
    """Yield the inconsistencies of a state, one reason each."""
    names = tuple(PlayerSetup(player.name) for player in state.players)
    yield from check_setup(
        Setup(players=names, tiles=state.bag_size, rulings=state.rulings, facts=state.facts, ahead=state.can_play_ahead)
    )
    if state.players and not 1 <= state.round <= state.rounds:
        rounds = pluralize(state.rounds, "round")
        text = f"There is no round {state.round}. A bag of {state.bag_size} tiles lasts {rounds}."
        yield Reason("no-such-round", r.BAG, text)
    yield from component_errors(state)
    for player in state.players:
        yield from _player_errors(state, player)
        if player.tiles:
            yield from _map_errors(state, player)


# The kinds of tile that use a component, the number in the box, its name, and the rule.
_COMPONENT_LIMITS = (
    (("campsite",), TENTS, "tents", r.COMPONENTS),
    (("waterfall",), WATERFALL_TILES, "waterfalls", r.COMPONENTS),
    (("trail", "terrain"), TRAIL_TILES, "trail tiles", r.COMPONENTS),
    (LAKE_BACKED_KINDS, LAKE_BACKS, "campsite and waterfall tiles, lakes included", r.LAKE_SUPPLY),
)


def component_errors(state: Any) -> Iterator[Reason]:
    """Yield components used beyond what the box holds, in play or in score entry."""
    for kinds, number, text, rule in _COMPONENT_LIMITS:
        if count_on_maps(state, *kinds) > number:
            yield Reason("box-counts", rule, f"The box has only {number} {text}.")
    if any(count_taken_animals(state, animal) > ANIMALS_OF_EACH for animal in ANIMALS):
        yield Reason("box-counts", r.ANIMAL_SUPPLY, f"The box has only {ANIMALS_OF_EACH} of each animal.")
    for player in state.players if len(state.players) > 1 else ():
        for animal in ANIMALS:
            if count_animals_of(player, animal) > 1:
                yield Reason(
                    "has-it",
                    r.ANIMAL_ONCE,
                    f"{player.name} would have two {ANIMAL_PLURALS[animal]}. Each player may have only one.",
                )


def _player_errors(state: State, player: Player) -> Iterator[Reason]:
    if not 0 <= player.tiles_used <= max(TILES_PER_ROUND, state.tile_limit):
        limit = state.tile_limit if state.can_play_ahead else TILES_PER_ROUND
        period = "from this round on" if state.can_play_ahead else "a round"
        text = (
            f"Each player has {pluralize(limit, 'tile')} {period}. {player.name} cannot have used {player.tiles_used}."
        )
        yield Reason("two-tiles", r.DRAW_TWO, text)
    if not player.tiles and (player.tiles_used or player.waterfalls_to_place or state.is_play_over):
        yield Reason("no-map", r.BASE_CAMP, f"{player.name} has no map yet. Enter the base camp first.")
    if player.has_placed_campsite and not player.tiles_used:
        text = f"{player.name} has placed a campsite this round, so at least 1 tile is used."
        yield Reason("one-campsite", r.CAMPSITE_ONE, text)
    if player.waterfalls_to_place < 0:
        text = f"{player.name} cannot have {player.waterfalls_to_place} waterfalls to place. Use 0 or more."
        yield Reason("no-waterfall", r.LOOP, text)
    if player.offered_forks and state.solo:
        yield Reason("solo-only", r.SOLO_FORK, "The solo game has no forks of other players.")
    if len(set(player.offered_forks)) < len(player.offered_forks):
        yield Reason(
            "offered-twice", r.FORK_ANIMAL, f"{player.name} can take only one animal for forks of one terrain."
        )
    if player.goal and (player.goal.kind, player.goal.terrain) not in POSSIBLE_GOALS:
        yield Reason("no-such-goal", r.GOAL_CARD, f"The goal card of {player.name} does not exist.")
    if state.is_play_over and (player.waterfalls_to_place or player.offered_forks):
        text = f"The bag is empty, so {player.name} has no waterfall to place and no animal to take."
        yield Reason("play-over", r.GAME_OVER, text)
    if player.is_complete and not state.is_play_over:
        yield Reason(
            "bag-not-empty", r.GAME_OVER, f"{player.name}\u2019s map cannot be finished before the bag is empty."
        )


def _map_errors(state: State, player: Player) -> Iterator[Reason]:
    base = [tile for tile in player.tiles if tile.kind == "base"]
    if len(base) != BASE_SQUARES or not is_connected(tuple(base)):
        yield Reason(
            "one-base-camp",
            r.BASE_CAMP_SQUARES,
            f"{player.name}\u2019s map must have one base camp, on two adjacent squares.",
        )
        return
    if len(tiles_by_cell(player.tiles)) < len(player.tiles):
        yield Reason("occupied", r.PLACE_EMPTY, f"{player.name}\u2019s map has two tiles on one square.")
    if not is_connected(player.tiles):
        yield Reason(
            "falls-apart",
            r.PLACE_ADJACENT,
            f"{player.name}\u2019s map is not in one piece. All tiles must touch edge to edge.",
        )
    for tile in player.tiles:
        errors = list(against_tile(tile))
        if tile.animal and (home := state.facts.terrain(tile.animal)) not in (None, tile.terrain):
            errors.append(wrong_home_reason(tile.animal, home, tile))
        for reason in errors:
            location = f"{player.name}\u2019s map, {describe_cell(player.tiles, tile.cell)}"
            yield replace(reason, text=f"{location}: {reason.text}")


POSITION_FORMAT = PositionFormat(
    type=Position,
    to_position=to_position,
    from_position=from_position,
    position_errors=position_errors,
    editable_fields=editable_fields,
    own_fields=own_fields,
)
