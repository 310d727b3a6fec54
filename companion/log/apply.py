"""Following a log: the table after one more entry. Pure; knows no storage."""

from msgspec.structs import replace

from companion.log.entries import (
    Agreed,
    AgreesBy,
    Anew,
    Arrived,
    CameBack,
    Claimed,
    Consent,
    Decided,
    Declined,
    Entry,
    Judged,
    Opened,
    OwnRuling,
    Played,
    Proposed,
    PutBack,
    Rewrote,
    Sat,
    SeatAsked,
    SetUp,
    Showed,
    Stood,
    TookBack,
    WentOn,
    Wish,
)
from companion.log.log_diff import apart, rewriting_of
from companion.log.table import (
    Agreement,
    Claim,
    DoesNotFollow,
    InTheWay,
    Lost,
    Proposal,
    Refused,
    Repair,
    Sentence,
    Step,
    Table,
    Verdict,
    make_step,
    named,
)
from scoring.games import PLAYS
from scoring.kernel.english import capital, cut, ended, in_quotes, message, plural
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.move import Move

CHANGED_SINCE = "What this is about has changed since."  # why a request is no longer possible


class Broken(Exception):
    """A stored log the present rules core cannot follow; the text says where."""

    def __init__(self, text: str):
        super().__init__(message(text))


def fold(table: Table | None, code: str, entry: Entry) -> Table:
    """Return the table after one more entry of a stored log.

    What was legal when it was said stands: a table that was opened with another version of its rules may hold moves that
    today's would refuse.

    :raises Broken: when the entry does not follow from the log before it.
    """
    try:
        return _followed(table, code, entry)
    except (Illegal, Malformed, InTheWay, DoesNotFollow) as fault:
        where = f" of table {cut(code)}" if code else ""
        raise Broken(f"Entry {entry.number}{where} cannot be followed: {fault}") from fault


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
        raise DoesNotFollow(f"there is no game \u201c{cut(what.game)}\u201d")
    play = PLAYS[what.game]
    setup = play.read_setup(what.setup, stands=stands)
    first = play.begin(setup)
    if len(what.wins) not in (0, len(first.players)):
        raise DoesNotFollow(
            f"{len(what.wins)} numbers of games won are not those of {plural(len(first.players), 'player')}"
        )
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
        lines=(Sentence(entry.number, None, f"The table is open: {play.box.title}.", at=entry.at),),
        at=entry.at,
        after=what.after,
        wins=what.wins,
        consent=what.consent,
    )


def follow(table: Table, entry: Entry, move: Move | None = None, *, stands: bool = False) -> Table:
    """Return the table after one more entry; `move` is what a move in it says, where that has been read already.

    A move or a set-up that `stands` is not judged again.

    :raises Illegal, Malformed, InTheWay, DoesNotFollow: when it does not follow from the log.
    """
    after = _after(table, entry, move, stands)
    spoke = {**table.spoke, entry.device: entry.number}
    return replace(after, number=entry.number, at=entry.at, spoke=spoke, ended=table.ended or after.over)


