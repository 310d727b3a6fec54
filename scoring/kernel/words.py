"""Words that every game needs."""


def plural(number: int, noun: str) -> str:
    """Return a number with its noun: "1 mile", "2 miles"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
