"""The host system: paths, files, keys, rate limits, network addresses and presence of phones."""
