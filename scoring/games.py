"""The registry of all games."""

from scoring.alpine_trails import GAME as ALPINE_TRAILS
from scoring.kernel.game import Game
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame
from scoring.on_the_trail import GAME as ON_THE_TRAIL
from scoring.parks import GAME as PARKS
from scoring.trails import GAME as TRAILS

GAMES: dict[str, Game] = {game.box.key: game for game in (TRAILS, PARKS, ALPINE_TRAILS, ON_THE_TRAIL)}

# Everything a table can be opened for: the games that are tracked, and the boxes that are just scored.
TRACKED_GAMES: dict[str, TrackedGame[GameSetup, GameState]] = {
    tracked.key: tracked for game in GAMES.values() for tracked in game.tracked_games
}
