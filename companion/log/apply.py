"""Apply log entries to a table."""

from msgspec.structs import replace

from companion.log.entries import (
    AccountClaimed,
    Agreed,
    ConsentChanged,
    ConsentPolicy,
    Decided,
    Declined,
    Entry,
    Imported,
    LogRewritten,
    NewMove,
    Opened,
    OwnRuling,
    Played,
    Proposable,
    Proposed,
    RematchOpened,
    SeatLeft,
    SeatReclaimed,
    SeatRequested,
    SeatTaken,
    SetupChanged,
    SnapshotPinned,
    VerdictSaved,
)
from companion.log.log_diff import common_ends, diff_logs
from companion.log.table import (
    UNPLAYED,
    Agreement,
    Claim,
    ConflictingStepError,
    InvalidEntryError,
    LogMessage,
    Proposal,
    ReassignedSeat,
    Repair,
    SeatRefusal,
    Step,
    Table,
    Verdict,
    make_step,
    quote_step,
)
from companion.log.upcast import decode_stored_move, upcast_change, upcast_entry
from scoring.games import TRACKED_GAMES
from scoring.kernel.english import capitalize_first, end_sentence, pluralize, quote, truncate, truncate_message
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.move import Move

# Reason why a proposal is no longer possible.
OUTDATED_PROPOSAL_TEXT = "What this is about has changed since."


class CorruptLogError(Exception):
    """A stored log that the current rules core cannot replay; the text says where."""

    def __init__(self, text: str):
        super().__init__(truncate_message(text))


def load_entry(table: Table | None, code: str, entry: Entry) -> Table:
    """Return the table after one more entry of a stored log.

    Moves that were legal under an earlier version of the game's rules stay valid, even if the
    current version would refuse them.

    :raises CorruptLogError: if the entry is not valid after the log before it.
    """
    try:
        return _apply_stored_entry(table, code, upcast_entry(table, entry) if table else entry)
    except (IllegalMoveError, InvalidInputError, ConflictingStepError, InvalidEntryError) as error:
        where = f" of table {truncate(code)}" if code else ""
        raise CorruptLogError(f"Entry {entry.number}{where} cannot be followed: {error}") from error


def _apply_stored_entry(table: Table | None, code: str, entry: Entry) -> Table:
    try:
        return apply_entry(table, entry) if table else open_table(code, entry)
    except IllegalMoveError as error:
        if not _is_from_earlier_rules(table, entry):
            raise
        try:
            return apply_entry(table, entry, is_checked=True) if table else open_table(code, entry, is_checked=True)
        except Exception:  # If the move cannot be applied at all, the refusal is the most useful error.
            raise error from None


def _is_from_earlier_rules(table: Table | None, entry: Entry) -> bool:
    """Return whether an entry was checked by another version of its game's rules."""
    match entry.payload:
        case Opened(game, version):
            return game in TRACKED_GAMES and version != TRACKED_GAMES[game].box.version
        case SetupChanged() | Played():
            return table is not None and table.rules_version != table.tracked.box.version
    return False


def open_table(code: str, entry: Entry, *, is_checked: bool = False) -> Table:
    """Return the table that the first entry of a log opens.

    :param is_checked: whether the set-up was checked before, so that it is not checked again.
    :raises InvalidInputError: if the set-up cannot be read.
    :raises IllegalMoveError: if the set-up is not legal.
    :raises InvalidEntryError: if the entry does not open a table of a known game.
    """
    what = entry.payload
    if not isinstance(what, Opened):
        raise InvalidEntryError("a log begins with the opening of the table")
    if what.game not in TRACKED_GAMES:
        raise InvalidEntryError(f"there is no game \u201c{truncate(what.game)}\u201d")
    play = TRACKED_GAMES[what.game]
    setup = play.read_setup(what.setup, is_prechecked=is_checked)
    first = play.initial_state(setup)
    if len(what.wins) not in (0, len(first.players)):
        raise InvalidEntryError(
            f"{len(what.wins)} numbers of games won are not those of {pluralize(len(first.players), 'player')}"
        )
    # The app plays every player beyond these seats.
    return Table(
        code=code,
        version=entry.number,
        game_key=what.game,
        rules_version=what.version,
        host=entry.device,
        opened_at=entry.created_at,
        setup=setup,
        initial_state=first,
        seats=(None,) * len(setup.players),
        messages=(
            LogMessage(entry.number, None, f"The table is open: {play.box.title}.", created_at=entry.created_at),
        ),
        updated_at=entry.created_at,
        previous_code=what.previous_code,
        earlier_wins=what.wins,
        consent=what.consent,
    )


