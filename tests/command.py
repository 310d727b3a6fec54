"""Running the command line in a test: what it printed, and its status."""

from types import SimpleNamespace


class Said(SimpleNamespace):
    """What a command printed, and its status."""

    status: int
    out: str
    err: str


def stopped(said: Said, text: str) -> bool:
    """Return whether a command said this in one line and nothing else."""
    return (said.status, said.out) == (2, "") and text in said.err and said.err.count("\n") == 1
