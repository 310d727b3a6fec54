"""A play as another program records it, and the result of Waymark that it becomes."""

import datetime
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion import RELEASED
from companion.history.result import (
    EARLIEST_DAY,
    MAX_NOTE_LENGTH,
    MAX_POINTS,
    MAX_VERDICT_LENGTH,
    MINUTES_PER_DAY,
    PlayerResult,
    Result,
    name_key,
    replace_names,
    unused_name,
)
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.english import truncate
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import MAX_NAME_LENGTH, UNPRINTABLE_CATEGORIES

MAX_QUANTITY = 50  # plays that one entry may stand for
MAX_PLACE = 8
GUEST_NAME = "Guest"  # for a player whom the other program does not name
BOT_NAME = "Bot"
MAX_TITLE_LENGTH = 80
MAX_SCORE_LENGTH = 40
MAX_ID_LENGTH = 60  # of a play in another program
# A score that is not known, as programs write it.
NO_SCORE = {"", "-", "\u2013", "\u2014", "?", "nan", "null", "none", "n/a"}
SUM_PATTERN = re.compile(r"-?\d{1,6}([+*-]\d{1,6})*")

PlayerKind = Literal["player", "guest", "bot"]


class PlayedBy(Struct, frozen=True, omit_defaults=True):
    """One player of a play."""

    name: str  # empty if the program does not name the player
    score: str = ""  # as the program has it
    is_winner: bool = False
    rank: int = 0  # 0 if unknown
    kind: PlayerKind = "player"


class Play(Struct, frozen=True, omit_defaults=True):
    """A play of one of our games."""

    game: str  # the key of its box
    ids: tuple[str, ...]  # in other programs, such as "bg-stats:UUID"; the id in this file is the first
    ended: str  # UTC, ISO 8601; only the day if the time is unknown
    day: str = ""  # the local day, if `ended` has a time
    players: tuple[PlayedBy, ...] = ()  # in turn order
    minutes: int = 0  # 0 if unknown
    where: str = ""
    note: str = ""
    quantity: int = 1  # the number of plays that this entry stands for
    is_hidden: bool = False  # does the program leave the play out of its statistics?
    decided_by: str = ""  # as in `Result.decided_by`, if the file has it: then no winner is assumed
    result: Result | None = None  # the result of Waymark from which this play was exported, if it is unchanged

    @property
    def game_title(self) -> str:
        return GAMES[self.game].box.title


class PlayFile(Struct, frozen=True):
    """The plays in a file of another program."""

    source: str  # the key of the program in `companion.exchange.files.SOURCES`
    plays: tuple[Play, ...]  # of our games
    other_games: dict[str, int] = {}  # the number of plays of each other game, by its title
    problems: tuple[str, ...] = ()  # what cannot be read, each with its place
    notes: tuple[str, ...] = ()  # sentences about what a person should check


class PlayReader:
    """Collects the plays of a file, those of other games, and what cannot be read."""

    def __init__(self, source: str):
        self._source = source
        self._plays: list[Play] = []
        self._other_games: Counter[str] = Counter()
        self._problems: list[str] = []
        self._notes: list[str] = []

    def add(self, play: Play) -> None:
        """Add a play; its texts are cut to the lengths that a result can have."""
        players = tuple(
            replace(
                player, name=clean_text(player.name, MAX_NAME_LENGTH), score=clean_text(player.score, MAX_SCORE_LENGTH)
            )
            for player in play.players
        )
        where, note, decided_by = clean_text(play.where), clean_text(play.note), clean_text(play.decided_by, 40)
        self._plays.append(replace(play, players=players, where=where, note=note, decided_by=decided_by))

    def count_other_game(self, title: str, quantity: int = 1, bgg_id: int = 0) -> None:
        """Count plays of another game; one with a known title is named with its id."""
        name = clean_text(title, MAX_TITLE_LENGTH) or "a game without a title"
        has_our_title = find_game(title, 0, {}) is not None
        self._other_games[f"{name} (BoardGameGeek ID {bgg_id})" if has_our_title else name] += quantity

    def add_note(self, sentence: str) -> None:
        """Add a sentence about what a person should check."""
        if sentence:
            self._notes.append(sentence)

    @contextmanager
    def collects_problems(self) -> Iterator[None]:
        """Collect the error of a play that cannot be read, and go on with the next play."""
        try:
            yield
        except InvalidInputError as error:
            self._problems.append(str(error))

    @property
    def file(self) -> PlayFile:
        other_games = dict(self._other_games.most_common())
        return PlayFile(self._source, tuple(self._plays), other_games, tuple(self._problems), tuple(self._notes))


