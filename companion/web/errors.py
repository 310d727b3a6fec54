"""Errors become answers in one place: malformed 400, not yours 403, unknown 404, illegal 422, too many 429."""

import re

from flask import Flask, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from companion.log.apply import Broken
from companion.log.table import InTheWay
from companion.pages.pages import ErrorPage
from companion.service.referee import NotAllowed, TooBusy
from companion.storage import store
from companion.storage.store import NoSuchTable
from companion.system.limits import TooMany
from companion.web.context import by_htmx, go_to, has_counted
from scoring.kernel.errors import Illegal, Malformed

# What is wrong with the file of the tables: status, title, seconds until it is worth trying again.
TROUBLES = {
    store.Full: (507, "No room left", None),
    store.Busy: (503, "The file is held", 5),
    store.Damaged: (500, "This table is damaged", None),
    store.Trouble: (500, "The tables cannot be reached", None),
}


def register(app: Flask) -> None:
    """Answer every error a person can meet: a page that says what happened and what to do, with the way back.

    A page that is open already gets the sentence alone, to tell it beside what it shows.
    """

    def answer(status: int, title: str, *texts: str, then: str = "", wait: float | None = None, lost: bool = False):
        """Say what happened; `then` is what to do on a page, where nothing does it by itself."""
        headers = {} if wait is None else {"Retry-After": str(wait)}
        if by_htmx():
            said = render_template("_trouble.html", title=title, texts=texts)
            return said, status, headers | {"HX-Reswap": "none"}  # where the page's own script has not come
        all_texts = (*texts, then) if then else texts
        return (
            render_template("error.html", page=ErrorPage(title, all_texts, None if lost else _back())),
            status,
            headers,
        )

    @app.errorhandler(Malformed)
    def malformed(fault: Malformed):
        return answer(400, "That could not be read", str(fault), "Nothing was changed.", then="Go back and try again.")

    @app.errorhandler(Illegal)
    def illegal(fault: Illegal):
        return answer(422, "The rules say no", *map(str, fault.reasons))

    @app.errorhandler(InTheWay)
    def in_the_way(fault: InTheWay):
        return answer(409, "Something stands in the way", str(fault))

    @app.errorhandler(NotAllowed)
    def not_allowed(fault: NotAllowed):
        return answer(403, "Not from this phone", str(fault))

    @app.errorhandler(NoSuchTable)
    def no_such_table(fault: NoSuchTable):
        text = f"There is no table {fault}. Look at the code again, or scan it."
        return answer(404, "No such table", text, lost=True)

    @app.errorhandler(TooMany)
    def too_many(fault: TooMany):
        return answer(429, "One moment", str(fault), wait=fault.wait)

    @app.errorhandler(TooBusy)
    def too_busy(fault: TooBusy):
        return answer(503, "Everybody at once", "The others were quicker each time.", then="Tap again.", wait=1)

    @app.errorhandler(store.Trouble)
    def trouble(fault: store.Trouble):
        app.logger.error("%s: %s", type(fault).__name__, fault.__cause__ or fault)
        status, title, wait = next(TROUBLES[kind] for kind in type(fault).__mro__ if kind in TROUBLES)
        return answer(status, title, str(fault), wait=wait)

    @app.errorhandler(Broken)
    def broken(fault: Broken):
        return answer(
            500, "This table cannot be opened", str(fault), "Its log is safe; waymark export writes it to a file."
        )

    @app.errorhandler(CSRFError)
    def stale(fault: CSRFError):
        how = "Tap again" if by_htmx() else "Open the page again and repeat what you did"
        return answer(400, "This page is out of date", f"{how}; nothing was changed.")

    @app.errorhandler(HTTPException)
    def http(fault: HTTPException):
        if fault.code == 404:
            return answer(404, "Off the trail", "There is no such page.")
        page, status, headers = answer(fault.code or 500, fault.name, fault.description or "")
        allowed = fault.get_response().headers.get("Allow")
        return page, status, headers | ({"Allow": allowed} if allowed else {})

    @app.errorhandler(Exception)
    def unforeseen(fault: Exception):
        app.logger.exception("Unforeseen")
        if request.method == "POST" and has_counted():
            return go_to(_back() or url_for("lobby.home"))  # what has counted is answered so; the page is drawn anew
        text = (
            "Nothing was lost."
            if request.method in ("GET", "HEAD")
            else "What you did has not counted; nothing else was lost."
        )
        return answer(500, "That should not have happened", text, then="Go back and try again.")


def _back() -> str | None:
    """Return the table's page that an address under it leads back to: the seat's, else the table's own."""
    found = re.match(r"/t/([A-Za-z]{5})(?:/seat/([0-9]{1,3}))?(?=/|$)", request.path)
    if not found:
        return None
    code, seat = found.groups()
    if seat and (own := url_for("play.seat", code=code, seat=seat)) != request.path:
        return own
    return url_for("lobby.lobby", code=code)
