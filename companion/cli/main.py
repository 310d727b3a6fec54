"""The command line of Waymark: runs the server and works on score files and stored tables."""

import argparse
import contextlib
import csv
import datetime
import errno
import io
import ipaddress
import json
import logging
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion import __version__
from companion.cli.manual import Manual, UsageError, described, exemplified, filled, likely
from companion.cli.progress import Progress, waiting
from companion.system import paths
from companion.system.keys import InvalidKeyError

if TYPE_CHECKING:
    from companion.history.result import Result
    from companion.service.referee import Referee
    from scoring.kernel.sheet import Column

ScoredT = TypeVar("ScoredT")

DEFAULT_PORT = 8000
PAUSE_SECONDS = 0.1  # seconds between units of background work, so that requests are not delayed
MAX_RULES_PER_GAME = 3  # rules listed per game for a question
MAX_LINE_LENGTH = 300  # characters of an error


class CommandError(Exception):
    """The command cannot be done; print the message and exit with status 2."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status.

    :return: 0 for success, 1 if the command could only be done in part, 2 if it could not be done.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may have letters that this terminal cannot show
    try:
        parser = _build_parser()
        options = parser.parse_args(arguments)
        if options.run is None:  # no command was given
            print(likely(), end="", file=sys.stderr)
            return 2
        status = options.run(options) or 0
        if sys.stdout:  # it is None in a process without a console
            sys.stdout.flush()
        return status
    except (CommandError, UsageError, InvalidKeyError) as error:
        print(_one_line(str(error)), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OSError as error:  # not handled by the command: its output cannot be written
        _discard_output()
        if isinstance(error, BrokenPipeError):  # the reader has closed the pipe
            return 0
        print(_one_line(f"{error.filename or 'standard output'}: {error.strerror}"), file=sys.stderr)
        return 2


def _one_line(text: str) -> str:
    """Return a text as a single line of limited length.

    In a long line, long words such as paths keep only their end. If that is not enough, the middle is cut: the place of
    an error is at the beginning, and the nearest valid value at the end.
    """
    line = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
    if len(line) > MAX_LINE_LENGTH:
        line = re.sub(r"\S{2,}(\S{59})(?!\S)", "\u2026\\1", line)
    return line if len(line) <= MAX_LINE_LENGTH else f"{line[: MAX_LINE_LENGTH - 100]} \u2026 {line[-97:]}"


def _discard_output() -> None:
    """Discard all further output, so that the exit of the interpreter does not retry the write."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError):  # standard output may have no file descriptor
        os.dup2(null_device, sys.stdout.fileno())
    os.close(null_device)


COMMAND_SUMMARIES = {
    "serve": "serve the tables to the phones on this network",
    "decide": "agree for the host to what a table waits for, where the host\u2019s phone is lost",
    "rules": "find rules by a question in your own words",
    "score": "score a finished game described in a JSON file",
    "print": "print the score sheet of a finished game as PDF",
    "pad": "print blank score pads as PDF",
    "history": "list what has been played, the latest first, with who won",
    "import": "take in what Waymark has written: everything, a play, a table\u2019s log",
    "export": "write a table\u2019s log as JSON, whatever of it can be read",
    "replay": "play a log again and print its score, or how the table lies",
    "schema": "print the JSON Schemas of the documents of a game",
    "backup": "copy all tables and keys into one file, also while they are served",
    "restore": "put a backup into a folder without tables",
    "expire": "list the tables at which nothing has been said for long, or delete them",
    "completion": "print a script by which a shell completes all this",
}


class _GameKeys:
    """The keys of the games, loaded on first use to keep other commands fast."""

    def __iter__(self) -> Iterator[str]:
        from scoring.games import GAMES

        return iter(GAMES)


class _DocumentNames:
    """The names of the documents with a JSON Schema, loaded on first use."""

    def __iter__(self) -> Iterator[str]:
        from scoring.schema import DOCUMENT_NAMES

        return iter(DOCUMENT_NAMES)


