"""Lessons for a player's first game: the question who is new, reading and repeating them."""

from flask import Blueprint, Response, abort, render_template, request

from companion.log.table import Table
from companion.pages import lessons as lessons_pages
from companion.storage.lessons import Reading
from companion.web import context
from companion.web.play import handle_tap, render_table
from companion.web.sessions import device

blueprint = Blueprint("lessons", __name__, url_prefix="/t/<code>/seat/<int:seat>")


def _learning_table(code: str, seat: int) -> Table:
    """Return the table of a request for lessons; one without lessons has no such page."""
    table = context.own_table(code, seat)
    return table if table.tracked.lessons else abort(404)


@blueprint.get("/lessons")
def lessons(code: str, seat: int):
    """Show the lessons that a player has read, and buttons to stop or start teaching."""
    table = _learning_table(code, seat)
    page = lessons_pages.lessons_page(table, device(), seat, context.learner(table, seat))
    return render_template("lessons.html", page=page)


@blueprint.post("/experience")
@handle_tap
def answer_experience(table: Table, seat: int) -> Table:
    """Save whether a player is new to the game, so that the phone teaches or not.

    The first new player opens the guided setup for the whole table, if no move has been made.
    """
    context.require_own_seat(table, seat)
    is_new = request.form.get("new") == "1"
    context.set_taught(table, seat, is_new)
    if is_new and table.setup_guide is None and table.tracked.lessons and table.is_in_setup:
        return context.referee().change_setup_guide(table, device(), context.tap())
    return table


@blueprint.post("/lesson")
def mark_read(code: str, seat: int) -> Response:
    """Save that a player has read the lesson on the page, unless it shows another one now."""
    table = _learning_table(code, seat)
    current = lessons_pages.current_lesson(table, seat, context.learner(table, seat))
    if current and current.lesson.id == request.form.get("lesson"):
        context.mark_lesson_read(table, seat, current.lesson.id, current.reading)
    return render_table(table, seat)


@blueprint.post("/result")
def show_result(code: str, seat: int) -> Response:
    """Save that a player has read how points are counted, and show the whole result."""
    table = _learning_table(code, seat)
    assert table.tracked.lessons  # a game without lessons has no such page
    for lesson in table.tracked.lessons.end_by_category.values():
        context.mark_lesson_read(table, seat, lesson.id, Reading(table.code, None))
    return render_table(table, seat)


@blueprint.post("/lessons/<any(start, stop, start_over):change>")
def change(code: str, seat: int, change: str) -> Response:
    """Start or stop teaching a player, or begin again with all lessons unread."""
    table = _learning_table(code, seat)
    if change == "start_over":
        context.referee().learners.start_over(device(), table.names[seat], table.game_key)
    context.set_taught(table, seat, change != "stop")
    return context.redirect_to("play.seat", code=table.code, seat=seat)


context.redirect_from_form(blueprint, "/<any(experience, lesson, result):form>", "play.seat")
context.redirect_from_form(blueprint, "/lessons/<any(start, stop, start_over):form>", "lessons.lessons")
