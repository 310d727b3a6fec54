"""One frozen dataclass per page, and the function that builds it from a Table for a seat.

A page holds a game's *view*, never its state: a template cannot show what the view leaves out.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from companion.history.charts import BarChart, LineChart, PointsOverTime, points_chart, stacked_bars
from companion.history.photos import LARGE_SIDE, MAX_BYTES
from companion.history.result import Result
from companion.history.statistics import GameStats, OpponentStats
from companion.log.entries import ConsentPolicy, LogRewritten, Played, SeatRequested, local_date
from companion.log.preview import Preview, preview_proposal
from companion.log.repair import RepairPlan, is_single_step_repair, plan_to_restore
from companion.log.table import LogMessage, Proposal, Step, Table, visible_messages
from companion.pages.menu import Button, Menu, move_title
from companion.service.referee import allowed_silence, describe_minutes, new_tap, seconds_until_host_decision
from companion.service.rule_search import rule_index
from companion.storage.card_facts import (
    FROM_FILE,
    FROM_PAGE,
    FROM_TABLE,
    FROM_UNDO,
    CardFactsChange,
    CardFactsStore,
    card_facts_format,
)
from companion.storage.history import Photo, Player, SearchResults
from companion.storage.store import timestamp
from scoring.kernel.box import Box
from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.english import end_sentence
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.facts import FactDifference
from scoring.kernel.game import Game
from scoring.kernel.move import Correction, Move, Phase, chosen_option
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet, describe_gaps
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import Offer, TrackedGame

LOG_LINES = 6  # on a phone; the full log has a page
BOARD_LINES = 8  # in the table view
MAX_REMARKS = 4  # the latest remarks on a sheet; the log has the rest
MAX_NEWS_LINES = 12  # latest log lines that are searched for news
MAX_WAITING_SHOWN = 5  # changes to a box that are shown on its page
MAX_DECIDED_SHOWN = 12  # decided changes to a box that are shown on its page


@dataclass(frozen=True)
class LogLine:
    """One line of the log, with what this phone may do about it in one tap."""

    message: LogMessage
    text: str  # the step's current text
    action: str = ""  # "take_back" (undo), "put_back" (redo), or empty
    step_id: str = ""  # the step that the line records


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
    preview: Preview | str | None = None  # the differences, or why the proposal is no longer possible
    can_retry: bool = False  # this phone may enter its repair again
    seconds_until_host_decision: int = 0  # seconds until the host may decide
    affects_me: bool = False  # this phone's seats would change
    rule: Rule | None = None  # the rule of the ruling that is proposed
    ruling_question: str = ""  # the question of a ruling


@dataclass(frozen=True)
class Seat:
    """A seat at the table, as the lobby shows it."""

    number: int
    name: str
    is_held: bool
    is_own: bool


@dataclass(frozen=True)
class ReclaimableSeat:
    """A seat that this phone held and may reclaim."""

    number: int
    name: str
    reason: str


@dataclass(frozen=True)
class TablePage:
    """The data that every page of a table needs."""

    code: str
    tracked: TrackedGame[GameSetup, GameState]
    game: Box
    version: int  # phones compare it to find out whether the page is current
    names: tuple[str, ...]
    view: GameState  # the game's state as the viewing seat may see it
    public_view: GameState  # the game's state as everyone may see it
    prompt: str
    to_move: tuple[int, ...]
    turn_owner_name: str  # whose turn it is, if they hold no seat (such as a bot); empty: those to move
    is_over: bool
    latest_text: str  # the latest public log line
    tap: str
    is_host: bool
    own_seats: tuple[int, ...]  # seats that this phone holds
    seats: tuple[Seat, ...]
    proposals: tuple[ProposalView, ...]
    reclaimable_seats: tuple[ReclaimableSeat, ...]
    has_begun: bool
    has_only_setup: bool  # only set-up moves have been entered
    rules_version: str  # of the rules core the table was opened with
    series_wins: tuple[tuple[str, int], ...]  # name and games won, if this is not the first game of a series
    next_code: str  # the code of the table of the rematch
    consent: ConsentPolicy  # who must agree to a correction
    needs_consent: bool  # others must agree when this phone corrects public things
    news: tuple[LogMessage, ...]  # repairs and answers since this phone's last entry, the latest last
    reminders: tuple[str, ...] = ()  # for the players who read this page
    # The snapshot shown instead of the current position: the id of a step, or "if" and the number of a proposal.
    snapshot_key: str = ""

    @property
    def display_names(self) -> tuple[str, ...]:
        """Return the names as this phone shows them: "You" for its only seat."""
        return tuple("You" if (seat,) == self.own_seats else name for seat, name in enumerate(self.names))

    @property
    def template_folder(self) -> str:
        """Return the folder of the game's own templates."""
        return f"{self.game.key}-score-entry" if self.tracked.is_score_entry else self.game.key


