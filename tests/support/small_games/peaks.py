"""PEAKS, a score-only game, complete in this file."""

import sys
from typing import Literal

from msgspec import Struct

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.parsing import error_at, read_name, read_players, read_rulings
from scoring.kernel.rule import Option, Rule, Ruling, describe_house_rules
from scoring.kernel.score_entry import score_entry_from_fields
from scoring.kernel.sheet import Line, Sheet, TieBreak, make_sheet

CAIRNS = 12  # stones in the box
CATEGORIES = (("summits", "Summits"), ("cairns", "Cairns"), ("weather", "Weather"))

PLAYERS = Rule("players", "The game", "One to four people climb.", "leaflet", "1")
SUMMITS = Rule("summits", "Scoring", "Each summit you reached is worth three points.", "leaflet", "2")
STONES = Rule("stones", "Scoring", "Each cairn you built is worth a point; there are twelve stones.", "leaflet", "2")
FAIR = Rule("fair", "Scoring", "Fair weather on your last day is worth two points.", "leaflet", "2")
LEVEL = Rule("level", "Scoring", "It is not said who wins when points are level.", "leaflet", "2", status="open")
TOTAL = Rule("total", "Scoring", "The most points win.", "leaflet", "2", related=("level",))
TIES = Ruling(
    "ties",
    "Who wins when points are level?",
    (Option("share", "They share the victory."), Option("cairns", "Whoever built more cairns.")),
    LEVEL,
)


class Climber(Struct, frozen=True, forbid_unknown_fields=True):
    """One player of a final-position document."""

    name: str
    summits: int = 0
    cairns: int = 0
    weather: Literal["fair", "foul"] = "foul"
    guide: bool = False  # is a guide hired, so that a summit counts two


class Final(Struct, frozen=True):
    players: tuple[Climber, ...]
    rulings: dict[str, str]


def read_final(document: dict) -> Final:
    names: set[str] = set()
    players = read_players(document, Climber, BOX.player_counts)
    for number, player in enumerate(players):
        read_name(player.name, f"players[{number}].name", names)
        if player.summits < 0 or player.cairns < 0:
            raise error_at(f"players[{number}]", "nobody has fewer than none")
    if sum(player.cairns for player in players) > CAIRNS:
        raise error_at("players", f"the box has {CAIRNS} stones")
    return Final(tuple(players), read_rulings(document, BOX.rulings))


def score(final: Final) -> Sheet:
    ties = final.rulings.get("ties") == "cairns"
    return make_sheet(
        "peaks",
        CATEGORIES,
        [player.name for player in final.players],
        [_lines(player) for player in final.players],
        (TieBreak("cairns", "Cairns", LEVEL, tuple(p.cairns for p in final.players)),) if ties else (),
        describe_house_rules(BOX.rulings, final.rulings),
    )


def _lines(player: Climber) -> list[Line]:
    step = 2 if player.guide else 3
    return [
        Line("summits", "Summits", step * player.summits, f"{player.summits} reached, {step} points each.", (SUMMITS,)),
        Line("cairns", "Cairns", player.cairns, "A point each.", (STONES,)),
        Line("weather", "Weather", 2 if player.weather == "fair" else 0, f"It was {player.weather}.", (FAIR,)),
    ]


BOX = Box(
    key="peaks",
    title="PEAKS",
    edition="leaflet",
    publisher="Nobody",
    version="1",
    player_counts=(1, 2, 3, 4),
    rules={rule.id: rule for rule in (PLAYERS, SUMMITS, STONES, FAIR, LEVEL, TOTAL)},
    rulings=(TIES,),
    components=sys.modules[__name__],
    categories=CATEGORIES,
    player_count_rule=PLAYERS,
    total_rule=TOTAL,
    read_final_position=read_final,
    score=score,
)

GAME = Game(BOX, None, score_entry_from_fields(BOX, Climber))
