"""What only the owner of a box can tell: the five Trail cards, what Boosts cost and bring, the colours of three Setbacks."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from scoring.kernel.documents import at, read, unknown
from scoring.kernel.english import plural
from scoring.kernel.errors import Illegal
from scoring.kernel.facts import Facts, Thing
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import (
    BOOSTS,
    COLOURS,
    FARTHEST,
    MOST_COST,
    MOST_LEGS,
    PAIR_SETBACKS,
    SETBACKS,
    TRAIL_CARDS,
    Colour,
    CostCard,
    Stop,
)


class Leg(Struct, frozen=True, cache_hash=True):
    """One leg of a Trail card, and the stop it leads to; None is not known yet."""

    colour: Colour | None = None
    stop: Stop | None = None


class TrailCard(Struct, frozen=True, cache_hash=True):
    """One Trail card from its start to its end."""

    legs: tuple[Leg, ...] = ()
    whole: bool = False  # all its legs are known


class BoostFact(Struct, frozen=True):
    """What stands on a Boost card: the Race cards it costs, and the legs it brings if it brings any."""

    cost: tuple[CostCard, ...] = ()  # none: not known yet
    legs: int | None = None


class CardFacts(Struct, frozen=True):
    """Everything that can be told of a box; what is not known is left out."""

    cards: tuple[TrailCard, ...] = (TrailCard(),) * TRAIL_CARDS
    boosts: dict[str, BoostFact] = {}
    setbacks: dict[str, Colour | None] = {}

    def boost(self, id: str) -> BoostFact | None:
        """Return what a Boost costs and brings, or None while that is not told in full."""
        fact = self.boosts.get(id, BoostFact())
        known = fact.cost and (fact.legs or BOOSTS[id].effect != "advance")
        return fact if known else None

    def with_card(self, card: int, **changes: Any) -> "CardFacts":
        """Return the facts with one Trail card's fields changed."""
        cards = list(self.cards)
        cards[card] = replace(cards[card], **changes)
        return replace(self, cards=tuple(cards))

    def with_leg(self, card: int, number: int, **changes: Any) -> "CardFacts":
        """Return the facts with a leg changed, or put at the end of its card."""
        legs = self.cards[card].legs
        leg = replace(legs[number] if number < len(legs) else Leg(), **changes)
        return self.with_card(card, legs=(*legs[:number], leg, *legs[number + 1 :]))


def ended(card: TrailCard) -> TrailCard:
    """Return a Trail card with its last stop, where all its legs are known: an Aid Station, if nobody has told otherwise."""
    if not card.whole or not card.legs or card.legs[-1].stop:
        return card
    return replace(card, legs=(*card.legs[:-1], replace(card.legs[-1], stop="aid")))


def read_facts(data: Any) -> CardFacts:
    """Return the facts that plain data stands for.

    :raises Malformed: naming the place of the fault.
    """
    if not isinstance(data, dict):
        raise at("facts", "an object is needed")
    facts = read(
        {name: value for name, value in data.items() if name not in ("boosts", "setbacks")}, CardFacts, strict=False
    )
    cards = tuple(map(ended, facts.cards))
    return replace(
        facts, cards=cards, boosts=_boosts(data.get("boosts", {})), setbacks=_colours(data.get("setbacks", {}))
    )


def _boosts(data: Any) -> dict[str, BoostFact]:
    known = _by_id(data, "boosts", "Boost", BOOSTS)
    return {id: read(boost, BoostFact, f"boosts.{id}", strict=False) for id, boost in known.items()}


def _colours(data: Any) -> dict[str, Colour | None]:
    known = _by_id(data, "setbacks", "Setback", PAIR_SETBACKS)
    for id, colour in known.items():
        if colour is not None and colour not in COLOURS:
            raise unknown(f"setbacks.{id}", "colour", colour, COLOURS)
    return known


def _by_id(data: Any, place: str, noun: str, ids: Iterable[str]) -> dict:
    """Return what is said of cards by their ids."""
    if not isinstance(data, dict):
        raise at(place, "an object is needed")
    for id in data:
        if id not in ids:
            raise unknown(place, noun, id, ids)
    return data


def no_such_boost(id: str) -> Reason:
    return Reason("no-such-boost", r.BOOST_PILE, f"There is no Boost \u201c{id}\u201d.")


def no_colour() -> Reason:
    names = ", ".join(SETBACKS[id].name for id in PAIR_SETBACKS)
    return Reason("no-colour", r.NO_PAIR, f"Only these Setbacks show a colour: {names}.")


