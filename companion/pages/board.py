"""The table view, for a screen that everyone sees."""

from dataclasses import dataclass

from companion.log.table import Table
from companion.pages.seat import LogLine, log_lines
from companion.pages.table import TableMixin, TablePage, table_page
from scoring.kernel.sheet import Sheet

BOARD_LINES = 8  # in the table view


@dataclass(frozen=True)
class BoardPage(TableMixin):
    """The table view for a tablet in the middle or a television."""

    log: tuple[LogLine, ...]
    score: Sheet | None
    address: str
    qr: str
    snapshot: TablePage | None = None  # the snapshot that is pinned for everyone to see
    snapshot_text: str = ""  # the step that followed it

    @property
    def result_text(self) -> str:
        return self.score.result_text if self.score else ""


def board_page(table: Table, device: str, address: str, qr: str) -> BoardPage:
    """Build the table view, which never shows a secret."""
    page = table_page(table, device)
    score = table.public_sheet if table.steps else None
    lines = tuple(log_lines(table, device, (), None, BOARD_LINES))
    pinned_step = table.active_step(table.pinned_step)
    if pinned_step is None:
        return BoardPage(page, lines, score, address, qr)
    snapshot = table_page(table.at_state(pinned_step.before), device, snapshot_key=pinned_step.id)
    return BoardPage(page, lines, score, address, qr, snapshot, pinned_step.text)
