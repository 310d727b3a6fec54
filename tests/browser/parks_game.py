"""A whole game of PARKS worked out before anybody taps: a small greedy player, and what such a game has to hold."""

import random
from collections.abc import Iterable, Iterator

from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.parks.box import SITES, all_gear, all_parks
from scoring.parks.costs import affords
from scoring.parks.moves.hiking import Hike, Leave, TakeSide, Use
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.moves.sites import Fill, Stow, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import END_GEAR, END_PARKS, END_PHOTO, SITES_IN_ROW, Do, Parks, State
from scoring.parks.turn import last_on_trail, occupied

PLAY = PLAYS["parks"]
SEEDS = 3000
Story = list[tuple[int, Move]]

EVERYTHING = {
    "a site shared by campfire",
    "a canteen that filled the next",
    "several parks in one action",
    "gear set off by gear",
    "a passion completed",
    "first at Trail End, Parks",
    "first at Trail End, Photo",
    "first at Trail End, Gear",
    "a hiker sent straight to Trail End",
    "an open park named",
    "a park named in visiting it",
    "gear named in buying it",
    "a park of the deck reserved and named",
    "a photo for the badge\u2019s second",
    "three seasons",
}
# Gear that sets off other gear, and what it sets off.
CHAIN = (
    "journal-forest", "journal-sun", "journal-water", "binoculars-reserve", "hiking-boots-reserve", "camp-mug-reserve",
    "wide-angle-lens-forest", "wide-angle-lens-sun", "sunscreen-photo", "rain-gear-photo", "compass-die",
)  # fmt: skip
PASSIONS = ("Birdwatching", "Kayaking", "Collecting", "Wildlife", "Adventure")


def story(names: Iterable[str], seed: int) -> Story:
    """Return the first game, counting from a seed, that has everything in it; the same on every run."""
    setup = PLAY.usual(list(names))
    for each in range(seed, seed + SEEDS):
        moves = game(setup, random.Random(each))
        if happened(setup, moves) >= EVERYTHING:
            return moves
    raise AssertionError(f"no game out of {SEEDS} from seed {seed} on has everything in it")


def happened(setup, moves: Story) -> set[str]:
    """Return what a game had in it."""
    found: set[str] = set()
    state, last = PLAY.begin(setup), None
    for seat, move in moves:
        found |= set(_events(state, seat, move, last))
        before, state = state, PLAY.play(state, seat, move)
        last = (before, move) if state.turn == before.turn else None
    return found | ({"three seasons"} if state.over and state.season == 2 else set())


def _events(state: State, seat: int, move: Move, last: tuple[State, Move] | None) -> Iterator[str]:
    """Yield what a move is an example of; `last` is the move before it in the same turn, and where it was made."""
    task = state.tasks[-1]
    if isinstance(move, VisitPark) and task.visited:
        yield "several parks in one action"
    match move:
        case Hike(to=to):
            if occupied(state, to):
                yield "a site shared by campfire"
            if last_on_trail(state):
                yield "a hiker sent straight to Trail End"
            if to in (END_PARKS, END_PHOTO, END_GEAR) and not state.end_used[to - END_PARKS]:
                yield f"first at Trail End, {('Parks', 'Photo', 'Gear')[to - END_PARKS]}"
        case Fill() if last and isinstance(last[1], Fill) and "2 water" in last[0].players[seat].canteens[last[1].row]:
            yield "a canteen that filled the next"
        case VisitPark(unnamed="open"):
            yield "a park named in visiting it"
        case BuyGear(unnamed=True):
            yield "gear named in buying it"
        case TakeSide():
            yield "a passion completed"
        case NamePark():
            yield "an open park named"
        case NameReserved():
            yield "a park of the deck reserved and named"
        case TakePhoto() if not isinstance(task, Do):
            yield "a photo for the badge\u2019s second"
    if isinstance(task, Do) and not move.anytime and len(move.apply(state, seat).used) > len(state.used):
        effects = {all_gear(state.facts)[id].effect for id in state.used}
        if task.what in effects and task.what not in _here(state):
            yield "gear set off by gear"


