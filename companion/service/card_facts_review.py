"""The review of card facts: what applies immediately, what waits, and what the owner decides.

Changes from the owner's phone apply immediately. All others wait for the owner: a table keeps
playing with its own copy of the facts, and the stored facts stay as they are.
"""

import datetime
from collections.abc import Callable, Container, Iterable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from companion.log.table import Table
from companion.storage.card_facts import (
    ACCEPTED,
    DECLINED,
    FACTS_ERRORS,
    FROM_FILE,
    FROM_PAGE,
    FROM_TABLE,
    FROM_UNDO,
    UNDONE,
    WAITING,
    CardFactsChange,
    CardFactsStore,
    card_facts_format,
)
from companion.storage.own_rulings import record_rulings
from scoring.kernel.box import Box
from scoring.kernel.box_facts import FactValue, new_values_for_table
from scoring.kernel.card_facts import FactDifference
from scoring.kernel.english import join_words

MERGE_SECONDS = 300  # the owner's changes to one fact within this time are merged into one
MAX_FILE_NAME_LENGTH = 60  # characters


class NotPossibleError(Exception):
    """The requested operation on a change is not possible; the message has the reason."""


# The facts for a table or a phone


def facts_for_new_table(card_facts: CardFactsStore, box: Box, *earlier_codes: str) -> Struct:
    """Return the facts for a new table: the box's, plus those from earlier tables."""
    changes = (change for code in earlier_codes for change in card_facts.entered_at(box, code))
    return _facts_with(card_facts, box, changes)


def facts_visible_to(card_facts: CardFactsStore, box: Box, device: str) -> Struct:
    """Return the facts as shown to one phone.

    They include what this phone has entered and the owner has not reviewed yet.
    """
    is_owner = card_facts.owners.is_owner(device)
    return _facts_with(card_facts, box, [] if is_owner else card_facts.entered_by(box, device))


def _facts_with(card_facts: CardFactsStore, box: Box, changes: Iterable[CardFactsChange]) -> Struct:
    facts = card_facts.facts(box)
    for change in changes:
        with suppress(*FACTS_ERRORS):
            facts = _updated(box, facts, change)
    return facts


def facts_if_accepted(card_facts: CardFactsStore, box: Box, change: CardFactsChange) -> Struct:
    """Return the box's facts as they would be with a waiting change accepted.

    :raises IllegalMoveError: when the change contradicts the current facts.
    """
    return _updated(box, card_facts.facts(box), change)


def _updated(box: Box, facts: Struct, change: CardFactsChange) -> Struct:
    return card_facts_format(box).update_from_table(facts, change.before, change.after)


def new_values_for(card_facts: CardFactsStore, table: Table) -> tuple[FactValue, ...]:
    """Return the facts of the box that the players of a running table have not entered."""
    if not table.tracked.card_facts or table.is_over:
        return ()
    steps = ((step.move, step.before, step.after) for step in table.steps)
    facts = card_facts.facts(table.tracked.box)
    return tuple(new_values_for_table(table.tracked.card_facts, table.initial_state, steps, table.state, facts))


# Entering changes


def enter(card_facts: CardFactsStore, box: Box, device: str, change: Callable[[Struct], Struct]) -> None:
    """Change the facts from the box's page: immediately for the owner; other changes wait.

    :raises InvalidInputError: when the entered facts cannot be parsed.
    :raises IllegalMoveError: when the resulting facts are not possible.
    """
    with card_facts.store.transaction():
        if card_facts.owners.is_owner(device):
            facts = card_facts.facts(box)
            _apply_by_owner(card_facts, box, CardFactsChange(box.key, device, FROM_PAGE, facts, change(facts)))
        else:
            _submit_from_phone(card_facts, box, device, FROM_PAGE, change)


def import_facts(card_facts: CardFactsStore, box: Box, device: str, name: str, facts: Struct) -> bool:
    """Queue the facts of a file for the owner's review; return whether any of them are new.

    This holds for the owner's phone as well: nothing is replaced before it has been reviewed.

    :raises IllegalMoveError: when they contradict the stored facts.
    """

    def merge(known: Struct) -> Struct:
        return card_facts_format(box).merge(known, facts)

    with card_facts.store.transaction():
        return _submit_from_phone(card_facts, box, device, FROM_FILE, merge, name[:MAX_FILE_NAME_LENGTH])


