"""What each page shows: one frozen dataclass per page, and the function that builds it from a Table for a seat.

A page holds a game's *view*, never its state: what is not in the view cannot reach a template.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import replace

from companion.history.charts import Bars, Course, Lines, course_chart, stacked
from companion.history.photos import LARGE, MOST_BYTES
from companion.history.result import Result
from companion.history.statistics import Against, InGame
from companion.log.entries import Consent, Played, Rewrote, SeatAsked, day
from companion.log.preview import Preview, preview
from companion.log.repair import Plan, changes_one_step, putting_back
from companion.log.table import Proposal, Sentence, Step, Table, lines_for
from companion.pages.menu import Button, Menu, words_of
from companion.service.referee import minutes, new_tap, patience, until_decided
from companion.service.rule_search import finder
from companion.storage.card_facts import AT_TABLE, BACK, IN_FILE, ON_PAGE, Boxes, Change, facts_of
from companion.storage.history import Found, Photo, Player
from companion.storage.store import stamp
from scoring.kernel.box import Box
from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.english import ended
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.facts import Difference
from scoring.kernel.game import Game
from scoring.kernel.move import Correction, Move, chosen
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet, behind
from scoring.kernel.tracked_game import Offer, Play

LOG_LINES = 6  # of the latest, on a phone; the rest is a page of its own
BOARD_LINES = 8  # in the table view
REMARKS = 4  # on a sheet, the latest; the rest is in the log
NEWS = 12  # of the latest lines of the log are looked through for what a phone should hear of
WAITING = 5  # changes of a box, on a page
CHANGES = 12  # of a box that have been decided


@dataclass(frozen=True)
class LogLine:
    """One line of the log, with what this phone may do about it at once."""

    line: Sentence
    text: str  # as the story stands now
    can: str = ""  # "take_back", "put_back" or nothing
    step: str = ""  # the id of the step it tells of


@dataclass(frozen=True)
class Question:
    """A proposal waiting for consent, as one phone sees it."""

    number: int
    text: str
    asker: str
    waiting: tuple[str, ...]  # names of those still to answer
    waiting_besides: tuple[str, ...]  # of them, those who do not sit at this phone
    mine: bool  # this phone asked
    asks_me: bool
    may_decide: bool  # the host, for those who do not answer
    about_me: bool  # it asks for a seat this phone holds
    seat: str = ""  # the name whose seat is asked for
    noted: bool = False  # that seat has noted what only this phone may read
    patience: str = ""  # how long its phone must be silent until others may answer
    preview: Preview | str | None = None  # what would differ, or why it is no longer possible
    again: bool = False  # that can be told anew, from this phone
    opens: int = 0  # seconds until the host may decide
    concerns: bool = False  # this phone's things would differ
    rule: Rule | None = None  # the open point that a ruling settles
    asked: str = ""  # the question of a ruling


@dataclass(frozen=True)
class Seat:
    """A place at the table, as the lobby shows it."""

    number: int
    name: str
    held: bool
    mine: bool


@dataclass(frozen=True)
class LostSeat:
    """A seat that this phone held and may take back."""

    number: int
    name: str
    why: str


@dataclass(frozen=True)
class TablePage:
    """What every page of a table has."""

    code: str
    play: Play
    game: Box
    version: int  # phones compare it
    names: tuple[str, ...]
    view: Any  # the game's state as these eyes may see it
    public: Any  # the game's state as everybody may see it
    prompt: str
    to_move: tuple[int, ...]
    turn_of: str  # who has the turn but no seat; empty: those to move
    over: bool
    latest: str  # the last thing everybody may know
    tap: str
    host: bool
    mine: tuple[int, ...]  # seats this phone holds
    seats: tuple[Seat, ...]
    questions: tuple[Question, ...]
    lost: tuple[LostSeat, ...]
    begun: bool
    begins: bool  # only its set-up has been told
    rules_version: str  # of the rules core it was opened with
    series: tuple[tuple[str, int], ...]  # name and games won, where more than one has been played
    next: str  # the code of the table they went on to
    consent: Consent  # who is asked
    asks: bool  # somebody is asked where this phone sets right what is everybody's
    news: tuple[Sentence, ...]  # repairs and answers since this phone last said something, the latest last
    hands: tuple[str, ...] = ()  # reminders for those who read this page
    moment: str = ""  # what is shown instead of the table as it is: the id of a step, or "if" and a question's number

    @property
    def called(self) -> tuple[str, ...]:
        """Return the names as this phone reads them: "You" for its own seat, unless it has several."""
        return tuple("You" if (seat,) == self.mine else name for seat, name in enumerate(self.names))


class OfTable:
    """A page of a table. Every page says of which game it is: its colours are that game's."""

    table: TablePage

    @property
    def game(self) -> Box:
        return self.table.game


