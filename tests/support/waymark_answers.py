"""Answer the published questions by Waymark's search and referee, and write the score.

Run as `python -m tests.support.waymark_answers`, after `python -m tests.support.question_set`. It reads only what is
published: the question files in docs/questions, without what is expected. The score is in the README there.
"""

import importlib.util
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from companion.service.rule_search import rule_index
from scoring.document import score_sheet, tracked_game
from scoring.kernel.legality import explain
from scoring.kernel.rule import Rule
from scoring.kernel.sheet import Sheet
from scoring.library import read_position
from tests.support.question_set import FOLDER, README, VERDICTS, read_games, rule_page, to_text, with_block

ANSWERS_FILE = FOLDER / "answers" / "waymark.json"
Answer = tuple[Any, tuple[Rule, ...]]  # the verdict, and the rules behind it


def load_score_script() -> ModuleType:
    """Return docs/questions/score.py as a module, although it is in no package."""
    spec = importlib.util.spec_from_file_location("score", FOLDER / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _answer_move(question: dict) -> Answer:
    match, move = read_position(question), question["move"]
    answer = explain(tracked_game(match.game), match.state, move["seat"], match.decode_move(move["data"]))
    return VERDICTS.get(answer.legality, answer.legality), answer.rules


def _answer_points(question: dict) -> Answer:
    column = _score(question).columns[question["players"].index(question["asker"])]
    lines = [line for line in column.lines if line.category in question["categories"]]
    return column.points_in(*question["categories"]), tuple(rule for line in lines for rule in line.rules)


def _answer_winners(question: dict) -> Answer:
    sheet = _score(question)
    return list(sheet.winners), tuple(tie_break.rule for tie_break in sheet.tie_breaks)


def _score(question: dict) -> Sheet:
    if "final_position" in question:
        return score_sheet(question["final_position"])
    match = read_position(question)
    tracked = tracked_game(match.game)
    return tracked.box.score(tracked.final_position(match.state))


def _answer_rulebook(question: dict) -> Answer:
    found = tuple(rule_index(question["game"]).search(question["words"]))
    return "open" if found and found[0].status == "open" else "settled", found


ANSWERS = {"move": _answer_move, "points": _answer_points, "winners": _answer_winners, "rulebook": _answer_rulebook}


def _to_data(rules: tuple[Rule, ...]) -> dict:
    """Return the first rules of an answer, and the page of the first one."""
    first_rules = list(dict.fromkeys(rules))[: load_score_script().FIRST_RULES]
    return {"rules": [rule.id for rule in first_rules]} | ({"page": rule_page(first_rules[0])} if first_rules else {})


def make_answers() -> dict:
    """Return Waymark's answers, by the id of the question."""
    return dict(_answers())


def _answers() -> Iterator[tuple[str, dict]]:
    for game in read_games():
        for question in game["search"]:
            found = rule_index(game["game"]).search(question["question"])
            yield question["id"], _to_data(tuple(found))
        for question in game["disputes"]:
            asked = {name: value for name, value in question.items() if name != "expected"}
            verdict, rules = ANSWERS[question["kind"]](asked)
            yield question["id"], {"verdict": verdict, **_to_data(rules)}


def read_answers() -> dict:
    """Return the answers that are published."""
    return json.loads(ANSWERS_FILE.read_text(encoding="utf-8"))


def score_tables(answers: dict) -> str:
    """Return the score of answers as a table in Markdown for each part."""
    script = load_score_script()
    result = script.score(read_games(), answers, {*answers})
    tables = [
        "\n".join([f"{part.capitalize()}:", "", *script.table_lines(part, result[part])]) for part in script.COLUMNS
    ]
    return "\n" + "\n\n".join(tables) + "\n"


def with_score(text: str, answers: dict) -> str:
    """Return the text of the README with the score of these answers."""
    return with_block(text, "tests.support.waymark_answers", score_tables(answers))


def main() -> None:
    answers = make_answers()
    ANSWERS_FILE.parent.mkdir(exist_ok=True)
    ANSWERS_FILE.write_text(to_text(answers), encoding="utf-8")
    README.write_text(with_score(README.read_text(encoding="utf-8"), answers), encoding="utf-8")


if __name__ == "__main__":
    main()
