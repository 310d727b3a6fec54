"""The entries of a table's log, as they are stored."""

import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

# Payloads of entries. Moves stay plain data here, because only their game can decode them.


ConsentPolicy = Literal["concerned", "everybody", "most", "trust"]


class Opened(Struct, frozen=True, tag="Opened", omit_defaults=True):
    """The table was opened; the device of this entry is its host."""

    game: str
    version: str  # version of the game's rules core
    setup: dict
    # code of the previous table of these players
    previous_code: str = field(default="", name="after")
    wins: tuple[int, ...] = ()  # games each player won in the series before this one
    consent: ConsentPolicy = "everybody"  # who must agree; logs before 0.3 lack it
    # the colors of the players' pieces, unless the setup has them; empty: the default
    colors: tuple[str, ...] = ()


class SetupChanged(Struct, frozen=True, tag="SetUp", omit_defaults=True):
    """The setup was changed before the first step; `order` has the old seat of each new seat."""

    setup: dict
    order: tuple[int, ...]
    consent: ConsentPolicy | None = None  # who must agree from now on; None: unchanged


class SeatTaken(Struct, frozen=True, tag="Sat", omit_defaults=True):
    """A phone took a free seat."""

    color: str = ""  # the color of the player's piece; empty: unchanged


class SeatLeft(Struct, frozen=True, tag="Stood"):
    """A phone left its seat."""


class ColorChosen(Struct, frozen=True, tag="Color"):
    """A player chose the color of the piece in front of them."""

    color: str


class Played(Struct, frozen=True, tag="Played"):
    move: dict


class MoveUndone(Struct, frozen=True, tag="TookBack"):
    """A step was undone; used in logs before 0.3."""

    entry: int


class MoveRedone(Struct, frozen=True, tag="PutBack"):
    """An undone step was redone; used in logs before 0.3."""

    entry: int


class NewMove(Struct, frozen=True):
    """A new move in a rewritten log."""

    seat: Annotated[int, Meta(ge=0)]
    move: dict


class LogRewritten(Struct, frozen=True, tag="Rewrote", omit_defaults=True):
    """A part of the log was replaced; later steps stay, as far as they are still legal.

    Steps are named by ID: the number of their entry, or "12.2" for the second new move of entry 12.
    A known step in the replacement is kept or restored.
    """

    # first step replaced, or the step before which moves are inserted; empty: the end of the log
    start_step: str = field(default="", name="at")
    # last step replaced; empty: no step is replaced
    last_step: str = field(default="", name="until")
    replacement: tuple[str | NewMove, ...] = field(default=(), name="tail")


class ConsentChanged(Struct, frozen=True, tag="AgreesBy"):
    """The table changed who must agree to changes."""

    consent: ConsentPolicy


class SetupGuideChanged(Struct, frozen=True, tag="Guide", omit_defaults=True):
    """The guided setup was opened, closed or ticked off; it replaces the guide before."""

    done: tuple[str, ...] = ()  # ids of the steps that are ticked off
    is_open: bool = field(default=True, name="open")


class ActionsDone(Struct, frozen=True, tag="ActionsDone", omit_defaults=True):
    """Players brought the table in line with a repair, or it was in line already."""

    repair: int  # number of the entry that applied it
    # whose actions are done: a seat, or -1 for the shared part of the table; None: all, as the table was in line
    owner: int | None = None


class SnapshotPinned(Struct, frozen=True, tag="Showed", omit_defaults=True):
    """The table view shows the state before a step; without a step, the current state."""

    step: str = ""


class OwnRuling(Struct, frozen=True, tag="OwnRuling", omit_defaults=True):
    """A house rule in the table's own words, for an open point or in place of a printed rule.

    An empty interpretation removes it.
    """

    question: str
    interpretation: str = field(default="", name="reading")
    rule: str = ""  # the ID of the printed rule that this variant replaces; empty: the rulebook is silent


class VerdictSaved(Struct, frozen=True, tag="Judged", omit_defaults=True):
    """A rules answer was saved with the table, word for word."""

    question: str
    answer: str
    because: tuple[str, ...] = ()  # one sentence each
    rules: tuple[str, ...] = ()  # rule IDs
    # the question was about the state before this step; empty: the state at this entry
    step: str = ""


class AccountClaimed(Struct, frozen=True, tag="Claimed", omit_defaults=True):
    """A player's own account of the game; without a plan, it is withdrawn."""

    plan: str = ""  # an encoded repair plan