def apply_entry(table: Table, entry: Entry, move: Move | None = None, *, is_checked: bool = False) -> Table:
    """Return the table after one more entry.

    :param move: the move of the entry, if it was decoded before.
    :param is_checked: whether a move or set-up was checked before, so that it is not checked again.
    :raises IllegalMoveError: if the rules refuse a move or set-up.
    :raises InvalidInputError: if a move or set-up cannot be read.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the entry refers to something that does not exist.
    """
    after = _apply_payload(table, entry, move, is_checked)
    spoke = {**table.last_entry_by, entry.device: entry.number}
    return replace(
        after,
        version=entry.number,
        updated_at=entry.created_at,
        last_entry_by=spoke,
        was_over=table.was_over or after.is_over,
    )


def _apply_payload(table: Table, entry: Entry, move: Move | None, is_checked: bool) -> Table:
    if entry.seat is not None:
        _check_seat(table, entry.seat)
    match entry.payload:
        case Opened():
            raise InvalidEntryError("the table is open already")
        case SetupChanged() as what:
            return _change_setup(table, entry, what, is_checked)
        case SeatTaken():
            seat = _check_seat(table, entry.seat)
            # An imported table has no host; the first player to take a seat becomes the host.
            host = table.host or entry.device
            return _add_message(
                replace(_assign_seat(table, seat, entry.device), host=host), entry, f"{table.names[seat]} sits down."
            )
        case SeatLeft():
            seat = _check_seat(table, entry.seat)
            left = _add_message(
                _assign_seat(table, seat, None), entry, f"{table.names[seat]}\u2019s phone leaves the seat."
            )
            return _drop_unanswerable_proposals(left, entry)
        case SeatReclaimed():
            return _reclaim_seat(table, entry, _check_seat(table, entry.seat))
        case SnapshotPinned(step):
            return replace(table, pinned_step=table.find_step(step).id if step else "")
        case Proposed() as what:
            return _add_proposal(table, entry, what)
        case Agreed() as what:
            return _record_agreement(table, entry, what)
        case Decided(number):
            proposal = _pending_proposal(table, number)
            decided = f"The host decided: {proposal.quoted_text}"
            told = _add_message(table, entry, decided, is_news=True)
            if not isinstance(proposal.proposable, SeatRequested):
                told = replace(told, remarks=(*told.remarks, decided))
            return _apply_or_keep_proposal(told, entry, replace(proposal, waiting_seats=()))
        case Declined(number):
            return _record_decline(table, entry, _pending_proposal(table, number))
        case VerdictSaved() as what:
            return _save_verdict(table, entry, what, _check_seat(table, entry.seat))
        case AccountClaimed(plan):
            return _save_claim(table, entry, plan, _check_seat(table, entry.seat))
        case RematchOpened(code):
            return _add_message(replace(table, next_code=code), entry, "The players go on to another game.")
        case Imported():
            told = "The table was brought here in a file; whoever plays on takes a seat."
            return _add_message(replace(mark_imported(table), imported=False), entry, told)
        case change:
            return _apply_proposable(table, entry, change, entry.seat, entry.device, move, is_checked)


def mark_imported(table: Table) -> Table:
    """Return an imported table: without phones, proposals and links to other tables."""
    free = (None,) * len(table.seats)
    return replace(
        table,
        imported=True,
        host="",
        seats=free,
        proposals=(),
        reassigned_seats=(),
        seat_refusals={},
        next_code="",
        last_entry_by={},
    )


