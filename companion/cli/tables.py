"""Commands for stored tables: past games, import and export, backups."""

import csv
import datetime
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.shared import (
    FILE,
    FOLDER,
    INPUT_FILE,
    CommandError,
    WholeNumber,
    instance_option,
    progress_bar,
    read_content,
    show_status,
    to_json,
)
from companion.system import paths

if TYPE_CHECKING:
    from companion.exchange.files import WaymarkFile
    from companion.exchange.plays import PlayFile
    from companion.history.result import Result
    from companion.service.referee import Referee

MAX_LIMIT = 999_999  # results in a list


def _parse_code(text: str) -> str:
    return text.upper().encode(errors="replace").decode()  # undecodable bytes are not valid in a code


def _tables_file(folder: Path) -> Path:
    """Return the path of an instance's database."""
    if not (file := folder / paths.DATABASE_NAME).exists():
        raise CommandError(f"{folder} has no tables yet. Start a game with waymark serve.")
    return file


@contextmanager
def _open_referee(file: Path) -> Iterator["Referee"]:
    """Yield the referee of a database after recording results that its history lacks."""
    from companion.service.live import LiveUpdates
    from companion.service.referee import Referee
    from companion.storage.store import Store

    with closing(Store(file)) as store:
        referee = Referee(store, LiveUpdates(store, 0))
        with progress_bar("Loading tables") as on_progress:
            referee.results.catch_up(on_progress)
        yield referee


@click.command
@click.argument("code", type=_parse_code, help="The table’s code.")
@instance_option
def decide(code: str, folder: Path) -> None:
    """Approve a table’s open requests when the host’s phone is lost.

    The command prints each request that it approves.

    \b
    Example:
      waymark decide BCDFG
    """
    from companion.service.live import LiveUpdates
    from companion.service.referee import Referee
    from companion.storage.store import Store, TableNotFoundError, new_tap

    with closing(Store(_tables_file(folder))) as store:
        referee = Referee(store, LiveUpdates(store, 0))
        try:
            table = store.table(code)
        except TableNotFoundError:
            raise CommandError(f"There is no table {code}. Check the code.") from None
        if not table.proposals:
            print(f"Table {table.code} has no open requests.")
        while table.proposals:  # one answer can settle other proposals, too
            question = table.proposals[0]
            table = referee.answer(table, table.host, new_tap(), question.number, True)
            print(f"Approved: {question.sentence}")


@click.command
@click.argument("search", nargs=-1, help="Names, games, dates, locations or notes that a result must contain.")
@click.option(
    "--limit",
    type=WholeNumber(0, MAX_LIMIT),
    default=30,
    metavar="N",
    help="Maximum number of results, 0 to 999999; 0 for all.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet, one row per player.")
@click.option("--bg-stats", "as_bg_stats", is_flag=True, help="Print a file for BG Stats.")
@click.option("--json", "as_json", is_flag=True, help="Export everything as JSON, including private entries.")
@instance_option
def history(search: tuple[str, ...], limit: int, as_csv: bool, as_bg_stats: bool, as_json: bool, folder: Path) -> int:
    """List past games, newest first, with a star for each winner.

    With --json, the command ignores the search. It exports all results, players, card details and game logs, including
    private entries. "waymark import" reads this export.

    \b
    Examples:
      waymark history
      waymark history ana parks 2026-11
      waymark history --json > everything.json
      waymark history --limit 0 --bg-stats > plays.bgsplay
    """
    from companion.exchange import bg_stats, spreadsheet
    from companion.history import result as results
    from companion.service import import_export
    from companion.storage.bgg_ids import bgg_ids

    with _open_referee(_tables_file(folder)) as referee:
        if as_json:
            with progress_bar("Writing tables") as on_progress:
                for chunk in import_export.export_all(referee, None, on_progress):
                    sys.stdout.write(chunk)
            return 0
        query = " ".join(search)
        found = [result for result in reversed(referee.results.all()) if not result.hidden]
        found = [result for result in found if results.matches(result, query)][: limit or None]
        game_ids = bgg_ids(referee.store)
    if as_bg_stats:
        print(to_json(bg_stats.write_bg_stats(reversed(found), game_ids)))
        return 0
    if as_csv:
        table = csv.writer(sys.stdout)
        table.writerow(spreadsheet.OWN_COLUMNS)
        table.writerows([spreadsheet.escape_cell(cell) for cell in row] for row in spreadsheet.csv_rows(found))
        return 0
    for result in found:
        print(_result_line(result))
    if not found:
        print("No result matches." if query else "There are no past games yet.")
    return int(bool(query) and not found)


