"""A table as its log tells it: the steps in force, what was set aside, what waits for an answer. Pure; knows no storage."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.log.entries import Consent, Judged, OwnRuling, Rewrote, SeatAsked, Wish
from scoring.games import PLAYS
from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.english import ended, in_quotes, listed
from scoring.kernel.errors import Illegal
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.sheet import Sheet
from scoring.kernel.tracked_game import Play, Reminder


class DoesNotFollow(Exception):
    """An entry speaks of what is not there: a seat, a step, a question; the text says of what."""


class Step(Struct, frozen=True):
    """A move in force, between two states."""

    number: int  # of the entry that made it
    seat: int
    move: Move
    before: Any
    after: Any
    text: str
    part: int = 0  # of several moves told anew in one entry, from 1
    at: str = ""  # when it was said
    by: int | None = None  # the seat that said it; None: its own

    @property
    def id(self) -> str:
        return f"{self.number}.{self.part}" if self.part else str(self.number)


class InTheWay(Exception):
    """The story cannot be told so: a step of it would not be legal there."""

    def __init__(self, step: Step, why: str, reasons: Sequence[Reason] = ()):
        super().__init__(why)
        self.step = step
        self.reasons = reasons


def named(step: Step) -> str:
    return f"\u201c{step.text}\u201d"


class Proposal(Struct, frozen=True):
    """Something waiting for the table's consent."""

    number: int
    device: str
    seat: int | None
    wish: Wish
    text: str
    waiting: tuple[int, ...]  # seats still to agree
    at: str = ""  # when it was asked
    asked: tuple[int, ...] = ()  # all seats that were asked
    agreed: tuple[int, ...] = ()
    enough: int = 0  # so many of them are enough; 0: all

    @property
    def quoted(self) -> str:
        """Return the request as a sentence in quotation marks."""
        return in_quotes(ended(self.text))

    @property
    def of_holder(self) -> bool:
        """Return whether it asks the phone that holds a seat for it: that one's Yes is enough."""
        return isinstance(self.wish, SeatAsked) and self.wish.holder


class Agreement(Struct, frozen=True):
    """By whose consent something is in force."""

    agreed: tuple[int, ...]
    decided: bool = False  # by the host


class Repair(Struct, frozen=True):
    """The story was told otherwise from some step on."""

    number: int  # of the entry that put it in force
    at: str
    text: str
    after: str  # the id of the step before the stretch that was told otherwise; empty: it begins the story
    was: tuple[Step, ...]  # that stretch
    became: tuple[Step, ...]
    gone: tuple[Step, ...]  # set aside by this
    fresh: tuple[Step, ...]  # told anew, or put in force again
    then: Any  # the state before the repair
    now: Any  # and after it


class Verdict(Struct, frozen=True):
    """An answer that was kept with the table."""

    number: int  # of its entry
    at: str
    seat: int
    what: Judged


