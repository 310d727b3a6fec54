"""The health check of this instance, for monitoring."""

from flask import Blueprint

from companion.storage.database import StorageError
from companion.web import context

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health():
    """Return "ok", or 503 with the error if the database cannot be read or written."""
    text, status = "ok", 200
    try:
        context.referee().store.check()
    except StorageError as error:
        text, status = str(error), 503
    return f"{text}\n", status, {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
