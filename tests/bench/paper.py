"""From a finished game to the sheet, the HTML and the PDF of it."""

import gc
from collections.abc import Iterator

from companion.log.apply import fold
from companion.log.entries import Entry, Opened, Played
from companion.log.table import Table, plain_move
from companion.pages.pages import sheet_page
from companion.rendering import pdf as printing
from companion.rendering import print_pages
from tests.bench.games import TRAILS, recorded, setup
from tests.bench.report import Options, Row, row, timed

TARGET = 300  # ms, warm


def run(options: Options) -> Iterator[Row]:
    """Print the same finished game of four players again and again; the first time is the cold one."""
    table = finished()
    repeats = 3 if options.quick else 10
    state = table.state
    yield row(
        "score sheet of four players", "ms", (timed(lambda: TRAILS.box.score(TRAILS.final(state))) for _ in range(100))
    )
    page = print_pages.of_table(sheet_page(table, "", can_print=True))

    def html() -> str:
        return print_pages.html("print/sheet.html", "a4", page=page)

    first = timed(html)
    yield row("HTML of it", "ms", [timed(html) for _ in range(repeats)], note=f"{first:.0f} ms the first time")
    try:
        cold = timed(lambda: printing.pdf(html(), "a4"))
    except printing.CannotPrint as fault:
        yield Row("PDF", "ms", 0, 0, 0, 0, note=str(fault))
        return
    gc.freeze()  # as the press does
    yield row("PDF of it, cold", "ms", [cold], note="loads WeasyPrint, fonts and styles")
    text = html()
    size = f"{len(printing.pdf(text, 'a4')):,} bytes, HTML {len(text):,}"
    warm = [timed(lambda: printing.pdf(text, "a4")) for _ in range(repeats)]
    yield row("PDF of it, warm", "ms", warm, target=TARGET, note=size)
    yield row("both, warm", "ms", [timed(lambda: printing.pdf(html(), "a4")) for _ in range(repeats)])


def finished() -> Table:
    """Return a table of four at the end of a random game."""
    what = Opened("trails", TRAILS.box.version, plain_move(setup(4)))
    table = fold(None, "BENCH", Entry(1, "2025-01-01T12:00:00.000+00:00", "host", None, what))
    for number, (seat, move) in enumerate(recorded(4, seed=2), 2):
        table = fold(table, "BENCH", Entry(number, table.at, "phone", seat, Played(plain_move(move))))
    return table
