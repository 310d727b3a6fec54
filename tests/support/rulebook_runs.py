"""Find runs of words that our texts share with a rulebook: facts may be used, sentences not.

The rulebooks are copyrighted, so the project has only hashes of every seven words that follow each other in one.
Where you have the books as text files, `python -m tests.support.rulebook_runs FILE...` writes the hashes again.
"""

import argparse
import functools
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.system.paths import CHECKOUT

RUN_LENGTH = 7  # words
HASH_SIZE = 5  # bytes: by chance, one of a hundred million runs would have the hash of a rulebook's run
HASHES_FILE = CHECKOUT / "tests" / "stored" / "rulebook-runs.bin"


def shared_runs(text: str) -> list[str]:
    """Return the longest runs of at least seven words of a text that a rulebook may have too."""
    words = _words(text)
    starts = [start for start, run_hash in enumerate(_run_hashes(words)) if run_hash in _rulebook_hashes()]
    firsts = [start for start in starts if start - 1 not in starts]
    lasts = [start for start in starts if start + 1 not in starts]
    return [" ".join(words[first : last + RUN_LENGTH]) for first, last in zip(firsts, lasts, strict=True)]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", re.sub(r"<[^>]*>|[*_’']", "", text.lower()))


def _run_hashes(words: list[str]) -> Iterator[bytes]:
    for start in range(len(words) - RUN_LENGTH + 1):
        run = " ".join(words[start : start + RUN_LENGTH])
        yield hashlib.blake2b(run.encode(), digest_size=HASH_SIZE).digest()


@functools.cache
def _rulebook_hashes() -> frozenset[bytes]:
    data = HASHES_FILE.read_bytes()
    return frozenset(data[start : start + HASH_SIZE] for start in range(0, len(data), HASH_SIZE))


def write_hashes(books: Iterable[Path]) -> None:
    """Write the hashes of all runs of these text files, sorted."""
    hashes = {run_hash for book in books for run_hash in _run_hashes(_words(book.read_text(encoding="utf-8")))}
    HASHES_FILE.write_bytes(b"".join(sorted(hashes)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("books", nargs="+", type=Path, help="text files of the rulebooks")
    write_hashes(parser.parse_args().books)