class Claim(Struct, frozen=True):
    """How a player thinks it really happened."""

    number: int
    seat: int
    plan: str  # a repair, packed


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
    """One line of the log as it was said, in the order of saying."""

    number: int
    seat: int | None
    text: str
    secret: bool = False
    undone_by: str | None = None  # who took it back
    step: bool = False
    at: str = ""
    repair: bool = False  # it tells of one
    news: bool = False  # what everybody should hear of, whose turn it may be: repairs, answers
    verdict: bool = False  # it tells of one
    to: int | None = None  # the seat whose request it answers ...
    to_you: str = ""  # ... and how that seat's phone reads it

    def as_read_by(self, seats: tuple[int, ...]) -> str:
        """Return the text for a phone that holds some seats."""
        return self.to_you if self.to in seats else self.text


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
    undone: dict[str, tuple[Step, str]] = {}  # id -> a step that was set aside, and who wanted it
    proposals: tuple[Proposal, ...] = ()
    lost: tuple[Lost, ...] = ()
    refused: dict[int, Refused] = {}  # seat -> the last No
    lines: tuple[Sentence, ...] = ()
    at: str = ""
    after: str = ""  # the table before this one, in a series
    wins: tuple[int, ...] = ()  # of each player, before this game
    next: str = ""  # the table after this one
    consent: Consent = "everybody"
    repairs: tuple[Repair, ...] = ()
    agreements: dict[int, Agreement] = {}  # number of an entry -> by whose consent it put something in force
    ended: bool = False  # it has been over before, whatever was changed since
    remarks: tuple[str, ...] = ()  # for the sheet: what the host decided, what was changed after the end
    shown: str = ""  # the step before which the table view shows the table; empty: it shows it as it is
    spoke: dict[str, int] = {}  # phone -> the last entry it made
    own_rulings: tuple[OwnRuling, ...] = ()  # where the book is silent
    verdicts: tuple[Verdict, ...] = ()
    claims: tuple[Claim, ...] = ()  # the latest of each seat
    elsewhere: bool = False  # all of it was said where it was played before it was brought here in a file

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

    @property
    def begins(self) -> bool:
        """Return whether the table is laid, and nothing but that has been told: a game may go on here that began without the app."""
        lays = all(kind.hands_busy for kind in self.play.asked(self.state))
        set_up = all(step.move.hands_busy or step.move.anytime for step in self.steps)
        return self.play.joins and set_up and not lays

    @cached_property
    def previews(self) -> dict[int, Any]:
        """Return what has been worked out of the proposals: what each would change of this table, by its number."""
        return {}

    @cached_property
    def hands(self) -> tuple[Reminder, ...]:
        """Return the reminders since the last move of a turn, or since the set-up began.

        What is said besides it, a card named, drops what it answers; what was set right lies as it should.
        """
        last = None
        for step in reversed(self.steps):
            if step.move.consent or not step.move.anytime:
                last = step
                if not step.move.hands_busy:
                    break
        if self.over or last is None or last.move.consent:
            return ()
        return tuple(self.play.hands(self.play.view(last.before, None), self.play.view(self.state, None), last.move))

    @cached_property
    def sheet(self) -> Sheet | None:
        """Return how the game came out, once it is over."""
        return self.play.box.score(self.play.final(self.state)) if self.over else None

    @cached_property
    def wins_now(self) -> tuple[int, ...]:
        """Return how many games of the series each player has won, this one included once it is over."""
        wins = self.wins or (0,) * len(self.names)
        if not self.sheet:
            return wins
        columns = self.sheet.columns
        return tuple(before + column.winner for before, column in zip(wins, columns, strict=True))

    def seats_of(self, device: str) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.seats) if holder == device)

    def lost_by(self, device: str) -> tuple[Lost, ...]:
        """Return the seats that were taken from a phone and that it may take back."""
        return tuple(lost for lost in self.lost if lost.device == device)

    def has_noted(self, seat: int) -> bool:
        """Return whether a seat has noted what nobody else may read."""
        return not self.over and any(step.move.secret and step.seat == seat for step in (*self.steps, *self.set_aside))

    # Steps

    @cached_property
    def places(self) -> dict[str, int]:
        """Return where each step in force stands in the story, by its id."""
        return {step.id: place for place, step in enumerate(self.steps)}

    @cached_property
    def turns(self) -> dict[str, Hashable]:
        """Return the turn of each step by its id; a step outside turns is its own turn."""
        turns: dict[str, Hashable] = {}
        begun: dict[int, int] = {}
        for place, step in enumerate(self.steps):
            if step.move.begins:
                begun[step.seat] = place
            of_turn = step.seat in begun and not step.move.anytime
            turns[step.id] = (step.seat, begun[step.seat]) if of_turn else step.id
        return turns

    @property
    def set_aside(self) -> tuple[Step, ...]:
        return tuple(step for step, _ in self.undone.values())

    def step(self, id: str | int) -> Step | None:
        """Return a step in force."""
        place = self.places.get(str(id))
        return None if place is None else self.steps[place]

    def known(self, id: str | int) -> Step:
        """Return a step, in force or set aside.

        :raises DoesNotFollow: when there has been none.
        """
        if step := self.step(id):
            return step
        if str(id) in self.undone:
            return self.undone[str(id)][0]
        raise DoesNotFollow(f"there is no step {id}")

    def before(self, place: int) -> Any:
        """Return the state before the step in a place of the story; after the last one, the state now."""
        return self.steps[place].before if place < len(self.steps) else self.state

    def standing(self, state: Any) -> "Table":
        """Return the table as it would be in some state, before anything that was said of it."""
        return replace(self, first=state, steps=(), undone={}, proposals=())

    def seen(self, state: Any, eyes: int | None) -> Any:
        """Return a state of this table that was, or would be, as a seat may see it, or everybody: no more than they may now.

        A story that is not so must reveal nothing: neither by ending the game nor by a ruling of its own.
        """
        rulings = state.rulings
        seen = self.play.view(replace(state, rulings=self.state.rulings), eyes)
        return replace(seen, rulings=rulings)

    def would_end(self, state: Any) -> bool:
        """Return whether the game would be over in a state, and what is secret now shown, though it is not."""
        return not self.over and not self.play.to_move(state)

    def replayed(self, kept: tuple[Step, ...], rest: Iterable[Step]) -> tuple[Step, ...]:
        """Return a story: steps that stand as they are, and others played again after them.

        :raises InTheWay: when one of them would not be legal.
        """
        story, state = list(kept), kept[-1].after if kept else self.first
        for step in rest:
            try:
                story.append(again(self.play, state, step))
            except Illegal:
                raise InTheWay(step, *in_the_way(self.play, state, step)) from None
            state = story[-1].after
        return tuple(story)

    def spliced(self, what: Rewrote, fresh: dict[int, Step]) -> tuple[Step, ...]:
        """Return the story with a part of it rewritten; `fresh` has the moves told anew, by their place in the tail.

        :raises InTheWay: when a step of it would not be legal.
        :raises DoesNotFollow: when it speaks of steps that are not there.
        """
        start, end = self.stretch(what)
        tail = [fresh[place] if place in fresh else self.known(str(each)) for place, each in enumerate(what.tail)]
        story = [*self.steps[:start], *tail, *self.steps[end:]]
        if len({step.id for step in story}) < len(story):
            raise DoesNotFollow("a step is told twice")
        return self.replayed(self.steps[:start], story[start:])

    def stretch(self, what: Rewrote) -> tuple[int, int]:
        """Return the places from which and up to which a rewriting replaces the story.

        :raises DoesNotFollow: when its steps are not there, or not in this order.
        """
        start = self.place_of(what.at)
        end = self.place_of(what.until) + 1 if what.until else start
        if end < start:
            raise DoesNotFollow(f"step {what.until} is told before step {what.at}")
        return start, end

    def place_of(self, id: str) -> int:
        """Return where a step in force stands in the story; without an id, where the next one will.

        :raises DoesNotFollow: when there is no such step in force.
        """
        if not id or id in self.places:
            return self.places.get(id, len(self.steps))
        raise DoesNotFollow(f"there is no step {id} in the story")

    # Who may, who is asked

    def proposal(self, number: int) -> Proposal | None:
        return next((proposal for proposal in self.proposals if proposal.number == number), None)

    def others(self, device: str, but: int | None = None) -> tuple[int, ...]:
        """Return the seats held by other phones, whose consent a proposal needs."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder not in (None, device) and seat != but)

    def is_free(self, step: Step, device: str) -> bool:
        """Return whether a phone may take a step back, or put it back, without asking.

        Its own, as long as nobody moved after it who had to wait for it: those who are to move together wait
        for none of the others. A step that needed the table's consent needs it again, and so does everything once the
        game is over. A secret is always its own player's: to ask would be to tell.
        """
        place = self.places.get(step.id)
        if place is None:
            place = next((at for at, each in enumerate(self.steps) if each.number > step.number), len(self.steps))
        return self.are_free((step,), place, device)

    def are_free(self, steps: Sequence[Step], place: int, device: str) -> bool:
        """Return whether a phone may set steps aside, or put them in force, in a place of the story without asking."""
        mine = self.seats_of(device)
        if any(step.seat not in mine or step.move.consent for step in steps):
            return False
        notes = all(step.move.secret for step in steps)
        if self.over or (self.ended and not notes):
            return self.alone(device)
        return notes or not any(self._waited(later, steps, mine) for later in self.steps[place:])

    def _waited(self, later: Step, steps: Sequence[Step], mine: tuple[int, ...]) -> bool:
        """Return whether the player of a later step had to wait for one of these."""
        if isinstance(later.move, UseBoxFacts):
            return False
        return not (later.seat in mine or later.move.secret or all(self._together(step, later) for step in steps))

    def _together(self, step: Step, later: Step) -> bool:
        """Return whether the players of two steps were to move at the same time: in the same round, if there are rounds."""
        to_move, chapter = self.play.to_move, self.play.chapter
        at_once = step.seat in to_move(later.before) or later.seat in to_move(step.before)
        return at_once and chapter(step.before) == chapter(later.before)

    def alone(self, device: str) -> bool:
        """Return whether there is no other phone at the table to ask."""
        return not self.others(device)


def make_step(play: Play, state: Any, number: int, seat: int, move: Move, *, stands: bool = False) -> Step:
    """Return the step a legal move makes; one that `stands` has been judged before and is not judged again.

    :raises Illegal: when the rules refuse it.
    """
    after = play.settle(move.apply(state, seat)) if stands else play.play(state, seat, move)
    return Step(number, seat, move, state, after, play.tell(state, after, seat, move))


def again(play: Play, state: Any, step: Step) -> Step:
    """Return a step played again from another state; where it is the one it was told in, it stands as it is.

    :raises Illegal: when the rules refuse it there.
    """
    if step.before is state or step.before == state:
        return step
    after = play.play(state, step.seat, step.move)
    return replace(step, before=state, after=after, text=play.tell(state, after, step.seat, step.move))


def in_the_way(play: Play, state: Any, step: Step) -> tuple[str, tuple[Reason, ...]]:
    """Return that a step cannot be so in another state, and why, as far as everybody may know."""
    name = state.players[step.seat].name
    if step.move.secret:
        return f"A note that only {name} can read stands in the way; {name} can take it back first.", ()
    reasons = tuple(play.objections(play.view(state, None), step.seat, step.move))
    why = why_not(play, state, step, reasons)
    cite = f" ({reasons[0].rule.cite})" if reasons and why == reasons[0].text else ""
    return f"{named(step)} stands in the way. {why}{cite}", reasons


def why_not(play: Play, state: Any, step: Step, reasons: Sequence[Reason]) -> str:
    """Return why a step cannot be so in another state, in a sentence about what would be there, not about now.

    :param reasons: what whoever reads this may know; none where only a note of its player's speaks against it.
    """
    to_move = play.to_move(state)
    if step.move.anytime or step.seat in to_move:
        return reasons[0].text if reasons else f"It does not fit what only {state.players[step.seat].name} has noted."
    if not to_move:
        return "The game would be over by then."
    names = listed([state.players[seat].name for seat in to_move])
    prompt = play.prompt(play.view(state, None))
    return f"It would still be up to {names} there: {prompt[:1].lower()}{prompt[1:]}"


def lines_for(table: Table, seats: tuple[int, ...]) -> Iterator[Sentence]:
    """Yield the log as some seats may read it, latest first: others' secret lines are not in it at all."""
    return (line for line in reversed(table.lines) if not line.secret or line.seat in seats or table.over)


def plain_move(move: Move) -> dict:
    """Return a move as plain data, ready for an entry."""
    return msgspec.to_builtins(move)
