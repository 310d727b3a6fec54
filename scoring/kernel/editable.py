"""What lies on a table, thing by thing: for saying what differs between two tables, and for setting one right."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from scoring.kernel.english import capital, listed
from scoring.kernel.errors import Malformed
from scoring.kernel.move import Correction, chosen
from scoring.kernel.rule import Reason, Rule, Ruling

# What a figure can be.


class Thing(Struct, frozen=True):
    """One of the things that can be so: how a log calls it, its words, and how the table as it lies says it."""

    key: str
    words: str
    plain: Any = UNSET  # plain data, which may be none; where it is not told: the key itself
    copies: int = 1  # how many of it a place can hold

    @property
    def value(self) -> Any:
        return self.key if self.plain is UNSET else self.plain


def things(words: Mapping[str, str] | Iterable[str]) -> tuple[Thing, ...]:
    """Return things that the table as it lies calls by their keys: from their words by key, or from words that are the keys."""
    return tuple(Thing(key, words[key] if isinstance(words, Mapping) else key) for key in words)


class Number(Struct, frozen=True):
    """A whole number."""

    least: int = 0
    most: int = 99

    def said(self, value: Any) -> str:
        return str(value)


class Size(Struct, frozen=True):
    """How many cards lie there whose faces do not matter here; `filler` is one that nobody has named, as plain data."""

    filler: Any
    least: int = 0
    most: int = 99

    def said(self, value: Any) -> str:
        return str(value)


class OneOf(Struct, frozen=True):
    """One of several things; the value is its key."""

    things: tuple[Thing, ...]

    def thing(self, key: str) -> Thing | None:
        return next((thing for thing in self.things if thing.key == key), None)

    def said(self, value: Any) -> str:
        thing = self.thing(value)
        return thing.words if thing else str(value)


class SomeOf(OneOf, frozen=True):
    """Any number of things; the value is a tuple of their keys. What is there twice is listed twice."""

    def said(self, value: Any) -> str:
        words = [super(SomeOf, self).said(key) for key in value]
        return (
            listed([name if count == 1 else f"{count} \u00d7 {name}" for name, count in Counter(words).items()])
            or "none"
        )


class Figure(Struct, frozen=True):
    """One thing that is so on a table, as everybody there can see."""

    at: str  # its place in the table as it lies: "players.1.acorn"
    whose: int | None  # the seat it belongs to; None: to all
    what: str  # "acorn", "bear", "site 1"
    value: Any  # a number, a key, or a tuple of keys
    can: Number | Size | OneOf | SomeOf
    also: tuple[tuple[str, Any], ...] = ()  # what else is so once this has been set right: place, plain data
    mark: str = ""  # its mark on the picture
    fixed: bool = False  # it follows from others, or has a move of its own: it is shown but not set right here

    @property
    def said(self) -> str:
        """Return the value in words."""
        return self.can.said(self.value)


class Difference(Struct, frozen=True):
    """A figure that is another one on another table."""

    whose: int | None
    what: str
    old: str  # in words; empty: it was not there
    new: str
    mark: str = ""  # on the picture

    @property
    def whose_last(self) -> int:
        """Return whose it is as a number to sort by: what is everybody's comes last."""
        return 99 if self.whose is None else self.whose


def differences(old: Iterable[Figure], new: Iterable[Figure]) -> Iterator[Difference]:
    """Yield what differs between two tables, in the order of the new one."""
    before, after = ({figure.at: figure for figure in figures} for figures in (old, new))
    for at in dict.fromkeys((*after, *before)):
        was, now = before.get(at), after.get(at)
        one = now or was
        assert one
        then, since = was.said if was else "", now.said if now else ""
        if then != since or (was and now and was.value != now.value):
            yield Difference(one.whose, one.what, then, since, one.mark)


def ruled(rulings: Iterable[Ruling], state: Any) -> Iterator[Figure]:
    """Yield by which readings of the open points a table plays; they are settled by a move of their own."""
    for ruling in rulings:
        options = tuple(Thing(option.id, option.text) for option in ruling.options)
        yield Figure(
            f"rulings.{ruling.id}", None, ruling.question, chosen(state.rulings, ruling), OneOf(options), fixed=True
        )


# Setting right


