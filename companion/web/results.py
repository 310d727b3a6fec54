"""A result at an address that can be shared: points, charts, a picture, photos of the table."""

import functools
import threading
from dataclasses import replace

import msgspec
from flask import Blueprint, Response, abort, render_template, request, url_for
from msgspec import to_builtins

from companion.exchange.bg_stats import bg_stats_link
from companion.history import charts, photos, playing_time
from companion.history.result import Result, name_key, result_text, sheet_of
from companion.log.table import Table
from companion.pages import history as history_pages
from companion.pages import sheet as sheet_pages
from companion.rendering import picture, print_pages, print_queue, qr
from companion.rendering.print_pages import PrintPage
from companion.service import import_export
from companion.storage import photos as photo_storage
from companion.storage.bgg_ids import bgg_ids
from companion.storage.results import Results
from companion.web import context
from companion.web.forms import NoteForm
from companion.web.sessions import device
from companion.web.sheets import download_headers, print_response

blueprint = Blueprint("results", __name__)
# A picture that is opened on its own uses its embedded fonts.
PICTURE_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"
PHOTO_LOCK = threading.Lock()  # scaling down a photo takes much memory


def _results() -> Results:
    return context.referee().results


@blueprint.get("/t/<code>/result")
def table_result(code: str):
    """Show the result of a table, or its score so far if the game is not over."""
    found = _results().of_table(context.table(code).code)
    if found:
        return context.redirect_to("results.result", id=found.id)
    return context.redirect_to("sheets.score", code=code)


@blueprint.get("/r/<id>")
def result(id: str):
    """Show the result of a game: points, charts, photos, a picture to share."""
    return _render_result(context.result(id))


def _render_result(result: Result, refused: str = "", status: int = 200, form: NoteForm | None = None):
    store, phone, is_owner = context.referee().store, device(), context.is_owner()
    can_see, known = _results().can_see(phone, result.id), context.referee().players.ids_by_name()
    table = _finished_table(result)
    address = context.external_url("results.result", id=result.id)
    photos = tuple(photo_storage.list_photos(store, result.id))
    page = history_pages.ResultPage(
        result=result,
        result_text=result_text(result),
        sheet=table.sheet if table and table.sheet else sheet_of(result),
        address=address,
        local_address=context.local_name_url("results.result", id=result.id),
        qr=qr.svg(address),
        table_code=result.code if can_see and table else "",
        points_over_time=_points_over_time(table) if table else None,
        player_times=_player_times(table) if table else (),
        photos=photos,
        own_photos=frozenset(photo.id for photo in photos if is_owner or photo.device == phone),
        can_add_photos=can_see,
        can_change=_results().can_change(phone, result.id),
        form=form or NoteForm(None, data={"where": result.where, "note": result.note}),
        player_ids={
            part.name: known[name_key(part.name)]
            for part in result.players
            if can_see and part.is_person and name_key(part.name) in known
        },
        bg_stats=bg_stats_link(result, bgg_ids(store).get(result.game, 0)),
        refusal=refused,
    )
    return render_template("history/result.html", page=page), status


def _require_access(result: Result, refusal: str) -> None:
    """Refuse a request from a phone that may not see this result in its history."""
    context.require(_results().can_see(device(), result.id), refusal)


def _finished_table(result: Result) -> Table | None:
    """Return the table of a result, if it still exists and is over."""
    table = context.referee().store.find_table(result.code) if result.code else None
    return table if table and table.is_over else None


def _points_over_time(table: Table) -> charts.PointsOverTime | None:
    """Return the points over the course of a game, with the players' current names."""
    points = _compute_points_over_time(table.code, table.version)
    return points and points._replace(names=table.names)


@functools.lru_cache(maxsize=64)
def _compute_points_over_time(code: str, number: int) -> charts.PointsOverTime | None:
    """Return the points over a game; `number`, that of the table's last entry, is for the cache."""
    return charts.points_over_time(context.referee().store.table(code))


def _player_times(table: Table) -> tuple[playing_time.PlayerTime, ...]:
    """Return how long each player took to act, with the players' current names."""
    return playing_time.player_times(table, _compute_player_seconds(table.code, table.version))


@functools.lru_cache(maxsize=64)
def _compute_player_seconds(code: str, number: int) -> tuple[int, ...]:
    """Return the seconds of each player; `number`, of the table's last entry, is for the cache."""
    return playing_time.player_seconds(context.referee().store.table(code))


def _build_print_page(result: Result) -> PrintPage:
    """Return the print page of a result: the sheet of its table, or the stored result."""
    if table := _finished_table(result):
        return replace(print_pages.print_page_of_table(sheet_pages.sheet_page(table, "", True)), date=result.date)
    box = result.box
    unknown = frozenset(seat for seat, part in enumerate(result.players) if part.unscored)
    return PrintPage(box, box.key, sheet_of(result), True, result.date, "", None, None, seats_without_points=unknown)


