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
    """A stored log that the current rules core cannot replay; the text names the entry."""

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
        table_text = f" of table {truncate(code)}" if code else ""
        raise CorruptLogError(f"Entry {entry.number}{table_text} cannot be followed: {error}") from error


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
    payload = entry.payload
    if not isinstance(payload, Opened):
        raise InvalidEntryError("a log begins with the opening of the table")
    if payload.game not in TRACKED_GAMES:
        raise InvalidEntryError(f"there is no game \u201c{truncate(payload.game)}\u201d")
    tracked = TRACKED_GAMES[payload.game]
    setup = tracked.read_setup(payload.setup, is_prechecked=is_checked)
    state = tracked.initial_state(setup)
    if len(payload.wins) not in (0, len(state.players)):
        raise InvalidEntryError(
            f"{len(payload.wins)} numbers of games won are not those of {pluralize(len(state.players), 'player')}"
        )
    # The app plays the players after these seats.
    return Table(
        code=code,
        version=entry.number,
        game_key=payload.game,
        rules_version=payload.version,
        host=entry.device,
        opened_at=entry.created_at,
        setup=setup,
        initial_state=state,
        seats=(None,) * len(setup.players),
        messages=(
            LogMessage(entry.number, None, f"The table is open: {tracked.box.title}.", created_at=entry.created_at),
        ),
        updated_at=entry.created_at,
        previous_code=payload.previous_code,
        earlier_wins=payload.wins,
        consent=payload.consent,
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
    new_table = _apply_payload(table, entry, move, is_checked)
    last_entry_by = {**table.last_entry_by, entry.device: entry.number}
    return replace(
        new_table,
        version=entry.number,
        updated_at=entry.created_at,
        last_entry_by=last_entry_by,
        was_over=table.was_over or new_table.is_over,
    )


def _apply_payload(table: Table, entry: Entry, move: Move | None, is_checked: bool) -> Table:
    if entry.seat is not None:
        _check_seat(table, entry.seat)
    match entry.payload:
        case Opened():
            raise InvalidEntryError("the table is open already")
        case SetupChanged() as payload:
            return _change_setup(table, entry, payload, is_checked)
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
        case Proposed() as payload:
            return _add_proposal(table, entry, payload)
        case Agreed() as payload:
            return _record_agreement(table, entry, payload)
        case Decided(number):
            proposal = _pending_proposal(table, number)
            decided = f"The host decided: {proposal.quoted_text}"
            text = _add_message(table, entry, decided, is_news=True)
            if not isinstance(proposal.proposable, SeatRequested):
                text = replace(text, remarks=(*text.remarks, decided))
            return _apply_or_keep_proposal(text, entry, replace(proposal, waiting_seats=()))
        case Declined(number):
            return _record_decline(table, entry, _pending_proposal(table, number))
        case VerdictSaved() as payload:
            return _save_verdict(table, entry, payload, _check_seat(table, entry.seat))
        case AccountClaimed(plan):
            return _save_claim(table, entry, plan, _check_seat(table, entry.seat))
        case RematchOpened(code):
            return _add_message(replace(table, next_code=code), entry, "The players go on to another game.")
        case Imported():
            text = "The table was brought here in a file; whoever plays on takes a seat."
            return _add_message(replace(mark_imported(table), imported=False), entry, text)
        case change:
            return _apply_proposable(table, entry, change, entry.seat, entry.device, move, is_checked)


def mark_imported(table: Table) -> Table:
    """Return an imported table: without phones, proposals and links to other tables."""
    empty_seats = (None,) * len(table.seats)
    return replace(
        table,
        imported=True,
        host="",
        seats=empty_seats,
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
    new_seats = {old: new for new, old in enumerate(payload.order)}
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
            reassigned_seats=tuple(replace(lost, seat=new_seats[lost.seat]) for lost in table.reassigned_seats),
            seat_refusals={new_seats[seat]: refused for seat, refused in table.seat_refusals.items()},
            messages=tuple(
                replace(line, seat=None if line.seat is None else new_seats.get(line.seat)) for line in table.messages
            ),
        ),
        entry,
        "The set-up was changed.",
    )


def _reclaim_seat(table: Table, entry: Entry, seat: int) -> Table:
    name = table.names[seat]
    if not any(lost.seat == seat for lost in table.reclaimable_seats(entry.device)):
        raise InvalidEntryError(f"{name}\u2019s seat was not taken from this phone")
    reclaimed = _add_message(
        _assign_seat(table, seat, entry.device), entry, f"{name}\u2019s own phone is back and goes on."
    )
    return _drop_unanswerable_proposals(reclaimed, entry)


