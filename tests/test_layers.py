"""Who may import whom: the rules core knows no screen, and the screen knows no rule."""

import ast
import functools
import sys
from pathlib import Path

from companion.where import CHECKOUT
from tests.cases import every_row

SCORING = sorted((CHECKOUT / "scoring").rglob("*.py"))
COMPANION = sorted((CHECKOUT / "companion").rglob("*.py"))
GAME_FOLDERS = sorted(folder.name for folder in (CHECKOUT / "scoring").iterdir() if (folder / "rules.py").exists())

# What a pure function has no use for: screens, stores, the clock, the dice, the world outside.
IMPURE = {
    "companion", "flask", "jinja2", "werkzeug", "wtforms", "sqlite3", "sqlite_utils", "weasyprint", "segno", "uvicorn", "a2wsgi",
    "time", "datetime", "random", "secrets", "uuid", "os", "sys", "subprocess", "socket", "threading", "asyncio",
    "logging", "urllib", "http", "tempfile", "shutil",
}  # fmt: skip

# Which file of the companion may know what. `paper.py` draws the same templates for the printer.
ONLY_IN = {
    "flask": {"app.py", "templating.py", "paper.py", "forms.py", "seats.py", "server.py", "web/"},
    "flask_wtf": {"app.py", "templating.py", "forms.py", "web/"},
    "wtforms": {"forms.py"},
    "werkzeug": {"app.py", "forms.py", "hosts.py", "seats.py", "web/"},
    "itsdangerous": {"seats.py"},
    "rapidfuzz": {"finding.py"},
    "sqlite3": {"store.py", "migrations.py", "backup.py", "rescue.py", "finding.py"},
    "sqlite_utils": {"store.py", "migrations.py", "rescue.py", "finding.py"},
    "weasyprint": {"printing.py"},
    "PIL": {"photos.py", "printing.py"},
    "fontTools": {"picture.py", "printing.py"},
    "pypdfium2": {"printing.py"},
    "segno": {"qr.py"},
    "shtab": {"completion.py"},
    "uvicorn": {"server.py"},
    "a2wsgi": {"server.py"},
    "asyncio": {"server.py", "live.py"},
    "ifaddr": {"network.py"},
    "platformdirs": {"where.py"},
}


@functools.cache
def imports(file: Path) -> set[str]:
    """Return the dotted names of all modules a file imports, at its top or anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def roots(file: Path) -> set[str]:
    """Return the packages and top modules a file imports from."""
    return {name.partition(".")[0] for name in imports(file)}


def games_known_to(file: Path) -> set[str]:
    """Return the folders of single games that a file imports from."""
    return {game for game in GAME_FOLDERS if any(f"{name}.".startswith(f"scoring.{game}.") for name in imports(file))}


def label(file: Path) -> str:
    return file.relative_to(CHECKOUT).as_posix()


@every_row("file", SCORING, ids=label)
def test_the_rules_core_imports_no_screen_no_store_no_clock_and_no_dice(file):
    assert roots(file) & IMPURE == set()


@every_row("file", SCORING, ids=label)
def test_the_rules_core_stands_on_msgspec_and_the_standard_library_alone(file):
    assert roots(file) - sys.stdlib_module_names <= {"scoring", "msgspec"}


@every_row("file", [file for file in SCORING if file.parent.name == "kernel"], ids=label)
def test_the_kernel_knows_no_game(file):
    assert games_known_to(file) == set()
    assert "scoring.games" not in imports(file)


@every_row("file", [file for file in SCORING if file.parent.name in GAME_FOLDERS], ids=label)
def test_a_game_knows_no_other_game_and_not_the_registry(file):
    assert games_known_to(file) <= {file.parent.name}
    assert imports(file) & {"scoring.games", "scoring.document"} == set()


def test_only_the_registry_names_the_games():
    knowing = {label(file) for file in SCORING if file.parent == CHECKOUT / "scoring" and games_known_to(file)}
    assert knowing == {"scoring/games.py"}


@every_row("file", COMPANION, ids=label)
def test_the_companion_meets_a_game_only_through_the_registry(file):
    assert games_known_to(file) == set()


@every_row("package", sorted(ONLY_IN))
def test_a_library_is_known_only_where_it_belongs(package):
    knowing = {file.relative_to(CHECKOUT / "companion").as_posix() for file in COMPANION if package in roots(file)}
    assert {name for name in knowing if not name.startswith(tuple(ONLY_IN[package]))} == set()


@every_row("file", [file for file in COMPANION if file.parent.name != "web"], ids=label)
def test_what_lies_below_the_web_does_not_look_up_to_it(file):
    allowed = {"__init__.py", "__main__.py", "app.py", "paper.py"}
    looking_up = {name for name in imports(file) if f"{name}.".startswith(("companion.web.", "companion.app."))}
    assert file.name in allowed or looking_up == set()


# What a log says and what comes of it: each knows those before it and nothing else of the companion.
OF_THE_LOG = ("entries", "table", "rewriting", "folding", "mending", "preview", "story")


@every_row("name", OF_THE_LOG)
def test_a_log_is_followed_told_and_mended_without_the_companion_around_it(name: str):
    file = CHECKOUT / "companion" / f"{name}.py"
    known = {f"companion.{before}" for before in OF_THE_LOG[: OF_THE_LOG.index(name)]}
    found = {".".join(each.split(".")[:2]) for each in imports(file) if each.startswith("companion")}
    assert found <= known


@every_row("name", OF_THE_LOG)
def test_what_comes_of_a_log_depends_on_nothing_but_the_log(name: str):
    outside = IMPURE - {"companion", "datetime"}  # a story says when, as the clocks here show it
    assert roots(CHECKOUT / "companion" / f"{name}.py") & outside == set()
