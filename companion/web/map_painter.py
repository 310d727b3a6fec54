"""Painting a finished map: the page, its drafts, and the move that enters the map."""

from flask import Blueprint, abort, jsonify, render_template, request, url_for

from companion.log.table import Table
from companion.pages.seat import seat_page
from companion.service.card_facts_review import facts_visible_to
from companion.storage.drafts import MAX_DRAFT_LENGTH, Draft
from companion.storage.store import VersionConflictError
from companion.web import context
from companion.web.play import read_move, seat_to_show
from companion.web.sessions import device
from scoring.kernel.rule import Reason

blueprint = Blueprint("map_painter", __name__, url_prefix="/t/<code>/seat/<int:seat>/map")


def _table_with_map(code: str, seat: int) -> Table:
    """Return the requested table, of a game whose finished maps can be painted."""
    table = context.own_table(code, seat)
    return table if "painter" in table.tracked.view_helpers else abort(404)


@blueprint.get("")
def paint(code: str, seat: int):
    """Show the page that paints a map."""
    table = _table_with_map(code, seat)
    referee, box, page = context.referee(), table.tracked.box, seat_page(table, device(), seat)
    return render_template(
        "map_painter.html",
        page=page,
        draft=referee.drafts.find(table.code, seat),
        facts=facts_visible_to(referee.card_facts, box, device()),
    )


@blueprint.post("/draft")
def save_draft(code: str, seat: int):
    """Save a draft; answer with its new revision, or with a draft saved elsewhere since."""
    table = _table_with_map(code, seat)
    context.count_limit("taps")
    draft = Draft(request.form.get("revision", -1, int), request.form.get("text", ""))
    if len(draft.text) > MAX_DRAFT_LENGTH:
        return jsonify(refusals=[{"code": "too-long", "text": "This map is too large to be saved."}]), 413
    try:
        return jsonify(revision=context.referee().drafts.save(table.code, seat, draft).revision)
    except VersionConflictError:
        saved = context.referee().drafts.find(table.code, seat)
        return jsonify(revision=saved.revision, text=saved.text), 409


@blueprint.post("")
def enter(code: str, seat: int):
    """Enter a map; answer with the reasons against it, with questions, or with the next page."""
    table = _table_with_map(code, seat)
    try:
        data, strict = read_move()
        if "confirmed" not in request.form and (questions := _questions(table, seat, data, strict)):
            return jsonify(questions=questions)
        new_table = context.referee().play(table, device(), context.tap(), seat, data, strict=strict)
    except context.REFUSALS as error:
        reasons, status = context.refusal(error)
        return jsonify(refusals=[_refusal(reason) for reason in reasons]), status
    return jsonify(next=url_for("play.seat", code=table.code, seat=seat_to_show(new_table, seat)))


def _questions(table: Table, seat: int, data: dict, strict: bool) -> list[str]:
    """Return the doubts about a move; none about a move that the rules refuse.

    :raises InvalidInputError: if the data is no move of this game.
    """
    move = table.tracked.decode(data, strict=strict)
    if any(table.tracked.objections(table.state, seat, move)):
        return []
    return list(move.questions(table.state, seat))


def _refusal(reason: Reason | str) -> dict:
    if isinstance(reason, str):
        return {"text": reason}
    return {"code": reason.code, "text": reason.text, "marks": reason.marks}


context.redirect_from_form(blueprint, "/draft", "map_painter.paint")
