"""What people tell the app: the cards in their hand, what is printed on the cards."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import (
    BOOSTS,
    CARDS,
    COLOURS,
    DECK,
    DECK_SIZE,
    PAIR_SETBACKS,
    SETBACKS,
    STOPS,
    TRAIL_CARDS,
    Card,
    Colour,
    Stop,
)
from scoring.on_the_trail.cards import NONE, plus, some, within
from scoring.on_the_trail.facts import MOST_LEGS, BoostFact, check_boost, ended
from scoring.on_the_trail.route import coming, place
from scoring.on_the_trail.running import cost_in_words
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import boosts_wanted, colour_wanted, need
from scoring.on_the_trail.words import STOPS as STOP_WORDS
from scoring.on_the_trail.words import a


def over(state: State) -> Reason | None:
    return Reason("race-over", r.FINISH_ROUND, "The race is over.") if state.over else None


class NoteCard(Move):
    """Tell your own phone of a card in your hand."""

    answers = ("hand",)
    rules = (r.SETUP_HAND, r.DRAW_FOUR, r.DECK_CARDS)
    anytime = True
    secret = True

    card: Card

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or not_tracked(state):
            yield reason
            return
        player = state.players[seat]
        if not player.unseen:
            yield Reason("hand-told", r.SETUP_HAND, "You have told all the cards you hold.")
        elif not within(plus(plus(player.hand, player.discard), some(self.card)), DECK):
            count = DECK[CARDS.index(self.card)]
            text = f"Your deck has {plural(count, f'{self.card} card')}; all are in your hand or on your discard pile."
            yield Reason("deck-count", r.DECK_CARDS, text)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        return state.with_player(seat, hand=plus(player.hand, some(self.card)), unseen=player.unseen - 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteCard"]:
        if state.tracking == "open" and state.players[seat].unseen and not state.players[seat].bot:
            yield from map(cls, CARDS)

    def label(self, state: State, seat: int) -> str:
        return self.card.capitalize()

    def icon(self, state: State, seat: int) -> str:
        return "card"

    def told(self, state: State, seat: int) -> str:
        return f"noted {a(self.card)} in hand"


class ForgetHand(Move):
    """Take back what you told of your hand, to tell it anew."""

    rules = (r.SETUP_HAND,)
    anytime = True
    secret = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or not_tracked(state):
            yield reason
        elif not sum(state.players[seat].hand):
            yield Reason("nothing-told", r.SETUP_HAND, "You have told no card yet.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=NONE, unseen=state.players[seat].held)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ForgetHand"]:
        if sum(state.players[seat].hand):
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "Tell my hand anew"

    def icon(self, state: State, seat: int) -> str:
        return "undo"

    def told(self, state: State, seat: int) -> str:
        return "took the notes of the hand back"


def not_tracked(state: State) -> Reason | None:
    if state.tracking == "open":
        return None
    return Reason("light", r.SETUP_HAND, "This table tells only what is played; hands stay untold.")


class TellLeg(Move):
    """Say what colour a leg of a Trail card has: the one that comes next, or one that was told wrongly."""

    answers = ("leg",)
    rules = (r.TRAIL_CARDS, r.SETUP_TRAIL)
    anytime = True

    card: int
    leg: int
    colour: Colour

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or no_such_card(self.card):
            yield reason
            return
        card = state.facts.cards[self.card]
        if not 0 <= self.leg <= len(card.legs):
            text = f"This Trail card has {plural(len(card.legs), 'leg')} so far; tell them in order."
            yield Reason("no-such-leg", r.TRAIL_CARDS, text)
        elif self.leg == len(card.legs):
            if card.whole or self.card != state.frontier:
                yield Reason("card-whole", r.TRAIL_CARDS, "A leg can be added where the known Trail ends, nowhere else.")
            elif self.leg >= MOST_LEGS:
                yield Reason("too-many-legs", r.TRAIL_CARDS, f"A Trail card has at most {MOST_LEGS} legs.")
        elif card.legs[self.leg].colour == self.colour:
            yield Reason("no-change", r.TRAIL_CARDS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=state.facts.with_leg(self.card, self.leg, colour=self.colour))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellLeg"]:
        if (spot := blank(state)) is not None:
            for colour in COLOURS:
                yield cls(*spot, colour)

    def label(self, state: State, seat: int) -> str:
        return f"{self.colour.capitalize()} leg"

    def icon(self, state: State, seat: int) -> str:
        return "trail-end"

    def told(self, state: State, seat: int) -> str:
        return f"sees a {self.colour} leg on {card_name(self.card)}"


def blank(state: State) -> tuple[int, int] | None:
    """Return the Trail card and the leg that is to be told next: before the runner, or where the known Trail ends."""
    if state.over:
        return None
    at, way = state.players[state.turn].at, state.legs
    if at < len(way):
        return place(state, at + 1) if way[at].colour is None else None
    card = state.frontier
    return None if card is None else (card, len(state.facts.cards[card].legs))


class EndCard(Move):
    """Say that a Trail card ends where the known Trail ends: the next card begins, or it is the finish."""

    answers = ("leg",)
    rules = (r.TRAIL_CARDS, r.CARD_ENDS, r.FINISH_LINE)
    anytime = True

    card: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or no_such_card(self.card):
            yield reason
        elif self.card != state.frontier:
            yield Reason("card-whole", r.TRAIL_CARDS, "The known Trail does not end on this card.")
        elif not state.facts.cards[self.card].legs:
            yield Reason("no-legs", r.TRAIL_CARDS, "A Trail card has at least one leg.")

    def apply(self, state: State, seat: int) -> State:
        card = ended(replace(state.facts.cards[self.card], whole=True))
        return replace(state, facts=state.facts.with_card(self.card, legs=card.legs, whole=True))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EndCard"]:
        card = state.frontier
        if card is not None and state.facts.cards[card].legs and not state.over:
            yield cls(card)

    def label(self, state: State, seat: int) -> str:
        last = len(state.order) == TRAIL_CARDS and state.order[-1] == self.card
        return "This is the finish" if last else "The next card begins"

    def icon(self, state: State, seat: int) -> str:
        return "flag"

    def told(self, state: State, seat: int) -> str:
        return f"sees the end of {card_name(self.card)}"


class LayCard(Move):
    """Say which Trail card lies next."""

    answers = ("leg",)
    rules = (r.SETUP_TRAIL,)
    anytime = True

    card: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or no_such_card(self.card):
            yield reason
        elif state.frontier is not None or state.complete:
            yield Reason("not-yet", r.SETUP_TRAIL, "No other Trail card begins where the known Trail ends.")
        elif self.card not in coming(state):
            yield Reason("card-lies", r.SETUP_TRAIL, "That Trail card lies elsewhere in the row.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, order=(*state.order, self.card))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LayCard"]:
        if not state.over and state.frontier is None and not state.complete:
            yield from map(cls, coming(state))

    def label(self, state: State, seat: int) -> str:
        known = state.facts.cards[self.card].legs
        return card_name(self.card).capitalize() if known else "A card nobody has told yet"

    def hint(self, state: State, seat: int) -> str:
        return ", ".join(leg.colour or "?" for leg in state.facts.cards[self.card].legs)

    def icon(self, state: State, seat: int) -> str:
        return "cards"

    def told(self, state: State, seat: int) -> str:
        return f"sees that {card_name(self.card)} lies next"


class TellStop(Move):
    """Say what kind of stop a leg of a Trail card leads to."""

    answers = ("stop",)
    rules = (r.TRAIL_CARDS, r.STOP_FINAL)
    anytime = True

    card: int
    leg: int
    stop: Stop

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or no_such_card(self.card):
            yield reason
            return
        known = state.facts.cards[self.card].legs
        if not 0 <= self.leg < len(known):
            yield Reason("no-such-leg", r.TRAIL_CARDS, f"This Trail card has {plural(len(known), 'leg')} so far.")
        elif known[self.leg].stop == self.stop:
            yield Reason("no-change", r.TRAIL_CARDS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=state.facts.with_leg(self.card, self.leg, stop=self.stop))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellStop"]:
        if need(state) == "stop":
            for stop in STOPS:
                yield cls(*place(state, state.players[state.turn].at), stop)

    def label(self, state: State, seat: int) -> str:
        return {"neutral": "Neutral", "setback": "Setback", "aid": "Aid Station"}[self.stop]

    def icon(self, state: State, seat: int) -> str:
        return {"neutral": "stop", "setback": "setback", "aid": "aid"}[self.stop]

    def told(self, state: State, seat: int) -> str:
        return f"sees {STOP_WORDS[self.stop]} on {card_name(self.card)}"


class TellColour(Move):
    """Say which colour a Setback shows: no pairs of it."""

    answers = ("colour",)
    rules = (r.NO_PAIR,)
    anytime = True

    setback: str
    colour: Colour

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state):
            yield reason
        elif self.setback not in PAIR_SETBACKS:
            names = ", ".join(SETBACKS[id].name for id in PAIR_SETBACKS)
            yield Reason("no-colour", r.NO_PAIR, f"Only these Setbacks show a colour: {names}.")
        elif state.facts.setbacks.get(self.setback) == self.colour:
            yield Reason("no-change", r.NO_PAIR, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=replace(state.facts, setbacks={**state.facts.setbacks, self.setback: self.colour}))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellColour"]:
        if not state.over and (setback := colour_wanted(state)):
            for colour in COLOURS:
                yield cls(setback, colour)

    def label(self, state: State, seat: int) -> str:
        return self.colour.capitalize()

    def icon(self, state: State, seat: int) -> str:
        return "setback"

    def told(self, state: State, seat: int) -> str:
        return f"sees {self.colour} on {SETBACKS[self.setback].name}" if self.setback in SETBACKS else "sees a colour"


class TellBoost(Move):
    """Say what stands on a Boost: the cards it costs, and the legs it brings."""

    answers = ("boost",)
    rules = (r.BOOST_COST, r.ADVANCE)
    anytime = True

    boost: str
    red: int = 0
    yellow: int = 0
    green: int = 0
    any: int = 0
    legs: int | None = None

    @property
    def fact(self) -> BoostFact:
        counts = ((card, min(number, DECK_SIZE)) for card, number in zip((*COLOURS, "any"), self._counts, strict=True))
        return BoostFact(tuple(card for card, number in counts for _ in range(number)), self.legs)

    @property
    def _counts(self) -> tuple[int, ...]:
        return (self.red, self.yellow, self.green, self.any)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state):
            yield reason
            return
        if self.boost not in BOOSTS:
            yield Reason("no-such-boost", r.BOOST_PILE, f"There is no Boost \u201c{self.boost}\u201d.")
            return
        name, effect = BOOSTS[self.boost].name, BOOSTS[self.boost].effect
        if (effect != "eyes" and not self.fact.cost) or min(self._counts) < 0:
            yield Reason("boost-cost", r.BOOST_COST, f"{name} costs at least one card.")
        if effect == "advance" and self.legs is None:
            yield Reason("boost-legs", r.ADVANCE, f"{name} brings legs; say how many.")
        yield from check_boost(self.boost, self.fact)
        if self.fact == state.facts.boosts.get(self.boost, BoostFact()):
            yield Reason("no-change", r.BOOST_COST, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=replace(state.facts, boosts={**state.facts.boosts, self.boost: self.fact}))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellBoost"]:
        """Yield what a Boost in front of the runner could say; people type what it does say."""
        for boost in boosts_wanted(state) if state.phase == "run" else ():
            for legs in (2, 3) if BOOSTS[boost].effect == "advance" else (None,):
                yield cls(boost, red=1, legs=legs)
                yield cls(boost, yellow=1, green=1, legs=legs)
                yield cls(boost, any=2, legs=legs)

    def label(self, state: State, seat: int) -> str:
        return f"{BOOSTS[self.boost].name} {self._says()}" if self.boost in BOOSTS else "A Boost"

    def _says(self) -> str:
        cost = f"costs {cost_in_words(self.fact)}" if self.fact.cost else "costs nothing"
        return cost if self.legs is None else f"{cost} for {plural(self.legs, 'leg')}"

    def icon(self, state: State, seat: int) -> str:
        return "boost"

    def told(self, state: State, seat: int) -> str:
        return f"sees that {self.label(state, seat)}"


def no_such_card(card: int) -> Reason | None:
    if 0 <= card < TRAIL_CARDS:
        return None
    return Reason("no-such-card", r.COMPONENTS, f"The box has {TRAIL_CARDS} Trail cards.")


def card_name(card: int) -> str:
    return f"Trail card {card + 1}"
