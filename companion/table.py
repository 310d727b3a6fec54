"""A table is its log: the entries, what they fold to, and what may be taken back. Pure; knows no storage."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.kernel.faults import Illegal, Malformed
from scoring.kernel.move import Move
from scoring.kernel.play import Play


class Broken(Exception):
    """A stored log the present rules core cannot follow; the text says where."""


class DoesNotFollow(Exception):
    """An entry speaks of what is not there: a seat, a step, a question; the text says of what."""


class InTheWay(Exception):
    """An entry cannot be taken back or put back: a later step would no longer be legal."""

    def __init__(self, step: "Step", refusal: Illegal):
        if step.move.secret:  # what it says is its player's alone, and this is read out to others
            name = step.before.players[step.seat].name
            text = f"A note that only {name} can read stands in the way; {name} can take it back first."
        else:
            text = f"\u201c{step.text}\u201d stands in the way. {refusal.reasons[0]}"
        super().__init__(text)
        self.step = step
        self.reasons = refusal.reasons


# What an entry says. Moves stay plain data here: only their game can read them.


class Opened(Struct, frozen=True, tag=True, omit_defaults=True):
    """The table was opened; who opened it is its host."""

    game: str
    version: str  # of the game's rules core
    setup: dict
    after: str = ""  # the table these players come from
    wins: tuple[int, ...] = ()  # of each player, in the games of the series before this one


class SetUp(Struct, frozen=True, tag=True):
    """The set-up was changed before the first step; `order` gives each new seat's old one."""

    setup: dict
    order: tuple[int, ...]


class Sat(Struct, frozen=True, tag=True):
    """A phone took a free seat."""


class Stood(Struct, frozen=True, tag=True):
    """A phone gave a seat back."""


class Played(Struct, frozen=True, tag=True):
    move: dict


class TookBack(Struct, frozen=True, tag=True):
    entry: int


class PutBack(Struct, frozen=True, tag=True):
    entry: int


class CameBack(Struct, frozen=True, tag=True):
    """The phone whose seat was given to another one without its Yes takes it back."""


class SeatAsked(Struct, frozen=True, tag=True, omit_defaults=True):
    """A phone asks for a seat that another one holds."""

    holder: bool = False  # that one is asked, or all others when it is silent; in logs of 0.1.0 the others are


class WentOn(Struct, frozen=True, tag=True):
    """The players went on to another table."""

    code: str


Wish = Played | TookBack | PutBack | SeatAsked


class Proposed(Struct, frozen=True, tag=True):
    """Something that needs the table's consent."""

    wish: Wish


class Agreed(Struct, frozen=True, tag=True):
    proposal: int
    decided: bool = False  # by the host: how logs of 0.1.0 say `Decided`


class Decided(Struct, frozen=True, tag=True):
    """The host decides, for those who do not answer."""

    proposal: int


class Declined(Struct, frozen=True, tag=True):
    proposal: int


What = Opened | SetUp | Sat | Stood | CameBack | Played | TookBack | PutBack | Proposed | Agreed | Decided | Declined | WentOn


class Entry(Struct, frozen=True):
    """One line of a table's log, as stored."""

    number: int
    at: str  # UTC, ISO 8601
    device: str
    seat: Annotated[int, Meta(ge=0)] | None
    what: What


class Step(Struct, frozen=True):
    """A move in force, between two states."""

    number: int  # of the entry that made it
    seat: int
    move: Move
    before: Any
    after: Any
    text: str


class Proposal(Struct, frozen=True):
    """Something waiting for the table's consent."""

    number: int
    device: str
    seat: int | None
    wish: Wish
    text: str
    waiting: tuple[int, ...]  # seats still to agree

    @property
    def of_holder(self) -> bool:
        """Return whether it asks the phone that holds a seat for it: that one's Yes is enough."""
        return isinstance(self.wish, SeatAsked) and self.wish.holder


class Lost(Struct, frozen=True):
    """A seat that was given to another phone without the Yes of the one that held it."""

    seat: int
    device: str  # the one that held it, and may take it back
    decided: bool  # by the host, not by all others


class Refused(Struct, frozen=True):
    """The last No to somebody who asked for a seat."""

    device: str
    at: str


class Sentence(Struct, frozen=True):
    """One line of the log, as people read it."""

    number: int
    seat: int | None
    text: str
    secret: bool = False
    undone_by: str | None = None  # who took it back
    step: bool = False


