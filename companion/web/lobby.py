"""Home page, new table, joining, and the lobby with its seats and setup."""

import functools
from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, abort, current_app, render_template, request

from companion.log.table import Table
from companion.pages import home as home_pages
from companion.pages import lobby as lobby_pages
from companion.pages import table as table_pages
from companion.rendering import qr
from companion.service.referee import NotAllowedError
from companion.storage.store import TableNotFoundError
from companion.web import context
from companion.web.forms import JoinForm, NamesForm, read_consent, read_nested_fields
from companion.web.play import answer_proposal
from companion.web.sessions import NO_COOKIE_TEXT, NO_COOKIE_TITLE, device, has_cookie
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.state import GameSetup

blueprint = Blueprint("lobby", __name__)
MAX_HOME_TABLES = 2  # on the home page
MAX_HOME_RESULTS = 3


@blueprint.get("/")
def home():
    """Show the games, a code to join, and the latest open tables of this phone."""
    return _render_home(JoinForm())


def _render_home(form: JoinForm, status: int = 200):
    codes = context.open_codes()
    tables = map(context.referee().store.find_table, codes[:MAX_HOME_TABLES])
    summaries = tuple(home_pages.table_summary(table) for table in tables if table)
    results = context.referee().results.latest(device(), MAX_HOME_RESULTS)
    page = home_pages.HomePage(tuple(GAMES.values()), summaries, len(codes), tuple(results), form)
    return render_template("home.html", page=page), status


@blueprint.post("/join")
def join():
    """Go to the table whose code was typed."""
    form = JoinForm()
    if not form.validate():
        return _render_home(form, 422)
    code = form.code.data
    assert code  # the form is valid
    if code[0] not in current_app.config["CODES"]:  # another instance behind the same address has it
        return context.redirect_to("lobby.lobby", code=code)
    try:
        return context.redirect_to("lobby.lobby", code=context.table(code).code)
    except TableNotFoundError:
        form.code.errors = [f"There is no table with the code {code}. Check the code."]
        return _render_home(form, 404)


@blueprint.route("/new/<key>", methods=["GET", "POST"])
def new_table(key: str):
    """Create a table from the players' names, with a default setup that can be changed later."""
    tracked = TRACKED_GAMES.get(key) or abort(404)
    form = NamesForm(request.form if request.method == "POST" else None, seats=tracked.box.player_counts)
    refused: tuple = ()
    if form.is_submitted() and form.validate():
        phone = device()
        context.count_limit("tables")
        try:
            setup = context.referee().default_setup(tracked, form.entered_names)
            colors = context.referee().usual_colors(phone, tracked, form.entered_names)
            table = context.referee().open_table(phone, key, setup, colors=colors)
            return context.redirect_to("lobby.lobby", code=table.code)
        except IllegalMoveError as error:
            refused = tuple(error.reasons)
    status = 422 if form.is_submitted() else 200
    page = home_pages.NewTablePage(tracked, form, context.recent_names(), refused)
    return render_template("new_table.html", page=page), status


@blueprint.get("/t/<code>")
def lobby(code: str):
    """Show the lobby: seats, code, setup.

    The redirect from a seat's page sets a cookie and asks here, by `cookie`, whether the phone has kept it.
    """
    table = context.table(code)
    if "cookie" not in request.args:
        return _render_lobby("lobby.html", table)
    if has_cookie():
        return context.redirect_to("lobby.lobby", code=table.code)
    return _render_lobby("lobby.html", table, f"{NO_COOKIE_TITLE}. {NO_COOKIE_TEXT}")


@blueprint.get("/t/<code>/now")
def lobby_region(code: str):
    """Return the lobby's live region; 204 if the phone has the current version."""
    table = context.table(code)
    if context.is_current(table):
        return Response(status=204)
    return _render_lobby("_lobby.html", table)


def _render_lobby(template: str, table: Table, *refusal: str) -> str:
    address = context.external_url("lobby.lobby", code=table.code)
    local_address = context.local_name_url("lobby.lobby", code=table.code)
    page = lobby_pages.lobby_page(table, device(), address, qr.svg(address), refusal, local_address=local_address)
    return render_template(template, page=page)


def _lobby_form(view: Callable[[Table], Response]):
    """Pass the table to the view of a form of the lobby; show a refusal on top of the lobby."""

    @functools.wraps(view)
    def respond(code: str):
        table = context.table(code)
        try:
            return view(table)
        except NotAllowedError as error:
            current = context.referee().store.current_table(table)
            return _render_lobby("lobby.html", current, str(error)), 403

    return respond


