"""The pages of a table: the lobby, the setup, a seat, and the table view.

A page is a frozen dataclass, and a function builds it from a Table for a seat. It holds a game's view, never its state,
so that a template cannot show what the view leaves out.
"""

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from companion.log.consent import consent_in_force
from companion.log.counts import LogCounts, count_log
from companion.log.entries import ConsentPolicy, LogRewritten, SeatRequested
from companion.log.preview import Preview, preview_proposal
from companion.log.table import LogMessage, Proposal, Table
from companion.log.turns import TurnNews, latest_turns, turns_since
from companion.pages.repair_actions import RepairActions, repair_actions
from companion.pages.setup_guide import SetupCard, setup_card
from companion.pages.variants import VariantNote, table_variants, variants_of
from companion.service.referee import allowed_silence, describe_minutes, seconds_until_host_decision
from companion.storage.store import new_tap, timestamp
from scoring.kernel.box import Box
from scoring.kernel.english import end_sentence, quote
from scoring.kernel.move import AdoptRuling
from scoring.kernel.rule import Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame

REPAIR_KEY = "repair"  # the beginning of `snapshot_key` while a move of a repair is entered
MAX_NEWS_LINES = 12  # latest log lines that are searched for news


@dataclass(frozen=True)
class ProposalView:
    """A proposal waiting for consent, as one phone sees it."""

    number: int
    text: str
    proposer_name: str
    waiting_names: tuple[str, ...]  # players who have not answered
    other_waiting_names: tuple[str, ...]  # of those, the players at other phones
    is_own: bool  # this phone made the proposal
    needs_my_answer: bool
    can_decide: bool  # this phone is the host's, which decides for players who do not answer
    is_for_my_seat: bool  # it requests a seat that this phone holds
    seat_name: str = ""  # the player whose seat is requested
    has_secret_notes: bool = False  # that seat has notes that only this phone may read
    allowed_silence: str = ""  # how long the seat's phone must be silent until others may answer
    seconds_until_host_decision: int = 0  # seconds until the host may decide
    ruling: Ruling | None = None  # the ruling that is proposed
    is_repair: bool = False
    seat: int | None = None  # the seat that makes it
    consent: ConsentPolicy = "everybody"  # the setting that decides who must agree
    own_seats: tuple[int, ...] = ()  # seats that this phone holds
    # It compares the table with and without the change when a template first uses `preview`.
    find_preview: Callable[[], Preview | str | None] = field(default=lambda: None, compare=False, repr=False)

    @cached_property
    def preview(self) -> Preview | str | None:
        """Return the differences, or why the proposal is no longer possible."""
        return self.find_preview()

    @property
    def sentence(self) -> str:
        """Return the request as text; for a ruling, its question and the suggested answer."""
        text = end_sentence(self.text)
        return f"Rules question: {quote(self.ruling.question)} Suggested answer: {quote(text)}" if self.ruling else text

    @property
    def short_text(self) -> str:
        """Return the request in a few words, for one line."""
        if self.ruling:
            return f"{self.ruling.question} {end_sentence(self.text)}"
        if self.is_repair and isinstance(self.preview, Preview):
            return end_sentence(self.preview.log_diff.short_request_text(self.seat))
        return end_sentence(self.text)

    @property
    def is_possible(self) -> bool:
        """Return whether the change can still be made."""
        return not isinstance(self.preview, str)

    @property
    def can_retry(self) -> bool:
        """Return whether this phone may enter its repair again."""
        return self.is_own and self.is_repair and bool(self.own_seats) and not self.is_possible

    @property
    def affects_me(self) -> bool:
        """Return whether this phone's seats would change."""
        return isinstance(self.preview, Preview) and any(seat in self.preview.affected_seats for seat in self.own_seats)


@dataclass(frozen=True)
class Seat:
    """A seat at the table, as the lobby shows it."""

    number: int
    name: str
    is_held: bool
    is_own: bool
    color: str  # of the player's piece; empty if the players have no pieces


@dataclass(frozen=True)
class ReclaimableSeat:
    """A seat that this phone held and may reclaim."""

    number: int
    name: str
    reason: str


@dataclass(frozen=True)
class Attention:
    """What the table waits for from the players of one phone."""

    version: int  # of the table
    reasons: tuple[str, ...]  # "turn-<seat>" and "request-<number>"; empty: the table waits for nothing
    title: str  # the title of the phone's pages meanwhile; empty: their own titles


