"""Golden games of TRAILS: shuffled cards, a random die, slightly greedy players.

The games depend on their seeds alone, so the difference to the stored files shows the effect of a change to the rules
core.
"""

import random
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.trails.box import BADGES
from scoring.trails.moves.hiking import Hike, Photograph, RollWildlife
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.state import EarnBadges, EarnFreeBadge, SiteAction, State, TakePhoto
from tests.golden_games.files import game_to_json
from tests.support.ready_setups import ready_setup

TRACKED_GAME = TRACKED_GAMES["trails"]
# The numbers of photos of each kind are unknown; these are made up.
PHOTO_FACES = [(2, 0)] * 10 + [(1, 1)] * 12 + [(0, 2)] * 10
PENDING_TASK_WORTH = {TakePhoto: 2.0, EarnFreeBadge: 6.0, EarnBadges: 1.0, SiteAction: 0.8}

GAME_SETTINGS = {
    "trails-2": (["Ana", "Bo"], {}),
    "trails-3": (["Ana", "Bo", "Cy"], {"zero-birds": "everyone", "bear-same-site": "nothing"}),
    "trails-4": (["Ana", "Bo", "Cy", "Di"], {}),
    "trails-4-stand-ins": (["Ana", "Bo", "Cy", "Di"], {"cube-supply": "stand-ins", "canteen-stay": "yes"}),
}


class SimulatedGame:
    """A game of TRAILS with shuffled cards, and the moves that its players enter."""

    def __init__(self, name: str, names: list[str], rulings: dict[str, str]):
        self.rng = random.Random(name)
        self.setup = replace(ready_setup(names), rulings=rulings)
        self.state: State = TRACKED_GAME.initial_state(self.setup)
        self.log: list[tuple[int, Move]] = []
        self.badges = self.rng.sample(
            deck := [id for id, badge in BADGES.items() for _ in range(badge.copies)], len(deck)
        )
        self.photos, self.discard = self.rng.sample(PHOTO_FACES, len(PHOTO_FACES)), []
        self.photos_not_entered: list[list[tuple[int, int]]] = [[] for _ in names]

    def play(self) -> None:
        self.name_cards()
        while seats := TRACKED_GAME.flow.to_move(self.state):
            if self.state.is_over:
                self.play_move(seats[0], NotePhoto(*self.photos_not_entered[seats[0]].pop(0)))
            else:
                self.take_turn(self.state.turn)
                self.name_cards()

    def play_move(self, seat: int, move: Move) -> None:
        self.state = TRACKED_GAME.play(self.state, seat, move)
        self.log.append((seat, move))

    def name_cards(self) -> None:
        """Name the dealt cards: hand badges by their owners, face-up badges by the player to move."""
        for seat, player in enumerate(self.state.players):
            if player.hand is None and not self.state.is_over:
                self.play_move(seat, NoteHand(self.badges.pop()))
        for end in ("trailhead", "trail-end"):
            while None in self.state.face_up(end) and not self.state.is_over:
                self.play_move(self.state.turn, NameCard(end, self.badges.pop()))

    def take_turn(self, seat: int) -> None:
        moves = [
            offer.move
            for offer in TRACKED_GAME.offers(self.state, seat)
            if offer.is_legal and not offer.move.out_of_turn
        ]
        if any(isinstance(move, RollWildlife) for move in moves):
            face = self.rng.choice(["acorn", "leaf", "rock", "exchange", "photo", "bear"])
            moves = [move for move in moves if not isinstance(move, RollWildlife) or move.face == face]
        move = max(moves, key=lambda move: self.rate_move(seat, move))
        self.play_move(seat, move)
        if isinstance(move, Photograph):
            self.photos_not_entered[seat].append(self.draw_photo(move.face_up))
            # Some players note their photos right away, others only at the end.
            if self.rng.random() < 0.5:
                for face in self.photos_not_entered[seat]:
                    self.play_move(seat, NotePhoto(*face))
                self.photos_not_entered[seat].clear()

    def rate_move(self, seat: int, move: Move) -> float:
        """Return the rating of a move: that of the state after it, plus noise."""
        canteen = 1.5 if isinstance(move, Hike) and move.canteen else 0.0
        return self.rate_state(TRACKED_GAME.play(self.state, seat, move), seat) - canteen + 1.5 * self.rng.random()

    def rate_state(self, state: State, seat: int) -> float:
        player = state.players[seat]
        points = sum(2.5 * (BADGES[id].points or 3) + BADGES[id].birds for id in player.badges)
        pending = sum(PENDING_TASK_WORTH.get(type(task), 0.3) for task in state.tasks) if state.turn == seat else 0.0
        return points + 2.0 * len(player.photos) + sum(min(held, 4) for held in player.cubes) + pending

    def draw_photo(self, face_up: bool) -> tuple[int, int]:
        """Return the photo a player takes; of two they keep the one with more points and birds."""
        if face_up:
            return self.discard.pop()
        drawn = [self.photos.pop() for _ in range(min(2, len(self.photos)))]
        drawn.sort(key=sum)
        self.discard += drawn[:-1]
        if not self.photos:
            self.photos, self.discard = self.discard[::-1], []
        assert (len(self.photos), len(self.discard)) == (self.state.photo_deck, self.state.photo_discard)
        return drawn[-1]

    def to_json(self) -> str:
        """Return the game as the content of its file."""
        return game_to_json(TRACKED_GAME, self.setup, self.log)


def play_golden_games() -> Iterator[tuple[str, SimulatedGame]]:
    """Yield the name and the simulated game of each golden game."""
    for name, (names, rulings) in GAME_SETTINGS.items():
        game = SimulatedGame(name, names, rulings)
        game.play()
        yield name, game