def _check_seat(table: Table, seat: int | None) -> int:
    """Return a seat number after checking that the seat exists.

    :raises InvalidEntryError: if the table has no such seat.
    """
    if seat is None or not 0 <= seat < len(table.seats):
        raise InvalidEntryError(f"there is no seat {seat}")
    return seat


def _pending_proposal(table: Table, number: int) -> Proposal:
    """Return the proposal that has a number.

    :raises InvalidEntryError: if no such proposal is pending.
    """
    if proposal := table.find_proposal(number):
        return proposal
    raise InvalidEntryError(f"nothing waits for an answer under the number {number}")


def _change_setup(table: Table, entry: Entry, payload: SetupChanged, is_checked: bool) -> Table:
    """Return the table at its start with another set-up and order of seats.

    Each log line stays with its player. Removed steps, proposals, repairs and claims are dropped.
    """
    if sorted(payload.order) != list(range(len(table.seats))):
        raise InvalidEntryError(f"the order {list(payload.order)} does not name each seat once")
    setup = table.tracked.read_setup(payload.setup, is_prechecked=is_checked)
    if len(setup.players) != len(table.seats):
        raise InvalidEntryError(f"the table has {len(table.seats)} players, the set-up {len(setup.players)}")
    now = {old: new for new, old in enumerate(payload.order)}
    all_players = (*payload.order, *range(len(table.seats), len(table.names)))
    return _add_message(
        replace(
            table,
            setup=setup,
            initial_state=table.tracked.initial_state(setup),
            seats=tuple(table.seats[old] for old in payload.order),
            earlier_wins=tuple(table.earlier_wins[old] for old in all_players) if table.earlier_wins else (),
            removed={},
            proposals=(),
            repairs=(),
            agreements={},
            was_over=False,
            claims=(),
            remarks=(),
            pinned_step="",
            consent=payload.consent or table.consent,
            reassigned_seats=tuple(replace(lost, seat=now[lost.seat]) for lost in table.reassigned_seats),
            seat_refusals={now[seat]: refused for seat, refused in table.seat_refusals.items()},
            messages=tuple(
                replace(line, seat=None if line.seat is None else now.get(line.seat)) for line in table.messages
            ),
        ),
        entry,
        "The set-up was changed.",
    )


def _reclaim_seat(table: Table, entry: Entry, seat: int) -> Table:
    name = table.names[seat]
    if not any(lost.seat == seat for lost in table.reclaimable_seats(entry.device)):
        raise InvalidEntryError(f"{name}\u2019s seat was not taken from this phone")
    back = _add_message(_assign_seat(table, seat, entry.device), entry, f"{name}\u2019s own phone is back and goes on.")
    return _drop_unanswerable_proposals(back, entry)


def _assign_seat(table: Table, seat: int, device: str | None) -> Table:
    seats = list(table.seats)
    seats[seat] = device
    waiting = tuple(
        replace(
            proposal,
            waiting_seats=tuple(
                each for each in proposal.waiting_seats if each != seat and not _is_seat_request_for(proposal, seat)
            ),
        )
        for proposal in table.proposals
    )
    lost = tuple(each for each in table.reassigned_seats if (each.seat, each.device) != (seat, device))
    return replace(table, seats=tuple(seats), proposals=waiting, reassigned_seats=lost)


def _is_seat_request_for(proposal: Proposal, seat: int) -> bool:
    """Return whether a phone asks the holder of a seat for it.

    Once the seat has another holder, no one can answer this request.
    """
    return proposal.asks_holder and proposal.seat == seat


