"""The table that a log produces: active steps, removed steps and open proposals."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.log.entries import (
    ConsentPolicy,
    Entry,
    LogRewritten,
    OwnRuling,
    Proposable,
    SeatRequested,
    SetupGuideChanged,
    VerdictSaved,
)
from companion.log.steps import InvalidEntryError, Step
from companion.log.table_actions import SHARED, OpenActions, find_actions
from companion.log.turns import TurnNews, recent_turns
from scoring.games import TRACKED_GAMES
from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.english import end_sentence
from scoring.kernel.move import AdoptRuling, Move, Phase
from scoring.kernel.sheet import Sheet
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import Reminder, TableAction, TrackedGame


class Proposal(Struct, frozen=True):
    """A request that waits for the table's consent."""

    number: int
    device: str
    seat: int | None
    proposable: Proposable
    text: str
    waiting_seats: tuple[int, ...]  # seats still to agree
    created_at: str = ""  # time of the request
    asked_seats: tuple[int, ...] = ()  # all seats that were asked
    agreed_seats: tuple[int, ...] = ()
    required_agreements: int = 0  # number of agreements that are enough; 0: all
    move: Move | None = None  # the move of a `Played`

    @property
    def sentence(self) -> str:
        """Return the request as a sentence; an option of a ruling follows its question."""
        question = (
            self.move.found_ruling.question if isinstance(self.move, AdoptRuling) and self.move.found_ruling else ""
        )
        return end_sentence(f"{question} {self.text}".lstrip())

    @property
    def asks_holder(self) -> bool:
        """Return whether it asks the seat's current phone, whose agreement alone is enough."""
        return isinstance(self.proposable, SeatRequested) and self.proposable.asks_holder


class Agreement(Struct, frozen=True):
    """Who consented to a change."""

    agreed_seats: tuple[int, ...]
    is_host_decision: bool = False  # whether the host decided it


class Repair(Struct, frozen=True):
    """A change of the log from some step on."""

    number: int  # number of the entry that applied it
    created_at: str
    text: str
    previous_step: str  # ID of the step before the changed part; empty: the changed part starts the log
    old_steps: tuple[Step, ...]  # the changed part before the repair
    new_steps: tuple[Step, ...]
    removed: tuple[Step, ...]  # steps that the repair removed
    added: tuple[Step, ...]  # steps that the repair inserted or restored
    state_before: GameState
    state_after: GameState


class Verdict(Struct, frozen=True):
    """A rules answer that was saved with the table."""

    number: int  # number of its entry
    created_at: str
    seat: int
    payload: VerdictSaved


class Claim(Struct, frozen=True):
    """A player's own account of the game."""

    number: int
    seat: int
    plan: str  # an encoded repair plan


class ReassignedSeat(Struct, frozen=True):
    """A seat that moved to another phone without the agreement of its holder."""

    seat: int
    device: str  # the previous holder, which may reclaim the seat
    is_host_decision: bool  # whether the host decided it, rather than all other players


class SeatRefusal(Struct, frozen=True):
    """The latest refusal to a phone that asked for a seat."""

    device: str
    created_at: str


class LogMessage(Struct, frozen=True):
    """One line of the log, in the order of entry."""

    number: int
    seat: int | None
    text: str
    is_secret: bool = False
    removed_by: str | None = None  # who removed the step
    is_step: bool = False
    created_at: str = ""
    is_repair: bool = False  # whether it reports a repair
    is_undo: bool = False  # whether this repair only removed moves
    is_news: bool = False  # whether all phones show it as news, such as a repair or an answer
    is_verdict: bool = False  # whether it reports a saved verdict
    recipient_seat: int | None = None  # the seat whose request it answers
    recipient_text: str = ""  # the text that this seat reads instead

    def text_for(self, viewer_seats: tuple[int, ...]) -> str:
        """Return the text for a phone that holds the given seats."""
        return self.recipient_text if self.recipient_seat in viewer_seats else self.text


