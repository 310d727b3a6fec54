"""What people say at a table, judged and written: moves, take-backs, consent, seats. Knows no HTTP."""

import datetime
import math
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.log.apply import Broken, follow
from companion.log.entries import (
    Agreed,
    AgreesBy,
    Arrived,
    CameBack,
    Change,
    Claimed,
    Consent,
    Decided,
    Declined,
    Entry,
    Judged,
    Opened,
    OwnRuling,
    Played,
    Proposed,
    Sat,
    SeatAsked,
    SetUp,
    Showed,
    Stood,
    WentOn,
    What,
    Wish,
)
from companion.log.log_diff import entry_for
from companion.log.preview import compare, if_so, whom_to_ask
from companion.log.repair import Mended, Plan, changes_one_step, freely, mend, of_notes, touched
from companion.log.table import DoesNotFollow, InTheWay, Proposal, Table, plain_move
from companion.service.live import Live
from companion.storage.card_facts import Boxes
from companion.storage.history import History
from companion.storage.store import Last, NoSuchTable, SeenTap, Store, Taken, stamp
from companion.system.presence import Presence
from scoring.games import PLAYS
from scoring.kernel.box import Box
from scoring.kernel.box_facts import UseBoxFacts, Value
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Play

SEED_BITS = 32  # of the chance a table brings along
TRIES = 20  # lost races before giving up; each lost race means somebody else's entry was written
SILENT = 2  # minutes without a sign of a phone until the others may give its seat away ...
SILENT_WITH_SECRETS = 5  # ... where the game has secrets, which go with the seat
DECIDED_AFTER = 45  # seconds until the host can decide for phones that do not answer
OPEN_QUESTIONS = 6  # of one table at once ...
OF_STRANGERS = 3  # ... of phones without a seat among them ...
OF_ONE_PHONE = 3  # ... of one phone, only one of them for a seat
LONGEST_QUESTION, LONGEST_READING = 160, 400  # characters of a table's own ruling
MOST_RULINGS = 20  # of its own, at a table
TOLD_OF_A_BOX = 20  # of the latest tables that go on
MOST_VERDICTS = 60  # kept at a table
REFUSED_FOR = 2  # minutes after a No until a seat is asked for again


class NotAllowed(Exception):
    """This phone may not do that here; the text says why and what it can do instead."""


class NotWhole(Exception):
    """A later step does not stand any more; what becomes of it has to be said first."""

    def __init__(self, mended: Mended):
        super().__init__("Something told later does not stand any more.")
        self.mended = mended


class TooBusy(Exception):
    """Others were quicker every time."""


class Said(NamedTuple):
    """What a judge lets be written: by which seat, what, and the move in it where that has been read already."""

    seat: int | None
    what: What
    move: Move | None = None


Judge = Callable[[Table], Said]


