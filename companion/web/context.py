"""Helpers of the views: the referee, the phone's identity, the requested table, redirects."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, make_response, redirect, request, session, url_for
from werkzeug.datastructures import MultiDict

from companion.history.result import Result
from companion.log.steps import ConflictingStepError
from companion.log.table import Table
from companion.pages.setup_guide import setup_card
from companion.service.referee import NotAllowedError, Referee
from companion.storage.database import DAMAGED_TEXT, StorageError
from companion.storage.lessons import EXPERIENCED, Learner, Reading
from companion.storage.store import TableNotFoundError, new_tap
from companion.system.hosts import host_name, is_known_to_all_phones, is_local_name
from companion.system.limits import RateLimitError
from companion.system.presence import Presence
from companion.web import sessions
from scoring.kernel.english import end_sentence, truncate
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason

TABLES_SEARCHED = 1000  # the latest tables of a rate-limited phone, among which its request is looked up
MAX_OPEN_TABLES = 1000  # the latest open tables, which lists show
DISK_FULL_WARNING = (
    "The disk of the computer that runs Waymark is full. You can look at everything, but you cannot enter anything."
)
RECENT_RESULTS = 30  # results whose players are suggested in name fields
LARGEST_ID = 2**63 - 1  # the largest integer of SQLite
MAX_FILE_NAME_LENGTH = 80  # of an uploaded file, as it is shown
REFUSALS = (IllegalMoveError, InvalidInputError, NotAllowedError, ConflictingStepError)  # why a form is refused


def referee() -> Referee:
    return current_app.extensions["waymark"]


def is_owner() -> bool:
    """Return whether this phone is the owner's."""
    return referee().card_facts.owners.is_owner(sessions.device())


def open_codes() -> list[str]:
    """Return the open tables that this phone may see, the last opened first.

    The owner's phones see all of them, other phones those that they have been at: a code is an invitation.
    """
    store = referee().store
    if is_owner():
        return store.unfinished_codes(MAX_OPEN_TABLES)
    return store.codes_of_device(sessions.device(), MAX_OPEN_TABLES, only_unfinished=True)


def recent_names() -> tuple[str, ...]:
    """Return the names of the players in this phone's latest results, to suggest in a form."""
    return referee().players.names_in(referee().results.latest(sessions.device(), RECENT_RESULTS))


def learner(table: Table, seat: int) -> Learner:
    """Return the player at a seat of this phone as a learner of the game."""
    if table.tracked.lessons is None:
        return EXPERIENCED
    return referee().learners.find(sessions.device(), table.names[seat], table.game_key)


def set_taught(table: Table, seat: int, is_taught: bool) -> None:
    """Save whether this phone teaches the player at a seat."""
    referee().learners.set_taught(sessions.device(), table.names[seat], table.game_key, is_taught)


def mark_lesson_read(table: Table, seat: int, id: str, reading: Reading) -> None:
    """Save that the player at a seat has read a lesson on this phone."""
    referee().learners.mark_read(sessions.device(), table.names[seat], table.game_key, id, reading)


def tick_entered_step(table: Table, new_table: Table) -> Table:
    """Tick off the step of the guided setup if a change has entered all that it asks for."""
    before, after = setup_card(table), setup_card(new_table)
    if before and after and before.step.id == after.step.id and before.waits_for_entry and not after.waits_for_entry:
        return referee().change_setup_guide(new_table, sessions.device(), new_tap(), step=before.step.id)
    return new_table


def presence() -> Presence:
    found = referee().presence
    assert found  # only a referee that serves no phones has none
    return found


def table(code: str, *, marks_presence: bool = True) -> Table:
    """Return the requested table, and mark this phone as present; wrong codes are counted.

    :param marks_presence: False for a request that no player has caused.
    :raises TableNotFoundError: if there is no such table.
    :raises RateLimitError: if this phone or address has tried too many codes and has never been at this table.
    """
    found, phone = _find_table(code.upper()), sessions.device()
    if marks_presence and found.seats_of(phone):
        presence().mark_seen(found.code, phone)
    return found


def own_table(code: str, seat: int) -> Table:
    """Return the requested table, or redirect a phone without this seat to the lobby."""
    found = table(code)
    require_own_seat(found, seat)
    return found


def require_own_seat(table: Table, seat: int) -> None:
    """End the request of a phone without this seat: redirect it to the lobby.

    The lobby then checks whether the phone has kept the cookie of the redirect.
    """
    if seat not in table.seats_of(sessions.device()):
        check = {} if sessions.has_cookie() else {"cookie": "check"}
        abort(redirect_to("lobby.lobby", code=table.code, **check))


def is_current(table: Table) -> bool:
    """Return whether the phone that asks for a live region has the current version of the table."""
    return request.args.get("have", type=int) == table.version


def _find_table(code: str) -> Table:
    """Return a table; the code is counted as a guess before the lookup."""
    store, guesses = referee().store, current_app.extensions["guesses"]
    phone, address = client_identity()
    try:
        uncount_guess = guesses.count_guess(code, phone, address)
    except RateLimitError:
        if phone is None or code not in store.codes_of_device(phone, TABLES_SEARCHED):
            raise
        guesses.remember(code, phone)
        return store.table(code)
    try:
        found = store.table(code)
    except TableNotFoundError:
        raise
    except Exception:  # the table exists, whatever else is wrong
        uncount_guess()
        raise
    uncount_guess()
    return found


