"""The rules to read: all of a game, one at its own address, those a search finds."""

from flask import Blueprint, abort, render_template, request

from companion import pages
from companion.web.at import by_htmx
from scoring.games import GAMES

blueprint = Blueprint("reading", __name__, url_prefix="/rules")


@blueprint.get("/<key>")
def rules(key: str):
    """Every rule of a game by section; with `q`, those that have all the words."""
    page = pages.rules_page((GAMES.get(key) or abort(404)).box, request.args.get("q", "")[:80])
    return render_template("_rules.html" if by_htmx() else "rules.html", page=page)


@blueprint.get("/<key>/<id>")
def rule(key: str, id: str):
    """One rule, with those around it."""
    game = (GAMES.get(key) or abort(404)).box
    found = game.rules.get(id) or abort(404)
    return render_template("rule.html", page=pages.rule_page(game, found))
