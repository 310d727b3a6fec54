"""Card facts that the owner of the box enters once: the animal card."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.tiles import ANIMALS, TERRAINS
from scoring.alpine_trails.state import AnimalCard
from scoring.kernel.card_facts import CardFactsFormat, FactItem, merge_value_by_value
from scoring.kernel.english import join_words
from scoring.kernel.parsing import read_struct
from scoring.kernel.rule import Reason


def check_animal_card(card: AnimalCard) -> Iterator[Reason]:
    """Yield why an animal card is invalid: each animal lives in one terrain."""
    for animal in ANIMALS:
        homes = [terrain for terrain in TERRAINS if card.animal(terrain) == animal]
        if len(homes) > 1:
            text = f"The {animal} can have only one terrain, not {join_words(homes)}. Choose one."
            yield Reason("animal-twice", r.ANIMAL_CARD, text)


def merge_animal_cards(stored: AnimalCard, entered: AnimalCard) -> AnimalCard:
    """Return the stored card updated by the entered one; a moved animal leaves its old terrain."""
    card = stored
    for terrain in TERRAINS:
        if animal := entered.animal(terrain):
            old = card.terrain(animal)
            card = replace(card, **({old: None} if old else {}), **{terrain: animal}) if old != terrain else card
    return card


def fact_items(card: AnimalCard) -> Iterator[FactItem]:
    """Yield each terrain with its animal."""
    for terrain in TERRAINS:
        yield FactItem((terrain,), terrain.capitalize(), card.animal(terrain) or "")


CARD_FACTS_FORMAT = CardFactsFormat(
    AnimalCard,
    "Animal card",
    lambda data: read_struct(data, AnimalCard),
    check_animal_card,
    merge_animal_cards,
    fact_items,
    merge_table_changes=merge_value_by_value,
)
