"""Errors become answers in one place: malformed 400, not yours 403, unknown 404, illegal 422, too many 429."""

from flask import Flask, render_template
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from companion.referee import NotAllowed, TooBusy
from companion.seats import TooManyGuesses
from companion.store import NoSuchTable
from companion.table import Broken, InTheWay
from scoring.kernel.game import Illegal, Malformed


def register(app: Flask) -> None:
    """Answer every error a person can meet with a page that says what happened and what to do."""

    def answer(status: int, title: str, *texts: str):
        return render_template("error.html", title=title, texts=texts), status

    @app.errorhandler(Malformed)
    def malformed(fault: Malformed):
        return answer(400, "That could not be read", str(fault), "Go back and try again; nothing was changed.")

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
        return answer(404, "No such table", f"There is no table {fault}. Look at the code again, or scan it.")

    @app.errorhandler(TooManyGuesses)
    def too_many(fault: TooManyGuesses):
        page, status = answer(429, "One moment", f"That was many wrong codes. Try again in {fault.wait} seconds.")
        return page, status, {"Retry-After": str(fault.wait)}

    @app.errorhandler(TooBusy)
    def too_busy(fault: TooBusy):
        return answer(503, "Everybody at once", "The others were quicker each time. Tap again.")

    @app.errorhandler(Broken)
    def broken(fault: Broken):
        return answer(500, "This table cannot be opened", str(fault), "Its log is safe; waymark export writes it to a file.")

    @app.errorhandler(CSRFError)
    def stale(fault: CSRFError):
        return answer(400, "This page is out of date", "Open the page again and repeat what you did; nothing was changed.")

    @app.errorhandler(HTTPException)
    def http(fault: HTTPException):
        if fault.code == 404:
            return answer(404, "Off the trail", "There is no such page.")
        page, status = answer(fault.code or 500, fault.name, fault.description or "")
        allowed = fault.get_response().headers.get("Allow")
        return page, status, {"Allow": allowed} if allowed else {}

    @app.errorhandler(Exception)
    def unforeseen(fault: Exception):
        app.logger.exception("Unforeseen")
        return answer(500, "That should not have happened", "Nothing was lost; go back and try again.")
