"""Physical actions after a repair, from the editable fields that differ between two positions.

Each game has a table of handlings: how players carry out a change of each field. A change of information, such as the
name of a card that was unknown, needs no action.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.kernel.editable import AddRemove, Change, EditableField, Increment, Replace
from scoring.kernel.english import capitalize_first, join_words, plural_form
from scoring.kernel.tracked_game import TableAction


class Count(NamedTuple):
    """The sentences for more and for fewer of a number; those with equal ones are joined."""

    noun: str
    more: str = "Take {} from the supply."
    fewer: str = "Return {} to the supply."
    plural: str = ""  # empty: the regular plural

    def describe(self, number: int) -> str:
        """Return a number of the things: "2 acorns"."""
        return f"{number} {self.noun if number == 1 else self.plural or plural_form(self.noun)}"


class Value(NamedTuple):
    """The handling of one of several choices.

    In a sentence, `{}` is the label of the new choice, `{field}` that of the field, and `{number}` its number.
    """

    text: str
    by_key: Mapping[str, str] = {}  # sentences of single choices
    unknown: str = ""  # the key of a value that has not been entered
    deck: str = ""  # the name that the places of the same cards share; empty: it is no card
    draw: str = ""  # the sentence for a new card that no one has entered


class Pile(NamedTuple):
    """The handling of several cards or things; `{}` in a sentence is their names."""

    more: str
    fewer: str
    noun: str = ""  # stands before the names; empty: the names are enough
    unknown: str = ""  # as in `Value`
    unknown_text: str = ""  # one unknown card, such as "a park"
    deck: str = ""


# From the field in the old and in the new position (None: it has none) to a sentence, or "" if there is nothing to do.
Sentence = Callable[[EditableField | None, EditableField | None], str]
Handling = Count | Value | Pile | Sentence | None  # None: a field for the app alone
Handlings = Mapping[str, Handling]


class FieldPair(NamedTuple):
    """A field in the old and in the new position, at least one of which has it."""

    path: str
    old: EditableField | None
    new: EditableField | None

    @property
    def either(self) -> EditableField:
        found = self.new or self.old
        assert found
        return found


def path_pattern(path: str) -> str:
    """Return the key of a field's handling: its path with each number replaced by a star."""
    return re.sub(r"(?<=\.)-?\d+(?=\.|$)", "*", path)


def pair_fields(old: Iterable[EditableField], new: Iterable[EditableField]) -> Iterator[FieldPair]:
    """Yield the fields of two positions by their paths."""
    before, after = ({field.path: field for field in fields} for fields in (old, new))
    return (FieldPair(path, before.get(path), after.get(path)) for path in dict.fromkeys((*after, *before)))


def table_actions(
    handlings: Handlings, old: Iterable[EditableField], new: Iterable[EditableField]
) -> Iterator[TableAction]:
    """Yield the actions that turn one position into another, by player, the shared ones last."""
    pairs = [*pair_fields(old, new)]
    decks = _count_cards(handlings, pairs)
    actions: list[TableAction] = []
    counts: dict[tuple[int | None, str], list[tuple[str, Change]]] = {}
    values: dict[tuple[str, int | None, str], list[TableAction]] = {}  # by kind of field, seat and verb
    for pair in pairs:
        handling = handlings.get(path_pattern(pair.path))
        match handling:
            case None:
                continue
            case Count():
                if number := _number(pair.new) - _number(pair.old):
                    sentence = handling.more if number > 0 else handling.fewer
                    group = counts.setdefault((pair.either.seat, sentence), [])
                    group.append((handling.describe(abs(number)), Increment(pair.path, number)))
            case Value():
                for action in _value_actions(handling, pair, decks):
                    values.setdefault((path_pattern(pair.path), action.seat, action.text.split()[0]), []).append(action)
            case Pile():
                actions += _pile_actions(handling, pair, decks)
            case sentence:
                if text := sentence(pair.old, pair.new):
                    change = Replace(pair.path, _key(pair.old), _key(pair.new))
                    actions.append(TableAction(text, pair.either.seat, (change,)))
    actions += [_join_actions(verb, group) for (_, _, verb), group in values.items()]
    for (seat, sentence), parts in counts.items():
        text = sentence.format(join_words([part for part, _ in parts]))
        actions.append(TableAction(text, seat, tuple(change for _, change in parts)))
    return iter(sorted(actions, key=lambda action: (action.seat is None, action.seat)))


