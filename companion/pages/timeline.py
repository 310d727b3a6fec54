"""What the pages of the past show: the story, the table at a moment of it, a repair being told, one that was made."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from companion.log.entries import Rewrote, SeatAsked, clock
from companion.log.log_diff import entry_for
from companion.log.log_text import Chapter, consent, how_told, story
from companion.log.preview import Preview, compare, if_so, preview, whom_to_ask
from companion.log.repair import Mended, Out, Plan, Stop, can_leave_out, freely, mend, of_notes, putting_back, undoing
from companion.log.table import DoesNotFollow, Step, Table, named, why_not
from companion.pages.menu import Menu
from companion.pages.pages import OfTable, Question, SeatPage, TablePage, table_page
from scoring.kernel.rule import Reason, Rule


@dataclass(frozen=True)
class StoryPage(OfTable):
    """The whole log, by chapters and turns."""

    table: TablePage
    chapters: list[Chapter]
    seat: int | None


@dataclass(frozen=True)
class MomentPage(OfTable):
    """The table as it was before a step: the picture, what happened, what was possible, what can be done about it."""

    table: TablePage  # as it is now
    then: TablePage
    seat: int | None  # through whose eyes, on this phone
    id: str
    text: str
    place: int  # of the step in the story, from 1; 0: it was set aside
    steps: int  # in the story
    time: str
    how: str  # who told it instead of its player, by whose consent
    turn: SeatPage  # of the player whose step it is, as it was then
    preview: Preview  # from before the step to after it
    rules: tuple[Rule, ...]
    earlier: str  # the id of the step before
    later: str
    aside_by: str  # who wanted it set aside
    for_all: bool  # the table view may show it
    shown: bool  # and does
    plans: dict[str, str]  # what can be said of it: its words -> the plan as part of an address


@dataclass(frozen=True)
class MendPage(OfTable):
    """A repair that is being told."""

    table: TablePage
    seat: int  # of the phone's owner
    plan: Plan
    turn: SeatPage | None  # where something is to be told: the turn's own page there
    about: str  # the step it begins at
    blocked: str  # the later step that does not stand; empty: none
    why: tuple[str | Reason, ...]
    told_to: str  # whose reasons these are, where that is another phone's player: they say "you"
    leave_out: str  # the plan that goes on without it; empty: the order of turns needs it
    stop: str  # the plan that sets aside everything from it on; empty: nothing comes after
    rest: int  # how many steps that would be
    preview: Preview | None  # what would differ, once the story is whole
    after: SeatPage | None  # the table as it would be then
    lines: tuple[tuple[str, str], ...]  # what becomes of which step: "told anew", "set aside"
    free: bool  # nobody has to be asked
    asks: tuple[str, ...]  # who would be asked
    claims: bool  # it can be laid beside what others say
    refusal: tuple[Reason | str, ...] = ()


@dataclass(frozen=True)
class RepairPage(OfTable):
    """A repair that was made: what was, what is, by whose consent; and the way back."""

    table: TablePage
    text: str
    time: str
    how: str
    gone: tuple[tuple[str, str], ...]  # id and words of each step that was set aside
    fresh: tuple[tuple[str, str], ...]  # of each that was told
    preview: Preview
    back: str  # the plan that brings back what was; empty: too much has been told since
    seat: int | None


def story_page(table: Table, device: str, seat: int | None) -> StoryPage:
    """Build the log as a seat may read it, or everybody."""
    return StoryPage(table_page(table, device), story(table, () if seat is None else (seat,)), seat)


def readable(table: Table, step: Step, seats: tuple[int, ...]) -> bool:
    """Return whether a phone that holds some seats may read a step."""
    return not step.move.secret or step.seat in seats or table.over


def moment_page(table: Table, device: str, id: str, eyes: int | None) -> MomentPage:
    """Build the table as it was before a step, for the eyes of a seat or everybody's.

    :raises DoesNotFollow: when this phone can read no such step.
    """
    step, mine = table.known(id), table.seats_of(device)
    if not readable(table, step, mine):
        raise DoesNotFollow(f"there is no step {id} for this phone")
    was = table.standing(step.before)  # it was so: what was secret then may be known by now
    turn = turn_page(was if was.over else table, step.before, device, eyes, step.seat, moment=step.id)
    read = [each.id for each in table.steps if readable(table, each, mine)]
    at = read.index(step.id) if step.id in read else None
    return MomentPage(
        table=table_page(table, device),
        then=turn.table,
        seat=eyes,
        id=step.id,
        text=step.text,
        place=0
        if at is None
        else at + 1,  # among those this phone can read: how many there are of others it cannot know
        steps=len(read),
        time=clock(step.at),
        how=how_told(table, step),
        turn=turn,
        preview=compare(was, table.standing(step.after), was=True),
        rules=step.move.behind(),
        earlier=read[at - 1] if at else "",
        later=read[at + 1] if at is not None and at + 1 < len(read) else "",
        shown=table.shown == step.id,
        for_all=step.id in table.places and readable(table, step, ()),
        aside_by=table.undone[step.id][1] if step.id in table.undone else "",
        plans=_plans(table, step, mine) if mine else {},
    )


def _plans(table: Table, step: Step, mine: tuple[int, ...]) -> dict[str, str]:
    """Return what a phone can say of a step, each with its plan."""
    if step.id in table.undone:
        return (
            {"Put it back": putting_back(table, step.id).packed()} if not step.move.secret or step.seat in mine else {}
        )
    own = step.seat in mine or not step.move.secret
    plans = {
        "Something else happened": Plan(step.id, 1, open=True),
        "It did not happen": Plan(step.id, 1),
        "Something is missing before it": Plan(step.id, open=True),
        "Back to here": Plan(step.id, here=(Stop(),)),
    }
    return {words: plan.packed() for words, plan in plans.items() if own or not plan.out}


def turn_page(
    table: Table,
    state: Any,
    device: str,
    eyes: int | None,
    seat: int,
    said: dict[str, str] | None = None,
    *,
    moment: str,
) -> SeatPage:
    """Build the page of a player's turn in some state, through the eyes of a seat."""
    page = table_page(table.standing(table.seen(state, eyes)), device, eyes, moment=moment)
    own = seat in table.seats_of(device)
    return SeatPage(page, seat, Menu(page.play, page.view, seat, own=own), (), None, said or {})


