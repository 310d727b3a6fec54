"""The contents of the TRAILS box, read from box.toml."""

import tomllib
from itertools import starmap
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct, convert

from scoring.kernel.english import pluralize

Resource = Literal["acorn", "leaf", "rock"]
Site = Literal["acorn", "leaf", "rock", "exchange", "photo"]
Cubes = tuple[int, int, int]  # acorns, leaves, rocks
BadgeType = Literal["acorn", "leaf", "rock", "all"]
# The icons of the Sun Track; "photo" is the final spot.
SunIcon = Literal["wildlife", "1 acorn", "1 leaf", "1 rock", "2 acorn", "2 leaf", "2 rock", "photo"]


# The one-time bonuses of badges in a few words, without those of resources.
_BONUSES = {
    "Astronomy": "free badge",
    "First Aid": "+1 resource",
    "Photography": "photo",
    "Recycling": "exchange",
    "Seeker": "bear",
    "Shutterbug": "2 photos",
    "Sunshine": "Sun bonus",
}


class Badge(Struct, frozen=True):
    """One badge card."""

    id: str
    name: str
    type: BadgeType
    cost: Cubes
    points: int  # 0 on Collector and Rappelling, whose points are computed at scoring
    birds: int
    copies: int
    confidence: str
    gains: Cubes = (0, 0, 0)  # of Cartography and Navigation

    @property
    def title(self) -> str:
        """Return the badge's name with its type, such as "Climber (rock)", or "Science"."""
        return self.name if self.type == "all" else f"{self.name} ({self.type})"

    @property
    def bonus(self) -> str:
        """Return the one-time bonus in a few words, such as "+2 rocks"; empty without one."""
        gains = [
            f"+{pluralize(count, kind)}" for count, kind in zip(self.gains, get_args(Resource), strict=True) if count
        ]
        return ", ".join(gains) or _BONUSES.get(self.name, "")

    def counts_as(self, type: str) -> bool:
        """Return whether the badge is of a type; Science is of every type (rulebook p. 15)."""
        return self.type in (type, "all")


class Photo(Struct, frozen=True, gc=False):
    """The points and birds on a photo card."""

    points: int
    birds: int


_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))

RESOURCES_OF_EACH: int = _box["components"]["resources_of_each"]
PHOTOS_IN_BOX: int = _box["components"]["photo_cards"]
SITES = convert(_box["sites"]["kinds"], tuple[Site, ...])
SPACE_TITLES = {
    **{site: f"{site.capitalize()} site" for site in SITES},
    "trailhead": "Trailhead",
    "trail-end": "Trail End",
}
FIRST_GAME_SITES = convert(_box["first_game"]["sites"], tuple[Site, ...])  # from the Trailhead to Trail End
HIKERS: tuple[str, ...] = tuple(_box["hikers"]["colours"])
HIKER_NAMES = {hiker: {"grey": "gray"}.get(hiker, hiker) for hiker in HIKERS}  # as players read them
DIE = convert(_box["die"]["faces"], tuple[Site | Literal["bear"], ...])
BADGES: dict[str, Badge] = {badge.id: badge for badge in convert(_box["badges"]["cards"], list[Badge])}

# What each icon of the Sun Track shows: a number, and the name of its picture.
SUN_PICTURES: dict[SunIcon, tuple[int | None, str]] = {
    "wildlife": (None, "bear"),
    "1 acorn": (1, "acorn"),
    "1 leaf": (1, "leaf"),
    "1 rock": (1, "rock"),
    "2 acorn": (2, "acorn"),
    "2 leaf": (2, "leaf"),
    "2 rock": (2, "rock"),
    "photo": (None, "photo"),
}
# For example "2 leaves", and "2-leaf icon".
SUN_ICON_TEXTS = {
    icon: pluralize(count, picture) if count else picture for icon, (count, picture) in SUN_PICTURES.items()
}
SUN_ICON_NAMES = {
    icon: f"{count}-{picture} icon" if count else f"{picture} icon" for icon, (count, picture) in SUN_PICTURES.items()
}
MAX_END_ICONS = 6  # icons of the Sun Track at one end; the printed tiles have up to four
MAX_CUBES_HELD = 99  # of a kind for one player, if stand-ins are used
# See r.PHOTO_FACES.
PHOTO_FACES = tuple(starmap(Photo, ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1), (0, 0), (2, 1), (1, 2), (2, 2))))
MAX_PHOTO_POINTS = MAX_PHOTO_BIRDS = 2  # on one photo

# By number of players: the icons of Trail End and those of the Trailhead, each from left to right.
SUN_TRACKS: dict[int, tuple[tuple[SunIcon, ...], tuple[SunIcon, ...]]] = {
    players: convert((side["trail_end"], side["trailhead"]), tuple[tuple[SunIcon, ...], tuple[SunIcon, ...]])
    for side in _box["sun_tracks"]
    for players in side["players"]
}


def cubes_per_visit(is_night: bool) -> int:
    """Return how many cubes the site of a resource gives (rulebook p. 6)."""
    return 2 if is_night else 1
