"""Tests that the rule search finds rules by the questions of players.

The questions of each game were written without looking at the wording of the rules.
"""

import functools
import tomllib

from companion.service.rule_search import SYNONYMS_FOLDER, rule_index
from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from tests.support.parametrize import run_all_rows
from tests.support.registered_games import APP_GAMES

FOLDER = CHECKOUT / "tests" / "search_questions"
GAME_KEYS = sorted(file.stem for file in FOLDER.glob("*.toml"))
MIN_QUESTIONS = 60  # questions of a game, three phrasings each; one for each rule, if it has fewer rules
FIRST_RESULTS = 3  # one of the right rules must be among them
MIN_HIT_RATE = 0.95
MIN_FRESH_HIT_RATE = 0.9  # of questions for which nothing was added to the search


@functools.cache
def questions(key: str) -> list[dict]:
    return tomllib.loads((FOLDER / f"{key}.toml").read_text(encoding="utf-8"))["question"]


def missed_questions(key: str) -> list[tuple[str, list[str], list[str]]]:
    """Return the phrasings that miss their rule, with the rules found and the right ones."""
    found = [
        (query, [rule.id for rule in rule_index(key).search(query, FIRST_RESULTS)], question["rules"])
        for question in questions(key)
        for query in question["asks"]
    ]
    return [(query, first, right) for query, first, right in found if not set(first) & set(right)]


@run_all_rows("key", GAME_KEYS)
def test_question_finds_its_rule_among_the_first_three(key: str):
    queries = [query for question in questions(key) for query in question["asks"]]
    assert len(questions(key)) >= min(MIN_QUESTIONS, len(GAMES[key].box.rules))
    assert len(set(queries)) == 3 * len(questions(key))
    assert all(set(question["rules"]) <= set(GAMES[key].box.rules) for question in questions(key))
    assert len(missed_questions(key)) <= (1 - MIN_HIT_RATE) * len(queries), missed_questions(key)


@functools.cache
def fresh_questions(key: str) -> list[dict]:
    return tomllib.loads((FOLDER / "fresh" / f"{key}.toml").read_text(encoding="utf-8"))["question"]


def found_fresh_questions(key: str) -> list[str]:
    """Return the fresh questions that find one of their rules among the first results."""
    index = rule_index(key)
    return [
        question["ask"]
        for question in fresh_questions(key)
        if {rule.id for rule in index.search(question["ask"], FIRST_RESULTS)} & set(question["rules"])
    ]


@run_all_rows("key", [key for key in GAME_KEYS if (FOLDER / "fresh" / f"{key}.toml").exists()])
def test_fresh_question_finds_its_rule_among_the_first_three(key: str):
    assert all(set(question["rules"]) <= set(GAMES[key].box.rules) for question in fresh_questions(key))
    assert len(found_fresh_questions(key)) >= MIN_FRESH_HIT_RATE * len(fresh_questions(key))


def test_every_tracked_game_has_questions():
    missing = {key for key, game in GAMES.items() if game.tracked} - set(GAME_KEYS)
    assert not missing, (
        f"No questions of players for {sorted(missing)}: write tests/search_questions/<key>.toml, in players' words "
        "and without looking at the rules, as in tests/search_questions/trails.toml."
    )


@run_all_rows("key", [key for key, game in APP_GAMES.items() if game.tracked])
def test_every_tracked_game_has_synonyms_for_its_rules(key: str):
    file = SYNONYMS_FOLDER / f"{key}.toml"
    name = file.relative_to(CHECKOUT)
    assert file.exists(), f"Write {name}: what players call the things of the game, and questions about each rule."
    data, rules = tomllib.loads(file.read_text(encoding="utf-8")), set(GAMES[key].box.rules)
    assert set(data["rules"]) == rules, (
        f"{name}, table [rules]: add {sorted(rules - set(data['rules']))}, remove {sorted(set(data['rules']) - rules)}."
    )
    unused = [term for term in data["things"] if not rule_index(key)._match("plain", [term])]
    assert not unused, f"{name}, table [things]: no rule has the words {unused}. Use words of scoring/*/rules.py."


@run_all_rows("query", ["", "   ", "?", "the of and", '"', "NEAR(", "a AND OR NOT b", "*" * 120, "ÄÖ", "熊", "x" * 500])
def test_unusual_query_is_answered_with_a_list(query: str):
    assert isinstance(rule_index("trails").search(query), list)


def test_rule_is_found_by_a_synonym_and_despite_typos():
    assert "canteen-filled" in [rule.id for rule in rule_index("trails").search("water botle empty, where to refil?")]