class By(Struct, frozen=True, tag="by", forbid_unknown_fields=True):
    """A number is so many more, or fewer, than the app has."""

    at: str
    by: int


class Into(Struct, frozen=True, tag="into", forbid_unknown_fields=True):
    """One thing is another one."""

    at: str
    was: str
    now: str


class But(Struct, frozen=True, tag="but", forbid_unknown_fields=True):
    """Of several things some are not there, and others are."""

    at: str
    less: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


Change = By | Into | But


class SetRight(Correction):
    """Set right what lies on the table; see `setting_right`. Changes are differences: they hold for what is there when agreed."""

    known: ClassVar[Callable[[Any], Iterable[Figure]]]
    type: ClassVar[Any]
    says: ClassVar[Callable[[Any], Any]]
    lies: ClassVar[Callable[[Any], Any]]
    against: ClassVar[Callable[[Any], Iterator[Reason]]]
    gives_way: ClassVar[Callable[[Any], Any]]

    changes: tuple[Change, ...]

    def _figures(self, state: Any) -> dict[str, Figure]:
        return {figure.at: figure for figure in type(self).known(state)}

    def wrong(self, state: Any) -> Iterator[Reason]:
        figures = self._figures(state)
        reasons = [reason for change in self.changes for reason in self._against(figures.get(change.at), change)]
        twice = [at for at, times in Counter(change.at for change in self.changes).items() if times > 1]
        if all(map(_is_idle, self.changes)):
            yield self._reason("no-change", "Nothing is set right by this.")
        elif twice:
            yield self._reason(
                "twice", f"{capital(figures[twice[0]].what if twice[0] in figures else twice[0])} is set right twice."
            )
        elif reasons:
            yield from reasons
        else:
            try:
                self.apply(state, 0)
            except (Malformed, LookupError):  # the latter: what is set right has gone by another of the changes
                yield self._reason("cannot-lie", "No table can lie like that.")

    def _reason(self, code: str, text: str) -> Reason:
        return Reason(code, self.rules[0], text)

    def _against(self, figure: Figure | None, change: Change) -> Iterator[Reason]:
        if figure is None or figure.fixed:
            yield self._reason("no-such-figure", "There is no such thing on this table that could be set right.")
            return
        match figure.can, change:
            case (Number() | Size()) as can, By(_, by):
                if not can.least <= figure.value + by <= can.most:
                    text = f"{capital(figure.what)}: {figure.value + by} is not possible; there can be {can.least} to {can.most}."
                    yield self._reason("out-of-range", text)
            case SomeOf() as can, But(_, less, more):
                if gone := Counter(less) - Counter(figure.value):
                    text = f"{capital(figure.what)}: {can.said([*gone])} {'is' if len(gone) == 1 else 'are'} not there."
                    yield self._reason("otherwise-now", text)
                if unknown := [key for key in more if can.thing(key) is None]:
                    yield self._reason(
                        "no-such-thing", f"{capital(figure.what)}: there is no \u201c{unknown[0]}\u201d."
                    )
            case OneOf() as can, Into(_, was, now) if not isinstance(can, SomeOf):
                if figure.value != was:
                    yield self._reason("otherwise-now", f"{capital(figure.what)}: it is {figure.said} by now.")
                elif can.thing(now) is None:
                    yield self._reason("no-such-thing", f"{capital(figure.what)}: there is no \u201c{now}\u201d.")
            case _:
                yield self._reason("no-such-change", f"{capital(figure.what)} is not set right like that.")

    def faults(self, state: Any) -> Iterator[Reason]:
        return type(self).against(state)

    def apply(self, state: Any, seat: int) -> Any:
        return self.lying(self._figures(state), type(self).says(state))

    def lying(self, figures: dict[str, Figure], said: Any) -> Any:
        """Return the state of a table with this set right; `figures` are what lies there by place, `said` is the table as it lies.

        :raises Malformed, LookupError: when no table can lie so.
        """
        changes = [change for change in self.changes if not _is_idle(change)]  # what only half of shows stays untouched
        table = said
        for at, value in (also for change in changes for also in figures[change.at].also):
            table = _put(table, at.split("."), value)
        for change in changes:  # whatever else is so, what is set right itself counts, in any order
            place = change.at.split(".")
            table = _put(table, place, _changed(_get(said, place), figures[change.at], change))
        try:
            return type(self).gives_way(type(self).lies(msgspec.convert(msgspec.to_builtins(table), self.type)))
        except msgspec.ValidationError as fault:
            raise Malformed(str(fault)) from None

    def tells_from(self, state: Any, seat: int) -> Any:
        return self.apply(state, seat)

    def what(self, state: Any) -> str:
        figures = self._figures(state)
        return "; ".join(
            f"{_whose(state, figures[change.at])}{figures[change.at].what} {_in_words(figures[change.at], change)}"
            for change in self.changes
            if change.at in figures and not _is_idle(change)
        )

    def label(self, state: Any, seat: int) -> str:
        return f"Set right: {self.what(state)}"

    def told(self, state: Any, seat: int) -> str:
        return f"had it set right: {self.what(state)}"


