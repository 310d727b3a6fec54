"""Answers to "may a player do this?", found by searching turns and changing positions."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Generic, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.counterfactual import MAX_POSITIONS_TRIED, Counterfactual, change_size
from scoring.kernel.editable import Change
from scoring.kernel.english import join_words
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import GameState, SetupT, StateT
from scoring.kernel.tracked_game import TrackedGame

# Moves tried for one answer; a turn with more possibilities is not searched to its end.
MAX_MOVES_TRIED = 10_000
MAX_NEXT_MOVES_TRIED = 2_000  # the same for the next turn, which an answer only adds
MAX_PLACES = 3  # steps of a turn for which what is missing is compared
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
        """Yield the start, then the states after moves, which are played when they come up."""
        start = SearchNode((), self._start_state)
        seen, queue = {_pack(self._start_state)}, deque(self._next_moves(start))
        yield start
        while queue and self._moves_left >= 0:
            node, move = queue.popleft()
            after = self._play(node, move)
            if after is not None and (key := _pack(after)) not in seen:
                seen.add(key)
                yield (successor := SearchNode((*node.moves, move), after))
                queue.extend(self._next_moves(successor))
        self.is_complete = self._moves_left >= 0

    def _next_moves(self, node: SearchNode) -> Iterator[tuple[SearchNode, Move]]:
        """Yield the moves to try after a node, as far as the limit allows."""
        query, flow = self._query, self._tracked.flow
        if query is not None and query.phase is Phase.TURN_START and not flow.is_same_turn:
            return  # The action that begins the turn can only come first, so there is nothing to search.
        for move in query_candidates(self._tracked, node.state, self._seat, query):
            self._moves_left -= 1
            if self._moves_left < 0:
                return
            yield node, move

    def _play(self, node: SearchNode, move: Move) -> StateT | None:
        """Return the state after a move, or None if the move is illegal or ends the turn."""
        # Only kinds of move that are available are tried, so this need not be checked again.
        if next(move.objections(node.state, self._seat), None) is not None:
            return None
        after = self._tracked.flow.resolve_forced_steps(move.apply(node.state, self._seat))
        return after if self._tracked.is_turn_unfinished(self._start_state, after, self._seat) else None


def query_candidates(
    tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, query: Move | None = None
) -> Iterator[Move]:
    """Yield the moves a player could want now, legal or not.

    Moves that may be made out of turn are yielded only if no other kind of move is available.
    """
    available = tracked.available_moves(state) if seat in tracked.flow.to_move(state) else ()
    for kind in [kind for kind in available if not kind.out_of_turn] or available:
        yield from kind.query_candidates(state, seat, query)


class Nearest(Struct, Generic[StateT], frozen=True):
    """The step of a turn with the least missing for a refused move, and the missing things."""

    moves: tuple[Move, ...]  # that lead to it
    labels: tuple[str, ...]  # of those moves
    state: StateT
    place: str  # where on the table that is: "the Parks site"; may be empty
    reasons: tuple[Reason, ...]  # why the move is not legal there either; empty on the next turn if it is
    changes: tuple[Change, ...] = ()  # of the position there: enough, and none can be left out; empty: none are known
    lacking: tuple[str, ...] = ()  # what the seat has too little of, among those changes: "2 Sun"
    change_text: str = ""  # the other changes in words: "campfire from out to lit"
    # The nearest move of this kind in another place or turned that is legal, or for which the least is missing.
    alternative: Move | None = None
    alternative_label: str = ""
    alternative_reasons: tuple[Reason, ...] = ()  # why the alternative is not legal either; empty if it is

    @property
    def missing_text(self) -> str:
        """Return the missing things as sentences: "You lack 2 Sun."; empty if they are unknown."""
        lacking = f"You lack {join_words(self.lacking)}." if self.lacking else ""
        needed = f"{'Also needed' if lacking else 'Needed'}: {self.change_text}." if self.change_text else ""
        return f"{lacking} {needed}".strip()

    @property
    def is_enough(self) -> bool:
        """Return whether it says what would make the move, or the same move elsewhere, legal."""
        return bool(self.changes or not self.reasons or (self.alternative and not self.alternative_reasons))

    @property
    def changes_are_for_alternative(self) -> bool:
        """Return whether the changes make the alternative legal instead of the move itself."""
        return bool(self.changes and self.alternative and self.alternative_reasons)

    is_next_turn: bool = False  # whether it is a step of the seat's next turn, with the position as it is now


class Explanation(Struct, frozen=True):
    """Whether a player may make a move now, later in the turn, or not at all, and why.

    The legality is "unknown" when no sequence of moves was found and not every one was tried.
    """

    move: Move
    label: str
    legality: Literal["now", "later", "no", "unknown"]
    state: GameState  # the state in which the move was judged
    reasons: tuple[Reason, ...] = ()  # why not now, on the seat's actual or hypothetical turn
    nearest: Nearest | None = None  # set for a refused move unless the game is over
    ways: tuple[tuple[Move, ...], ...] = ()  # the moves to make first, the shortest sequence first
    way_labels: tuple[tuple[str, ...], ...] = ()  # the labels of those moves
    # Set if it is not the seat's turn; then the rest assumes that its turn begins now.
    wait_reason: Reason | None = None

    @property
    def unknown_fact(self) -> str:
        """Return the fact that no one has entered and on which the answer depends, or ""."""
        if self.legality in ("now", "later"):
            entered_facts = [next((move.entered_fact for move in way if move.entered_fact), "") for way in self.ways]
            return entered_facts[0] if entered_facts and all(entered_facts) else ""
        reasons = self.nearest.reasons if self.nearest else self.reasons
        return reasons[0].unknown_fact if reasons and all(reason.unknown_fact for reason in reasons) else ""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules that forbid the move, or those that it cites if it is possible."""
        nearest_reasons = self.nearest.reasons if self.nearest else ()
        reasons = (*((self.wait_reason,) if self.wait_reason else ()), *self.reasons, *nearest_reasons)
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
        state = _start_turn(tracked, state, seat) or state
    search = TurnSearch(tracked, state, seat, move)
    label = _label(tracked, search, state, seat, move, button_label)
    reasons = tuple(tracked.objections(state, seat, move))
    explanation = Explanation(move, label, "now", state, reasons, wait_reason=wait_reason)
    if not reasons and _is_same_action(move, label, state, seat):
        return explanation
    if found := _find_ways(tracked, search, seat, move, label):
        labels = tuple(move_labels(tracked, state, seat, moves) for moves in found)
        return replace(explanation, legality="later", ways=tuple(found), way_labels=labels)
    explanation = replace(explanation, legality="no" if search.is_complete else "unknown")
    if not tracked.flow.to_move(state):
        return explanation
    return replace(explanation, nearest=_find_nearest(tracked, search, state, seat, move, label))


