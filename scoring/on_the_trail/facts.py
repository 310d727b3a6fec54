"""What only the owner of a box can tell: the five Trail cards, what Boosts cost and bring, the colours of three Setbacks."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.document import at, read, unknown
from scoring.kernel.facts import Facts
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, COLOURS, PAIR_SETBACKS, SETBACKS, TRAIL_CARDS, Colour, CostCard, Stop

MOST_LEGS = 12  # on one Trail card, more than any can show
MOST_COST = 6  # cards a Boost asks for
FARTHEST = 9  # legs a Boost brings


class Leg(Struct, frozen=True):
    """One leg of a Trail card, and the stop it leads to; None is not known yet."""

    colour: Colour | None = None
    stop: Stop | None = None


class TrailCard(Struct, frozen=True):
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


def read_facts(data: Any) -> CardFacts:
    """Return the facts that plain data stands for.

    :raises Malformed: naming the place of the fault.
    """
    if not isinstance(data, dict):
        raise at("facts", "an object is needed")
    facts = read({name: value for name, value in data.items() if name not in ("boosts", "setbacks")}, CardFacts, strict=False)
    return replace(facts, boosts=_boosts(data.get("boosts", {})), setbacks=_colours(data.get("setbacks", {})))


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


def check(facts: CardFacts) -> Iterator[Reason]:
    """Yield what speaks against such a box."""
    if len(facts.cards) != TRAIL_CARDS:
        yield Reason("trail-cards", r.COMPONENTS, f"The box has {TRAIL_CARDS} Trail cards, not {len(facts.cards)}.")
    for number, card in enumerate(facts.cards, 1):
        if len(card.legs) > MOST_LEGS:
            yield Reason("too-many-legs", r.TRAIL_CARDS, f"Trail card {number} has {len(card.legs)} legs; at most {MOST_LEGS} fit.")
        if card.whole and not card.legs:
            yield Reason("no-legs", r.TRAIL_CARDS, f"Trail card {number} cannot be complete without a leg.")
    for id, boost in facts.boosts.items():
        yield from check_boost(id, boost)


def check_boost(id: str, fact: BoostFact) -> Iterator[Reason]:
    """Yield what speaks against what is said of a Boost."""
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
    """Return both together: what is told now counts, what it leaves open stays as it was."""
    cards = tuple(_card(old, new) for old, new in zip(kept.cards, told.cards, strict=True))
    boosts = {id: _boost(kept.boosts.get(id, BoostFact()), told.boosts.get(id, BoostFact())) for id in kept.boosts | told.boosts}
    colours = {id: colour for id, colour in told.setbacks.items() if colour}
    return CardFacts(cards, boosts, kept.setbacks | colours)


def _card(old: TrailCard, new: TrailCard) -> TrailCard:
    """Return one Trail card of both; of a complete one the number of legs counts."""
    length = len(new.legs) if new.whole else max(len(old.legs), len(new.legs))
    padded = [(card.legs + (Leg(),) * length)[:length] for card in (old, new)]
    legs = tuple(Leg(n.colour or o.colour, n.stop or o.stop) for o, n in zip(*padded, strict=True))
    return TrailCard(legs, new.whole or (old.whole and len(new.legs) <= len(old.legs)))


def _boost(old: BoostFact, new: BoostFact) -> BoostFact:
    return BoostFact(new.cost or old.cost, new.legs or old.legs)


def unknown_left(facts: CardFacts) -> int:
    """Return how many things nobody has told yet: Trail cards, Boosts, colours of Setbacks."""
    cards = sum(not card.whole or any(None in (leg.colour, leg.stop) for leg in card.legs) for card in facts.cards)
    boosts = sum(not facts.boost(id) for id, card in BOOSTS.items() if card.effect != "eyes")
    return cards + boosts + sum(not facts.setbacks.get(id) for id in PAIR_SETBACKS)


def colour_of(facts: CardFacts, setback: str) -> Colour | None:
    """Return the colour whose pairs a Setback forbids, if it forbids any and that is known."""
    return facts.setbacks.get(setback) if SETBACKS[setback].effect == "no-pair" else None


FACTS = Facts(type=CardFacts, title="The cards of your box", read=read_facts, check=check, merge=merge)
