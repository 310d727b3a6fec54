"""May a player do that? Answered by playing: the rest of a turn is gone through, and what lies there is thought of otherwise."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.editable import By, Change, Figure, Into, Number, OneOf, SetRight, SomeOf
from scoring.kernel.errors import Malformed
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.tracked_game import Play

TRIED = 10_000  # moves that are tried for one answer; a turn that can go in more ways is not gone through to its end
FURTHER = 3  # a number that lies there is thought of by up to so many otherwise
MOST_THINGS = 8  # what can be one of more things than these is not thought of otherwise
WAYS = 3  # to one thing are enough

_pack = msgspec.msgpack.Encoder(enc_hook=repr).encode


class Moment(NamedTuple):
    """What a turn can come to: the moves up to there, and the state then."""

    line: tuple[Move, ...]
    state: Any


class RestOfTurn:
    """Everything the rest of a player's turn can come to, the shortest ways first; for a wish, what matters to it.

    Chance is gone through, too: each face of a die, each card that may be drawn, is a move of its own.
    What has been gone through is remembered. `whole` says, at the end, whether that was everything.
    """

    def __init__(self, play: Play, state: Any, seat: int, wish: Move | None = None, most: int = TRIED):
        self._play, self._first, self._seat, self._wish, self._left = play, state, seat, wish, most
        self._known: list[Moment] = []
        self._more = self._found()
        self.whole = False

    def __iter__(self) -> Iterator[Moment]:
        yield from self._known
        for moment in self._more:
            self._known.append(moment)
            yield moment

    def _found(self) -> Iterator[Moment]:
        seen, ahead = {_pack(self._first)}, [Moment((), self._first)]
        once = (
            self._wish is not None and self._wish.begins and not self._play.same_turn
        )  # the turn begins with it, or never
        for moment in ahead:  # it grows meanwhile
            yield moment
            for after in () if once else self._after(moment):
                if (key := _pack(after.state)) not in seen:
                    seen.add(key)
                    ahead.append(after)
            if self._left < 0:
                return
        self.whole = True

    def _after(self, moment: Moment) -> Iterator[Moment]:
        """Yield what comes of a moment by one legal move, as long as the turn goes on."""
        play, seat = self._play, self._seat
        for move in thinkable(play, moment.state, seat, self._wish):
            self._left -= 1
            if self._left < 0:
                return
            if next(move.objections(moment.state, seat), None) is None:  # it is of a kind that is asked for
                after = play.settle(move.apply(moment.state, seat))
                if play.goes_on(self._first, after, seat):
                    yield Moment((*moment.line, move), after)


def thinkable(play: Play, state: Any, seat: int, wish: Move | None = None) -> Iterator[Move]:
    """Yield what a player could want to do now, legal or not, and where nothing is to be done, what can be told."""
    asked = play.asked(state) if seat in play.to_move(state) else ()
    for kind in [kind for kind in asked if not kind.anytime] or asked:
        if wish is None or kind.opens:
            yield from kind.thinkable(state, seat, wish)


class Answer(Struct, frozen=True):
    """Whether a player may do something: at once, later in the turn, or not; and what it takes.

    "unknown" is the answer when no way was found and not every way was tried.
    """

    move: Move
    label: str
    yes: Literal["now", "later", "no", "unknown"]
    reasons: tuple[Reason, ...] = ()  # why not at once; it is the seat's turn, or thought to be
    there: tuple[Reason, ...] = ()  # why not at the nearest step of the turn that asks for such a move
    route: tuple[str, ...] | None = None  # the moves to that step, as buttons say them; None: no step asks for it
    ways: tuple[tuple[Move, ...], ...] = ()  # what to do first, the shortest way first
    words: tuple[tuple[str, ...], ...] = ()  # the same, as buttons say it
    otherwise: tuple[str, ...] = ()  # each by itself would do, if it lay so: "acorn 1 \u2192 2"
    waits: Reason | None = None  # it is not the seat's turn: the rest holds for a turn that would begin now
    state: Any = None  # in which it was judged

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules of the answer: those that stand against it, or that let it be."""
        against = (*((self.waits,) if self.waits else ()), *self.reasons, *self.there)
        behind = self.move.behind() if self.yes in ("now", "later") else ()
        return tuple(dict.fromkeys((*(reason.rule for reason in against), *behind)))


def may(play: Play, state: Any, seat: int, move: Move, called: str = "") -> Answer:
    """Return whether a seat may do something, in a state as it is seen with its own eyes.

    :param called: what its button says where it is meant; a move without fields can be another thing at another moment.
    """
    waits = None
    if not move.anytime and play.to_move(state) and seat not in play.to_move(state):
        waits = next(play.objections(state, seat, move))
        state = Otherwise(play, state, seat).turn() or state
    rest, found = RestOfTurn(play, state, seat, move), []
    label = _label(play, rest, state, seat, move, called)
    reasons = tuple(play.objections(state, seat, move))
    answer = Answer(move, label, "now", reasons, waits=waits, state=state)
    nearest = ((), reasons) if _comes_up(play, state, move) else None
    if not reasons and _is_meant(move, label, state, seat):
        return answer
    for line, then in rest:
        if found and (len(found) == WAYS or len(line) > len(found[0]) + 1):
            break
        if not line or any(line[0] == way[0] for way in found):
            continue  # a way that begins like another one is no other way
        if not _comes_up(play, then, move):
            continue
        if not (against := tuple(play.objections(then, seat, move))):
            if _is_meant(move, label, then, seat):
                found.append(line)
        elif nearest is None or len(against) < len(nearest[1]):
            nearest = line, against
    if found:
        words = tuple(said(play, state, seat, line) for line in found)
        return replace(answer, yes="later", ways=tuple(found), words=words)
    otherwise = tuple(Otherwise(play, state, seat).so_that(move))
    answer = replace(answer, yes="no" if rest.whole else "unknown", otherwise=otherwise)
    return replace(answer, there=nearest[1], route=said(play, state, seat, nearest[0])) if nearest else answer


