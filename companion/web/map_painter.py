"""Painting a map: the page, its drafts, and the move that enters the map."""

from flask import Blueprint, abort, jsonify, render_template, request, url_for

from companion.log.table import Table
from companion.pages.seat import seat_page
from companion.service.card_facts_review import facts_visible_to
from companion.storage.drafts import MAX_DRAFT_LENGTH, Draft
from companion.storage.store import VersionConflictError
from companion.web import context
from companion.web.forms import read_draft
from companion.web.play import read_move, seat_to_show
from companion.web.sessions import device
from scoring.kernel.rule import Reason

blueprint = Blueprint("map_painter", __name__, url_prefix="/t/<code>/seat/<int:seat>/map")


def _table_with_map(code: str, seat: int) -> tuple[Table, int]:
    """Return the requested table, and the seat of the map to paint.

    The field `draft.fix` names the map of another player, in a game whose maps others may correct.
    """
    table = context.own_table(code, seat)
    helper = table.tracked.view_helpers.get("painter")
    painter = helper(table.tracked.view(table.state, seat), seat, read_draft(request.values)) if helper else None
    owner = getattr(painter, "seat", None)  # a view helper of a game, whose type is not known here
    return (table, owner) if owner is not None else abort(404)


@blueprint.get("")
def paint(code: str, seat: int):
    """Show the page that paints a map."""
    table, owner = _table_with_map(code, seat)
    referee, box = context.referee(), table.tracked.box
    return render_template(
        "map_painter.html",
        page=seat_page(table, device(), seat, draft=read_draft(request.values)),
        draft=referee.drafts.find(table.code, owner),
        facts=facts_visible_to(referee.card_facts, box, device()),
    )


@blueprint.post("/draft")
def save_draft(code: str, seat: int):
    """Save a draft; answer with its new revision, or with a draft saved elsewhere since."""
    table, owner = _table_with_map(code, seat)
    context.count_limit("taps")
    draft = Draft(request.form.get("revision", -1, int), request.form.get("text", ""))
    if len(draft.text) > MAX_DRAFT_LENGTH:
        return jsonify(refusals=[{"code": "too-long", "text": "This map is too large to be saved."}]), 413
    try:
        return jsonify(revision=context.referee().drafts.save(table.code, owner, draft).revision)
    except VersionConflictError:
        saved = context.referee().drafts.find(table.code, owner)
        return jsonify(revision=saved.revision, text=saved.text), 409


@blueprint.post("")
def enter(code: str, seat: int):
    """Enter a map; answer with the reasons against it, with questions, or with the next page."""
    table, _ = _table_with_map(code, seat)
    try:
        data, strict = read_move()
        if "confirmed" not in request.form and (questions := _questions(table, seat, data, strict)):
            return jsonify(questions=questions)
        new_table = context.referee().play(table, device(), context.tap(), seat, data, strict=strict)
    except context.REFUSALS as error:
        reasons, status = context.refusal(error)
        return jsonify(refusals=[_refusal(reason) for reason in reasons]), status
    return jsonify(next=_next_page(table, new_table, seat))


def _next_page(table: Table, new_table: Table, seat: int) -> str:
    """Return the address of the page after a map is entered.

    It is the rest of a start in the middle of a game, or the page of a seat, which shows a request to the others.
    """
    if new_table.can_join_midgame and len(new_table.proposals) <= len(table.proposals):
        return url_for("play.midgame_start", code=table.code, seat=seat)
    return url_for("play.seat", code=table.code, seat=seat_to_show(new_table, seat))


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