def _build_parser() -> Manual:
    parser = Manual(prog="waymark")
    parser.add_argument("--version", action="version", version=f"waymark {__version__}", help="which Waymark this is")
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=Manual)
    parser.lines, parser.commands = COMMAND_SUMMARIES, commands.choices
    parser.set_defaults(run=None)

    def add_command(name: str, run: Callable[[argparse.Namespace], int | None]) -> Manual:
        command = commands.add_parser(
            name, help=COMMAND_SUMMARIES[name], description=described(name), epilog=exemplified(name)
        )
        command.set_defaults(run=run)
        return command

    serve = add_command("serve", _serve)
    serve.add_argument("--host", default="0.0.0.0", help="address to listen on (0.0.0.0, which is all)")
    serve.add_argument(
        "--port", type=_parse_port, default=DEFAULT_PORT, help=f"port ({DEFAULT_PORT}; the next free one if taken)"
    )
    serve.add_argument(
        "--address",
        type=_parse_address,
        action="append",
        default=[],
        help="what phones are told (what is found); may be repeated",
    )
    serve.add_argument(
        "--name",
        type=_parse_host_name,
        action="append",
        default=[],
        help="another name it answers to (none); may be repeated",
    )
    serve.add_argument("--proxies", type=_parse_proxies, default=0, help="reverse proxies it stands behind (none)")
    serve.add_argument(
        "--codes", type=_parse_code_letters, help="first letters of its codes (all), where several share a name"
    )
    _add_instance_option(serve)

    score = add_command("score", _score)
    score.add_argument("file", help="the file, or - for standard input")
    score.add_argument("--json", action="store_true", help="print the result as data")

    rules = add_command("rules", _rules)
    rules.add_argument("words", nargs="*", help="a question, or words of it; none: all rules of a game")
    rules.add_argument("--game", choices=_GameKeys(), metavar="GAME", help="of one game alone: %(choices)s (all)")
    rules.add_argument("--json", action="store_true", help="print what is found as data")

    prints = add_command("print", _print)
    prints.add_argument("file", help="the file, or - for standard input")
    form = prints.add_mutually_exclusive_group()
    form.add_argument("--pages", type=int, choices=(1, 2), default=1, metavar="N", help="on how many, 1 or 2 (1)")
    form.add_argument("--half", action="store_true", help="half a page without the lines, twice on one that is cut")
    _add_output_options(prints)

    pad = add_command("pad", _pad)
    pad.add_argument("game", choices=_GameKeys(), metavar="game", help="one of %(choices)s")
    _add_output_options(pad)

    export = add_command("export", _export)
    export.add_argument("code", type=_parse_code, nargs="?", help="the table's code")
    export.add_argument(
        "--all",
        type=Path,
        metavar="FOLDER",
        help="write every table to a file of its own in this folder (one, to standard output)",
    )
    _add_instance_option(export)

    decide = add_command("decide", _decide)
    decide.add_argument("code", type=_parse_code, help="the table's code")
    _add_instance_option(decide)

    backup = add_command("backup", _backup)
    backup.add_argument("file", type=Path, help="the file to write")
    backup.add_argument("--force", action="store_true", help="write over a file that is there")
    _add_instance_option(backup)

    restore = add_command("restore", _restore)
    restore.add_argument("file", type=Path, help="the backup")
    restore.add_argument("--force", action="store_true", help="put tables that are there aside")
    _add_instance_option(restore)

    expire = add_command("expire", _expire)
    expire.add_argument(
        "--older-than", type=_parse_days, required=True, metavar="DAYS", help="days since anything was said there"
    )
    expire.add_argument("--yes", action="store_true", help="delete them")
    _add_instance_option(expire)

    history = add_command("history", _history)
    history.add_argument("search", nargs="*", help="only results with all these words: a name, a game, a day, a place")
    history.add_argument("--limit", type=_parse_limit, default=30, metavar="N", help="the latest N (30; 0 for all)")
    history.add_argument("--csv", action="store_true", help="write them as a table, one row for each player")
    history.add_argument(
        "--json",
        action="store_true",
        help="write everything that is remembered, whatever is searched for; it holds every secret",
    )
    _add_instance_option(history)

    imports = add_command("import", _import)
    imports.add_argument("files", nargs="+", metavar="file", help="the file, or - for standard input")
    _add_instance_option(imports)

    replay = add_command("replay", _replay)
    replay.add_argument("file", help="a log, or a table as it lies; - for standard input")
    replay.add_argument("--at", type=int, metavar="N", help="stop after the entry with this number (the last)")
    replay.add_argument(
        "--position", action="store_true", help="print the table as it lies, as JSON; it holds every secret"
    )

    schema = add_command("schema", _schema)
    schema.add_argument("game", choices=_GameKeys(), metavar="game", help="one of %(choices)s")
    schema.add_argument(
        "document", choices=_DocumentNames(), metavar="document", nargs="?", help="one of %(choices)s; none: all"
    )

    completion = add_command("completion", _completion)
    completion.add_argument(
        "shell", choices=("bash", "zsh", "fish", "tcsh"), metavar="shell", help="one of %(choices)s"
    )
    return parser


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write")
    parser.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", metavar="PAPER", help="%(choices)s (%(default)s)"
    )


