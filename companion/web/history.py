"""Past games: results, players, statistics, typed results, import and export."""

import datetime
from collections.abc import Iterable
from operator import itemgetter

import msgspec
from flask import Blueprint, Response, abort, current_app, render_template, request, stream_with_context

from companion.exchange.bg_stats import write_bg_stats
from companion.exchange.files import CsvFile, WaymarkFile, read_file
from companion.exchange.plays import PlayFile
from companion.exchange.spreadsheet import OWN_COLUMNS, csv_rows
from companion.history import charts, statistics
from companion.history.figures import FIGURES, PLAYER_FIGURES, figure_rows, figures_of
from companion.history.result import Result, move_to_day, name_key
from companion.history.summary import Summary
from companion.pages import history as history_pages
from companion.service import import_export
from companion.service.clock import clock_warning, now
from companion.storage.bgg_ids import bgg_ids, set_bgg_id
from companion.storage.erasure import erase_player
from companion.storage.imports import Upload
from companion.storage.players import PlayerError, Players
from companion.storage.results import PAGE_SIZE, Results
from companion.web import context, imports
from companion.web.forms import DayForm, ResultForm
from companion.web.sessions import device
from companion.web.sheets import csv_response, download_headers
from scoring.games import GAMES
from scoring.kernel.errors import InvalidInputError

blueprint = Blueprint("history", __name__)
PLAYER_PATH = f"/history/players/<int(max={context.LARGEST_ID}):id>"
MAX_STRANGER_RECORDS = 100  # tables, results and players of one file, unless it is imported by the owner
# The fields of a typed result.
ENTERED_FIELDS = ("game", "ended", "day", "players", "decided_by", "verdict", "minutes", "where", "note")
MAX_FILE_BYTES = 2_000_000  # larger files of Waymark take too long to import while the page waits
MAX_PLAY_FILE_BYTES = 20_000_000  # an export of BG Stats has all games and their pictures' addresses
TOO_LARGE = "This file is too large for this page. Use waymark import FILE on the computer that runs Waymark."


def _results() -> Results:
    return context.referee().results


def _players() -> Players:
    return context.referee().players


@blueprint.get("/history")
def history():
    """Show the results, the latest first, with a search and the players."""
    return _render_history(note=imports.notice(request.args.get("import", "")))


def _render_history(refused: str = "", note: str = "", status: int = 200):
    results, phone, is_owner = _results(), device(), context.is_owner()
    search, game = request.args.get("q", "")[:100], request.args.get("game", "")
    if game and game not in GAMES:
        abort(404)
    page = min(max(request.args.get("page", 0, int), 0), 10**6)
    player, players = context.read_id(request.args, "player"), tuple(_players().visible(phone))
    if player and player not in {item.id for item in players}:  # also if this phone has never met the player
        abort(404)
    return render_template(
        "history/history.html",
        page=history_pages.HistoryPage(
            search_results=results.search(phone, search, game, page, player_id=player),
            query=search,
            game_key=game,
            player_id=player,
            page_number=page,
            page_size=PAGE_SIZE,
            players=players,
            games=tuple(item.box for item in GAMES.values()),
            is_owner=is_owner,
            hidden_results=tuple(results.hidden()) if is_owner else (),
            unread_count=results.unread_count(),
            imports=tuple(context.referee().imports.finished(phone)),
            bgg_ids=bgg_ids(context.referee().store),
            refusal=refused,
            notice=note,
        ),
    ), status


def _require_owner() -> None:
    context.require(
        context.is_owner(),
        "Only the owner\u2019s phone can do that. Enter the owner\u2019s key on the owner page first.",
    )


@blueprint.get(PLAYER_PATH)
def player(id: int):
    """Show a player's results and statistics; for the owner also the forms to edit the player."""
    return _render_player(id)


def _render_player(id: int, refused: str = "", status: int = 200):
    players, is_owner = _players(), context.is_owner()
    name, known, all_names = players.name(id), players.ids_by_name(), players.current_names()
    results = _results().of_player(id, device())
    if name is None or (not results and not is_owner):
        abort(404)
    game_stats = tuple(statistics.stats_by_game(results, id, known))
    current_names = _current_names(results)
    by_name = sorted(all_names.items(), key=itemgetter(1))
    return render_template(
        "history/player.html",
        page=history_pages.PlayerPage(
            id=id,
            name=name,
            aliases=tuple(players.aliases(id)),
            stats_by_game=game_stats,
            stats_by_opponent=tuple(statistics.stats_by_opponent(results, id, known)),
            names_by_id={known[key]: current for key, current in by_name if known[key] != id},
            results_charts={
                item.game.key: charts.results_chart(
                    [result for result in results if result.game == item.game.key], item.game, current_names, name
                )
                for item in game_stats
            },
            figures=figures_of(Summary(results, all_names, name), PLAYER_FIGURES),
            latest_results=tuple(reversed(results[-5:])),
            is_owner=is_owner,
            refusal=refused,
        ),
    ), status


