"""A whole game worked out before anybody taps: a small honest player, and what such a game has to hold."""

import random
from collections.abc import Iterable

from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.trails.box import BADGES, FIRST_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Exchange, Hike, Keep, Leave, Photograph, Wildlife
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.moves.trail_setup import LaySites
from scoring.trails.state import TRAIL_END, AtSite, Encounter, State

PLAY = PLAYS["trails"]
SEEDS = 3000
Story = list[tuple[int, Move]]

EVERYTHING = {
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


def story(names: Iterable[str], seed: int) -> Story:
    """Return the first game, counting from a seed, that has everything in it; the same on every run."""
    setup = PLAY.usual(list(names))
    for each in range(seed, seed + SEEDS):
        moves = _game(setup, random.Random(each))
        if happened(setup, moves) >= EVERYTHING:
            return moves
    raise AssertionError(f"no game out of {SEEDS} from seed {seed} on has everything in it")


def happened(setup, moves: Story) -> set[str]:
    """Return what a game had in it."""
    found: set[str] = set()
    state, visit = PLAY.begin(setup), []
    for seat, move in moves:
        after = PLAY.play(state, seat, move)
        visit = [*visit, move] if isinstance(move, EarnBadge) else visit
        found |= set(_events(state, seat, move, after))
        if len(visit) >= 3 and any(each.hand for each in visit):
            found.add("three badges in one visit, one of them from the hand")
        if after.turn != state.turn:
            visit = []
        state = after
    return found


def _events(state: State, seat: int, move: Move, after: State) -> Iterable[str]:
    task = None if state.over or not state.tasks else state.tasks[-1]
    had, has = state.players[seat], after.players[seat]
    night_photo = isinstance(task, AtSite) and task.site == "photo" and state.is_night(state.space_of("photo"))
    match move:
        case Hike(canteen=True):
            yield "the canteen"
        case Wildlife(face="bear"):
            yield "the bear face"
        case Exchange(get=None):
            yield "an exchange by night"
        case Photograph(pay=None) if night_photo:
            yield "a free photo by night"
        case EarnBadge(badge, False) if badge not in state.face_up(task.end):
            yield "an unknown card named by earning it"
        case Keep():
            yield "eight kept"
        case NotePhoto():
            yield "every photo revealed" if not PLAY.to_move(after) else "a photo noted in secret"
    if isinstance(task, Encounter):
        yield "the bear first, then the own site" if isinstance(move, Wildlife) else "own site first, then the bear"
    if isinstance(move, Hike):
        site = after.site_at(has.at)
        if site and state.is_night(has.at) and sum(has.cubes) - sum(had.cubes) == 2:
            yield "two cubes from a site by night"
        if has.at == TRAIL_END and isinstance(state.under_sun, int):
            yield "a Sun bonus from a site"
        if state.turns_left is not None:
            yield "the last round"


def _game(setup, rng: random.Random) -> Story:
    """Play one game: everybody notes a hand badge, hikes far, takes what is offered, earns what they can."""
    moves: Story = []
    state = PLAY.begin(setup)

    def say(seat: int, move: Move) -> None:
        nonlocal state
        state = PLAY.play(state, seat, move)
        moves.append((seat, move))

    hands = rng.sample(
        [id for id, badge in BADGES.items() if badge.copies == 1 and 2 <= sum(badge.cost) <= 4], len(setup.players)
    )
    say(0, LaySites(FIRST_GAME))
    for seat, badge in enumerate(hands):
        say(seat, NoteHand(badge))
    for seat, end in enumerate(("trailhead", "trail-end")):
        say(seat, NameCard(end, rng.choice([id for id in BADGES if id not in hands and not state.seen(id)])))
    while PLAY.to_move(state):
        seat = rng.choice(PLAY.to_move(state))
        say(seat, _choice(state, seat, rng))
        if not state.over and isinstance(moves[-1][1], Photograph) and rng.random() < 0.4:
            say(seat, NotePhoto(*rng.choice(((2, 0), (1, 1), (0, 2)))))
    return moves


def _choice(state: State, seat: int, rng: random.Random) -> Move:
    """Return one of the moves of the turn, the better ones more often."""
    if state.over:
        return NotePhoto(*rng.choice(((2, 0), (1, 1), (0, 2))))
    secret = {player.hand for other, player in enumerate(state.players) if other != seat}
    moves = [
        move
        for move in PLAY.candidates(state, seat, PLAY.asked(state))
        if PLAY.legal(state, seat, move) and not (isinstance(move, EarnBadge) and move.badge in secret)
    ]
    return rng.choices(moves, [_liking(state, seat, move) for move in moves])[0]


def _liking(state: State, seat: int, move: Move) -> float:
    match move:
        case Hike(steps, canteen):
            return steps**2 * (1 if canteen else 2)
        case EarnBadge(badge, hand):
            known = hand or badge in state.face_up(state.tasks[-1].end)
            return (20 if known else 1) / (1 + sum(BADGES[badge].cost)) ** 2
        case Leave():
            return 0.05
        case Wildlife(site=site):
            return 3 if site in ("exchange", "photo") else 1
        case _:
            return 1
