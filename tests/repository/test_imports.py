"""Import rules: the core does not know screens, and screens do not know game rules."""

import ast
import functools
import re
import sys
from pathlib import Path

from companion.system.paths import CHECKOUT
from tests.support.parametrize import run_all_rows

SCORING = sorted((CHECKOUT / "scoring").rglob("*.py"))
COMPANION = sorted((CHECKOUT / "companion").rglob("*.py"))
GAME_FOLDERS = sorted(folder.name for folder in (CHECKOUT / "scoring").iterdir() if (folder / "rules.py").exists())

# Modules a pure function must not use: screens, stores, the clock, the dice, the operating system.
IMPURE = {
    "companion", "flask", "jinja2", "werkzeug", "wtforms", "sqlite3", "sqlite_utils", "weasyprint", "segno",
    "uvicorn", "time", "datetime", "random", "secrets", "uuid", "os", "sys", "subprocess", "socket",
    "threading", "asyncio", "logging", "urllib", "http", "tempfile", "shutil",
}  # fmt: skip

# The packages of the companion: each imports only those below it.
PACKAGES = ("cli", "web", "rendering", "pages", "service", "storage", "exchange", "history", "log", "system")

# The files of the companion that may import a library. `print_pages.py` renders the same templates for paper.
ONLY_IN = {
    "flask": {
        "rendering/environment.py",
        "rendering/fragments.py",
        "rendering/templating.py",
        "rendering/print_pages.py",
        "web/",
    },
    "flask_wtf": {"rendering/fragments.py", "web/"},
    "wtforms": {"web/forms.py"},
    "werkzeug": {"system/hosts.py", "web/"},
    "itsdangerous": {"web/sessions.py"},
    "rapidfuzz": {"service/rule_search.py"},
    "click": {"cli/"},
    "sqlite3": {
        "storage/database.py",
        "storage/store.py",
        "storage/migrations.py",
        "storage/backup.py",
        "storage/rescue.py",
        "service/rule_search.py",
    },
    "sqlite_utils": {"storage/database.py", "storage/migrations.py", "storage/rescue.py", "service/rule_search.py"},
    "weasyprint": {"rendering/pdf.py"},
    "PIL": {"history/photos.py", "rendering/pdf.py"},
    "fontTools": {"rendering/text_size.py", "rendering/pdf.py"},
    "pypdfium2": {"rendering/pdf.py"},
    "segno": {"rendering/qr.py"},
    "uvicorn": {"web/server.py"},
    "asyncio": {"web/server.py", "service/live.py"},
    "ifaddr": {"system/network.py"},
    "platformdirs": {"system/paths.py"},
}


