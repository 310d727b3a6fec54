"""A game as it is sold: what is in the box, its rules, and how what lies on the table at the end is scored."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from scoring.kernel.facts import CardFactsFormat
from scoring.kernel.rule import Rule, Ruling
from scoring.kernel.sheet import Sheet


@dataclass(frozen=True)
class Box:
    """Everything the house knows of one game but how it is played; a game that is only scored is this and nothing else."""

    key: str  # in addresses, files and logs
    title: str
    edition: str
    publisher: str
    version: str  # of our rules core; raised when a told game would end otherwise
    player_counts: tuple[int, ...]  # how many can play
    rules: dict[str, Rule]
    rulings: tuple[Ruling, ...]
    components: ModuleType  # what is in it: figures with source and confidence, read from a `box.toml`
    categories: tuple[tuple[str, str], ...]  # of the printed sheet, in its order: id, title
    player_count_rule: Rule  # how many can play, as the book says it
    total_rule: Rule  # that the points are added up
    read_final_position: Callable[[dict], Any]  # final-position document -> what scoring needs; raises Malformed
    score: Callable[[Any], Sheet]
    bgg_id: int = 0  # its number at BoardGameGeek, where it was found; a companion can be told
    has_points: bool = True  # its result; of a race it is who came first, and by how much
    card_facts: CardFactsFormat | None = None  # what only the owner of a box can tell
