"""May a player do that? Answered by playing: the rest of a turn is gone through, and what lies there is thought of otherwise."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.editable import Change, EditableField, EditPosition, Increment, Number, OneOf, Replace, SomeOf
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.tracked_game import TrackedGame

MAX_MOVES_TRIED = (
    10_000  # moves that are tried for one answer; a turn that can go in more ways is not gone through to its end
)
MAX_NUMBER_CHANGE = 3  # a number that lies there is thought of by up to so many otherwise
MAX_CHOICES = 8  # what can be one of more things than these is not thought of otherwise
MAX_WAYS = 3  # to one thing are enough

_pack = msgspec.msgpack.Encoder(enc_hook=repr).encode


class SearchNode(NamedTuple):
    """What a turn can come to: the moves up to there, and the state then."""

    moves: tuple[Move, ...]
    state: Any


class TurnSearch:
    """Everything the rest of a player's turn can come to, the shortest ways first; for a wish, what matters to it.

    Chance is gone through, too: each face of a die, each card that may be drawn, is a move of its own.
    What has been gone through is remembered. `whole` says, at the end, whether that was everything.
    """

    def __init__(
        self, tracked: TrackedGame, state: Any, seat: int, query: Move | None = None, max_moves: int = MAX_MOVES_TRIED
    ):
        self._tracked, self._start_state, self._seat, self._query, self._moves_left = (
            tracked,
            state,
            seat,
            query,
            max_moves,
        )
        self._visited: list[SearchNode] = []
        self._pending = self._search()
        self.is_complete = False

    def __iter__(self) -> Iterator[SearchNode]:
        yield from self._visited
        for moment in self._pending:
            self._visited.append(moment)
            yield moment

    def _search(self) -> Iterator[SearchNode]:
        seen, ahead = {_pack(self._start_state)}, [SearchNode((), self._start_state)]
        once = (
            self._query is not None and self._query.is_turn_start and not self._tracked.is_same_turn
        )  # the turn begins with it, or never
        for moment in ahead:  # it grows meanwhile
            yield moment
            for after in () if once else self._successors(moment):
                if (key := _pack(after.state)) not in seen:
                    seen.add(key)
                    ahead.append(after)
            if self._moves_left < 0:
                return
        self.is_complete = True

    def _successors(self, node: SearchNode) -> Iterator[SearchNode]:
        """Yield what comes of a moment by one legal move, as long as the turn goes on."""
        play, seat = self._tracked, self._seat
        for move in query_candidates(play, node.state, seat, self._query):
            self._moves_left -= 1
            if self._moves_left < 0:
                return
            if next(move.objections(node.state, seat), None) is None:  # it is of a kind that is asked for
                after = play.resolve_forced_steps(move.apply(node.state, seat))
                if play.is_turn_unfinished(self._start_state, after, seat):
                    yield SearchNode((*node.moves, move), after)


def query_candidates(tracked: TrackedGame, state: Any, seat: int, query: Move | None = None) -> Iterator[Move]:
    """Yield what a player could want to do now, legal or not, and where nothing is to be done, what can be told."""
    asked = tracked.available_moves(state) if seat in tracked.to_move(state) else ()
    for kind in [kind for kind in asked if not kind.out_of_turn] or asked:
        if query is None or kind.may_enable_more:
            yield from kind.query_candidates(state, seat, query)


class Explanation(Struct, frozen=True):
    """Whether a player may do something: at once, later in the turn, or not; and what it takes.

    "unknown" is the answer when no way was found and not every way was tried.
    """

    move: Move
    label: str
    legality: Literal["now", "later", "no", "unknown"]
    reasons: tuple[Reason, ...] = ()  # why not at once; it is the seat's turn, or thought to be
    nearest_reasons: tuple[Reason, ...] = ()  # why not at the nearest step of the turn that asks for such a move
    nearest_route: tuple[str, ...] | None = (
        None  # the moves to that step, as buttons say them; None: no step asks for it
    )
    ways: tuple[tuple[Move, ...], ...] = ()  # what to do first, the shortest way first
    way_labels: tuple[tuple[str, ...], ...] = ()  # the same, as buttons say it
    counterfactuals: tuple[str, ...] = ()  # each by itself would do, if it lay so: "acorn 1 \u2192 2"
    wait_reason: Reason | None = None  # it is not the seat's turn: the rest holds for a turn that would begin now
    state: Any = None  # in which it was judged

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules of the answer: those that stand against it, or that let it be."""
        against = (*((self.wait_reason,) if self.wait_reason else ()), *self.reasons, *self.nearest_reasons)
        behind = self.move.cited_rules() if self.legality in ("now", "later") else ()
        return tuple(dict.fromkeys((*(reason.rule for reason in against), *behind)))


