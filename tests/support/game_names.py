"""The two forms of the name of a game: its key, and its folder in `scoring` and `tests/scoring`."""


def folder_of(key: str) -> str:
    """Return the folder of a game: its key with underscores instead of hyphens."""
    return key.replace("-", "_")


def key_of(folder: str) -> str:
    """Return the key of a game: its folder with hyphens instead of underscores."""
    return folder.replace("_", "-")
