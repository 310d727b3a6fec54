"""The physical actions after a repair, as one phone or the table view lists them."""

from dataclasses import dataclass
from itertools import groupby

from companion.log.table import Table
from companion.log.table_actions import SHARED, action_owner


@dataclass(frozen=True)
class ActionGroup:
    """The actions of one player, or those at the shared part of the table."""

    owner: int  # a seat, or `SHARED`
    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class RepairActions:
    """The actions of the latest repair that are not reported as done."""

    repair: int  # number of the entry that applied it
    groups: tuple[ActionGroup, ...]

    @property
    def is_short(self) -> bool:
        """Return whether there is room to show all actions."""
        return sum(len(group.texts) for group in self.groups) <= 2


def repair_actions(table: Table, device: str, *, is_for_all: bool) -> RepairActions | None:
    """Return the actions that a phone can report as done, its own first; None: there are none.

    :param is_for_all: whether it returns those of all players, for the table view.
    """
    own_seats = () if is_for_all else table.seats_of(device)
    owners = table.action_owners(device)
    actions = [action for action in table.repair_actions(own_seats) if is_for_all or action_owner(action) in owners]
    if table.open_actions is None or not actions:
        return None
    actions.sort(key=lambda action: (action.seat not in own_seats, action.seat is None, action_owner(action)))
    groups = tuple(
        ActionGroup(owner, _owner_name(table, own_seats, owner), tuple(action.text for action in group))
        for owner, group in groupby(actions, action_owner)
    )
    return RepairActions(table.open_actions.repair, groups)


def _owner_name(table: Table, own_seats: tuple[int, ...], owner: int) -> str:
    if owner == SHARED:
        return "The table"
    return "You" if own_seats == (owner,) else table.names[owner]