class Table(Struct, frozen=True, dict=True):
    """The complete state of a table, as derived from its log."""

    code: str
    version: int  # number of the last entry; phones compare it to detect changes
    game_key: str
    rules_version: str
    host: str
    opened_at: str
    setup: GameSetup
    initial_state: GameState  # state before the first step
    seats: tuple[str | None, ...]
    piece_colors: tuple[str, ...] = ()  # the color of each player's piece; empty if the players have no pieces
    steps: tuple[Step, ...] = ()
    removed: dict[str, tuple[Step, str]] = {}  # step ID -> removed step and the name of the player who removed it
    proposals: tuple[Proposal, ...] = ()
    reassigned_seats: tuple[ReassignedSeat, ...] = ()
    seat_refusals: dict[int, SeatRefusal] = {}  # seat -> latest refusal
    messages: tuple[LogMessage, ...] = ()
    updated_at: str = ""
    previous_code: str = ""  # previous table of the series
    earlier_wins: tuple[int, ...] = ()  # games each player won in the series before this one
    next_code: str = ""  # next table of the series
    consent: ConsentPolicy = "everybody"
    repairs: tuple[Repair, ...] = ()
    open_actions: OpenActions | None = None  # after the latest repair; None: the table is in line with it
    agreements: dict[int, Agreement] = {}  # entry number -> who consented to its change
    was_over: bool = False  # whether the game has been over at some point, even if a repair reopened it
    remarks: tuple[str, ...] = ()  # shown on the score sheet: host decisions and changes after the end
    setup_guide: SetupGuideChanged | None = None  # None: no one has opened it
    pinned_step: str = ""  # the table view shows the state before this step; empty: the current state
    last_entry_by: dict[str, int] = {}  # device -> number of its last entry
    own_rulings: tuple[OwnRuling, ...] = ()  # house rules on questions that the rulebook does not answer, and variants
    own_ruling_seats: dict[str, int | None] = {}  # question of a house rule -> the seat that proposed it
    verdicts: tuple[Verdict, ...] = ()
    claims: tuple[Claim, ...] = ()  # latest claim of each seat
    imported: bool = False  # whether the whole log so far was imported from a file

    @cached_property
    def tracked(self) -> TrackedGame[GameSetup, GameState]:
        return TRACKED_GAMES[self.game_key]

    @cached_property
    def state(self) -> GameState:
        return self.steps[-1].after if self.steps else self.initial_state

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.initial_state.players)

    def piece_color(self, player: int) -> str:
        """Return the color of a player's piece; empty if the players have no pieces."""
        return self.piece_colors[player] if self.piece_colors else ""

    @property
    def is_over(self) -> bool:
        return not self.tracked.flow.to_move(self.state)

    @property
    def can_join_midgame(self) -> bool:
        """Return whether a game that began without the app can be entered at this point.

        This requires a complete setup and no moves apart from setup and moves out of turn.
        """
        lays = all(kind.phase is Phase.SETUP for kind in self.tracked.available_moves(self.state))
        return self.tracked.can_join_midgame and self.is_in_setup and not lays

    @property
    def is_in_setup(self) -> bool:
        """Return whether no moves were made apart from setup and moves out of turn."""
        return all(step.move.phase is Phase.SETUP or step.move.out_of_turn for step in self.steps)

    @cached_property
    def simulations(self) -> dict[int, Any]:
        """Return the cache of simulations, by the number of the proposal."""
        return {}

    @cached_property
    def public_view(self) -> GameState:
        """Return the state as everyone may see it."""
        return self.tracked.view(self.state, None)

    @cached_property
    def public_sheet(self) -> Sheet:
        """Return the score so far, as everyone may know it."""
        return self.tracked.box.score(self.tracked.final_position(self.public_view))

    @cached_property
    def reminders(self) -> tuple[Reminder, ...]:
        """Return the reminders since the last move of a turn, or since the setup began.

        A later move out of turn drops the reminders that it answers. After a correction there are no
        reminders, because the app then matches the table, and after a repair `repair_actions` has them. The guided
        setup tells everything itself.
        """
        if self.setup_guide and self.setup_guide.is_open and self.is_in_setup:
            return ()
        latest = None
        for step in reversed(self.steps):
            if step.move.needs_consent or not step.move.out_of_turn:
                latest = step
                if step.move.phase is not Phase.SETUP:
                    break
        if self.is_over or latest is None or latest.move.needs_consent:
            return ()
        if self.open_actions and latest.number <= self.open_actions.repair:
            return ()
        reminders = self.tracked.text.reminders(self.tracked.view(latest.before, None), self.public_view, latest.move)
        return (*self._reminders_of_other_seats(latest), *reminders)

    def _reminders_of_other_seats(self, latest: Step) -> Iterator[Reminder]:
        """Yield the reminders of the other seats' last moves, if everyone plays simultaneously."""
        seats_seen, tracked = {latest.seat}, self.tracked
        for step in reversed(self.steps if tracked.flow.is_simultaneous else ()):
            if step.move.needs_consent or step.move.phase is Phase.SETUP:
                return
            if step.seat not in seats_seen and not step.move.out_of_turn:
                seats_seen.add(step.seat)
                before, after = tracked.view(step.before, None), tracked.view(step.after, None)
                reminders = tracked.text.reminders(before, after, step.move)
                yield from (reminder for reminder in reminders if reminder.seat == step.seat)

    def action_owners(self, device: str) -> tuple[int, ...]:
        """Return whose actions after a repair a phone can report as done.

        They are its own seats, those without a phone, and the shared part of the table.
        """
        without_phone = [
            player for player in range(len(self.names)) if player >= len(self.seats) or self.seats[player] is None
        ]
        return (SHARED, *self.seats_of(device), *without_phone)

    def repair_actions(self, own_seats: tuple[int, ...]) -> tuple[TableAction, ...]:
        """Return the actions still to be done after the latest repair, as some seats may read them."""
        if self.open_actions is None or self.is_over:
            return ()
        if own_seats not in self._repair_actions:
            found = find_actions(self.tracked, self.open_actions, self.visible_state, self.state, own_seats)
            self._repair_actions[own_seats] = tuple(found)
        return self._repair_actions[own_seats]

    @cached_property
    def _repair_actions(self) -> dict[tuple[int, ...], tuple[TableAction, ...]]:
        """Return the cache of `repair_actions`."""
        return {}

    @cached_property
    def sheet(self) -> Sheet | None:
        """Return the score sheet once the game is over, else None."""
        return self.tracked.box.score(self.tracked.final_position(self.state)) if self.is_over else None

    @cached_property
    def total_wins(self) -> tuple[int, ...]:
        """Return each player's wins in the series, including this game once it is over."""
        wins = self.earlier_wins or (0,) * len(self.names)
        if not self.sheet:
            return wins
        columns = self.sheet.columns
        return tuple(earlier + column.winner for earlier, column in zip(wins, columns, strict=True))

    def seats_of(self, device: str) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.seats) if holder == device)

    def reclaimable_seats(self, device: str) -> tuple[ReassignedSeat, ...]:
        """Return the seats that were taken from a phone and that it may reclaim."""
        return tuple(lost for lost in self.reassigned_seats if lost.device == device)

    def has_secret_notes(self, seat: int) -> bool:
        """Return whether a seat has secret notes that other players may not read yet."""
        return not self.is_over and any(
            step.move.is_secret and step.seat == seat for step in (*self.steps, *self.removed_steps)
        )

    # Steps

    @cached_property
    def index_by_step(self) -> dict[str, int]:
        """Return the position in the log of each active step, by step ID."""
        return {step.id: index for index, step in enumerate(self.steps)}

    @cached_property
    def turn_by_step(self) -> dict[str, Hashable]:
        """Return the turn of each active step by its ID; a step outside a turn forms its own turn."""
        turns: dict[str, Hashable] = {}
        turn_starts: dict[int, int] = {}
        for index, step in enumerate(self.steps):
            if step.move.phase is Phase.TURN_START:
                turn_starts[step.seat] = index
            is_in_turn = step.seat in turn_starts and not step.move.out_of_turn
            turns[step.id] = (step.seat, turn_starts[step.seat]) if is_in_turn else step.id
        return turns

    @cached_property
    def turn_starts(self) -> dict[str, str]:
        """Return the name of the player whose turn each step begins, by step ID.

        A turn begins with a move whose phase is `Phase.TURN_START`. Such a move continues the player's latest turn
        instead where the game's `TurnFlow.is_same_turn` says so.
        """
        owners: dict[str, str] = {}
        latest: dict[str, GameState] = {}  # the state before each player's latest turn
        is_same_turn = self.tracked.flow.is_same_turn
        for step in self.steps:
            if step.move.phase is not Phase.TURN_START:
                continue
            name = self.tracked.text.turn_owner_name(step.before) or self.names[step.seat]
            if not (is_same_turn and name in latest and is_same_turn(latest[name], step.before, step.seat)):
                latest[name], owners[step.id] = step.before, name
        return owners

    @cached_property
    def recent_turns(self) -> tuple[TurnNews, ...]:
        """Return the latest turns in a few words each, in the order in which they began."""
        return recent_turns(self.tracked, self.steps, self.turn_starts)

    @property
    def removed_steps(self) -> tuple[Step, ...]:
        return tuple(step for step, _ in self.removed.values())

    def active_step(self, id: str | int) -> Step | None:
        """Return an active step, or None."""
        index = self.index_by_step.get(str(id))
        return None if index is None else self.steps[index]

    def find_step(self, id: str | int) -> Step:
        """Return a step, whether active or removed.

        :raises InvalidEntryError: if there is no such step.
        """
        if step := self.active_step(id):
            return step
        if str(id) in self.removed:
            return self.removed[str(id)][0]
        raise InvalidEntryError(f"there is no step {id}")

    def state_before(self, index: int) -> GameState:
        """Return the state before the step at an index; after the last step, the current state."""
        return self.steps[index].before if index < len(self.steps) else self.state

    def at_state(self, state: GameState) -> "Table":
        """Return the table in another state, without steps and proposals."""
        return replace(self, initial_state=state, steps=(), removed={}, proposals=(), open_actions=None)

    def visible_state(self, state: GameState, viewer_seat: int | None) -> GameState:
        """Return a past or hypothetical state of this table as a seat, or everyone, may see it.

        It reveals no more than the current state does: neither by ending the game nor by other rulings.
        """
        rulings = state.rulings
        view = self.tracked.view(replace(state, rulings=self.state.rulings), viewer_seat)
        return replace(view, rulings=rulings)

    def would_end(self, state: GameState) -> bool:
        """Return whether a state would end the game, and so reveal secrets, although it is not over."""
        return not self.is_over and not self.tracked.flow.to_move(state)

    def replaced_range(self, rewrite: LogRewritten) -> tuple[int, int]:
        """Return the start and end index of the steps that a rewrite replaces; the end is exclusive.

        :raises InvalidEntryError: if its steps are not active, or not in this order.
        """
        start = self.index_of(rewrite.start_step)
        end = self.index_of(rewrite.last_step) + 1 if rewrite.last_step else start
        if end < start:
            raise InvalidEntryError(f"step {rewrite.last_step} comes before step {rewrite.start_step}")
        return start, end

    def index_of(self, id: str) -> int:
        """Return the index of an active step; for an empty ID, the index of the next step.

        :raises InvalidEntryError: if there is no such active step.
        """
        if not id or id in self.index_by_step:
            return self.index_by_step.get(id, len(self.steps))
        raise InvalidEntryError(f"there is no step {id} in the log")

    # Permissions and approvals

    def find_proposal(self, number: int) -> Proposal | None:
        return next((proposal for proposal in self.proposals if proposal.number == number), None)

    def other_seats(self, device: str, except_seat: int | None = None) -> tuple[int, ...]:
        """Return the seats held by other phones, whose consent a proposal needs."""
        return tuple(
            seat for seat, holder in enumerate(self.seats) if holder not in (None, device) and seat != except_seat
        )

    def can_change_step_alone(self, step: Step, device: str) -> bool:
        """Return whether a phone may undo or redo a step without asking the table.

        This is allowed for its own steps, unless another player moved later and had to wait for the step;
        players who move simultaneously do not wait for each other. Steps that needed consent need it
        again, and so does every change after the end of the game. Secret notes never need consent, because
        asking would reveal them.
        """
        index = self.index_by_step.get(step.id)
        if index is None:
            index = next(
                (position for position, later_step in enumerate(self.steps) if later_step.number > step.number),
                len(self.steps),
            )
        return self.can_change_steps_alone((step,), index, device)

    def can_change_steps_alone(self, steps: Sequence[Step], index: int, device: str) -> bool:
        """Return whether a phone may remove, insert or restore steps at an index without asking."""
        own_seats = self.seats_of(device)
        if any(step.seat not in own_seats or step.move.needs_consent for step in steps):
            return False
        are_notes = all(step.move.is_secret for step in steps)
        if self.is_over or (self.was_over and not are_notes):
            return self.is_only_device(device)
        return are_notes or not any(self._had_to_wait(later, steps, own_seats) for later in self.steps[index:])

    def _had_to_wait(self, later: Step, steps: Sequence[Step], own_seats: tuple[int, ...]) -> bool:
        """Return whether the player of a later step had to wait for one of these steps."""
        if isinstance(later.move, UseBoxFacts):
            return False
        return not (
            later.seat in own_seats or later.move.is_secret or all(self._is_simultaneous(step, later) for step in steps)
        )

    def _is_simultaneous(self, step: Step, later: Step) -> bool:
        """Return whether the players of two steps were to move simultaneously, in the same chapter."""
        to_move, chapter = self.tracked.flow.to_move, self.tracked.text.chapter
        at_once = step.seat in to_move(later.before) or later.seat in to_move(step.before)
        return at_once and chapter(step.before) == chapter(later.before)

    def is_only_device(self, device: str) -> bool:
        """Return whether no other phone holds a seat."""
        return not self.other_seats(device)


def visible_messages(table: Table, viewer_seats: tuple[int, ...]) -> Iterator[LogMessage]:
    """Yield the log that some seats may read, latest first, without the secret lines of others."""
    return (
        line for line in reversed(table.messages) if not line.is_secret or line.seat in viewer_seats or table.is_over
    )


def to_data(value: Struct) -> dict:
    """Return a move, a setup or facts as plain data for an entry."""
    return msgspec.to_builtins(value)


def add_message(table: Table, entry: Entry, text: str, is_news: bool = False) -> Table:
    """Return the table with a line added to its log."""
    line = LogMessage(entry.number, entry.seat, text, created_at=entry.created_at, is_news=is_news)
    return replace(table, messages=(*table.messages, line))
