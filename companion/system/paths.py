"""Where things lie: templates and static files beside the code, tables where the system keeps a program's data."""

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parents[1]  # companion/
CHECKOUT = PACKAGE.parent
TABLES = "waymark.sqlite3"  # in the folder of an instance
KEYS = ("secret", "owner")  # beside it
INSTANCE = "WAYMARK_INSTANCE"  # of the environment: the folder of the tables


def in_checkout() -> bool:
    """Return whether this code is that of a checkout; an installed one has its templates inside the package."""
    return not (PACKAGE / "templates").exists()


def assets() -> Path:
    """Return the folder that has `templates/` and `static/`."""
    return CHECKOUT if in_checkout() else PACKAGE


def instance(told: Path | None = None) -> Path:
    """Return the folder of the tables: as told, or as the environment says, or of the checkout, or as the system has it."""
    if folder := told or os.environ.get(INSTANCE):
        return Path(folder).expanduser().resolve()
    return CHECKOUT / "instance" if in_checkout() else platformdirs.user_data_path("waymark", appauthor=False)