def _after(table: Table, entry: Entry, move: Move | None, stands: bool) -> Table:
    if entry.seat is not None:
        _seat(table, entry.seat)
    match entry.what:
        case Opened():
            raise DoesNotFollow("the table is open already")
        case SetUp() as what:
            return _set_up(table, entry, what, stands)
        case Sat():
            seat = _seat(table, entry.seat)
            host = table.host or entry.device  # of a table that was brought here: whoever sits down first
            return _told(
                replace(_seated(table, seat, entry.device), host=host), entry, f"{table.names[seat]} sits down."
            )
        case Stood():
            seat = _seat(table, entry.seat)
            left = _told(_seated(table, seat, None), entry, f"{table.names[seat]}\u2019s phone leaves the seat.")
            return _nobody_left(left, entry)
        case CameBack():
            return _came_back(table, entry, _seat(table, entry.seat))
        case Played() | Rewrote() | TookBack() | PutBack() | AgreesBy() | OwnRuling() as wish:
            return _done(table, entry, wish, entry.seat, entry.device, move, stands)
        case Showed(step):
            return replace(table, shown=table.known(step).id if step else "")
        case Proposed() as what:
            return _proposed(table, entry, what)
        case Agreed() as what:
            return _agreed(table, entry, what)
        case Decided(number):
            proposal = _asked(table, number)
            decided = f"The host decided: {proposal.quoted}"
            told = _told(table, entry, decided, news=True)
            if not isinstance(proposal.wish, SeatAsked):
                told = replace(told, remarks=(*told.remarks, decided))
            return _granted_or_kept(told, entry, replace(proposal, waiting=()))
        case Declined(number):
            return _declined(table, entry, _asked(table, number))
        case Judged() as what:
            return _judged(table, entry, what, _seat(table, entry.seat))
        case Claimed(plan):
            return _claimed(table, entry, plan, _seat(table, entry.seat))
        case WentOn(code):
            return _told(replace(table, next=code), entry, "The players go on to another game.")
        case Arrived():
            told = "The table was brought here in a file; whoever plays on takes a seat."
            return _told(replace(brought(table), elsewhere=False), entry, told)


def brought(table: Table) -> Table:
    """Return a table as it is where it was brought in a file: without phones, and with nothing that waits for one."""
    free = (None,) * len(table.seats)
    return replace(table, elsewhere=True, host="", seats=free, proposals=(), lost=(), refused={}, next="", spoke={})


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
    if len(setup.players) != len(table.seats):
        raise DoesNotFollow(f"the table has {len(table.seats)} players, the set-up {len(setup.players)}")
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
            repairs=(),
            agreements={},
            ended=False,
            claims=(),
            remarks=(),
            shown="",
            consent=what.consent or table.consent,
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
        replace(
            proposal, waiting=tuple(each for each in proposal.waiting if each != seat and not _asks_for(proposal, seat))
        )
        for proposal in table.proposals
    )
    lost = tuple(each for each in table.lost if (each.seat, each.device) != (seat, device))
    return replace(table, seats=tuple(seats), proposals=waiting, lost=lost)


def _asks_for(proposal: Proposal, seat: int) -> bool:
    """Return whether a phone asks the holder of a seat for it: nobody else can answer when it has changed hands."""
    return proposal.of_holder and proposal.seat == seat


def _done(
    table: Table,
    entry: Entry,
    wish: Wish,
    seat: int | None,
    device: str,
    move: Move | None = None,
    stands: bool = False,
) -> Table:
    """Return the table after what a phone wished, at once or as the others have agreed.

    :raises Illegal, Malformed, InTheWay, DoesNotFollow: when it is not possible, or not any more.
    """
    match wish:
        case Played(data):
            said = move or table.play.decode(data)
            step = make_step(table.play, table.state, entry.number, _seat(table, seat), said, stands=stands)
            step = replace(step, at=entry.at)
            line = Sentence(
                entry.number, seat, step.text, secret=step.move.secret, step=True, at=entry.at, news=step.move.consent
            )
            played = replace(table, steps=(*table.steps, step), lines=(*table.lines, line), shown="")
            return _remarked(table, played, _on_paper(table, step))
        case Rewrote():
            return _rewritten(table, entry, wish, seat)
        case TookBack(number):
            return _rewritten(table, entry, Rewrote(str(number), str(number)), seat, asked=wish)
        case PutBack(number):
            later = next((step.id for step in table.steps if step.number > number), "")
            return _rewritten(table, entry, Rewrote(later, tail=(str(number),)), seat, asked=wish)
        case AgreesBy(consent):
            return _told(replace(table, consent=consent), entry, f"From now on {ASKED[consent]}.", news=True)
        case OwnRuling() as ruling:
            return _told(replace(table, own_rulings=_with(table, ruling)), entry, ended(_on_silence(ruling)), news=True)
        case SeatAsked():
            return _changed_hands(table, entry, _seat(table, seat), device)


