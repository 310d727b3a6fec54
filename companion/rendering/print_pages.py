"""Score sheets and pads as HTML for paper: for pages, PDFs and the command line."""

import datetime
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import Flask, render_template

from companion.log.log_text import Chapter
from companion.pages.sheet import SheetPage
from companion.rendering.templating import create_template_app
from scoring.document import read_final_position
from scoring.kernel.box import Box
from scoring.kernel.rule import Rule
from scoring.kernel.sheet import Line, Sheet


class SheetLayout(NamedTuple):
    """The layout options of a sheet."""

    pages: int = 1  # 2: the lines have a page to themselves
    is_half_page: bool = False  # without the lines, twice on a page to be cut
    has_log: bool = False  # with the game log of the table, on further pages


DEFAULT_LAYOUT = SheetLayout()


@dataclass(frozen=True)
class PrintPage:
    """A score sheet on paper."""

    game: Box
    template_folder: str  # of the templates that draw the final position
    sheet: Sheet
    is_over: bool
    date: str
    code: str  # of the table; empty for a sheet from a file
    view: Any  # the final position of the table, to be drawn; None for a sheet from a file
    final: Any  # the scored position
    remarks: tuple[str, ...] = ()  # decisions of the host, and changes after the end
    layout: SheetLayout = DEFAULT_LAYOUT
    chapters: tuple[Chapter, ...] = ()  # of the game log, if requested
    bot_count: int = 0  # the number of bots, in the last columns, who do not sign
    picture_height: float = 0  # of the final position on the picture of the result, see `TrackedGame`
    piece_colors: tuple[str, ...] = ()  # the color of each player's piece; empty if the players have no pieces
    seats_without_points: frozenset[int] = frozenset()  # players of a stored result whose points are unknown

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return the lines of all players."""
        return tuple(line for column in self.sheet.columns for line in column.lines)

    @functools.cached_property
    def citations(self) -> tuple[str, ...]:
        """Return the citations that the lines begin with, each once."""
        return tuple(dict.fromkeys(line.rules[0].citation for line in self.lines))

    @functools.cached_property
    def rules_by_category(self) -> dict[str, Rule]:
        """Return the rule of each category whose lines do not need citations.

        They all have the same citation, which is printed once: beside the category, or for the whole sheet.
        """
        rules: dict[str, list[Rule]] = {}
        for line in self.lines:
            rules.setdefault(line.category, []).append(line.rules[0])
        return {
            category: cited[0]
            for category, cited in rules.items()
            if len(self.citations) == 1 or (self.game.has_points and len({rule.citation for rule in cited}) == 1)
        }

    @property
    def has_unexplained_lines(self) -> bool:
        """Return whether the sheet leaves out why some lines have their points."""
        is_short = self.layout.pages == 1 and not self.layout.is_half_page
        return is_short and any(line.needs_no_explanation for line in self.lines)

    @property
    def has_page_numbers(self) -> bool:
        """Return whether the sheet cites pages of the rulebook, and not only its sections."""
        return any(line.rules[0].has_page_number for line in self.lines)


def print_page_of_table(
    page: SheetPage, layout: SheetLayout = DEFAULT_LAYOUT, chapters: Sequence[Chapter] = ()
) -> PrintPage:
    """Return the print page of a table."""
    table = page.table
    final = table.tracked.final_position(table.view)
    return PrintPage(
        table.game, table.template_folder, page.sheet, table.is_over, page.date, table.code, table.view, final,
        page.remarks, layout, tuple(chapters), len(page.sheet.columns) - len(table.seats),
        table.tracked.picture_height(table.view), table.piece_colors,
    )  # fmt: skip


def print_page_of_file(document: object, layout: SheetLayout = DEFAULT_LAYOUT) -> PrintPage:
    """Return the print page of a final position.

    :raises BadPosition: if it cannot be scored.
    """
    game, final = read_final_position(document)
    today = datetime.date.today().isoformat()
    return PrintPage(game, game.key, game.score(final), True, today, "", None, final, layout=layout)


def render_html(template: str, paper: str, **values: object) -> str:
    """Return a print template as HTML, outside any request; `paper` is "a4" or "letter"."""
    with _template_app().app_context():
        return render_template(template, base="print/pdf_base.html", paper=paper, **values)


def render_page(template: str, **values: object) -> str:
    """Return a print template as a page that any browser can print."""
    return render_template(template, base="print/page_base.html", **values)


@functools.cache
def _template_app() -> Flask:
    return create_template_app()
