"""The demo tables, which play themselves."""

from flask import Blueprint, abort, render_template, request

from companion.pages import home as home_pages
from companion.pages.demo import demo_page, has_demo
from scoring.games import GAMES

blueprint = Blueprint("demo", __name__, url_prefix="/demo")


@blueprint.get("")
def demos():
    """List the games that have a demo."""
    games = tuple(game for key, game in GAMES.items() if has_demo(key))
    return render_template("demos.html", page=home_pages.GamesPage(games))


@blueprint.get("/<key>")
def demo(key: str):
    """Show a frame of a game's demo; while it plays, the page leads to the next frame by itself."""
    if key not in GAMES or not has_demo(key):
        abort(404)
    page = demo_page(key, request.args.get("frame", 0, int), request.args.get("play", "1") == "1")
    return render_template("demo.html", page=page)
