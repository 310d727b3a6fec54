"""Editable fields of a position, changes of one, and differences between two positions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import UNSET, Struct, field

from scoring.kernel.english import capitalize_first, join_words
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import Ruling
from scoring.kernel.state import GameState

# The values a field can have


class Choice(Struct, frozen=True):
    """One possible value of a field: its key in logs, its label, and its data in the position."""

    key: str
    label: str
    data: object = UNSET  # plain data in the position, which may be None; the key if unset
    max_count: int = 1  # how many of it one field can hold
    is_name: bool = False  # a player's name, which is shown as typed
    phrase: str = ""  # its label inside a sentence, if it differs: "the bear"

    @property
    def value(self) -> object:
        return self.key if self.data is UNSET else self.data

    @property
    def key_label(self) -> str:
        """Return its label in few words, for a key under a heading: "Leaf" for "the leaf site"."""
        if self.is_name:
            return self.label
        return capitalize_first(self.label.removeprefix("the ").removesuffix(" site").strip("\u201c\u201d"))


def choices(labels: Mapping[str, str] | Iterable[str]) -> tuple[Choice, ...]:
    """Return choices whose value in the position is their key.

    :param labels: labels by key, or keys that are their own labels.
    """
    return tuple(Choice(key, labels[key] if isinstance(labels, Mapping) else key) for key in labels)


class Number(Struct, frozen=True):
    """A whole number."""

    minimum: int = 0
    maximum: int = 99

    def describe(self, value: object) -> str:
        return str(value)


class PileSize(Struct, frozen=True):
    """A number of cards whose faces do not matter; `placeholder` is an unnamed card.

    The placeholder is plain data.
    """

    placeholder: object
    minimum: int = 0
    maximum: int = 99

    def describe(self, value: object) -> str:
        return str(value)


class OneOf(Struct, frozen=True):
    """One of several choices; the value is its key."""

    choices: tuple[Choice, ...]

    def find_choice(self, key: str) -> Choice | None:
        return next((choice for choice in self.choices if choice.key == key), None)

    def describe(self, value: Any) -> str:
        choice = self.find_choice(value)
        return choice.label if choice else str(value)


class SomeOf(OneOf, frozen=True):
    """Any number of choices; the value is a tuple of their keys, one for each copy."""

    def describe(self, value: Any) -> str:
        labels = [super(SomeOf, self).describe(key) for key in value]
        return (
            join_words([name if count == 1 else f"{count} \u00d7 {name}" for name, count in Counter(labels).items()])
            or "none"
        )


def seat_domain(state: GameState) -> OneOf:
    """Return the domain of a field that is a seat, with the names of the players as labels."""
    return _seat_domain(tuple(player.name for player in state.players))


@lru_cache(maxsize=256)
def _seat_domain(names: tuple[str, ...]) -> OneOf:
    return OneOf(tuple(Choice(str(seat), name, seat, is_name=True) for seat, name in enumerate(names)))


class EditableField(Struct, frozen=True):
    """One field of a position that everyone at the table can see."""

    path: str  # its path in the position: "players.1.acorn"
    seat: int | None  # the seat it belongs to; None if it is shared
    label: str  # "acorn", "bear", "site 1"; empty if its choices need none
    value: Any  # a number, a key, or a tuple of keys
    domain: Number | PileSize | OneOf | SomeOf
    side_effects: tuple[tuple[str, object], ...] = ()  # (path, plain data) that a correction of this field sets too
    mark: str = ""  # its mark on the picture of the table
    is_read_only: bool = False  # whether it is shown but cannot be edited, as it is derived or has another move
    is_obsolete: bool = False  # whether only logs of earlier versions correct it
    ruling_id: str = ""  # of the ruling that it shows; empty: it shows something else
    absent_text: str = ""  # its value in words in a position without the field
    # One unit of a number, or one of several choices, that a player can lack: "acorn", "animal".
    singular: str = ""
    counted_in: str = ""  # the path of a number that contains this one, so that both change together
    is_rare: bool = False  # whether it is as usual in most positions; where a whole position is entered, it is folded
    # whether it matters to others although it has a seat, such as a card that another player could have
    affects_others: bool = False

    @property
    def value_text(self) -> str:
        """Return the value in words."""
        return self.domain.describe(self.value)


class FieldDifference(Struct, frozen=True):
    """A field whose value differs between two positions."""

    seat: int | None
    label: str
    old: str  # as text; for a field that did not exist, what it says of its absence
    new: str
    mark: str = ""  # on the picture of the table
    ruling_id: str = ""  # of the ruling that differs; empty: something else does
    affects_others: bool = False  # as in `EditableField`

    @property
    def seat_sort_key(self) -> int:
        """Return the seat as a sort key; shared fields come last."""
        return 99 if self.seat is None else self.seat


def compare_fields(old: Iterable[EditableField], new: Iterable[EditableField]) -> Iterator[FieldDifference]:
    """Yield the differences between the fields of two positions, in the order of the new one."""
    before, after = ({field.path: field for field in fields} for fields in (old, new))
    for path in dict.fromkeys((*after, *before)):
        old_field, new_field = before.get(path), after.get(path)
        current_field = new_field or old_field
        assert current_field
        absent_text = current_field.absent_text
        old_text = old_field.value_text if old_field else absent_text
        new_text = new_field.value_text if new_field else absent_text
        # Keys of different domains cannot be compared: the same text may have another key there.
        if old_text != new_text or (
            old_field and new_field and old_field.value != new_field.value and old_field.domain == new_field.domain
        ):
            yield FieldDifference(
                current_field.seat,
                current_field.label,
                old_text,
                new_text,
                current_field.mark,
                current_field.ruling_id,
                any(field.affects_others for field in (old_field, new_field) if field),
            )


def read_only_field(
    path: str,
    label: str,
    text: str,
    seat: int | None = None,
    mark: str = "",
    absent_text: str = "",
    *,
    affects_others: bool = False,
) -> EditableField:
    """Return a field that is changed by its own moves only."""
    domain = OneOf((Choice(text, text),))
    return EditableField(
        path,
        seat,
        label,
        text,
        domain,
        mark=mark,
        is_read_only=True,
        absent_text=absent_text,
        affects_others=affects_others,
    )


def ruling_fields(rulings: Iterable[Ruling], state: GameState) -> Iterator[EditableField]:
    """Yield the rulings of a table as read-only fields; another move changes them."""
    for ruling in rulings:
        domain = OneOf(choices({option.id: option.text for option in ruling.options}))
        chosen = chosen_option(state.rulings, ruling)
        yield EditableField(
            f"rulings.{ruling.id}",
            None,
            ruling.question,
            chosen,
            domain,
            is_read_only=True,
            ruling_id=ruling.id,
        )


# Changes of a field


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
