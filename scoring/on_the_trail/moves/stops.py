"""The moves of the stop a run ends on: draw a Setback, draw a Boost or discard all Setbacks."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import plural
from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, SETBACKS
from scoring.on_the_trail.facts import no_such_boost
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import no_such_setback
from scoring.on_the_trail.turn import shed_all


class TakeSetback(Move, tag="take-setback"):
    """Say which Setback you have drawn."""

    answers = ("setback",)
    opens = False  # the turn is over
    sign = "setback"
    rules = (r.STOP_SETBACK, r.SETBACK_ACTIVE, r.SETBACK_RESHUFFLE, r.FINE, r.CUT_AT_ONCE, r.CUMULATIVE)

    setback: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.setback not in SETBACKS:
            yield no_such_setback(self.setback)
        elif not with_pile(state).setbacks_left(self.setback):
            copies = plural(SETBACKS[self.setback].copies, "copy")
            text = f"{SETBACKS[self.setback].name} is there in {copies}; none is in the pile."
            yield Reason("setback-copies", r.SETBACK_PILE, text)

    def apply(self, state: State, seat: int) -> State:
        state = replace(with_pile(state), phase="draw")
        state = state.with_player(seat, setbacks=(*state.players[seat].setbacks, self.setback))
        return with_pile(state) if chosen(state.rulings, r.EMPTY_PILE) == "at-once" else state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeSetback"]:
        yield from map(cls, SETBACKS)

    def label(self, state: State, seat: int) -> str:
        return SETBACKS[self.setback].name

    def hint(self, state: State, seat: int) -> str:
        return SETBACKS[self.setback].does

    def told(self, state: State, seat: int) -> str:
        return f"drew {SETBACKS[self.setback].name}"


def with_pile(state: State) -> State:
    """Return the state with Setbacks to draw: the discarded ones shuffled where the pile has run out."""
    return state if state.setback_pile else replace(state, setback_discard=())


class TakeBoost(Move, tag="take-boost"):
    """Say which Boost you have drawn at the Aid Station; it is ready on your next turn."""

    answers = ("aid",)
    opens = False  # the turn is over
    sign = "boost"
    rules = (r.STOP_AID, r.AID_BOOST, r.BOOST_NEXT_TURN)

    boost: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in BOOSTS:
            yield no_such_boost(self.boost)
        elif self.boost not in state.boosts_left:
            yield Reason("boost-taken", r.BOOST_PILE, f"{BOOSTS[self.boost].name} lies in front of a runner already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, phase="draw").with_player(seat, boosts=(*state.players[seat].boosts, self.boost))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeBoost"]:
        yield from map(cls, BOOSTS)

    def label(self, state: State, seat: int) -> str:
        return BOOSTS[self.boost].name

    def hint(self, state: State, seat: int) -> str:
        return BOOSTS[self.boost].does

    def told(self, state: State, seat: int) -> str:
        return f"drew the Boost {BOOSTS[self.boost].name}"


class ShedSetbacks(Move, tag="shed-setbacks"):
    """Discard every Setback in front of you at the Aid Station."""

    answers = ("aid",)
    opens = False  # the turn is over
    sign = "aid"
    rules = (r.STOP_AID, r.AID_SHED, r.BLISTERS, r.NO_BOOST_LEFT)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].setbacks:
            yield Reason("no-setback", r.AID_NOTHING, "No Setback lies in front of you.")

    def apply(self, state: State, seat: int) -> State:
        return shed_all(state)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ShedSetbacks"]:
        if state.players[seat].setbacks:
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "Discard all your Setbacks"

    def hint(self, state: State, seat: int) -> str:
        return ", ".join(SETBACKS[id].name for id in state.players[seat].setbacks)

    def told(self, state: State, seat: int) -> str:
        return "discarded all Setbacks"
