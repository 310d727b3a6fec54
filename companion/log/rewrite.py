"""Rewrite a part of a log: undo, redo and repairs."""

from msgspec.structs import replace

from companion.log.entries import Entry, LogRewritten, Proposable
from companion.log.log_diff import common_ends, diff_logs
from companion.log.replay import replay_rewrite
from companion.log.seats import actor_name
from companion.log.steps import InvalidEntryError, Step
from companion.log.table import LogMessage, Repair, Table
from companion.log.table_actions import OpenActions
from scoring.kernel.english import capitalize_first


def rewrite_log(
    table: Table,
    entry: Entry,
    rewrite: LogRewritten,
    seat: int | None,
    stored_change: Proposable,
    replayed: tuple[Step, ...] | None = None,
) -> Table:
    """Return the table with a rewritten log, without the proposals that asked for this change.

    :param stored_change: the rewrite as its entry or proposal has it, in the form of its version.
    :param replayed: the new log, if `replay` has computed it for this entry.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the rewrite changes nothing, or refers to steps that do not exist.
    """
    author_name = actor_name(table, seat)
    steps = (
        _number_steps(table, entry, replayed) if replayed is not None else replay_rewrite(table, entry, rewrite, seat)
    )
    log_diff = diff_logs(table, steps)
    if not log_diff.changed_steps:
        raise InvalidEntryError("this changes nothing in the log")
    removed_ids, restored_ids = {step.id for step in log_diff.removed}, {step.id for step in log_diff.restored}
    removed = {id: removal for id, removal in table.removed.items() if id not in restored_ids}
    removed |= {step.id: (step, author_name) for step in log_diff.removed}
    text = f"{capitalize_first(author_name)} {log_diff.log_text(seat)}"
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
    is_undo = not (log_diff.restored or log_diff.inserted)
    is_secret = log_diff.secret_seat is not None
    line = LogMessage(
        entry.number,
        log_diff.changed_steps[0].seat,
        text,
        is_secret,
        created_at=entry.created_at,
        is_repair=True,
        is_undo=is_undo,
        is_news=not is_secret,
    )
    new_table = replace(
        table,
        steps=steps,
        removed=removed,
        messages=(*(_mark_removed(known, removed_ids, restored_ids, author_name) for known in table.messages), line),
        proposals=tuple(proposal for proposal in table.proposals if proposal.proposable != stored_change),
        repairs=(*table.repairs, repair),
        open_actions=_open_actions(table, repair, is_undo=is_undo and not end),
        pinned_step="",
    )
    return add_remark(table, new_table, f"{author_name} corrected a private entry." if is_secret else text)


def _open_actions(table: Table, repair: Repair, *, is_undo: bool) -> OpenActions | None:
    """Return the position that the table may have after a repair, and the repaired one.

    A correction says what is on the table, so it needs no action. If nothing has happened since an earlier repair, the
    table may still be as it was before that one.
    """
    if all(step.move.needs_consent for step in (*repair.removed, *repair.added)):
        return table.open_actions
    open_actions, before = table.open_actions, repair.state_before
    if open_actions and not open_actions.done and open_actions.after == before:
        before = open_actions.before
    return OpenActions(repair.number, before, repair.state_after, is_undo=is_undo)


def _number_steps(table: Table, entry: Entry, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return replayed steps with the new ones numbered as `replay_rewrite` numbers them.

    A new step has the number of its place in the replacement.
    """
    start, _ = common_ends(table.steps, steps)
    return tuple(
        replace(step, part=index, created_at=entry.created_at) if step.number == entry.number else step
        for index, step in enumerate(steps, 1 - start)
    )


def _mark_removed(line: LogMessage, removed: set[str], restored: set[str], actor_name: str) -> LogMessage:
    """Return a step's log line, marked with the player who removed it, or unmarked if restored."""
    if line.is_step and str(line.number) in removed:
        return replace(line, removed_by=actor_name)
    return replace(line, removed_by=None) if line.is_step and str(line.number) in restored else line


def sheet_text(table: Table, step: Step) -> str:
    """Return a step as text for the score sheet, which everyone reads."""
    return f"{table.names[step.seat]} changed a private entry." if step.move.is_secret else step.text


def add_remark(before: Table, after: Table, text: str) -> Table:
    """Return the table with a remark for the sheet, if this changed something after the end."""
    remark = f"After the end: {text}"
    return (
        replace(after, remarks=(*after.remarks, remark)) if before.was_over and remark not in after.remarks else after
    )
