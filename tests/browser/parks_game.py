"""Generate whole games of PARKS with a greedy player, and check which events they contain."""

import random
from collections.abc import Iterable, Iterator

from scoring.kernel.move import Move
from scoring.parks import TRACKED_GAME
from scoring.parks.box import SITES, all_gear, all_parks
from scoring.parks.costs import can_afford
from scoring.parks.moves.hiking import Hike, Skip, TakeSide, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.moves.sites import FillCanteenRow, StowWater, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import END_GEAR, END_PARKS, END_PHOTO, SITE_COUNT, DoAction, ParksAction, Setup, State
from scoring.parks.turn import is_last_on_trail, is_occupied

SEED_COUNT = 3000
GameLog = list[tuple[int, Move]]

REQUIRED_EVENTS = {
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
# Gear that triggers other gear, and the gear it triggers.
CHAIN_GEAR = (
    "journal-forest", "journal-sun", "journal-water", "binoculars-reserve", "hiking-boots-reserve", "camp-mug-reserve",
    "wide-angle-lens-forest", "wide-angle-lens-sun", "sunscreen-photo", "rain-gear-photo", "compass-die",
)  # fmt: skip
PASSIONS = ("Birdwatching", "Kayaking", "Collecting", "Wildlife", "Adventure")


def find_game(names: Iterable[str], seed: int) -> GameLog:
    """Return the first game, counting from a seed, that has every event; the same on every run."""
    setup = TRACKED_GAME.setup_format.default(list(names))
    for candidate in range(seed, seed + SEED_COUNT):
        moves = play_game(setup, random.Random(candidate))
        if find_events(setup, moves) >= REQUIRED_EVENTS:
            return moves
    raise AssertionError(f"no game out of {SEED_COUNT} from seed {seed} on has everything in it")


def find_events(setup: Setup, moves: GameLog) -> set[str]:
    """Return the events of a game."""
    found: set[str] = set()
    state, last = TRACKED_GAME.initial_state(setup), None
    for seat, move in moves:
        found |= set(_events(state, seat, move, last))
        before, state = state, TRACKED_GAME.play(state, seat, move)
        last = (before, move) if state.turn == before.turn else None
    return found | ({"three seasons"} if state.is_over and state.season == 2 else set())


def _events(state: State, seat: int, move: Move, last: tuple[State, Move] | None) -> Iterator[str]:
    """Yield the events a move shows; `last` is the turn's previous move and its state, if any."""
    task = state.tasks[-1]
    if isinstance(move, VisitPark) and task.has_visited:
        yield "several parks in one action"
    match move:
        case Hike(to=to):
            if is_occupied(state, to):
                yield "a site shared by campfire"
            if is_last_on_trail(state):
                yield "a hiker sent straight to Trail End"
            if to in (END_PARKS, END_PHOTO, END_GEAR) and not state.end_spaces_used[to - END_PARKS]:
                yield f"first at Trail End, {('Parks', 'Photo', 'Gear')[to - END_PARKS]}"
        case FillCanteenRow() if (
            last and isinstance(last[1], FillCanteenRow) and "2 water" in last[0].players[seat].canteens[last[1].row]
        ):
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
        case TakePhoto() if not isinstance(task, DoAction):
            yield "a photo for the badge\u2019s second"
    if (
        isinstance(task, DoAction)
        and not move.out_of_turn
        and len(move.apply(state, seat).used_gear) > len(state.used_gear)
    ):
        effects = {all_gear(state.facts)[id].effect for id in state.used_gear}
        if task.action in effects and task.action not in _site_effects(state):
            yield "gear set off by gear"


def _site_effects(state: State) -> list[str]:
    """Return the effects of the sites where the player's hikers stand."""
    return [SITES[state.sites[space - 1]].brings for space in state.player.hikers if 1 <= space <= SITE_COUNT]


def play_game(setup: Setup, rng: random.Random) -> GameLog:
    """Play one game: passions, hikes, cards named when needed, and moves that are offered."""
    moves: GameLog = []
    state = TRACKED_GAME.initial_state(setup)

    def play(seat: int, move: Move) -> None:
        nonlocal state
        state = TRACKED_GAME.play(state, seat, move)
        moves.append((seat, move))

    for seat, passion in enumerate(rng.sample(PASSIONS, len(setup.players))):
        play(seat, NamePassion(passion))
    play(0, NameTile(rng.choice(("spring-sun", "spring-water", "spring-forest"))))
    play(1, NameCanteen("2 water"))
    while seats := TRACKED_GAME.flow.to_move(state):
        seat = rng.choice(seats)
        play(seat, _choose_card_to_name(state, seat, rng) or _choose_move(state, seat, rng))
    return moves


def _choose_card_to_name(state: State, seat: int, rng: random.Random) -> Move | None:
    """Return a move that names a card which the next decision needs, if there is one."""
    task, player = state.tasks[-1], state.players[seat]
    if isinstance(task, ParksAction) and (None in state.parks or None in player.reserve):
        known = all_parks(state.facts)
        free = [known[name] for name in state.unnamed_parks]
        cheap = sorted((park for park in free if can_afford(state, park)), key=lambda park: (sum(park.cost), park.name))
        if cheap and rng.random() < 0.3:
            name = rng.choice(cheap[:6]).name
            return NameReserved(name) if None in player.reserve and rng.random() < 0.7 else _name_open_park(state, name)
    if isinstance(task, DoAction) and task.action == "buy" and None in state.market and rng.random() < 0.3:
        options = [
            id for id in CHAIN_GEAR if id not in state.market and all(id not in player.gear for player in state.players)
        ]
        return NameGear(rng.choice(options)) if options else None
    return None


def _name_open_park(state: State, name: str) -> Move | None:
    return NamePark(name) if None in state.parks else None


def _choose_move(state: State, seat: int, rng: random.Random) -> Move:
    """Return one of the moves of the turn; better moves are more likely."""
    moves = [
        move
        for kind in TRACKED_GAME.available_moves(state)
        if not kind.out_of_turn or kind is NameTile
        for move in TRACKED_GAME.candidates(state, seat, (kind,))
        if TRACKED_GAME.is_legal(state, seat, move)
    ]
    return rng.choices(moves, [_move_weight(state, seat, move) for move in moves])[0]


def _move_weight(state: State, seat: int, move: Move) -> float:
    player = state.players[seat]
    match move:
        case Hike(start, to):
            if to > SITE_COUNT:
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
                * (4 if is_occupied(state, to) else 1)
            )
        case TakeCanteen(face, row, stack):
            first = not any(player.canteens)
            return (
                (0.02 if stack else 1)
                * (8 if face == "2 water" and first else 1)
                * (0.1 if player.canteens[row] else 1)
            )
        case FillCanteenRow(row):
            return 30 if "2 water" in player.canteens[row] else 8
        case StowWater():
            return 0.5
        case VisitPark():
            return 20 / (1 + move.forest + move.mountain + move.sun + move.water)
        case Reserve(deck=deck):
            return 0.6 if deck else 0.3
        case BuyGear(gear):
            return 6 if gear in CHAIN_GEAR else 1
        case DrawGear(gear):
            return 5 if gear in CHAIN_GEAR else 0.1
        case TakePhoto() | Trade() | UseExtra():
            return 1
        case Skip():
            return 0.15
    return 1
