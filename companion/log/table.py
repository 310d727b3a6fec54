"""A table as its log tells it: the steps in force, what was set aside, what waits for an answer. Pure; knows no storage."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.log.entries import ConsentPolicy, LogRewritten, OwnRuling, Proposable, SeatRequested, VerdictSaved
from scoring.games import TRACKED_GAMES
from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.english import end_sentence, join_words, quote
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.sheet import Sheet
from scoring.kernel.tracked_game import Reminder, TrackedGame


class InvalidEntryError(Exception):
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
    created_at: str = ""  # when it was said
    entered_by: int | None = None  # the seat that said it; None: its own

    @property
    def id(self) -> str:
        return f"{self.number}.{self.part}" if self.part else str(self.number)


class ConflictingStepError(Exception):
    """The story cannot be told so: a step of it would not be legal there."""

    def __init__(self, step: Step, text: str, reasons: Sequence[Reason] = ()):
        super().__init__(text)
        self.step = step
        self.reasons = reasons


def quote_step(step: Step) -> str:
    return f"\u201c{step.text}\u201d"


class Proposal(Struct, frozen=True):
    """Something waiting for the table's consent."""

    number: int
    device: str
    seat: int | None
    proposable: Proposable
    text: str
    waiting_seats: tuple[int, ...]  # seats still to agree
    created_at: str = ""  # when it was asked
    asked_seats: tuple[int, ...] = ()  # all seats that were asked
    agreed_seats: tuple[int, ...] = ()
    required_agreements: int = 0  # so many of them are enough; 0: all

    @property
    def quoted_text(self) -> str:
        """Return the request as a sentence in quotation marks."""
        return quote(end_sentence(self.text))

    @property
    def asks_holder(self) -> bool:
        """Return whether it asks the phone that holds a seat for it: that one's Yes is enough."""
        return isinstance(self.proposable, SeatRequested) and self.proposable.asks_holder


class Agreement(Struct, frozen=True):
    """By whose consent something is in force."""

    agreed_seats: tuple[int, ...]
    is_host_decision: bool = False  # by the host


class Repair(Struct, frozen=True):
    """The story was told otherwise from some step on."""

    number: int  # of the entry that put it in force
    created_at: str
    text: str
    previous_step: str  # the id of the step before the stretch that was told otherwise; empty: it begins the story
    old_steps: tuple[Step, ...]  # that stretch
    new_steps: tuple[Step, ...]
    removed: tuple[Step, ...]  # set aside by this
    added: tuple[Step, ...]  # told anew, or put in force again
    state_before: Any  # the state before the repair
    state_after: Any  # and after it


class Verdict(Struct, frozen=True):
    """An answer that was kept with the table."""

    number: int  # of its entry
    created_at: str
    seat: int
    payload: VerdictSaved


class Claim(Struct, frozen=True):
    """How a player thinks it really happened."""

    number: int
    seat: int
    plan: str  # a repair, packed


class ReassignedSeat(Struct, frozen=True):
    """A seat that was given to another phone without the Yes of the one that held it."""

    seat: int
    device: str  # the one that held it, and may take it back
    is_host_decision: bool  # by the host, not by all others


class SeatRefusal(Struct, frozen=True):
    """The last No to somebody who asked for a seat."""

    device: str
    created_at: str


class LogMessage(Struct, frozen=True):
    """One line of the log as it was said, in the order of saying."""

    number: int
    seat: int | None
    text: str
    is_secret: bool = False
    removed_by: str | None = None  # who took it back
    is_step: bool = False
    created_at: str = ""
    is_repair: bool = False  # it tells of one
    is_news: bool = False  # what everybody should hear of, whose turn it may be: repairs, answers
    is_verdict: bool = False  # it tells of one
    recipient_seat: int | None = None  # the seat whose request it answers ...
    recipient_text: str = ""  # ... and how that seat's phone reads it

    def text_for(self, viewer_seats: tuple[int, ...]) -> str:
        """Return the text for a phone that holds some seats."""
        return self.recipient_text if self.recipient_seat in viewer_seats else self.text


