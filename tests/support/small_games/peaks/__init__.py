"""PEAKS as a registered game: its box and its score entry."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.score_entry import score_entry_from_fields
from tests.support.small_games.peaks import box, points, rules
from tests.support.small_games.peaks.final_position import PLAYER_COUNTS, FinalPlayer, read_final_position

BOX = Box(
    key="peaks",
    title="PEAKS",
    edition="leaflet",
    publisher="No publisher",
    version="1",
    player_counts=PLAYER_COUNTS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    components=box,
    categories=points.CATEGORIES,
    player_count_rule=rules.PLAYERS,
    total_rule=rules.TOTAL,
    player_document=FinalPlayer,
    read_final_position=read_final_position,
    score=points.score,
)

GAME = Game(BOX, None, score_entry_from_fields(BOX, FinalPlayer))  # No turns are tracked.