class Table(Struct, frozen=True, dict=True):
    """Everything a log folds to."""

    code: str
    number: int  # of the last entry: the version phones compare
    game_key: str
    rules_version: str
    host: str
    opened: str
    setup: Any
    first: Any  # the state before the first step
    seats: tuple[str | None, ...]
    steps: tuple[Step, ...] = ()
    undone: dict[int, tuple[Step, str]] = {}  # entry -> the step and who took it back
    proposals: tuple[Proposal, ...] = ()
    lost: tuple[Lost, ...] = ()
    refused: dict[int, Refused] = {}  # seat -> the last No
    lines: tuple[Sentence, ...] = ()
    at: str = ""
    after: str = ""  # the table before this one, in a series
    wins: tuple[int, ...] = ()  # of each player, before this game
    next: str = ""  # the table after this one

    @cached_property
    def play(self) -> Play:
        return PLAYS[self.game_key]

    @cached_property
    def state(self) -> Any:
        return self.steps[-1].after if self.steps else self.first

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.first.players)

    @property
    def over(self) -> bool:
        return not self.play.to_move(self.state)

    @cached_property
    def wins_now(self) -> tuple[int, ...]:
        """Return how many games of the series each player has won, this one included once it is over."""
        wins = self.wins or (0,) * len(self.names)
        if not self.over:
            return wins
        columns = self.play.box.score(self.play.final(self.state)).columns
        return tuple(before + column.winner for before, column in zip(wins, columns, strict=True))

    def seats_of(self, device: str) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.seats) if holder == device)

    def lost_by(self, device: str) -> tuple[Lost, ...]:
        """Return the seats that were taken from a phone and that it may take back."""
        return tuple(lost for lost in self.lost if lost.device == device)

    def has_noted(self, seat: int) -> bool:
        """Return whether a seat has noted what nobody else may read."""
        return not self.over and any(line.secret and line.seat == seat for line in self.lines)

    def step(self, number: int) -> Step | None:
        return next((step for step in reversed(self.steps) if step.number == number), None)

    def known_step(self, number: int) -> Step:
        """:raises DoesNotFollow: when there is no such step."""
        if step := self.step(number):
            return step
        raise DoesNotFollow(f"there is no step {number}")

    def known_undone(self, number: int) -> tuple[Step, str]:
        """:raises DoesNotFollow: when no such step has been taken back."""
        if number in self.undone:
            return self.undone[number]
        raise DoesNotFollow(f"no step {number} has been taken back")

    def proposal(self, number: int) -> Proposal | None:
        return next((proposal for proposal in self.proposals if proposal.number == number), None)

    def others(self, device: str, but: int | None = None) -> tuple[int, ...]:
        """Return the seats held by other phones, whose consent a proposal needs."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder not in (None, device) and seat != but)

    def is_free(self, step: Step, device: str) -> bool:
        """Return whether a phone may take a step back, or put it back, without asking.

        Its own, as long as nobody moved after it who had to wait for it: those who are to move together wait
        for none of the others. A step that needed the table's consent needs it again. A secret is always its
        own player's: to ask would be to tell.
        """
        mine = self.seats_of(device)
        if step.seat not in mine or step.move.consent:
            return False
        if step.move.secret:
            return True
        for later in reversed(self.steps):
            if later.number <= step.number:
                return True
            together = step.seat in self.play.to_move(later.before) or later.seat in self.play.to_move(step.before)
            if not (later.seat in mine or later.move.secret or together):
                return False
        return True

    def without(self, number: int) -> tuple[Step, ...]:
        """Return the steps with one taken out and what came after it played again.

        :raises InTheWay: when a later step would no longer be legal.
        """
        kept = [step for step in self.steps if step.number != number]
        return self._replayed(kept, sum(step.number < number for step in kept))

    def with_again(self, number: int) -> tuple[Step, ...]:
        """Return the steps with one that was taken back put in its place again.

        :raises InTheWay: when it or a later step would not be legal.
        """
        steps = sorted((*self.steps, self.known_undone(number)[0]), key=lambda step: step.number)
        return self._replayed(steps, sum(step.number < number for step in steps))

    def _replayed(self, steps: list[Step], start: int) -> tuple[Step, ...]:
        fresh = steps[:start]
        state = fresh[-1].after if fresh else self.first
        for step in steps[start:]:
            try:
                fresh.append(make_step(self.play, state, step.number, step.seat, step.move))
            except Illegal as refusal:
                raise InTheWay(step, refusal) from None
            state = fresh[-1].after
        return tuple(fresh)


def make_step(play: Play, state: Any, number: int, seat: int, move: Move, *, stands: bool = False) -> Step:
    """Return the step a legal move makes; one that `stands` has been judged before and is not judged again.

    :raises Illegal: when the rules refuse it.
    """
    after = play.settle(move.apply(state, seat)) if stands else play.play(state, seat, move)
    return Step(number, seat, move, state, after, play.tell(state, after, seat, move))


def fold(table: Table | None, code: str, entry: Entry) -> Table:
    """Return the table after one more entry of a stored log.

    What was legal when it was said stands: a table that was opened with another version of its rules may hold moves that
    today's would refuse.

    :raises Broken: when the entry does not follow from the log before it.
    """
    try:
        return _followed(table, code, entry)
    except (Illegal, Malformed, InTheWay, DoesNotFollow) as fault:
        raise Broken(f"Entry {entry.number} of table {code} cannot be followed: {fault}") from fault


def _followed(table: Table | None, code: str, entry: Entry) -> Table:
    try:
        return follow(table, entry) if table else opened(code, entry)
    except Illegal as refusal:
        if not _by_earlier_rules(table, entry):
            raise
        try:
            return follow(table, entry, stands=True) if table else opened(code, entry, stands=True)
        except Exception:  # not even possible any more: then why it is refused says most
            raise refusal from None


def _by_earlier_rules(table: Table | None, entry: Entry) -> bool:
    """Return whether an entry was judged by another version of its game's rules, so that it may stand."""
    match entry.what:
        case Opened(game, version):
            return game in PLAYS and version != PLAYS[game].box.version
        case SetUp() | Played():
            return table is not None and table.rules_version != table.play.box.version
    return False


