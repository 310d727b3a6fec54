"""Write the published questions: a file for each game in docs/questions.

Run as `python -m tests.support.question_set`. The sources are the files of `tests/search_questions` and
`tests/disputes`, and the rules of the games. docs/questions/README.md explains every field.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.system.paths import CHECKOUT
from scoring.document import to_plain_data
from scoring.games import GAMES
from scoring.kernel.english import join_words
from scoring.kernel.legality import explain
from scoring.kernel.rule import Rule, Ruling
from tests.companion.service.test_rule_search import FOLDER as SEARCH_FOLDER
from tests.companion.service.test_rule_search import fresh_questions, questions
from tests.scoring.kernel.test_disputes import disputed_state, get_value, read_disputes
from tests.support.registered_games import APP_TRACKED_GAMES

FOLDER = CHECKOUT / "docs" / "questions"
README = FOLDER / "README.md"
FORMAT = 1
ID_LENGTH = 6  # hexadecimal digits
VERDICTS = {"now": "legal", "later": "later", "no": "illegal"}  # by the legality of an explanation
# The kind of a dispute, by the field that only disputes of this kind have.
KIND_FIELDS = {"move": "move", "points": "points", "winners": "winners", "words": "rulebook"}
COUNT_COLUMNS = ("main", "fresh", "legal", "later", "illegal", "points", "winners", "settled", "open")
# The games without their score-only counterparts, which have the same rules.
GAME_KEYS = [key for key, tracked in APP_TRACKED_GAMES.items() if not tracked.is_score_entry]


def question_id(key: str, kind: str, text: str) -> str:
    """Return an id that depends on one text only.

    It stays when other questions come or go. It is a hash, because the name of a dispute can give away its answer.
    """
    return f"{key}-{kind}-{hashlib.sha256(text.encode()).hexdigest()[:ID_LENGTH]}"


def rule_title(rule: Rule) -> str:
    """Return a short title made from the rule's ID: "Canteen to end"."""
    return rule.id.replace("-", " ").replace("colour", "color").capitalize()


def rule_page(rule: Rule) -> str:
    """Return the page or the heading without quotation marks: "7", "14-15" or "Components"."""
    return rule.page.strip("“”")


def rule_data(rule: Rule) -> dict:
    return {
        "id": rule.id,
        "section": rule.section,
        "title": rule_title(rule),
        "text": rule.text,
        "book": rule.book,
        "page": rule_page(rule),
        "status": rule.status,
    }


def ruling_data(ruling: Ruling) -> dict:
    """Return a point that the rulebook leaves open, with its options, the default first."""
    options = [{"id": option.id, "text": option.text} for option in ruling.options]
    return {"id": ruling.id, "rule": ruling.rule.id, "question": ruling.question, "options": options}


def expected_rules(key: str, ids: list[str]) -> list[dict]:
    rules = [GAMES[key].box.rules[id] for id in ids]
    return [{"id": rule.id, "title": rule_title(rule), "book": rule.book, "page": rule_page(rule)} for rule in rules]


def complete_data(value: Any) -> Any:
    """Return a value as plain data with every field, also those that have their default."""
    if isinstance(value, Struct):
        fields = {name: complete_data(getattr(value, name)) for name in value.__struct_fields__}
        tag = value.__struct_config__.tag
        return fields if tag is None else {value.__struct_config__.tag_field: tag, **fields}
    if isinstance(value, list | tuple):
        return [complete_data(item) for item in value]
    if isinstance(value, dict):
        return {name: complete_data(item) for name, item in value.items()}
    return msgspec.to_builtins(value)


def search_data(key: str) -> Iterator[dict]:
    """Yield the search questions: first those of the main set, then the fresh ones.

    A fresh question that the main set has in the same words is left out.
    """
    main = {ask: question["rules"] for question in questions(key) for ask in question["asks"]}
    fresh_asked = fresh_questions(key) if (SEARCH_FOLDER / "fresh" / f"{key}.toml").exists() else []
    fresh = {question["ask"]: question["rules"] for question in fresh_asked if question["ask"] not in main}
    for name, rules_by_question in (("main", main), ("fresh", fresh)):
        for ask, rules in rules_by_question.items():
            yield {
                "id": question_id(key, "search", ask),
                "game": key,
                "set": name,
                "question": ask,
                "expected": {"rules": expected_rules(key, rules)},
            }


def dispute_data(key: str, dispute: dict) -> dict:
    """Return a dispute with its position, as the player who asks sees it."""
    kind = next(kind for field, kind in KIND_FIELDS.items() if field in dispute)
    head = {
        "id": question_id(key, "dispute", dispute["name"]),
        "game": key,
        "kind": kind,
        "words": dispute["asks"],
    }
    asked, expected = QUESTIONS[kind](key, dispute)
    return {**head, **asked, "expected": {**expected, "rules": expected_rules(key, dispute["rules"])}}


