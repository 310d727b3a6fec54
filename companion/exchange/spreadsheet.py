"""Tables of plays in CSV files: the one of Waymark, and those of other people.

A table has a row for each player, or a row for each play with the players side by side.
"""

import csv
import datetime
import hashlib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.exchange.headings import ColumnRole, guess_roles
from companion.exchange.plays import (
    MAX_SCORE_LENGTH,
    Play,
    PlayedBy,
    PlayerKind,
    PlayFile,
    PlayReader,
    clean_text,
    find_game,
    latest_year,
    play_id,
    read_day,
    read_points,
)
from companion.history.result import MINUTES_PER_DAY, PlayerResult, Result, name_key
from companion.log.entries import describe_date
from scoring.kernel.english import join_words
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import MAX_NAME_LENGTH

SOURCE = "csv"
OWN_SOURCE = "waymark"  # the prefix of ids in Waymark's own table
MAX_COLUMNS = 100
MAX_DATE_LENGTH = 60
MAX_LINES_ABOVE = 20  # lines in which the headings are looked for
DELIMITERS = {"": "Found automatically", ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar"}
FIRST_EXCEL_DAY = datetime.date(1899, 12, 30)  # day 0 of the numbers that spreadsheets use for dates
OWN_COLUMNS = (
    "date", "game", "table", "result", "minutes", "player", "place", "winner", "points", "decided by", "where", "note",
    "kind",
)  # fmt: skip

# Encodings to choose from, with what they are for. The first one is found without a choice.
ENCODINGS = {
    "": "Found automatically",
    "cp1252": "Western Europe (Windows)",
    "mac_roman": "Western Europe (Mac)",
    "cp1250": "Central Europe",
    "cp1251": "Cyrillic",
    "cp1253": "Greek",
    "cp1254": "Turkish",
    "cp1255": "Hebrew",
    "cp1256": "Arabic",
    "shift_jis": "Japanese",
    "gb18030": "Chinese (simplified)",
    "big5": "Chinese (traditional)",
    "cp949": "Korean",
}

OWN_ROLES: tuple[ColumnRole, ...] = (
    "day",
    "game",
    "",
    "id",
    "minutes",
    "name",
    "place",
    "won",
    "points",
    "decided_by",
    "where",
    "note",
    "kind",
)
# What a column may have, in the words of the choice.
COLUMN_ROLES: dict[ColumnRole, str] = {
    "": "Not used",
    "day": "Date",
    "game": "Game",
    "name": "Name of a player",
    "points": "Points",
    "place": "Place",
    "won": "Winner",
    "minutes": "Length in minutes",
    "where": "Location",
    "note": "Note",
    "id": "Number of the play",
    "kind": "Player, guest or bot",
    "players": "All players in one cell",
    "column": "Points of the player in the heading",
    "decided_by": "Reason for the winner, from Waymark",
}
YES = {"1", "yes", "y", "true", "x", "\u2713", "\u2714", "won", "win", "winner", "w", "*", "ja", "oui", "si", "s\u00ed"}
DATE_PATTERN = re.compile(r"(\d{1,4})[./ \-\u5e74]+(\d{1,2})[./ \-\u6708]+(\d{1,4})(?!\d)")
# The first letters of months in English, German, French, Spanish, Italian and Dutch -> the number of the month.
MONTHS = {
    "jan": 1, "gen": 1, "ene": 1, "feb": 2, "fev": 2, "mar": 3, "mrz": 3, "mrt": 3, "maa": 3, "apr": 4, "avr": 4,
    "abr": 4, "may": 5, "mai": 5, "mei": 5, "maj": 5, "mag": 5, "juin": 6, "jun": 6, "giu": 6, "juil": 7, "jul": 7,
    "lug": 7, "aug": 8, "aou": 8, "ago": 8, "sep": 9, "set": 9, "oct": 10, "okt": 10, "ott": 10, "nov": 11, "dec": 12,
    "dez": 12, "dic": 12,
}  # fmt: skip
LENGTH_PATTERN = re.compile(
    r"(?:(\d{1,3})\s*(?:h|hrs?|hours?|:|std)\.?)?\s*(\d{1,4})?\s*(?:m|min|minutes?|minuten|:\d\d)?\.?"
)
NAME_AND_SCORE = re.compile(r"(?P<name>.*?)[\s:=(]+(?P<score>-?\d[\d.,+*-]*)\)?$")


class Columns(Struct, frozen=True):
    """What the columns of a table have, as a person has chosen it."""

    roles: Annotated[tuple[ColumnRole, ...], Meta(max_length=MAX_COLUMNS)] = ()
    game: Annotated[str, Meta(max_length=40)] = ""  # the key of the game of all rows, if no column has it
    month_first: bool = False  # is 3/4/2026 the 4th of March?
    has_headings: bool = True
    encoding: str = ""  # one of ENCODINGS
    delimiter: str = ""  # one of DELIMITERS


class Table(NamedTuple):
    """The cells of a CSV file."""

    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]  # with their numbers in the file, from 1; blank rows are left out

    @property
    def is_own(self) -> bool:
        """Return whether Waymark has written the table; without the last column before 0.5."""
        return self.headings in (OWN_COLUMNS, OWN_COLUMNS[:-1])


