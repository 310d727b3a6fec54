"""The host system: paths, files, keys, rate limits, networking and presence of phones."""
