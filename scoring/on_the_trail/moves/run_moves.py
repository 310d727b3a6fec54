"""The moves of the first two phases: run, activate a Boost, stay and keep a card, drop out."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move, MoveLabel, Phase, chosen_option
from scoring.kernel.rule import Reason, Rule, rules_about_card
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, COLOURS, DECK, SETBACKS, STOPS, Card, Colour, Stop
from scoring.on_the_trail.card_facts import STOP_NAMES, STOP_TEXTS, describe_cost
from scoring.on_the_trail.cards import (
    NO_CARDS,
    Cards,
    add_cards,
    cards_of_kind,
    is_subset,
    remove_one,
    subtract_cards,
)
from scoring.on_the_trail.moves.reveals import EnterLeg, next_unknown_leg
from scoring.on_the_trail.route import find_spot, legs_until_finish, next_leg, next_leg_colour, stop_at
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
from scoring.on_the_trail.text import (
    card_name,
    describe_cards,
    describe_kept_card,
    list_cards,
    missing_entry_text,
    out_of_phase_reason,
    stop_text,
)
from scoring.on_the_trail.turn import (
    RUN_DECISIONS,
    STOP_DECISIONS,
    draw_cards,
    end_turn,
    is_run_over,
    required_decision,
    spend,
)

KeptCard = Literal["red", "yellow", "green", "wild", "card"]  # "card" is one that is not entered (light tracking)


def missing_cards_reason(state: State, seat: int, cards: Cards) -> Reason | None:
    """Return why a runner cannot play cards, or None."""
    player = state.players[seat]
    if state.tracking == "open":
        for card, needed, held in zip(CARDS, cards, player.hand, strict=True):
            if needed > held:
                text = f"You need {pluralize(needed, f'{card} card')} but have only {held} in hand."
                if not held:
                    text = (
                        f"You have no {card} cards in hand."
                        if card != "wild"
                        else "Your wild card is not in your hand."
                    )
                return Reason("not-in-hand", r.PLAYED, text)
        return None
    if sum(cards) > player.held:
        held_text = pluralize(player.held, "card") if player.held else "no cards"
        text = f"You need {pluralize(sum(cards), 'card')} but have {held_text} in hand."
        return Reason("too-few", r.PLAYED, text)
    for card, needed, discarded, count in zip(CARDS, cards, player.discard, DECK, strict=True):
        if needed and discarded + needed > count:
            pile_text = f", {discarded} of them in your discard pile" if count > 1 else ", now in your discard pile"
            cards_text = f"{pluralize(count, f'{card} card')}{pile_text if discarded else ''}"
            text = f"Your deck has only {cards_text}."
            return Reason("deck-count", r.DECK_CARDS, text)
    return None


def can_enter_leg(state: State) -> bool:
    """Return whether a run may enter the color of the leg ahead of the runner to move."""
    is_running = state.phase == "run" and not state.legs_to_run
    return is_running and next_leg_colour(state, state.turn) is None and next_unknown_leg(state) is not None


def stop_of_ended_run(after: State, seat: int) -> str:
    """Return the stop at which the last card in hand has ended a run, in words; else empty."""
    return stop_text(after, seat) if is_run_over(after) else ""


class Run(Move[State], tag="run"):
    """Run the next leg with a card of its color, with a wild, or with a pair of another color.

    It may also enter the color of the leg, if that is not known yet.
    """

    title = "Play cards"
    resolves = ("run", "leg")
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
    leg: Colour | None = None  # the color of the next leg, to enter it with this move

    @property
    def cards(self) -> Cards:
        return cards_of_kind(self.card, 2 if self.pair else 1)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if wrong_leg := list(self._leg_objections(state, seat)):
            yield from wrong_leg
            return
        state = self._with_leg(state, seat)
        colour = self._leg_colour(state, seat)
        if self.pair:
            yield from self._pair_objections(state, seat, colour)
        elif self.card not in (colour, "wild") and not (self.card == "green" and has_wild_greens(state, seat)):
            yield self._wrong_card_reason(state, seat, colour)
        if reason := missing_cards_reason(state, seat, self.cards):
            yield reason

    def _leg_objections(self, state: State, seat: int) -> Iterator[Reason]:
        """Yield the reasons why the leg ahead has no color yet, or cannot get the one of this move."""
        colour = next_leg_colour(state, seat)
        if required_decision(state) == "leg" and not (self.leg and can_enter_leg(state)):
            yield out_of_phase_reason(state)
        elif colour:
            if self.leg:
                yield Reason("leg-known", r.RUN_COLOUR, f"The color of this leg has already been entered: {colour}.")
        elif self.leg and (spot := next_unknown_leg(state)):
            yield from EnterLeg(*spot, self.leg).objections(state, seat)
        else:
            fact = "the color of the next leg"
            yield Reason("leg-unknown", r.RUN_COLOUR, missing_entry_text(fact), unknown_fact=fact)

    def _leg_colour(self, state: State, seat: int) -> Colour | None:
        """Return the color of the next leg, which this move may enter."""
        return next_leg_colour(state, seat) or self.leg

    def _with_leg(self, state: State, seat: int) -> State:
        """Return the state with the color of the next leg entered."""
        spot = next_unknown_leg(state)
        return EnterLeg(*spot, self.leg).apply(state, seat) if self.leg and spot else state

    def _pair_objections(self, state: State, seat: int, colour: str | None) -> Iterator[Reason]:
        if self.card == "wild":
            yield Reason("no-wild-pair", r.PAIR_ALIKE, "You have only 1 wild card. Play it alone.")
        elif self.card == colour:
            yield Reason("own-colour", r.RUN_PAIR, f"The next leg is {colour}. Play just 1 {colour} card.")
        elif setback := pair_blocking_setback(state.facts, state.players[seat].setbacks, self.card):
            text = f"{SETBACKS[setback].name}: you can\u2019t play a pair of {self.card} cards."
            yield Reason("pair-stopped", r.NO_PAIR, text)

    def _wrong_card_reason(self, state: State, seat: int, colour: str | None) -> Reason:
        if self.card != "green" or "eyes-ahead" not in state.players[seat].boosts:
            text = f"The next leg is {colour}. Play a {colour} card, your wild card or a pair."
            return Reason("wrong-colour", r.RUN_COLOUR, text)
        other = state.players[1 - seat]
        if is_second(state, seat):
            return Reason("eyes-shut", r.EYES_EXHAUSTED, "Eyes Ahead doesn\u2019t work while you have Exhaustion.")
        if other.out and other.legs_run >= state.players[seat].legs_run:
            text = f"Eyes Ahead works only in second place, and {other.name} is out of the race."
            return Reason("not-second", r.SECOND_ALONE, text)
        if other.legs_run == state.players[seat].legs_run:
            return Reason("not-second", r.LEVEL, "Eyes Ahead works only in second place, and you are tied.")
        return Reason("not-second", r.EYES_AHEAD, "Eyes Ahead works only in second place, and you are ahead.")

    def apply(self, state: State, seat: int) -> State:
        state, legs_run = self._with_leg(state, seat), state.players[seat].legs_run + 1
        return replace(spend(state, seat, self.cards).with_player(seat, legs_run=legs_run), moved=state.moved + 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Run"]:
        if can_enter_leg(state):
            yield from cls._candidates_on_unknown_leg(state, seat)
        elif next_leg(state, seat) and required_decision(state) != "leg":
            yield from map(cls, CARDS)
            for colour in COLOURS:
                yield cls(colour, pair=True)

    @classmethod
    def _candidates_on_unknown_leg(cls, state: State, seat: int) -> Iterator["Run"]:
        """Yield the runs that enter the color of the next leg, for each color."""
        for leg in COLOURS:
            yield cls(leg, leg=leg)
            if leg != "green" and has_wild_greens(state, seat):
                yield cls("green", leg=leg)
            yield cls("wild", leg=leg)
            yield from (cls(colour, pair=True, leg=leg) for colour in COLOURS if colour != leg)

    def alternatives(self, state: State, seat: int) -> Iterable["Run"]:
        """Return the runs of the next leg with other cards, those of the same color first."""
        return sorted(self.candidates(state, seat), key=lambda run: (run.leg != self.leg, run.card != self.card))

    def label(self, state: State, seat: int) -> MoveLabel:
        colour = self._leg_colour(state, seat)
        leg_text = f"Run the {colour} leg" if colour else "Run"
        return MoveLabel(
            f"{leg_text} with {describe_cards(self.cards)}{self._source_text(state, seat)}",
            icon="runner",
            short=f"{self.card.capitalize()} pair" if self.pair else self.card.capitalize(),
        )

    def _source_text(self, state: State, seat: int) -> str:
        """Return the Boost by which a single green card runs a leg of another color, or ""."""
        is_wild = not self.pair and self._leg_colour(state, seat) not in ("green", None)
        has_boost = self.card == "green" and "eyes-ahead" in state.players[seat].boosts
        return f" ({BOOSTS['eyes-ahead'].name})" if is_wild and has_boost else ""

    def log_text(self, state: State, seat: int) -> str:
        cards_text = f"{describe_cards(self.cards)}{self._source_text(state, seat)}"
        place_text = stop_of_ended_run(self.apply(state, seat), seat)
        leg_text = f"ran the {self._leg_colour(state, seat)} leg with {cards_text}"
        return f"{leg_text} to {place_text}" if place_text else leg_text


class RunOn(Move[State], tag="run-on"):
    """Run several legs in one move, each with a card of its color."""

    title = "Run several legs"
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
            yield Reason("one-leg", r.RUN_COLOUR, "To run 1 leg, choose the card to play.")
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
        text = f"Run {self.legs} legs"
        hint = ", ".join(self.matching_colours(state, seat)[: self.legs])
        return MoveLabel(text, hint=hint, icon="runner", short=f"{self.legs} legs")

    def log_text(self, state: State, seat: int) -> str:
        colours = self.matching_colours(state, seat)[: self.legs]
        place_text = stop_of_ended_run(self.apply(state, seat), seat)
        to_text = f" to {place_text}" if place_text else ""
        if len(set(colours)) == 1:
            return f"ran {self.legs} {colours[0]} legs with {self.legs} {colours[0]} cards{to_text}"
        return f"ran {self.legs} legs with matching cards ({', '.join(colours)}){to_text}"


# The rules of using a Boost that are about one effect, by the effect.
_RULES_BY_EFFECT: dict[str, tuple[Rule, ...]] = {
    "advance": (r.ADVANCE, r.ADVANCE_RUNS, r.SURPLUS),
    "shed": (r.SHED,),
    "draw": (r.DRAW_THREE,),
    "eyes": (r.EYES_AHEAD,),
}


class Activate(Move[State], tag="activate"):
    """Discard the cards a Boost costs, for its effect; the Boost stays in front of you."""

    title = "Use a Boost"
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

    def cited_rules(self) -> tuple[Rule, ...]:
        """Return the rules without those about other effects."""
        return rules_about_card(self.rules, _RULES_BY_EFFECT, BOOSTS[self.boost].effect)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in state.players[seat].boosts:
            yield Reason("not-your-boost", r.BOOST_COST, "You do not have this Boost. Draw it at an Aid Station first.")
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
            return Reason("by-itself", r.EYES_AHEAD, f"{name} costs nothing and works automatically.")
        if self.boost in state.used:
            return Reason("once", r.BOOST_ONCE, f"You already used {name} this turn.")
        if state.players[seat].setback_with_effect("no-boosts"):
            return Reason(
                "exhausted",
                r.EXHAUSTION,
                "You can\u2019t use Boosts while you have Exhaustion. You can discard it at an Aid Station.",
            )
        return None

    def _unpaid_reason(self, state: State, seat: int) -> Reason | None:
        name, fact = BOOSTS[self.boost].name, state.facts.known_boost(self.boost)
        if fact is None:
            unknown_fact = f"the cost of {name}"
            return Reason("not-told", r.BOOST_COST, missing_entry_text(unknown_fact), unknown_fact=unknown_fact)
        if not is_payment(self.cards, fact.cost, can_green_pay(state, seat)) or min(self.cards) < 0:
            text = f"{name} costs {describe_cost(fact)}. Your wild card can replace 1 of them."
            return Reason("cost", r.BOOST_COST, text)
        return missing_cards_reason(state, seat, self.cards)

    def _wrong_setback_reason(self, state: State, seat: int) -> Reason | None:
        removes_setback, name = BOOSTS[self.boost].effect == "shed", BOOSTS[self.boost].name
        if removes_setback and self.setback not in state.players[seat].setbacks:
            has_setbacks = state.players[seat].setbacks
            text = (
                f"Choose one of your Setbacks for {name}."
                if has_setbacks
                else f"You have no Setbacks to discard with {name}."
            )
            return Reason("no-setback", r.SHED, text)
        if not removes_setback and self.setback is not None:
            return Reason("no-setback", r.SHED, f"{name} does not discard a Setback.")
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
        return Reason("stranded", r.STRANDED, "After that, you could not run a leg. Run at least 1 leg first.")

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
        payment = ", ".join(list_cards(self.cards))
        return MoveLabel(f"Use {self._name_with_setback()} ({payment})", icon="boost", short=payment)

    def _name_with_setback(self) -> str:
        name = BOOSTS[self.boost].name if self.boost in BOOSTS else "a Boost"
        return f"{name} to discard {card_name(self.setback)}" if self.setback in SETBACKS else name

    def news_text(self, state: State, seat: int) -> str:
        return f"used {self._name_with_setback()}"

    def log_text(self, state: State, seat: int) -> str:
        text = f"used {self._name_with_setback()}"
        if BOOSTS[self.boost].effect == "advance":
            fact = state.facts.known_boost(self.boost)
            legs = fact.legs or 0 if fact else 0
            # A known number of legs is one of the quantities.
            return f"{text} for up to {legs} legs" if legs_until_finish(state, seat, legs) is None else text
        place_text = stop_of_ended_run(self.apply(state, seat), seat)
        return f"{text} and stopped at {place_text}" if place_text else text


class Stay(Move[State], tag="stay"):
    """End your run at this stop, and keep one card or none.

    It may also enter the kind of the stop, if that is not known yet.
    """

    title = "Stop here"
    resolves = ("run",)
    is_at_present_place = True
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
    stop: Stop | None = None  # the kind of this stop, to enter it with this move

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.moved:
            yield Reason("run-first", r.RUN_MUST, "You must run at least 1 leg first.")
        elif self.stop and (known := stop_at(state, state.players[seat].legs_run)):
            yield Reason("stop-known", r.STOP_FINAL, f"This stop has already been entered: {STOP_TEXTS[known]}.")
        elif self.stop and state.tracking == "open":
            text = "With open hands, first choose the card to keep. Then enter the stop."
            yield Reason("stop-later", r.STOP_FINAL, text)
        if self.keep is None:
            return
        player = state.players[seat]
        if setback_id := player.setback_with_effect("no-keep"):
            text = f"{SETBACKS[setback_id].name}: you can\u2019t keep a card."
            yield Reason("no-keep", r.HITTING_THE_WALL, text)
        if not player.held:
            yield Reason("empty-hand", r.KEEP_ONE, "Your hand is empty, so you have no cards to keep.")
        elif (self.keep == "card") != (state.tracking == "light"):
            text = "Choose which card you keep." if self.keep == "card" else "Choose only whether you keep a card."
            yield Reason("tracking", r.KEEP_ONE, text)
        elif reason := self.keep != "card" and missing_cards_reason(state, seat, cards_of_kind(self.keep)):
            yield reason

    def apply(self, state: State, seat: int) -> State:
        player, state = state.players[seat], replace(self._with_stop(state, seat), phase="effect")
        if state.tracking == "light":
            kept = 1 if self.keep else 0
            return state.with_player(
                seat, unknown_hand=kept, unknown_discards=player.unknown_discards + player.held - kept
            )
        kept = cards_of_kind(self.keep) if self.keep else NO_CARDS
        discard = add_cards(player.discard, subtract_cards(player.hand, kept))
        return state.with_player(seat, hand=kept, deduced=NO_CARDS, discard=discard)

    def _with_stop(self, state: State, seat: int) -> State:
        """Return the state with the kind of this stop entered."""
        spot = find_spot(state, state.players[seat].legs_run)
        if not self.stop or spot is None:
            return state
        card, leg = spot
        return replace(state, facts=state.facts.with_leg(card, leg, stop=self.stop))

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator["Stay"]:
        """Yield the cards to keep.

        It yields nothing for a query about the run, which is over when a runner stays. For a query about the stop, the
        kept card does not matter.
        """
        resolves = query.resolves if query else ()
        if RUN_DECISIONS.intersection(resolves):
            return
        if not STOP_DECISIONS.intersection(resolves):
            yield from cls.candidates(state, seat)
            return
        legal = [move for move in cls.candidates(state, seat) if not any(move.objections(state, seat))]
        for stop in dict.fromkeys(move.stop for move in legal):
            yield next(move for move in legal if move.stop == stop)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Stay"]:
        player = state.players[seat]
        if player.held and state.tracking == "light":
            yield cls("card")
        for card in CARDS if state.tracking == "open" else ():
            if is_subset(cards_of_kind(card), player.hand):
                yield cls(card)
        yield cls()
        if state.moved and state.tracking == "light" and stop_at(state, player.legs_run) is None:
            for keep in ("card", None):
                yield from (cls(keep, stop) for stop in STOPS)

    def label(self, state: State, seat: int) -> MoveLabel:
        if self.stop:
            text = f"Stop here at {STOP_TEXTS[self.stop]} and keep {describe_kept_card(self.keep)}"
            return MoveLabel(text, icon="flag", short=STOP_NAMES[self.stop])
        if not state.players[seat].held:
            return MoveLabel("Stop here", icon="flag")
        short = "No card" if self.keep is None else "1 card" if self.keep == "card" else self.keep.capitalize()
        return MoveLabel(f"Stop here and keep {describe_kept_card(self.keep)}", icon="flag", short=short)

    def list_discarded(self, state: State, seat: int) -> list[str]:
        """Return the discarded cards in words, by kind only where everyone sees them."""
        player = state.players[seat]
        kept = cards_of_kind(self.keep) if self.keep and self.keep != "card" else NO_CARDS
        is_visible = chosen_option(state.rulings, r.DISCARDS_SEEN) == "open" and is_subset(kept, player.hand)
        if state.tracking == "open" and not player.unknown_hand and is_visible:
            return list_cards(subtract_cards(player.hand, kept))
        number = player.held - (1 if self.keep else 0)
        return [pluralize(number, "card")] if number > 0 else []

    def log_text(self, state: State, seat: int) -> str:
        """Return the log text without the card kept, which is secret."""
        player = state.players[seat]
        stop = stop_text(self._with_stop(state, seat), seat)
        place_text = f" at {stop}" if stop else ""
        kept_text = f" and kept {'a card' if self.keep else 'no card'}" if player.held else ""
        return f"stopped{place_text}{kept_text}"

    def log_details(self, state: State, seat: int) -> str:
        return ", ".join(f"\u2212{cards}" for cards in self.list_discarded(state, seat))


class EndRace(Move[State], tag="end-race"):
    """End the race if nothing in the last turn can change who wins."""

    title = "End the race"
    fixed_label = MoveLabel("End the race", hint="This turn can\u2019t change the result", icon="flag")
    fixed_log_text = "ended the race: the last turn could not change the result"
    resolves = ("end",)
    rules = (r.FINISH_ROUND, r.NOT_FINISHED)

    def apply(self, state: State, seat: int) -> State:
        return end_turn(state)

    def log_baseline(self, state: State, seat: int) -> State:
        return replace(state, phase="over")  # Nothing else happens, and the text says that the race is over.


class DropOut(Move[State], tag="drop-out"):
    """Leave the race: no card and no Boost runs a leg."""

    title = "Drop out"
    fixed_label = MoveLabel("Drop out (DNF)", hint="Your race ends, because no card or Boost runs a leg", icon="x")
    fixed_log_text = "could not run a leg and dropped out (DNF)"
    resolves = ("run",)
    phase = Phase.TURN_START
    rules = (r.DNF, r.DNF_FORCED, r.BOOST_RESCUE, r.DNF_OTHER, r.DNF_BOTH)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.moved:
            yield Reason("has-run", r.DNF_FORCED, "You ran a leg this turn, so you stay in the race.")
        elif not can_be_stuck(state, seat):
            yield Reason("can-run", r.DNF_FORCED, self._can_run_text(state, seat))
        elif not can_be_stuck(state, seat, assume_unknown_boosts_help=True):
            name = card_name(state.unknown_boosts[0])
            text = f"{name} may get you over the next leg. First enter its cost."
            yield Reason("not-told", r.BOOST_RESCUE, text, unknown_fact=f"the cost of {name}")

    def _can_run_text(self, state: State, seat: int) -> str:
        if state.tracking == "light":
            boosts = " and your Boosts" if state.ready_boosts(seat) else ""
            return (
                f"With {pluralize(state.players[seat].held, 'card')} in hand{boosts}, "
                "there is always a way to run the next leg."
            )
        cards_or_boost = find_way(state, seat)
        colour = next_leg_colour(state, seat)
        if cards_or_boost == "luck":
            return f"You may still draw a card that runs the {colour} leg."
        means = card_name(cards_or_boost) if isinstance(cards_or_boost, str) else describe_cards(cards_or_boost)
        return f"You can still run the {colour} leg with {means}."

    def apply(self, state: State, seat: int) -> State:
        return end_turn(state.with_player(seat, out=True))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["DropOut"]:
        if not state.moved:
            yield cls()