class TableMixin:
    """A page of a table, which uses the colors of the table's game."""

    table: TablePage

    @property
    def game(self) -> Box:
        return self.table.game


class NoGameMixin:
    """A page that belongs to no single game."""

    game = None


@dataclass(frozen=True)
class SeatPage(TableMixin):
    """A phone's own page: whose turn it is, the table, the seat's things and moves, the log."""

    table: TablePage
    seat: int
    menu: Menu
    log: tuple[LogLine, ...]
    undoable_step: Step | None  # this phone's latest step, if one tap undoes it and nothing else
    # The move that this phone is building: the fields `draft.<name>` of its address.
    draft: dict[str, str]
    refusal: tuple[Reason | str, ...] = ()  # why the last tap was refused
    suggestions: tuple[Button, ...] = ()  # moves that the refused tap may have meant

    @property
    def draft_query(self) -> str:
        """Return the move being built as part of an address."""
        return urlencode({f"draft.{name}": value for name, value in self.draft.items()})

    @cached_property
    def view_helpers(self) -> dict[str, object]:
        """Return the values of the game's own view helpers, by name."""
        said_here = (self.table.view, self.seat, self.draft)
        return {name: work_out(*said_here) for name, work_out in self.table.tracked.view_helpers.items()}

    @cached_property
    def score(self) -> Sheet:
        """Return the score so far as this seat may know it; computed only if a template shows it."""
        return self.table.tracked.box.score(self.table.tracked.final_position(self.table.view))

    @property
    def is_my_turn(self) -> bool:
        return self.seat in self.table.to_move

    @property
    def banner(self) -> tuple[str, str] | None:
        """Return the text to show in place of "Your turn", and the prompt; None: the usual banner."""
        if self.table.turn_owner_name:
            return f"{self.table.turn_owner_name}\u2019s turn", self.table.prompt
        return self.table.tracked.text.banner(self.table.view, self.seat)


@dataclass(frozen=True)
class LobbyPage(TableMixin):
    """The lobby: who sits where, the code, the set-up."""

    table: TablePage
    address: str
    qr: str
    refusal: tuple[str, ...] = ()  # why the last tap was refused


@dataclass(frozen=True)
class BoardPage(TableMixin):
    """The table view for a tablet in the middle or a television."""

    table: TablePage
    log: tuple[LogLine, ...]
    score: Sheet | None
    address: str
    qr: str
    snapshot: TablePage | None = None  # the snapshot that is pinned for everyone to see
    snapshot_text: str = ""  # the step that followed it

    @property
    def result_text(self) -> str:
        return self.score.result_text if self.score else ""


@dataclass(frozen=True)
class SheetPage(TableMixin):
    """The score: so far while playing, final at the end."""

    table: TablePage
    sheet: Sheet
    date: str
    can_print: bool
    remarks: tuple[str, ...]  # the latest corrections, decisions of the host, and changes after the end

    @property
    def points_behind(self) -> tuple[str, ...]:
        """Return for each player who is not first by how much they are behind."""
        return tuple(describe_gaps(self.sheet)) if self.game.has_points else ()