def read_day(text: str, path: str) -> datetime.date:
    """Return an ISO date.

    :param path: the place in the file.
    :raises InvalidInputError: when it is missing or no date.
    """
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        day = datetime.date.min
    if day < EARLIEST_DAY:
        problem = f"the date \u201c{clean_text(text, 30)}\u201d is not readable" if text.strip() else "it has no date"
        raise InvalidInputError(f"{path}: {problem}")
    return day


def latest_year() -> int:
    """Return the latest year of a play; this computer's clock may be behind by some months."""
    return max(datetime.date.today(), RELEASED).year + 1


def find_game(title: str, bgg_id: int, bgg_ids: Mapping[str, int]) -> str | None:
    """Return the key of our game with a title or a BoardGameGeek id; None if it is another game.

    :param bgg_ids: the known BoardGameGeek ids of our games, by key. An id decides before a title.
    """
    if bgg_id:
        by_id = next((key for key, known_id in bgg_ids.items() if known_id == bgg_id), None)
        if by_id:
            return by_id
    return next(
        (
            key
            for key, game in GAMES.items()
            if _title_key(game.box.title) == _title_key(title) and not (bgg_id and bgg_ids.get(key))
        ),
        None,
    )


def _title_key(title: str) -> str:
    """Return a title without case, punctuation, subtitle and edition."""
    letters = re.sub(r"\([^()]*\)|\b(second|2nd|2\.?) ed(ition|\.)?$|\ba parks game$", "", name_key(title[:200]))
    return "".join(letter for letter in letters if letter.isalnum())


def read_points(score: str) -> int | None:
    """Return the points of a score as text, such as "25" or "20+5"; None if it is no whole number.

    A difference alone, such as "49-46", is no score of one player: it may be the scores of two.
    """
    if len(score) > MAX_SCORE_LENGTH:
        return None
    text = unicodedata.normalize("NFKC", score).replace("\u2212", "-").casefold()
    text = re.sub(r"(points?|pts?|vp)\.?$|\s", "", text)
    text = re.sub(r"[.,]0{1,2}$", "", text)
    if not SUM_PATTERN.fullmatch(text) or ("-" in text[1:] and not re.search("[+*]", text)):
        return None
    terms = re.findall(r"[+-]?[^+-]+", text)
    points = sum((-1 if term[0] == "-" else 1) * prod(map(int, term.lstrip("+-").split("*"))) for term in terms)
    return points if abs(points) <= MAX_POINTS else None


def play_id(source: str, id: str) -> str:
    """Return the id of a play in another program, as results keep it."""
    return f"{source}:{clean_text(id, MAX_ID_LENGTH)}"


def clean_text(text: str, max_length: int = MAX_NOTE_LENGTH) -> str:
    """Return a text on one line without control characters, truncated if it is too long."""
    start = text[: 20 * max_length]  # the rest would be cut in any case, but for spaces
    printable = "".join(" " if unicodedata.category(letter) in UNPRINTABLE_CATEGORIES else letter for letter in start)
    return truncate(" ".join(printable.split()), max_length)


def play_names(play: Play) -> list[str]:
    """Return different names of the players of a play, in order; guests are numbered."""
    names = [player.name for player in play.players]
    taken: set[str] = set()
    for seat in sorted(range(len(names)), key=lambda seat: not names[seat]):  # those with a name first
        base = names[seat] or (BOT_NAME if play.players[seat].kind == "bot" else GUEST_NAME)
        names[seat] = unused_name(base, taken)
        taken.add(name_key(names[seat]))
    return names


def play_error(play: Play) -> str:
    """Return why a play cannot become a result, or an empty text."""
    box = GAMES[play.game].box
    most = box.player_counts[-1]
    if not play.players:
        return "it has no players"
    if len(play.players) > most:
        return f"it has {len(play.players)} players, and {box.title} is for at most {most}"
    if play.quantity > MAX_QUANTITY:
        return f"it stands for {play.quantity} plays"
    return ""