def check(facts: CardFacts) -> Iterator[Reason]:
    """Yield what speaks against such a box."""
    if len(facts.cards) != TRAIL_CARDS:
        yield Reason("trail-cards", r.COMPONENTS, f"The box has {TRAIL_CARDS} Trail cards, not {len(facts.cards)}.")
    for number, card in enumerate(facts.cards, 1):
        if len(card.legs) > MOST_LEGS:
            text = f"Trail card {number} has {len(card.legs)} legs; at most {MOST_LEGS} fit."
            yield Reason("too-many-legs", r.TRAIL_CARDS, text)
        if card.whole and not card.legs:
            yield Reason("no-legs", r.TRAIL_CARDS, f"Trail card {number} cannot be complete without a leg.")
    for id, boost in facts.boosts.items():
        yield from check_boost(id, boost)
    if not set(facts.setbacks) <= set(PAIR_SETBACKS):
        yield no_colour()


def check_boost(id: str, fact: BoostFact) -> Iterator[Reason]:
    """Yield what speaks against what is said of a Boost."""
    if id not in BOOSTS:
        yield no_such_boost(id)
        return
    card = BOOSTS[id]
    if card.effect == "eyes" and fact != BoostFact():
        yield Reason("no-cost", r.EYES_AHEAD, f"{card.name} costs nothing; it works by itself.")
    if len(fact.cost) > MOST_COST:
        yield Reason("boost-cost", r.BOOST_COST, f"{card.name} costs at most {MOST_COST} cards, not {len(fact.cost)}.")
    if fact.legs is None:
        return
    if card.effect != "advance":
        yield Reason("brings-no-legs", r.BOOST_COST, f"{card.name} brings no legs.")
    elif not 1 <= fact.legs <= FARTHEST:
        yield Reason("boost-legs", r.ADVANCE, f"{card.name} brings 1 to {FARTHEST} legs, not {fact.legs}.")


def merge(kept: CardFacts, told: CardFacts) -> CardFacts:
    """Return both together: what is told now counts, what it leaves open stays as it was.

    :raises Illegal: when a Trail card is none of the kept ones, and not all five are told to take their places.
    """
    boosts = {
        id: _boost(kept.boosts.get(id, BoostFact()), told.boosts.get(id, BoostFact()))
        for id in kept.boosts | told.boosts
    }
    colours: dict[str, Colour | None] = {id: colour for id, colour in told.setbacks.items() if colour}
    return CardFacts(_merged(kept.cards, told.cards), boosts, kept.setbacks | colours)


def _merged(kept: tuple[TrailCard, ...], told: tuple[TrailCard, ...]) -> tuple[TrailCard, ...]:
    """Return the kept Trail cards, each of the told ones put to the one that it may be."""
    cards, found = kept, set()
    for number, card in enumerate(told):
        if not card.legs:
            continue
        place = _place(cards, number, TrailCard(), card, found)
        if place is None and all(each.whole for each in told):
            return told
        if place is None:
            text = f"Trail card {number + 1} of the file is none of the {TRAIL_CARDS} known here"
            raise Illegal([Reason("other-card", r.COMPONENTS, f"{text}; a file with all of them takes their place.")])
        found.add(place)
        cards = (*cards[:place], _learnt(cards[place], TrailCard(), card), *cards[place + 1 :])
    return cards


def learn(kept: CardFacts, before: CardFacts, after: CardFacts) -> CardFacts:
    """Return kept facts with what a table has told.

    Nothing but its legs tells one Trail card from another, and each table numbers those that nobody knew as it meets them.
    """
    cards = kept.cards
    for number, (old, new) in enumerate(zip(before.cards, after.cards, strict=True)):
        if old == new:
            continue
        others = {i for i, card in enumerate(before.cards) if i != number and card.legs and agree(kept.cards[i], card)}
        place = _place(cards, number, old, new, others)
        if place is not None:
            cards = (*cards[:place], _learnt(cards[place], old, new), *cards[place + 1 :])
    return CardFacts(
        cards, _told(kept.boosts, before.boosts, after.boosts), _told(kept.setbacks, before.setbacks, after.setbacks)
    )


def agree(card: TrailCard, other: TrailCard) -> bool:
    """Return whether these may be one Trail card: nothing known of the one is otherwise on the other."""
    if (card.whole and len(other.legs) > len(card.legs)) or (other.whole and len(card.legs) > len(other.legs)):
        return False
    pairs = zip(card.legs, other.legs, strict=False)
    return all(
        one in (two, None) or two is None for legs in pairs for one, two in zip(*map(astuple, legs), strict=True)
    )


