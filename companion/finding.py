"""Finding a rule by words as people say them: a whole question, other words than the book's, words typed wrongly."""

import functools
import re
import sqlite3
import threading
import tomllib
from pathlib import Path

import sqlite_utils
from rapidfuzz import process
from rapidfuzz.distance import OSA

from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.rule import Rule

FOUND = 12  # rules, at most
WORDS = 24  # of a question are looked at
# What each place of a word counts for: the rule itself, its section, how people ask for it, what they call its things.
WEIGHTS = {"text": 2.0, "section": 1.0, "asked": 3.0, "things": 1.0}
LIKE = 0.75  # how alike a word must be to the one that was meant, from 0 to 1
STOP = frozenset(Path(__file__).with_name("stop-words.txt").read_text(encoding="utf-8").split())
_WORD = re.compile(r"[a-z0-9]+")


class Finder:
    """The rules of one game as an index: SQLite's full text search in memory, by stems, ranked by BM25."""

    def __init__(self, box: Box, synonyms: dict[str, dict[str, list[str]]]):
        self._rules = list(box.rules.values())
        self._lock = threading.Lock()
        self._db = sqlite_utils.Database(sqlite3.connect(":memory:", check_same_thread=False))
        rows = [{"text": rule.text, "section": f"{rule.section} {rule.id}"} for rule in self._rules]
        self._index("plain", [{**row, "asked": "", "things": ""} for row in rows])
        things: list[list[str]] = [[] for _ in rows]
        for thing, words in synonyms.get("things", {}).items():
            for number in self._matching("plain", f'"{thing}"'):
                things[number] += words
        asked = synonyms.get("rules", {})
        whole = [
            {**row, "asked": " ".join(asked.get(rule.id, ())), "things": " ".join(own)}
            for rule, row, own in zip(self._rules, rows, things, strict=True)
        ]
        self._index("whole", whole)
        self._words = sorted({word for row in whole for word in _WORD.findall(" ".join(row.values()).casefold())} - STOP)
        self._known = frozenset(self._words)

    def _index(self, name: str, rows: list[dict[str, str]]) -> None:
        self._db.table(name).insert_all(({"id": number, **row} for number, row in enumerate(rows)), pk="id")
        self._db.table(name).enable_fts(list(WEIGHTS), tokenize="porter unicode61 remove_diacritics 2")

    def _matching(self, name: str, query: str) -> list[int]:
        weights = ", ".join(str(weight) for weight in WEIGHTS.values())
        rows = self._db.execute(
            f"SELECT rowid FROM {name}_fts WHERE {name}_fts MATCH ? ORDER BY bm25({name}_fts, {weights}), rowid", [query]
        )
        return [number for (number,) in rows]

    def find(self, words: str, most: int = FOUND) -> list[Rule]:
        """Return the rules that a question is about, the likeliest first."""
        with self._lock:
            asked = [meant for word in _asked(words) for meant in self._meant(word)]
            if not asked:
                return []
            found = self._matching("whole", " OR ".join(f'"{word}"' for word in dict.fromkeys(asked)))
        likely = [self._rules[number] for number in found]
        return sorted(likely, key=lambda rule: rule.id != words.strip().casefold())[:most]  # whoever says its id means it

    def _meant(self, word: str) -> list[str]:
        """Return a word, or where no rule has it in any form, the words most like it."""
        if word in self._known or self._matching("whole", f'"{word}"'):
            return [word]
        alike = process.extract(word, self._words, scorer=OSA.normalized_similarity, score_cutoff=LIKE, limit=3)
        return [other for other, score, _ in alike if score == alike[0][1]]


def _asked(words: str) -> list[str]:
    """Return the words of a question that say what it is about; where none does, all of them."""
    said = _WORD.findall(words.casefold().replace("\u2019", "'").replace("'", ""))[:WORDS]
    return [word for word in said if word not in STOP] or said


@functools.cache
def finder(key: str) -> Finder:
    """Return the index of a game's rules; put together once."""
    box = GAMES[key].box
    data = Path(str(box.components.__file__)).with_name("synonyms.toml")
    return Finder(box, tomllib.loads(data.read_text(encoding="utf-8")) if data.exists() else {})
