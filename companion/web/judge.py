"""The judge: queries with answers, rulings, accounts of the game, saved verdicts."""

import functools
from collections.abc import Callable, Iterable

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.log.steps import InvalidEntryError
from companion.log.table import Table
from companion.pages import judge
from companion.rendering import pdf, print_pages
from companion.service.referee import NotAllowedError
from companion.storage.own_rulings import list_rulings
from companion.web import context
from companion.web.forms import read_nested_fields
from companion.web.play import read_json
from companion.web.sessions import device
from companion.web.sheets import pdf_response
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

blueprint = Blueprint("judge", __name__, url_prefix="/t/<code>")

MAX_QUESTION_LENGTH = 120


@blueprint.errorhandler(InvalidEntryError)
def redirect_to_questions(error: InvalidEntryError):
    """Redirect a request about something that no longer exists to the page for questions."""
    code, seat = (request.view_args or {})["code"], request.values.get("seat", type=int)
    return context.redirect_to("judge.ask", code=code, seat=seat)


@blueprint.errorhandler(InvalidInputError)
@blueprint.errorhandler(NotAllowedError)
def show_refusal(error: InvalidInputError | NotAllowedError):
    """Show the page for questions with the reason why a form was refused."""
    try:
        return _render_ask(context.table((request.view_args or {})["code"]), *context.refusal(error))
    except InvalidEntryError as missing:  # an exception of an error handler would have no handler
        return redirect_to_questions(missing)


def _for_asking_seat(view: Callable[[Table, int], ResponseReturnValue]):
    """Pass the table and the asking seat to a view; without a seat, redirect to the lobby."""

    @functools.wraps(view)
    def respond(code: str):
        table = context.table(code)
        seat = _asking_seat(table)
        return context.redirect_to("lobby.lobby", code=table.code) if seat is None else view(table, seat)

    return respond


def _asking_seat(table: Table) -> int | None:
    """Return the seat that asks: as requested, else this phone's seat to move, else its first."""
    own_seats, requested_seat = table.seats_of(device()), request.values.get("seat", type=int)
    if requested_seat in own_seats:
        return requested_seat
    to_move = table.tracked.flow.to_move(table.state)
    return next((seat for seat in (*to_move, *own_seats) if seat in own_seats), None)


@blueprint.get("/ask")
def ask(code: str):
    """Show the page for questions about the current position, or the one before a step."""
    table = context.table(code)
    context.count_limit("asks")
    return _render_ask(table)


def _render_ask(table: Table, refusal: Iterable[Reason | str] = (), status: int = 200):
    query, step = request.args.get("q", "")[:MAX_QUESTION_LENGTH].strip(), request.args.get("step", "")
    box_rulings = list_rulings(context.referee().store, table.tracked.box)
    sent_number = context.read_id(request.args, "sent")
    cell, seat = request.args.get("draft.at", "")[:MAX_QUESTION_LENGTH], _asking_seat(table)
    rule_id = request.values.get("rule", "")
    page = judge.ask_page(table, device(), seat, query, step, box_rulings, refusal, sent_number, cell, rule_id)
    return render_template("judge/ask.html", page=page), status


def _read_move(table: Table) -> Move:
    """:raises InvalidEntryError: if the request names no move of the game."""
    try:
        return table.tracked.decode(read_json(request.values.get("move", "")))
    except InvalidInputError as error:
        raise InvalidEntryError(str(error)) from None


def _read_query(table: Table, seat: int) -> Move:
    """Return the move asked about, given as such or by a description.

    :raises InvalidEntryError: if it is not a move of the game.
    """
    move_to_query = table.tracked.move_to_query
    if "move" in request.values or not move_to_query:
        return _read_move(table)
    move = move_to_query(table.tracked.view(table.state, seat), seat, read_nested_fields(request.values, "draft."))
    if move is None:
        raise InvalidEntryError("draft: there is no such tile or place")
    return move


def _query_label() -> str:
    """Return the label of the button of the move asked about."""
    return request.values.get("called", "")[:MAX_QUESTION_LENGTH]