def opened(code: str, entry: Entry, *, stands: bool = False) -> Table:
    """Return the table that the first entry of a log opens; a set-up that `stands` is not judged again.

    :raises Malformed, Illegal: when the set-up is none.
    :raises DoesNotFollow: when it opens nothing.
    """
    what = entry.what
    if not isinstance(what, Opened):
        raise DoesNotFollow("a log begins with the opening of the table")
    if what.game not in PLAYS:
        raise DoesNotFollow(f"there is no game \u201c{what.game}\u201d")
    play = PLAYS[what.game]
    setup = play.read_setup(what.setup, stands=stands)
    first = play.begin(setup)
    return Table(
        code=code,
        number=entry.number,
        game_key=what.game,
        rules_version=what.version,
        host=entry.device,
        opened=entry.at,
        setup=setup,
        first=first,
        seats=(None,) * len(setup.players),  # a player beyond these is played by the app
        lines=(Sentence(entry.number, None, f"The table is open: {play.box.title}."),),
        at=entry.at,
        after=what.after,
        wins=what.wins,
    )


def follow(table: Table, entry: Entry, move: Move | None = None, *, stands: bool = False) -> Table:
    """Return the table after one more entry; `move` is what a move in it says, where that has been read already.

    A move or a set-up that `stands` is not judged again.

    :raises Illegal, Malformed, InTheWay, DoesNotFollow: when it does not follow from the log.
    """
    return replace(_after(table, entry, move, stands), number=entry.number, at=entry.at)


def _after(table: Table, entry: Entry, move: Move | None, stands: bool) -> Table:
    match entry.what:
        case Opened():
            raise DoesNotFollow("the table is open already")
        case SetUp() as what:
            return _set_up(table, entry, what, stands)
        case Sat():
            seat = _seat(table, entry.seat)
            return _told(_seated(table, seat, entry.device), entry, f"{table.names[seat]} sits down.")
        case Stood():
            seat = _seat(table, entry.seat)
            left = _told(_seated(table, seat, None), entry, f"{table.names[seat]}\u2019s phone leaves the seat.")
            return _nobody_left(left, entry)
        case CameBack():
            return _came_back(table, entry, _seat(table, entry.seat))
        case Played() | TookBack() | PutBack() as wish:
            return _done(table, entry, wish, entry.seat, entry.device, move, stands)
        case Proposed(wish):
            return _proposed(table, entry, wish)
        case Agreed() as what:
            return _agreed(table, entry, what)
        case Decided(number):
            proposal = _asked(table, number)
            told = _told(table, entry, f"The host decided: {proposal.text}.")
            return _granted_or_kept(told, entry, replace(proposal, waiting=()))
        case Declined(number):
            return _declined(table, entry, _asked(table, number))
        case WentOn(code):
            return _told(replace(table, next=code), entry, "The players go on to another game.")


def _seat(table: Table, seat: int | None) -> int:
    """:raises DoesNotFollow: when this is no seat of the table."""
    if seat is None or not 0 <= seat < len(table.seats):
        raise DoesNotFollow(f"there is no seat {seat}")
    return seat


