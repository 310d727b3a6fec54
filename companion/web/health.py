"""Whether this instance works, for the program that watches over it."""

from flask import Blueprint

from companion.storage.store import StorageError
from companion.web import context

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health():
    """Say "ok" when tables can be read and written here, else why not; it knows nobody and counts nothing."""
    said, status = "ok", 200
    try:
        context.referee().store.check()
    except StorageError as fault:
        said, status = str(fault), 503
    return f"{said}\n", status, {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
