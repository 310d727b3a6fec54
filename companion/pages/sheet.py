"""The page of a score."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from companion.log.entries import OwnRuling, local_date
from companion.log.table import Table
from companion.pages.table import TableMixin, table_page
from scoring.kernel.english import end_sentence, pluralize
from scoring.kernel.move import Correction, Phase
from scoring.kernel.sheet import Sheet, describe_gaps

MAX_REMARKS = 4  # the latest remarks on a sheet; the log has the rest


@dataclass(frozen=True)
class SheetPage(TableMixin):
    """The score: so far while playing, final at the end."""

    sheet: Sheet
    date: str
    can_print: bool
    remarks: tuple[str, ...]  # the latest corrections, decisions of the host, and changes after the end

    @property
    def points_behind(self) -> tuple[str, ...]:
        """Return for each player who is not first by how much they are behind."""
        return tuple(describe_gaps(self.sheet, is_over=self.table.is_over)) if self.game.has_points else ()


def result_heading(sheet: Sheet) -> tuple[str, str]:
    """Return the result as a heading that names the winner, and a detail or "".

    Stored results have only the whole text, so it is split here.
    """
    for name in sheet.winners:
        detail, separator, sentence = sheet.result_text.partition(f". {name} ")
        if separator:
            return f"{name} {sentence}", f"{detail}."
    return sheet.result_text, ""


def sheet_page(table: Table, device: str, can_print: bool) -> SheetPage:
    """Build the score as everyone may see it."""
    page = table_page(table, device)
    own_rulings = tuple(_own_ruling_text(table, ruling) for ruling in table.own_rulings)
    sheet = replace(table.public_sheet, rulings=(*table.public_sheet.rulings, *own_rulings))
    remarks = (*_correction_remarks(table), *table.remarks)
    hidden_count = len(remarks) - MAX_REMARKS
    earlier = (f"The game log has {pluralize(hidden_count, 'earlier note')}.",) if hidden_count > 0 else ()
    return SheetPage(page, sheet, local_date(table.opened_at), can_print, (*earlier, *remarks[-MAX_REMARKS:]))


def _own_ruling_text(table: Table, ruling: OwnRuling) -> str:
    """Return a house rule of a table as sentences, with the printed rule that it replaces."""
    text = f"{end_sentence(ruling.question)} {end_sentence(ruling.interpretation)}"
    replaced = table.tracked.box.rules.get(ruling.rule)
    return f"{text} Instead of: {end_sentence(str(replaced.citation))}" if replaced else text


def _correction_remarks(table: Table) -> Iterator[str]:
    """Yield the corrections during play that no remark mentions: no legal move explains them."""
    has_begun, remarks_text = False, "\n".join(table.remarks)
    for step in table.steps:
        if not isinstance(step.move, Correction):
            has_begun = has_begun or not (step.move.out_of_turn or step.move.phase is Phase.SETUP)
        elif has_begun and not step.move.is_secret and step.move.describe_change(step.before) not in remarks_text:
            yield step.text
