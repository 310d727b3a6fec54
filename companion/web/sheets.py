"""Score sheets: page, PDF, JSON and CSV, all made from one Sheet; blank score pads."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, make_response, render_template, request, url_for

from companion.exchange.spreadsheet import to_csv
from companion.log.log_text import game_log
from companion.log.table import Table
from companion.pages import home as home_pages
from companion.pages import sheet as sheet_pages
from companion.rendering import pdf, print_pages, print_queue
from companion.web import context
from companion.web.sessions import device
from scoring.document import sheet_data
from scoring.games import GAMES
from scoring.kernel.english import pluralize

# Values in the address of a sheet, the default first.
LAYOUT_OPTIONS = {"pages": ("1", "2"), "form": ("whole", "half"), "log": ("0", "1")}

blueprint = Blueprint("sheets", __name__)


@blueprint.get("/t/<code>/score")
def score(code: str):
    """Show the score with each line explained: so far while playing, final at the end."""
    return render_template("score.html", page=_requested_sheet_page(code))


@blueprint.get("/t/<code>/score/now")
def score_region(code: str):
    """Return the score's live region; 204 if the phone has the current version."""
    if context.is_current(context.table(code)):
        return Response(status=204)
    return render_template("_score.html", page=_requested_sheet_page(code))


@blueprint.get("/t/<code>/score.pdf")
def score_pdf(code: str):
    """Return the score sheet as PDF."""
    table, form = context.table(code), _requested_layout()
    day = _corrected_day(table)  # looked up here, because the sheet is rendered outside of the request

    def render_html(size: str) -> str:  # as everyone may see it, because all phones share the sheet
        return print_pages.render_html("print/sheet.html", size, page=_build_print_page(table, "", form, day))

    layout: dict[str, Any] = {name: request.args[name] for name in LAYOUT_OPTIONS if name in request.args}
    plain_url = url_for("sheets.score_print", code=table.code, **layout)
    links = {"plain_url": plain_url, "back_url": url_for("sheets.score", code=table.code)}
    return pdf_response(f"{table.code}.pdf", (table.code, table.version, form, day), render_html, links, table)


@blueprint.get("/t/<code>/print")
def score_print(code: str):
    """Show the score sheet as a plain page that any browser can print."""
    table = context.table(code)
    page = _build_print_page(table, device(), _requested_layout(), _corrected_day(table))
    return print_pages.render_page("print/sheet.html", page=page)


def _requested_layout() -> print_pages.SheetLayout:
    """Return the layout of a sheet that the request asks for."""
    requested = {name: request.args.get(name, default) for name, (default, _) in LAYOUT_OPTIONS.items()}
    if any(requested[name] not in allowed for name, allowed in LAYOUT_OPTIONS.items()):
        abort(404)
    return print_pages.SheetLayout(int(requested["pages"]), requested["form"] == "half", requested["log"] == "1")


def _build_print_page(
    table: Table, device: str, layout: print_pages.SheetLayout, corrected_day: str
) -> print_pages.PrintPage:
    page = _build_sheet_page(table, device, corrected_day)
    return print_pages.print_page_of_table(page, layout, game_log(table, ()) if layout.has_log else ())


@blueprint.get("/t/<code>/score.json")
def score_json(code: str):
    """Return the score sheet as data, as `waymark score --json` prints it."""
    page = _requested_sheet_page(code)
    return jsonify(sheet_data(page.sheet, is_over=page.table.is_over))


@blueprint.get("/t/<code>/score.csv")
def score_csv(code: str):
    """Return the lines of the score sheet as CSV."""
    page = _requested_sheet_page(code)
    prefix = [page.date, page.game.title, page.table.code]
    rows: list[list] = [["date", "game", "table", "player", "rank", "category", "label", "points", "because", "rules"]]
    for column in page.sheet.columns:
        rank = column.rank if page.table.is_over else ""
        for line in column.lines:
            rules = " ".join(rule.id for rule in line.rules)
            points = line.points if page.game.has_points else ""
            rows.append([*prefix, column.name, rank, line.category, line.label, points, line.because, rules])
    return csv_response(f"{code.upper()}.csv", rows)


