"""Results of games, computed from a table or entered by a player. Independent of storage."""

import calendar
import datetime
import functools
import itertools
import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.log.entries import CLOCK_TOLERANCE, local_date, local_datetime, start_of_day
from companion.log.table import Table
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.english import join_words, pluralize
from scoring.kernel.parsing import MAX_NAME_LENGTH, name_error
from scoring.kernel.sheet import Column, Line, Sheet

MAX_POINTS = 1000
MAX_NOTE_LENGTH = 300
MAX_VERDICT_LENGTH = 1000
EARLIEST_DAY = datetime.date(1900, 1, 1)
MAX_OTHER_IDS = 10
MINUTES_PER_DAY = 24 * 60  # a longer duration includes an interruption and is not recorded

TIME_PATTERN = r"^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[0-9.]{0,7}\+00:00)?$"

Points = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]


class PlayerResult(Struct, frozen=True, omit_defaults=True):
    """The result of one player."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
    points: Points = 0  # without meaning in a game without points
    place: Annotated[int, Meta(ge=1, le=8)] = 1
    winner: bool = False
    categories: Annotated[dict[Annotated[str, Meta(max_length=40)], Points], Meta(max_length=20)] = {}
    # The title that a solo player's total earns, that a runner did not finish, or an imported score without points.
    note: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] = ""
    bot: bool = False
    color: Annotated[str, Meta(max_length=40)] = ""  # of the player's piece, if the game was tracked
    guest: bool = False  # a player whose name is not known: "Guest", "Guest 2"
    unscored: bool = False  # are the points not known?

    @property
    def is_person(self) -> bool:
        """Return whether this is a person with a name, who has statistics."""
        return not (self.bot or self.guest)


class Result(Struct, frozen=True, omit_defaults=True):
    """The result of a game."""

    id: Annotated[str, Meta(pattern="^[A-Z]{6}$")]
    game: str  # the key of its box
    ended: Annotated[str, Meta(pattern=TIME_PATTERN)]  # UTC, ISO 8601; only the day if it was typed
    players: Annotated[tuple[PlayerResult, ...], Meta(min_length=1, max_length=8)]  # in turn order
    # "points" (in a race: its end), "shared", the ID of the tie-break; without a table also "tie-break", "other" or
    # "unknown".
    decided_by: Annotated[str, Meta(max_length=40)] = "points"
    verdict: Annotated[str, Meta(max_length=MAX_VERDICT_LENGTH)] = ""
    minutes: Annotated[int, Meta(ge=0, le=1_000_000)] = 0  # 0 if unknown
    code: Annotated[str, Meta(pattern="^([A-Z]{5})?$")] = ""  # the table's code, if it has one
    where: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] = ""
    note: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] = ""
    hidden: bool = False  # is it left out of the history?
    by_hand: bool = False
    # The local day in the file of another program, whatever time zone this computer has later; empty: that of `ended`.
    day: Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""
    day_corrected: bool = False  # was the day corrected, because the clock was wrong?
    # The ids of the play in other programs, such as "bg-stats:UUID" or "bgg:900001".
    other_ids: Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], Meta(max_length=MAX_OTHER_IDS)] = ()

    @property
    def box(self) -> Box:
        return GAMES[self.game].box

    @property
    def date(self) -> str:
        return self.day or local_date(self.ended)

    @property
    def has_time(self) -> bool:
        """Return whether the time of the end is known, and not only its day."""
        return len(self.ended) > len("2026-11-24")

    @property
    def order_time(self) -> str:
        """Return the time by which results are ordered; a day without a time is its local start."""
        return self.ended if self.has_time else start_of_day(self.ended)

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(part.name for part in self.players if part.winner)

    def points_of(self, player: PlayerResult) -> int | None:
        """Return the points of one of the players; None if they are unknown or the game has none."""
        return player.points if self.box.has_points and not player.unscored else None

    def has_won(self, player: PlayerResult) -> bool:
        """Return whether a player won; a solo game only if another program says so ("other")."""
        return player.winner and (not self.is_solo or self.decided_by == "other")

    @property
    def decision(self) -> str:
        """Return `decided_by`, but "finish" for a race that its end decided, since it has no points."""
        return "finish" if self.decided_by == "points" and not self.box.has_points else self.decided_by

    @property
    def is_solo(self) -> bool:
        """Return whether one player played alone and no one was beaten."""
        return len(self.players) == 1

    @property
    def is_winner_unknown(self) -> bool:
        """Return whether it is not recorded who won, as opposed to a game that no one won."""
        return self.decided_by == "unknown" and not self.winners

    @property
    def duration(self) -> str:
        """Return the duration in words; empty if it is unknown."""
        hours, minutes = divmod(self.minutes, 60)
        return " ".join([*([f"{hours} h"] if hours else []), *([f"{minutes} min"] if minutes else [])])


def is_time(text: str) -> bool:
    """Return whether a text is a day, or a time as in logs."""
    try:
        return bool(re.match(TIME_PATTERN, text) and datetime.datetime.fromisoformat(text))
    except ValueError:
        return False


def result_error(result: Result) -> str:
    """Return why a result from a file cannot be imported, or an empty text."""
    if result.game not in GAMES:
        return f"unknown game \u201c{result.game[:40]}\u201d"
    times = filter(None, (result.ended, result.day))
    if not all(is_time(time) and time >= EARLIEST_DAY.isoformat() for time in times):
        return f"the end of {result.id} is not a valid time"
    box, players = result.box, len(result.players)
    if players > box.player_counts[-1]:
        return f"{box.title} is for at most {box.player_counts[-1]} players; {result.id} has {players}"
    return next(filter(None, (name_error(player.name) for player in result.players)), "")


def current_name(player: PlayerResult, current_names: Mapping[str, str]) -> str:
    """Return the current name of a player; the recorded one of bots, guests and deleted players.

    :param current_names: the players' current names by their normalized names.
    """
    return current_names.get(name_key(player.name), player.name) if player.is_person else player.name


@functools.lru_cache(maxsize=1024)
def name_key(name: str) -> str:
    """Return a name in normalized form: equal forms mean the same player, regardless of case."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def unused_name(name: str, taken_keys: Container[str]) -> str:
    """Return a name, or the first of "Guest 2", "Guest 3" and so on that is not taken.

    :param taken_keys: the normalized names that are taken.
    """
    numbered = (f"{name[: MAX_NAME_LENGTH - 3]} {number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([name], numbered) if name_key(each) not in taken_keys)


def build_result(table: Table, id: str) -> Result:
    """Return the result of a table that is over."""
    sheet = table.sheet
    assert sheet  # the game is over
    return Result(
        id=id,
        game=table.tracked.box.key,
        ended=max([step.created_at for step in table.steps], default=table.updated_at) or table.updated_at,
        players=tuple(
            PlayerResult(
                name=column.name,
                points=column.total,
                place=column.rank,
                winner=column.winner,
                categories={id: points for id, _ in sheet.categories if (points := column.points_in(id))},
                note=column.title or ("" if table.tracked.box.has_points else column.lines[0].label),
                bot=seat >= len(table.seats),
                color=table.piece_color(seat),
            )
            for seat, column in enumerate(sheet.columns)
        ),
        decided_by=sheet.decided_by,
        verdict=sheet.result_text,
        minutes=0 if table.tracked.is_score_entry else _minutes_played(table),
        code=table.code,
    )


def move_to_day(ended: str, day: datetime.date) -> str:
    """Return a time moved to another day, with the same local time of day.

    :param ended: UTC, ISO 8601, or only a day.
    """
    if len(ended) == len("2026-11-24"):
        return day.isoformat()
    local = datetime.datetime.fromisoformat(ended).astimezone().replace(tzinfo=None)
    moved = datetime.datetime.combine(day, local.time()).astimezone(datetime.UTC)
    return moved.isoformat(timespec="milliseconds")


def with_entered_values(result: Result, previous: Result) -> Result:
    """Return a table's result with the place, note and day that players have entered."""
    kept = {name: getattr(previous, name) for name in ("hidden", "where", "note", "day_corrected")}
    return replace(result, ended=previous.ended if previous.day_corrected else result.ended, **kept)


def _minutes_played(table: Table) -> int:
    """Return the duration of a game by the server's clock.

    It is 0 if the game was interrupted for a day, or the clock was set back during it.
    """
    entered = [(step.number, time) for step in table.steps if (time := local_datetime(step.created_at))]
    times = [time for _, time in entered]
    in_log_order = [time for _, time in sorted(entered)]
    if any(later < earlier - CLOCK_TOLERANCE for earlier, later in itertools.pairwise(in_log_order)):
        return 0
    minutes = round((times[-1] - times[0]).total_seconds() / 60) if times else 0
    return max(1, minutes) if 0 <= minutes < MINUTES_PER_DAY else 0


def sheet_of(result: Result) -> Sheet:
    """Return the score sheet of a result, for when its table no longer exists."""
    box = result.box
    return Sheet(
        game=box.key,
        categories=box.categories,
        columns=tuple(
            Column(
                name=part.name,
                lines=tuple(_lines_of(result, part)),
                rank=part.place,
                winner=part.winner,
                title=part.note,
            )
            for part in result.players
        ),
        decided_by=result.decided_by,
        result_text=result_text(result),
    )


def _lines_of(result: Result, player: PlayerResult) -> Iterator[Line]:
    """Yield the lines of a player: the end of a race, the points by category, or the total."""
    titles = dict(result.box.categories)
    if not result.box.has_points:
        yield Line("", player.note, 0, "", ())
        return
    for id, points in (player.categories or {"": player.points}).items():
        yield Line(id, titles.get(id, id), points, "", ())


def result_text(result: Result) -> str:
    """Return a sentence that names the winners."""
    if result.verdict:
        return result.verdict
    if result.is_solo:
        return _solo_text(result)
    if not result.winners:
        return "The winner is not recorded." if result.is_winner_unknown else "No one wins."
    points = [points for part in result.players if part.winner and (points := result.points_of(part)) is not None]
    points_text = f" with {pluralize(max(points), 'point')}" if points else ""
    tie_break_text = " on the tie-break" if result.decided_by == "tie-break" else ""
    verb = "share the victory" if len(result.winners) > 1 else "wins"
    return f"{join_words(result.winners)} {verb}{points_text}{tie_break_text}."


def _solo_text(result: Result) -> str:
    player = result.players[0]
    points = result.points_of(player)
    if points is not None:
        return f"{player.name} scored {pluralize(points, 'point')} in a solo game."
    if result.box.has_points:
        return f"{player.name} played a solo game."
    return f"{player.name} {'wins' if player.winner else 'loses'} the solo game."


def search_text(result: Result) -> str:
    """Return the searchable text of a result: names, game, day, codes, place and note."""
    names = (part.name for part in result.players)
    return name_key(
        " ".join((*names, result.box.title, result.date, result.code, result.id, result.where, result.note))
    )


def search_terms(query: str) -> list[tuple[str, ...]]:
    """Return the words of a query, each with its alternatives: "Nov" also finds "-11-"."""
    return [
        (word, *(f"-{month:02}-" for month in range(1, 13) if word in _month_names(month)))
        for word in name_key(query).split()
    ]


def _month_names(month: int) -> tuple[str, str]:
    return calendar.month_abbr[month].lower(), calendar.month_name[month].lower()


def matches(result: Result, query: str) -> bool:
    """Return whether a result has all words of a query."""
    text = search_text(result)
    return all(any(alternative in text for alternative in term) for term in search_terms(query))


def replace_name(name: str, replacement: str, text: str) -> str:
    """Return a text with a name replaced wherever it is a whole word."""
    return replace_names({name: replacement}, text)


def replace_names(replacements: Mapping[str, str], text: str) -> str:
    """Return a text with names replaced at the same time wherever they are whole words."""
    names = "|".join(map(re.escape, sorted(replacements, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda match: replacements[match[0]], text) if names else text
