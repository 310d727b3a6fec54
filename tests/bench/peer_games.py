"""Peer games in Python, played at random by their own loops where they are installed."""

import importlib
import itertools
import random
from collections.abc import Callable

# Games of OpenSpiel that are written in Python, as ours are.
OPEN_SPIEL_GAMES = ("tic_tac_toe", "liars_poker", "block_dominoes", "team_dominoes")


def jobs() -> dict[str, Callable[[], dict[str, int]]]:
    """Return one job for each peer that can be imported; each call plays one game."""
    return {**_catanatron(), **_open_spiel()}


def _catanatron() -> dict[str, Callable[[], dict[str, int]]]:
    try:
        from catanatron import Color, Game, RandomPlayer
    except ImportError:
        return {}

    def of(players: int) -> Callable[[], dict[str, int]]:
        seeds = itertools.count(1)

        def job() -> dict[str, int]:
            game = Game([RandomPlayer(color) for color in list(Color)[:players]], seed=next(seeds))
            game.play()
            state = game.state
            actions = state.actions if hasattr(state, "actions") else state.action_records
            return {"moves": len(actions), "games": 1}

        return job

    return {f"catanatron, {players} players": of(players) for players in (2, 4)}


def _open_spiel() -> dict[str, Callable[[], dict[str, int]]]:
    try:
        import pyspiel
    except ImportError:
        return {}
    found = {}
    for name in OPEN_SPIEL_GAMES:
        try:
            importlib.import_module(f"open_spiel.python.games.{name}")  # Registers the game.
            game = pyspiel.load_game(f"python_{name}")
        except (ImportError, pyspiel.SpielError):
            continue
        found[f"OpenSpiel {name}, {game.num_players()} players"] = _spiel_job(game)
    return found


def _spiel_job(game) -> Callable[[], dict[str, int]]:
    rng = random.Random(0)

    def job() -> dict[str, int]:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return {"moves": moves, "games": 1}

    return job
