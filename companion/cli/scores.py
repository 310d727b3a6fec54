"""Commands without stored tables: rules, scores, sheets, logs, schemas."""

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from companion.cli.shared import (
    FILE,
    GAME,
    INPUT_FILE,
    MAX_LINE_WIDTH,
    CommandError,
    LazyChoice,
    is_terminal,
    read_json,
    show_status,
    to_json,
)

if TYPE_CHECKING:
    from scoring.kernel.sheet import Column

MAX_RULES_PER_GAME = 3  # rules listed per game for a question

SAMPLE = """\b
Example of a file:
  {"game": "trails",
   "players": [{"name": "Ana", "badges": ["climber-rock", "science"]},
               {"name": "Bo", "photos": [{"points": 1, "birds": 1}]}]}
"""


def _document_names() -> Iterable[str]:
    from scoring.schema import DOCUMENT_NAMES

    return DOCUMENT_NAMES


DOCUMENT = LazyChoice("document", _document_names)


@click.command
@click.argument("words", nargs=-1, help="The question or a few words of it.")
@click.option("--game", type=GAME, help="Search only this game.")
@click.option("--json", "as_json", is_flag=True, help="Print the rules as JSON.")
def rules(words: tuple[str, ...], game: str | None, as_json: bool) -> int:
    """Ask a question in your own words and find the rules that answer it.

    The search understands typos and common nicknames. The command prints the three best matches in each game, with
    their rulebook references and rule IDs. Without a question, it prints all rules of a game.

    \b
    Examples:
      waymark rules "may I use the water bottle twice"
      waymark rules --game parks campfire
      waymark rules --game trails
    """
    from companion.service.rule_search import rule_index
    from scoring.games import GAMES

    query, keys = " ".join(words), [game] if game else list(GAMES)
    if not query and not game:
        raise CommandError(f"rules: no question. Add one, or list all rules with --game and one of {', '.join(GAMES)}.")
    found = [
        (GAMES[key].box, rule)
        for key in keys
        for rule in (
            list(rule_index(key).search(query))[:MAX_RULES_PER_GAME] if query else GAMES[key].box.rules.values()
        )
    ]
    if as_json:
        data = [
            {"game": box.key, "id": rule.id, "section": rule.section, "text": rule.text, "cite": rule.citation}
            | {"book": rule.book, "page": rule.page, "status": rule.status}
            for box, rule in found
        ]
        print(to_json(data))
    else:
        format_text = _wrap_paragraph if is_terminal(sys.stdout) else str  # other programs get one rule per line
        for box, rule in found:
            print(format_text(f"{box.title}, {rule.section}. {rule.text} ({rule.citation}; {rule.id})"))
        if not found:
            print("No rule found. Try fewer or different words.")
    return int(not found)


def _wrap_paragraph(text: str) -> str:
    """Return a text wrapped to the terminal as a paragraph with a hanging indent."""
    width = min(MAX_LINE_WIDTH, max(40, get_terminal_size().columns - 2))
    return textwrap.fill(text, width, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) + "\n"


