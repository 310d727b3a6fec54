"""Apply log entries to a table."""

from msgspec.structs import replace

from companion.log.changes import NOTHING_PREPARED, Prepared, apply_change
from companion.log.colors import choose_color, colors_in_order, follow_corrections, initial_colors
from companion.log.entries import (
    AccountClaimed,
    ActionsDone,
    Agreed,
    ColorChosen,
    Decided,
    Declined,
    Entry,
    Imported,
    Opened,
    Played,
    Proposed,
    RematchOpened,
    SeatLeft,
    SeatReclaimed,
    SeatRequested,
    SeatTaken,
    SetupChanged,
    SetupGuideChanged,
    SnapshotPinned,
    VerdictSaved,
)
from companion.log.proposals import (
    add_proposal,
    apply_or_keep_proposal,
    pending_proposal,
    record_agreement,
    record_decline,
)
from companion.log.seats import assign_seat, check_seat, drop_unanswerable_proposals, reclaim_seat
from companion.log.steps import ConflictingStepError, InvalidEntryError
from companion.log.table import (
    Claim,
    LogMessage,
    Table,
    Verdict,
    add_message,
)
from companion.log.upcast import upcast_entry
from scoring.games import TRACKED_GAMES
from scoring.kernel.english import end_sentence, pluralize, truncate, truncate_message
from scoring.kernel.errors import IllegalMoveError, InvalidInputError


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
        raise CorruptLogError(f"Entry {entry.number}{table_text} cannot be replayed: {error}") from error


