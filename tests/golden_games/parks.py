"""The kept games of PARKS, played anew: shuffled cards, a real die, somewhat greedy people.

The games come from their seeds alone, so the difference to what is kept shows what a change of the rules core does.
"""

import random

from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.parks.box import CANTEENS, DIE, GEAR, PARKS, PASSIONS, PLAIN, SEASON_TILES, SEASONS, SITE_OF_FACE, TILES
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import DrawGear
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.moves.sites import Roll, TakeCanteen
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import State
from tests.golden_games.files import kept

PLAY = PLAYS["parks"]
CHANCE = (Roll, DrawGear, LayTile, PlaceShutterbug)

TOLD = {
    "parks-2": (["Ana", "Bo"], {}),
    "parks-3": (["Ana", "Bo", "Cy"], {}),
    "parks-4": (["Ana", "Bo", "Cy", "Di"], {}),
    "parks-5": (["Ana", "Bo", "Cy", "Di", "Ed"], {}),
    "parks-3-strict": (
        ["Ana", "Bo", "Cy"],
        {"token-supply": "limited", "backpack": "twelve", "season-tie": "nobody", "end-first-when": "after"},
    ),
    "parks-4-generous": (
        ["Ana", "Bo", "Cy", "Di"],
        {"passion-once": "always", "end-photo-twice": "three", "wildlife-trade": "yes", "photo-tie": "no-second"},
    ),
}


class TableTop:
    """The cards of one game as they lie shuffled on a table, and what its people tell the app of them."""

    def __init__(self, name: str, names: list[str], rulings: dict[str, str]):
        self.rng = random.Random(name)
        setup = replace(PLAY.usual(names), rulings=rulings)
        tiles = self.rng.sample(TILES, len(TILES))
        self.setup = replace(setup, sites=(*tiles[:4], "parks", *tiles[4:]), shutterbug=self.shutterbug())
        self.state: State = PLAY.begin(self.setup)
        self.log: list[tuple[int, Move]] = []
        self.parks = self.rng.sample(list(PARKS), len(PARKS))
        self.gear = self.rng.sample(list(GEAR), len(GEAR))
        stack = [face for face, count in CANTEENS.items() for _ in range(count)]
        self.canteens = self.rng.sample(stack, len(stack))
        self.passions = self.rng.sample(list(PASSIONS), len(PASSIONS))
        self.tiles = {
            season: self.rng.choice([id for id, tile in SEASON_TILES.items() if tile.season == season])
            for season in SEASONS
        }

    def shutterbug(self) -> str:
        return SITE_OF_FACE[self.rng.choice(DIE)]

    def play(self) -> None:
        for seat in range(len(self.state.players)):
            self.say(seat, NamePassion(self.passions.pop()))
        self.name_cards()
        while seats := PLAY.to_move(self.state):
            self.take_turn(seats[0])
            self.name_cards()

    def say(self, seat: int, move: Move) -> None:
        self.state = PLAY.play(self.state, seat, move)
        self.log.append((seat, move))

    def name_cards(self) -> None:
        """Name what has been dealt: the open cards, reserved parks by their owners, the season's tile."""
        while None in self.state.parks and not self.state.over:
            self.say(self.state.turn, NamePark(self.parks.pop()))
        while None in self.state.market and not self.state.over:
            self.say(self.state.turn, NameGear(self.gear.pop()))
        while None in self.state.canteens and self.canteens and not self.state.over:
            self.say(self.state.turn, NameCanteen(self.canteens.pop()))
        for seat, player in enumerate(self.state.players):
            if None in player.reserve and not self.state.over:
                self.say(seat, NameReserved(self.parks.pop()))
        if self.state.tile is None and not self.state.over:
            self.say(self.state.turn, NameTile(self.tiles[SEASONS[self.state.season]]))

    def take_turn(self, seat: int) -> None:
        moves = [offer.move for offer in PLAY.offers(self.state, seat, PLAY.asked(self.state)) if offer.legal]
        if isinstance(moves[0], DrawGear):
            self.say(seat, DrawGear(self.gear.pop()))
        elif isinstance(moves[0], CHANCE):
            self.say(seat, self.rng.choice(moves))
        else:
            moves = [move for move in moves if not (isinstance(move, TakeCanteen) and move.stack) and not move.anytime]
            self.say(seat, max(moves, key=lambda move: self.wish(seat, move)))

    def wish(self, seat: int, move: Move) -> float:
        """Return how much somebody wants a move: what they would have after it, not too far along the Trail, and a whim."""
        far = 0.5 * (move.to - move.start) if isinstance(move, Hike) else 0.0
        after = PLAY.play(self.state, seat, move)
        pending = 1.5 * len(after.tasks) if after.turn == seat and not after.over else 0.0
        return self.worth(after, seat) + pending - far + self.rng.random()

    def worth(self, state: State, seat: int) -> float:
        player = state.players[seat]
        points = sum(2.0 * PARKS[name].points for name in player.visited)
        cards = 2.0 * len(player.gear) + 1.5 * sum(map(len, player.canteens)) + 1.2 * len(player.reserve[:2])
        tokens = sum(min(held, 4) for held, _ in zip(player.tokens, PLAIN, strict=False)) + 2.0 * player.tokens[4]
        return points + cards + tokens + 2.4 * player.photos + (player.side is not None) + 0.5 * (state.badge == seat)

    def kept(self) -> str:
        """Return the game as it is kept."""
        return kept(PLAY, self.setup, self.log)


def kept_games():
    """Yield each kept game, played anew: its name, itself."""
    for name, (names, rulings) in TOLD.items():
        top = TableTop(name, names, rulings)
        top.play()
        yield name, top
