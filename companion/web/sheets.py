"""Score sheets: the page, the PDF, the JSON and the CSV are renderings of one Sheet; blank pads."""

import csv
import io

from flask import Blueprint, Response, abort, jsonify, render_template, request

from companion import pages as build
from companion import paper, printing
from companion.seats import device
from companion.web import at
from scoring.document import sheet_data
from scoring.games import GAMES

pages = Blueprint("sheets", __name__)


@pages.get("/t/<code>/score")
def score(code: str):
    """The score, each line explained: so far while playing, final at the end."""
    return render_template("score.html", page=_page(code))


@pages.get("/t/<code>/score/now")
def score_now(code: str):
    """The score's live region."""
    table = at.table(code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return render_template("_score.html", page=_page(code))


@pages.get("/t/<code>/score.pdf")
def score_pdf(code: str):
    """The score sheet as PDF."""
    return _pdf(f"{code.upper()}.pdf", "print/sheet.html", page=paper.of_table(_page(code)))


@pages.get("/t/<code>/print")
def score_print(code: str):
    """The score sheet as a plain page that any browser can print."""
    return render_template("print/page.html", page=paper.of_table(_page(code)))


@pages.get("/t/<code>/score.json")
def score_json(code: str):
    """The score sheet as data, as `waymark score --json` prints it."""
    return jsonify(sheet_data(_page(code).sheet))


@pages.get("/t/<code>/score.csv")
def score_csv(code: str):
    """The score sheet's lines as a table."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["player", "rank", "category", "label", "points", "because", "rules"])
    for column in _page(code).sheet.columns:
        for line in column.lines:
            rules = " ".join(rule.id for rule in line.rules)
            row = [column.name, column.rank, line.category, line.label, line.points, line.because, rules]
            writer.writerow([_as_text(cell) for cell in row])
    return Response(out.getvalue(), mimetype="text/csv", headers=_download(f"{code.upper()}.csv"))


@pages.get("/pad/<key>.pdf")
def pad_pdf(key: str):
    """A blank score pad as PDF, for those who like pencils."""
    return _pdf(f"{key}-pad.pdf", "print/pad.html", game=GAMES.get(key) or abort(404))


def _page(code: str) -> build.SheetPage:
    return build.sheet_page(at.table(code), device(), printing.can_print())


def _pdf(name: str, template: str, **values) -> Response:
    size = request.args.get("paper", "a4")
    if size not in printing.PAPERS:
        abort(404)
    made = printing.pdf(paper.html(template, size, **values), size)
    return Response(made, mimetype="application/pdf", headers=_download(name, "inline"))


def _download(name: str, how: str = "attachment") -> dict[str, str]:
    return {"Content-Disposition": f'{how}; filename="{name}"'}


def _as_text(cell: object) -> object:
    """Keep a spreadsheet from reading a name as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
