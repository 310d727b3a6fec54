"""A player's map: cells, tiles, trails, paths, habitats, and where a tile fits."""
