"""The move that corrects a position: differences of its editable fields."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace as replace_attributes
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from scoring.kernel.editable import (
    AddRemove,
    Change,
    EditableField,
    Increment,
    Number,
    OneOf,
    PileSize,
    Replace,
    SomeOf,
)
from scoring.kernel.english import capitalize_first
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Correction, MoveLabel
from scoring.kernel.paths import get_value, parse_path, with_value
from scoring.kernel.position import PositionFormat, PositionT
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import GameState, StateT


class EditPosition(Correction[StateT]):
    """Correct the position; see `make_edit_position_move`.

    Changes are differences: they are applied to the position at the time when the table agrees.
    """

    title = "Correction"
    position_format: ClassVar[PositionFormat[Any, Any]]
    drop_impossible_notes: ClassVar[Callable[[Any], Any]]

    changes: tuple[Change, ...]

    def _fields_by_path(self, state: StateT) -> dict[str, EditableField]:
        return {field.path: field for field in self.position_format.editable_fields(state)}

    def change_errors(self, state: StateT) -> Iterator[Reason]:
        fields = self._fields_by_path(state)
        reasons = [
            reason for change in self.changes for reason in self._field_objections(fields.get(change.path), change)
        ]
        twice = [path for path, times in Counter(change.path for change in self.changes).items() if times > 1]
        if all(map(_is_no_change, self.changes)):
            yield self._reason("no-change", "This changes nothing.")
        elif twice:
            label = fields[twice[0]].label if twice[0] in fields else twice[0]
            yield self._reason("twice", f"{capitalize_first(label)} is changed twice.")
        elif reasons:
            yield from reasons
        else:
            try:
                self.apply(state, 0)
            # A LookupError means that another of the changes removed the field.
            except (InvalidInputError, LookupError):
                yield self._reason("cannot-lie", "No table can look like that.")

    def _reason(self, code: str, text: str) -> Reason:
        return Reason(code, self.rules[0], text)

    def _field_objections(self, field: EditableField | None, change: Change) -> Iterator[Reason]:
        if field is None or field.is_read_only:
            yield self._reason("no-such-figure", "There is nothing like this to correct at this table.")
            return
        label, unknown = capitalize_first(field.label), "{}: \u201c{}\u201d does not exist."
        match field.domain, change:
            case (Number() | PileSize()) as domain, Increment(_, difference):
                number = field.value + difference
                if not domain.minimum <= number <= domain.maximum:
                    text = f"{label}: {number} is not possible. Enter {domain.minimum} to {domain.maximum}."
                    yield self._reason("out-of-range", text)
            case SomeOf() as domain, AddRemove(_, less, more):
                if missing := Counter(less) - Counter(field.value):
                    verb = "is" if len(missing) == 1 else "are"
                    yield self._reason(
                        "otherwise-now", f"{label}: {domain.describe([*missing])} {verb} no longer there."
                    )
                if unknown_keys := [key for key in more if domain.find_choice(key) is None]:
                    yield self._reason("no-such-thing", unknown.format(label, unknown_keys[0]))
            case OneOf() as domain, Replace(_, old, new) if not isinstance(domain, SomeOf):
                if field.value != old:
                    yield self._reason("otherwise-now", f"{label}: this is {field.value_text} now.")
                elif domain.find_choice(new) is None:
                    yield self._reason("no-such-thing", unknown.format(label, new))
            case _:
                yield self._reason("no-such-change", f"{label} cannot be corrected this way.")

    def position_errors(self, state: StateT) -> Iterator[Reason]:
        return self.position_format.position_errors(state)

    def apply(self, state: StateT, seat: int) -> StateT:
        edited = self.apply_to_position(self._fields_by_path(state), self.position_format.to_position(state))
        return type(self).drop_impossible_notes(edited)

    def apply_to_position(self, fields: dict[str, EditableField], position: Struct) -> StateT:
        """Return the state with changes applied to a position, also where notes become impossible.

        :param fields: the editable fields by path.
        :raises InvalidInputError, LookupError: when the resulting position is impossible.
        """
        # Values that are only partly visible are left unchanged.
        changes = [change for change in self.changes if not _is_no_change(change)]
        edited = position
        # A choice where there was none adds an item to a list.
        may_append = any(isinstance(change, Replace) and not change.was for change in changes)
        for path, value in (side_effect for change in changes for side_effect in fields[change.path].side_effects):
            edited = with_value(edited, parse_path(path), value, may_append=may_append)
        for change in changes:  # Explicit changes take precedence over side effects, in any order.
            path = parse_path(change.path)
            is_added = isinstance(change, Replace) and not change.was
            value = None if is_added else get_value(position, path)
            edited = with_value(edited, path, _apply_change(value, fields[change.path], change), may_append=may_append)
            if isinstance(change, Increment) and (whole := fields[change.path].counted_in):
                edited = with_value(edited, parse_path(whole), get_value(edited, parse_path(whole)) + change.by)
        try:
            return self.position_format.from_position(
                msgspec.convert(msgspec.to_builtins(edited), self.position_format.type)
            )
        except msgspec.ValidationError as error:
            raise InvalidInputError(str(error)) from None

    def log_baseline(self, state: StateT, seat: int) -> StateT:
        return self.apply(state, seat)

    def describe_change(self, state: StateT) -> str:
        return describe_fields(state, self._change_texts(state))

    def log_text(self, state: StateT, seat: int) -> str:
        texts = self._change_texts(state)
        is_own = all(field_seat == seat for field_seat, _ in texts)
        return f"corrected: {', '.join(text for _, text in texts) if is_own else describe_fields(state, texts)}"

    def _change_texts(self, state: StateT) -> list[tuple[int | None, str]]:
        """Return the seat and the text of each change that has an effect."""
        fields = self._fields_by_path(state)
        return [
            (fields[change.path].seat, f"{fields[change.path].label} {describe_change(fields[change.path], change)}")
            for change in self.changes
            if change.path in fields and not _is_no_change(change)
        ]

    def label(self, state: StateT, seat: int) -> MoveLabel:
        return MoveLabel(capitalize_first(self.describe_change(state)), icon="pen")


def _is_no_change(change: Change) -> bool:
    """Return whether a change has no effect."""
    match change:
        case Increment(_, difference):
            return not difference
        case Replace(_, old, new):
            return old == new
        case AddRemove(_, less, more):
            return Counter(less) == Counter(more)


def describe_fields(state: GameState, texts: Iterable[tuple[int | None, str]]) -> str:
    """Return texts about fields, grouped by player.

    For example "Bo\u2019s acorn 1 \u2192 2, leaf 1 \u2192 0; bear from acorn to rock".

    :param texts: the seat of each field, None if it is shared, and the text.
    """
    groups = groupby(texts, key=itemgetter(0))
    owners = {None: "", **{seat: f"{player.name}\u2019s " for seat, player in enumerate(state.players)}}
    return "; ".join(f"{owners[seat]}{', '.join(text for _, text in group)}" for seat, group in groups)


def describe_change(field: EditableField, change: Change) -> str:
    """Return a change in words, to follow the label of its field: "1 \u2192 2", "+Collector"."""
    match change:
        case Increment(_, difference):
            return f"{field.value_text} \u2192 {field.domain.describe(field.value + difference)}"
        case Replace(_, _, new):
            text = field.domain.describe(new)
            return f"from {field.value_text} to {text}" if field.value_text else text
        case AddRemove(_, less, more):
            parts = [f"\u2212{field.domain.describe([key])}" for key in less] + [
                f"+{field.domain.describe([key])}" for key in more
            ]
            return ", ".join(parts)


def _apply_change(value: Any, field: EditableField, change: Change) -> object:
    """Return a value of the position with a change applied."""
    match field.domain, change:
        case PileSize(filler), Increment(_, difference):
            return _resize(list(value), filler, difference)
        case _, Increment(_, difference):
            return (value or 0) + difference
        case OneOf() as domain, Replace(_, _, new):
            return _choice_value(domain, new)
        case OneOf() as domain, AddRemove(_, less, more):
            left = [msgspec.to_builtins(item) for item in value]
            for key in less:
                left.remove(_choice_value(domain, key))
            return [*left, *(_choice_value(domain, key) for key in more)]


def _choice_value(domain: OneOf, key: str) -> object:
    choice = domain.find_choice(key)
    return key if choice is None else choice.value


def _resize(values: list, placeholder: object, difference: int) -> list:
    """Return a list with placeholders added, or with items removed, placeholders first."""
    for _ in range(-difference):
        plain = [msgspec.to_builtins(value) for value in values]
        del values[plain.index(placeholder) if placeholder in plain else -1]
    return values + [placeholder] * difference


def make_edit_position_move(
    position_format: PositionFormat[PositionT, StateT],
    cited_rules: tuple[Rule, ...],
    drop_impossible_notes: Callable[[StateT], StateT] = lambda state: state,
    position_errors: Callable[[StateT], Iterator[Reason]] | None = None,
) -> type[EditPosition[StateT]]:
    """Return the move that corrects a game's position.

    :param position_format: the game's position format, with its editable fields.
    :param cited_rules: the first is the rule for the contents of the box.
    :param drop_impossible_notes: state -> the state without secret notes that are no longer possible.
    :param position_errors: state -> inconsistencies; for a correction they may be fewer than those of a position.
    """
    checked_format = replace_attributes(
        position_format, position_errors=position_errors or position_format.position_errors
    )

    class Edit(EditPosition, tag="set-right"):
        rules = cited_rules
        position_format = checked_format

    Edit.drop_impossible_notes = staticmethod(drop_impossible_notes)
    return Edit
