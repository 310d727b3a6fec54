"""Import of plays from other programs, with a preview before and an undo after it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.exchange.bg_stats import SOURCE as BG_STATS
from companion.exchange.bg_stats import play_uuid
from companion.exchange.plays import MAX_QUANTITY, Play, PlayFile, names_no_winner, play_error, play_names, to_result
from companion.exchange.spreadsheet import OWN_SOURCE
from companion.history.duplicates import are_similar_names, group_by_day, similar_result, with_current_names
from companion.history.result import Result, name_key
from companion.service.clock import latest_day, now
from companion.service.referee import Referee
from companion.storage.imports import Import, Imports
from scoring.kernel.english import join_words, pluralize
from scoring.kernel.errors import InvalidInputError

MAX_SUGGESTIONS = 3


class PlannedPlay(NamedTuple):
    """A play of a file, as it would be imported."""

    number: int  # different for each play of the file, whatever names are chosen
    result: Result
    existing: Result | None = None  # the result here that is the same play, or looks like it
    # Has the result here the players of this play? Then the phone may see it: ids can be guessed, names less so.
    has_same_players: bool = False
    is_winner_assumed: bool = False  # does the file mark no winner, so that the most points win?

    @property
    def is_in_future(self) -> bool:
        """Return whether the day has not begun anywhere yet, by this computer's clock."""
        return self.result.date > latest_day(now()).isoformat()


class FileName(NamedTuple):
    """A name in a file that is not known here, or that had another name in an earlier file."""

    key: str  # normalized
    name: str
    is_known: bool  # is there a player with this name, too?
    play_count: int
    chosen: str  # the name that it gets here
    similar: tuple[str, ...]  # names of players here that look like it


class ImportPlan(NamedTuple):
    """What a file would add."""

    new: tuple[PlannedPlay, ...]
    known: tuple[PlannedPlay, ...]  # already here, by the id of the play
    similar: tuple[PlannedPlay, ...]  # look like results here
    refused: tuple[str, ...]  # plays that cannot be imported, each with its reason
    other_games: Mapping[str, int]  # plays of other games, by title
    unknown_names: tuple[FileName, ...]
    known_names: tuple[str, ...]


# Planning


def plan_import(referee: Referee, file: PlayFile, device: str, chosen_names: Mapping[str, str]) -> ImportPlan:
    """Return the plan of an import: the plays that it would add, and the others.

    :param device: the phone that imports the file; empty: the command line, which sees all results.
    :param chosen_names: the names here of the players in the file, by their normalized names.
    """
    everything = referee.results.all()
    visible = everything if device == "" else referee.results.visible(device, includes_hidden=True)
    known_by_id = {id: result for result in everything for id in ids_of(result)}
    current_names = referee.players.current_names()
    unmatched = group_by_day(with_current_names(result, current_names) for result in visible)
    new, known, similar, refused = [], [], [], []
    for number, play, result in _results(file, chosen_names, current_names, refused):
        ids = ids_of(result) if play.result else result.other_ids
        planned = PlannedPlay(number, result, is_winner_assumed=names_no_winner(play) and bool(result.winners))
        named = with_current_names(result, current_names)
        if existing := next((known_by_id[id] for id in ids if id in known_by_id), None):
            is_same = _names_of(named) == _names_of(with_current_names(existing, current_names))
            known.append(planned._replace(existing=existing, has_same_players=is_same))
            continue
        match = similar_result(named, unmatched)
        if match and match.has_same_outcome:
            unmatched[result.game, result.date].remove(match.result)
            is_same = _names_of(named) == _names_of(match.result)
            similar.append(planned._replace(existing=match.result, has_same_players=is_same))
        else:
            new.append(planned)
        known_by_id |= dict.fromkeys(ids, result)
    refused += file.problems
    known_names, unknown_names = _names(referee, file, device, chosen_names)
    return ImportPlan(
        tuple(new), tuple(known), tuple(similar), tuple(refused), file.other_games, unknown_names, known_names
    )


def _names_of(result: Result) -> list[str]:
    return sorted(name_key(player.name) for player in result.players)


def ids_of(result: Result) -> tuple[str, ...]:
    """Return the ids of a result: here, in files of BG Stats, and those it came with."""
    return (f"{OWN_SOURCE}:{result.id}", f"{BG_STATS}:{play_uuid(result)}", *result.other_ids)


