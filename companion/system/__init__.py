"""The computer underneath: paths, keys, limits, network names, presence of phones."""
