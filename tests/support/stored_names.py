"""List every stored or public name of the code that is imported, one to a line.

Old tables, files, links and scripts use these names, so they stay when code is renamed.
`tests/repository/test_stored_names.py` compares the lines with the files of `tests/stored/names`. The lines have no
names of classes, functions or modules. `python -m tests.support.stored_names` prints them, and with `--add` it adds the
new ones to `since.txt`.
"""

import argparse
import contextlib
import csv
import functools
import html
import inspect
import io
import json
import re
import sqlite3
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import click
import msgspec
from msgspec import inspect as types
from wtforms import Form
from wtforms.fields.core import UnboundField

import scoring
from companion.cli.main import main, waymark
from companion.history.result import Result
from companion.log.entries import Entry
from companion.log.old_corrections import OLD_CORRECTIONS
from companion.log.plans import RepairPlan
from companion.service import import_export
from companion.storage import card_facts
from companion.system.paths import CHECKOUT, DATABASE_NAME
from companion.web import forms
from companion.web.app import create_app
from scoring.games import GAMES, TRACKED_GAMES
from scoring.parks.points import FinalCustomGear, FinalCustomPark, FinalPassion
from scoring.trails.position import TASKS_BY_NAME
from tests.support.player_names import names_for
from tests.support.registered_games import without_small_games

NAMES_FOLDER = CHECKOUT / "tests" / "stored" / "names"
OLD_NAMES_FILE, SINCE_FILE = NAMES_FOLDER / "0.4.0.txt", NAMES_FOLDER / "since.txt"

OLD_LOGS = [
    CHECKOUT / f"tests/stored/0.1.0/{name}-2.json" for name in ("trails", "parks", "alpine-trails", "on-the-trail")
]
# parts of final positions that the type of a player does not show
FINAL_POSITION_PARTS = {
    "parks": {
        "players[].parks[]": FinalCustomPark,
        "players[].gear[]": FinalCustomGear,
        "players[].passion": FinalPassion,
    },
}

# final positions whose score has parts that no log reaches
OUTCOMES = (
    """{"game": "on-the-trail", "players": [
    {"name": "Ana", "finished": true, "hand": 3}, {"name": "Bo", "finished": true}]}""",
    """{"game": "alpine-trails", "solo": true, "players": [{"name": "Ana", "counts": {"path": 90}}]}""",
    """{"game": "alpine-trails", "solo": true, "players": [{"name": "Ana", "map": [
    {"x": 0, "y": 0, "kind": "base", "terrain": "forest"}, {"x": 1, "y": 0, "kind": "base", "terrain": "rock"},
    {"x": 2, "y": 0, "kind": "trail", "exits": "EW"}]}]}""",
)


# Types: a line for each field, each value of a choice and each tag


LIMIT_SIGNS = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"} | {"min_length": "length>=", "max_length": "length<="}
LIMIT_SIGNS |= {"pattern": "~"}
PLAIN_TYPES = {types.IntType: "int", types.StrType: "str", types.BoolType: "bool"} | {types.NoneType: "null"}
PLAIN_TYPES |= {types.AnyType: "any"}


def type_lines(path: str, kind: Any) -> Iterator[str]:
    """Yield the names within a type; `path` leads to it."""
    kind = kind if isinstance(kind, types.Type) else types.type_info(kind)
    match kind:
        case types.Metadata():  # keywords of its JSON Schema
            yield from type_lines(path, kind.type)
        case types.StructType():
            if kind.tag is not None:
                yield f"{path}: {kind.tag_field}={kind.tag}"
            for field in kind.fields:
                inner = f"{path}.{field.encode_name}"
                yield f"{inner}: {describe_type(field.type)}{describe_default(field)}"
                if field.encode_name != "facts":  # The names within it are listed once for each game.
                    yield from type_lines(inner, field.type)
        case types.UnionType():
            for member in kind.types:
                tag = member.tag if isinstance(member, types.StructType) else None
                yield from type_lines(f"{path}<{tag}>" if tag else path, member)
        case types.LiteralType():
            yield from (f"{path}: {json.dumps(value)}" for value in kind.values)
        case types.CollectionType():
            yield from type_lines(f"{path}[]", kind.item_type)
        case types.TupleType():
            for member in kind.item_types:
                yield from type_lines(f"{path}[]", member)
        case types.DictType():
            yield from type_lines(f"{path}{{}}", kind.value_type)


