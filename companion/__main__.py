"""The command line: serve the table; score, print, pad, export, replay from files."""

import argparse
import io
import json
import logging
import os
import re
import socket
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DEFAULT_PORT = 8000
LONGEST_LINE = 1200  # the longest list of right values is whole


class Stop(Exception):
    """Say this and stop with status 2."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit status: 0, or 2 for what could not be read."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may have letters that this terminal has not
    options = _parser().parse_args(arguments)
    try:
        status = options.run(options) or 0
        if sys.stdout:  # there may be none
            sys.stdout.flush()
        return status
    except Stop as fault:
        print(_one_line(str(fault)), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OSError as fault:  # what a command has not answered for itself: there is no more room for what it says
        _drop_output()
        if isinstance(fault, BrokenPipeError):  # whoever read it has enough
            return 0
        print(_one_line(f"{fault.filename or 'standard output'}: {fault.strerror}"), file=sys.stderr)
        return 2


def _one_line(text: str) -> str:
    """Return a text as one line that is not too long, whatever it quotes: the place of a fault stands first or last in it."""
    line = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 150]} \u2026 {line[-150:]}"


def _drop_output() -> None:
    """Let nothing more be written, so that the end of the program does not try it again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="waymark", description="The companion at the table for trail games.")
    commands = parser.add_subparsers(required=True, metavar="command")

    serve = commands.add_parser("serve", help="serve the table to the phones on this network")
    serve.add_argument("--host", default="0.0.0.0", help="address to listen on (all)")
    serve.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"port ({DEFAULT_PORT}; the next free one if taken)")
    serve.add_argument("--instance", type=Path, help="folder of the tables (instance/)")
    serve.set_defaults(run=_serve)

    score = commands.add_parser("score", help="score a finished game described in a JSON file")
    score.add_argument("file", help="the file, or - for standard input")
    score.add_argument("--json", action="store_true", help="print the result as data")
    score.set_defaults(run=_score)

    prints = commands.add_parser("print", help="print the score sheet of a finished game as PDF")
    prints.add_argument("file", help="the file, or - for standard input")
    _output(prints)
    prints.set_defaults(run=_print)

    pad = commands.add_parser("pad", help="print a blank score pad as PDF")
    pad.add_argument("game", help="the game, as in trails")
    _output(pad)
    pad.set_defaults(run=_pad)

    export = commands.add_parser("export", help="write a table's whole log as JSON; it holds every secret")
    export.add_argument("code", help="the table's code")
    export.add_argument("--instance", type=Path, help="folder of the tables (instance/)")
    export.set_defaults(run=_export)

    decide = commands.add_parser("decide", help="agree for the host to what a table waits for, where the host\u2019s phone is lost")
    decide.add_argument("code", help="the table's code")
    decide.add_argument("--instance", type=Path, help="folder of the tables (instance/)")
    decide.set_defaults(run=_decide)

    replay = commands.add_parser("replay", help="play an exported log again and print its score")
    replay.add_argument("file", help="the file, or - for standard input")
    replay.set_defaults(run=_replay)
    return parser


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, help="the PDF to write")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4")


def _serve(options: argparse.Namespace) -> None:
    from companion import qr, server
    from companion.app import create_app
    from companion.store import Unreadable

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    lan = _lan_address()
    try:
        app = create_app(options.instance, LAN_ADDRESS=lan)
    except (Unreadable, OSError) as fault:
        raise Stop(f"The tables cannot be opened. {fault}") from None
    listening = _listen(server.listen, options.host, options.port)
    address = f"http://{lan}:{listening.getsockname()[1]}"
    print(qr.in_terminal(address))
    print(f"Waymark is open at {address}")
    print("Phones on the same network scan the code or type the address. Ctrl+C closes it; nothing is lost.", flush=True)
    server.allow_many_connections()
    server.keep_log(Path(app.instance_path) / "waymark.log")
    server.Server(app, app.extensions["waymark"].live).run([listening])


def _listen(listen: Callable[[str, int], socket.socket], host: str, port: int) -> socket.socket:
    """Return a socket on the port, or on the next free one when the default is taken."""
    tries = range(port, port + 20) if port == DEFAULT_PORT else [port]
    for candidate in tries:
        try:
            return listen(host, candidate)
        except OSError as fault:
            reason = fault
    raise Stop(f"Cannot listen on {host}:{port}: {reason.strerror}. Try --port with another number.")


