"""The rules are found by questions as players ask them: lists of them by game, written without looking at the rules' wording."""

import functools
import tomllib

from companion.service.rule_search import SYNONYMS, finder
from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from tests.support.cases import every_row

FOLDER = CHECKOUT / "tests" / "search_questions"
KEYS = sorted(file.stem for file in FOLDER.glob("*.toml"))
AT_LEAST = 60  # questions of a game, three phrasings each
FIRST = 3  # the right rule is among so many
OF_THEM = 0.95


@functools.cache
def questions(key: str) -> list[dict]:
    return tomllib.loads((FOLDER / f"{key}.toml").read_text(encoding="utf-8"))["question"]


def missed(key: str) -> list[tuple[str, list[str], list[str]]]:
    """Return the phrasings whose rule is not among the first found, with those that were and those that are right."""
    found = [
        (words, [rule.id for rule in finder(key).find(words, FIRST)], question["rules"])
        for question in questions(key)
        for words in question["asks"]
    ]
    return [(words, first, right) for words, first, right in found if not set(first) & set(right)]


@every_row("key", KEYS)
def test_a_question_finds_its_rule_among_the_first_three(key: str):
    asked = [words for question in questions(key) for words in question["asks"]]
    assert len(questions(key)) >= AT_LEAST and len(set(asked)) == 3 * len(questions(key))
    assert all(set(question["rules"]) <= set(GAMES[key].box.rules) for question in questions(key))
    assert len(missed(key)) <= (1 - OF_THEM) * len(asked), missed(key)


def test_there_are_questions_for_every_game_that_is_tracked():
    assert set(KEYS) == {key for key, game in GAMES.items() if game.play}


@every_row("key", [key for key, game in GAMES.items() if game.play])
def test_every_game_that_is_tracked_has_other_words_for_its_rules(key: str):
    data = tomllib.loads((SYNONYMS / f"{key}.toml").read_text(encoding="utf-8"))
    assert set(data["rules"]) == set(GAMES[key].box.rules)
    assert not [thing for thing in data["things"] if not finder(key)._matching("plain", f'"{thing}"', (1, 1))]


@every_row("words", ["", "   ", "?", "the of and", '"', "NEAR(", "a AND OR NOT b", "*" * 120, "ÄÖ", "熊", "x" * 500])
def test_whatever_is_asked_is_answered(words: str):
    assert isinstance(finder("trails").find(words), list)


def test_a_rule_is_found_by_another_word_for_a_thing_and_by_one_typed_wrongly():
    assert "canteen-filled" in [rule.id for rule in finder("trails").find("water botle empty, where to refil?")]
