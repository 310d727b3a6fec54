"""The components of PEAKS, read from box.toml."""

import tomllib
from pathlib import Path
from typing import Any

_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))

STONES: int = _box["components"]["stones"]
