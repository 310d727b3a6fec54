"""Answers to "may a player do this?", found by searching turns and changing positions."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Generic, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.edit_position import EditPosition
from scoring.kernel.editable import Change, EditableField, Increment, Number, OneOf, Replace, SomeOf
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move, Phase
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import GameState, SetupT, StateT
from scoring.kernel.tracked_game import TrackedGame

# Moves tried for one answer; a turn with more possibilities is not searched to its end.
MAX_MOVES_TRIED = 10_000
MAX_NUMBER_CHANGE = 3  # the largest change of a number in a counterfactual
MAX_CHOICES = 8  # fields with more choices than this are not varied in counterfactuals
MAX_WAYS = 3  # sequences of moves to an action that are listed

_pack = msgspec.msgpack.Encoder(enc_hook=repr).encode


class SearchNode(NamedTuple, Generic[StateT]):
    """A state that a turn can reach, with the moves that lead to it."""

    moves: tuple[Move[StateT], ...]
    state: StateT


class TurnSearch(Generic[StateT]):
    """A lazy search of the states that the rest of a player's turn can reach.

    Iteration yields the shortest sequences of moves first. Each outcome of chance (each face of a die, each card that
    may be drawn) is a separate move. With a `query`, only moves relevant to that move are tried. Nodes are cached, so
    that the search can be iterated again. At the end, `is_complete` is true if every node was visited.
    """

    def __init__(
        self,
        tracked: TrackedGame[SetupT, StateT],
        state: StateT,
        seat: int,
        query: Move | None = None,
        max_moves: int = MAX_MOVES_TRIED,
    ):
        self._tracked, self._start_state, self._seat = tracked, state, seat
        self._query, self._moves_left = query, max_moves
        self._visited: list[SearchNode] = []
        self._pending = self._search()
        self.is_complete = False

    def __iter__(self) -> Iterator[SearchNode]:
        yield from self._visited
        for node in self._pending:
            self._visited.append(node)
            yield node

    def _search(self) -> Iterator[SearchNode]:
        seen, queue = {_pack(self._start_state)}, [SearchNode((), self._start_state)]
        # The action that begins the turn can only come first, so there is nothing to search.
        only_start = (
            self._query is not None and self._query.phase is Phase.TURN_START and not self._tracked.flow.is_same_turn
        )
        for node in queue:  # The list grows during the loop.
            yield node
            for successor in () if only_start else self._successors(node):
                if (key := _pack(successor.state)) not in seen:
                    seen.add(key)
                    queue.append(successor)
            if self._moves_left < 0:
                return
        self.is_complete = True

    def _successors(self, node: SearchNode) -> Iterator[SearchNode]:
        """Yield the nodes that one legal move leads to while the same turn continues."""
        tracked, seat = self._tracked, self._seat
        for move in query_candidates(tracked, node.state, seat, self._query):
            self._moves_left -= 1
            if self._moves_left < 0:
                return
            # Only kinds of move that are available are yielded, so this need not be checked again.
            if next(move.objections(node.state, seat), None) is None:
                after = tracked.flow.resolve_forced_steps(move.apply(node.state, seat))
                if tracked.is_turn_unfinished(self._start_state, after, seat):
                    yield SearchNode((*node.moves, move), after)


def query_candidates(
    tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, query: Move | None = None
) -> Iterator[Move]:
    """Yield the moves a player could want now, legal or not.

    Moves that may be made out of turn are yielded only if no other kind of move is available.
    """
    available = tracked.available_moves(state) if seat in tracked.flow.to_move(state) else ()
    for kind in [kind for kind in available if not kind.out_of_turn] or available:
        yield from kind.query_candidates(state, seat, query)


class Explanation(Struct, frozen=True):
    """Whether a player may make a move now, later in the turn, or not at all, and why.

    The legality is "unknown" when no sequence of moves was found and not every one was tried.
    """

    move: Move
    label: str
    legality: Literal["now", "later", "no", "unknown"]
    state: GameState  # the state in which the move was judged
    reasons: tuple[Reason, ...] = ()  # why not now, on the seat's actual or hypothetical turn
    nearest_reasons: tuple[Reason, ...] = ()  # why not at the nearest step of the turn at which the move is available
    # The labels of the moves to that step; None if the move is available at no step.
    nearest_route: tuple[str, ...] | None = None
    ways: tuple[tuple[Move, ...], ...] = ()  # the moves to make first, the shortest sequence first
    way_labels: tuple[tuple[str, ...], ...] = ()  # the labels of those moves
    counterfactuals: tuple[str, ...] = ()  # each change alone would be enough: "acorn 1 \u2192 2"
    # Set if it is not the seat's turn; then the rest assumes that its turn begins now.
    wait_reason: Reason | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules that forbid the move, or those that it cites if it is possible."""
        reasons = (*((self.wait_reason,) if self.wait_reason else ()), *self.reasons, *self.nearest_reasons)
        cited = self.move.cited_rules() if self.legality in ("now", "later") else ()
        return tuple(dict.fromkeys((*(rule for reason in reasons for rule in reason.rules), *cited)))