def _with(table: Table, ruling: OwnRuling) -> tuple[OwnRuling, ...]:
    """Return the table's own rulings with one more, or another one on the same question, or without it.

    :raises DoesNotFollow: when it is so already.
    """
    others = tuple(each for each in table.own_rulings if each.question != ruling.question)
    after = (*others, ruling) if ruling.reading else others
    if set(after) == set(table.own_rulings):
        raise DoesNotFollow("the table plays it so already")
    return after


def _on_silence(ruling: OwnRuling) -> str:
    """Return what the table plays where the book is silent, or that it no longer does."""
    question = f"\u201c{ruling.question}\u201d"
    return (
        f"The table plays {question} so: {in_quotes(ended(ruling.reading))}"
        if ruling.reading
        else f"The table has no ruling on {question} any more"
    )


def _judged(table: Table, entry: Entry, what: Judged, seat: int) -> Table:
    text = f"{table.names[seat]} kept a verdict: {in_quotes(f'{what.question} {ended(what.answer)}')}"
    line = Sentence(entry.number, seat, text, at=entry.at, news=True, verdict=True)
    verdict = Verdict(entry.number, entry.at, seat, what)
    return replace(table, verdicts=(*table.verdicts, verdict), lines=(*table.lines, line))


def _claimed(table: Table, entry: Entry, plan: str, seat: int) -> Table:
    others = tuple(each for each in table.claims if each.seat != seat)
    told = f"{table.names[seat]} sees it otherwise" if plan else f"{table.names[seat]} leaves it as it is told"
    claims = (*others, Claim(entry.number, seat, plan)) if plan else others
    return _told(replace(table, claims=claims), entry, f"{told}.", news=True)


ASKED: dict[Consent, str] = {
    "concerned": "those it concerns are asked",
    "everybody": "everybody is asked",
    "most": "most are enough",
    "trust": "what somebody sets right holds at once",
}


def _who(table: Table, seat: int | None) -> str:
    return "the host" if seat is None else table.names[_seat(table, seat)]


def _rewritten(table: Table, entry: Entry, what: Rewrote, seat: int | None, asked: Wish | None = None) -> Table:
    """Return the table with its story rewritten; what asks for just this is dropped."""
    who = _who(table, seat)
    steps = _story(table, entry, what, seat)
    rewriting = rewriting_of(table, steps)
    if not rewriting.steps:
        raise DoesNotFollow("this changes nothing of the story")
    gone, back = {step.id for step in rewriting.gone}, {step.id for step in rewriting.back}
    undone = {id: aside for id, aside in table.undone.items() if id not in back}
    undone |= {step.id: (step, who) for step in rewriting.gone}
    text = f"{who} {rewriting.told}"
    start, end = apart(table.steps, steps)
    repair = Repair(
        number=entry.number,
        at=entry.at,
        text=text,
        after=table.steps[start - 1].id if start else "",
        was=table.steps[start : len(table.steps) - end],
        became=steps[start : len(steps) - end],
        gone=rewriting.gone,
        fresh=(*rewriting.back, *rewriting.anew),
        then=table.state,
        now=steps[-1].after if steps else table.first,
    )
    after = replace(
        table,
        steps=steps,
        undone=undone,
        lines=tuple(_marked(line, gone, back, who) for line in table.lines),
        proposals=tuple(proposal for proposal in table.proposals if proposal.wish != (asked or what)),
        repairs=(*table.repairs, repair),
        shown="",
    )
    secret = rewriting.of_secrets is not None
    line = Sentence(entry.number, rewriting.steps[0].seat, text, secret, at=entry.at, repair=True, news=not secret)
    told = replace(after, lines=(*after.lines, line))
    return _remarked(table, told, f"{who} set a note right." if secret else text)


