"""Score sheets and pads as HTML for paper: the same for a table's page, its PDF and the command line."""

import datetime
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import Flask, render_template

from companion.log.log_text import Chapter
from companion.pages.pages import SheetPage, TablePage
from companion.rendering.templating import create_template_app
from scoring.document import read_final_position
from scoring.kernel.box import Box
from scoring.kernel.sheet import Sheet


class SheetLayout(NamedTuple):
    """How much of a sheet somebody wants."""

    pages: int = 1  # or 2: the lines have one of their own
    is_half_page: bool = False  # without the lines, twice on a page that is cut
    has_log: bool = False  # with the story of the table, on further pages


DEFAULT_LAYOUT = SheetLayout()


@dataclass(frozen=True)
class PrintPage:
    """A score sheet on paper."""

    game: Box
    template_folder: str  # of the templates that draw what lies on the table
    sheet: Sheet
    is_over: bool
    date: str
    code: str  # the table's, or nothing for a sheet from a file
    version: str  # of the rules core it was counted with
    view: Any  # the table at its end, to be drawn; None for a sheet from a file
    final: Any  # what was scored
    remarks: tuple[str, ...] = ()  # what the host decided, what was changed after the end
    layout: SheetLayout = DEFAULT_LAYOUT
    chapters: tuple[Chapter, ...] = ()  # of the table, where it is asked for
    bot_count: int = 0  # so many of the last columns, who sign nothing


def print_page_of_table(
    page: SheetPage, layout: SheetLayout = DEFAULT_LAYOUT, chapters: Sequence[Chapter] = ()
) -> PrintPage:
    """Return the paper of a table."""
    table = page.table
    final = table.tracked.final_position(table.view)
    return PrintPage(
        table.game, table.tracked.key, page.sheet, table.is_over, page.date, table.code, _version_text(table), table.view, final,
        page.remarks, layout, tuple(chapters), len(page.sheet.columns) - len(table.seats),
    )  # fmt: skip


def _version_text(table: TablePage) -> str:
    """Return the version of the rules core that counts, and the one the table was opened with if that was another."""
    now = table.game.version
    return now if table.rules_version == now else f"{now} (opened with {table.rules_version})"


def print_page_of_file(document: Any, layout: SheetLayout = DEFAULT_LAYOUT) -> PrintPage:
    """Return the paper of a final position.

    :raises BadPosition: when it cannot be scored.
    """
    game, final = read_final_position(document)
    today = datetime.date.today().isoformat()
    return PrintPage(game, game.key, game.score(final), True, today, "", game.version, None, final, layout=layout)


def render_html(template: str, paper: str, **values: Any) -> str:
    """Return a print template as HTML, outside any request; `paper` is "a4" or "letter"."""
    with _template_app().app_context():
        return render_template(template, paper=paper, **values)


@functools.cache
def _template_app() -> Flask:
    return create_template_app()
