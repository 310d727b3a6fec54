"""Requests that wait for the table's consent: answers to them, and what follows."""

from msgspec.structs import replace

from companion.log.changes import NOTHING_PREPARED, Prepared, apply_change, proposal_text
from companion.log.entries import Agreed, Decided, Entry, LogRewritten, Played, Proposed, SeatRequested
from companion.log.seats import actor_name, check_seat
from companion.log.steps import ConflictingStepError, InvalidEntryError
from companion.log.table import Agreement, LogMessage, Proposal, SeatRefusal, Table, add_message
from companion.log.upcast import decode_stored_move
from scoring.kernel.english import capitalize_first
from scoring.kernel.errors import IllegalMoveError

# Reason why a proposal is no longer possible.
OUTDATED_PROPOSAL_TEXT = "The game has changed since then."


def pending_proposal(table: Table, number: int) -> Proposal:
    """Return the proposal that has a number.

    :raises InvalidEntryError: if no such proposal is pending.
    """
    if proposal := table.find_proposal(number):
        return proposal
    raise InvalidEntryError(f"no request {number} is open")


def add_proposal(table: Table, entry: Entry, payload: Proposed, prepared: Prepared = NOTHING_PREPARED) -> Table:
    """Return the table with a new proposal, or after it, if no one has to agree."""
    change = payload.proposable
    if isinstance(change, SeatRequested) and change.asks_holder:
        waiting = _seat_request_approvers(table, entry)
    elif payload.asked_seats is None:
        raise InvalidEntryError("the request does not say who must agree")
    else:
        other_seats = table.other_seats(entry.device)
        can_answer = (*other_seats, entry.seat) if isinstance(change, SeatRequested) else other_seats
        waiting = tuple(seat for seat in payload.asked_seats if seat in can_answer)
    move = prepared.move
    if move is None and isinstance(change, Played):
        move = decode_stored_move(table.tracked, change.move)
    proposal = Proposal(
        number=entry.number,
        device=entry.device,
        seat=entry.seat,
        proposable=change,
        text=prepared.request_text or proposal_text(table, entry.seat, change, move),
        waiting_seats=waiting,
        created_at=entry.created_at,
        asked_seats=waiting,
        required_agreements=payload.required_agreements,
        move=move,
    )
    return apply_or_keep_proposal(table, entry, proposal)


def _seat_request_approvers(table: Table, entry: Entry) -> tuple[int, ...]:
    """Return the seats whose agreement to a seat request counts.

    These are the holder's seat, or all other seats together.
    """
    seat = check_seat(table, entry.seat)
    other_seats = table.other_seats(entry.device, except_seat=seat)
    holder = table.seats[seat]
    return (seat, *(other_seat for other_seat in other_seats if table.seats[other_seat] != holder))


def record_agreement(table: Table, entry: Entry, payload: Agreed) -> Table:
    """Return the table after a phone agreed to a proposal."""
    proposal = pending_proposal(table, payload.proposal)
    own_seats = table.seats_of(entry.device)
    agreed = (*proposal.agreed_seats, *(seat for seat in proposal.waiting_seats if seat in own_seats))
    waiting = () if payload.decided else tuple(seat for seat in proposal.waiting_seats if seat not in own_seats)
    if proposal.asks_holder and (proposal.seat in own_seats or waiting == (proposal.seat,)):
        waiting = ()
    if 0 < proposal.required_agreements <= len(agreed):
        waiting = ()
    return apply_or_keep_proposal(table, entry, replace(proposal, waiting_seats=waiting, agreed_seats=agreed))


def apply_or_keep_proposal(table: Table, entry: Entry, proposal: Proposal) -> Table:
    """Apply a proposal once no seat is waiting; drop it with a message if it is impossible."""
    other_proposals = tuple(other for other in table.proposals if other.number != proposal.number)
    if proposal.waiting_seats:
        return replace(table, proposals=(*other_proposals, proposal))
    table = replace(table, proposals=other_proposals)
    try:
        new_table = apply_change(
            table, entry, proposal.proposable, proposal.seat, proposal.device, Prepared(move=proposal.move)
        )
    except (IllegalMoveError, ConflictingStepError, InvalidEntryError) as error:
        if extended := _extended_rollback(table, proposal):
            asked_again = replace(table, proposals=(*other_proposals, extended))
            text = f"The game has moved on, so {_asker_name(table, extended)} asked again: {extended.sentence}"
            return add_message(asked_again, entry, text, is_news=True)
        reason = OUTDATED_PROPOSAL_TEXT if isinstance(error, InvalidEntryError) else error
        text = f"{_request_text(table, proposal)} This is no longer possible. {reason}"
        return add_message(table, entry, text, is_news=True)
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
        text = proposal_text(table, proposal.seat, extended, None)
    except InvalidEntryError:  # its first step is no longer active
        return None
    return (
        replace(proposal, proposable=extended, text=text, waiting_seats=waiting, agreed_seats=()) if waiting else None
    )


def record_decline(table: Table, entry: Entry, proposal: Proposal) -> Table:
    """Return the table after a phone declined a proposal, or withdrew its own."""
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
        text = f"{capitalize_first(_asker_name(table, proposal))} withdrew a request: {proposal.sentence}"
        return add_message(table, entry, text, is_news=True)
    if isinstance(proposal.proposable, SeatRequested) and proposal.seat is not None:
        table = replace(
            table, seat_refusals={**table.seat_refusals, proposal.seat: SeatRefusal(proposal.device, entry.created_at)}
        )
    return _add_decline_message(table, entry, proposal, is_news=True)


def _add_decline_message(table: Table, entry: Entry, proposal: Proposal, *, is_news: bool) -> Table:
    """Return the table with the log line of a declined request."""
    answer_text = f"{capitalize_first(actor_name(table, entry.seat))} declined."
    line = LogMessage(
        entry.number,
        entry.seat,
        f"{_request_text(table, proposal)} {answer_text}",
        created_at=entry.created_at,
        is_news=is_news,
        recipient_seat=_asker_seat(proposal),
        recipient_text=f"You asked: {proposal.sentence} {answer_text}",
    )
    return replace(table, messages=(*table.messages, line))


def _asker_seat(proposal: Proposal) -> int | None:
    """Return the seat that asks; a phone that asks for a seat does not hold it yet."""
    return None if isinstance(proposal.proposable, SeatRequested) else proposal.seat


def _asker_name(table: Table, proposal: Proposal) -> str:
    seat = _asker_seat(proposal)
    return "someone" if seat is None else table.names[seat]


def _request_text(table: Table, proposal: Proposal) -> str:
    """Return a request as a sentence: "Ana asked: Bo\u2019s acorn 2 \u2192 3."."""
    return f"{capitalize_first(_asker_name(table, proposal))} asked: {proposal.sentence}"
