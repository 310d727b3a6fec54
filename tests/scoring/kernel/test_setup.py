"""Setup checks that all games share: names and rulings, each refusal with its rule."""

from scoring.kernel.rule import Option, Rule, Ruling
from scoring.kernel.setup import check_names, check_rulings
from tests.support.parametrize import run_all_rows

PLAYERS = Rule("players", "The game", "Two or three people play.", "rulebook", "2")
OPEN = Rule("open", "The game", "Nobody knows.", "rulebook", "3", "open")
RULING = Ruling(
    "order", "Who goes first?", (Option("oldest", "The oldest."), Option("youngest", "The youngest.")), OPEN
)

NAMES = [
    (["Ana", "Bo"], []),
    (["Ana", "Bo", "Cy"], []),
    (["Ana"], ["HIKES is for 2 to 3 players, not 1."]),
    (["Ana", "Bo", "Cy", "Di"], ["HIKES is for 2 to 3 players, not 4."]),
    (["Ana", "ana"], ["Two players are called Ana. Add an initial."]),
    (["Ana ", "Bo"], ["A name cannot start or end with a space."]),
    (["", "Bo"], ["A name has 1 to 40 characters, but this one has 0."]),
]
RULINGS = [
    ({}, []),
    ({"order": "oldest"}, []),
    ({"order": "tallest"}, ["\u201ctallest\u201d is not an option of this question: Who goes first?"]),
    ({"end": "oldest"}, ["There is no rules question \u201cend\u201d; there are order."]),
]


@run_all_rows("names, sentences", NAMES)
def test_names_are_valid_or_refused_by_the_rule_on_players(names, sentences):
    reasons = list(check_names(names, "HIKES", (2, 3), PLAYERS))
    assert [reason.text for reason in reasons] == sentences
    assert all(reason.rule is PLAYERS for reason in reasons)


@run_all_rows("chosen, sentences", RULINGS)
def test_rulings_are_valid_options_or_refused_by_the_open_rule(chosen, sentences):
    reasons = list(check_rulings(chosen, (RULING,)))
    assert [reason.text for reason in reasons] == sentences
    assert all(reason.rule is OPEN for reason in reasons)
