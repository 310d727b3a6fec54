"""The kept games of ALPINE TRAILS: a bag of made-up tiles, and people who place each where it brings most at once."""

import random
from dataclasses import dataclass

from msgspec.structs import replace

from scoring.alpine_trails.box import TERRAINS
from scoring.alpine_trails.map.fitting import legal
from scoring.alpine_trails.map.grid import edge, open_ends, with_lakes
from scoring.alpine_trails.map.paths import arms
from scoring.alpine_trails.map.tiles import Tile, turns
from scoring.alpine_trails.moves.placing import (
    Discard,
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    TakeCamp,
)
from scoring.alpine_trails.moves.reveals import GOALS, Finish, NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal, TakeAnimal, TradeFork
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import DRAWN, AnimalCard, State
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.golden_games.files import kept

PLAY = PLAYS["alpine-trails"]
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")
# Which tiles there are is not known; these are made up: of each terrain 15 straight, 15 bent, 3 forks, all miles alike.
SHAPES = ("NS", "NE") * 15 + ("NES",) * 3
CARD = AnimalCard(forest="bear", rock="goat", meadow="wolf", wetland="moose")


@dataclass(frozen=True)
class Drawn:
    """A tile from the bag: its trail side, and the terrain on its back."""

    trail: Tile
    back: str


def bag(rng: random.Random) -> list[Drawn]:
    tiles = [
        Drawn(
            Tile("trail", terrain, shape, 1 + number % 3, 1), TERRAINS[(TERRAINS.index(terrain) + 1 + number % 3) % 4]
        )
        for terrain in TERRAINS
        for number, shape in enumerate(SHAPES)
    ]
    rng.shuffle(tiles)
    return tiles


class Evening:
    """A game as it is told to the app, move by move."""

    def __init__(
        self,
        seed: str,
        players: int,
        rulings: dict[str, str] | None = None,
        tiles: int | None = None,
        card: bool = False,
    ):
        self.rng = random.Random(seed)
        usual = PLAY.usual(list(NAMES[:players]))
        facts = CARD if card else AnimalCard()
        self.setup = replace(usual, rulings=rulings or {}, tiles=tiles or usual.tiles, facts=facts)
        self.state: State = PLAY.begin(self.setup)
        self.bag = bag(self.rng)
        self.log: list[tuple[int, Move]] = []

    def play(self) -> "Evening":
        goals = self.rng.sample(GOALS, len(self.state.players))
        for seat, (kind, terrain) in enumerate(goals):
            self.say(seat, TakeCamp(self.rng.choice(TERRAINS)))
            self.say(seat, NoteGoal(kind, terrain))
        while not self.state.ended:
            here = self.state.round
            hands = [[self.bag.pop(), self.bag.pop()] for _ in self.state.players]
            for turn in range(DRAWN):
                for seat, hand in enumerate(hands):
                    self.place(seat, hand[turn])
            assert self.state.ended or self.state.round == here + 1
        for seat in range(len(self.state.players)):
            self.say(seat, Finish())
        return self

    def say(self, seat: int, move: Move) -> None:
        self.state = PLAY.play(self.state, seat, move)
        self.log.append((seat, move))

    def place(self, seat: int, drawn: Drawn) -> None:
        self.say(seat, max(self.ways(seat, drawn), key=lambda move: self.worth(seat, move)))
        while seat < len(self.state.players) and self.state.players[seat].waterfalls:
            cells = [PlaceWaterfall(x, y) for x, y in legal(self.state.players[seat].tiles, Tile("waterfall"))]
            self.say(seat, max(cells, key=lambda move: self.worth(seat, move)))
        for other, player in enumerate(self.state.players):
            for terrain in player.offered:
                self.say(other, TakeAnimal(terrain, CARD.animal(terrain)))
        for animal in self.state.players[seat].held:
            free = [tile for tile in self.state.players[seat].tiles if tile.kind == "terrain" and not tile.animal]
            homes = [tile for tile in free if tile.terrain == self.state.facts.terrain(animal)]
            if homes:
                self.say(seat, PlaceAnimal(animal, homes[0].x, homes[0].y))

    def ways(self, seat: int, drawn: Drawn) -> list[Move]:
        """Return what can be done with a tile, the least wanted last."""
        tiles, trail = self.state.players[seat].tiles, drawn.trail
        found: list[Move] = []
        for (x, y), quarters in legal(tiles, trail).items():
            for turn in quarters:
                found.append(PlaceTrail(trail.terrain, turns(trail)[turn].exits, trail.miles, x, y))
        found += [PlaceTerrain(drawn.back, x, y) for x, y in legal(tiles, Tile("terrain", drawn.back, icons=2))]
        found += [PlaceCampsite(x, y) for x, y in edge(tiles) if PLAY.legal(self.state, seat, PlaceCampsite(x, y))]
        if self.state.solo and len(trail.exits) > 2:
            found.append(TradeFork(trail.terrain, CARD.animal(trail.terrain)))
        return [*found, Discard()]

    def worth(self, seat: int, move: Move) -> float:
        """Return what a move brings at once, as if the game ended, with something for what may yet come of it."""
        after = move.apply(self.state, seat).players[seat]
        total = PLAY.box.score(replace(PLAY.final(self.state), players=(self._final(seat, after),))).columns[0].total
        ends = len(open_ends(after.tiles))
        promising = sum(min(arm.miles, 6) for arm in arms(with_lakes(after.tiles))) * 0.35
        return (
            total
            + 7 * after.waterfalls
            + promising
            - 1.6 * max(0, ends - 6)
            + 3 * len(after.held)
            + self.rng.random() / 2
        )

    def _final(self, seat: int, player) -> object:
        final = PLAY.final(self.state).players[seat]
        return replace(final, map=with_lakes(player.tiles), goal=player.goal or Goal("path-length"))

    def kept(self) -> str:
        """Return the game as it is kept."""
        return kept(PLAY, self.setup, self.log)


TOLD = {
    "alpine-trails-1": ("alone 0", 1, {}),
    "alpine-trails-2": ("two", 2, {}),
    "alpine-trails-3": ("three", 3, {}),
    "alpine-trails-3-other-rulings": ("three", 3, {ruling.id: ruling.options[-1].id for ruling in PLAY.box.rulings}),
    "alpine-trails-4": ("four", 4, {}),
    "alpine-trails-5": ("five", 5, {}),
}


def kept_games():
    """Yield each kept game, played anew: its name, itself."""
    for name, (seed, players, rulings) in TOLD.items():
        yield name, Evening(seed, players, rulings).play()