def _apply_proposable(
    table: Table,
    entry: Entry,
    proposable: Proposable,
    seat: int | None,
    device: str,
    move: Move | None = None,
    is_checked: bool = False,
) -> Table:
    """Return the table after a change that needs no consent, or that the table agreed to.

    :raises IllegalMoveError: if the rules refuse a move.
    :raises InvalidInputError: if a move cannot be read.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if it is not, or no longer, possible.
    """
    match upcast_change(table, proposable):
        case Played(data):
            said = move or decode_stored_move(table.tracked, data)
            step = make_step(
                table.tracked, table.state, entry.number, _check_seat(table, seat), said, is_checked=is_checked
            )
            step = replace(step, created_at=entry.created_at)
            line = LogMessage(
                entry.number,
                seat,
                step.text,
                is_secret=step.move.is_secret,
                is_step=True,
                created_at=entry.created_at,
                is_news=step.move.needs_consent,
            )
            played = replace(table, steps=(*table.steps, step), messages=(*table.messages, line), pinned_step="")
            return _add_remark(table, played, _sheet_text(table, step))
        case LogRewritten() as rewrite:
            return _rewrite_log(table, entry, rewrite, seat, proposable)
        case ConsentChanged(consent):
            return _add_message(
                replace(table, consent=consent), entry, f"From now on {CONSENT_TEXTS[consent]}.", is_news=True
            )
        case OwnRuling() as ruling:
            return _add_message(
                replace(table, own_rulings=_replace_own_ruling(table, ruling)),
                entry,
                end_sentence(_own_ruling_text(ruling)),
                is_news=True,
            )
        case SeatRequested():
            return _reassign_seat(table, entry, _check_seat(table, seat), device)


def _replace_own_ruling(table: Table, ruling: OwnRuling) -> tuple[OwnRuling, ...]:
    """Return the table's own rulings with one added, replaced or removed.

    :raises InvalidEntryError: if this changes nothing.
    """
    others = tuple(each for each in table.own_rulings if each.question != ruling.question)
    after = (*others, ruling) if ruling.interpretation else others
    if set(after) == set(table.own_rulings):
        raise InvalidEntryError("the table plays it so already")
    return after


def _own_ruling_text(ruling: OwnRuling) -> str:
    """Return the text of a house rule, or of its removal."""
    question = f"\u201c{ruling.question}\u201d"
    return (
        f"The table plays {question} so: {quote(end_sentence(ruling.interpretation))}"
        if ruling.interpretation
        else f"The table has no ruling on {question} any more"
    )


def _save_verdict(table: Table, entry: Entry, payload: VerdictSaved, seat: int) -> Table:
    text = f"{table.names[seat]} kept a verdict: {quote(f'{payload.question} {end_sentence(payload.answer)}')}"
    line = LogMessage(entry.number, seat, text, created_at=entry.created_at, is_news=True, is_verdict=True)
    verdict = Verdict(entry.number, entry.created_at, seat, payload)
    return replace(table, verdicts=(*table.verdicts, verdict), messages=(*table.messages, line))


def _save_claim(table: Table, entry: Entry, plan: str, seat: int) -> Table:
    others = tuple(each for each in table.claims if each.seat != seat)
    told = f"{table.names[seat]} sees it otherwise" if plan else f"{table.names[seat]} leaves it as it is told"
    claims = (*others, Claim(entry.number, seat, plan)) if plan else others
    return _add_message(replace(table, claims=claims), entry, f"{told}.", is_news=True)


CONSENT_TEXTS: dict[ConsentPolicy, str] = {
    "concerned": "those it concerns are asked",
    "everybody": "everybody is asked",
    "most": "most are enough",
    "trust": "what somebody sets right holds at once",
}


def _actor_name(table: Table, seat: int | None) -> str:
    return "the host" if seat is None else table.names[_check_seat(table, seat)]