def _lan_address() -> str:
    """Return the address phones can reach: that of the interface other networks are reached through."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; nothing is sent
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def _read(name: str) -> object:
    from scoring.kernel.document import parsed
    from scoring.kernel.game import Malformed

    try:
        return parsed(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as fault:
        raise Stop(f"{name}: {fault.strerror}") from None
    except Malformed as fault:
        raise Stop(f"{name}: {fault}") from None


def _scored(name: str, score: Callable[[object], Any]) -> Any:
    """Return what is made of the final position in a file."""
    from scoring.document import BadPosition

    try:
        return score(_read(name))
    except BadPosition as fault:
        raise Stop(str(fault)) from None


def _score(options: argparse.Namespace) -> None:
    from scoring.document import score_sheet, sheet_data

    sheet = _scored(options.file, score_sheet)
    print(_as_json(sheet_data(sheet)) if options.json else _as_text(sheet))


def _as_json(data: dict) -> str:
    """Return data as JSON, with every letter as it is where the output can take it."""
    return json.dumps(data, ensure_ascii=(getattr(sys.stdout, "encoding", None) or "utf-8").lower() not in ("utf-8", "utf8"), indent=1)


def _as_text(sheet) -> str:
    """Return a sheet as lines for a terminal."""
    lines = [sheet.verdict]
    for column in sheet.columns:
        lines += ["", f"{column.rank}. {column.name}: {column.total}"]
        for line in column.lines:
            cites = ", ".join(dict.fromkeys(rule.cite for rule in line.rules))
            lines.append(f"  {line.points:>3}  {line.label}. {line.because} ({cites})")
        lines += [f"       {warning}" for warning in column.warnings]
    lines += [f"\nHouse ruling. {ruling}" for ruling in sheet.rulings]
    return "\n".join(lines)


def _print(options: argparse.Namespace) -> None:
    from companion import paper

    page = _scored(options.file, paper.of_file)
    _write_pdf(options, paper.html("print/sheet.html", options.paper, page=page))


def _pad(options: argparse.Namespace) -> None:
    from companion import paper
    from scoring.games import GAMES

    if options.game not in GAMES:
        raise Stop(f'no game "{options.game}"; there are {", ".join(GAMES)}')
    _write_pdf(options, paper.html("print/pad.html", options.paper, game=GAMES[options.game]))


def _write_pdf(options: argparse.Namespace, html: str) -> None:
    from companion import printing

    try:
        options.output.write_bytes(printing.pdf(html, options.paper))
    except printing.CannotPrint as fault:
        raise Stop(str(fault)) from None
    except OSError as fault:
        raise Stop(f"{options.output}: {fault.strerror}") from None
    print(f"{options.output} is written.")


@contextmanager
def _tables(options: argparse.Namespace):
    """Give the tables of an instance; what cannot be found or read stops the command."""
    from companion.drawing import ROOT
    from companion.store import NoSuchTable, Store, Unreadable
    from companion.table import Broken

    folder = options.instance or ROOT / "instance"
    if not (folder / "waymark.sqlite3").exists():
        raise Stop(f"{folder}: no tables here yet")
    try:
        yield Store(folder / "waymark.sqlite3")
    except NoSuchTable:
        raise Stop(f"There is no table {options.code.upper()} here.") from None
    except (Unreadable, Broken) as fault:
        raise Stop(str(fault)) from None


def _decide(options: argparse.Namespace) -> None:
    from companion.live import Live
    from companion.referee import Referee, new_tap

    with _tables(options) as store:
        referee = Referee(store, Live(store, 0))
        table = store.table(options.code.upper())
        if not table.proposals:
            print(f"Nobody at table {table.code} waits for anything.")
        while table.proposals:  # one answer can settle another question too
            question = table.proposals[0]
            table = referee.answer(table.code, table.host, new_tap(), question.number, True)
            print(f"Agreed: {question.text}.")


def _export(options: argparse.Namespace) -> None:
    with _tables(options) as store:
        log = store.log(options.code.upper())
    phones: dict[str, str] = {}
    entries = [
        {
            "number": number,
            "at": at,
            "device": phones.setdefault(device, f"phone {len(phones) + 1}"),
            "seat": seat,
            "what": _as_said(what),
        }
        for number, at, device, seat, what in log
    ]
    print(_as_json({"waymark": 1, "code": options.code.upper(), "log": entries}))


def _as_said(what: str) -> object:
    """Return what an entry says, or its text where it has been spoilt: an export rescues everything."""
    try:
        return json.loads(what)
    except ValueError:
        return what


def _replay(options: argparse.Namespace) -> None:
    import msgspec

    from companion.table import Broken, Entry, fold

    data = _read(options.file)
    if not isinstance(data, dict) or "log" not in data:
        raise Stop(f"{options.file}: not a log written by waymark export")
    table = None
    try:
        for entry in msgspec.convert(data["log"], list[Entry]):
            table = fold(table, str(data.get("code", "?")), entry)
    except (msgspec.ValidationError, UnicodeEncodeError, Broken) as fault:
        raise Stop(f"{options.file}: {fault}") from None
    if table is None:
        raise Stop(f"{options.file}: the log is empty")
    print(_as_text(table.game.score(table.game.final(table.state))))


if __name__ == "__main__":
    sys.exit(main())