def _current_names(results: Iterable[Result]) -> dict[str, str]:
    """Return the current name of each player of the results, by the recorded name."""
    known = _players().current_names()
    names = {part.name for result in results for part in result.players}
    return {name: known[name_key(name)] for name in names if name_key(name) in known}


@blueprint.get("/history/statistics")
def show_statistics():
    """Show figures of the results, of all or by game, year and player."""
    results, game, year, player_id = _filtered_results()
    summary = _summary(results, game, year, player_id)
    return render_template(
        "history/statistics.html",
        page=history_pages.StatisticsPage(
            figures=figures_of(summary),
            games_played=len(summary.results),
            games=tuple(item.box for item in GAMES.values()),
            years=tuple(sorted({int(result.date[:4]) for result in results}, reverse=True)),
            players=tuple(_players().visible(device())),
            game_key=game,
            year=year,
            player_id=player_id,
            player_name=summary.player_name,
            is_owner=context.is_owner(),
        ),
    )


@blueprint.get("/history/statistics/<key>.csv")
def export_figure(key: str):
    """Export the values of a figure as CSV, filtered as its page is."""
    build = FIGURES.get(key) or abort(404)
    figure = build(_summary(*_filtered_results()))
    return csv_response(f"waymark-{key}.csv", figure_rows(figure))


def _filtered_results() -> tuple[list[Result], str, int, int]:
    """Return the results of the requested player, and the requested game, year and player."""
    game, year = request.args.get("game", ""), request.args.get("year", 0, int)
    player_id = context.read_id(request.args, "player")
    if game and game not in GAMES:
        abort(404)
    results = _results().of_player(player_id, device()) if player_id else _results().visible(device())
    if player_id and not results:  # also if this phone has never met the player
        abort(404)
    return results, game, year, player_id


def _summary(results: list[Result], game: str, year: int, player_id: int) -> Summary:
    """Return the summary of the results of a game and a year, or of all of them."""
    found = [
        result
        for result in results
        if (not game or result.game == game) and (not year or result.date.startswith(f"{year:04}-"))
    ]
    return Summary(found, _players().current_names(), (player_id and _players().name(player_id)) or "")


@blueprint.post(PLAYER_PATH)
def change_player(id: int):
    """Rename, merge, split or erase a player; only on the owner's phone."""
    _require_owner()
    players, form = _players(), request.form
    if players.name(id) is None:
        abort(404)
    try:
        match form.get("do"):
            case "rename":
                players.rename(id, form.get("name", ""))
            case "merge":
                into_id = context.read_id(form, "into")
                players.merge(id, into_id)
                return context.redirect_to("history.player", id=into_id)
            case "part":
                return context.redirect_to("history.player", id=players.split(id, form.get("name", "")))
            case "forget":
                if form.get("sure") != "yes":
                    raise PlayerError("To delete this player, check the box first.")
                erase_player(context.referee().store, id)
                current_app.extensions["press"].clear_finished()  # rendered sheets and pictures have the name
                return context.redirect_to("history.history")
            case _:
                raise InvalidInputError("do: unknown action")
    except PlayerError as error:
        return _render_player(id, str(error), 409)
    return context.redirect_to("history.player", id=id)


@blueprint.post("/history/bgg")
def set_bgg_ids():
    """Store the BoardGameGeek ids of the games."""
    _require_owner()
    for key in GAMES:
        value = request.form.get(key, "").strip()
        if not (value.isascii() and value.isdecimal() and len(value) < 8) and value:
            return _render_history(
                f"\u201c{value[:40]}\u201d is not a BoardGameGeek ID. Use the digits in the game\u2019s address there.",
                status=422,
            )
        set_bgg_id(context.referee().store, key, int(value or 0))
    return context.redirect_to("history.history")


# Typed results


@blueprint.route("/history/new", methods=["GET", "POST"])
def enter_result():
    """Add the result of a game played elsewhere."""
    return _edit_result()