def _apply_stored_entry(table: Table | None, code: str, entry: Entry) -> Table:
    try:
        return apply_entry(table, entry) if table else open_table(code, entry)
    except IllegalMoveError as error:
        if not _is_from_earlier_rules(table, entry):
            raise
        try:
            checked = Prepared(is_checked=True)
            return apply_entry(table, entry, checked) if table else open_table(code, entry, is_checked=True)
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

    :param is_checked: whether the setup was checked before, so that it is not checked again.
    :raises InvalidInputError: if the setup cannot be read.
    :raises IllegalMoveError: if the setup is not legal.
    :raises InvalidEntryError: if the entry does not open a table of a known game.
    """
    payload = entry.payload
    if not isinstance(payload, Opened):
        raise InvalidEntryError("the first entry of a log must open the table")
    if payload.game not in TRACKED_GAMES:
        raise InvalidEntryError(f"there is no game \u201c{truncate(payload.game)}\u201d")
    tracked = TRACKED_GAMES[payload.game]
    setup = tracked.read_setup(payload.setup, is_prechecked=is_checked)
    state = tracked.initial_state(setup)
    if len(payload.wins) not in (0, len(state.players)):
        raise InvalidEntryError(
            f"{pluralize(len(payload.wins), 'number')} of games won for {pluralize(len(state.players), 'player')}"
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
        piece_colors=initial_colors(tracked.pieces, setup, len(state.players), payload.colors),
        messages=(LogMessage(entry.number, None, f"New game: {tracked.box.title}.", created_at=entry.created_at),),
        updated_at=entry.created_at,
        previous_code=payload.previous_code,
        earlier_wins=payload.wins,
        consent=payload.consent,
    )


def apply_entry(table: Table, entry: Entry, prepared: Prepared = NOTHING_PREPARED) -> Table:
    """Return the table after one more entry.

    :raises IllegalMoveError: if the rules refuse a move or setup.
    :raises InvalidInputError: if a move or setup cannot be read.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the entry refers to something that does not exist.
    """
    new_table = follow_corrections(table, _apply_payload(table, entry, prepared))
    last_entry_by = {**table.last_entry_by, entry.device: entry.number}
    return replace(
        new_table,
        version=entry.number,
        updated_at=entry.created_at,
        last_entry_by=last_entry_by,
        was_over=table.was_over or new_table.is_over,
    )


def _apply_payload(table: Table, entry: Entry, prepared: Prepared) -> Table:
    if entry.seat is not None:
        check_seat(table, entry.seat)
    match entry.payload:
        case Opened():
            raise InvalidEntryError("the table is already open")
        case SetupChanged() as payload:
            return _change_setup(table, entry, payload, prepared.is_checked)
        case SeatTaken(color):
            seat = check_seat(table, entry.seat)
            # An imported table has no host; the first player to take a seat becomes the host.
            host = table.host or entry.device
            joined = add_message(
                replace(assign_seat(table, seat, entry.device), host=host), entry, f"{table.names[seat]} joined."
            )
            return choose_color(joined, entry, seat, color) if color else joined
        case ColorChosen(color):
            return choose_color(table, entry, check_seat(table, entry.seat), color)
        case SeatLeft():
            seat = check_seat(table, entry.seat)
            left = add_message(assign_seat(table, seat, None), entry, f"{table.names[seat]} left the seat.")
            return drop_unanswerable_proposals(left, entry)
        case SeatReclaimed():
            return reclaim_seat(table, entry, check_seat(table, entry.seat))
        case SetupGuideChanged() as payload:
            return replace(table, setup_guide=payload)
        case ActionsDone(repair, owner):
            return _finish_actions(table, repair, owner)
        case SnapshotPinned(step):
            return replace(table, pinned_step=table.find_step(step).id if step else "")
        case Proposed() as payload:
            return add_proposal(table, entry, payload, prepared)
        case Agreed() as payload:
            return record_agreement(table, entry, payload)
        case Decided(number):
            proposal = pending_proposal(table, number)
            decided = f"The host decided: {proposal.sentence}"
            text = add_message(table, entry, decided)  # Its result is the news.
            if not isinstance(proposal.proposable, SeatRequested):
                text = replace(text, remarks=(*text.remarks, decided))
            return apply_or_keep_proposal(text, entry, replace(proposal, waiting_seats=()))
        case Declined(number):
            return record_decline(table, entry, pending_proposal(table, number))
        case VerdictSaved() as payload:
            return _save_verdict(table, entry, payload, check_seat(table, entry.seat))
        case AccountClaimed(plan):
            return _save_claim(table, entry, plan, check_seat(table, entry.seat))
        case RematchOpened(code):
            return add_message(replace(table, next_code=code), entry, "The players started a new game.")
        case Imported():
            text = "The game was imported from a file. Take a seat to continue."
            return add_message(replace(mark_imported(table), imported=False), entry, text)
        case change:
            return apply_change(table, entry, change, entry.seat, entry.device, prepared)


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


def _change_setup(table: Table, entry: Entry, payload: SetupChanged, is_checked: bool) -> Table:
    """Return the table at its start with another setup and order of seats.

    Each log line stays with its player. Removed steps, proposals, repairs and claims are dropped.
    """
    if sorted(payload.order) != list(range(len(table.seats))):
        raise InvalidEntryError(f"the order {list(payload.order)} does not name each seat once")
    setup = table.tracked.read_setup(payload.setup, is_prechecked=is_checked)
    if len(setup.players) != len(table.seats):
        raise InvalidEntryError(f"the table has {len(table.seats)} players, the setup {len(setup.players)}")
    new_seats = {old: new for new, old in enumerate(payload.order)}
    all_players = (*payload.order, *range(len(table.seats), len(table.names)))
    colors = colors_in_order(table, all_players)
    return add_message(
        replace(
            table,
            setup=setup,
            initial_state=table.tracked.initial_state(setup),
            seats=tuple(table.seats[old] for old in payload.order),
            piece_colors=initial_colors(table.tracked.pieces, setup, len(all_players), colors),
            earlier_wins=tuple(table.earlier_wins[old] for old in all_players) if table.earlier_wins else (),
            removed={},
            proposals=(),
            repairs=(),
            open_actions=None,
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
        "The setup was changed.",
    )


def _finish_actions(table: Table, repair: int, owner: int | None) -> Table:
    """Return the table without the actions of one owner, or without all of them.

    :raises InvalidEntryError: if they are not those of the latest repair.
    """
    open_actions = table.open_actions
    if open_actions is None or open_actions.repair != repair:
        raise InvalidEntryError(f"there are no open actions of repair {repair}")
    done = None if owner is None else replace(open_actions, done=(*open_actions.done, owner))
    return replace(table, open_actions=done)


def _save_verdict(table: Table, entry: Entry, payload: VerdictSaved, seat: int) -> Table:
    text = f"Answer saved. {payload.question} {end_sentence(payload.answer)}"
    line = LogMessage(entry.number, seat, text, created_at=entry.created_at, is_news=True, is_verdict=True)
    verdict = Verdict(entry.number, entry.created_at, seat, payload)
    return replace(table, verdicts=(*table.verdicts, verdict), messages=(*table.messages, line))


def _save_claim(table: Table, entry: Entry, plan: str, seat: int) -> Table:
    other_claims = tuple(claim for claim in table.claims if claim.seat != seat)
    text = f"{table.names[seat]} {'entered a different version' if plan else 'agrees with the game log'}."
    claims = (*other_claims, Claim(entry.number, seat, plan)) if plan else other_claims
    return add_message(replace(table, claims=claims), entry, text, is_news=True)
