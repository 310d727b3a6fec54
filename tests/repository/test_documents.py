"""The documents agree with the code: names, dependencies and commands in them exist."""

import ast
import functools
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

from companion import __version__
from companion.cli.main import waymark
from companion.system.paths import CHECKOUT
from tests.repository.test_imports import GAME_FOLDERS, PACKAGES
from tests.support.command import help_text, parse_command
from tests.support.parametrize import run_all_rows

ARCHITECTURE = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
ARCHITECTURE_PROSE = re.sub("(?ms)^```.*?^```$", "", ARCHITECTURE)
CODE_SPAN = re.compile("`([^`]+)`")
SUFFIXES = (".py", ".toml", ".html", ".js", ".md")
# Where a path in the architecture begins, and where the modules are that it names without a folder.
FOLDERS = (CHECKOUT, CHECKOUT / "companion", CHECKOUT / "scoring")
MODULE_FOLDERS = (CHECKOUT / "companion", CHECKOUT / "scoring" / "kernel", CHECKOUT / "scoring" / "trails")
SCRIPT_NAME = re.compile(r"(?m)^(?:async )?(?:function|const|let) (\w+)")
TABLE_ROW = re.compile(r"(?m)^\| `([^`]+\.(?:py|js))` \| (`.+?`) \|")


def is_path(text: str) -> bool:
    return "/" in text or text.endswith(SUFFIXES)


def find_files(text: str) -> list[Path]:
    """Return the files or folders that a path, or the name of a module without a folder, means."""
    if "/" in text or not text.endswith(SUFFIXES):
        return [folder / text for folder in FOLDERS if (folder / text).exists()]
    return [file for folder in MODULE_FOLDERS for file in folder.rglob(text)]


@functools.cache
def defined_names(file: Path) -> set[str]:
    """Return the names that a file defines, those of a class as "Class.name"."""
    text = file.read_text(encoding="utf-8")
    return set(SCRIPT_NAME.findall(text)) if file.suffix == ".js" else set(_python_names(ast.parse(text).body))