class Referee:
    """Takes what a phone says, judges it on the table as it is, writes it, tells everyone."""

    def __init__(self, store: Store, live: Live, presence: Presence | None = None):
        self.store = store
        self.live = live
        self.presence = presence  # None where no phone is answered, as on the command line: it stops nobody
        self.boxes = Boxes(store)
        self.history = History(store, self.boxes.owners)

    def open(
        self, device: str, game_key: str, setup: dict, *, strict: bool = True, consent: Consent = "concerned"
    ) -> Table:
        """Open a new table and return it.

        :raises Malformed: when the set-up cannot be read.
        :raises Illegal: when the rules refuse it.
        """
        play = PLAYS[game_key]
        checked = play.read_setup(setup, strict=strict)
        what = Opened(game_key, play.box.version, plain_move(checked), consent=consent)
        return self.store.open(Entry(1, stamp(), device, None, what))

    def usual(self, play: Play, names: list[str]) -> dict:
        """Return the set-up a new table of these players starts from, as plain data."""
        return plain_move(self._anew(play, play.ask_later(play.usual(names))))

    def _anew(self, play: Play, setup: Any, *earlier: str) -> Any:
        facts = self.boxes.facts_for(play.box, *earlier) if play.facts else None
        return play.anew(setup, secrets.randbits(SEED_BITS), facts)

    def _series(self, table: Table) -> list[str]:
        """Return the codes of a table and those its players come from, the first one first."""
        codes = [table.code]
        with suppress(Broken, NoSuchTable):
            while (before := table.after) and before not in codes:
                table = self.store.table(before)
                codes.append(before)
        return codes[::-1]

    def again(self, code: str, device: str, tap: str, first: int = 0) -> Table:
        """Open another table for the same players, on the same phones, and return it; once, whoever asks.

        `first` is the seat of the player who starts, the rest follow in order.

        :raises NotAllowed: before the end, or from a phone that has no part in it, or where nobody has that seat.
        """
        with self.store.turn(code):
            for _ in range(TRIES):
                table = self.store.table(code)
                if table.next:
                    return self.store.table(table.next)
                _member(table, device)
                if not table.over:
                    raise NotAllowed("This game is not over yet; play it to its end first.")
                _seat(table, first)
                now, play, order = stamp(), table.play, _round(first, len(table.seats))
                setup = plain_move(self._anew(play, play.once_more(table.setup, table.state), *self._series(table)))
                setup["players"] = [setup["players"][old] for old in order]
                wins = (*(table.wins_now[old] for old in order), *table.wins_now[len(order) :])  # a bot has no seat
                what = Opened(play.key, play.box.version, setup, table.code, wins, table.consent)
                opened = Entry(1, now, table.host, None, what)
                held = [(seat, holder) for seat, old in enumerate(order) if (holder := table.seats[old])]
                seated = [Entry(number, now, holder, seat, Sat()) for number, (seat, holder) in enumerate(held, 2)]
                last = Last(table, lambda new: Entry(table.number + 1, now, device, None, WentOn(new)), tap)
                try:
                    new = self.store.open(opened, *seated, last=last)
                except Taken:
                    continue
                self.live.announce(table.code, table.number + 1)
                return new
            raise TooBusy

    def change_setup(
        self, code: str, device: str, tap: str, setup: dict, first: int, consent: Consent | None = None
    ) -> Table:
        """Change the set-up before the first step; `first` is the player who starts, the rest follow in order.

        :raises NotAllowed: when steps have been taken.
        """

        def judge(table: Table) -> Said:
            if table.steps:
                raise NotAllowed("The game has begun; take its steps back before changing the set-up.")
            _member(table, device)
            count = len(table.seats)
            order = _round(first, count)
            turned = dict(setup)
            players = turned.get("players")
            if not isinstance(players, list | tuple):
                raise Malformed("players: a list of players is needed")
            if len(players) != count:
                raise Malformed(f"players: this table has {count} players, not {len(players)}")
            turned["players"] = [players[old] for old in order]
            whole = plain_move(table.setup) | turned  # what a form does not ask stays
            return Said(None, SetUp(plain_move(table.play.read_setup(whole, strict=False)), order, consent))

        return self._say(code, device, tap, judge)

    def sit(self, code: str, device: str, tap: str, seat: int) -> Table:
        """Take a free seat, or one that was taken from this phone; ask for one that another phone holds."""

        def judge(table: Table) -> Said:
            _seat(table, seat)
            holder = table.seats[seat]
            if holder == device:
                raise _AlreadySo
            if holder is None:
                return Said(seat, Sat())
            if any(lost.seat == seat for lost in table.lost_by(device)):
                return Said(seat, CameBack())
            return Said(seat, _question(table, device, seat, SeatAsked(holder=True)))

        return self._say(code, device, tap, judge)

    def stand(self, code: str, device: str, tap: str, seat: int) -> Table:
        """Give a seat back."""
        return self._say(code, device, tap, lambda table: Said(_mine(table, device, seat), Stood()))

    def play(self, code: str, device: str, tap: str, seat: int, data: dict, *, strict: bool = True) -> Table:
        """Play a move, or propose it where it needs the table's consent.

        :raises Malformed: when it is no move of this game.
        :raises Illegal: when the rules refuse it.
        """

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            move = table.play.decode(data, strict=strict)
            if isinstance(move, UseBoxFacts):
                raise NotAllowed("Facts of the box come from its owner. Enter them on the page of the box.")
            said = Played(plain_move(move))
            if not move.consent and not table.over:
                return Said(seat, said, move)  # whether it is legal shows as it is played
            if reasons := list(table.play.objections(table.state, seat, move)):
                raise Illegal(reasons)
            after = if_so(table, device, seat, said)
            free = _of_its_own(table, device, after) if move.lays else table.alone(device) and not move.consent
            return self._asked(table, device, seat, said, after, free=free)

        after = self._say(code, device, tap, judge)
        if not _told_of_its_box(after) or not self.boxes.owners.has(device):
            return after
        self.hand_on(after.play.box, device)
        return self.store.table(code)

    def hand_on(self, game: Box, device: str) -> None:
        """Send new facts of a game's box to its running tables."""
        for code in self.store.going_on(TOLD_OF_A_BOX):
            with suppress(Broken, NoSuchTable):
                if self.store.table(code).play.box is game:
                    self._say(code, device, new_tap(), self._box_facts)

    def _box_facts(self, table: Table) -> Said:
        values = [] if table.elsewhere else fitting(table.play, table.state, self.boxes.news_for(table))
        if not values:
            raise _AlreadySo
        return Said(0, Played(use_of(values)))

    def mend(self, code: str, device: str, tap: str, seat: int, plan: Plan, *, previewed: bool = True) -> Table:
        """Tell the story otherwise: at once where it concerns nobody else, else by asking.

        :param previewed: the player has seen everything that the repair changes; else it may change only one step.
        :raises Illegal: when something told anew was not possible there.
        :raises NotWhole: when a later step does not stand any more, and nothing has been said about it; when it changes
            more than the player has seen.
        """

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            try:
                mended = mend(table, plan, seat)
            except (DoesNotFollow, Malformed):
                raise NotAllowed("The story has been told otherwise since. Look at it again.") from None
            if mended.refused:
                raise Illegal(list(mended.refused))
            if not (mended.whole and (previewed or changes_one_step(table, plan, seat))):
                raise NotWhole(mended)
            wish = entry_for(table, mended.story)
            if not wish.at and not wish.tail:
                raise _AlreadySo
            _may_tell(table, device, mended)
            after = replace(table, steps=mended.story)
            return self._asked(table, device, seat, wish, after, free=freely(table, device, mended))

        return self._say(code, device, tap, judge)

    def _asked(
        self, table: Table, device: str, seat: int, wish: Change, after: Table | None = None, *, free: bool = False
    ) -> Said:
        """Return a wish that comes true at once, or a question to those who have to agree; `after` is the table then."""
        asks, enough = ((), 0) if free else whom_to_ask(table, device, after and compare(table, after))
        if free or (not asks and table.consent == "trust"):
            return Said(seat, wish)
        return Said(seat, _question(table, device, seat, wish, asks, enough))

    def agree_by(self, code: str, device: str, tap: str, seat: int, consent: Consent) -> Table:
        """Change who is asked at this table; everybody has to agree to that."""

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            if table.consent == consent:
                raise _AlreadySo
            return self._asked(table, device, seat, AgreesBy(consent))

        return self._say(code, device, tap, judge)

    def write_ruling(self, code: str, device: str, tap: str, seat: int, question: str, reading: str) -> Table:
        """Write down how the table plays what the book is silent on, or without a reading that it no longer does; all agree."""

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            asked = " ".join(question.split())[:LONGEST_QUESTION]
            ruling = OwnRuling(asked, " ".join(reading.split())[:LONGEST_READING])
            known = {each.question: each.reading for each in table.own_rulings}
            if not asked:
                raise NotAllowed("Write down the question first.")
            if known.get(asked, "") == ruling.reading:
                if not ruling.reading:
                    raise NotAllowed("Write down how you play it, too.")
                raise _AlreadySo
            if ruling.reading and asked not in known and len(known) >= MOST_RULINGS:
                raise NotAllowed(f"A table keeps {MOST_RULINGS} readings of its own; take one back first.")
            return self._asked(table, device, seat, ruling)

        return self._say(code, device, tap, judge)

    def keep(self, code: str, device: str, tap: str, seat: int, verdict: Callable[[Table], Judged]) -> Table:
        """Keep a verdict with the table, in the words it has there now."""

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            if len(table.verdicts) >= MOST_VERDICTS:
                raise NotAllowed(f"{MOST_VERDICTS} verdicts are kept at this table already.")
            return Said(seat, verdict(table))

        return self._say(code, device, tap, judge)

    def claim(self, code: str, device: str, tap: str, seat: int, plan: Plan | None) -> Table:
        """Put beside what is told how this seat thinks it really happened; without a plan, leave it as it is told.

        :raises NotAllowed: when the plan holds another player's note, or nothing.
        """

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            packed = plan.packed() if plan else ""
            if packed == next((each.plan for each in table.claims if each.seat == seat), ""):
                raise _AlreadySo
            if plan:
                try:
                    mended = mend(table, plan, seat)
                except (DoesNotFollow, Malformed):
                    raise NotAllowed("The story has been told otherwise since. Look at it again.") from None
                if of_notes(table, plan, mended):
                    raise NotAllowed(
                        "A note is its own player\u2019s alone; what hangs on it cannot be laid beside other readings."
                    )
            return Said(seat, Claimed(packed))

        return self._say(code, device, tap, judge)

    def show(self, code: str, device: str, tap: str, seat: int, step: str) -> Table:
        """Have the table view show the table as it was before a step; without one, as it is."""

        def judge(table: Table) -> Said:
            _mine(table, device, seat)
            if table.shown == step:
                raise _AlreadySo
            if step and (known := table.step(step)) and not (known.move.secret and not table.over):
                return Said(seat, Showed(step))
            if step:
                raise NotAllowed("There is no such step to show.")
            return Said(seat, Showed())

        return self._say(code, device, tap, judge)

    def answer(self, code: str, device: str, tap: str, number: int, yes: bool) -> Table:
        """Agree to a proposal or decline it. The host decides for those who do not answer.

        The seat of a phone that is there is given to another one by nobody but that phone.
        """

        def judge(table: Table) -> Said:
            proposal = table.proposal(number)
            if proposal is None:
                raise NotAllowed("That question has been settled already.")
            mine = table.seats_of(device)
            asked = [seat for seat in proposal.waiting if seat in mine]
            wanted = proposal.seat if isinstance(proposal.wish, SeatAsked) else None
            holder = wanted in mine
            if not (asked or device == table.host or (not yes and (holder or device == proposal.device))):
                raise NotAllowed("This question is not for your phone to answer.")
            seat = asked[0] if asked else mine[0] if mine else None
            if not yes:
                return Said(seat, Declined(number))
            if wanted is not None and not holder:
                self._silent(table, wanted)
            elif not asked and self.presence and (left := until_decided(proposal, stamp())):
                seconds = "a second" if left == 1 else f"{left} seconds"
                raise NotAllowed(f"Give the others a moment to answer; you can decide in {seconds}.")
            return Said(seat, Agreed(number) if asked else Decided(number))

        return self._say(code, device, tap, judge)

    def _silent(self, table: Table, seat: int) -> None:
        """:raises NotAllowed: as long as the phone that holds a seat has not been silent for long enough."""
        holder = table.seats[seat]
        if self.presence is None or holder is None:
            return
        left = 60 * patience(table.play) - self.presence.silence(table.code, holder)
        if left > 0:
            name = table.names[seat]
            raise NotAllowed(
                f"{name}\u2019s phone was here just now, and only {name} can hand the seat over from there. "
                f"If it stays silent, you can decide in {minutes(left)}."
            )

    def _say(self, code: str, device: str, tap: str, judge: Judge) -> Table:
        """Judge, write, and judge again if another process was first. A tap seen before changes nothing."""
        with self.store.turn(code):
            for _ in range(TRIES):
                table = self.store.table(code)
                try:
                    seat, what, move = judge(table)
                    if table.elsewhere:  # nobody has said anything of it here yet
                        arrived = Entry(table.number + 1, stamp(), device, None, Arrived())
                        with suppress(Taken):
                            self.store.append(follow(table, arrived), arrived, new_tap())
                        continue
                    if isinstance(what, Proposed) and _asked_already(table, device, seat, what):
                        return table
                    entry = Entry(table.number + 1, stamp(), device, seat, what)
                    after = follow(table, entry, move)
                except _AlreadySo:
                    return table
                except (Illegal, InTheWay, NotAllowed, NotWhole):
                    if self.store.has_tap(code, tap):  # the same tap again, after it has changed the table
                        return table
                    raise
                try:
                    self.store.append(after, entry, tap, lambda: self._learn(device, table, after))
                except SeenTap:
                    return self.store.table(code)
                except Taken:
                    continue
                self.live.announce(code, entry.number)
                return after
            raise TooBusy

    def _learn(self, device: str, before: Table, after: Table) -> None:
        """Keep what an entry tells of the box, and how the game came out; part of the transaction that writes it down."""
        if not (len(after.steps) > len(before.steps) and isinstance(after.steps[-1].move, UseBoxFacts)):
            self.boxes.learn(device, before, after)
        self.history.learn(before, after)


