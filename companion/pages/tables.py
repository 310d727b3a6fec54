"""The page of the open tables, for the host of several tables."""

import datetime
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.history.result import Result
from companion.log.entries import format_date, local_date, minutes_since
from companion.pages.home import NoGameMixin
from companion.pages.table import TableMixin
from companion.storage.store import LatestEntry

RECENT_HOURS = 12  # an evening: what happened before is less urgent
PAGE_SIZE = 50  # tables on a page


class ListedTable(NamedTuple):
    """A table in the list, known without its log."""

    code: str
    version: int
    is_active: bool  # has it had an entry in the last hours?
    age: str  # the time since its last entry, such as "3 min ago"; empty if unknown


@dataclass(frozen=True)
class OpenTable(TableMixin):
    """An open table as everyone may see it."""

    age: str

    @property
    def free_seats(self) -> int:
        """Return how many seats no phone holds."""
        return sum(not seat.is_held for seat in self.table.seats)


@dataclass(frozen=True)
class TablesPage(NoGameMixin):
    """The open tables that a phone may see, and the games that ended lately."""

    is_owner: bool  # does it list all tables, not only this phone's?
    active_tables: tuple[OpenTable, ...]
    quiet_tables: tuple[OpenTable, ...]  # without an entry in the last hours
    finished: tuple[Result, ...]
    version: int  # changes with the page
    number: int  # of this page, from 0
    page_count: int


def list_tables(entries: Iterable[LatestEntry], now: datetime.datetime) -> list[ListedTable]:
    """Return the tables of some entries, the active ones first, else in the same order."""
    tables = [_list_table(entry, now) for entry in entries]
    return sorted(tables, key=lambda table: not table.is_active)


def _list_table(entry: LatestEntry, now: datetime.datetime) -> ListedTable:
    minutes = minutes_since(entry.created_at, now)
    is_active = minutes is not None and minutes < 60 * RECENT_HOURS
    return ListedTable(entry.code, entry.number, is_active, _describe_age(entry.created_at, minutes))


def _describe_age(time: str, minutes: int | None) -> str:
    if minutes is None:
        return ""
    if minutes >= 24 * 60:
        return f"on {format_date(local_date(time))}"
    hours, minutes = divmod(minutes, 60)
    parts = [*([f"{hours} h"] if hours else []), *([f"{minutes} min"] if minutes else [])]
    return f"{' '.join(parts)} ago" if parts else "just now"


def finished_lately(results: Iterable[Result], now: datetime.datetime) -> tuple[Result, ...]:
    """Return the results of tables that ended in the last hours."""
    ages = ((result, minutes_since(result.ended, now)) for result in results if result.code)
    return tuple(result for result, minutes in ages if minutes is not None and minutes < 60 * RECENT_HOURS)


def page_version(tables: Sequence[ListedTable], finished: Sequence[Result], page_count: int) -> int:
    """Return a number that changes when the page does; it needs no table."""
    return zlib.crc32(repr((tables, [result.id for result in finished], page_count)).encode())