@blueprint.get("/r/<id>/picture.svg")
def picture_svg(id: str):
    """Return the result as a picture to share."""
    return Response(
        picture.svg(_build_print_page(context.result(id))),
        mimetype="image/svg+xml",
        headers={"Content-Security-Policy": PICTURE_SECURITY_POLICY},
    )


@blueprint.get("/r/<id>/picture.png")
def picture_png(id: str):
    """Return the picture as a PNG, which every chat can show."""
    found = context.result(id)
    links = {
        "plain_url": url_for("results.picture_svg", id=found.id),
        "back_url": url_for("results.result", id=found.id),
    }
    table = _finished_table(found)
    key = ("picture", found.id, (table.version, found.ended) if table else msgspec.json.encode(found))
    render_svg = functools.partial(picture.svg, _build_print_page(found), embeds_fonts=False)
    return print_response(f"{found.id}.png", "image/png", key, print_queue.PICTURE, render_svg, links)


@blueprint.get("/r/<id>/qr.svg")
def qr_code(id: str):
    """Return the address as a QR code."""
    address = context.external_url("results.result", id=context.result(id).id)
    return qr.svg(address), {"Content-Type": "image/svg+xml"}


@blueprint.get("/r/<id>.json")
def export_json(id: str):
    """Export the play as a file, with its table's log, to be imported elsewhere.

    The times of the players follow from the log; an import ignores them.
    """
    found = context.result(id)
    _require_access(found, "Only phones from this table can export its log.")
    table = _finished_table(found)
    log = import_export.log_data(table.code, context.referee().store.read_log(table.code)) if table else None
    data = {"waymark": import_export.FORMAT_VERSION, "result": to_builtins(found), "table": log}
    if table and not table.tracked.is_score_entry:
        times = zip(table.names, _compute_player_seconds(table.code, table.version), strict=False)  # a bot has none
        data["player_times"] = [{"name": name, "seconds": seconds} for name, seconds in times]
    return data, download_headers(f"{found.id}.json")


@blueprint.post("/r/<id>/hide")
def hide(id: str):
    """Hide a result from the history, or show it again."""
    found = context.result(id)
    can_change = _results().can_change(device(), found.id)
    context.require(can_change, "Only the owner\u2019s phone or the phone that added this result can hide it.")
    _results().change(found.id, hidden=request.form.get("hidden") == "1")
    return context.redirect_to("results.result", id=found.id)


@blueprint.post("/r/<id>/about")
def edit_note(id: str):
    """Edit where a game was played and the note on it."""
    found, form = context.result(id), NoteForm()
    _require_access(found, "Only phones from this table can edit the place and the note.")
    if not form.validate():
        return _render_result(found, status=422, form=form)
    _results().change(found.id, where=form.where.data or "", note=form.note.data or "")
    return context.redirect_to("results.result", id=found.id)


# Photos of the real table


@blueprint.post("/r/<id>/photos")
def add_photo(id: str):
    """Add a photo to a result, scaled down and without its place and time."""
    found, content = context.result(id), context.uploaded_file("photo", photos.MAX_BYTES)
    _require_access(found, "Only phones from this table can add photos.")
    context.count_limit("photos")
    try:
        with PHOTO_LOCK:
            photo = photos.scale(content)
        photo_storage.add_photo(context.referee().store, found.id, device(), photo.data, photo.small)
    except (photos.InvalidPhotoError, photo_storage.TooManyPhotosError) as error:
        return _render_result(found, str(error), 422)
    return context.redirect_to("results.result", id=found.id)


@blueprint.post("/r/<id>/photos/remove")
def remove_photo(id: str):
    """Delete a photo, from the phone that added it or the owner's."""
    found, photo_id, store = context.result(id), request.form.get("photo", ""), context.referee().store
    devices = {photo.id: photo.device for photo in photo_storage.list_photos(store, found.id)}
    if photo_id in devices and (devices[photo_id] == device() or context.is_owner()):
        photo_storage.remove_photo(store, found.id, photo_id)
    return context.redirect_to("results.result", id=found.id)


@blueprint.get("/r/<id>/photo/<photo>.jpg")
def photo(id: str, photo: str):
    """Return a photo, in full or small."""
    store, found = context.referee().store, context.result(id)
    data = photo_storage.read_photo(store, found.id, photo, "small" in request.args)
    if data is None:
        abort(404)
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})


context.redirect_from_form(blueprint, "/r/<id>/<any(hide, about, photos):form>", "results.result")
context.redirect_from_form(blueprint, "/r/<id>/photos/remove", "results.result")
