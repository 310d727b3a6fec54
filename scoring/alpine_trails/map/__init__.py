"""The map of a player: cells, tiles, trails, paths, habitats, and where a tile fits."""
