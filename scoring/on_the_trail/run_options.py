"""What can be played: ways to run a leg, to pay for a Boost, and whether any way leads at least one leg on."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, COLOURS, DECK, Card, Colour, CostCard
from scoring.on_the_trail.cards import NONE, Cards, by_name, choices, minus, plus, some, within, without
from scoring.on_the_trail.facts import CardFacts, colour_of
from scoring.on_the_trail.route import next_colour
from scoring.on_the_trail.state import Player, State

DRAWN = 3  # cards by Helping Hand or Personal Best


def is_second(state: State, seat: int) -> bool:
    """Return whether a runner is in second place now."""
    other = state.players[1 - seat]
    if other.out and chosen(state.rulings, r.BEHIND_NOBODY) == "not-second":
        return False
    behind = other.at - state.players[seat].at
    return behind > 0 or (behind == 0 and chosen(state.rulings, r.LEVEL_SECOND) == "second")


def greens_wild(state: State, seat: int) -> bool:
    """Return whether a runner's green cards are wild now (Eyes Ahead)."""
    player = state.players[seat]
    return "eyes-ahead" in player.boosts and is_second(state, seat) and not _eyes_shut(state, player)


def _eyes_shut(state: State, player: Player) -> bool:
    return bool(player.suffers("no-boosts")) and chosen(state.rulings, r.EYES_EXHAUSTION) == "silenced"


def green_pays(state: State, seat: int) -> bool:
    """Return whether a green card may stand for a card that a Boost costs."""
    return greens_wild(state, seat) and chosen(state.rulings, r.GREEN_FOR_COST) == "pays"


def pair_stopped(facts: CardFacts, setbacks: tuple[str, ...], colour: Colour) -> str | None:
    """Return the Setback that forbids pairs of a colour, if one lies in front."""
    return next((id for id in setbacks if colour_of(facts, id) == colour), None)


def pays(cards: Cards, cost: tuple[CostCard, ...], green: bool) -> bool:
    """Return whether these cards are what a Boost costs, at most one of them replaced by a wild."""
    need = (cost.count("red"), cost.count("yellow"), cost.count("green"), 0)  # "any" is what is left over
    if sum(cards) != len(cost):
        return False
    if within(need, cards):
        return True
    wilds: tuple[Card, ...] = ("wild", "green") if green else ("wild",)
    return any(
        within(some(wild), cards)
        and within(some(colour), need)
        and within(minus(need, some(colour)), minus(cards, some(wild)))
        for wild in wilds
        for colour in COLOURS
    )


@cache
def payments(cost: tuple[CostCard, ...], green: bool) -> tuple[Cards, ...]:
    """Return every set of cards that pays for a Boost."""
    return tuple(cards for cards in choices(len(cost)) if pays(cards, cost, green))


class Means(Struct, frozen=True):
    """What a runner has to run a leg with: the cards, and where others come from."""

    hand: Cards
    discard: Cards
    deck: int  # cards left to draw
    setbacks: tuple[str, ...]
    boosts: tuple[str, ...]  # not yet activated this turn