class _AlreadySo(Exception):
    """Nothing to write: the table is as asked."""


def _asked_already(table: Table, device: str, seat: int | None, what: Proposed) -> bool:
    """Return whether this phone is waiting for an answer to just this."""
    asked = ((proposal.device, proposal.seat, proposal.wish) for proposal in table.proposals)
    return (device, seat, what.wish) in asked


def _question(
    table: Table, device: str, seat: int, wish: Wish, asks: tuple[int, ...] | None = None, enough: int = 0
) -> Proposed:
    """Return a question to the table, or to some seats of it, unless enough has been asked.

    :raises NotAllowed: when this phone, or the others, have to be answered first.
    """
    question = Proposed(wish, asks, enough)
    if _asked_already(table, device, seat, question):
        return question
    mine = [each for each in table.proposals if each.device == device]
    strangers = {each.device for each in table.proposals if not table.seats_of(each.device)}
    if isinstance(wish, SeatAsked):
        if any(isinstance(each.wish, SeatAsked) for each in mine):
            raise NotAllowed(
                "Your phone is asking for a seat already; wait for the answer or tap \u201cNever mind\u201d."
            )
        _not_refused(table, device, seat)
    if len(mine) >= OF_ONE_PHONE:
        raise NotAllowed(f"You are asking {OF_ONE_PHONE} things already; wait until the others have answered.")
    full = not table.seats_of(device) and len(strangers) >= OF_STRANGERS
    if full or len(table.proposals) >= OPEN_QUESTIONS:
        raise NotAllowed("Others are asking already; ask again when that is settled.")
    return question


