"""The same table with other secrets: what a phone is shown must not depend on what it may not know."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from companion.log.table import Sentence, Step, Table
from companion.rendering.print_queue import Job, Press
from companion.storage.store import Store
from scoring.trails.state import GONE, Photo, Player

Change = Callable[[Player], Player]
_ONCE = re.compile(
    r'name="(tap|csrf_token)" value="[^"]*"|value="[^"]*" name="(tap|csrf_token)"|(id="csrf_token")[^>]*|data-(tap|piece|marks)="[^"]*"'
    r'|id="not-[^"]*"'
)


def plain(text: str) -> str:
    """Return a page without what is new each time it is drawn, and the marks of its pieces, in which the table's code is."""
    return _ONCE.sub("", text)


def another_hand(hand: str | None) -> str | None:
    """Return a note of the hand that differs; without a card there is nothing to note."""
    return hand if hand == GONE else "seeker-rock" if hand != "seeker-rock" else "climber-leaf"


def another_photo(photo: Photo | None) -> Photo | None:
    return photo and Photo(2 - photo.points, 2 - photo.birds if photo.points == 1 else photo.birds)


def no_note(player: Player) -> Player:
    return replace(player, hand=player.hand and None, photos=(None,) * len(player.photos))


def another_note(player: Player) -> Player:
    return replace(player, hand=another_hand(player.hand), photos=tuple(map(another_photo, player.photos)))


def otherwise(table: Table, seat: int, change: Change) -> Table:
    """Return a table where the secrets of everybody but a seat differ, in the state and in the log."""
    state = table.state
    players = tuple(player if other == seat else change(player) for other, player in enumerate(state.players))
    last = replace(table.steps[-1], after=replace(state, players=players))
    steps = (*(_step(step, seat) for step in table.steps[:-1]), _step(last, seat))
    undone = {number: (_step(step, seat), who) for number, (step, who) in table.undone.items()}
    return replace(table, steps=steps, undone=undone, lines=tuple(_line(line, seat) for line in table.lines))


def _step(step: Step, seat: int) -> Step:
    return replace(step, text="another secret") if step.move.secret and step.seat != seat else step


def _line(line: Sentence, seat: int) -> Sentence:
    return replace(line, text="another secret") if line.secret and line.seat != seat else line


@contextmanager
def serving(store: Store, table: Table) -> Iterator[None]:
    """Answer with this table instead of the one its log folds to."""
    real = store.table(table.code)
    store._tables[table.code] = table
    try:
        yield
    finally:
        store._tables[table.code] = real


class PlainPress(Press):
    """Prints a sheet at once and as its HTML, which can be compared, and remembers none."""

    def ask(self, key: tuple, paper: str, draw: Callable[[], str], who: str, player: bool = False) -> Job:
        job = Job(key, paper, draw, who, player)
        job.pdf = draw().encode()
        job.done.set()
        return job
