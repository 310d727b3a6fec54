"""Score sheets and pads as HTML for paper: the same for a table's page, its PDF and the command line."""

import datetime
import functools
from dataclasses import dataclass
from typing import Any

from flask import Flask, render_template

from companion.pages import SheetPage, TablePage
from companion.templating import bare_app
from scoring.document import read_position
from scoring.kernel.box import Box
from scoring.kernel.sheet import Sheet


@dataclass(frozen=True)
class PrintPage:
    """A score sheet on paper."""

    game: Box
    folder: str  # of the templates that draw what lies on the table
    sheet: Sheet
    over: bool
    date: str
    code: str  # the table's, or nothing for a sheet from a file
    version: str  # of the rules core it was counted with
    view: Any  # the table at its end, to be drawn; None for a sheet from a file
    final: Any  # what was scored
    remarks: tuple[str, ...] = ()  # what the host decided, what was changed after the end


def of_table(page: SheetPage) -> PrintPage:
    """Return the paper of a table."""
    table = page.table
    final = table.play.final(table.view)
    return PrintPage(
        table.game, table.play.key, page.sheet, table.over, page.date, table.code, _version(table), table.view, final,
        page.remarks,
    )  # fmt: skip


def _version(table: TablePage) -> str:
    """Return the version of the rules core that counts, and the one the table was opened with if that was another."""
    now = table.game.version
    return now if table.rules_version == now else f"{now} (opened with {table.rules_version})"


def of_file(document: Any) -> PrintPage:
    """Return the paper of a final position.

    :raises BadPosition: when it cannot be scored.
    """
    game, final = read_position(document)
    return PrintPage(game, game.key, game.score(final), True, datetime.date.today().isoformat(), "", game.version, None, final)


def html(template: str, paper: str, **values: Any) -> str:
    """Return a print template as HTML, outside any request; `paper` is "a4" or "letter"."""
    with _printer().app_context():
        return render_template(template, paper=paper, **values)


@functools.cache
def _printer() -> Flask:
    return bare_app()
