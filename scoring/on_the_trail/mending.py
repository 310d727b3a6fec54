"""The moves that set the Trail right where it was told otherwise than it lies: the order of its cards, their number of legs."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.route import laid, may_end
from scoring.on_the_trail.state import State
from scoring.on_the_trail.telling import card_name, no_such_card, over


def nowhere(state: State) -> Iterator[Reason]:
    """Yield who would stand where a Trail set right has no spot for them: beyond what is known of it, or at its finish."""
    state = laid(state)
    for player in state.players:
        at_end = player.at == len(state.legs) and (state.complete if player.home else may_end(state))
        if player.at > len(state.legs) or at_end != player.home:
            text = f"{player.name} stands where the Trail would then have no spot; set that right first."
            yield Reason("no-such-spot", r.SETUP_TRAIL, text)


class SwapCards(Move):
    """Say which Trail card lies at a place of the row; where it was taken to lie, lies the other one."""

    rules = (r.SETUP_TRAIL,)
    anytime = True

    place: int  # the first is 0
    card: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or no_such_card(self.card):
            yield reason
        elif not 0 <= self.place < len(state.order):
            yield Reason("not-yet", r.SETUP_TRAIL, "Nobody has told yet which Trail card lies there.")
        elif state.order[self.place] == self.card:
            yield Reason("no-change", r.SETUP_TRAIL, "The app has it so already.")
        else:
            yield from nowhere(self.apply(state, seat))

    def apply(self, state: State, seat: int) -> State:
        swapped = {self.card: state.order[self.place], state.order[self.place]: self.card}
        return replace(state, order=tuple(swapped.get(card, card) for card in state.order))

    def label(self, state: State, seat: int) -> str:
        return f"{card_name(self.card)} lies at place {self.place + 1}"

    def icon(self, state: State, seat: int) -> str:
        return "cards"

    def told(self, state: State, seat: int) -> str:
        return f"sees that {card_name(self.card)} lies at place {self.place + 1}"


class CutCard(Move):
    """Say that of a Trail card only so many legs are known: the others are not there, or it goes on after all."""

    rules = (r.TRAIL_CARDS,)
    anytime = True

    card: int
    legs: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state) or no_such_card(self.card):
            yield reason
            return
        card = state.facts.cards[self.card]
        if not 0 <= self.legs <= len(card.legs):
            yield Reason("no-such-leg", r.TRAIL_CARDS, f"This Trail card has {plural(len(card.legs), 'leg')} so far.")
        elif self.legs == len(card.legs) and not card.whole:
            yield Reason("no-change", r.TRAIL_CARDS, "The app has it so already.")
        else:
            yield from nowhere(self.apply(state, seat))

    def apply(self, state: State, seat: int) -> State:
        legs = state.facts.cards[self.card].legs[: self.legs]
        return replace(state, facts=state.facts.with_card(self.card, legs=legs, whole=False))

    def label(self, state: State, seat: int) -> str:
        return f"{card_name(self.card)}: {plural(self.legs, 'leg')} so far"

    def icon(self, state: State, seat: int) -> str:
        return "minus"

    def told(self, state: State, seat: int) -> str:
        known = len(state.facts.cards[self.card].legs) if no_such_card(self.card) is None else 0
        if self.legs == known:
            return f"sees that {card_name(self.card)} goes on"
        return f"sees no more than {plural(self.legs, 'leg')} on {card_name(self.card)} so far"