@blueprint.get("/pad/<key>.pdf")
def pad_pdf(key: str):
    """Return a blank score pad as PDF."""
    game = (GAMES.get(key) or abort(404)).box
    render_html = functools.partial(print_pages.render_html, "print/pad.html", game=game)
    links = {"plain_url": url_for("sheets.pad_print", key=key), "back_url": url_for("lobby.home")}
    answer = pdf_response(f"{key}-pad.pdf", ("pad", key), render_html, links)
    if answer.mimetype == "application/pdf":
        answer.headers["Cache-Control"] = "public, max-age=86400"  # the same for everyone
    return answer


@blueprint.get("/pad/<key>")
def pad_print(key: str):
    """Show a blank score pad as a plain page that any browser can print."""
    return print_pages.render_page("print/pad.html", game=(GAMES.get(key) or abort(404)).box)


def _requested_sheet_page(code: str) -> sheet_pages.SheetPage:
    table = context.table(code)
    return _build_sheet_page(table, device(), _corrected_day(table))


def _build_sheet_page(table: Table, device: str, corrected_day: str) -> sheet_pages.SheetPage:
    page = sheet_pages.sheet_page(table, device, pdf.can_print())
    return replace(page, date=corrected_day) if corrected_day else page


def _corrected_day(table: Table) -> str:
    """Return the corrected day of a game, or an empty text if the clock was right."""
    result = context.referee().results.of_table(table.code)
    return result.date if result and result.day_corrected else ""


def pdf_response(
    filename: str, key: tuple, render_html: Callable[[str], str], links: dict, table: Table | None = None
) -> Response:
    """Respond with a sheet in the requested paper size; its players come before others."""
    is_player = table is not None and (device() == table.host or bool(table.seats_of(device())))
    size = request.args.get("paper", "a4")
    if size not in pdf.PAPER_SIZES:
        abort(404)
    return print_response(filename, "application/pdf", key, size, lambda: render_html(size), links, is_player)


def print_response(
    filename: str,
    mimetype: str,
    key: tuple,
    paper: str,
    render_html: Callable[[], str],
    links: dict,
    is_player: bool = False,
) -> Response:
    """Respond with a sheet or picture if it is ready, else with a page that polls until it is.

    A program (a client that does not accept HTML) waits for the file instead.
    """
    if not pdf.can_print():
        return _alternative_page(501, "PDFs are not available", pdf.PDF_UNAVAILABLE, links)
    queue: print_queue.PrintQueue = current_app.extensions["press"]
    if request.method == "HEAD" and not queue.find_job((*key, paper)):
        return Response(status=202)  # a prefetch starts no printing
    is_program = "text/html" not in request.headers.get("Accept", "")
    job = queue.submit((*key, paper), paper, render_html, request.remote_addr or "", is_player)
    queue.wait_for(job, is_program)
    if job.pdf:
        return Response(job.pdf, mimetype=mimetype, headers=download_headers(filename, "inline"))
    if job.error and job.error != print_queue.QUEUE_FULL:
        return _alternative_page(503, "That didn\u2019t work", job.error, links)
    ahead = queue.jobs_ahead(job)
    wait = {"Retry-After" if is_program else "Refresh": str(min(1 + ahead // 5, 5))}
    if job.error:
        return _alternative_page(
            503, "Your file has to wait", f"{job.error} This page tries again automatically.", links, **wait
        )
    return _alternative_page(503 if is_program else 202, "Making your file", _progress_text(ahead), links, **wait)


def _progress_text(jobs_ahead: int) -> str:
    position_text = f"{pluralize(jobs_ahead, 'file')} ahead of yours. " if jobs_ahead else ""
    return f"{position_text}It opens here or downloads when it is ready."


def _alternative_page(status: int, title: str, text: str, links: dict, **headers: str) -> Response:
    """Respond with a page that links to the plain page for printing."""
    return make_response(
        render_template("no_pdf.html", page=home_pages.NoPdfPage(title, text, **links)), status, headers
    )


def csv_response(filename: str, rows: Iterable[Iterable], delimiter: str = ",") -> Response:
    """Respond with a CSV file for spreadsheet programs; no cell of it is a formula."""
    return Response(to_csv(rows, delimiter), mimetype="text/csv", headers=download_headers(filename))


def download_headers(filename: str, disposition: str = "attachment") -> dict[str, str]:
    return {"Content-Disposition": f'{disposition}; filename="{filename}"'}
