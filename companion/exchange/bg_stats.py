"""Files of BG Stats: plays to read and to write, and the link that opens a play in the app.

A file is JSON: `.bgsplay` for shared plays, `BGStatsExport.json` for everything. The ids in its lists of games,
players and locations are valid only in this file; the UUID of a play never changes.
"""

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.exchange.plays import Play, PlayedBy, PlayFile, PlayReader, find_game, play_id, read_day
from companion.history.result import PlayerResult, Result, name_key, result_error, unused_name
from companion.log.entries import local_date, local_time
from scoring.games import GAMES
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import MAX_NAME_LENGTH, convert_data

SOURCE = "bg-stats"
LINK_URL = "https://app.bgstatsapp.com/createPlay.html?data="
ABOUT = "This is a Play file that can be read by Board Game Stats. It was written by Waymark."
MAX_LINK_LENGTH = 8000  # characters; longer addresses do not work everywhere
NAMESPACE = UUID("6f0d6ff5-6a3b-5c0e-9d43-2f6b8b1d6b11")  # of the UUIDs that Waymark makes
MAX_MINUTES = 1_000_000
MAX_ID_DIGITS = 10
NOON = "12:00:00"  # the time of a play of which only the day is known
BOT_META_DATA = '{"isNpc":1}'
HIGHEST_WINS, NO_POINTS = 1, 3  # values of `scoringSetting`


class Item(Struct, rename="camel"):
    """A game, a player or a location."""

    id: int
    name: str | None = ""
    bgg_id: int | str | None = 0  # of a game
    bgg_name: str | None = ""  # of a game
    is_anonymous: bool | int | None = False
    meta_data: str | None = ""  # JSON


class Score(Struct, rename="camel"):
    """The part of a player in a play."""

    player_ref_id: int | None = 0
    score: str | int | float | None = ""
    winner: bool | int | None = False
    rank: int | None = 0
    seat_order: int | None = 0
    meta_data: str | None = ""  # JSON


class StoredPlay(Struct, rename="camel"):
    """A play in a file."""

    uuid: str | None = ""
    game_ref_id: int | None = 0
    location_ref_id: int | None = 0
    play_date: str | None = ""  # "yyyy-MM-dd HH:mm:ss", local time
    play_date_ymd: int | None = 0
    duration_min: int | float | None = 0
    comments: str | None = ""
    ignored: bool | int | None = False
    bgg_id: int | None = 0  # of the play
    player_scores: list[Score] | None = []
    waymark: Any = None  # the result from which Waymark wrote this play, and its digest


class StoredFile(Struct, rename="camel"):
    """A file, without the lists that are not needed here."""

    games: list[Item] = []
    players: list[Item] = []
    locations: list[Item] | None = []
    plays: list[Any] = []


# Reading


def is_bg_stats(data: object) -> bool:
    """Return whether JSON data is a file of BG Stats."""
    return isinstance(data, dict) and data.keys() >= {"plays", "players", "games"} and "waymark" not in data


def read_bg_stats(data: dict, bgg_ids: Mapping[str, int]) -> PlayFile:
    """Return the plays in a file of BG Stats.

    :param data: the JSON of the file.
    :param bgg_ids: the BoardGameGeek ids of our games, by key.
    :raises InvalidInputError: when a list of games, players or locations has another form, with the place.
    """
    file: StoredFile = convert_data({**data, "locations": data.get("locations") or []}, StoredFile, strict=False)
    games = {game.id: game for game in file.games}
    locations = {location.id: location.name or "" for location in file.locations or ()}
    reader = PlayReader(SOURCE)
    found: list[tuple[StoredPlay, str, str]] = []  # our plays, with the key of the game and the place in the file
    for number, play_data in enumerate(file.plays, 1):
        with reader.collects_problems():
            stored = _convert_play(play_data, number)
            game = games.get(stored.game_ref_id or 0, Item(0))
            key = _find_game(game, bgg_ids)
            if key is None:
                reader.count_other_game(game.name or game.bgg_name or "", bgg_id=_bgg_id(game))
            else:
                found.append((stored, key, f"play {number}"))
    players = _name_players(file.players)
    ids = {score.player_ref_id or 0 for stored, _, _ in found for score in stored.player_scores or ()}
    renamed = {player.id: player.name for player in file.players if player.name != players[player.id].name}
    for id in sorted(ids & renamed.keys()):
        reader.add_note(f"The file has several players named {renamed[id]}; one is {players[id].name} here.")
    for stored, key, path in found:
        with reader.collects_problems():
            reader.add(_read_play(stored, key, players, locations, path))
    return reader.file


