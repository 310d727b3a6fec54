"""The published questions agree with their sources and can be read and scored by others."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from scoring.kernel.rule import Rule
from tests.scoring.kernel.test_disputes import disputed_state, read_disputes
from tests.support import question_set as published
from tests.support import waymark_answers

README = published.README.read_text(encoding="utf-8")
POSITIONS = (published.FOLDER / "positions.md").read_text(encoding="utf-8")
MAX_DIFFERENCE = 0.02  # of a share of all games, until the answers of Waymark have to be written again
MAX_TITLE_LENGTH = 40
script = waymark_answers.load_score_script()


def blocks(language: str) -> list[str]:
    """Return the blocks of code of the README."""
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", README)


@pytest.fixture(scope="module")
def games() -> dict[str, dict]:
    return {game["game"]: game for game in published.read_games()}


# The files are those of their sources.


@pytest.mark.parametrize("key", published.GAME_KEYS)
def test_published_questions_are_made_from_their_sources(key: str):
    file = published.question_file(key)
    advice = f"{file.relative_to(CHECKOUT)}: run `python -m tests.support.question_set`."
    assert file.exists(), advice
    assert file.read_text(encoding="utf-8") == published.to_text(published.game_data(key)), advice


def test_counts_and_score_in_the_readme_are_made_from_the_files():
    assert published.with_counts(README) == README, (
        "docs/questions/README.md: run `python -m tests.support.question_set`."
    )
    answers = waymark_answers.read_answers()
    assert waymark_answers.with_score(README, answers) == README, (
        "docs/questions/README.md: run `python -m tests.support.waymark_answers`."
    )


def test_every_question_has_an_answer_of_waymark(games):
    ids = [question["id"] for game in games.values() for question in (*game["search"], *game["disputes"])]
    assert len(ids) == len({*ids}), "Two questions have the same id. Make ID_LENGTH longer in question_set.py."
    advice = "docs/questions/answers/waymark.json: run `python -m tests.support.waymark_answers`."
    assert list(waymark_answers.read_answers()) == ids, advice


@pytest.mark.slow("answers every published question")
def test_answers_of_waymark_are_measured(games):
    """After a change of synonyms a few rules may rank differently, but no verdict may differ."""
    stored, measured = waymark_answers.read_answers(), waymark_answers.make_answers()
    advice = "docs/questions/answers/waymark.json: run `python -m tests.support.waymark_answers`."
    verdicts = [{id: answer.get("verdict") for id, answer in answers.items()} for answers in (stored, measured)]
    assert verdicts[0] == verdicts[1], advice
    old, new = (script.score([*games.values()], answers, {*answers}) for answers in (stored, measured))
    for part, columns in script.COLUMNS.items():
        for old_row, new_row in zip(old[part], new[part], strict=True):
            if old_row["game"] == "all":
                for measure in columns.values():
                    assert new_row[measure] == pytest.approx(old_row[measure], abs=MAX_DIFFERENCE), advice


def test_wrong_verdicts_of_waymark_are_about_the_rulebook(games):
    answers = waymark_answers.read_answers()
    disputes = [dispute for game in games.values() for dispute in game["disputes"]]
    wrong = [each for each in disputes if each["expected"]["verdict"] != answers[each["id"]]["verdict"]]
    assert {each["kind"] for each in wrong} <= {"rulebook"}, "Correct “Waymark’s score” in docs/questions/README.md."


# The files can be read by strangers.


@pytest.mark.parametrize("key", published.GAME_KEYS)
def test_published_position_is_what_the_asker_sees(key: str, games):
    tracked, with_position = GAMES[key].tracked, 0
    for source, dispute in zip(read_disputes(key)["disputes"], games[key]["disputes"], strict=True):
        if "position" in dispute:
            view = tracked.view(disputed_state(key, source), source["seat"])
            assert scoring.read_position(dispute).write_position() == scoring.Match(key, view).write_position()
            assert dispute["players"][source["seat"]] == dispute["asker"]
            with_position += 1
    assert with_position >= min(5, len(games[key]["disputes"]))


def test_published_positions_hide_what_the_asker_cannot_see(games):
    for dispute in games["trails"]["disputes"]:
        position = dispute.get("position", {"players": [], "over": True})
        for player in position["players"]:
            if player["name"] != dispute["asker"] and not position["over"]:
                assert player["hand"] in ("unnamed", "none") and {*player["photos"]} <= {"unnamed"}
    for dispute in games["on-the-trail"]["disputes"]:
        for runner in dispute.get("position", {"step": "over", "runners": []})["runners"]:
            if runner["name"] != dispute["asker"] and dispute["position"]["step"] != "over":
                assert runner["hand"] == {}
    for dispute in games["alpine-trails"]["disputes"]:
        for player in dispute.get("position", {"players": []})["players"]:
            if player["name"] != dispute["asker"]:
                assert player["goal"] == "not told" or player["complete"]


@pytest.mark.parametrize("key", published.GAME_KEYS)
def test_every_field_of_a_position_is_explained(key: str):
    section = f"{POSITIONS}\n## ".partition(f"\n## {GAMES[key].box.title}\n")[2].partition("\n## ")[0]
    explained = {*re.findall(r"`(\w+)`", section)}
    definitions = scoring.json_schemas(key)["position"]["$defs"]
    missing = {name for definition in definitions.values() for name in definition.get("properties", ())} - explained
    shared = {*re.findall(r"`(\w+)`", POSITIONS.partition("\n## ")[0])}
    assert missing - shared == set(), f"Explain these fields of {GAMES[key].box.title} in docs/questions/positions.md."


@pytest.mark.parametrize("key", published.GAME_KEYS)
def test_rule_titles_are_short_and_no_sentences(key: str, games):
    for rule in games[key]["rules"]:
        assert len(rule["title"]) <= MAX_TITLE_LENGTH and "." not in rule["title"]


@pytest.mark.parametrize(
    ("page", "expected"), [("7", "7"), ("14-15", "14-15"), ("“Game End”", "Game End")], ids=["one", "two", "heading"]
)
def test_rule_page_is_a_number_or_a_heading(page: str, expected: str):
    rule = Rule(id="loop-colours", section="Loops", text="A loop has colors.", book="rulebook", page=page)
    assert published.rule_page(rule) == expected
    assert published.rule_title(rule) == "Loop colors"


# The README is true.


def test_every_published_field_is_in_the_readme(games):
    documented = {*re.findall(r"`(\w+)`", README)}
    for game in games.values():
        items = (each for name in ("rules", "rulings", "search", "disputes") for each in game[name])
        used = {*game}.union(*items)
        used |= {field for each in (*game["search"], *game["disputes"]) for field in each["expected"]}
        assert used - documented == set(), "Explain these fields in docs/questions/README.md."


def test_examples_in_the_readme_are_published_questions(games):
    search, dispute, answers = map(json.loads, blocks("json"))
    assert search in games["trails"]["search"] and dispute in games["trails"]["disputes"]
    result = script.score([{"game": "trails", "search": [search], "disputes": [dispute]}], answers, {*answers})
    assert [row[measure] for row in result["search"] for measure in ("first_rule", "page")] == [1, 1]
    assert [row[measure] for row in result["disputes"] for measure in ("verdict", "first_rule", "page")] == [1, 1, 1]


def test_prompt_of_the_readme_asks_without_giving_the_answer_away(games):
    (code,) = blocks("python")
    names: dict = {}
    exec(code, names)
    game = names["read_game"](published.question_file("trails"))
    assert game == games["trails"]
    for question in (game["search"][0], *game["disputes"]):
        prompt = names["make_prompt"](game, question)
        assert question.get("words", question.get("question")) in prompt and "hike-distance: Your turn:" in prompt
        assert "expected" not in prompt and question["id"] not in prompt and "}" in prompt
    assert game["rules"][0]["text"] in names["make_prompt"](game, game["search"][0], with_text=True)
    assert names["VERDICTS"].keys() == {*published.KIND_FIELDS.values()}


def test_license_names_its_id_its_address_and_its_limits():
    text = (published.FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("SPDX-License-Identifier: CC-BY-4.0\n")
    assert "https://creativecommons.org/licenses/by/4.0/" in text and "Section 8 -- Interpretation." in text
    assert "The rulebooks are not included" in text
    assert all(game["license"] == "CC-BY-4.0" for game in published.read_games())


# The script scores as documented.


def rule(id: str, page: str) -> dict:
    return {"id": id, "title": id, "book": "rulebook", "page": page}


GAME = {
    "game": "hills",
    "search": [
        {"id": "s1", "game": "hills", "set": "main", "expected": {"rules": [rule("a", "7"), rule("b", "9")]}},
        {"id": "s2", "game": "hills", "set": "main", "expected": {"rules": [rule("c", "14-15")]}},
        {"id": "s3", "game": "hills", "set": "fresh", "expected": {"rules": [rule("d", "Game End")]}},
    ],
    "disputes": [
        {"id": "d1", "game": "hills", "kind": "move", "expected": {"verdict": "legal", "rules": [rule("a", "7")]}},
        {"id": "d2", "game": "hills", "kind": "points", "expected": {"verdict": 1, "rules": [rule("b", "9")]}},
        {
            "id": "d3",
            "game": "hills",
            "kind": "winners",
            "expected": {"verdict": ["Bo", "Ana"], "rules": [rule("c", "8")]},
        },
        {"id": "d4", "game": "hills", "kind": "rulebook", "expected": {"verdict": "open", "rules": [rule("d", "2")]}},
    ],
}


def shares(answers: dict) -> dict[str, list[float]]:
    """Return the shares of each row, by its part and set."""
    result = script.score([GAME], answers, set())
    return {
        row.get("set", part): [row[measure] for measure in columns.values()]
        for part, columns in script.COLUMNS.items()
        for row in result[part]
    }


RIGHT_ANSWERS = {
    "s1": {"rules": ["b"], "page": 9},
    "s2": {"rules": ["c", "x"], "page": "15"},
    "s3": {"rules": ["d"], "page": "“game end”"},
    "d1": {"verdict": "legal", "rules": ["a"], "page": "7"},
    "d2": {"verdict": 1, "rules": ["b"], "page": "9"},
    "d3": {"verdict": ["Ana", "Bo"], "rules": ["c"], "page": "8"},
    "d4": {"verdict": "open", "rules": ["d"], "page": "2"},
}


@pytest.mark.parametrize("page", ["14", 15, "14-15", "14 \u2013 15", "p. 14", "pp. 14-15", " Page 15 "])
def test_page_within_the_expected_pages_is_right(page: str | int):
    assert shares({"s2": {"page": page}})["main"] == [0, 0, 0.5]


def test_right_answers_have_the_full_score():
    assert shares(RIGHT_ANSWERS) == {"main": [1, 1, 1], "fresh": [1, 1, 1], "disputes": [1, 1, 1, 1]}


@pytest.mark.parametrize("answers", [{}, {"s1": {}, "d1": {}}], ids=["none", "empty"])
def test_unanswered_questions_count_as_wrong(answers: dict):
    assert shares(answers) == {"main": [0, 0, 0], "fresh": [0, 0, 0], "disputes": [0, 0, 0, 0]}
    assert all(row["answered"] == 0 for part in script.COLUMNS for row in script.score([GAME], answers, set())[part])


@pytest.mark.parametrize(
    ("id", "changes", "part", "expected"),
    [
        ("s1", {"rules": ["x", "y", "a"]}, "main", [0.5, 1, 1]),
        ("s1", {"rules": ["x", "y", "z", "a"]}, "main", [0.5, 0.5, 1]),
        ("s1", {"rules": []}, "main", [0.5, 0.5, 1]),
        ("s1", {"page": "8"}, "main", [1, 1, 0.5]),
        ("s2", {"page": "1-99"}, "main", [1, 1, 0.5]),
        ("s2", {"page": "13-14"}, "main", [1, 1, 0.5]),
        ("s2", {"page": "9" * 5000}, "main", [1, 1, 0.5]),
        ("s3", {"page": "Game"}, "fresh", [1, 1, 0]),
        ("s3", {"page": 3}, "fresh", [1, 1, 0]),
        ("d1", {"verdict": "later"}, "disputes", [0.75, 1, 1, 1]),
        ("d1", {"verdict": "Legal"}, "disputes", [0.75, 1, 1, 1]),
        ("d1", {"rules": ["x", "a"]}, "disputes", [1, 0.75, 1, 1]),
        ("d2", {"verdict": 2}, "disputes", [0.75, 1, 1, 1]),
        ("d2", {"verdict": "1"}, "disputes", [0.75, 1, 1, 1]),
        ("d3", {"verdict": ["Ana"]}, "disputes", [0.75, 1, 1, 1]),
        ("d3", {"verdict": ["Ana", "Bo", "Bo"]}, "disputes", [0.75, 1, 1, 1]),
        ("d3", {"verdict": "Ana"}, "disputes", [0.75, 1, 1, 1]),
        ("d4", {"verdict": "settled", "rules": ["x"], "page": 3}, "disputes", [0.75, 0.75, 0.75, 0.75]),
    ],
)
def test_wrong_answer_lowers_the_share_of_its_measure_only(id: str, changes: dict, part: str, expected: list):
    assert shares({**RIGHT_ANSWERS, id: {**RIGHT_ANSWERS[id], **changes}})[part] == expected


def test_unknown_ids_and_unreadable_verdicts_are_named():
    answers = {
        "s9": {},
        "d1": {"verdict": "yes"},
        "d2": {"verdict": "1"},
        "d3": {"verdict": ["Cy"]},
        "d4": {"rules": []},
    }
    result = script.score([GAME], answers, {"d1", "d2", "d3", "d4"})
    assert (result["unknown_ids"], result["unreadable_verdicts"]) == (["s9"], ["d1", "d2"])
    text = script.report(result)
    assert "Unknown ids (1): s9" in text and "Unreadable verdicts (2): d1, d2" in text


def test_several_games_have_a_row_for_all():
    other = {"game": "lakes"} | {
        part: [{**question, "id": f"lakes-{question['id']}", "game": "lakes"} for question in GAME[part]]
        for part in script.COLUMNS
    }
    rows = script.score([GAME, other], RIGHT_ANSWERS, set())["disputes"]
    assert [(row["game"], row["questions"], row["verdict"]) for row in rows] == [
        ("hills", 4, 1),
        ("lakes", 4, 0),
        ("all", 8, 0.5),
    ]


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a stranger does: in Python without any package, and without Waymark."""
    return subprocess.run(
        [sys.executable, "-I", "-S", published.FOLDER / "score.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def test_script_prints_tables_without_any_package():
    run = run_script(str(waymark_answers.ANSWERS_FILE))
    assert (run.returncode, run.stderr) == (0, "")
    row = next(line for line in README.splitlines() if line.startswith("| all | fresh |"))
    assert row in run.stdout.splitlines() and "Unknown" not in run.stdout


def test_script_prints_json_for_one_game(capsys):
    assert script.main([str(waymark_answers.ANSWERS_FILE), "--game", "parks", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {row["game"] for part in script.COLUMNS for row in result[part]} == {"parks"}
    assert result["unknown_ids"] == [] and result["disputes"][0]["answered"] == result["disputes"][0]["questions"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "line 1 is not JSON: Expecting value."),
        ("[]", "expected a JSON object."),
        ('{"a": {}, "a": {}}', "“a” is there 2 times."),
        ('{"a": "legal"}', "a: expected a JSON object with verdict, rules and page."),
        ('{"a": {"rule": "b"}}', "a: “rule” is not a field of an answer; use verdict, rules and page."),
        ('{"a": {"rules": "b"}}', "a: “rules” must be a list of rule ids."),
        ('{"a": {"rules": [1]}}', "a: “rules” must be a list of rule ids."),
        ('{"a": {"verdict": true}}', "a: “verdict” must be a text, a whole number or a list of names."),
        ('{"a": {"verdict": 1.5}}', "a: “verdict” must be a text, a whole number or a list of names."),
        ('{"a": {"page": null}}', "a: “page” must be a text or a whole number."),
        ("[" * 200_000, "a number is too long, or lists are nested too deeply."),
        ('{"a": {"page": ' + "9" * 5000 + "}}", "a number is too long, or lists are nested too deeply."),
    ],
    ids=lambda value: value[:30],
)
def test_bad_answers_are_refused_in_one_sentence(tmp_path: Path, capsys, text: str, error: str):
    file = tmp_path / "answers.json"
    file.write_text(text, encoding="utf-8")
    assert script.main([str(file)]) == 2
    assert capsys.readouterr().err == f"score.py: {file}: {error}\n"


def test_file_that_is_missing_or_no_text_is_refused(tmp_path: Path, capsys):
    assert script.main([str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err == f"score.py: {tmp_path / 'none.json'}: No such file or directory.\n"
    (tmp_path / "picture.json").write_bytes(b"\xff\xd8")
    assert script.main([str(tmp_path / "picture.json")]) == 2
    assert capsys.readouterr().err.endswith("picture.json: this is not text in UTF-8.\n")


def test_unknown_game_is_refused_with_the_known_ones(capsys):
    assert script.main([str(waymark_answers.ANSWERS_FILE), "--game", "hills"]) == 2
    known = ", ".join(sorted(published.GAME_KEYS))
    assert capsys.readouterr().err == f"score.py: there is no game “hills”; the games are {known}.\n"


def test_id_that_cannot_be_printed_is_escaped(tmp_path: Path):
    (tmp_path / "answers.json").write_text('{"\\ud800": {}}', encoding="utf-8")
    run = run_script(str(tmp_path / "answers.json"))
    assert run.returncode == 0 and "Unknown ids (1): \\ud800" in run.stdout


def test_answers_beside_the_question_files_are_no_game(tmp_path: Path):
    (tmp_path / "answers.json").write_text("{}", encoding="utf-8")
    with pytest.raises(script.InputError, match="there are no question files here"):
        script.read_games(tmp_path)
    (tmp_path / "hills.json").write_text(json.dumps(GAME), encoding="utf-8")
    assert script.read_games(tmp_path) == [GAME]
