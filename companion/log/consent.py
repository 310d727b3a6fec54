"""Who must agree to a change of a table.

A table chooses its setting. The default, "concerned", asks the players whom a change affects: those whose fields,
points or steps would differ. A change of something shared affects all. What concerns only the player who makes the
change needs no consent: it applies immediately, and all phones show one line about it. `concerns_only_own_things` has
the conditions. "everybody" and "most" always ask the others, and "trust" asks no one.

A change of the setting itself, a house rule on a question of the table's own, and every change after the end of a game
need all other players.

The setting counts only when a change is entered: the log has either the change or a request with the players to ask.
So a log that is replayed leads to the same table, whatever the rules of consent are by then.
"""

from companion.log.entries import ConsentChanged, ConsentPolicy, OwnRuling, Proposable
from companion.log.preview import Preview
from companion.log.steps import Step
from companion.log.table import Table

CONSENT_LABELS: dict[ConsentPolicy, str] = {
    "concerned": "The players affected. You fix your own things without asking, and everyone sees it.",
    "everybody": "Everyone.",
    "most": "A majority.",
    "trust": "No one. It applies immediately, and everyone sees it.",
}
CONSENT_SENTENCES: dict[ConsentPolicy, str] = {
    "concerned": "The players affected must agree.",
    "everybody": "Everyone must agree.",
    "most": "A majority must agree.",
    "trust": "No one has to agree.",
}


def required_approvals(table: Table, device: str, outcome: Preview | None = None) -> tuple[tuple[int, ...], int]:
    """Return the seats that must be asked, and how many agreements are enough; 0 means all.

    :param outcome: the preview of the change; without it, the change affects everyone.
    """
    other_seats = table.other_seats(device)
    if outcome is None or table.was_over or table.consent == "everybody":
        return other_seats, 0
    if table.consent == "trust" or concerns_only_own_things(table, device, outcome):
        return (), 0
    if table.consent == "most":
        held_count = sum(holder is not None for holder in table.seats)
        own_count = len(table.seats_of(device))
        return other_seats, min(len(other_seats), max(1, held_count // 2 + 1 - own_count))
    affected = tuple(seat for seat in other_seats if seat in outcome.affected_seats)
    return (affected if affected and None not in outcome.affected_seats else other_seats), 0


def consent_in_force(table: Table, change: Proposable) -> ConsentPolicy:
    """Return the setting that decides who must agree to a kind of change now."""
    return "everybody" if table.was_over or isinstance(change, ConsentChanged | OwnRuling) else table.consent


def concerns_only_own_things(table: Table, device: str, outcome: Preview) -> bool:
    """Return whether a change needs no consent because it concerns only the phone's own seats.

    Only the setting "concerned" knows such changes, and only before the end of the game. Examples are the resources a
    player paid, the place of a hiker that blocks no one, or a tile on a player's own map. It must be certain that no
    one else is concerned:

    - All fields and points that differ belong to the phone's own seats (`Preview.concerns_only`). Fields without a
      seat, such as the turn, the bear or a face-up card, are shared.
    - None of these fields affects others (`EditableField.affects_others`): cards, animals and waterfalls that another
      player could have, hikers that others need a campfire to join, the legs of a race.
    - All steps that are added, removed or restored are steps of these seats. The steps of others stay, with the same
      results: the change alters nothing that they were allowed to do, or gained.
    - No other player agreed to one of these steps before, so that no agreement is reverted alone.
    - The players do not disagree about the log at the moment (`Table.claims`).
    - The game tells which fields differ, as only games with a position format and score entry do.

    Supplies need no condition: those that follow from what the players have are no fields, and a correction that the
    box does not allow is refused. Secret notes are not considered, because asking about them would reveal them.
    """
    shows_fields = table.tracked.position_format is not None or table.tracked.is_score_entry
    return (
        table.consent == "concerned"
        and not table.was_over
        and not table.claims
        and shows_fields
        and outcome.concerns_only(table.seats_of(device))
        and not any(_was_agreed_by_others(table, step, device) for step in outcome.public_steps)
    )


def _was_agreed_by_others(table: Table, step: Step, device: str) -> bool:
    """Return whether other players, or the host, agreed to a step or to its removal."""
    repair_numbers = (repair.number for repair in table.repairs if step.id in {old.id for old in repair.removed})
    agreements = (table.agreements.get(number) for number in (step.number, *repair_numbers))
    own_seats = table.seats_of(device)
    return any(
        agreement.is_host_decision or any(seat not in own_seats for seat in agreement.agreed_seats)
        for agreement in agreements
        if agreement
    )