class OfNoGame:
    """A page of no game, or of all."""

    game = None


@dataclass(frozen=True)
class SeatPage(OfTable):
    """A phone's own page: my turn or whose, the table, my things, my moves, the log."""

    table: TablePage
    seat: int
    menu: Menu
    log: tuple[LogLine, ...]
    undo: Step | None  # the latest step of this phone, if one tap undoes it and nothing else
    said: dict[
        str, str
    ]  # what this phone is putting together, before it is a move: fields `draft.<name>` of its address
    refusal: tuple[Reason | str, ...] = ()  # what the last tap was refused for
    meant: tuple[Button, ...] = ()  # what may have been meant by it

    @property
    def drafting(self) -> str:
        """Return what this phone is putting together as part of an address."""
        return urlencode({f"draft.{name}": value for name, value in self.said.items()})

    @cached_property
    def worked_out(self) -> dict[str, Any]:
        """Return what the game's own pages show besides the view, by name."""
        said_here = (self.table.view, self.seat, self.said)
        return {name: work_out(*said_here) for name, work_out in self.table.play.worked_out.items()}

    @cached_property
    def score(self) -> Sheet:
        """Return the score so far, as this seat may know it; where a game's page shows none, nothing is counted."""
        return self.table.play.box.score(self.table.play.final(self.table.view))

    @property
    def my_turn(self) -> bool:
        return self.seat in self.table.to_move

    @property
    def call(self) -> tuple[str, str] | None:
        """Return what the banner says in place of "Your turn", and what to do: where that says more, or it is the bot's."""
        if self.table.turn_of:
            return f"{self.table.turn_of}\u2019s turn", self.table.prompt
        return self.table.play.calls(self.table.view, self.seat)


@dataclass(frozen=True)
class LobbyPage(OfTable):
    """The table's front door: who sits where, the code, the set-up."""

    table: TablePage
    address: str
    qr: str
    refusal: tuple[str, ...] = ()  # what the last tap was refused for


@dataclass(frozen=True)
class BoardPage(OfTable):
    """The table view for a tablet in the middle or a television."""

    table: TablePage
    log: tuple[LogLine, ...]
    score: Sheet | None
    address: str
    qr: str
    then: TablePage | None = None  # the moment that somebody wants all to see
    happened: str = ""  # what came after it

    @property
    def verdict(self) -> str:
        return self.score.verdict if self.score else ""


@dataclass(frozen=True)
class SheetPage(OfTable):
    """The score: so far while playing, final at the end."""

    table: TablePage
    sheet: Sheet
    date: str
    can_print: bool
    remarks: tuple[
        str, ...
    ]  # what was set right or decided by the host, what was changed after the end: the last of it

    @property
    def behind(self) -> tuple[str, ...]:
        """Return what each player who is not first lacks to be."""
        return tuple(behind(self.sheet)) if self.game.in_points else ()