def _add_instance_option(parser: argparse.ArgumentParser) -> None:
    help = f"folder of the tables ({paths.instance_folder()})".replace("%", "%%")
    parser.add_argument("--instance", type=Path, metavar="FOLDER", help=help)


# Parsers of option values. They raise CommandError, because argparse would print the usage of the whole command.


def _parse_port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > 65535:
        raise CommandError(f"--port {text}: a port is a number from 1 to 65535, or 0 for any that is free.")
    return int(text)


def _parse_code(text: str) -> str:
    return text.upper().encode(errors="replace").decode()  # undecodable bytes are not valid in a code


def _parse_limit(text: str) -> int:
    if not re.fullmatch("[0-9]{1,7}", text):
        raise CommandError(f"--limit {text}: how many results, as a number; 0 for all.")
    return int(text)


def _parse_proxies(text: str) -> int:
    if not re.fullmatch("[0-9]", text):
        raise CommandError(f"--proxies {text}: the number of reverse proxies before this server, 0 to 9.")
    return int(text)


def _parse_host_name(text: str) -> str:
    if not re.fullmatch(r"[\w.-]{1,253}", text):
        raise CommandError(
            f"--name {text}: a name is made of letters, digits, dots and hyphens, without http:// or a port."
        )
    return text


def _parse_address(text: str) -> str:
    with contextlib.suppress(ValueError):
        return _url_host(str(ipaddress.ip_address(text.strip("[]"))))
    if not re.fullmatch(r"[\w.-]{1,253}", text):
        raise CommandError(f"--address {text}: an address like 192.168.1.20, or a name, without http:// or a port.")
    return text


def _parse_code_letters(text: str) -> str:
    from companion.storage.store import ALPHABET

    letters = text.upper()
    if not letters or set(letters) - set(ALPHABET) or len(set(letters)) < len(letters):
        raise CommandError(f"--codes {text}: some of the letters {ALPHABET}, each once.")
    return letters


def _parse_days(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,4}", text):
        raise CommandError(f"--older-than {text}: a number of days, 1 or more.")
    return int(text)


def _url_host(address: str) -> str:
    """Return an address as written in a URL."""
    return f"[{address}]" if ":" in address else address


def _serve(options: argparse.Namespace) -> None:
    from companion.service.clock import clock_warning
    from companion.system import network
    from companion.web import server

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    folder = paths.instance_folder(options.instance)
    app = _create_app(folder, options)
    store = app.extensions["waymark"].store
    with (
        server.StopRequest().handle_signals(),
        contextlib.closing(store),
        contextlib.closing(_open_socket(server.open_socket, options.host, options.port)) as listening,
    ):
        bound, port = listening.getsockname()[:2]
        is_unspecified = ipaddress.ip_address(bound).is_unspecified
        addresses = options.address or (network.local_addresses() if is_unspecified else _reachable_addresses(bound))

        local_only_text = LOCAL_ONLY_TEXTS["proxy" if options.proxies else "no network" if is_unspecified else "host"]

        def announce(new_addresses: list[str], *notes: str) -> None:
            if new_addresses:
                app.config["LAN_ADDRESS"] = new_addresses[0]
            print(_address_text(new_addresses, port, local_only_text), *notes, sep="\n", flush=True)

        home = f"http://{addresses[0] if addresses else 'localhost'}:{port}"
        owner = app.extensions["waymark"].card_facts.owners.invitation(home)
        warnings = [*([DISK_FULL] if store.is_full else []), *filter(None, [clock_warning(store)])]
        announce(addresses, f"The tables are kept in {folder}.", owner, *warnings, "Ctrl+C closes it; nothing is lost.")
        if is_unspecified and not options.address:
            network.AddressWatcher(addresses, announce).start()
        threading.Thread(target=_report_missing_pdf, name="no pdf", daemon=True).start()  # the check is slow
        with _background_work(store, lambda pause: _prepare(app, pause), lambda pause: _report_damage(store)):
            _run_server(app, listening)


