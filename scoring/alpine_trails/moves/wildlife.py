"""Moves with animals: take or leave one from a fork, place one, or trade a fork (solo)."""

from collections.abc import Iterable, Iterator
from typing import Self

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMALS_OF_EACH, TERRAIN_ICONS
from scoring.alpine_trails.map.fitting import legal_placements
from scoring.alpine_trails.map.grid import describe_cell, distance, tiles_by_cell, with_tile
from scoring.alpine_trails.map.tiles import (
    ANIMAL_PLURALS,
    ANIMALS,
    TERRAINS,
    Animal,
    PlacedTile,
    Terrain,
    name_with_article,
)
from scoring.alpine_trails.moves.missing_tiles import TERRAIN_SIDE, missing_tiles_field
from scoring.alpine_trails.state import AnimalCard, State, count_animals_of, count_taken_animals
from scoring.alpine_trails.text import fork_animal_text
from scoring.alpine_trails.turn import take_animal, tile_objections, use_tile
from scoring.kernel.editable import Choice, EditableField, OneOf
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason


def animal_home_objections(card: AnimalCard, terrain: Terrain, animal: Animal) -> Iterator[Reason]:
    """Yield why an animal cannot belong to a terrain, given what is known of the animal card."""
    if card.animal(terrain) not in (None, animal):
        yield Reason(
            "other-animal", r.ANIMAL_CARD, f"The {terrain} animal is the {card.animal(terrain)}, not the {animal}."
        )
    elif card.terrain(animal) not in (None, terrain):
        yield Reason(
            "other-terrain",
            r.ANIMAL_CARD,
            f"The {animal} is the {card.terrain(animal)} animal, not the {terrain} animal.",
        )


def wrong_home_reason(animal: Animal, home: Terrain | None, tile: PlacedTile) -> Reason:
    """Return why an animal cannot be on a tile: it lives in another terrain."""
    text = f"The {animal} goes on a {home} terrain tile. {_this_is_text(tile)}."
    return Reason("other-terrain", r.ANIMAL_PLACE, text)


def _this_is_text(tile: PlacedTile) -> str:
    return f"This is {name_with_article(tile)}"


def possible_animals(card: AnimalCard, terrain: Terrain) -> Iterator[Animal]:
    """Yield the animals that may belong to a terrain: the known one, or those without a terrain."""
    for animal in ANIMALS:
        if next(animal_home_objections(card, terrain, animal), None) is None:
            yield animal


def animal_supply_objections(state: State, animal: Animal) -> Iterator[Reason]:
    if count_taken_animals(state, animal) >= ANIMALS_OF_EACH:
        yield Reason("none-left", r.ANIMAL_SUPPLY, f"All {ANIMALS_OF_EACH} {ANIMAL_PLURALS[animal]} are taken.")


def fork_offer_objections(state: State, seat: int, terrain: Terrain) -> Iterator[Reason]:
    """Yield why a player has no offer for the animal of a terrain."""
    if terrain in state.players[seat].offered_forks:
        return
    text = f"There is no {terrain} animal to take. Another player must place a {terrain} fork first."
    owners = [
        owner
        for owner, player in enumerate(state.players)
        for tile in player.tiles
        if tile.is_fork and tile.terrain == terrain
    ]
    if owners:
        text = f"No {terrain} fork offers you an animal now. Wait for the next one."
    if owners and set(owners) == {seat}:
        text = f"Your own fork gives you no animal. Another player must place a {terrain} fork first."
    yield Reason("no-fork", r.FORK_ANIMAL, text)


def remove_offer(state: State, seat: int, terrain: Terrain) -> State:
    offered = tuple(offer for offer in state.players[seat].offered_forks if offer != terrain)
    return state.with_player(seat, offered_forks=offered)


class TakeAnimal(Move[State], tag="take-animal"):
    """Take the animal that another player's fork offers.

    The first player to take one from a terrain enters which animal lives there.
    """

    title = "Take an animal"
    resolves = ("round",)
    rules = (r.FORK_ANIMAL, r.ANIMAL_CARD, r.ANIMAL_ONCE, r.ANIMAL_SUPPLY)

    terrain: Terrain
    animal: Animal

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from fork_offer_objections(state, seat, self.terrain)
        yield from animal_home_objections(state.facts, self.terrain, self.animal)
        if count_animals_of(state.players[seat], self.animal):
            yield Reason(
                "has-it", r.ANIMAL_ONCE, f"You already have the {self.animal}. You may have only one of each animal."
            )
        yield from animal_supply_objections(state, self.animal)

    def apply(self, state: State, seat: int) -> State:
        return take_animal(remove_offer(state, seat, self.terrain), seat, self.terrain, self.animal)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeAnimal"]:
        for terrain in state.players[seat].offered_forks:
            for animal in possible_animals(state.facts, terrain):
                yield cls(terrain, animal)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Take the {self.animal}",
            hint=f"for the {self.terrain} fork" if state.facts.animal(self.terrain) else f"the {self.terrain} animal",
            icon=self.animal,
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"took the {self.animal} ({self.terrain} fork)"

    def news_text(self, state: State, seat: int) -> str:
        return f"took the {self.animal}"


class LeaveAnimal(Move[State], tag="leave-animal"):
    """Decline the animal that a fork offers."""

    title = "Skip an animal"
    resolves = ("round",)
    rules = (r.FORK_ANIMAL,)

    terrain: Terrain

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from fork_offer_objections(state, seat, self.terrain)

    def apply(self, state: State, seat: int) -> State:
        return remove_offer(state, seat, self.terrain)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LeaveAnimal"]:
        for terrain in state.players[seat].offered_forks:
            yield cls(terrain)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Skip the {fork_animal_text(state, self.terrain)}", hint=f"for the {self.terrain} fork", icon="x"
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"skipped the {fork_animal_text(state, self.terrain)} ({self.terrain} fork)"

    def news_text(self, state: State, seat: int) -> str:
        return ""