def record_entry(card_facts: CardFactsStore, device: str, before: Table, after: Table) -> None:
    """Record the card facts and house rules that an entry of a table's log has added.

    Runs in the transaction that writes the entry.
    """
    box, owners = after.tracked.box, card_facts.owners
    if before.own_rulings != after.own_rulings and owners.is_owner(after.host, *after.seats):
        record_rulings(card_facts.store, before, after)
    if not after.tracked.card_facts:
        return
    old_facts, new_facts = map(after.tracked.card_facts.of_state, (before.state, after.state))
    if old_facts == new_facts:
        return
    names = ", ".join(after.names[: len(after.seats)])  # without bots, which enter no facts
    change = CardFactsChange(box.key, device, FROM_TABLE, old_facts, new_facts, name=after.code, who=names)
    waiting_change = next(iter(card_facts.entered_at(box, after.code)), None)
    if owners.is_owner(device):
        facts = card_facts.facts(box)
        try:
            merged = _updated(box, facts, change)
        except FACTS_ERRORS:
            pass  # the change waits, and its page shows the owner what is wrong
        else:
            _apply_by_owner(card_facts, box, replace(change, before=facts, after=merged))
            if not waiting_change:
                return
    known = owners.is_owner(after.host, *after.seats)
    _submit(card_facts, box, replace(waiting_change or change, known=known, after=new_facts))


def _submit_from_phone(
    card_facts: CardFactsStore, box: Box, device: str, source: str, change: Callable[[Struct], Struct], name: str = ""
) -> bool:
    is_owner = card_facts.owners.is_owner(device)
    before, after = card_facts.facts(box), change(facts_visible_to(card_facts, box, device))
    earlier = [entered for entered in card_facts.entered_by(box, device) if not is_owner or entered.source == source]
    new = CardFactsChange(box.key, device, source, before, after, name=name, known=is_owner)
    return _submit(card_facts, box, replace(new, id=earlier[0].id) if earlier else new)


def _submit(card_facts: CardFactsStore, box: Box, change: CardFactsChange) -> bool:
    """Make a change wait if it has any effect, and delete changes beyond the limits."""
    if not _has_effect(card_facts, box, change):
        card_facts.remove(change)
        return False
    card_facts.renew(change)
    card_facts.enforce_limits(box, change.device)
    return True


def _apply_by_owner(card_facts: CardFactsStore, box: Box, change: CardFactsChange) -> None:
    """Apply a change by the owner, merged with the previous change when it continues that one."""
    new_facts = change.after
    if new_facts == change.before:
        return
    change = replace(change, status=ACCEPTED, known=True)
    latest = next(iter(card_facts.decided_changes(box, 1)), None)
    if latest and _is_continuation(box, latest, change):
        change = replace(change, id=latest.id, before=latest.before)
    if change.before == new_facts:
        card_facts.remove(change)
    else:
        card_facts.renew(change)
    _save_and_drop_redundant(card_facts, box, new_facts)


def _is_continuation(box: Box, latest: CardFactsChange, change: CardFactsChange) -> bool:
    origins = [(each.status, each.device, each.source, each.name) for each in (latest, change)]
    if origins[0] != origins[1] or latest.after != change.before:
        return False
    if change.source == FROM_TABLE:
        return True
    titles = [{difference.title for difference in _differences(box, compared)} for compared in (latest, change)]
    return titles[0] == titles[1] and abs(_unix_time(change) - _unix_time(latest)) <= MERGE_SECONDS


# Decisions of the owner


def accept(
    card_facts: CardFactsStore,
    box: Box,
    device: str,
    id: int,
    titles: Container[str] | None = None,
    only_new: bool = False,
) -> None:
    """Apply a waiting change: all of it, some of its differences, or only new facts.

    The rest is recorded as declined.

    :param titles: the titles of the differences to accept; None for all.
    :param only_new: accept only facts that were not known before.
    :raises NotPossibleError: from a stranger's phone, when the change is no longer waiting, or when nothing
        is left to accept.
    :raises IllegalMoveError: when the resulting facts are not possible.
    """
    with card_facts.store.transaction():
        _require_owner(card_facts, device)
        facts_format, facts = card_facts_format(box), card_facts.facts(box)
        change = _require_change(card_facts, box, id, WAITING)
        all_accepted = _updated(box, facts, change)
        values = facts_format.changed_values(facts, all_accepted)
        differences = facts_format.differences(facts, all_accepted)
        prefixes = [difference.path for difference in differences if titles is None or difference.title in titles]
        chosen = {
            path: new
            for path, (old, new) in values.items()
            if any(path[: len(prefix)] == prefix for prefix in prefixes) and not (only_new and old is not None)
        }
        is_partial = len(chosen) < len(values)
        new_facts = facts_format.put(facts, chosen) if is_partial else all_accepted
        if new_facts == facts:
            raise NotPossibleError("Nothing is checked. Check at least one box, or tap Reject.")
        if is_partial:
            declined = replace(change, id=0, status=DECLINED)
            with suppress(*FACTS_ERRORS):
                declined = replace(declined, before=new_facts, after=_updated(box, new_facts, change))
            if declined.before != declined.after:
                card_facts.write(declined)
        card_facts.renew(replace(change, status=ACCEPTED, before=facts, after=new_facts))
        _save_and_drop_redundant(card_facts, box, new_facts)


