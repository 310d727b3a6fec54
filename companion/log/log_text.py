"""The game log as text: chapters, turns and messages that some seats may read."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from companion.log.entries import local_time
from companion.log.steps import Step
from companion.log.table import Agreement, LogMessage, Table
from scoring.kernel.english import join_words


@dataclass(frozen=True)
class Line:
    """One step or message of the game log."""

    id: str  # step ID or entry number
    seat: int | None  # who entered it; of a step its player
    text: str
    time: str  # local time of day; empty: unknown
    kind: str = "said"  # "said", "step", "repair" or "verdict"
    is_secret: bool = False
    # who entered it instead of its player, and who agreed
    origin_text: str = ""


@dataclass
class Turn:
    """The lines of a player's turn; without a name, messages outside of turns."""

    name: str = ""
    seat: int | None = None
    lines: list[Line] = field(default_factory=list)


@dataclass
class Chapter:
    """A round, a season or another part of a game; without a title, its setup."""

    number: int  # in the log of all players, from 0
    title: str = ""
    turns: list[Turn] = field(default_factory=list)

    @property
    def round_number(self) -> str:
        """Return the number of a round: "7"; empty for other parts of a game."""
        return self.title.removeprefix("Round ") if self.title.startswith("Round ") else ""


def game_log(table: Table, viewer_seats: tuple[int, ...]) -> list[Chapter]:
    """Return the current game log from the start, as chapters."""
    chapters = [Chapter(0)]
    rounds, current_name = 0, ""
    moved_names: set[str] = set()  # players who have had a turn this round
    for item in _steps_and_messages(table):
        if isinstance(item, Step):
            name = table.tracked.text.turn_owner_name(item.before) or table.names[item.seat]
            begins_turn = item.id in table.turn_starts
            if begins_turn:
                if name in moved_names or not rounds:
                    rounds, moved_names = rounds + 1, set()
                moved_names.add(name)
            title = table.tracked.text.chapter(item.before) or (f"Round {rounds}" if rounds else "")
            if title != chapters[-1].title:
                chapters.append(Chapter(len(chapters), title))
                current_name = ""
            if not item.move.out_of_turn and (begins_turn or name != current_name):
                current_name = name
                chapters[-1].turns.append(Turn(current_name, item.seat))
        line = _make_line(table, item)
        if line.is_secret and item.seat not in viewer_seats and not table.is_over:
            continue
        if not chapters[-1].turns:
            chapters[-1].turns.append(Turn())
        chapters[-1].turns[-1].lines.append(line)
    return _without_empty(chapters)


def lines_of_player(chapters: list[Chapter], seat: int) -> list[Chapter]:
    """Return the turns of one player, and what the player entered in the turns of others."""
    return _without_empty(
        [replace(chapter, turns=[_of_player(turn, seat) for turn in chapter.turns]) for chapter in chapters]
    )


def _of_player(turn: Turn, seat: int) -> Turn:
    return turn if turn.seat == seat else Turn(lines=[line for line in turn.lines if line.seat == seat])


def _without_empty(chapters: list[Chapter]) -> list[Chapter]:
    """Return the chapters that have lines, without empty turns."""
    for chapter in chapters:
        chapter.turns = [turn for turn in chapter.turns if turn.lines]
    return [chapter for chapter in chapters if chapter.turns]


def _steps_and_messages(table: Table) -> Iterator[Step | LogMessage]:
    """Yield the steps in order, each followed by the messages entered after it."""
    messages = [line for line in table.messages if not line.is_step]
    messages_by_index: dict[int, list[LogMessage]] = {}
    for line in messages:
        index = next(
            (number for number in range(len(table.steps) - 1, -1, -1) if table.steps[number].number < line.number), -1
        )
        messages_by_index.setdefault(index, []).append(line)
    yield from messages_by_index.get(-1, ())
    for index, step in enumerate(table.steps):
        yield step
        yield from messages_by_index.get(index, ())


def _make_line(table: Table, item: Step | LogMessage) -> Line:
    if isinstance(item, Step):
        origin_text = step_origin_text(table, item)
        return Line(
            item.id, item.seat, item.text, local_time(item.created_at), "step", item.move.is_secret, origin_text
        )
    agreement = table.agreements.get(item.number) if item.is_repair else None
    kind = "repair" if item.is_repair else "verdict" if item.is_verdict else "said"
    origin_text, time = agreement_text(table, agreement), local_time(item.created_at)
    return Line(str(item.number), item.seat, item.text, time, kind, item.is_secret, origin_text)


def step_origin_text(table: Table, step: Step) -> str:
    """Return who entered a step, if that was not its player, and who agreed."""
    author_text = "" if step.entered_by is None else f"entered by {table.names[step.entered_by]}"
    return ", ".join(filter(None, [author_text, agreement_text(table, table.agreements.get(step.number))]))


def agreement_text(table: Table, agreement: Agreement | None) -> str:
    """Return text that names the players who agreed."""
    if agreement is None:
        return ""
    if agreement.is_host_decision:
        return "decided by the host"
    return (
        f"agreed by {join_words([table.names[seat] for seat in agreement.agreed_seats])}"
        if agreement.agreed_seats
        else ""
    )