def _story(table: Table, entry: Entry, what: Rewrote, seat: int | None) -> tuple[Step, ...]:
    """Return the story with a part of it rewritten.

    :raises InTheWay, DoesNotFollow: when it cannot be told so.
    """
    told = enumerate(what.tail)
    return table.spliced(
        what, {place: _anew(table, entry, seat, place, each) for place, each in told if isinstance(each, Anew)}
    )


def _anew(table: Table, entry: Entry, by: int | None, place: int, said: Anew) -> Step:
    """Return a step told anew, before it is played: where it stands gives it its states."""
    move = table.play.decode(said.move)
    return Step(
        entry.number,
        _seat(table, said.seat),
        move,
        None,
        None,
        "",
        place + 1,
        entry.at,
        None if by == said.seat else by,
    )


def _marked(line: Sentence, gone: set[str], back: set[str], who: str) -> Sentence:
    """Return the line of a step with who set the step aside, or without if it has been put back."""
    if line.step and str(line.number) in gone:
        return replace(line, undone_by=who)
    return replace(line, undone_by=None) if line.step and str(line.number) in back else line


def _on_paper(table: Table, step: Step) -> str:
    """Return a step in words for the sheet, which everybody reads."""
    return f"{table.names[step.seat]} noted something anew." if step.move.secret else step.text


def _remarked(before: Table, after: Table, text: str) -> Table:
    """Return the table with a remark for the sheet, where something was changed after the end."""
    remark = f"After the end: {text}"
    return replace(after, remarks=(*after.remarks, remark)) if before.ended and remark not in after.remarks else after


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
            table = _told(replace(table, proposals=others), entry, f"{why}: {proposal.quoted}")
    return table