def explain(
    tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, move: Move, button_label: str = ""
) -> Explanation:
    """Return whether a seat may make a move, in a state as that seat sees it.

    :param button_label: the label of the button that is meant; a move without fields can mean different actions at
        different steps.
    """
    wait_reason = None
    if not move.out_of_turn and tracked.flow.to_move(state) and seat not in tracked.flow.to_move(state):
        wait_reason = next(tracked.objections(state, seat, move))
        state = Counterfactual(tracked, state, seat).start_turn() or state
    search, found = TurnSearch(tracked, state, seat, move), []
    label = _label(tracked, search, state, seat, move, button_label)
    reasons = tuple(tracked.objections(state, seat, move))
    explanation = Explanation(move, label, "now", state, reasons, wait_reason=wait_reason)
    nearest = ((), reasons) if _is_available(tracked, state, move) else None
    if not reasons and _is_same_action(move, label, state, seat):
        return explanation
    for moves, later_state in search:
        if found and (len(found) == MAX_WAYS or len(moves) > len(found[0]) + 1):
            break
        # The start is judged above; a sequence with the first move of an earlier one is not listed separately.
        is_known = not moves or any(moves[0] == earlier[0] for earlier in found)
        if is_known or not _is_available(tracked, later_state, move):
            continue
        if not (objections := tuple(tracked.objections(later_state, seat, move))):
            if _is_same_action(move, label, later_state, seat):
                found.append(moves)
        elif nearest is None or len(objections) < len(nearest[1]):
            nearest = moves, objections
    if found:
        labels = tuple(move_labels(tracked, state, seat, moves) for moves in found)
        return replace(explanation, legality="later", ways=tuple(found), way_labels=labels)
    remedies = tuple(Counterfactual(tracked, state, seat).describe_remedies(move))
    explanation = replace(explanation, legality="no" if search.is_complete else "unknown", counterfactuals=remedies)
    return (
        replace(explanation, nearest_reasons=nearest[1], nearest_route=move_labels(tracked, state, seat, nearest[0]))
        if nearest
        else explanation
    )


def play_out(tracked: TrackedGame, explanation: Explanation, seat: int) -> tuple[GameState, GameState, str]:
    """Return the states before and after a possible move, and its log sentence.

    If other moves have to be made first, the state before already includes them.
    """
    state = explanation.state
    for move in explanation.ways[0] if explanation.ways else ():
        state = tracked.play(state, seat, move)
    after = tracked.play(state, seat, explanation.move)
    return state, after, tracked.log_sentence(state, after, seat, explanation.move)


def _is_available(tracked: TrackedGame[SetupT, StateT], state: StateT, move: Move) -> bool:
    """Return whether a move of this kind is available in a state."""
    return move.out_of_turn or type(move) in tracked.available_moves(state)


def _label(
    tracked: TrackedGame[SetupT, StateT],
    search: TurnSearch[StateT],
    state: StateT,
    seat: int,
    move: Move,
    button_label: str,
) -> str:
    """Return the label of a move: `button_label` if it occurs in this turn, else the first one."""
    states = (later_state for _, later_state in search if _is_available(tracked, later_state, move))
    labels = (_label_or_title(later_state, seat, move) for later_state in states)
    first = next(labels, None) or _label_or_title(state, seat, move)
    return button_label if button_label and (button_label == first or button_label in labels) else first


def _label_or_title(state: GameState, seat: int, move: Move) -> str:
    """Return the label of a move, or its title if it names something unknown to the game."""
    try:
        return move.label(state, seat).text
    except LookupError:
        return move.title


def _is_same_action(move: Move, label: str, state: GameState, seat: int) -> bool:
    """Return whether a move is still the queried action; a bare "skip" may skip something else."""
    return bool(move.__struct_fields__) or move.label(state, seat).text == label


def move_labels(
    tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, moves: Iterable[Move]
) -> tuple[str, ...]:
    """Return the button labels of consecutive moves."""
    labels = []
    for move in moves:
        labels.append(move.label(state, seat).text)
        state = tracked.play(state, seat, move)
    return tuple(labels)


