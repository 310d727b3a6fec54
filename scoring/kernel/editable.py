"""What lies on a table, thing by thing: for saying what differs between two tables, and for setting one right."""

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

# What a figure can be.


class Choice(Struct, frozen=True):
    """One of the things that can be so: how a log calls it, its words, and how the table as it lies says it."""

    key: str
    label: str
    data: Any = UNSET  # plain data, which may be none; where it is not told: the key itself
    max_count: int = 1  # how many of it a place can hold

    @property
    def value(self) -> Any:
        return self.key if self.data is UNSET else self.data


def choices(labels: Mapping[str, str] | Iterable[str]) -> tuple[Choice, ...]:
    """Return things that the table as it lies calls by their keys: from their words by key, or from words that are the keys."""
    return tuple(Choice(key, labels[key] if isinstance(labels, Mapping) else key) for key in labels)


class Number(Struct, frozen=True):
    """A whole number."""

    minimum: int = 0
    maximum: int = 99

    def describe(self, value: Any) -> str:
        return str(value)


class PileSize(Struct, frozen=True):
    """How many cards lie there whose faces do not matter here; `filler` is one that nobody has named, as plain data."""

    placeholder: Any
    minimum: int = 0
    maximum: int = 99

    def describe(self, value: Any) -> str:
        return str(value)


class OneOf(Struct, frozen=True):
    """One of several things; the value is its key."""

    choices: tuple[Choice, ...]

    def find_choice(self, key: str) -> Choice | None:
        return next((thing for thing in self.choices if thing.key == key), None)

    def describe(self, value: Any) -> str:
        thing = self.find_choice(value)
        return thing.label if thing else str(value)


class SomeOf(OneOf, frozen=True):
    """Any number of things; the value is a tuple of their keys. What is there twice is listed twice."""

    def describe(self, value: Any) -> str:
        words = [super(SomeOf, self).describe(key) for key in value]
        return (
            join_words([name if count == 1 else f"{count} \u00d7 {name}" for name, count in Counter(words).items()])
            or "none"
        )


class EditableField(Struct, frozen=True):
    """One thing that is so on a table, as everybody there can see."""

    path: str  # its place in the table as it lies: "players.1.acorn"
    seat: int | None  # the seat it belongs to; None: to all
    label: str  # "acorn", "bear", "site 1"
    value: Any  # a number, a key, or a tuple of keys
    domain: Number | PileSize | OneOf | SomeOf
    side_effects: tuple[tuple[str, Any], ...] = ()  # what else is so once this has been set right: place, plain data
    mark: str = ""  # its mark on the picture
    is_read_only: bool = False  # it follows from others, or has a move of its own: it is shown but not set right here

    @property
    def value_text(self) -> str:
        """Return the value in words."""
        return self.domain.describe(self.value)


class FieldDifference(Struct, frozen=True):
    """A figure that is another one on another table."""

    seat: int | None
    label: str
    old: str  # in words; empty: it was not there
    new: str
    mark: str = ""  # on the picture

    @property
    def seat_sort_key(self) -> int:
        """Return whose it is as a number to sort by: what is everybody's comes last."""
        return 99 if self.seat is None else self.seat


def compare_fields(old: Iterable[EditableField], new: Iterable[EditableField]) -> Iterator[FieldDifference]:
    """Yield what differs between two tables, in the order of the new one."""
    before, after = ({figure.path: figure for figure in figures} for figures in (old, new))
    for at in dict.fromkeys((*after, *before)):
        was, now = before.get(at), after.get(at)
        one = now or was
        assert one
        then, since = was.value_text if was else "", now.value_text if now else ""
        if then != since or (was and now and was.value != now.value):
            yield FieldDifference(one.seat, one.label, then, since, one.mark)


def ruling_fields(rulings: Iterable[Ruling], state: Any) -> Iterator[EditableField]:
    """Yield by which readings of the open points a table plays; they are settled by a move of their own."""
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


# Setting right


class Increment(Struct, frozen=True, tag="by", forbid_unknown_fields=True):
    """A number is so many more, or fewer, than the app has."""

    path: str = field(name="at")
    by: int


class Replace(Struct, frozen=True, tag="into", forbid_unknown_fields=True):
    """One thing is another one."""

    path: str = field(name="at")
    was: str
    now: str


class AddRemove(Struct, frozen=True, tag="but", forbid_unknown_fields=True):
    """Of several things some are not there, and others are."""

    path: str = field(name="at")
    less: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


Change = Increment | Replace | AddRemove


class EditPosition(Correction):
    """Set right what lies on the table; see `setting_right`. Changes are differences: they hold for what is there when agreed."""

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
            except (InvalidInputError, LookupError):  # the latter: what is set right has gone by another of the changes
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
                    text = f"{capitalize_first(field.label)}: {field.value + by} is not possible; there can be {can.minimum} to {can.maximum}."
                    yield self._reason("out-of-range", text)
            case SomeOf() as can, AddRemove(_, less, more):
                if gone := Counter(less) - Counter(field.value):
                    text = f"{capitalize_first(field.label)}: {can.describe([*gone])} {'is' if len(gone) == 1 else 'are'} not there."
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
        """Return the state of a table with this set right; `figures` are what lies there by place, `said` is the table as it lies.

        :raises InvalidInputError, LookupError: when no table can lie so.
        """
        changes = [
            change for change in self.changes if not _is_no_change(change)
        ]  # what only half of shows stays untouched
        table = position
        for at, value in (also for change in changes for also in fields[change.path].side_effects):
            table = _put(table, at.split("."), value)
        for change in changes:  # whatever else is so, what is set right itself counts, in any order
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
            f"{_owner_text(state, figures[change.path])}{figures[change.path].label} {_change_text(figures[change.path], change)}"
            for change in self.changes
            if change.path in figures and not _is_no_change(change)
        )

    def label(self, state: Any, seat: int) -> str:
        return f"Set right: {self.describe_change(state)}"

    def log_text(self, state: Any, seat: int) -> str:
        return f"had it set right: {self.describe_change(state)}"


def _is_no_change(change: Change) -> bool:
    """Return whether a change leaves everything as it is."""
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
    """Return a value of the table as it lies, changed."""
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
    """Return so many more, without a name; or so many fewer, those without a name first."""
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
    """Return a value with another one in a place inside it."""
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
    """Return the move that sets a game's table right.

    :param position_format: the table as it lies, with its figures.
    :param cited_rules: the first is what is in the box.
    :param drop_impossible_notes: state -> the same without what was noted in secret and cannot be any more.
    :param position_errors: state -> what does not add up, where a correction need not mind all that a position must.
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
