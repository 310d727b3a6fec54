"""The host names that the app answers to, as a protection against DNS rebinding.

A page from anywhere can point its own host name at an address in this network; the browser then takes the app's
answers for that page's. This attack needs a name, so a numeric address is always allowed. Allowed names are those of
this machine, bare or with a local suffix; any other must be configured by the person who runs the app.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable

from werkzeug.wrappers import Response

# Suffixes that routers or mDNS add to a machine's name.
LOCAL_SUFFIXES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
HOST_PATTERN = re.compile(
    r"([a-z0-9._-]{1,253}|\[[0-9a-f.]*:[0-9a-f.:]+\])(?::([1-9][0-9]{0,4}))?", re.ASCII | re.IGNORECASE
)
REFUSAL_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
<title>Wrong address</title></head>
<body><h1>Waymark does not use this address</h1>
<p>Open the address in the terminal that runs Waymark, or scan the code there.</p>
<p>Do you run this Waymark? Add the name with <code>waymark serve --name</code>.</p></body></html>
"""
REFUSAL_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def allowed_names(configured: Iterable[str] = ()) -> frozenset[str]:
    """Return all allowed names: this machine's, with and without suffixes, and configured ones."""
    return local_names() | {_machine_name(), *map(_normalize_name, configured)} - {""}


def local_names() -> frozenset[str]:
    """Return this machine's names that at most its own network knows."""
    machine = _machine_name().partition(".")[0]
    return frozenset({"localhost", machine, *(machine + suffix for suffix in LOCAL_SUFFIXES)}) - {""}


def _machine_name() -> str:
    return _normalize_name(socket.gethostname()) or "localhost"


def _normalize_name(name: str) -> str:
    """Return a name as a browser sends it."""
    try:
        name = name.encode("idna").decode()
    except UnicodeError:
        pass  # no browser can request such a name
    return name.lower().rstrip(".")


def host_name(host: str) -> str | None:
    """Return the name or address in a Host header without its port; None if invalid."""
    found = HOST_PATTERN.fullmatch(host)
    if not found or int(found[2] or 80) > 65535:
        return None
    return found[1].lower().rstrip(".")


def is_allowed_host(host: str, names: frozenset[str]) -> bool:
    """Return whether a Host header has a numeric address or an allowed name."""
    name = host_name(host) or ""
    return name in names or _is_address(name.strip("[]"))


def is_local_name(name: str) -> bool:
    """Return whether a host name is of a local network: many phones cannot resolve it."""
    is_bare = "." not in name and name != "localhost"
    return (is_bare or name.endswith(LOCAL_SUFFIXES)) and not _is_address(name.strip("[]"))


def is_known_to_all_phones(name: str) -> bool:
    """Return whether every phone on the network can open a host name or address.

    Such are public names and IPv4 addresses, except those of this computer only.

    :param name: as `host_name` returns it.
    """
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return name != "localhost" and not is_local_name(name)
    return address.version == 4 and not (address.is_loopback or address.is_unspecified)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class HostFilter:
    """WSGI middleware that refuses requests for other host names before Flask handles them.

    A request without a Host header is allowed, because every browser sends one.
    """

    def __init__(self, app, names: frozenset[str]):
        self.app = app
        self.names = names

    def __call__(self, environ, start_response):
        if is_allowed_host(environ.get("HTTP_HOST", "localhost"), self.names):
            return self.app(environ, start_response)
        return Response(REFUSAL_PAGE, 421, REFUSAL_HEADERS, mimetype="text/html")(environ, start_response)
