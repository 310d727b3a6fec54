"""FORD as a registered game: its box, how it is tracked, and its score entry.

Each player hides a stone under one hand and crosses a river; a turn is a roll of the die. When a player is across,
everyone shows the stone. A step is a point, and a stone under the left hand is one more.
"""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.score_entry import score_entry_from_fields
from scoring.kernel.tracked_game import GameText, SetupFormat, TrackedGame, TurnFlow
from tests.support.small_games.ford import box, points, rules, setup, state, text, turn, visibility
from tests.support.small_games.ford.final_position import PLAYER_COUNTS, FinalPlayer, read_final_position
from tests.support.small_games.ford.moves.corrections import Adopt, Correct, EditPosition
from tests.support.small_games.ford.moves.crossing import Hide, Roll
from tests.support.small_games.ford.position import POSITION_FORMAT

BOX = Box(
    key="ford",
    title=setup.TITLE,
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

TRACKED_GAME = TrackedGame(
    box=BOX,
    key=BOX.key,
    moves=(Roll, Hide, Correct, EditPosition, Adopt),
    setup_format=SetupFormat(
        type=state.Setup,
        default=setup.default_setup,
        check=setup.check_setup,
        start=state.start,
    ),
    flow=TurnFlow(
        to_move=state.to_move,
        pending_decisions=turn.pending_decisions,
        out_of_phase_reason=text.out_of_phase_reason,
        not_your_turn_reason=text.not_your_turn_reason,
    ),
    text=GameText(
        prompt=text.prompt,
        describe_changes=text.describe_changes,
        chapter=text.chapter,
    ),
    view=visibility.view,
    final_position=points.final_position,
    position_format=POSITION_FORMAT,
)

GAME = Game(BOX, TRACKED_GAME, score_entry_from_fields(BOX, FinalPlayer))