@dataclass(frozen=True)
class GamesPage(NoGameMixin):
    """The choice of a game whose rules to read."""

    games: tuple[Game, ...]


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game: all of them, or those that match a query."""

    game: Box
    query: str
    matching_rules: tuple[Rule, ...]  # the best match first
    sections: tuple[tuple[str, tuple[Rule, ...]], ...]
    back_url: str = ""  # to the latest table of this phone


@dataclass(frozen=True)
class RulePage:
    """One rule at its own address."""

    game: Box
    rule: Rule
    related: tuple[Rule, ...]
    ruling: Ruling | None  # the ruling that settles the rule, if the book leaves it open
    enforcing_moves: tuple[str, ...]  # titles of the moves that carry the rule out
    back_url: str = ""
    table_code: str = ""  # this phone's latest table, if it plays this game
    table_option: Option | None = None  # the option of the ruling that table has chosen


@dataclass(frozen=True)
class TableSummary:
    """A table this phone has been at."""

    code: str
    title: str
    names: tuple[str, ...]
    status: str  # the prompt, or the result
    date: str
    is_over: bool


@dataclass(frozen=True)
class HomePage(NoGameMixin):
    """The home page: the games, a code to join, this phone's tables, the latest results."""

    games: tuple[Game, ...]
    tables: tuple[TableSummary, ...]
    results: tuple[Result, ...]
    form: Any  # for the code of a table


@dataclass(frozen=True)
class HistoryPage(NoGameMixin):
    """Past games: results with a search, the players, and for the owner the hidden results."""

    search_results: SearchResults
    query: str
    game_key: str  # of the game searched for; empty: all games
    player_id: int  # of the player searched for; 0: all players
    page_number: int  # from 0
    page_size: int  # results per page
    players: tuple[Player, ...]
    games: tuple[Box, ...]
    is_owner: bool
    hidden_results: tuple[Result, ...]
    unread_count: int  # tables that the history has not read yet
    bgg_ids: dict[str, int]
    refusal: str = ""
    notice: str = ""

    @property
    def player_name(self) -> str:
        """Return the name of the player searched for."""
        return next((each.name for each in self.players if each.id == self.player_id), "")


@dataclass(frozen=True)
class PlayerPage(NoGameMixin):
    """A player's results and statistics."""

    id: int
    name: str
    aliases: tuple[str, ...]
    stats_by_game: tuple[GameStats, ...]
    stats_by_opponent: tuple[OpponentStats, ...]
    names_by_id: dict[int, str]  # the other players
    results_charts: dict[str, LineChart | None]  # by game
    latest_results: tuple[Result, ...]
    is_owner: bool
    refusal: str = ""


@dataclass(frozen=True)
class ResultFormPage(NoGameMixin):
    """The form to add a result or to correct one."""

    form: Any
    known_names: tuple[str, ...]  # names to suggest
    previous: Result | None = None  # the result that is corrected
    clock_warning: str = ""  # why the clock must be wrong


@dataclass(frozen=True)
class ResultPage:
    """How a game came out; anyone who has the address may open it."""

    result: Result
    result_text: str
    sheet: Sheet
    address: str
    qr: str
    table_code: str  # the table's code, if this phone may open it
    points_over_time: PointsOverTime | None  # over the course of the game, if it was tracked
    photos: tuple[Photo, ...]
    own_photos: frozenset[str]  # photos that this phone may remove
    can_add_photos: bool  # this phone may add photos
    can_change: bool  # this phone may hide the result, and correct it if it was typed in
    form: Any  # for the place and the remarks
    player_ids: dict[str, int]  # name -> id, of the players whose page this phone may open
    bg_stats_url: str
    refusal: str = ""

    @property
    def game(self) -> Box:
        return self.result.box

    @property
    def max_photo_bytes(self) -> int:
        return MAX_BYTES

    @property
    def max_photo_side(self) -> int:
        return LARGE_SIDE

    @property
    def points_chart(self) -> LineChart | None:
        return points_chart(self.points_over_time) if self.points_over_time else None

    @property
    def stacked_bars(self) -> BarChart:
        return stacked_bars(self.result.players, self.result.box.categories)


@dataclass(frozen=True)
class NewTablePage:
    """A new table: who plays."""

    tracked: TrackedGame[GameSetup, GameState]
    form: Any  # for the names
    known_names: tuple[str, ...]  # names to suggest
    refusal: tuple[Reason, ...] = ()

    @property
    def game(self) -> Box:
        return self.tracked.box


@dataclass(frozen=True)
class SetupPage(TableMixin):
    """The set-up of a table, as stored or as typed."""

    table: TablePage
    setup: GameSetup
    first_seat: int  # the starting player
    refusal: tuple[Reason, ...] = ()
    last_code: str = ""  # this phone's previous table, if its set-up was different
    is_reused: bool = False  # the set-up shown was copied from there


