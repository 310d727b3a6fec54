"""The rules to read: all of a game, one at its own address, those a question is about."""

from flask import Blueprint, abort, render_template, request, url_for

from companion.log.table import Table
from companion.pages import pages
from companion.web import context
from scoring.games import GAMES
from scoring.kernel.game import Game

blueprint = Blueprint("reading", __name__, url_prefix="/rules")

LONGEST = 120  # characters of a question


@blueprint.get("")
def games():
    """Whose rules?"""
    return render_template("games.html", page=pages.GamesPage(tuple(GAMES.values())))


@blueprint.get("/<key>")
def rules(key: str):
    """Every rule of a game by section; with `q`, first those that a question is about."""
    return render_template("rules.html", page=pages.rules_page(_game(key).box, _words(), _back(_last())))


@blueprint.get("/<key>/found")
def found(key: str):
    """The rules that a question is about, as a piece of a page."""
    box, words = _game(key).box, _words()
    return render_template("_found.html", key=box.key, words=words, rules=pages.found_rules(box, words))


@blueprint.get("/<key>/<id>")
def rule(key: str, id: str):
    """One rule, with those around it, what the app does about it, and how the table this phone was at plays it."""
    game, last = _game(key), _last()
    rule = game.box.rules.get(id) or abort(404)
    return render_template("rule.html", page=pages.rule_page(game, rule, _back(last), last))


def _game(key: str) -> Game:
    return GAMES.get(key) or abort(404)


def _words() -> str:
    return request.args.get("q", "")[:LONGEST].strip()


def _last() -> Table | None:
    """Return the table this phone was at last, if it was at any."""
    phone, _ = context.asker()
    codes = context.referee().store.codes_of(phone, 1) if phone else []
    return context.referee().store.table(codes[0]) if codes else None


def _back(table: Table | None) -> str:
    """Return the way back to a table."""
    phone, _ = context.asker()
    if not (table and phone):
        return ""
    mine = table.seats_of(phone)
    return url_for("play.seat", code=table.code, seat=mine[0]) if mine else url_for("lobby.lobby", code=table.code)
