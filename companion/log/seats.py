"""Who holds which seat of a table."""

from msgspec.structs import replace

from companion.log.entries import Decided, Entry
from companion.log.steps import InvalidEntryError
from companion.log.table import ReassignedSeat, Table, add_message


def check_seat(table: Table, seat: int | None) -> int:
    """Return a seat number after checking that the seat exists.

    :raises InvalidEntryError: if the table has no such seat.
    """
    if seat is None or not 0 <= seat < len(table.seats):
        raise InvalidEntryError(f"there is no seat {seat}")
    return seat


def reclaim_seat(table: Table, entry: Entry, seat: int) -> Table:
    """Return the table after a phone took its own seat back.

    :raises InvalidEntryError: if the seat was not taken from this phone.
    """
    name = table.names[seat]
    if not any(lost.seat == seat for lost in table.reclaimable_seats(entry.device)):
        raise InvalidEntryError(f"{name}\u2019s seat was not taken from this phone")
    reclaimed = add_message(assign_seat(table, seat, entry.device), entry, f"{name} returned to the seat.")
    return drop_unanswerable_proposals(reclaimed, entry)


def assign_seat(table: Table, seat: int, device: str | None) -> Table:
    """Return the table with a seat held by another phone, or by none."""
    seats = list(table.seats)
    seats[seat] = device
    proposals = tuple(
        # Once the seat has another holder, no one can answer a request for it.
        replace(proposal, waiting_seats=())
        if proposal.asks_holder and proposal.seat == seat
        else replace(proposal, waiting_seats=tuple(other for other in proposal.waiting_seats if other != seat))
        for proposal in table.proposals
    )
    lost = tuple(other for other in table.reassigned_seats if (other.seat, other.device) != (seat, device))
    return replace(table, seats=tuple(seats), proposals=proposals, reassigned_seats=lost)


def actor_name(table: Table, seat: int | None) -> str:
    """Return the name of the player at a seat; an entry without a seat is the host's."""
    return "the host" if seat is None else table.names[check_seat(table, seat)]


def reassign_seat(table: Table, entry: Entry, seat: int, device: str) -> Table:
    """Return the table after a phone took over a seat; its former holder may reclaim it."""
    name, holder = table.names[seat], table.seats[seat]
    is_host_decision = isinstance(entry.payload, Decided)
    text = f"{name} moved to another phone."
    moved = add_message(assign_seat(table, seat, device), entry, text, is_news=is_host_decision)
    if holder not in (None, device, entry.device):
        moved = replace(
            moved,
            reassigned_seats=(
                *moved.reassigned_seats,
                ReassignedSeat(seat, holder, is_host_decision=is_host_decision),
            ),
        )
    return drop_unanswerable_proposals(moved, entry)


def drop_unanswerable_proposals(table: Table, entry: Entry) -> Table:
    """Drop the proposals that no one is left to agree to; the asker can ask again."""
    for proposal in table.proposals:
        if not proposal.waiting_seats:
            other_proposals = tuple(other for other in table.proposals if other.number != proposal.number)
            prefix = "Request closed" if proposal.asks_holder else "No one is left to agree to this request"
            table = add_message(replace(table, proposals=other_proposals), entry, f"{prefix}: {proposal.sentence}")
    return table
