"""What can be played: ways to run a leg, to pay for a Boost, and whether any way leads at least one leg on."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, COLOURS, DECK, Card, Colour, CostCard
from scoring.on_the_trail.cards import NONE, Cards, choices, minus, plus, some, within
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
    need = tuple(cost.count(card) for card in CARDS)  # "any" is what is left over
    if sum(cards) != len(cost):
        return False
    if within(need, cards):
        return True
    wilds: tuple[Card, ...] = ("wild", "green") if green else ("wild",)
    return any(
        within(some(wild), cards) and within(some(colour), need) and within(minus(need, some(colour)), minus(cards, some(wild)))
        for wild in wilds
        for colour in COLOURS
    )


@cache
def payments(cost: tuple[CostCard, ...], green: bool) -> tuple[Cards, ...]:
    """Return every set of cards that pays for a Boost."""
    return tuple(cards for cards in choices(len(cost)) if pays(cards, cost, green))


def ready(state: State, seat: int) -> tuple[str, ...]:
    """Return the Boosts a runner may still activate this turn, told or not."""
    player = state.players[seat]
    if player.suffers("no-boosts"):
        return ()
    return tuple(id for id in player.boosts if id not in state.used and BOOSTS[id].effect != "eyes")


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
            return self.runs(means) or any(map(way, self._boosted(means)))

        return way

    def runs(self, means: Means) -> bool:
        """Return whether the cards alone run the leg, or a Boost does."""
        hand = dict(zip(CARDS, means.hand, strict=True))
        if hand["wild"] or hand[self.colour] or (hand["green"] and self.wild_greens):
            return True
        pairs = (colour for colour in COLOURS if hand[colour] >= 2)
        if any(not pair_stopped(self.facts, means.setbacks, colour) for colour in pairs):
            return True
        return any(self._advances(means, id) for id in means.boosts)

    def _paid(self, means: Means, id: str) -> Iterator[Cards]:
        if fact := self.facts.boost(id):
            yield from (cards for cards in payments(fact.cost, self.green_pays) if within(cards, means.hand))

    def _advances(self, means: Means, id: str) -> bool:
        if self.facts.boost(id) is None:
            return self.untold and sum(means.hand) > 0
        return BOOSTS[id].effect == "advance" and any(True for _ in self._paid(means, id))

    def _boosted(self, means: Means) -> Iterator[Means]:
        """Yield what there is after each Boost that brings cards or takes a Setback away."""
        for id in means.boosts:
            for paid in self._paid(means, id):
                after = replace(
                    means,
                    hand=minus(means.hand, paid),
                    discard=plus(means.discard, paid),
                    boosts=tuple(other for other in means.boosts if other != id),
                )
                if BOOSTS[id].effect == "shed":
                    yield from (_without(after, setback) for setback in set(after.setbacks))
                elif BOOSTS[id].effect == "draw":
                    yield from drawn(after)


def _without(means: Means, setback: str) -> Means:
    left = list(means.setbacks)
    left.remove(setback)
    return replace(means, setbacks=tuple(left))


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
    return Means(player.hand, player.discard, player.deck, player.setbacks, ready(state, seat))


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
