"""Changes of a position that would make a refused move legal."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product
from typing import Generic, NamedTuple

from msgspec.structs import asdict

from scoring.kernel.edit_position import EditPosition, describe_change, describe_fields
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
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.state import SetupT, StateT
from scoring.kernel.tracked_game import TrackedGame

MAX_POSITIONS_TRIED = 600  # changed positions tried in one search for what is missing
MAX_NUMBER_CHANGE = 12  # the largest change of a number in a counterfactual
MAX_UNNAMED_CHANGE = 2  # the largest one if the reasons do not name the number
MAX_CHOICES = 16  # of a field with more choices, only those that the move names are tried


class Counterfactual(Generic[StateT]):
    """Hypothetical variants of a position: some fields differ, and it is still consistent.

    With a move, they include those of the fields that only this move needs.
    """

    def __init__(self, tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, move: Move | None = None):
        self._tracked, self._state, self._seat, self._move = tracked, state, seat, move
        self._edit_type = tracked.find_kind(EditPosition)
        self.fields_by_path: dict[str, EditableField] = {}
        if self._edit_type:
            position_format = self._edit_type.position_format
            self._known_errors = tuple(position_format.position_errors(state))
            needed_fields = move.needed_fields(state, seat) if move else ()
            fields = (*position_format.editable_fields(state), *position_format.own_fields(state, seat), *needed_fields)
            self.fields_by_path = {field.path: field for field in fields if not field.is_obsolete}
            self._position = position_format.to_position(state)

    def apply_changes(self, condition: Callable[[StateT], bool], *changes: Change) -> StateT | None:
        """Return the state after changes, or None if it fails the condition or is impossible."""
        assert self._edit_type
        try:
            edited = self._edit_type(changes).apply_to_position(self.fields_by_path, self._position)
            after = self._tracked.flow.resolve_forced_steps(edited)
            # The condition is checked before the slower check of the position.
            if not condition(after):
                return None
        except (InvalidInputError, LookupError, ValueError):
            return None
        errors = self._edit_type.position_format.position_errors(edited)
        return None if any(error not in self._known_errors for error in errors) else after

    def start_turn(self) -> StateT | None:
        """Return the state as if the seat's turn began with the position unchanged, or None."""
        turns = (field for field in self.fields_by_path.values() if field.path == "turn" and not field.is_read_only)
        for field in turns:
            for change in alternative_changes(field):
                after = self.apply_changes(lambda after: self._seat in self._tracked.flow.to_move(after), change)
                if after is not None:
                    return after
        return None

    def find_changes(self) -> tuple[Change, ...]:
        """Return changes that make the move legal, without a needless one; empty: none are found.

        Changes of one field are tried first, then those of several fields. A change is only built upon if it alters the
        reasons against the move.
        """
        if not self._edit_type or not self._move:
            return ()
        fields = [field for field in self.fields_by_path.values() if not field.is_read_only]
        own, shared, others = (
            [field for field in fields if (field.seat is not None) + (field.seat == self._seat) == rank]
            for rank in (2, 0, 1)
        )
        search = _ChangeSearch(self, self._move)
        found = search.find([*own, *shared]) or search.find(others)
        return search.reduce(found) if found else ()

    def objections(
        self, move: Move, changes: tuple[Change, ...], known: Collection[tuple[Reason, ...]] = ()
    ) -> tuple[Reason, ...] | None:
        """Return the reasons against a move after changes, or None if these are impossible.

        :param known: reasons that are of no interest, so that the changes may be impossible then.
        """
        found: tuple[Reason, ...] = ()

        def judge(after: StateT) -> bool:
            nonlocal found
            found = tuple(self._tracked.objections(after, self._seat, move))
            return found not in known

        return None if self.apply_changes(judge, *changes) is None and found not in known else found

    def _is_lacking(self, change: Change) -> bool:
        """Return whether a change adds to what the seat itself has."""
        field = self.fields_by_path[change.path]
        is_own = field.seat == self._seat and bool(field.singular)
        return is_own and bool(
            change.by > 0 if isinstance(change, Increment) else isinstance(change, AddRemove) and not change.less
        )

    def describe_lacking(self, changes: tuple[Change, ...]) -> tuple[str, ...]:
        """Return the things that the seat lacks: "2 Sun", "1 acorn", "1 bear"."""
        amounts = Counter[tuple[str, str]]()  # by the name of one and of several
        for change in filter(self._is_lacking, changes):
            field = self.fields_by_path[change.path]
            match change:
                case Increment(_, by):
                    amounts[field.singular, field.label] += by
                case AddRemove(_, _, more):
                    amounts.update((name, name) for name in map(field.domain.describe, zip(more)))
        return tuple(f"{by} {one if by == 1 else several}" for (one, several), by in amounts.items())

    def describe_changes(self, changes: tuple[Change, ...]) -> str:
        """Return the changes in words, without those of what the seat has too little of."""
        texts = [
            (
                field.seat if field.seat != self._seat else None,
                f"{field.label} {describe_change(field, change)}".lstrip(),
            )
            for change in changes
            for field in (self.fields_by_path[change.path],)
            if not self._is_lacking(change)
        ]
        return describe_fields(self._state, texts)