def _name_players(players: Sequence[Item]) -> dict[int, Item]:
    """Return the players by id; a second one with a name gets another, such as "Lena 2"."""
    named: dict[int, Item] = {}
    keys = {name_key(player.name or "") for player in players}
    taken: set[str] = set()
    for player in players:
        name, key = player.name or "", name_key(player.name or "")
        if key and key in taken and not player.is_anonymous:
            name = unused_name(name, taken | keys)
        taken.add(name_key(name))
        named[player.id] = replace(player, name=name)
    return named


def _convert_play(data: object, number: int) -> StoredPlay:
    """Return a play of the file.

    :raises InvalidInputError: when one of its values has another type.
    """
    try:
        return convert_data(data, StoredPlay, strict=False)
    except InvalidInputError:
        raise InvalidInputError(f"play {number}: one of its values is not readable") from None


def _find_game(game: Item, bgg_ids: Mapping[str, int]) -> str | None:
    titles = filter(None, (game.name, game.bgg_name))
    return next(filter(None, (find_game(title, _bgg_id(game), bgg_ids) for title in titles)), None)


def _bgg_id(game: Item) -> int:
    """Return the game's id at BoardGameGeek; 0 if it is missing or no number."""
    text = str(game.bgg_id)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < MAX_ID_DIGITS else 0


def _read_play(
    stored: StoredPlay, game_key: str, players: Mapping[int, Item], locations: Mapping[int, str], path: str
) -> Play:
    """Return a play.

    :raises InvalidInputError: when its date is unreadable.
    """
    ended, day = _read_date(stored, path)
    scores = sorted(stored.player_scores or (), key=lambda score: score.seat_order or 0)
    play = Play(
        game=game_key,
        ids=_play_ids(stored),
        ended=ended,
        day=day if len(ended) > len(day) else "",
        players=tuple(_read_player(score, players.get(score.player_ref_id or 0, Item(0))) for score in scores),
        minutes=_read_minutes(stored.duration_min or 0),
        where=locations.get(stored.location_ref_id or 0, ""),
        note=stored.comments or "",
        is_hidden=bool(stored.ignored),
    )
    return replace(play, result=_read_result(stored, play))


def _read_minutes(duration: float) -> int:
    """Return a length in whole minutes; 0 if it is no length."""
    return round(duration) if 0 <= duration <= MAX_MINUTES else 0


def _play_ids(stored: StoredPlay) -> tuple[str, ...]:
    """Return the ids of a play: here and, if it was sent there, at BoardGameGeek."""
    uuid, bgg_id = (stored.uuid or "").strip().upper(), stored.bgg_id
    return (*([play_id(SOURCE, uuid)] if uuid else []), *([play_id("bgg", str(bgg_id))] if bgg_id else []))


def _read_player(score: Score, player: Item) -> PlayedBy:
    is_bot = any(_is_bot(part.meta_data) for part in (score, player))
    is_guest = not is_bot and (bool(player.is_anonymous) or not (player.name or "").strip())
    return PlayedBy(
        name="" if is_guest else player.name or "",
        score="" if score.score in (None, "null") else str(score.score),
        is_winner=bool(score.winner),
        rank=max(0, score.rank or 0),
        kind="bot" if is_bot else "guest" if is_guest else "player",
    )


def _is_bot(meta_data: str | None) -> bool:
    """Return whether the JSON text beside a player says that it is a bot."""
    try:
        data = json.loads(meta_data or "{}")
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("isNpc") in (1, True, "1")


