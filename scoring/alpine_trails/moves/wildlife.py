"""The moves with animals: take what a fork offers, leave it, put one on the map; alone, trade a fork for one."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMALS_OF_EACH
from scoring.alpine_trails.map.grid import cells, where, with_tile
from scoring.alpine_trails.map.tiles import ANIMALS, TERRAINS, Animal, Terrain, name
from scoring.alpine_trails.state import AnimalCard, State, has, out
from scoring.alpine_trails.turn import no_tile, play_one, take
from scoring.kernel.english import a
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason


def lives_elsewhere(card: AnimalCard, terrain: Terrain, animal: Animal) -> Iterator[Reason]:
    """Yield why an animal cannot be that of a terrain, by what has been told of the animal card."""
    if card.animal(terrain) not in (None, animal):
        yield Reason("other-animal", r.ANIMAL_CARD, f"The animal of the {terrain} is the {card.animal(terrain)}.")
    elif card.terrain(animal) not in (None, terrain):
        yield Reason("other-terrain", r.ANIMAL_CARD, f"The {animal} is the animal of the {card.terrain(animal)}.")


def could_live(card: AnimalCard, terrain: Terrain) -> Iterator[Animal]:
    """Yield the animals that may be those of a terrain: the one that is, or those without a terrain."""
    for animal in ANIMALS:
        if next(lives_elsewhere(card, terrain, animal), None) is None:
            yield animal


def none_left(state: State, animal: Animal) -> Iterator[Reason]:
    if out(state, animal) >= ANIMALS_OF_EACH:
        yield Reason("none-left", r.ANIMAL_SUPPLY, f"All {ANIMALS_OF_EACH} of the {animal} are out.")


def not_offered(state: State, seat: int, terrain: Terrain) -> Iterator[Reason]:
    """Yield why a player may not take the animal of a terrain: nobody else has placed a fork there, or it is settled."""
    if terrain in state.players[seat].offered:
        return
    text = f"Nobody has placed a {terrain} fork that you could take an animal for."
    owners = [
        each
        for each, player in enumerate(state.players)
        for tile in player.tiles
        if tile.fork and tile.terrain == terrain
    ]
    if owners:
        text = f"No {terrain} fork has an animal for you now."
    if owners and set(owners) == {seat}:
        text = f"There is no animal for your own fork, and nobody else has placed a {terrain} fork."
    yield Reason("no-fork", r.FORK_ANIMAL, text)


def without_offer(state: State, seat: int, terrain: Terrain) -> State:
    offered = tuple(each for each in state.players[seat].offered if each != terrain)
    return state.with_player(seat, offered=offered)


class TakeAnimal(Move, tag="take-animal"):
    """Take the animal that somebody's fork brings you. The first to take one says which lives there."""

    answers = ("round",)
    rules = (r.FORK_ANIMAL, r.ANIMAL_CARD, r.ANIMAL_ONCE, r.ANIMAL_SUPPLY)

    terrain: Terrain
    animal: Animal

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from not_offered(state, seat, self.terrain)
        yield from lives_elsewhere(state.facts, self.terrain, self.animal)
        if has(state.players[seat], self.animal):
            yield Reason("has-it", r.ANIMAL_ONCE, f"You have the {self.animal} already.")
        yield from none_left(state, self.animal)

    def apply(self, state: State, seat: int) -> State:
        return take(without_offer(state, seat, self.terrain), seat, self.terrain, self.animal)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeAnimal"]:
        for terrain in state.players[seat].offered:
            for animal in could_live(state.facts, terrain):
                yield cls(terrain, animal)

    def label(self, state: State, seat: int) -> str:
        return f"Take the {self.animal}"

    def hint(self, state: State, seat: int) -> str:
        return f"a {self.terrain} fork" if state.facts.animal(self.terrain) else f"it lives in the {self.terrain}"

    def icon(self, state: State, seat: int) -> str:
        return self.animal

    def told(self, state: State, seat: int) -> str:
        lives = "" if state.facts.animal(self.terrain) else f", the animal of the {self.terrain}"
        return f"took the {self.animal}{lives}"


