"""Card facts that only the owner of a box knows: Trail cards, Boosts, Setback colors."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from scoring.kernel.card_facts import CardFactsFormat, FactItem
from scoring.kernel.english import join_words, pluralize
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.parsing import error_at, read_struct, read_word
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import (
    BOOSTS,
    COLOURS,
    COST_CARDS,
    MAX_BOOST_LEGS,
    MAX_COST,
    MAX_LEGS,
    PAIR_SETBACKS,
    SETBACKS,
    TRAIL_CARDS,
    Colour,
    CostCard,
    Stop,
)


class Leg(Struct, frozen=True, cache_hash=True):
    """One leg of a Trail card and the stop it leads to; None stands for unknown."""

    colour: Colour | None = None
    stop: Stop | None = None


class TrailCard(Struct, frozen=True, cache_hash=True):
    """The legs of one Trail card, from its start to its end."""

    legs: tuple[Leg, ...] = ()
    whole: bool = False  # whether all its legs are known


class BoostFact(Struct, frozen=True):
    """The values printed on a Boost card: the Race cards it costs, and the legs it brings."""

    cost: tuple[CostCard, ...] = ()  # empty while unknown
    legs: int | None = None


class CardFacts(Struct, frozen=True):
    """The facts entered for one box; unknown facts are left out."""

    cards: tuple[TrailCard, ...] = (TrailCard(),) * TRAIL_CARDS
    boosts: dict[str, BoostFact] = {}
    setbacks: dict[str, Colour | None] = {}

    def known_boost(self, id: str) -> BoostFact | None:
        """Return the facts of a Boost, or None while they are incomplete."""
        fact = self.boosts.get(id, BoostFact())
        known = fact.cost and (fact.legs or BOOSTS[id].effect != "advance")
        return fact if known else None

    def with_card(self, card: int, **changes: Any) -> "CardFacts":
        """Return the facts with changed fields of one Trail card."""
        cards = list(self.cards)
        cards[card] = replace(cards[card], **changes)
        return replace(self, cards=tuple(cards))

    def with_leg(self, card: int, number: int, **changes: Any) -> "CardFacts":
        """Return the facts with one leg changed, or appended to its Trail card."""
        legs = self.cards[card].legs
        leg = replace(legs[number] if number < len(legs) else Leg(), **changes)
        return self.with_card(card, legs=(*legs[:number], leg, *legs[number + 1 :]))


def describe_cost(fact: BoostFact) -> str:
    """Return the cost of a Boost in words: "1 red card and 1 card of any color"."""
    counts = {card: fact.cost.count(card) for card in COST_CARDS if card in fact.cost}
    return join_words(
        [
            f"{pluralize(number, 'card')} of any color" if card == "any" else pluralize(number, f"{card} card")
            for card, number in counts.items()
        ]
    )


def with_default_last_stop(card: TrailCard) -> TrailCard:
    """Return a Trail card; an unknown last stop of a whole card becomes an Aid Station."""
    if not card.whole or not card.legs or card.legs[-1].stop:
        return card
    return replace(card, legs=(*card.legs[:-1], replace(card.legs[-1], stop="aid")))


def read_facts(data: Any) -> CardFacts:
    """Return card facts parsed from plain data.

    :raises InvalidInputError: if the data is invalid; the message names the place.
    """
    if not isinstance(data, dict):
        raise error_at("facts", "an object is needed")
    for path, noun, ids in (("boosts", "Boost", BOOSTS), ("setbacks", "Setback", PAIR_SETBACKS)):
        if not isinstance(data.get(path, {}), dict):
            raise error_at(path, "an object is needed")
        for id in data.get(path, {}):
            read_word(id, ids, path, noun)
    for id, colour in data.get("setbacks", {}).items():
        if colour is not None:
            read_word(colour, COLOURS, f"setbacks.{id}", "color")
    facts = read_struct(data, CardFacts, strict=False)
    return replace(facts, cards=tuple(map(with_default_last_stop, facts.cards)))


def unknown_boost_reason(id: str) -> Reason:
    return Reason("no-such-boost", r.BOOST_PILE, f"There is no Boost \u201c{id}\u201d.")


def no_colour_reason() -> Reason:
    names = ", ".join(SETBACKS[id].name for id in PAIR_SETBACKS)
    return Reason("no-colour", r.NO_PAIR, f"Only these Setbacks show a color: {names}.")


def check(facts: CardFacts) -> Iterator[Reason]:
    """Yield the reasons why these facts are invalid for a box."""
    if len(facts.cards) != TRAIL_CARDS:
        yield Reason("trail-cards", r.COMPONENTS, f"The box has {TRAIL_CARDS} Trail cards, not {len(facts.cards)}.")
    for number, card in enumerate(facts.cards, 1):
        if len(card.legs) > MAX_LEGS:
            text = f"Trail card {number} has {len(card.legs)} legs. Enter at most {MAX_LEGS}."
            yield Reason("too-many-legs", r.TRAIL_CARDS, text)
        if card.whole and not card.legs:
            yield Reason("no-legs", r.TRAIL_CARDS, f"Trail card {number} has no legs. Enter its legs first.")
    for id, boost in facts.boosts.items():
        yield from check_boost(id, boost)
    if not set(facts.setbacks) <= set(PAIR_SETBACKS):
        yield no_colour_reason()


def check_boost(id: str, fact: BoostFact) -> Iterator[Reason]:
    """Yield the reasons why the facts of a Boost are invalid."""
    if id not in BOOSTS:
        yield unknown_boost_reason(id)
        return
    card = BOOSTS[id]
    if card.effect == "eyes" and fact != BoostFact():
        yield Reason("no-cost", r.EYES_AHEAD, f"{card.name} costs nothing. It works automatically.")
    if len(fact.cost) > MAX_COST:
        yield Reason("boost-cost", r.BOOST_COST, f"{card.name} costs at most {MAX_COST} cards, not {len(fact.cost)}.")
    if fact.legs is None:
        return
    if card.effect != "advance":
        yield Reason("brings-no-legs", r.BOOST_COST, f"{card.name} gives no legs.")
    elif not 1 <= fact.legs <= MAX_BOOST_LEGS:
        yield Reason("boost-legs", r.ADVANCE, f"{card.name} gives 1 to {MAX_BOOST_LEGS} legs, not {fact.legs}.")


def merge(stored: CardFacts, entered: CardFacts) -> CardFacts:
    """Return the stored facts updated by the entered ones; unknown values change nothing.

    :raises IllegalMoveError: if a Trail card matches no stored one and not all five are entered as replacements.
    """
    boosts = {
        id: _merge_boost(stored.boosts.get(id, BoostFact()), entered.boosts.get(id, BoostFact()))
        for id in stored.boosts | entered.boosts
    }
    colours: dict[str, Colour | None] = {id: colour for id, colour in entered.setbacks.items() if colour}
    return CardFacts(_merge_cards(stored.cards, entered.cards), boosts, stored.setbacks | colours)


def _merge_cards(stored: tuple[TrailCard, ...], entered: tuple[TrailCard, ...]) -> tuple[TrailCard, ...]:
    """Return the stored Trail cards, each updated by the entered card that matches it."""
    cards, found = stored, set()
    for number, card in enumerate(entered):
        if not card.legs:
            continue
        place = _find_card_index(cards, number, TrailCard(), card, found)
        if place is None and all(each.whole for each in entered):
            return entered
        if place is None:
            text = (
                f"Trail card {number + 1} in the file matches none of the {TRAIL_CARDS} cards here. "
                f"Import a file with all {TRAIL_CARDS} cards to replace them."
            )
            raise IllegalMoveError([Reason("other-card", r.COMPONENTS, text)])
        found.add(place)
        cards = (*cards[:place], _merge_card_changes(cards[place], TrailCard(), card), *cards[place + 1 :])
    return cards


def merge_table_changes(stored: CardFacts, before: CardFacts, after: CardFacts) -> CardFacts:
    """Return the stored facts updated by the facts that one table changed.

    Only the legs identify a Trail card: each table numbers its unknown cards in the order it meets them.

    :param before: the facts at the table before the change.
    :param after: the facts at the table after the change.
    """
    cards = stored.cards
    for number, (old, new) in enumerate(zip(before.cards, after.cards, strict=True)):
        if old == new:
            continue
        other_indexes = {
            i
            for i, card in enumerate(before.cards)
            if i != number and card.legs and can_be_same_card(stored.cards[i], card)
        }
        place = _find_card_index(cards, number, old, new, other_indexes)
        if place is not None:
            cards = (*cards[:place], _merge_card_changes(cards[place], old, new), *cards[place + 1 :])
    return CardFacts(
        cards,
        _merge_named_changes(stored.boosts, before.boosts, after.boosts),
        _merge_named_changes(stored.setbacks, before.setbacks, after.setbacks),
    )


def can_be_same_card(card: TrailCard, other: TrailCard) -> bool:
    """Return whether two descriptions can belong to one Trail card: no known value differs."""
    if (card.whole and len(other.legs) > len(card.legs)) or (other.whole and len(card.legs) > len(other.legs)):
        return False
    pairs = zip(card.legs, other.legs, strict=False)
    return all(
        old in (new, None) or new is None for legs in pairs for old, new in zip(*map(astuple, legs), strict=True)
    )


def _find_card_index(
    cards: tuple[TrailCard, ...], number: int, before: TrailCard, after: TrailCard, taken: set[int]
) -> int | None:
    """Return the index of the stored card that an entered one describes, or None.

    A stored card that agrees comes first, preferably the one with the same number, then a card without known legs.
    """
    # A corrected card is still the card that it was before.
    target = after if can_be_same_card(before, after) else before
    free = [place for place in sorted(range(len(cards)), key=lambda place: place != number) if place not in taken]
    if known := [place for place in free if cards[place].legs and can_be_same_card(cards[place], target)]:
        return known[0]
    if not can_be_same_card(cards[number], before):
        return None  # The owner has corrected the stored card since.
    return next((place for place in free if not cards[place].legs), None)


def _merge_card_changes(stored: TrailCard, before: TrailCard, after: TrailCard) -> TrailCard:
    """Return a stored card with the changes entered for it.

    Legs are removed only if the stored card equals the card before the change.
    """
    if stored == before:
        return after
    length = max(len(stored.legs), len(after.legs))
    padded = [(card.legs + (Leg(),) * length)[:length] for card in (stored, before, after)]
    legs = tuple(
        Leg(_pick_newer(stored_leg.colour, old.colour, new.colour), _pick_newer(stored_leg.stop, old.stop, new.stop))
        for stored_leg, old, new in zip(*padded, strict=True)
    )
    return TrailCard(legs, stored.whole or after.whole)


def _pick_newer(stored: Any, before: Any, after: Any) -> Any:
    return after if after not in (before, None) else stored


def _merge_named_changes(stored: dict, before: dict, after: dict) -> dict:
    """Return the stored facts of named cards with the changes and removals of one table."""
    unchanged = {id: value for id, value in stored.items() if before.get(id) == after.get(id)}
    return unchanged | {id: value for id, value in after.items() if value != before.get(id)}


def _merge_boost(old: BoostFact, new: BoostFact) -> BoostFact:
    return BoostFact(new.cost or old.cost, new.legs or old.legs)


def forbidden_pair_colour(facts: CardFacts, setback: str) -> Colour | None:
    """Return the color whose pairs a Setback forbids, or None if it forbids none or is unknown."""
    return facts.setbacks.get(setback) if SETBACKS[setback].effect == "no-pair" else None


STOP_NAMES = {"neutral": "Neutral", "setback": "Setback", "aid": "Aid Station"}
STOP_TEXTS = {"neutral": "a neutral stop", "setback": "a Setback stop", "aid": "an Aid Station"}


def describe_items(facts: CardFacts) -> Iterator[FactItem]:
    """Yield each card that has facts, with a description of them."""
    for number, card in enumerate(facts.cards):
        legs = [
            f"{f'{leg.colour} leg' if leg.colour else 'leg (color not entered)'}"
            f"{f' to {STOP_TEXTS[leg.stop]}' if leg.stop else ''}"
            for leg in card.legs
        ]
        end_text = "; no more legs" if card.whole else ""
        yield FactItem(("cards", number), f"Trail card {number + 1}", ", ".join(legs) + end_text)
    for id, fact in facts.boosts.items():
        legs = f"for {pluralize(fact.legs, 'leg')}" if fact.legs else ""
        cost = describe_cost(fact) if fact.cost else ""
        yield FactItem(("boosts", id), BOOSTS[id].name, ", ".join(filter(None, (cost, legs))))
    for id, colour in facts.setbacks.items():
        yield FactItem(("setbacks", id), SETBACKS[id].name, colour or "")


def unknown_last_card(order: tuple[int, ...], cards: tuple[TrailCard, ...]) -> int | None:
    """Return the last Trail card if none of its legs is known."""
    last = order[-1] if order and len(order) < TRAIL_CARDS else None
    return last if last is not None and not cards[last].legs else None


def renumber_for_table(entered: CardFacts, state: Any, box: CardFacts) -> CardFacts:
    """Return the facts of a box with its Trail cards numbered as at a table.

    A stored card gets the number of the table's card that it must be, or the number of a card unknown to the table.

    :param entered: the facts as the table knows them.
    :param box: the stored facts of the box.
    """
    laid = {*state.order} - {unknown_last_card(state.order, state.facts.cards)}
    places: dict[int, int] = {}
    uncertain: set[int] = set()
    for place, card in enumerate(entered.cards):
        if not card.legs and place not in laid:
            continue
        description = card if card.legs else state.facts.cards[place]
        left = [i for i, other in enumerate(box.cards) if other.legs and i not in places.values()]
        found = [i for i in left if can_be_same_card(box.cards[i], description)]
        if len(found) == 1 and description.legs:
            places[place] = found[0]
        elif not card.legs and (place in found or not found) and box.cards[place].legs and place not in places.values():
            # Only its number identifies this card, or its legs came from the box.
            places[place] = place
        else:
            uncertain |= {*found}
    free = [place for place, card in enumerate(entered.cards) if not card.legs and place not in laid]
    for number, card in enumerate(box.cards):
        if card.legs and number not in places.values() and number not in uncertain and free:
            place = number if number in free else free[0]
            free.remove(place)
            places[place] = number
    cards = tuple(box.cards[places[place]] if place in places else TrailCard() for place in range(TRAIL_CARDS))
    return replace(box, cards=cards)


CARD_FACTS = CardFactsFormat(
    type=CardFacts,
    title="The Trail cards in your box",
    read=read_facts,
    check=check,
    merge=merge,
    describe_items=describe_items,
    merge_table_changes=merge_table_changes,
    renumber_for_table=renumber_for_table,
)
