"""The rules to read: all rules of a game, a single rule, and search results."""

from flask import Blueprint, abort, render_template, request

from companion.log.table import Table
from companion.pages import home as home_pages
from companion.pages import rules as rules_pages
from companion.web import context
from scoring.games import GAMES
from scoring.kernel.game import Game

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

MAX_QUESTION_LENGTH = 120


@blueprint.get("")
def games():
    """Show the games whose rules can be read."""
    return render_template("games.html", page=home_pages.GamesPage(tuple(GAMES.values())))


@blueprint.get("/<key>")
def rules(key: str):
    """Show every rule of a game by section, or with `q` the rules that match."""
    return render_template(
        "rules.html", page=rules_pages.rules_page(_game(key).box, _query_text(), _back_url(_last_table()))
    )


@blueprint.get("/<key>/found")
def search(key: str):
    """Return the rules that match a query, as a page fragment."""
    box, query = _game(key).box, _query_text()
    return render_template(
        "_matching_rules.html", game_key=box.key, query=query, rules=rules_pages.search_rules(box, query)
    )


@blueprint.get("/<key>/signs")
def signs(key: str):
    """Show the meaning of signs and cards; a long press on one reads it from here."""
    tracked = _game(key).tracked
    lessons = (tracked and tracked.lessons) or abort(404)
    page = rules_pages.SignsPage(_game(key).box, lessons.texts.label, _back_url(_last_table()))
    return render_template("signs.html", page=page)


@blueprint.get("/<key>/<id>")
def rule(key: str, id: str):
    """Show one rule, with related rules, moves that enforce it, and the latest table's option."""
    game, table = _game(key), _last_table()
    rule = game.box.rules.get(id) or abort(404)
    phone, _ = context.client_identity()
    return render_template("rule.html", page=rules_pages.rule_page(game, rule, _back_url(table), table, phone or ""))


def _game(key: str) -> Game:
    return GAMES.get(key) or abort(404)


def _query_text() -> str:
    return request.args.get("q", "")[:MAX_QUESTION_LENGTH].strip()


def _last_table() -> Table | None:
    """Return the table this phone was at last, or None."""
    phone, _ = context.client_identity()
    codes = context.referee().store.codes_of_device(phone, 1) if phone else []
    return context.referee().store.table(codes[0]) if codes else None


def _back_url(table: Table | None) -> str:
    """Return the address that leads back to a table."""
    phone, _ = context.client_identity()
    return context.table_address(table, phone) if table and phone else ""
