"""The course of a game of ALPINE TRAILS: pending actions, end of a round, end of the game."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import LAKE_BACKS, TILES_PER_ROUND, WATERFALL_TILES
from scoring.alpine_trails.map.fitting import legal_placements
from scoring.alpine_trails.map.grid import open_ends, with_lakes
from scoring.alpine_trails.map.tiles import Animal, PlacedTile, Terrain, Tile
from scoring.alpine_trails.points import Final, FinalPlayer
from scoring.alpine_trails.state import Player, State, count_animals_of, count_on_maps, to_move
from scoring.kernel.english import join_words, pluralize
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over_reason

WATERFALL = Tile("waterfall")
BOTH_PLAYED = "You have already used both tiles this round"
LAKE_BACKED_KINDS = ("campsite", "waterfall", "lake")  # kinds that use the tiles with a lake on the back


def pending_decisions(state: State) -> tuple[str]:
    """Return the pending decision: this round's tiles, or at the end a check of the maps."""
    return ("end",) if state.is_play_over else ("round",)


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused outside its phase."""
    if state.is_play_over:
        return Reason(
            "play-over", r.GAME_OVER, "The last round is over, so you cannot place more tiles. Check your map now."
        )
    return Reason(
        "bag-not-empty",
        r.GAME_OVER,
        f"The bag still holds {pluralize(state.tiles_in_bag, 'tile')}. Finish all rounds first.",
    )


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat is refused that has nothing more to do this round, or in this game."""
    if state.is_over:
        return game_over_reason(r.GAME_OVER)
    if state.is_play_over:
        waiting = join_words([state.players[other].name for other in to_move(state)])
        text = f"The last round is over and you are done. Waiting for {waiting} to finish."
        return Reason("not-your-turn", r.SCORE_TOTAL, text)
    names_by_action: dict[str, list[str]] = {}
    for other in to_move(state):
        names_by_action.setdefault(_owed_action_text(state, state.players[other]), []).append(state.players[other].name)
    waiting_text = join_words([f"for {join_words(names)} to {action}" for action, names in names_by_action.items()])
    played = "You have already used your last tile" if state.can_play_ahead else BOTH_PLAYED
    return Reason("both-played", r.ROUND_OVER, f"{played}. Waiting {waiting_text}.")


def _owed_action_text(state: State, player: Player) -> str:
    if player.waterfalls_to_place:
        return "place a waterfall"
    return "place tiles" if player.tiles_used < state.tile_limit else "take or skip an animal"


def base_camp_objections(state: Any, seat: int) -> Iterator[Reason]:
    """Yield the reason why a player has no map to place tiles on, in play or in score entry."""
    if not state.players[seat].tiles:
        yield Reason("camp-first", r.BASE_CAMP, "Enter your base camp first.", unknown_fact="your base camp")


def tile_objections(state: State, seat: int) -> Iterator[Reason]:
    """Yield why a player has no tile to place, discard or give up now."""
    player = state.players[seat]
    if player.waterfalls_to_place:
        yield Reason("waterfall-first", r.WATERFALL_AT_ONCE, "First, place the waterfall you earned.")
    elif player.tiles_used >= state.tile_limit or (player.is_between_rounds and player.offered_forks):
        yield Reason("both-played", r.DRAW_TWO, f"{BOTH_PLAYED}. You still have an animal to take or skip.")
    yield from base_camp_objections(state, seat)


def tiles_left(state: State, seat: int) -> int:
    """Return how many tiles a player has left in that player's current round."""
    return TILES_PER_ROUND - state.players[seat].tiles_used % TILES_PER_ROUND


def players_behind(state: State, seat: int) -> list[tuple[Player, int]]:
    """Return the players in earlier rounds than a player, each with the tiles left before it."""
    round_start = state.players[seat].tiles_used // TILES_PER_ROUND * TILES_PER_ROUND
    return [(player, round_start - player.tiles_used) for player in state.players if player.tiles_used < round_start]


def shared_supply_objections(noun: str, left: int, needed: int, reserved_by_name: dict[str, int]) -> Iterator[Reason]:
    """Yield why an item may not be taken yet.

    Players in earlier rounds may claim the last ones first.

    :param reserved_by_name: how many those players could take at most, by name.
    """
    if 0 < left < needed + sum(reserved_by_name.values()):
        verb = "is" if left == 1 else "are"
        text = (
            f"Only {pluralize(left, noun)} {verb} left. "
            f"{join_words(list(reserved_by_name))} must enter the earlier rounds first."
        )
        yield Reason("supply-waits", r.ROUND_OVER, text)


