"""Moves that enter cards: those in a hand, the color of a Setback, the values of a Boost."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import pluralize
from scoring.kernel.move import MoveLabel
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import (
    BOOSTS,
    CARDS,
    COLOURS,
    COST_CARDS,
    DECK,
    DECK_SIZE,
    PAIR_SETBACKS,
    Card,
    Colour,
)
from scoring.on_the_trail.card_facts import (
    BoostFact,
    check_boost,
    describe_cost,
    no_colour_reason,
    unknown_boost_reason,
)
from scoring.on_the_trail.cards import NO_CARDS, add_cards, cards_of_kind, is_subset
from scoring.on_the_trail.moves.reveals import ALREADY_ENTERED, Reveal
from scoring.on_the_trail.run_options import BOOST_DRAW_COUNT
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import card_name, describe_card, describe_deduced_cards, hands_not_tracked_reason


class NoteCard(Reveal, tag="note-card"):
    """Enter a card of your hand on your own phone."""

    title = "Enter a card from your hand"
    entered_fact = "your hand"
    resolves = ("hand",)
    rules = (r.SETUP_HAND, r.DRAW_FOUR, r.DECK_CARDS, r.FINISH_ROUND)
    is_secret = True

    card: Card

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if state.tracking == "light":
            yield hands_not_tracked_reason()
        elif not player.unknown_hand:
            text = "Your whole hand has already been entered."
            if sum(player.deduced):
                text = f"{describe_deduced_cards(player)} {text}"
            yield Reason("hand-told", r.SETUP_HAND, text)
        elif not is_subset(add_cards(add_cards(player.hand, player.discard), cards_of_kind(self.card)), DECK):
            count = DECK[CARDS.index(self.card)]
            cards_text = f"All {count} of your {self.card} cards are" if count > 1 else f"Your {self.card} card is"
            text = f"{cards_text} already in your hand or discard pile."
            if is_subset(cards_of_kind(self.card), player.deduced):
                text = f"{text} {describe_deduced_cards(player)}"
            yield Reason("deck-count", r.DECK_CARDS, text)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        return state.with_player(
            seat, hand=add_cards(player.hand, cards_of_kind(self.card)), unknown_hand=player.unknown_hand - 1
        )

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteCard"]:
        if state.tracking == "open" and state.players[seat].unknown_hand:
            yield from map(cls, CARDS)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Enter {describe_card(self.card)}", icon="card", short=self.card.capitalize())

    def log_text(self, state: State, seat: int) -> str:
        return f"entered {describe_card(self.card)}"


class ForgetHand(Reveal, tag="forget-hand"):
    """Clear the cards entered for your hand, to enter them again."""

    title = "Re-enter your hand"
    fixed_label = MoveLabel("Re-enter my hand", icon="undo")
    fixed_log_text = "cleared the hand to enter it again"
    rules = (r.SETUP_HAND, r.FINISH_ROUND)
    is_secret = True

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        if state.tracking == "light":
            yield hands_not_tracked_reason()
        elif not sum(state.players[seat].hand):
            yield Reason("nothing-told", r.SETUP_HAND, "You have not entered any cards yet.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=NO_CARDS, unknown_hand=state.players[seat].held, deduced=NO_CARDS)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ForgetHand"]:
        if sum(state.players[seat].hand):
            yield cls()


class EnterColour(Reveal, tag="tell-colour"):
    """Enter the color whose pairs a Setback forbids."""

    title = "Enter a Setback\u2019s color"
    entered_fact = "the color on a Setback"
    names_player = False
    resolves = ("colour",)
    rules = (
        r.NO_PAIR,
        r.FINISH_ROUND,
    )

    setback: str
    colour: Colour

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        if self.setback not in PAIR_SETBACKS:
            yield no_colour_reason()
        elif state.facts.setbacks.get(self.setback) == self.colour:
            yield Reason("no-change", r.NO_PAIR, ALREADY_ENTERED)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=replace(state.facts, setbacks={**state.facts.setbacks, self.setback: self.colour}))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EnterColour"]:
        for setback in () if state.is_over else state.setbacks_with_unknown_colour[:1]:
            yield from (cls(setback, colour) for colour in COLOURS)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Enter {self.colour} for {card_name(self.setback)}", icon="setback", short=self.colour.capitalize()
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"{card_name(self.setback)} shows {self.colour}"


_BOOST_GAINS = {"shed": "discards a Setback", "draw": f"draws {BOOST_DRAW_COUNT} cards"}


class EnterBoost(Reveal, tag="tell-boost"):
    """Enter the values of a Boost: the cards it costs, and the legs it brings."""

    title = "Enter a Boost\u2019s cost"
    entered_fact = "the cost of a Boost"
    names_player = False
    resolves = ("boost",)
    rules = (r.BOOST_COST, r.ADVANCE, r.FINISH_ROUND, r.BOOST_PILE)

    boost: str
    red: int = 0
    yellow: int = 0
    green: int = 0
    any: int = 0
    legs: int | None = None

    @property
    def fact(self) -> BoostFact:
        counts = zip(COST_CARDS, self._counts, strict=True)
        return BoostFact(tuple(card for card, number in counts for _ in range(min(number, DECK_SIZE))), self.legs)

    @property
    def _counts(self) -> tuple[int, ...]:
        return (self.red, self.yellow, self.green, self.any)

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in BOOSTS:
            yield unknown_boost_reason(self.boost)
        elif wrong := list(self._value_errors()):
            yield from wrong
        elif self.fact == state.facts.boosts.get(self.boost, BoostFact()):
            yield Reason("no-change", r.BOOST_COST, ALREADY_ENTERED)

    def _value_errors(self) -> Iterator[Reason]:
        """Yield the reasons why no such Boost can have these values."""
        name, effect = BOOSTS[self.boost].name, BOOSTS[self.boost].effect
        if (effect != "eyes" and not self.fact.cost) or min(self._counts) < 0:
            yield Reason("boost-cost", r.BOOST_COST, f"{name} costs at least 1 card. Enter its cost.")
        if effect == "advance" and self.legs is None:
            yield Reason("boost-legs", r.ADVANCE, f"{name} gives legs. Enter how many.")
        yield from check_boost(self.boost, self.fact)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=replace(state.facts, boosts={**state.facts.boosts, self.boost: self.fact}))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EnterBoost"]:
        """Yield sample values for a Boost in front of the runner; people type the real ones."""
        for boost in state.unknown_boosts if state.phase == "run" else ():
            for legs in (2, 3) if BOOSTS[boost].effect == "advance" else (None,):
                yield cls(boost, red=1, legs=legs)
                yield cls(boost, yellow=1, green=1, legs=legs)
                yield cls(boost, any=2, legs=legs)

    def label(self, state: State, seat: int) -> MoveLabel:
        if self.boost not in BOOSTS:
            return MoveLabel("Enter the cost of a Boost", icon="boost")
        legs_text = "" if self.legs is None else f" for {pluralize(self.legs, 'leg')}"
        return MoveLabel(f"Enter the cost of {BOOSTS[self.boost].name} ({self._cost_text}{legs_text})", icon="boost")

    @property
    def _cost_text(self) -> str:
        return describe_cost(self.fact) or "no cards"

    def log_text(self, state: State, seat: int) -> str:
        effect = BOOSTS[self.boost].effect
        gain = _BOOST_GAINS.get(effect, "") if self.legs is None else f"gives {pluralize(self.legs, 'leg')}"
        return f"{BOOSTS[self.boost].name} costs {self._cost_text}{f' and {gain}' if gain else ''}"