def _result_line(result: "Result") -> str:
    from companion.log.entries import format_date

    names = ", ".join(
        f"{part.name}{'' if result.points_of(part) is None else f' {part.points}'}"
        f"{' *' if part.winner and not result.is_solo else ''}"
        for part in result.players
    )
    details = ", ".join(filter(None, (result.duration, result.where, result.code and f"table {result.code}")))
    return f"{format_date(result.date):>11}  {result.box.title:<13}  {names}{f'  ({details})' if details else ''}"


@click.command("import")
@click.argument(
    "files", nargs=-1, required=True, type=INPUT_FILE, metavar="FILE...", help="The files, or - for standard input."
)
@click.option("--similar", is_flag=True, help="Also import plays that look like results here.")
@instance_option
def import_files(files: tuple[str, ...], similar: bool, folder: Path) -> None:
    """Import Waymark files, or plays from BG Stats, BoardGameGeek or a spreadsheet (CSV).

    "waymark history --json" and the Past games page make a full export. "waymark export" exports one game log.
    Importing a file twice creates no duplicates. Anyone can take a seat at an imported table and continue the game.
    If a table already exists here, moves made in the other copy are added to it.

    \b
    Examples:
      waymark import everything.json
      waymark export BCDFG > table.json; waymark import table.json --instance elsewhere
    """
    from companion.exchange.files import WaymarkFile
    from companion.service import import_export
    from companion.storage.bgg_ids import bgg_ids
    from scoring.kernel.errors import InvalidInputError

    contents = [(name, read_content(name)) for name in files]
    for name, content in contents:  # a file that cannot be read creates no folder
        _read_import(name, content, {})
    folder.mkdir(parents=True, exist_ok=True)
    with _open_referee(folder / paths.DATABASE_NAME) as referee:
        for name, content in contents:
            file = _read_import(name, content, bgg_ids(referee.store))
            if not isinstance(file, WaymarkFile):
                _import_plays(name, file, referee, similar)
                continue
            try:
                with progress_bar("Importing tables") as on_progress:
                    counts = import_export.import_data(referee, file.data, on_progress=on_progress)
            except InvalidInputError as error:
                raise CommandError(f"{name}: {import_export.describe_import_error(error)}") from None
            table_text = f" The table\u2019s code is {counts.code}." if counts.code else ""
            print(f"{name}: {import_export.describe_import(counts)}{table_text}")


def _read_import(name: str, content: bytes, game_ids: "Mapping[str, int]") -> "PlayFile | WaymarkFile":
    """Return the plays or the data in a file.

    :param game_ids: the BoardGameGeek ids of our games, by key.
    :raises CommandError: if it is another file, or the columns of a table cannot be guessed.
    """
    from companion.exchange import spreadsheet
    from companion.exchange.files import CsvFile, read_file
    from companion.service import import_export
    from scoring.kernel.errors import InvalidInputError

    try:
        file = read_file(content, game_ids)
    except InvalidInputError as error:
        raise CommandError(f"{name}: {import_export.describe_import_error(error)}") from None
    if not isinstance(file, CsvFile):
        return file
    try:
        table = spreadsheet.read_table(file.content)
        return spreadsheet.read_plays(table, spreadsheet.guess_columns(table), game_ids)
    except InvalidInputError as error:
        raise CommandError(
            f"{name}: Nothing was imported: {error}. Assign the columns on the page Past games."
        ) from None


def _import_plays(name: str, file: "PlayFile", referee: "Referee", imports_similar: bool) -> None:
    """Import plays of another program, and print the numbers and the refused plays."""
    from companion.service import play_import
    from scoring.kernel.english import pluralize

    plan = play_import.plan_import(referee, file, "", {})
    also = {play.number for play in plan.similar} if imports_similar else set()
    ids = play_import.import_plays(referee, plan, "", also)
    print(f"{name}: {play_import.describe_plan(plan)} Imported {pluralize(len(ids), 'result')}.")
    for play in plan.similar if not imports_similar else ():
        print(f"  Maybe here already: {_result_line(play.result).strip()}")
    for note in file.notes:
        print(f"  {note}")
    for problem in plan.refused:
        print(f"  Not imported: {problem}")


@click.command
@click.argument("code", type=_parse_code, required=False, help="The table’s code.")
@click.option("--all", "target", type=FOLDER, metavar="FOLDER", help="Export every table to a file in this folder.")
@instance_option
def export(code: str | None, target: Path | None, folder: Path) -> int:
    """Export a table’s log as JSON, or all tables to files.

    From a damaged database, the command saves every entry that it can read and lists the lost ones. A log includes
    the table’s private entries.

    \b
    Examples:
      waymark export BCDFG > table.json
      waymark export --all saved
    """
    from companion.storage import rescue

    if (code is None) == (target is None):
        raise CommandError("export: give a table’s code, or --all and a folder.")
    with rescue.open_rescue(_tables_file(folder)) as saved:
        return _export_all(saved, target) if target else _export_one(saved, code or "")