def _read_date(stored: StoredPlay, path: str) -> tuple[str, str]:
    """Return when a play ended, in UTC, and its local day.

    If the time is missing or of another day, the first value is the day, too.

    :raises InvalidInputError: when the date is missing or unreadable.
    """
    digits, text = str(stored.play_date_ymd or ""), stored.play_date or ""
    day = read_day(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if digits else text[:10], path)
    try:
        time = datetime.datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return day.isoformat(), day.isoformat()
    if time.date() != day or len(text) == len("2026-11-24") or str(time.time()) == NOON:
        return day.isoformat(), day.isoformat()
    try:
        return time.astimezone(datetime.UTC).isoformat(timespec="seconds"), day.isoformat()
    except (ValueError, OverflowError):  # at the end of the calendar
        return day.isoformat(), day.isoformat()


def _read_result(stored: StoredPlay, play: Play) -> Result | None:
    """Return the result from which Waymark wrote a play; None if the play has changed."""
    data = stored.waymark
    if not isinstance(data, dict) or data.get("digest") != _digest(play, stored.play_date or ""):
        return None
    try:
        result: Result = convert_data(data.get("result"), Result)
    except InvalidInputError:
        return None
    return None if result_error(result) or result.game != play.game else result


def _digest(play: Play, play_date: str) -> str:
    """Return a digest of what a file says about a play; the spelling of names does not matter."""
    players = [[name_key(part.name), part.score, part.is_winner, part.rank, part.kind] for part in play.players]
    parts = [play.game, play_date, play.minutes, play.where, play.note, play.is_hidden, players]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:32]


# Writing


def play_uuid(result: Result) -> str:
    """Return the UUID of a result: the one it came with, or one made from its id."""
    uuids = (id.removeprefix(f"{SOURCE}:") for id in result.other_ids if id.startswith(f"{SOURCE}:"))
    return next(uuids, "") or _make_uuid("play", result.id)


def _make_uuid(kind: str, id: str) -> str:
    return str(uuid5(NAMESPACE, f"{kind}:{id}")).upper()


def write_bg_stats(results: Iterable[Result], bgg_ids: Mapping[str, int]) -> dict:
    """Return results as the JSON of a file of BG Stats.

    :param bgg_ids: the BoardGameGeek ids of our games, by key.
    """
    results = list(results)
    parts = [part for result in results for part in result.players]
    games = _numbered({result.game: result.game for result in results})
    players = _numbered({_player_key(part): "" if part.guest else part.name for part in parts})
    locations = _numbered({result.where: result.where for result in results if result.where})
    return {
        "about": ABOUT,
        "games": [
            {
                "id": id,
                "uuid": _make_uuid("game", key),
                "name": GAMES[key].box.title,
                "bggId": bgg_ids.get(key, 0),
                "bggName": GAMES[key].box.title,
                "bggYear": 0,
                "cooperative": False,
                "highestWins": True,
                "noPoints": not GAMES[key].box.has_points,
                "usesTeams": False,
                "isBaseGame": 1,
                "isExpansion": 0,
            }
            for key, (id, _) in games.items()
        ],
        "players": [
            {
                "id": id,
                "uuid": _make_uuid("player", key),
                "name": name or "Anonymous player",
                "isAnonymous": not name,
                "bggUsername": "",
            }
            for key, (id, name) in players.items()
        ],
        "locations": [
            {"id": id, "uuid": _make_uuid("location", where), "name": where} for where, (id, _) in locations.items()
        ],
        "plays": [_write_play(result, games, players, locations) for result in results],
        "userInfo": {"meRefId": 0},
    }


def _player_key(player: PlayerResult) -> str:
    """Return the key of a player in a file: the guests are one anonymous player."""
    return "" if player.guest else name_key(player.name)


def _numbered(texts: Mapping[str, str]) -> dict[str, tuple[int, str]]:
    return {key: (id, text) for id, (key, text) in enumerate(texts.items(), 1)}


