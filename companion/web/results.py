"""One result at an address that can be sent on: how it came out, its pictures, the photos of the table."""

import functools
import threading
from dataclasses import replace

import msgspec
from flask import Blueprint, Response, abort, jsonify, render_template, request, url_for
from msgspec import to_builtins

from companion.history import charts, photos
from companion.history.result import Result, bg_stats, folded, said, sheet_of
from companion.log.apply import Broken
from companion.log.table import Table
from companion.pages import pages
from companion.rendering import picture, print_pages, print_queue, qr
from companion.rendering.print_pages import PrintPage
from companion.service import import_export
from companion.storage.history import History, Refused
from companion.storage.store import NoSuchTable
from companion.web import context
from companion.web.forms import NoteForm
from companion.web.sessions import device
from companion.web.sheets import as_made, download

blueprint = Blueprint("results", __name__)
OF_A_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"  # opened alone, it brings its own fonts
ONE_AT_A_TIME = threading.Lock()  # a photo takes much memory while it is scaled down


def _history() -> History:
    return context.referee().history


@blueprint.get("/t/<code>/result")
def of_table(code: str):
    """The result of a table; of one that is not over, its score so far."""
    found = _history().of_table(context.table(code).code)
    return context.go("results.result", id=found.id) if found else context.go("sheets.score", code=code)


@blueprint.get("/r/<id>")
def result(id: str):
    """How a game came out: points, charts, photos, a picture to send on."""
    return _shown(context.result(id))


def _shown(result: Result, refused: str = "", status: int = 200, form: NoteForm | None = None):
    kept, phone, known = _history(), device(), _history().known_as()
    sees, owns = kept.sees(phone, result.id), context.referee().boxes.owners.has(phone)
    table = _table(result)
    address = context.whole_address("results.result", id=result.id)
    there = tuple(kept.photos(result.id))
    page = pages.ResultPage(
        result=result,
        verdict=said(result),
        sheet=table.sheet if table and table.sheet else sheet_of(result),
        address=address,
        qr=qr.svg(address),
        table=result.code if sees and table else "",
        course=_course(table) if table else None,
        photos=there,
        mine=frozenset(photo.id for photo in there if owns or photo.device == phone),
        adds=sees,
        changes=kept.may_change(phone, result.id),
        form=form or NoteForm(None, data={"where": result.where, "note": result.note}),
        players={
            part.name: known[folded(part.name)]
            for part in result.players
            if sees and not part.bot and folded(part.name) in known
        },
        bg_stats=bg_stats(result, kept.bgg().get(result.game, 0)),
        refused=refused,
    )
    return render_template("history/result.html", page=page), status


def _table(result: Result) -> Table | None:
    """Return the table of a result, if it is here still and over."""
    try:
        table = context.referee().store.table(result.code) if result.code else None
    except (NoSuchTable, Broken):
        return None
    return table if table and table.over else None


def _course(table: Table) -> charts.Course | None:
    """Return the points over the course of a game, with its players called as they are now."""
    course = _worked_out(table.code, table.number)
    return course and course._replace(names=table.names)


@functools.lru_cache(maxsize=64)
def _worked_out(code: str, number: int) -> charts.Course | None:
    """Return the course of a game; `number` is that of its table's last entry."""
    return charts.course_of(context.referee().store.table(code))


def _paper(result: Result) -> PrintPage:
    """Return what is drawn of a result: the sheet of its table, or what is remembered."""
    if table := _table(result):
        return replace(print_pages.of_table(pages.sheet_page(table, "", True)), date=result.date)
    box = result.box
    return PrintPage(box, box.key, sheet_of(result), True, result.date, "", box.version, None, None)


@blueprint.get("/r/<id>/picture.svg")
def picture_svg(id: str):
    """The result as a picture, to be sent on."""
    return Response(
        picture.svg(_paper(context.result(id))),
        mimetype="image/svg+xml",
        headers={"Content-Security-Policy": OF_A_PICTURE},
    )