def _asked(table: Table, number: int) -> Proposal:
    """:raises DoesNotFollow: when nothing waits for an answer under this number."""
    if proposal := table.proposal(number):
        return proposal
    raise DoesNotFollow(f"nothing waits for an answer under the number {number}")


def _set_up(table: Table, entry: Entry, what: SetUp, stands: bool) -> Table:
    """Begin again; each line stays with its player, what was taken back or asked before is gone."""
    if sorted(what.order) != list(range(len(table.seats))):
        raise DoesNotFollow(f"the order {list(what.order)} does not name each seat once")
    setup = table.play.read_setup(what.setup, stands=stands)
    now = {old: new for new, old in enumerate(what.order)}
    all_players = (*what.order, *range(len(table.seats), len(table.names)))
    return _told(
        replace(
            table,
            setup=setup,
            first=table.play.begin(setup),
            seats=tuple(table.seats[old] for old in what.order),
            wins=tuple(table.wins[old] for old in all_players) if table.wins else (),
            undone={},
            proposals=(),
            lost=tuple(replace(lost, seat=now[lost.seat]) for lost in table.lost),
            refused={now[seat]: refused for seat, refused in table.refused.items()},
            lines=tuple(replace(line, seat=None if line.seat is None else now.get(line.seat)) for line in table.lines),
        ),
        entry,
        "The set-up was changed.",
    )


def _came_back(table: Table, entry: Entry, seat: int) -> Table:
    name = table.names[seat]
    if not any(lost.seat == seat for lost in table.lost_by(entry.device)):
        raise DoesNotFollow(f"{name}\u2019s seat was not taken from this phone")
    back = _told(_seated(table, seat, entry.device), entry, f"{name}\u2019s own phone is back and goes on.")
    return _nobody_left(back, entry)


def _seated(table: Table, seat: int, device: str | None) -> Table:
    seats = list(table.seats)
    seats[seat] = device
    waiting = tuple(
        replace(proposal, waiting=tuple(each for each in proposal.waiting if each != seat and not _asks_for(proposal, seat)))
        for proposal in table.proposals
    )
    lost = tuple(each for each in table.lost if (each.seat, each.device) != (seat, device))
    return replace(table, seats=tuple(seats), proposals=waiting, lost=lost)


def _asks_for(proposal: Proposal, seat: int) -> bool:
    """Return whether a phone asks the holder of a seat for it: nobody else can answer when it has changed hands."""
    return proposal.of_holder and proposal.seat == seat


def _done(
    table: Table, entry: Entry, wish: Wish, seat: int | None, device: str, move: Move | None = None, stands: bool = False
) -> Table:
    """Return the table after what a phone wished, at once or as the others have agreed.

    :raises Illegal, Malformed, InTheWay, DoesNotFollow: when it is not possible, or not any more.
    """
    match wish:
        case Played(data):
            said = move or table.play.decode(data)
            step = make_step(table.play, table.state, entry.number, _seat(table, seat), said, stands=stands)
            line = Sentence(entry.number, seat, step.text, secret=step.move.secret, step=True)
            return replace(table, steps=(*table.steps, step), lines=(*table.lines, line))
        case TookBack(number):
            who, gone = _who(table, seat), table.known_step(number)
            back = replace(table, steps=table.without(number), undone={**table.undone, number: (gone, who)})
            return _marked(back, entry, wish, gone, undone_by=who, told=f"{who} took back: {gone.text}")
        case PutBack(number):
            who, (step, _) = _who(table, seat), table.known_undone(number)
            undone = {other: gone for other, gone in table.undone.items() if other != number}
            again = replace(table, steps=table.with_again(number), undone=undone)
            return _marked(again, entry, wish, step, undone_by=None, told=f"{who} put back: {step.text}")
        case SeatAsked():
            return _changed_hands(table, entry, _seat(table, seat), device)


def _who(table: Table, seat: int | None) -> str:
    return "the host" if seat is None else table.names[_seat(table, seat)]


def _marked(table: Table, entry: Entry, wish: Wish, step: Step, *, undone_by: str | None, told: str) -> Table:
    """Return the table with a step's line marked as taken back or not, this told, and what asks for just this dropped."""
    lines = tuple(
        replace(line, undone_by=undone_by) if line.step and line.number == step.number else line for line in table.lines
    )
    proposals = tuple(proposal for proposal in table.proposals if proposal.wish != wish)
    return _told(replace(table, lines=lines, proposals=proposals), entry, told, secret=step.move.secret, seat=step.seat)


