"""The turns of a table in a few words each: the news for players who waited."""

import dataclasses
import functools
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
    describe: Callable[[], str] = field(repr=False)

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
    turns: list[TurnNews] = []
    later_steps: dict[int, list[Step]] = {}  # by seat: those since the beginning of a turn that is still to be found
    finished_seats: set[int] = set()  # seats with a turn that began later
    for step in reversed(steps):
        turn = later_steps.setdefault(step.seat, [])
        if not (step.move.out_of_turn or step.move.is_secret):
            turn.insert(0, step)
        if step.id not in turn_starts:
            continue
        later_steps.pop(step.seat)
        is_unfinished = step.seat not in finished_seats and tracked.is_turn_unfinished(
            step.before, steps[-1].after, step.seat
        )
        finished_seats.add(step.seat)
        bot_name = tracked.text.turn_owner_name(step.before)
        turns.append(
            TurnNews(
                name=bot_name or step.before.players[step.seat].name,
                seat=None if bot_name else step.seat,
                step_id=step.id,
                is_unfinished=is_unfinished,
                describe=functools.partial(_describe_turn, tracked, turn),
            )
        )
        if len(turns) == RECENT_TURNS:
            break
    return tuple(reversed(turns))


def _describe_turn(tracked: TrackedGame[GameSetup, GameState], steps: Iterable[Step]) -> str:
    moves = [PlayedMove(step.before, step.after, step.seat, step.move) for step in steps]
    return capitalize_first(", ".join(tracked.turn_phrases(moves))) if moves else ""


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
    since: list[TurnNews] = []
    for turn in reversed(turns):
        if turn.seat == seat and not turn.is_unfinished and turn.text:
            break
        since.insert(0, turn)
    joined: dict[str, TurnNews] = {}
    for turn in since:
        if turn.seat == seat or not turn.text:
            continue
        earlier = joined.get(turn.name)
        text = f"{earlier.text}; {turn.text}" if earlier else turn.text
        joined[turn.name] = dataclasses.replace(turn, describe=functools.partial(str, text))
    return tuple(joined.values())
