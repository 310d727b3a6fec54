"""The components of FORD, read from box.toml."""

import tomllib
from pathlib import Path
from typing import Any

_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))

ACROSS: int = _box["crossing"]["steps"]
SIDES: int = _box["die"]["sides"]
MAX_STEP = ACROSS - 1 + SIDES  # after a roll from the last step before the end
