"""How a game of ALPINE TRAILS runs: what a player may do now, when a round is over, how the game ends."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import DRAWN, LAKE_BACKS, WATERFALL_TILES
from scoring.alpine_trails.map.fitting import legal
from scoring.alpine_trails.map.grid import open_ends, with_lakes
from scoring.alpine_trails.map.tiles import Animal, Placed, Terrain, Tile
from scoring.alpine_trails.points import Final, FinalPlayer
from scoring.alpine_trails.state import Player, State, has, on_maps, to_move
from scoring.kernel.english import listed, plural
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over

WATERFALL = Tile("waterfall")
BOTH_PLAYED = "You have played both tiles of this round"
BACKED = ("campsite", "waterfall", "lake")  # the kinds that share the tiles with a lake on the back


def wanted(state: State) -> tuple[str]:
    """Return what is to be done now: this round's tiles and what comes of them, or a last look over the maps."""
    return ("end",) if state.ended else ("round",)


def first(state: State) -> Reason:
    """Return why a move is refused that is not what is asked for."""
    if state.ended:
        return Reason("play-over", r.GAME_OVER, "Play is over: the bag is empty. The maps are only looked over now.")
    return Reason("bag-not-empty", r.GAME_OVER, f"The bag still holds {plural(state.bag, 'tile')}.")


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that has nothing more to do in this round, or at all."""
    if state.over:
        return game_over(r.GAME_OVER)
    if state.ended:
        waiting = listed([state.players[other].name for other in to_move(state)])
        text = f"Play is over. You said your map is complete; {waiting} must still look over theirs."
        return Reason("not-your-turn", r.SCORE_TOTAL, text)
    owed: dict[str, list[str]] = {}
    for other in to_move(state):
        owed.setdefault(_owes(state, state.players[other]), []).append(state.players[other].name)
    waits = listed([f"{listed(names)} must still {what}" for what, names in owed.items()])
    played = "You have played your last tile" if state.ahead else BOTH_PLAYED
    return Reason("both-played", r.ROUND_OVER, f"{played}; {waits}.")


def _owes(state: State, player: Player) -> str:
    if player.waterfalls:
        return "place a waterfall"
    return "place theirs" if player.used < state.left else "take or leave an animal"


def no_camp(state: Any, seat: int) -> Iterator[Reason]:
    """Yield why a player has no map to place anything on, at a table or in a tally."""
    if not state.players[seat].tiles:
        yield Reason("camp-first", r.BASE_CAMP, "First tell what your base camp shows.")


def no_tile(state: State, seat: int) -> Iterator[Reason]:
    """Yield why a player has no tile to place, discard or give up now."""
    player = state.players[seat]
    if player.waterfalls:
        yield Reason("waterfall-first", r.WATERFALL_AT_ONCE, "First place the waterfall you have earned.")
    elif player.used >= state.left or (player.between and player.offered):
        yield Reason("both-played", r.DRAW_TWO, f"{BOTH_PLAYED}; now take or leave an animal.")
    yield from no_camp(state, seat)


def tiles_left(state: State, seat: int) -> int:
    """Return how many tiles a player has left of the round that player is in."""
    return DRAWN - state.players[seat].used % DRAWN


def behind(state: State, seat: int) -> list[tuple[Player, int]]:
    """Return who has rounds to tell before the one a player is about to tell of, and how many tiles of them."""
    mine = state.players[seat].used // DRAWN * DRAWN
    return [(player, mine - player.used) for player in state.players if player.used < mine]


def supply_waits(what: str, left: int, wanted: int, most: dict[str, int]) -> Iterator[Reason]:
    """Yield why something may not be taken from a supply yet: by `most` of those behind, by name, its last may be taken first."""
    if 0 < left < wanted + sum(most.values()):
        verb = "is" if left == 1 else "are"
        text = f"Only {plural(left, what)} {verb} left: {listed(list(most))} must first tell the rounds before yours."
        yield Reason("supply-waits", r.ROUND_OVER, text)


def campsites_to_come(player: Player, tiles: int) -> int:
    """Return how many campsites can come of a player's next tiles, one in a round."""
    return (tiles + DRAWN - 1) // DRAWN - (player.camped and not player.between)


def settle(state: State) -> State:
    """Return the state with everything done that leaves no choice: the next round, or the end with its lakes."""
    state = without_place(state)
    while not state.ended and all(_is_through(player) for player in state.players):
        state = next_round(state) if state.round < state.rounds else end(state)
    return state


def same_turn(first: State, state: State, seat: int) -> bool:
    """Return whether a player is still in the round of a first state: a tile of it is left, or something came of one."""
    was, player = first.players[seat], state.players[seat]
    round_ends = (was.used // DRAWN + 1) * DRAWN
    return state.round == first.round and state.ended == first.ended and (player.used < round_ends or player.busy)


def _is_through(player: Player) -> bool:
    """Return whether a player has told all of the table's round; whoever has gone on to the next one has."""
    return bool(player.tiles) and (player.used > DRAWN or (player.used == DRAWN and not player.busy))


def without_place(state: State) -> State:
    """Return the state without waterfalls that no cell is left for."""
    for seat, player in enumerate(state.players):
        if player.waterfalls and not legal(player.tiles, WATERFALL):
            state = state.with_player(seat, waterfalls=0)
    return state


def next_round(state: State) -> State:
    """Return the state as everybody draws two new tiles ("Game Play"); those told ahead are of this round now."""
    players = tuple(
        replace(player, used=player.used - DRAWN, camped=player.camped and player.used > DRAWN)
        for player in state.players
    )
    return replace(state, players=players, round=state.round + 1)


def end(state: State) -> State:
    """Return the state with a lake at the end of every open trail, as far as the tiles go ("End of Game")."""
    left = max(0, LAKE_BACKS - on_maps(state, *BACKED))
    for seat, player in enumerate(state.players):
        lakes = [Placed(x, y, "lake") for x, y in open_ends(player.tiles)[:left]]
        left -= len(lakes)
        state = state.with_player(seat, tiles=(*player.tiles, *lakes))
    return replace(state, ended=True)


def play_one(state: State, seat: int, **changes: Any) -> State:
    """Return the state as a player plays one tile, with what changes by it; the first of a round begins anew."""
    player: Player = state.players[seat]
    camped = player.camped and not player.between
    return state.with_player(seat, **{"used": player.used + 1, "camped": camped, **changes})


def waterfalls_left(state: State) -> int:
    """Return how many waterfalls the supply has, without those that somebody has earned and is about to place."""
    out = on_maps(state, "waterfall") + sum(player.waterfalls for player in state.players)
    return max(0, WATERFALL_TILES - out)


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