class Deferred(NamedTuple):
    """Functions for what a page of a table computes only if a template uses it."""

    public_view: Callable[[], GameState]
    public_score: Callable[[], Sheet]
    proposals: Callable[[], tuple[ProposalView, ...]]
    news: Callable[[], tuple[LogMessage, ...]]
    reminders: Callable[[], tuple[str, ...]]
    repair_actions: Callable[[], RepairActions | None]
    turns: Callable[[], tuple[TurnNews, ...]]
    log_counts: Callable[[], LogCounts]


@dataclass(frozen=True)
class TablePage:
    """The data that every page of a table needs."""

    code: str
    tracked: TrackedGame[GameSetup, GameState]
    game: Box
    version: int  # phones compare it to find out whether the page is current
    names: tuple[str, ...]
    piece_colors: tuple[str, ...]  # the color of each player's piece; empty if the players have no pieces
    view: GameState  # the game's state as the viewing seat may see it
    prompt: str
    to_move: tuple[int, ...]
    turn_owner_name: str  # whose turn it is, if they hold no seat (such as a bot); empty: those to move
    is_over: bool
    latest_text: str  # the latest public log line
    tap: str
    is_host: bool
    own_seats: tuple[int, ...]  # seats that this phone holds
    seats: tuple[Seat, ...]
    reclaimable_seats: tuple[ReclaimableSeat, ...]
    has_begun: bool
    has_only_setup: bool  # only setup moves have been entered
    series_wins: tuple[tuple[str, int], ...]  # name and games won, if this is not the first game of a series
    next_code: str  # the code of the table of the rematch
    consent: ConsentPolicy  # who must agree to a correction
    needs_consent: bool  # others must agree when this phone corrects public facts
    can_fix_own_things: bool  # but not if only its own things change; see `concerns_only_own_things`
    variants: tuple[VariantNote, ...]  # house rules in place of printed rules
    setup_card: SetupCard | None  # the step of the guided setup that all phones show
    deferred: Deferred = field(compare=False, repr=False)
    # The position shown instead of the current one, such as the id of a step or the move of a question. Each position
    # has its own key, as the parts that all phones share are cached under it.
    snapshot_key: str = ""

    @property
    def display_names(self) -> tuple[str, ...]:
        """Return the names as this phone shows them: "You" for its only seat."""
        return tuple("You" if (seat,) == self.own_seats else name for seat, name in enumerate(self.names))

    def variants_of(self, cited: Iterable[Rule | Reason | str]) -> tuple[VariantNote, ...]:
        """Return the variants that replace a rule among these, or one that these reasons cite."""
        return variants_of(self.variants, cited)

    @property
    def is_repair(self) -> bool:
        """Return whether this is the position at a step of a repair, to enter a move there."""
        return self.snapshot_key.startswith(REPAIR_KEY)

    @property
    def to_move_names(self) -> tuple[str, ...]:
        """Return the names of the players who are to move."""
        return tuple(self.names[seat] for seat in self.to_move)

    @cached_property
    def public_view(self) -> GameState:
        """Return the game's state as everyone may see it."""
        return self.deferred.public_view()

    @property
    def public_score(self) -> Sheet:
        """Return the score so far, as everyone may know it."""
        return self.deferred.public_score()

    @cached_property
    def proposals(self) -> tuple[ProposalView, ...]:
        """Return the proposals that this phone must answer, then its own, then others.

        Of each kind, the newest is first.
        """
        return self.deferred.proposals()

    @property
    def attention(self) -> Attention:
        """Return the turns and requests for which the table waits for this phone.

        A phone that holds all seats follows every turn already, so only requests count there.
        """
        is_alone, is_only_seat = len(self.own_seats) == len(self.names), len(self.own_seats) == 1
        turns = [seat for seat in self.to_move if seat in self.own_seats and not (self.is_over or is_alone)]
        requests = [each.number for each in self.proposals if each.needs_my_answer or each.is_for_my_seat]
        title = ""
        if requests:
            title = "Answer needed"
        elif turns:
            title = "Your turn" if is_only_seat else f"{self.names[turns[0]]}\u2019s turn"
        reasons = (*(f"turn-{seat}" for seat in turns), *(f"request-{number}" for number in requests))
        return Attention(self.version, reasons, f"{title} · {self.game.title}" if title else "")

    @cached_property
    def news(self) -> tuple[LogMessage, ...]:
        """Return the repairs and answers since this phone's last entry, the latest last."""
        return self.deferred.news()

    @cached_property
    def latest_turns(self) -> dict[str, TurnNews]:
        """Return the latest turn of each player or bot by name, in the order in which they began."""
        return latest_turns(self.deferred.turns())

    def last_two_turns(self, name: str) -> list[TurnNews]:
        """Return the unfinished turn of a player or bot and the last finished one, if any."""
        turns = [turn for turn in self.deferred.turns() if turn.name == name and turn.text]
        is_playing = bool(turns) and turns[-1].is_unfinished
        return turns[-1:] + turns[-2:-1] if is_playing else turns[-1:]

    def turns_of_others(self, seat: int) -> tuple[TurnNews, ...]:
        """Return the turns of the other players since a seat's last turn, the latest last."""
        if self.tracked.flow.is_simultaneous:
            return tuple(turn for turn in self.latest_turns.values() if turn.seat != seat)
        return turns_since(self.deferred.turns(), seat)

    def next_names(self, seat: int | None) -> tuple[str, ...]:
        """Return whose turns follow the current one, in order; the given seat is "you"."""
        next_seats = self.tracked.flow.next_seats(self.view)
        return tuple("you" if other == seat else self.names[other] for other in next_seats)

    def piece_color(self, seat: int) -> str:
        """Return the color of a player's piece; empty if the players have no pieces."""
        return self.piece_colors[seat] if self.piece_colors else ""

    def final_call(self, seat: int | None) -> str:
        """Return the call of the last round or season for a seat, or (None) for everyone."""
        return "" if self.is_over else self.tracked.text.final_call(self.view, seat)

    @cached_property
    def reminders(self) -> tuple[str, ...]:
        """Return the reminders for the players who read this page."""
        return self.deferred.reminders()

    @cached_property
    def repair_actions(self) -> RepairActions | None:
        """Return the actions left for the readers of this page after the latest repair, or None."""
        return self.deferred.repair_actions()

    @cached_property
    def log_counts(self) -> LogCounts:
        """Return the numbers of moves, turns and repairs so far."""
        return self.deferred.log_counts()

    @property
    def template_folder(self) -> str:
        """Return the folder of the game's own templates."""
        return f"{self.game.key}-score-entry" if self.tracked.is_score_entry else self.game.key

    @property
    def body_class(self) -> str:
        """Return the class of the whole page while it shows this table; may be empty."""
        return self.tracked.scene(self.view)


