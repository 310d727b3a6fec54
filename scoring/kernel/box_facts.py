"""Facts of a box that its owner enters later: they reach running tables and override nothing."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.facts import Facts, Place
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason, Rule


class Value(NamedTuple):
    """One value of the box, and what the table knew in its place."""

    place: Place
    new: Any
    old: Any = None


class UseBoxFacts(Move):
    """Use facts that the owner of the box entered since the table began."""

    box_facts: ClassVar[Facts]
    anytime = True
    sign = "cards"

    values: str  # a JSON list of [place, new, old]

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        if self._values is None:
            yield Reason("no-facts", self.rules[0], "These are no facts of a box.")

    @property
    def _values(self) -> list[tuple[tuple[str | int, ...], Any, Any]] | None:
        try:
            return msgspec.json.decode(self.values, type=list[tuple[tuple[str | int, ...], Any, Any]])
        except (msgspec.MsgspecError, UnicodeEncodeError):
            return None

    def apply(self, state: Any, seat: int) -> Any:
        """Return the state with each value that fits and whose place has not changed since."""
        facts = state.facts
        for place, new, old in self._values or ():
            if self.box_facts.values(facts).get(place) == old:
                with suppress(Malformed, Illegal):
                    facts = self.box_facts.put(facts, {place: new})
        return replace(state, facts=facts)

    def label(self, state: Any, seat: int) -> str:
        return "Use the facts of the box"

    def told(self, state: Any, seat: int) -> str:
        found = self.box_facts.differences(state.facts, self.apply(state, seat).facts)
        return f"uses new facts of the box: {', '.join(each.title for each in found)}"


def using_box_facts(facts: Facts, *cited: Rule) -> type[UseBoxFacts]:
    """Return the move by which a game's tables take over facts of the box."""

    class UseFacts(UseBoxFacts, tag="use-box-facts"):
        rules = cited
        box_facts = facts

    return UseFacts


def news_for_table(
    facts: Facts, first: Any, steps: Iterable[tuple[Move, Any, Any]], state: Any, box: Any
) -> Iterator[Value]:
    """Yield the values of a box that the players of a table have not entered.

    :param first: the table's first state.
    :param steps: each move since, with the states before and after it.
    """
    entered: dict[Place, Any] = facts.values(first.facts)
    for move, before, after in steps:
        if not isinstance(move, UseBoxFacts) and before.facts != after.facts:
            entered |= {place: new for place, (_, new) in facts.changes(before.facts, after.facts).items()}
    own = facts.put(facts.type(), {place: value for place, value in entered.items() if value is not None})
    known = facts.values(state.facts)
    for place, new in facts.values(facts.for_table(own, state, box)).items():
        if entered.get(place) is None and known.get(place) != new:
            yield Value(place, new, known.get(place))