class SeatReclaimed(Struct, frozen=True, tag="CameBack"):
    """A phone reclaimed a seat that was reassigned without its agreement."""


class SeatRequested(Struct, frozen=True, tag="SeatAsked", omit_defaults=True):
    """A phone asks for a seat that another phone holds."""

    # whether the holder is asked, or all other seats together if the holder does not answer;
    # in logs of 0.1.0 only the other seats are asked
    asks_holder: bool = field(default=False, name="holder")


class RematchOpened(Struct, frozen=True, tag="WentOn"):
    """The players moved on to another table."""

    code: str


class Imported(Struct, frozen=True, tag="Arrived"):
    """The table was imported from a file; all its seats are free.

    Earlier entries were made by devices that are not known here.
    """


# Changes that apply immediately if no one has to agree.
TableChange = Played | LogRewritten | ConsentChanged | OwnRuling
OldChange = MoveUndone | MoveRedone  # in logs before 0.3
Proposable = TableChange | OldChange | SeatRequested


class Proposed(Struct, frozen=True, tag="Proposed", omit_defaults=True):
    """A change that needs the table's consent."""

    proposable: Proposable = field(name="wish")
    # seats that are asked; logs before 0.3 ask all others
    asked_seats: tuple[int, ...] | None = field(default=None, name="asks")
    required_agreements: int = field(default=0, name="enough")  # number of agreements that are enough; 0: all


class Agreed(Struct, frozen=True, tag="Agreed"):
    proposal: int
    decided: bool = False  # whether the host decided; logs of 0.1.0 use this instead of `Decided`


class Decided(Struct, frozen=True, tag="Decided"):
    """The host decides for players who do not answer."""

    proposal: int


class Declined(Struct, frozen=True, tag="Declined"):
    proposal: int


Payload = (
    Opened | SetupChanged | SeatTaken | SeatLeft | SeatReclaimed | ColorChosen
    | Played | LogRewritten | MoveUndone | MoveRedone | ConsentChanged | SnapshotPinned | SetupGuideChanged
    | ActionsDone | Proposed | Agreed | Decided | Declined | RematchOpened | OwnRuling | VerdictSaved
    | AccountClaimed | Imported
)  # fmt: skip


# Prefix of device IDs in imported logs; IDs of this server contain no colon.
IMPORTED_DEVICE_PREFIX = "elsewhere:"


class Entry(Struct, frozen=True):
    """One entry of a table's log, as stored."""

    number: int
    created_at: str = field(name="at")  # UTC, ISO 8601
    device: str
    seat: Annotated[int, Meta(ge=0, le=99)] | None
    payload: Payload = field(name="what")


# Local dates and times of entries, in the time zone of the server

CLOCK_TOLERANCE = datetime.timedelta(minutes=5)  # a clock that is set by the network goes back a little


def local_date(time: str) -> str:
    """Return the local date of a time or date, such as "2026-11-24"; empty if there is no time."""
    local = local_datetime(time) if len(time) > len("2026-11-24") else None
    return local.date().isoformat() if local else time[:10]


def start_of_day(date: str) -> str:
    """Return the UTC time at which a local day begins; unchanged if no calendar has it."""
    local = local_datetime(date)
    try:
        return local.astimezone(datetime.UTC).isoformat(timespec="milliseconds") if local else date
    except OverflowError:
        return date


def format_date(date: str) -> str:
    """Return an ISO date as people read it, such as "24 Nov 2026"; other texts are unchanged."""
    try:
        return describe_date(datetime.date.fromisoformat(date))
    except ValueError:
        return date


def describe_date(day: datetime.date) -> str:
    """Return a date as people read it, such as "24 Nov 2026"."""
    return f"{day.day} {day:%b %Y}"


def local_time(time: str) -> str:
    """Return the local time of day, such as "20:14"; empty if there is no time."""
    local = local_datetime(time)
    return local.strftime("%H:%M") if local else ""


def minutes_since(time: str, now: datetime.datetime) -> int | None:
    """Return the whole minutes since a time, at least 0; None if the text is not a time."""
    then = local_datetime(time)
    return max(0, (now - then) // datetime.timedelta(minutes=1)) if then else None


def local_datetime(time: str) -> datetime.datetime | None:
    """Return the local time of a time or day as in logs; None if the text is neither."""
    try:
        return datetime.datetime.fromisoformat(time).astimezone()
    except (ValueError, OverflowError):  # empty or invalid
        return None
