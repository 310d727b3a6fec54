"""The turns of a table in a few words each: the news for players who waited."""

import dataclasses
import functools
import itertools
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field

from companion.log.steps import Step
from scoring.kernel.english import capitalize_first
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import PlayedMove, TrackedGame

RECENT_TURNS = 16  # turns that pages look back


@dataclass(frozen=True)
class TurnNews:
    """What a player did in a whole turn, or so far in an unfinished one."""

    name: str
    seat: int | None  # None: a bot, which has no seat
    step_id: str  # its first step
    is_unfinished: bool
    describe: Callable[[], str] = field(repr=False, compare=False)

    @functools.cached_property
    def text(self) -> str:
        """Return such as "Rock site, +1 leaf, \u22121 rock"; the costs come last. It may be empty."""
        return self.describe()

    @property
    def content(self) -> tuple[str, str, bool]:
        """Return the values that pages show: the first step, the text, and whether the turn goes on."""
        return self.step_id, self.text, self.is_unfinished


def recent_turns(
    tracked: TrackedGame[GameSetup, GameState], steps: Sequence[Step], turn_starts: Container[str]
) -> tuple[TurnNews, ...]:
    """Return the latest turns of a log, in the order in which they began.

    :param turn_starts: IDs of the steps that begin a turn.
    """
    turns: list[list[Step]] = []
    latest_by_seat: dict[int, list[Step]] = {}
    for step in steps:
        if step.id in turn_starts:
            latest_by_seat[step.seat] = []
            turns.append(latest_by_seat[step.seat])
        if step.seat in latest_by_seat and not (step.move.out_of_turn or step.move.is_secret):
            latest_by_seat[step.seat].append(step)
    news = []
    for turn in filter(None, turns[-RECENT_TURNS:]):
        first, is_latest = turn[0], turn is latest_by_seat[turn[0].seat]
        is_unfinished = is_latest and tracked.is_turn_unfinished(first.before, steps[-1].after, first.seat)
        bot_name = tracked.text.turn_owner_name(first.before)
        name, seat = (bot_name, None) if bot_name else (first.before.players[first.seat].name, first.seat)
        news.append(TurnNews(name, seat, first.id, is_unfinished, functools.partial(_describe_turn, tracked, turn)))
    return tuple(news)


def _describe_turn(tracked: TrackedGame[GameSetup, GameState], steps: Iterable[Step]) -> str:
    moves = [PlayedMove(step.before, step.after, step.seat, step.move) for step in steps]
    return capitalize_first(", ".join(tracked.turn_phrases(moves)))


def latest_turns(turns: Sequence[TurnNews]) -> dict[str, TurnNews]:
    """Return the latest turn of each player or bot, by name, in the order in which they began."""
    latest: dict[str, TurnNews] = {}
    for turn in reversed(turns):
        if turn.name not in latest and turn.text:
            latest[turn.name] = turn
    return dict(reversed(latest.items()))


def turns_since(turns: Sequence[TurnNews], seat: int) -> tuple[TurnNews, ...]:
    """Return the turns of the other players since a player's last finished turn.

    Several turns of one player are joined.
    """
    since = itertools.takewhile(lambda turn: turn.seat != seat or turn.is_unfinished or not turn.text, reversed(turns))
    joined: dict[str, TurnNews] = {}
    for turn in reversed([turn for turn in since if turn.seat != seat and turn.text]):
        text = f"{joined[turn.name].text}; {turn.text}" if turn.name in joined else turn.text
        joined[turn.name] = dataclasses.replace(turn, describe=functools.partial(str, text))
    return tuple(joined.values())
