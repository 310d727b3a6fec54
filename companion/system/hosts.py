"""Which names the app answers to: only ours, so that no page from elsewhere can talk to it under a name of its own.

A page from anywhere can have its own name point to an address in this house (DNS rebinding); the browser then takes our
answers for that page's own. It needs a name for it, so an address in figures is always safe. Names that only
the house itself gives are answered where they are this machine's; every other name is told by whoever runs it.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable

from werkzeug.wrappers import Response

INSIDE = (
    ".local",
    ".lan",
    ".home",
    ".home.arpa",
    ".internal",
    ".localdomain",
    ".fritz.box",
)  # what a router or mDNS adds
HOST = re.compile(r"([a-z0-9._-]{1,253}|\[[0-9a-f.]*:[0-9a-f.:]+\])(?::([1-9][0-9]{0,4}))?", re.ASCII | re.IGNORECASE)
REFUSED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not here</title></head>
<body><h1>Waymark does not go by this name</h1>
<p>Open it by the address its terminal shows, or scan the code there.</p>
<p>If you run it and this name is yours, tell it so: <code>waymark serve --name</code> and the name.</p></body></html>
"""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def our_names(given: Iterable[str] = ()) -> frozenset[str]:
    """Return every name that is ours: this machine's, bare and as the house may call it, and those given."""
    return local_names() | {_machine(), *map(_plain, given)} - {""}


def local_names(given: Iterable[str] = ()) -> frozenset[str]:
    """Return this machine's names that only its own network knows, without those given.

    Many phones cannot open them.
    """
    own = _machine().partition(".")[0]
    return frozenset({"localhost", own, *(own + inside for inside in INSIDE)}) - {"", *map(_plain, given)}


def _machine() -> str:
    return _plain(socket.gethostname()) or "localhost"


def _plain(name: str) -> str:
    """Return a name as a browser sends it."""
    try:
        name = name.encode("idna").decode()
    except UnicodeError:
        pass  # no browser can ask for it
    return name.lower().rstrip(".")


def name_of(host: str) -> str | None:
    """Return the name or address in a Host, without its port; None when it is neither."""
    found = HOST.fullmatch(host)
    if not found or int(found[2] or 80) > 65535:
        return None
    return found[1].lower().rstrip(".")


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Return whether a Host is an address in figures or one of our names."""
    name = name_of(host) or ""
    return name in names or _is_address(name.strip("[]"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class OurHosts:
    """A WSGI app that answers only under our names; all else is refused before Flask makes anything of it.

    Without any Host it answers: no browser leaves it out.
    """

    def __init__(self, app, names: frozenset[str]):
        self.app = app
        self.names = names

    def __call__(self, environ, start_response):
        if is_ours(environ.get("HTTP_HOST", "localhost"), self.names):
            return self.app(environ, start_response)
        return Response(REFUSED, 421, HEADERS, mimetype="text/html")(environ, start_response)