def _not_refused(table: Table, device: str, seat: int) -> None:
    """:raises NotAllowed: when this phone has just been refused a seat; those without a seat count as one."""
    refused = table.refused.get(seat)
    if refused is None or (device != refused.device and (table.seats_of(device) or table.seats_of(refused.device))):
        return
    since = datetime.datetime.fromisoformat(stamp()) - datetime.datetime.fromisoformat(refused.at)
    left = 60 * REFUSED_FOR - since.total_seconds()
    if 0 < left <= 60 * REFUSED_FOR:  # more only if the clock was set back: then nobody waits
        name = table.names[seat]
        raise NotAllowed(f"The answer was No just now. You can ask for {name}\u2019s seat again in {minutes(left)}.")


def until_decided(proposal: Proposal, now: str) -> int:
    """Return in how many seconds the host can decide what nobody has answered."""
    since = datetime.datetime.fromisoformat(now) - datetime.datetime.fromisoformat(proposal.at)
    left = math.ceil(DECIDED_AFTER - since.total_seconds())
    return left if 0 < left <= DECIDED_AFTER else 0  # more only if the clock was set back: then nobody waits


def patience(play: Play) -> int:
    """Return for how many minutes a phone must be silent until the others may give its seat away."""
    return SILENT_WITH_SECRETS if play.has_secrets else SILENT


