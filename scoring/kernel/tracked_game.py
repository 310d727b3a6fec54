"""A game at the table, as a value, and what anybody does with one: offer, play, replay, tell."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.box import Box
from scoring.kernel.english import end_sentence, join_words
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.facts import CardFactsFormat
from scoring.kernel.move import Move
from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Reason, Rule


class Offer(Struct, frozen=True):
    """A move somebody could want, and everything that speaks against it."""

    move: Move
    reasons: tuple[Reason, ...]

    @property
    def is_legal(self) -> bool:
        return not self.reasons


class Reminder(Struct, frozen=True):
    """A physical action at the table, in a sentence without a name."""

    text: str
    seat: int | None = None  # who has to do it; None: everyone

    def addressed_to(self, name: str) -> str:
        """Return the reminder with the name of the player who has to act."""
        return f"{name}, {self.text[:1].lower()}{self.text[1:]}"


@dataclass(frozen=True)
class TrackedGame:
    """How one box is tracked at the table, move by move; a tally is one that only counts what lies there at the end.

    A set-up is a struct with `players` and `rulings`; it may have `facts`, what is known of the box, and a `seed`, where
    the app has chance to bring along. A state has `players` with a `name`, and `rulings`.
    """

    box: Box
    key: str  # in logs and addresses: the box's own, or the tally's
    moves: tuple[type[Move], ...]
    setup: type[Struct]
    default_setup: Callable[[list[str]], Any]  # names in turn order -> the set-up most tables start from
    check_setup: Callable[[Any], Iterator[Reason]]
    start: Callable[[Any], Any]  # set-up -> first state
    to_move: Callable[[Any], tuple[int, ...]]  # state -> seats; empty when it is over
    pending_decisions: Callable[[Any], tuple[Hashable, ...]]  # state -> what may be done now; see Move.answers
    out_of_phase_reason: Callable[[Any], Reason]  # why a move is refused that answers something else
    not_your_turn_reason: Callable[
        [Any, int], Reason
    ]  # why a seat is refused that is not to move: what is waited for, or that it is over
    resolve_forced_steps: Callable[[Any], Any]  # do what leaves no choice
    view: Callable[[Any, int | None], Any]  # state -> the same type without others' secrets
    prompt: Callable[[Any], str]  # what is to be done now, in one line
    describe_changes: Callable[[Any, Any], Iterator[str]]  # what else changed between two states, in words
    final_position: Callable[[Any], Any]  # state -> what scoring needs
    # Which cards gave something in a move that was legal in a state, a sentence each: "Sun Hat gave 1 Sun."
    describe_bonuses: Callable[[Any, int, Move], Iterator[str]] = lambda state, seat, move: iter(())
    chapter: Callable[[Any], str] = lambda state: ""  # of the story a state stands in: "Summer", "Round 3"; empty: none
    # Reminders after the first move that led from one state to another; from public views.
    reminders: Callable[[Any, Any, Move], Iterator[Reminder]] = lambda before, after, move: iter(())
    # The usual set-up of a new table, with what its players are asked on the way left open.
    defer_choices: Callable[[Any], Any] = lambda setup: setup
    # The set-up of another game of the same players, from that of the last one and its last state.
    rematch_setup: Callable[[Any, Any], Any] = lambda setup, last: setup
    # The set-up of a new table, with what a house plays alike at each of its tables taken from that of another.
    reuse_setup: Callable[[Any, Any], Any] = lambda setup, last: replace(setup, rulings=last.rulings)
    # What a seat reads in place of "Your turn" and what is to be done, where that says more: its last one; none: as usual.
    banner: Callable[[Any, int], tuple[str, str] | None] = lambda state, seat: None
    simultaneous: bool = False  # nobody has a turn: `calls` says what each seat is at
    # Whether a later state, where it is up to a seat, still belongs to the turn of that seat that an earlier one was in;
    # none: a turn lasts until one begins, or the table is laid anew.
    is_same_turn: Callable[[Any, Any, int], bool] | None = None
    # Whose turn it is that has no seat: the bot, whose card the seat to move flips; empty: the turn is that seat's own.
    turn_owner_name: Callable[[Any], str] = lambda state: ""
    is_score_entry: bool = False  # it only counts what lies on a table that was not tracked
    position_format: PositionFormat | None = None  # the table as it lies
    can_join_midgame: bool = False  # a game that began without the app can go on with it, told as it lies
    # What its own pages show besides the view: worked out from the view, a seat, and what a phone there is putting together.
    view_helpers: dict[str, Callable[[Any, int, dict[str, str]], Any]] = field(default_factory=dict)

    @property
    def card_facts(self) -> CardFactsFormat | None:
        """Return what the owner of the box can tell, where a table of this play knows of it."""
        return self.box.card_facts if "facts" in self.setup.__struct_fields__ else None

    @property
    def has_turns(self) -> bool:
        """Return whether players take turns, so that one of them starts."""
        return not (self.is_score_entry or self.simultaneous)

    @cached_property
    def has_secrets(self) -> bool:
        """Return whether players note what nobody else may read."""
        return any(kind.is_secret for kind in self.moves)

    @cached_property
    def _move_type(self) -> Any:
        return reduce(or_, self.moves)

    @cached_property
    def _available_moves(self) -> Callable[[tuple[Hashable, ...]], tuple[type[Move], ...]]:
        """Return the kinds that answer what is wanted, remembered: it is asked at every move, and there is little to want."""
        return lru_cache(maxsize=256)(lambda wanted: tuple(kind for kind in self.moves if _is_available(kind, wanted)))

    def decode(self, data: Any, *, strict: bool = True) -> Move:
        """Return the move that plain data (from JSON, or a form with `strict=False`) stands for.

        :raises InvalidInputError: when it is no move of this game.
        """
        return _convert(data, self._move_type, strict)

    def read_setup(self, data: Any, *, strict: bool = True, is_prechecked: bool = False) -> Any:
        """Return the set-up that plain data stands for; one that `stands` has been judged before and is not judged again.

        :raises InvalidInputError: when it is none.
        :raises IllegalMoveError: when the rules refuse it.
        """
        setup = _convert(data, self.setup, strict)
        if not is_prechecked and (reasons := list(self.check_setup(setup))):
            raise IllegalMoveError(reasons)
        return setup

    def new_table_setup(self, setup: Any, seed: int, facts: Any) -> Any:
        """Return a set-up for a new table: with the facts known by now, and a `seed` of its own if it has chance in it."""
        given = {"seed": seed, "facts": facts}
        return replace(setup, **{name: given[name] for name in given if name in self.setup.__struct_fields__})

    def initial_state(self, setup: Any) -> Any:
        """Return the state before the first move."""
        return self.resolve_forced_steps(self.start(setup))

    def available_moves(self, state: Any) -> tuple[type[Move], ...]:
        """Return the kinds of move that answer what is to be done now."""
        return self._available_moves(self.pending_decisions(state))

    def is_turn_unfinished(self, turn_start: Any, state: Any, seat: int) -> bool:
        """Return whether the turn of a seat that a first state was in is not over in a later one."""
        if self.is_score_entry or seat not in self.to_move(state):
            return False
        if self.is_same_turn:
            return self.is_same_turn(turn_start, state, seat)
        return not any(kind.is_turn_start or kind.is_setup for kind in self.available_moves(state))

    def objections(self, state: Any, seat: int, move: Move) -> Iterator[Reason]:
        """Return everything that speaks against a seat making a move now, found one by one."""
        if not move.out_of_turn:
            if seat not in self.to_move(state):
                return iter(
                    (self.not_your_turn_reason(self.view(state, seat), seat),)
                )  # what is waited for may hang on a secret
            if move.resolves and type(move) not in self.available_moves(state):
                return iter((move.out_of_phase_reason(state, seat) or self.out_of_phase_reason(state),))
        return move.objections(state, seat)

    def is_legal(self, state: Any, seat: int, move: Move) -> bool:
        """Return whether the rules let a seat make a move now."""
        return next(self.objections(state, seat, move), None) is None

    def play(self, state: Any, seat: int, move: Move) -> Any:
        """Return the state after a move, with what leaves no choice done.

        :raises IllegalMoveError: with every reason, when the rules refuse it.
        """
        if reasons := list(self.objections(state, seat, move)):
            raise IllegalMoveError(reasons)
        return self.resolve_forced_steps(move.apply(state, seat))

    def candidates(self, state: Any, seat: int, kinds: Iterable[type[Move]] = ()) -> Iterator[Move]:
        """Yield every move a seat could want now, legal or not; of all kinds, or of those named.

        Whoever is not to move can only want what may be said at any moment.
        """
        asked = self.available_moves(state) if seat in self.to_move(state) else ()
        for kind in kinds or self.moves:
            if kind.out_of_turn or kind in asked:
                yield from kind.candidates(state, seat)

    def offers(self, state: Any, seat: int, kinds: Iterable[type[Move]] = ()) -> list[Offer]:
        """Return the moves a seat could want now, each with what speaks against it."""
        return [Offer(move, tuple(self.objections(state, seat, move))) for move in self.candidates(state, seat, kinds)]

    def suggestions(self, state: Any, seat: int, refused: Move) -> list[Move]:
        """Return what may have been meant by a move that was refused, and is legal."""
        return [move for move in refused.suggestions(state, seat) if self.is_legal(state, seat, move)]

    def replay(self, setup: Any, log: Iterable[tuple[int, Move]]) -> Any:
        """Return the state after a log of (seat, move).

        :raises IllegalMoveError: at the first move the rules refuse.
        """
        state = self.initial_state(setup)
        for seat, move in log:
            state = self.play(state, seat, move)
        return state

    def log_sentence(self, before: Any, after: Any, seat: int, move: Move) -> str:
        """Return one sentence for the log: who did what, and what came of it."""
        did = f"{before.players[seat].name} {move.log_text(before, seat)}"
        return " ".join(
            [
                end_sentence(did),
                *self.describe_changes(move.log_baseline(before, seat), after),
                *self.describe_bonuses(before, seat, move),
            ]
        )


def _is_available(kind: type[Move], decisions: tuple[Hashable, ...]) -> bool:
    return any(each in kind.resolves for each in decisions) if kind.resolves else not kind.out_of_turn


def waiting_reason(names: list[str], rule: Rule, decision_text: str = "") -> Reason:
    """Return why a seat is refused whose turn it is not: who is to move, and `for_what` if that is known."""
    text = f"It is {names[0]}\u2019s turn" if len(names) == 1 else f"It is up to {join_words(names)} now"
    return Reason("not-your-turn", rule, f"{text}: {decision_text}." if decision_text else f"{text}.")


def game_over_reason(rule: Rule) -> Reason:
    """Return why nothing more can be done."""
    return Reason("game-over", rule, "The game is over.")


def _convert(data: Any, type: Any, strict: bool) -> Any:
    try:
        return msgspec.convert(data, type, strict=strict)
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:  # the latter: half a surrogate pair
        raise InvalidInputError(str(fault)) from None
