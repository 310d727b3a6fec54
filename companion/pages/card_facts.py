"""The page of the card facts of a box."""

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct

from companion.log.entries import format_date, local_date
from companion.service.card_facts_review import facts_if_accepted, facts_visible_to
from companion.storage.card_facts import (
    FROM_FILE,
    FROM_PAGE,
    FROM_TABLE,
    FROM_UNDO,
    CardFactsChange,
    CardFactsStore,
    card_facts_format,
)
from scoring.kernel.box import Box
from scoring.kernel.card_facts import FactDifference
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason

MAX_WAITING_SHOWN = 5  # changes to a box that are shown on its page
MAX_DECIDED_SHOWN = 12  # decided changes to a box that are shown on its page


@dataclass(frozen=True)
class ChangeView:
    """A change to a box, in words."""

    id: int
    source_text: str
    date: str
    status: str
    differences: tuple[FactDifference, ...]
    conflict: str = ""  # why it can no longer be applied to the box

    @property
    def added(self) -> tuple[FactDifference, ...]:
        return tuple(difference for difference in self.differences if difference.is_addition)

    @property
    def changed(self) -> tuple[FactDifference, ...]:
        return tuple(difference for difference in self.differences if not difference.is_addition)


@dataclass(frozen=True)
class BoxPage:
    """The facts known about a box, as one phone sees them; for the owner also the changes."""

    game: Box
    facts: Struct
    is_owner: bool  # this phone is the owner's
    waiting: tuple[ChangeView, ...]  # all of them for the owner; on other phones only their own
    decided_changes: tuple[ChangeView, ...]
    more_waiting: int  # waiting changes that are not shown
    earlier_id: int  # where the next page of decided changes starts: those before this id; 0: no more
    refusal: tuple[Reason | str, ...] = ()
    notice: str = ""


SOURCE_TEXTS = {  # where a change to a box came from
    FROM_TABLE: "Entered at table {name} by {who}",
    FROM_PAGE: "Entered on this page",
    FROM_FILE: "From the file \u201c{name}\u201d",
    FROM_UNDO: "Undid an earlier change",
}


def box_page(
    card_facts: CardFactsStore,
    box: Box,
    device: str,
    before_id: int = 0,
    refusal: Iterable[Reason | str] = (),
    notice: str = "",
) -> BoxPage:
    """Build a box's page for one phone.

    :param before_id: show the changes decided before this one; 0: show the latest.
    """
    owner = card_facts.owners.is_owner(device)
    decided = card_facts.decided_changes(box, MAX_DECIDED_SHOWN + 1, before_id) if owner else []
    waiting = card_facts.waiting_changes(box) if owner else card_facts.entered_by(box, device)
    return BoxPage(
        game=box,
        facts=facts_visible_to(card_facts, box, device),
        is_owner=owner,
        waiting=tuple(_waiting_change(card_facts, box, change) for change in waiting[:MAX_WAITING_SHOWN]),
        more_waiting=len(waiting[MAX_WAITING_SHOWN:]),
        decided_changes=tuple(
            _change_view(box, change, change.before, change.after) for change in decided[:MAX_DECIDED_SHOWN]
        ),
        earlier_id=decided[MAX_DECIDED_SHOWN - 1].id if len(decided) > MAX_DECIDED_SHOWN else 0,
        refusal=tuple(refusal),
        notice=notice,
    )


def _waiting_change(card_facts: CardFactsStore, box: Box, change: CardFactsChange) -> ChangeView:
    """Return a change as it would change the box now, or as entered with the reason it cannot."""
    try:
        return _change_view(box, change, card_facts.facts(box), facts_if_accepted(card_facts, box, change))
    except (IllegalMoveError, InvalidInputError) as error:
        return _change_view(box, change, change.before, change.after, str(error))


def _change_view(box: Box, change: CardFactsChange, before: Struct, after: Struct, conflict: str = "") -> ChangeView:
    source_text = SOURCE_TEXTS[change.source].format(name=change.name, who=change.who)
    if change.source in (FROM_PAGE, FROM_FILE) and not change.known:
        source_text += ", on another phone"
    return ChangeView(
        change.id,
        source_text,
        format_date(local_date(change.at)),
        change.status,
        tuple(card_facts_format(box).differences(before, after)),
        conflict,
    )
