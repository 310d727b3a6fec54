"""The scoring of FORD, by category as on the score sheet (leaflet p. 2)."""

from scoring.kernel.english import pluralize
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import describe_house_rules
from scoring.kernel.sheet import Line, Sheet, make_sheet
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.box import ACROSS, SIDES
from tests.support.small_games.ford.final_position import FinalPlayer, FinalPosition
from tests.support.small_games.ford.state import State

CATEGORIES = (("steps", "Steps"), ("stone", "Stone"))


def final_position(state: State) -> FinalPosition:
    """Return the input for scoring a state; a stone that has not been entered counts as right."""
    players = tuple(FinalPlayer(player.name, player.step, player.hand or "right") for player in state.players)
    return FinalPosition(players, state.rulings)


def score(position: FinalPosition) -> Sheet:
    """Return the explained score sheet of a finished game."""
    most = ACROSS if chosen_option(position.rulings, r.STEPS) == "nothing" else ACROSS + SIDES
    return make_sheet(
        game="ford",
        categories=CATEGORIES,
        names=[player.name for player in position.players],
        lines=[(steps_line(player, most), stone_line(player)) for player in position.players],
        rulings=describe_house_rules(r.RULINGS, position.rulings),
    )


def steps_line(player: FinalPlayer, most: int) -> Line:
    """Return the points for steps.

    :param most: the last step that is worth a point.
    """
    points = min(player.step, most)
    return Line("steps", pluralize(player.step, "step"), points, f"At most {most} steps count.", (r.TOTAL, r.BEYOND))


def stone_line(player: FinalPlayer) -> Line:
    """Return the point for a stone under the left hand."""
    return Line("stone", "Stone", int(player.hand == "left"), f"Under the {player.hand} hand.", (r.TOTAL,))