def minutes(seconds: float) -> str:
    whole = math.ceil(seconds / 60)
    return "a minute" if whole == 1 else f"{whole} minutes"


def new_tap() -> str:
    """Return the id of a tap that may be made on a page drawn now."""
    return secrets.token_urlsafe(6)


def _round(first: int, count: int) -> tuple[int, ...]:
    """Return the seats in turn order when one of them begins."""
    return tuple((first + seat) % count for seat in range(count))


def _seat(table: Table, seat: int) -> int:
    if not 0 <= seat < len(table.seats):
        raise NotAllowed("There is no such seat at this table.")
    return seat


def _of_its_own(table: Table, device: str, after: Table) -> bool:
    """Return whether a phone tells nothing but how its own things lie before the first turn: nobody else need see to that."""
    return table.begins and table.consent == "concerned" and compare(table, after).whose <= {*table.seats_of(device)}


def _mine(table: Table, device: str, seat: int) -> int:
    if table.seats[_seat(table, seat)] != device:
        raise NotAllowed(f"Your phone does not hold {table.names[seat]}\u2019s seat.")
    return seat


def _may_tell(table: Table, device: str, mended: Mended) -> None:
    """:raises NotAllowed: when a repair tells a note that is another player's alone, or is about nothing but such notes: to
    ask would be to tell.
    """
    steps, mine = touched(table, mended), table.seats_of(device)
    theirs = [step for step in steps if step.move.secret and step.seat not in mine]
    told = any(step.id not in table.places and step.id not in table.undone for step in theirs)
    if told or (theirs and len(theirs) == len(steps) and not table.over):
        raise NotAllowed("A note is its own player\u2019s alone; only that phone can tell it.")


def use_of(values: Sequence[Value]) -> dict:
    """Return the move that takes over values of a box, as plain data."""
    return {"type": "use-box-facts", "values": msgspec.json.encode(values).decode()}


def fitting(play: Play, state: Any, values: Iterable[Value]) -> list[Value]:
    """Return the values of a box that fit the position of a table."""
    found: list[Value] = []
    before = list(play.lying.faults(state)) if play.lying else []
    for value in values:
        after = play.decode(use_of([value])).apply(state, 0)
        wrong = play.lying and any(fault not in before for fault in play.lying.faults(play.settle(after)))
        if after.facts != state.facts and not wrong:
            found.append(value)
            state = after
    return found


def _told_of_its_box(table: Table) -> bool:
    """Return whether the last step of a table told facts of its box."""
    step = table.steps[-1] if table.play.facts and table.steps else None
    return step is not None and step.number == table.number and step.before.facts != step.after.facts


def _member(table: Table, device: str) -> None:
    if device != table.host and not table.seats_of(device):
        raise NotAllowed("Take a seat first; then you can change the set-up.")