@blueprint.route("/r/<id>/correct", methods=["GET", "POST"])
def correct_result(id: str):
    """Correct a typed result, or the day of a table's result."""
    found = context.result(id)
    can_change = _results().can_change(device(), found.id)
    context.require(can_change, "Only the owner\u2019s phone or the phone that added this result can correct it.")
    return _edit_result(found) if found.by_hand else _edit_day(found)


def _edit_day(previous: Result):
    """Show the form for the day of a table's result, or store the corrected day."""
    warning, is_submitted = clock_warning(context.referee().store), request.method == "POST"
    data = {"day": datetime.date.fromisoformat(previous.date)}
    form = DayForm(request.form if is_submitted else None, now=None if warning else now(), data=data)
    if form.is_submitted() and form.validate() and form.day.data:
        context.count_limit("tables")
        _results().change(previous.id, ended=move_to_day(previous.ended, form.day.data), day_corrected=True)
        return context.redirect_to("results.result", id=previous.id)
    page = history_pages.ResultFormPage(form, (), previous, warning)
    return render_template("history/result_day.html", page=page), 422 if form.is_submitted() else 200


def _edit_result(previous: Result | None = None):
    """Show the form of a result, or store it: as a new result, or in place of the previous one."""
    results, warning = _results(), clock_warning(context.referee().store)
    form = ResultForm(
        request.form if request.method == "POST" else None, now=None if warning else now(), previous=previous
    )
    similar = None
    if form.is_submitted() and form.validate() and not form.needs_winner:
        context.count_limit("tables")
        entered = form.result
        if previous:
            results.change(previous.id, **{name: getattr(entered, name) for name in ENTERED_FIELDS})
            return context.redirect_to("results.result", id=previous.id)
        similar = None if form.anyway.data else results.find_similar(entered)
        if similar is None:
            return context.redirect_to("results.result", id=results.enter(entered, device()).id)
    page = history_pages.ResultFormPage(
        form=form,
        known_names=context.recent_names(),
        previous=previous,
        clock_warning=warning,
        problems=form.problems if form.is_submitted() else (),
        similar=similar,
        can_see_similar=similar is not None and results.can_see(device(), similar.result.id),
    )
    return render_template("history/result_form.html", page=page), 422 if form.is_submitted() else 200


# Files


@blueprint.get("/history.csv")
def export_csv():
    """Export the results as CSV, one row per player, with commas or semicolons."""
    delimiter = ";" if request.args.get("separator") == "semicolon" else ","
    return csv_response("waymark-history.csv", [OWN_COLUMNS, *csv_rows(_results().visible(device()))], delimiter)


@blueprint.get("/history.bgsplay")
def export_bg_stats():
    """Export the results as a file of BG Stats."""
    data = write_bg_stats(_results().visible(device()), bgg_ids(context.referee().store))
    return Response(msgspec.json.encode(data), mimetype="application/json", headers=download_headers("waymark.bgsplay"))


@blueprint.get("/history.json")
def export_json():
    """Export the history as JSON: all results for the owner, for others those they may see."""
    chunks = import_export.export_all(context.referee(), device())
    return Response(
        stream_with_context(chunks), mimetype="application/json", headers=download_headers("waymark-history.json")
    )


@blueprint.post("/history/file")
def import_file():
    """Import a file of Waymark, or show what a file of another program would add."""
    context.count_limit("imports")
    content = context.uploaded_file("file", MAX_PLAY_FILE_BYTES)
    if not content:
        return _render_history("Choose a file first.", status=400)
    try:
        if len(content) > MAX_PLAY_FILE_BYTES:
            return _render_history(TOO_LARGE, status=413)
        match read_file(content, bgg_ids(context.referee().store)):
            case WaymarkFile(data):
                if len(content) > MAX_FILE_BYTES:
                    return _render_history(TOO_LARGE, status=413)
                return _import_own_file(data)
            case PlayFile() as plays:
                return imports.show_upload(Upload(context.uploaded_name("file"), plays=plays))
            case CsvFile(csv):
                return imports.show_upload(Upload(context.uploaded_name("file"), csv=csv))
    except InvalidInputError as error:
        return _render_history(import_export.describe_import_error(error), status=400)


def _import_own_file(data: dict):
    """Import a whole history, a play, or a table's log.

    :raises InvalidInputError: when it has an error.
    """
    max_items = None if context.is_owner() else MAX_STRANGER_RECORDS
    counts = import_export.import_data(context.referee(), data, device(), max_items=max_items)
    if counts.code:
        return context.redirect_to("lobby.lobby", code=counts.code)
    return _render_history(note=import_export.describe_import(counts))


context.redirect_from_form(blueprint, "/history/<any(file, bgg):form>", "history.history")
