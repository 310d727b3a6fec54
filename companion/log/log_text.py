"""The log as a story: chapters, turns, and what was said between them, as some seats may read it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.log.entries import clock
from companion.log.table import Agreement, Sentence, Step, Table
from scoring.kernel.english import listed
from scoring.kernel.tracked_game import Play


@dataclass(frozen=True)
class Line:
    """One thing that happened, or was said."""

    id: str  # of the step, or the number of the entry
    text: str
    time: str  # as clocks here show it; empty: nobody noted it
    kind: str = "said"  # or "step", "repair", "verdict"
    secret: bool = False
    how: str = ""  # who told it instead of its player, and by whose consent


@dataclass
class Turn:
    """What a player told in one go; without a player, what was said besides."""

    name: str = ""
    lines: list[Line] = field(default_factory=list)


@dataclass
class Chapter:
    title: str = ""
    turns: list[Turn] = field(default_factory=list)


def story(table: Table, seats: tuple[int, ...]) -> list[Chapter]:
    """Return the story as it now stands, from the beginning."""
    chapters = [Chapter()]
    rounds, whose = 0, ""
    moved: set[str] = set()  # who has had a turn this round
    first: dict[str, Any] = {}  # the state in which each of them began their latest turn
    for each in _in_order(table):
        if isinstance(each, Step):
            who = table.play.turn_of(each.before) or table.names[each.seat]
            begins = each.move.begins and not (who in first and _goes_on(table.play, first[who], each))
            if begins:
                first[who] = each.before
                if who in moved or not rounds:
                    rounds, moved = rounds + 1, set()
                moved.add(who)
            title = table.play.chapter(each.before) or (f"Round {rounds}" if rounds else "")
            if title != chapters[-1].title:
                chapters.append(Chapter(title))
                whose = ""
            if not each.move.anytime and (begins or who != whose):
                whose = who
                chapters[-1].turns.append(Turn(whose))
        line = _line(table, each)
        if line.secret and each.seat not in seats and not table.over:
            continue
        if not chapters[-1].turns:
            chapters[-1].turns.append(Turn())
        chapters[-1].turns[-1].lines.append(line)
    for chapter in chapters:
        chapter.turns = [turn for turn in chapter.turns if turn.lines]
    return [chapter for chapter in chapters if chapter.turns]


def _goes_on(play: Play, first: Any, step: Step) -> bool:
    """Return whether a step belongs to the turn that its player began in a first state."""
    return play.same_turn is not None and play.same_turn(first, step.before, step.seat)


def _in_order(table: Table) -> Iterator[Step | Sentence]:
    """Yield steps as they follow each other, and what was said besides after the last step told before it."""
    said = [line for line in table.lines if not line.step]
    after: dict[int, list[Sentence]] = {}
    for line in said:
        place = next((at for at in range(len(table.steps) - 1, -1, -1) if table.steps[at].number < line.number), -1)
        after.setdefault(place, []).append(line)
    yield from after.get(-1, ())
    for place, step in enumerate(table.steps):
        yield step
        yield from after.get(place, ())


def _line(table: Table, each: Step | Sentence) -> Line:
    if isinstance(each, Step):
        return Line(each.id, each.text, clock(each.at), "step", each.move.secret, how_told(table, each))
    agreement = table.agreements.get(each.number) if each.repair else None
    kind = "repair" if each.repair else "verdict" if each.verdict else "said"
    return Line(str(each.number), each.text, clock(each.at), kind, each.secret, consent(table, agreement))


def how_told(table: Table, step: Step) -> str:
    """Return who told a step where that was not its player, and who agreed."""
    by = "" if step.by is None else f"told by {table.names[step.by]}"
    return ", ".join(filter(None, [by, consent(table, table.agreements.get(step.number))]))


def consent(table: Table, agreement: Agreement | None) -> str:
    """Return by whose consent something is so, in words."""
    if agreement is None:
        return ""
    if agreement.decided:
        return "the host decided"
    return f"agreed by {listed([table.names[seat] for seat in agreement.agreed])}" if agreement.agreed else ""
