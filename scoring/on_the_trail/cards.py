"""Arithmetic with Race cards: counts in the order red, yellow, green, wild."""

from collections.abc import Iterator
from functools import cache
from itertools import product

from scoring.on_the_trail.box import CARDS, DECK, Card

Cards = tuple[int, int, int, int]
NONE: Cards = (0, 0, 0, 0)


@cache
def some(card: Card, number: int = 1) -> Cards:
    """Return a number of cards of one kind."""
    return tuple(number if each == card else 0 for each in CARDS)


def plus(cards: Cards, more: Cards) -> Cards:
    return (cards[0] + more[0], cards[1] + more[1], cards[2] + more[2], cards[3] + more[3])


def minus(cards: Cards, fewer: Cards) -> Cards:
    return (cards[0] - fewer[0], cards[1] - fewer[1], cards[2] - fewer[2], cards[3] - fewer[3])


def within(cards: Cards, others: Cards) -> bool:
    """Return whether all of some cards are among others."""
    return cards[0] <= others[0] and cards[1] <= others[1] and cards[2] <= others[2] and cards[3] <= others[3]


@cache
def choices(number: int, pool: Cards = DECK) -> tuple[Cards, ...]:
    """Return every way to take so many cards out of a pool."""
    return tuple(cards for cards in product(*(range(count + 1) for count in pool)) if sum(cards) == number)


def each(cards: Cards) -> Iterator[Card]:
    """Yield the cards one by one."""
    for card, count in zip(CARDS, cards, strict=True):
        yield from [card] * count