def describe_type(kind: types.Type) -> str:
    """Return a type in one line."""
    match kind:
        case types.Metadata():
            return describe_type(kind.type)
        case types.StructType():
            return "object"
        case types.LiteralType():
            return "choice"
        case types.UnionType():
            return " | ".join(dict.fromkeys(map(describe_type, kind.types)))
        case types.CollectionType():
            return f"[{describe_type(kind.item_type)}]{describe_limits(kind)}"
        case types.TupleType():
            return f"({', '.join(map(describe_type, kind.item_types))})"
        case types.DictType():
            return f"{{{describe_type(kind.key_type)}: {describe_type(kind.value_type)}}}{describe_limits(kind)}"
    return f"{PLAIN_TYPES[type(kind)]}{describe_limits(kind)}"


def describe_limits(kind: types.Type) -> str:
    given = {sign: getattr(kind, name, None) for name, sign in LIMIT_SIGNS.items()}
    return "".join(f" {sign}{value}" for sign, value in given.items() if value is not None)


def describe_default(field: types.Field) -> str:
    """Return the value of a field that is not stored; empty if it is required."""
    if field.default_factory is not msgspec.NODEFAULT:
        return f" = {msgspec.json.encode(field.default_factory()).decode()}"
    if field.default is msgspec.NODEFAULT:
        return ""
    return " = unset" if field.default is msgspec.UNSET else f" = {msgspec.json.encode(field.default).decode()}"


def data_key_lines(path: str, data: Any) -> Iterator[str]:
    """Yield the keys within plain data, except those whose type is listed elsewhere."""
    if isinstance(data, list):
        for value in data:
            yield from data_key_lines(f"{path}[]", value)
    elif isinstance(data, dict):
        for key, value in data.items():
            inner = f"{path}{key}" if path.endswith(" ") else f"{path}.{key}"
            yield inner
            if key == "waymark":  # the version of the format
                yield f"{inner}: {value}"
            if key not in ("what", "position", "facts", "boxes"):
                yield from data_key_lines(inner, value)


# Stored data of tables


def move_lines() -> Iterator[str]:
    for key, tracked in TRACKED_GAMES.items():
        old_moves = (old.type for old in OLD_CORRECTIONS.get(key, {}).values())
        for kind in (*tracked.moves, *old_moves):
            yield from type_lines(f"move {key} {types.type_info(kind).tag}", kind)


def entry_lines() -> Iterator[str]:
    for field in types.type_info(Entry).fields:
        yield f"entry {field.encode_name}: {describe_type(field.type)}{describe_default(field)}"
        if field.encode_name == "what":
            for kind in field.type.types:
                yield from type_lines(f"entry {kind.tag}", kind)


def setup_lines() -> Iterator[str]:
    for key, tracked in TRACKED_GAMES.items():
        yield from type_lines(f"setup {key}", tracked.setup_format.type)


def card_facts_lines() -> Iterator[str]:
    for key, game in GAMES.items():
        if game.box.card_facts:
            yield from type_lines(f"facts {key}", game.box.card_facts.type)


def position_lines() -> Iterator[str]:
    """Yield the position document of each game, and the fields and things a correction can name."""
    for key, tracked in TRACKED_GAMES.items():
        if not tracked.position_format:
            continue
        yield from type_lines(f"position {key}", tracked.position_format.type)
        for editable in tracked.position_format.editable_fields(initial_state(tracked)):
            place = re.sub(r"\b\d+\b", "#", editable.path)
            yield f"figure {key} {place}"
            yield from (
                f"figure {key} {place}: {json.dumps(choice.key)}" for choice in getattr(editable.domain, "choices", ())
            )
    yield from (f"position trails.to_do[]: {json.dumps(name)}" for name in TASKS_BY_NAME)


def initial_state(tracked: Any) -> Any:
    return tracked.initial_state(tracked.setup_format.default(list(names_for(tracked.key))))


def final_position_lines() -> Iterator[str]:
    for key, game in GAMES.items():
        try:
            game.box.read_final_position({"": None})
        except Exception as fault:  # The message lists the valid keys.
            yield from (f"final {key}.{known}" for known in str(fault).partition("there are ")[2].split(", "))
        for path, kind in {"players[]": game.box.player_document, **FINAL_POSITION_PARTS.get(key, {})}.items():
            yield from type_lines(f"final {key}.{path}", kind)


