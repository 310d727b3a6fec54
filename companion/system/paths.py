"""Where things lie: templates and static files beside the code, tables where the system keeps a program's data."""

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parents[1]  # companion/
CHECKOUT = PACKAGE.parent
DATABASE_NAME = "waymark.sqlite3"  # in the folder of an instance
KEY_NAMES = ("secret", "owner")  # beside it
INSTANCE_VARIABLE = "WAYMARK_INSTANCE"  # of the environment: the folder of the tables


def is_checkout() -> bool:
    """Return whether this code is that of a checkout; an installed one has its templates inside the package."""
    return not (PACKAGE / "templates").exists()


def assets_folder() -> Path:
    """Return the folder that has `templates/` and `static/`."""
    return CHECKOUT if is_checkout() else PACKAGE


def instance_folder(configured: Path | None = None) -> Path:
    """Return the folder of the tables: as told, or as the environment says, or of the checkout, or as the system has it."""
    if folder := configured or os.environ.get(INSTANCE_VARIABLE):
        return Path(folder).expanduser().resolve()
    return CHECKOUT / "instance" if is_checkout() else platformdirs.user_data_path("waymark", appauthor=False)