def _rewrite_log(
    table: Table, entry: Entry, rewrite: LogRewritten, seat: int | None, stored_change: Proposable
) -> Table:
    """Return the table with a rewritten log, without the proposals that asked for this change.

    :param stored_change: the rewrite as its entry or proposal has it, in the form of its version.
    """
    who = _actor_name(table, seat)
    steps = _rewritten_steps(table, entry, rewrite, seat)
    rewriting = diff_logs(table, steps)
    if not rewriting.changed_steps:
        raise InvalidEntryError("this changes nothing of the story")
    gone, back = {step.id for step in rewriting.removed}, {step.id for step in rewriting.restored}
    undone = {id: aside for id, aside in table.removed.items() if id not in back}
    undone |= {step.id: (step, who) for step in rewriting.removed}
    text = f"{who} {rewriting.log_text}"
    start, end = common_ends(table.steps, steps)
    repair = Repair(
        number=entry.number,
        created_at=entry.created_at,
        text=text,
        previous_step=table.steps[start - 1].id if start else "",
        old_steps=table.steps[start : len(table.steps) - end],
        new_steps=steps[start : len(steps) - end],
        removed=rewriting.removed,
        added=(*rewriting.restored, *rewriting.inserted),
        state_before=table.state,
        state_after=steps[-1].after if steps else table.initial_state,
    )
    after = replace(
        table,
        steps=steps,
        removed=undone,
        messages=tuple(_mark_removed(line, gone, back, who) for line in table.messages),
        proposals=tuple(proposal for proposal in table.proposals if proposal.proposable != stored_change),
        repairs=(*table.repairs, repair),
        pinned_step="",
    )
    secret = rewriting.secret_seat is not None
    line = LogMessage(
        entry.number,
        rewriting.changed_steps[0].seat,
        text,
        secret,
        created_at=entry.created_at,
        is_repair=True,
        is_news=not secret,
    )
    told = replace(after, messages=(*after.messages, line))
    return _add_remark(table, told, f"{who} set a note right." if secret else text)


def _rewritten_steps(table: Table, entry: Entry, rewrite: LogRewritten, seat: int | None) -> tuple[Step, ...]:
    """Return the steps with one part of the log replaced.

    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the rewrite refers to steps that do not exist.
    """
    told = enumerate(rewrite.replacement)
    return table.rewritten(
        rewrite,
        {place: _new_step(table, entry, seat, place, each) for place, each in told if isinstance(each, NewMove)},
    )


def _new_step(table: Table, entry: Entry, author_seat: int | None, index: int, new_move: NewMove) -> Step:
    """Return a step for a new move, before replaying gives it its states."""
    move = decode_stored_move(table.tracked, new_move.move)
    return Step(
        entry.number,
        _check_seat(table, new_move.seat),
        move,
        UNPLAYED,
        UNPLAYED,
        "",
        index + 1,
        entry.created_at,
        None if author_seat == new_move.seat else author_seat,
    )


def _mark_removed(line: LogMessage, removed: set[str], restored: set[str], actor_name: str) -> LogMessage:
    """Return a step's log line, marked with the player who removed it, or unmarked if restored."""
    if line.is_step and str(line.number) in removed:
        return replace(line, removed_by=actor_name)
    return replace(line, removed_by=None) if line.is_step and str(line.number) in restored else line


def _sheet_text(table: Table, step: Step) -> str:
    """Return a step as text for the score sheet, which everyone reads."""
    return f"{table.names[step.seat]} noted something anew." if step.move.is_secret else step.text


def _add_remark(before: Table, after: Table, text: str) -> Table:
    """Return the table with a remark for the sheet, if this changed something after the end."""
    remark = f"After the end: {text}"
    return (
        replace(after, remarks=(*after.remarks, remark)) if before.was_over and remark not in after.remarks else after
    )


def _reassign_seat(table: Table, entry: Entry, seat: int, device: str) -> Table:
    name, holder = table.names[seat], table.seats[seat]
    moved = _add_message(_assign_seat(table, seat, device), entry, f"{name} goes on from another phone.")
    if holder not in (None, device, entry.device):
        moved = replace(
            moved,
            reassigned_seats=(
                *moved.reassigned_seats,
                ReassignedSeat(seat, holder, is_host_decision=isinstance(entry.payload, Decided)),
            ),
        )
    return _drop_unanswerable_proposals(moved, entry)