@blueprint.get("/ask/may")
@_for_asking_seat
def explain(table: Table, seat: int):
    """Show whether a player may make a move, the reasons, the steps to it, and its results."""
    context.count_limit("asks")
    step = request.args.get("step", "")
    page = judge.answer_page(table, device(), seat, _read_query(table, seat), step, _query_label())
    return render_template("judge/answer.html", page=page)


@blueprint.post("/ask/keep")
@_for_asking_seat
def save_verdict(table: Table, seat: int):
    """Save an answer with the table, for everyone to read and to print."""
    move, step = _read_move(table), request.form.get("step", "")

    def build_verdict(current: Table):
        return judge.build_verdict(judge.answer_page(current, device(), seat, move, step, _query_label()))

    new_table = context.referee().save_verdict(table, device(), context.tap(), seat, build_verdict)
    return context.redirect_to("judge.verdict", code=table.code, number=new_table.verdicts[-1].number)


@blueprint.get("/ask/ruling/<id>")
def ruling_options(code: str, id: str):
    """Show the options of a ruling, each with the changes it would make at this table."""
    table = context.table(code)
    found = next((ruling for ruling in table.tracked.box.rulings if ruling.id == id), None) or abort(404)
    context.count_limit("asks")
    return render_template("judge/ruling.html", page=judge.ruling_page(table, device(), _asking_seat(table), found))


@blueprint.get("/ask/sides")
def accounts(code: str):
    """Show every player's account of the game, side by side."""
    table = context.table(code)
    return render_template("judge/accounts.html", page=judge.accounts_page(table, device(), _asking_seat(table)))


@blueprint.post("/ask/sides")
@_for_asking_seat
def withdraw_account(table: Table, seat: int):
    """Withdraw this seat's account, and accept the log."""
    new_table = context.referee().claim_account(table, device(), context.tap(), seat, None)
    return _redirect_after(table, new_table, seat, "judge.accounts")


@blueprint.post("/ask/own")
@_for_asking_seat
def write_ruling(table: Table, seat: int):
    """Save the table's own ruling on a point that the book does not cover."""
    question, interpretation = request.form.get("question", ""), request.form.get("reading", "")
    new_table = context.referee().write_ruling(
        table, device(), context.tap(), seat, question, interpretation, request.form.get("rule", "")
    )
    return _redirect_after(table, new_table, seat, "judge.ask")


def _redirect_after(table: Table, new_table: Table, seat: int, endpoint: str) -> Response:
    """Redirect to the page after a form, with the number of the entry it has made, if any."""
    sent_number = new_table.version if new_table.version > table.version else None
    return context.redirect_to(endpoint, code=table.code, seat=seat, sent=sent_number)


context.redirect_from_form(blueprint, "/ask/<any(keep, own):form>", "judge.ask")


@blueprint.get("/verdict/<int:number>")
def verdict(code: str, number: int):
    """Show a saved verdict, on any phone."""
    return render_template("judge/verdict.html", page=_build_verdict_page(context.table(code), number))


def _build_verdict_page(table: Table, number: int) -> judge.VerdictPage:
    """:raises InvalidEntryError: if there is no such verdict."""
    saved = next((verdict for verdict in table.verdicts if verdict.number == number), None)
    if saved is None:
        raise InvalidEntryError(f"there is no saved answer {number}")
    table_then = context.referee().store.table_at_entry(table.code, number)
    return judge.verdict_page(table, table_then, device(), saved, pdf.can_print())


@blueprint.get("/verdict/<int:number>.pdf")
def verdict_pdf(code: str, number: int):
    """Return a verdict as PDF."""
    table = context.table(code)
    page = _build_verdict_page(table, number)
    render_html = functools.partial(print_pages.render_html, "print/verdict.html", page=page)
    links = {
        "plain_url": url_for("judge.verdict_print", code=table.code, number=number),
        "back_url": url_for("judge.verdict", code=table.code, number=number),
    }
    filename = f"{table.code}-verdict-{number}.pdf"
    return pdf_response(filename, (table.code, "verdict", number), render_html, links, table)


@blueprint.get("/verdict/<int:number>/print")
def verdict_print(code: str, number: int):
    """Show a verdict as a plain page that any browser can print."""
    return print_pages.render_page("print/verdict.html", page=_build_verdict_page(context.table(code), number))
