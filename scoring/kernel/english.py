"""English text helpers that every game needs."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MAX_QUOTE_LENGTH = 61  # characters of a quotation in a message
MAX_WORD_LENGTH = 72  # characters of a message without a space
MAX_LIST_LENGTH = 180  # characters of the list of known words in a message
MAX_MESSAGE_LENGTH = 300


def pluralize(number: int, noun: str) -> str:
    """Return a number with its noun: "1 mile", "2 miles", "3 copies"."""
    return f"{number} {noun if number == 1 else plural_form(noun)}"


def plural_form(noun: str) -> str:
    """Return the plural of a noun: "miles", "copies", "matches", "leaves"."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith("f"):
        return f"{noun[:-1]}ves"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def with_article(noun: str) -> str:
    """Return a noun with its article: "an acorn", "a leaf"."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def capitalize_first(text: str) -> str:
    """Return text with its first letter in upper case; `str.capitalize` would lowercase names."""
    return text[:1].upper() + text[1:]


def fact_to_enter(instruction: str) -> str:
    """Return the fact that an instruction asks for: "the season tile", or ""."""
    return instruction.removeprefix("enter ") if instruction.startswith("enter ") else ""


CLOSING_QUOTES = "\u201d\u2019)"  # These may follow the full stop of a sentence.


def end_sentence(text: str) -> str:
    """Return text with a full stop, unless it already ends a sentence, quoted or not."""
    return text if text.rstrip(CLOSING_QUOTES).endswith((".", "?", "!", "\u2026")) else f"{text}."


def quote(text: str) -> str:
    """Return text in quotation marks; inner quotation marks become single ones."""
    return f"\u201c{text.translate({0x201C: 0x2018, 0x201D: 0x2019})}\u201d"


def quote_sentence(text: str) -> str:
    """Return a sentence in quotation marks, without its full stop."""
    return quote(text.rstrip("."))


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Return words as a list in a sentence: "Ana, Bo and Cy"."""
    return f" {conjunction} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def truncate(text: str, max_length: int = MAX_QUOTE_LENGTH) -> str:
    """Return a text, truncated if it is too long."""
    return text if len(text) <= max_length else f"{text[: max_length - 1]}\u2026"


def truncate_message(text: str, max_length: int = MAX_MESSAGE_LENGTH) -> str:
    """Return a text on one line of limited length: long words are truncated first, then the end."""
    line = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
    return truncate(re.sub(f"(\\S{{{MAX_WORD_LENGTH}}})\\S+", "\\1\u2026", line), max_length)


def closest_match(word: str, candidates: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the candidate most similar to a word, regardless of case, or None."""
    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    matches = get_close_matches(word[:MAX_QUOTE_LENGTH].casefold(), by_folded, 1, cutoff)
    return by_folded[matches[0]] if matches else None


def describe_known_words(known_words: Iterable[str]) -> str:
    """Return the known words: "there are acorn, leaf, rock", or the first of many."""
    words, shown = list(known_words), []
    for word in words:
        if shown and len(", ".join([*shown, word])) > MAX_LIST_LENGTH:
            return f"there are {', '.join(shown)} and {len(words) - len(shown)} more"
        shown.append(word)
    return f"there are {', '.join(shown)}"
