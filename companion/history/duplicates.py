"""Find a result that was recorded before: on another phone, from a table, or from a file."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec.structs import replace

from companion.history.result import PlayerResult, Result, current_name, name_key

# Letters of the longer of two names that differ in one letter: "Ana" and "Anna", but not "Tim" and "Tom".
MIN_EDITED_LENGTH = 4
MIN_SHORT_NAME_LENGTH = 3  # letters of a name that begins a longer one: "Max" and "Maximilian"

ResultsByDay = Mapping[tuple[str, str], list[Result]]  # results by game and local day


class SimilarResult(NamedTuple):
    """A result that may be of the same game."""

    result: Result
    has_same_outcome: bool  # whether the points are the same too; in a race or where they are unknown, who won


def group_by_day(results: Iterable[Result]) -> ResultsByDay:
    """Return results by game and local day, as `similar_result` takes them.

    Results that are hidden from the statistics are left out: they are not counted twice.
    """
    groups: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        if not result.hidden:
            groups[result.game, result.date].append(result)
    return groups


def with_current_names(result: Result, current_names: Mapping[str, str]) -> Result:
    """Return a result with the current names of its people, so that merged players are the same.

    :param current_names: the players' current names by their normalized names.
    """
    names = [current_name(part, current_names) for part in result.players]
    if names == [part.name for part in result.players]:
        return result
    players = tuple(replace(part, name=name) for part, name in zip(result.players, names, strict=True))
    return replace(result, players=players)


def similar_result(result: Result, others: ResultsByDay) -> SimilarResult | None:
    """Return another result that is probably of the same game, or None.

    Both results have the same game, day and number of players. Then either

    - the names are equal or nearly equal (`are_similar_names`), and each player has the same points, or
    - the names are equal, and the points differ.

    The former is preferred. The order of the players does not matter. Guests match guests, whatever they are called.
    Bots are ignored, because a solo game may be entered without its bot. The result with the same id is skipped.

    Both have current names, see `with_current_names`.

    It compares only the results of one day, so that each of thousands of imported plays can be compared with all
    results. Each result is grouped once; a result that is added later has to be added to `others` too.

    :param others: the results to compare with, from `group_by_day`.
    """
    candidates = [other for other in others.get((result.game, result.date), ()) if other.id != result.id]
    for other in candidates:
        if _can_pair(result, _compared_players(result), _compared_players(other)):
            return SimilarResult(other, has_same_outcome=True)
    names = _sorted_names(result)
    return next((SimilarResult(other, False) for other in candidates if _sorted_names(other) == names), None)


def are_similar_names(name: str, other: str) -> bool:
    """Return whether two names probably mean the same player.

    They are equal but for case, accents and punctuation; or one begins the other, as "Max" and "Maximilian" or "Bo" and
    "Bo P."; or they differ in one letter, as "Ana" and "Anna".
    """
    shorter, longer = sorted((_plain_letters(name), _plain_letters(other)), key=len)
    if not shorter or shorter == longer:
        return name_key(name) == name_key(other) or bool(shorter)
    if longer.startswith(f"{shorter} ") or (len(shorter) >= MIN_SHORT_NAME_LENGTH and longer.startswith(shorter)):
        return True
    return len(longer) >= MIN_EDITED_LENGTH and _is_one_edit_apart(shorter, longer)


def _plain_letters(name: str) -> str:
    """Return a normalized name without accents and punctuation."""
    letters = unicodedata.normalize("NFKD", name_key(name))
    return " ".join("".join(letter for letter in letters if letter.isalnum() or letter == " ").split())


def _is_one_edit_apart(shorter: str, longer: str) -> bool:
    """Return whether one letter is added to, removed from or replaced in a text to get another."""
    start = len(list(takewhile(lambda letters: letters[0] == letters[1], zip(shorter, longer, strict=False))))
    return shorter[start + (len(shorter) == len(longer)) :] == longer[start + 1 :]


def _compared_players(result: Result) -> list[PlayerResult]:
    return [player for player in result.players if not player.bot]


def _sorted_names(result: Result) -> list[str]:
    return sorted("" if player.guest else name_key(player.name) for player in _compared_players(result))


def _has_same_outcome(result: Result, player: PlayerResult, other_player: PlayerResult) -> bool:
    points, other_points = result.points_of(player), result.points_of(other_player)
    if points is None or other_points is None:
        return player.winner == other_player.winner
    return points == other_points


def _is_same_player(player: PlayerResult, other_player: PlayerResult) -> bool:
    if player.guest or other_player.guest:
        return player.guest and other_player.guest
    return are_similar_names(player.name, other_player.name)


def _can_pair(result: Result, players: Sequence[PlayerResult], others: Sequence[PlayerResult]) -> bool:
    """Return whether each player pairs with one of the others, of the same name and outcome."""
    if len(players) != len(others):
        return False
    if not players:
        return True
    first, *rest = players
    return any(
        _has_same_outcome(result, first, other)
        and _is_same_player(first, other)
        and _can_pair(result, rest, [*others[:index], *others[index + 1 :]])
        for index, other in enumerate(others)
    )
