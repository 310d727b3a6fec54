"""Arithmetic with Race cards: counts in the order red, yellow, green, wild."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from scoring.on_the_trail.box import CARDS, DECK, Card

Cards = tuple[int, int, int, int]
NO_CARDS: Cards = (0, 0, 0, 0)


def from_counts(counts: Mapping[Card, int]) -> Cards:
    """Return cards from counts by kind; a missing kind counts 0."""
    return (counts.get("red", 0), counts.get("yellow", 0), counts.get("green", 0), counts.get("wild", 0))


def to_counts(cards: Cards) -> dict[Card, int]:
    """Return the counts by kind, without kinds that count 0."""
    return {card: count for card, count in zip(CARDS, cards, strict=True) if count}


@cache
def cards_of_kind(card: Card, number: int = 1) -> Cards:
    """Return a number of cards of one kind."""
    return from_counts({card: number})


def add_cards(cards: Cards, more: Cards) -> Cards:
    return (cards[0] + more[0], cards[1] + more[1], cards[2] + more[2], cards[3] + more[3])


def subtract_cards(cards: Cards, fewer: Cards) -> Cards:
    return (cards[0] - fewer[0], cards[1] - fewer[1], cards[2] - fewer[2], cards[3] - fewer[3])


def is_subset(cards: Cards, others: Cards) -> bool:
    """Return whether the cards are a subset of others."""
    return cards[0] <= others[0] and cards[1] <= others[1] and cards[2] <= others[2] and cards[3] <= others[3]


@cache
def card_combinations(number: int, pool: Cards = DECK) -> tuple[Cards, ...]:
    """Return every way to take a number of cards out of a pool."""
    red, yellow, green, wild = (range(count + 1) for count in pool)
    return tuple(cards for cards in product(red, yellow, green, wild) if sum(cards) == number)


def iter_cards(cards: Cards) -> Iterator[Card]:
    """Yield the cards one by one."""
    for card, count in zip(CARDS, cards, strict=True):
        for _ in range(count):
            yield card


def remove_one(ids: tuple[str, ...], id: str | None) -> tuple[str, ...]:
    """Return Setbacks or Boosts with one copy of a card removed."""
    index = ids.index(id)
    return (*ids[:index], *ids[index + 1 :])