def to_result(play: Play, names: Sequence[str]) -> Result:
    """Return the result of a play; unless it came from here, its id has to be replaced.

    :param names: the names of the players here.
    """
    if play.result:
        return _with_names(play.result, names)
    box = GAMES[play.game].box
    points = [read_points(player.score) if box.has_points else 0 for player in play.players]
    winners = _winners(play, points)
    return Result(
        id="AAAAAA",
        game=play.game,
        ended=play.ended,
        day=play.day,
        players=tuple(
            PlayerResult(
                name=name,
                points=own_points or 0,
                place=place,
                winner=is_winner,
                note=_score_note(player, own_points, box),
                bot=player.kind == "bot",
                guest=player.kind == "guest",
                unscored=own_points is None,
            )
            for player, name, own_points, place, is_winner in zip(
                play.players, names, points, _places(play, points, winners), winners, strict=True
            )
        ),
        decided_by=play.decided_by or decided_by(box, points, winners),
        minutes=play.minutes if play.minutes <= MINUTES_PER_DAY else 0,
        where=play.where,
        note=play.note,
        hidden=play.is_hidden,
        by_hand=True,
        other_ids=play.ids,
    )


def _with_names(result: Result, names: Sequence[str]) -> Result:
    """Return a result with other names; one that is only spelled differently is kept."""
    chosen = {
        player.name: name
        for player, name in zip(result.players, names, strict=True)
        if player.is_person and name_key(player.name) != name_key(name)
    }
    players = tuple(
        replace(player, name=chosen.get(player.name, player.name)) if player.is_person else player
        for player in result.players
    )
    return replace(result, players=players, verdict=replace_names(chosen, result.verdict)[:MAX_VERDICT_LENGTH])


def _score_note(player: PlayedBy, points: int | None, box: Box) -> str:
    """Return a score that is no number of points, so that it is kept."""
    is_lost = name_key(player.score) not in NO_SCORE and (points is None or not box.has_points)
    return f"Score: {player.score}" if is_lost else ""


def names_no_winner(play: Play) -> bool:
    """Return whether a play has several players, and none of them is marked as the winner."""
    return len(play.players) > 1 and not any(player.is_winner or player.rank == 1 for player in play.players)


def _winners(play: Play, points: Sequence[int | None]) -> list[bool]:
    """Return who won: as the file has it; else rank 1; else the most points, if all are known."""
    players = play.players
    if play.decided_by or any(player.is_winner for player in players):
        return [player.is_winner for player in players]
    if len(players) == 1:
        return [False]
    if any(player.rank == 1 for player in players):
        return [player.rank == 1 for player in players]
    known = [number for number in points if number is not None]
    if len(known) < len(players) or not GAMES[play.game].box.has_points:
        return [False] * len(players)
    return [number == max(known) for number in points]


def _places(play: Play, points: Sequence[int | None], winners: Sequence[bool]) -> list[int]:
    """Return the places: the ranks of the file if they fit the winners, or else by points."""
    ranks = [player.rank for player in play.players]
    if all(1 <= rank <= MAX_PLACE for rank in ranks) and all(
        (rank == 1) == is_winner for rank, is_winner in zip(ranks, winners, strict=True)
    ):
        return ranks
    return rank_players(points, winners)


def rank_players(points: Sequence[int | None], winners: Sequence[bool]) -> list[int]:
    """Return the place of each player: all winners first, then by points, if they are known."""
    standings = [
        (True, True, 0) if is_winner else (False, number is not None, number or 0)
        for number, is_winner in zip(points, winners, strict=True)
    ]
    return [1 + sum(other > own for other in standings) for own in standings]


def decided_by(box: Box, points: Sequence[int | None], winners: Sequence[bool]) -> str:
    """Return the reason for the winner, as in `Result.decided_by`."""
    if sum(winners) > 1:
        return "shared"
    if not any(winners) and len(winners) > 1:
        return "unknown"
    if len(winners) == 1 and any(winners):
        return "other"
    if not any(winners) or not box.has_points:
        return "points"
    best = max((number for number in points if number is not None), default=None)
    winner_points = points[list(winners).index(True)]
    if winner_points != best or winner_points is None:
        return "other"
    return "tie-break" if points.count(best) > 1 else "points"