@dataclass(frozen=True)
class AboutPage(NoGameMixin):
    """What Waymark is, and whose work it builds on."""

    games: tuple[Game, ...]


@dataclass(frozen=True)
class ErrorPage(NoGameMixin):
    """What went wrong, and where to go from there."""

    title: str
    texts: tuple[str, ...]
    back_url: str | None = None


@dataclass(frozen=True)
class NoPdfPage(NoGameMixin):
    """Shown instead of a PDF: why it is not available, and a page that any browser can print."""

    title: str
    text: str
    plain_url: str
    back_url: str


@dataclass(frozen=True)
class ChangeView:
    """A change to a box, in words."""

    id: int
    source_text: str
    date: str
    status: str
    differences: tuple[FactDifference, ...]
    conflict: str = ""  # why it can no longer be applied to the box

    @property
    def added(self) -> tuple[FactDifference, ...]:
        return tuple(thing for thing in self.differences if thing.is_addition)

    @property
    def changed(self) -> tuple[FactDifference, ...]:
        return tuple(thing for thing in self.differences if not thing.is_addition)


@dataclass(frozen=True)
class BoxPage:
    """The facts known about a box, as one phone sees them; for the owner also the changes."""

    game: Box
    facts: Struct
    is_owner: bool  # this phone is the owner's
    waiting: tuple[ChangeView, ...]  # all of them for the owner; on other phones only their own
    decided_changes: tuple[ChangeView, ...]
    more_waiting: int  # waiting changes that are not shown
    earlier_id: int  # where the next page of decided changes starts: those before this id; 0: no more
    refusal: tuple[Reason | str, ...] = ()
    notice: str = ""


@dataclass(frozen=True)
class OwnerPage(NoGameMixin):
    """Whether this phone is the owner's, and how it can become so."""

    is_owner: bool
    waiting_counts: list[tuple[Box, int]]
    games: tuple[Box, ...]
    refusal: str = ""


def table_page(table: Table, device: str, seat: int | None = None, *, snapshot_key: str = "") -> TablePage:
    """Build the data that every page of a table needs.

    :param seat: the viewer; None shows what everyone may see.
    """
    play, mine = table.tracked, table.seats_of(device)
    view = play.view(table.state, seat)
    return TablePage(
        code=table.code,
        tracked=play,
        game=play.box,
        version=table.version,
        names=table.names,
        view=view,
        public_view=play.view(table.state, None),
        prompt=play.text.prompt(view),
        to_move=tuple(play.flow.to_move(table.state)),
        turn_owner_name=play.text.turn_owner_name(view),
        is_over=table.is_over,
        latest_text=next(line for line in reversed(table.messages) if not line.is_secret).text_for(mine),
        tap=new_tap(),
        is_host=device == table.host,
        own_seats=mine,
        seats=tuple(
            Seat(number, table.names[number], holder is not None, number in mine)
            for number, holder in enumerate(table.seats)
        ),
        proposals=tuple(_proposals(table, device, mine)),
        reclaimable_seats=tuple(
            ReclaimableSeat(
                lost.seat, table.names[lost.seat], "the host decided" if lost.is_host_decision else "the others agreed"
            )
            for lost in table.reclaimable_seats(device)
        ),
        has_begun=bool(table.steps),
        has_only_setup=table.can_join_midgame,
        rules_version=table.rules_version,
        series_wins=tuple(zip(table.names, table.total_wins, strict=True)) if table.previous_code else (),
        next_code=table.next_code,
        consent=table.consent,
        needs_consent=not table.is_only_device(device) and (table.consent != "trust" or table.was_over),
        news=tuple(_news(table, device)),
        reminders=tuple(_reminders(table, mine if seat is not None else None)),
        snapshot_key=snapshot_key,
    )


def _reminders(table: Table, seats: tuple[int, ...] | None) -> Iterator[str]:
    """Yield the reminders for a phone's seats, or for all players where `seats` is None.

    A reminder has a name unless the phone has one seat.
    """
    for reminder in table.reminders:
        if reminder.seat is None or seats == (reminder.seat,):
            yield reminder.text
        elif seats is None or reminder.seat in seats:
            yield reminder.addressed_to(table.state.players[reminder.seat].name)