def mend_page(
    table: Table,
    device: str,
    seat: int,
    plan: Plan,
    who: int | None = None,
    said: dict[str, str] | None = None,
    refusal: Iterable[Reason | str] = (),
) -> MendPage:
    """Build a repair as far as it has been told; `who` is the player of whom something is to be told now.

    :raises DoesNotFollow, Malformed: when the story has gone another way since.
    """
    mended = mend(table, plan, seat)
    blocked = mended.blocked
    turn = None
    if (mended.plan.open or blocked) and not table.would_end(mended.state):
        asked = _who(table, mended, who)
        turn = turn_page(table, mended.state, device, seat, asked, said, moment=f"mending {plan.packed()}")
    leave_out = plan.saying(Out()).packed() if blocked and can_leave_out(table, mended, seat) else ""
    shown, after, free, asks = _if_asked(table, device, seat, mended)
    return MendPage(
        table=table_page(table, device, seat),
        seat=seat,
        plan=mended.plan,
        turn=turn,
        about=named(step) if (step := table.step(plan.at)) and readable(table, step, table.seats_of(device)) else "",
        blocked=named(blocked.step) if blocked else "",
        why=_why(table, mended),
        told_to=_other(table, device, blocked.step.seat) if blocked else "",
        leave_out=leave_out,
        stop=plan.saying(Stop()).packed() if blocked else "",
        rest=sum(readable(table, step, table.seats_of(device)) for step in mended.rest),
        preview=shown,
        after=after,
        lines=tuple(_lines(table, mended, seat)),
        free=free,
        asks=asks,
        claims=not of_notes(table, mended.plan, mended),
        refusal=(*mended.refused, *refusal),
    )


def _who(table: Table, mended: Mended, who: int | None) -> int:
    """Return the player of whom something is to be told: whose step it was, if that can be, or whoever would have to move."""
    to_move = table.play.to_move(mended.state)
    if who is not None and 0 <= who < len(table.seats):
        return who
    step = mended.blocked.step if mended.blocked else table.step(mended.plan.at)
    instead = mended.blocked is not None or mended.plan.out > 0
    if step and (step.seat in to_move or not to_move or (instead and step.move.anytime)):
        return step.seat
    return min(to_move) if to_move else 0


