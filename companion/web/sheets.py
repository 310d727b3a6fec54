"""Score sheets: the page, the PDF, the JSON and the CSV are renderings of one Sheet; blank pads."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, make_response, render_template, request, url_for

from companion.history.result import as_text
from companion.log.log_text import story
from companion.log.table import Table
from companion.pages import pages
from companion.rendering import pdf as printing
from companion.rendering import print_pages, print_queue
from companion.web import context
from companion.web.sessions import device
from scoring.document import sheet_data
from scoring.games import GAMES

FORMS = {
    "pages": ("1", "2"),
    "form": ("whole", "half"),
    "log": ("0", "1"),
}  # of a sheet, in its address: the usual first

blueprint = Blueprint("sheets", __name__)


@blueprint.get("/t/<code>/score")
def score(code: str):
    """The score, each line explained: so far while playing, final at the end."""
    return render_template("score.html", page=_page(code))


@blueprint.get("/t/<code>/score/now")
def score_now(code: str):
    """The score's live region."""
    table = context.table(code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return render_template("_score.html", page=_page(code))


@blueprint.get("/t/<code>/score.pdf")
def score_pdf(code: str):
    """The score sheet as PDF."""
    table, phone, form = context.table(code), device(), _form()
    day = _corrected_day(table)  # looked up here: the sheet is drawn outside of the request

    def draw(size: str) -> str:  # for nobody's eyes in particular: all phones share it
        return print_pages.html("print/sheet.html", size, page=_paper(table, "", form, day))

    sits = phone == table.host or bool(table.seats_of(phone))
    asked: dict[str, Any] = {name: request.args[name] for name in FORMS if name in request.args}
    plain = url_for("sheets.score_print", code=table.code, **asked)
    ways = {"plain": plain, "back": url_for("sheets.score", code=table.code)}
    return as_pdf(f"{table.code}.pdf", (table.code, table.number, form, day), draw, ways, sits)


@blueprint.get("/t/<code>/print")
def score_print(code: str):
    """The score sheet as a plain page that any browser can print."""
    table = context.table(code)
    return render_template("print/page.html", page=_paper(table, device(), _form(), _corrected_day(table)))


def _form() -> print_pages.Form:
    """Return how much of a sheet is asked for."""
    asked = {name: request.args.get(name, usual) for name, (usual, _) in FORMS.items()}
    if any(asked[name] not in known for name, known in FORMS.items()):
        abort(404)
    return print_pages.Form(int(asked["pages"]), asked["form"] == "half", asked["log"] == "1")


def _paper(table: Table, device: str, form: print_pages.Form, corrected_day: str) -> print_pages.PrintPage:
    page = _sheet(table, device, corrected_day)
    return print_pages.of_table(page, form, story(table, ()) if form.log else ())


@blueprint.get("/t/<code>/score.json")
def score_json(code: str):
    """The score sheet as data, as `waymark score --json` prints it."""
    page = _page(code)
    return jsonify(sheet_data(page.sheet, over=page.table.over))


@blueprint.get("/t/<code>/score.csv")
def score_csv(code: str):
    """The score sheet's lines as a table."""
    out = io.StringIO()
    writer = csv.writer(out)
    page = _page(code)
    of = [page.date, page.game.title, page.table.code]
    writer.writerow(["date", "game", "table", "player", "rank", "category", "label", "points", "because", "rules"])
    for column in page.sheet.columns:
        rank = column.rank if page.table.over else ""
        for line in column.lines:
            rules = " ".join(rule.id for rule in line.rules)
            row = [*of, column.name, rank, line.category, line.label, line.points, line.because, rules]
            writer.writerow([as_text(cell) for cell in row])
    return Response(out.getvalue(), mimetype="text/csv", headers=download(f"{code.upper()}.csv"))


@blueprint.get("/pad/<key>.pdf")
def pad_pdf(key: str):
    """A blank score pad as PDF, for those who like pencils."""
    game = (GAMES.get(key) or abort(404)).box

    def draw(size: str) -> str:
        return print_pages.html("print/pad.html", size, game=game)

    ways = {"plain": url_for("sheets.pad_print", key=key), "back": url_for("lobby.home")}
    answer = as_pdf(f"{key}-pad.pdf", ("pad", key), draw, ways)
    if answer.mimetype == "application/pdf":
        answer.headers["Cache-Control"] = "public, max-age=86400"  # it is the same for everybody
    return answer


@blueprint.get("/pad/<key>")
def pad_print(key: str):
    """A blank score pad as a plain page that any browser can print."""
    return render_template("print/pad_page.html", game=(GAMES.get(key) or abort(404)).box)


def _page(code: str) -> pages.SheetPage:
    table = context.table(code)
    return _sheet(table, device(), _corrected_day(table))


def _sheet(table: Table, device: str, corrected_day: str) -> pages.SheetPage:
    page = pages.sheet_page(table, device, printing.can_print())
    return replace(page, date=corrected_day) if corrected_day else page


def _corrected_day(table: Table) -> str:
    """Return the corrected day of a game, or an empty text if the clock was right."""
    result = context.referee().history.of_table(table.code)
    return result.date if result and result.day_corrected else ""


def as_pdf(name: str, key: tuple, draw: Callable[[str], str], ways: dict, player: bool = False) -> Response:
    """Answer with a sheet on the paper that is asked for."""
    size = request.args.get("paper", "a4")
    if size not in printing.PAPERS:
        abort(404)
    return as_made(name, "application/pdf", key, size, lambda: draw(size), ways, player)


def as_made(
    name: str, kind: str, key: tuple, size: str, draw: Callable[[], str], ways: dict, player: bool = False
) -> Response:
    """Answer with a sheet or a picture if it is made at once or by now, else with a page that asks again until it is.

    A program, which names no web page among what it takes, is let wait instead.
    """
    if not printing.can_print():
        return _instead(501, "No PDF here", printing.NOT_HERE, ways)
    presses: print_queue.Press = current_app.extensions["press"]
    if request.method == "HEAD" and not presses.known((*key, size)):
        return Response(status=202)  # to look ahead prints nothing
    program = "text/html" not in request.headers.get("Accept", "")
    job = presses.ask((*key, size), size, draw, request.remote_addr or "", player)
    presses.watch(job, program)
    if job.pdf:
        return Response(job.pdf, mimetype=kind, headers=download(name, "inline"))
    if job.fault and job.fault != print_queue.FULL:
        return _instead(503, "No PDF this time", job.fault, ways)
    before = presses.before(job)
    wait = {"Retry-After" if program else "Refresh": str(min(1 + before // 5, 5))}
    if job.fault:
        return _instead(
            503, "Your sheet waits to be made", f"{job.fault} This page asks again by itself.", ways, **wait
        )
    return _instead(503 if program else 202, "Your sheet is being made", _progress(before), ways, **wait)


def _progress(before: int) -> str:
    now = {0: "It is on the press now.", 1: "One sheet comes before it."}.get(
        before, f"{before} sheets come before it."
    )
    return f"{now} It opens here or is saved on your phone as soon as it is made."


def _instead(status: int, title: str, text: str, ways: dict, **headers: str) -> Response:
    """Answer with a page that leads to the plain one."""
    return make_response(render_template("no_sheet.html", page=pages.NoSheetPage(title, text, **ways)), status, headers)


def download(name: str, how: str = "attachment") -> dict[str, str]:
    return {"Content-Disposition": f'{how}; filename="{name}"'}
