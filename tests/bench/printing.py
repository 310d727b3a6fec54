"""Benchmark printing a finished game: sheet, HTML and PDF."""

import gc
from collections.abc import Iterator

from companion.log.apply import load_entry
from companion.log.entries import Entry, Opened, Played
from companion.log.table import Table, to_data
from companion.pages.sheet import sheet_page
from companion.rendering import pdf, print_pages
from tests.bench.games import TRAILS, default_setup, random_game_moves
from tests.bench.report import Options, Row, make_row, time_call

WARM_TARGET = 300  # Milliseconds, warm.


def run(options: Options) -> Iterator[Row]:
    """Print the same finished four-player game repeatedly; the first run is the cold one."""
    table = finished_table()
    repeats = 3 if options.quick else 10
    state = table.state
    yield make_row(
        "score of four players",
        "ms",
        (time_call(lambda: TRAILS.box.score(TRAILS.final_position(state))) for _ in range(100)),
    )
    page = print_pages.print_page_of_table(sheet_page(table, "", can_print=True))

    def html() -> str:
        return print_pages.render_html("print/sheet.html", "a4", page=page)

    first = time_call(html)
    yield make_row("sheet as HTML", "ms", [time_call(html) for _ in range(repeats)], note=f"first time {first:.0f} ms")
    try:
        cold = time_call(lambda: pdf.render_pdf(html(), "a4"))
    except pdf.PdfUnavailableError as fault:
        yield Row("sheet as PDF", "ms", 0, 0, 0, 0, note=str(fault))
        return
    gc.freeze()  # As the print queue does.
    yield make_row("sheet as PDF, cold", "ms", [cold], note="loads WeasyPrint, fonts and styles")
    text = html()
    size = f"{len(pdf.render_pdf(text, 'a4')):,} bytes, HTML {len(text):,}"
    warm = [time_call(lambda: pdf.render_pdf(text, "a4")) for _ in range(repeats)]
    yield make_row("sheet as PDF, warm", "ms", warm, target=WARM_TARGET, note=size)
    yield make_row(
        "sheet as HTML and PDF, warm", "ms", [time_call(lambda: pdf.render_pdf(html(), "a4")) for _ in range(repeats)]
    )


def finished_table() -> Table:
    """Return a four-player table at the end of a random game."""
    opened = Opened("trails", TRAILS.box.version, to_data(default_setup(4)))
    table = load_entry(None, "BENCH", Entry(1, "2025-01-01T12:00:00.000+00:00", "host", None, opened))
    for number, (seat, move) in enumerate(random_game_moves(4, seed=2), 2):
        table = load_entry(table, "BENCH", Entry(number, table.updated_at, "phone", seat, Played(to_data(move))))
    return table