def _news(table: Table, device: str) -> Iterator[LogMessage]:
    """Yield the repairs and answers since a phone's last entry."""
    since = table.last_entry_by.get(device, table.version)
    mine = table.seats_of(device)
    news = (line for line in table.messages[-MAX_NEWS_LINES:] if line.is_news and line.number > since)
    return (replace(line, text=line.text_for(mine)) for line in news)


def _proposals(table: Table, device: str, own_seats: tuple[int, ...]) -> Iterable[ProposalView]:
    """Yield the proposals: first those this phone must answer, then its own, then others."""

    def sort_key(proposal: Proposal) -> tuple[bool, bool, bool, int]:
        asked = (
            proposal.seat in own_seats
            if proposal.asks_holder
            else any(seat in own_seats for seat in proposal.waiting_seats)
        )
        return not asked, proposal.device != device, not table.seats_of(proposal.device), proposal.number

    for proposal in sorted(table.proposals, key=sort_key):
        wanted = proposal.seat if isinstance(proposal.proposable, SeatRequested) else None
        about_me = wanted is not None and wanted in own_seats
        waiting = (wanted,) if proposal.asks_holder and wanted is not None else proposal.waiting_seats
        said = preview_proposal(table, proposal)
        ruling = _ruling(table, proposal)
        yield ProposalView(
            number=proposal.number,
            text=proposal.text,
            proposer_name=_proposer_name(table, proposal),
            waiting_names=tuple(table.names[seat] for seat in waiting),
            other_waiting_names=tuple(table.names[seat] for seat in waiting if seat not in own_seats),
            is_own=proposal.device == device,
            needs_my_answer=any(seat in own_seats for seat in proposal.waiting_seats),
            can_decide=device == table.host,
            is_for_my_seat=about_me,
            seat_name="" if wanted is None else table.names[wanted],
            has_secret_notes=wanted is not None and about_me and table.has_secret_notes(wanted),
            allowed_silence="" if wanted is None else describe_minutes(60 * allowed_silence(table.tracked)),
            preview=said,
            can_retry=isinstance(said, str)
            and isinstance(proposal.proposable, LogRewritten)
            and proposal.device == device
            and bool(own_seats),
            seconds_until_host_decision=seconds_until_host_decision(proposal, timestamp()),
            affects_me=isinstance(said, Preview) and any(seat in said.affected_seats for seat in own_seats),
            rule=ruling.rule if ruling else None,
            ruling_question=ruling.question if ruling else "",
        )


def _ruling(table: Table, proposal: Proposal) -> Ruling | None:
    """Return the ruling that a proposal would adopt, or None."""
    if not isinstance(proposal.proposable, Played):
        return None
    return next(
        (ruling for ruling in table.tracked.box.rulings if ruling.id == proposal.proposable.move.get("ruling")), None
    )


def _proposer_name(table: Table, proposal: Proposal) -> str:
    """Return who makes a proposal; a device that requests a seat does not hold that seat yet."""
    if not isinstance(proposal.proposable, SeatRequested) and proposal.seat is not None:
        return table.names[proposal.seat]
    return " and ".join(table.names[seat] for seat in table.seats_of(proposal.device)) or "Somebody"


def seat_page(
    table: Table,
    device: str,
    seat: int,
    refusal: Iterable[Reason | str] = (),
    *,
    draft: dict[str, str] | None = None,
    refused_move: Move | None = None,
) -> SeatPage:
    """Build a phone's own page, with the move being built and the latest log lines."""
    page = table_page(table, device, seat)
    meant = table.tracked.suggestions(page.view, seat, refused_move) if refused_move else ()
    return SeatPage(
        table=page,
        seat=seat,
        menu=Menu(table.tracked, page.view, seat),
        log=tuple(log_lines(table, device, page.own_seats, seat, LOG_LINES)),
        undoable_step=_undoable_step(table, device, seat),
        draft=draft or {},
        refusal=tuple(refusal),
        suggestions=tuple(Button(Offer(move, ()), page.view, seat) for move in meant),
    )