def explain(tracked: TrackedGame, state: Any, seat: int, move: Move, button_label: str = "") -> Explanation:
    """Return whether a seat may do something, in a state as it is seen with its own eyes.

    :param button_label: what its button says where it is meant; a move without fields can be another thing at another moment.
    """
    waits = None
    if not move.out_of_turn and tracked.to_move(state) and seat not in tracked.to_move(state):
        waits = next(tracked.objections(state, seat, move))
        state = Counterfactual(tracked, state, seat).start_turn() or state
    rest, found = TurnSearch(tracked, state, seat, move), []
    label = _label(tracked, rest, state, seat, move, button_label)
    reasons = tuple(tracked.objections(state, seat, move))
    answer = Explanation(move, label, "now", reasons, wait_reason=waits, state=state)
    nearest = ((), reasons) if _is_available(tracked, state, move) else None
    if not reasons and _is_same_action(move, label, state, seat):
        return answer
    for line, then in rest:
        if found and (len(found) == MAX_WAYS or len(line) > len(found[0]) + 1):
            break
        if not line or any(line[0] == way[0] for way in found):
            continue  # a way that begins like another one is no other way
        if not _is_available(tracked, then, move):
            continue
        if not (against := tuple(tracked.objections(then, seat, move))):
            if _is_same_action(move, label, then, seat):
                found.append(line)
        elif nearest is None or len(against) < len(nearest[1]):
            nearest = line, against
    if found:
        words = tuple(move_labels(tracked, state, seat, line) for line in found)
        return replace(answer, legality="later", ways=tuple(found), way_labels=words)
    otherwise = tuple(Counterfactual(tracked, state, seat).describe_remedies(move))
    answer = replace(answer, legality="no" if rest.is_complete else "unknown", counterfactuals=otherwise)
    return (
        replace(answer, nearest_reasons=nearest[1], nearest_route=move_labels(tracked, state, seat, nearest[0]))
        if nearest
        else answer
    )


def _is_available(tracked: TrackedGame, state: Any, move: Move) -> bool:
    """Return whether a step asks for moves of this kind."""
    return move.out_of_turn or type(move) in tracked.available_moves(state)


def _label(tracked: TrackedGame, search: TurnSearch, state: Any, seat: int, move: Move, button_label: str) -> str:
    """Return what a move is called: so, if it ever is in this turn; else as where it comes up first."""
    where = (then for _, then in search if _is_available(tracked, then, move))
    labels = (move.label(then, seat) for then in where)
    first = next(labels, None) or move.label(state, seat)
    return button_label if button_label and (button_label == first or button_label in labels) else first


def _is_same_action(move: Move, label: str, state: Any, seat: int) -> bool:
    """Return whether a move is what was asked about: "leave" is another thing wherever something else can be left."""
    return bool(move.__struct_fields__) or move.label(state, seat) == label


def move_labels(tracked: TrackedGame, state: Any, seat: int, moves: Iterable[Move]) -> tuple[str, ...]:
    """Return moves that follow each other as buttons say them."""
    words = []
    for move in moves:
        words.append(move.label(state, seat))
        state = tracked.play(state, seat, move)
    return tuple(words)


class Query(Struct, frozen=True):
    """Something a player could want in this turn."""

    move: Move
    label: str
    is_legal_now: bool  # it may be done at once
    is_possible: bool  # or somewhere in the rest of the turn