def _find_ways(
    tracked: TrackedGame[SetupT, StateT], search: TurnSearch[StateT], seat: int, move: Move, label: str
) -> list[tuple[Move, ...]]:
    """Return the sequences of moves after which a move is legal in this turn, shortest first."""
    found: list[tuple[Move, ...]] = []
    for moves, later_state in search:
        if found and (len(found) == MAX_WAYS or len(moves) > len(found[0]) + 1):
            break
        # The start is judged before; a sequence with the first move of an earlier one is not listed separately.
        is_known = not moves or any(moves[0] == earlier[0] for earlier in found)
        if is_known or not _is_available(tracked, later_state, seat, move):
            continue
        if tracked.is_legal(later_state, seat, move) and _is_same_action(move, label, later_state, seat):
            found.append(moves)
    return found


def _find_nearest(
    tracked: TrackedGame[SetupT, StateT],
    search: TurnSearch[StateT],
    state: StateT,
    seat: int,
    move: Move,
    label: str,
) -> Nearest[StateT]:
    """Return the step with the least missing, of this turn, the next turn or the present."""
    nearest = _nearest_step(tracked, search, state, seat, move)
    # The next turn begins with the same moves as this one, unless a turn is a round.
    is_turn_start = move.phase is Phase.TURN_START and not tracked.flow.start_turn
    if nearest and (nearest.is_enough or (is_turn_start and not nearest.moves)):
        return nearest
    next_turn = None if move.out_of_turn else next_turn_state(tracked, state, seat)
    if next_turn is not None:
        next_search = TurnSearch(tracked, next_turn, seat, move, MAX_NEXT_MOVES_TRIED)
        for moves, later_state in next_search:
            if tracked.is_legal(later_state, seat, move) and _is_same_action(move, label, later_state, seat):
                step = _describe_step(tracked, next_turn, seat, move, SearchNode(moves, later_state), ())
                return replace(step, is_next_turn=True)
        next_nearest = _nearest_step(tracked, next_search, next_turn, seat, move)
        if next_nearest and (next_nearest.is_enough or not nearest):
            return replace(next_nearest, is_next_turn=True)
    if nearest:
        return nearest
    reasons = tuple(tracked.objections(state, seat, move))
    return _with_changes(
        tracked, seat, move, _describe_step(tracked, state, seat, move, SearchNode((), state), reasons)
    )