def log_lines(table: Table, device: str, seats: tuple[int, ...], seat: int | None, limit: int) -> Iterable[LogLine]:
    """Yield the log lines a phone may read, latest first, with what it may undo or redo alone."""
    for line in islice(visible_messages(table, (seat,) if seat is not None else ()), limit):
        step = table.active_step(line.number) if line.is_step else None
        aside = table.removed.get(str(line.number)) if line.is_step else None
        can = ""
        if step and step.seat in seats and can_undo(table, step, device):
            can = "take_back"
        elif aside and seats and can_redo(table, aside[0], device):
            can = "put_back"
        yield LogLine(line, step.text if step else line.text, can, str(line.number) if line.is_step else "")


def _undoable_step(table: Table, device: str, seat: int) -> Step | None:
    """Return the latest step of a phone, if one tap undoes it.

    Never an earlier step: that would leave the latest one wrong. A note of another seat stays off this page.
    """
    mine = table.seats_of(device)
    said_here = (step for step in reversed(table.steps) if step.seat in mine and not isinstance(step.move, UseBoxFacts))
    latest = next(said_here, None)
    if latest is None or (latest.move.is_secret and latest.seat != seat):
        return None
    return latest if can_undo(table, latest, device) else None


def can_undo(table: Table, step: Step, device: str) -> bool:
    """Return whether one tap undoes a step without asking and without changing another step.

    Facts that the owner of a box entered are not a step of the player they are stored with.
    """
    return (
        not isinstance(step.move, UseBoxFacts)
        and table.can_change_step_alone(step, device)
        and not _reopens_reveal(table, step)
        and is_single_step_repair(table, RepairPlan(step.id, 1), step.seat)
    )


def _reopens_reveal(table: Table, step: Step) -> bool:
    """Return whether undoing a step would reopen play after the reveal has begun."""
    ended_play = getattr(step.after, "is_over", False) and not getattr(step.before, "is_over", False)
    return ended_play and not (table.is_over and step is table.steps[-1])


def can_redo(table: Table, step: Step, device: str) -> bool:
    """Return whether one tap redoes a step without asking and without changing another step."""
    return table.can_change_step_alone(step, device) and is_single_step_repair(
        table, plan_to_restore(table, step.id), step.seat
    )


def board_page(table: Table, device: str, address: str, qr: str) -> BoardPage:
    """Build the table view, which never shows a secret."""
    page = table_page(table, device)
    page = dataclasses.replace(page, proposals=tuple(sorted(page.proposals, key=lambda question: question.number)))
    score = table.tracked.box.score(table.tracked.final_position(page.view)) if table.steps else None
    lines = tuple(log_lines(table, device, (), None, BOARD_LINES))
    shown = table.active_step(table.pinned_step)
    if shown is None:
        return BoardPage(page, lines, score, address, qr)
    then = table_page(table.at_state(shown.before), device, snapshot_key=shown.id)
    return BoardPage(page, lines, score, address, qr, then, shown.text)


def lobby_page(table: Table, device: str, address: str, qr: str, refusal: tuple[str, ...] = ()) -> LobbyPage:
    return LobbyPage(table_page(table, device), address, qr, refusal)


def sheet_page(table: Table, device: str, can_print: bool) -> SheetPage:
    """Build the score as everyone may see it."""
    page = table_page(table, device)
    sheet = table.tracked.box.score(table.tracked.final_position(page.view))
    own = tuple(
        f"{end_sentence(ruling.question)} {end_sentence(ruling.interpretation)}" for ruling in table.own_rulings
    )
    sheet = replace(sheet, rulings=(*sheet.rulings, *own))
    remarks = (*_correction_remarks(table), *table.remarks)
    more = len(remarks) - MAX_REMARKS
    earlier = (f"{more} more such remarks are in the log.",) if more > 0 else ()
    return SheetPage(page, sheet, local_date(table.opened_at), can_print, (*earlier, *remarks[-MAX_REMARKS:]))


def _correction_remarks(table: Table) -> Iterator[str]:
    """Yield the corrections during play that no remark mentions: no legal move explains them."""
    playing, told = False, "\n".join(table.remarks)
    for step in table.steps:
        if not isinstance(step.move, Correction):
            playing = playing or not (step.move.out_of_turn or step.move.phase is Phase.SETUP)
        elif playing and not step.move.is_secret and step.move.describe_change(step.before) not in told:
            yield step.text


