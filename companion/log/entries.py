"""What stands in a table's log: entries, each with what it says. Plain values, as they are stored."""

import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

# What an entry says. Moves stay plain data here: only their game can read them.


ConsentPolicy = Literal["concerned", "everybody", "most", "trust"]


class Opened(Struct, frozen=True, tag="Opened", omit_defaults=True):
    """The table was opened; who opened it is its host."""

    game: str
    version: str  # of the game's rules core
    setup: dict
    previous_code: str = field(default="", name="after")  # the table these players come from
    wins: tuple[int, ...] = ()  # of each player, in the games of the series before this one
    consent: ConsentPolicy = "everybody"  # who is asked; logs before 0.3 do not say it


class SetupChanged(Struct, frozen=True, tag="SetUp", omit_defaults=True):
    """The set-up was changed before the first step; `order` gives each new seat's old one."""

    setup: dict
    order: tuple[int, ...]
    consent: ConsentPolicy | None = None  # who is asked from now on; none: as before


class SeatTaken(Struct, frozen=True, tag="Sat"):
    """A phone took a free seat."""


class SeatLeft(Struct, frozen=True, tag="Stood"):
    """A phone gave a seat back."""


class Played(Struct, frozen=True, tag="Played"):
    move: dict


class MoveUndone(Struct, frozen=True, tag="TookBack"):
    """How logs before 0.3 say that a step was taken back."""

    entry: int


class MoveRedone(Struct, frozen=True, tag="PutBack"):
    """How logs before 0.3 say that a step which had been taken back was put in its place again."""

    entry: int


class NewMove(Struct, frozen=True):
    """A move in a rewritten story."""

    seat: Annotated[int, Meta(ge=0)]
    move: dict


class LogRewritten(Struct, frozen=True, tag="Rewrote", omit_defaults=True):
    """From one step on to another the story is another one; what came after stays, as far as it still can be so.

    Steps are named by their ids: the number of their entry, or "12.2" for the second move told anew in entry 12. A step of
    the tail that was known before is kept, or put in force again.
    """

    start_step: str = (
        field(
            default="", name="at"
        )  # the first step replaced, or the one before which something is put; empty: the end of the story
    )
    last_step: str = field(default="", name="until")  # the last step replaced; empty: none is
    replacement: tuple[str | NewMove, ...] = field(default=(), name="tail")


class ConsentChanged(Struct, frozen=True, tag="AgreesBy"):
    """Who is asked at this table from now on."""

    consent: ConsentPolicy


class SnapshotPinned(Struct, frozen=True, tag="Showed", omit_defaults=True):
    """The table view shows the table as it was before a step; without one, as it is."""

    step: str = ""


class OwnRuling(Struct, frozen=True, tag="OwnRuling", omit_defaults=True):
    """How the table plays a point on which the book is silent, in its own words; without a reading, it no longer does."""

    question: str
    interpretation: str = field(default="", name="reading")


class VerdictSaved(Struct, frozen=True, tag="Judged", omit_defaults=True):
    """A verdict was kept with the table, in the words in which it was given."""

    question: str
    answer: str
    because: tuple[str, ...] = ()  # a sentence each
    rules: tuple[str, ...] = ()  # by their ids
    step: str = ""  # it was asked of the table as it was before this step; empty: as it was when this was written


class AccountClaimed(Struct, frozen=True, tag="Claimed", omit_defaults=True):
    """How a player thinks it really happened, beside what others think; without a plan, as it is told after all."""

    plan: str = ""  # a repair, packed


class SeatReclaimed(Struct, frozen=True, tag="CameBack"):
    """The phone whose seat was given to another one without its Yes takes it back."""


class SeatRequested(Struct, frozen=True, tag="SeatAsked", omit_defaults=True):
    """A phone asks for a seat that another one holds."""

    asks_holder: bool = field(
        default=False, name="holder"
    )  # that one is asked, or all others when it is silent; in logs of 0.1.0 the others are


class RematchOpened(Struct, frozen=True, tag="WentOn"):
    """The players went on to another table."""

    code: str


class Imported(Struct, frozen=True, tag="Arrived"):
    """The table came here from a file: what was said before, phones said elsewhere. All its seats are free."""


TableChange = (
    Played | LogRewritten | MoveUndone | MoveRedone | ConsentChanged | OwnRuling
)  # what may also be so at once, where nobody has to agree
Proposable = TableChange | SeatRequested


class Proposed(Struct, frozen=True, tag="Proposed", omit_defaults=True):
    """Something that needs the table's consent."""

    proposable: Proposable = field(name="wish")
    asked_seats: tuple[int, ...] | None = field(
        default=None, name="asks"
    )  # these seats; logs before 0.3 ask all others
    required_agreements: int = field(default=0, name="enough")  # so many of them are enough; 0: all


class Agreed(Struct, frozen=True, tag="Agreed"):
    proposal: int
    decided: bool = False  # by the host: how logs of 0.1.0 say `Decided`


class Decided(Struct, frozen=True, tag="Decided"):
    """The host decides, for those who do not answer."""

    proposal: int


class Declined(Struct, frozen=True, tag="Declined"):
    proposal: int


Payload = (
    Opened | SetupChanged | SeatTaken | SeatLeft | SeatReclaimed | Played | LogRewritten | MoveUndone | MoveRedone | ConsentChanged | SnapshotPinned
    | Proposed | Agreed | Decided | Declined | RematchOpened | OwnRuling | VerdictSaved | AccountClaimed | Imported
)  # fmt: skip


IMPORTED_DEVICE_PREFIX = (
    "elsewhere:"  # begins the id of a phone in a log that was brought in a file; none of ours has a colon
)


class Entry(Struct, frozen=True):
    """One line of a table's log, as stored."""

    number: int
    created_at: str = field(name="at")  # UTC, ISO 8601
    device: str
    seat: Annotated[int, Meta(ge=0, le=99)] | None
    payload: Payload = field(name="what")


# When something was said, for people: by the clocks where Waymark runs


def local_date(time: str) -> str:
    """Return the day of a moment: "2026-11-24"; of a day, that day; empty where nobody noted it."""
    here = _local_datetime(time) if len(time) > len("2026-11-24") else None
    return here.date().isoformat() if here else time[:10]


def local_time(time: str) -> str:
    """Return a time as the clocks show it: "20:14"; empty where nobody noted it."""
    here = _local_datetime(time)
    return here.strftime("%H:%M") if here else ""


def _local_datetime(time: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(time).astimezone()
    except (ValueError, OverflowError):  # nothing, or spoilt
        return None
