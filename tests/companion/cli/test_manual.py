"""Tests of the command line's help, rule search and shell completion."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.main import COMMAND_SUMMARIES, _build_parser
from companion.cli.manual import EXAMPLES, FILES, GROUPS, LIKELY, READS, SAMPLE, SAYS, STATUS
from companion.system.paths import INSTANCE_VARIABLE
from scoring import score_document
from scoring.games import GAMES
from tests.support.parametrize import run_all_rows


def test_every_command_has_one_group_a_summary_and_examples():
    grouped = [name for names in GROUPS.values() for name in names]
    assert (
        sorted(grouped)
        == sorted(COMMAND_SUMMARIES)
        == sorted(SAYS)
        == sorted(EXAMPLES)
        == sorted(_build_parser().commands)
    )


@run_all_rows("name", COMMAND_SUMMARIES)
def test_examples_of_a_command_can_be_parsed(name: str):
    for line in EXAMPLES[name]:
        for part in line.split("; "):
            arguments = shlex.split(part.partition(" > ")[0].partition(" < ")[0])
            assert arguments[0] == "waymark" and _build_parser().parse_args(arguments[1:]).run is not None


def test_likely_commands_exist():
    expected = [line.split()[1] for line in LIKELY]
    assert set(expected) - {"--help"} < set(COMMAND_SUMMARIES) and "--help" in expected


def test_every_option_has_help_with_its_default():
    for name, command in _build_parser().commands.items():
        assert all(action.help for action in command._actions), name
        for action in command._actions:
            if action.option_strings and action.nargs != 0 and not action.required:
                assert "(" in action.help, f"{name} {action.option_strings[-1]}"


def test_sample_file_in_the_help_can_be_scored(run_waymark, write_file):
    assert [item["name"] for item in score_document(json.loads(SAMPLE))["players"]] == ["Ana", "Bo"]
    for name in READS:
        assert SAMPLE.splitlines()[0] in _build_parser().commands[name].format_help()


def test_help_names_the_folder_of_the_tables(monkeypatch, tmp_path: Path):
    monkeypatch.setenv(INSTANCE_VARIABLE, str(tmp_path / "100 % mine"))
    text = " ".join(_build_parser().format_help().split())
    assert (
        f"{tmp_path}/100 % mine/waymark.sqlite3" in text and INSTANCE_VARIABLE in text and FILES.split(",")[0] in text
    )
    assert "100 % mine" in " ".join(_build_parser().commands["serve"].format_help().split())


def test_help_and_usage_load_no_rules_and_no_heavy_library():
    heavy = {"scoring", "msgspec", "sqlite_utils", "flask", "numpy", "rapidfuzz", "shtab", "weasyprint", "uvicorn"}
    ask = (
        "import sys; from companion.cli.main import main, _build_parser; "
        "main([]); _build_parser().format_help(); print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert "argparse" in run.stdout.split() and heavy & set(run.stdout.split()) == set()


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("name", ["", *COMMAND_SUMMARIES])
def test_help_fits_the_terminal_and_explains_the_exit_status(name: str, columns: int, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit) as stop:
        _build_parser().parse_args([*([name] if name else []), "--help"])
    output = capsys.readouterr().out
    before_examples = output.partition("Examples:")[0].splitlines()
    assert stop.value.code == 0 and " ".join(STATUS.split()) in " ".join(output.split())
    too_long = [line for line in before_examples if len(line) > max(columns, 48)]
    assert [line for line in too_long if len(line.split()) > 1] == []  # The path of a checkout cannot be wrapped.


def test_rules_are_found_by_a_question(run_waymark):
    result = run_waymark("rules", "may", "I", "use", "the", "water", "botle", "--game", "trails")
    assert result.status == 0 and "canteen" in result.out.lower() and "rulebook p." in result.out
    assert 1 <= len(result.out.splitlines()) <= 3


def test_rules_as_json_cover_all_games_by_default(run_waymark):
    found = json.loads(run_waymark("rules", "tie break", "--json").out)
    assert {item["game"] for item in found} > {"trails", "parks"}
    for item in found:
        rule = GAMES[item["game"]].box.rules[item["id"]]
        assert (rule.text, rule.book, rule.page, rule.citation) == (
            item["text"],
            item["book"],
            item["page"],
            item["cite"],
        )


def test_rules_on_a_terminal_are_wrapped_in_paragraphs(run_waymark, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    plain = run_waymark("rules", "--game", "trails", "canteen").out
    monkeypatch.setattr("companion.cli.main._is_terminal", lambda: True)
    read = run_waymark("rules", "--game", "trails", "canteen").out
    assert max(map(len, read.splitlines())) <= 48 < max(map(len, plain.splitlines()))
    assert read.split() == plain.split() and read.count("\n\n") == plain.count("\n")


def test_positional_words_are_accepted_before_and_after_options(run_waymark):
    assert (
        run_waymark("rules", "tie", "--game", "trails", "break").out
        == run_waymark("rules", "tie", "break", "--game", "trails").out
    )
    options = _build_parser().parse_args(["import", "one.json", "--instance", "there", "two.json"])
    assert options.files == ["one.json", "two.json"]
    assert _build_parser().parse_args(["import", "one.json", "--instance", "there", "--", "-two"]).files == [
        "one.json",
        "-two",
    ]


def test_all_rules_of_a_game_are_listed(run_waymark):
    assert len(run_waymark("rules", "--game", "parks").out.splitlines()) == len(GAMES["parks"].box.rules)


def test_rules_search_without_a_result_reports_none(run_waymark):
    result = run_waymark("rules", "xyzzy")
    assert (result.status, result.out) == (1, "No rule is about that. Fewer words, or others, may find one.\n")
    assert run_waymark("rules").status == 2 and "type a question" in run_waymark("rules").err
    assert 'no game "chess"; there are trails' in run_waymark("rules", "x", "--game", "chess").err


# The option with which each shell only parses a script.
SHELLS = {"bash": "-n", "zsh": "-n", "fish": "--no-execute", "tcsh": "-n"}


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_script_contains_all_commands(run_waymark, tmp_path: Path, shell: str):
    script = tmp_path / "script"
    script.write_text(run_waymark("completion", shell).out)
    assert all(name in script.read_text() for name in (*COMMAND_SUMMARIES, "older-than", "letter", *GAMES))
    if program := shutil.which(shell):
        subprocess.run([program, SHELLS[shell], script], check=True)


COMPLETED = {
    "hi": {"history"},
    "expire --o": {"--older-than"},
    "pad trails --paper l": {"letter"},
    "pad tr": {"trails"},
    "rules --game o": {"on-the-trail"},
    "completion f": {"fish"},
    "score ga": {"game.json", "games"},
    "score --json game.": {"game.json"},
    "print game.json --output game.": {"game.json"},
    "history --instance ga": {"games"},
}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_options_choices_and_files(run_waymark, tmp_path: Path):
    (tmp_path / "game.json").touch()
    (tmp_path / "games").mkdir()
    (tmp_path / "waymark.bash").write_text(run_waymark("completion", "bash").out)
    ask = """source waymark.bash
             for typed in "$@"; do
               COMP_WORDS=(waymark $typed); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); COMPREPLY=(); _shtab_waymark
               echo "${COMPREPLY[@]}"
             done"""
    run = subprocess.run(
        ["bash", "-c", ask, "bash", *COMPLETED], capture_output=True, text=True, cwd=tmp_path, env=os.environ
    )
    assert dict(zip(COMPLETED, (set(line.split()) for line in run.stdout.splitlines()), strict=True)) == COMPLETED, (
        run.stderr
    )
