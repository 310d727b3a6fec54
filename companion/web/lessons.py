"""Lessons for a player's first game: the question who is new, reading and repeating them."""

from flask import Blueprint, Response, abort, render_template, request

from companion.log.table import Table
from companion.pages import lessons as lessons_pages
from companion.web import context
from companion.web.play import render_table
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
def answer_experience(code: str, seat: int) -> Response:
    """Save whether a player is new to the game, so that the phone teaches or not."""
    table = _learning_table(code, seat)
    context.set_taught(table, seat, request.form.get("new") == "1")
    return render_table(table, seat)


@blueprint.post("/lesson")
def mark_read(code: str, seat: int) -> Response:
    """Save that a player has read the lesson on the page; another tap on the same lesson changes nothing."""
    table = _learning_table(code, seat)
    current = lessons_pages.current_lesson(table, seat, context.learner(table, seat))
    if current and current.lesson.id == request.form.get("lesson"):
        context.mark_read(table, seat, current)
    return render_table(table, seat)


@blueprint.post("/lessons/<any(start, stop, start_over):change>")
def change(code: str, seat: int, change: str) -> Response:
    """Start or stop teaching a player, or begin again with all lessons unread."""
    table = _learning_table(code, seat)
    if change == "start_over":
        context.referee().learners.start_over(device(), table.names[seat], table.game_key)
    context.set_taught(table, seat, change != "stop")
    return context.redirect_to("play.seat", code=table.code, seat=seat)


context.redirect_from_form(blueprint, "/<any(experience, lesson):form>", "play.seat")
context.redirect_from_form(blueprint, "/lessons/<any(start, stop, start_over):form>", "lessons.lessons")
