"""Moves by which anyone enters the Trail: legs, stops, card ends and the order of cards."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.move import Move, MoveLabel
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import COLOURS, MAX_LEGS, STOPS, TRAIL_CARDS, Colour, Stop
from scoring.on_the_trail.card_facts import STOP_NAMES, STOP_TEXTS, TrailCard, with_default_last_stop
from scoring.on_the_trail.route import find_spot, is_on_known_trail, lay_forced_card, possible_next_cards
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import missing_entry_text, race_over_reason
from scoring.on_the_trail.turn import RUN_DECISIONS, required_decision

ALREADY_ENTERED = "This has already been entered."


class Reveal(Move[State]):
    """A fact that any seat may enter as long as the race goes on."""

    out_of_turn = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        return iter((race_over_reason(),)) if state.is_over else self.objections_during_race(state, seat)

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        """Yield the reasons against this move while the race goes on."""
        raise NotImplementedError


class TrailCardReveal(Reveal):
    """A fact about one Trail card."""

    card: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.is_over or 0 <= self.card < TRAIL_CARDS:
            return super().objections(state, seat)
        return iter((Reason("no-such-card", r.COMPONENTS, f"There are only {TRAIL_CARDS} Trail cards."),))

    @property
    def card_name(self) -> str:
        return f"Trail card {self.card + 1}"

    def known_card(self, state: State) -> TrailCard:
        return state.facts.cards[self.card]

    def too_short_reason(self, state: State) -> Reason:
        legs = len(self.known_card(state).legs)
        entered = f"Only {pluralize(legs, 'leg')}" if legs else "No legs"
        verb = "has" if legs == 1 else "have"
        return Reason("no-such-leg", r.TRAIL_CARDS, f"{entered} of {self.card_name} {verb} been entered.")


class EnterLeg(TrailCardReveal, tag="tell-leg"):
    """Enter the color of a leg: the next unknown leg, or one with a wrong color."""

    title = "Enter a leg"
    entered_fact = "the color of the next leg"
    names_player = False
    resolves = ("leg",)
    rules = (r.TRAIL_CARDS, r.SETUP_TRAIL)

    leg: int
    colour: Colour

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        card = self.known_card(state)
        if not 0 <= self.leg <= len(card.legs):
            text = f"{self.card_name} has {pluralize(len(card.legs), 'leg')} so far. Enter the next one first."
            yield Reason("no-such-leg", r.TRAIL_CARDS, text)
        elif self.leg == len(card.legs):
            if card.whole or self.card != state.frontier:
                yield Reason("card-whole", r.TRAIL_CARDS, "You can add a leg only where the known Trail ends.")
            elif self.leg >= MAX_LEGS:
                yield Reason("too-many-legs", r.TRAIL_CARDS, f"{self.card_name} has {MAX_LEGS} legs. Enter its end.")
        elif card.legs[self.leg].colour == self.colour:
            yield Reason("no-change", r.TRAIL_CARDS, ALREADY_ENTERED)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=state.facts.with_leg(self.card, self.leg, colour=self.colour))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EnterLeg"]:
        if (spot := next_unknown_leg(state)) is not None:
            yield from (cls(*spot, colour) for colour in COLOURS)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Enter a {self.colour} leg", icon="trail-end", short=self.colour.capitalize())

    def log_text(self, state: State, seat: int) -> str:
        legs = self.known_card(state).legs
        old = legs[self.leg].colour if self.leg < len(legs) else None
        if old:
            return f"Leg {self.leg + 1} on {self.card_name} is {self.colour} (was: {old})"
        return f"The next leg on {self.card_name} is {self.colour}"


def next_unknown_leg(state: State) -> tuple[int, int] | None:
    """Return the Trail card and leg number to enter next, or None.

    That is the leg ahead of the runner, or the one after the end of the known Trail.
    """
    if state.is_over:
        return None
    spot, legs = state.players[state.turn].legs_run, state.legs
    if spot < len(legs):
        return find_spot(state, spot + 1) if legs[spot].colour is None else None
    card = state.frontier
    return None if card is None else (card, len(state.facts.cards[card].legs))


def can_end_card(state: State) -> bool:
    """Return whether the known Trail may end with the Trail card that it has reached."""
    return state.frontier is not None and bool(state.facts.cards[state.frontier].legs) and not state.is_over


class EndCard(TrailCardReveal, tag="end-card"):
    """Enter that a Trail card ends with the known Trail: the next card or the finish follows."""

    title = "Enter the end of a Trail card"
    entered_fact = "the end of a Trail card"
    names_player = False
    resolves = ("leg",)
    rules = (r.TRAIL_CARDS, r.CARD_ENDS, r.FINISH_LINE)

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        if self.card != state.frontier:
            yield Reason("card-whole", r.TRAIL_CARDS, f"The known Trail does not end on {self.card_name}.")
        elif not self.known_card(state).legs:
            yield Reason("no-legs", r.TRAIL_CARDS, "A Trail card has at least 1 leg. Enter it first.")

    def apply(self, state: State, seat: int) -> State:
        card = with_default_last_stop(replace(self.known_card(state), whole=True))
        return replace(state, facts=state.facts.with_card(self.card, legs=card.legs, whole=True))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EndCard"]:
        if state.frontier is not None and can_end_card(state):
            yield cls(state.frontier)

    def label(self, state: State, seat: int) -> MoveLabel:
        if len(state.order) == TRAIL_CARDS and state.order[-1] == self.card:
            return MoveLabel("Enter the finish here", short="Finish", icon="flag")
        return MoveLabel("Enter the end of this Trail card", short="End of card", icon="flag")

    def log_text(self, state: State, seat: int) -> str:
        return f"{self.card_name} ends here"


class LayCard(TrailCardReveal, tag="lay-card"):
    """Enter which Trail card comes next."""

    title = "Enter the next Trail card"
    entered_fact = "the next Trail card"
    names_player = False
    resolves = ("leg",)
    rules = (r.SETUP_TRAIL,)

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        if state.frontier is not None:
            text = missing_entry_text(f"the end of Trail card {state.frontier + 1}")
            yield Reason("not-yet", r.SETUP_TRAIL, text)
        elif state.is_route_complete:
            yield Reason("not-yet", r.SETUP_TRAIL, f"All {TRAIL_CARDS} Trail cards have already been entered.")
        elif self.card not in possible_next_cards(state):
            yield Reason("card-lies", r.SETUP_TRAIL, f"{self.card_name} cannot come next. Choose another card.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, order=(*state.order, self.card))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LayCard"]:
        if not state.is_over and state.frontier is None and not state.is_route_complete:
            yield from map(cls, possible_next_cards(state))

    def label(self, state: State, seat: int) -> MoveLabel:
        name = self.card_name if self.known_card(state).legs else "a new Trail card"
        hint = ", ".join(leg.colour or "?" for leg in self.known_card(state).legs)
        return MoveLabel(f"Enter {name}", hint=hint, icon="cards", short=capitalize_first(name))

    def log_text(self, state: State, seat: int) -> str:
        return f"{self.card_name} comes next"


class EnterStop(TrailCardReveal, tag="tell-stop"):
    """Enter the kind of stop that a leg of a Trail card leads to."""

    title = "Enter the kind of stop"
    entered_fact = "the kind of stop"
    names_player = False
    resolves = ("stop",)
    rules = (r.TRAIL_CARDS, r.STOP_FINAL)

    leg: int
    stop: Stop

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        legs = self.known_card(state).legs
        if not 0 <= self.leg < len(legs):
            yield self.too_short_reason(state)
        elif legs[self.leg].stop == self.stop:
            yield Reason("no-change", r.TRAIL_CARDS, ALREADY_ENTERED)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=state.facts.with_leg(self.card, self.leg, stop=self.stop))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EnterStop"]:
        if required_decision(state) == "stop" and (spot := find_spot(state, state.players[state.turn].legs_run)):
            yield from (cls(*spot, stop) for stop in STOPS)

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator["EnterStop"]:
        """Yield the stops at which a move can be possible.

        It yields nothing for a query about the run, which is over at a stop.
        """
        resolves = query.resolves if query else ()
        if RUN_DECISIONS.intersection(resolves):
            return
        wanted = set(STOPS).intersection(resolves)
        yield from (move for move in cls.candidates(state, seat) if not wanted or move.stop in wanted)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Enter this stop as {STOP_TEXTS[self.stop]}",
            short=STOP_NAMES[self.stop],
            icon={"neutral": "stop", "setback": "setback", "aid": "aid"}[self.stop],
        )

    def log_text(self, state: State, seat: int) -> str:
        old = self.known_card(state).legs[self.leg].stop
        old_text = f" (was: {STOP_TEXTS[old]})" if old else ""
        return f"Stop {self.leg + 1} on {self.card_name} is {STOP_TEXTS[self.stop]}{old_text}"


# Corrections of the Trail.


class SwapCards(TrailCardReveal, tag="swap-cards"):
    """Enter the Trail card at a place of the row; it swaps places with the card entered there."""

    title = "Swap Trail cards"
    names_player = False
    rules = (r.SETUP_TRAIL,)

    place: int  # counted from 0

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        if not 0 <= self.place < len(state.order):
            yield Reason(
                "not-yet", r.SETUP_TRAIL, f"Position {self.place + 1} has no Trail card yet. Enter the Trail in order."
            )
        elif state.order[self.place] == self.card:
            yield Reason("no-change", r.SETUP_TRAIL, ALREADY_ENTERED)
        else:
            yield from misplaced_runner_objections(self.apply(state, seat))

    def apply(self, state: State, seat: int) -> State:
        swapped = {self.card: state.order[self.place], state.order[self.place]: self.card}
        return replace(state, order=tuple(swapped.get(card, card) for card in state.order))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Move {self.card_name} to position {self.place + 1}", icon="cards")

    def log_text(self, state: State, seat: int) -> str:
        old = f"Trail card {state.order[self.place] + 1}"
        return f"Position {self.place + 1} on the Trail is {self.card_name} (was: {old})"


class CutCard(TrailCardReveal, tag="cut-card"):
    """Cut a Trail card to its first legs: the others do not exist, or more may follow."""

    title = "Shorten a Trail card"
    names_player = False
    rules = (r.TRAIL_CARDS,)

    legs: int

    def objections_during_race(self, state: State, seat: int) -> Iterator[Reason]:
        card = self.known_card(state)
        if not 0 <= self.legs <= len(card.legs):
            yield self.too_short_reason(state)
        elif self.legs == len(card.legs) and not card.whole:
            yield Reason("no-change", r.TRAIL_CARDS, ALREADY_ENTERED)
        else:
            yield from misplaced_runner_objections(self.apply(state, seat))

    def apply(self, state: State, seat: int) -> State:
        legs = self.known_card(state).legs[: self.legs]
        return replace(state, facts=state.facts.with_card(self.card, legs=legs, whole=False))

    def label(self, state: State, seat: int) -> MoveLabel:
        if self.legs == len(self.known_card(state).legs):
            return MoveLabel(f"Add legs to {self.card_name}", icon="pen")
        return MoveLabel(f"Shorten {self.card_name} to {pluralize(self.legs, 'leg')}", icon="minus")

    def log_text(self, state: State, seat: int) -> str:
        old = len(self.known_card(state).legs)
        if self.legs == old:
            return f"{self.card_name} has more legs after leg {old}"
        return f"{self.card_name} has {pluralize(self.legs, 'leg')} so far (was: {pluralize(old, 'leg')})"


def misplaced_runner_objections(state: State) -> Iterator[Reason]:
    """Yield a reason for each runner off the corrected Trail: beyond its legs or at its finish."""
    state = lay_forced_card(state)
    for player in state.players:
        if not is_on_known_trail(state, player):
            text = f"{player.name}\u2019s Runner marker would no longer be on the Trail. Correct its position first."
            yield Reason("no-such-spot", r.SETUP_TRAIL, text)