@blueprint.get("/r/<id>/picture.png")
def picture_png(id: str):
    """The same as a PNG, which every chat shows."""
    found = context.result(id)
    drawn = _paper(found)
    ways = {"plain": url_for("results.picture_svg", id=found.id), "back": url_for("results.result", id=found.id)}
    table = _table(found)
    key = ("picture", found.id, (table.number, found.ended) if table else msgspec.json.encode(found))
    return as_made(
        f"{found.id}.png", "image/png", key, print_queue.PICTURE, lambda: picture.svg(drawn, alone=False), ways
    )


@blueprint.get("/r/<id>/qr.svg")
def code_picture(id: str):
    """The address as a code to scan."""
    address = context.whole_address("results.result", id=context.result(id).id)
    return qr.svg(address), {"Content-Type": "image/svg+xml"}


@blueprint.get("/r/<id>.json")
def as_json(id: str):
    """The play as a file, with its table's log, to be taken in elsewhere."""
    found = context.result(id)
    if not _history().sees(device(), found.id):
        abort(403, "Only phones that were at the table can take its log with them.")
    log = import_export.log_data(found.code, context.referee().store.log(found.code)) if _table(found) else None
    answer = jsonify({"waymark": import_export.FORMAT, "result": to_builtins(found), "table": log})
    answer.headers.update(download(f"{found.id}.json"))
    return answer


@blueprint.post("/r/<id>/hide")
def hide(id: str):
    """Leave a result out of the history, or put it in again."""
    found = context.result(id)
    if not _history().may_change(device(), found.id):
        abort(403, "Only the owner\u2019s phone, or the one that typed it in, can do that.")
    _history().change(found.id, hidden=request.form.get("hidden") == "1")
    return context.go("results.result", id=found.id)


@blueprint.post("/r/<id>/about")
def about(id: str):
    """Say where a game was played, and what there is to say of it."""
    found, form = context.result(id), NoteForm()
    if not _history().sees(device(), found.id):
        abort(403, "Only phones that were at the table can write down where it was.")
    if not form.validate():
        return _shown(found, status=422, form=form)
    _history().change(found.id, where=form.where.data or "", note=form.note.data or "")
    return context.go("results.result", id=found.id)


# Photos of the real table


@blueprint.post("/r/<id>/photos")
def add_photo(id: str):
    """Put a photo to a result: scaled down, without where and when it was taken."""
    found, content = context.result(id), context.file_sent("photo", photos.MOST_BYTES)
    if not _history().sees(device(), found.id):
        abort(403, "Only phones that were at the table can put photos to it.")
    context.limited("photos")
    try:
        with ONE_AT_A_TIME:
            photo = photos.scaled(content)
        _history().add_photo(found.id, device(), photo.data, photo.small)
    except (photos.NoPhoto, Refused) as fault:
        return _shown(found, str(fault), 422)
    return context.go("results.result", id=found.id)


@blueprint.post("/r/<id>/photos/remove")
def remove_photo(id: str):
    """Delete a photo: the phone that brought it, or the owner's."""
    found, wanted = context.result(id), request.form.get("photo", "")
    there = next((photo for photo in _history().photos(found.id) if photo.id == wanted), None)
    if there and (there.device == device() or context.referee().boxes.owners.has(device())):
        _history().remove_photo(found.id, wanted)
    return context.go("results.result", id=found.id)


@blueprint.get("/r/<id>/photo/<photo>.jpg")
def photo(id: str, photo: str):
    """A photo, whole or small."""
    data = _history().photo(context.result(id).id, photo, "small" in request.args)
    if data is None:
        abort(404)
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})


@blueprint.get("/r/<id>/<any(hide, about, photos):form>")
def sent(id: str, form: str):
    """Where a form was answered, opened again: the page it came from."""
    return context.go("results.result", id=id)


@blueprint.get("/r/<id>/photos/remove")
def removed(id: str):
    """The same of a photo that was removed."""
    return context.go("results.result", id=id)
