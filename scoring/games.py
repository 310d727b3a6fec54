"""The games in the house: the only registry."""

from scoring.alpine import GAME as ALPINE_TRAILS
from scoring.kernel.game import Game
from scoring.on_the_trail import GAME as ON_THE_TRAIL
from scoring.parks import GAME as PARKS
from scoring.trails import GAME as TRAILS

GAMES: dict[str, Game] = {game.key: game for game in (TRAILS, PARKS, ALPINE_TRAILS, ON_THE_TRAIL)}

# Everything a table can be opened for: the games, and the same boxes just scored.
PLAYABLE: dict[str, Game] = GAMES | {game.tally.key: game.tally for game in GAMES.values() if game.tally}