class Query(Struct, frozen=True):
    """An action that a player could want in this turn."""

    move: Move
    label: str
    hint: str  # a few words that differ between actions with the same label; may be empty
    is_legal_now: bool  # whether it is legal immediately
    is_possible: bool  # whether it is legal now or at some later step of the turn


def possible_actions(
    tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, max_moves: int = MAX_MOVES_TRIED
) -> list[Query]:
    """Return the actions that a player could want in a turn, in the order in which they come up.

    Moves that the page builds in steps and moves of the setup are left out.

    :param max_moves: the number of moves to try.
    """
    if tracked.flow.to_move(state) and seat not in tracked.flow.to_move(state):
        state = Counterfactual(tracked, state, seat).start_turn() or state
    queries: dict[tuple[Move, str], Query] = {}
    for moves, later_state in TurnSearch(tracked, state, seat, max_moves=max_moves):
        for move in query_candidates(tracked, later_state, seat):
            if move.built_in_steps or move.phase is Phase.SETUP:
                continue
            action_name = "" if move.__struct_fields__ else move.label(later_state, seat).text
            previous = queries.get((move, action_name))
            if previous is None or not previous.is_possible:
                legal = tracked.is_legal(later_state, seat, move)
                if previous is None:
                    label = move.label(later_state, seat)
                    previous = Query(move, label.text, label.hint, is_legal_now=False, is_possible=False)
                queries[move, action_name] = replace(previous, is_legal_now=legal and not moves, is_possible=legal)
    return list(queries.values())


# Changes to the position that would make a move legal


class Counterfactual(Generic[StateT]):
    """Hypothetical variants of a position: one or two fields differ, and it is still consistent."""

    def __init__(self, tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int):
        self._tracked, self._state, self._seat = tracked, state, seat
        self._edit_type = tracked.find_kind(EditPosition)
        self._fields_by_path: dict[str, EditableField] = {}
        if self._edit_type:
            position_format = self._edit_type.position_format
            self._known_errors = tuple(position_format.position_errors(state))
            self._fields_by_path = {field.path: field for field in position_format.editable_fields(state)}
            self._position = position_format.to_position(state)
        self._fields = [field for field in self._fields_by_path.values() if not field.is_read_only]

    def apply_changes(self, condition: Callable[[StateT], bool], *changes: Change) -> StateT | None:
        """Return the state after changes, or None if it fails the condition or is impossible."""
        assert self._edit_type
        try:
            edited = self._edit_type(changes).apply_to_position(self._fields_by_path, self._position)
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
        turns = (field for field in self._fields if field.path == "turn" and isinstance(field.domain, OneOf))
        for field in turns:
            for change in alternative_changes(field):
                after = self.apply_changes(lambda after: self._seat in self._tracked.flow.to_move(after), change)
                if after is not None:
                    return after
        return None

    def describe_remedies(self, move: Move) -> Iterator[str]:
        """Yield the changes that would make a move legal.

        Each change alone is enough. If no single change is, increases of two numbers together are tried.
        """
        own_fields = [field for field in self._fields if field.seat in (None, self._seat)]
        is_one_enough = False
        for field in own_fields:
            for change in alternative_changes(field):
                if self._is_enough(move, change):
                    is_one_enough = True
                    yield self._describe_changes(change)
                    break
        numbers = [field for field in own_fields if field.seat is not None and isinstance(field.domain, Number)]
        for pair in () if is_one_enough else combinations(numbers, 2):
            increments = [
                [change for change in alternative_changes(field) if isinstance(change, Increment) and change.by > 0]
                for field in pair
            ]
            if all(increments) and self._is_enough(move, increments[0][-1], increments[1][-1]):
                yield self._describe_changes(
                    *next(changes for changes in product(*increments) if self._is_enough(move, *changes))
                )

    def _is_enough(self, move: Move, *changes: Change) -> bool:
        return self.apply_changes(lambda after: self._tracked.is_legal(after, self._seat, move), *changes) is not None

    def _describe_changes(self, *changes: Change) -> str:
        assert self._edit_type
        return self._edit_type(changes).describe_change(self._state)


def alternative_changes(field: EditableField) -> Iterator[Change]:
    """Yield the possible changes of a field, the nearest values first."""
    match field.domain:
        case Number(least, most):
            for difference in sorted(
                range(-MAX_NUMBER_CHANGE, MAX_NUMBER_CHANGE + 1), key=lambda difference: (abs(difference), -difference)
            ):
                if difference and least <= field.value + difference <= most:
                    yield Increment(field.path, difference)
        case SomeOf():
            return
        case OneOf(choices) if len(choices) <= MAX_CHOICES:
            for choice in choices:
                if choice.key != field.value:
                    yield Replace(field.path, field.value, choice.key)