def result_lines() -> Iterator[str]:
    yield from type_lines("result", Result)
    for key, game in GAMES.items():
        yield from (f"result {key} category {id}" for id, _ in game.box.categories)
        tracked = game.tracked_games[0]
        sheet = game.box.score(tracked.final_position(initial_state(tracked)))
        yield from (f"result {key} decided_by: {tie_break.id}" for tie_break in sheet.all_tie_breaks)
    for text in collect_answers().texts["score.json"]:
        score = json.loads(text)
        yield f"result {score['game']} decided_by: {score['decided_by']}"


def plan_lines() -> Iterator[str]:
    yield from type_lines("plan", RepairPlan)


def transfer_lines() -> Iterator[str]:
    yield from type_lines("file players[]", import_export.PlayerRecord)
    yield from type_lines("file rulings[]", import_export.RulingRecord)
    yield f"file bgg: {describe_type(types.type_info(import_export.BggIds))}"


def rule_lines() -> Iterator[str]:
    """Yield the ids of games, rules, rulings and their options."""
    yield from (f"play {key}" for key in TRACKED_GAMES)
    for key, game in GAMES.items():
        yield f"game {key}"
        yield from (f"rule {key} {id}" for id in game.box.rules)
        for ruling in game.box.rulings:
            yield from (f"ruling {key} {ruling.id}: {option.id}" for option in ruling.options)


def component_lines() -> Iterator[str]:
    """Yield the names of cards, colors, faces and the like that card facts contain."""
    for key, game in GAMES.items():
        text = Path(str(game.box.components.__file__)).with_name("box.toml").read_text(encoding="utf-8")
        yield from (f"thing {key}: {json.dumps(word)}" for word in find_words(tomllib.loads(text)))


PROSE = {"source", "confidence", "does", "title"}  # keys of sentences and headings


def find_words(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for value in data if isinstance(data, list) else (data[key] for key in data.keys() - PROSE):
            yield from find_words(value)


# The stored files and answers of an instance with finished games of each kind, requested as a browser and a shell do


class Answers(NamedTuple):
    """The answers and the stored data of an instance with finished games."""

    pages: list[str]  # methods and address of each
    cookies: set[str]
    session: set[str]
    texts: dict[str, list[str]]  # by the name of the file
    links: list[dict]  # plays offered to BG Stats
    schema: list[str]
    files: set[str]


@functools.cache
def collect_answers() -> Answers:
    """Return the answers and the stored data of an instance with a finished game of each kind.

    :raises AssertionError: if a page or a command fails.
    """
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        app = create_app(folder)
        stack.callback(app.extensions["waymark"].store.db.conn.close)
        client = app.test_client()

        def get_text(address: str) -> str:
            answer = client.get(address)
            assert answer.status_code == 200, f"{address}: {answer.status}"
            return answer.text

        def sent(address: str, **form: Any) -> None:
            answer = client.post(address, data={"csrf_token": token, **form})
            assert answer.status_code == 303, f"{address}: {answer.status}"

        home = client.get("/history")
        token = re.search('name="csrf_token" value="([^"]+)"', home.text)[1]
        for log in OLD_LOGS:
            sent("/history/file", file=(io.BytesIO(log.read_bytes()), "log.json"))
        codes = [json.loads(log.read_text(encoding="utf-8"))["code"] for log in OLD_LOGS]
        everything = get_text("/history.json")
        ids = [result["id"] for result in json.loads(everything)["results"]]
        sent(f"/r/{ids[0]}/about", where="hut", note="rain")
        finals = [folder / f"{number}.json" for number, _ in enumerate(OUTCOMES)]
        for file, outcome in zip(finals, OUTCOMES, strict=True):
            file.write_text(outcome, encoding="utf-8")
        run_command("backup", str(folder / "backup"), "--instance", name)
        files = stack.enter_context(zipfile.ZipFile(folder / "backup")).namelist()
        db = stack.enter_context(contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)))
        with client.session_transaction() as session:
            in_session = set(session)
        offered = [html.unescape(link) for id in ids for link in BG_STATS.findall(get_text(f"/r/{id}"))]
        scores = [get_text(f"/t/{code}/score.json") for code in codes]
        return Answers(
            pages=[*page_rules(app)],
            cookies={cookie.partition("=")[0] for cookie in home.headers.getlist("Set-Cookie")},
            session=in_session,
            texts={
                "score.json": [*scores, *(run_command("score", "--json", str(file)) for file in finals)],
                "score.csv": [get_text(f"/t/{code}/score.csv") for code in codes],
                "result.json": [get_text(f"/r/{id}.json") for id in ids],
                "box.json": [get_text(f"/box/{key}.json") for key, game in GAMES.items() if game.box.card_facts],
                "history.json": [everything],
                "history.csv": [get_text("/history.csv"), run_command("history", "--csv", "--instance", name)],
                "everything.json": [run_command("history", "--json", "--instance", name)],
                "export.json": [run_command("export", codes[0], "--instance", name)],
                "position.json": [run_command("replay", "--position", str(OLD_LOGS[0]))],
                "rules.json": [run_command("rules", "--json", "--game", "trails")],
            },
            links=[json.loads(unquote(link)) for link in offered],
            schema=[*schema_lines(db)],
            files=set(files),
        )


