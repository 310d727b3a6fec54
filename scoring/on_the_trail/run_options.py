"""Ways to run a leg and to pay for a Boost, and the search for a way to run on."""

from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, COLOURS, DECK, Card, Colour, CostCard
from scoring.on_the_trail.card_facts import CardFacts, forbidden_pair_colour
from scoring.on_the_trail.cards import (
    NO_CARDS,
    Cards,
    add_cards,
    card_combinations,
    cards_of_kind,
    is_subset,
    remove_one,
    subtract_cards,
    to_counts,
)
from scoring.on_the_trail.route import next_leg_colour
from scoring.on_the_trail.state import State

BOOST_DRAW_COUNT = 3  # drawn by Helping Hand or Personal Best


def is_second(state: State, seat: int) -> bool:
    """Return whether a runner is in second place now."""
    other = state.players[1 - seat]
    if other.out and chosen_option(state.rulings, r.BEHIND_NOBODY) == "not-second":
        return False
    behind = other.legs_run - state.players[seat].legs_run
    return behind > 0 or (behind == 0 and chosen_option(state.rulings, r.LEVEL_SECOND) == "second")


def has_wild_greens(state: State, seat: int) -> bool:
    """Return whether a runner's green cards are wild now (Eyes Ahead)."""
    player = state.players[seat]
    if player.setback_with_effect("no-boosts") and chosen_option(state.rulings, r.EYES_EXHAUSTION) == "silenced":
        return False
    return "eyes-ahead" in player.boosts and is_second(state, seat)


def can_green_pay(state: State, seat: int) -> bool:
    """Return whether a green card may replace a card that a Boost costs."""
    return has_wild_greens(state, seat) and chosen_option(state.rulings, r.GREEN_FOR_COST) == "pays"


def pair_blocking_setback(facts: CardFacts, setbacks: tuple[str, ...], colour: Colour) -> str | None:
    """Return the Setback that forbids pairs of a color, or None."""
    return next((id for id in setbacks if forbidden_pair_colour(facts, id) == colour), None)


def is_payment(cards: Cards, cost: tuple[CostCard, ...], can_green_pay: bool) -> bool:
    """Return whether cards pay for a Boost, with at most one of them replaced by a wild."""
    needed = (cost.count("red"), cost.count("yellow"), cost.count("green"), 0)  # "any" takes the cards left over
    if sum(cards) != len(cost):
        return False
    if is_subset(needed, cards):
        return True
    wilds: tuple[Card, ...] = ("wild", "green") if can_green_pay else ("wild",)
    return any(
        is_subset(cards_of_kind(wild), cards)
        and is_subset(cards_of_kind(colour), needed)
        and is_subset(subtract_cards(needed, cards_of_kind(colour)), subtract_cards(cards, cards_of_kind(wild)))
        for wild in wilds
        for colour in COLOURS
    )


@cache
def payments(cost: tuple[CostCard, ...], can_green_pay: bool) -> tuple[Cards, ...]:
    """Return every set of cards that pays for a Boost."""
    return tuple(cards for cards in card_combinations(len(cost)) if is_payment(cards, cost, can_green_pay))


class RunResources(Struct, frozen=True):
    """The cards a runner has to run a leg with, and the sources of further ones."""

    hand: Cards
    discard: Cards
    deck: int  # cards left to draw
    setbacks: tuple[str, ...]
    boosts: tuple[str, ...]  # not yet activated this turn


class RunSearch(Struct, frozen=True):
    """A search for a way to run at least one leg with the hand and the Boosts.

    A drawn card may be any card still unseen: one that needs luck counts too.
    """

    colour: Colour
    facts: CardFacts
    has_wild_greens: bool
    can_green_pay: bool
    assume_unknown_boosts_help: bool  # whether a Boost with unknown facts counts as one that helps

    def make_way_finder(self) -> Callable[[RunResources], bool]:
        """Return a memoized function that tells whether a runner's resources suffice to run the leg."""

        @cache
        def has_way(resources: RunResources) -> bool:
            return self.can_run_now(resources) or any(
                has_way(after) for id in resources.boosts for after in self.boost_outcomes(resources, id)
            )

        return has_way

    def can_run_now(self, resources: RunResources) -> bool:
        """Return whether the cards alone run the leg, or a Boost does."""
        return self.find_cards(resources) is not None or any(self.can_advance(resources, id) for id in resources.boosts)

    def find_cards(self, resources: RunResources) -> Cards | None:
        """Return the card or the pair in hand that runs the leg, or None."""
        hand = to_counts(resources.hand)
        single_cards: tuple[Card, ...] = (
            (self.colour, "green", "wild") if self.has_wild_greens else (self.colour, "wild")
        )
        for card in single_cards:
            if card in hand:
                return cards_of_kind(card)
        for colour in COLOURS:
            if hand.get(colour, 0) >= 2 and not pair_blocking_setback(self.facts, resources.setbacks, colour):
                return cards_of_kind(colour, 2)
        return None

    def _payable_costs(self, resources: RunResources, id: str) -> Iterator[Cards]:
        if fact := self.facts.known_boost(id):
            yield from (cards for cards in payments(fact.cost, self.can_green_pay) if is_subset(cards, resources.hand))

    def can_advance(self, resources: RunResources, id: str) -> bool:
        if self.facts.known_boost(id) is None:
            return self.assume_unknown_boosts_help and sum(resources.hand) > 0
        return BOOSTS[id].effect == "advance" and any(True for _ in self._payable_costs(resources, id))

    def boost_outcomes(self, resources: RunResources, id: str) -> Iterator[RunResources]:
        """Yield the possible resources after a Boost that draws cards or removes a Setback."""
        for paid in self._payable_costs(resources, id):
            hand, discard = subtract_cards(resources.hand, paid), add_cards(resources.discard, paid)
            after = replace(resources, hand=hand, discard=discard, boosts=remove_one(resources.boosts, id))
            if BOOSTS[id].effect == "shed":
                for setback in set(after.setbacks):
                    yield replace(after, setbacks=remove_one(after.setbacks, setback))
            elif BOOSTS[id].effect == "draw":
                yield from draw_outcomes(after)