def _drop_unanswerable_proposals(table: Table, entry: Entry) -> Table:
    """Drop the proposals that no one is left to agree to; the asker can ask again."""
    for proposal in table.proposals:
        if not proposal.waiting_seats:
            others = tuple(each for each in table.proposals if each.number != proposal.number)
            why = "No longer asked" if proposal.asks_holder else "Nobody is left to agree"
            table = _add_message(replace(table, proposals=others), entry, f"{why}: {proposal.quoted_text}")
    return table


def _add_proposal(table: Table, entry: Entry, payload: Proposed) -> Table:
    change = payload.proposable
    if isinstance(change, SeatRequested) and change.asks_holder:
        waiting = _seat_request_approvers(table, entry)
    elif payload.asked_seats is None:
        raise InvalidEntryError("the request does not say who is asked")
    else:
        others = table.other_seats(entry.device)
        can_answer = (*others, entry.seat) if isinstance(change, SeatRequested) else others
        waiting = tuple(seat for seat in payload.asked_seats if seat in can_answer)
    proposal = Proposal(
        number=entry.number,
        device=entry.device,
        seat=entry.seat,
        proposable=change,
        text=proposal_text(table, entry.seat, change),
        waiting_seats=waiting,
        created_at=entry.created_at,
        asked_seats=waiting,
        required_agreements=payload.required_agreements,
    )
    return _apply_or_keep_proposal(table, entry, proposal)


def _seat_request_approvers(table: Table, entry: Entry) -> tuple[int, ...]:
    """Return the seats whose agreement to a seat request counts.

    These are the holder's seat, or all other seats together.
    """
    seat = _check_seat(table, entry.seat)
    others = table.other_seats(entry.device, except_seat=seat)
    holder = table.seats[seat]
    return (seat, *(other for other in others if table.seats[other] != holder))


def _record_agreement(table: Table, entry: Entry, payload: Agreed) -> Table:
    proposal = _pending_proposal(table, payload.proposal)
    mine = table.seats_of(entry.device)
    agreed = (*proposal.agreed_seats, *(seat for seat in proposal.waiting_seats if seat in mine))
    waiting = () if payload.decided else tuple(seat for seat in proposal.waiting_seats if seat not in mine)
    if proposal.asks_holder and (proposal.seat in mine or waiting == (proposal.seat,)):
        waiting = ()
    if 0 < proposal.required_agreements <= len(agreed):
        waiting = ()
    return _apply_or_keep_proposal(table, entry, replace(proposal, waiting_seats=waiting, agreed_seats=agreed))


def _apply_or_keep_proposal(table: Table, entry: Entry, proposal: Proposal) -> Table:
    """Apply a proposal once no seat is waiting; drop it with a message if it is impossible."""
    others = tuple(each for each in table.proposals if each.number != proposal.number)
    if proposal.waiting_seats:
        return replace(table, proposals=(*others, proposal))
    table = replace(table, proposals=others)
    try:
        after = _apply_proposable(table, entry, proposal.proposable, proposal.seat, proposal.device)
    except (IllegalMoveError, ConflictingStepError, InvalidEntryError) as error:
        if further := _extended_rollback(table, proposal):
            asked_again = replace(table, proposals=(*others, further))
            return _add_message(
                asked_again, entry, f"The game has gone on, so it is asked again: {further.quoted_text}", is_news=True
            )
        why = OUTDATED_PROPOSAL_TEXT if isinstance(error, InvalidEntryError) else error
        return _add_message(table, entry, f"{quote(proposal.text)} is no longer possible. {why}", is_news=True)
    agreement = Agreement(proposal.agreed_seats, isinstance(entry.payload, Decided))
    # The table has agreed on what happened, so the claims are settled.
    if isinstance(proposal.proposable, LogRewritten):
        after = replace(after, claims=())
    return replace(after, agreements={**table.agreements, entry.number: agreement})