def _is_idle(change: Change) -> bool:
    """Return whether a change leaves everything as it is."""
    match change:
        case By(_, by):
            return not by
        case Into(_, was, now):
            return was == now
        case But(_, less, more):
            return Counter(less) == Counter(more)


def _whose(state: Any, figure: Figure) -> str:
    return "" if figure.whose is None else f"{state.players[figure.whose].name}, "


def _in_words(figure: Figure, change: Change) -> str:
    match change:
        case By(_, by):
            return f"{figure.said} \u2192 {figure.can.said(figure.value + by)}"
        case Into(_, _, now):
            return f"{figure.said} \u2192 {figure.can.said(now)}"
        case But(_, less, more):
            said = [f"\u2212{figure.can.said([each])}" for each in less] + [
                f"+{figure.can.said([each])}" for each in more
            ]
            return ", ".join(said) or "as it is"


def _changed(value: Any, figure: Figure, change: Change) -> Any:
    """Return a value of the table as it lies, changed."""
    match figure.can, change:
        case Size(filler), By(_, by):
            return _resized(list(value), filler, by)
        case _, By(_, by):
            return (value or 0) + by
        case OneOf() as can, Into(_, _, now):
            return _value(can, now)
        case OneOf() as can, But(_, less, more):
            left = [msgspec.to_builtins(each) for each in value]
            for key in less:
                left.remove(_value(can, key))
            return [*left, *(_value(can, key) for key in more)]


def _value(can: OneOf, key: str) -> Any:
    thing = can.thing(key)
    return key if thing is None else thing.value


def _resized(values: list, filler: Any, by: int) -> list:
    """Return so many more, without a name; or so many fewer, those without a name first."""
    for _ in range(-by):
        plain = [msgspec.to_builtins(value) for value in values]
        del values[plain.index(filler) if filler in plain else -1]
    return values + [filler] * by


def _get(table: Any, path: list[str]) -> Any:
    for step in path:
        match table:
            case Struct():
                table = getattr(table, step)
            case dict():
                table = table.get(step)
            case _:
                table = table[int(step)]
    return table


def _put(table: Any, path: list[str], value: Any) -> Any:
    """Return a value with another one in a place inside it."""
    if not path:
        return value
    first, *rest = path
    match table:
        case Struct():
            return replace(table, **{first: _put(getattr(table, first), rest, value)})
        case dict():
            return {**table, first: _put(table.get(first), rest, value)}
    number = int(first)
    return (*table[:number], _put(table[number], rest, value), *table[number + 1 :])


def setting_right(
    lying: Any,
    rules_behind: tuple[Rule, ...],
    gives_way: Callable[[Any], Any] = lambda state: state,
    faults: Any = None,
) -> type[SetRight]:
    """Return the move that sets a game's table right.

    :param lying: the table as it lies, with its figures.
    :param rules_behind: the first is what is in the box.
    :param gives_way: state -> the same without what was noted in secret and cannot be any more.
    :param faults: state -> what does not add up, where a correction need not mind all that a position must.
    """

    class Set(SetRight, tag="set-right"):
        rules = rules_behind
        known = staticmethod(lying.figures)
        type = lying.type
        says = staticmethod(lying.says)
        lies = staticmethod(lying.state)
        against = staticmethod(faults or lying.faults)

    Set.gives_way = staticmethod(gives_way)
    return Set
