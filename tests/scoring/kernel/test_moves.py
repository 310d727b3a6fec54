"""Moves of every game: listed, tested, and on its pages."""

import ast
import functools
import importlib
import pkgutil
from pathlib import Path

import pytest

from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from scoring.kernel.game import Game
from scoring.kernel.move import Correction, Move
from scoring.kernel.tracked_game import TrackedGame

EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.box.key)


def game_folder(game: Game) -> Path:
    return Path(str(game.box.components.__file__)).parent


def is_own_move(move: type[Move]) -> bool:
    """Return whether a move is written for its game; rulings and the like are shared."""
    shared = {kind for kind in move.__mro__ if kind.__module__.startswith("scoring.kernel.")}
    return not {kind for kind in shared if issubclass(kind, Move)} - {Move, Correction}


def own_moves(*tracked_games: TrackedGame) -> list[type[Move]]:
    return [move for tracked in tracked_games for move in tracked.moves if is_own_move(move)]


def written_moves(game: Game) -> set[type[Move]]:
    """Return every move that a module of the game defines."""
    names = [
        found.name for found in pkgutil.walk_packages([str(game_folder(game))], f"{game.box.components.__package__}.")
    ]
    values = [value for name in names for value in vars(importlib.import_module(name)).values()]
    moves = (value for value in values if isinstance(value, type) and issubclass(value, Move))
    return {move for move in moves if move.__struct_config__.tag and move.__module__ in names and is_own_move(move)}


@functools.cache
def names_in(folder: Path) -> set[str]:
    """Return the names that the tests of a folder use."""
    nodes = [
        node
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    ]
    return {node.attr if isinstance(node, ast.Attribute) else node.id for node in nodes}


def is_on_a_page(move: type[Move], templates: str) -> bool:
    """Return whether templates name the tag of a move, or build it from its first word."""
    tag = str(move.__struct_config__.tag)
    return f'"{tag}"' in templates or f'"{tag.partition("-")[0]}-" ~' in templates


@EACH_GAME
def test_every_move_that_is_written_is_listed(game: Game):
    missing = sorted(move.__name__ for move in written_moves(game) - set(own_moves(*game.tracked_games)))
    file = game_folder(game) / "__init__.py"
    assert not missing, f"Moves that no one can make: {missing}. Add them to `moves` in {file.relative_to(CHECKOUT)}."


@EACH_GAME
def test_every_move_has_a_test(game: Game):
    tests = CHECKOUT / "tests" / "scoring" / game_folder(game).name
    names = names_in(tests) | names_in(CHECKOUT / "tests" / "companion")
    missing = sorted({move.__name__ for move in own_moves(*game.tracked_games)} - names)
    assert not missing, (
        f"Moves without a test: {missing}. "
        f"Add cases of what they do and when they are refused to a file of {tests.relative_to(CHECKOUT)}."
    )


@EACH_GAME
def test_every_move_is_on_a_page_of_a_game_with_its_own_moves(game: Game):
    """The default template has a button for each move."""
    tracked = game.tracked
    folder = CHECKOUT / "templates" / game.box.key
    if tracked is None or not (folder / "_moves.html").exists():
        return
    templates = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.html")))
    moves = [move for move in own_moves(tracked) if not issubclass(move, Correction)]
    missing = [str(move.__struct_config__.tag) for move in moves if not is_on_a_page(move, templates)]
    assert not missing, (
        f"No template has the moves {missing}. Add them to {(folder / '_moves.html').relative_to(CHECKOUT)}, "
        f'such as page.menu.legal_buttons("{missing[0]}").'
    )


@EACH_GAME
def test_every_kind_of_move_has_a_title(game: Game):
    kinds = {kind for tracked in game.tracked_games for kind in tracked.moves}
    missing = sorted(kind.__name__ for kind in kinds if not getattr(kind, "title", ""))
    assert not missing, f"Kinds of move without a `title`: {missing}."
