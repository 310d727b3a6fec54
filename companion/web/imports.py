"""Import of plays from other programs: columns, preview, import and undo."""

from collections.abc import Set

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
    changed = replace(upload, columns=chosen)
    try:
        _table(changed)
    except InvalidInputError as error:  # with another delimiter, it may be no table
        return _render_columns(id, upload, _sentence(error), 422)
    _imports().change(id, changed)
    try:
        _plays(changed)
    except InvalidInputError as error:
        return _render_columns(id, changed, _sentence(error), 422)
    return context.redirect_to("imports.preview", id=id)


def _sentence(error: InvalidInputError) -> str:
    return end_sentence(f"{str(error)[:1].upper()}{str(error)[1:]}")


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
    context.count_limit("imports")
    upload = replace(upload, names=upload.names | _chosen_names(form))
    _imports().change(id, upload)
    if form.get("do") != "import":
        return context.redirect_to("imports.preview", id=id)
    refusal = _import(id, upload, {*form.getlist("shown", int)}, {*form.getlist("also", int)})
    if refusal:
        return _render_preview(id, upload, *refusal)
    return context.redirect_to_address(f"{url_for('history.history')}?import={id}")


def _import(id: str, upload: Upload, shown: Set[int], also: Set[int]) -> tuple[str, int] | None:
    """Import a file; return why that is not possible, with the status of the answer, or None.

    :param shown: the numbers of the plays that the page has shown as similar to results.
    :param also: the numbers of those to import anyway.
    """
    max_items = None if context.is_owner() else MAX_STRANGER_PLAYS
    plays = _plays(upload)
    try:
        with context.referee().store.transaction():
            if _imports().upload(id, device()) is None:  # imported by a second tap
                return None
            plan = _plan(upload, plays)
            if any(play.number not in shown for play in plan.similar):
                return "With these names, more plays look like results here. Check them.", 409
            ids = play_import.import_plays(context.referee(), plan, device(), also, max_items)
            _imports().finish(id, ids, upload.names)
    except InvalidInputError as error:
        return end_sentence(f"Nothing was imported: {error}"), 422
    return None


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
    done = _imports().find(id, device())
    if done is None:
        return ""
    count = pluralize(len(done.result_ids), "result") if done.result_ids else "nothing new"
    return f"Imported {count} from {done.file_name or 'the file'}."


@blueprint.post("/history/import/<id>/undo")
def undo(id: str):
    """Delete the results that an import has added."""
    done = _imports().find(id, device())
    if done is None:
        abort(410, "This import was undone already.")
    play_import.undo_import(context.referee(), _imports(), done)
    return context.redirect_to("history.history")


context.redirect_from_form(blueprint, "/history/import/<id>/undo", "history.history")
