"""The rules to read: all of a game, one at its own address, those a search finds."""

from flask import Blueprint, abort, render_template, request, url_for

from companion import pages
from companion.web import at
from scoring.games import GAMES

blueprint = Blueprint("reading", __name__, url_prefix="/rules")


@blueprint.get("/<key>")
def rules(key: str):
    """Every rule of a game by section; with `q`, those that have all the words."""
    page = pages.rules_page((GAMES.get(key) or abort(404)).box, request.args.get("q", "")[:80], _back())
    return render_template("_rules.html" if at.by_htmx() else "rules.html", page=page)


@blueprint.get("/<key>/<id>")
def rule(key: str, id: str):
    """One rule, with those around it."""
    game = (GAMES.get(key) or abort(404)).box
    found = game.rules.get(id) or abort(404)
    return render_template("rule.html", page=pages.rule_page(game, found, _back()))


def _back() -> str:
    """Return the way to the table this phone was at last, if it was at any."""
    phone, _ = at.asker()
    codes = at.referee().store.codes_of(phone, 1) if phone else []
    if not (phone and codes):
        return ""
    mine = at.referee().store.table(codes[0]).seats_of(phone)
    return url_for("play.seat", code=codes[0], seat=mine[0]) if mine else url_for("lobby.lobby", code=codes[0])
