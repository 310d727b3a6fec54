"""The physical actions after the latest repair, until players report them as done."""

from collections.abc import Callable, Collection, Iterator

from msgspec import Struct

from scoring.kernel.editable import Replace
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TableAction, TrackedGame

SHARED = -1  # the owner of actions at the shared part of the table


class OpenActions(Struct, frozen=True):
    """The latest repair whose actions players may still have to carry out."""

    repair: int  # number of the entry that applied it
    before: GameState  # the position that the real table may still have
    after: GameState  # the position that the repair led to
    done: tuple[int, ...] = ()  # the owners of the actions that are done: seats, or `SHARED`
    # Whether it only undid the last moves. The next move then shows that the table is in line.
    is_undo: bool = False


def action_owner(action: TableAction) -> int:
    """Return whose action it is: a seat, or `SHARED`."""
    return SHARED if action.seat is None else action.seat


def find_actions(
    tracked: TrackedGame[GameSetup, GameState],
    actions: OpenActions,
    view: Callable[[GameState, int | None], GameState],
    current: GameState,
    own_seats: Collection[int],
) -> Iterator[TableAction]:
    """Yield the actions that are still to be done, as a phone that holds some seats may read them.

    :param view: the state as a seat, or everyone, may see it.
    :param current: the current state; a piece that a later move has moved on needs no action any more.
    """
    if tracked.position_format is None:
        return
    fields = {field.path: field.value for field in tracked.position_format.editable_fields(view(current, None))}
    for reader in (*own_seats, None):
        for action in tracked.text.table_actions(view(actions.before, reader), view(actions.after, reader)):
            is_readers = action.seat == reader if reader is not None else action.seat not in own_seats
            is_current = all(
                not isinstance(change, Replace) or fields.get(change.path, "") == change.now
                for change in action.changes
            )
            if is_readers and is_current and action_owner(action) not in actions.done:
                yield action