def _table_data(key: str, dispute: dict) -> dict:
    """Return the table of a dispute: the players, who asks, whose turn it is, and the position."""
    if "final" in dispute:
        names = [player["name"] for player in dispute["final"]["players"]]
        return {"players": names, "asker": None, "to_move": [], "final_position": dispute["final"]}
    tracked, seat = GAMES[key].tracked, dispute["seat"]
    view = tracked.view(disputed_state(key, dispute), seat)
    names = [player.name for player in view.players]
    return {
        "players": names,
        "asker": names[seat],
        "to_move": [names[other] for other in tracked.flow.to_move(view)],
        "position": complete_data(tracked.position_format.to_position(view)),
    }


def _move_question(key: str, dispute: dict) -> tuple[dict, dict]:
    tracked, seat = GAMES[key].tracked, dispute["seat"]
    state, move = disputed_state(key, dispute), tracked.decode(dispute["move"])
    label = explain(tracked, tracked.view(state, seat), seat, move).label
    table = _table_data(key, dispute)
    asked = {
        "question": f"May {table['asker']} do this now: “{label}”?",
        **table,
        "move": {"seat": seat, "text": label, "data": dispute["move"]},
    }
    expected: dict[str, Any] = {"verdict": VERDICTS[dispute["verdict"]]}
    if "first" in dispute:
        expected["first"] = dispute["first"]
    if "then" in dispute:
        after = tracked.position_format.to_position(tracked.play(state, seat, move))
        expected["after"] = {path: get_value(complete_data(after), path.split(".")) for path in dispute["then"]}
    return asked, expected


def _points_question(key: str, dispute: dict) -> tuple[dict, dict]:
    table = _table_data(key, dispute)
    categories = dispute["category"] if isinstance(dispute["category"], list) else [dispute["category"]]
    titles = join_words([title for id, title in GAMES[key].box.categories if id in categories])
    asked = {
        "question": f"How many points does {table['asker']} score for {titles}?",
        **table,
        "categories": categories,
    }
    return asked, {"verdict": dispute["points"]}


def _winners_question(key: str, dispute: dict) -> tuple[dict, dict]:
    asked = {"question": "Who wins?", **_table_data(key, dispute)}
    return asked, {"verdict": dispute["winners"], "totals": dispute["totals"]}


def _rulebook_question(key: str, dispute: dict) -> tuple[dict, dict]:
    asked = {"question": "Does the rulebook settle this, or does it leave it open?"}
    return asked, {"verdict": "open" if dispute.get("silent") else "settled"}


QUESTIONS = {
    "move": _move_question,
    "points": _points_question,
    "winners": _winners_question,
    "rulebook": _rulebook_question,
}


def game_data(key: str) -> dict:
    """Return everything that is published about a game."""
    box = GAMES[key].box
    return to_plain_data(
        {
            "format": FORMAT,
            "license": "CC-BY-4.0",
            "game": key,
            "title": box.title,
            "edition": box.edition,
            "rules": [rule_data(rule) for rule in box.rules.values()],
            "rulings": [ruling_data(ruling) for ruling in box.rulings],
            "search": list(search_data(key)),
            "disputes": [dispute_data(key, dispute) for dispute in read_disputes(key)["disputes"]],
        }
    )


def to_text(data: dict) -> str:
    """Return the text of a file, with one line for each rule, question or answer."""
    fields = []
    for name, value in data.items():
        if isinstance(value, list):
            lines = ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in value)
            fields.append(f' "{name}": [\n{lines}\n ]')
        else:
            fields.append(f' "{name}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(fields) + "\n}\n"


def question_file(key: str) -> Path:
    return FOLDER / f"{key}.json"


def read_games() -> list[dict]:
    """Return the published data of each game, read from its file."""
    return [json.loads(question_file(key).read_text(encoding="utf-8")) for key in GAME_KEYS]


def counts_table(games: list[dict]) -> str:
    """Return a table in Markdown with the number of questions of each kind."""
    lines = [
        "| Game | Search: main | fresh | Disputes: legal | later | illegal | points | winners | settled | open |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for game in games:
        counts = Counter(question["set"] for question in game["search"])
        for dispute in game["disputes"]:
            verdict = dispute["expected"]["verdict"]
            counts[verdict if isinstance(verdict, str) else dispute["kind"]] += 1
        lines.append(f"| {' | '.join([game['title'], *(str(counts[column]) for column in COUNT_COLUMNS)])} |")
    return "\n".join(["", *lines, ""])


def with_block(text: str, maker: str, block: str) -> str:
    """Return the text of the README with the block that a module writes."""
    start, end = f"<!-- Made by {maker}. -->\n", "<!-- End. -->"
    before, rest = text.split(start)
    return f"{before}{start}{block}\n{end}{rest.split(end, 1)[1]}"


def with_counts(text: str) -> str:
    """Return the text of the README with the number of questions."""
    return with_block(text, "tests.support.question_set", counts_table(read_games()))


def main() -> None:
    for key in GAME_KEYS:
        question_file(key).write_text(to_text(game_data(key)), encoding="utf-8")
    README.write_text(with_counts(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
