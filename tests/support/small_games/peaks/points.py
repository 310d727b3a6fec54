"""The scoring of PEAKS, by category as on the score sheet (leaflet p. 2)."""

from scoring.kernel.move import chosen_option
from scoring.kernel.rule import describe_house_rules
from scoring.kernel.sheet import Line, Sheet, TieBreak, make_sheet
from tests.support.small_games.peaks import rules as r
from tests.support.small_games.peaks.final_position import FinalPlayer, FinalPosition

CATEGORIES = (("summits", "Summits"), ("cairns", "Cairns"), ("weather", "Weather"))
SUMMIT_POINTS, GUIDED_SUMMIT_POINTS, FAIR_POINTS = 3, 2, 2


def score(position: FinalPosition) -> Sheet:
    """Return the explained score sheet of a finished game."""
    cairns = TieBreak("cairns", "Most cairns", r.LEVEL, tuple(player.cairns for player in position.players))
    return make_sheet(
        game="peaks",
        categories=CATEGORIES,
        names=[player.name for player in position.players],
        lines=[(summits_line(player), cairns_line(player), weather_line(player)) for player in position.players],
        tie_breaks=(cairns,) if chosen_option(position.rulings, r.TIES) == "cairns" else (),
        rulings=describe_house_rules(r.RULINGS, position.rulings),
    )


def summits_line(player: FinalPlayer) -> Line:
    """Return the points for summits; with a guide each is worth less."""
    each = GUIDED_SUMMIT_POINTS if player.guide else SUMMIT_POINTS
    return Line(
        "summits", "Summits", each * player.summits, f"{player.summits} reached, {each} points each.", (r.SUMMITS,)
    )


def cairns_line(player: FinalPlayer) -> Line:
    """Return the points for cairns."""
    return Line("cairns", "Cairns", player.cairns, "1 point each.", (r.STONES,))


def weather_line(player: FinalPlayer) -> Line:
    """Return the points for fair weather on the last day."""
    points = FAIR_POINTS if player.weather == "fair" else 0
    return Line("weather", "Weather", points, f"The weather was {player.weather}.", (r.FAIR,))