def _assign_seat(table: Table, seat: int, device: str | None) -> Table:
    seats = list(table.seats)
    seats[seat] = device
    proposals = tuple(
        replace(
            proposal,
            waiting_seats=tuple(
                other for other in proposal.waiting_seats if other != seat and not _is_seat_request_for(proposal, seat)
            ),
        )
        for proposal in table.proposals
    )
    lost = tuple(other for other in table.reassigned_seats if (other.seat, other.device) != (seat, device))
    return replace(table, seats=tuple(seats), proposals=proposals, reassigned_seats=lost)


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
            played_move = move or decode_stored_move(table.tracked, data)
            step = make_step(
                table.tracked, table.state, entry.number, _check_seat(table, seat), played_move, is_checked=is_checked
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
            new_table = replace(table, steps=(*table.steps, step), messages=(*table.messages, line), pinned_step="")
            return _add_remark(table, new_table, _sheet_text(table, step))
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
    other_rulings = tuple(other for other in table.own_rulings if other.question != ruling.question)
    rulings = (*other_rulings, ruling) if ruling.interpretation else other_rulings
    if set(rulings) == set(table.own_rulings):
        raise InvalidEntryError("the table plays it so already")
    return rulings


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
    other_claims = tuple(claim for claim in table.claims if claim.seat != seat)
    text = f"{table.names[seat]} sees it otherwise" if plan else f"{table.names[seat]} leaves it as it is told"
    claims = (*other_claims, Claim(entry.number, seat, plan)) if plan else other_claims
    return _add_message(replace(table, claims=claims), entry, f"{text}.", is_news=True)


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
    actor_name = _actor_name(table, seat)
    steps = _rewritten_steps(table, entry, rewrite, seat)
    log_diff = diff_logs(table, steps)
    if not log_diff.changed_steps:
        raise InvalidEntryError("this changes nothing of the story")
    removed_ids, restored_ids = {step.id for step in log_diff.removed}, {step.id for step in log_diff.restored}
    removed = {id: removal for id, removal in table.removed.items() if id not in restored_ids}
    removed |= {step.id: (step, actor_name) for step in log_diff.removed}
    text = f"{actor_name} {log_diff.log_text}"
    start, end = common_ends(table.steps, steps)
    repair = Repair(
        number=entry.number,
        created_at=entry.created_at,
        text=text,
        previous_step=table.steps[start - 1].id if start else "",
        old_steps=table.steps[start : len(table.steps) - end],
        new_steps=steps[start : len(steps) - end],
        removed=log_diff.removed,
        added=(*log_diff.restored, *log_diff.inserted),
        state_before=table.state,
        state_after=steps[-1].after if steps else table.initial_state,
    )
    new_table = replace(
        table,
        steps=steps,
        removed=removed,
        messages=tuple(_mark_removed(line, removed_ids, restored_ids, actor_name) for line in table.messages),
        proposals=tuple(proposal for proposal in table.proposals if proposal.proposable != stored_change),
        repairs=(*table.repairs, repair),
        pinned_step="",
    )
    is_secret = log_diff.secret_seat is not None
    line = LogMessage(
        entry.number,
        log_diff.changed_steps[0].seat,
        text,
        is_secret,
        created_at=entry.created_at,
        is_repair=True,
        is_news=not is_secret,
    )
    new_table_with_line = replace(new_table, messages=(*new_table.messages, line))
    return _add_remark(table, new_table_with_line, f"{actor_name} set a note right." if is_secret else text)


def _rewritten_steps(table: Table, entry: Entry, rewrite: LogRewritten, seat: int | None) -> tuple[Step, ...]:
    """Return the steps with one part of the log replaced.

    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the rewrite refers to steps that do not exist.
    """
    references = enumerate(rewrite.replacement)
    return table.rewritten(
        rewrite,
        {
            index: _new_step(table, entry, seat, index, reference)
            for index, reference in references
            if isinstance(reference, NewMove)
        },
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
            other_proposals = tuple(other for other in table.proposals if other.number != proposal.number)
            prefix = "No longer asked" if proposal.asks_holder else "Nobody is left to agree"
            table = _add_message(replace(table, proposals=other_proposals), entry, f"{prefix}: {proposal.quoted_text}")
    return table


def _add_proposal(table: Table, entry: Entry, payload: Proposed) -> Table:
    change = payload.proposable
    if isinstance(change, SeatRequested) and change.asks_holder:
        waiting = _seat_request_approvers(table, entry)
    elif payload.asked_seats is None:
        raise InvalidEntryError("the request does not say who is asked")
    else:
        other_seats = table.other_seats(entry.device)
        can_answer = (*other_seats, entry.seat) if isinstance(change, SeatRequested) else other_seats
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
    other_seats = table.other_seats(entry.device, except_seat=seat)
    holder = table.seats[seat]
    return (seat, *(other_seat for other_seat in other_seats if table.seats[other_seat] != holder))


def _record_agreement(table: Table, entry: Entry, payload: Agreed) -> Table:
    proposal = _pending_proposal(table, payload.proposal)
    own_seats = table.seats_of(entry.device)
    agreed = (*proposal.agreed_seats, *(seat for seat in proposal.waiting_seats if seat in own_seats))
    waiting = () if payload.decided else tuple(seat for seat in proposal.waiting_seats if seat not in own_seats)
    if proposal.asks_holder and (proposal.seat in own_seats or waiting == (proposal.seat,)):
        waiting = ()
    if 0 < proposal.required_agreements <= len(agreed):
        waiting = ()
    return _apply_or_keep_proposal(table, entry, replace(proposal, waiting_seats=waiting, agreed_seats=agreed))


def _apply_or_keep_proposal(table: Table, entry: Entry, proposal: Proposal) -> Table:
    """Apply a proposal once no seat is waiting; drop it with a message if it is impossible."""
    other_proposals = tuple(other for other in table.proposals if other.number != proposal.number)
    if proposal.waiting_seats:
        return replace(table, proposals=(*other_proposals, proposal))
    table = replace(table, proposals=other_proposals)
    try:
        new_table = _apply_proposable(table, entry, proposal.proposable, proposal.seat, proposal.device)
    except (IllegalMoveError, ConflictingStepError, InvalidEntryError) as error:
        if extended := _extended_rollback(table, proposal):
            asked_again = replace(table, proposals=(*other_proposals, extended))
            return _add_message(
                asked_again, entry, f"The game has gone on, so it is asked again: {extended.quoted_text}", is_news=True
            )
        reason = OUTDATED_PROPOSAL_TEXT if isinstance(error, InvalidEntryError) else error
        return _add_message(table, entry, f"{quote(proposal.text)} is no longer possible. {reason}", is_news=True)
    agreement = Agreement(proposal.agreed_seats, isinstance(entry.payload, Decided))
    # The table has agreed on what happened, so the claims are settled.
    if isinstance(proposal.proposable, LogRewritten):
        new_table = replace(new_table, claims=())
    return replace(new_table, agreements={**table.agreements, entry.number: agreement})


def _extended_rollback(table: Table, proposal: Proposal) -> Proposal | None:
    """Return a rollback proposal extended to the steps that were added since it was asked."""
    change = proposal.proposable
    if not isinstance(change, LogRewritten) or change.replacement or change.last_step not in table.index_by_step:
        return None
    later = table.steps[table.index_by_step[change.last_step] + 1 :]
    if not later or any(step.number < proposal.number for step in later):
        return None
    extended = replace(change, last_step=later[-1].id)
    waiting = tuple(seat for seat in proposal.asked_seats if table.seats[seat] not in (None, proposal.device))
    try:
        text = proposal_text(table, proposal.seat, extended)
    except InvalidEntryError:  # its first step is no longer active
        return None
    return (
        replace(proposal, proposable=extended, text=text, waiting_seats=waiting, agreed_seats=()) if waiting else None
    )


def _record_decline(table: Table, entry: Entry, proposal: Proposal) -> Table:
    waiting = tuple(seat for seat in proposal.waiting_seats if seat not in table.seats_of(entry.device))
    # The remaining seats are still enough.
    if waiting != proposal.waiting_seats and 0 < proposal.required_agreements <= len(proposal.agreed_seats) + len(
        waiting
    ):
        proposals = (
            replace(other, waiting_seats=waiting) if other.number == proposal.number else other
            for other in table.proposals
        )
        return _add_decline_message(replace(table, proposals=tuple(proposals)), entry, proposal, is_news=False)
    table = replace(table, proposals=tuple(other for other in table.proposals if other.number != proposal.number))
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
    asker_seat = None if isinstance(proposal.proposable, SeatRequested) else proposal.seat
    request_text = "a request" if asker_seat is None else f"{table.names[asker_seat]}\u2019s request"
    verb_phrase = f"{capitalize_first(_actor_name(table, entry.seat))} declined"
    line = LogMessage(
        entry.number,
        entry.seat,
        f"{verb_phrase} {request_text}: {proposal.quoted_text}",
        created_at=entry.created_at,
        is_news=is_news,
        recipient_seat=asker_seat,
        recipient_text=f"{verb_phrase} your request: {proposal.quoted_text}",
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
                index = table.index_of(rewrite.start_step)
                return (
                    f"Set the story right from {quote_step(table.steps[index])} on"
                    if rewrite.start_step
                    else "Tell what was missing"
                )
        case ConsentChanged(consent):
            return f"From now on {CONSENT_TEXTS[consent]}"
        case OwnRuling() as ruling:
            return _own_ruling_text(ruling)
        case SeatRequested():
            return f"Go on as {table.names[_check_seat(table, seat)]} from another phone"