def _place(
    cards: tuple[TrailCard, ...], number: int, before: TrailCard, after: TrailCard, others: set[int]
) -> int | None:
    """Return which of the kept cards a told one is: one that agrees, best with its own number, or one without legs."""
    said = after if agree(before, after) else before  # one that has been set right is the one it was
    free = [place for place in sorted(range(len(cards)), key=lambda place: place != number) if place not in others]
    if known := [place for place in free if cards[place].legs and agree(cards[place], said)]:
        return known[0]
    if not agree(cards[number], before):
        return None  # its owner has set the kept one right since
    return next((place for place in free if not cards[place].legs), None)


def _learnt(kept: TrailCard, before: TrailCard, after: TrailCard) -> TrailCard:
    """Return a kept card with what was told of it; legs are taken off it only where it knew no more than the table."""
    if kept == before:
        return after
    length = max(len(kept.legs), len(after.legs))
    padded = [(card.legs + (Leg(),) * length)[:length] for card in (kept, before, after)]
    legs = tuple(
        Leg(_newer(was.colour, old.colour, new.colour), _newer(was.stop, old.stop, new.stop))
        for was, old, new in zip(*padded, strict=True)
    )
    return TrailCard(legs, kept.whole or after.whole)


def _newer(kept: Any, before: Any, after: Any) -> Any:
    return after if after not in (before, None) else kept


def _told(kept: dict, before: dict, after: dict) -> dict:
    """Return what is kept of cards that have names, with what has been told of them or taken back."""
    same = {id: value for id, value in kept.items() if before.get(id) == after.get(id)}
    return same | {id: value for id, value in after.items() if value != before.get(id)}


def _boost(old: BoostFact, new: BoostFact) -> BoostFact:
    return BoostFact(new.cost or old.cost, new.legs or old.legs)


def colour_of(facts: CardFacts, setback: str) -> Colour | None:
    """Return the colour whose pairs a Setback forbids, if it forbids any and that is known."""
    return facts.setbacks.get(setback) if SETBACKS[setback].effect == "no-pair" else None


STOPS = {"neutral": "a neutral stop", "setback": "a Setback stop", "aid": "an Aid Station"}


def things(facts: CardFacts) -> Iterator[Thing]:
    """Yield each card that can be told of with what stands on it."""
    for number, card in enumerate(facts.cards):
        legs = [f"{leg.colour or '?'} to {STOPS[leg.stop]}" if leg.stop else leg.colour or "?" for leg in card.legs]
        yield Thing(
            ("cards", number), f"Trail card {number + 1}", ", ".join(legs) + ("; complete" if card.whole else "")
        )
    for id, fact in facts.boosts.items():
        brings = plural(fact.legs, "leg") if fact.legs else ""
        cost = f"costs {', '.join(fact.cost)}" if fact.cost else ""
        yield Thing(("boosts", id), BOOSTS[id].name, "; ".join(filter(None, (cost, brings))))
    for id, colour in facts.setbacks.items():
        yield Thing(("setbacks", id), SETBACKS[id].name, colour or "")


def laid_unseen(order: tuple[int, ...], cards: tuple[TrailCard, ...]) -> int | None:
    """Return the last Trail card if none of its legs is known."""
    last = order[-1] if order and len(order) < TRAIL_CARDS else None
    return last if last is not None and not cards[last].legs else None


def for_table(told: CardFacts, state: Any, box: CardFacts) -> CardFacts:
    """Return facts of a box with its Trail cards in the places that they have at a table.

    A card is put where it must be by what the table knows of the card there, or where nobody knows of any.
    """
    laid = {*state.order} - {laid_unseen(state.order, state.facts.cards)}
    places: dict[int, int] = {}
    doubtful: set[int] = set()
    for place, card in enumerate(told.cards):
        if not card.legs and place not in laid:
            continue
        shown = card if card.legs else state.facts.cards[place]
        left = [i for i, other in enumerate(box.cards) if other.legs and i not in places.values()]
        found = [i for i in left if agree(box.cards[i], shown)]
        if len(found) == 1 and shown.legs:
            places[place] = found[0]
        elif not card.legs and (place in found or not found) and box.cards[place].legs and place not in places.values():
            places[place] = place  # its number is all that is known of it, or its legs came from the box
        else:
            doubtful |= {*found}
    free = [place for place, card in enumerate(told.cards) if not card.legs and place not in laid]
    for number, card in enumerate(box.cards):
        if card.legs and number not in places.values() and number not in doubtful and free:
            place = number if number in free else free[0]
            free.remove(place)
            places[place] = number
    cards = tuple(box.cards[places[place]] if place in places else TrailCard() for place in range(TRAIL_CARDS))
    return replace(box, cards=cards)


FACTS = Facts(
    type=CardFacts,
    title="The cards of your box",
    read=read_facts,
    check=check,
    merge=merge,
    things=things,
    learn=learn,
    for_table=for_table,
)
