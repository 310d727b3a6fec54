"""Rule search for whole questions, with synonyms and tolerance for typos."""

import functools
import itertools
import operator
import re
import sqlite3
import threading
import tomllib
from collections import Counter, defaultdict
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
# The weights of a match were chosen by searching for known questions that were left out of the index.
# The columns of a rule: its text, its section, questions about it, synonyms of its terms.
COLUMN_WEIGHTS = {"text": 0.37, "section": 0.37, "asked": 0.21, "things": 0.75}
# The same columns for a wider query: also synonyms of the typed words, and pairs of neighboring words.
WIDE_COLUMN_WEIGHTS = {"text": 0.24, "section": 0.24, "asked": 0.18, "things": 0.12}
PHRASE_WEIGHTS = (0.16, 0.16)  # of a rule's best questions for the wider query, best first
SPELLING_WEIGHTS = (0.06, 0.04, 0.04)  # of the questions that share most groups of three letters, best first
WORDS = "porter unicode61 remove_diacritics 2"  # tokenizers of SQLite
TRIGRAMS = "trigram"
MAX_TRIGRAM_SHARE = 0.04  # of the questions with a group of three letters; a more frequent one is ignored, for speed
MIN_SIMILARITY = 0.75  # of a corrected word to the typed one, from 0 to 1
SYNONYMS_FOLDER = Path(__file__).with_name("synonyms")  # one file per game, named by its key: synonyms and questions
STOP_WORDS = frozenset(Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8").split())
EVERYDAY_WORDS: dict[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("everyday_words.toml").read_text(encoding="utf-8")
)
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
        self._create_index("plain", rows, WORDS)
        things = synonyms.get("things", {})
        synonyms_by_row: list[list[str]] = [[] for _ in rows]
        for term, words in things.items():
            for number, _ in self._match("plain", [term]):
                synonyms_by_row[number] += words
        questions = [synonyms.get("rules", {}).get(rule.id, []) for rule in self._rules]
        full_rows = [
            {**row, "asked": " ".join(phrases), "things": " ".join(row_synonyms)}
            for row, phrases, row_synonyms in zip(rows, questions, synonyms_by_row, strict=True)
        ]
        self._create_index("whole", full_rows, WORDS)
        phrase_rows = [{"words": phrase} for phrases in questions for phrase in phrases] or [{"words": ""}]
        self._create_index("asked", phrase_rows, WORDS)
        self._create_index("spelling", phrase_rows, TRIGRAMS)
        counts = Counter(trigram for row in phrase_rows for trigram in _trigrams(row["words"]))
        self._frequent_trigrams = {
            trigram for trigram, count in counts.items() if count > MAX_TRIGRAM_SHARE * len(phrase_rows)
        }
        self._rule_of_phrase = [number for number, phrases in enumerate(questions) for _ in phrases]
        self._synonyms: dict[str, set[str]] = {}  # in both directions: of a term of the rulebook, and to it
        for term, words in (*things.items(), *EVERYDAY_WORDS.items()):
            for word in words:
                self._synonyms.setdefault(term, set()).add(word)
                self._synonyms.setdefault(word, set()).add(term)
        self._vocabulary = sorted(
            {word for row in full_rows for word in _WORD.findall(" ".join(row.values()).casefold())} - STOP_WORDS
        )
        self._known_words = STOP_WORDS.union(self._vocabulary)

    def _create_index(self, name: str, rows: list[dict[str, str]], tokenizer: str) -> None:
        self._db.table(name).insert_all(({"id": number, **row} for number, row in enumerate(rows)), pk="id")
        self._db.table(name).enable_fts(list(rows[0]), tokenize=tokenizer)

    def _match(self, name: str, terms: Iterable[str], weights: Iterable[float] = ()) -> list[tuple[int, float]]:
        """Return the numbers of the rows that have any of the terms, with their scores.

        :param weights: one for each column; by default 1.
        """
        rank = f"-bm25({', '.join([f'{name}_fts', *map(str, weights)])})"
        query = " OR ".join(f'"{term}"' for term in terms)
        return self._db.execute(f"SELECT rowid, {rank} FROM {name}_fts WHERE {name}_fts MATCH ?", [query]).fetchall()

    def search(self, query_text: str, limit: int = MAX_RESULTS) -> list[Rule]:
        """Return the rules that match a question, the best match first."""
        with self._lock:
            words = [word for typed_word in _words(query_text) for word in self._correct_spelling(typed_word)]
            if not words:
                return []
            scores = self._score_rules(words)
        found = [self._rules[number] for number in sorted(scores, key=lambda number: (-scores[number], number))]
        # A rule whose id was typed comes first.
        return sorted(found, key=lambda rule: rule.id != query_text.strip().casefold())[:limit]

    def _score_rules(self, words: list[str]) -> dict[int, float]:
        """Return the score of each rule that matches a question, by the number of the rule."""
        content_words = dict.fromkeys(word for word in words if word not in STOP_WORDS) or dict.fromkeys(words)
        pairs = [f"{first} {second}" for first, second in itertools.pairwise(words)]
        wide_query = [*content_words, *self._find_synonyms(words), *pairs]
        trigrams = [trigram for trigram in _trigrams(" ".join(words)) if trigram not in self._frequent_trigrams]
        scores: dict[int, float] = defaultdict(float)
        for terms, weights in ((content_words, COLUMN_WEIGHTS), (wide_query, WIDE_COLUMN_WEIGHTS)):
            for number, score in self._match("whole", terms, weights.values()):
                scores[number] += score
        for index, terms, weights in (("asked", wide_query, PHRASE_WEIGHTS), ("spelling", trigrams, SPELLING_WEIGHTS)):
            for number, score in self._match_phrases(index, terms, weights):
                scores[number] += score
        return scores

    def _match_phrases(self, index: str, terms: Iterable[str], weights: tuple[float, ...]) -> list[tuple[int, float]]:
        """Return weighted scores by rule number: of the best matching question of each."""
        scores_by_rule: dict[int, list[float]] = {}
        for phrase, score in self._match(index, terms) if terms else ():
            scores_by_rule.setdefault(self._rule_of_phrase[phrase], []).append(score)
        return [
            (number, sum(map(operator.mul, weights, sorted(scores, reverse=True))))
            for number, scores in scores_by_rule.items()
        ]

    def _find_synonyms(self, words: list[str]) -> set[str]:
        """Return the synonyms of the words, which may be in the plural."""
        text = f" {' '.join(words)} "
        return {
            synonym
            for term, synonyms in self._synonyms.items()
            if f" {term} " in text or f" {term}s " in text
            for synonym in synonyms
        }

    def _correct_spelling(self, word: str) -> list[str]:
        """Return a word, or the words most similar to it if no rule contains it in any form."""
        if word in self._known_words or self._match("whole", [word]):
            return [word]
        matches = process.extract(
            word, self._vocabulary, scorer=OSA.normalized_similarity, score_cutoff=MIN_SIMILARITY, limit=3
        )
        return [match for match, score, _ in matches if score == matches[0][1]]


def _words(query_text: str) -> list[str]:
    """Return the words of a question, in lower case and without apostrophes."""
    return _WORD.findall(query_text.casefold().replace("\u2019", "'").replace("'", ""))[:MAX_QUERY_WORDS]


def _trigrams(text: str) -> set[str]:
    """Return the groups of three neighboring letters and spaces."""
    return {text[start : start + 3] for start in range(len(text) - 2)}


@functools.cache
def rule_index(game_key: str) -> RuleIndex:
    """Return the index of a game's rules, built on first use."""
    box = GAMES[game_key].box
    data = SYNONYMS_FOLDER / f"{game_key}.toml"
    return RuleIndex(box, tomllib.loads(data.read_text(encoding="utf-8")) if data.exists() else {})
