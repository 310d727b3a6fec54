"""The tiles that a move needs in empty squares, for answers about refused moves."""

from collections.abc import Sequence

from scoring.alpine_trails.map.grid import at_location, describe_cell
from scoring.alpine_trails.map.tiles import PlacedTile, Tile, TrailMap, exits_text
from scoring.kernel.editable import Choice, EditableField, OneOf
from scoring.kernel.english import join_words, with_article

TERRAIN_SIDE = Tile("terrain")


def missing_tiles_field(seat: int, tiles: TrailMap, lines: Sequence[TrailMap]) -> EditableField:
    """Return a field of a map for its next tiles: none, or one of several lines of tiles.

    :param lines: the tiles of each line; those of several tiles differ only in their last one.
    """
    *before, _ = lines[0]
    choices = [
        Choice(str(line), join_words([_label((*tiles, *line), tile) for tile in line]), line[-1]) for line in lines
    ]
    paths = [f"players.{seat}.map.{len(tiles) + number}" for number in range(len(lines[0]))]
    domain = OneOf((Choice("", ""), *choices))
    return EditableField(paths[-1], seat, "", "", domain, tuple(zip(paths, before, strict=False)))


def _label(tiles: TrailMap, tile: PlacedTile) -> str:
    """Return a tile with its location, a trail without its terrain, as any fits."""
    if tile.kind != "trail":
        return with_article(at_location(tiles, tile))
    return f"a {tile.miles}-mile trail {describe_cell(tiles, tile.cell)} ({exits_text(tile.exits)})"
