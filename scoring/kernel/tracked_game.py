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
from scoring.kernel.english import ended, listed
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.facts import Facts
from scoring.kernel.move import Move
from scoring.kernel.position import Lying
from scoring.kernel.rule import Reason, Rule


class Offer(Struct, frozen=True):
    """A move somebody could want, and everything that speaks against it."""

    move: Move
    reasons: tuple[Reason, ...]

    @property
    def legal(self) -> bool:
        return not self.reasons


class Reminder(Struct, frozen=True):
    """A physical action at the table, in a sentence without a name."""

    text: str
    seat: int | None = None  # who has to do it; None: everyone

    def to(self, name: str) -> str:
        """Return the reminder with the name of the player who has to act."""
        return f"{name}, {self.text[:1].lower()}{self.text[1:]}"


@dataclass(frozen=True)
class Play:
    """How one box is tracked at the table, move by move; a tally is one that only counts what lies there at the end.

    A set-up is a struct with `players` and `rulings`; it may have `facts`, what is known of the box, and a `seed`, where
    the app has chance to bring along. A state has `players` with a `name`, and `rulings`.
    """

    box: Box
    key: str  # in logs and addresses: the box's own, or the tally's
    moves: tuple[type[Move], ...]
    setup: type[Struct]
    usual: Callable[[list[str]], Any]  # names in turn order -> the set-up most tables start from
    check_setup: Callable[[Any], Iterator[Reason]]
    start: Callable[[Any], Any]  # set-up -> first state
    to_move: Callable[[Any], tuple[int, ...]]  # state -> seats; empty when it is over
    wanted: Callable[[Any], tuple[Hashable, ...]]  # state -> what may be done now; see Move.answers
    first: Callable[[Any], Reason]  # why a move is refused that answers something else
    idle: Callable[
        [Any, int], Reason
    ]  # why a seat is refused that is not to move: what is waited for, or that it is over
    settle: Callable[[Any], Any]  # do what leaves no choice
    view: Callable[[Any, int | None], Any]  # state -> the same type without others' secrets
    prompt: Callable[[Any], str]  # what is to be done now, in one line
    changes: Callable[[Any, Any], Iterator[str]]  # what else changed between two states, in words
    final: Callable[[Any], Any]  # state -> what scoring needs
    # Which cards gave something in a move that was legal in a state, a sentence each: "Sun Hat gave 1 Sun."
    bonuses: Callable[[Any, int, Move], Iterator[str]] = lambda state, seat, move: iter(())
    chapter: Callable[[Any], str] = lambda state: ""  # of the story a state stands in: "Summer", "Round 3"; empty: none
    # Reminders after the first move that led from one state to another; from public views.
    hands: Callable[[Any, Any, Move], Iterator[Reminder]] = lambda before, after, move: iter(())
    # The usual set-up of a new table, with what its players are asked on the way left open.
    ask_later: Callable[[Any], Any] = lambda setup: setup
    # The set-up of another game of the same players, from that of the last one and its last state.
    once_more: Callable[[Any, Any], Any] = lambda setup, last: setup
    # The set-up of a new table, with what a house plays alike at each of its tables taken from that of another.
    as_last_time: Callable[[Any, Any], Any] = lambda setup, last: replace(setup, rulings=last.rulings)
    # What a seat reads in place of "Your turn" and what is to be done, where that says more: its last one; none: as usual.
    calls: Callable[[Any, int], tuple[str, str] | None] = lambda state, seat: None
    at_once: bool = False  # nobody has a turn: `calls` says what each seat is at
    # Whether a later state, where it is up to a seat, still belongs to the turn of that seat that an earlier one was in;
    # none: a turn lasts until one begins, or the table is laid anew.
    same_turn: Callable[[Any, Any, int], bool] | None = None
    # Whose turn it is that has no seat: the bot, whose card the seat to move flips; empty: the turn is that seat's own.
    turn_of: Callable[[Any], str] = lambda state: ""
    counting: bool = False  # it only counts what lies on a table that was not tracked
    lying: Lying | None = None  # the table as it lies
    joins: bool = False  # a game that began without the app can go on with it, told as it lies
    # What its own pages show besides the view: worked out from the view, a seat, and what a phone there is putting together.
    worked_out: dict[str, Callable[[Any, int, dict[str, str]], Any]] = field(default_factory=dict)

    @property
    def facts(self) -> Facts | None:
        """Return what the owner of the box can tell, where a table of this play knows of it."""
        return self.box.facts if "facts" in self.setup.__struct_fields__ else None

    @property
    def has_turns(self) -> bool:
        """Return whether players take turns, so that one of them starts."""
        return not (self.counting or self.at_once)

    @cached_property
    def has_secrets(self) -> bool:
        """Return whether players note what nobody else may read."""
        return any(kind.secret for kind in self.moves)

    @cached_property
    def _move_type(self) -> Any:
        return reduce(or_, self.moves)

    @cached_property
    def _asked(self) -> Callable[[tuple[Hashable, ...]], tuple[type[Move], ...]]:
        """Return the kinds that answer what is wanted, remembered: it is asked at every move, and there is little to want."""
        return lru_cache(maxsize=256)(lambda wanted: tuple(kind for kind in self.moves if _is_asked(kind, wanted)))

    def decode(self, data: Any, *, strict: bool = True) -> Move:
        """Return the move that plain data (from JSON, or a form with `strict=False`) stands for.

        :raises Malformed: when it is no move of this game.
        """
        return _convert(data, self._move_type, strict)

    def read_setup(self, data: Any, *, strict: bool = True, stands: bool = False) -> Any:
        """Return the set-up that plain data stands for; one that `stands` has been judged before and is not judged again.

        :raises Malformed: when it is none.
        :raises Illegal: when the rules refuse it.
        """
        setup = _convert(data, self.setup, strict)
        if not stands and (reasons := list(self.check_setup(setup))):
            raise Illegal(reasons)
        return setup

    def anew(self, setup: Any, seed: int, facts: Any) -> Any:
        """Return a set-up for a new table: with the facts known by now, and a `seed` of its own if it has chance in it."""
        given = {"seed": seed, "facts": facts}
        return replace(setup, **{name: given[name] for name in given if name in self.setup.__struct_fields__})

    def begin(self, setup: Any) -> Any:
        """Return the state before the first move."""
        return self.settle(self.start(setup))

    def asked(self, state: Any) -> tuple[type[Move], ...]:
        """Return the kinds of move that answer what is to be done now."""
        return self._asked(self.wanted(state))

    def goes_on(self, first: Any, state: Any, seat: int) -> bool:
        """Return whether the turn of a seat that a first state was in is not over in a later one."""
        if self.counting or seat not in self.to_move(state):
            return False
        if self.same_turn:
            return self.same_turn(first, state, seat)
        return not any(kind.begins or kind.hands_busy for kind in self.asked(state))

    def objections(self, state: Any, seat: int, move: Move) -> Iterator[Reason]:
        """Return everything that speaks against a seat making a move now, found one by one."""
        if not move.anytime:
            if seat not in self.to_move(state):
                return iter((self.idle(self.view(state, seat), seat),))  # what is waited for may hang on a secret
            if move.answers and type(move) not in self.asked(state):
                return iter((move.untimely(state, seat) or self.first(state),))
        return move.objections(state, seat)

    def legal(self, state: Any, seat: int, move: Move) -> bool:
        """Return whether the rules let a seat make a move now."""
        return next(self.objections(state, seat, move), None) is None

    def play(self, state: Any, seat: int, move: Move) -> Any:
        """Return the state after a move, with what leaves no choice done.

        :raises Illegal: with every reason, when the rules refuse it.
        """
        if reasons := list(self.objections(state, seat, move)):
            raise Illegal(reasons)
        return self.settle(move.apply(state, seat))

    def candidates(self, state: Any, seat: int, kinds: Iterable[type[Move]] = ()) -> Iterator[Move]:
        """Yield every move a seat could want now, legal or not; of all kinds, or of those named.

        Whoever is not to move can only want what may be said at any moment.
        """
        asked = self.asked(state) if seat in self.to_move(state) else ()
        for kind in kinds or self.moves:
            if kind.anytime or kind in asked:
                yield from kind.candidates(state, seat)

    def offers(self, state: Any, seat: int, kinds: Iterable[type[Move]] = ()) -> list[Offer]:
        """Return the moves a seat could want now, each with what speaks against it."""
        return [Offer(move, tuple(self.objections(state, seat, move))) for move in self.candidates(state, seat, kinds)]

    def meant(self, state: Any, seat: int, refused: Move) -> list[Move]:
        """Return what may have been meant by a move that was refused, and is legal."""
        return [move for move in refused.meant(state, seat) if self.legal(state, seat, move)]

    def replay(self, setup: Any, log: Iterable[tuple[int, Move]]) -> Any:
        """Return the state after a log of (seat, move).

        :raises Illegal: at the first move the rules refuse.
        """
        state = self.begin(setup)
        for seat, move in log:
            state = self.play(state, seat, move)
        return state

    def tell(self, before: Any, after: Any, seat: int, move: Move) -> str:
        """Return one sentence for the log: who did what, and what came of it."""
        did = f"{before.players[seat].name} {move.told(before, seat)}"
        return " ".join(
            [ended(did), *self.changes(move.tells_from(before, seat), after), *self.bonuses(before, seat, move)]
        )


def _is_asked(kind: type[Move], wanted: tuple[Hashable, ...]) -> bool:
    return any(each in kind.answers for each in wanted) if kind.answers else not kind.anytime


def waits_for(names: list[str], rule: Rule, for_what: str = "") -> Reason:
    """Return why a seat is refused whose turn it is not: who is to move, and `for_what` if that is known."""
    text = f"It is {names[0]}\u2019s turn" if len(names) == 1 else f"It is up to {listed(names)} now"
    return Reason("not-your-turn", rule, f"{text}: {for_what}." if for_what else f"{text}.")


def game_over(rule: Rule) -> Reason:
    """Return why nothing more can be done."""
    return Reason("game-over", rule, "The game is over.")


def _convert(data: Any, type: Any, strict: bool) -> Any:
    try:
        return msgspec.convert(data, type, strict=strict)
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:  # the latter: half a surrogate pair
        raise Malformed(str(fault)) from None
