"""The type of a boxed game: its components, its rules and the scoring of its end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from msgspec import Struct

from scoring.kernel.card_facts import CardFactsFormat
from scoring.kernel.pieces import Pieces
from scoring.kernel.rule import Rule, Ruling, Variant
from scoring.kernel.sheet import Sheet


@dataclass(frozen=True)
class Box:
    """A boxed game, without the logic for playing it.

    A game that is only scored needs nothing else.
    """

    key: str  # used in addresses, files and logs
    title: str
    edition: str
    publisher: str
    version: str  # of our rules core; raised when a recorded game would end differently
    player_counts: tuple[int, ...]  # the supported numbers of players
    rules: dict[str, Rule]
    rulings: tuple[Ruling, ...]
    components: ModuleType  # quantities with source and confidence, read from a `box.toml`
    categories: tuple[tuple[str, str], ...]  # (id, title), in the order of the printed score sheet
    player_count_rule: Rule  # the rule for the number of players
    total_rule: Rule  # the rule that the points are added up
    player_document: type[Struct]  # one player of a final-position document
    read_final_position: Callable[[dict], Any]  # final-position document -> input for `score`; raises InvalidInputError
    score: Callable[[Any], Sheet]
    bgg_id: int = 0  # the BoardGameGeek id; 0 if unknown
    has_points: bool = True  # whether the result is points; a race is won by order and distance instead
    has_bot: bool = False  # whether a solo player plays against a bot, which a result counts as a second player
    # Of the sky and of the hills on the picture of a result, as "#rrggbb".
    picture_colors: tuple[str, str] = ("#e6d5ae", "#6f8155")
    card_facts: CardFactsFormat[Any] | None = None  # facts that only the owner of a box can enter
    variants: tuple[Variant, ...] = ()  # common house rules in place of printed rules
    pieces: Pieces | None = None  # the pieces of the players that differ in color; None if the box has none
    # The type of each field at the top of a final-position document that other games do not have.
    extra_document_fields: Mapping[str, Any] = field(default_factory=dict)