@functools.cache
def parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@functools.cache
def imports(file: Path) -> set[str]:
    """Return the dotted names of all modules a file imports, at module level or below."""
    found = set()
    for node in ast.walk(parse(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def top_packages(file: Path) -> set[str]:
    """Return the packages and top-level modules a file imports from."""
    return {name.partition(".")[0] for name in imports(file)}


def imported_games(file: Path) -> set[str]:
    """Return the folders of single games that a file imports from."""
    return {game for game in GAME_FOLDERS if any(f"{name}.".startswith(f"scoring.{game}.") for name in imports(file))}


def assert_none(found: set[str], advice: str) -> None:
    """Assert that there are no such imports; the message names the next step."""
    assert not found, f"{sorted(found)}: {advice}"


def file_label(file: Path) -> str:
    return file.relative_to(CHECKOUT).as_posix()


@run_all_rows("file", SCORING, ids=file_label)
def test_rules_core_imports_no_screen_store_clock_or_dice(file):
    assert_none(
        top_packages(file) & IMPURE,
        f"{file_label(file)} is part of the rules, which are pure. Chance is a field of a move; files, times and "
        "screens belong to companion/.",
    )


@run_all_rows("file", SCORING, ids=file_label)
def test_rules_core_depends_only_on_msgspec_and_the_standard_library(file):
    assert_none(
        top_packages(file) - sys.stdlib_module_names - {"scoring", "msgspec"},
        f"{file_label(file)} is part of the rules, which use only msgspec. Use the library in companion/.",
    )


@run_all_rows("file", [file for file in SCORING if file.parent.name == "kernel"], ids=file_label)
def test_kernel_imports_no_game(file):
    assert_none(
        imported_games(file) | (imports(file) & {"scoring.games"}),
        f"{file_label(file)} is shared by all games. Let the game pass what it needs as a parameter.",
    )


@run_all_rows("file", [file for file in SCORING if file.relative_to(CHECKOUT).parts[1] in GAME_FOLDERS], ids=file_label)
def test_game_imports_no_other_game_and_not_the_registry(file):
    assert_none(
        (imported_games(file) - {file.relative_to(CHECKOUT).parts[1]})
        | (imports(file) & {"scoring.games", "scoring.document"}),
        f"{file_label(file)} may not know other games. Move what two games need to scoring/kernel/.",
    )


def test_every_game_is_registered():
    missing = [
        folder for folder in GAME_FOLDERS if f"scoring.{folder}" not in imports(CHECKOUT / "scoring" / "games.py")
    ]
    assert not missing, (
        f"No one can play or score the games in {[f'scoring/{folder}' for folder in missing]}. "
        "Import GAME of each in scoring/games.py, and add it to GAMES."
    )


def test_only_the_registry_imports_the_games():
    knowing = {file_label(file) for file in SCORING if file.parent == CHECKOUT / "scoring" and imported_games(file)}
    assert_none(knowing - {"scoring/games.py"}, "Use GAMES of scoring/games.py instead of importing a game.")


@run_all_rows("file", COMPANION, ids=file_label)
def test_companion_imports_games_only_through_the_registry(file):
    assert_none(
        imported_games(file),
        f"{file_label(file)} may not know a single game. Use GAMES of scoring/games.py, and add what the page needs to "
        "Box or TrackedGame.",
    )


@run_all_rows("package", sorted(ONLY_IN))
def test_library_is_imported_only_by_its_allowed_files(package):
    knowing = {
        file.relative_to(CHECKOUT / "companion").as_posix() for file in COMPANION if package in top_packages(file)
    }
    assert_none(
        {name for name in knowing if not name.startswith(tuple(ONLY_IN[package]))},
        f"Use {package} through {sorted(ONLY_IN[package])}. If it belongs here too, add the file to ONLY_IN above.",
    )


# A key of a game as a whole string, or at its beginning: "trails", "trails-tally", "trails/_trail.html".
GAME_KEY = re.compile(f"({'|'.join(GAME_FOLDERS).replace('_', '[-_]')})" + r"([-/]\S*)?")
# It converts the logs of versions 0.1 and 0.2, which only those games have.
KNOWS_GAMES = CHECKOUT / "companion" / "log" / "old_corrections.py"


@run_all_rows("file", [file for file in COMPANION if file != KNOWS_GAMES], ids=file_label)
def test_companion_names_no_game(file):
    constants = (node.value for node in ast.walk(parse(file)) if isinstance(node, ast.Constant))
    assert_none(
        {value for value in constants if isinstance(value, str) and GAME_KEY.fullmatch(value)},
        f"{file_label(file)} may not know a single game. Add what the page needs to Box or TrackedGame.",
    )


# Documented names that begin with an underscore.
DOCUMENTED_NAMES = {"_exit", "_replace"}


def foreign_private_names(file: Path) -> set[str]:
    """Return the names with an underscore that a file uses and does not define."""
    nodes = list(ast.walk(parse(file)))
    defined = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    defined |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    defined |= {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    used = {node.attr for node in attributes}
    used |= {part for name in imports(file) for part in name.split(".")}
    return {name for name in used - defined if name.startswith("_") and not name.startswith("__")}


@run_all_rows("file", [*SCORING, *COMPANION], ids=file_label)
def test_private_names_are_used_only_where_they_are_defined(file):
    assert_none(
        foreign_private_names(file) - DOCUMENTED_NAMES,
        "They may change without notice. Use a public name, or add it to Private names in docs/dependencies.md.",
    )


def packages_imported_by(package: str) -> set[str]:
    """Return the other packages of the companion that a package imports from."""
    found = {name for file in (CHECKOUT / "companion" / package).rglob("*.py") for name in imports(file)}
    return {name.split(".")[1] for name in found if name.startswith("companion.")} & set(PACKAGES) - {package}


def test_every_module_of_the_companion_is_in_a_listed_package():
    folders = {file.relative_to(CHECKOUT / "companion").parts[0] for file in COMPANION}
    unlisted = folders - {*PACKAGES, "__init__.py", "__main__.py"}
    assert_none(unlisted, "Move them to a package of companion/, or add a new package to PACKAGES above.")


@run_all_rows("package", PACKAGES)
def test_package_imports_only_packages_below_it(package: str):
    assert_none(
        packages_imported_by(package) - set(PACKAGES[PACKAGES.index(package) + 1 :]),
        f"companion/{package} is below them in PACKAGES. Move the shared code down, or pass a function.",
    )


# The modules of the log: each imports only those before it.
OF_THE_LOG = (
    "entries",
    "steps",
    "turns",
    "table_actions",
    "table",
    "counts",
    "log_diff",
    "plans",
    "old_corrections",
    "upcast",
    "seats",
    "colors",
    "replay",
    "rewrite",
    "changes",
    "proposals",
    "apply",
    "preview",
    "option_replay",
    "consent",
    "log_text",
    "table_files",
)


def test_every_module_of_the_log_is_listed():
    modules = {file.stem for file in (CHECKOUT / "companion" / "log").glob("*.py")} - {"__init__"}
    assert_none(modules ^ set(OF_THE_LOG), "Keep OF_THE_LOG above equal to the modules of companion/log.")


@run_all_rows("name", OF_THE_LOG)
def test_log_module_imports_only_modules_before_it(name: str):
    file = CHECKOUT / "companion" / "log" / f"{name}.py"
    known = {f"companion.log.{before}" for before in OF_THE_LOG[: OF_THE_LOG.index(name)]}
    assert_none(
        {".".join(found.split(".")[:3]) for found in imports(file) if found.startswith("companion")} - known,
        f"companion/log/{name}.py comes before them in OF_THE_LOG. Move the shared code to an earlier module.",
    )


@run_all_rows("name", OF_THE_LOG)
def test_log_module_is_pure(name: str):
    outside = IMPURE - {"companion", "datetime"}  # The log stores times, so it may import datetime.
    assert_none(
        top_packages(CHECKOUT / "companion" / "log" / f"{name}.py") & outside,
        f"companion/log/{name}.py is pure. Pass the value as a parameter.",
    )
