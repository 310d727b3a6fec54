"""Apply a change that the table agreed to, or that needs no agreement."""

from dataclasses import dataclass

from msgspec.structs import replace

from companion.log.entries import (
    ConsentChanged,
    ConsentPolicy,
    Entry,
    LogRewritten,
    OwnRuling,
    Played,
    Proposable,
    SeatRequested,
)
from companion.log.log_diff import diff_logs
from companion.log.replay import replay_rewrite
from companion.log.rewrite import add_remark, rewrite_log, sheet_text
from companion.log.seats import check_seat, reassign_seat
from companion.log.steps import ConflictingStepError, InvalidEntryError, Step, make_step, quote_step
from companion.log.table import LogMessage, Table, add_message
from companion.log.upcast import decode_stored_move, upcast_change
from scoring.kernel.english import end_sentence
from scoring.kernel.move import Move


@dataclass(frozen=True)
class Prepared:
    """What is known of an entry before it is applied, so that it is not computed again."""

    move: Move | None = None  # the decoded move of a `Played`
    is_checked: bool = False  # whether a move or setup was checked before
    steps: tuple[Step, ...] | None = None  # the new log of a `LogRewritten`, as `replay` returns it
    request_text: str = ""  # the text of a `Proposed`


NOTHING_PREPARED = Prepared()


def apply_change(
    table: Table,
    entry: Entry,
    proposable: Proposable,
    seat: int | None,
    device: str,
    prepared: Prepared = NOTHING_PREPARED,
) -> Table:
    """Return the table after a change that needs no consent, or that the table agreed to.

    :raises IllegalMoveError: if the rules refuse a move.
    :raises InvalidInputError: if a move cannot be read.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if it is not, or no longer, possible.
    """
    match upcast_change(table, proposable):
        case Played(data):
            move, player = prepared.move or decode_stored_move(table.tracked, data), check_seat(table, seat)
            step = make_step(table.tracked, table.state, entry.number, player, move, is_checked=prepared.is_checked)
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
            is_undone = table.open_actions and table.open_actions.is_undo and not move.out_of_turn
            new_table = replace(
                table,
                steps=(*table.steps, step),
                messages=(*table.messages, line),
                pinned_step="",
                open_actions=None if is_undone else table.open_actions,
            )
            return add_remark(table, new_table, sheet_text(table, step))
        case LogRewritten() as rewrite:
            return rewrite_log(table, entry, rewrite, seat, proposable, prepared.steps)
        case ConsentChanged(consent):
            return add_message(replace(table, consent=consent), entry, f"{CONSENT_TEXTS[consent]}.", is_news=True)
        case OwnRuling() as ruling:
            return add_message(
                replace(
                    table,
                    own_rulings=_replace_own_ruling(table, ruling),
                    own_ruling_seats={**table.own_ruling_seats, ruling.question: seat},
                ),
                entry,
                end_sentence(own_ruling_text(ruling)),
                is_news=True,
            )
        case SeatRequested():
            return reassign_seat(table, entry, check_seat(table, seat), device)


def _replace_own_ruling(table: Table, ruling: OwnRuling) -> tuple[OwnRuling, ...]:
    """Return the table's own rulings with one added, replaced or removed.

    :raises InvalidEntryError: if this changes nothing.
    """
    other_rulings = tuple(other for other in table.own_rulings if other.question != ruling.question)
    rulings = (*other_rulings, ruling) if ruling.interpretation else other_rulings
    if set(rulings) == set(table.own_rulings):
        raise InvalidEntryError("your table already plays it this way")
    return rulings


def own_ruling_text(ruling: OwnRuling) -> str:
    """Return the text of a house rule, or of its removal."""
    question = end_sentence(ruling.question)
    return (
        f"{'Variant' if ruling.rule else 'House rule'}: {question} {ruling.interpretation}"
        if ruling.interpretation
        else f"House rule removed: {question}"
    )


CONSENT_TEXTS: dict[ConsentPolicy, str] = {
    "concerned": "From now on, the players affected must agree to corrections",
    "everybody": "From now on, everyone must agree to corrections",
    "most": "From now on, a majority must agree to corrections",
    "trust": "From now on, corrections apply immediately",
}


def proposal_text(table: Table, seat: int | None, proposable: Proposable, move: Move | None) -> str:
    """Return the text of a proposal.

    :param move: the move of a `Played`.
    :raises InvalidInputError: if a move cannot be read.
    :raises InvalidEntryError: if the proposal refers to something that does not exist.
    """
    match upcast_change(table, proposable):
        case Played():
            assert move  # decoded by the caller
            return move.label(table.state, check_seat(table, seat)).text
        case LogRewritten() as rewrite:
            try:
                entry = Entry(table.version + 1, "", "", seat, rewrite)
                return diff_logs(table, replay_rewrite(table, entry, rewrite, seat)).request_text
            # The current rules refuse it. If the table agrees to it, a message says that it is impossible.
            except ConflictingStepError:
                index = table.index_of(rewrite.start_step)
                return (
                    f"Correct the log from {quote_step(table.steps[index])} on"
                    if rewrite.start_step
                    else "Add missing moves"
                )
        case ConsentChanged(consent):
            return CONSENT_TEXTS[consent]
        case OwnRuling() as ruling:
            return own_ruling_text(ruling)
        case SeatRequested():
            return f"Move {table.names[check_seat(table, seat)]}\u2019s seat to another phone"
