"""`python -m tests.golden_games` plays the kept games anew: shuffled cards and tiles, and people who are a little greedy.

The games come from their seeds alone, so the difference to what is kept shows what a change of the rules core does.
Where it makes a kept game come to another result, the version of that game's rules has to be raised first.
"""

import random
import sys
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.trails.box import BADGES
from scoring.trails.moves.hiking import Hike, Photograph, Wildlife
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.state import AtSite, Earn, FreeBadge, State, TakePhoto
from tests.golden_games import alpine_trails, on_the_trail, parks
from tests.golden_games.files import HERE, advice, kept, named, otherwise
from tests.support.positions import laid

PLAY = PLAYS["trails"]
# How many photos of each kind there are is not known; these are made up.
FACES = [(2, 0)] * 10 + [(1, 1)] * 12 + [(0, 2)] * 10
PENDING = {TakePhoto: 2.0, FreeBadge: 6.0, Earn: 1.0, AtSite: 0.8}

TOLD = {
    "trails-2": (["Ana", "Bo"], {}),
    "trails-3": (["Ana", "Bo", "Cy"], {"zero-birds": "everyone", "bear-same-site": "nothing"}),
    "trails-4": (["Ana", "Bo", "Cy", "Di"], {}),
    "trails-4-stand-ins": (["Ana", "Bo", "Cy", "Di"], {"cube-supply": "stand-ins", "canteen-stay": "yes"}),
}


class TableTop:
    """The cards of one game as they lie shuffled on a table, and what its people tell the app of them."""

    def __init__(self, name: str, names: list[str], rulings: dict[str, str]):
        self.rng = random.Random(name)
        self.setup = replace(laid(names), rulings=rulings)
        self.state: State = PLAY.begin(self.setup)
        self.log: list[tuple[int, Move]] = []
        self.badges = self.rng.sample(
            deck := [id for id, badge in BADGES.items() for _ in range(badge.copies)], len(deck)
        )
        self.photos, self.discard = self.rng.sample(FACES, len(FACES)), []
        self.unsaid: list[list[tuple[int, int]]] = [[] for _ in names]

    def play(self) -> None:
        self.name_cards()
        while seats := PLAY.to_move(self.state):
            if self.state.over:
                self.say(seats[0], NotePhoto(*self.unsaid[seats[0]].pop(0)))
            else:
                self.take_turn(self.state.turn)
                self.name_cards()

    def say(self, seat: int, move: Move) -> None:
        self.state = PLAY.play(self.state, seat, move)
        self.log.append((seat, move))

    def name_cards(self) -> None:
        """Name what has been dealt: open badges by whoever is to move, hand badges by their owners."""
        for seat, player in enumerate(self.state.players):
            if player.hand is None and not self.state.over:
                self.say(seat, NoteHand(self.badges.pop()))
        for end in ("trailhead", "trail-end"):
            while None in self.state.face_up(end) and not self.state.over:
                self.say(self.state.turn, NameCard(end, self.badges.pop()))

    def take_turn(self, seat: int) -> None:
        moves = [offer.move for offer in PLAY.offers(self.state, seat) if offer.legal and not offer.move.anytime]
        if any(isinstance(move, Wildlife) for move in moves):
            face = self.rng.choice(["acorn", "leaf", "rock", "exchange", "photo", "bear"])
            moves = [move for move in moves if not isinstance(move, Wildlife) or move.face == face]
        move = max(moves, key=lambda move: self.wish(seat, move))
        self.say(seat, move)
        if isinstance(move, Photograph):
            self.unsaid[seat].append(self.photo(move.face_up))
            if self.rng.random() < 0.5:  # some note their photos at once, some only at the end
                for face in self.unsaid[seat]:
                    self.say(seat, NotePhoto(*face))
                self.unsaid[seat].clear()

    def wish(self, seat: int, move: Move) -> float:
        """Return how much somebody wants a move: what they would have after it, and a whim."""
        canteen = 1.5 if isinstance(move, Hike) and move.canteen else 0.0
        return self.worth(PLAY.play(self.state, seat, move), seat) - canteen + 1.5 * self.rng.random()

    def worth(self, state: State, seat: int) -> float:
        player = state.players[seat]
        points = sum(2.5 * (BADGES[id].points or 3) + BADGES[id].birds for id in player.badges)
        pending = sum(PENDING.get(type(task), 0.3) for task in state.tasks) if state.turn == seat else 0.0
        return points + 2.0 * len(player.photos) + sum(min(held, 4) for held in player.cubes) + pending

    def photo(self, face_up: bool) -> tuple[int, int]:
        """Return the photo somebody takes; of two they keep the one with more points and birds."""
        if face_up:
            return self.discard.pop()
        drawn = [self.photos.pop() for _ in range(min(2, len(self.photos)))]
        drawn.sort(key=sum)
        self.discard += drawn[:-1]
        if not self.photos:
            self.photos, self.discard = self.discard[::-1], []
        assert (len(self.photos), len(self.discard)) == (self.state.photo_deck, self.state.photo_discard)
        return drawn[-1]

    def kept(self) -> str:
        """Return the game as it is kept."""
        return kept(PLAY, self.setup, self.log)


def kept_games() -> Iterator[tuple[str, TableTop]]:
    """Yield each kept game, played anew: its name, itself."""
    for name, (names, rulings) in TOLD.items():
        top = TableTop(name, names, rulings)
        top.play()
        yield name, top


def main() -> int:
    """Play every kept game anew, unless one that is kept comes to something else by the rules it was played by."""
    told_games = [named(file.stem) for file in sorted(HERE.glob("*.json"))]
    same = [told for told in told_games if told["version"] == PLAYS[told["game"]].box.version]
    changed = {told["game"]: f"{change}\n{advice(told)}" for told in same if (change := otherwise(told))}
    for key, change in changed.items():
        print(f"{key}: {change}", file=sys.stderr)
    if changed:
        return 1
    for game, games in (
        (PLAY, kept_games()),
        *((each.PLAY, each.kept_games()) for each in (alpine_trails, on_the_trail, parks)),
    ):
        for name, evening in games:
            HERE.joinpath(f"{name}.json").write_text(evening.kept(), encoding="utf-8")
            print(f"{name}: {len(evening.log)} moves, {game.box.score(game.final(evening.state)).verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
