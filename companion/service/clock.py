"""Checks this computer's clock: without a battery, it may start with a date years ago."""

import datetime

from companion import RELEASED
from companion.log.entries import CLOCK_TOLERANCE, describe_date, local_datetime
from companion.storage.database import StorageError
from companion.storage.store import Store

# The last opened tables whose entries are compared. If the clock was once years ahead, newer tables end the warning.
COMPARED_TABLES = 10
EARLIEST_TIME_ZONE = datetime.timezone(datetime.timedelta(hours=14))  # where each day begins first


def now() -> datetime.datetime:
    """Return the current time in the time zone of this computer."""
    return datetime.datetime.now().astimezone()


def latest_day(time: datetime.datetime) -> datetime.date:
    """Return the latest day that has begun anywhere on Earth at a time."""
    return time.astimezone(EARLIEST_TIME_ZONE).date()


def clock_warning(store: Store) -> str:
    """Return a warning if the clock must be wrong, or an empty text."""
    current = now()
    if latest_day(current) < RELEASED:
        return _warning(describe_date(current.date()), f"this version is from {describe_date(RELEASED)}")
    latest = _latest_entry_time(store)
    if latest and latest > current + CLOCK_TOLERANCE:
        return _warning(_describe_time(current), f"the latest move is from {_describe_time(latest)}")
    return ""


def _warning(clock_text: str, evidence: str) -> str:
    return f"This computer’s clock looks wrong. It says {clock_text}, but {evidence}."


def _latest_entry_time(store: Store) -> datetime.datetime | None:
    try:
        times = store.latest_entry_times(COMPARED_TABLES)
    except StorageError:  # the pages report this error
        return None
    return max(filter(None, map(local_datetime, times)), default=None)


def _describe_time(time: datetime.datetime) -> str:
    return f"{describe_date(time.date())}, {time:%H:%M}"