def _changed_hands(table: Table, entry: Entry, seat: int, device: str) -> Table:
    name, holder = table.names[seat], table.seats[seat]
    moved = _told(_seated(table, seat, device), entry, f"{name} goes on from another phone.")
    if holder not in (None, device, entry.device):
        moved = replace(moved, lost=(*moved.lost, Lost(seat, holder, decided=isinstance(entry.what, Decided))))
    return _nobody_left(moved, entry)


def _nobody_left(table: Table, entry: Entry) -> Table:
    """Drop what nobody is left to agree to; whoever asked can ask again."""
    for proposal in table.proposals:
        if not proposal.waiting:
            others = tuple(each for each in table.proposals if each.number != proposal.number)
            why = "No longer asked" if proposal.of_holder else "Nobody is left to agree"
            table = _told(replace(table, proposals=others), entry, f"{why}: {proposal.text}.")
    return table


def _proposed(table: Table, entry: Entry, wish: Wish) -> Table:
    for_seat = isinstance(wish, SeatAsked)
    proposal = Proposal(
        number=entry.number,
        device=entry.device,
        seat=entry.seat,
        wish=wish,
        text=wording(table, entry.seat, wish),
        waiting=_asked_about_seat(table, entry, wish) if for_seat else table.others(entry.device),
    )
    return _granted_or_kept(table, entry, proposal)


def _asked_about_seat(table: Table, entry: Entry, wish: SeatAsked) -> tuple[int, ...]:
    """Return whose Yes counts when a seat is asked for: its holder's, or that of all others together."""
    seat = _seat(table, entry.seat)
    others = table.others(entry.device, but=seat)
    if not wish.holder:  # 0.1.0: the holder only where nobody else was there to ask
        return others or (seat,)
    holder = table.seats[seat]
    return (seat, *(other for other in others if table.seats[other] != holder))


def _agreed(table: Table, entry: Entry, what: Agreed) -> Table:
    proposal = _asked(table, what.proposal)
    mine = table.seats_of(entry.device)
    waiting = () if what.decided else tuple(seat for seat in proposal.waiting if seat not in mine)
    if proposal.of_holder and (proposal.seat in mine or waiting == (proposal.seat,)):
        waiting = ()
    return _granted_or_kept(table, entry, replace(proposal, waiting=waiting))


def _granted_or_kept(table: Table, entry: Entry, proposal: Proposal) -> Table:
    """Carry a proposal out once nobody is left to agree; one that is no longer possible is dropped and told."""
    others = tuple(each for each in table.proposals if each.number != proposal.number)
    if proposal.waiting:
        return replace(table, proposals=(*others, proposal))
    table = replace(table, proposals=others)
    try:
        return _done(table, entry, proposal.wish, proposal.seat, proposal.device)
    except (Illegal, InTheWay) as fault:
        return _told(table, entry, f"{proposal.text} is no longer possible: {fault}")


def _declined(table: Table, entry: Entry, proposal: Proposal) -> Table:
    table = replace(table, proposals=tuple(each for each in table.proposals if each.number != proposal.number))
    if entry.device == proposal.device:
        return _told(table, entry, f"No longer asked: {proposal.text}.")
    if isinstance(proposal.wish, SeatAsked) and proposal.seat is not None:
        table = replace(table, refused={**table.refused, proposal.seat: Refused(proposal.device, entry.at)})
    who = table.names[entry.seat] if entry.seat is not None else "The host"
    return _told(table, entry, f"{who} declined: {proposal.text}.")


def _told(table: Table, entry: Entry, text: str, secret: bool = False, seat: int | None = None) -> Table:
    line = Sentence(entry.number, entry.seat if seat is None else seat, text, secret=secret)
    return replace(table, lines=(*table.lines, line))


def wording(table: Table, seat: int | None, wish: Wish) -> str:
    """Return what a proposal asks for, in words.

    :raises Malformed, DoesNotFollow: when there is no such thing to ask for.
    """
    match wish:
        case Played(move):
            return table.play.decode(move).label(table.state, _seat(table, seat))
        case TookBack(number):
            return f"Take back \u201c{table.known_step(number).text}\u201d"
        case PutBack(number):
            return f"Put back \u201c{table.known_undone(number)[0].text}\u201d"
        case SeatAsked():
            return f"Go on as {table.names[_seat(table, seat)]} from another phone"


def lines_for(table: Table, seats: tuple[int, ...]) -> Iterator[Sentence]:
    """Yield the log as some seats may read it, latest first: others' secret lines are not in it at all."""
    return (line for line in reversed(table.lines) if not line.secret or line.seat in seats or table.over)


def plain_move(move: Move) -> dict:
    """Return a move as plain data, ready for an entry."""
    return msgspec.to_builtins(move)
