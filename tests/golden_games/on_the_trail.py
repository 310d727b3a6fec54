"""Golden games of ON THE TRAIL: players run as far as their cards allow.

Decks and the row of Trail cards are shuffled. The values on Trail cards and Boosts are those that the tests made up.
"""

import random
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK, SETBACKS
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.cards import is_subset, iter_cards
from scoring.on_the_trail.moves.card_reveals import EnterBoost, EnterColour, NoteCard
from scoring.on_the_trail.moves.reveals import EndCard, EnterLeg, EnterStop, LayCard, next_unknown_leg
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, Run, Stay
from scoring.on_the_trail.moves.stops import ShedSetbacks, TakeBoost, TakeSetback
from scoring.on_the_trail.route import find_spot
from scoring.on_the_trail.state import Setup, State
from scoring.on_the_trail.turn import required_decision
from tests.golden_games.files import game_to_json
from tests.support.on_the_trail_table import CARD_FACTS, PARTIAL_CARD_FACTS

TRACKED_GAME = TRACKED_GAMES["on-the-trail"]


class SimulatedGame:
    """A race with shuffled cards, and the moves that its players enter."""

    def __init__(self, seed: str, setup: Setup):
        self.rng = random.Random(seed)
        self.setup = setup
        self.state: State = TRACKED_GAME.initial_state(self.setup)
        self.log: list[tuple[int, Move]] = []
        self.trail = self._shuffled(range(5))  # the Trail cards of the box, in the order of the row
        self.setbacks = self._shuffled(id for id, card in SETBACKS.items() for _ in range(card.copies))
        self.boosts = self._shuffled(BOOSTS)
        self.decks = [self._shuffled(iter_cards(DECK)) for _ in range(2)]
        self.piles: list[list[str]] = [[], []]
        self.hands: list[list[str]] = [[], []]
        self._draw()

    def _shuffled(self, cards) -> list:
        cards = list(cards)
        self.rng.shuffle(cards)
        return cards

    def play(self) -> "SimulatedGame":
        while seats := TRACKED_GAME.flow.to_move(self.state):
            self.play_move(seats[0], self.choose_move(seats[0]))
        return self

    def play_move(self, seat: int, move: Move) -> None:
        self.state = TRACKED_GAME.play(self.state, seat, move)
        self.log.append((seat, move))
        self._move_cards(seat, move)
        self._draw()

    def _move_cards(self, seat: int, move: Move) -> None:
        """Move the simulated cards according to a move."""
        hand, pile = self.hands[seat], self.piles[seat]
        discarded = list(iter_cards(move.cards)) if isinstance(move, Run | Activate) else []
        if isinstance(move, Stay):
            discarded = list(hand)
            if move.keep:
                discarded.remove(self._best_card(hand) if move.keep == "card" else move.keep)
        for card in discarded:
            hand.remove(card)
            pile.append(card)

    def _draw(self) -> None:
        """Draw until each hand has as many cards as in the state."""
        for seat, player in enumerate(self.state.players):
            while len(self.hands[seat]) < player.held:
                if not self.decks[seat]:
                    self.decks[seat], self.piles[seat] = self._shuffled(self.piles[seat]), []
                self.hands[seat].append(self.decks[seat].pop())

    def choose_move(self, seat: int) -> Move:
        """Return the next move of the player to move."""
        return getattr(self, f"_{required_decision(self.state)}")(seat)

    def _hand(self, seat: int) -> Move:
        entered = list(iter_cards(self.state.players[seat].hand))
        left = list(self.hands[seat])
        for card in entered:
            left.remove(card)
        return NoteCard(left[0])

    def _leg(self, seat: int) -> Move:
        spot = next_unknown_leg(self.state)
        if spot is None:
            number = self.trail[len(self.state.order)]
            return LayCard(number if self.setup.facts.cards[number].legs else self._unknown_card())
        card, leg = spot
        printed = CARD_FACTS.cards[self.trail[self.state.order.index(card)]]
        return EnterLeg(card, leg, printed.legs[leg].colour) if leg < len(printed.legs) else EndCard(card)

    def _unknown_card(self) -> int:
        cards = self.state.facts.cards
        return next(card for card in range(5) if not cards[card].legs and card not in self.state.order)

    def _stop(self, seat: int) -> Move:
        card, leg = find_spot(self.state, self.state.players[self.state.turn].legs_run)
        return EnterStop(card, leg, CARD_FACTS.cards[self.trail[self.state.order.index(card)]].legs[leg].stop)

    def _setback(self, seat: int) -> Move:
        self.setbacks = self.setbacks or self._shuffled(self.state.setback_discard)
        return TakeSetback(self.setbacks.pop())

    def _aid(self, seat: int) -> Move:
        if len(self.state.players[seat].setbacks) > 1:
            return ShedSetbacks()
        return TakeBoost(self.boosts.pop())

    def _colour(self, seat: int) -> Move:
        setback = self.state.setbacks_with_unknown_colour[0]
        return EnterColour(setback, CARD_FACTS.setbacks[setback])

    def _boost(self, seat: int) -> Move:
        id = self.state.unknown_boosts[0]
        fact = CARD_FACTS.boosts[id]
        counts = {card: fact.cost.count(card) for card in ("red", "yellow", "green", "any")}
        return EnterBoost(id, **counts, legs=fact.legs)

    def _flip(self, seat: int) -> Move:
        if self.state.bot_deck == "app":
            return Flip()
        if not self.decks[1]:
            self.decks[1], self.piles[1] = self._shuffled(self.piles[1]), []
        self.piles[1].append(self.decks[1].pop())
        return Flip(self.piles[1][-1])

    def _run(self, seat: int) -> Move:
        """Run on while cards fit and the stop is not good; prefer a Boost to a pair."""
        if self.state.unknown_boosts:
            return self._boost(seat)
        hand = tuple(self.hands[seat].count(card) for card in CARDS)
        legal_moves = [
            offer.move
            for offer in TRACKED_GAME.offers(self.state, seat)
            if offer.is_legal and not offer.move.out_of_turn
        ]
        playable = [move for move in legal_moves if isinstance(move, Run | Activate) and is_subset(move.cards, hand)]
        playable = [move for move in playable if not (isinstance(move, Run) and move.leg)]  # legs are entered first
        if next_unknown_leg(self.state) and not self.state.moved:
            return self._leg(seat)
        if self.state.moved and (not playable or self._is_good_stop(seat)):
            return self._choose_stay(seat, [move for move in legal_moves if isinstance(move, Stay)])
        return max(playable, key=self._rate_move, default=DropOut())

    def _is_good_stop(self, seat: int) -> bool:
        """Return whether the runner should stay at this stop."""
        known = self.state.legs[self.state.players[seat].legs_run - 1].stop
        return self.state.moved > 1 and known != "setback" and self.rng.random() < 0.5

    def _choose_stay(self, seat: int, legal: list[Stay]) -> Stay:
        best = self._best_card(self.hands[seat]) if self.hands[seat] else None
        return next((move for move in legal if move.keep in (best, "card") and move.keep), Stay())

    def _best_card(self, hand: list[str]) -> str:
        return max(hand, key=lambda card: (card == "wild", hand.count(card), card))

    def _rate_move(self, move: Move) -> tuple:
        if isinstance(move, Activate):
            legs = self.state.facts.known_boost(move.boost).legs or 1
            return (legs, -move.wild, -sum(move.cards), self.rng.random())
        return (1.5 if not move.pair and move.card != "wild" else 0.5, 0, -sum(move.cards), self.rng.random())

    def to_json(self) -> str:
        """Return the race as the content of its file."""
        return game_to_json(TRACKED_GAME, self.setup, self.log)


GAME_SETTINGS = {
    "on-the-trail-1": ("alone", 1, {"tracking": "open", "seed": 11}),
    "on-the-trail-1-flipped-by-hand": (
        "alone with cards",
        1,
        {"bot_deck": "cards", "tracking": "light", "facts": CARD_FACTS},
    ),
    "on-the-trail-2": ("two", 2, {"tracking": "open"}),
    "on-the-trail-2-half-known": (
        "two again",
        2,
        {"tracking": "open", "facts": PARTIAL_CARD_FACTS, "rulings": {"level-second": "second"}},
    ),
    "on-the-trail-2-light": ("two at ease", 2, {"facts": CARD_FACTS, "tracking": "light"}),
    "on-the-trail-2-light-unknown": ("two strangers", 2, {"tracking": "light", "facts": CardFacts()}),
}


def play_golden_games() -> Iterator[tuple[str, SimulatedGame]]:
    """Yield the name and the simulated race of each golden game."""
    for name, (seed, players, changes) in GAME_SETTINGS.items():
        yield (
            name,
            SimulatedGame(seed, replace(TRACKED_GAME.setup_format.default(["Ana", "Bo"][:players]), **changes)).play(),
        )
