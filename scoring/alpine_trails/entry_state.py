"""The state of a score entry for ALPINE TRAILS: notes while playing, and finished maps."""

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from scoring.alpine_trails.box import TILES_PER_ROUND
from scoring.alpine_trails.map.finished import tiles_drawn
from scoring.alpine_trails.map.tiles import TERRAINS, Animal, PlacedTile, Terrain, TrailMap
from scoring.alpine_trails.points import Counts, Goal
from scoring.alpine_trails.state import AnimalCard
from scoring.kernel.score_entry import ScoreEntryPlayer, ScoreEntrySetup, ScoreEntryState


class EntrySetup(ScoreEntrySetup, frozen=True):
    """The players, the rulings and the animal card."""

    facts: AnimalCard = AnimalCard()


class NotedAnimal(Struct, frozen=True):
    """An animal that a player took while playing, named by its terrain."""

    terrain: Terrain
    fork_seat: int  # of the player whose fork gave it
    round: int  # in which it was taken


class Notes(Struct, frozen=True):
    """What one player entered while playing, because a finished map does not show it."""

    forks: tuple[Terrain, ...] = ()  # placed, by terrain
    animals: tuple[NotedAnimal, ...] = ()  # taken
    campsites: int = 0
    loops: int = 0  # for which the player took a waterfall
    discards: int = 0  # tiles discarded, but not those replaced by a campsite

    @property
    def tiles_used(self) -> int:
        """Return how many drawn tiles these notes are about."""
        return len(self.forks) + self.campsites + self.discards

    @property
    def animals_by_terrain(self) -> Counter[Terrain]:
        return Counter(animal.terrain for animal in self.animals)


class EntryPlayer(ScoreEntryPlayer, frozen=True):
    """The entries of one player so far: notes, and a map or counts made by the player."""

    # Only animals on the map count.
    kept_animals: ClassVar[tuple[Animal, ...]] = ()

    tiles: TrailMap = ()
    goal: Goal | None = None
    counts: Counts | None = None
    notes: Notes = Notes()


class EntryState(ScoreEntryState, frozen=True):
    """The entries so far for a game that is not tracked move by move."""

    # Goals are public from the start and can be corrected until the end.
    is_over: ClassVar[bool] = False

    players: tuple[EntryPlayer, ...]
    rulings: dict[str, str] = {}
    facts: AnimalCard = AnimalCard()
    rounds_done: int = 0  # entered while playing, by any player for the table

    @property
    def solo(self) -> bool:
        return len(self.players) == 1

    @property
    def tiles_per_player(self) -> int:
        """Return how many tiles each player draws in the whole game."""
        return tiles_drawn(len(self.players))

    @property
    def rounds_per_game(self) -> int:
        return self.tiles_per_player // TILES_PER_ROUND

    def animal_names(self, tiles: Iterable[PlacedTile] = ()) -> dict[Terrain, str]:
        """Return the name of each terrain's animal: "bear", or "forest animal" if it is not entered.

        :param tiles: further tiles that may show the animals.
        """
        seen = animals_on_tiles([*(tile for player in self.players for tile in player.tiles), *tiles])
        return {terrain: self.facts.animal(terrain) or seen.get(terrain) or f"{terrain} animal" for terrain in TERRAINS}


def animals_on_tiles(tiles: Iterable[PlacedTile]) -> dict[Terrain, Animal]:
    """Return the animal of each terrain that some tiles show."""
    return {tile.terrain: tile.animal for tile in tiles if tile.animal and tile.terrain}


def start(setup: EntrySetup) -> EntryState:
    return EntryState(tuple(EntryPlayer(name) for name in setup.players), setup.rulings, setup.facts)
