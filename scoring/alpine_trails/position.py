"""The table of ALPINE TRAILS as it lies: everything people standing at it would say, and what does not add up there.

A correction may say any map, so neither the rules of placing nor the tiles drawn so far are held against what lies.
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import (
    ANIMALS_OF_EACH,
    BAG,
    BASE_SQUARES,
    DRAWN,
    LAKE_BACKS,
    TENTS,
    TRAIL_TILES,
    WATERFALL_TILES,
)
from scoring.alpine_trails.editable import figures
from scoring.alpine_trails.map.grid import cells, in_one_piece, where
from scoring.alpine_trails.map.tiles import ANIMALS, TERRAINS, Animal, Placed, Terrain, TrailMap, name
from scoring.alpine_trails.map.tiles import faults as against_tile
from scoring.alpine_trails.moves.reveals import GOALS
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.setup import check_setup
from scoring.alpine_trails.state import AnimalCard, Player, PlayerSetup, Setup, State, has, on_maps, out
from scoring.alpine_trails.turn import BACKED
from scoring.kernel.english import a, plural
from scoring.kernel.position import Lying
from scoring.kernel.rule import Reason


class Side(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One player's side of the table."""

    name: str
    map: TrailMap = ()  # nothing until base camp is told
    goal: Goal | Literal["not told"] = "not told"
    kept: tuple[Animal, ...] = ()
    played: int = 0  # of this round's two tiles, and those of later rounds that were told already
    campsite: bool = False  # one of the last two was given up for a campsite
    waterfalls: int = 0  # earned, not placed yet
    forks: tuple[Terrain, ...] = ()  # of others, whose animal may still be taken
    complete: bool = False  # the map, as its owner says at the end


