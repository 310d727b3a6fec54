"""Error handlers: invalid 400, not allowed 403, unknown 404, illegal 422, rate limit 429."""

import re
from typing import NamedTuple

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
from companion.web.sessions import NO_COOKIE_TEXT, NO_COOKIE_TITLE, has_cookie
from scoring.kernel.errors import IllegalMoveError, InvalidInputError


class ErrorAnswer(NamedTuple):
    """The answer to an error."""

    status: int
    title: str
    texts: tuple[str, ...] = ("{}",)  # with {} for the text of the error
    advice: str = ""  # left out for htmx, where the page retries by itself
    retry_after: float | None = None  # seconds until a retry makes sense
    has_back_link: bool = True


ANSWERS: dict[type[Exception], ErrorAnswer] = {
    InvalidInputError: ErrorAnswer(
        400, "Waymark could not read that", ("{}", "Nothing was changed."), "Go back and try again."
    ),
    ConflictingStepError: ErrorAnswer(409, "This change is not possible"),
    NotAllowedError: ErrorAnswer(403, "Not allowed from this phone"),
    TableNotFoundError: ErrorAnswer(
        404,
        "Table not found",
        ("There is no table with the code {}. Check the 5 letters, or scan the QR code.",),
        has_back_link=False,
    ),
    TooManyRetriesError: ErrorAnswer(
        503, "Too many taps", ("Several phones tapped at the same moment.",), "Tap again.", 1
    ),
    CorruptLogError: ErrorAnswer(
        500, "This table cannot be opened", ("{}", "Its log is safe. Save it with waymark export.")
    ),
    database.DiskFullError: ErrorAnswer(507, "The disk is full"),
    database.DatabaseBusyError: ErrorAnswer(503, "The database is busy", retry_after=5),
    database.DamagedDataError: ErrorAnswer(500, "This table is damaged"),
    database.StorageError: ErrorAnswer(500, "The tables cannot be saved"),
}

# Titles of the errors that a player can cause, in place of the names that HTTP gives them.
HTTP_TITLES = {400: "Waymark could not read that", 403: "Not allowed", 413: "This file is too large"}


def register(app: Flask) -> None:
    """Register the error handlers: a page with the error, advice, and a link back.

    An htmx request gets only the sentence, which the open page shows beside its content.
    """

    def handle_known_error(error: Exception):
        if isinstance(error, database.StorageError):
            app.logger.error("%s: %s", type(error).__name__, error.__cause__ or error)
        answer = next(ANSWERS[kind] for kind in type(error).__mro__ if kind in ANSWERS)
        return _respond(answer._replace(texts=tuple(text.format(error) for text in answer.texts)))

    for kind in ANSWERS:
        app.register_error_handler(kind, handle_known_error)

    @app.errorhandler(IllegalMoveError)
    def handle_illegal_move(error: IllegalMoveError):
        return _respond(ErrorAnswer(422, "Against the rules", tuple(map(str, error.reasons))))

    @app.errorhandler(RateLimitError)
    def handle_rate_limit(error: RateLimitError):
        return _respond(ErrorAnswer(429, "Please wait", (str(error),), retry_after=error.retry_after))

    @app.errorhandler(CSRFError)
    def handle_csrf_error(error: CSRFError):
        if not has_cookie():  # the page with the form has set one
            return _respond(ErrorAnswer(400, NO_COOKIE_TITLE, ("Nothing was changed.", NO_COOKIE_TEXT)))
        instruction = "Tap again." if is_htmx_request() else "Reload the page and try again."
        return _respond(ErrorAnswer(400, "This page is out of date", (f"Nothing was changed. {instruction}",)))

    @app.errorhandler(HTTPException)
    def handle_http_error(error: HTTPException):
        if error.code == 404:
            return _respond(ErrorAnswer(404, "Page not found", ("There is no page at this address.",)))
        title = HTTP_TITLES.get(error.code or 500, error.name)
        page, status, headers = _respond(ErrorAnswer(error.code or 500, title, (error.description or "",)))
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
            else "Your last action was not saved. Nothing else was lost."
        )
        return _respond(ErrorAnswer(500, "Something went wrong", (text,), "Go back and try again."))


def _respond(answer: ErrorAnswer) -> tuple[str, int, dict[str, str]]:
    headers = {} if answer.retry_after is None else {"Retry-After": str(answer.retry_after)}
    if is_htmx_request():
        body = render_template("_error_message.html", title=answer.title, texts=answer.texts)
        return body, answer.status, headers | {"HX-Reswap": "none"}  # in case the page's own script has not loaded
    texts = (*answer.texts, *filter(None, [answer.advice]))
    page = ErrorPage(answer.title, texts, _back_url() if answer.has_back_link else None)
    return render_template("error.html", page=page), answer.status, headers


def _back_url() -> str | None:
    """Return the page of the table to go back to: the seat's, else the lobby."""
    found = re.match(r"/t/([A-Za-z]{5})(?:/seat/([0-9]{1,3}))?(?=/|$)", request.path)
    if not found:
        return None
    code, seat = found.groups()
    if seat and (seat_url := url_for("play.seat", code=code, seat=seat)) != request.path:
        return seat_url
    return url_for("lobby.lobby", code=code)