class LeaveAnimal(Move, tag="leave-animal"):
    """Leave the animal of a fork where it is."""

    answers = ("round",)
    sign = "x"
    rules = (r.FORK_ANIMAL,)

    terrain: Terrain

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from not_offered(state, seat, self.terrain)

    def apply(self, state: State, seat: int) -> State:
        return without_offer(state, seat, self.terrain)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LeaveAnimal"]:
        for terrain in state.players[seat].offered:
            yield cls(terrain)

    def label(self, state: State, seat: int) -> str:
        return f"Leave the animal of the {self.terrain}"

    def told(self, state: State, seat: int) -> str:
        return f"left the animal of the {self.terrain}"


class PlaceAnimal(Move, tag="place-animal"):
    """Put an animal you have kept on a terrain side of its own terrain."""

    rules = (r.ANIMAL_PLACE, r.ANIMAL_ONE_TO_A_TILE, r.ANIMAL_KEPT)
    anytime = True
    drafted = True

    animal: Animal
    x: int
    y: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if state.over:
            yield Reason("play-over", r.GAME_OVER, "The game is over.")
        if self.animal not in player.held:
            yield Reason("no-animal", r.ANIMAL_KEPT, f"You have no {self.animal} to place.")
            return
        tile = cells(player.tiles).get((self.x, self.y))
        home = state.facts.terrain(self.animal)
        if tile is None or tile.kind != "terrain":
            what = "an empty cell" if tile is None else a(name(tile))
            yield Reason("terrain-side", r.ANIMAL_PLACE, f"An animal goes on a terrain side; this is {what}.")
        elif home is None:
            yield Reason(
                "home-unknown",
                r.ANIMAL_CARD,
                f"First set the animal card right: where the {self.animal} lives is not told yet.",
            )
        elif tile.terrain != home:
            yield Reason(
                "other-terrain", r.ANIMAL_PLACE, f"The {self.animal} lives in the {home}; this is {a(name(tile))}."
            )
        elif tile.animal is not None:
            yield Reason("animal-here", r.ANIMAL_ONE_TO_A_TILE, f"The {tile.animal} is here already.")

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        held = list(player.held)
        held.remove(self.animal)
        placed = replace(cells(player.tiles)[self.x, self.y], animal=self.animal)
        return state.with_player(seat, held=tuple(held), tiles=with_tile(player.tiles, placed))

    def label(self, state: State, seat: int) -> str:
        return f"Put the {self.animal} on its tile{self._there(state, seat)}"

    def icon(self, state: State, seat: int) -> str:
        return self.animal

    def told(self, state: State, seat: int) -> str:
        return f"placed the {self.animal}{self._there(state, seat)}"

    def _there(self, state: State, seat: int) -> str:
        tiles = state.players[seat].tiles
        return f", {where(tiles, (self.x, self.y))}" if tiles else ""


class TradeFork(Move, tag="trade-fork"):
    """Alone: discard a fork and take the animal of its terrain ("Solo Mode")."""

    answers = ("round",)
    begins = True
    rules = (r.SOLO_FORK, r.SOLO_ANIMALS, r.ANIMAL_CARD, r.ANIMAL_SUPPLY)

    terrain: Terrain
    animal: Animal

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.solo:
            yield Reason("solo-only", r.SOLO_FORK, "Only in the solo game is a fork discarded for its animal.")
            return
        yield from no_tile(state, seat)
        yield from lives_elsewhere(state.facts, self.terrain, self.animal)
        yield from none_left(state, self.animal)

    def apply(self, state: State, seat: int) -> State:
        return take(play_one(state, seat), seat, self.terrain, self.animal)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TradeFork"]:
        if state.solo:
            for terrain in TERRAINS:
                for animal in could_live(state.facts, terrain):
                    yield cls(terrain, animal)

    def label(self, state: State, seat: int) -> str:
        return f"Discard a {self.terrain} fork, take the {self.animal}"

    def icon(self, state: State, seat: int) -> str:
        return self.animal

    def told(self, state: State, seat: int) -> str:
        return f"discarded a {self.terrain} fork and took the {self.animal}"
