"""Golden games of PARKS: shuffled cards, a random die, slightly greedy players.

The games depend on their seeds alone, so the difference to the stored files shows the effect of a change to the rules
core.
"""

import random

from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.parks.box import (
    CANTEENS,
    DIE,
    GEAR,
    NON_WILD_TOKENS,
    PARKS,
    PASSIONS,
    SEASON_TILES,
    SEASONS,
    SITE_OF_FACE,
    TRAIL_TILES,
)
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import DrawGear
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.moves.sites import Roll, TakeCanteen
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import State
from tests.golden_games.files import game_to_json

TRACKED_GAME = TRACKED_GAMES["parks"]
CHANCE_MOVES = (Roll, DrawGear, LayTile, PlaceShutterbug)

GAME_SETTINGS = {
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


class SimulatedGame:
    """A game of PARKS with shuffled cards, and the moves that its players enter."""

    def __init__(self, name: str, names: list[str], rulings: dict[str, str]):
        self.rng = random.Random(name)
        setup = replace(TRACKED_GAME.setup_format.default(names), rulings=rulings)
        tiles = self.rng.sample(TRAIL_TILES, len(TRAIL_TILES))
        self.setup = replace(setup, sites=(*tiles[:4], "parks", *tiles[4:]), shutterbug=self.roll_shutterbug_site())
        self.state: State = TRACKED_GAME.initial_state(self.setup)
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

    def roll_shutterbug_site(self) -> str:
        return SITE_OF_FACE[self.rng.choice(DIE)]

    def play(self) -> None:
        for seat in range(len(self.state.players)):
            self.play_move(seat, NamePassion(self.passions.pop()))
        self.name_cards()
        while seats := TRACKED_GAME.flow.to_move(self.state):
            self.take_turn(seats[0])
            self.name_cards()

    def play_move(self, seat: int, move: Move) -> None:
        self.state = TRACKED_GAME.play(self.state, seat, move)
        self.log.append((seat, move))

    def name_cards(self) -> None:
        """Name the dealt cards: face-up cards, reserved parks by their owners, the season's tile."""
        while None in self.state.parks and not self.state.is_over:
            self.play_move(self.state.turn, NamePark(self.parks.pop()))
        while None in self.state.market and not self.state.is_over:
            self.play_move(self.state.turn, NameGear(self.gear.pop()))
        while None in self.state.canteens and self.canteens and not self.state.is_over:
            self.play_move(self.state.turn, NameCanteen(self.canteens.pop()))
        for seat, player in enumerate(self.state.players):
            if None in player.reserve and not self.state.is_over:
                self.play_move(seat, NameReserved(self.parks.pop()))
        if self.state.tile is None and not self.state.is_over:
            self.play_move(self.state.turn, NameTile(self.tiles[SEASONS[self.state.season]]))

    def take_turn(self, seat: int) -> None:
        moves = [
            offer.move
            for offer in TRACKED_GAME.offers(self.state, seat, TRACKED_GAME.available_moves(self.state))
            if offer.is_legal
        ]
        if isinstance(moves[0], DrawGear):
            self.play_move(seat, DrawGear(self.gear.pop()))
        elif isinstance(moves[0], CHANCE_MOVES):
            self.play_move(seat, self.rng.choice(moves))
        else:
            moves = [
                move for move in moves if not (isinstance(move, TakeCanteen) and move.stack) and not move.out_of_turn
            ]
            self.play_move(seat, max(moves, key=lambda move: self.rate_move(seat, move)))

    def rate_move(self, seat: int, move: Move) -> float:
        """Return the rating of a move: that of the state after it, plus noise.

        Hiking far along the Trail lowers the rating.
        """
        distance_penalty = 0.5 * (move.to - move.start) if isinstance(move, Hike) else 0.0
        after = TRACKED_GAME.play(self.state, seat, move)
        pending = 1.5 * len(after.tasks) if after.turn == seat and not after.is_over else 0.0
        return self.rate_state(after, seat) + pending - distance_penalty + self.rng.random()

    def rate_state(self, state: State, seat: int) -> float:
        player = state.players[seat]
        points = sum(2.0 * PARKS[name].points for name in player.visited)
        cards = 2.0 * len(player.gear) + 1.5 * sum(map(len, player.canteens)) + 1.2 * len(player.reserve[:2])
        tokens = (
            sum(min(held, 4) for held, _ in zip(player.tokens, NON_WILD_TOKENS, strict=False)) + 2.0 * player.tokens[4]
        )
        return points + cards + tokens + 2.4 * player.photos + (player.side is not None) + 0.5 * (state.badge == seat)

    def to_json(self) -> str:
        """Return the game as the content of its file."""
        return game_to_json(TRACKED_GAME, self.setup, self.log)


def play_golden_games():
    """Yield the name and the simulated game of each golden game."""
    for name, (names, rulings) in GAME_SETTINGS.items():
        game = SimulatedGame(name, names, rulings)
        game.play()
        yield name, game
