"""The rules to read: all of a game, one at its own address, those a question is about."""

from flask import Blueprint, abort, render_template, request, url_for

from companion.log.table import Table
from companion.pages import pages
from companion.web import context
from scoring.games import GAMES
from scoring.kernel.game import Game

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

MAX_QUESTION_LENGTH = 120  # characters of a question


@blueprint.get("")
def games():
    """Whose rules?"""
    return render_template("games.html", page=pages.GamesPage(tuple(GAMES.values())))


@blueprint.get("/<key>")
def rules(key: str):
    """Every rule of a game by section; with `q`, first those that a question is about."""
    return render_template("rules.html", page=pages.rules_page(_game(key).box, _query_text(), _back_url(_last_table())))


@blueprint.get("/<key>/found")
def search(key: str):
    """The rules that a question is about, as a piece of a page."""
    box, words = _game(key).box, _query_text()
    return render_template("_found.html", key=box.key, words=words, rules=pages.search_rules(box, words))


@blueprint.get("/<key>/<id>")
def rule(key: str, id: str):
    """One rule, with those around it, what the app does about it, and how the table this phone was at plays it."""
    game, last = _game(key), _last_table()
    rule = game.box.rules.get(id) or abort(404)
    return render_template("rule.html", page=pages.rule_page(game, rule, _back_url(last), last))


def _game(key: str) -> Game:
    return GAMES.get(key) or abort(404)


def _query_text() -> str:
    return request.args.get("q", "")[:MAX_QUESTION_LENGTH].strip()


def _last_table() -> Table | None:
    """Return the table this phone was at last, if it was at any."""
    phone, _ = context.client_identity()
    codes = context.referee().store.codes_of_device(phone, 1) if phone else []
    return context.referee().store.table(codes[0]) if codes else None


def _back_url(table: Table | None) -> str:
    """Return the way back to a table."""
    phone, _ = context.client_identity()
    if not (table and phone):
        return ""
    mine = table.seats_of(phone)
    return url_for("play.seat", code=table.code, seat=mine[0]) if mine else url_for("lobby.lobby", code=table.code)
