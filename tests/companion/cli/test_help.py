"""Tests of the command line's help, rule search and shell completion."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from companion.cli.main import EXIT_STATUS, SECTIONS, USAGE, waymark
from companion.cli.scores import SAMPLE
from companion.system.paths import INSTANCE_VARIABLE
from scoring import score_document
from scoring.games import GAMES
from tests.support.command import help_text, parse_command
from tests.support.parametrize import run_all_rows

NAMES = list(waymark.commands)


def words(text: str) -> str:
    """Return a text in one line, to find a sentence wherever it is wrapped."""
    return " ".join(text.split())


def test_every_command_is_in_one_section_of_the_help():
    assert sorted(command.name for commands in SECTIONS.values() for command in commands) == sorted(NAMES)
    lines = help_text().splitlines()
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in NAMES)


@run_all_rows("name", NAMES)
def test_examples_of_a_command_can_be_parsed(name: str):
    examples = re.findall("(?m)^ +(waymark .*)$", help_text(waymark.commands[name]).partition("Example")[2])
    assert any(line.split()[1] == name for line in examples)
    for line in examples:
        for part in line.split("; "):
            arguments = shlex.split(part.partition(" > ")[0].partition(" < ")[0])
            assert arguments[0] == "waymark" and parse_command(*arguments[1:])


def test_likely_commands_exist():
    expected = [line.split()[1] for line in USAGE.splitlines() if line.startswith("  waymark")]
    assert set(expected) - {"--help"} < set(NAMES) and "--help" in expected


OPTIONAL = ("names", "game", "target")  # without them, nothing is added or left out


def test_every_argument_and_option_has_help_with_its_default():
    for name, command in waymark.commands.items():
        options = f" {words(help_text(command).partition('Options:')[2])} --"
        assert all(param.help for param in command.params), name
        for param in command.params:
            if isinstance(param, click.Option) and not (param.is_flag or param.required or param.name in OPTIONAL):
                assert "[default: " in options.partition(f" {param.opts[0]} ")[2].partition(" --")[0], (name, param)


def test_sample_file_in_the_help_can_be_scored():
    sample = json.loads(SAMPLE.partition(":\n")[2])
    assert [item["name"] for item in score_document(sample)["players"]] == ["Ana", "Bo"]
    for name in ("score", "print"):
        assert SAMPLE.splitlines()[2] in help_text(waymark.commands[name])


def test_help_names_the_folder_of_the_tables(tmp_path: Path):
    folder = tmp_path / "100 % mine"
    for arguments, place in ([], folder / "waymark.sqlite3"), (["serve"], folder):
        run = subprocess.run(
            [sys.executable, "-m", "companion", *arguments, "--help"],
            capture_output=True,
            text=True,
            env={**os.environ, INSTANCE_VARIABLE: str(folder)},
        )
        assert "".join(str(place).split()) in "".join(run.stdout.split()), run.stderr
    assert INSTANCE_VARIABLE in help_text()


def test_help_and_usage_load_no_rules_and_no_heavy_library():
    heavy = {"scoring", "msgspec", "sqlite_utils", "flask", "numpy", "rapidfuzz", "weasyprint", "uvicorn"}
    ask = "import sys; from companion.cli.main import main; main([]); main(['--help']); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert "click" in run.stdout.split() and heavy & set(run.stdout.split()) == set()


@pytest.mark.parametrize("columns", [50, 80, 200])
@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("name", ["", *NAMES])
def test_help_fits_the_terminal_and_only_the_first_has_the_exit_status(
    name: str, option: str, columns: int, monkeypatch, run_waymark
):
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run_waymark(*filter(None, [name]), option)
    assert (result.status, result.err) == (0, "") and "Show this help." in result.out
    assert (words(EXIT_STATUS) in words(result.out)) is (not name)
    before_examples = re.sub(r"(?ms)^  (Examples?|Example of a file):.*?^$", "", result.out).splitlines()
    too_long = [line for line in before_examples if len(line) > columns]
    assert [line for line in too_long if len(line.split()) > 2] == []  # An option with the path of a checkout stays.


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
    monkeypatch.setattr("companion.cli.scores.is_terminal", lambda stream: True)
    read = run_waymark("rules", "--game", "trails", "canteen").out
    assert max(map(len, read.splitlines())) <= 48 < max(map(len, plain.splitlines()))
    assert read.split() == plain.split() and read.count("\n\n") == plain.count("\n")


def test_positional_words_are_accepted_before_and_after_options(run_waymark):
    assert (
        run_waymark("rules", "tie", "--game", "trails", "break").out
        == run_waymark("rules", "tie", "break", "--game", "trails").out
    )
    options = ["--instance", "there"]
    assert parse_command("import", "one.json", *options, "two.json").params["files"] == ("one.json", "two.json")
    assert parse_command("import", "one.json", *options, "--", "-two").params["files"] == ("one.json", "-two")


def test_all_rules_of_a_game_are_listed(run_waymark):
    assert len(run_waymark("rules", "--game", "parks").out.splitlines()) == len(GAMES["parks"].box.rules)


def test_rules_search_without_a_result_reports_none(run_waymark):
    result = run_waymark("rules", "xyzzy")
    assert (result.status, result.out) == (1, "No rule found. Try fewer or different words.\n")
    assert run_waymark("rules").status == 2 and "no question" in run_waymark("rules").err
    assert 'no game "chess"; there are trails' in run_waymark("rules", "x", "--game", "chess").err


# The option with which each shell only parses a script.
SHELLS = {"bash": "-n", "zsh": "-n", "fish": "--no-execute"}


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_script_is_valid_and_asks_this_program(run_waymark, tmp_path: Path, shell: str):
    result, script = run_waymark("completion", shell), tmp_path / "script"
    script.write_text(result.out)
    assert result.status == 0 and f"_WAYMARK_COMPLETE={shell}_complete" in result.out
    if program := shutil.which(shell):
        subprocess.run([program, SHELLS[shell], script], check=True)


COMPLETED = {
    "hi": {"history"},
    "expire --o": {"--older-than"},
    "pad trails --paper l": {"letter"},
    "pad tr": {"trails"},
    "rules --game o": {"on-the-trail"},
    "schema trails po": {"position"},
    "completion f": {"fish"},
    "score ga": {"file"},
    "score --json game.": {"file"},
    "print game.json --output game.": {"file"},
    "history --instance ga": {"dir"},
}


@run_all_rows("typed, expected", COMPLETED.items())
def test_commands_options_choices_and_files_are_completed(typed: str, expected: set[str]):
    *arguments, incomplete = typed.split()
    found = ShellComplete(waymark, {}, "waymark", "").get_completions(arguments, incomplete)
    assert {item.value if item.type == "plain" else item.type for item in found} == expected


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_a_command_by_asking_the_program(run_waymark, tmp_path: Path):
    (tmp_path / "waymark.bash").write_text(run_waymark("completion", "bash").out)
    (tmp_path / "waymark").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m companion "$@"\n')
    (tmp_path / "waymark").chmod(0o755)
    ask = """source "$1"; COMP_WORDS=("$2" hi); COMP_CWORD=1; _waymark_completion "$2"; echo "${COMPREPLY[@]}" """
    program = tmp_path / "waymark"
    run = subprocess.run(["bash", "-c", ask, "bash", f"{program}.bash", program], capture_output=True, text=True)
    assert run.stdout == "history\n", run.stderr
