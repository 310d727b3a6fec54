"""Component counts and values of the ALPINE TRAILS box, read from box.toml.

It has no data about single tiles.
"""

import tomllib
from pathlib import Path
from typing import Any

_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))
_parts: dict[str, Any] = _box["components"]

TRAIL_TILES: int = _parts["trail_tiles"]
CAMPSITE_TILES: int = _parts["campsite_tiles"]
WATERFALL_TILES: int = _parts["waterfall_tiles"]
LAKE_BACKS: int = CAMPSITE_TILES + WATERFALL_TILES
BASE_CAMPS: int = _parts["base_camps"]
GOAL_CARDS: int = _parts["goal_cards"]
TENTS: int = _parts["tents"]
SIGNS: int = _parts["signs"]
ANIMALS_OF_EACH: int = _parts["animals_of_each"]

TILES_PER_ROUND: int = _box["round"]["tiles"]
BAG_SIZES: dict[int, int] = {int(players): tiles for players, tiles in _box["bag"]["tiles"].items()}
TERRAINS: tuple[str, ...] = tuple(_box["terrains"]["kinds"])
ANIMALS: tuple[str, ...] = tuple(_box["animals"]["kinds"])
BASE_SQUARES: int = _box["base_camp"]["squares"]
CAMP_ICONS: int = _box["base_camp"]["icons"]
MILES: tuple[int, ...] = tuple(_box["trail_side"]["miles"])
TRAIL_ICONS: int = _box["trail_side"]["icons"]
TERRAIN_ICONS: int = _box["terrain_side"]["icons"]
MAX_ICONS: int = _box["trail_side"]["most_icons"]
CAMPSITE_MILES: int = _box["campsite"]["miles"]
LAKE_POINTS: int = _box["points"]["lake"]
TENT_POINTS: int = _box["points"]["tent"]
ANIMAL_POINTS: int = _box["points"]["animal"]
GOALS: tuple[str, ...] = tuple(_box["goals"]["kinds"])
LENGTH_GOAL_POINTS: tuple[tuple[int, int], ...] = tuple((miles, points) for miles, points in _box["goals"]["length"])
RANKS: tuple[tuple[int, str], ...] = tuple((rank["from"], rank["title"]) for rank in _box["ranks"])