def _proposed(table: Table, entry: Entry, what: Proposed) -> Table:
    wish = what.wish
    if isinstance(wish, SeatAsked):
        waiting = _asked_about_seat(table, entry, wish)
    else:
        others = table.others(entry.device)
        waiting = others if what.asks is None else tuple(seat for seat in what.asks if seat in others)
    proposal = Proposal(
        number=entry.number,
        device=entry.device,
        seat=entry.seat,
        wish=wish,
        text=wording(table, entry.seat, wish),
        waiting=waiting,
        at=entry.at,
        asked=waiting,
        enough=what.enough,
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
    agreed = (*proposal.agreed, *(seat for seat in proposal.waiting if seat in mine))
    waiting = () if what.decided else tuple(seat for seat in proposal.waiting if seat not in mine)
    if proposal.of_holder and (proposal.seat in mine or waiting == (proposal.seat,)):
        waiting = ()
    if 0 < proposal.enough <= len(agreed):
        waiting = ()
    return _granted_or_kept(table, entry, replace(proposal, waiting=waiting, agreed=agreed))


def _granted_or_kept(table: Table, entry: Entry, proposal: Proposal) -> Table:
    """Carry a proposal out once nobody is left to agree; one that is no longer possible is dropped and told."""
    others = tuple(each for each in table.proposals if each.number != proposal.number)
    if proposal.waiting:
        return replace(table, proposals=(*others, proposal))
    table = replace(table, proposals=others)
    try:
        after = _done(table, entry, proposal.wish, proposal.seat, proposal.device)
    except (Illegal, InTheWay, DoesNotFollow) as fault:
        if further := _further_back(table, proposal):
            asked_again = replace(table, proposals=(*others, further))
            return _told(asked_again, entry, f"The game has gone on, so it is asked again: {further.quoted}", news=True)
        why = CHANGED_SINCE if isinstance(fault, DoesNotFollow) else fault
        return _told(table, entry, f"{in_quotes(proposal.text)} is no longer possible. {why}", news=True)
    agreement = Agreement(proposal.agreed, isinstance(entry.what, Decided))
    if isinstance(proposal.wish, Rewrote):  # the table has chosen how it was
        after = replace(after, claims=())
    return replace(after, agreements={**table.agreements, entry.number: agreement})


def _further_back(table: Table, proposal: Proposal) -> Proposal | None:
    """Return the question anew where it was to go back to a step and there have been more steps since."""
    wish = proposal.wish
    if not isinstance(wish, Rewrote) or wish.tail or wish.until not in table.places:
        return None
    later = table.steps[table.places[wish.until] + 1 :]
    if not later or any(step.number < proposal.number for step in later):
        return None
    all_of_it = replace(wish, until=later[-1].id)
    waiting = tuple(seat for seat in proposal.asked if table.seats[seat] not in (None, proposal.device))
    try:
        text = wording(table, proposal.seat, all_of_it)
    except DoesNotFollow:  # the step it began with is gone
        return None
    return replace(proposal, wish=all_of_it, text=text, waiting=waiting, agreed=()) if waiting else None


def _declined(table: Table, entry: Entry, proposal: Proposal) -> Table:
    waiting = tuple(seat for seat in proposal.waiting if seat not in table.seats_of(entry.device))
    if waiting != proposal.waiting and 0 < proposal.enough <= len(proposal.agreed) + len(
        waiting
    ):  # others are enough still
        still = (replace(each, waiting=waiting) if each.number == proposal.number else each for each in table.proposals)
        return _turned_down(replace(table, proposals=tuple(still)), entry, proposal, news=False)
    table = replace(table, proposals=tuple(each for each in table.proposals if each.number != proposal.number))
    if entry.device == proposal.device:
        return _told(table, entry, f"No longer asked: {proposal.quoted}", news=True)
    if isinstance(proposal.wish, SeatAsked) and proposal.seat is not None:
        table = replace(table, refused={**table.refused, proposal.seat: Refused(proposal.device, entry.at)})
    return _turned_down(table, entry, proposal, news=True)


def _turned_down(table: Table, entry: Entry, proposal: Proposal, *, news: bool) -> Table:
    """Return the table with the log line of a declined request.

    A phone that asks for a seat has no name yet.
    """
    asker = None if isinstance(proposal.wish, SeatAsked) else proposal.seat
    whose = "a request" if asker is None else f"{table.names[asker]}\u2019s request"
    did = f"{capital(_who(table, entry.seat))} declined"
    line = Sentence(
        entry.number,
        entry.seat,
        f"{did} {whose}: {proposal.quoted}",
        at=entry.at,
        news=news,
        to=asker,
        to_you=f"{did} your request: {proposal.quoted}",
    )
    return replace(table, lines=(*table.lines, line))


def _told(
    table: Table, entry: Entry, text: str, secret: bool = False, seat: int | None = None, news: bool = False
) -> Table:
    line = Sentence(entry.number, entry.seat if seat is None else seat, text, secret=secret, at=entry.at, news=news)
    return replace(table, lines=(*table.lines, line))


def wording(table: Table, seat: int | None, wish: Wish) -> str:
    """Return what a proposal asks for, in words.

    :raises Malformed, DoesNotFollow: when there is no such thing to ask for.
    """
    match wish:
        case Played(move):
            return table.play.decode(move).label(table.state, _seat(table, seat))
        case Rewrote():
            try:
                return rewriting_of(table, _story(table, Entry(table.number + 1, "", "", seat, wish), wish, seat)).asked
            except InTheWay:  # by today's rules; when it is agreed, it is told that it is no longer possible
                place = table.place_of(wish.at)
                return (
                    f"Set the story right from {named(table.steps[place])} on" if wish.at else "Tell what was missing"
                )
        case TookBack(number):
            return f"Take back {named(table.known(number))}"
        case PutBack(number):
            return f"Put back {named(table.known(number))}"
        case AgreesBy(consent):
            return f"From now on {ASKED[consent]}"
        case OwnRuling() as ruling:
            return _on_silence(ruling)
        case SeatAsked():
            return f"Go on as {table.names[_seat(table, seat)]} from another phone"