def _export_one(saved, code: str) -> int:
    from companion.service.import_export import log_data

    if code not in saved.tables:
        damaged = " The database is damaged; --all saves everything that it can read." if saved.is_damaged else ""
        raise CommandError(f"There is no table {code}.{damaged or ' Check the code.'}")
    log = saved.read_log(code)
    print(to_json(log_data(code, log.rows)))
    return _report_lost_entries(code, log)


def _export_all(saved, folder: Path) -> int:
    from companion.service.import_export import log_data
    from companion.system.files import private_opener  # an export holds every secret
    from scoring.kernel.english import pluralize

    folder.mkdir(parents=True, exist_ok=True)
    status = 0
    with progress_bar("Writing tables") as on_progress:
        for number, code in enumerate(saved.tables, 1):
            log = saved.read_log(code)
            if log.rows:
                with open(folder / f"{code}.json", "w", encoding="utf-8", opener=private_opener) as file:
                    print(to_json(log_data(code, log.rows)), file=file)
            status |= _report_lost_entries(code, log)
            on_progress(number, len(saved.tables))
    print(f"Exported {pluralize(len(saved.tables), 'table')} to {folder}.")
    if saved.is_damaged:
        print("The database is damaged. The entries listed here are lost; all others are saved.", file=sys.stderr)
    return status | saved.is_damaged


def _report_lost_entries(code: str, log) -> int:
    """Print which entries of a table could not be read; return 1 if there are any."""
    if not log.rows:
        print(f"Table {code}: no entry can be read.", file=sys.stderr)
    elif log.missing_numbers:
        print(f"Table {code}: {_entry_ranges(log.missing_numbers)} cannot be read.", file=sys.stderr)
    return int(bool(log.missing_numbers) or not log.rows)


def _entry_ranges(numbers: Iterable[int]) -> str:
    """Return the numbers of entries in words, with consecutive numbers as ranges."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    spans = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"{'entry' if len(spans) == 1 and ' ' not in spans[0] else 'entries'} {', '.join(spans)}"


@click.command
@click.argument("file", type=FILE, help="The backup file to write.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@instance_option
def backup(file: Path, force: bool, folder: Path) -> None:
    """Back up all tables and keys to one file, even while the server is running.

    The file contains all private entries and keys. Keep it private.

    \b
    Example:
      waymark backup waymark.zip
    """
    from companion.storage.backup import backup

    show_status("Copying tables")
    backup(folder, file, force)
    print(f"Saved {file}. It contains all private entries and keys. Keep it private.")


@click.command
@click.argument("file", type=FILE, help="The backup file.")
@click.option("--force", is_flag=True, help="Move existing tables to a subfolder first.")
@instance_option
def restore(file: Path, force: bool, folder: Path) -> None:
    """Restore a backup into a folder without tables.

    \b
    Example:
      waymark restore waymark.zip --instance elsewhere
    """
    from companion.storage.backup import restore

    show_status("Restoring tables")
    old_folder = restore(file, folder, force)
    print(f"Restored the tables to {folder}.", *([f"The previous ones are in {old_folder}."] if old_folder else []))


@click.command
@click.option(
    "--older-than",
    "days",
    type=WholeNumber(1, 99999),
    required=True,
    metavar="DAYS",
    help="Days of inactivity, 1 to 99999.",
)
@click.option("--yes", is_flag=True, help="Delete these tables.")
@instance_option
def expire(days: int, yes: bool, folder: Path) -> None:
    """List or delete tables that have been inactive for a long time.

    Their results stay in the list of past games.

    \b
    Examples:
      waymark expire --older-than 365
      waymark expire --older-than 365 --yes
    """
    from companion.log.entries import format_date, local_date
    from companion.storage.store import Store, timestamp
    from scoring.kernel.english import pluralize

    cutoff = timestamp(datetime.timedelta(days=days))
    with closing(Store(_tables_file(folder))) as store:
        old = store.inactive_tables(cutoff)
        for code, last_time in old:
            print(f"{code}  {format_date(local_date(last_time)) if last_time else 'never'}")
        if not old:
            print(f"No table has been inactive for {pluralize(days, 'day')}.")
        elif yes:
            show_status("Deleting")
            deleted = store.delete_inactive_tables(cutoff)
            print(f"Deleted {pluralize(len(deleted), 'table')}.")
        else:
            print(f"{pluralize(len(old), 'inactive table')}. To delete, make a backup and repeat with --yes.")
