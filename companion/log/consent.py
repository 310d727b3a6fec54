"""Who must agree to a change of a table."""

from companion.log.entries import ConsentPolicy
from companion.log.preview import Preview
from companion.log.table import Table

CONSENT_LABELS: dict[ConsentPolicy, str] = {
    "concerned": "The players affected.",
    "everybody": "Everyone.",
    "most": "A majority.",
    "trust": "No one. It applies immediately, and everyone sees it.",
}


def required_approvals(table: Table, device: str, outcome: Preview | None = None) -> tuple[tuple[int, ...], int]:
    """Return the seats that must be asked, and how many agreements are enough; 0 means all.

    Changes after the end of a game, and of the consent policy, always need all other players.

    :param outcome: the preview of the change; without it, the change affects everyone.
    """
    other_seats = table.other_seats(device)
    if outcome is None or table.was_over or table.consent == "everybody":
        return other_seats, 0
    if table.consent == "trust":
        return (), 0
    if table.consent == "most":
        held_count = sum(holder is not None for holder in table.seats)
        own_count = len(table.seats_of(device))
        return other_seats, min(len(other_seats), max(1, held_count // 2 + 1 - own_count))
    affected = tuple(seat for seat in other_seats if seat in outcome.affected_seats)
    return (affected if affected and None not in outcome.affected_seats else other_seats), 0