def _why(table: Table, mended: Mended) -> tuple[str | Reason, ...]:
    """Return why a later step does not stand any more, as far as this phone may know."""
    blocked = mended.blocked
    if blocked is None:
        return ()
    in_turn = not blocked.waits and table.play.to_move(mended.state)
    return blocked.reasons if in_turn and blocked.reasons else (why_not(table.play, mended.state, blocked.step, ()),)


def _other(table: Table, device: str, seat: int) -> str:
    return "" if seat in table.seats_of(device) else table.names[seat]


def _if_asked(
    table: Table, device: str, seat: int, mended: Mended
) -> tuple[Preview | None, SeatPage | None, bool, tuple[str, ...]]:
    """Return what would differ if a repair were in force and the table then, whether nobody is asked, and else who is."""
    if not mended.whole or entry_for(table, mended.story) == Rewrote():
        return None, None, False, ()
    after = replace(table, steps=mended.story)
    shown, free = compare(table, after), freely(table, device, mended)
    asks = () if free else whom_to_ask(table, device, shown)[0]
    return (
        shown,
        _then(table, after, device, seat, shown, moment=f"mended {mended.plan.packed()}"),
        free,
        tuple(table.names[each] for each in asks),
    )


def _then(table: Table, after: Table, device: str, eyes: int | None, shown: Preview, *, moment: str) -> SeatPage | None:
    """Build the table as it would be, with the things of whom it concerns; nothing where it would show what is secret."""
    if shown.ends:
        return None
    whose = shown.first if shown.first is not None else eyes or 0
    return turn_page(table, after.state, device, eyes, whose, moment=moment)


def _lines(table: Table, mended: Mended, seat: int) -> Iterator[tuple[str, str]]:
    """Yield the words of each step that changes its place in the story, and what becomes of it; of notes only their own."""
    read = [step for step in (*mended.story, *mended.aside) if readable(table, step, (seat,))]
    stay = {step.id for step in mended.story}
    for step in read:
        if step.id in stay and step.id not in table.places:
            yield step.text, "put back" if step.id in table.undone else "told anew"
        elif step.id in stay and step.text != table.steps[table.places[step.id]].text:
            yield step.text, "as it is then"
        elif step.id not in stay and step.id in table.places:
            yield step.text, "set aside"


def repair_page(table: Table, device: str, number: int) -> RepairPage:
    """Build a repair that was made.

    :raises DoesNotFollow: when this phone can read no such repair.
    """
    mine = table.seats_of(device)
    repair = next((repair for repair in table.repairs if repair.number == number), None)
    if repair is None or not any(readable(table, step, mine) for step in (*repair.gone, *repair.fresh)):
        raise DoesNotFollow(f"there is no repair {number}")
    back = undoing(table, repair)
    return RepairPage(
        table=table_page(table, device),
        text=repair.text,
        time=clock(repair.at),
        how=consent(table, table.agreements.get(repair.number)),
        gone=tuple((step.id, step.text) for step in repair.gone if readable(table, step, mine)),
        fresh=tuple((step.id, step.text) for step in repair.fresh if readable(table, step, mine)),
        preview=compare(table.standing(repair.then), table.standing(repair.now), was=True),
        back=back.packed() if back and mine else "",
        seat=mine[0] if mine else None,
    )


@dataclass(frozen=True)
class IfSoPage(OfTable):
    """The table as it would be if a question were answered with Yes."""

    table: TablePage
    question: Question
    turn: SeatPage


def if_so_page(table: Table, device: str, number: int, eyes: int | None) -> IfSoPage:
    """Build the table as a proposal would make it.

    :raises DoesNotFollow: when nothing of the kind is asked, or it can no longer be.
    """
    proposal = table.proposal(number)
    if proposal is None or isinstance(proposal.wish, SeatAsked):
        raise DoesNotFollow(f"nothing is asked under the number {number}")
    shown = preview(table, proposal)
    if not isinstance(shown, Preview):
        raise DoesNotFollow(f"what is asked under the number {number} is no longer possible")
    after = if_so(table, proposal.device, proposal.seat, proposal.wish)
    turn = _then(table, after, device, eyes, shown, moment=f"if {number}")
    if turn is None:
        raise DoesNotFollow("the game would be over")
    now = table_page(table, device)
    return IfSoPage(now, next(each for each in now.questions if each.number == number), turn)
