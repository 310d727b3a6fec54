"""The moves of the first two phases: run, activate a Boost, stay and keep a card, drop out."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move, MoveLabel, Phase, chosen_option
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, COLOURS, DECK, SETBACKS, Card
from scoring.on_the_trail.cards import NO_CARDS, Cards, add_cards, cards_of_kind, is_subset, remove_one, subtract_cards
from scoring.on_the_trail.route import next_leg, next_leg_colour
from scoring.on_the_trail.run_options import (
    BOOST_DRAW_COUNT,
    can_be_stuck,
    can_green_pay,
    can_run,
    find_way,
    has_wild_greens,
    is_payment,
    is_second,
    pair_blocking_setback,
    payments,
)
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import NUMBER_WORDS, card_name, describe_cards, describe_cost, describe_kept_card
from scoring.on_the_trail.turn import draw_cards, end_turn, spend

KeptCard = Literal["red", "yellow", "green", "wild", "card"]  # "card" is one that is not entered (light tracking)


def missing_cards_reason(state: State, seat: int, cards: Cards) -> Reason | None:
    """Return why a runner cannot play cards, or None."""
    player = state.players[seat]
    if state.tracking == "open":
        for card, needed, held in zip(CARDS, cards, player.hand, strict=True):
            if needed > held:
                text = f"That takes {describe_cards(cards_of_kind(card, needed))}; you have told {NUMBER_WORDS[held]}."
                return Reason("not-in-hand", r.PLAYED, text)
        return None
    if sum(cards) > player.held:
        return Reason(
            "too-few",
            r.PLAYED,
            f"That takes {pluralize(sum(cards), 'card')}; you hold {player.held or NUMBER_WORDS[0]}.",
        )
    for card, needed, discarded, count in zip(CARDS, cards, player.discard, DECK, strict=True):
        if needed and discarded + needed > count:
            pile_text = f"{discarded} of them lie" if discarded > 1 else "one of them lies"
            left = f"{pile_text} on your discard pile" if discarded else "none has been played"
            return Reason("deck-count", r.DECK_CARDS, f"Your deck has {pluralize(count, f'{card} card')}; {left}.")
    return None


class Run(Move[State], tag="run"):
    """Run the next leg with a card of its color, with a wild, or with a pair of another color."""

    title = "Run"
    resolves = ("run",)
    phase = Phase.TURN_START
    rules = (
        r.RUN_COLOUR,
        r.RUN_WILD,
        r.RUN_PAIR,
        r.PLAYED,
        r.EYES_AHEAD,
        r.FINISH,
        r.DECK_CARDS,
        r.EYES_EXHAUSTED,
        r.LEVEL,
        r.NO_PAIR,
        r.SECOND_ALONE,
        r.PAIR_ALIKE,
    )

    card: Card
    pair: bool = False

    @property
    def cards(self) -> Cards:
        return cards_of_kind(self.card, 2 if self.pair else 1)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        colour = next_leg_colour(state, seat)
        if colour is None:
            yield Reason("leg-unknown", r.RUN_COLOUR, "First tell what comes next on the Trail.")
            return
        if self.pair:
            yield from self._pair_objections(state, seat, colour)
        elif self.card not in (colour, "wild") and not (self.card == "green" and has_wild_greens(state, seat)):
            yield self._wrong_card_reason(state, seat, colour)
        if reason := missing_cards_reason(state, seat, self.cards):
            yield reason

    def _pair_objections(self, state: State, seat: int, colour: str) -> Iterator[Reason]:
        if self.card == "wild":
            yield Reason(
                "no-wild-pair", r.PAIR_ALIKE, "There is one wild card in your deck, and it needs no second one."
            )
        elif self.card == colour:
            yield Reason("own-colour", r.RUN_PAIR, f"The next leg is {colour}: one {colour} card runs it.")
        elif setback := pair_blocking_setback(state.facts, state.players[seat].setbacks, self.card):
            yield Reason(
                "pair-stopped", r.NO_PAIR, f"{SETBACKS[setback].name} lies in front of you: no pair of {self.card}."
            )

    def _wrong_card_reason(self, state: State, seat: int, colour: str) -> Reason:
        if self.card != "green" or "eyes-ahead" not in state.players[seat].boosts:
            return Reason(
                "wrong-colour", r.RUN_COLOUR, f"The next leg is {colour}; one {self.card} card does not run it."
            )
        other = state.players[1 - seat]
        if is_second(state, seat):
            return Reason("eyes-shut", r.EYES_EXHAUSTED, "Exhaustion lies in front of you: Eyes Ahead does not work.")
        if other.out and other.legs_run >= state.players[seat].legs_run:
            text = f"Eyes Ahead works while you are in second place; {other.name} has left the race."
            return Reason("not-second", r.SECOND_ALONE, text)
        if other.legs_run == state.players[seat].legs_run:
            return Reason("not-second", r.LEVEL, "Eyes Ahead works while you are in second place; you are level.")
        return Reason("not-second", r.EYES_AHEAD, "Eyes Ahead helps whoever is behind; you are ahead.")

    def apply(self, state: State, seat: int) -> State:
        legs_run = state.players[seat].legs_run + 1
        return replace(spend(state, seat, self.cards).with_player(seat, legs_run=legs_run), moved=state.moved + 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Run"]:
        if next_leg(state, seat):
            yield from map(cls, CARDS)
            for colour in COLOURS:
                yield cls(colour, pair=True)

    def label(self, state: State, seat: int) -> MoveLabel:
        colour = next_leg_colour(state, seat)
        return MoveLabel(
            f"Run with {describe_cards(self.cards)}", hint=f"the {colour} leg" if colour else "", icon="runner"
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"ran the {next_leg_colour(state, seat)} leg with {describe_cards(self.cards)}"


class RunOn(Move[State], tag="run-on"):
    """Run several legs in one move, each with a card of its color."""

    title = "Run on"
    resolves = ("run",)
    phase = Phase.TURN_START
    rules = Run.rules

    legs: int

    @staticmethod
    def matching_colours(state: State, seat: int) -> tuple[Card, ...]:
        """Return the colors of the legs ahead, as far as each can be run with a card of its color."""
        ahead, left = [], state
        while (colour := next_leg_colour(left, seat)) and not next(Run(colour).objections(left, seat), None):
            ahead.append(colour)
            left = Run(colour).apply(left, seat)
        return tuple(ahead)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        ahead = self.matching_colours(state, seat)
        if self.legs < 2:
            yield Reason("one-leg", r.RUN_COLOUR, "One leg is run with a card; say which.")
        elif self.legs > len(ahead):
            for colour in ahead:
                state = Run(colour).apply(state, seat)
            yield from Run(next_leg_colour(state, seat) or "wild").objections(state, seat)

    def apply(self, state: State, seat: int) -> State:
        for colour in self.matching_colours(state, seat)[: self.legs]:
            state = Run(colour).apply(state, seat)
        return state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["RunOn"]:
        return map(cls, range(2, len(cls.matching_colours(state, seat)) + 1))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Run {NUMBER_WORDS[self.legs] if self.legs < len(NUMBER_WORDS) else self.legs} legs",
            hint=", ".join(self.matching_colours(state, seat)[: self.legs]),
            icon="runner",
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"ran {pluralize(self.legs, 'leg')} with a card of each colour: {self.label(state, seat).hint}"

    def log_baseline(self, state: State, seat: int) -> State:
        return state.with_player(seat, legs_run=state.players[seat].legs_run + self.legs - 1)


class Activate(Move[State], tag="activate"):
    """Discard the cards a Boost costs, for its effect; the Boost stays in front of you."""

    title = "Activate"
    resolves = ("run",)
    phase = Phase.TURN_START
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
        r.BOOST_ONCE,
        r.DECK_CARDS,
        r.EXHAUSTION,
        r.PLAYED,
        r.STRANDED,
        r.EYES_AHEAD,
    )

    boost: str
    red: int = 0
    yellow: int = 0
    green: int = 0
    wild: int = 0
    setback: str | None = None  # the one to discard, where the Boost removes one

    @property
    def cards(self) -> Cards:
        return (self.red, self.yellow, self.green, self.wild)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in state.players[seat].boosts:
            yield Reason("not-your-boost", r.BOOST_COST, "No such Boost lies in front of you.")
        elif reason := (
            self._no_effect_reason(state, seat)
            or self._unpaid_reason(state, seat)
            or self._wrong_setback_reason(state, seat)
            or self._stranded_reason(state, seat)
        ):
            yield reason

    def _no_effect_reason(self, state: State, seat: int) -> Reason | None:
        """Return why this Boost has no effect now, for any payment, or None."""
        name = BOOSTS[self.boost].name
        if BOOSTS[self.boost].effect == "eyes":
            return Reason("by-itself", r.EYES_AHEAD, f"{name} costs nothing and works by itself.")
        if self.boost in state.used:
            return Reason("once", r.BOOST_ONCE, f"You have activated {name} this turn.")
        if state.players[seat].setback_with_effect("no-boosts"):
            return Reason("exhausted", r.EXHAUSTION, "Exhaustion lies in front of you: no Boost can be activated.")
        return None

    def _unpaid_reason(self, state: State, seat: int) -> Reason | None:
        name, fact = BOOSTS[self.boost].name, state.facts.known_boost(self.boost)
        if fact is None:
            return Reason("not-told", r.BOOST_COST, f"Tell first what stands on {name}.")
        if not is_payment(self.cards, fact.cost, can_green_pay(state, seat)) or min(self.cards) < 0:
            return Reason("cost", r.BOOST_COST, f"{name} costs {describe_cost(fact)}, one wild at most among them.")
        return missing_cards_reason(state, seat, self.cards)

    def _wrong_setback_reason(self, state: State, seat: int) -> Reason | None:
        removes_setback, name = BOOSTS[self.boost].effect == "shed", BOOSTS[self.boost].name
        if removes_setback and self.setback not in state.players[seat].setbacks:
            return Reason(
                "no-setback", r.SHED, f"{name} takes away a Setback in front of you; name one that lies there."
            )
        if not removes_setback and self.setback is not None:
            return Reason("no-setback", r.SHED, f"{name} takes no Setback away.")
        return None

    def _stranded_reason(self, state: State, seat: int) -> Reason | None:
        """Return why this Boost would leave no way to run, or None (ruling stranding)."""
        if (
            state.moved
            or chosen_option(state.rulings, r.STRANDING) != "keep-a-way"
            or BOOSTS[self.boost].effect == "advance"
        ):
            return None
        if can_run(self.apply(state, seat), seat):
            return None
        return Reason("stranded", r.STRANDED, "After that no card would run the leg, and you must run one each turn.")

    def apply(self, state: State, seat: int) -> State:
        state = replace(spend(state, seat, self.cards), used=(*state.used, self.boost))
        if BOOSTS[self.boost].effect == "advance":
            return replace(state, legs_to_run=state.facts.boosts[self.boost].legs or 0)
        if self.setback is None:
            return draw_cards(state, seat, BOOST_DRAW_COUNT)
        left = remove_one(state.players[seat].setbacks, self.setback)
        return replace(state, setback_discard=(*state.setback_discard, self.setback)).with_player(seat, setbacks=left)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Activate"]:
        player = state.players[seat]
        for id in player.boosts:
            fact = state.facts.known_boost(id)
            setbacks = dict.fromkeys(player.setbacks) if BOOSTS[id].effect == "shed" else (None,)
            for cards in payments(fact.cost, can_green_pay(state, seat)) if fact else ():
                yield from (cls(id, *cards, setback) for setback in setbacks)

    def label(self, state: State, seat: int) -> MoveLabel:
        discard_text = f", discard {SETBACKS[self.setback].name}" if self.setback in SETBACKS else ""
        return MoveLabel(
            f"{BOOSTS[self.boost].name}{discard_text}" if self.boost in BOOSTS else "A Boost",
            hint=f"for {describe_cards(self.cards)}",
            icon="boost",
        )

    def log_text(self, state: State, seat: int) -> str:
        label = self.label(state, seat)
        return f"activated {label.text} {label.hint}"


class Stay(Move[State], tag="stay"):
    """End your run at this stop, and keep one card or none."""

    title = "Stay"
    resolves = ("run",)
    rules = (
        r.RUN_ON,
        r.KEEP_ONE,
        r.DISCARDS,
        r.STOP_NEUTRAL,
        r.DRAW_FOUR,
        r.DECK_RESHUFFLE,
        r.HITTING_THE_WALL,
        r.RUN_MUST,
        r.PLAYED,
        r.DECK_CARDS,
    )

    keep: KeptCard | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.moved:
            yield Reason("run-first", r.RUN_MUST, "A turn takes you on by one leg at least: run first.")
        if self.keep is None:
            return
        player = state.players[seat]
        if setback_id := player.setback_with_effect("no-keep"):
            yield Reason(
                "no-keep", r.HITTING_THE_WALL, f"{SETBACKS[setback_id].name} lies in front of you: no card can be kept."
            )
        if not player.held:
            yield Reason("empty-hand", r.KEEP_ONE, "Your hand is empty.")
        elif (self.keep == "card") != (state.tracking == "light"):
            subject = "which card you keep" if self.keep == "card" else "only whether you keep a card"
            yield Reason("tracking", r.KEEP_ONE, f"Say {subject}.")
        elif reason := self.keep != "card" and missing_cards_reason(state, seat, cards_of_kind(self.keep)):
            yield reason

    def apply(self, state: State, seat: int) -> State:
        player, state = state.players[seat], replace(state, phase="effect")
        if state.tracking == "light":
            kept = 1 if self.keep else 0
            return state.with_player(
                seat, unknown_hand=kept, unknown_discards=player.unknown_discards + player.held - kept
            )
        kept = cards_of_kind(self.keep) if self.keep else NO_CARDS
        discard = add_cards(player.discard, subtract_cards(player.hand, kept))
        return state.with_player(seat, hand=kept, deduced=NO_CARDS, discard=discard)

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator["Stay"]:
        """Yield the cards to keep; none for a query to run, as a runner who stays runs no more."""
        return iter(()) if query and query.resolves == cls.resolves else cls.candidates(state, seat)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Stay"]:
        player = state.players[seat]
        if player.held and state.tracking == "light":
            yield cls("card")
        for card in CARDS if state.tracking == "open" else ():
            if is_subset(cards_of_kind(card), player.hand):
                yield cls(card)
        yield cls()

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Stay here, keep {describe_kept_card(self.keep)}", icon="flag")

    def log_text(self, state: State, seat: int) -> str:
        """Return the log text without the card kept, which is secret."""
        player = state.players[seat]
        if state.tracking == "light":
            return f"stayed and kept {'a card' if self.keep else 'no card'}"
        kept = cards_of_kind(self.keep) if self.keep and self.keep != "card" else NO_CARDS
        seen = is_subset(kept, player.hand) and chosen_option(state.rulings, r.DISCARDS_SEEN) == "open"
        discarded = describe_cards(subtract_cards(player.hand, kept)) if seen else "the rest"
        if not sum(player.hand):
            return "stayed"
        return f"stayed, kept {'a card' if self.keep else 'no card'} and discarded {discarded}"


class EndRace(Move[State], tag="end-race"):
    """End the race if nothing in the last turn can change who wins."""

    title = "End race"
    fixed_label = MoveLabel("End the race", hint="Nothing in this turn can change the result", icon="flag")
    fixed_log_text = "ended the last turn, which could not change the result"
    resolves = ("end",)
    rules = (r.FINISH_ROUND, r.NOT_FINISHED)

    def apply(self, state: State, seat: int) -> State:
        return end_turn(state)

    def log_baseline(self, state: State, seat: int) -> State:
        return replace(state, phase="draw")  # The stop has no effect any more.


class DropOut(Move[State], tag="drop-out"):
    """Leave the race: no card and no Boost runs a leg."""

    title = "Drop out"
    fixed_label = MoveLabel("I cannot run a leg: out of the race", icon="x")
    fixed_log_text = "could not run a leg and did not finish"
    resolves = ("run",)
    phase = Phase.TURN_START
    rules = (r.DNF, r.DNF_FORCED, r.BOOST_RESCUE, r.DNF_OTHER, r.DNF_BOTH)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.moved:
            yield Reason("has-run", r.DNF_FORCED, "You have run a leg this turn; you stay in the race.")
        elif not can_be_stuck(state, seat):
            yield Reason("can-run", r.DNF_FORCED, self._can_run_text(state, seat))
        elif not can_be_stuck(state, seat, assume_unknown_boosts_help=True):
            name = card_name(state.unknown_boosts[0])
            yield Reason("not-told", r.BOOST_RESCUE, f"{name} may help you on; tell first what stands on it.")

    def _can_run_text(self, state: State, seat: int) -> str:
        if state.tracking == "light":
            boosts = " and your Boosts" if state.ready_boosts(seat) else ""
            return (
                f"With {pluralize(state.players[seat].held, 'card')} in hand{boosts} "
                "there is always a way to run the next leg."
            )
        cards_or_boost = find_way(state, seat)
        is_boost = isinstance(cards_or_boost, str)
        means = f"the help of {card_name(cards_or_boost)}" if is_boost else describe_cards(cards_or_boost)
        return f"You can still run the {next_leg_colour(state, seat)} leg with {means}."

    def apply(self, state: State, seat: int) -> State:
        return end_turn(state.with_player(seat, out=True))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["DropOut"]:
        if not state.moved:
            yield cls()
