"""The move that corrects a position: differences of its editable fields."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace as replace_attributes
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
from scoring.kernel.move import Correction
from scoring.kernel.position import PositionFormat, PositionT
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import GameState, StateT


class EditPosition(Correction[StateT]):
    """Correct the position; see `make_edit_position_move`.

    Changes are differences: they are applied to the position at the time when the table agrees.
    """

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
        twice = [at for at, times in Counter(change.path for change in self.changes).items() if times > 1]
        if all(map(_is_no_change, self.changes)):
            yield self._reason("no-change", "Nothing is set right by this.")
        elif twice:
            yield self._reason(
                "twice",
                f"{capitalize_first(fields[twice[0]].label if twice[0] in fields else twice[0])} is set right twice.",
            )
        elif reasons:
            yield from reasons
        else:
            try:
                self.apply(state, 0)
            # A LookupError means that another of the changes removed the field.
            except (InvalidInputError, LookupError):
                yield self._reason("cannot-lie", "No table can lie like that.")

    def _reason(self, code: str, text: str) -> Reason:
        return Reason(code, self.rules[0], text)

    def _field_objections(self, field: EditableField | None, change: Change) -> Iterator[Reason]:
        if field is None or field.is_read_only:
            yield self._reason("no-such-figure", "There is no such thing on this table that could be set right.")
            return
        match field.domain, change:
            case (Number() | PileSize()) as can, Increment(_, by):
                if not can.minimum <= field.value + by <= can.maximum:
                    text = (
                        f"{capitalize_first(field.label)}: {field.value + by} is not possible; "
                        f"there can be {can.minimum} to {can.maximum}."
                    )
                    yield self._reason("out-of-range", text)
            case SomeOf() as can, AddRemove(_, less, more):
                if gone := Counter(less) - Counter(field.value):
                    text = (
                        f"{capitalize_first(field.label)}: {can.describe([*gone])} "
                        f"{'is' if len(gone) == 1 else 'are'} not there."
                    )
                    yield self._reason("otherwise-now", text)
                if unknown := [key for key in more if can.find_choice(key) is None]:
                    yield self._reason(
                        "no-such-thing", f"{capitalize_first(field.label)}: there is no \u201c{unknown[0]}\u201d."
                    )
            case OneOf() as can, Replace(_, was, now) if not isinstance(can, SomeOf):
                if field.value != was:
                    yield self._reason(
                        "otherwise-now", f"{capitalize_first(field.label)}: it is {field.value_text} by now."
                    )
                elif can.find_choice(now) is None:
                    yield self._reason(
                        "no-such-thing", f"{capitalize_first(field.label)}: there is no \u201c{now}\u201d."
                    )
            case _:
                yield self._reason("no-such-change", f"{capitalize_first(field.label)} is not set right like that.")

    def position_errors(self, state: StateT) -> Iterator[Reason]:
        return self.position_format.position_errors(state)

    def apply(self, state: StateT, seat: int) -> StateT:
        return self.apply_to_position(self._fields_by_path(state), self.position_format.to_position(state))

    def apply_to_position(self, fields: dict[str, EditableField], position: Struct) -> StateT:
        """Return the state with these changes applied to a position.

        :param fields: the editable fields by path.
        :raises InvalidInputError, LookupError: when the resulting position is impossible.
        """
        # Values that are only partly visible are left unchanged.
        changes = [change for change in self.changes if not _is_no_change(change)]
        table = position
        for at, value in (also for change in changes for also in fields[change.path].side_effects):
            table = _put(table, at.split("."), value)
        for change in changes:  # Explicit changes take precedence over side effects, in any order.
            place = change.path.split(".")
            table = _put(table, place, _apply_change(_get(position, place), fields[change.path], change))
        try:
            return type(self).drop_impossible_notes(
                self.position_format.from_position(
                    msgspec.convert(msgspec.to_builtins(table), self.position_format.type)
                )
            )
        except msgspec.ValidationError as error:
            raise InvalidInputError(str(error)) from None

    def log_baseline(self, state: StateT, seat: int) -> StateT:
        return self.apply(state, seat)

    def describe_change(self, state: StateT) -> str:
        fields = self._fields_by_path(state)
        return "; ".join(
            f"{_owner_text(state, fields[change.path])}{fields[change.path].label} "
            f"{_change_text(fields[change.path], change)}"
            for change in self.changes
            if change.path in fields and not _is_no_change(change)
        )

    def label(self, state: StateT, seat: int) -> str:
        return f"Set right: {self.describe_change(state)}"

    def log_text(self, state: StateT, seat: int) -> str:
        return f"had it set right: {self.describe_change(state)}"


def _is_no_change(change: Change) -> bool:
    """Return whether a change has no effect."""
    match change:
        case Increment(_, by):
            return not by
        case Replace(_, was, now):
            return was == now
        case AddRemove(_, less, more):
            return Counter(less) == Counter(more)


def _owner_text(state: GameState, field: EditableField) -> str:
    return "" if field.seat is None else f"{state.players[field.seat].name}, "


def _change_text(field: EditableField, change: Change) -> str:
    match change:
        case Increment(_, by):
            return f"{field.value_text} \u2192 {field.domain.describe(field.value + by)}"
        case Replace(_, _, now):
            return f"{field.value_text} \u2192 {field.domain.describe(now)}"
        case AddRemove(_, less, more):
            said = [f"\u2212{field.domain.describe([each])}" for each in less] + [
                f"+{field.domain.describe([each])}" for each in more
            ]
            return ", ".join(said) or "as it is"


def _apply_change(value: Any, field: EditableField, change: Change) -> object:
    """Return a value of the position with a change applied."""
    match field.domain, change:
        case PileSize(filler), Increment(_, by):
            return _resize(list(value), filler, by)
        case _, Increment(_, by):
            return (value or 0) + by
        case OneOf() as can, Replace(_, _, now):
            return _choice_value(can, now)
        case OneOf() as can, AddRemove(_, less, more):
            left = [msgspec.to_builtins(each) for each in value]
            for key in less:
                left.remove(_choice_value(can, key))
            return [*left, *(_choice_value(can, key) for key in more)]


def _choice_value(domain: OneOf, key: str) -> object:
    thing = domain.find_choice(key)
    return key if thing is None else thing.value


def _resize(values: list, placeholder: object, by: int) -> list:
    """Return a list with placeholders added, or with items removed, placeholders first."""
    for _ in range(-by):
        plain = [msgspec.to_builtins(value) for value in values]
        del values[plain.index(placeholder) if placeholder in plain else -1]
    return values + [placeholder] * by


def _get(position: Any, path: list[str]) -> Any:
    for step in path:
        match position:
            case Struct():
                position = getattr(position, step)
            case dict():
                position = position.get(step)
            case _:
                position = position[int(step)]
    return position


def _put(position: Any, path: list[str], value: object) -> Any:
    """Return a position with the value at a path replaced."""
    if not path:
        return value
    first, *rest = path
    match position:
        case Struct():
            return replace(position, **{first: _put(getattr(position, first), rest, value)})
        case dict():
            return {**position, first: _put(position.get(first), rest, value)}
    number = int(first)
    return (*position[:number], _put(position[number], rest, value), *position[number + 1 :])


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