def draw_outcomes(resources: RunResources) -> Iterator[RunResources]:
    """Yield the possible resources after drawing three cards and a reshuffle if due."""
    unknown = subtract_cards(subtract_cards(DECK, resources.hand), resources.discard)
    if resources.deck >= BOOST_DRAW_COUNT:
        for cards in card_combinations(BOOST_DRAW_COUNT, unknown):
            yield replace(resources, hand=add_cards(resources.hand, cards), deck=resources.deck - BOOST_DRAW_COUNT)
        return
    pool = add_cards(unknown, resources.discard)
    # If no other card is unseen, the unknown cards are the rest of the deck.
    certain = unknown if sum(unknown) == resources.deck else NO_CARDS
    number = min(BOOST_DRAW_COUNT, sum(pool)) - sum(certain)
    for cards in card_combinations(number, subtract_cards(pool, certain)):
        yield replace(
            resources,
            hand=add_cards(add_cards(resources.hand, certain), cards),
            discard=NO_CARDS,
            deck=max(0, sum(pool) - BOOST_DRAW_COUNT),
        )


def make_run_search(state: State, seat: int, *, assume_unknown_boosts_help: bool = False) -> RunSearch | None:
    """Return the search for a way over the next leg, or None while its color is unknown."""
    colour = next_leg_colour(state, seat)
    if colour is None:
        return None
    return RunSearch(
        colour, state.facts, has_wild_greens(state, seat), can_green_pay(state, seat), assume_unknown_boosts_help
    )


def known_resources(state: State, seat: int) -> RunResources:
    """Return a runner's resources, with the known cards only."""
    player = state.players[seat]
    return RunResources(player.hand, player.discard, player.deck, player.setbacks, state.ready_boosts(seat))


def possible_resources(state: State, seat: int) -> Iterator[RunResources]:
    """Yield every hand a runner may have: the known cards and any of the unseen ones."""
    known, player = known_resources(state, seat), state.players[seat]
    for cards in card_combinations(
        player.unknown_hand, subtract_cards(subtract_cards(DECK, player.hand), player.discard)
    ):
        yield replace(known, hand=add_cards(known.hand, cards))


def can_run(state: State, seat: int, *, assume_unknown_boosts_help: bool = False) -> bool:
    """Return whether at least one hand that the runner may have can run a leg."""
    search = make_run_search(state, seat, assume_unknown_boosts_help=assume_unknown_boosts_help)
    return search is None or any(map(search.make_way_finder(), possible_resources(state, seat)))


def can_be_stuck(state: State, seat: int, *, assume_unknown_boosts_help: bool = False) -> bool:
    """Return whether at least one hand that the runner may have cannot run a leg."""
    search = make_run_search(state, seat, assume_unknown_boosts_help=assume_unknown_boosts_help)
    return search is not None and not all(map(search.make_way_finder(), possible_resources(state, seat)))


def find_way(state: State, seat: int) -> Cards | str:
    """Return the known cards or the Boost that run the next leg, or "luck" without either.

    While the color of the leg is unknown, that is no card.
    """
    search, known = make_run_search(state, seat), known_resources(state, seat)
    if search is None:
        return NO_CARDS
    if cards := search.find_cards(known):
        return cards
    can_run_with = search.make_way_finder()
    return next(
        (
            id
            for id in known.boosts
            if search.can_advance(known, id) or any(map(can_run_with, search.boost_outcomes(known, id)))
        ),
        "luck",
    )
