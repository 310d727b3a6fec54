"""Checks this computer's clock: without a battery, it may start with a date years ago."""

import datetime

from companion import RELEASED
from companion.storage.database import StorageError
from companion.storage.store import Store


def now() -> datetime.datetime:
    """Return the current time in the time zone of this computer."""
    return datetime.datetime.now().astimezone()


def describe_date(day: datetime.date) -> str:
    """Return a day as text: "25 Nov 2026"."""
    return f"{day.day} {day:%b %Y}"


def clock_warning(store: Store) -> str:
    """Return a warning if the clock must be wrong, or an empty text."""
    current = now()
    try:
        latest = store.latest_entry_time()
    except StorageError:  # the pages report this error
        latest = None
    if current.date() < RELEASED:
        evidence = f"this version is from {describe_date(RELEASED)}"
    elif latest and latest > current + datetime.timedelta(days=1):
        evidence = f"the latest move is from {describe_date(latest.astimezone().date())}"
    else:
        return ""
    return f"The clock of this Waymark looks wrong. It says {describe_date(current.date())}, but {evidence}."