class _ChangeNode(NamedTuple):
    """Changes of a position, and the reasons against a move after them."""

    changes: tuple[Change, ...]
    objections: tuple[Reason, ...]


class _ChangeSearch:
    """A search for changes of several fields that together make a move legal."""

    def __init__(self, counterfactual: Counterfactual, move: Move):
        self._counterfactual, self._move = counterfactual, move
        self._positions_left = 0
        self._visited: list[_ChangeNode] = []
        self._seen: set[tuple[Reason, ...]] = set()
        self._related_keys = {value for value in asdict(move).values() if isinstance(value, str)}

    def _objections(
        self, changes: tuple[Change, ...], known: Collection[tuple[Reason, ...]] = ()
    ) -> tuple[Reason, ...] | None:
        self._positions_left -= 1
        return self._counterfactual.objections(self._move, changes, known)

    def find(self, fields: list[EditableField]) -> tuple[Change, ...] | None:
        """Return changes that are enough, or None.

        A later call builds on the changes that an earlier one has found to alter the reasons.
        """
        self._positions_left = MAX_POSITIONS_TRIED
        nodes = self._visited or [_ChangeNode((), self._objections(()) or ())]
        self._visited, self._seen = [], {node.objections for node in nodes}
        while nodes:
            nodes.sort(key=lambda node: (len(node.objections), len(node.changes)))
            node = nodes.pop(0)
            self._visited.append(node)
            if not node.objections:
                return node.changes
            additions: dict[str, Change] = {}
            blocked: list[Change] = []
            for step in self._steps(node, fields, blocked):
                if self._is_exhausted:
                    return None
                nodes.append(step)
                if not step.objections:
                    return step.changes
                if isinstance(change := step.changes[-1], Increment) and change.by > 0:
                    additions[change.path] = change
            # What is missing are often several numbers, each of which is named by a reason.
            if len(additions) > 1 and self._objections(together := (*node.changes, *additions.values())) == ():
                return together
            nodes.extend(self._unblocked(node.changes, blocked, fields))
        return None

    def _steps(
        self, node: "_ChangeNode", fields: list[EditableField], blocked: list[Change]
    ) -> Iterator["_ChangeNode"]:
        """Yield changes with one more that removes or alters a reason.

        :param blocked: gets the impossible ones.
        """
        changes, before = node.changes, set(node.objections)
        paths = {change.path for change in changes}
        for series in (series for field in fields if field.path not in paths for series in self._series(field)):
            for change in series:
                objections = None if self._is_exhausted else self._objections((*changes, change), self._seen)
                if objections is None:
                    blocked.append(change)
                    break
                if objections not in self._seen:
                    self._seen.add(objections)
                    # Where no reason is removed, the change only adds to what is missing.
                    if not before <= set(objections):
                        yield _ChangeNode((*changes, change), objections)
                elif not isinstance(change, Increment) or abs(change.by) >= MAX_UNNAMED_CHANGE:
                    break

    def _unblocked(
        self, changes: tuple[Change, ...], blocked: list[Change], fields: list[EditableField]
    ) -> Iterator["_ChangeNode"]:
        """Yield nodes with an increase that the limited cards allow only with a decrease."""
        numbers = [field for field in fields if field.seat is not None and isinstance(field.domain, Number)]
        paths = [change.path for change in blocked if isinstance(change, Increment) and change.by > 0]
        used_paths = {change.path for change in changes}
        for path, number, by in product(paths, numbers, range(1, MAX_UNNAMED_CHANGE + 2)):
            assert isinstance(number.domain, Number)
            if number.path in (path, *used_paths) or number.value - by < number.domain.minimum:
                continue
            pair = (*changes, Increment(path, by), Increment(number.path, -by))
            objections = None if self._is_exhausted else self._objections(pair, self._seen)
            if objections is not None and objections not in self._seen:
                self._seen.add(objections)
                yield _ChangeNode(pair, objections)

    def _series(self, field: EditableField) -> Iterator[Iterable[Change]]:
        """Yield the changes of a field to try, those of a number as two series without a gap."""
        match field.domain:
            case Number() | PileSize() as domain:
                rooms = {1: domain.maximum - field.value, -1: field.value - domain.minimum}
                for sign, room in rooms.items():
                    yield (Increment(field.path, sign * by) for by in range(1, min(room, MAX_NUMBER_CHANGE) + 1))
            case SomeOf():
                added = [choice.key for choice in field.domain.choices if self._is_candidate(field, choice.key)]
                for key in dict.fromkeys(field.value):
                    yield (AddRemove(field.path, less=(key,)),)
                for key in added:
                    yield (AddRemove(field.path, more=(key,)),)
                for key, other in product(dict.fromkeys(field.value), added):
                    if key != other:
                        yield (AddRemove(field.path, less=(key,), more=(other,)),)
            case OneOf():
                for choice in field.domain.choices:
                    if choice.key != field.value and self._is_candidate(field, choice.key):
                        yield (Replace(field.path, field.value, choice.key),)

    def _is_candidate(self, field: EditableField, key: str) -> bool:
        assert isinstance(field.domain, OneOf)
        return len(field.domain.choices) <= MAX_CHOICES or key in self._related_keys

    @property
    def _is_exhausted(self) -> bool:
        return self._positions_left <= 0

    def reduce(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """Return changes that are enough, without every part and every unit that can be left out."""
        for smaller in smaller_changes(changes):
            if self._objections(smaller) == ():
                return self.reduce(smaller)
        return changes


def change_size(changes: Iterable[Change]) -> int:
    """Return the number of units that changes add or remove."""
    sizes = {Increment: lambda change: abs(change.by), AddRemove: lambda change: len(change.less) + len(change.more)}
    return sum(sizes.get(type(change), lambda _: 1)(change) for change in changes)


def smaller_changes(changes: tuple[Change, ...]) -> Iterator[tuple[Change, ...]]:
    """Yield the changes without one of them, then with one unit or one card less of one of them."""
    for number, change in enumerate(changes):
        others_before, others_after = changes[:number], changes[number + 1 :]
        if len(changes) > 1:
            yield (*others_before, *others_after)
        match change:
            case Increment(path, by) if abs(by) > 1:
                yield (*others_before, Increment(path, by - (1 if by > 0 else -1)), *others_after)
            case AddRemove(path, less, more) if len(less) + len(more) > 1:
                for index in range(len(less)):
                    yield (*others_before, AddRemove(path, less[:index] + less[index + 1 :], more), *others_after)
                for index in range(len(more)):
                    yield (*others_before, AddRemove(path, less, more[:index] + more[index + 1 :]), *others_after)


def alternative_changes(field: EditableField) -> Iterator[Change]:
    """Yield the other choices of a field that has one of few."""
    if isinstance(field.domain, OneOf) and not isinstance(field.domain, SomeOf):
        for choice in field.domain.choices:
            if choice.key != field.value:
                yield Replace(field.path, field.value, choice.key)