def result(id: str) -> Result:
    """Return the requested result; wrong ids are counted like wrong codes.

    :raises RateLimitError: if this phone or its address has tried too many.
    """
    uncount_guess = current_app.extensions["guesses"].count_guess(id.upper(), *client_identity())
    found = referee().results.find(id.upper())
    if found is None:
        abort(404)
    uncount_guess()
    return found


def read_id(values: MultiDict[str, str], name: str) -> int:
    """Return an id from a request, or 0 if it is not valid."""
    id = values.get(name, 0, int)
    return id if 0 < id <= LARGEST_ID else 0


def uploaded_file(field: str, max_bytes: int) -> bytes:
    """Return an uploaded file, at most `max_bytes` and one byte; empty if no file was sent."""
    file = request.files.get(field)
    if file is None:
        return b""
    with file.stream:
        return file.stream.read(max_bytes + 1)


def uploaded_name(field: str) -> str:
    """Return the name of an uploaded file, without its folder and shortened."""
    file = request.files.get(field)
    name = re.split(r"[/\\]", file.filename or "")[-1] if file else ""
    return truncate(" ".join(name.split()), MAX_FILE_NAME_LENGTH)


def client_identity() -> tuple[str | None, str]:
    """Return whom a rate limit counts: the phone, if it is known, and its address."""
    return session.get("device"), request.remote_addr or ""


def count_limit(action: str) -> None:
    """Count an action of this phone that is rate-limited.

    :raises RateLimitError: if it has to wait.
    """
    current_app.extensions["limits"].take(action, *client_identity())


def tap() -> str:
    """Return the id of the tap that sent this form.

    :raises InvalidInputError: if the form has no valid id.
    :raises RateLimitError: if taps come faster than anyone can tap.
    """
    id = request.form.get("tap", "")
    if not 1 <= len(id) <= 32:
        raise InvalidInputError("tap: this is needed, as on the page of the form")
    count_limit("taps")
    return id


def is_tap_committed() -> bool:
    """Return whether this form's change was stored, even if something failed afterwards."""
    code, id = (request.view_args or {}).get("code"), request.form.get("tap")
    try:
        return bool(code and id and referee().store.has_tap(code.upper(), id))
    except (TableNotFoundError, StorageError):
        return False


def warnings() -> Iterator[str]:
    """Yield warnings: a full disk for everyone, a damaged database for the owner."""
    store = referee().store
    if store.is_full:
        yield DISK_FULL_WARNING
    if store.damage:
        with suppress(StorageError):
            if referee().card_facts.owners.is_owner(session.get("device")):
                yield DAMAGED_TEXT


def refusal(error: Exception) -> tuple[Sequence[Reason | str], int]:
    """Return the reasons of one of the `REFUSALS`, to show on the form's page, and the status."""
    match error:
        case IllegalMoveError():
            return error.reasons, 422
        case InvalidInputError():
            return [end_sentence(f"This could not be read: {error}")], 400
        case NotAllowedError():
            return [str(error)], 403
    return [str(error)], 409


def require(is_allowed: bool, refusal: str) -> None:
    """Refuse a request with status 403 unless it is allowed."""
    if not is_allowed:
        abort(403, refusal)


def redirect_from_form(blueprint: Blueprint, rule: str, endpoint: str) -> None:
    """Redirect GET requests for the addresses of forms, as after a refused form, to a page.

    :param rule: the addresses; their parameters, except `form`, are those of the page.
    """

    def redirect_to_page(form: str = "", **values) -> Response:
        return redirect_to(endpoint, **values)

    blueprint.add_url_rule(rule, f"redirect from {rule}", redirect_to_page)


def is_htmx_request() -> bool:
    return "HX-Request" in request.headers


def redirect_to(endpoint: str, **values) -> Response:
    """Redirect to another page, for htmx and for plain requests."""
    return redirect_to_address(url_for(endpoint, **values))


def redirect_to_address(address: str) -> Response:
    """Redirect to an address of this app."""
    if is_htmx_request():
        answer = make_response("", 200)
        answer.headers["HX-Redirect"] = address
        return answer
    return make_response(redirect(address, code=303))


def table_address(table: Table, device: str) -> str:
    """Return the address of a phone's first seat at a table, or of the table's lobby."""
    for seat in table.seats_of(device):
        return url_for("play.seat", code=table.code, seat=seat)
    return url_for("lobby.lobby", code=table.code)


def redirect_to_table(table: Table) -> Response:
    """Redirect to the phone's seat at another table, or to that table's lobby."""
    return redirect_to_address(table_address(table, sessions.device()))


def external_url(endpoint: str, **values) -> str:
    """Return an address that every phone on the network can open.

    The LAN address replaces IPv6 addresses, and names that only this computer or its network can resolve. Behind a
    proxy, which may serve other networks, a name is kept.
    """
    name = host_name(request.host) or ""
    is_kept = is_known_to_all_phones(name) or (is_local_name(name) and _is_proxied())
    return _url_of_host(name if is_kept else current_app.config.get("LAN_ADDRESS", name), endpoint, **values)


def local_name_url(endpoint: str, **values) -> str:
    """Return the address with the local name that this phone has used; empty if it used none.

    `external_url` has another address then, because other phones may not know the name.
    """
    name = host_name(request.host) or ""
    address = _url_of_host(name, endpoint, **values)
    is_other = is_local_name(name) and address != external_url(endpoint, **values)
    return address if is_other else ""


def _is_proxied() -> bool:
    return bool(current_app.config["PROXIES"]) or request.scheme == "https"


def _url_of_host(host: str, endpoint: str, **values) -> str:
    port = urlsplit(f"//{request.host}").port
    return f"{request.scheme}://{host}{f':{port}' if port else ''}{url_for(endpoint, **values)}"