def _write_play(
    result: Result,
    games: Mapping[str, tuple[int, str]],
    players: Mapping[str, tuple[int, str]],
    locations: Mapping[str, tuple[int, str]],
) -> dict:
    date = _local_play_date(result)
    bgg_id = next((id.removeprefix("bgg:") for id in result.other_ids if id.startswith("bgg:")), "")
    play = Play(
        game=result.game,
        ids=(),
        ended=result.ended,
        players=tuple(_played_by(result, part) for part in result.players),
        minutes=result.minutes,
        where=result.where,
        note=result.note,
        is_hidden=result.hidden,
    )
    return {
        "uuid": play_uuid(result),
        "gameRefId": games[result.game][0],
        "locationRefId": locations[result.where][0] if result.where else 0,
        "playDate": date,
        "playDateYmd": int(date[:10].replace("-", "")),
        "entryDate": date,
        "modificationDate": date,
        "durationMin": result.minutes,
        "comments": result.note,
        "rounds": 0,
        "rating": 0,
        "ignored": result.hidden,
        "usesTeams": False,
        "manualWinner": result.decided_by != "points",
        "scoringSetting": HIGHEST_WINS if result.box.has_points else NO_POINTS,
        "bggId": int(bgg_id) if bgg_id.isdecimal() else 0,
        "importPlayId": 0,
        "nemestatsId": 0,
        "playerScores": [
            {
                "playerRefId": players[_player_key(part)][0],
                "score": written.score,
                "winner": written.is_winner,
                "rank": written.rank,
                "startPlayer": _is_start_player(result, seat),
                "newPlayer": False,
                "seatOrder": seat + 1,
                "metaData": BOT_META_DATA if part.bot else "",
            }
            for seat, (part, written) in enumerate(zip(result.players, play.players, strict=True))
        ],
        "waymark": {"digest": _digest(play, date), "result": msgspec.to_builtins(result)},
    }


def _played_by(result: Result, part: PlayerResult) -> PlayedBy:
    points = result.points_of(part)
    return PlayedBy(
        name="" if part.guest else part.name,
        score="" if points is None else str(points),
        is_winner=result.has_won(part),
        rank=part.place,
        kind="bot" if part.bot else "guest" if part.guest else "player",
    )


def _is_start_player(result: Result, seat: int) -> bool:
    """Return whether a player began; the players of a typed result have no order."""
    return seat == 0 and not result.by_hand


def _local_play_date(result: Result) -> str:
    if not result.has_time or result.date != local_date(result.ended):
        return f"{result.date} {NOON}"
    return f"{local_date(result.ended)} {local_time(result.ended)}:{result.ended[17:19]}"


def _utc_play_date(result: Result) -> str:
    if result.has_time:
        return f"{result.ended[:16]}:00".replace("T", " ")
    noon = datetime.datetime.fromisoformat(f"{result.ended} {NOON}").astimezone(datetime.UTC)
    return f"{noon:%Y-%m-%d %H:%M:%S}"


# The link


class BgStatsLink(NamedTuple):
    """The address that opens a result in BG Stats, or else a page of its website."""

    url: str
    has_location: bool
    has_note: bool


def bg_stats_link(result: Result, bgg_id: int = 0) -> BgStatsLink:
    """Return the address that opens a result in BG Stats.

    It has the game, its end in UTC, its length, the players with their results and, if it does not become too long,
    the location and the note.

    :param bgg_id: the game's BoardGameGeek id; 0 lets the app look for the title.
    """
    location = {"location": result.where} if result.where else {}
    note = {"comments": result.note} if result.note else {}
    data = _link_data(result, bgg_id)
    for extra in (location | note, location, {}):
        url = LINK_URL + quote(msgspec.json.encode(data | extra).decode())
        if len(url) <= MAX_LINK_LENGTH:
            break
    return BgStatsLink(url, "location" in extra, "comments" in extra)


def _link_data(result: Result, bgg_id: int) -> dict[str, object]:
    game: dict[str, object] = {
        "name": result.box.title.title(),
        "sourceGameId": result.game,
        "highestWins": True,
        "noPoints": not result.box.has_points,
    }
    data: dict[str, object] = {
        "sourceName": "Waymark",
        "sourcePlayId": result.id,
        "playDate": _utc_play_date(result),
        "game": game | ({"bggId": bgg_id} if bgg_id else {}),
        "players": [
            {
                "name": part.name,
                "sourcePlayerId": name_key(part.name)[:MAX_NAME_LENGTH],
                "winner": result.has_won(part),
                "rank": part.place,
                "startPlayer": _is_start_player(result, seat),
            }
            | ({} if (points := result.points_of(part)) is None else {"score": points})
            for seat, part in enumerate(result.players)
        ],
    }
    return data | ({"durationMin": result.minutes} if result.minutes else {})
