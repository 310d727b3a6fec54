"""Change secrets a phone may not know, to assert that its pages stay the same."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from companion.log.steps import Step
from companion.log.table import LogMessage, Table
from companion.rendering.print_queue import PrintJob, PrintQueue
from companion.storage.store import Store
from scoring.trails.state import NO_CARD, Photo, Player

PlayerChange = Callable[[Player], Player]
_PER_REQUEST = re.compile(
    r'name="(tap|csrf_token)" value="[^"]*"|value="[^"]*" name="(tap|csrf_token)"|'
    r'(id="csrf_token")[^>]*|data-(tap-id|fragments?)="[^"]*"'
    r'|id="refusal-[^"]*"'
)


def strip_per_request_values(text: str) -> str:
    """Return a page without values that are new for each request or contain the table's code."""
    return _PER_REQUEST.sub("", text)


def another_hand(hand: str | None) -> str | None:
    """Return a note of a different hand badge, or None if there is no card to note."""
    return hand if hand == NO_CARD else "seeker-rock" if hand != "seeker-rock" else "climber-leaf"


def another_photo(photo: Photo | None) -> Photo | None:
    return photo and Photo(2 - photo.points, 2 - photo.birds if photo.points == 1 else photo.birds)


def without_notes(player: Player) -> Player:
    return replace(player, hand=player.hand and None, photos=(None,) * len(player.photos))


def with_other_notes(player: Player) -> Player:
    return replace(player, hand=another_hand(player.hand), photos=tuple(map(another_photo, player.photos)))


def with_other_secrets(table: Table, seat: int, change: PlayerChange) -> Table:
    """Return a table with different secrets of all other seats, in the state and in the log."""
    state = table.state
    players = tuple(player if other == seat else change(player) for other, player in enumerate(state.players))
    last = replace(table.steps[-1], after=replace(state, players=players))
    steps = (*(_hide_step_text(step, seat) for step in table.steps[:-1]), _hide_step_text(last, seat))
    undone = {number: (_hide_step_text(step, seat), undone_by) for number, (step, undone_by) in table.removed.items()}
    return replace(
        table, steps=steps, removed=undone, messages=tuple(_hide_line_text(line, seat) for line in table.messages)
    )


def _hide_step_text(step: Step, seat: int) -> Step:
    return replace(step, text="another secret") if step.move.is_secret and step.seat != seat else step


def _hide_line_text(line: LogMessage, seat: int) -> LogMessage:
    return replace(line, text="another secret") if line.is_secret and line.seat != seat else line


@contextmanager
def substitute_table(store: Store, table: Table) -> Iterator[None]:
    """Answer requests with this table instead of the one its log gives."""
    real = store.table(table.code)
    store.cache.tables[table.code] = table
    try:
        yield
    finally:
        store.cache.tables[table.code] = real


class HtmlPrintQueue(PrintQueue):
    """A print queue that returns each sheet immediately as HTML, to be compared, and keeps none."""

    def submit(
        self, key: tuple, paper: str, render_html: Callable[[], str], client_address: str, is_player: bool = False
    ) -> PrintJob:
        job = PrintJob(key, paper, render_html, client_address, is_player)
        job.pdf = render_html().encode()
        job.finished.set()
        return job
