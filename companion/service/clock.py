"""Checks this computer's clock: without a battery, it may start with a date years ago."""

import datetime

from companion import RELEASED
from companion.log.entries import describe_date
from companion.storage.database import StorageError
from companion.storage.store import Store


def now() -> datetime.datetime:
    """Return the current time in the time zone of this computer."""
    return datetime.datetime.now().astimezone()


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
    return f"This computer’s clock looks wrong. It says {describe_date(current.date())}, but {evidence}."
