"""Error handlers: invalid 400, not allowed 403, unknown 404, illegal 422, rate limit 429."""

import re

from flask import Flask, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from companion.log.apply import CorruptLogError
from companion.log.steps import ConflictingStepError
from companion.pages.home import ErrorPage
from companion.service.referee import NotAllowedError, TooManyRetriesError
from companion.storage import database
from companion.storage.store import TableNotFoundError
from companion.system.limits import RateLimitError
from companion.web.context import is_htmx_request, is_tap_committed, redirect_to_address
from scoring.kernel.errors import IllegalMoveError, InvalidInputError

# Errors of the database: status, title, seconds until a retry makes sense.
STORAGE_ERRORS = {
    database.DiskFullError: (507, "No room left", None),
    database.DatabaseBusyError: (503, "The file is held", 5),
    database.DamagedDataError: (500, "This table is damaged", None),
    database.StorageError: (500, "The tables cannot be reached", None),
}


def register(app: Flask) -> None:
    """Register the error handlers: a page with the error, advice, and a link back.

    An htmx request gets only the sentence, which the open page shows beside its content.
    """

    def answer(
        status: int,
        title: str,
        *texts: str,
        advice: str = "",
        retry_after: float | None = None,
        is_table_missing: bool = False,
    ):
        """Render an error; `advice` is left out for htmx, where the page retries by itself."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        if is_htmx_request():
            body = render_template("_error_message.html", title=title, texts=texts)
            return body, status, headers | {"HX-Reswap": "none"}  # in case the page's own script has not loaded
        all_texts = (*texts, advice) if advice else texts
        return (
            render_template("error.html", page=ErrorPage(title, all_texts, None if is_table_missing else _back_url())),
            status,
            headers,
        )

    @app.errorhandler(InvalidInputError)
    def handle_invalid_input(error: InvalidInputError):
        return answer(
            400, "That could not be read", str(error), "Nothing was changed.", advice="Go back and try again."
        )

    @app.errorhandler(IllegalMoveError)
    def handle_illegal_move(error: IllegalMoveError):
        return answer(422, "The rules say no", *map(str, error.reasons))

    @app.errorhandler(ConflictingStepError)
    def handle_conflicting_step(error: ConflictingStepError):
        return answer(409, "Something stands in the way", str(error))

    @app.errorhandler(NotAllowedError)
    def handle_not_allowed(error: NotAllowedError):
        return answer(403, "Not from this phone", str(error))

    @app.errorhandler(TableNotFoundError)
    def handle_table_not_found(error: TableNotFoundError):
        text = f"There is no table {error}. Look at the code again, or scan it."
        return answer(404, "No such table", text, is_table_missing=True)

    @app.errorhandler(RateLimitError)
    def handle_rate_limit(error: RateLimitError):
        return answer(429, "One moment", str(error), retry_after=error.retry_after)

    @app.errorhandler(TooManyRetriesError)
    def handle_too_busy(error: TooManyRetriesError):
        return answer(
            503, "Everybody at once", "The others were quicker each time.", advice="Tap again.", retry_after=1
        )

    @app.errorhandler(database.StorageError)
    def handle_storage_error(error: database.StorageError):
        app.logger.error("%s: %s", type(error).__name__, error.__cause__ or error)
        status, title, wait = next(STORAGE_ERRORS[kind] for kind in type(error).__mro__ if kind in STORAGE_ERRORS)
        return answer(status, title, str(error), retry_after=wait)

    @app.errorhandler(CorruptLogError)
    def handle_corrupt_log(error: CorruptLogError):
        return answer(
            500, "This table cannot be opened", str(error), "Its log is safe; waymark export writes it to a file."
        )

    @app.errorhandler(CSRFError)
    def handle_csrf_error(error: CSRFError):
        instruction = "Tap again" if is_htmx_request() else "Open the page again and repeat what you did"
        return answer(400, "This page is out of date", f"{instruction}; nothing was changed.")

    @app.errorhandler(HTTPException)
    def handle_http_error(error: HTTPException):
        if error.code == 404:
            return answer(404, "Off the trail", "There is no such page.")
        page, status, headers = answer(error.code or 500, error.name, error.description or "")
        allowed = error.get_response().headers.get("Allow")
        return page, status, headers | ({"Allow": allowed} if allowed else {})

    @app.errorhandler(Exception)
    def handle_unexpected_error(error: Exception):
        app.logger.exception("Unforeseen")
        if request.method == "POST" and is_tap_committed():
            return redirect_to_address(_back_url() or url_for("lobby.home"))  # the tap was committed: show its result
        text = (
            "Nothing was lost."
            if request.method in ("GET", "HEAD")
            else "What you did has not counted; nothing else was lost."
        )
        return answer(500, "That should not have happened", text, advice="Go back and try again.")


def _back_url() -> str | None:
    """Return the page of the table to go back to: the seat's, else the lobby."""
    found = re.match(r"/t/([A-Za-z]{5})(?:/seat/([0-9]{1,3}))?(?=/|$)", request.path)
    if not found:
        return None
    code, seat = found.groups()
    if seat and (seat_url := url_for("play.seat", code=code, seat=seat)) != request.path:
        return seat_url
    return url_for("lobby.lobby", code=code)