# Cells


def decode_text(content: bytes, encoding: str = "") -> str:
    """Return the text of a file.

    :param encoding: one of ENCODINGS; empty: UTF-8, UTF-16 with a byte order mark, or else Windows-1252.
    """
    if encoding:
        return content.decode(encoding, errors="replace")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_table(content: bytes, encoding: str = "", delimiter: str = "", *, has_headings: bool = True) -> Table:
    """Return the cells of a CSV file.

    :param encoding: one of ENCODINGS.
    :param delimiter: one of DELIMITERS; empty: the one that splits most rows, and then into most cells.

    :raises InvalidInputError: when it is no table.
    """
    text = decode_text(content, encoding)
    first_line, _, rest = text.partition("\n")
    chosen = re.fullmatch(r"sep=(.)\s*", first_line)
    delimiters, text = (chosen[1], rest) if chosen else (delimiter or [*filter(None, DELIMITERS)], text)
    try:
        tables = [list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) for delimiter in delimiters]
    except csv.Error as error:
        raise InvalidInputError(f"this is no table: {error}") from None
    rows = max(tables, key=_count_split_rows)
    cleaned = enumerate((tuple(map(_clean_cell, row)) for row in rows), 1 + bool(chosen))
    numbered = [(number, row) for number, row in cleaned if any(row)]
    width = max((len(row) for _, row in numbered), default=0)
    if width < 2:
        raise InvalidInputError("this is a text file, but no table of plays")
    if width > MAX_COLUMNS:
        raise InvalidInputError(f"this table has {width} columns; at most {MAX_COLUMNS} can be read")
    padded = tuple((number, (*row, *[""] * (width - len(row)))) for number, row in numbered)
    if has_headings:
        start = next((index for index, (_, row) in enumerate(padded[:MAX_LINES_ABOVE]) if _has_known_headings(row)), 0)
        return Table(padded[start][1], padded[start + 1 :])
    return Table(tuple(f"Column {number}" for number in range(1, width + 1)), padded)


def _has_known_headings(row: Sequence[str]) -> bool:
    """Return whether a row has the headings of a table: a date and something else."""
    roles = guess_roles(row)
    return "day" in roles and len({*roles} - {""}) > 1


