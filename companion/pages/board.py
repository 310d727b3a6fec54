"""The table view, for a screen that everyone sees."""

import datetime
from dataclasses import dataclass
from urllib.parse import urlsplit

from companion.log.table import Table
from companion.pages.table import TableMixin, TablePage, table_page
from companion.storage.store import timestamp
from scoring.kernel.sheet import Sheet

JOIN_TIME = datetime.timedelta(minutes=10)  # for which a full table still shows its QR code


@dataclass(frozen=True)
class BoardPage(TableMixin):
    """The table view for a tablet in the middle or a television."""

    score: Sheet | None
    address: str
    qr: str
    shows_qr: bool  # a seat is free, or the table has just been opened; the code is always shown
    snapshot: TablePage | None = None  # the snapshot that is pinned for everyone to see
    snapshot_title: str = ""  # "As it was before move 41": of the moves that everyone may read
    snapshot_text: str = ""  # the step that followed it
    local_address: str = ""  # the address with a name that only some phones know

    @property
    def host(self) -> str:
        """Return the host and port of the addresses, which are short enough to be typed."""
        return " or ".join(urlsplit(address).netloc for address in (self.address, self.local_address) if address)

    @property
    def result_text(self) -> str:
        return self.score.result_text if self.score else ""


def board_page(table: Table, device: str, address: str, qr: str, *, local_address: str = "") -> BoardPage:
    """Build the table view, which never shows a secret."""
    page = table_page(table, device)
    score = table.public_sheet if table.steps else None
    shows_qr = None in table.seats or table.is_over or table.opened_at > timestamp(ago=JOIN_TIME)
    pinned_step = table.active_step(table.pinned_step)
    if pinned_step is None:
        return BoardPage(page, score, address, qr, shows_qr, local_address=local_address)
    snapshot = table_page(table.at_state(pinned_step.before), device, snapshot_key=pinned_step.id)
    public_ids = [step.id for step in table.steps if not step.move.is_secret or table.is_over]
    title = f"As it was before move {public_ids.index(pinned_step.id) + 1}"
    return BoardPage(page, score, address, qr, shows_qr, snapshot, title, pinned_step.text, local_address)