def _nearest_step(
    tracked: TrackedGame[SetupT, StateT], search: TurnSearch[StateT], start: StateT, seat: int, move: Move
) -> Nearest[StateT] | None:
    """Return the step with the least missing at which a kind of move is available.

    It has the fewest reasons against the move; of several such steps, it has the fewest moves before it.
    """
    steps: dict[tuple[Reason, ...], SearchNode[StateT]] = {}
    for node in search:
        if _is_available(tracked, node.state, seat, move) and (
            reasons := tuple(tracked.objections(node.state, seat, move))
        ):
            steps.setdefault(reasons, node)
    if not steps:
        return None
    fewest = min((len(reasons), len(node.moves)) for reasons, node in steps.items())
    nearest = [
        _with_changes(tracked, seat, move, _describe_step(tracked, start, seat, move, node, reasons))
        for reasons, node in steps.items()
        if (len(reasons), len(node.moves)) == fewest
    ][:MAX_PLACES]
    return min(nearest, key=lambda step: change_size(step.changes) or MAX_POSITIONS_TRIED)


def _describe_step(
    tracked: TrackedGame[SetupT, StateT],
    start: StateT,
    seat: int,
    move: Move,
    step: SearchNode[StateT],
    reasons: tuple[Reason, ...],
) -> Nearest[StateT]:
    place = tracked.text.place(step.state, seat, (*step.moves, move))
    return Nearest(step.moves, move_labels(tracked, start, seat, step.moves), step.state, place, reasons)


def _with_changes(
    tracked: TrackedGame[SetupT, StateT], seat: int, move: Move, step: Nearest[StateT]
) -> Nearest[StateT]:
    """Return a step with the changes that make a move legal there, and its nearest alternative.

    If neither exists alone, the changes are those for an alternative.
    """
    alternatives = (other for other in move.alternatives(step.state, seat) if other != move)
    others = {other: tuple(tracked.objections(step.state, seat, other)) for other in alternatives}
    # What the move itself objects to counts as well where it is not the player's turn.
    best = sorted(others, key=lambda other: (len(others[other]), len([*other.objections(step.state, seat)])))
    counterfactual = Counterfactual(tracked, step.state, seat, move)
    changes, alternative = counterfactual.find_changes(), best[0] if best else None
    if changes and alternative and others[alternative]:
        alternative = None  # The changes are for the move itself.
    elif alternative and others[alternative]:
        for other in best[:MAX_PLACES]:
            counterfactual = Counterfactual(tracked, step.state, seat, other)
            if changes := counterfactual.find_changes():
                alternative = other
                break
    label = alternative.label(step.state, seat) if alternative else MoveLabel("")
    return replace(
        step,
        changes=changes,
        lacking=counterfactual.describe_lacking(changes),
        change_text=counterfactual.describe_changes(changes),
        alternative=alternative,
        alternative_label=f"{label.text} ({label.hint})" if label.hint else label.text,
        alternative_reasons=others[alternative] if alternative else (),
    )


def next_turn_state(tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int) -> StateT | None:
    """Return the state as if the seat's next turn began now, or None."""
    if tracked.flow.start_turn:
        return tracked.flow.start_turn(state, seat)
    for other in range(len(state.players)):
        between = None if other == seat else _start_turn(tracked, state, other)
        if between is not None:
            return _start_turn(tracked, between, seat)
    return None


def _start_turn(tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int) -> StateT | None:
    """Return the state as if the turn of a seat that is not to move began now, or None."""
    if tracked.flow.start_turn:
        return tracked.flow.start_turn(state, seat)
    return Counterfactual(tracked, state, seat).start_turn()


def play_out(tracked: TrackedGame, explanation: Explanation, seat: int) -> tuple[GameState, GameState, str]:
    """Return the states before and after a possible move, and its log sentence.

    If other moves have to be made first, the state before already includes them.
    """
    state = explanation.state
    for move in explanation.ways[0] if explanation.ways else ():
        state = tracked.play(state, seat, move)
    after = tracked.play(state, seat, explanation.move)
    return state, after, tracked.log_sentence(state, after, seat, explanation.move)


def _is_available(tracked: TrackedGame[SetupT, StateT], state: StateT, seat: int, move: Move) -> bool:
    """Return whether a seat can make a move of this kind in a state, apart from what it needs."""
    return move.out_of_turn or (type(move) in tracked.available_moves(state) and move.is_offered(state, seat))


def _label(
    tracked: TrackedGame[SetupT, StateT],
    search: TurnSearch[StateT],
    state: StateT,
    seat: int,
    move: Move,
    button_label: str,
) -> str:
    """Return the label of a move: `button_label` if it occurs in this turn, else the first one."""
    states = (later_state for _, later_state in search if _is_available(tracked, later_state, seat, move))
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
        state = _start_turn(tracked, state, seat) or state
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
