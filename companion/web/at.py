"""What the views share: the referee, the phone, the table of the address."""

from flask import Response, current_app, make_response, redirect, request, url_for

from companion import seats
from companion.referee import Referee
from companion.store import NoSuchTable
from companion.table import Table
from scoring.kernel.game import Malformed


def referee() -> Referee:
    return current_app.extensions["waymark"]


def table(code: str) -> Table:
    """Return the table of an address, and note that this phone is there; wrong codes are counted.

    :raises NoSuchTable: when there is none.
    :raises TooManyGuesses: when this address has tried too many.
    """
    guesses: seats.Guesses = current_app.extensions["guesses"]
    address = request.remote_addr or ""
    guesses.check(address)
    try:
        table = referee().store.table(code.upper())
    except NoSuchTable:
        guesses.wrong(address)
        raise
    phone = seats.device()
    if table.seats_of(phone):
        referee().presence.seen(table.code, phone)
    return table


def tap() -> str:
    """Return the id of the tap that sent this form.

    :raises Malformed: when there is none.
    """
    given = request.form.get("tap", "")
    if not 1 <= len(given) <= 32:
        raise Malformed("tap: every form carries one, made when its page was drawn")
    return given


def by_htmx() -> bool:
    return "HX-Request" in request.headers


def go(endpoint: str, **values) -> Response:
    """Send the phone to another page, whether htmx asked or the browser did."""
    address = url_for(endpoint, **values)
    if by_htmx():
        answer = make_response("", 200)
        answer.headers["HX-Redirect"] = address
        return answer
    return redirect(address, code=303)


def whole_address(endpoint: str, **values) -> str:
    """Return an address another phone can open: the host as this phone called it, or the LAN address if that is
    a name only this computer knows."""
    host = request.host
    name, _, port = host.partition(":")
    if name in ("localhost", "127.0.0.1", "0.0.0.0"):
        lan = current_app.config.get("LAN_ADDRESS", name)
        host = f"{lan}:{port}" if port else lan
    return f"{request.scheme}://{host}{url_for(endpoint, **values)}"
