"""The moves of the stop a run ends on: draw a Setback, draw a Boost or discard all Setbacks."""

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from scoring.kernel.move import Move, MoveLabel, chosen_option
from scoring.kernel.rule import Reason, Rule
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, PAIR_SETBACKS, SETBACKS
from scoring.on_the_trail.card_facts import unknown_boost_reason
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import card_name, list_names, out_of_phase_reason, unknown_setback_reason
from scoring.on_the_trail.turn import RUN_DECISIONS, STOP_DECISIONS, discard_setbacks, required_decision

_RULES_BY_SETBACK: dict[str, Rule] = {
    "im-fine": r.FINE,
    "blisters": r.BLISTERS,
    "cramps": r.CRAMPS,
    "sprain": r.SPRAIN,
    "exhaustion": r.EXHAUSTION,
    **dict.fromkeys(PAIR_SETBACKS, r.NO_PAIR),
    "hitting-the-wall": r.HITTING_THE_WALL,
}
_AID_TEXT = "First end a run at an Aid Station. There, draw a Boost or discard your Setbacks, not both."


class StopMove(Move[State]):
    """Do what a stop asks for, which ends the stop; each of its moves has its own subclass."""

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator[Self]:
        """Yield no move for a query about the run or the stop, as neither comes after it."""
        is_over = query and (RUN_DECISIONS | STOP_DECISIONS).intersection(query.resolves)
        return iter(()) if is_over else cls.candidates(state, seat)


class TakeSetback(StopMove, tag="take-setback"):
    """Enter the Setback you have drawn."""

    title = "Draw a Setback"
    resolves = ("setback",)
    rules = (r.STOP_SETBACK, r.SETBACK_ACTIVE, r.SETBACK_RESHUFFLE, r.CUT_AT_ONCE, r.CUMULATIVE, r.SETBACK_PILE)

    setback: str

    def cited_rules(self) -> tuple[Rule, ...]:
        """Return the rules of drawing a Setback, and the one of this card."""
        return (*self.rules, _RULES_BY_SETBACK[self.setback])

    def out_of_phase_reason(self, state: State, seat: int) -> Reason | None:
        return _run_first_reason(state, r.STOP_SETBACK, "You draw a Setback only when your run ends at a Setback stop.")

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.setback not in SETBACKS:
            yield unknown_setback_reason(self.setback)
        elif not refill_setback_pile(state).setbacks_left(self.setback):
            name = card_name(self.setback)
            text = f"{name} is not in the Setback deck."
            if SETBACKS[self.setback].copies > 1:
                text = f"No {name} cards are left in the Setback deck."
            yield Reason("setback-copies", r.SETBACK_PILE, text)

    def apply(self, state: State, seat: int) -> State:
        state = replace(refill_setback_pile(state), phase="draw")
        state = state.with_player(seat, setbacks=(*state.players[seat].setbacks, self.setback))
        return refill_setback_pile(state) if chosen_option(state.rulings, r.EMPTY_PILE) == "at-once" else state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeSetback"]:
        yield from map(cls, SETBACKS)

    def label(self, state: State, seat: int) -> MoveLabel:
        card = SETBACKS[self.setback]
        return MoveLabel(f"Draw {card_name(card.id)}", hint=card.effect_text, icon="setback", short=card.name)

    def news_text(self, state: State, seat: int) -> str:
        return f"drew {card_name(self.setback)}"

    def log_text(self, state: State, seat: int) -> str:
        return f"drew {card_name(self.setback)} ({SETBACKS[self.setback].effect_text})"


def _run_first_reason(state: State, rule: Rule, text: str) -> Reason | None:
    """Return that a run must end first, or None if something else is missing."""
    if required_decision(state) not in ("run", "hand"):
        return None
    return Reason("run-first", rule, text, unknown_fact=out_of_phase_reason(state).unknown_fact)


def refill_setback_pile(state: State) -> State:
    """Return the state with the discarded Setbacks shuffled if the pile is empty."""
    return state if state.setback_pile_size else replace(state, setback_discard=())


class TakeBoost(StopMove, tag="take-boost"):
    """Enter the Boost you have drawn at the Aid Station; it is ready on your next turn."""

    title = "Draw a Boost"
    resolves = ("aid",)
    rules = (r.STOP_AID, r.AID_BOOST, r.BOOST_NEXT_TURN, r.BOOST_PILE)

    boost: str

    def out_of_phase_reason(self, state: State, seat: int) -> Reason | None:
        return _run_first_reason(state, r.STOP_AID, _AID_TEXT)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.boost not in BOOSTS:
            yield unknown_boost_reason(self.boost)
        elif self.boost not in state.boosts_left:
            yield Reason("boost-taken", r.BOOST_PILE, f"{BOOSTS[self.boost].name} is already in play.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, phase="draw").with_player(seat, boosts=(*state.players[seat].boosts, self.boost))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeBoost"]:
        yield from map(cls, BOOSTS)

    def label(self, state: State, seat: int) -> MoveLabel:
        card = BOOSTS[self.boost]
        return MoveLabel(f"Draw {card.name}", hint=card.effect_text, icon="boost", short=card.name)

    def news_text(self, state: State, seat: int) -> str:
        return f"drew {BOOSTS[self.boost].name}"

    def log_text(self, state: State, seat: int) -> str:
        return f"drew {BOOSTS[self.boost].name} (Boost)"


class ShedSetbacks(StopMove, tag="shed-setbacks"):
    """Discard every Setback in front of you at the Aid Station."""

    title = "Discard all Setbacks"
    resolves = ("aid",)
    rules = (r.STOP_AID, r.AID_SHED, r.BLISTERS, r.NO_BOOST_LEFT, r.AID_NOTHING)

    def out_of_phase_reason(self, state: State, seat: int) -> Reason | None:
        return _run_first_reason(state, r.STOP_AID, _AID_TEXT)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].setbacks:
            yield Reason("no-setback", r.AID_NOTHING, "You have no Setbacks to discard. Draw a Boost.")

    def apply(self, state: State, seat: int) -> State:
        return discard_setbacks(state)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            "Discard all your Setbacks",
            hint=list_names(state.players[seat].setbacks),
            icon="aid",
            short="Discard Setbacks",
        )

    def news_text(self, state: State, seat: int) -> str:
        return "discarded all Setbacks"

    def log_text(self, state: State, seat: int) -> str:
        return f"discarded all Setbacks ({list_names(state.players[seat].setbacks)})"
