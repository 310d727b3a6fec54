"""Rules that are cited, and rulings on open rules: complete, searchable and used."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from tests.support.game_names import folder_of
from tests.support.parametrize import run_all_rows
from tests.support.rule_cases import COVERED_RULES
from tests.support.rulebook_runs import shared_runs

BOXES = [game.box for game in GAMES.values()]
FOLDERS = {box.key: Path(box.components.__file__).parent for box in BOXES}
RULES = [pytest.param(box, rule, id=f"{box.key}-{rule.id}") for box in BOXES for rule in box.rules.values()]
RULINGS = [pytest.param(box, ruling, id=f"{box.key}-{ruling.id}") for box in BOXES for ruling in box.rulings]
MAX_WORDS = 20  # of a sentence; see docs/terms.md
MAX_WORDS_OF_RULEBOOK = 12  # in a row: a fact allows few other words, a sentence many
YES_NO_QUESTION = re.compile(r"(Are|Can|Do|Does|Has|Have|Is|May|Must|Should|Will)\b")
EACH_GAME = pytest.mark.parametrize("box", BOXES, ids=lambda box: box.key)


def constants(box: Box, type: type) -> dict[str, Rule | Ruling]:
    """Return the rules or rulings of a game's rules.py by the names of their constants."""
    module = importlib.import_module(f"{box.components.__package__}.rules")
    return {name: value for name, value in vars(module).items() if isinstance(value, type)}


def cited_names(box: Box) -> set[str]:
    """Return the constants of rules.py that the game's code uses as `r.NAME`."""
    names = set()
    for file in FOLDERS[box.key].rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
        names |= {node.attr for node in used if node.value.id in ("r", "rules") and file.name != "rules.py"}
    return names


def rules_file(box: Box) -> str:
    return f"{FOLDERS[box.key].name}/rules.py"


@EACH_GAME
def test_folder_of_a_game_is_named_like_its_key(box):
    folder = FOLDERS[box.key].name
    assert folder == folder_of(box.key), (
        f"The key {box.key!r} and the folder {folder!r} differ: call the folder {folder_of(box.key)!r}, "
        "or change the key in its __init__.py. Test files and data files are found by these names."
    )


@EACH_GAME
def test_rule_ids_are_unique(box):
    rules = constants(box, Rule)
    listed, defined = set(box.rules), {rule.id for rule in rules.values()}
    assert listed == defined, f"{rules_file(box)}: add {sorted(defined - listed)} to RULES, or define them."
    assert len({id(rule) for rule in rules.values()}) == len(box.rules)
    assert len({rule.text for rule in box.rules.values()}) == len(box.rules)


@run_all_rows("box, rule", RULES)
def test_rule_has_full_sentences(box, rule):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
    assert rule.text and rule.text == rule.text.strip() and rule.text.endswith(".")
    assert rule.text.lstrip("\u201c")[0].isupper()
    assert "!" not in rule.text and "  " not in rule.text
    assert rule.section and rule.book and rule.page


@run_all_rows("box, rule", RULES)
def test_related_rules_exist_and_are_different_rules(box, rule):
    assert set(rule.related) <= set(box.rules) - {rule.id}
    assert len(set(rule.related)) == len(rule.related)


@run_all_rows("box, rule", RULES)
def test_rule_cites_its_page_or_its_heading(box, rule):
    assert re.fullmatch(r"[a-z -]+ (p\. \d+|pp\. \d+\u2013\d+|“[^”]+”)", rule.citation), (
        f"{rule.citation}: `book` is what players call it, in lower case; `page` is a number, a range, or a heading."
    )


@pytest.mark.parametrize(
    "page, cite",
    [
        ("7", "rulebook p. 7"),
        ("14-15", "rulebook pp. 14\u201315"),
        ("\u201cPhotos\u201d", "rulebook \u201cPhotos\u201d"),
    ],
)
def test_citation_names_a_page_by_number_or_a_heading_in_quotes(page, cite):
    rule = Rule(id="some-rule", section="Some", text="Some text.", book="rulebook", page=page)
    assert rule.citation == cite
    assert str(Reason("no", rule, "You cannot.")) == f"You cannot. ({cite})"