BG_STATS = re.compile(r'href="https://app\.bgstatsapp\.com/createPlay\.html\?data=([^"]+)"')


def run_command(*arguments: str) -> str:
    """Return the output of a command.

    :raises AssertionError: if it fails.
    """
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([*arguments])
    assert status == 0, f"waymark {' '.join(arguments)}: {err.getvalue()}"
    return out.getvalue()


def page_rules(app: Any) -> Iterator[str]:
    """Yield methods and address of each page; an address has types instead of parameter names."""
    for rule in app.url_map.iter_rules():
        address = re.sub(r"<(?:([^<>]*):)?\w+>", lambda part: f"<{part[1] or 'text'}>", rule.rule)
        yield from (f"{method} {address}" for method in rule.methods - {"HEAD", "OPTIONS"})


def schema_lines(db: sqlite3.Connection) -> Iterator[str]:
    for kind, name in db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"):
        if kind == "table" and not name.startswith("_"):  # Such tables belong to a library.
            for _, column, declared, *_ in db.execute(f"PRAGMA table_info([{name}])"):
                yield f"table {name}.{column}: {declared or 'any'}"
        elif kind == "index" and not name.startswith("idx__"):
            columns = ", ".join(row[2] for row in db.execute(f"PRAGMA index_info([{name}])"))
            yield f"{kind} {name}: {columns}"
    for of, name in db.execute("SELECT migration_set, name FROM _sqlite_migrations"):
        yield f"migration {of} {name}"


def page_lines() -> Iterator[str]:
    yield from (f"page {page}" for page in collect_answers().pages)


def browser_storage_lines() -> Iterator[str]:
    yield from (f"cookie {name}" for name in collect_answers().cookies)
    yield from (f"session {name}" for name in collect_answers().session)
    scripts = [*read_files("static/js", ".js")]
    for text in scripts:
        for names in re.findall(r"Storage\.setItem\(\w+, JSON\.stringify\(\{ ([^}]*) \}", text):
            yield from (f"sessionStorage {name}" for name in names.split(", "))
    yield from (f"header {name}" for name in find_matches((r'headers\["([^"]+)"\] = ',), scripts))
    yield from (f"header {name}" for name in find_matches((r'_HEADER = "([^"]+)"',), read_files("companion", ".py")))


