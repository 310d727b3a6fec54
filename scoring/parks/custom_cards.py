"""Custom cards an owner adds to the box of PARKS: parsing, checks, merging, descriptions."""

from collections.abc import Iterator
from typing import Any, TypeVar

from scoring.kernel.card_facts import CardFactsFormat, FactItem, merge_value_by_value
from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.parsing import name_error, read_struct
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    GEAR,
    GEAR_NAMES,
    INSTANT_TEXTS,
    MAX_CARD_NUMBER,
    MAX_PARK_POINTS,
    PARKS,
    PASSIONS,
    TOKENS,
    TRIGGER_TEXTS,
    CustomCards,
    CustomGear,
    CustomPark,
    CustomPassion,
)

MAX_CUSTOM_CARDS = 40  # of one kind


def check_custom_cards(custom_cards: CustomCards) -> Iterator[Reason]:
    """Yield the reasons why custom cards are invalid."""
    yield from _check_card_names("park", [card.name for card in custom_cards.parks], PARKS)
    yield from _check_card_names("gear card", [card.name for card in custom_cards.gear], (*GEAR, *GEAR_NAMES))
    yield from _check_card_names("passion", [card.name for card in custom_cards.passions], PASSIONS)
    for card in custom_cards.parks:
        if not 0 <= card.points <= MAX_PARK_POINTS:
            yield Reason(
                "home-points", r.HOME_MADE, f"A park can have 0 to {MAX_PARK_POINTS} points, not {card.points}."
            )
        if any(not 0 <= due <= MAX_CARD_NUMBER for due in card.card.cost):
            yield Reason("home-cost", r.HOME_MADE, f"A park can cost 0 to {MAX_CARD_NUMBER} of each Resource.")
    for card in custom_cards.gear:
        if not 0 <= card.cost <= MAX_CARD_NUMBER:
            yield Reason("home-cost", r.HOME_MADE, f"A gear card can cost 0 to {MAX_CARD_NUMBER} Sun, not {card.cost}.")
    for card in custom_cards.passions:
        if not 1 <= card.number <= MAX_CARD_NUMBER or not 1 <= card.each <= MAX_CARD_NUMBER:
            yield Reason("home-number", r.HOME_MADE, f"The numbers of a passion can be 1 to {MAX_CARD_NUMBER}.")


def _check_card_names(noun: str, names: list[str], box: Any) -> Iterator[Reason]:
    if len(names) > MAX_CUSTOM_CARDS:
        yield Reason(
            "home-many", r.HOME_MADE, f"You can add at most {MAX_CUSTOM_CARDS} cards of each kind. Remove one first."
        )
    taken = {name.casefold() for name in box}
    for name in names:
        if name != name.strip():
            yield Reason("home-name", r.HOME_MADE, "A name cannot start or end with a space.")
        elif error := name_error(name):
            yield Reason("home-name", r.HOME_MADE, f"{capitalize_first(error)}.")
        elif name.casefold() in taken:
            yield Reason("home-name", r.HOME_MADE, f"There is already a {noun} called {name}. Choose another name.")
        taken.add(name.casefold())


def read_custom_cards(data: Any) -> CustomCards:
    """Return custom cards parsed from plain data of a file or a form.

    :raises InvalidInputError: if the data is invalid; the message names the place.
    """
    if isinstance(data, dict):
        data = {group: _without_empty_fields(cards) for group, cards in data.items()}
    return read_struct(data, CustomCards, strict=False)


def _without_empty_fields(cards: Any) -> Any:
    """Return plain cards without the fields that a form left empty."""
    if not isinstance(cards, list):
        return cards
    return [
        {name: value for name, value in card.items() if value is not None} if isinstance(card, dict) else card
        for card in cards
    ]


def merge_custom_cards(stored: CustomCards, entered: CustomCards) -> CustomCards:
    """Return the cards of both; of two cards with the same name the entered one is kept."""
    return CustomCards(
        _merge_by_name(stored.parks, entered.parks),
        _merge_by_name(stored.gear, entered.gear),
        _merge_by_name(stored.passions, entered.passions),
    )


CustomCard = TypeVar("CustomCard", CustomPark, CustomGear, CustomPassion)


def _merge_by_name(stored: tuple[CustomCard, ...], entered: tuple[CustomCard, ...]) -> tuple[CustomCard, ...]:
    return tuple({card.name.casefold(): card for card in (*stored, *entered)}.values())


def fact_items(custom_cards: CustomCards) -> Iterator[FactItem]:
    """Yield each card with a description of its values."""
    for park in custom_cards.parks:
        cost = [f"{due} {token.capitalize()}" for token, due in zip(TOKENS, park.card.cost, strict=True) if due]
        description = (
            f"{pluralize(park.points, 'point')}; costs {', '.join(cost) or 'nothing'}; "
            f"{'instant benefit: ' if park.instant else ''}{INSTANT_TEXTS[park.instant]}"
        )
        yield _describe_card("parks", "Park", park.name, description)
    for gear in custom_cards.gear:
        yield _describe_card(
            "gear",
            "Gear card",
            gear.name,
            f"costs {gear.cost} Sun; {TRIGGER_TEXTS[gear.when]}: {gear.card.effect_text}",
        )
    for passion in custom_cards.passions:
        card = passion.card
        yield _describe_card(
            "passions",
            "Passion",
            passion.name,
            f"objective: {card.goal_text}; Gear Effect: {card.gear_text}; End Game Bonus: {card.end_text}",
        )


def _describe_card(group: str, noun: str, name: str, description: str) -> FactItem:
    return FactItem((group, name.casefold()), f"{noun} {name}", description)


CARD_FACTS_FORMAT = CardFactsFormat(
    CustomCards,
    "Custom and newer cards",
    read=read_custom_cards,
    check=check_custom_cards,
    merge=merge_custom_cards,
    describe_items=fact_items,
    merge_table_changes=merge_value_by_value,
)