def _comes_up(play: Play, state: Any, move: Move) -> bool:
    """Return whether a step asks for moves of this kind."""
    return move.anytime or type(move) in play.asked(state)


def _label(play: Play, rest: RestOfTurn, state: Any, seat: int, move: Move, called: str) -> str:
    """Return what a move is called: so, if it ever is in this turn; else as where it comes up first."""
    where = (then for _, then in rest if _comes_up(play, then, move))
    labels = (move.label(then, seat) for then in where)
    first = next(labels, None) or move.label(state, seat)
    return called if called and (called == first or called in labels) else first


def _is_meant(move: Move, label: str, state: Any, seat: int) -> bool:
    """Return whether a move is what was asked about: "leave" is another thing wherever something else can be left."""
    return bool(move.__struct_fields__) or move.label(state, seat) == label


def said(play: Play, state: Any, seat: int, line: Iterable[Move]) -> tuple[str, ...]:
    """Return moves that follow each other as buttons say them."""
    words = []
    for move in line:
        words.append(move.label(state, seat))
        state = play.play(state, seat, move)
    return tuple(words)


class Wish(Struct, frozen=True):
    """Something a player could want in this turn."""

    move: Move
    label: str
    now: bool  # it may be done at once
    may: bool  # or somewhere in the rest of the turn


def wishes(play: Play, state: Any, seat: int, most: int = TRIED) -> list[Wish]:
    """Return what a player could want now or later in a turn, with whether it can be; what comes up first is first.

    What is put together bit by bit is asked about where that is done, and what tells how the table was laid nowhere.

    :param most: so many moves are tried.
    """
    state = (
        state
        if seat in play.to_move(state) or not play.to_move(state)
        else Otherwise(play, state, seat).turn() or state
    )
    known: dict[tuple[Move, str], Wish] = {}
    for line, then in RestOfTurn(play, state, seat, most=most):
        for move in thinkable(play, then, seat):
            if move.drafted or move.hands_busy:
                continue
            named = "" if move.__struct_fields__ else move.label(then, seat)
            was = known.get((move, named))
            if was is None or not was.may:
                legal = play.legal(then, seat, move)
                label = was.label if was else named or move.label(then, seat)
                known[move, named] = Wish(move, label, legal and not line, legal)
    return list(known.values())


# What would have to lie otherwise


class Otherwise:
    """A table thought of otherwise, one or two things at a time, as far as what lies there still adds up."""

    def __init__(self, play: Play, state: Any, seat: int):
        kinds = (kind for kind in play.moves if issubclass(kind, SetRight))
        self._play, self._state, self._seat, self._kind = play, state, seat, next(kinds, None)
        self._faults = tuple(self._kind.against(state)) if self._kind else ()
        self._all = {figure.at: figure for figure in self._kind.known(state)} if self._kind else {}
        self._lies = self._kind.says(state) if self._kind else None
        self._figures = [figure for figure in self._all.values() if not figure.fixed]

    def lying(self, so: Callable[[Any], bool], *changes: Change) -> Any | None:
        """Return the state with some things lying otherwise; nothing where it is not `so` then, or no table can lie so."""
        assert self._kind
        try:
            lies = self._kind(changes).lying(self._all, self._lies)
            after = self._play.settle(lies)
            if not so(
                after
            ):  # asked before what takes longer, though nobody knows yet whether a table can lie like that
                return None
        except (Malformed, LookupError, ValueError):
            return None
        return None if any(fault not in self._faults for fault in self._kind.against(lies)) else after

    def turn(self) -> Any | None:
        """Return the state as if the seat's turn began, with everything lying as it does."""
        turns = (figure for figure in self._figures if figure.at == "turn" and isinstance(figure.can, OneOf))
        for figure in turns:
            for change in others(figure):
                after = self.lying(lambda after: self._seat in self._play.to_move(after), change)
                if after is not None:
                    return after
        return None

    def so_that(self, move: Move) -> Iterator[str]:
        """Yield what would have to lie otherwise for a move to be legal: each alone would do; else two numbers together."""
        mine = [figure for figure in self._figures if figure.whose in (None, self._seat)]
        alone = False
        for figure in mine:
            for change in others(figure):
                if self._would_do(move, change):
                    alone = True
                    yield self._said(change)
                    break
        numbers = [figure for figure in mine if figure.whose is not None and isinstance(figure.can, Number)]
        for pair in () if alone else combinations(numbers, 2):
            more = [
                [change for change in others(figure) if isinstance(change, By) and change.by > 0] for figure in pair
            ]
            if all(more) and self._would_do(move, more[0][-1], more[1][-1]):
                yield self._said(*next(both for both in product(*more) if self._would_do(move, *both)))

    def _would_do(self, move: Move, *changes: Change) -> bool:
        return self.lying(lambda after: self._play.legal(after, self._seat, move), *changes) is not None

    def _said(self, *changes: Change) -> str:
        assert self._kind
        return self._kind(changes).what(self._state)


def others(figure: Figure) -> Iterator[Change]:
    """Yield what a thing could be otherwise, the nearest first."""
    match figure.can:
        case Number(least, most):
            for by in sorted(range(-FURTHER, FURTHER + 1), key=lambda by: (abs(by), -by)):
                if by and least <= figure.value + by <= most:
                    yield By(figure.at, by)
        case SomeOf():
            return
        case OneOf(known) if len(known) <= MOST_THINGS:
            for thing in known:
                if thing.key != figure.value:
                    yield Into(figure.at, figure.value, thing.key)