def export_lines() -> Iterator[str]:
    for name, texts in collect_answers().texts.items():
        for text in texts:
            if name.endswith(".json"):
                yield from data_key_lines(f"json {name} ", json.loads(text))
            else:
                yield from (
                    f"csv {name}: {column}" for column in next(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
                )


def bg_stats_lines() -> Iterator[str]:
    for link in collect_answers().links:
        yield from data_key_lines("bgstats ", link)
        yield f"bgstats sourceName: {link['sourceName']}"
        yield f"bgstats game.sourceGameId: {link['game']['sourceGameId']}"
    yield from (f"bgstats {key}: {game.box.bgg_id}" for key, game in GAMES.items() if game.box.bgg_id)


def database_lines() -> Iterator[str]:
    yield from collect_answers().schema
    yield from (f"instance {name}" for name in collect_answers().files)
    for status in (card_facts.WAITING, card_facts.ACCEPTED, card_facts.DECLINED, card_facts.UNDONE):
        yield f"table changes.status: {json.dumps(status)}"
    for source in (card_facts.FROM_TABLE, card_facts.FROM_PAGE, card_facts.FROM_FILE, card_facts.FROM_UNDO):
        yield f"table changes.source: {json.dumps(source)}"


# Form fields and query parameters: read from WTForms, and from the text of templates, scripts and code


HIDDEN_TAGS = re.compile(r"<(?:meta|details) [^>]*>")  # whose names are no fields
PLACEHOLDER = re.compile(r"\{\{[^}]*\}\}|\{[^}]*\}")
TEMPLATE_PATTERNS = (r'(?<![\w-])name="([^"]+)"', r'[?&]([a-z_]+)=')  # fmt: skip
# Macros that write a field, and how a call of theirs names it, sometimes with its value.
MACRO_CALLS = {
    r'\b(?:hidden_field|radio_choice|option)\("([\w.%]+)"(?! ~)': "{}",
    r'\bradio_choice\("([\w.]+)" ~': "{}{{}}",
    r'\bnumber_input\("([\w.]+\.)"': "{}{{}}",
    r'\bchoice_list\("[^"]*", "([\w.]+)"': "{}",
    r'\bsmall_button\(path ~ "([\w.]+)"': "{{}}{}",
    r'\bboost_legs\(.*, path ~ "([\w.]+)"\)': "{{}}{}",
    r'\bplayer_name_field\(.*, "([\w.%]+)"': "{}",
    r'\bvalue_button\("(\w+)"': "move.{}",
    r'\bowner_form\("(\w+)"\)': 'do: "{}"',
    r'\bhidden_field\("(\w+)", "(\w+)"\)': '{}: "{}"',
}
CODE_PATTERNS = (
    r'(?:form|args|values|files|draft|fields)\.get(?:list)?\(\s*f?"([^"]+)"',
    r'"([^"]+)" (?:not )?in request\.(?:form|args|values)',
    r'request\.(?:form|args|values)\["([^"]+)"\]',
    r'\b(?:read_id|read_nested_fields|read_flat_fields|uploaded_file)\((?:[\w.]+, )?"([^"]+)"',
)
SCRIPT_PATTERNS = (r'"(draft\.\w+)"',)


def read_files(folder: str, ending: str) -> Iterator[str]:
    """Yield the text of each file of a folder."""
    for file in sorted((CHECKOUT / folder).rglob(f"*{ending}")):
        yield file.read_text(encoding="utf-8")


def find_matches(patterns: Iterable[str], texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for pattern in patterns:
            yield from (PLACEHOLDER.sub("{}", name) for name in re.findall(pattern, text))


def macro_fields(template: str) -> Iterator[str]:
    """Yield the fields that macros write for a template."""
    for pattern, line in MACRO_CALLS.items():
        for found in re.findall(pattern, template):
            name = line.format(*(found if isinstance(found, tuple) else [found]))
            yield re.sub("%[ds]", "{}", name)
    for fields in re.findall(r'(?:\bfields ?= ?{|, {(?="move))("[\w.]+": [^{}]*)}', template):
        for name, value in re.findall(r'"([\w.]+)": (?:"([\w-]+)"(?! ~))?', fields):
            yield name
            if value:
                yield f"{name}: {json.dumps(value)}"
    for name, labels in re.findall(r'\bchoice_list\("[^"]*", "([\w.]+)", (\w+)', template):
        values = re.search(rf"set {labels} = {{(.*?)}} %}}", template, re.DOTALL)
        assert values, f"no labels {labels}"
        yield from (f'{name}: "{value}"' for value in re.findall(r'(?m)^\s*"(\w+)":', values[1]))


def field_lines() -> Iterator[str]:
    """Yield the names of form fields and query parameters, and the values of form buttons."""
    for form in vars(forms).values():
        if isinstance(form, type) and issubclass(form, Form):
            typed_in = inspect.getmembers(form, lambda member: isinstance(member, UnboundField))
            yield from (f"field {name}" for name, _ in typed_in)
    templates = [HIDDEN_TAGS.sub("", text) for text in read_files("templates", ".html")]
    yield from (f"field {name}" for name in find_matches(TEMPLATE_PATTERNS, templates))
    for text in templates:
        yield from (f"field {name}" for name in macro_fields(text))
    yield from (f"field {name}" for name in find_matches(CODE_PATTERNS, read_files("companion", ".py")))
    yield from (f"field draft.{name}" for name in find_matches(CODE_PATTERNS[:1], read_files("scoring", ".py")))
    yield from (f"field {name}" for name in find_matches(SCRIPT_PATTERNS, read_files("static/js", ".js")))
    for text in templates:
        for name, value in re.findall(r'(?<![\w-])name="([\w.]+)" value="([\w-]+)"', text):
            yield f"field {name}: {json.dumps(value)}"


# Names used by scripts and programs


def command_lines() -> Iterator[str]:
    """Yield commands, their flags and arguments, and environment variables."""
    yield from flag_lines("", waymark)
    for name, command in waymark.commands.items():
        yield f"command {name}"
        yield from flag_lines(f"{name} ", command)
    texts = (*read_files("companion", ".py"), *read_files("deploy", ""), *read_files("static/js", ".js"))
    yield from (f"env {name}" for text in texts for name in re.findall(r"\bWAYMARK_[A-Z]+\b", text))


def flag_lines(path: str, command: click.Command) -> Iterator[str]:
    """Yield the flags and arguments of a command, with how many values they take, and which."""
    context = click.Context(command, **waymark.context_settings)
    for param in command.get_params(context):
        is_option = isinstance(param, click.Option)
        takes = "nothing" if is_option and param.is_flag else "one"
        if not is_option and (param.nargs == -1 or not param.required):
            takes = "?" if param.nargs == 1 else "+" if param.required else "*"
        for name in param.opts if is_option else [param.human_readable_name.lower().removesuffix("...")]:
            line = f"{'flag' if is_option else 'argument'} {path}{name}"
            yield f"{line}: takes {takes}"
            yield from (f"{line}: {json.dumps(value)}" for value in getattr(param.type, "choices", ()))


def package_lines() -> Iterator[str]:
    """Yield the names that other programs import."""
    for name in scoring.__all__:
        public = getattr(scoring, name)
        yield f"scoring {name}"
        if isinstance(public, type):
            yield from (f"scoring {name}: {base.__name__}" for base in public.__bases__)
            if public is not scoring.Move:  # the attributes of moves are no promise
                yield from class_lines(f"scoring {name}", public)
        else:
            yield from (f"scoring {name}({parameter})" for parameter in inspect.signature(public).parameters)


def class_lines(path: str, public: type) -> Iterator[str]:
    """Yield the public fields, properties and methods of a class, with parameters."""
    fields = {*getattr(public, "__struct_fields__", ()), *getattr(public, "__dataclass_fields__", ())}
    yield from (f"{path}.{field}" for field in fields)
    for name, member in vars(public).items():
        if not name.startswith("_") and name not in fields:
            yield f"{path}.{name}"
            if inspect.isfunction(member):
                parameters = list(inspect.signature(member).parameters)[1:]
                yield from (f"{path}.{name}({parameter})" for parameter in parameters)


AREAS: dict[str, Callable[[], Iterator[str]]] = {
    "moves": move_lines,
    "entries": entry_lines,
    "setups": setup_lines,
    "facts": card_facts_lines,
    "positions": position_lines,
    "final positions": final_position_lines,
    "results": result_lines,
    "plans": plan_lines,
    "transfer files": transfer_lines,
    "rules": rule_lines,
    "things": component_lines,
    "pages": page_lines,
    "browsers": browser_storage_lines,
    "exports": export_lines,
    "BG Stats": bg_stats_lines,
    "database": database_lines,
    "fields": field_lines,
    "commands": command_lines,
    "package": package_lines,
}


def area_lines(name: str) -> set[str]:
    """Return the lines of one area of the app; each has one line of text."""
    with without_small_games():
        return {re.sub(r"\s+", " ", line).strip() for line in AREAS[name]()}


@functools.cache
def stored_names() -> frozenset[str]:
    """Return the lines of all areas."""
    return frozenset(line for area in AREAS for line in area_lines(area))


def read_lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def run() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.stored_names", description="Print today's names.")
    parser.add_argument("--add", action="store_true", help=f"add the new ones to {SINCE_FILE.name} instead")
    names = stored_names()
    if not parser.parse_args().add:
        print("\n".join(sorted(names)))
        return
    added = names - {*read_lines(OLD_NAMES_FILE), *read_lines(SINCE_FILE)}
    SINCE_FILE.write_text("".join(f"{name}\n" for name in sorted({*read_lines(SINCE_FILE)} | added)), encoding="utf-8")
    print(f"Added {len(added)} names to {SINCE_FILE.relative_to(CHECKOUT)}.")


if __name__ == "__main__":
    run()
