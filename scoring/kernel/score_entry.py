"""Just scoring, in any game: everybody names what lies before them and says when that is all."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct

from scoring.kernel.box import Box
from scoring.kernel.english import capital, cut, listed, there_are
from scoring.kernel.errors import Malformed
from scoring.kernel.move import Move, adopting
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.setup import check_names, check_rulings
from scoring.kernel.state import WithPlayers
from scoring.kernel.tracked_game import Play, game_over


class TallySetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Who played, and by which rulings."""

    players: tuple[str, ...]
    rulings: dict[str, str] = {}


class Done(Move):
    """Say that your column is complete."""

    sign = "check"

    def apply(self, state: Any, seat: int) -> Any:
        return state.with_player(seat, done=True)

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator["Done"]:
        yield cls()

    def label(self, state: Any, seat: int) -> str:
        return "That is all I have"

    def told(self, state: Any, seat: int) -> str:
        return "is done counting"


class Reopen(Move):
    """Go on counting after having said you were done."""

    sign = "pen"
    anytime = True

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        if not state.players[seat].done:
            yield Reason("still-counting", self.rules[0], "You are still counting.")

    def apply(self, state: Any, seat: int) -> Any:
        return state.with_player(seat, done=False)

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator["Reopen"]:
        if state.players[seat].done:
            yield cls()

    def label(self, state: Any, seat: int) -> str:
        return "Go on counting"

    def told(self, state: Any, seat: int) -> str:
        return "goes on counting"


def ending(rule: Rule) -> tuple[type[Done], type[Reopen]]:
    """Return the two moves that end and reopen a column; `rule` says how the points are added up."""

    class ItIsDone(Done, tag="done"):
        rules = (rule,)

    class GoesOn(Reopen, tag="reopen"):
        rules = (rule,)

    return ItIsDone, GoesOn


def tally_of(
    box: Box,
    *,
    moves: tuple[type[Move], ...],
    start: Callable[[Any], Any],
    final: Callable[[Any], Any],
    setup: type[Struct] = TallySetup,
    check: Callable[[Any], Iterator[Reason]] = lambda setup: iter(()),
    worked_out: dict[str, Callable[[Any, int, dict[str, str]], Any]] | None = None,
) -> Play:
    """Return the tally of a box: everybody counts at once, in any order, until all are done.

    Its states have `players` that are `done` or not; `check` yields what else speaks against a set-up.
    """

    def check_setup(chosen: Any) -> Iterator[Reason]:
        yield from check_names(chosen.players, box.title, box.seats, box.players)
        yield from check_rulings(chosen.rulings, box.rulings)
        yield from check(chosen)

    def idle(state: Any, seat: int) -> Reason:
        waiting = [state.players[other].name for other in to_move(state)]
        if not waiting:
            return game_over(box.total)
        others = f"{listed(waiting)} {'is' if len(waiting) == 1 else 'are'} still counting"
        text = f"You said you are done; {others}. Tap \u201cGo on counting\u201d to change your count."
        return Reason("not-your-turn", box.total, text)

    return Play(
        box=box,
        key=f"{box.key}-tally",
        moves=moves,
        setup=setup,
        usual=lambda names: setup(players=tuple(names)),
        check_setup=check_setup,
        start=start,
        to_move=to_move,
        wanted=lambda state: (),
        first=lambda state: game_over(box.total),
        idle=idle,
        settle=lambda state: state,
        view=lambda state, seat: state,
        prompt=_prompt,
        changes=_changes,
        final=final,
        counting=True,
        worked_out=worked_out or {},
    )


def to_move(tally: Any) -> tuple[int, ...]:
    """Return the seats that have not said they are done."""
    return tuple(seat for seat, player in enumerate(tally.players) if not player.done)


def _prompt(tally: Any) -> str:
    waiting = [tally.players[seat].name for seat in to_move(tally)]
    return f"Counting: {', '.join(waiting)} to go." if waiting else "Everything is counted."


def _changes(before: Any, after: Any) -> Iterator[str]:
    if not to_move(after) and to_move(before):
        yield "Everything is counted."


# A tally made from nothing but what a final-position document says of a player.


class Part(NamedTuple):
    """One thing a player tells, as a page asks for it."""

    name: str
    title: str
    now: str
    words: tuple[str, ...]  # one of these; none: a number


class CountedPlayer(Struct, frozen=True):
    """What one player has told so far, as a document would say it."""

    name: str
    told: dict[str, Any] = {}
    done: bool = False


class Counted(WithPlayers, frozen=True):
    """What has been told so far of a game that was not tracked."""

    players: tuple[CountedPlayer, ...]
    rulings: dict[str, str] = {}


def counted(box: Box, player: type[Struct]) -> Play:
    """Return the tally of a box whose players each tell the fields of a struct: numbers, yes or no, one of some words.

    `player` is one player of its final-position document, and every field but `name` has a default. What the document
    refuses is refused.
    """
    fields = {field.name: field for field in msgspec.structs.fields(player) if field.name != "name"}

    class Tell(Move, tag="tell"):
        """Write down what you have of one thing."""

        rules = (box.total,)
        drafted = True

        what: str
        value: str

        def objections(self, state: Counted, seat: int) -> Iterator[Reason]:
            if self.what not in fields:
                text = f"There is no \u201c{cut(self.what)}\u201d to count; {there_are(fields)}."
                yield Reason("no-such-part", box.total, text)
                return
            try:
                box.read_final(_document(box, self.apply(state, seat)))
            except msgspec.ValidationError:
                yield Reason(
                    "no-such-value", box.total, f"{_title(self.what)} cannot be \u201c{cut(self.value)}\u201d."
                )
            except Malformed as fault:
                yield Reason("does-not-add-up", box.total, f"{capital(str(fault).rpartition(': ')[2])}.")

        def apply(self, state: Counted, seat: int) -> Counted:
            value = msgspec.convert(self.value, fields[self.what].type, strict=False)
            return state.with_player(seat, told={**state.players[seat].told, self.what: value})

        @classmethod
        def candidates(cls, state: Counted, seat: int) -> Iterator["Tell"]:
            for part in parts(state, seat, {}):
                values = part.words or (str(int(part.now) + 1), str(int(part.now) - 1))
                yield from (cls(part.name, value) for value in values if value != part.now)

        def label(self, state: Counted, seat: int) -> str:
            return f"{_title(self.what)}: {self.value}"

        def icon(self, state: Counted, seat: int) -> str:
            return "pen"

        def told(self, state: Counted, seat: int) -> str:
            return f"counts {self.what.replace('_', ' ')}: {self.value}"

    def parts(state: Counted, seat: int, said: dict[str, str]) -> tuple[Part, ...]:
        told = state.players[seat].told
        return tuple(
            Part(name, _title(name), _word(told.get(name, field.default)), _words(field.type))
            for name, field in fields.items()
        )

    return tally_of(
        box,
        moves=(Tell, *ending(box.total), *([adopting(box.rulings)] if box.rulings else [])),
        start=lambda setup: Counted(tuple(CountedPlayer(name) for name in setup.players), setup.rulings),
        final=lambda state: box.read_final(_document(box, state)),
        worked_out={"parts": parts},
    )


def _document(box: Box, state: Counted) -> dict:
    players = [{"name": player.name, **player.told} for player in state.players]
    return {"game": box.key, "rulings": state.rulings, "players": players}


def _words(type: Any) -> tuple[str, ...]:
    return ("true", "false") if type is bool else get_args(type)


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _title(name: str) -> str:
    return capital(name.replace("_", " "))
