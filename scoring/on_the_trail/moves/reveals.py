"""What anybody tells of the Trail, without asking: its legs and stops, where its cards end, how they lie in the row."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import plural
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import COLOURS, MOST_LEGS, STOPS, TRAIL_CARDS, Colour, Stop
from scoring.on_the_trail.facts import STOPS as STOP_WORDS
from scoring.on_the_trail.facts import TrailCard, ended
from scoring.on_the_trail.route import coming, has_spot, laid, place
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import race_over
from scoring.on_the_trail.turn import need


class Telling(Move):
    """Something anybody may say as long as the race goes on."""

    anytime = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        return iter((race_over(),)) if state.over else self.wrong(state, seat)

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        """Yield what speaks against it while the race goes on."""
        raise NotImplementedError


class OfCard(Telling):
    """Something said of one Trail card."""

    card: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.over or 0 <= self.card < TRAIL_CARDS:
            return super().objections(state, seat)
        return iter((Reason("no-such-card", r.COMPONENTS, f"The box has {TRAIL_CARDS} Trail cards."),))

    @property
    def name(self) -> str:
        return f"Trail card {self.card + 1}"

    def known(self, state: State) -> TrailCard:
        return state.facts.cards[self.card]


class TellLeg(OfCard, tag="tell-leg"):
    """Say what colour a leg of a Trail card has: the one that comes next, or one that was told wrongly."""

    answers = ("leg",)
    sign = "trail-end"
    rules = (r.TRAIL_CARDS, r.SETUP_TRAIL)

    leg: int
    colour: Colour

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        card = self.known(state)
        if not 0 <= self.leg <= len(card.legs):
            text = f"This Trail card has {plural(len(card.legs), 'leg')} so far; tell them in order."
            yield Reason("no-such-leg", r.TRAIL_CARDS, text)
        elif self.leg == len(card.legs):
            if card.whole or self.card != state.frontier:
                yield Reason(
                    "card-whole", r.TRAIL_CARDS, "A leg can be added where the known Trail ends, nowhere else."
                )
            elif self.leg >= MOST_LEGS:
                yield Reason("too-many-legs", r.TRAIL_CARDS, f"A Trail card has at most {MOST_LEGS} legs.")
        elif card.legs[self.leg].colour == self.colour:
            yield Reason("no-change", r.TRAIL_CARDS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=state.facts.with_leg(self.card, self.leg, colour=self.colour))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellLeg"]:
        if (spot := blank(state)) is not None:
            yield from (cls(*spot, colour) for colour in COLOURS)

    def label(self, state: State, seat: int) -> str:
        return f"{self.colour.capitalize()} leg"

    def told(self, state: State, seat: int) -> str:
        return f"sees a {self.colour} leg on {self.name}"


def blank(state: State) -> tuple[int, int] | None:
    """Return the Trail card and the leg that is to be told next: before the runner, or where the known Trail ends."""
    if state.over:
        return None
    at, way = state.players[state.turn].at, state.legs
    if at < len(way):
        return place(state, at + 1) if way[at].colour is None else None
    card = state.frontier
    return None if card is None else (card, len(state.facts.cards[card].legs))


class EndCard(OfCard, tag="end-card"):
    """Say that a Trail card ends where the known Trail ends: the next card begins, or it is the finish."""

    answers = ("leg",)
    sign = "flag"
    rules = (r.TRAIL_CARDS, r.CARD_ENDS, r.FINISH_LINE)

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        if self.card != state.frontier:
            yield Reason("card-whole", r.TRAIL_CARDS, "The known Trail does not end on this card.")
        elif not self.known(state).legs:
            yield Reason("no-legs", r.TRAIL_CARDS, "A Trail card has at least one leg.")

    def apply(self, state: State, seat: int) -> State:
        card = ended(replace(self.known(state), whole=True))
        return replace(state, facts=state.facts.with_card(self.card, legs=card.legs, whole=True))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EndCard"]:
        card = state.frontier
        if card is not None and state.facts.cards[card].legs and not state.over:
            yield cls(card)

    def label(self, state: State, seat: int) -> str:
        last = len(state.order) == TRAIL_CARDS and state.order[-1] == self.card
        return "This is the finish" if last else "The next card begins"

    def told(self, state: State, seat: int) -> str:
        return f"sees the end of {self.name}"


class LayCard(OfCard, tag="lay-card"):
    """Say which Trail card lies next."""

    answers = ("leg",)
    sign = "cards"
    rules = (r.SETUP_TRAIL,)

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        if state.frontier is not None or state.complete:
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
        return self.name.capitalize() if self.known(state).legs else "A card nobody has told yet"

    def hint(self, state: State, seat: int) -> str:
        return ", ".join(leg.colour or "?" for leg in self.known(state).legs)

    def told(self, state: State, seat: int) -> str:
        return f"sees that {self.name} lies next"


class TellStop(OfCard, tag="tell-stop"):
    """Say what kind of stop a leg of a Trail card leads to."""

    answers = ("stop",)
    rules = (r.TRAIL_CARDS, r.STOP_FINAL)

    leg: int
    stop: Stop

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        legs = self.known(state).legs
        if not 0 <= self.leg < len(legs):
            yield Reason("no-such-leg", r.TRAIL_CARDS, f"This Trail card has {plural(len(legs), 'leg')} so far.")
        elif legs[self.leg].stop == self.stop:
            yield Reason("no-change", r.TRAIL_CARDS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=state.facts.with_leg(self.card, self.leg, stop=self.stop))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TellStop"]:
        if need(state) == "stop" and (spot := place(state, state.players[state.turn].at)):
            yield from (cls(*spot, stop) for stop in STOPS)

    def label(self, state: State, seat: int) -> str:
        return {"neutral": "Neutral", "setback": "Setback", "aid": "Aid Station"}[self.stop]

    def icon(self, state: State, seat: int) -> str:
        return {"neutral": "stop", "setback": "setback", "aid": "aid"}[self.stop]

    def told(self, state: State, seat: int) -> str:
        return f"sees {STOP_WORDS[self.stop]} on {self.name}"


# Where the Trail was told otherwise than it lies.


class SwapCards(OfCard, tag="swap-cards"):
    """Say which Trail card lies at a place of the row; where it was taken to lie, lies the other one."""

    sign = "cards"
    rules = (r.SETUP_TRAIL,)

    place: int  # the first is 0

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        if not 0 <= self.place < len(state.order):
            yield Reason("not-yet", r.SETUP_TRAIL, "Nobody has told yet which Trail card lies there.")
        elif state.order[self.place] == self.card:
            yield Reason("no-change", r.SETUP_TRAIL, "The app has it so already.")
        else:
            yield from nowhere(self.apply(state, seat))

    def apply(self, state: State, seat: int) -> State:
        swapped = {self.card: state.order[self.place], state.order[self.place]: self.card}
        return replace(state, order=tuple(swapped.get(card, card) for card in state.order))

    def label(self, state: State, seat: int) -> str:
        return f"{self.name} lies at place {self.place + 1}"

    def told(self, state: State, seat: int) -> str:
        return f"sees that {self.name} lies at place {self.place + 1}"


class CutCard(OfCard, tag="cut-card"):
    """Say that of a Trail card only so many legs are known: the others are not there, or it goes on after all."""

    sign = "minus"
    rules = (r.TRAIL_CARDS,)

    legs: int

    def wrong(self, state: State, seat: int) -> Iterator[Reason]:
        card = self.known(state)
        if not 0 <= self.legs <= len(card.legs):
            yield Reason("no-such-leg", r.TRAIL_CARDS, f"This Trail card has {plural(len(card.legs), 'leg')} so far.")
        elif self.legs == len(card.legs) and not card.whole:
            yield Reason("no-change", r.TRAIL_CARDS, "The app has it so already.")
        else:
            yield from nowhere(self.apply(state, seat))

    def apply(self, state: State, seat: int) -> State:
        legs = self.known(state).legs[: self.legs]
        return replace(state, facts=state.facts.with_card(self.card, legs=legs, whole=False))

    def label(self, state: State, seat: int) -> str:
        return f"{self.name}: {plural(self.legs, 'leg')} so far"

    def told(self, state: State, seat: int) -> str:
        if self.legs == len(self.known(state).legs):
            return f"sees that {self.name} goes on"
        return f"sees no more than {plural(self.legs, 'leg')} on {self.name} so far"


def nowhere(state: State) -> Iterator[Reason]:
    """Yield who would stand where a Trail set right has no spot for them: beyond what is known of it, or at its finish."""
    state = laid(state)
    for player in state.players:
        if not has_spot(state, player):
            text = f"{player.name} stands where the Trail would then have no spot; set that right first."
            yield Reason("no-such-spot", r.SETUP_TRAIL, text)
