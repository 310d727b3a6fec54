"""Import of plays from other programs: columns, preview, import and undo."""

import msgspec
from flask import Blueprint, abort, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from companion.exchange import spreadsheet
from companion.exchange.files import SOURCES
from companion.exchange.plays import PlayFile
from companion.exchange.spreadsheet import Columns, Table
from companion.pages import imports as import_pages
from companion.service import play_import
from companion.service.play_import import ImportPlan
from companion.storage.bgg_ids import bgg_ids
from companion.storage.imports import Imports, Upload
from companion.web import context
from companion.web.sessions import device
from scoring.games import GAMES
from scoring.kernel.english import end_sentence, pluralize
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import MAX_NAME_LENGTH, name_error

blueprint = Blueprint("imports", __name__)
MAX_STRANGER_PLAYS = 100  # new plays of one file, unless it is imported by the owner
EXPIRED = "This file is no longer here. Choose it again."


def _imports() -> Imports:
    return context.referee().imports


def _upload(id: str) -> Upload:
    """Return the file of a page; stops with status 410 if it was imported, replaced or deleted."""
    upload = _imports().upload(id, device())
    if upload is None:
        abort(410, EXPIRED)
    return upload


def show_upload(upload: Upload):
    """Store an uploaded file, and go to its preview, or first to its columns.

    :raises InvalidInputError: when the file is no table.
    """
    if upload.csv:
        upload = replace(upload, columns=spreadsheet.guess_columns(spreadsheet.read_table(upload.csv)))
    id = _imports().add(device(), upload)
    try:
        _plays(upload)
    except InvalidInputError:
        return context.redirect_to("imports.columns", id=id)
    return context.redirect_to("imports.preview", id=id)


def _plays(upload: Upload) -> PlayFile:
    """Return the plays of a file.

    :raises InvalidInputError: when the columns of a table have no dates, names or games.
    """
    if upload.plays:
        return upload.plays
    return spreadsheet.read_plays(_table(upload), upload.columns, bgg_ids(context.referee().store))


def _table(upload: Upload) -> Table:
    columns = upload.columns
    return spreadsheet.read_table(upload.csv, columns.encoding, columns.delimiter, has_headings=columns.has_headings)


# Columns


@blueprint.get("/history/import/<id>/columns")
def columns(id: str):
    """Show the form that assigns the columns of a table."""
    return _render_columns(id, _upload(id))


def _render_columns(id: str, upload: Upload, refusal: str = "", status: int = 200):
    if not upload.csv:
        abort(404)
    table = _table(upload)
    return render_template(
        "history/import_columns.html",
        page=import_pages.ColumnsPage(
            id=id,
            file_name=upload.file_name,
            table=table,
            columns=upload.columns,
            games=tuple(game.box for game in GAMES.values()),
            refusal=refusal,
        ),
    ), status


@blueprint.post("/history/import/<id>/columns")
def set_columns(id: str):
    """Store the roles of the columns, and go to the preview."""
    upload, form = _upload(id), request.form
    table = _table(upload)
    try:
        chosen: Columns = msgspec.convert(
            {
                "roles": [form.get(f"column-{index}", "") for index in range(len(table.headings))],
                "game": form.get("game", ""),
                "month_first": form.get("order") == "month",
                "has_headings": "headings" in form,
                "encoding": form.get("encoding", ""),
                "delimiter": form.get("delimiter", ""),
            },
            Columns,
        )
    except msgspec.ValidationError:
        raise InvalidInputError("columns: unknown option") from None
    has_known_text = chosen.encoding in spreadsheet.ENCODINGS and chosen.delimiter in spreadsheet.DELIMITERS
    if not has_known_text or (chosen.game and chosen.game not in GAMES):
        raise InvalidInputError("columns: unknown option")
    upload = replace(upload, columns=chosen)
    _imports().change(id, upload)
    try:
        _plays(upload)
    except InvalidInputError as error:
        return _render_columns(id, upload, end_sentence(f"{str(error)[:1].upper()}{str(error)[1:]}"), 422)
    return context.redirect_to("imports.preview", id=id)


# Preview


@blueprint.get("/history/import/<id>")
def preview(id: str):
    """Show what a file would add."""
    return _render_preview(id, _upload(id))


def _render_preview(id: str, upload: Upload, refusal: str = "", status: int = 200):
    try:
        plays = _plays(upload)
    except InvalidInputError:
        return context.redirect_to("imports.columns", id=id)
    plan = _plan(upload, plays)
    return render_template(
        "history/import.html",
        page=import_pages.ImportPage(
            id=id,
            file_name=upload.file_name,
            source=SOURCES[plays.source],
            has_columns=bool(upload.csv),
            notes=plays.notes,
            plan=plan,
            summary=play_import.describe_plan(plan),
            player_names=tuple(play_import.player_names(context.referee(), device())),
            refusal=refusal,
        ),
    ), status


def _plan(upload: Upload, plays: PlayFile) -> ImportPlan:
    chosen_names = _imports().chosen_names(device()) | upload.names
    return play_import.plan_import(context.referee(), plays, device(), chosen_names)


@blueprint.post("/history/import/<id>")
def confirm(id: str):
    """Import a file, show it again with other names, or delete it."""
    upload, form = _upload(id), request.form
    if form.get("do") == "cancel":
        _imports().discard(id)
        return context.redirect_to("history.history")
    context.count_limit("tables")
    upload = replace(upload, names=upload.names | _chosen_names(form))
    _imports().change(id, upload)
    plays = _plays(upload)
    plan = _plan(upload, plays)
    shown = set(form.getlist("shown", int))
    if form.get("do") != "import":
        return context.redirect_to("imports.preview", id=id)
    if any(play.number not in shown for play in plan.similar):
        return _render_preview(id, upload, "With these names, more plays look like results here. Check them.", 409)
    also = set(form.getlist("also", int))
    max_items = None if context.is_owner() else MAX_STRANGER_PLAYS
    try:
        ids = play_import.import_plays(context.referee(), plan, device(), also, max_items)
    except InvalidInputError as error:
        return _render_preview(id, upload, end_sentence(f"Nothing was imported: {error}"), 422)
    _imports().finish(id, ids, upload.names)
    return context.redirect_to_address(f"{url_for('history.history')}?import={id}")


def _chosen_names(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the names that a form gives the players of a file, by their normalized names.

    :raises InvalidInputError: when a name is invalid.
    """
    chosen: dict[str, str] = {}
    for number in range(import_pages.MAX_NAMES):
        key, name = form.get(f"key-{number}"), " ".join(form.get(f"name-{number}", "").split())
        if key and name:
            if error := name_error(name):
                raise InvalidInputError(f"names: {error}")
            chosen[key[:MAX_NAME_LENGTH]] = name
    return chosen


# Afterwards


def notice(id: str) -> str:
    """Return a sentence about an import of this phone that has just been made, or an empty text."""
    done = next((done for done in _imports().finished(device()) if done.id == id), None)
    return f"Imported {pluralize(len(done.result_ids), 'result')} from {done.file_name or 'the file'}." if done else ""


@blueprint.post("/history/import/<id>/undo")
def undo(id: str):
    """Delete the results that an import has added."""
    done = next((done for done in _imports().finished(device()) if done.id == id), None)
    if done is None:
        abort(410, "This import was undone already.")
    play_import.undo_import(context.referee(), _imports(), done)
    return context.redirect_to("history.history")


context.redirect_from_form(blueprint, "/history/import/<id>/undo", "history.history")
