"""The state of an ALPINE TRAILS table as one immutable value, and each player's view."""

from math import inf
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from scoring.alpine_trails.box import TILES_PER_ROUND
from scoring.alpine_trails.map.tiles import TERRAINS, Animal, Terrain, TrailMap
from scoring.alpine_trails.points import Goal
from scoring.kernel.state import GameSetup, GameState, PlayerState


class AnimalCard(Struct, frozen=True, forbid_unknown_fields=True):
    """The animal of each terrain, from the card in the box; None: not entered yet.

    The rulebook does not show it.
    """

    forest: Animal | None = None
    rock: Animal | None = None
    meadow: Animal | None = None
    wetland: Animal | None = None

    def animal(self, terrain: Terrain) -> Animal | None:
        return getattr(self, terrain)

    def terrain(self, animal: Animal) -> Terrain | None:
        return next((terrain for terrain in TERRAINS if self.animal(terrain) == animal), None)


class Player(PlayerState, frozen=True, gc=False):
    """One player's part of the state."""

    tiles: TrailMap = ()  # the map; empty until base camp is entered
    goal: Goal | None = None  # None: not entered, or hidden from this viewer
    kept_animals: tuple[Animal, ...] = ()  # taken, not on the map yet
    # tiles placed, discarded or given up for a campsite, in the table's round and in later rounds entered ahead
    tiles_used: int = 0
    # whether a tile of this player's latest round was given up for a campsite
    has_placed_campsite: bool = False
    waterfalls_to_place: int = 0  # earned, to be placed immediately
    offered_forks: tuple[Terrain, ...] = ()  # other players' forks whose animal may be taken
    is_complete: bool = False  # whether the player has confirmed the finished map

    @property
    def has_pending_actions(self) -> bool:
        """Return whether waterfalls or fork animals are pending."""
        return bool(self.waterfalls_to_place) or bool(self.offered_forks)

    @property
    def is_between_rounds(self) -> bool:
        """Return whether both tiles of a round are used, and none of the next round."""
        return self.tiles_used > 0 and self.tiles_used % TILES_PER_ROUND == 0

    @property
    def has_finished_round(self) -> bool:
        """Return whether the player has entered all of the table's current round.

        A player who is already in the next round has.
        """
        return bool(self.tiles) and (
            self.tiles_used > TILES_PER_ROUND or (self.tiles_used == TILES_PER_ROUND and not self.has_pending_actions)
        )

    @property
    def round_tiles(self) -> TrailMap:
        """Return the latest tiles from the bag on the map, at least those of this round."""
        tiles = [tile for tile in self.tiles if tile.kind in ("trail", "terrain")]
        return tuple(tiles[max(0, len(tiles) - self.tiles_used) :])


class State(GameState, frozen=True, gc=False):
    """The complete state of an ALPINE TRAILS table."""

    players: tuple[Player, ...]
    bag_size: int  # tiles put into the bag at setup
    rulings: dict[str, str]
    facts: AnimalCard = AnimalCard()
    round: int = 1  # the round that every player has reached
    # whether players who have entered both tiles may go on to the next round, without waiting for others
    can_play_ahead: bool = False
    # whether the bag is empty and the lakes are placed, so that players check their maps
    is_play_over: bool = False

    @property
    def rounds(self) -> int:
        return self.bag_size // (TILES_PER_ROUND * len(self.players))

    @property
    def tile_limit(self) -> int:
        """Return how many tiles each player can enter from this round on, later rounds included.

        Later rounds only count if players may enter tiles ahead.
        """
        return TILES_PER_ROUND * (self.rounds - self.round + 1 if self.can_play_ahead else 1)

    @property
    def unfinished_seats(self) -> tuple[int, ...]:
        """Return the seats that the round, or at the end the score, waits for."""
        if self.is_play_over:
            return tuple(seat for seat, player in enumerate(self.players) if not player.is_complete)
        return tuple(seat for seat, player in enumerate(self.players) if not player.has_finished_round)

    def fork_owner(self, seat: int, terrain: Terrain) -> str:
        """Return whose fork of this round offers a seat its animal; empty if several could."""
        owners = [
            player.name
            for other, player in enumerate(self.players)
            if other != seat and any(tile.is_fork and tile.terrain == terrain for tile in player.round_tiles)
        ]
        return owners[0] if len(owners) == 1 else ""

    @property
    def tiles_in_bag(self) -> int:
        """Return how many tiles remain in the bag after this round's draw."""
        return self.bag_size - TILES_PER_ROUND * len(self.players) * self.round

    @property
    def taken_animals(self) -> tuple[str, ...]:
        """Return the animals that all players have, on the maps or kept."""
        on_maps = (tile.animal for player in self.players for tile in player.tiles if tile.animal)
        return (*on_maps, *(animal for player in self.players for animal in player.kept_animals))

    @property
    def solo(self) -> bool:
        return len(self.players) == 1

    @property
    def is_over(self) -> bool:
        return self.is_play_over and all(player.is_complete for player in self.players)


def count_on_maps(state: Any, *kinds: str) -> int:
    """Return how many tiles of some kinds are on all maps, in play or in score entry."""
    return sum(tile.kind in kinds for player in state.players for tile in player.tiles)


def picture_height(view: Any) -> float:
    """Return the height of the maps on a result's picture: all there is, or 0 without maps."""
    return inf if any(player.tiles for player in view.players) else 0


def count_taken_animals(state: Any, animal: Animal) -> int:
    """Return how many of an animal all players have, on maps or kept."""
    return sum(count_animals_of(player, animal) for player in state.players)


def count_animals_of(player: Any, animal: Animal) -> int:
    """Return how many of an animal a player has, on the map or kept."""
    return player.kept_animals.count(animal) + sum(tile.animal == animal for tile in player.tiles)


class PlayerSetup(Struct, frozen=True, forbid_unknown_fields=True):
    name: str


class Setup(GameSetup, frozen=True):
    """The setup of a table."""

    players: tuple[PlayerSetup, ...]
    tiles: int  # tiles put into the bag
    rulings: dict[str, str] = {}
    facts: AnimalCard = AnimalCard()
    ahead: bool | UnsetType = UNSET  # UNSET in setups older than this option: no one may play ahead


def start(setup: Setup) -> State:
    """Return the state before anyone has drawn ("Game Setup")."""
    return State(
        players=tuple(Player(player.name) for player in setup.players),
        bag_size=setup.tiles,
        rulings=setup.rulings,
        facts=setup.facts,
        can_play_ahead=setup.ahead is True,
    )


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats with tiles or actions left, or at the end with unconfirmed maps."""
    if state.is_play_over:
        return state.unfinished_seats
    left = state.tile_limit
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if not player.tiles or player.tiles_used < left or player.has_pending_actions
    )
