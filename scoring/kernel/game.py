"""A game as a value, and the four things anybody does with one: offer, play, replay, read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet


class Malformed(ValueError):
    """What was said is no move, set-up or document of this game; the text names the place."""


class Illegal(ValueError):
    """The rules refuse a move; `reasons` says why."""

    def __init__(self, reasons: list[Reason]):
        super().__init__("; ".join(str(reason) for reason in reasons))
        self.reasons = reasons


class Offer(Struct, frozen=True):
    """A move somebody could want, and everything that speaks against it."""

    move: Move
    reasons: tuple[Reason, ...]

    @property
    def legal(self) -> bool:
        return not self.reasons


@dataclass(frozen=True)
class Game:
    """Everything the house knows of one game. A value: no inheritance, no hooks for one game only."""

    key: str
    title: str
    edition: str
    publisher: str
    version: str  # of our rules core; a table keeps the one it was played with
    seats: tuple[int, ...]
    moves: tuple[type[Move], ...]
    rules: dict[str, Rule]
    rulings: tuple[Ruling, ...]
    turn_rule: Rule  # cited when it is not your turn, or the game is over
    setup: type[Struct]
    usual: Callable[[list[str]], Any]  # names in turn order -> the set-up most tables start from
    start: Callable[[Any], Any]  # set-up -> first state
    check_setup: Callable[[Any], Iterator[Reason]]
    to_move: Callable[[Any], tuple[int, ...]]  # state -> seats; empty when the game is over
    asked: Callable[[Any], tuple[type[Move], ...]]  # state -> the kinds of move that answer what is to be done now
    settle: Callable[[Any], Any]  # do what leaves no choice
    view: Callable[[Any, int | None], Any]  # state -> the same type without others' secrets
    changes: Callable[[Any, Any], Iterator[str]]  # what else changed between two states, in words
    prompt: Callable[[Any], str]  # what is to be done now, in one line
    final: Callable[[Any], Any]  # state -> what scoring needs
    score: Callable[[Any], Sheet]
    read_final: Callable[[dict], Any]  # JSON document -> what scoring needs; raises Malformed
    categories: tuple[tuple[str, str], ...]  # of the printed sheet, in its order: id, title
    box: Any  # the module of the game that says what is in the box
    tally: "Game | None" = field(default=None)  # the same box scored without having been tracked
    draft: Callable[[Any, int, dict], Any] | None = None  # view, seat, what a phone has chosen so far -> what it can say
    live_total: bool = False  # a phone shows its own score while playing, as far as it may be known
    facts: Any = None  # scoring.kernel.facts.Facts: what only the owner of a box can tell

    @property
    def is_tally(self) -> bool:
        """Return whether this only counts what lies on a table that was not tracked."""
        return self.rules_key != self.key

    @property
    def rules_key(self) -> str:
        """Return the key under which the rules are read: a tally has those of its game."""
        return self.key.removesuffix("-tally")

    @cached_property
    def _move_type(self) -> Any:
        union = self.moves[0]
        for move in self.moves[1:]:
            union = union | move
        return union

    def decode(self, data: Any, *, strict: bool = True) -> Move:
        """Return the move that plain data (from JSON, or a form with `strict=False`) stands for.

        :raises Malformed: when it is no move of this game.
        """
        return _convert(data, self._move_type, strict)

    def read_setup(self, data: Any, *, strict: bool = True) -> Any:
        """Return the set-up that plain data stands for.

        :raises Malformed: when it is none.
        :raises Illegal: when the rules refuse it.
        """
        setup = _convert(data, self.setup, strict)
        if reasons := list(self.check_setup(setup)):
            raise Illegal(reasons)
        return setup

    def anew(self, setup: Any, seed: int, facts: Any) -> Any:
        """Return a set-up for a new table: with the facts known by now, and a `seed` of its own if it has chance in it."""
        given = {"seed": seed, "facts": facts}
        return replace(setup, **{name: given[name] for name in given if name in self.setup.__struct_fields__})

    def begin(self, setup: Any) -> Any:
        """Return the state before the first move."""
        return self.settle(self.start(setup))

    def objections(self, state: Any, seat: int, move: Move) -> Iterator[Reason]:
        """Return everything that speaks against a seat making a move now, found one by one."""
        if move.anytime or seat in self.to_move(state):
            return move.objections(state, seat)
        return iter((self._not_your_turn(state),))

    def _not_your_turn(self, state: Any) -> Reason:
        seats = self.to_move(state)
        if not seats:
            return Reason("game-over", self.turn_rule, "The game is over.")
        names = " and ".join(state.players[seat].name for seat in seats)
        text = f"It is the turn of {names}." if len(seats) == 1 else f"It is up to {names} now."
        return Reason("not-your-turn", self.turn_rule, text)

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
        """Yield every move a seat could want now, legal or not; of all kinds, or of those named."""
        for kind in kinds or self.moves:
            yield from kind.candidates(state, seat)

    def offers(self, state: Any, seat: int, kinds: Iterable[type[Move]] = ()) -> list[Offer]:
        """Return the moves a seat could want now, each with what speaks against it."""
        return [Offer(move, tuple(self.objections(state, seat, move))) for move in self.candidates(state, seat, kinds)]

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
        return " ".join([f"{did}.", *self.changes(before, after)])


def _convert(data: Any, type: Any, strict: bool) -> Any:
    try:
        return msgspec.convert(data, type, strict=strict)
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:  # the latter: half a surrogate pair
        raise Malformed(str(fault)) from None
