"""What is in the TRAILS box, as read from box.toml: sites, die, hikers, Sun Track and badges."""

import tomllib
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, convert

BadgeType = Literal["acorn", "leaf", "rock", "all"]
SunIcon = Literal[
    "wildlife", "photo", "1 acorn", "2 acorn", "1 leaf", "2 leaf", "1 rock", "2 rock"
]  # "photo" is the final spot


class Badge(Struct, frozen=True):
    """One badge card. Cost and gains are counted in the order acorn, leaf, rock."""

    id: str
    name: str
    type: BadgeType
    cost: tuple[int, int, int]
    points: int  # 0 on Collector and Rappelling, whose points the scoring works out
    birds: int
    copies: int
    confidence: str
    gains: tuple[int, int, int] = (0, 0, 0)  # Cartography and Navigation

    @property
    def title(self) -> str:
        """Return the name said at the table, as in "Climber (rock)" or "Science"."""
        return self.name if self.type == "all" else f"{self.name} ({self.type})"

    def counts_as(self, type: str) -> bool:
        """Return whether the badge is of a type; Science is of every type (rulebook p. 15)."""
        return self.type in (type, "all")


_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))

RESOURCES_OF_EACH: int = _box["components"]["resources_of_each"]
PHOTOS_IN_BOX: int = _box["components"]["photo_cards"]
SITES: tuple[str, ...] = tuple(_box["sites"]["kinds"])
FIRST_GAME: tuple[str, ...] = tuple(_box["first_game"]["sites"])  # from the Trailhead to Trail End
HIKERS: tuple[str, ...] = tuple(_box["hikers"]["colours"])
DIE: tuple[str, ...] = tuple(_box["die"]["faces"])
BADGES: dict[str, Badge] = {badge.id: badge for badge in convert(_box["badges"]["cards"], list[Badge])}

# By number of players: the icons of Trail End and those of the Trailhead, each from left to right.
SUN_TRACKS: dict[int, tuple[tuple[SunIcon, ...], tuple[SunIcon, ...]]] = {
    players: convert((side["trail_end"], side["trailhead"]), tuple[tuple[SunIcon, ...], tuple[SunIcon, ...]])
    for side in _box["sun_tracks"]
    for players in side["players"]
}
