"""The bot of the solo race: its deck and the move that flips its card."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b

from msgspec.structs import replace

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import CARDS, DECK, DECK_SIZE, Card
from scoring.on_the_trail.cards import Cards, add_cards, cards_of_kind, is_subset, iter_cards
from scoring.on_the_trail.route import legs_until_finish, next_leg_colour
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import describe_card
from scoring.on_the_trail.turn import reshuffle

MATCH_STEPS, MISMATCH_STEPS = 4, 2  # stops the bot moves


@lru_cache(maxsize=1024)
def shuffled_deck(seed: int, shuffle: int) -> tuple[Card, ...]:
    """Return the bot's deck after one of its shuffles.

    The same seed gives the same order on every machine.
    """
    order = (blake2b(f"{seed} {shuffle} {number}".encode(), digest_size=8).digest() for number in range(DECK_SIZE))
    return tuple(card for _, card in sorted(zip(order, iter_cards(DECK), strict=True)))


def next_card(state: State) -> Card:
    """Return the card the app would flip next."""
    shuffle, number = divmod(state.flips, DECK_SIZE)
    return shuffled_deck(state.seed, shuffle)[number]


def steps_for(state: State, card: Card) -> int:
    """Return how many stops the bot moves with a card."""
    return MATCH_STEPS if card in ("wild", next_leg_colour(state, 1)) else MISMATCH_STEPS


def discard_after_flip(state: State, card: Card) -> Cards:
    """Return the bot's discard pile with one more card, emptied first if its deck has run out."""
    bot = state.players[1]
    return add_cards((bot if bot.deck else reshuffle(bot)).discard, cards_of_kind(card))


class Flip(Move[State], tag="flip"):
    """Flip the bot's top card: the bot moves 4 stops on a match or a wild, else 2."""

    title = "Flip the bot\u2019s card"
    names_player = False
    resolves = ("flip",)
    phase = Phase.TURN_START
    rules = (r.SOLO, r.SOLO_STARTS, r.SOLO_FLIP, r.SOLO_STOPS, r.SOLO_DECK, r.SOLO_HAND, r.DECK_CARDS)

    card: Card | None = None  # the card people flip; None if the app flips

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.bot_deck != "ask" and (self.card is None) != (state.bot_deck == "app"):
            text = (
                "Waymark deals the bot\u2019s cards in this race."
                if self.card
                else "Tap the card you flipped for the bot."
            )
            yield Reason("bot-deck", r.SOLO_FLIP, text)
        elif self.card and not is_subset(discard_after_flip(state, self.card), DECK):
            text = f"No {self.card} cards are left in the bot\u2019s deck."
            yield Reason("deck-count", r.DECK_CARDS, text)

    def apply(self, state: State, seat: int) -> State:
        card = self.card or next_card(state)
        steps = steps_for(state, card)
        bot_deck = "cards" if self.card else "app"
        after = replace(state, legs_to_run=steps, flips=state.flips + 1, bot_deck=bot_deck)
        return after.with_player(1, discard=discard_after_flip(state, card))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Flip"]:
        if state.bot_deck != "cards":
            yield cls()
        if state.bot_deck != "app":
            yield from map(cls, CARDS)

    def label(self, state: State, seat: int) -> MoveLabel:
        if not self.card:
            return MoveLabel("Flip the bot\u2019s card", icon="cards")
        return MoveLabel(f"The bot flips {describe_card(self.card)}", icon="cards", short=self.card.capitalize())

    def news_text(self, state: State, seat: int) -> str:
        return self.log_text(state, seat).removeprefix("The bot ")

    def log_text(self, state: State, seat: int) -> str:
        card = self.card or next_card(state)
        steps = steps_for(state, card)
        match = "" if card == "wild" else "match, " if steps == MATCH_STEPS else "no match, "
        flipped = "its wild card" if card == "wild" else card
        legs = legs_until_finish(state, 1, steps)
        legs_text = f"+{pluralize(legs, 'leg')}" if legs else f"up to {steps} legs"
        return f"The bot flipped {flipped}: {match}{legs_text}"