def _count_split_rows(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return how many rows have several cells, and the most frequent number of cells in them."""
    counts = Counter(len(row) for row in rows if len(row) > 1)
    return counts.total(), max(counts, key=lambda width: counts[width], default=0)


def _clean_cell(cell: str) -> str:
    """Return a cell without surrounding spaces and the apostrophe of `escape_cell`."""
    return re.sub(r"^'(?='*[=+\-@])", "", cell.strip())


# Guesses


def guess_columns(table: Table) -> Columns:
    """Return the roles that the columns seem to have, by their headings and cells."""
    roles: list[ColumnRole] = guess_roles(table.headings)
    counts = {index for index, role in enumerate(roles) if role == "players" and _has_scores(table, index)}
    roles = ["" if index in counts else role for index, role in enumerate(roles)]  # a number of players is not used
    if table.is_own:
        roles = [*OWN_ROLES[: len(table.headings)]]
    elif not {"name", "players"} & set(roles):
        roles = [
            "column" if not role and heading and index not in counts and _has_scores(table, index) else role
            for index, (role, heading) in enumerate(zip(roles, table.headings, strict=True))
        ]
    first_numbers, second_numbers = [0], [0]
    for index in (index for index, role in enumerate(roles) if role == "day"):
        for match in filter(None, (DATE_PATTERN.match(row[index]) for _, row in table.rows)):
            first_numbers.append(int(match[1]))
            second_numbers.append(int(match[2]))
    return Columns(tuple(roles), month_first=max(second_numbers) > 12 and max(first_numbers) <= 12)


def _has_scores(table: Table, index: int) -> bool:
    cells = [row[index] for _, row in table.rows if row[index]]
    return bool(cells) and all(read_points(cell) is not None for cell in cells)


def _unused_note(table: Table, columns: Columns) -> str:
    """Return a sentence that names the columns that are not used; empty without such columns."""
    unused = [
        clean_text(heading, 40) or f"Column {index}"
        for index, (heading, role) in enumerate(zip_longest(table.headings, columns.roles[: len(table.headings)]), 1)
        if not role and any(row[index - 1] for _, row in table.rows)
    ]
    return f"Columns not used: {join_words(unused)}." if unused and not table.is_own else ""


def _date_note(table: Table, columns: Columns) -> str:
    """Return how the first date is read that could be another one; empty without such a date."""
    indexes = [index for index, role in enumerate(columns.roles) if role == "day"]
    for cell in (row[index] for _, row in table.rows for index in indexes):
        match = DATE_PATTERN.match(cell)
        if match and len(match[1]) < 3:
            try:
                day, other = (
                    read_date(cell, "", month_first=order) for order in (columns.month_first, not columns.month_first)
                )
            except InvalidInputError:
                continue
            if day != other or len(match[3]) < 3:
                return f"\u201c{cell}\u201d is read as {describe_date(day)}."
    return ""


# Reading


def read_plays(table: Table, columns: Columns, bgg_ids: Mapping[str, int]) -> PlayFile:
    """Return the plays of a table.

    :param bgg_ids: the BoardGameGeek ids of our games, by key.
    :raises InvalidInputError: when the columns have no dates, no names or no games.
    """
    _check_columns(columns)
    reader, seen = PlayReader(SOURCE), Counter[str]()
    for number, rows in _group_rows(table, columns):
        with reader.collects_problems():
            title = rows[0].first("game")
            key = columns.game or find_game(title, 0, bgg_ids)
            if key is None:
                reader.count_other_game(title)
            else:
                play = _read_play(rows, key, columns, f"row {number}")
                reader.add(_with_id(play, rows[0].first("id"), table.is_own, seen))
    reader.add_note(_unused_note(table, columns))
    reader.add_note(_date_note(table, columns))
    return reader.file


def _check_columns(columns: Columns) -> None:
    roles = set(columns.roles)
    if "day" not in roles:
        raise InvalidInputError("no column has the date")
    if "game" not in roles and not columns.game:
        raise InvalidInputError("no column has the game; choose the game of all rows")
    if not roles & {"name", "players", "column"}:
        raise InvalidInputError("no column has the players")


class _Row(NamedTuple):
    """A row with what its columns have."""

    cells: tuple[str, ...]
    roles: tuple[ColumnRole, ...]
    headings: tuple[str, ...]

    def all(self, role: ColumnRole) -> list[str]:
        return [cell for cell, own_role in zip(self.cells, self.roles, strict=False) if own_role == role]

    def first(self, role: ColumnRole) -> str:
        return next(iter(self.all(role)), "")

    @property
    def common_cells(self) -> list[str]:
        """Return the cells that the rows of all players of a play share."""
        return [self.first(role) for role in ("id", "day", "game", "minutes", "where", "note")]


def _group_rows(table: Table, columns: Columns) -> Iterator[tuple[int, list[_Row]]]:
    """Yield the rows of each play, with the number of the first row.

    With a row for each player, a play ends where the day, the game or its number changes, or a name comes again.
    """
    has_row_per_player = columns.roles.count("name") == 1 and not {"players", "column"} & set(columns.roles)
    number, group, last_number = 0, [], 0
    for row_number, cells in table.rows:
        row = _Row(cells, columns.roles, table.headings)
        follows = row_number == last_number + 1  # without a blank row between
        last_number = row_number
        if group and has_row_per_player and follows and _continues(row, group):
            group.append(row)
            continue
        if group:
            yield number, group
        number, group = row_number, [row]
    if group:
        yield number, group


def _continues(row: _Row, group: Sequence[_Row]) -> bool:
    """Return whether a row is the next player of a play: its common cells are equal or blank.

    Where the cells of earlier rows are blank or merged, a date begins another play.
    """
    if row.first("day") and not group[-1].first("day"):
        return False
    has_same_cells = all(
        cell in ("", other) for cell, other in zip(row.common_cells, group[0].common_cells, strict=True)
    )
    return has_same_cells and name_key(row.first("name")) not in {name_key(other.first("name")) for other in group}


def _read_play(rows: Sequence[_Row], game_key: str, columns: Columns, path: str) -> Play:
    """Return a play.

    :raises InvalidInputError: when its date is missing or unreadable.
    """
    first = rows[0]
    players = [player for row in rows for player in _read_players(row)]
    return Play(
        game=game_key,
        ids=(),
        ended=read_date(first.first("day"), path, month_first=columns.month_first).isoformat(),
        players=tuple(players),
        minutes=read_minutes(first.first("minutes")),
        where=first.first("where"),
        note=first.first("note"),
        decided_by={"finish": "points"}.get(first.first("decided_by"), first.first("decided_by")),
    )


def _read_players(row: _Row) -> Iterator[PlayedBy]:
    """Yield the players of a row; a player without name and score is left out."""
    names, won = row.all("name"), row.all("won")
    has_own = len(won) == len(names)  # says a cell of each player whether that player won?
    columns = [row.all("points"), row.all("place"), row.all("kind"), won if has_own else []]
    for name, score, place, kind, own_won in islice(zip_longest(names, *columns, fillvalue=""), len(names)):
        if name or score:
            yield _player(name, score, own_won or row.first("won"), place, kind, has_own_cell=has_own)
    for part in _split_players(row.first("players")):
        match = NAME_AND_SCORE.fullmatch(part)
        if part:
            yield _player(match["name"] if match else part, match["score"] if match else "", row.first("won"))
    for heading, cell, role in zip(row.headings, row.cells, row.roles, strict=False):
        if role == "column" and cell:
            yield _player(heading, cell, row.first("won"))


def _split_players(cell: str) -> list[str]:
    """Return the players in a cell; between semicolons, a comma is part of a name."""
    has_semicolons = ";" in cell or "\n" in cell
    parts = re.split(r"[;\n]|(?<=\d),(?!\d)" if has_semicolons else r",(?!\d)", cell)
    return [part.strip()[: MAX_NAME_LENGTH + MAX_SCORE_LENGTH] for part in parts]


def _player(
    name: str, score: str, won: str, place: str = "", kind: str = "", *, has_own_cell: bool = False
) -> PlayedBy:
    """Return a player.

    :param won: the names of the winners, as one name or a list; if the cell is only about this player, also "yes".
    """
    kinds: dict[str, PlayerKind] = {"guest": "guest", "bot": "bot"}
    own_kind = kinds.get(kind.casefold(), "player" if name else "guest")
    winners = {name_key(part) for part in (won, *re.split(r"[,;/&+\n]| and ", won))}
    return PlayedBy(
        name="" if own_kind == "guest" else name,
        score=score,
        is_winner=(name_key(name) in winners and bool(name)) or (has_own_cell and won.casefold() in YES),
        rank=int(place) if place.isascii() and place.isdecimal() and len(place) < 4 else 0,
        kind=own_kind,
    )


def _with_id(play: Play, id: str, is_own: bool, seen: Counter[str]) -> Play:
    """Return a play with its id.

    It is that of Waymark, or a digest of the play. The number of a play in another table counts in place of its
    players, since each table, or even each day, may begin with number 1.

    :param seen: the ids so far; equal plays get different ids.
    """
    if is_own and id:
        return replace(play, ids=(play_id(OWN_SOURCE, id),))
    players = sorted([name_key(part.name), part.score, str(part.is_winner)] for part in play.players)
    digest = hashlib.sha256(repr([play.game, play.ended, id or players]).encode()).hexdigest()[:16]
    seen[digest] += 1
    return replace(play, ids=(play_id(SOURCE, f"{digest}-{seen[digest]}"),))


def read_date(text: str, path: str, *, month_first: bool = False) -> datetime.date:
    """Return a date as people write it in tables, also with the time after it.

    :param path: the place in the file.
    :param month_first: is 3/4/2026 the 4th of March?
    :raises InvalidInputError: when it is missing, unreadable or years ahead.
    """
    day = _read_day(text, path, month_first)
    if day.year > latest_year():
        raise InvalidInputError(f"{path}: the date {day} is in the future")
    return day


def _read_day(text: str, path: str, month_first: bool) -> datetime.date:
    """Return a date.

    :raises InvalidInputError: when it is missing or unreadable.
    """
    text = text[:MAX_DATE_LENGTH]
    match = DATE_PATTERN.match(text)
    if match:
        first, second, third = map(int, match.groups())
        year, month, day = (first, second, third) if len(match[1]) == 4 else (_full_year(third), second, first)
        if len(match[1]) < 3 and (month > 12 or (month_first and day <= 12)):
            month, day = day, month
        return read_day(f"{year:04}-{month:02}-{day:02}", path)
    if re.fullmatch(r"[2-7]\d{4}(\.\d+)?", text):  # as spreadsheets count days
        return FIRST_EXCEL_DAY + datetime.timedelta(days=int(text[:5]))
    return read_day(_read_words(text) or text, path)


def _read_words(text: str) -> str:
    """Return a date such as "Friday, 20 Nov 2026" in ISO form, or an empty text."""
    letters = unicodedata.normalize("NFKD", re.split(r"[:(]", text)[0].casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    numbers, words = re.findall(r"\d+", plain), re.findall(r"[^\W\d]+", plain)
    months = [number for word in words for start, number in MONTHS.items() if word.startswith(start)]
    if not months or len(numbers) < 2:
        return ""
    month = months[-1]  # a weekday before it may begin with the same letters, such as "mardi"
    return f"{_full_year(int(numbers[1])):04}-{month:02}-{int(numbers[0]):02}"


def _full_year(year: int) -> int:
    """Return a year of two digits with its century: none is later than next year."""
    return year + (2000 if 2000 + year <= latest_year() else 1900) if year < 100 else year


def read_minutes(text: str) -> int:
    """Return a length such as "45", "1:30" or "1 h 30 min" in minutes; 0 if unreadable."""
    match = LENGTH_PATTERN.fullmatch(text.strip().casefold())
    minutes = int(match[1] or 0) * 60 + int(match[2] or 0) if match else 0
    return minutes if minutes <= MINUTES_PER_DAY else 0


# Writing


def csv_rows(results: Iterable[Result]) -> Iterator[list]:
    """Yield results as rows, one for each player; `OWN_COLUMNS` has the headings."""
    for result in results:
        for part in result.players:
            points = result.points_of(part)
            yield [
                result.date, result.box.title, result.code, result.id, result.minutes or "", part.name, part.place,
                "yes" if part.winner else "", "" if points is None else points,
                result.decision, result.where, result.note, _kind(part),
            ]  # fmt: skip


def _kind(player: PlayerResult) -> PlayerKind:
    return "bot" if player.bot else "guest" if player.guest else "player"


def escape_cell(cell: object) -> object:
    """Return a cell escaped so that a spreadsheet does not read it as a formula."""
    is_formula = isinstance(cell, str) and cell.lstrip("'").startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if is_formula else cell


def to_csv(rows: Iterable[Iterable], delimiter: str = ",") -> str:
    """Return rows as the text of a CSV file, with a byte order mark for spreadsheets.

    No cell of it is a formula.
    """
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter).writerows([escape_cell(cell) for cell in row] for row in rows)
    return f"\ufeff{output.getvalue()}"
