"""What the owner of a box tells of it once: to look at and change, to hand on as a file."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request

from companion.forms import told
from companion.table import plain_move
from companion.web import at
from scoring.games import GAMES
from scoring.kernel.document import parsed
from scoring.kernel.game import Game, Illegal, Malformed
from scoring.kernel.rule import Reason

pages = Blueprint("boxes", __name__, url_prefix="/box")
LONGEST_FILE = 100_000  # bytes


@pages.get("/<key>")
def box(key: str):
    """What is known of a game's box, each value with its controls."""
    return _shown(_game(key))


@pages.post("/<key>")
def tell(key: str):
    """Set the values a form names by their paths (`facts.<path>`), or remove an entry of a list."""
    game = _game(key)
    said, remove = told(request.form, "facts."), request.form.get("remove", "")
    return _keep(game, lambda known: game.facts.with_values(known, said, remove))


@pages.get("/<key>.json")
def export(key: str):
    """What is known, as a file for another owner."""
    answer = jsonify({"waymark": 1, "game": key, "facts": plain_move(at.referee().store.facts(_game(key)))})
    answer.headers["Content-Disposition"] = f'attachment; filename="{key}-box.json"'
    return answer


@pages.post("/<key>/file")
def take_in(key: str):
    """Take in another owner's file; what it says counts, what it leaves open stays."""
    game = _game(key)
    file = request.files.get("file")
    content = file.stream.read(LONGEST_FILE + 1) if file else b""
    return _keep(game, lambda known: game.facts.merge(known, from_file(game, content)))


def from_file(game: Game, content: bytes):
    """Return the facts of an exported file.

    :raises Malformed: naming the place of the fault.
    :raises Illegal: when no box can be so.
    """
    if not content:
        raise Malformed("Choose a file first.")
    if len(content) > LONGEST_FILE:
        raise Malformed("That file is too large to be one of ours.")
    data = parsed(content)
    if not isinstance(data, dict) or "facts" not in data:
        raise Malformed("facts: a file written by Waymark has them; this one has not.")
    if data.get("game") != game.key:
        raise Malformed(f"game: this file is not for {game.title}.")
    return game.facts.checked(data["facts"])


def _game(key: str) -> Game:
    game = GAMES.get(key)
    return game if game and game.facts else abort(404)


def _keep(game: Game, change: Callable[[Any], Any]) -> Response | tuple:
    """Keep the facts as a form changes them; what is refused is shown with why, and nothing is changed."""
    store = at.referee().store
    try:
        facts = change(store.facts(game))
    except Illegal as fault:
        return _shown(game, fault.reasons, 422)
    except Malformed as fault:
        return _shown(game, [str(fault)], 400)
    store.keep_facts(game, facts)
    return _shown(game) if at.by_htmx() else at.go("boxes.box", key=game.key)


def _shown(game: Game, refused: list[Reason | str] | tuple = (), status: int = 200) -> Response | tuple:
    facts = at.referee().store.facts(game)
    return render_template("box.html", game=game, facts=facts, refused=refused), status