def _python_names(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                yield prefix + name
            case ast.ClassDef(name):
                yield prefix + name
                yield from _python_names(node.body, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                yield prefix + name


SPANS = list(dict.fromkeys(CODE_SPAN.findall(ARCHITECTURE_PROSE)))
NAMED_FILES = [file for span in SPANS if span.endswith((".py", ".js")) for file in find_files(span)]
TABLE_ROWS = [(file, name) for file, names in TABLE_ROW.findall(ARCHITECTURE) for name in CODE_SPAN.findall(names)]


@run_all_rows("span", [span for span in SPANS if is_path(span)])
def test_file_that_the_architecture_names_exists(span: str):
    assert find_files(span), f"docs/architecture.md names {span}; correct its path there"


def test_name_that_the_architecture_mentions_is_defined_in_a_named_file():
    known = {name for file in NAMED_FILES for name in defined_names(file)}
    missing = [name for name in SPANS if not is_path(name) and name not in known and not find_files(name)]
    assert missing == [], "correct these names in docs/architecture.md, or name the file that defines them there"


@run_all_rows("file, name", TABLE_ROWS)
def test_name_in_a_table_is_defined_in_the_file_of_its_row(file: str, name: str):
    found = {known for each in find_files(file) for known in defined_names(each)}
    assert name in found, f"docs/architecture.md has {name} next to {file}, which does not define it"


def test_architecture_tables_name_functions():
    assert len(TABLE_ROWS) > 60


def test_drawing_of_the_packages_has_the_order_of_the_imports():
    companion, scoring = re.search("(?s)```text\n(.*?)─ scoring (.*?)```", ARCHITECTURE).groups()
    layers = r"(?m)│ ([a-z_]+(?:, [a-z_]+)*),? "  # a list of games may go on in the next line
    assert tuple(re.findall(layers, companion)) == PACKAGES, "draw docs/architecture.md as PACKAGES in test_imports.py"
    document, games, *each_game, kernel = re.findall(layers, scoring)
    assert (document, games, kernel) == ("document", "games", "kernel")
    drawn = ", ".join(each_game).split(", ")
    missing = sorted({*GAME_FOLDERS} - {*drawn})
    assert not missing, f"docs/architecture.md: the drawing of the packages lacks {missing}, add them to its games"
    assert sorted(drawn) == GAME_FOLDERS


# Dependencies

DEPENDENCIES = (CHECKOUT / "docs" / "dependencies.md").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {f"Extra `{name}`": packages for name, packages in PYPROJECT["project"]["optional-dependencies"].items()}
DECLARED = {"Run time": PYPROJECT["project"]["dependencies"], "Build": PYPROJECT["build-system"]["requires"], **EXTRAS}
VENDORED = ("static/vendor/*.js", "static/fonts/*.woff2", "tests/browser/vendor/*.js")


def documented_rows(heading: str) -> list[str]:
    """Return the first cells of a section's table; each row also needs a purpose and a reason."""
    section = DEPENDENCIES.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"(?m)^\| `([^`]+)` \| .{10,} \| .{4,} \|$", section)


@run_all_rows("heading, requirements", DECLARED.items(), ids=DECLARED)
def test_dependencies_are_documented_in_alphabetical_order(heading: str, requirements: list[str]):
    declared = sorted(re.split(r"[^\w-]", requirement)[0] for requirement in requirements)
    documented = documented_rows(heading)
    missing, unknown = sorted({*declared} - {*documented}), sorted({*documented} - {*declared})
    assert documented == declared, (
        f'docs/dependencies.md, section "{heading}": add a row for {missing}, remove {unknown}, '
        "and sort the rows, to agree with pyproject.toml"
    )


def test_documented_extras_exist():
    documented = re.findall("(?m)^## (Extra .+)$", DEPENDENCIES)
    assert documented == list(EXTRAS), "docs/dependencies.md needs one section for each extra of pyproject.toml"


def test_vendored_files_are_documented():
    patterns = documented_rows("Copied into the repository")
    documented = {pattern: {*CHECKOUT.glob(pattern)} for pattern in patterns}
    assert [pattern for pattern, files in documented.items() if not files] == [], "remove these from dependencies.md"
    vendored = {file for pattern in VENDORED for file in CHECKOUT.glob(pattern)}
    assert vendored - set().union(*documented.values()) == set(), "add these to docs/dependencies.md"


# Commands

DOCUMENT_FILES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
DOCUMENTS = {file.name: file.read_text(encoding="utf-8") for file in DOCUMENT_FILES}
PROGRAM = re.compile(r"(?:[\d* ]+ )?(?:sudo -u \w+ )?(?:\S+[/=])?waymark (\S.*)")
PLACEHOLDERS = {"DAYS": "365", "N": "1", "GAME": "trails", "SHELL": "bash"}  # values for the words of the documents


def command_lines(text: str) -> Iterator[str]:
    """Yield the arguments of each `waymark` command in the code blocks of a document."""
    blocks = re.findall(r"(?ms)^```\w*\n(.*?)^```$", text) + re.findall(r"(?m)^ {4,}\S.*$", text)
    for line in "\n".join(blocks).splitlines():
        for command in re.split(r" && |; ", re.split(r"\s#", line)[0]):
            if found := PROGRAM.fullmatch(command.strip()):
                yield re.split(" [<>] ", found[1])[0]


COMMAND_LINES = [(name, line) for name, text in DOCUMENTS.items() for line in command_lines(text)]
COMMAND_SPANS = [(name, line) for name, text in DOCUMENTS.items() for line in re.findall("`waymark ([^`]+)`", text)]


def options_in(text: str) -> set[str]:
    return set(re.findall("--[a-z-]+", text))


@run_all_rows("document, line", COMMAND_LINES)
def test_documented_command_line_can_be_parsed(document: str, line: str):
    words = [PLACEHOLDERS.get(word, word) for word in shlex.split(re.sub(r"[\[\]]", "", line))]
    if words[0].startswith("-"):
        assert words[0] in options_in(help_text()), f"{document}: waymark {line}"
    else:
        assert parse_command(*words).command.callback, f"{document}: waymark {line}"


@run_all_rows("document, span", [*COMMAND_LINES, *COMMAND_SPANS])
def test_documented_command_and_its_options_exist(document: str, span: str):
    name = span.split(maxsplit=1)[0]
    command = waymark if name.startswith("-") or name == "COMMAND" else waymark.commands.get(name)
    assert command, f"{document}: waymark {span}"
    assert options_in(span) <= options_in(help_text(command)), f"{document}: waymark {span}"


def test_commands_are_found_in_the_documents():
    found = [line for document, line in COMMAND_LINES if document == "running.md"]
    assert "backup --force --instance /var/lib/waymark /var/lib/waymark/night.zip" in found
    assert {line.split()[0] for line in found} >= {"serve", "backup", "restore", "expire", "history"}
    assert len(COMMAND_SPANS) > 3


def test_options_in_the_sentences_of_running_exist():
    options = set(re.findall("`(--[a-z-]+)", DOCUMENTS["running.md"]))
    assert len(options) > 5
    assert options <= {option for command in waymark.commands.values() for option in options_in(help_text(command))}


@run_all_rows("document", DOCUMENTS)
def test_documents_name_the_current_versions(document: str):
    text = DOCUMENTS[document]
    assert {*re.findall(r"\bwaymark[-=]{1,2}(\d[\w.]*)", text)} <= {__version__}
    python = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert {*re.findall(r"Python (\d\.\d+) or newer", text)} <= {python}


def test_running_names_the_needed_version_of_python():
    assert PYPROJECT["project"]["requires-python"].removeprefix(">=") in DOCUMENTS["running.md"]