def _here(state: State) -> list[str]:
    """Return what the sites bring where the player's hikers stand."""
    return [SITES[state.sites[space - 1]].brings for space in state.player.hikers if 1 <= space <= SITES_IN_ROW]


def game(setup, rng: random.Random) -> Story:
    """Play one game: everybody names a passion, hikes, names cards when it matters, takes what is offered."""
    moves: Story = []
    state = PLAY.begin(setup)

    def say(seat: int, move: Move) -> None:
        nonlocal state
        state = PLAY.play(state, seat, move)
        moves.append((seat, move))

    for seat, passion in enumerate(rng.sample(PASSIONS, len(setup.players))):
        say(seat, NamePassion(passion))
    say(0, NameTile(rng.choice(("spring-sun", "spring-water", "spring-forest"))))
    say(1, NameCanteen("2 water"))
    while seats := PLAY.to_move(state):
        seat = rng.choice(seats)
        say(seat, _naming(state, seat, rng) or _choice(state, seat, rng))
    return moves


def _naming(state: State, seat: int, rng: random.Random) -> Move | None:
    """Return a card named at the moment it matters."""
    task, player = state.tasks[-1], state.players[seat]
    if isinstance(task, Parks) and (None in state.parks or None in player.reserve):
        known = all_parks(state.facts)
        free = [known[name] for name in state.other_parks]
        cheap = sorted((park for park in free if affords(state, park)), key=lambda park: (sum(park.cost), park.name))
        if cheap and rng.random() < 0.3:
            name = rng.choice(cheap[:6]).name
            return NameReserved(name) if None in player.reserve and rng.random() < 0.7 else _named_open(state, name)
    if isinstance(task, Do) and task.what == "buy" and None in state.market and rng.random() < 0.3:
        wanted = [
            id for id in CHAIN if id not in state.market and all(id not in player.gear for player in state.players)
        ]
        return NameGear(rng.choice(wanted)) if wanted else None
    return None


def _named_open(state: State, name: str) -> Move | None:
    return NamePark(name) if None in state.parks else None


def _choice(state: State, seat: int, rng: random.Random) -> Move:
    """Return one of the moves of the turn, the better ones more often."""
    moves = [
        move
        for kind in PLAY.asked(state)
        if not kind.anytime or kind is NameTile
        for move in PLAY.candidates(state, seat, (kind,))
        if PLAY.legal(state, seat, move)
    ]
    return rng.choices(moves, [_liking(state, seat, move) for move in moves])[0]


def _liking(state: State, seat: int, move: Move) -> float:
    player = state.players[seat]
    match move:
        case Hike(start, to):
            if to > SITES_IN_ROW:
                return 4 if start > 5 else 0.3
            steps = to - start
            site = state.sites[to - 1]
            likes = {
                "parks": 4,
                "water": 4 if any(player.canteens) else 2,
                "photo": 3 if not any(player.canteens) else 1,
            }
            return (
                likes.get(site, 1)
                * (0.2, 0.7, 1, 1, 0.8, 0.5, 0.3, 0.2, 0.1)[steps - 1]
                * (4 if occupied(state, to) else 1)
            )
        case TakeCanteen(face, row, stack):
            first = not any(player.canteens)
            return (
                (0.02 if stack else 1)
                * (8 if face == "2 water" and first else 1)
                * (0.1 if player.canteens[row] else 1)
            )
        case Fill(row):
            return 30 if "2 water" in player.canteens[row] else 8
        case Stow():
            return 0.5
        case VisitPark():
            return 20 / (1 + move.forest + move.mountain + move.sun + move.water)
        case Reserve(deck=deck):
            return 0.6 if deck else 0.3
        case BuyGear(gear):
            return 6 if gear in CHAIN else 1
        case DrawGear(gear):
            return 5 if gear in CHAIN else 0.1
        case TakePhoto() | Trade() | Use():
            return 1
        case Leave():
            return 0.15
    return 1
