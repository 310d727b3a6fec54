"""The turns of a table in a few words each: the news for players who waited."""

from collections.abc import Container, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.log.steps import Step
from scoring.kernel.english import capitalize_first
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import PlayedMove, TrackedGame

RECENT_TURNS = 16  # turns that pages look back


class TurnNews(Struct, frozen=True):
    """What a player did in a whole turn, or so far in an unfinished one."""

    name: str
    seat: int | None  # None: a bot, which has no seat
    text: str  # such as "Rock site, +1 leaf, \u22121 rock"; the costs come last
    step_id: str  # its first step
    is_unfinished: bool


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
        news.append(_describe_turn(tracked, turn, is_unfinished=is_unfinished))
    return tuple(turn for turn in news if turn.text)


def _describe_turn(
    tracked: TrackedGame[GameSetup, GameState], steps: Sequence[Step], *, is_unfinished: bool
) -> TurnNews:
    first = steps[0]
    bot_name = tracked.text.turn_owner_name(first.before)
    moves = [PlayedMove(step.before, step.after, step.seat, step.move) for step in steps]
    return TurnNews(
        name=bot_name or first.before.players[first.seat].name,
        seat=None if bot_name else first.seat,
        text=capitalize_first(", ".join(tracked.turn_phrases(moves))),
        step_id=first.id,
        is_unfinished=is_unfinished,
    )


def latest_turns(turns: Iterable[TurnNews]) -> dict[str, TurnNews]:
    """Return the latest turn of each player or bot, by name, in the order in which they began."""
    latest: dict[str, TurnNews] = {}
    for turn in turns:
        latest.pop(turn.name, None)
        latest[turn.name] = turn
    return latest


def turns_since(turns: Sequence[TurnNews], seat: int) -> tuple[TurnNews, ...]:
    """Return the turns of the other players since a player's last finished turn.

    Several turns of one player are joined.
    """
    own = [index for index, turn in enumerate(turns) if turn.seat == seat and not turn.is_unfinished]
    joined: dict[str, TurnNews] = {}
    for turn in turns[own[-1] + 1 if own else 0 :]:
        if turn.seat != seat:
            earlier = joined.get(turn.name)
            joined[turn.name] = replace(turn, text=f"{earlier.text}; {turn.text}") if earlier else turn
    return tuple(joined.values())