@dataclass(frozen=True)
class GamesPage(OfNoGame):
    """Whose rules?"""

    games: tuple[Game, ...]


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game: those that a question is about, or all of them."""

    game: Box
    words: str
    found: tuple[Rule, ...]  # the likeliest first
    sections: tuple[tuple[str, tuple[Rule, ...]], ...]
    back: str = ""  # to the table this phone was at last


@dataclass(frozen=True)
class RulePage:
    """One rule at its own address."""

    game: Box
    rule: Rule
    related: tuple[Rule, ...]
    ruling: Ruling | None  # that settles it, if the book leaves it open
    seen_to: tuple[str, ...]  # what people tell the app by which it is carried out
    back: str = ""
    code: str = ""  # of the table this phone was at last, if it is one of this game
    played: Option | None = None  # the reading that table has chosen


@dataclass(frozen=True)
class Resumable:
    """A table this phone has been at."""

    code: str
    title: str
    names: tuple[str, ...]
    now: str  # what is to be done, or how it came out
    date: str
    over: bool


@dataclass(frozen=True)
class HomePage(OfNoGame):
    """The first page: the games, a code to join, the tables this phone knows, how the last games came out."""

    games: tuple[Game, ...]
    tables: tuple[Resumable, ...]
    results: tuple[Result, ...]
    form: Any  # where a code is typed


@dataclass(frozen=True)
class HistoryPage(OfNoGame):
    """What has been played: results, with a search; who played; for the owner, what was left out."""

    found: Found
    search: str
    of: str  # the key of the game whose results are looked for; empty: of all
    player: int  # whose results are looked for; 0: everybody's
    number: int  # of the page, from 0
    more: int  # results on a page
    players: tuple[Player, ...]
    games: tuple[Box, ...]
    owner: bool
    hidden: tuple[Result, ...]
    unread: int  # tables at which has not been looked yet
    bgg: dict[str, int]
    refused: str = ""
    note: str = ""

    @property
    def named(self) -> str:
        """Return what the player is called whose results are looked for."""
        return next((each.name for each in self.players if each.id == self.player), "")


@dataclass(frozen=True)
class PlayerPage(OfNoGame):
    """What somebody's results add up to."""

    id: int
    name: str
    names: tuple[str, ...]
    in_games: tuple[InGame, ...]
    against: tuple[Against, ...]
    called: dict[int, str]  # the other players
    evenings: dict[str, Lines | None]  # of each game, the chart of its results
    latest: tuple[Result, ...]
    owner: bool
    refused: str = ""


@dataclass(frozen=True)
class ByHandPage(OfNoGame):
    """A result that is typed in, or set right."""

    form: Any
    known: tuple[str, ...]  # names that are offered
    before: Result | None = None  # the one that is set right
    wrong_clock: str = ""  # why the clock must be wrong


@dataclass(frozen=True)
class ResultPage:
    """How a game came out, to be looked at by whoever has the address."""

    result: Result
    verdict: str
    sheet: Sheet
    address: str
    qr: str
    table: str  # its code, where this phone may open it
    course: Course | None  # the points over the course of the game, where it was tracked
    photos: tuple[Photo, ...]
    mine: frozenset[str]  # photos that this phone may remove
    adds: bool  # this phone may add photos
    changes: bool  # this phone may leave the result out, and set right what was typed in
    form: Any  # where it was, and what there is to say
    players: dict[str, int]  # name -> whose page this phone may open
    bg_stats: str
    refused: str = ""

    @property
    def game(self) -> Box:
        return self.result.box

    @property
    def largest_photo(self) -> int:
        return MOST_BYTES

    @property
    def photo_side(self) -> int:
        return LARGE

    @property
    def course_chart(self) -> Lines | None:
        return course_chart(self.course) if self.course else None

    @property
    def stacked(self) -> Bars:
        return stacked(self.result.players, self.result.box.categories)


