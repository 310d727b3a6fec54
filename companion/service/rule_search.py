"""Rule search for whole questions, with synonyms and tolerance for typos."""

import functools
import re
import sqlite3
import threading
import tomllib
from collections.abc import Iterable
from pathlib import Path

import sqlite_utils
from rapidfuzz import process
from rapidfuzz.distance import OSA

from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.rule import Rule

MAX_RESULTS = 12  # rules
MAX_QUERY_WORDS = 24  # further words of a question are ignored
# The weight of a match in each column: the rule, its section, questions about it, synonyms of its terms.
COLUMN_WEIGHTS = {"text": 2.0, "section": 2.0, "asked": 1.5, "things": 1.0}
PHRASE_WEIGHTS = (0.5, 0.3, 0.3)  # the weights of a rule's best matching questions, best first
MIN_SIMILARITY = 0.75  # of a corrected word to the typed one, from 0 to 1
SYNONYMS_FOLDER = Path(__file__).with_name("synonyms")  # one file per game, named by its key: synonyms and questions
STOP_WORDS = frozenset(Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8").split())
_WORD = re.compile(r"[a-z0-9]+")


class RuleIndex:
    """The index of a game's rules: SQLite's full-text search in memory, with stemming and BM25.

    A rule ranks high if its own words match the question, or if a known question about it does.
    """

    def __init__(self, box: Box, synonyms: dict[str, dict[str, list[str]]]):
        self._rules = list(box.rules.values())
        self._lock = threading.Lock()
        self._db = sqlite_utils.Database(sqlite3.connect(":memory:", check_same_thread=False))
        rows = [{"text": rule.text, "section": f"{rule.section} {rule.id}"} for rule in self._rules]
        self._create_index("plain", rows)
        synonyms_by_row: list[list[str]] = [[] for _ in rows]
        for term, words in synonyms.get("things", {}).items():
            for number, _ in self._match("plain", f'"{term}"', (1, 1)):
                synonyms_by_row[number] += words
        questions = [synonyms.get("rules", {}).get(rule.id, []) for rule in self._rules]
        full_rows = [
            {**row, "asked": " ".join(phrases), "things": " ".join(row_synonyms)}
            for row, phrases, row_synonyms in zip(rows, questions, synonyms_by_row, strict=True)
        ]
        self._create_index("whole", full_rows)
        self._create_index(
            "asked", [{"words": phrase} for phrases in questions for phrase in phrases] or [{"words": ""}]
        )
        self._rule_of_phrase = [number for number, phrases in enumerate(questions) for _ in phrases]
        self._vocabulary = sorted(
            {word for row in full_rows for word in _WORD.findall(" ".join(row.values()).casefold())} - STOP_WORDS
        )
        self._known_words = frozenset(self._vocabulary)

    def _create_index(self, name: str, rows: list[dict[str, str]]) -> None:
        self._db.table(name).insert_all(({"id": number, **row} for number, row in enumerate(rows)), pk="id")
        self._db.table(name).enable_fts(list(rows[0]), tokenize="porter unicode61 remove_diacritics 2")

    def _match(self, name: str, query: str, weights: Iterable[float]) -> list[tuple[int, float]]:
        """Return the numbers of the rows that have any of the words, with their scores."""
        rank = f"-bm25({', '.join([f'{name}_fts', *map(str, weights)])})"
        return self._db.execute(f"SELECT rowid, {rank} FROM {name}_fts WHERE {name}_fts MATCH ?", [query]).fetchall()

    def search(self, query_text: str, limit: int = MAX_RESULTS) -> list[Rule]:
        """Return the rules that match a question, the best match first."""
        with self._lock:
            query_words = dict.fromkeys(
                word for typed_word in _content_words(query_text) for word in self._correct_spelling(typed_word)
            )
            if not query_words:
                return []
            query = " OR ".join(f'"{word}"' for word in query_words)
            scores = dict(self._match("whole", query, COLUMN_WEIGHTS.values()))
            phrase_scores: dict[int, list[float]] = {}
            for phrase, score in self._match("asked", query, ()):
                phrase_scores.setdefault(self._rule_of_phrase[phrase], []).append(score)
        for number, rule_scores in phrase_scores.items():
            scores[number] += sum(
                weight * score for weight, score in zip(PHRASE_WEIGHTS, sorted(rule_scores, reverse=True), strict=False)
            )
        found = [self._rules[number] for number in sorted(scores, key=lambda number: (-scores[number], number))]
        # A rule whose id was typed comes first.
        return sorted(found, key=lambda rule: rule.id != query_text.strip().casefold())[:limit]

    def _correct_spelling(self, word: str) -> list[str]:
        """Return a word, or the words most similar to it if no rule contains it in any form."""
        if word in self._known_words or self._match("whole", f'"{word}"', COLUMN_WEIGHTS.values()):
            return [word]
        matches = process.extract(
            word, self._vocabulary, scorer=OSA.normalized_similarity, score_cutoff=MIN_SIMILARITY, limit=3
        )
        return [match for match, score, _ in matches if score == matches[0][1]]


def _content_words(query_text: str) -> list[str]:
    """Return the words of a question without stop words; all words if it has no others."""
    words = _WORD.findall(query_text.casefold().replace("\u2019", "'").replace("'", ""))[:MAX_QUERY_WORDS]
    return [word for word in words if word not in STOP_WORDS] or words


@functools.cache
def rule_index(game_key: str) -> RuleIndex:
    """Return the index of a game's rules, built on first use."""
    box = GAMES[game_key].box
    data = SYNONYMS_FOLDER / f"{game_key}.toml"
    return RuleIndex(box, tomllib.loads(data.read_text(encoding="utf-8")) if data.exists() else {})