class Table(Struct, frozen=True, dict=True):
    """Everything a log folds to."""

    code: str
    version: int  # of the last entry: the version phones compare
    game_key: str
    rules_version: str
    host: str
    opened_at: str
    setup: Any
    initial_state: Any  # the state before the first step
    seats: tuple[str | None, ...]
    steps: tuple[Step, ...] = ()
    removed: dict[str, tuple[Step, str]] = {}  # id -> a step that was set aside, and who wanted it
    proposals: tuple[Proposal, ...] = ()
    reassigned_seats: tuple[ReassignedSeat, ...] = ()
    seat_refusals: dict[int, SeatRefusal] = {}  # seat -> the last No
    messages: tuple[LogMessage, ...] = ()
    updated_at: str = ""
    previous_code: str = ""  # the table before this one, in a series
    earlier_wins: tuple[int, ...] = ()  # of each player, before this game
    next_code: str = ""  # the table after this one
    consent: ConsentPolicy = "everybody"
    repairs: tuple[Repair, ...] = ()
    agreements: dict[int, Agreement] = {}  # number of an entry -> by whose consent it put something in force
    was_over: bool = False  # it has been over before, whatever was changed since
    remarks: tuple[str, ...] = ()  # for the sheet: what the host decided, what was changed after the end
    pinned_step: str = ""  # the step before which the table view shows the table; empty: it shows it as it is
    last_entry_by: dict[str, int] = {}  # phone -> the last entry it made
    own_rulings: tuple[OwnRuling, ...] = ()  # where the book is silent
    verdicts: tuple[Verdict, ...] = ()
    claims: tuple[Claim, ...] = ()  # the latest of each seat
    imported: bool = False  # all of it was said where it was played before it was brought here in a file

    @cached_property
    def tracked(self) -> TrackedGame:
        return TRACKED_GAMES[self.game_key]

    @cached_property
    def state(self) -> Any:
        return self.steps[-1].after if self.steps else self.initial_state

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.initial_state.players)

    @property
    def is_over(self) -> bool:
        return not self.tracked.to_move(self.state)

    @property
    def can_join_midgame(self) -> bool:
        """Return whether the table is laid, and nothing but that has been told: a game may go on here that began without the app."""
        lays = all(kind.is_setup for kind in self.tracked.available_moves(self.state))
        set_up = all(step.move.is_setup or step.move.out_of_turn for step in self.steps)
        return self.tracked.can_join_midgame and set_up and not lays

    @cached_property
    def preview_cache(self) -> dict[int, Any]:
        """Return what has been worked out of the proposals: what each would change of this table, by its number."""
        return {}

    @cached_property
    def reminders(self) -> tuple[Reminder, ...]:
        """Return the reminders since the last move of a turn, or since the set-up began.

        What is said besides it, a card named, drops what it answers; what was set right lies as it should.
        """
        last = None
        for step in reversed(self.steps):
            if step.move.needs_consent or not step.move.out_of_turn:
                last = step
                if not step.move.is_setup:
                    break
        if self.is_over or last is None or last.move.needs_consent:
            return ()
        return tuple(
            self.tracked.reminders(self.tracked.view(last.before, None), self.tracked.view(self.state, None), last.move)
        )

    @cached_property
    def sheet(self) -> Sheet | None:
        """Return how the game came out, once it is over."""
        return self.tracked.box.score(self.tracked.final_position(self.state)) if self.is_over else None

    @cached_property
    def total_wins(self) -> tuple[int, ...]:
        """Return how many games of the series each player has won, this one included once it is over."""
        wins = self.earlier_wins or (0,) * len(self.names)
        if not self.sheet:
            return wins
        columns = self.sheet.columns
        return tuple(before + column.winner for before, column in zip(wins, columns, strict=True))

    def seats_of(self, device: str) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.seats) if holder == device)

    def reclaimable_seats(self, device: str) -> tuple[ReassignedSeat, ...]:
        """Return the seats that were taken from a phone and that it may take back."""
        return tuple(lost for lost in self.reassigned_seats if lost.device == device)

    def has_secret_notes(self, seat: int) -> bool:
        """Return whether a seat has noted what nobody else may read."""
        return not self.is_over and any(
            step.move.is_secret and step.seat == seat for step in (*self.steps, *self.removed_steps)
        )

    # Steps

    @cached_property
    def index_by_step(self) -> dict[str, int]:
        """Return where each step in force stands in the story, by its id."""
        return {step.id: place for place, step in enumerate(self.steps)}

    @cached_property
    def turn_by_step(self) -> dict[str, Hashable]:
        """Return the turn of each step by its id; a step outside turns is its own turn."""
        turns: dict[str, Hashable] = {}
        begun: dict[int, int] = {}
        for place, step in enumerate(self.steps):
            if step.move.is_turn_start:
                begun[step.seat] = place
            of_turn = step.seat in begun and not step.move.out_of_turn
            turns[step.id] = (step.seat, begun[step.seat]) if of_turn else step.id
        return turns

    @property
    def removed_steps(self) -> tuple[Step, ...]:
        return tuple(step for step, _ in self.removed.values())

    def active_step(self, id: str | int) -> Step | None:
        """Return a step in force."""
        place = self.index_by_step.get(str(id))
        return None if place is None else self.steps[place]

    def find_step(self, id: str | int) -> Step:
        """Return a step, in force or set aside.

        :raises DoesNotFollow: when there has been none.
        """
        if step := self.active_step(id):
            return step
        if str(id) in self.removed:
            return self.removed[str(id)][0]
        raise InvalidEntryError(f"there is no step {id}")

    def state_before(self, index: int) -> Any:
        """Return the state before the step in a place of the story; after the last one, the state now."""
        return self.steps[index].before if index < len(self.steps) else self.state

    def at_state(self, state: Any) -> "Table":
        """Return the table as it would be in some state, before anything that was said of it."""
        return replace(self, initial_state=state, steps=(), removed={}, proposals=())

    def visible_state(self, state: Any, viewer_seat: int | None) -> Any:
        """Return a state of this table that was, or would be, as a seat may see it, or everybody: no more than they may now.

        A story that is not so must reveal nothing: neither by ending the game nor by a ruling of its own.
        """
        rulings = state.rulings
        seen = self.tracked.view(replace(state, rulings=self.state.rulings), viewer_seat)
        return replace(seen, rulings=rulings)

    def would_end(self, state: Any) -> bool:
        """Return whether the game would be over in a state, and what is secret now shown, though it is not."""
        return not self.is_over and not self.tracked.to_move(state)

    def replay_steps(self, unchanged: tuple[Step, ...], rest: Iterable[Step]) -> tuple[Step, ...]:
        """Return a story: steps that stand as they are, and others played again after them.

        :raises InTheWay: when one of them would not be legal.
        """
        story, state = list(unchanged), unchanged[-1].after if unchanged else self.initial_state
        for step in rest:
            try:
                story.append(replay_step(self.tracked, state, step))
            except IllegalMoveError:
                raise ConflictingStepError(step, *describe_conflict(self.tracked, state, step)) from None
            state = story[-1].after
        return tuple(story)

    def rewritten(self, rewrite: LogRewritten, new_steps: dict[int, Step]) -> tuple[Step, ...]:
        """Return the story with a part of it rewritten; `fresh` has the moves told anew, by their place in the tail.

        :raises InTheWay: when a step of it would not be legal.
        :raises DoesNotFollow: when it speaks of steps that are not there.
        """
        start, end = self.replaced_range(rewrite)
        tail = [
            new_steps[place] if place in new_steps else self.find_step(str(each))
            for place, each in enumerate(rewrite.replacement)
        ]
        story = [*self.steps[:start], *tail, *self.steps[end:]]
        if len({step.id for step in story}) < len(story):
            raise InvalidEntryError("a step is told twice")
        return self.replay_steps(self.steps[:start], story[start:])

    def replaced_range(self, rewrite: LogRewritten) -> tuple[int, int]:
        """Return the places from which and up to which a rewriting replaces the story.

        :raises DoesNotFollow: when its steps are not there, or not in this order.
        """
        start = self.index_of(rewrite.start_step)
        end = self.index_of(rewrite.last_step) + 1 if rewrite.last_step else start
        if end < start:
            raise InvalidEntryError(f"step {rewrite.last_step} is told before step {rewrite.start_step}")
        return start, end

    def index_of(self, id: str) -> int:
        """Return where a step in force stands in the story; without an id, where the next one will.

        :raises DoesNotFollow: when there is no such step in force.
        """
        if not id or id in self.index_by_step:
            return self.index_by_step.get(id, len(self.steps))
        raise InvalidEntryError(f"there is no step {id} in the story")

    # Who may, who is asked

    def find_proposal(self, number: int) -> Proposal | None:
        return next((proposal for proposal in self.proposals if proposal.number == number), None)

    def other_seats(self, device: str, except_seat: int | None = None) -> tuple[int, ...]:
        """Return the seats held by other phones, whose consent a proposal needs."""
        return tuple(
            seat for seat, holder in enumerate(self.seats) if holder not in (None, device) and seat != except_seat
        )

    def can_change_step_alone(self, step: Step, device: str) -> bool:
        """Return whether a phone may take a step back, or put it back, without asking.

        Its own, as long as nobody moved after it who had to wait for it: those who are to move together wait
        for none of the others. A step that needed the table's consent needs it again, and so does everything once the
        game is over. A secret is always its own player's: to ask would be to tell.
        """
        place = self.index_by_step.get(step.id)
        if place is None:
            place = next((at for at, each in enumerate(self.steps) if each.number > step.number), len(self.steps))
        return self.can_change_steps_alone((step,), place, device)

    def can_change_steps_alone(self, steps: Sequence[Step], index: int, device: str) -> bool:
        """Return whether a phone may set steps aside, or put them in force, in a place of the story without asking."""
        mine = self.seats_of(device)
        if any(step.seat not in mine or step.move.needs_consent for step in steps):
            return False
        notes = all(step.move.is_secret for step in steps)
        if self.is_over or (self.was_over and not notes):
            return self.is_only_device(device)
        return notes or not any(self._had_to_wait(later, steps, mine) for later in self.steps[index:])

    def _had_to_wait(self, later: Step, steps: Sequence[Step], own_seats: tuple[int, ...]) -> bool:
        """Return whether the player of a later step had to wait for one of these."""
        if isinstance(later.move, UseBoxFacts):
            return False
        return not (
            later.seat in own_seats or later.move.is_secret or all(self._is_simultaneous(step, later) for step in steps)
        )

    def _is_simultaneous(self, step: Step, later: Step) -> bool:
        """Return whether the players of two steps were to move at the same time: in the same round, if there are rounds."""
        to_move, chapter = self.tracked.to_move, self.tracked.chapter
        at_once = step.seat in to_move(later.before) or later.seat in to_move(step.before)
        return at_once and chapter(step.before) == chapter(later.before)

    def is_only_device(self, device: str) -> bool:
        """Return whether there is no other phone at the table to ask."""
        return not self.other_seats(device)


