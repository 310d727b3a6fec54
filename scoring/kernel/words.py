"""Words that every game needs."""

from collections.abc import Sequence


def plural(number: int, noun: str) -> str:
    """Return a number with its noun: "1 mile", "2 miles", "3 copies"."""
    return f"{number} {noun if number == 1 else plural_of(noun)}"


def plural_of(noun: str) -> str:
    """Return a noun as said of several: "miles", "copies", "matches", "leaves"."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith("f"):
        return f"{noun[:-1]}ves"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def a(noun: str) -> str:
    """Return a noun with its article: "an acorn", "a leaf"."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def capital(words: str) -> str:
    """Return words as a sentence begins; `str.capitalize` would make names small."""
    return words[:1].upper() + words[1:]


CLOSING = "\u201d\u2019)"  # what may stand behind the full stop of a sentence


def ended(words: str) -> str:
    """Return words as a sentence: with a full stop, unless they have an end already, in a quotation too."""
    return words if words.rstrip(CLOSING).endswith((".", "?", "!", "\u2026")) else f"{words}."


def quoted(words: str) -> str:
    """Return words in quotation marks; those within get single ones."""
    return f"\u201c{words.translate({0x201C: 0x2018, 0x201D: 0x2019})}\u201d"


def listed(words: Sequence[str]) -> str:
    """Return words as said one after another: "Ana, Bo and Cy"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
