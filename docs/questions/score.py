"""Score answers to the questions of this folder.

Run as `python score.py ANSWERS.json [--game GAME] [--json]`. README.md explains the questions and the format of the
answers. Only Python 3.11 and its standard library are needed.
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
GAME_FIELDS = {"game", "search", "disputes"}  # by which a file with the questions of a game is known
FIRST_RULES = 3  # of an answer; later ones do not count
WORDS = {"move": ("legal", "later", "illegal"), "rulebook": ("settled", "open")}  # the verdicts, by kind of dispute
PAGES = re.compile(r"(?:pp?\.|pages?)?\s*(\d{1,4})(?:\s*[-\u2013]\s*(\d{1,4}))?", re.IGNORECASE)  # "7", "pp. 14-15"
# The columns of each table: the heading, and the measure that it shows.
COLUMNS = {
    "search": {"first rule": "first_rule", "first three": "first_three", "page": "page"},
    "disputes": {"verdict": "verdict", "first rule": "first_rule", "first three": "first_three", "page": "page"},
}


class InputError(Exception):
    """Input that cannot be scored; the text is one sentence for the person who wrote it."""


def read_json(file: Path) -> dict:
    """Return the JSON object in a file.

    :raises InputError: if the file cannot be read, is no JSON object, or has a name twice.
    """

    def to_object(pairs: list) -> dict:
        counts = Counter(name for name, _ in pairs)
        for name in counts:
            if counts[name] > 1:
                raise InputError(f"{file}: “{name}” is there {counts[name]} times.")
        return dict(pairs)

    try:
        data = json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=to_object)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: this is not text in UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{file}: line {error.lineno} is not JSON: {error.msg}.") from None
    except (ValueError, RecursionError):
        raise InputError(f"{file}: a number is too long, or lists are nested too deeply.") from None
    if not isinstance(data, dict):
        raise InputError(f"{file}: expected a JSON object.")
    return data


def is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# The fields of an answer: whether a value can be read, and what is expected instead.
FIELDS = {
    "verdict": (
        lambda value: isinstance(value, str) or is_number(value) or is_texts(value),
        "a text, a whole number or a list of names",
    ),
    "rules": (is_texts, "a list of rule ids"),
    "page": (lambda value: isinstance(value, str) or is_number(value), "a text or a whole number"),
}


def read_answers(file: Path) -> dict:
    """Return the answers by the id of their question.

    :raises InputError: if they are not as README.md says.
    """
    answers = read_json(file)
    for id, answer in answers.items():
        if not isinstance(answer, dict):
            raise InputError(f"{file}: {id}: expected a JSON object with verdict, rules and page.")
        for name, value in answer.items():
            if name not in FIELDS:
                raise InputError(f"{file}: {id}: “{name}” is not a field of an answer; use verdict, rules and page.")
            is_valid, expected = FIELDS[name]
            if not is_valid(value):
                raise InputError(f"{file}: {id}: “{name}” must be {expected}.")
    return answers


def is_right_page(answered: str | int, rule: dict) -> bool:
    """Return whether a page is one of a rule's pages, or its heading.

    Case and punctuation of a heading do not count.
    """
    found, printed = PAGES.fullmatch(str(answered).strip()), PAGES.fullmatch(rule["page"])
    if found and printed:
        first, last = (int(page or found[1]) for page in found.groups())
        return int(printed[1]) <= first <= last <= int(printed[2] or printed[1])
    plain, heading = (re.sub(r"\W+", " ", text.casefold()).strip() for text in (str(answered), rule["page"]))
    return plain == heading


def is_right_verdict(answered: object, expected: object) -> bool:
    """Return whether a verdict is right; the order of several winners is free."""
    if isinstance(expected, list):
        return isinstance(answered, list) and sorted(answered) == sorted(expected)
    return type(answered) is type(expected) and answered == expected


def judge(question: dict, answer: dict) -> dict:
    """Return for each measure whether an answer is right."""
    expected = question["expected"]
    right_ids = {rule["id"] for rule in expected["rules"]}
    named = answer.get("rules", [])[:FIRST_RULES]
    result = {
        "answered": bool(answer),
        "first_rule": bool(right_ids.intersection(named[:1])),
        "first_three": bool(right_ids.intersection(named)),
        "page": "page" in answer and any(is_right_page(answer["page"], rule) for rule in expected["rules"]),
    }
    if "kind" in question:
        result["verdict"] = is_right_verdict(answer.get("verdict"), expected["verdict"])
    return result


def share_row(questions: list, answers: dict, **labels: str) -> dict:
    """Return a row of a table: its labels, the number of questions and the shares, from 0 to 1."""
    results = [judge(question, answers.get(question["id"], {})) for question in questions]
    counts = {name: sum(result[name] for result in results) for name in results[0]}
    answered = counts.pop("answered")
    shares = {name: round(count / len(results), 4) for name, count in counts.items()}
    return {**labels, "questions": len(questions), "answered": answered, **shares}


def is_unreadable_verdict(question: dict, answer: dict) -> bool:
    """Return whether a verdict is none that this kind of dispute can have."""
    if "verdict" not in answer:
        return False
    verdict, expected = answer["verdict"], question["expected"]["verdict"]
    return type(verdict) is not type(expected) or verdict not in WORDS.get(question["kind"], (verdict,))


def score(games: list, answers: dict, known_ids: set) -> dict:
    """Return the shares of right answers; an answer that is missing counts as wrong.

    :param games: the data of the games to score.
    :param known_ids: the ids of the questions of all games.
    """
    search = [question for game in games for question in game["search"]]
    disputes = [question for game in games for question in game["disputes"]]
    search_rows, dispute_rows = [], []
    for name in [*(game["game"] for game in games), *(["all"] if len(games) > 1 else [])]:
        for kind in ("main", "fresh"):
            asked = [each for each in search if name in (each["game"], "all") and each["set"] == kind]
            if asked:
                search_rows.append(share_row(asked, answers, game=name, set=kind))
        if asked := [each for each in disputes if name in (each["game"], "all")]:
            dispute_rows.append(share_row(asked, answers, game=name))
    return {
        "search": search_rows,
        "disputes": dispute_rows,
        "unknown_ids": [id for id in answers if id not in known_ids],
        "unreadable_verdicts": [
            each["id"] for each in disputes if is_unreadable_verdict(each, answers.get(each["id"], {}))
        ],
    }


def table_lines(part: str, rows: list) -> list[str]:
    """Return a table in Markdown: a line for each row, with the shares in percent."""
    labels = ["game", "set"] if part == "search" else ["game"]
    heads = [*labels, "questions", "answered", *COLUMNS[part]]
    lines = [[*heads], ["---"] * len(labels) + ["---:"] * (len(heads) - len(labels))]
    for row in rows:
        shares = [f"{100 * row[measure]:.1f} %" for measure in COLUMNS[part].values()]
        lines.append([*(row[label] for label in labels), str(row["questions"]), str(row["answered"]), *shares])
    return [f"| {' | '.join(cells)} |" for cells in lines]


def report(result: dict) -> str:
    """Return the tables as text, and the ids that need a look."""
    parts = ["\n".join([part.capitalize(), "", *table_lines(part, result[part])]) for part in COLUMNS]
    for name, ids in (("Unknown ids", result["unknown_ids"]), ("Unreadable verdicts", result["unreadable_verdicts"])):
        if ids:
            parts.append(f"{name} ({len(ids)}): {', '.join(ids)}")
    return "\n\n".join(parts)


def read_games(folder: Path) -> list:
    """Return the data of the games of a folder, which may also have files of answers.

    :raises InputError: if there is none, or a file cannot be read.
    """
    files = [read_json(file) for file in sorted(folder.glob("*.json"))]
    if games := [data for data in files if data.keys() >= GAME_FIELDS]:
        return games
    raise InputError(f"{folder}: there are no question files here.")


def select_games(games: list, key: str | None) -> list:
    """Return the game with a key, or all games if there is no key.

    :raises InputError: if there is no such game.
    """
    if key is None:
        return games
    if selected := [game for game in games if game["game"] == key]:
        return selected
    raise InputError(f"there is no game “{key}”; the games are {', '.join(game['game'] for game in games)}.")


def printable(text: str) -> str:
    """Return a text in which characters that no terminal can print are escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Score answers to the questions of this folder.")
    parser.add_argument("answers", type=Path, help="a JSON file: question id -> verdict, rules, page")
    parser.add_argument("--game", help="score the questions of one game, such as trails")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args(arguments)
    try:
        games = read_games(FOLDER)
        asked, answers = select_games(games, options.game), read_answers(options.answers)
    except InputError as error:
        print(printable(f"score.py: {error}"), file=sys.stderr)
        return 2
    known_ids = {question["id"] for game in games for question in (*game["search"], *game["disputes"])}
    result = score(asked, answers, known_ids)
    print(json.dumps(result, indent=1) if options.json else printable(report(result)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