def search_rules(box: Box, query: str) -> tuple[Rule, ...]:
    """Return the rules that match a query, the best match first."""
    return tuple(rule_index(box.key).search(query)) if query else ()


def rules_page(box: Box, query: str, back_url: str = "") -> RulesPage:
    """Build the rules of a game, or those that match a query."""
    sections: dict[str, list[Rule]] = {}
    for rule in () if query else box.rules.values():
        sections.setdefault(rule.section, []).append(rule)
    return RulesPage(
        box, query, search_rules(box, query), tuple((name, tuple(rules)) for name, rules in sections.items()), back_url
    )


def rule_page(game: Game, rule: Rule, back_url: str = "", table: Table | None = None) -> RulePage:
    """Build a rule's page.

    :param table: the phone's latest table; its chosen option of the ruling is shown if it plays this game.
    """
    box = game.box
    ruling = next((each for each in box.rulings if each.rule == rule), None)
    kinds = (
        kind for play in game.tracked_games for kind in play.moves if not kind.needs_consent and rule in kind.rules
    )
    here = table if table and table.tracked.box is box else None
    return RulePage(
        game=box,
        rule=rule,
        related=tuple(box.rules[id] for id in rule.related),
        ruling=ruling,
        enforcing_moves=tuple(dict.fromkeys(map(move_title, kinds))),
        back_url=back_url,
        table_code=here.code if here else "",
        table_option=ruling.option(chosen_option(here.state.rulings, ruling)) if here and ruling else None,
    )


def table_summary(table: Table) -> TableSummary:
    play, title = table.tracked, table.tracked.box.title
    now = table.sheet.result_text if table.sheet else play.text.prompt(play.view(table.state, None))
    return TableSummary(table.code, title, table.names, now, local_date(table.opened_at), table.is_over)


SOURCE_TEXTS = {  # where a change to a box came from
    FROM_TABLE: "Told at table {name} by {who}",
    FROM_PAGE: "Told on this page",
    FROM_FILE: "In the file \u201c{name}\u201d",
    FROM_UNDO: "What was changed before, taken back",
}


def box_page(
    card_facts: CardFactsStore,
    box: Box,
    device: str,
    before_id: int = 0,
    refusal: Iterable[Reason | str] = (),
    notice: str = "",
) -> BoxPage:
    """Build a box's page for one phone.

    :param before_id: show the changes decided before this one; 0: show the latest.
    """
    owner = card_facts.owners.is_owner(device)
    decided = card_facts.decided_changes(box, MAX_DECIDED_SHOWN + 1, before_id) if owner else []
    waiting = card_facts.waiting_changes(box) if owner else card_facts.entered_by(box, device)
    return BoxPage(
        game=box,
        facts=card_facts.facts_visible_to(box, device),
        is_owner=owner,
        waiting=tuple(_waiting_change(card_facts, box, change) for change in waiting[:MAX_WAITING_SHOWN]),
        more_waiting=len(waiting[MAX_WAITING_SHOWN:]),
        decided_changes=tuple(
            _change_view(box, change, change.before, change.after) for change in decided[:MAX_DECIDED_SHOWN]
        ),
        earlier_id=decided[MAX_DECIDED_SHOWN - 1].id if len(decided) > MAX_DECIDED_SHOWN else 0,
        refusal=tuple(refusal),
        notice=notice,
    )


def _waiting_change(card_facts: CardFactsStore, box: Box, change: CardFactsChange) -> ChangeView:
    """Return a change as it would change the box now, or as entered with the reason it cannot."""
    try:
        return _change_view(box, change, card_facts.facts(box), card_facts.facts_if_accepted(box, change))
    except (IllegalMoveError, InvalidInputError) as error:
        return _change_view(box, change, change.before, change.after, str(error))


def _change_view(box: Box, change: CardFactsChange, before: Struct, after: Struct, conflict: str = "") -> ChangeView:
    how = SOURCE_TEXTS[change.source].format(name=change.name, who=change.who)
    if change.source in (FROM_PAGE, FROM_FILE) and not change.known:
        how += ", by another phone"
    return ChangeView(
        change.id,
        how,
        local_date(change.at),
        change.status,
        tuple(card_facts_format(box).differences(before, after)),
        conflict,
    )