def _results(
    file: PlayFile, chosen_names: Mapping[str, str], current_names: Mapping[str, str], refused: list[str]
) -> Iterable[tuple[int, Play, Result]]:
    """Yield the plays of a file with numbers and results.

    An entry for several plays has several results.

    :param current_names: the players' current names by their normalized names.
    :param refused: gets the plays that cannot be imported.
    """
    for index, play in enumerate(file.plays):
        names = [chosen_names.get(name_key(name), name) for name in play_names(play)]
        reason = play_error(play)
        if not reason and len({name_key(current_names.get(name_key(name), name)) for name in names}) < len(names):
            reason = "one person would have played twice"
        if reason:
            refused.append(f"{play.game_title}, {play.ended[:10]}: {reason}")
            continue
        result = to_result(play, names)
        for copy in range(1, play.quantity + 1):
            suffix = "" if copy == 1 else f"#{copy}"
            yield (
                index * MAX_QUANTITY + copy - 1,
                play,
                result if play.result else replace(result, id="", other_ids=tuple(f"{id}{suffix}" for id in play.ids)),
            )


def _names(
    referee: Referee, file: PlayFile, device: str, chosen_names: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[FileName, ...]]:
    """Return the known names in a file, and the others with similar names here."""
    counts: dict[str, int] = {}
    spellings: dict[str, str] = {}
    for play in file.plays:
        for name, player in zip(play_names(play), play.players, strict=True):
            if player.kind == "player":
                counts[name_key(name)] = counts.get(name_key(name), 0) + play.quantity
                spellings.setdefault(name_key(name), name)
    names_here = player_names(referee, device)
    visible_keys = {key for key, name in referee.players.current_names().items() if name in names_here}
    is_renamed = {key: name_key(chosen_names.get(key, key)) != key for key in counts}
    unknown = [key for key in counts if key not in visible_keys or is_renamed[key]]
    return tuple(spellings[key] for key in counts if key not in unknown), tuple(
        FileName(
            key,
            spellings[key],
            key in visible_keys,
            counts[key],
            chosen_names.get(key, spellings[key]),
            _similar(spellings[key], names_here),
        )
        for key in sorted(unknown, key=lambda key: -counts[key])
    )


def player_names(referee: Referee, device: str) -> list[str]:
    """Return the names of the players that a phone may see, those with the most games first."""
    if device == "":
        return list(dict.fromkeys(referee.players.current_names().values()))
    return [player.name for player in referee.players.visible(device)]


def _similar(name: str, names_here: Sequence[str]) -> tuple[str, ...]:
    return tuple(other for other in names_here if are_similar_names(name, other))[:MAX_SUGGESTIONS]


# Importing


def import_plays(
    referee: Referee, plan: ImportPlan, device: str, also: Collection[int] = (), max_items: int | None = None
) -> list[str]:
    """Import the new plays of a file, and return the ids of the results.

    Plays that are here already with the same players get the ids of the file, and the phone may see them from now on.

    :param also: the numbers of plays to import although they look like results here.
    :param max_items: the maximum number of results.
    :raises InvalidInputError: when they are more; nothing has been imported.
    """
    chosen = [*plan.new, *(play for play in plan.similar if play.number in also)]
    if max_items is not None and len(chosen) > max_items:
        raise InvalidInputError(f"a phone can import at most {max_items} plays at a time; use the owner\u2019s phone")
    results, ids = referee.results, []
    with referee.store.transaction():
        for play in chosen:
            code = "" if referee.store.has_table(play.result.code) else play.result.code
            ids.append(results.add_imported(replace(play.result, code=code), device))
        for play in (*plan.known, *(play for play in plan.similar if play.number not in also)):
            if play.existing and play.existing.id and play.has_same_players:
                results.add_ids(play.existing.id, play.result.other_ids, device)
    return ids


def undo_import(referee: Referee, imports: Imports, done: Import) -> None:
    """Delete the results that an import has added, with their photos."""
    with referee.store.transaction():
        for id in done.result_ids:
            referee.results.delete(id)
        imports.discard(done.id)


def describe_plan(plan: ImportPlan) -> str:
    """Return in one sentence what a file would add."""
    counts = ((len(plan.new), "new"), (len(plan.known), "already here"), (len(plan.similar), "maybe here already"))
    parts = [f"{count} {words}" for count, words in counts if count]
    others = sum(plan.other_games.values())
    parts += [f"{pluralize(others, 'play')} of other games"] if others else []
    parts += [f"{len(plan.refused)} that cannot be imported"] if plan.refused else []
    return f"{join_words(parts) or 'No plays'}."