def max_upcoming_campsites(player: Player, tiles: int) -> int:
    """Return how many campsites a player's next tiles allow, at most one per round."""
    return (tiles + TILES_PER_ROUND - 1) // TILES_PER_ROUND - (
        player.has_placed_campsite and not player.is_between_rounds
    )


def resolve_forced_steps(state: State) -> State:
    """Return the state after all forced steps: the next round, or the end of play."""
    state = drop_unplaceable_waterfalls(state)
    while not state.is_play_over and all(player.has_finished_round for player in state.players):
        state = start_next_round(state) if state.round < state.rounds else end_play(state)
    return state


def is_same_turn(earlier: State, state: State, seat: int) -> bool:
    """Return whether a player is still in the round of an earlier state.

    The round lasts while one of its tiles is left, or an action that follows from one is pending.
    """
    earlier_player, player = earlier.players[seat], state.players[seat]
    round_end = (earlier_player.tiles_used // TILES_PER_ROUND + 1) * TILES_PER_ROUND
    return (
        state.round == earlier.round
        and state.is_play_over == earlier.is_play_over
        and (player.tiles_used < round_end or player.has_pending_actions)
    )


def start_turn(state: State, seat: int) -> State | None:
    """Return the state as if a player's next round began now, or None in the last round."""
    player = state.players[seat]
    if state.is_play_over or state.round + max(0, player.tiles_used - 1) // TILES_PER_ROUND >= state.rounds:
        return None
    return state.with_player(seat, tiles_used=0, has_placed_campsite=False, waterfalls_to_place=0)


def drop_unplaceable_waterfalls(state: State) -> State:
    """Return the state without earned waterfalls that fit in no cell."""
    for seat, player in enumerate(state.players):
        if player.waterfalls_to_place and not legal_placements(player.tiles, WATERFALL):
            state = state.with_player(seat, waterfalls_to_place=0)
    return state


def start_next_round(state: State) -> State:
    """Return the state of the next round, in which each player draws two tiles ("Game Play").

    Tiles that were entered ahead now count for this round.
    """
    players = tuple(
        replace(
            player,
            tiles_used=player.tiles_used - TILES_PER_ROUND,
            has_placed_campsite=player.has_placed_campsite and player.tiles_used > TILES_PER_ROUND,
        )
        for player in state.players
    )
    return replace(state, players=players, round=state.round + 1)


def end_play(state: State) -> State:
    """Return the state with a lake at each open trail end, while tiles last ("End of Game")."""
    left = max(0, LAKE_BACKS - count_on_maps(state, *LAKE_BACKED_KINDS))
    for seat, player in enumerate(state.players):
        lakes = [PlacedTile(x, y, "lake") for x, y in open_ends(player.tiles)[:left]]
        left -= len(lakes)
        state = state.with_player(seat, tiles=(*player.tiles, *lakes))
    return replace(state, is_play_over=True)


def use_tile(state: State, seat: int, **changes: Any) -> State:
    """Return the state after a player uses one tile, with the given changes to the player.

    The first tile of a round allows a campsite again.
    """
    player: Player = state.players[seat]
    camped = player.has_placed_campsite and not player.is_between_rounds
    return state.with_player(seat, **{"tiles_used": player.tiles_used + 1, "has_placed_campsite": camped, **changes})


def waterfalls_left(state: State) -> int:
    """Return the waterfalls in the supply, without those earned but not placed yet."""
    used = count_on_maps(state, "waterfall") + sum(player.waterfalls_to_place for player in state.players)
    return max(0, WATERFALL_TILES - used)


def offer_fork(state: State, seat: int, terrain: Terrain) -> State:
    """Return the state after a fork is announced ("Forks").

    Every other player who lacks the animal of its terrain may take one.
    """
    animal = state.facts.animal(terrain)
    for other, player in enumerate(state.players):
        if (
            other != seat
            and terrain not in player.offered_forks
            and (animal is None or not count_animals_of(player, animal))
        ):
            state = state.with_player(other, offered_forks=(*player.offered_forks, terrain))
    return state


def take_animal(state: State, seat: int, terrain: Terrain, animal: Animal) -> State:
    """Return the state after a player takes an animal, whose terrain is known from then on."""
    player: Player = state.players[seat]
    learned = replace(state, facts=replace(state.facts, **{terrain: animal}))
    return learned.with_player(seat, kept_animals=(*player.kept_animals, animal))


def final_position(state: State) -> Final:
    """Return the final position for scoring.

    Until play is over, each open trail counts as if it ended in a lake.
    """
    return Final(
        tuple(
            FinalPlayer(player.name, player.tiles if state.is_play_over else with_lakes(player.tiles), goal=player.goal)
            for player in state.players
        ),
        state.rulings,
        state.solo,
    )
