"""What the pages of the judge show: what may be done and what comes of it, readings side by side, verdicts that are kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import Any

from msgspec.structs import replace

from companion.log.entries import Judged, OwnRuling, Rewrote, clock, day
from companion.log.log_diff import apart, entry_for
from companion.log.preview import Preview, compare
from companion.log.repair import Told, mend, unpacked
from companion.log.table import Claim, DoesNotFollow, Step, Table, Verdict, in_the_way, named
from companion.pages.menu import words_of
from companion.pages.pages import OfTable, Question, SeatPage, TablePage, found_rules, table_page
from companion.pages.timeline import readable, turn_page
from scoring.kernel.editable import Difference
from scoring.kernel.english import listed
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.legality import Answer, Wish, may, wishes
from scoring.kernel.move import AdoptRuling, Move, chosen
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet
from scoring.kernel.tracked_game import Play

ONLY_THEY_KNOW = "What speaks against it, only that player\u2019s phone knows."
OUT_OF_REACH = "Nothing you can do this turn leads to it."
RULES = 6  # found, on the page that asks
LINES = 10  # of the log, of which somebody may say that they were otherwise
MANY = 12  # wishes of one kind are folded in


# What may be done, and what comes of it


@dataclass(frozen=True)
class AskPage(OfTable):
    """Where one asks: rules by words, anything a player could want this turn, readings, verdicts."""

    table: TablePage
    seat: int | None  # who asks, on this phone
    step: str  # asked of the table as it was before this step; empty: as it is
    words: str
    rules: tuple[Rule, ...]
    wishes: tuple[tuple[str, tuple[Wish, ...]], ...]  # by kind, as their buttons are called
    waits: bool  # it is not this seat's turn: they are those of a turn that would begin now
    rulings: tuple[tuple[Ruling, Option], ...]  # points the book leaves open, and how they are played here
    own: tuple[OwnRuling, ...]
    kept: tuple[OwnRuling, ...]  # with the box, and not played here
    lines: tuple[tuple[str, str], ...]  # the latest steps: id and words
    claims: int  # that stand beside what is told
    verdicts: tuple[Verdict, ...]
    pending: tuple[Question, ...]  # house rules that wait for an answer
    sent: Question | None  # what this phone has just asked for
    done: str  # what its last form has put in force
    refusal: tuple[str, ...] = ()  # what the last form was refused for


@dataclass(frozen=True)
class AnswerPage(OfTable):
    """Whether a player may do something, why, and what would come of it."""

    table: TablePage
    seat: int
    step: str
    answer: Answer
    told: str  # what the log would say; empty: there is no way to it
    hands: tuple[str, ...]
    preview: Preview | None  # what would differ
    after: SeatPage | None  # the table then
    out_of_reach: str = ""  # said where no step of the turn asks for this move

    @property
    def verdict(self) -> str:
        return verdict_of(self.answer)

    @property
    def why(self) -> tuple[tuple[str, tuple[Reason, ...]], ...]:
        """Return the objections, each group with the moves that come before it; now comes first."""
        answer = self.answer
        now = (answer.waits,) if answer.waits else ()
        if not answer.route:
            return (("", (*now, *answer.reasons)),)
        after = " and then ".join(f"\u201c{step}\u201d" for step in answer.route)
        return ("", (*now, *answer.reasons)), (f"After {after}", answer.there)


YES = {
    "now": "Yes.",
    "later": "Yes, this turn, but first something else.",
    "no": "No, not this turn.",
    "unknown": "Waymark can\u2019t tell.",
}


def verdict_of(answer: Answer) -> str:
    """Return an answer in one sentence."""
    return YES[answer.yes] if not answer.waits else f"Not now; on a turn that began now: {YES[answer.yes].lower()}"


def asked_of(table: Table, step: str, device: str) -> Any:
    """Return the state that is asked about: before a step, or now.

    :raises DoesNotFollow: when this phone can read no such step.
    """
    if not step:
        return table.state
    known = table.known(step)
    if not readable(table, known, table.seats_of(device)):
        raise DoesNotFollow(f"there is no step {step} for this phone")
    return known.before


def _put_in_force(table: Table, seat: int | None, number: int) -> str:
    """Return the public log line of an entry that took effect, or an empty text."""
    mine = (line for line in table.lines if line.number == number and line.seat == seat)
    return next((line.text for line in mine if line.news and not line.secret), "")


def ask_page(
    table: Table,
    device: str,
    seat: int | None,
    words: str,
    step: str,
    kept: list[OwnRuling],
    refusal: tuple[str, ...] = (),
    sent: int = 0,
) -> AskPage:
    """Build the page on which one asks, for the eyes of a seat or everybody's.

    :param sent: the number of the entry that this phone's last form made; 0: none.
    :raises DoesNotFollow: when there is no such step.
    """
    play, state = table.play, asked_of(table, step, device)
    seen = play.view(state, seat)
    wanted = [] if seat is None else wishes(play, seen, seat)
    options = ((ruling, ruling.option(chosen(state.rulings, ruling))) for ruling in play.box.rulings)
    steps = reversed([each for each in table.steps if not each.move.secret][-LINES:])
    known = {ruling.question for ruling in table.own_rulings}
    page = table_page(table, device, seat)
    rules = {proposal.number for proposal in table.proposals if isinstance(proposal.wish, OwnRuling)}
    asked = next((question for question in page.questions if question.number == sent), None)
    return AskPage(
        table=page,
        seat=seat,
        step=step,
        words=words,
        rules=found_rules(play.box, words)[:RULES],
        wishes=tuple(_by_kind(play, wanted)),
        waits=bool(seat is not None and play.to_move(state) and seat not in play.to_move(state)),
        rulings=tuple((ruling, option) for ruling, option in options if option),
        own=table.own_rulings,
        kept=tuple(ruling for ruling in kept if ruling.question not in known),
        lines=tuple((each.id, each.text) for each in steps),
        claims=len(table.claims),
        verdicts=tuple(reversed(table.verdicts)),
        pending=tuple(question for question in page.questions if question.number in rules),
        sent=asked,
        done="" if asked else _put_in_force(table, seat, sent),
        refusal=refusal,
    )


def _by_kind(play: Play, wanted: list[Wish]) -> Iterator[tuple[str, tuple[Wish, ...]]]:
    """Yield wishes kind by kind; a kind is called what it does, as its rule is."""
    for kind in play.moves:
        of_kind = tuple(
            sorted((wish for wish in wanted if type(wish.move) is kind), key=lambda wish: (not wish.now, not wish.may))
        )
        if of_kind:
            yield words_of(kind), of_kind


def answer_page(table: Table, device: str, seat: int, move: Move, step: str, called: str = "") -> AnswerPage:
    """Build the answer to "May I?", and to "What happens if?".

    :raises DoesNotFollow: when there is no such step.
    """
    play = table.play
    answer = may(play, play.view(asked_of(table, step, device), seat), seat, move, called)
    page = table_page(table, device, seat)
    if answer.yes in ("no", "unknown"):
        nowhere = answer.yes == "no" and answer.route is None and play.to_move(answer.state)
        return AnswerPage(page, seat, step, answer, "", (), None, None, OUT_OF_REACH if nowhere else "")
    before, after, told = _done(play, answer, seat)
    was = table.standing(answer.state)
    shown = compare(was, was.standing(after))
    reminders = () if shown.ends else play.hands(play.view(before, None), play.view(after, None), answer.move)
    hands = tuple(each.text if each.seat in (None, seat) else each.to(table.names[each.seat]) for each in reminders)
    then = None if shown.ends else turn_page(was.standing(after), after, device, seat, seat, moment="if asked")
    return AnswerPage(page, seat, step, answer, told, hands, shown, then)


def _done(play: Play, answer: Answer, seat: int) -> tuple[Any, Any, str]:
    """Return the states before and after a move, with what comes before it, and what the log would say of it."""
    state = answer.state
    for move in answer.ways[0] if answer.ways else ():
        state = play.play(state, seat, move)
    after = play.play(state, seat, answer.move)
    return state, after, play.tell(state, after, seat, answer.move)


def judged(page: AnswerPage) -> Judged:
    """Return an answer as a verdict to keep."""
    answer, name = page.answer, page.table.names[page.seat]
    because = [f"{after}: {reason.text}" if after else reason.text for after, reasons in page.why for reason in reasons]
    because += [page.out_of_reach] if page.out_of_reach else []
    because += [f"The way: {', then '.join(way)}." for way in answer.words]
    if answer.otherwise:
        because.append(f"It could be done, if it lay otherwise: {'; or '.join(answer.otherwise)}.")
    if page.told:
        because.append(f"Then: {page.told}")
    rules = tuple(rule.id for rule in answer.rules)
    return Judged(f"{name}: \u201c{answer.label}\u201d?", page.verdict, tuple(because), rules, page.step)


# Readings of a rule


@dataclass(frozen=True)
class Reading:
    """One reading of an open point: what it would change here."""

    option: Option
    played: bool  # the table plays it so
    differences: tuple[Difference, ...]  # of what lies there, and of the score if the game ended now
    may: tuple[str, ...]  # what would be possible now
    may_not: tuple[str, ...]  # and what no longer
    move: Move  # that adopts it
    from_start: tuple[Difference, ...] = ()  # if the table had played it so from the start
    misfit: Step | None = None  # the first step that would not be legal then: what would differ is not known
    why: tuple[Reason, ...] = ()  # it would not be


@dataclass(frozen=True)
class RulingPage(OfTable):
    """The readings of a point on which the book is silent or unclear, side by side."""

    table: TablePage
    seat: int | None
    ruling: Ruling
    readings: tuple[Reading, ...]


def ruling_page(table: Table, device: str, seat: int | None, ruling: Ruling) -> RulingPage:
    """Build the readings of an open point, as everybody may see what they change."""
    play = table.play
    now = play.view(table.state, None)
    usual = _possible(play, now)
    readings = []
    for option in ruling.options:
        state = play.settle(replace(table.state, rulings={**table.state.rulings, ruling.id: option.id}))
        there = table.standing(state)
        shown = compare(table.standing(table.state), there)
        possible = {} if shown.ends else _possible(play, table.seen(state, None))
        played = option.id == chosen(table.state.rulings, ruling)
        from_start, misfit, why = ((), None, ()) if played else _from_start(table, ruling, option)
        readings.append(
            Reading(
                option=option,
                played=played,
                differences=_differences(shown, ruling),
                may=tuple(words for what, words in possible.items() if what not in usual),
                may_not=tuple(words for what, words in usual.items() if what not in possible),
                move=play.decode({"type": "adopt", "ruling": ruling.id, "option": option.id}),
                from_start=from_start,
                misfit=misfit,
                why=why,
            )
        )
    return RulingPage(table_page(table, device, seat), seat, ruling, tuple(readings))


def _differences(shown: Preview, ruling: Ruling) -> tuple[Difference, ...]:
    return tuple(each for each in (*shown.differences, *shown.points) if each.what != ruling.question)


def _from_start(
    table: Table, ruling: Ruling, option: Option
) -> tuple[tuple[Difference, ...], Step | None, tuple[Reason, ...]]:
    """Replay the game with an option: the differences, or the first illegal step and why."""
    play = table.play
    state = play.settle(replace(table.first, rulings={**table.first.rulings, ruling.id: option.id}))
    for step in table.steps:
        if isinstance(step.move, AdoptRuling) and step.move.ruling == ruling.id:
            continue
        try:
            state = play.play(state, step.seat, step.move)
        except Illegal:
            return (), step, in_the_way(play, state, step)[1]
    return _differences(compare(table.standing(table.state), table.standing(state)), ruling), None, ()


def _possible(play: Play, view: Any) -> dict[tuple[int, Move], str]:
    """Return what those who are to move may do now, each with its words."""
    return {
        (seat, move): f"{view.players[seat].name}: {move.label(view, seat)}"
        for seat in play.to_move(view)
        for kind in play.asked(view)
        for move in kind.thinkable(view, seat)
        if not move.secret and play.legal(view, seat, move)
    }


# Readings of what happened


@dataclass(frozen=True)
class Side:
    """What somebody thinks happened, played out."""

    seat: int  # whose reading
    lines: tuple[tuple[str, str], ...] = ()  # what it tells otherwise: words, and how: "told anew", "set aside"
    cannot: str = ""  # the first step that cannot have been; empty: it can have been so
    why: tuple[str | Reason, ...] = ()
    gone: bool = False  # the story has gone another way since: it has to be told again
    same: bool = False  # it is what is told already
    preview: Preview | None = None  # from what is told to this
    plan: str = ""  # the repair it would be; empty: it cannot be one
    parts: str = ""  # where it parts from what is told
    apart: tuple[tuple[str, tuple[Difference, ...]], ...] = ()  # from each other side, by how much


@dataclass(frozen=True)
class SidesPage(OfTable):
    """Everything that is said to have happened, side by side."""

    table: TablePage
    seat: int | None
    sides: tuple[Side, ...]


def sides_page(table: Table, device: str, seat: int | None) -> SidesPage:
    """Build what each side says, and what the referee makes of it."""
    sides, stories = [], []
    for claim in table.claims:
        side, story = _side(table, claim)
        if story is not None:
            start, _ = apart(table.steps, story)
            parts = named(table.steps[start]) if start < len(table.steps) else "the end"
            differ = tuple((table.names[other], _differs(table, steps, story)) for other, steps in stories)
            side = changed(side, parts=parts, apart=differ)
            stories.append((claim.seat, story))
        sides.append(side)
    return SidesPage(table_page(table, device, seat), seat, tuple(sides))


def _differs(table: Table, one: tuple[Step, ...], other: tuple[Step, ...]) -> tuple[Difference, ...]:
    shown = compare(replace(table, steps=one), replace(table, steps=other))
    return (*shown.differences, *shown.points)


def _side(table: Table, claim: Claim) -> tuple[Side, tuple[Step, ...] | None]:
    """Return what somebody claims: whether it can have been so, what would follow, and the story then."""
    side = Side(claim.seat)
    try:
        plan = unpacked(claim.plan)
        mended = mend(table, plan)
    except (DoesNotFollow, Malformed):
        return changed(side, gone=True), None
    side = changed(side, lines=tuple(_otherwise(table, mended.story, mended.aside)))
    if mended.refused:
        told = (*plan.here, *plan.said)[len(mended.plan.here) + len(mended.plan.said)]
        assert isinstance(told, Told)
        move, seen = table.play.decode(told.move), table.play.view(mended.state, None)
        why = tuple(table.play.objections(seen, told.seat, move)) or (ONLY_THEY_KNOW,)
        return changed(side, cannot=f"{table.names[told.seat]}: {move.label(seen, told.seat)}", why=why), None
    if mended.blocked:
        waits = listed([table.names[each] for each in mended.blocked.waits])
        why = (f"It was not that player\u2019s turn then: {waits} had to move.",) if waits else mended.blocked.reasons
        return changed(side, cannot=named(mended.blocked.step), why=why), None
    if entry_for(table, mended.story) == Rewrote():
        return changed(side, same=True), None
    return changed(side, preview=compare(table, replace(table, steps=mended.story)), plan=claim.plan), mended.story


def _otherwise(table: Table, story: tuple[Step, ...], aside: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """Yield the steps that are not told so, in words: those told anew, and those set aside."""
    for step in story:
        if step.id not in table.places and not step.move.secret:
            yield step.text, "told anew"
    for step in aside:
        if step.id in table.places and not step.move.secret:
            yield step.text, "set aside"


# Verdicts


@dataclass(frozen=True)
class VerdictPage(OfTable):
    """A verdict that was kept, with the table as it was then."""

    table: TablePage
    number: int
    asker: str
    date: str
    time: str
    what: Judged
    rules: tuple[Rule, ...]
    then: SeatPage
    can_print: bool

    @property
    def view(self) -> Any:
        """Return the table as it was, as everybody could see it: what is drawn on paper."""
        return self.then.table.public

    @property
    def final(self) -> Any:
        return self.then.table.play.final(self.view)

    @property
    def sheet(self) -> Sheet:
        return self.game.score(self.final)


def verdict_page(table: Table, was: Table, device: str, number: int, can_print: bool) -> VerdictPage:
    """Build a verdict; `was` is the table as it was when it was given.

    :raises DoesNotFollow: when there is no such verdict.
    """
    verdict = next((each for each in table.verdicts if each.number == number), None)
    if verdict is None:
        raise DoesNotFollow(f"there is no verdict {number}")
    rules, what = table.play.box.rules, verdict.what
    then = turn_page(
        was,
        was.known(what.step).before if what.step else was.state,
        device,
        None,
        verdict.seat,
        moment=f"verdict {number}",
    )
    return VerdictPage(
        table=table_page(table, device),
        number=number,
        asker=table.names[verdict.seat],
        date=day(verdict.at),
        time=clock(verdict.at),
        what=what,
        rules=tuple(rules[id] for id in what.rules if id in rules),
        then=then,
        can_print=can_print,
    )
