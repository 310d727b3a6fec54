"""The guided setup: the step that all phones of a table show, and the list of all steps."""

from dataclasses import dataclass

from companion.log.table import Table
from scoring.kernel.box import Box
from scoring.kernel.lessons import SetupStep
from scoring.kernel.rule import Rule


@dataclass(frozen=True)
class SetupCard:
    """The current step of a guided setup."""

    step: SetupStep
    number: int  # from 1
    count: int  # of all steps
    previous_id: str  # of the step before; empty: it is the first
    waits_for_entry: bool  # whether something still has to be entered at this step
    waiting_names: tuple[str, ...] = ()  # the players who still have to enter it; empty: any player


def setup_card(table: Table) -> SetupCard | None:
    """Return the first step that is not ticked off while the guide is open, else None."""
    guide, lessons = table.setup_guide, table.tracked.lessons
    if guide is None or not guide.is_open or lessons is None or not table.is_in_setup:
        return None
    steps = lessons.setup_steps(table.setup)
    index = next((index for index, step in enumerate(steps) if step.id not in guide.done), None)
    if index is None:
        return None
    step, previous_id = steps[index], steps[index - 1].id if index else ""
    waiting_seats = lessons.setup_gaps(table.public_view).get(step.id, ())
    is_everyone = len(waiting_seats) == len(table.names)
    names = () if is_everyone else tuple(table.names[seat] for seat in waiting_seats)
    return SetupCard(step, index + 1, len(steps), previous_id, bool(waiting_seats), names)


@dataclass(frozen=True)
class SetupStepsPage:
    """All steps of a setup, to read or to print."""

    game: Box
    steps: tuple[SetupStep, ...]
    player_count: int
    code: str = ""  # of the table; empty: of no table
    seat: int | None = None  # of this phone, if it may open the guided setup of the table
    tap: str = ""  # the id of the tap that opens it

    def rules(self, step: SetupStep) -> tuple[Rule, ...]:
        """Return the rules that a step follows."""
        return tuple(self.game.rules[id] for id in step.rules)
