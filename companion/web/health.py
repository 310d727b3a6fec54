"""Whether this instance works, for the program that watches over it."""

from flask import Blueprint

from companion.store import Trouble
from companion.web import at

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def health():
    """Say "ok" when tables can be read and written here, else why not; it knows nobody and counts nothing."""
    try:
        at.referee().store.check()
    except Trouble as fault:
        return f"{fault}\n", 503, {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
    return "ok\n", 200, {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
