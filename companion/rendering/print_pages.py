"""Score sheets and pads as HTML for paper: the same for a table's page, its PDF and the command line."""

import datetime
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import Flask, render_template

from companion.log.log_text import Chapter
from companion.pages.pages import SheetPage, TablePage
from companion.rendering.templating import bare_app
from scoring.document import read_position
from scoring.kernel.box import Box
from scoring.kernel.sheet import Sheet


class Form(NamedTuple):
    """How much of a sheet somebody wants."""

    pages: int = 1  # or 2: the lines have one of their own
    half: bool = False  # without the lines, twice on a page that is cut
    log: bool = False  # with the story of the table, on further pages


WHOLE = Form()


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
    form: Form = WHOLE
    story: tuple[Chapter, ...] = ()  # of the table, where it is asked for
    bots: int = 0  # so many of the last columns, who sign nothing


def of_table(page: SheetPage, form: Form = WHOLE, story: Sequence[Chapter] = ()) -> PrintPage:
    """Return the paper of a table."""
    table = page.table
    final = table.play.final(table.view)
    return PrintPage(
        table.game, table.play.key, page.sheet, table.over, page.date, table.code, _version(table), table.view, final,
        page.remarks, form, tuple(story), len(page.sheet.columns) - len(table.seats),
    )  # fmt: skip


def _version(table: TablePage) -> str:
    """Return the version of the rules core that counts, and the one the table was opened with if that was another."""
    now = table.game.version
    return now if table.rules_version == now else f"{now} (opened with {table.rules_version})"


def of_file(document: Any, form: Form = WHOLE) -> PrintPage:
    """Return the paper of a final position.

    :raises BadPosition: when it cannot be scored.
    """
    game, final = read_position(document)
    today = datetime.date.today().isoformat()
    return PrintPage(game, game.key, game.score(final), True, today, "", game.version, None, final, form=form)


def html(template: str, paper: str, **values: Any) -> str:
    """Return a print template as HTML, outside any request; `paper` is "a4" or "letter"."""
    with _printer().app_context():
        return render_template(template, paper=paper, **values)


@functools.cache
def _printer() -> Flask:
    return bare_app()
