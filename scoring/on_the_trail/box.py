"""The components of ON THE TRAIL from box.toml: Race decks, stops, Setbacks and Boosts."""

import tomllib
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, convert, field

Colour = Literal["red", "yellow", "green"]
Card = Literal["red", "yellow", "green", "wild"]
Stop = Literal["neutral", "setback", "aid"]
CostCard = Literal["red", "yellow", "green", "any"]  # the cards a Boost costs

_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))


class Setback(Struct, frozen=True):
    """One kind of Setback card."""

    id: str
    name: str
    copies: int
    effect: Literal["nothing", "no-boost-draw", "draw-fewer", "no-boosts", "no-pair", "no-keep"]
    effect_text: str = field(name="does")  # in a few words
    confidence: str
    fewer: int = 0  # reduction of the cards drawn at the end of a turn


class Boost(Struct, frozen=True):
    """One Boost card; only the owner of a box knows its cost."""

    id: str
    name: str
    effect: Literal["advance", "shed", "draw", "eyes"]
    effect_text: str = field(name="does")  # in a few words


COLOURS: tuple[Colour, ...] = tuple(_box["legs"]["colours"])
CARDS: tuple[Card, ...] = get_args(Card)
COST_CARDS: tuple[CostCard, ...] = get_args(CostCard)
BIBS: tuple[str, ...] = tuple(_box["bibs"]["colours"])
DECK: tuple[int, int, int, int] = tuple(_box["race_deck"][card] for card in CARDS)
DECK_SIZE: int = _box["components"]["race_cards"]
STOPS: tuple[Stop, ...] = tuple(_box["stops"]["kinds"])
TRAIL_CARDS: int = _box["components"]["trail_cards"]
SETBACKS: dict[str, Setback] = {card.id: card for card in convert(_box["setbacks"]["cards"], list[Setback])}
BOOSTS: dict[str, Boost] = {card.id: card for card in convert(_box["boosts"]["cards"], list[Boost])}
PAIR_SETBACKS: tuple[str, ...] = tuple(card.id for card in SETBACKS.values() if card.effect == "no-pair")

# No source prints these limits; every real card stays below them.
MAX_LEGS = 12  # on one Trail card
MAX_COST = 6  # cards a Boost costs
MAX_BOOST_LEGS = 9  # legs a Boost brings