DISK_FULL = "The disk is full: tables can be read, but nothing can be entered until there is room."


class ServerStoppedError(Exception):
    """The server has stopped, so background work must end."""


@contextmanager
def _background_work(store, *tasks: Callable[[Callable[..., None]], None]) -> Iterator[None]:
    """Run functions in background threads that end with the block.

    Each function is passed a `pause` function, which it calls wherever it may be stopped.
    """
    from companion.storage.database import StorageError

    ended = threading.Event()

    def pause(*_: object) -> None:
        if ended.wait(PAUSE_SECONDS):
            raise ServerStoppedError

    def run(function: Callable[[Callable[..., None]], None]) -> None:
        # The pages report storage errors, and the next start of the server tries again.
        with contextlib.suppress(ServerStoppedError, StorageError):
            function(pause)

    threads = [threading.Thread(target=run, args=(task,), name="beside", daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        while any(thread.is_alive() for thread in threads):
            store.interrupt()
            for thread in threads:
                thread.join(PAUSE_SECONDS)


def _prepare(app, pause: Callable[..., None]) -> None:
    """Precompile templates, and record the results of tables from before the history existed."""
    from companion.rendering.templating import precompile

    precompile(app, pause)
    app.extensions["waymark"].results.catch_up(pause)


def _report_damage(store) -> None:
    """Check the whole database while requests are served, and print its first damage."""
    from companion.storage.database import DAMAGED_TEXT

    if damage := store.find_damage():
        print(f"{DAMAGED_TEXT} ({damage})", flush=True)


def _report_missing_pdf() -> None:
    from companion.rendering import pdf

    if no_pdf := pdf.unavailable_reason():
        print(no_pdf, flush=True)


def _create_app(folder: Path, options: argparse.Namespace):
    """Return the app after checking that its database can be used."""
    from companion.storage.database import DiskFullError, StorageError, UnreadableDatabaseError
    from companion.storage.store import ALPHABET
    from companion.web.app import create_app

    hosts = (*options.name, *options.address)
    try:
        app = create_app(folder, HOSTS=hosts, PROXIES=options.proxies, CODES=options.codes or ALPHABET)
        with contextlib.suppress(DiskFullError):  # tables can still be read
            app.extensions["waymark"].store.check()
    except (InvalidKeyError, UnreadableDatabaseError, StorageError) as error:
        raise CommandError(f"The tables in {folder} cannot be opened. {error}") from None
    except OSError as error:
        raise CommandError(
            f"The tables in {folder} cannot be opened. {error.filename or folder}: {error.strerror}."
        ) from None
    return app


def _reachable_addresses(bound: str) -> list[str]:
    """Return the address that the server listens on, if phones can reach it."""
    return [] if ipaddress.ip_address(bound).is_loopback else [_url_host(bound)]


LOCAL_ONLY_TEXTS = {  # who can reach the server if phones cannot
    "proxy": "for the proxy before it.",
    "no network": "for this computer only: it is on no network.",
    "host": "for this computer only; with --host 0.0.0.0 phones can reach it too.",
}


def _address_text(addresses: list[str], port: int, local_only_text: str) -> str:
    """Return the addresses for phones to scan or type, or who else can reach the server."""
    if not addresses:
        return f"Waymark is open at http://localhost:{port}, {local_only_text}"
    best_url, *other_urls = (f"http://{address}:{port}" for address in addresses)
    lines = [_terminal_qr(best_url), f"Waymark is open at {best_url}", *(f"  also at {url}" for url in other_urls)]
    return "\n".join([*lines, "Phones on the same network scan the code or type the address."])


def _terminal_qr(address: str) -> str:
    """Return a QR code of an address, or an empty text if the terminal cannot show one."""
    from companion.rendering import qr

    code = qr.terminal_text(address)
    try:
        code.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return ""
    return code


def _open_socket(open_socket: Callable[[str, int], socket.socket], host: str, port: int) -> socket.socket:
    """Return a socket on the port, or on the next free one if the default port is taken."""
    tries = range(port, port + 20) if port == DEFAULT_PORT else [port]
    reason = ""
    for candidate in tries:
        try:
            return open_socket(host, candidate)
        except (socket.gaierror, UnicodeError):
            raise CommandError(f"--host {host}: no address of this computer.") from None
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise CommandError(f"--host {host}: no address of this computer.") from None
            reason = os.strerror(error.errno) if error.errno else str(error)
    raise CommandError(f"Cannot listen on {host}:{port}: {reason}. Try --port with another number.")


def _run_server(app, listening_socket: socket.socket) -> None:
    from companion.web import server

    server.raise_connection_limit()
    server.tune_garbage_collector()
    server.configure_logging(Path(app.instance_path) / "waymark.log")
    serving = server.Server(app, app.extensions["waymark"].live)
    try:
        serving.run([listening_socket])
    finally:
        serving.close()


def _read_json(name: str) -> object:
    from scoring.kernel.errors import InvalidInputError
    from scoring.kernel.parsing import parse_json

    try:
        return parse_json(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None
    except InvalidInputError as error:
        raise CommandError(f"{name}: {error}") from None


def _score_file(name: str, score: Callable[[object], ScoredT]) -> ScoredT:
    """Return the result of a scoring function for the final position in a file."""
    from scoring.document import BadPosition

    try:
        return score(_read_json(name))
    except BadPosition as error:
        raise CommandError(str(error)) from None


def _score(options: argparse.Namespace) -> None:
    from scoring.document import score_sheet, sheet_data

    sheet = _score_file(options.file, score_sheet)
    print(_to_json(sheet_data(sheet)) if options.json else _sheet_text(sheet))


def _to_json(data: dict | list) -> str:
    """Return data as JSON, with non-ASCII letters escaped only where the output needs it."""
    return json.dumps(
        data, ensure_ascii=(getattr(sys.stdout, "encoding", None) or "utf-8").lower() not in ("utf-8", "utf8"), indent=1
    )


def _sheet_text(sheet) -> str:
    """Return the score sheet of a finished game as text, with the players by rank."""
    columns = sorted(sheet.columns, key=lambda column: column.rank)
    return _format_sheet(
        sheet, sheet.result_text, [(f"{column.rank}. {column.name}: {column.total}", column) for column in columns]
    )


def _unfinished_sheet_text(sheet, prompt: str, *, in_points: bool) -> str:
    """Return the score sheet of an unfinished game, without places or a winner."""
    columns = [(f"{column.name}: {column.total}" if in_points else column.name, column) for column in sheet.columns]
    return _format_sheet(sheet, f"The game is not over. {prompt}", columns)


def _format_sheet(sheet, first_line: str, columns_with_headings: list[tuple[str, "Column"]]) -> str:
    lines = [first_line]
    for heading, column in columns_with_headings:
        lines += ["", heading]
        for line in column.lines:
            citations = ", ".join(dict.fromkeys(rule.citation for rule in line.rules))
            lines.append(f"  {line.points:>3}  {line.label}. {line.because} ({citations})")
        lines += [f"       {warning}" for warning in column.warnings]
    lines += [f"\nHouse ruling. {ruling}" for ruling in sheet.rulings]
    return "\n".join(lines)


def _rules(options: argparse.Namespace) -> int:
    from companion.service.rule_search import rule_index
    from scoring.games import GAMES

    query, keys = " ".join(options.words), [options.game] if options.game else list(GAMES)
    if not query and not options.game:
        raise CommandError(f"rules: type a question, or --game and one of {', '.join(GAMES)} for all rules of it.")
    found = [
        (GAMES[key].box, rule)
        for key in keys
        for rule in (
            list(rule_index(key).search(query))[:MAX_RULES_PER_GAME] if query else GAMES[key].box.rules.values()
        )
    ]
    if options.json:
        data = [
            {"game": game.key, "id": rule.id, "section": rule.section, "text": rule.text, "cite": rule.citation}
            | {"book": rule.book, "page": rule.page, "status": rule.status}
            for game, rule in found
        ]
        print(_to_json(data))
    else:
        format_text = _wrap_paragraph if _is_terminal() else str  # other programs get one rule per line
        for game, rule in found:
            print(format_text(f"{game.title}, {rule.section}. {rule.text} ({rule.citation}; {rule.id})"))
        if not found:
            print("No rule is about that. Fewer words, or others, may find one.")
    return int(not found)


def _is_terminal() -> bool:
    return bool(sys.stdout) and sys.stdout.isatty()


def _wrap_paragraph(text: str) -> str:
    """Return a text wrapped as a paragraph with a hanging indent."""
    return filled(text, hanging="  ") + "\n"


def _schema(options: argparse.Namespace) -> None:
    from scoring import json_schemas

    schemas = json_schemas(options.game)
    if options.document and options.document not in schemas:
        raise CommandError(f"{options.game} has no {options.document}; there are {', '.join(schemas)}.")
    print(_to_json(schemas[options.document] if options.document else schemas))


def _completion(options: argparse.Namespace) -> None:
    from companion.cli import completion

    print(completion.script(_build_parser(), options.shell))


def _print(options: argparse.Namespace) -> None:
    from companion.rendering import print_pages

    form = print_pages.SheetLayout(options.pages, options.half)
    page = _score_file(options.file, lambda document: print_pages.print_page_of_file(document, form))
    _write_pdf(options, print_pages.render_html("print/sheet.html", options.paper, page=page))


def _pad(options: argparse.Namespace) -> None:
    from companion.rendering import print_pages
    from scoring.games import GAMES

    _write_pdf(options, print_pages.render_html("print/pad.html", options.paper, game=GAMES[options.game].box))


def _write_pdf(options: argparse.Namespace, html: str) -> None:
    from companion.rendering import pdf

    try:
        with waiting("Printing"):
            pdf_bytes = pdf.render_pdf(html, options.paper)
        options.output.write_bytes(pdf_bytes)
    except pdf.PdfUnavailableError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{options.output}: {error.strerror}") from None
    print(f"{options.output} is written.")


@contextmanager
def _open_store(options: argparse.Namespace):
    """Yield the store of an instance; errors of the store end the command."""
    from companion.log.apply import CorruptLogError
    from companion.storage.database import StorageError, UnreadableDatabaseError
    from companion.storage.store import Store, TableNotFoundError

    try:
        with contextlib.closing(Store(_tables_file(options))) as store:
            yield store
    except TableNotFoundError:
        raise CommandError(f"There is no table {options.code} here.") from None
    except (UnreadableDatabaseError, CorruptLogError, StorageError) as error:
        raise CommandError(str(error)) from None


def _tables_file(options: argparse.Namespace) -> Path:
    """Return the path of an instance's database."""
    file = paths.instance_folder(options.instance) / paths.DATABASE_NAME
    if not file.exists():
        raise CommandError(f"{file.parent}: no tables here yet")
    return file


def _decide(options: argparse.Namespace) -> None:
    from companion.service.live import LiveUpdates
    from companion.service.referee import Referee, new_tap

    with _open_store(options) as store:
        referee = Referee(store, LiveUpdates(store, 0))
        table = store.table(options.code)
        if not table.proposals:
            print(f"Nobody at table {table.code} waits for anything.")
        while table.proposals:  # one answer can settle other proposals, too
            question = table.proposals[0]
            table = referee.answer(table, table.host, new_tap(), question.number, True)
            print(f"Agreed: {question.quoted_text}")


def _backup(options: argparse.Namespace) -> None:
    from companion.storage import backup

    try:
        with waiting("Copying the tables"):
            backup.backup(paths.instance_folder(options.instance), options.file, options.force)
    except backup.BackupError as error:
        raise CommandError(str(error)) from None
    print(f"{options.file} is written. It holds every secret and the keys of this instance: keep it to yourself.")


def _restore(options: argparse.Namespace) -> None:
    from companion.storage import backup

    folder = paths.instance_folder(options.instance)
    try:
        with waiting("Putting the tables back"):
            old_folder = backup.restore(options.file, folder, options.force)
    except backup.BackupError as error:
        raise CommandError(str(error)) from None
    print(f"The tables are back in {folder}.", *([f"Those that were there are in {old_folder}."] if old_folder else []))


def _expire(options: argparse.Namespace) -> None:
    from companion.log.entries import local_date
    from companion.storage.store import timestamp
    from scoring.kernel.english import pluralize

    cutoff = timestamp(datetime.timedelta(days=options.older_than))
    with _open_store(options) as store:
        old = store.inactive_tables(cutoff)
        for code, last_time in old:
            print(f"{code}  {local_date(last_time or 'never')}")
        if not old:
            print(f"At every table something was said in the last {options.older_than} days.")
        elif options.yes:
            with waiting("Deleting"):
                deleted = store.delete_inactive_tables(cutoff)
            print(f"{pluralize(len(deleted), 'table')} deleted.")
        else:
            print(
                f"{pluralize(len(old), 'table')} to delete; nothing has been. "
                "Make a backup, then say it again with --yes."
            )


def _export(options: argparse.Namespace) -> int:
    from companion.storage import rescue
    from companion.storage.database import UnreadableDatabaseError

    if (options.code is None) == (options.all is None):
        raise CommandError("export: give the code of a table, or --all and a folder.")
    try:
        with rescue.open_rescue(_tables_file(options)) as saved:
            return _export_all(saved, options.all) if options.all else _export_one(saved, options.code)
    except UnreadableDatabaseError as error:
        raise CommandError(str(error)) from None


def _export_one(saved, code: str) -> int:
    if code not in saved.tables:
        damaged = " But the file is damaged; --all saves what it has." if saved.is_damaged else ""
        raise CommandError(f"There is no table {code} here.{damaged}")
    log = saved.read_log(code)
    print(_export_json(code, log.rows))
    return _report_lost_entries(code, log)


def _export_all(saved, folder: Path) -> int:
    from companion.system.files import private_opener  # an export holds every secret
    from scoring.kernel.english import pluralize

    folder.mkdir(parents=True, exist_ok=True)
    status = 0
    with Progress("Tables written") as progress:
        for number, code in enumerate(saved.tables, 1):
            log = saved.read_log(code)
            if log.rows:
                with open(folder / f"{code}.json", "w", encoding="utf-8", opener=private_opener) as file:
                    print(_export_json(code, log.rows), file=file)
            status |= _report_lost_entries(code, log)
            progress(number, len(saved.tables))
    print(f"{pluralize(len(saved.tables), 'table')} in {folder}.")
    if saved.is_damaged:
        print("The file of the tables is damaged. What is named here is lost, all else is saved.", file=sys.stderr)
    return status | saved.is_damaged


def _report_lost_entries(code: str, log) -> int:
    """Print which entries of a table could not be read; return 1 if there are any."""
    if not log.rows:
        print(f"Table {code}: nothing of it can be read.", file=sys.stderr)
    elif log.missing_numbers:
        print(f"Table {code}: {_entry_ranges(log.missing_numbers)} cannot be read.", file=sys.stderr)
    return int(bool(log.missing_numbers) or not log.rows)


def _entry_ranges(numbers: Iterable[int]) -> str:
    """Return the numbers of entries in words, with consecutive numbers as ranges."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    spans = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"{'entry' if len(spans) == 1 and ' ' not in spans[0] else 'entries'} {', '.join(spans)}"


def _export_json(code: str, rows: list) -> str:
    """Return a log as JSON; its phones are numbered."""
    from companion.service import import_export

    return _to_json(import_export.log_data(code, rows))


@contextmanager
def _open_referee(options: argparse.Namespace, folder: Path) -> Iterator["Referee"]:
    """Yield the referee of an instance after recording results that its history lacks."""
    from companion.service.live import LiveUpdates
    from companion.service.referee import Referee
    from companion.storage.database import StorageError, UnreadableDatabaseError
    from companion.storage.store import Store

    try:
        with contextlib.closing(Store(folder / paths.DATABASE_NAME)) as store:
            referee = Referee(store, LiveUpdates(store, 0))
            with Progress("Tables looked at") as progress:
                referee.results.catch_up(progress)
            yield referee
    except (UnreadableDatabaseError, StorageError) as error:
        raise CommandError(str(error)) from None


def _history(options: argparse.Namespace) -> int:
    from companion.history import result as results
    from companion.service import import_export

    folder = _tables_file(options).parent
    with _open_referee(options, folder) as referee:
        if options.json:
            with Progress("Tables written") as progress:
                for chunk in import_export.export_all(referee, None, progress):
                    sys.stdout.write(chunk)
            return 0
        words = results.name_key(" ".join(options.search)).split()
        found = [result for result in reversed(referee.results.all()) if not result.hidden]
        found = [result for result in found if all(word in results.search_text(result) for word in words)]
        found = found[: options.limit or None]
    if options.csv:
        table = csv.writer(sys.stdout)
        table.writerow(results.CSV_COLUMNS)
        table.writerows([results.escape_cell(cell) for cell in row] for row in results.csv_rows(found))
        return 0
    for result in found:
        print(_result_line(result))
    if not found:
        print("Nothing here has all of these words." if words else "Nothing has been played to its end here yet.")
    return int(bool(words) and not found)


def _result_line(result: "Result") -> str:
    names = ", ".join(
        f"{part.name}{f' {part.points}' if result.box.has_points else ''}"
        f"{' *' if part.winner and not result.is_solo else ''}"
        for part in result.players
    )
    details = ", ".join(filter(None, (result.duration, result.where, result.code and f"table {result.code}")))
    return f"{result.date}  {result.box.title:<13}  {names}{f'  ({details})' if details else ''}"


def _import(options: argparse.Namespace) -> None:
    from companion.service import import_export
    from scoring.kernel.errors import InvalidInputError

    files = [(name, _read_json(name)) for name in options.files]
    folder = paths.instance_folder(options.instance)
    folder.mkdir(parents=True, exist_ok=True)
    with _open_referee(options, folder) as referee:
        for name, data in files:
            try:
                with Progress("Tables taken in") as progress:
                    counts = import_export.import_data(referee, data, on_progress=progress)
            except InvalidInputError as error:
                raise CommandError(f"{name}: {import_export.describe_import_error(error)}") from None
            print(
                f"{name}: {import_export.describe_import(counts)}"
                + (f" It is table {counts.code}." if counts.code else "")
            )


def _replay(options: argparse.Namespace) -> None:
    from companion.log import table_files
    from companion.log.apply import CorruptLogError
    from scoring.document import read_position_document
    from scoring.kernel.errors import IllegalMoveError, InvalidInputError

    data = _read_json(options.file)
    if not isinstance(data, dict) or not data.keys() & {"log", "position"}:
        raise CommandError(f"{options.file}: not a log written by waymark export, nor a table as it lies")
    try:
        if "position" in data:
            if options.at is not None:
                raise CommandError(f"{options.file}: --at is for logs; this is one moment of a table")
            tracked, state = read_position_document(data)
            position = (
                {**data, "position": tracked.position_format.to_data(state)}
                if options.position and tracked.position_format
                else None
            )
        else:
            with waiting("Playing the log again"):
                table = table_files.replay_log(data, options.at)
            tracked, state = table.tracked, table.state
            position = table_files.export_position(table) if options.position else None
    except (InvalidInputError, IllegalMoveError, CorruptLogError) as error:
        raise CommandError(f"{options.file}: {error}") from None
    if position:
        print(_to_json(position))
        return
    sheet = tracked.box.score(tracked.final_position(state))
    print(
        _unfinished_sheet_text(sheet, tracked.text.prompt(state), in_points=tracked.box.has_points)
        if tracked.flow.to_move(state)
        else _sheet_text(sheet)
    )
