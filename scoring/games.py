"""The games in the house: the only registry."""

from scoring.alpine import GAME as ALPINE_TRAILS
from scoring.kernel.game import Game
from scoring.parks import GAME as PARKS
from scoring.trails import GAME as TRAILS

GAMES: dict[str, Game] = {game.key: game for game in (TRAILS, ALPINE_TRAILS, PARKS)}

# Everything a table can be opened for: the games, and the same boxes just scored.
PLAYABLE: dict[str, Game] = GAMES | {game.tally.key: game.tally for game in GAMES.values() if game.tally}
