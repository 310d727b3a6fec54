"""The ALPINE TRAILS table as one frozen value: everybody's map, the round, what each still has to do, who may see what."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from scoring.alpine_trails.box import TILES_PER_ROUND
from scoring.alpine_trails.map.tiles import TERRAINS, Animal, Terrain, TrailMap
from scoring.alpine_trails.points import Goal
from scoring.kernel.state import WithPlayers


class AnimalCard(Struct, frozen=True, forbid_unknown_fields=True):
    """Which animal belongs to which terrain: the card says it, the rulebook does not. None is not told yet."""

    forest: Animal | None = None
    rock: Animal | None = None
    meadow: Animal | None = None
    wetland: Animal | None = None

    def animal(self, terrain: Terrain) -> Animal | None:
        return getattr(self, terrain)

    def terrain(self, animal: Animal) -> Terrain | None:
        return next((terrain for terrain in TERRAINS if self.animal(terrain) == animal), None)


class Player(Struct, frozen=True, gc=False):
    """One player's side of the table."""

    name: str
    tiles: TrailMap = ()  # the map; empty until base camp is told
    goal: Goal | None = None  # None: not told, or not for these eyes
    kept_animals: tuple[Animal, ...] = ()  # taken and not on the map yet
    tiles_used: int = 0  # tiles placed, discarded or given up for a campsite: of the table's round, and those told ahead of the others
    has_placed_campsite: bool = False  # of the last round this player told of, one was given up for a campsite
    waterfalls_to_place: int = 0  # earned, to be placed at once
    offered_forks: tuple[Terrain, ...] = ()  # forks of others whose animal may be taken
    is_complete: bool = False  # has said, at the end, that the map is complete

    @property
    def has_pending_actions(self) -> bool:
        """Return whether something came of the player's tiles, or of others', that has to be dealt with."""
        return bool(self.waterfalls_to_place) or bool(self.offered_forks)

    @property
    def is_between_rounds(self) -> bool:
        """Return whether both tiles of a round are played, and none of the next."""
        return self.tiles_used > 0 and self.tiles_used % TILES_PER_ROUND == 0


class State(WithPlayers, frozen=True, gc=False):
    """Everything the app has been told about a table of ALPINE TRAILS."""

    players: tuple[Player, ...]
    bag_size: int  # that went into the bag
    rulings: dict[str, str]
    facts: AnimalCard = AnimalCard()
    round: int = 1  # which all are in, at least
    can_play_ahead: bool = (
        False  # whoever has told both tiles goes on to the next round, and nobody waits for the slowest to tell
    )
    is_play_over: bool = False  # the bag is empty and the lakes lie; the maps are being looked over, or have been

    @property
    def rounds(self) -> int:
        return self.bag_size // (TILES_PER_ROUND * len(self.players))

    @property
    def tile_limit(self) -> int:
        """Return how many tiles each player can tell from this round on: its own, or those of the rounds that follow, too."""
        return TILES_PER_ROUND * (self.rounds - self.round + 1 if self.can_play_ahead else 1)

    @property
    def tiles_in_bag(self) -> int:
        """Return how many tiles are still in the bag, this round's drawn."""
        return self.tiles_in_bag_at(self.round)

    def tiles_in_bag_at(self, round: int) -> int:
        """Return how many tiles are still in the bag when those of a round are drawn."""
        return self.bag_size - TILES_PER_ROUND * len(self.players) * round

    @property
    def solo(self) -> bool:
        return len(self.players) == 1

    @property
    def is_over(self) -> bool:
        return self.is_play_over and all(player.is_complete for player in self.players)


def count_on_maps(state: Any, *kinds: str) -> int:
    """Return how many tiles of some kinds lie on all maps together, at a table or in a tally."""
    return sum(tile.kind in kinds for player in state.players for tile in player.tiles)


def count_taken_animals(state: Any, animal: Animal) -> int:
    """Return how many of an animal the players have, on their maps or kept."""
    return sum(count_animals_of(player, animal) for player in state.players)


def count_animals_of(player: Any, animal: Animal) -> int:
    """Return how many of an animal a player has, on the map or kept."""
    return player.kept_animals.count(animal) + sum(tile.animal == animal for tile in player.tiles)


class PlayerSetup(Struct, frozen=True, forbid_unknown_fields=True):
    name: str


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table says before it starts."""

    players: tuple[PlayerSetup, ...]
    tiles: int  # in the bag
    rulings: dict[str, str] = {}
    facts: AnimalCard = AnimalCard()
    ahead: bool | UnsetType = UNSET  # a set-up from before there was a choice: nobody goes on


def start(setup: Setup) -> State:
    """Return the table before anybody has drawn ("Game Setup")."""
    return State(
        players=tuple(Player(player.name) for player in setup.players),
        bag_size=setup.tiles,
        rulings=setup.rulings,
        facts=setup.facts,
        can_play_ahead=setup.ahead is True,
    )


def to_move(state: State) -> tuple[int, ...]:
    """Return everybody who still has tiles to tell, or what came of them; at the end, whose map is not said to be complete."""
    if state.is_play_over:
        return tuple(seat for seat, player in enumerate(state.players) if not player.is_complete)
    left = state.tile_limit
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if not player.tiles or player.tiles_used < left or player.has_pending_actions
    )


def view(state: State, seat: int | None) -> State:
    """Return the table as one seat may see it: the goals of others are unknown until all maps are complete."""
    if state.is_over:
        return state
    return replace(
        state,
        players=tuple(
            player if other == seat or player.goal is None else replace(player, goal=None)
            for other, player in enumerate(state.players)
        ),
    )