def possible_actions(tracked: TrackedGame, state: Any, seat: int, max_moves: int = MAX_MOVES_TRIED) -> list[Query]:
    """Return what a player could want now or later in a turn, with whether it can be; what comes up first is first.

    What is put together bit by bit is asked about where that is done, and what tells how the table was laid nowhere.

    :param max_moves: so many moves are tried.
    """
    state = (
        state
        if seat in tracked.to_move(state) or not tracked.to_move(state)
        else Counterfactual(tracked, state, seat).start_turn() or state
    )
    known: dict[tuple[Move, str], Query] = {}
    for line, then in TurnSearch(tracked, state, seat, max_moves=max_moves):
        for move in query_candidates(tracked, then, seat):
            if move.built_in_steps or move.is_setup:
                continue
            named = "" if move.__struct_fields__ else move.label(then, seat)
            was = known.get((move, named))
            if was is None or not was.is_possible:
                legal = tracked.is_legal(then, seat, move)
                label = was.label if was else named or move.label(then, seat)
                known[move, named] = Query(move, label, legal and not line, legal)
    return list(known.values())


# What would have to lie otherwise


class Counterfactual:
    """A table thought of otherwise, one or two things at a time, as far as what lies there still adds up."""

    def __init__(self, tracked: TrackedGame, state: Any, seat: int):
        kinds = (kind for kind in tracked.moves if issubclass(kind, EditPosition))
        self._tracked, self._state, self._seat, self._edit_type = tracked, state, seat, next(kinds, None)
        self._known_errors = tuple(self._edit_type.check_position(state)) if self._edit_type else ()
        self._fields_by_path = (
            {figure.path: figure for figure in self._edit_type.editable_fields(state)} if self._edit_type else {}
        )
        self._position = self._edit_type.to_position(state) if self._edit_type else None
        self._fields = [figure for figure in self._fields_by_path.values() if not figure.is_read_only]

    def apply_changes(self, condition: Callable[[Any], bool], *changes: Change) -> Any | None:
        """Return the state with some things lying otherwise; nothing where it is not `so` then, or no table can lie so."""
        assert self._edit_type
        try:
            lies = self._edit_type(changes).apply_to_position(self._fields_by_path, self._position)
            after = self._tracked.resolve_forced_steps(lies)
            if not condition(
                after
            ):  # asked before what takes longer, though nobody knows yet whether a table can lie like that
                return None
        except (InvalidInputError, LookupError, ValueError):
            return None
        return None if any(fault not in self._known_errors for fault in self._edit_type.check_position(lies)) else after

    def start_turn(self) -> Any | None:
        """Return the state as if the seat's turn began, with everything lying as it does."""
        turns = (figure for figure in self._fields if figure.path == "turn" and isinstance(figure.domain, OneOf))
        for figure in turns:
            for change in alternative_changes(figure):
                after = self.apply_changes(lambda after: self._seat in self._tracked.to_move(after), change)
                if after is not None:
                    return after
        return None

    def describe_remedies(self, move: Move) -> Iterator[str]:
        """Yield what would have to lie otherwise for a move to be legal: each alone would do; else two numbers together."""
        mine = [figure for figure in self._fields if figure.seat in (None, self._seat)]
        alone = False
        for figure in mine:
            for change in alternative_changes(figure):
                if self._is_enough(move, change):
                    alone = True
                    yield self._describe_changes(change)
                    break
        numbers = [figure for figure in mine if figure.seat is not None and isinstance(figure.domain, Number)]
        for pair in () if alone else combinations(numbers, 2):
            more = [
                [change for change in alternative_changes(figure) if isinstance(change, Increment) and change.by > 0]
                for figure in pair
            ]
            if all(more) and self._is_enough(move, more[0][-1], more[1][-1]):
                yield self._describe_changes(*next(both for both in product(*more) if self._is_enough(move, *both)))

    def _is_enough(self, move: Move, *changes: Change) -> bool:
        return self.apply_changes(lambda after: self._tracked.is_legal(after, self._seat, move), *changes) is not None

    def _describe_changes(self, *changes: Change) -> str:
        assert self._edit_type
        return self._edit_type(changes).describe_change(self._state)


def alternative_changes(field: EditableField) -> Iterator[Change]:
    """Yield what a thing could be otherwise, the nearest first."""
    match field.domain:
        case Number(least, most):
            for by in sorted(range(-MAX_NUMBER_CHANGE, MAX_NUMBER_CHANGE + 1), key=lambda by: (abs(by), -by)):
                if by and least <= field.value + by <= most:
                    yield Increment(field.path, by)
        case SomeOf():
            return
        case OneOf(known) if len(known) <= MAX_CHOICES:
            for thing in known:
                if thing.key != field.value:
                    yield Replace(field.path, field.value, thing.key)
