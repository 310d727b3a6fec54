"""How a game of ALPINE TRAILS runs: what a player may do now, when a round is over, how the game ends."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.alpine import rules as r
from scoring.alpine.box import LAKE_BACKS, WATERFALL_TILES
from scoring.alpine.points import Final, FinalPlayer
from scoring.alpine.state import DRAWN, Player, State, has, on_maps, to_move
from scoring.alpine.trailmap import Animal, Placed, Terrain, Tile, legal, open_ends, with_lakes
from scoring.kernel.rule import Reason, Rule

WATERFALL = Tile("waterfall")


def settle(state: State) -> State:
    """Return the state with everything done that leaves no choice: the next round, or the end with its lakes."""
    state = without_place(state)
    while not state.ended and not to_move(state):
        state = next_round(state) if state.round < state.rounds else end(state)
    return state


def without_place(state: State) -> State:
    """Return the state without waterfalls that no cell is left for."""
    for seat, player in enumerate(state.players):
        if player.waterfalls and not legal(player.tiles, WATERFALL):
            state = state.with_player(seat, waterfalls=0)
    return state


def next_round(state: State) -> State:
    """Return the state as everybody draws two new tiles ("Game Play")."""
    players = tuple(replace(player, used=0, camped=False) for player in state.players)
    return replace(state, players=players, round=state.round + 1)


def end(state: State) -> State:
    """Return the state with a lake at the end of every open trail, as far as the tiles go ("End of Game")."""
    left = lakes_left(state)
    for seat, player in enumerate(state.players):
        lakes = [Placed(x, y, "lake") for x, y in open_ends(player.tiles)[:left]]
        left -= len(lakes)
        state = state.with_player(seat, tiles=(*player.tiles, *lakes))
    return replace(state, ended=True)


def lakes_left(state: State) -> int:
    """Return how many lakes the supply has: the backs of the campsite and waterfall tiles that nobody has placed."""
    out = sum(on_maps(state, kind) for kind in ("campsite", "waterfall", "lake"))
    return max(0, LAKE_BACKS - out)


def waterfalls_left(state: State) -> int:
    """Return how many waterfalls the supply has, without those that somebody has earned and is about to place."""
    out = on_maps(state, "waterfall") + sum(player.waterfalls for player in state.players)
    return max(0, WATERFALL_TILES - out)


def not_now(state: State, seat: int) -> Iterator[Reason]:
    """Yield why a player can place nothing at all now."""
    if state.ended:
        yield Reason("play-over", r.GAME_OVER, "The bag is empty; the maps are only looked over now.")
    elif not state.players[seat].tiles:
        yield Reason("camp-first", r.BASE_CAMP, "First tell what your base camp shows.")


def no_tile(state: State, seat: int) -> Iterator[Reason]:
    """Yield why a player has no tile to place, discard or give up now."""
    player = state.players[seat]
    if player.waterfalls and player.tiles and not state.ended:
        yield Reason("waterfall-first", r.WATERFALL_AT_ONCE, "First place the waterfall you have earned.")
    elif not state.ended and player.used >= DRAWN:
        yield Reason("both-played", r.DRAW_TWO, "You have played both tiles of this round.")
    yield from not_now(state, seat)


def offer_fork(state: State, seat: int, terrain: Terrain) -> State:
    """Return the state as a fork is announced: everybody else who lacks its animal may take one ("Forks")."""
    animal = state.facts.animal(terrain)
    for other, player in enumerate(state.players):
        if other != seat and terrain not in player.offered and (animal is None or not has(player, animal)):
            state = state.with_player(other, offered=(*player.offered, terrain))
    return state


def take(state: State, seat: int, terrain: Terrain, animal: Animal) -> State:
    """Return the state as a player takes an animal; if nobody knew that it lives there, everybody does now."""
    player: Player = state.players[seat]
    known = replace(state, facts=replace(state.facts, **{terrain: animal}))
    return known.with_player(seat, held=(*player.held, animal))


# What the app does between the moves, and the rules it carries out there.
BETWEEN: dict[str, tuple[Rule, ...]] = {
    "round": (r.TOGETHER, r.ROUND_OVER),
    "loop": (r.LOOP, r.WATERFALL_SUPPLY),
    "fork": (r.FORK_SIGN, r.SIGN_SUPPLY, r.FORK_ANNOUNCED, r.FORK_ANIMAL),
    "end": (r.GAME_OVER, r.LAKES_AT_ENDS, r.LAKE_SUPPLY, r.LAKE_SHARED, r.CAMPS_NEED_NO_LAKE),
}


def final(state: State) -> Final:
    """Return what scoring needs. While the bag lasts, a map counts as if every open trail ended in a lake already."""
    return Final(
        tuple(
            FinalPlayer(player.name, player.tiles if state.ended else with_lakes(player.tiles), goal=player.goal)
            for player in state.players
        ),
        state.rulings,
        state.solo,
    )


def wanted(state: State) -> tuple[str]:
    """Return what is to be done now: this round's tiles and what comes of them, or a last look over the maps."""
    return ("end",) if state.ended else ("round",)
