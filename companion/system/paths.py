"""Paths: the templates and static files, and the folder of an instance's data."""

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parents[1]  # companion/
CHECKOUT = PACKAGE.parent
DATABASE_NAME = "waymark.sqlite3"  # in the instance folder
KEY_NAMES = ("secret", "owner")  # in the instance folder
INSTANCE_VARIABLE = "WAYMARK_INSTANCE"  # the environment variable with the instance folder


def is_checkout() -> bool:
    """Return whether this code runs from a checkout.

    An installed package has its templates inside the package.
    """
    return not (PACKAGE / "templates").exists()


def assets_folder() -> Path:
    """Return the folder that contains `templates/` and `static/`."""
    return CHECKOUT if is_checkout() else PACKAGE


def instance_folder(configured: Path | None = None) -> Path:
    """Return the instance folder.

    It is the configured folder, or else that of the environment variable, of the checkout, or of the system's user
    data.
    """
    if folder := configured or os.environ.get(INSTANCE_VARIABLE):
        return Path(folder).expanduser().resolve()
    return CHECKOUT / "instance" if is_checkout() else platformdirs.user_data_path("waymark", appauthor=False)