def make_step(
    tracked: TrackedGame, state: Any, number: int, seat: int, move: Move, *, is_checked: bool = False
) -> Step:
    """Return the step a legal move makes; one that `stands` has been judged before and is not judged again.

    :raises Illegal: when the rules refuse it.
    """
    after = tracked.resolve_forced_steps(move.apply(state, seat)) if is_checked else tracked.play(state, seat, move)
    return Step(number, seat, move, state, after, tracked.log_sentence(state, after, seat, move))


def replay_step(tracked: TrackedGame, state: Any, step: Step) -> Step:
    """Return a step played again from another state; where it is the one it was told in, it stands as it is.

    :raises Illegal: when the rules refuse it there.
    """
    if step.before is state or step.before == state:
        return step
    after = tracked.play(state, step.seat, step.move)
    return replace(step, before=state, after=after, text=tracked.log_sentence(state, after, step.seat, step.move))


def describe_conflict(tracked: TrackedGame, state: Any, step: Step) -> tuple[str, tuple[Reason, ...]]:
    """Return that a step cannot be so in another state, and why, as far as everybody may know."""
    name = state.players[step.seat].name
    if step.move.is_secret:
        return f"A note that only {name} can read stands in the way; {name} can take it back first.", ()
    reasons = tuple(tracked.objections(tracked.view(state, None), step.seat, step.move))
    why = conflict_text(tracked, state, step, reasons)
    cite = f" ({reasons[0].rule.citation})" if reasons and why == reasons[0].text else ""
    return f"{quote_step(step)} stands in the way. {why}{cite}", reasons


def conflict_text(tracked: TrackedGame, state: Any, step: Step, reasons: Sequence[Reason]) -> str:
    """Return why a step cannot be so in another state, in a sentence about what would be there, not about now.

    :param reasons: what whoever reads this may know; none where only a note of its player's speaks against it.
    """
    to_move = tracked.to_move(state)
    if step.move.out_of_turn or step.seat in to_move:
        return reasons[0].text if reasons else f"It does not fit what only {state.players[step.seat].name} has noted."
    if not to_move:
        return "The game would be over by then."
    names = join_words([state.players[seat].name for seat in to_move])
    prompt = tracked.prompt(tracked.view(state, None))
    return f"It would still be up to {names} there: {prompt[:1].lower()}{prompt[1:]}"


def visible_messages(table: Table, viewer_seats: tuple[int, ...]) -> Iterator[LogMessage]:
    """Yield the log as some seats may read it, latest first: others' secret lines are not in it at all."""
    return (
        line for line in reversed(table.messages) if not line.is_secret or line.seat in viewer_seats or table.is_over
    )


def to_data(move: Move) -> dict:
    """Return a move as plain data, ready for an entry."""
    return msgspec.to_builtins(move)