def decline(card_facts: CardFactsStore, box: Box, device: str, id: int) -> None:
    """Decline a waiting change; a phone that entered it away from a table withdraws it instead.

    :raises NotPossibleError: from a stranger's phone, or when the change is no longer waiting.
    """
    with card_facts.store.transaction():
        change = _require_change(card_facts, box, id, WAITING)
        if change.device == device and change.source in (FROM_PAGE, FROM_FILE):
            card_facts.remove(change)
            return
        _require_owner(card_facts, device)
        card_facts.renew(replace(change, status=DECLINED))


def restore(card_facts: CardFactsStore, box: Box, device: str, id: int) -> None:
    """Make a declined change wait again.

    :raises NotPossibleError: from a stranger's phone, when the change is not declined any more, or when it would
        change nothing.
    """
    with card_facts.store.transaction():
        _require_owner(card_facts, device)
        change = _require_change(card_facts, box, id, DECLINED)
        if not _has_effect(card_facts, box, change):
            raise NotPossibleError("Your box already has all of this.")
        card_facts.renew(replace(change, status=WAITING, known=True))


def undo(card_facts: CardFactsStore, box: Box, device: str, id: int) -> list[str]:
    """Revert an accepted change, except where the facts have been changed again since.

    :return: the titles of the values that have changed since and therefore stay.
    :raises NotPossibleError: from a stranger's phone, or when nothing is left to revert.
    :raises IllegalMoveError: when the resulting facts are not possible.
    """
    with card_facts.store.transaction():
        _require_owner(card_facts, device)
        facts_format, facts = card_facts_format(box), card_facts.facts(box)
        change = _require_change(card_facts, box, id, ACCEPTED)
        current = facts_format.values(facts)
        values = facts_format.changed_values(change.before, change.after)
        reverted = {path: old for path, (old, new) in values.items() if current.get(path) == new}
        changed_since = [path for path, (old, new) in values.items() if current.get(path) not in (new, old)]
        kept_titles = [
            difference.title
            for difference in _differences(box, change)
            if any(path[: len(difference.path)] == difference.path for path in changed_since)
        ]
        if not reverted:
            text = f"Changed again since then: {join_words(kept_titles)}. Undo the later change first."
            raise NotPossibleError(text if kept_titles else "This change has already been undone.")
        new_facts = facts_format.put(facts, reverted)
        card_facts.write(replace(change, status=UNDONE))
        card_facts.write(CardFactsChange(box.key, device, FROM_UNDO, facts, new_facts, status=ACCEPTED, known=True))
        _save_and_drop_redundant(card_facts, box, new_facts)
        return kept_titles


def _require_owner(card_facts: CardFactsStore, device: str) -> None:
    if not card_facts.owners.is_owner(device):
        raise NotPossibleError("Only the owner can decide this.")


def _require_change(card_facts: CardFactsStore, box: Box, id: int, status: str) -> CardFactsChange:
    """Return the change with this id.

    :raises NotPossibleError: when no change with this id has this status any more.
    """
    change = card_facts.find(box, id, status)
    if change is None:
        raise NotPossibleError("This was already decided, or more was entered since then. Check it again.")
    return change


def _save_and_drop_redundant(card_facts: CardFactsStore, box: Box, facts: Struct) -> None:
    """Store the facts, and delete waiting changes that no longer have an effect."""
    card_facts.save_facts(box, facts)
    for change in card_facts.waiting_changes(box):
        if not _has_effect(card_facts, box, change):
            card_facts.remove(change)


def _has_effect(card_facts: CardFactsStore, box: Box, change: CardFactsChange) -> bool:
    facts = card_facts.facts(box)
    try:
        return _updated(box, facts, change) != facts
    except FACTS_ERRORS:
        return change.before != change.after  # kept, so that the owner is shown why it is not possible


def _differences(box: Box, change: CardFactsChange) -> list[FactDifference]:
    return list(card_facts_format(box).differences(change.before, change.after))


def _unix_time(change: CardFactsChange) -> float:
    return datetime.datetime.fromisoformat(change.at).timestamp()
