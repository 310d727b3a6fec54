"""Tests of the command line: results, and one-line errors with status 2."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.rendering import pdf
from scoring.games import GAMES
from tests.support import pdf_content
from tests.support.command import has_failed_with
from tests.support.parametrize import parametrize_cases

SCORE_DOCUMENT = {
    "game": "trails",
    "players": [
        {"name": "Ana", "badges": ["climber-rock", "science"], "photos": [{"points": 2}, {"birds": 2}]},
        {"name": "B\u00f6 \U0001f43b", "badges": ["observer-leaf"]},
    ],
}


def test_score_is_printed_line_by_line(run_waymark, write_file):
    result = run_waymark("score", write_file(SCORE_DOCUMENT))
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert [line.partition(" (rulebook p. ")[0] for line in lines] == [
        "Ana wins with 15 points.",
        "",
        "1. Ana: 15",
        "    6  Climber (rock). 6 points printed on the badge.",
        "    3  Science. 3 points printed on the badge.",
        "    2  2 photos. 2 + 0.",
        "    4  Bird Trophy. 2 birds, the most.",
        "",
        "2. B\u00f6 \U0001f43b: 2",
        "    2  Observer (leaf). 2 points printed on the badge. Another player has more birds.",
        "    0  Bird Trophy. 1 bird. Another player has more.",
    ]
    assert [line.endswith(")") for line in lines] == [line.startswith("  ") for line in lines]


def test_score_as_json_equals_score_document(run_waymark, write_file):
    from scoring import score_document

    assert json.loads(run_waymark("score", "--json", write_file(SCORE_DOCUMENT)).out) == score_document(SCORE_DOCUMENT)


def test_score_lists_players_by_rank_as_text_and_by_seat_as_json(run_waymark, write_file):
    players = [
        {"name": "Ana", "badges": ["science"]},
        {"name": "Bo"},
        {"name": "Cy", "badges": ["climber-rock"]},
        {"name": "Di", "badges": ["science"]},
    ]
    file = write_file({"game": "trails", "players": players})
    lines = run_waymark("score", file).out.splitlines()
    assert [line for line in lines if re.match(r"\d\. ", line)] == ["1. Cy: 6", "2. Ana: 3", "2. Di: 3", "4. Bo: 0"]
    result = json.loads(run_waymark("score", file, "--json").out)
    assert [player["name"] for player in result["players"]] == ["Ana", "Bo", "Cy", "Di"]
    assert result["verdict"] == lines[0] == "Cy wins with 6 points."


def test_score_names_house_rules(run_waymark, write_file):
    result = run_waymark("score", write_file({**SCORE_DOCUMENT, "rulings": {"zero-birds": "everyone"}}))
    assert "House rule: " in result.out


def test_score_is_read_from_standard_input(run_waymark, write_file, monkeypatch: pytest.MonkeyPatch):
    expected = run_waymark("score", write_file(SCORE_DOCUMENT)).out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SCORE_DOCUMENT).encode())))
    assert run_waymark("score", "-").out == expected


BAD_FILES = {
    "not JSON": (b'{"game": "trails",\n "players": oops}', "not JSON at line 2, column 13: "),
    "empty": (b"\n", "is empty."),
    "binary": (b"\x89PNG\r\n\xff\xfe", "not a text file in UTF-8"),
    "half a letter": (b'"\xc3"', "not a text file in UTF-8"),
    "a list": ([], "expected one JSON object"),
    "nothing": (None, "expected one JSON object"),
    "no game": ({}, "game: which game? there are trails"),
    "unknown game": ({"game": "trials"}, 'game: no game "trials"; did you mean "trails"?'),
    "a number for a game": ({"game": 7}, "game: no game"),
    "no players": ({"game": "trails"}, "players: a list of players is needed"),
    "one player": ({"game": "trails", "players": [{"name": "Ana"}]}, "players: this game has 2 to 4 players, not 1"),
    "a wrong badge": (
        {"game": "trails", "players": [{"name": "Ana", "badges": ["climber-rok"]}, {"name": "Bo"}]},
        'players[0].badges[0]: no badge "climber-rok"; did you mean "climber-rock"?',
    ),
    "half a letter in a name": (
        b'{"game": "trails", "players": [{"name": "\\ud800"}, {"name": "Bo"}]}',
        "players[0].name: ",
    ),
    "a huge number": (b'{"game": ' + b"1" * 5000 + b"}", "a number in it has too many digits"),
    "nested": (b"[" * 100_000, "nested too deeply"),
    "not a number": (b'{"game": "trails", "players": NaN}', "players: "),
}


@pytest.mark.parametrize(("content", "message"), BAD_FILES.values(), ids=list(BAD_FILES))
@pytest.mark.parametrize("command", ["score", "score --json", "print -o out.pdf"])
def test_file_that_cannot_be_scored_is_reported_in_one_line(
    run_waymark, write_file, command: str, content: object, message: str
):
    assert has_failed_with(run_waymark(*command.split(), write_file(content)), message)


@pytest.mark.parametrize("command", ["score", "print -o out.pdf", "replay"])
def test_missing_file_or_folder_is_reported_in_one_line(run_waymark, tmp_path: Path, command: str):
    assert has_failed_with(run_waymark(*command.split(), tmp_path / "gone.json"), "No such file or directory")
    assert has_failed_with(run_waymark(*command.split(), tmp_path), "Is a directory")


def test_binary_standard_input_is_reported_in_one_line(run_waymark, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))
    assert has_failed_with(run_waymark("score", "-"), "-: this is a text file in UTF-16, not a text file in UTF-8")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_score_on_a_terminal_with_limited_encoding_is_printed(
    write_file, monkeypatch: pytest.MonkeyPatch, encoding: str
):
    for arguments in (["score"], ["score", "--json"]):
        terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
        monkeypatch.setattr(sys, "stdout", terminal)
        assert main([*arguments, str(write_file(SCORE_DOCUMENT))]) == 0
        monkeypatch.undo()
        assert b"Ana" in terminal.buffer.getvalue()
    assert json.loads(terminal.buffer.getvalue())["players"][1]["name"] == SCORE_DOCUMENT["players"][1]["name"]


@pytest.mark.slow("prints PDFs")
@parametrize_cases("paper", ["a4", "letter"])
def test_sheet_and_pad_are_printed_on_one_page(run_waymark, write_file, tmp_path: Path, paper: str):
    for command in (["print", write_file(SCORE_DOCUMENT)], ["pad", "trails"]):
        output = tmp_path / f"{command[0]}.pdf"
        result = run_waymark(*command, "--paper", paper, "-o", output)
        assert (result.status, result.out) == (0, f"Saved {output}.\n")
        assert output.read_bytes().startswith(b"%PDF-") and pdf_content.page_count(output.read_bytes()) == 1


@pytest.mark.slow("prints PDFs")
@pytest.mark.parametrize(("letter", "hint"), [("a", ""), ("\ue000", "Waymark prints ? for a letter without a font")])
def test_letter_without_a_font_is_reported_when_the_sheet_is_written(
    run_waymark, write_file, tmp_path: Path, letter: str, hint: str
):
    output, document = tmp_path / "sheet.pdf", {"game": "trails", "players": [{"name": "An" + letter}, {"name": "Bo"}]}
    result = run_waymark("print", write_file(document), "-o", output)
    assert (result.status, result.out) == (0, f"Saved {output}.\n")
    assert result.err.startswith(hint) and result.err.count("\n") == bool(hint)
    assert pdf_content.page_count(output.read_bytes()) == 1


@pytest.mark.slow("prints PDFs")
@pytest.mark.parametrize(("form", "pages"), [(["--pages", "2"], 2), (["--half"], 1)])
def test_sheet_is_printed_on_two_pages_or_half_a_page(run_waymark, write_file, tmp_path: Path, form, pages: int):
    output = tmp_path / "sheet.pdf"
    assert run_waymark("print", write_file(SCORE_DOCUMENT), *form, "-o", output).status == 0
    assert pdf_content.page_count(output.read_bytes()) == pages
    assert has_failed_with(
        run_waymark("print", write_file(SCORE_DOCUMENT), "--pages", "2", "--half", "-o", output), "cannot be combined"
    )
    assert has_failed_with(
        run_waymark("print", write_file(SCORE_DOCUMENT), "--pages", "3", "-o", output), "'3' is not one of '1', '2'"
    )


def test_pad_of_an_unknown_game_names_the_games(run_waymark, tmp_path: Path):
    assert has_failed_with(run_waymark("pad", "chess", "-o", tmp_path / "x.pdf"), 'no game "chess"; there are trails')
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.slow("prints PDFs")
@parametrize_cases("command", ["print", "pad"])
def test_output_that_cannot_be_written_is_reported_in_one_line(run_waymark, write_file, tmp_path: Path, command: str):
    source = {"print": write_file(SCORE_DOCUMENT), "pad": "trails"}[command]
    assert has_failed_with(run_waymark(command, source, "-o", tmp_path), "Is a directory")
    assert has_failed_with(run_waymark(command, source, "-o", tmp_path / "no" / "x.pdf"), "No such file or directory")


def test_printing_without_weasyprint_is_reported_in_one_line(run_waymark, write_file, tmp_path: Path, no_weasyprint):
    for command in (["print", write_file(SCORE_DOCUMENT)], ["pad", "trails"]):
        assert has_failed_with(run_waymark(*command, "-o", tmp_path / "x.pdf"), "PDFs need WeasyPrint and Pango")


@pytest.fixture
def no_weasyprint(monkeypatch: pytest.MonkeyPatch):
    """Simulate a computer on which WeasyPrint is not installed."""
    for cached in (pdf._load_weasyprint, pdf._stylesheet):
        cached.cache_clear()
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    yield
    pdf._load_weasyprint.cache_clear()


# The command itself.


MISTYPED_COMMANDS = {
    "dance": "waymark: No such command 'dance'. (see \"waymark --help\")",
    "exprot": "No such command 'exprot'. (Did you mean one of: 'expire', 'export'?)",
    "--versoin": "No such option '--versoin'. Did you mean '--version'?",
    "score": "waymark score: Missing argument 'FILE'. (see \"waymark score --help\")",
    "print x.json": "Missing option '-o' / '--output'.",
    "pad -o x": f"waymark pad: Missing argument '{{{'|'.join(GAMES)}}}'",
    "pad trails -o x --paper a5": "Invalid value for '--paper': 'a5' is not one of 'a4', 'letter'.",
    "pad trials -o x": 'waymark pad: no game "trials"; did you mean "trails"?',
    "history --limits 3 --jsom": "waymark history: No such option '--limits'. Did you mean '--limit'?",
    "expire --older-then 30": "waymark expire: No such option '--older-then'. Did you mean '--older-than'?",
    "expire --older-then=30": "No such option '--older-then'. Did you mean '--older-than'?",
    "score -x game.json": "No such option '-x'.",
    "completion fsh": "'fsh' is not one of 'bash', 'zsh', 'fish'.",
    "decide BCDFG HJKLM": "waymark decide: Got unexpected extra argument (HJKLM)",
}


@pytest.mark.parametrize("command", MISTYPED_COMMANDS)
def test_mistyped_command_is_refused_with_a_suggestion(run_waymark, command: str):
    assert has_failed_with(run_waymark(*command.split()), MISTYPED_COMMANDS[command])


@pytest.mark.parametrize(
    "arguments", [["--", "--canteen"], ["what is --json for a canteen"], ["--game=trails", "canteen"]]
)
def test_argument_that_looks_like_an_option_is_accepted(run_waymark, arguments: list[str]):
    assert run_waymark("rules", *arguments).status == 0


def test_negative_limit_is_refused(run_waymark):
    assert has_failed_with(run_waymark("history", "--limit", "-3"), "'--limit': -3 is not in the range 0 to 999999")


def test_command_without_arguments_prints_a_short_usage(run_waymark):
    result = run_waymark()
    assert (result.status, result.out) == (2, "") and result.err.startswith("usage: waymark COMMAND")
    assert "waymark serve  " in result.err and "waymark --help  " in result.err and result.err.count("\n") < 10


@pytest.mark.slow("separate processes")
def test_command_runs_as_a_process(tmp_path: Path):
    run = subprocess.run(
        [sys.executable, "-m", "companion", "score", "-"],
        input=json.dumps(SCORE_DOCUMENT),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (run.returncode, run.stderr) == (0, "") and run.stdout.startswith("Ana wins with 15 points.")
    run = subprocess.run([sys.executable, "-m", "companion", "score", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 2 and "Traceback" not in run.stderr