def _join_actions(verb: str, actions: Sequence[TableAction]) -> TableAction:
    """Join actions with one verb: "Put a Sun token on site 2 and a Water token on site 3."."""
    texts = [action.text.removeprefix(verb).strip(" .") for action in actions]
    changes = tuple(change for action in actions for change in action.changes)
    return TableAction(f"{verb} {join_words(texts)}.", actions[0].seat, changes)


def _number(field: EditableField | None) -> int:
    return field.value if field else 0


def _key(field: EditableField | None) -> str:
    return field.value if field else ""


def _keys(field: EditableField | None) -> tuple[str, ...]:
    """Return the keys of a field with one or several choices."""
    value: Any = field.value if field else ()
    return (value,) if isinstance(value, str) else value


def _count_cards(handlings: Handlings, pairs: Iterable[FieldPair]) -> Counter[tuple[str, str]]:
    """Return by how many each card of a deck became more, as far as it has been entered."""
    found = Counter[tuple[str, str]]()
    for pair in pairs:
        handling = handlings.get(path_pattern(pair.path))
        if isinstance(handling, Value | Pile) and handling.deck:
            found.update((handling.deck, key) for key in _keys(pair.new))
            found.subtract((handling.deck, key) for key in _keys(pair.old))
    return found


def _value_actions(handling: Value, pair: FieldPair, decks: Mapping[tuple[str, str], int]) -> Iterator[TableAction]:
    old, new = pair.old, pair.new
    if new is None or (old and old.value_text == new.value_text) or _is_information(handling, old, new, decks):
        return
    is_unknown = bool(handling.unknown) and new.value == handling.unknown
    sentence = handling.draw if is_unknown else handling.by_key.get(new.value, handling.text)
    number = next((int(part) + 1 for part in reversed(pair.path.split(".")) if part.isdecimal()), 0)
    text = sentence.format(new.value_text, field=new.label, number=number)
    yield TableAction(capitalize_first(text), new.seat, (Replace(pair.path, _key(old), new.value),))


def _is_information(
    handling: Value, old: EditableField | None, new: EditableField, decks: Mapping[tuple[str, str], int]
) -> bool:
    """Return whether a value only became known or unknown.

    A card that is known in one position only is the same card, unless the known one has come from or gone elsewhere.
    """
    if not handling.unknown:
        return False
    if new.value == handling.unknown:
        return old is None or not handling.draw or decks[handling.deck, old.value] < 0
    is_new_name = old is not None and old.value == handling.unknown
    return is_new_name and (not handling.deck or decks[handling.deck, new.value] > 0)


def _pile_actions(handling: Pile, pair: FieldPair, decks: Mapping[tuple[str, str], int]) -> Iterator[TableAction]:
    old, new = Counter(_keys(pair.old)), Counter(_keys(pair.new))
    less, more = old - new, new - old
    _drop_named_cards(handling, less, more, decks)
    for cards, sentence, change in (
        (less, handling.fewer, AddRemove(pair.path, less=tuple(less.elements()))),
        (more, handling.more, AddRemove(pair.path, more=tuple(more.elements()))),
    ):
        if cards:
            names = _describe_cards(handling, pair.either, cards)
            yield TableAction(capitalize_first(sentence.format(names)), pair.either.seat, (change,))


def _drop_named_cards(
    handling: Pile, less: Counter[str], more: Counter[str], decks: Mapping[tuple[str, str], int]
) -> None:
    """Remove the cards that are the same, but known in one of the positions only."""
    for unknown, known, sign in ((less, more, 1), (more, less, -1)):
        for card in [*known.elements()]:
            if unknown[handling.unknown] > 0 and decks.get((handling.deck, card), 0) * sign > 0:
                unknown[handling.unknown] -= 1
                known[card] -= 1
    for cards in (less, more):
        for card in [card for card, count in cards.items() if count <= 0]:
            del cards[card]


def _describe_cards(handling: Pile, field: EditableField, cards: Counter[str]) -> str:
    choices: Any = field.domain
    found = [choices.find_choice(card) for card in cards.elements()]
    names = join_words(
        [handling.unknown_text if choice.key == handling.unknown else choice.phrase or choice.label for choice in found]
    )
    if not handling.noun:
        return names
    return f"the {handling.noun if len(found) == 1 else plural_form(handling.noun)} {names}"
