"""The ALPINE TRAILS table as one frozen value: everybody's map, the round, what each still has to do, who may see what."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from scoring.alpine_trails.box import DRAWN
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
    held: tuple[Animal, ...] = ()  # taken and not on the map yet
    used: int = 0  # tiles placed, discarded or given up for a campsite: of the table's round, and those told ahead of the others
    camped: bool = False  # of the last round this player told of, one was given up for a campsite
    waterfalls: int = 0  # earned, to be placed at once
    offered: tuple[Terrain, ...] = ()  # forks of others whose animal may be taken
    done: bool = False  # has said, at the end, that the map is complete

    @property
    def busy(self) -> bool:
        """Return whether something came of the player's tiles, or of others', that has to be dealt with."""
        return bool(self.waterfalls) or bool(self.offered)

    @property
    def between(self) -> bool:
        """Return whether both tiles of a round are played, and none of the next."""
        return self.used > 0 and self.used % DRAWN == 0


class State(WithPlayers, frozen=True, gc=False):
    """Everything the app has been told about a table of ALPINE TRAILS."""

    players: tuple[Player, ...]
    tiles: int  # that went into the bag
    rulings: dict[str, str]
    facts: AnimalCard = AnimalCard()
    round: int = 1  # which all are in, at least
    ahead: bool = (
        False  # whoever has told both tiles goes on to the next round, and nobody waits for the slowest to tell
    )
    ended: bool = False  # the bag is empty and the lakes lie; the maps are being looked over, or have been

    @property
    def rounds(self) -> int:
        return self.tiles // (DRAWN * len(self.players))

    @property
    def left(self) -> int:
        """Return how many tiles each player can tell from this round on: its own, or those of the rounds that follow, too."""
        return DRAWN * (self.rounds - self.round + 1 if self.ahead else 1)

    @property
    def bag(self) -> int:
        """Return how many tiles are still in the bag, this round's drawn."""
        return self.bag_in(self.round)

    def bag_in(self, round: int) -> int:
        """Return how many tiles are still in the bag when those of a round are drawn."""
        return self.tiles - DRAWN * len(self.players) * round

    @property
    def solo(self) -> bool:
        return len(self.players) == 1

    @property
    def over(self) -> bool:
        return self.ended and all(player.done for player in self.players)


def on_maps(state: Any, *kinds: str) -> int:
    """Return how many tiles of some kinds lie on all maps together, at a table or in a tally."""
    return sum(tile.kind in kinds for player in state.players for tile in player.tiles)


def out(state: Any, animal: Animal) -> int:
    """Return how many of an animal the players have, on their maps or kept."""
    return sum(has(player, animal) for player in state.players)


def has(player: Any, animal: Animal) -> int:
    """Return how many of an animal a player has, on the map or kept."""
    return player.held.count(animal) + sum(tile.animal == animal for tile in player.tiles)


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
        tiles=setup.tiles,
        rulings=setup.rulings,
        facts=setup.facts,
        ahead=setup.ahead is True,
    )


def to_move(state: State) -> tuple[int, ...]:
    """Return everybody who still has tiles to tell, or what came of them; at the end, whose map is not said to be complete."""
    if state.ended:
        return tuple(seat for seat, player in enumerate(state.players) if not player.done)
    left = state.left
    return tuple(
        seat for seat, player in enumerate(state.players) if not player.tiles or player.used < left or player.busy
    )


def view(state: State, seat: int | None) -> State:
    """Return the table as one seat may see it: the goals of others are unknown until all maps are complete."""
    if state.over:
        return state
    return replace(
        state,
        players=tuple(
            player if other == seat or player.goal is None else replace(player, goal=None)
            for other, player in enumerate(state.players)
        ),
    )
