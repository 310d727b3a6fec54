"""Facts that a box's owner enters later: running tables adopt them without overriding."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.card_facts import CardFactsFormat, FactPath
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.move import Move, MoveLabel
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import StateT


class FactValue(NamedTuple):
    """One value of the box, and the value it replaces at the table."""

    path: FactPath
    new: object
    old: object = None


class UseBoxFacts(Move[StateT]):
    """Use facts that the owner of the box entered since the table began."""

    title = "Use card details"
    fixed_label = MoveLabel("Use the owner\u2019s card details", icon="cards")
    card_facts: ClassVar[CardFactsFormat]
    out_of_turn = True
    names_player = False

    values: str  # a JSON list of [place, new, old]

    def objections(self, state: StateT, seat: int) -> Iterator[Reason]:
        if self._decoded_values is None:
            yield Reason("no-facts", self.rules[0], "These are not details of any cards.")

    @property
    def _decoded_values(self) -> list[tuple[tuple[str | int, ...], object, object]] | None:
        try:
            return msgspec.json.decode(self.values, type=list[tuple[tuple[str | int, ...], object, object]])
        except (msgspec.MsgspecError, UnicodeEncodeError):
            return None

    def apply(self, state: StateT, seat: int) -> StateT:
        """Return the state with each value that fits and whose place has not changed since."""
        facts = self.card_facts.of_state(state)
        for path, new, old in self._decoded_values or ():
            if self.card_facts.values(facts).get(path) == old:
                with suppress(InvalidInputError, IllegalMoveError):
                    facts = self.card_facts.put(facts, {path: new})
        return replace(state, facts=facts)

    def log_text(self, state: StateT, seat: int) -> str:
        differences = self.card_facts.differences(*map(self.card_facts.of_state, (state, self.apply(state, seat))))
        return f"New card details: {', '.join(difference.title for difference in differences)}"


def make_use_box_facts_move(facts_format: CardFactsFormat[Any], *cited_rules: Rule) -> type[UseBoxFacts]:
    """Return the move by which a game's tables take over facts of the box."""

    class UseCardFacts(UseBoxFacts, tag="use-box-facts"):
        rules = cited_rules
        card_facts = facts_format

    return UseCardFacts


def new_values_for_table(
    facts_format: CardFactsFormat[Any],
    initial_state: StateT,
    steps: Iterable[tuple[Move, StateT, StateT]],
    state: StateT,
    box_facts: Struct,
) -> Iterator[FactValue]:
    """Yield the values of a box that the players of a table have not entered.

    :param initial_state: the table's first state.
    :param steps: each move since, with the states before and after it.
    """
    facts_of = facts_format.of_state
    entered = facts_format.values(facts_of(initial_state))
    for move, before, after in steps:
        if not isinstance(move, UseBoxFacts) and facts_of(before) != facts_of(after):
            entered |= {
                path: new for path, (_, new) in facts_format.changed_values(facts_of(before), facts_of(after)).items()
            }
    own = facts_format.put(facts_format.type(), {path: value for path, value in entered.items() if value is not None})
    known = facts_format.values(facts_of(state))
    for path, new in facts_format.values(facts_format.renumber_for_table(own, state, box_facts)).items():
        if entered.get(path) is None and known.get(path) != new:
            yield FactValue(path, new, known.get(path))
