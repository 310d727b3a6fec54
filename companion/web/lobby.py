"""Home, a new table, joining, the lobby: who sits where, what the table is set up with."""

from typing import Any

import msgspec
from flask import Blueprint, abort, current_app, render_template, request

from companion.log.apply import Broken
from companion.log.table import Table
from companion.pages import pages
from companion.rendering import qr
from companion.service.referee import NotAllowed
from companion.storage.store import NoSuchTable
from companion.web import context
from companion.web.forms import JoinForm, NamesForm, plain, read_consent
from companion.web.sessions import device
from scoring.games import GAMES, PLAYS
from scoring.kernel.errors import Illegal

blueprint = Blueprint("lobby", __name__)
LATEST = 3  # results on the first page


@blueprint.get("/")
def home():
    """The games, a code to join, the tables this phone knows."""
    return _home(JoinForm())


def _home(form: JoinForm, status: int = 200):
    store = context.referee().store
    tables = []
    for code in store.codes_of(device(), open=True):
        try:
            tables.append(pages.resumable(store.table(code)))
        except (Broken, NoSuchTable):
            continue
    results = context.referee().history.latest(device(), LATEST)
    return render_template(
        "home.html", page=pages.HomePage(tuple(GAMES.values()), tuple(tables), tuple(results), form)
    ), status


@blueprint.post("/join")
def join():
    """Go to the table whose code was typed."""
    form = JoinForm()
    if not form.validate():
        return _home(form, 422)
    code = form.code.data
    assert code  # the form is valid
    if code[0] not in current_app.config["CODES"]:  # another instance behind the same address has it
        return context.go("lobby.lobby", code=code)
    try:
        return context.go("lobby.lobby", code=context.table(code).code)
    except NoSuchTable:
        form.code.errors = [f"There is no table {code} here. Look at the code again."]
        return _home(form, 404)


@blueprint.route("/new/<key>", methods=["GET", "POST"])
def new(key: str):
    """Type the names and the table exists; everything else has a usual set-up that can be changed."""
    play = PLAYS.get(key) or abort(404)
    form = NamesForm(request.form if request.method == "POST" else None, seats=play.box.seats)
    refused: tuple = ()
    if form.is_submitted() and form.validate():
        phone = device()
        context.limited("tables")
        try:
            table = context.referee().open(phone, key, context.referee().usual(play, form.given))
            return context.go("lobby.lobby", code=table.code)
        except Illegal as fault:
            refused = tuple(fault.reasons)
    status = 422 if form.is_submitted() else 200
    return render_template(
        "new.html", page=pages.NewPage(play, form, context.referee().history.names(device()), refused)
    ), status


@blueprint.get("/t/<code>")
def lobby(code: str):
    """The table's front door: take a seat, show the code, look at the set-up."""
    return _lobby("lobby.html", context.table(code))


@blueprint.get("/t/<code>/now")
def lobby_now(code: str):
    """The lobby's live region."""
    table = context.table(code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return _lobby("_lobby.html", table)


def _lobby(template: str, table: Table, *refusal: str) -> str:
    address = context.whole_address("lobby.lobby", code=table.code)
    return render_template(template, page=pages.lobby_page(table, device(), address, qr.svg(address), refusal))


def _refused(table: Table, fault: NotAllowed):
    """Answer a tap that was refused: the lobby, with why on top."""
    return _lobby("lobby.html", context.referee().store.table(table.code), str(fault)), 403


@blueprint.post("/t/<code>/sit")
def sit(code: str):
    """Take a seat; one that another phone holds is asked for."""
    table = context.table(code)
    seat = request.form.get("seat", -1, int)
    try:
        after = context.referee().sit(table.code, device(), context.tap(), seat)
    except NotAllowed as fault:
        return _refused(table, fault)
    if seat in after.seats_of(device()):
        return context.go("play.seat", code=table.code, seat=seat)
    return context.go("lobby.lobby", code=table.code)


@blueprint.post("/t/<code>/stand")
def stand(code: str):
    """Give a seat back."""
    table = context.table(code)
    try:
        context.referee().stand(table.code, device(), context.tap(), request.form.get("seat", -1, int))
    except NotAllowed as fault:
        return _refused(table, fault)
    return context.go("lobby.lobby", code=table.code)


@blueprint.post("/t/<code>/answer")
def answer(code: str):
    """Agree or decline from the lobby, where a host without a seat is."""
    table = context.table(code)
    form = request.form
    number, yes = form.get("proposal", 0, int), form.get("yes") == "1"
    try:
        context.referee().answer(table.code, device(), context.tap(), number, yes)
    except NotAllowed as fault:
        return _refused(table, fault)
    return context.go("lobby.lobby", code=table.code)


@blueprint.route("/t/<code>/setup", methods=["GET", "POST"])
def setup(code: str):
    """Change the set-up, as long as nobody has moved."""
    table = context.table(code)
    refused: tuple = ()
    shown, first = table.setup, 0
    if request.method == "POST":
        data = plain(request.form, "setup.")
        first = request.form.get("first", 0, int)
        try:
            consent = read_consent(request.form.get("consent", table.consent))
            context.referee().change_setup(table.code, device(), context.tap(), data, first, consent)
            return context.go("lobby.lobby", code=table.code)
        except Illegal as fault:
            refused = tuple(fault.reasons)
            typed = msgspec.to_builtins(table.setup) | data
            shown = msgspec.convert(typed, table.play.setup, strict=False)  # as it was typed, to be mended
    last, otherwise = ("", shown) if request.method == "POST" else _last_time(table)
    as_last = bool(last) and request.args.get("as") == "last"
    shown = otherwise if as_last else shown
    page = pages.SetupPage(pages.table_page(table, device()), shown, first, refused, last, as_last)
    return render_template("setup.html", page=page), 422 if refused else 200


def _last_time(table: Table) -> tuple[str, Any]:
    """Return the latest other table of the game this phone knows, and the set-up it makes of this one's; none: this one's."""
    for code in context.referee().store.codes_of(device()):
        try:
            last = context.referee().store.table(code)
        except (Broken, NoSuchTable):
            continue
        if last.game_key == table.game_key and last.code != table.code:
            otherwise = table.play.as_last_time(table.setup, last.setup)
            return (last.code, otherwise) if otherwise != table.setup else ("", table.setup)
    return "", table.setup


@blueprint.post("/t/<code>/again")
def again(code: str):
    """Go on to another game with the same players, in the seats this phone holds there."""
    table = context.table(code)
    context.limited("again")
    try:
        return context.go_on(
            context.referee().again(table.code, device(), context.tap(), request.form.get("first", 0, int))
        )
    except NotAllowed as fault:
        return _refused(table, fault)


@blueprint.get("/t/<code>/<any(sit, stand, answer, again):form>")
def sent(code: str, form: str):
    """Where a refused form was answered, opened again: the page it came from."""
    return context.go("lobby.lobby", code=code)


@blueprint.get("/join")
def joined():
    """Where a wrong code was answered, opened again."""
    return context.go("lobby.home")


@blueprint.get("/t/<code>/qr.svg")
def code_picture(code: str):
    """The join code as a picture, for a page of its own."""
    address = context.whole_address("lobby.lobby", code=context.table(code).code)
    return qr.svg(address), {"Content-Type": "image/svg+xml"}


@blueprint.get("/about")
def about():
    """What this is, whose games these are, whose work it stands on."""
    return render_template("about.html", page=pages.AboutPage(tuple(GAMES.values())))
