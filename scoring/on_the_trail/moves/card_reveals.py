"""What is told of cards, without asking: those in one's hand, the colour of a Setback, what stands on a Boost."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import plural
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
    SETBACKS,
    Card,
    Colour,
)
from scoring.on_the_trail.cards import NONE, plus, some, within
from scoring.on_the_trail.facts import BoostFact, check_boost, no_colour, no_such_boost
from scoring.on_the_trail.moves.reveals import Telling
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import cost_in_words, known_already, not_tracked, one_card


class NoteCard(Telling, tag="note-card"):
    """Tell your own phone of a card in your hand."""

    answers = ("hand",)
    sign = "card"
    rules = (r.SETUP_HAND, r.DRAW_FOUR, r.DECK_CARDS)
    secret = True

    card: Card

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if state.tracking == "light":
            yield not_tracked()
        elif not player.unseen:
            known = f"{known_already(player)} So are all the cards you hold." if sum(player.deduced) else ""
            yield Reason("hand-told", r.SETUP_HAND, known or "You have told all the cards you hold.")
        elif not within(plus(plus(player.hand, player.discard), some(self.card)), DECK):
            count = DECK[CARDS.index(self.card)]
            text = f"Your deck has {plural(count, f'{self.card} card')}; all are in your hand or on your discard pile."
            if within(some(self.card), player.deduced):
                text = f"{text} {known_already(player)}"
            yield Reason("deck-count", r.DECK_CARDS, text)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        return state.with_player(seat, hand=plus(player.hand, some(self.card)), unseen=player.unseen - 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteCard"]:
        if state.tracking == "open" and state.players[seat].unseen:
            yield from map(cls, CARDS)

    def label(self, state: State, seat: int) -> str:
        return self.card.capitalize()

    def told(self, state: State, seat: int) -> str:
        return f"noted {one_card(self.card)} in hand"


class ForgetHand(Telling, tag="forget-hand"):
    """Take back what you told of your hand, to tell it anew."""

    sign = "undo"
    rules = (r.SETUP_HAND,)
    secret = True

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        if state.tracking == "light":
            yield not_tracked()
        elif not sum(state.players[seat].hand):
            yield Reason("nothing-told", r.SETUP_HAND, "You have told no card yet.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=NONE, unseen=state.players[seat].held, deduced=NONE)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ForgetHand"]:
        if sum(state.players[seat].hand):
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "Tell my hand anew"

    def told(self, state: State, seat: int) -> str:
        return "took the notes of the hand back"


class TellColour(Telling, tag="tell-colour"):
    """Say which colour a Setback shows: no pairs of it."""

    answers = ("colour",)
    sign = "setback"
    rules = (r.NO_PAIR,)

    setback: str
    colour: Colour

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        if self.setback not in PAIR_SETBACKS:
            yield no_colour()
        elif state.facts.setbacks.get(self.setback) == self.colour:
            yield Reason("no-change", r.NO_PAIR, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=replace(state.facts, setbacks={**state.facts.setbacks, self.setback: self.colour}))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellColour"]:
        for setback in () if state.over else state.colours_wanted[:1]:
            yield from (cls(setback, colour) for colour in COLOURS)

    def label(self, state: State, seat: int) -> str:
        return self.colour.capitalize()

    def told(self, state: State, seat: int) -> str:
        return f"sees {self.colour} on {SETBACKS[self.setback].name}"


class TellBoost(Telling, tag="tell-boost"):
    """Say what stands on a Boost: the cards it costs, and the legs it brings."""

    answers = ("boost",)
    sign = "boost"
    rules = (r.BOOST_COST, r.ADVANCE)

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

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in BOOSTS:
            yield no_such_boost(self.boost)
        elif wrong := list(self._cannot_be()):
            yield from wrong
        elif self.fact == state.facts.boosts.get(self.boost, BoostFact()):
            yield Reason("no-change", r.BOOST_COST, "The app has it so already.")

    def _cannot_be(self) -> Iterator[Reason]:
        """Yield why this can stand on no such Boost."""
        name, effect = BOOSTS[self.boost].name, BOOSTS[self.boost].effect
        if (effect != "eyes" and not self.fact.cost) or min(self._counts) < 0:
            yield Reason("boost-cost", r.BOOST_COST, f"{name} costs at least one card.")
        if effect == "advance" and self.legs is None:
            yield Reason("boost-legs", r.ADVANCE, f"{name} brings legs; say how many.")
        yield from check_boost(self.boost, self.fact)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=replace(state.facts, boosts={**state.facts.boosts, self.boost: self.fact}))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellBoost"]:
        """Yield what a Boost in front of the runner could say; people type what it does say."""
        for boost in state.boosts_wanted if state.phase == "run" else ():
            for legs in (2, 3) if BOOSTS[boost].effect == "advance" else (None,):
                yield cls(boost, red=1, legs=legs)
                yield cls(boost, yellow=1, green=1, legs=legs)
                yield cls(boost, any=2, legs=legs)

    def label(self, state: State, seat: int) -> str:
        return f"{BOOSTS[self.boost].name} {self._says()}" if self.boost in BOOSTS else "A Boost"

    def _says(self) -> str:
        cost = f"costs {cost_in_words(self.fact)}" if self.fact.cost else "costs nothing"
        return cost if self.legs is None else f"{cost} for {plural(self.legs, 'leg')}"

    def told(self, state: State, seat: int) -> str:
        return f"sees that {self.label(state, seat)}"