@blueprint.post("/t/<code>/sit")
@_lobby_form
def sit(table: Table) -> Response:
    """Take a seat, or request it if another phone holds it."""
    seat = request.form.get("seat", -1, int)
    new_table = context.referee().sit(table, device(), context.tap(), seat)
    if seat in new_table.seats_of(device()):
        return context.redirect_to("play.seat", code=table.code, seat=seat)
    return context.redirect_to("lobby.lobby", code=table.code)


@blueprint.post("/t/<code>/color")
@_lobby_form
def choose_color(table: Table) -> Response:
    """Choose the color of a player's piece. This also takes a free seat."""
    seat = request.args.get("seat", -1, int)
    context.referee().choose_color(table, device(), context.tap(), seat, request.form.get("color", ""))
    if seat in table.seats_of(device()):
        return context.redirect_to("lobby.lobby", code=table.code)
    return context.redirect_to("play.seat", code=table.code, seat=seat)


@blueprint.post("/t/<code>/stand")
@_lobby_form
def stand_up(table: Table) -> Response:
    """Give up a seat."""
    context.referee().stand_up(table, device(), context.tap(), request.form.get("seat", -1, int))
    return context.redirect_to("lobby.lobby", code=table.code)


@blueprint.post("/t/<code>/answer")
@_lobby_form
def answer(table: Table) -> Response:
    """Approve or decline a proposal from the lobby, as a host without a seat does."""
    answer_proposal(table)
    return context.redirect_to("lobby.lobby", code=table.code)


@blueprint.route("/t/<code>/setup", methods=["GET", "POST"])
def setup(code: str):
    """Change the setup, until the first move."""
    table = context.table(code)
    refused: tuple = ()
    shown_setup, first_seat = table.setup, 0
    if request.method == "POST":
        data = read_nested_fields(request.form, "setup.")
        first_seat = request.form.get("first", 0, int)
        try:
            consent = read_consent(request.form.get("consent", table.consent))
            new_table = context.referee().change_setup(table, device(), context.tap(), data, first_seat, consent)
            return _redirect_after_setup(context.tick_entered_step(table, new_table))
        except IllegalMoveError as error:
            refused = tuple(error.reasons)
            entered = msgspec.to_builtins(table.setup) | data
            # As typed, so that it can be corrected.
            shown_setup = msgspec.convert(entered, table.tracked.setup_format.type, strict=False)
    last_code, last_setup = ("", shown_setup) if request.method == "POST" else _previous_setup(table)
    is_reused = bool(last_code) and request.args.get("as") == "last"
    shown_setup = last_setup if is_reused else shown_setup
    page = lobby_pages.SetupPage(
        table_pages.table_page(table, device()), shown_setup, first_seat, refused, last_code, is_reused
    )
    return render_template("setup.html", page=page), 422 if refused else 200


def _redirect_after_setup(table: Table) -> Response:
    """Redirect to the lobby, or to the seat of this phone whose page had the form."""
    seat = request.args.get("seat", -1, int)
    if seat in table.seats_of(device()):
        return context.redirect_to("play.seat", code=table.code, seat=seat)
    return context.redirect_to("lobby.lobby", code=table.code)


def _previous_setup(table: Table) -> tuple[str, GameSetup]:
    """Return this phone's latest other table of the game, and its setup applied to this table.

    The code is empty if there is no such table, or if its setup is the same.
    """
    store = context.referee().store
    for previous in map(store.find_table, store.codes_of_device(device())):
        if previous and previous.game_key == table.game_key and previous.code != table.code:
            reused = table.tracked.setup_format.reuse(table.setup, previous.setup)
            return (previous.code, reused) if reused != table.setup else ("", table.setup)
    return "", table.setup


@blueprint.post("/t/<code>/again")
@_lobby_form
def rematch(table: Table) -> Response:
    """Start another game with the same players, in the seats this phone holds there."""
    context.count_limit("again")
    first_seat = request.form.get("first", 0, int)
    return context.redirect_to_table(context.referee().rematch(table, device(), context.tap(), first_seat))


context.redirect_from_form(blueprint, "/t/<code>/<any(sit, stand, answer, again):form>", "lobby.lobby")
context.redirect_from_form(blueprint, "/t/<code>/color", "lobby.lobby")
context.redirect_from_form(blueprint, "/join", "lobby.home")


@blueprint.get("/t/<code>/qr.svg")
def qr_code(code: str):
    """Return the join address as a QR code in SVG."""
    address = context.external_url("lobby.lobby", code=context.table(code).code)
    return qr.svg(address), {"Content-Type": "image/svg+xml"}


@blueprint.get("/about")
def about():
    """Show the page about Waymark: its purpose, the games' publishers, its libraries."""
    return render_template("about.html", page=home_pages.GamesPage(tuple(GAMES.values())))
