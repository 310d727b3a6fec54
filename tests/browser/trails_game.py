"""Generate whole games of TRAILS with a simple player, and check which events they contain."""

import random
from collections.abc import Iterable

from scoring.kernel.move import Move
from scoring.trails import TRACKED_GAME
from scoring.trails.box import BADGES, FIRST_GAME_SITES
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Exchange, Hike, KeepResources, Photograph, RollWildlife, Skip
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.moves.trail_setup import LaySites
from scoring.trails.state import TRAIL_END, BearEncounter, Setup, SiteAction, State

SEED_COUNT = 3000
GameLog = list[tuple[int, Move]]

REQUIRED_EVENTS = {
    "own site first, then the bear",
    "the bear first, then the own site",
    "the bear face",
    "the canteen",
    "two cubes from a site by night",
    "an exchange by night",
    "a free photo by night",
    "three badges in one visit, one of them from the hand",
    "an unknown card named by earning it",
    "a Sun bonus from a site",
    "eight kept",
    "the last round",
    "a photo noted in secret",
    "every photo revealed",
}


def find_game(names: Iterable[str], seed: int) -> GameLog:
    """Return the first game, counting from a seed, that has every event; the same on every run."""
    setup = TRACKED_GAME.setup_format.default(list(names))
    for candidate in range(seed, seed + SEED_COUNT):
        moves = _play_game(setup, random.Random(candidate))
        if find_events(setup, moves) >= REQUIRED_EVENTS:
            return moves
    raise AssertionError(f"no game out of {SEED_COUNT} from seed {seed} on has everything in it")


def find_events(setup: Setup, moves: GameLog) -> set[str]:
    """Return the events of a game."""
    found: set[str] = set()
    state, visit = TRACKED_GAME.initial_state(setup), []
    for seat, move in moves:
        after = TRACKED_GAME.play(state, seat, move)
        visit = [*visit, move] if isinstance(move, EarnBadge) else visit
        found |= set(_events(state, seat, move, after))
        if len(visit) >= 3 and any(card.hand for card in visit):
            found.add("three badges in one visit, one of them from the hand")
        if after.turn != state.turn:
            visit = []
        state = after
    return found


def _events(state: State, seat: int, move: Move, after: State) -> Iterable[str]:
    task = None if state.is_over or not state.tasks else state.tasks[-1]
    had, has = state.players[seat], after.players[seat]
    night_photo = isinstance(task, SiteAction) and task.site == "photo" and state.is_night(state.space_of("photo"))
    match move:
        case Hike(canteen=True):
            yield "the canteen"
        case RollWildlife(face="bear"):
            yield "the bear face"
        case Exchange(get=None):
            yield "an exchange by night"
        case Photograph(pay=None) if night_photo:
            yield "a free photo by night"
        case EarnBadge(badge, False) if badge not in state.face_up(task.end):
            yield "an unknown card named by earning it"
        case KeepResources():
            yield "eight kept"
        case NotePhoto():
            yield "every photo revealed" if not TRACKED_GAME.flow.to_move(after) else "a photo noted in secret"
    if isinstance(task, BearEncounter):
        yield "the bear first, then the own site" if isinstance(move, RollWildlife) else "own site first, then the bear"
    if isinstance(move, Hike):
        site = after.site_at(has.space)
        if site and state.is_night(has.space) and sum(has.cubes) - sum(had.cubes) == 2:
            yield "two cubes from a site by night"
        if has.space == TRAIL_END and isinstance(state.under_sun, int):
            yield "a Sun bonus from a site"
        if state.turns_left is not None:
            yield "the last round"


def _play_game(setup: Setup, rng: random.Random) -> GameLog:
    """Play one game: note a hand badge, hike far, take what is offered, earn when possible."""
    moves: GameLog = []
    state = TRACKED_GAME.initial_state(setup)

    def play(seat: int, move: Move) -> None:
        nonlocal state
        state = TRACKED_GAME.play(state, seat, move)
        moves.append((seat, move))

    hands = rng.sample(
        [id for id, badge in BADGES.items() if badge.copies == 1 and 2 <= sum(badge.cost) <= 4], len(setup.players)
    )
    play(0, LaySites(FIRST_GAME_SITES))
    for seat, badge in enumerate(hands):
        play(seat, NoteHand(badge))
    for seat, end in enumerate(("trailhead", "trail-end")):
        play(seat, NameCard(end, rng.choice([id for id in BADGES if id not in hands and not state.visible_copies(id)])))
    while TRACKED_GAME.flow.to_move(state):
        seat = rng.choice(TRACKED_GAME.flow.to_move(state))
        play(seat, _choose_move(state, seat, rng))
        if not state.is_over and isinstance(moves[-1][1], Photograph) and rng.random() < 0.4:
            play(seat, NotePhoto(*rng.choice(((2, 0), (1, 1), (0, 2)))))
    return moves


def _choose_move(state: State, seat: int, rng: random.Random) -> Move:
    """Return one of the moves of the turn; better moves are more likely."""
    if state.is_over:
        return NotePhoto(*rng.choice(((2, 0), (1, 1), (0, 2))))
    secret = {player.hand for other, player in enumerate(state.players) if other != seat}
    moves = [
        move
        for move in TRACKED_GAME.candidates(state, seat, TRACKED_GAME.available_moves(state))
        if TRACKED_GAME.is_legal(state, seat, move) and not (isinstance(move, EarnBadge) and move.badge in secret)
    ]
    return rng.choices(moves, [_move_weight(state, seat, move) for move in moves])[0]


def _move_weight(state: State, seat: int, move: Move) -> float:
    match move:
        case Hike(steps, canteen):
            return steps**2 * (1 if canteen else 2)
        case EarnBadge(badge, hand):
            known = hand or badge in state.face_up(state.tasks[-1].end)
            return (20 if known else 1) / (1 + sum(BADGES[badge].cost)) ** 2
        case Skip():
            return 0.05
        case RollWildlife(site=site):
            return 3 if site in ("exchange", "photo") else 1
        case _:
            return 1
