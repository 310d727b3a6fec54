"""The setup of a table step by step: on all phones together, as a list, and on paper."""

import functools
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for

from companion.log.table import Table
from companion.pages.setup_guide import SetupStepsPage
from companion.rendering import print_pages
from companion.storage.store import new_tap
from companion.web import context
from companion.web.play import handle_tap
from companion.web.sessions import device
from companion.web.sheets import pdf_response
from scoring.games import GAMES
from scoring.kernel.tracked_game import TrackedGame

blueprint = Blueprint("setup_guide", __name__)

LINKS = {"plain_url": "print", "back_url": "steps"}  # of the page that is shown instead of a sheet


@blueprint.post("/t/<code>/seat/<int:seat>/guide")
@handle_tap
def change_guide(table: Table, seat: int) -> Table:
    """Open or close the guided setup of a table, tick a step off, or go back to one."""
    changes: dict[str, dict[str, Any]] = {
        "open": {},
        "done": {"step": request.form.get("step", "")},
        "back": {"step": request.form.get("previous", ""), "is_done": False},
        "close": {"is_open": False},
    }
    change = changes.get(request.form.get("change", ""))
    if change is None:
        return table
    return context.referee().change_setup_guide(table, device(), context.tap(), **change)


context.redirect_from_form(blueprint, "/t/<code>/seat/<int:seat>/guide", "play.seat")


@blueprint.get("/t/<code>/setup-steps")
def table_steps(code: str):
    """Show the setup of a table as a list."""
    table = context.table(code)
    return render_template("setup_steps.html", page=_table_page(table))


def _table_page(table: Table) -> SetupStepsPage:
    lessons = table.tracked.lessons or abort(404)
    seat = next(iter(table.seats_of(device())), None) if table.is_in_setup else None
    steps, count = lessons.setup_steps(table.setup), len(table.setup.players)
    return SetupStepsPage(table.tracked.box, steps, count, table.code, seat, new_tap())


@blueprint.get("/setup-steps/<key>")
def game_steps(key: str):
    """Show the default setup of a game as a list, for a number of players."""
    return render_template("setup_steps.html", page=_game_page(key))


def _game_page(key: str) -> SetupStepsPage:
    tracked: TrackedGame = (key in GAMES and GAMES[key].tracked) or abort(404)
    lessons = tracked.lessons or abort(404)
    counts = tracked.box.player_counts
    count = request.args.get("players", max(2, counts[0]), int)
    if count not in counts:
        abort(404)
    setup = tracked.setup_format.default([f"Player {number}" for number in range(1, count + 1)])
    return SetupStepsPage(tracked.box, lessons.setup_steps(setup), count)


@blueprint.get("/t/<code>/setup-steps.pdf")
def table_pdf(code: str) -> Response:
    """Return the setup of a table as a sheet for the printer."""
    page = _table_page(context.table(code))
    links = {name: url_for(f"setup_guide.table_{end}", code=page.code) for name, end in LINKS.items()}
    return _pdf(f"{page.code}-setup.pdf", page, links)


@blueprint.get("/setup-steps/<key>.pdf")
def game_pdf(key: str) -> Response:
    """Return the default setup of a game as a sheet for the printer."""
    page = _game_page(key)
    links = {
        name: url_for(f"setup_guide.game_{end}", key=key, players=page.player_count) for name, end in LINKS.items()
    }
    return _pdf(f"{key}-setup-{page.player_count}.pdf", page, links)


def _pdf(filename: str, page: SetupStepsPage, links: dict[str, str]) -> Response:
    page = replace(page, seat=None, tap="")  # the sheet is the same for all phones
    render_html = functools.partial(print_pages.render_html, "print/setup.html", page=page)
    return pdf_response(filename, ("setup", page.game.key, page.steps), render_html, links)


@blueprint.get("/t/<code>/setup-steps/print")
def table_print(code: str) -> str:
    """Show the setup of a table as a plain page that any browser can print."""
    return print_pages.render_page("print/setup.html", page=_table_page(context.table(code)))


@blueprint.get("/setup-steps/<key>/print")
def game_print(key: str) -> str:
    """Show the default setup of a game as a plain page that any browser can print."""
    return print_pages.render_page("print/setup.html", page=_game_page(key))
