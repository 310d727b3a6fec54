"""The cards an owner adds to the box of PARKS, as facts told once: read, checked, put together."""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from scoring.kernel.documents import name_fault, read
from scoring.kernel.english import capital, plural
from scoring.kernel.facts import Facts, Thing, value_by_value
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    EFFECT,
    GEAR,
    GEAR_NAMES,
    INSTANTS,
    MOST_OF_A_TOKEN,
    MOST_POINTS,
    PARKS,
    PASSIONS,
    TOKENS,
    WHEN,
    HomeGear,
    HomeMade,
    HomePark,
    HomePassion,
)

MOST_CARDS = 40  # home-made ones of a kind


def check(home: HomeMade) -> Iterator[Reason]:
    """Yield what speaks against these cards."""
    yield from _check_names("park", [card.name for card in home.parks], PARKS)
    yield from _check_names("gear", [card.name for card in home.gear], (*GEAR, *GEAR_NAMES))
    yield from _check_names("passion", [card.name for card in home.passions], PASSIONS)
    for card in home.parks:
        if not 0 <= card.points <= MOST_POINTS:
            yield Reason("home-points", r.HOME_MADE, f"A park has 0 to {MOST_POINTS} points, not {card.points}.")
        if any(not 0 <= due <= MOST_OF_A_TOKEN for due in card.card.cost):
            yield Reason("home-cost", r.HOME_MADE, f"A park costs 0 to {MOST_OF_A_TOKEN} of each token.")
    for card in home.gear:
        if not 0 <= card.cost <= MOST_OF_A_TOKEN:
            yield Reason("home-cost", r.HOME_MADE, f"Gear costs 0 to {MOST_OF_A_TOKEN} Sun, not {card.cost}.")
    for card in home.passions:
        if not 1 <= card.number <= MOST_OF_A_TOKEN or not 1 <= card.each <= MOST_OF_A_TOKEN:
            yield Reason("home-number", r.HOME_MADE, f"A passion counts 1 to {MOST_OF_A_TOKEN} of something.")


def _check_names(noun: str, names: list[str], box: Any) -> Iterator[Reason]:
    if len(names) > MOST_CARDS:
        yield Reason("home-many", r.HOME_MADE, f"At most {MOST_CARDS} cards of a kind can be added.")
    taken = {name.casefold() for name in box}
    for name in names:
        if name != name.strip():
            yield Reason("home-name", r.HOME_MADE, "A name does not start or end with a space.")
        elif fault := name_fault(name):
            yield Reason("home-name", r.HOME_MADE, f"{capital(fault)}.")
        elif name.casefold() in taken:
            yield Reason("home-name", r.HOME_MADE, f"There is a {noun} called {name} already.")
        taken.add(name.casefold())


def read_home(data: Any) -> HomeMade:
    """Return the cards that plain data, from a file or a form, stands for.

    :raises Malformed: naming the place.
    """
    return read(_numbers(data), HomeMade)


def _numbers(data: Any) -> Any:
    """Return plain data with numbers where a form has sent digits, and what a form has emptied left out."""
    if not isinstance(data, dict):
        return data
    return {
        group: [_card(card) for card in cards] if isinstance(cards, list) else cards for group, cards in data.items()
    }


def _card(card: Any) -> Any:
    if not isinstance(card, dict):
        return card
    return {
        name: int(value)
        if name in _NUMBERS and isinstance(value, str) and value.isdecimal() and len(value) < 6
        else value
        for name, value in card.items()
        if value is not None
    }


_NUMBERS = {
    field.name
    for type in (HomePark, HomeGear, HomePassion)
    for field in msgspec.structs.fields(type)
    if field.type is int
}


def merge(kept: HomeMade, told: HomeMade) -> HomeMade:
    """Return all cards of both; of two with the same name the one told counts."""
    return HomeMade(
        _merged(kept.parks, told.parks), _merged(kept.gear, told.gear), _merged(kept.passions, told.passions)
    )


Home = TypeVar("Home", HomePark, HomeGear, HomePassion)


def _merged(kept: tuple[Home, ...], told: tuple[Home, ...]) -> tuple[Home, ...]:
    return tuple({card.name.casefold(): card for card in (*kept, *told)}.values())


def things(home: HomeMade) -> Iterator[Thing]:
    """Yield each card with what stands on it."""
    for park in home.parks:
        cost = [f"{due} {token.capitalize()}" for token, due in zip(TOKENS, park.card.cost, strict=True) if due]
        words = f"{plural(park.points, 'point')}, costs {', '.join(cost) or 'nothing'}, {INSTANTS[park.instant]}"
        yield _thing("parks", "Park", park.name, words)
    for gear in home.gear:
        yield _thing("gear", "Gear", gear.name, f"costs {gear.cost} Sun, {WHEN[gear.when]}: {EFFECT[gear.effect]}")
    for passion in home.passions:
        card = passion.card
        yield _thing("passions", "Passion", passion.name, f"{card.goal_words}; {card.gear_words}, or {card.end_words}")


def _thing(group: str, noun: str, name: str, words: str) -> Thing:
    return Thing((group, name.casefold()), f"{noun} {name}", words)


FACTS = Facts(
    HomeMade, "Home-made and later cards", read=read_home, check=check, merge=merge, things=things, learn=value_by_value
)
