"""The moves of the first two phases: run a leg, activate a Boost, stay and keep a card, drop out."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.english import plural
from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, COLOURS, DECK, SETBACKS, Card
from scoring.on_the_trail.cards import NONE, Cards, minus, plus, some, within, without
from scoring.on_the_trail.route import next_colour, next_leg
from scoring.on_the_trail.run_options import (
    DRAWN,
    can_run,
    green_pays,
    greens_wild,
    is_second,
    must_stop,
    pair_stopped,
    payments,
    pays,
    way_on,
)
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import NUMBERS, cards_in_words, cost_in_words, kept_in_words, name_of
from scoring.on_the_trail.turn import deal, end_turn, spend

Keep = Literal["red", "yellow", "green", "wild", "card"]  # "card": one that is not told (light tracking)


def short(state: State, seat: int, cards: Cards) -> Reason | None:
    """Return why a runner cannot play these cards, if they cannot."""
    player = state.players[seat]
    if state.tracking == "open":
        for card, wanted, held in zip(CARDS, cards, player.hand, strict=True):
            if wanted > held:
                text = f"That takes {cards_in_words(some(card, wanted))}; you have told {NUMBERS[held]}."
                return Reason("not-in-hand", r.PLAYED, text)
        return None
    if sum(cards) > player.held:
        return Reason(
            "too-few", r.PLAYED, f"That takes {plural(sum(cards), 'card')}; you hold {player.held or NUMBERS[0]}."
        )
    for card, wanted, out, count in zip(CARDS, cards, player.discard, DECK, strict=True):
        if wanted and out + wanted > count:
            left = f"{out} of them lie on your discard pile" if out > 1 else "one of them lies on your discard pile"
            left = left if out else "none has been played"
            return Reason("deck-count", r.DECK_CARDS, f"Your deck has {plural(count, f'{card} card')}; {left}.")
    return None


class Run(Move, tag="run"):
    """Run the next leg with a card of its colour, with a wild, or with a pair of another colour."""

    answers = ("run",)
    begins = True
    sign = "runner"
    rules = (r.RUN_COLOUR, r.RUN_WILD, r.RUN_PAIR, r.PLAYED, r.EYES_AHEAD, r.FINISH)

    card: Card
    pair: bool = False

    @property
    def cards(self) -> Cards:
        return some(self.card, 2 if self.pair else 1)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        colour = next_colour(state, seat)
        if colour is None:
            yield Reason("leg-unknown", r.RUN_COLOUR, "First tell what comes next on the Trail.")
            return
        if self.pair:
            yield from self._no_pair(state, seat, colour)
        elif self.card not in (colour, "wild") and not (self.card == "green" and greens_wild(state, seat)):
            yield self._no_match(state, seat, colour)
        if reason := short(state, seat, self.cards):
            yield reason

    def _no_pair(self, state: State, seat: int, colour: str) -> Iterator[Reason]:
        if self.card == "wild":
            yield Reason(
                "no-wild-pair", r.PAIR_ALIKE, "There is one wild card in your deck, and it needs no second one."
            )
        elif self.card == colour:
            yield Reason("own-colour", r.RUN_PAIR, f"The next leg is {colour}: one {colour} card runs it.")
        elif setback := pair_stopped(state.facts, state.players[seat].setbacks, self.card):
            yield Reason(
                "pair-stopped", r.NO_PAIR, f"{SETBACKS[setback].name} lies in front of you: no pair of {self.card}."
            )

    def _no_match(self, state: State, seat: int, colour: str) -> Reason:
        if self.card != "green" or "eyes-ahead" not in state.players[seat].boosts:
            return Reason(
                "wrong-colour", r.RUN_COLOUR, f"The next leg is {colour}; one {self.card} card does not run it."
            )
        other = state.players[1 - seat]
        if is_second(state, seat):
            return Reason("eyes-shut", r.EYES_EXHAUSTED, "Exhaustion lies in front of you: Eyes Ahead does not work.")
        if other.out and other.at >= state.players[seat].at:
            text = f"Eyes Ahead works while you are in second place; {other.name} has left the race."
            return Reason("not-second", r.SECOND_ALONE, text)
        if other.at == state.players[seat].at:
            return Reason("not-second", r.LEVEL, "Eyes Ahead works while you are in second place; you are level.")
        return Reason("not-second", r.EYES_AHEAD, "Eyes Ahead helps whoever is behind; you are ahead.")

    def apply(self, state: State, seat: int) -> State:
        at = state.players[seat].at + 1
        return replace(spend(state, seat, self.cards).with_player(seat, at=at), moved=state.moved + 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Run"]:
        if next_leg(state, seat):
            yield from map(cls, CARDS)
            for colour in COLOURS:
                yield cls(colour, pair=True)

    def label(self, state: State, seat: int) -> str:
        return f"Run with {cards_in_words(self.cards)}"

    def hint(self, state: State, seat: int) -> str:
        colour = next_colour(state, seat)
        return f"the {colour} leg" if colour else ""

    def told(self, state: State, seat: int) -> str:
        return f"ran the {next_colour(state, seat)} leg with {cards_in_words(self.cards)}"


class RunOn(Move, tag="run-on"):
    """Run several legs at once, each with a card of its own colour."""

    answers = ("run",)
    begins = True
    sign = "runner"
    rules = Run.rules

    legs: int

    @staticmethod
    def ahead(state: State, seat: int) -> tuple[Card, ...]:
        """Return the colours of the legs before a runner as far as each can be run with a card of its own colour."""
        ahead, left = [], state
        while (colour := next_colour(left, seat)) and not next(Run(colour).objections(left, seat), None):
            ahead.append(colour)
            left = Run(colour).apply(left, seat)
        return tuple(ahead)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        ahead = self.ahead(state, seat)
        if self.legs < 2:
            yield Reason("one-leg", r.RUN_COLOUR, "One leg is run with a card; say which.")
        elif self.legs > len(ahead):
            for colour in ahead:
                state = Run(colour).apply(state, seat)
            yield from Run(next_colour(state, seat) or "wild").objections(state, seat)

    def apply(self, state: State, seat: int) -> State:
        for colour in self.ahead(state, seat)[: self.legs]:
            state = Run(colour).apply(state, seat)
        return state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["RunOn"]:
        return map(cls, range(2, len(cls.ahead(state, seat)) + 1))

    def label(self, state: State, seat: int) -> str:
        return f"Run {NUMBERS[self.legs] if self.legs < len(NUMBERS) else self.legs} legs"

    def hint(self, state: State, seat: int) -> str:
        return ", ".join(self.ahead(state, seat)[: self.legs])

    def told(self, state: State, seat: int) -> str:
        return f"ran {plural(self.legs, 'leg')} with a card of each colour: {self.hint(state, seat)}"

    def tells_from(self, state: State, seat: int) -> State:
        return state.with_player(seat, at=state.players[seat].at + self.legs - 1)


class Activate(Move, tag="activate"):
    """Discard the cards a Boost costs, for what it brings; the Boost stays in front of you."""

    answers = ("run",)
    begins = True
    sign = "boost"
    rules = (
        r.BOOST_COST,
        r.BOOST_WILD,
        r.BOOST_ANY_TIME,
        r.BOOST_ORDER,
        r.BOOST_KEPT,
        r.ADVANCE,
        r.ADVANCE_RUNS,
        r.SURPLUS,
        r.SHED,
        r.DRAW_THREE,
    )

    boost: str
    red: int = 0
    yellow: int = 0
    green: int = 0
    wild: int = 0
    setback: str | None = None  # the one to discard, where the Boost takes one away

    @property
    def cards(self) -> Cards:
        return (self.red, self.yellow, self.green, self.wild)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in state.players[seat].boosts:
            yield Reason("not-your-boost", r.BOOST_COST, "No such Boost lies in front of you.")
        elif reason := (
            self._idle(state, seat)
            or self._unpaid(state, seat)
            or self._at_nothing(state, seat)
            or self._strands(state, seat)
        ):
            yield reason

    def _idle(self, state: State, seat: int) -> Reason | None:
        """Return why this Boost does nothing now, whatever is paid."""
        name = BOOSTS[self.boost].name
        if BOOSTS[self.boost].effect == "eyes":
            return Reason("by-itself", r.EYES_AHEAD, f"{name} costs nothing and works by itself.")
        if self.boost in state.used:
            return Reason("once", r.BOOST_ONCE, f"You have activated {name} this turn.")
        if state.players[seat].suffers("no-boosts"):
            return Reason("exhausted", r.EXHAUSTION, "Exhaustion lies in front of you: no Boost can be activated.")
        return None

    def _unpaid(self, state: State, seat: int) -> Reason | None:
        name, fact = BOOSTS[self.boost].name, state.facts.boost(self.boost)
        if fact is None:
            return Reason("not-told", r.BOOST_COST, f"Tell first what stands on {name}.")
        if not pays(self.cards, fact.cost, green_pays(state, seat)) or min(self.cards) < 0:
            return Reason("cost", r.BOOST_COST, f"{name} costs {cost_in_words(fact)}, one wild at most among them.")
        return short(state, seat, self.cards)

    def _at_nothing(self, state: State, seat: int) -> Reason | None:
        sheds, name = BOOSTS[self.boost].effect == "shed", BOOSTS[self.boost].name
        if sheds and self.setback not in state.players[seat].setbacks:
            return Reason(
                "no-setback", r.SHED, f"{name} takes away a Setback in front of you; name one that lies there."
            )
        if not sheds and self.setback is not None:
            return Reason("no-setback", r.SHED, f"{name} takes no Setback away.")
        return None

    def _strands(self, state: State, seat: int) -> Reason | None:
        """Return why this may not be done where no way to run is left after it, if the table plays that one must be."""
        if state.moved or chosen(state.rulings, r.STRANDING) != "keep-a-way" or BOOSTS[self.boost].effect == "advance":
            return None
        if can_run(self.apply(state, seat), seat):
            return None
        return Reason("stranded", r.STRANDED, "After that no card would run the leg, and you must run one each turn.")

    def apply(self, state: State, seat: int) -> State:
        state = replace(spend(state, seat, self.cards), used=(*state.used, self.boost))
        if BOOSTS[self.boost].effect == "advance":
            return replace(state, steps=state.facts.boosts[self.boost].legs or 0)
        if self.setback is None:
            return deal(state, seat, DRAWN)
        left = without(state.players[seat].setbacks, self.setback)
        return replace(state, setback_discard=(*state.setback_discard, self.setback)).with_player(seat, setbacks=left)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Activate"]:
        player = state.players[seat]
        for id in player.boosts:
            fact = state.facts.boost(id)
            gone = dict.fromkeys(player.setbacks) if BOOSTS[id].effect == "shed" else (None,)
            for cards in payments(fact.cost, green_pays(state, seat)) if fact else ():
                yield from (cls(id, *cards, setback) for setback in gone)

    def label(self, state: State, seat: int) -> str:
        gone = f", discard {SETBACKS[self.setback].name}" if self.setback in SETBACKS else ""
        return f"{BOOSTS[self.boost].name}{gone}" if self.boost in BOOSTS else "A Boost"

    def hint(self, state: State, seat: int) -> str:
        return f"for {cards_in_words(self.cards)}"

    def told(self, state: State, seat: int) -> str:
        return f"activated {self.label(state, seat)} {self.hint(state, seat)}"


class Stay(Move, tag="stay"):
    """End your run at this stop, and keep one card or none."""

    answers = ("run",)
    sign = "flag"
    rules = (r.RUN_ON, r.KEEP_ONE, r.DISCARDS, r.STOP_NEUTRAL, r.DRAW_FOUR, r.DECK_RESHUFFLE)

    keep: Keep | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.moved:
            yield Reason("run-first", r.RUN_MUST, "A turn takes you on by one leg at least: run first.")
        if self.keep is None:
            return
        player = state.players[seat]
        if wall := player.suffers("no-keep"):
            yield Reason(
                "no-keep", r.HITTING_THE_WALL, f"{SETBACKS[wall].name} lies in front of you: no card can be kept."
            )
        if not player.held:
            yield Reason("empty-hand", r.KEEP_ONE, "Your hand is empty.")
        elif (self.keep == "card") != (state.tracking == "light"):
            said = "which card you keep" if self.keep == "card" else "only whether you keep a card"
            yield Reason("tracking", r.KEEP_ONE, f"Say {said}.")
        elif reason := self.keep != "card" and short(state, seat, some(self.keep)):
            yield reason

    def apply(self, state: State, seat: int) -> State:
        player, state = state.players[seat], replace(state, phase="effect")
        if state.tracking == "light":
            kept = 1 if self.keep else 0
            return state.with_player(seat, unseen=kept, lost=player.lost + player.held - kept)
        kept = some(self.keep) if self.keep else NONE
        discard = plus(player.discard, minus(player.hand, kept))
        return state.with_player(seat, hand=kept, deduced=NONE, discard=discard)

    @classmethod
    def thinkable(cls, state: State, seat: int, wish: Move | None = None) -> Iterator["Stay"]:
        """Yield what can be kept; once a runner stays, nothing is run any more."""
        return iter(()) if wish and wish.answers == cls.answers else cls.candidates(state, seat)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Stay"]:
        player = state.players[seat]
        if player.held and state.tracking == "light":
            yield cls("card")
        for card in CARDS if state.tracking == "open" else ():
            if within(some(card), player.hand):
                yield cls(card)
        yield cls()

    def label(self, state: State, seat: int) -> str:
        return f"Stay here, keep {kept_in_words(self.keep)}"

    def told(self, state: State, seat: int) -> str:
        """Return who stayed and what everybody sees: not which card was kept."""
        player = state.players[seat]
        if state.tracking == "light":
            return f"stayed and kept {'a card' if self.keep else 'no card'}"
        kept = some(self.keep) if self.keep and self.keep != "card" else NONE
        seen = within(kept, player.hand) and chosen(state.rulings, r.DISCARDS_SEEN) == "open"
        gone = cards_in_words(minus(player.hand, kept)) if seen else "the rest"
        if not sum(player.hand):
            return "stayed"
        return f"stayed, kept {'a card' if self.keep else 'no card'} and discarded {gone}"


class EndRace(Move, tag="end-race"):
    """End the race where nothing in the last turn can change who wins."""

    answers = ("end",)
    opens = False  # the race is over
    sign = "flag"
    rules = (r.FINISH_ROUND, r.NOT_FINISHED)

    def apply(self, state: State, seat: int) -> State:
        return end_turn(state)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EndRace"]:
        yield cls()

    def label(self, state: State, seat: int) -> str:
        return "End the race"

    def hint(self, state: State, seat: int) -> str:
        return "Nothing in this turn can change the result"

    def tells_from(self, state: State, seat: int) -> State:
        return replace(state, phase="draw")  # the stop brings nothing any more

    def told(self, state: State, seat: int) -> str:
        return "ended the last turn, which could not change the result"


class DropOut(Move, tag="drop-out"):
    """Leave the race: no card and no Boost runs a leg."""

    answers = ("run",)
    begins = True
    sign = "x"
    rules = (r.DNF, r.DNF_FORCED, r.BOOST_RESCUE, r.DNF_OTHER, r.DNF_BOTH)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.moved:
            yield Reason("has-run", r.DNF_FORCED, "You have run a leg this turn; you stay in the race.")
        elif not must_stop(state, seat):
            yield Reason("can-run", r.DNF_FORCED, self._why_not(state, seat))
        elif not must_stop(state, seat, untold=True):
            name = name_of(state.boosts_wanted[0])
            yield Reason("not-told", r.BOOST_RESCUE, f"{name} may help you on; tell first what stands on it.")

    def _why_not(self, state: State, seat: int) -> str:
        if state.tracking == "light":
            boosts = " and your Boosts" if state.ready(seat) else ""
            return f"With {plural(state.players[seat].held, 'card')} in hand{boosts} there is always a way to run the next leg."
        way = way_on(state, seat)
        means = f"the help of {name_of(way)}" if isinstance(way, str) else cards_in_words(way)
        return f"You can still run the {next_colour(state, seat)} leg with {means}."

    def apply(self, state: State, seat: int) -> State:
        return end_turn(state.with_player(seat, out=True))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["DropOut"]:
        if not state.moved:
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "I cannot run a leg: out of the race"

    def told(self, state: State, seat: int) -> str:
        return "could not run a leg and did not finish"