def _extended_rollback(table: Table, proposal: Proposal) -> Proposal | None:
    """Return a rollback proposal extended to the steps that were added since it was asked."""
    change = proposal.proposable
    if not isinstance(change, LogRewritten) or change.replacement or change.last_step not in table.index_by_step:
        return None
    later = table.steps[table.index_by_step[change.last_step] + 1 :]
    if not later or any(step.number < proposal.number for step in later):
        return None
    all_of_it = replace(change, last_step=later[-1].id)
    waiting = tuple(seat for seat in proposal.asked_seats if table.seats[seat] not in (None, proposal.device))
    try:
        text = proposal_text(table, proposal.seat, all_of_it)
    except InvalidEntryError:  # its first step is no longer active
        return None
    return (
        replace(proposal, proposable=all_of_it, text=text, waiting_seats=waiting, agreed_seats=()) if waiting else None
    )


def _record_decline(table: Table, entry: Entry, proposal: Proposal) -> Table:
    waiting = tuple(seat for seat in proposal.waiting_seats if seat not in table.seats_of(entry.device))
    # The remaining seats are still enough.
    if waiting != proposal.waiting_seats and 0 < proposal.required_agreements <= len(proposal.agreed_seats) + len(
        waiting
    ):
        still = (
            replace(each, waiting_seats=waiting) if each.number == proposal.number else each for each in table.proposals
        )
        return _add_decline_message(replace(table, proposals=tuple(still)), entry, proposal, is_news=False)
    table = replace(table, proposals=tuple(each for each in table.proposals if each.number != proposal.number))
    if entry.device == proposal.device:
        return _add_message(table, entry, f"No longer asked: {proposal.quoted_text}", is_news=True)
    if isinstance(proposal.proposable, SeatRequested) and proposal.seat is not None:
        table = replace(
            table, seat_refusals={**table.seat_refusals, proposal.seat: SeatRefusal(proposal.device, entry.created_at)}
        )
    return _add_decline_message(table, entry, proposal, is_news=True)


def _add_decline_message(table: Table, entry: Entry, proposal: Proposal, *, is_news: bool) -> Table:
    """Return the table with the log line of a declined request.

    A phone that asks for a seat has no name yet.
    """
    asker = None if isinstance(proposal.proposable, SeatRequested) else proposal.seat
    whose = "a request" if asker is None else f"{table.names[asker]}\u2019s request"
    did = f"{capitalize_first(_actor_name(table, entry.seat))} declined"
    line = LogMessage(
        entry.number,
        entry.seat,
        f"{did} {whose}: {proposal.quoted_text}",
        created_at=entry.created_at,
        is_news=is_news,
        recipient_seat=asker,
        recipient_text=f"{did} your request: {proposal.quoted_text}",
    )
    return replace(table, messages=(*table.messages, line))


def _add_message(
    table: Table, entry: Entry, text: str, is_secret: bool = False, seat: int | None = None, is_news: bool = False
) -> Table:
    line = LogMessage(
        entry.number,
        entry.seat if seat is None else seat,
        text,
        is_secret=is_secret,
        created_at=entry.created_at,
        is_news=is_news,
    )
    return replace(table, messages=(*table.messages, line))


def proposal_text(table: Table, seat: int | None, proposable: Proposable) -> str:
    """Return the text of a proposal.

    :raises InvalidInputError: if a move cannot be read.
    :raises InvalidEntryError: if the proposal refers to something that does not exist.
    """
    match upcast_change(table, proposable):
        case Played(move):
            return decode_stored_move(table.tracked, move).label(table.state, _check_seat(table, seat))
        case LogRewritten() as rewrite:
            try:
                return diff_logs(
                    table, _rewritten_steps(table, Entry(table.version + 1, "", "", seat, rewrite), rewrite, seat)
                ).request_text
            # The current rules refuse it. If the table agrees to it, a message says that it is impossible.
            except ConflictingStepError:
                place = table.index_of(rewrite.start_step)
                return (
                    f"Set the story right from {quote_step(table.steps[place])} on"
                    if rewrite.start_step
                    else "Tell what was missing"
                )
        case ConsentChanged(consent):
            return f"From now on {CONSENT_TEXTS[consent]}"
        case OwnRuling() as ruling:
            return _own_ruling_text(ruling)
        case SeatRequested():
            return f"Go on as {table.names[_check_seat(table, seat)]} from another phone"