@dataclass(frozen=True)
class TableMixin:
    """A page of a table, which uses the colors of the table's game."""

    table: TablePage

    @property
    def game(self) -> Box:
        return self.table.game


def table_page(table: Table, device: str, seat: int | None = None, *, snapshot_key: str = "") -> TablePage:
    """Build the data that every page of a table needs.

    :param seat: the viewer; None shows what everyone may see.
    """
    tracked, own_seats = table.tracked, table.seats_of(device)
    view = table.public_view if seat is None else tracked.view(table.state, seat)
    return TablePage(
        code=table.code,
        tracked=tracked,
        game=tracked.box,
        version=table.version,
        names=table.names,
        piece_colors=table.piece_colors,
        view=view,
        prompt=tracked.text.prompt(view),
        to_move=tuple(tracked.flow.to_move(table.state)),
        turn_owner_name=tracked.text.turn_owner_name(view),
        is_over=table.is_over,
        latest_text=next(line for line in reversed(table.messages) if not line.is_secret).text_for(own_seats),
        tap=new_tap(),
        is_host=device == table.host,
        own_seats=own_seats,
        seats=tuple(
            Seat(
                number,
                table.names[number],
                holder is not None,
                number in own_seats,
                table.piece_color(number),
            )
            for number, holder in enumerate(table.seats)
        ),
        reclaimable_seats=tuple(
            ReclaimableSeat(
                lost.seat,
                table.names[lost.seat],
                "The host decided this." if lost.is_host_decision else "The others agreed to this.",
            )
            for lost in table.reclaimable_seats(device)
        ),
        has_begun=bool(table.steps),
        has_only_setup=table.can_join_midgame,
        series_wins=tuple(zip(table.names, table.total_wins, strict=True)) if table.previous_code else (),
        next_code=table.next_code,
        consent=table.consent,
        needs_consent=not table.is_only_device(device) and (table.consent != "trust" or table.was_over),
        can_fix_own_things=table.consent == "concerned" and not table.was_over,
        variants=table_variants(table),
        setup_card=setup_card(table),
        deferred=Deferred(
            public_view=lambda: table.public_view,
            public_score=lambda: table.public_sheet,
            proposals=lambda: tuple(_proposals(table, device, own_seats)),
            news=lambda: tuple(_news(table, device)),
            reminders=lambda: tuple(_reminders(table, own_seats if seat is not None else None)),
            repair_actions=lambda: repair_actions(table, device, is_for_all=seat is None),
            turns=lambda: table.recent_turns,
            log_counts=lambda: count_log(table),
        ),
        snapshot_key=snapshot_key,
    )