class Search(Struct, frozen=True):
    """The search for a way to run at least one leg, over every play of the hand, Boosts included.

    A drawn card may be any that can still come: a way that needs luck is a way.
    """

    colour: Colour
    facts: CardFacts
    wild_greens: bool
    green_pays: bool
    untold: bool  # count a Boost nobody has told as one that helps

    def finder(self) -> Callable[[Means], bool]:
        """Return the question whether there is a way; it remembers its answers."""

        @cache
        def way(means: Means) -> bool:
            return self.runs(means) or any(way(after) for id in means.boosts for after in self.helped(means, id))

        return way

    def runs(self, means: Means) -> bool:
        """Return whether the cards alone run the leg, or a Boost does."""
        return self.cards(means) is not None or any(self.advances(means, id) for id in means.boosts)

    def cards(self, means: Means) -> Cards | None:
        """Return the card or the pair that runs the leg, if one in hand does."""
        hand = by_name(means.hand)
        alone: tuple[Card, ...] = (self.colour, "green", "wild") if self.wild_greens else (self.colour, "wild")
        for card in alone:
            if card in hand:
                return some(card)
        for colour in COLOURS:
            if hand.get(colour, 0) >= 2 and not pair_stopped(self.facts, means.setbacks, colour):
                return some(colour, 2)
        return None

    def _paid(self, means: Means, id: str) -> Iterator[Cards]:
        if fact := self.facts.boost(id):
            yield from (cards for cards in payments(fact.cost, self.green_pays) if within(cards, means.hand))

    def advances(self, means: Means, id: str) -> bool:
        if self.facts.boost(id) is None:
            return self.untold and sum(means.hand) > 0
        return BOOSTS[id].effect == "advance" and any(True for _ in self._paid(means, id))

    def helped(self, means: Means, id: str) -> Iterator[Means]:
        """Yield what there may be after a Boost that brings cards or takes a Setback away."""
        for paid in self._paid(means, id):
            hand, discard = minus(means.hand, paid), plus(means.discard, paid)
            after = replace(means, hand=hand, discard=discard, boosts=without(means.boosts, id))
            if BOOSTS[id].effect == "shed":
                yield from (replace(after, setbacks=without(after.setbacks, gone)) for gone in set(after.setbacks))
            elif BOOSTS[id].effect == "draw":
                yield from drawn(after)


def drawn(means: Means) -> Iterator[Means]:
    """Yield what there may be after three cards are drawn, the discard pile shuffled where the deck does not reach."""
    unknown = minus(minus(DECK, means.hand), means.discard)
    if means.deck >= DRAWN:
        for cards in choices(DRAWN, unknown):
            yield replace(means, hand=plus(means.hand, cards), deck=means.deck - DRAWN)
        return
    pool = plus(unknown, means.discard)
    surely = unknown if sum(unknown) == means.deck else NONE  # the rest of the deck, where nothing else is unseen
    number = min(DRAWN, sum(pool)) - sum(surely)
    for cards in choices(number, minus(pool, surely)):
        yield replace(means, hand=plus(plus(means.hand, surely), cards), discard=NONE, deck=max(0, sum(pool) - DRAWN))


def search(state: State, seat: int, *, untold: bool = False) -> Search | None:
    """Return the search for a way over the next leg, or None while its colour is not known."""
    colour = next_colour(state, seat)
    if colour is None:
        return None
    return Search(colour, state.facts, greens_wild(state, seat), green_pays(state, seat), untold)


def means(state: State, seat: int) -> Means:
    """Return what a runner has, by the cards that have been told."""
    player = state.players[seat]
    return Means(player.hand, player.discard, player.deck, player.setbacks, state.ready(seat))


def possible(state: State, seat: int) -> Iterator[Means]:
    """Yield what a runner may have, for all the table knows: in hand, the told cards and any that are not seen."""
    has, player = means(state, seat), state.players[seat]
    for cards in choices(player.unseen, minus(minus(DECK, player.hand), player.discard)):
        yield replace(has, hand=plus(has.hand, cards))


def can_run(state: State, seat: int, *, untold: bool = False) -> bool:
    """Return whether some way leads at least one leg on, for one hand at least that the runner may have."""
    found = search(state, seat, untold=untold)
    return found is None or any(map(found.finder(), possible(state, seat)))


def must_stop(state: State, seat: int, *, untold: bool = False) -> bool:
    """Return whether the runner may be unable to run a leg: no way for one hand at least that they may have."""
    found = search(state, seat, untold=untold)
    return found is not None and not all(map(found.finder(), possible(state, seat)))


def way_on(state: State, seat: int) -> Cards | str:
    """Return what still runs the next leg, where something does and the hand is told: cards, or a Boost that helps."""
    found, has = search(state, seat), means(state, seat)
    if found is None:
        return NONE
    if cards := found.cards(has):
        return cards
    way = found.finder()
    return next((id for id in has.boosts if found.advances(has, id) or any(map(way, found.helped(has, id)))), "luck")
