"""Plans of repairs: the edits of a log, as a value that fits into an address."""

import base64
import zlib

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from companion.log.entries import LogRewritten, NewMove
from companion.log.steps import InvalidEntryError
from companion.log.table import Repair, Table
from scoring.kernel.errors import InvalidInputError

MAX_PLAN_BYTES = 20_000  # maximum size of an unpacked plan in bytes


class Drop(Struct, frozen=True, tag="out"):
    """Leave out the step that is no longer legal."""


class Truncate(Struct, frozen=True, tag="stop"):
    """Remove all remaining steps."""


class Restore(Struct, frozen=True, tag="back"):
    """Put a removed step in this place."""

    step: str


class Insert(Struct, frozen=True, tag="told"):
    """Add a move by a seat in this place."""

    seat: int
    move: dict


class RepairPlan(Struct, frozen=True, omit_defaults=True):
    """The edits of a repair: where it starts, how many steps it drops, and what it adds there.

    The later steps are then replayed. Each one that is no longer legal takes the next resolution.
    """

    # ID of the step where the repair starts; empty: after the last step
    start_step: str = field(default="", name="at")
    # number of steps dropped from there on
    drop_count: int = field(default=0, name="out")
    # added there, in this order
    edits: tuple[Insert | Restore | Truncate, ...] = field(default=(), name="here")
    # whether the player has yet to enter what happened there
    is_open: bool = field(default=False, name="open")
    # answers for the blocked steps, in order
    resolutions: tuple[Insert | Drop | Truncate, ...] = field(default=(), name="said")

    def with_edit(self, edit: Insert | Drop | Truncate) -> "RepairPlan":
        """Return the plan with one more edit at its start, or a resolution of the blocked step.

        The edit goes to the start of the repair while that is still open.
        """
        if self.is_open and not isinstance(edit, Drop):
            return replace(self, edits=(*self.edits, edit), is_open=False)
        return replace(self, resolutions=(*self.resolutions, edit))

    def encode(self) -> str:
        """Return the plan as text for a URL: URL-safe base64 of compressed JSON."""
        return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(self), 9)).decode().rstrip("=")


def decode_plan(text: str) -> RepairPlan:
    """Return the plan that a URL contains.

    :raises InvalidInputError: if the text is not an encoded plan.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MAX_PLAN_BYTES)
        return msgspec.json.decode(data, type=RepairPlan)
    except (ValueError, zlib.error, msgspec.DecodeError):
        raise InvalidInputError("this correction cannot be read") from None


def plan_for_rewrite(table: Table, rewrite: LogRewritten) -> RepairPlan:
    """Return the plan that makes the same change as a proposed rewrite in today's log.

    :raises InvalidEntryError: if that part of the log has changed since the proposal.
    """
    start, end = table.replaced_range(rewrite)
    edits = tuple(
        Insert(reference.seat, reference.move) if isinstance(reference, NewMove) else Restore(reference)
        for reference in rewrite.replacement
    )
    return RepairPlan(rewrite.start_step, end - start, edits=edits)


def plan_to_restore(table: Table, id: str) -> RepairPlan:
    """Return the plan that restores a removed step after the steps that preceded it.

    :raises InvalidEntryError: if no such step was removed.
    """
    if id not in table.removed:
        raise InvalidEntryError(f"no step {id} has been removed")
    return RepairPlan(_next_active_step(table, _previous_active_step(table, id)), edits=(Restore(id),))


def _previous_active_step(table: Table, id: str) -> str:
    """Return the ID of the last active step before a removed one, or an empty text."""
    repair = next(repair for repair in reversed(table.repairs) if any(step.id == id for step in repair.removed))
    old_ids = [step.id for step in repair.old_steps]
    for previous_id in (*reversed(old_ids[: old_ids.index(id)]), repair.previous_step):
        if previous_id in table.index_by_step:
            return previous_id
    return _previous_active_step(table, repair.previous_step) if repair.previous_step else ""


def _next_active_step(table: Table, previous_id: str) -> str:
    """Return the ID of the active step after another one, or an empty text.

    :param previous_id: the ID of an active step; empty for the start of the log.
    """
    index = table.index_by_step[previous_id] + 1 if previous_id else 0
    return table.steps[index].id if index < len(table.steps) else ""


def plan_to_revert(table: Table, repair: Repair) -> RepairPlan | None:
    """Return the plan that reverts a repair, or None if its new steps are no longer adjacent."""
    indices = [table.index_by_step.get(step.id, -1) for step in repair.new_steps]
    is_contiguous = -1 not in indices and all(index == indices[0] + number for number, index in enumerate(indices))
    known = {step.id for step in repair.new_steps} | set(table.removed)
    if not is_contiguous or not {step.id for step in repair.old_steps} <= known:
        return None
    if repair.new_steps:
        start_step = repair.new_steps[0].id
    else:
        start_step = _next_active_step(
            table,
            repair.previous_step
            if repair.previous_step in table.index_by_step or not repair.previous_step
            else _previous_active_step(table, repair.previous_step),
        )
    return RepairPlan(start_step, len(repair.new_steps), edits=tuple(Restore(step.id) for step in repair.old_steps))