def _reminders(table: Table, seats: tuple[int, ...] | None) -> Iterator[str]:
    """Yield the reminders for a phone's seats, or for all players where `seats` is None.

    A reminder has a name unless the phone has one seat. If that player is not to move, the first says "You".
    """
    to_move = table.tracked.flow.to_move(table.state)
    is_addressed = False
    for reminder in table.reminders:
        if seats == (reminder.seat,) and reminder.seat not in to_move and not is_addressed:
            is_addressed = True
            yield reminder.addressed_to("You")
        elif reminder.seat is None or seats == (reminder.seat,):
            yield reminder.text
        elif seats is None or reminder.seat in seats:
            yield reminder.addressed_to(table.state.players[reminder.seat].name)


def _news(table: Table, device: str) -> Iterator[LogMessage]:
    """Yield the repairs and answers since a phone's last entry.

    On a phone without entries, those since the last move.
    """
    last_entry = table.last_entry_by.get(device, table.steps[-1].number if table.steps else 0)
    own_seats = table.seats_of(device)
    for line in table.messages[-MAX_NEWS_LINES:]:
        if line.is_news and line.number > last_entry:
            text, agreement = line.text_for(own_seats), table.agreements.get(line.number)
            yield replace(line, text=f"The host decided: {text}" if agreement and agreement.is_host_decision else text)


def _proposals(table: Table, device: str, own_seats: tuple[int, ...]) -> Iterable[ProposalView]:

    def sort_key(proposal: Proposal) -> tuple[bool, bool, bool, int]:
        must_answer = any(seat in own_seats for seat in _waiting_seats(proposal))
        return not must_answer, proposal.device != device, not table.seats_of(proposal.device), -proposal.number

    for proposal in sorted(table.proposals, key=sort_key):
        requested_seat = proposal.seat if isinstance(proposal.proposable, SeatRequested) else None
        is_for_own_seat = requested_seat is not None and requested_seat in own_seats
        waiting_seats = _waiting_seats(proposal)
        yield ProposalView(
            number=proposal.number,
            text=proposal.text,
            proposer_name=_proposer_name(table, proposal),
            waiting_names=tuple(table.names[seat] for seat in waiting_seats),
            other_waiting_names=tuple(table.names[seat] for seat in waiting_seats if seat not in own_seats),
            is_own=proposal.device == device,
            needs_my_answer=any(seat in own_seats for seat in proposal.waiting_seats),
            can_decide=device == table.host,
            is_for_my_seat=is_for_own_seat,
            seat_name="" if requested_seat is None else table.names[requested_seat],
            has_secret_notes=requested_seat is not None and is_for_own_seat and table.has_secret_notes(requested_seat),
            allowed_silence="" if requested_seat is None else describe_minutes(60 * allowed_silence(table.tracked)),
            seconds_until_host_decision=seconds_until_host_decision(proposal, timestamp()),
            ruling=proposal.move.found_ruling if isinstance(proposal.move, AdoptRuling) else None,
            is_repair=isinstance(proposal.proposable, LogRewritten),
            seat=proposal.seat,
            consent=consent_in_force(table, proposal.proposable),
            own_seats=own_seats,
            find_preview=functools.partial(preview_proposal, table, proposal),
        )


def _waiting_seats(proposal: Proposal) -> tuple[int, ...]:
    """Return the seats whose answer a proposal waits for."""
    return (proposal.seat,) if proposal.asks_holder and proposal.seat is not None else proposal.waiting_seats


def _proposer_name(table: Table, proposal: Proposal) -> str:
    """Return who makes a proposal; a device that requests a seat does not hold that seat yet."""
    if not isinstance(proposal.proposable, SeatRequested) and proposal.seat is not None:
        return table.names[proposal.seat]
    return " and ".join(table.names[seat] for seat in table.seats_of(proposal.device)) or "Someone"
