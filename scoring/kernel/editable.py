"""The editable fields of a position: comparing two positions, and correcting one."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from scoring.kernel.english import capitalize_first, join_words
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Correction, chosen_option
from scoring.kernel.rule import Reason, Rule, Ruling

# The values a field can have


class Choice(Struct, frozen=True):
    """One possible value of a field: its key in logs, its label, and its data in the position."""

    key: str
    label: str
    data: Any = UNSET  # plain data in the position, which may be None; the key if unset
    max_count: int = 1  # how many of it one field can hold

    @property
    def value(self) -> Any:
        return self.key if self.data is UNSET else self.data


def choices(labels: Mapping[str, str] | Iterable[str]) -> tuple[Choice, ...]:
    """Return choices whose value in the position is their key.

    :param labels: labels by key, or keys that are their own labels.
    """
    return tuple(Choice(key, labels[key] if isinstance(labels, Mapping) else key) for key in labels)


class Number(Struct, frozen=True):
    """A whole number."""

    minimum: int = 0
    maximum: int = 99

    def describe(self, value: Any) -> str:
        return str(value)


class PileSize(Struct, frozen=True):
    """A number of cards whose faces do not matter; `placeholder` is an unnamed card.

    The placeholder is plain data.
    """

    placeholder: Any
    minimum: int = 0
    maximum: int = 99

    def describe(self, value: Any) -> str:
        return str(value)


class OneOf(Struct, frozen=True):
    """One of several choices; the value is its key."""

    choices: tuple[Choice, ...]

    def find_choice(self, key: str) -> Choice | None:
        return next((thing for thing in self.choices if thing.key == key), None)

    def describe(self, value: Any) -> str:
        thing = self.find_choice(value)
        return thing.label if thing else str(value)


class SomeOf(OneOf, frozen=True):
    """Any number of choices; the value is a tuple of their keys, one for each copy."""

    def describe(self, value: Any) -> str:
        words = [super(SomeOf, self).describe(key) for key in value]
        return (
            join_words([name if count == 1 else f"{count} \u00d7 {name}" for name, count in Counter(words).items()])
            or "none"
        )


class EditableField(Struct, frozen=True):
    """One field of a position that everyone at the table can see."""

    path: str  # its path in the position: "players.1.acorn"
    seat: int | None  # the seat it belongs to; None if it is shared
    label: str  # "acorn", "bear", "site 1"
    value: Any  # a number, a key, or a tuple of keys
    domain: Number | PileSize | OneOf | SomeOf
    side_effects: tuple[tuple[str, Any], ...] = ()  # (path, plain data) that a correction of this field sets too
    mark: str = ""  # its mark on the picture of the table
    is_read_only: bool = False  # whether it is shown but cannot be edited, as it is derived or has another move

    @property
    def value_text(self) -> str:
        """Return the value in words."""
        return self.domain.describe(self.value)


class FieldDifference(Struct, frozen=True):
    """A field whose value differs between two positions."""

    seat: int | None
    label: str
    old: str  # as text; empty if the field did not exist
    new: str
    mark: str = ""  # on the picture of the table

    @property
    def seat_sort_key(self) -> int:
        """Return the seat as a sort key; shared fields come last."""
        return 99 if self.seat is None else self.seat


def compare_fields(old: Iterable[EditableField], new: Iterable[EditableField]) -> Iterator[FieldDifference]:
    """Yield the differences between the fields of two positions, in the order of the new one."""
    before, after = ({figure.path: figure for figure in figures} for figures in (old, new))
    for at in dict.fromkeys((*after, *before)):
        was, now = before.get(at), after.get(at)
        one = now or was
        assert one
        then, since = was.value_text if was else "", now.value_text if now else ""
        if then != since or (was and now and was.value != now.value):
            yield FieldDifference(one.seat, one.label, then, since, one.mark)


def ruling_fields(rulings: Iterable[Ruling], state: Any) -> Iterator[EditableField]:
    """Yield the rulings of a table as read-only fields; another move changes them."""
    for ruling in rulings:
        options = tuple(Choice(option.id, option.text) for option in ruling.options)
        yield EditableField(
            f"rulings.{ruling.id}",
            None,
            ruling.question,
            chosen_option(state.rulings, ruling),
            OneOf(options),
            is_read_only=True,
        )


# Corrections


class Increment(Struct, frozen=True, tag="by", forbid_unknown_fields=True):
    """Change a number by a difference."""

    path: str = field(name="at")
    by: int


class Replace(Struct, frozen=True, tag="into", forbid_unknown_fields=True):
    """Replace one choice by another."""

    path: str = field(name="at")
    was: str
    now: str


class AddRemove(Struct, frozen=True, tag="but", forbid_unknown_fields=True):
    """Remove and add some of several choices."""

    path: str = field(name="at")
    less: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


Change = Increment | Replace | AddRemove


class EditPosition(Correction):
    """Correct the position; see `make_edit_position_move`.

    Changes are differences: they are applied to the position at the time when the table agrees.
    """

    editable_fields: ClassVar[Callable[[Any], Iterable[EditableField]]]
    position_type: ClassVar[Any]
    to_position: ClassVar[Callable[[Any], Any]]
    from_position: ClassVar[Callable[[Any], Any]]
    check_position: ClassVar[Callable[[Any], Iterator[Reason]]]
    drop_impossible_notes: ClassVar[Callable[[Any], Any]]

    changes: tuple[Change, ...]

    def _fields_by_path(self, state: Any) -> dict[str, EditableField]:
        return {figure.path: figure for figure in type(self).editable_fields(state)}

    def change_errors(self, state: Any) -> Iterator[Reason]:
        figures = self._fields_by_path(state)
        reasons = [
            reason for change in self.changes for reason in self._field_objections(figures.get(change.path), change)
        ]
        twice = [at for at, times in Counter(change.path for change in self.changes).items() if times > 1]
        if all(map(_is_no_change, self.changes)):
            yield self._reason("no-change", "Nothing is set right by this.")
        elif twice:
            yield self._reason(
                "twice",
                f"{capitalize_first(figures[twice[0]].label if twice[0] in figures else twice[0])} is set right twice.",
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

    def position_errors(self, state: Any) -> Iterator[Reason]:
        return type(self).check_position(state)

    def apply(self, state: Any, seat: int) -> Any:
        return self.apply_to_position(self._fields_by_path(state), type(self).to_position(state))

    def apply_to_position(self, fields: dict[str, EditableField], position: Any) -> Any:
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
                type(self).from_position(msgspec.convert(msgspec.to_builtins(table), self.position_type))
            )
        except msgspec.ValidationError as fault:
            raise InvalidInputError(str(fault)) from None

    def log_baseline(self, state: Any, seat: int) -> Any:
        return self.apply(state, seat)

    def describe_change(self, state: Any) -> str:
        figures = self._fields_by_path(state)
        return "; ".join(
            f"{_owner_text(state, figures[change.path])}{figures[change.path].label} "
            f"{_change_text(figures[change.path], change)}"
            for change in self.changes
            if change.path in figures and not _is_no_change(change)
        )

    def label(self, state: Any, seat: int) -> str:
        return f"Set right: {self.describe_change(state)}"

    def log_text(self, state: Any, seat: int) -> str:
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


def _owner_text(state: Any, field: EditableField) -> str:
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


def _apply_change(value: Any, field: EditableField, change: Change) -> Any:
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


def _choice_value(domain: OneOf, key: str) -> Any:
    thing = domain.find_choice(key)
    return key if thing is None else thing.value


def _resize(values: list, placeholder: Any, by: int) -> list:
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


def _put(position: Any, path: list[str], value: Any) -> Any:
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
    position_format: Any,
    cited_rules: tuple[Rule, ...],
    drop_impossible_notes: Callable[[Any], Any] = lambda state: state,
    position_errors: Any = None,
) -> type[EditPosition]:
    """Return the move that corrects a game's position.

    :param position_format: the game's position format, with its editable fields.
    :param cited_rules: the first is the rule for the contents of the box.
    :param drop_impossible_notes: state -> the state without secret notes that are no longer possible.
    :param position_errors: state -> inconsistencies; for a correction they may be fewer than those of a position.
    """

    class Edit(EditPosition, tag="set-right"):
        rules = cited_rules
        editable_fields = staticmethod(position_format.editable_fields)
        position_type = position_format.type
        to_position = staticmethod(position_format.to_position)
        from_position = staticmethod(position_format.from_position)
        check_position = staticmethod(position_errors or position_format.position_errors)

    Edit.drop_impossible_notes = staticmethod(drop_impossible_notes)
    return Edit
