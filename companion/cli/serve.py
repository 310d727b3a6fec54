"""`waymark serve`: runs the server, and shows where phones find it."""

import contextlib
import errno
import ipaddress
import logging
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.cli.shared import CommandError, WholeNumber, instance_option
from companion.system.keys import InvalidKeyError

DEFAULT_PORT = 8000
PAUSE_SECONDS = 0.1  # seconds between units of background work, so that requests are not delayed
DISK_FULL = "The disk is full. Players can look at tables, but moves are not saved. Free some space."


def _parse_host_name(text: str) -> str:
    if not re.fullmatch(r"[\w.-]{1,253}", text):
        raise click.BadParameter(f"{text}. Use a name or an address like 192.168.1.20, without http:// or a port.")
    return text


def _parse_address(text: str) -> str:
    try:
        return _url_host(str(ipaddress.ip_address(text.strip("[]"))))
    except ValueError:
        return _parse_host_name(text)


def _parse_code_letters(text: str) -> str:
    from companion.storage.store import ALPHABET

    letters = text.upper()
    if not letters or set(letters) - set(ALPHABET) or len(set(letters)) < len(letters):
        raise click.BadParameter(f"{text}. Use some of the letters {ALPHABET}, each once.")
    return letters


def _url_host(address: str) -> str:
    """Return an address as written in a URL."""
    return f"[{address}]" if ":" in address else address


@click.command
@click.option("--host", default="0.0.0.0", help="Address to listen on; 0.0.0.0 means all.")
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    metavar="N",
    default=DEFAULT_PORT,
    help="Port, 0 to 65535; if the default is taken, the next free one. 0 picks any free port.",
)
@click.option(
    "--address",
    "chosen_addresses",
    type=_parse_address,
    multiple=True,
    metavar="ADDRESS",
    help="Address to show to phones; may be repeated.  [default: all addresses of this computer]",
)
@click.option(
    "--name",
    "names",
    type=_parse_host_name,
    multiple=True,
    metavar="NAME",
    help="Additional host name of the server; may be repeated.",
)
@click.option(
    "--proxies",
    type=WholeNumber(0, 9),
    default=0,
    metavar="N",
    help="Number of reverse proxies in front of the server, 0 to 9.",
)
@click.option(
    "--codes",
    type=_parse_code_letters,
    metavar="LETTERS",
    help="Letters that table codes may start with, if several servers share a name.  [default: all]",
)
@instance_option
def serve(
    host: str,
    port: int,
    chosen_addresses: tuple[str, ...],
    names: tuple[str, ...],
    proxies: int,
    codes: str | None,
    folder: Path,
) -> None:
    """Start the server for the phones on this network.

    The terminal shows the address, a QR code and the owner’s key. Every tap is saved immediately, so you can stop
    the server with Ctrl+C at any time.

    \b
    Examples:
      waymark serve
      waymark serve --port 9000 --name games.local
    """
    from companion.service.clock import clock_warning
    from companion.storage.store import ALPHABET
    from companion.system import network
    from companion.web import server

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    app = _create_app(folder, HOSTS=(*names, *chosen_addresses), PROXIES=proxies, CODES=codes or ALPHABET)
    store = app.extensions["waymark"].store
    with (
        server.StopRequest().handle_signals(),
        contextlib.closing(store),
        contextlib.closing(_open_socket(server.open_socket, host, port)) as listening,
    ):
        bound, port = listening.getsockname()[:2]
        is_unspecified = ipaddress.ip_address(bound).is_unspecified
        addresses = list(chosen_addresses) or (
            network.local_addresses() if is_unspecified else _reachable_addresses(bound)
        )
        local_only_text = LOCAL_ONLY_TEXTS["proxy" if proxies else "no network" if is_unspecified else "host"]

        def announce(new_addresses: list[str], *notes: str) -> None:
            if new_addresses:
                app.config["LAN_ADDRESS"] = new_addresses[0]
            print(_address_text(new_addresses, port, local_only_text), *notes, sep="\n", flush=True)

        home = f"http://{addresses[0] if addresses else 'localhost'}:{port}"
        owner = app.extensions["waymark"].card_facts.owners.invitation(home)
        warnings = [*([DISK_FULL] if store.is_full else []), *filter(None, [clock_warning(store)])]
        announce(
            addresses, f"Tables are saved in {folder}.", owner, *warnings, "Press Ctrl+C to stop. Nothing is lost."
        )
        if is_unspecified and not chosen_addresses:
            network.AddressWatcher(addresses, announce).start()
        threading.Thread(target=_report_missing_pdf, name="no pdf", daemon=True).start()  # the check is slow
        with _background_work(store, lambda pause: _prepare(app, pause), lambda pause: _report_damage(store)):
            _run_server(app, listening)


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


def _create_app(folder: Path, **config: object):
    """Return the app after checking that its database can be used."""
    from companion.storage.database import DiskFullError, StorageError, UnreadableDatabaseError
    from companion.web.app import create_app

    try:
        app = create_app(folder, **config)
        with contextlib.suppress(DiskFullError):  # tables can still be read
            app.extensions["waymark"].store.check()
    except (InvalidKeyError, UnreadableDatabaseError, StorageError) as error:
        raise CommandError(f"Cannot open the tables in {folder}. {error}") from None
    except OSError as error:
        reason = f"{error.filename or folder}: {error.strerror}."
        raise CommandError(f"Cannot open the tables in {folder}. {reason}") from None
    return app


def _reachable_addresses(bound: str) -> list[str]:
    """Return the address that the server listens on, if phones can reach it."""
    return [] if ipaddress.ip_address(bound).is_loopback else [_url_host(bound)]


LOCAL_ONLY_TEXTS = {  # who can reach the server if phones cannot
    "proxy": "behind a proxy.",
    "no network": "only for this computer, because it is not connected to a network.",
    "host": "only for this computer. To let phones connect, use --host 0.0.0.0.",
}


def _address_text(addresses: list[str], port: int, local_only_text: str) -> str:
    """Return the addresses for phones to scan or type, or who else can reach the server."""
    if not addresses:
        return f"Waymark is running at http://localhost:{port}, {local_only_text}"
    best_url, *other_urls = (f"http://{address}:{port}" for address in addresses)
    lines = [_terminal_qr(best_url), f"Waymark is running at {best_url}", *(f"  also at {url}" for url in other_urls)]
    return "\n".join([*lines, "On a phone on the same network, scan the code or enter the address."])


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
            raise CommandError(f"--host {host} is not an address of this computer.") from None
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise CommandError(f"--host {host} is not an address of this computer.") from None
            reason = os.strerror(error.errno) if error.errno else str(error)
    raise CommandError(f"Cannot listen on {host}:{port}: {reason}. Try another --port.")


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