@EACH_GAME
def test_every_open_rule_has_exactly_one_ruling(box):
    settled = [ruling.rule.id for ruling in box.rulings]
    opened = [rule.id for rule in box.rules.values() if rule.status == "open"]
    assert sorted(settled) == sorted(opened), (
        f'{rules_file(box)}: each rule with status="open" needs one Ruling, and no other rule has one: '
        f"{sorted(set(settled) ^ set(opened))}."
    )


@EACH_GAME
def test_ruling_ids_are_unique(box):
    unlisted = {name for name, ruling in constants(box, Ruling).items() if ruling not in box.rulings}
    assert not unlisted, f"{rules_file(box)}: add {sorted(unlisted)} to RULINGS."
    assert list(constants(box, Ruling).values()) == list(box.rulings)
    assert len({ruling.id for ruling in box.rulings}) == len(box.rulings)


@run_all_rows("box, ruling", RULINGS)
def test_ruling_has_a_question_and_its_first_option_is_the_default(box, ruling):
    assert ruling.question.endswith("?") and "!" not in ruling.question
    assert ruling.default == ruling.options[0].id
    assert len(ruling.options) >= 2
    assert len({option.id for option in ruling.options}) == len(ruling.options)
    assert all(ruling.option(option.id) is option for option in ruling.options)
    assert ruling.option("no reading of this") is None
    assert box.rules[ruling.rule.id] is ruling.rule


@run_all_rows("box, ruling", RULINGS)
def test_ruling_option_is_a_sentence(box, ruling):
    for option in ruling.options:
        assert isinstance(option, Option)
        assert option.text[0].isupper() and option.text.endswith(".") and "!" not in option.text


@EACH_GAME
def test_every_rule_has_a_test_case_or_is_checked_by_players(box):
    for file in (CHECKOUT / "tests" / "scoring" / FOLDERS[box.key].name).glob("test_*.py"):
        importlib.import_module(f"tests.scoring.{file.parent.name}.{file.stem}")
    missing = {rule.id for rule in box.rules.values() if not rule.is_checked_by_players} - COVERED_RULES[box.key]
    assert not missing, (
        f"No test case for {sorted(missing)}. List one under the id of each rule in tests/scoring/"
        f"{FOLDERS[box.key].name}/test_*.py, with `case_params` of tests/support/rule_cases.py. "
        "A rule that the app cannot check has is_checked_by_players=True."
    )


@EACH_GAME
def test_every_ruling_is_used_by_the_code(box):
    unused = set(constants(box, Ruling)) - cited_names(box)
    assert not unused, f"No code in {FOLDERS[box.key].name}/ uses {sorted(unused)}: `chosen_option(rulings, r.NAME)`."


@EACH_GAME
def test_every_move_names_the_rules_it_carries_out(box):
    for move in {move for tracked in GAMES[box.key].tracked_games for move in tracked.moves}:
        assert move.rules, (
            f"{move.__qualname__} of {box.title}: set `rules` to the rules of rules.py that it carries out."
        )
        assert all(box.rules[rule.id] is rule for rule in move.rules)
        assert inspect.getdoc(move), f"{move.__qualname__} of {box.title}: write a docstring, what the player does."


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])\s+", text)


@run_all_rows("box, rule", RULES)
def test_rule_has_short_sentences(box: Box, rule: Rule):
    assert [sentence for sentence in sentences(rule.text) if len(sentence.split()) > MAX_WORDS] == []


@run_all_rows("box, rule", RULES)
def test_rule_is_told_in_our_own_words(box: Box, rule: Rule):
    assert [run for run in shared_runs(rule.text) if len(run.split()) > MAX_WORDS_OF_RULEBOOK] == []


def test_words_of_a_rulebook_are_found():
    assert shared_runs("So the player with the most points wins.") == ["the player with the most points wins"]


@run_all_rows("box, ruling", RULINGS)
def test_ruling_has_short_sentences_and_answers_its_question(box: Box, ruling: Ruling):
    texts = [ruling.question, *(text for option in ruling.options for text in (option.text, option.consequence))]
    assert [text for text in texts for part in sentences(text) if len(part.split()) > MAX_WORDS] == []
    assert ruling.question.endswith("?")
    if YES_NO_QUESTION.match(sentences(ruling.question)[-1]):
        assert [option.text for option in ruling.options if not option.text.startswith(("Yes", "No"))] == []