class Position(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table as it lies."""

    players: tuple[Side, ...]
    bag: int | Literal["as printed"] = "as printed"  # how many tiles went into it
    round: int | Literal["over"] = 1  # over: the bag is empty, the lakes lie
    ahead: bool = False  # whoever has told both tiles goes on to the next round
    animals: dict[Terrain, Animal] = {}  # which lives where, as far as the animal card has been told
    rulings: dict[str, str] = {}


def says(state: State) -> Position:
    """Return what people at the table would say of it."""
    sides = tuple(
        Side(
            name=player.name,
            map=player.tiles,
            goal=player.goal or "not told",
            kept=player.held,
            played=0 if state.ended else player.used,
            campsite=player.camped,
            waterfalls=player.waterfalls,
            forks=player.offered,
            complete=player.done,
        )
        for player in state.players
    )
    return Position(
        players=sides,
        bag="as printed" if state.tiles == BAG.get(len(sides)) else state.tiles,
        round="over" if state.ended else state.round,
        ahead=state.ahead,
        animals={terrain: animal for terrain in TERRAINS if (animal := state.facts.animal(terrain))},
        rulings=state.rulings,
    )


def state(position: Position) -> State:
    """Return the state of a table that lies so."""
    over = position.round == "over"
    players = tuple(
        Player(
            name=side.name,
            tiles=side.map,
            goal=None if side.goal == "not told" else side.goal,
            held=side.kept,
            used=DRAWN if over else side.played,
            camped=side.campsite,
            waterfalls=side.waterfalls,
            offered=side.forks,
            done=side.complete,
        )
        for side in position.players
    )
    tiles = BAG.get(len(players), 0) if position.bag == "as printed" else position.bag
    begun = State(players, tiles, position.rulings, AnimalCard(**position.animals), ahead=position.ahead)
    return (
        replace(begun, round=begun.rounds, ended=True)
        if position.round == "over"
        else replace(begun, round=position.round)
    )


def faults(state: State) -> Iterator[Reason]:
    """Yield what does not add up on a table, a line each."""
    names = tuple(PlayerSetup(player.name) for player in state.players)
    yield from check_setup(Setup(names, state.tiles, state.rulings, state.facts, state.ahead))
    if state.players and not 1 <= state.round <= state.rounds:
        text = f"With {state.tiles} tiles in the bag there are {plural(state.rounds, 'round')}."
        yield Reason("no-such-round", r.BAG, text)
    yield from beyond_box(state)
    for player in state.players:
        yield from _against_player(state, player)
        if player.tiles:
            yield from _against_map(state, player)


def beyond_box(state: Any) -> Iterator[Reason]:
    """Yield what lies on the maps, or is kept, and is not in the box; at a table or in a tally."""
    if on_maps(state, "campsite") > TENTS:
        yield Reason("box-counts", r.COMPONENTS, f"The box has {TENTS} tents.")
    if on_maps(state, "waterfall") > WATERFALL_TILES:
        yield Reason("box-counts", r.COMPONENTS, f"The box has {WATERFALL_TILES} waterfalls.")
    if on_maps(state, "trail", "terrain") > TRAIL_TILES:
        yield Reason("box-counts", r.COMPONENTS, f"The box has {TRAIL_TILES} trail tiles.")
    if on_maps(state, *BACKED) > LAKE_BACKS:
        yield Reason(
            "box-counts", r.LAKE_SUPPLY, f"The box has {LAKE_BACKS} campsite and waterfall tiles for all lakes."
        )
    if any(out(state, animal) > ANIMALS_OF_EACH for animal in ANIMALS):
        yield Reason("box-counts", r.ANIMAL_SUPPLY, f"There are {ANIMALS_OF_EACH} of each animal.")
    for player in state.players if len(state.players) > 1 else ():
        for animal in ANIMALS:
            if has(player, animal) > 1:
                yield Reason("has-it", r.ANIMAL_ONCE, f"{player.name} would have the {animal} twice.")


def _against_player(state: State, player: Player) -> Iterator[Reason]:
    if not 0 <= player.used <= max(DRAWN, state.left):
        each = f"has {plural(state.left, 'tile')} left" if state.ahead else f"plays {plural(DRAWN, 'tile')}"
        text = f"In a round everybody {each}; {player.name} cannot have played {player.used}."
        yield Reason("two-tiles", r.DRAW_TWO, text)
    if not player.tiles and (player.used or player.waterfalls or state.ended):
        yield Reason("no-map", r.BASE_CAMP, f"{player.name} has no map yet.")
    if player.camped and not player.used:
        yield Reason(
            "one-campsite", r.CAMPSITE_ONE, f"{player.name} has given up a tile for a campsite and played none."
        )
    if player.waterfalls < 0:
        yield Reason("no-waterfall", r.LOOP, f"{player.name} cannot have {player.waterfalls} waterfalls to place.")
    if player.offered and state.solo:
        yield Reason("solo-only", r.SOLO_FORK, "Alone there are no forks of others.")
    if len(set(player.offered)) < len(player.offered):
        yield Reason("offered-twice", r.FORK_ANIMAL, f"Forks of one terrain offer {player.name} one animal.")
    if player.goal and (player.goal.kind, player.goal.terrain) not in GOALS:
        yield Reason("no-such-goal", r.GOAL_CARD, f"There is no goal card such as that of {player.name}.")
    if state.ended and (player.waterfalls or player.offered):
        text = f"The bag is empty; {player.name} has no waterfall and no animal to take any more."
        yield Reason("play-over", r.GAME_OVER, text)
    if player.done and not state.ended:
        yield Reason("bag-not-empty", r.GAME_OVER, f"The map of {player.name} is not complete before the bag is empty.")


def _against_map(state: State, player: Player) -> Iterator[Reason]:
    base = [tile for tile in player.tiles if tile.kind == "base"]
    if len(base) != BASE_SQUARES or not in_one_piece(tuple(base)):
        yield Reason(
            "one-base-camp", r.BASE_CAMP_SQUARES, f"{player.name} has one base camp, on two squares side by side."
        )
        return
    if len(cells(player.tiles)) < len(player.tiles):
        yield Reason("occupied", r.PLACE_EMPTY, f"On the map of {player.name} two tiles lie in one cell.")
    if not in_one_piece(player.tiles):
        yield Reason("falls-apart", r.PLACE_ADJACENT, f"The map of {player.name} is not in one piece.")
    for tile in player.tiles:
        for reason in (*against_tile(tile), *_away_from_home(state, tile)):
            here = f"{player.name}, {where(player.tiles, tile.cell)}"
            yield replace(reason, text=f"{here}: {reason.text[0].lower()}{reason.text[1:]}")


def _away_from_home(state: State, tile: Placed) -> Iterator[Reason]:
    """Yield that the animal card, as far as it is known, says another terrain than a tile's for its animal."""
    home = state.facts.terrain(tile.animal) if tile.animal else None
    if home not in (None, tile.terrain):
        yield Reason(
            "other-terrain", r.ANIMAL_PLACE, f"The {tile.animal} lives in the {home}; this is {a(name(tile))}."
        )


LYING = Lying(type=Position, says=says, state=state, faults=faults, figures=figures)