@click.command(epilog=SAMPLE)
@click.argument("file", type=INPUT_FILE, help="The JSON file, or - for standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def score(file: str, as_json: bool) -> None:
    """Score a finished game from a JSON file.

    Every point is explained, with a reference to the rulebook. An error message shows where the problem is and
    suggests a valid value.

    \b
    Examples:
      waymark score game.json
      waymark score - --json < game.json
    """
    from scoring.document import score_sheet, sheet_data

    sheet = score_sheet(read_json(file))
    print(to_json(sheet_data(sheet)) if as_json else sheet_text(sheet))


def sheet_text(sheet) -> str:
    """Return the score sheet of a finished game as text, with the players by rank."""
    columns = sorted(sheet.columns, key=lambda column: column.rank)
    return _format_sheet(sheet, sheet.result_text, [(f"{column.rank}. {column.name}", column) for column in columns])


def _unfinished_sheet_text(sheet, prompt: str) -> str:
    """Return the score sheet of an unfinished game, without places or a winner."""
    columns = [(column.name, column) for column in sheet.columns]
    return _format_sheet(sheet, f"The game is not over yet. {prompt}", columns)


def _format_sheet(sheet, first_line: str, columns_with_headings: list[tuple[str, "Column"]]) -> str:
    """Return a sheet as text; that of a race has no points."""
    from scoring.games import GAMES

    lines, has_points = [first_line], GAMES[sheet.game].box.has_points
    for heading, column in columns_with_headings:
        lines += ["", f"{heading}: {column.total}" if has_points else heading]
        for line in column.lines:
            citations = ", ".join(dict.fromkeys(rule.citation for rule in line.rules))
            points = line.points if has_points else ""
            lines.append(f"  {points:>3}  {line.label}. {line.because} ({citations})")
        lines += [f"       {warning}" for warning in column.warnings]
    lines += [f"\nHouse rule: {ruling}" for ruling in sheet.rulings]
    return "\n".join(lines)


output_option = click.option(
    "-o", "--output", type=FILE, required=True, metavar="FILE", help="Write the PDF to this file."
)
paper_option = click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", help="Paper size.")


@click.command("print", epilog=SAMPLE)
@click.argument("file", type=INPUT_FILE, help="The JSON file, or - for standard input.")
@click.option(
    "--pages",
    type=click.Choice([1, 2]),
    default=1,
    help="Number of pages; with 2, the explanations get their own page.",
)
@click.option("--half", is_flag=True, help="Print two half-page copies without explanations.")
@output_option
@paper_option
def print_sheet(file: str, pages: int, half: bool, output: Path, paper: str) -> None:
    """Print the score sheet of a finished game to a PDF.

    The file is the same as for "waymark score". The text is as large as the page allows.

    \b
    Example:
      waymark print game.json -o sheet.pdf --paper letter
    """
    from companion.rendering import print_pages

    if half and pages == 2:
        raise click.UsageError("--half and --pages 2 cannot be combined.")
    form = print_pages.SheetLayout(pages, half)
    page = print_pages.print_page_of_file(read_json(file), form)
    _write_pdf(output, paper, print_pages.render_html("print/sheet.html", paper, page=page))


@click.command
@click.argument("game", type=GAME, help="The game.")
@output_option
@paper_option
def pad(game: str, output: Path, paper: str) -> None:
    """Print blank score pads to a PDF, two to a page.

    \b
    Example:
      waymark pad alpine-trails -o pad.pdf
    """
    from companion.rendering import print_pages
    from scoring.games import GAMES

    _write_pdf(output, paper, print_pages.render_html("print/pad.html", paper, game=GAMES[game].box))


def _write_pdf(file: Path, paper: str, html: str) -> None:
    from companion.rendering import pdf

    show_status("Making the PDF")
    pdf_bytes = pdf.render_pdf(html, paper)
    try:
        file.write_bytes(pdf_bytes)
    except OSError as error:
        raise CommandError(f"Cannot write {file}: {error.strerror}.") from None
    print(f"Saved {file}.")
    if hint := pdf.missing_font_hint(html):
        print(hint, file=sys.stderr)


@click.command
@click.argument("file", type=INPUT_FILE, help="The log or position, or - for standard input.")
@click.option("--at", type=int, metavar="N", help="Stop after entry N.  [default: the last entry]")
@click.option("--position", "as_position", is_flag=True, help="Print the position as JSON, including private entries.")
def replay(file: str, at: int | None, as_position: bool) -> None:
    """Replay a log from "waymark export" and print the score or the position.

    The command also reads a position that it printed earlier. An error message shows where the problem is.

    \b
    Examples:
      waymark replay table.json
      waymark replay table.json --at 40 --position > position.json
    """
    from companion.log import table_files
    from companion.log.apply import CorruptLogError
    from scoring.document import read_position_document
    from scoring.kernel.errors import IllegalMoveError, InvalidInputError

    data = read_json(file)
    if not isinstance(data, dict) or not data.keys() & {"log", "position"}:
        raise CommandError(f"{file} is neither a log from waymark export nor a position.")
    position = None
    try:
        if "position" in data:
            if at is not None:
                raise CommandError(f"{file} is a position, and --at works only with logs. Leave out --at.")
            tracked, state = read_position_document(data)
            if as_position and tracked.position_format:
                position = {**data, "position": tracked.position_format.to_data(state)}
        else:
            show_status("Replaying the log")
            table = table_files.replay_log(data, at)
            tracked, state = table.tracked, table.state
            if as_position:
                position = table_files.export_position(table)
    except (InvalidInputError, IllegalMoveError, CorruptLogError) as error:
        raise CommandError(f"{file}: {error}") from None
    if position:
        print(to_json(position))
        return
    sheet = tracked.box.score(tracked.final_position(state))
    if tracked.flow.to_move(state):
        print(_unfinished_sheet_text(sheet, tracked.text.prompt(state)))
    else:
        print(sheet_text(sheet))


@click.command
@click.argument("game", type=GAME, help="The game.")
@click.argument("document", type=DOCUMENT, required=False, help="One document.  [default: all]")
def schema(game: str, document: str | None) -> None:
    """Print the JSON Schemas (draft 2020-12) of a game’s documents.

    There are schemas for the setup, a move, the position, the final position and the card details ("box-facts").
    "waymark score" reads a final position, and "waymark replay" a position. Programs can check documents with a
    schema, and text editors can autocomplete field names. Without a document, the
    command prints one JSON object with all schemas.

    \b
    Examples:
      waymark schema trails > trails.json
      waymark schema parks final-position
    """
    from scoring import json_schemas

    schemas = json_schemas(game)
    if document and document not in schemas:
        raise CommandError(f"{game} has no {document}. It has {', '.join(schemas)}.")
    print(to_json(schemas[document] if document else schemas))