@dataclass(frozen=True)
class NewPage:
    """A new table: who plays."""

    play: Play
    form: Any  # where the names are typed
    known: tuple[str, ...]  # names that are offered
    refused: tuple[Reason, ...] = ()

    @property
    def game(self) -> Box:
        return self.play.box


@dataclass(frozen=True)
class SetupPage(OfTable):
    """What a table is set up with, as it is or as it was typed."""

    table: TablePage
    setup: Any
    first: int  # the player who starts
    refused: tuple[Reason, ...] = ()
    last: str = ""  # the table this phone was at before, where that was set up otherwise
    as_last: bool = False  # what is shown is filled in from there


@dataclass(frozen=True)
class AboutPage(OfNoGame):
    """What this is, and whose work it stands on."""

    games: tuple[Game, ...]


@dataclass(frozen=True)
class ErrorPage(OfNoGame):
    """What went wrong, and where to go from there."""

    title: str
    texts: tuple[str, ...]
    back: str | None = None


@dataclass(frozen=True)
class NoSheetPage(OfNoGame):
    """Instead of a PDF: why it is not here, or not yet, and the page that prints from any browser."""

    title: str
    text: str
    plain: str
    back: str


@dataclass(frozen=True)
class Told:
    """A change of a box, in words."""

    id: int
    how: str
    date: str
    status: str
    things: tuple[Difference, ...]
    fault: str = ""  # why it cannot be put together with the box

    @property
    def adds(self) -> tuple[Difference, ...]:
        return tuple(thing for thing in self.things if thing.adds)

    @property
    def differs(self) -> tuple[Difference, ...]:
        return tuple(thing for thing in self.things if not thing.adds)


