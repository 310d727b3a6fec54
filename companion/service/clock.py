"""Whether this computer's clock can be right: one without a battery may start years behind."""

import datetime

from companion import RELEASED
from companion.storage.store import Store, Trouble


def now() -> datetime.datetime:
    """Return the time in the time zone of this computer."""
    return datetime.datetime.now().astimezone()


def in_words(day: datetime.date) -> str:
    """Return a day as people write it: "25 Nov 2026"."""
    return f"{day.day} {day:%b %Y}"


def wrong_clock(store: Store) -> str:
    """Return why the clock must be wrong, or nothing where it may be right."""
    said = now()
    try:
        latest = store.latest()
    except Trouble:  # the pages report it
        latest = None
    if said.date() < RELEASED:
        because = f"this version is from {in_words(RELEASED)}"
    elif latest and latest > said + datetime.timedelta(days=1):
        because = f"the latest move is from {in_words(latest.astimezone().date())}"
    else:
        return ""
    return f"The clock of this Waymark looks wrong. It says {in_words(said.date())}, but {because}."
