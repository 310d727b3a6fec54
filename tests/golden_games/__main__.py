"""Play the golden games again with `python -m tests.golden_games`, and store them.

The module of a game (`tests/golden_games/trails.py`) shuffles its cards and simulates its players. A game without a
module is played by random players. If a stored game comes to another result, the version of that game's rules must be
raised first.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.tracked_game import TrackedGame
from tests.golden_games import random_players
from tests.golden_games.files import FOLDER, describe_change, read_golden_game, renewal_advice
from tests.support.game_names import folder_of
from tests.support.registered_games import register_small_games


def play_golden_games(tracked: TrackedGame) -> Iterator[tuple[str, Any]]:
    """Yield the name and the simulated game of each golden game of a title."""
    module = f"{__package__}.{folder_of(tracked.key)}"
    return import_module(module).play_golden_games() if find_spec(module) else random_players.play_golden_games(tracked)


def main() -> int:
    """Play all golden games again and store them, unless a stored one has changed.

    A stored game has changed if its version of the rules now leads to another result.
    """
    register_small_games()
    stored_games = [read_golden_game(file.stem) for file in sorted(FOLDER.glob("*.json"))]
    comparable_games = [game for game in stored_games if game["version"] == TRACKED_GAMES[game["game"]].box.version]
    changed = {
        game["game"]: f"{change}\n{renewal_advice(game)}"
        for game in comparable_games
        if (change := describe_change(game))
    }
    for key, change in changed.items():
        print(f"{key}: {change}", file=sys.stderr)
    if changed:
        return 1
    for tracked in [game.tracked for game in GAMES.values() if game.tracked]:
        for name, simulated_game in play_golden_games(tracked):
            FOLDER.joinpath(f"{name}.json").write_text(simulated_game.to_json(), encoding="utf-8")
            result = tracked.box.score(tracked.final_position(simulated_game.state))
            print(f"{name}: {len(simulated_game.log)} moves, {result.result_text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