@dataclass(frozen=True)
class BoxPage:
    """What is known of a box, as one phone sees it; for its owner what waits and what has been decided."""

    game: Box
    facts: Any
    owner: bool  # this phone is the owner's
    waiting: tuple[Told, ...]  # for the owner: everybody's; else what this phone has told
    history: tuple[Told, ...]
    more: int  # of what waits, when there is no room for all
    earlier: int  # the change before which there is more, if any is
    refusal: tuple[Reason | str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class OwnerPage(OfNoGame):
    """Whether this phone is the owner's of the boxes here, and how it can be."""

    owner: bool
    waiting: list[tuple[Box, int]]
    games: tuple[Box, ...]
    refused: str = ""


def table_page(table: Table, device: str, seat: int | None = None, *, moment: str = "") -> TablePage:
    """Build what every page of a table has, for the eyes of a seat (or nobody's)."""
    play, mine = table.play, table.seats_of(device)
    view = play.view(table.state, seat)
    return TablePage(
        code=table.code,
        play=play,
        game=play.box,
        version=table.number,
        names=table.names,
        view=view,
        public=play.view(table.state, None),
        prompt=play.prompt(view),
        to_move=tuple(play.to_move(table.state)),
        turn_of=play.turn_of(view),
        over=table.over,
        latest=next(line for line in reversed(table.lines) if not line.secret).as_read_by(mine),
        tap=new_tap(),
        host=device == table.host,
        mine=mine,
        seats=tuple(
            Seat(number, table.names[number], holder is not None, number in mine)
            for number, holder in enumerate(table.seats)
        ),
        questions=tuple(_questions(table, device, mine)),
        lost=tuple(
            LostSeat(lost.seat, table.names[lost.seat], "the host decided" if lost.decided else "the others agreed")
            for lost in table.lost_by(device)
        ),
        begun=bool(table.steps),
        begins=table.begins,
        rules_version=table.rules_version,
        series=tuple(zip(table.names, table.wins_now, strict=True)) if table.after else (),
        next=table.next,
        consent=table.consent,
        asks=not table.alone(device) and (table.consent != "trust" or table.ended),
        news=tuple(_news(table, device)),
        hands=tuple(_reminders(table, mine if seat is not None else None)),
        moment=moment,
    )


def _reminders(table: Table, seats: tuple[int, ...] | None) -> Iterator[str]:
    """Yield the reminders for a phone's seats, or for all players where `seats` is None.

    A reminder has a name unless the phone has one seat.
    """
    for reminder in table.hands:
        if reminder.seat is None or seats == (reminder.seat,):
            yield reminder.text
        elif seats is None or reminder.seat in seats:
            yield reminder.to(table.state.players[reminder.seat].name)


def _news(table: Table, device: str) -> Iterator[Sentence]:
    """Yield what was mended or answered since a phone last said something."""
    since = table.spoke.get(device, table.number)
    mine = table.seats_of(device)
    news = (line for line in table.lines[-NEWS:] if line.news and line.number > since)
    return (replace(line, text=line.as_read_by(mine)) for line in news)


def _questions(table: Table, device: str, mine: tuple[int, ...]) -> Iterable[Question]:
    """Yield what is asked of the table: what this phone is asked, what it asks, last what phones without a seat ask."""

    def place(proposal: Proposal) -> tuple[bool, bool, bool, int]:
        asked = proposal.seat in mine if proposal.of_holder else any(seat in mine for seat in proposal.waiting)
        return not asked, proposal.device != device, not table.seats_of(proposal.device), proposal.number

    for proposal in sorted(table.proposals, key=place):
        wanted = proposal.seat if isinstance(proposal.wish, SeatAsked) else None
        about_me = wanted is not None and wanted in mine
        waiting = (wanted,) if proposal.of_holder and wanted is not None else proposal.waiting
        said = preview(table, proposal)
        ruling = _ruling(table, proposal)
        yield Question(
            number=proposal.number,
            text=proposal.text,
            asker=_asker(table, proposal),
            waiting=tuple(table.names[seat] for seat in waiting),
            waiting_besides=tuple(table.names[seat] for seat in waiting if seat not in mine),
            mine=proposal.device == device,
            asks_me=any(seat in mine for seat in proposal.waiting),
            may_decide=device == table.host,
            about_me=about_me,
            seat="" if wanted is None else table.names[wanted],
            noted=wanted is not None and about_me and table.has_noted(wanted),
            patience="" if wanted is None else minutes(60 * patience(table.play)),
            preview=said,
            again=isinstance(said, str)
            and isinstance(proposal.wish, Rewrote)
            and proposal.device == device
            and bool(mine),
            opens=until_decided(proposal, stamp()),
            concerns=isinstance(said, Preview) and any(seat in said.whose for seat in mine),
            rule=ruling.rule if ruling else None,
            asked=ruling.question if ruling else "",
        )


def _ruling(table: Table, proposal: Proposal) -> Ruling | None:
    """Return the open point that a question is about, if it is about one."""
    if not isinstance(proposal.wish, Played):
        return None
    return next((ruling for ruling in table.play.box.rulings if ruling.id == proposal.wish.move.get("ruling")), None)


def _asker(table: Table, proposal: Proposal) -> str:
    """Return who asks; whoever asks for a seat does not have it."""
    if not isinstance(proposal.wish, SeatAsked) and proposal.seat is not None:
        return table.names[proposal.seat]
    return " and ".join(table.names[seat] for seat in table.seats_of(proposal.device)) or "Somebody"


def seat_page(
    table: Table,
    device: str,
    seat: int,
    refusal: Iterable[Reason | str] = (),
    *,
    said: dict[str, str] | None = None,
    refused: Move | None = None,
) -> SeatPage:
    """Build a phone's own page, with what it is putting together, and the latest lines of the log."""
    page = table_page(table, device, seat)
    meant = table.play.meant(page.view, seat, refused) if refused else ()
    return SeatPage(
        table=page,
        seat=seat,
        menu=Menu(table.play, page.view, seat),
        log=tuple(log_lines(table, device, page.mine, seat, LOG_LINES)),
        undo=_undo(table, device, seat),
        said=said or {},
        refusal=tuple(refusal),
        meant=tuple(Button(Offer(move, ()), page.view, seat) for move in meant),
    )


def log_lines(table: Table, device: str, seats: tuple[int, ...], seat: int | None, most: int) -> Iterable[LogLine]:
    """Yield the log as a phone may read it, latest first, with what it may do about each line without asking."""
    for line in islice(lines_for(table, (seat,) if seat is not None else ()), most):
        step = table.step(line.number) if line.step else None
        aside = table.undone.get(str(line.number)) if line.step else None
        can = ""
        if step and step.seat in seats and may_undo(table, step, device):
            can = "take_back"
        elif aside and seats and may_redo(table, aside[0], device):
            can = "put_back"
        yield LogLine(line, step.text if step else line.text, can, str(line.number) if line.step else "")


def _undo(table: Table, device: str, seat: int) -> Step | None:
    """Return the latest step of a phone, if one tap undoes it.

    Never an earlier step: that would leave the latest one wrong. A note of another seat stays off this page.
    """
    mine = table.seats_of(device)
    said_here = (step for step in reversed(table.steps) if step.seat in mine and not isinstance(step.move, UseBoxFacts))
    latest = next(said_here, None)
    if latest is None or (latest.move.secret and latest.seat != seat):
        return None
    return latest if may_undo(table, latest, device) else None


def may_undo(table: Table, step: Step, device: str) -> bool:
    """Return whether one tap undoes a step without asking and without changing another step.

    Facts that the owner of a box entered are not a step of the player they are stored with.
    """
    return (
        not isinstance(step.move, UseBoxFacts)
        and table.is_free(step, device)
        and not _reopens_reveal(table, step)
        and changes_one_step(table, Plan(step.id, 1), step.seat)
    )


def _reopens_reveal(table: Table, step: Step) -> bool:
    """Return whether undoing a step would reopen play after the reveal has begun."""
    ended_play = getattr(step.after, "over", False) and not getattr(step.before, "over", False)
    return ended_play and not (table.over and step is table.steps[-1])


def may_redo(table: Table, step: Step, device: str) -> bool:
    """Return whether one tap redoes a step without asking and without changing another step."""
    return table.is_free(step, device) and changes_one_step(table, putting_back(table, step.id), step.seat)


def board_page(table: Table, device: str, address: str, qr: str) -> BoardPage:
    """Build the table view; it sees no secret, whoever looks."""
    page = table_page(table, device)
    page = dataclasses.replace(page, questions=tuple(sorted(page.questions, key=lambda question: question.number)))
    score = table.play.box.score(table.play.final(page.view)) if table.steps else None
    lines = tuple(log_lines(table, device, (), None, BOARD_LINES))
    shown = table.step(table.shown)
    if shown is None:
        return BoardPage(page, lines, score, address, qr)
    then = table_page(table.standing(shown.before), device, moment=shown.id)
    return BoardPage(page, lines, score, address, qr, then, shown.text)


def lobby_page(table: Table, device: str, address: str, qr: str, refusal: tuple[str, ...] = ()) -> LobbyPage:
    return LobbyPage(table_page(table, device), address, qr, refusal)


def sheet_page(table: Table, device: str, can_print: bool) -> SheetPage:
    """Build the score as everybody may see it."""
    page = table_page(table, device)
    sheet = table.play.box.score(table.play.final(page.view))
    own = tuple(f"{ended(ruling.question)} {ended(ruling.reading)}" for ruling in table.own_rulings)
    sheet = replace(sheet, rulings=(*sheet.rulings, *own))
    remarks = (*_set_right(table), *table.remarks)
    more = len(remarks) - REMARKS
    earlier = (f"{more} more such remarks are in the log.",) if more > 0 else ()
    return SheetPage(page, sheet, day(table.opened), can_print, (*earlier, *remarks[-REMARKS:]))


def _set_right(table: Table) -> Iterator[str]:
    """Yield what was set right once play had begun, and no remark says yet: no move by the book accounts for it."""
    playing, told = False, "\n".join(table.remarks)
    for step in table.steps:
        if not isinstance(step.move, Correction):
            playing = playing or not (step.move.anytime or step.move.hands_busy)
        elif playing and not step.move.secret and step.move.what(step.before) not in told:
            yield step.text


def found_rules(game: Box, words: str) -> tuple[Rule, ...]:
    """Return the rules that a question is about, the likeliest first."""
    return tuple(finder(game.key).find(words)) if words else ()


def rules_page(game: Box, words: str, back: str = "") -> RulesPage:
    """Build the rules of a game; with words, those that a question is about."""
    sections: dict[str, list[Rule]] = {}
    for rule in () if words else game.rules.values():
        sections.setdefault(rule.section, []).append(rule)
    return RulesPage(
        game, words, found_rules(game, words), tuple((name, tuple(rules)) for name, rules in sections.items()), back
    )


def rule_page(game: Game, rule: Rule, back: str = "", table: Table | None = None) -> RulePage:
    """Build one rule's page: the rules around it, what the app does about it, how it is settled, at a table of the game too."""
    box = game.box
    ruling = next((each for each in box.rulings if each.rule == rule), None)
    kinds = (kind for play in game.plays for kind in play.moves if not kind.consent and rule in kind.rules)
    here = table if table and table.play.box is box else None
    return RulePage(
        game=box,
        rule=rule,
        related=tuple(box.rules[id] for id in rule.related),
        ruling=ruling,
        seen_to=tuple(dict.fromkeys(map(words_of, kinds))),
        back=back,
        code=here.code if here else "",
        played=ruling.option(chosen(here.state.rulings, ruling)) if here and ruling else None,
    )


def resumable(table: Table) -> Resumable:
    play, title = table.play, table.play.box.title
    now = table.sheet.verdict if table.sheet else play.prompt(play.view(table.state, None))
    return Resumable(table.code, title, table.names, now, day(table.opened), table.over)


HOW = {  # a change of a box was told
    AT_TABLE: "Told at table {name} by {who}",
    ON_PAGE: "Told on this page",
    IN_FILE: "In the file \u201c{name}\u201d",
    BACK: "What was changed before, taken back",
}


def box_page(
    boxes: Boxes, game: Box, device: str, before: int = 0, refusal: Iterable[Reason | str] = (), note: str = ""
) -> BoxPage:
    """Build what is known of a box for one phone; of what has been decided, the latest, or what was `before` a change."""
    owner = boxes.owners.has(device)
    decided = boxes.history(game, CHANGES + 1, before) if owner else []
    waiting = boxes.waiting(game) if owner else boxes.told_by(game, device)
    return BoxPage(
        game=game,
        facts=boxes.seen_by(game, device),
        owner=owner,
        waiting=tuple(_waiting(boxes, game, change) for change in waiting[:WAITING]),
        more=len(waiting[WAITING:]),
        history=tuple(_told(game, change, change.before, change.after) for change in decided[:CHANGES]),
        earlier=decided[CHANGES - 1].id if len(decided) > CHANGES else 0,
        refusal=tuple(refusal),
        note=note,
    )


def _waiting(boxes: Boxes, game: Box, change: Change) -> Told:
    """Return a change as it would change the box now, or what it says and why it cannot."""
    try:
        return _told(game, change, boxes.facts(game), boxes.proposed(game, change))
    except (Illegal, Malformed) as fault:
        return _told(game, change, change.before, change.after, str(fault))


def _told(game: Box, change: Change, before: Any, after: Any, fault: str = "") -> Told:
    how = HOW[change.source].format(name=change.name, who=change.who)
    if change.source in (ON_PAGE, IN_FILE) and not change.known:
        how += ", by another phone"
    return Told(change.id, how, day(change.at), change.status, tuple(facts_of(game).differences(before, after)), fault)
