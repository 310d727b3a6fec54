"""Golden games of ALPINE TRAILS: made-up tiles, each placed where it scores most."""

import random
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from scoring.alpine_trails.box import TERRAINS
from scoring.alpine_trails.map.fitting import legal_placements
from scoring.alpine_trails.map.grid import edge_cells, open_ends, with_lakes
from scoring.alpine_trails.map.paths import out_and_back_paths
from scoring.alpine_trails.map.tiles import Tile, rotations
from scoring.alpine_trails.moves.placing import (
    Discard,
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    TakeCamp,
)
from scoring.alpine_trails.moves.reveals import POSSIBLE_GOALS, Finish, NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal, TakeAnimal, TradeFork
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import TILES_PER_ROUND, AnimalCard, State
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.golden_games.files import game_to_json

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")
# The real tiles are unknown. These are made up: of each terrain 15 straight, 15 bent and 3 forks, with the same miles.
TRAIL_SHAPES = ("NS", "NE") * 15 + ("NES",) * 3
ANIMAL_CARD = AnimalCard(forest="bear", rock="goat", meadow="wolf", wetland="moose")


@dataclass(frozen=True)
class DrawnTile:
    """A tile from the bag: its trail side, and the terrain on its back."""

    trail: Tile
    back: str


def shuffled_bag(rng: random.Random) -> list[DrawnTile]:
    tiles = [
        DrawnTile(
            Tile("trail", terrain, shape, 1 + number % 3, 1), TERRAINS[(TERRAINS.index(terrain) + 1 + number % 3) % 4]
        )
        for terrain in TERRAINS
        for number, shape in enumerate(TRAIL_SHAPES)
    ]
    rng.shuffle(tiles)
    return tiles


class SimulatedGame:
    """A game of ALPINE TRAILS, entered move by move."""

    def __init__(
        self,
        seed: str,
        players: int,
        rulings: dict[str, str] | None = None,
        tiles: int | None = None,
        card: bool = False,
    ):
        self.rng = random.Random(seed)
        default_setup = TRACKED_GAME.setup_format.default(list(NAMES[:players]))
        facts = ANIMAL_CARD if card else AnimalCard()
        # The recorded games are from before players could go on to the next round ahead of the others.
        self.setup = replace(
            default_setup, rulings=rulings or {}, tiles=tiles or default_setup.tiles, facts=facts, ahead=UNSET
        )
        self.state: State = TRACKED_GAME.initial_state(self.setup)
        self.bag = shuffled_bag(self.rng)
        self.log: list[tuple[int, Move]] = []

    def play(self) -> "SimulatedGame":
        goals = self.rng.sample(POSSIBLE_GOALS, len(self.state.players))
        for seat, (kind, terrain) in enumerate(goals):
            self.play_move(seat, TakeCamp(self.rng.choice(TERRAINS)))
            self.play_move(seat, NoteGoal(kind, terrain))
        while not self.state.is_play_over:
            round_number = self.state.round
            hands = [[self.bag.pop(), self.bag.pop()] for _ in self.state.players]
            for turn in range(TILES_PER_ROUND):
                for seat, hand in enumerate(hands):
                    self.place_tile(seat, hand[turn])
            assert self.state.is_play_over or self.state.round == round_number + 1
        for seat in range(len(self.state.players)):
            self.play_move(seat, Finish())
        return self

    def play_move(self, seat: int, move: Move) -> None:
        self.state = TRACKED_GAME.play(self.state, seat, move)
        self.log.append((seat, move))

    def place_tile(self, seat: int, drawn: DrawnTile) -> None:
        self.play_move(seat, max(self.possible_moves(seat, drawn), key=lambda move: self.rate_move(seat, move)))
        while seat < len(self.state.players) and self.state.players[seat].waterfalls_to_place:
            cells = [
                PlaceWaterfall(x, y) for x, y in legal_placements(self.state.players[seat].tiles, Tile("waterfall"))
            ]
            self.play_move(seat, max(cells, key=lambda move: self.rate_move(seat, move)))
        for owner, player in enumerate(self.state.players):
            for terrain in player.offered_forks:
                self.play_move(owner, TakeAnimal(terrain, ANIMAL_CARD.animal(terrain)))
        for animal in self.state.players[seat].kept_animals:
            free = [tile for tile in self.state.players[seat].tiles if tile.kind == "terrain" and not tile.animal]
            homes = [tile for tile in free if tile.terrain == self.state.facts.terrain(animal)]
            if homes:
                self.play_move(seat, PlaceAnimal(animal, homes[0].x, homes[0].y))

    def possible_moves(self, seat: int, drawn: DrawnTile) -> list[Move]:
        """Return the possible moves with a tile, the worst one last."""
        tiles, trail = self.state.players[seat].tiles, drawn.trail
        found: list[Move] = []
        for (x, y), quarters in legal_placements(tiles, trail).items():
            for turn in quarters:
                found.append(PlaceTrail(trail.terrain, rotations(trail)[turn].exits, trail.miles, x, y))
        found += [
            PlaceTerrain(drawn.back, x, y) for x, y in legal_placements(tiles, Tile("terrain", drawn.back, icons=2))
        ]
        found += [
            PlaceCampsite(x, y)
            for x, y in edge_cells(tiles)
            if TRACKED_GAME.is_legal(self.state, seat, PlaceCampsite(x, y))
        ]
        if self.state.solo and len(trail.exits) > 2:
            found.append(TradeFork(trail.terrain, ANIMAL_CARD.animal(trail.terrain)))
        return [*found, Discard()]

    def rate_move(self, seat: int, move: Move) -> float:
        """Return the score after a move as if the game ended, plus a bonus for its potential."""
        after = move.apply(self.state, seat).players[seat]
        total = (
            TRACKED_GAME.box.score(
                replace(TRACKED_GAME.final_position(self.state), players=(self._final(seat, after),))
            )
            .columns[0]
            .total
        )
        ends = len(open_ends(after.tiles))
        promising = sum(min(arm.miles, 6) for arm in out_and_back_paths(with_lakes(after.tiles))) * 0.35
        return (
            total
            + 7 * after.waterfalls_to_place
            + promising
            - 1.6 * max(0, ends - 6)
            + 3 * len(after.kept_animals)
            + self.rng.random() / 2
        )

    def _final(self, seat: int, player) -> object:
        final = TRACKED_GAME.final_position(self.state).players[seat]
        return replace(final, map=with_lakes(player.tiles), goal=player.goal or Goal("path-length"))

    def to_json(self) -> str:
        """Return the game as the content of its file."""
        return game_to_json(TRACKED_GAME, self.setup, self.log)


GAME_SETTINGS = {
    "alpine-trails-1": ("alone 0", 1, {}),
    "alpine-trails-2": ("two", 2, {}),
    "alpine-trails-3": ("three", 3, {}),
    "alpine-trails-3-other-rulings": (
        "three",
        3,
        {ruling.id: ruling.options[-1].id for ruling in TRACKED_GAME.box.rulings},
    ),
    "alpine-trails-4": ("four", 4, {}),
    "alpine-trails-5": ("five", 5, {}),
}


def play_golden_games():
    """Yield the name and the simulated game of each golden game."""
    for name, (seed, players, rulings) in GAME_SETTINGS.items():
        yield name, SimulatedGame(seed, players, rulings).play()