class PlaceAnimal(Move[State], tag="place-animal"):
    """Place a kept animal on a terrain side where it lives."""

    title = "Place an animal"
    rules = (r.ANIMAL_PLACE, r.ANIMAL_ONE_TO_A_TILE, r.ANIMAL_KEPT, r.ANIMAL_CARD)
    out_of_turn = True
    built_in_steps = True

    animal: Animal
    x: int
    y: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if state.is_over:
            yield Reason("play-over", r.GAME_OVER, "The game is over.")
        if self.animal not in player.kept_animals:
            yield Reason("no-animal", r.ANIMAL_KEPT, f"You have no {self.animal} to place. Take one first.")
            return
        tile = tiles_by_cell(player.tiles).get((self.x, self.y))
        home = state.facts.terrain(self.animal)
        if tile is None or tile.kind != "terrain":
            target_text = "This square is empty" if tile is None else _this_is_text(tile)
            yield Reason("terrain-side", r.ANIMAL_PLACE, f"An animal goes on a terrain side. {target_text}.")
        elif home is None:
            yield Reason(
                "home-unknown",
                r.ANIMAL_CARD,
                f"Enter the {self.animal}\u2019s terrain first, from the animal card.",
                unknown_fact=f"the terrain of the {self.animal}",
            )
        elif tile.terrain != home:
            yield wrong_home_reason(self.animal, home, tile)
        elif tile.animal is not None:
            yield Reason(
                "animal-here",
                r.ANIMAL_ONE_TO_A_TILE,
                f"The {tile.animal} is already on this tile. Choose another tile.",
            )

    def alternatives(self, state: State, seat: int) -> Iterable[Self]:
        """Return this animal on the terrain sides where it lives, then where one can be placed.

        Of both kinds of square, the nearest come first.
        """
        homes, tiles = self._possible_homes(state), state.players[seat].tiles
        cells = [tile.cell for tile in tiles if tile.kind == "terrain" and tile.terrain in homes and not tile.animal]
        for nearest_first in (cells, list(legal_placements(tiles, TERRAIN_SIDE))):
            nearest_first.sort(key=lambda cell: distance(cell, (self.x, self.y)))
            yield from (replace(self, x=x, y=y) for x, y in nearest_first)

    def _possible_homes(self, state: State) -> list[Terrain]:
        """Return the terrains where this animal may live, as far as the animal card is known."""
        return [home for home in TERRAINS if self.animal in possible_animals(state.facts, home)]

    def needed_fields(self, state: State, seat: int) -> Iterable[EditableField]:
        """Return a terrain side in an empty square, and the animal's terrain if it is unknown."""
        homes, tiles = self._possible_homes(state), state.players[seat].tiles
        tile = tiles_by_cell(tiles).get((self.x, self.y))
        home = tile.terrain if tile and tile.terrain in homes else homes[0]
        if (self.x, self.y) in legal_placements(tiles, TERRAIN_SIDE):
            terrain_side = PlacedTile(self.x, self.y, "terrain", home, icons=TERRAIN_ICONS)
            yield missing_tiles_field(seat, tiles, [(terrain_side,)])
        if state.facts.animal(home) is None:
            domain = OneOf((Choice("", ""), Choice(self.animal, f"the {self.animal} as the {home} animal")))
            yield EditableField(f"animals.{home}", None, "", "", domain)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        held = list(player.kept_animals)
        held.remove(self.animal)
        placed = replace(tiles_by_cell(player.tiles)[self.x, self.y], animal=self.animal)
        return state.with_player(seat, kept_animals=tuple(held), tiles=with_tile(player.tiles, placed))

    def variants(self, state: State, seat: int) -> Iterator[Self]:
        """Yield this animal on every tile of the map."""
        for tile in state.players[seat].tiles:
            yield replace(self, x=tile.x, y=tile.y)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Place {self._placement_text(state, seat)}", icon=self.animal)

    def log_text(self, state: State, seat: int) -> str:
        return f"placed {self._placement_text(state, seat)}"

    def _placement_text(self, state: State, seat: int) -> str:
        tiles = state.players[seat].tiles
        return f"the {self.animal} {describe_cell(tiles, (self.x, self.y))}" if tiles else f"the {self.animal}"


class TradeFork(Move[State], tag="trade-fork"):
    """Discard a fork and take the animal of its terrain, in the solo game ("Solo Mode")."""

    title = "Discard a fork for its animal"
    resolves = ("round",)
    phase = Phase.TURN_START
    rules = (r.SOLO_FORK, r.SOLO_ANIMALS, r.ANIMAL_CARD, r.ANIMAL_SUPPLY, r.BASE_CAMP, r.WATERFALL_AT_ONCE, r.DRAW_TWO)

    terrain: Terrain
    animal: Animal

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.solo:
            yield Reason("solo-only", r.SOLO_FORK, "You can discard a fork for its animal only in the solo game.")
            return
        yield from tile_objections(state, seat)
        yield from animal_home_objections(state.facts, self.terrain, self.animal)
        yield from animal_supply_objections(state, self.animal)

    def apply(self, state: State, seat: int) -> State:
        return take_animal(use_tile(state, seat), seat, self.terrain, self.animal)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TradeFork"]:
        if state.solo:
            for terrain in TERRAINS:
                for animal in possible_animals(state.facts, terrain):
                    yield cls(terrain, animal)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Discard a {self.terrain} fork and take the {self.animal}",
            icon=self.animal,
            short=f"{self.terrain.capitalize()}: {self.animal}",
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"discarded a {self.terrain} fork and took the {self.animal}"
