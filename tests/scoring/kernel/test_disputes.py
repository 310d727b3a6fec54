"""Disputes written from the rules, each answered by the function the pages call.

A dispute is a position, a question and the answer of the rulebook. The files are in `disputes`, one for each game: a
few whole tables by name (`tables`), and the disputes, each at one of them with the values that differ, path by path.

The question is a move (`move`: is it legal?), the score of a position (`points` in a category, or the `totals` and
`winners`) or words for the rule search (`words`). `finds` are rules of which the search must find one by the player's
own words, `asks`. `page` are texts that the page with the answer shows (tests/companion/web/test_judge_pages.py).
"""

import functools
import json
from copy import deepcopy
from typing import Any

import pytest

from companion.service.rule_search import rule_index
from companion.system.paths import CHECKOUT
from scoring.document import score_sheet
from scoring.games import GAMES
from scoring.kernel.legality import explain
from scoring.kernel.sheet import Sheet
from tests.support.parametrize import run_all_rows

FOLDER = CHECKOUT / "tests" / "disputes"
GAME_KEYS = [key for key, game in GAMES.items() if game.tracked and not game.tracked.is_score_entry]
MIN_DISPUTES = 25  # For each game, or one for each rule if it has fewer rules.


def dispute_params() -> list:
    return [
        pytest.param(key, dispute, id=f"{key}-{dispute['name'].replace(' ', '-')}")
        for key in GAME_KEYS
        for dispute in read_disputes(key)["disputes"]
    ]


@functools.cache
def read_disputes(key: str) -> dict:
    file = FOLDER / f"{key}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"tables": {}, "disputes": []}


def disputed_state(key: str, dispute: dict) -> Any:
    """Return the state of a dispute: its table with its changes, after the moves played."""
    tracked = GAMES[key].tracked
    table = deepcopy(read_disputes(key)["tables"][dispute["at"]])
    for path, value in dispute.get("but", {}).items():
        set_value(table, path.split("."), deepcopy(value))
    state = tracked.position_format.from_data(table)
    for move in dispute.get("played", []):
        state = tracked.play(state, dispute["seat"], tracked.decode(move))
    return state


def disputed_sheet(key: str, dispute: dict) -> Sheet:
    """Return the score sheet of a dispute, of its position or of a document."""
    if "final" in dispute:
        return score_sheet(dispute["final"])
    tracked = GAMES[key].tracked
    view = tracked.view(disputed_state(key, dispute), dispute.get("seat", 0))
    return tracked.box.score(tracked.final_position(view))


def set_value(table: Any, path: list[str], value: Any) -> None:
    *places, last = path
    for place in places:
        table = table[int(place)] if isinstance(table, list) else table.setdefault(place, {})
    if isinstance(table, list):
        table[int(last)] = value
    elif value is None:
        table.pop(last, None)
    else:
        table[last] = value


def get_value(table: Any, path: list[str]) -> Any:
    for place in path:
        table = table[int(place)] if isinstance(table, list | tuple) else table.get(place)
    return table


@run_all_rows(("key", "dispute"), dispute_params())
def test_answer_to_a_dispute_matches_the_rulebook(key: str, dispute: dict):
    tracked, seat = GAMES[key].tracked, dispute.get("seat", 0)
    if "words" in dispute:  # Answered by a rule that the search must find.
        found = rule_index(key).search(dispute["words"], 3)
        assert any(
            rule.id in dispute["rules"] and (rule.status == "open") == dispute.get("silent", False) for rule in found
        )
        return
    if "points" in dispute:
        categories = dispute["category"] if isinstance(dispute["category"], list) else [dispute["category"]]
        column = disputed_sheet(key, dispute).columns[seat]
        assert column.points_in(*categories) == dispute["points"]
        cited = {rule.id for line in column.lines if line.category in categories for rule in line.rules}
    elif "winners" in dispute:
        sheet = disputed_sheet(key, dispute)
        assert [column.total for column in sheet.columns] == dispute["totals"]
        assert list(sheet.winners) == dispute["winners"], sheet.result_text
        cited = {tie_break.rule.id for tie_break in sheet.tie_breaks}
    else:
        state = disputed_state(key, dispute)
        answer = explain(tracked, tracked.view(state, seat), seat, tracked.decode(dispute["move"]))
        assert answer.legality == dispute["verdict"], (answer.legality, [str(reason) for reason in answer.reasons])
        cited = {rule.id for rule in answer.rules}
        if first := dispute.get("first"):
            assert list(first) in [list(labels) for labels in answer.way_labels]
        if expected := dispute.get("then"):
            after = tracked.position_format.to_data(tracked.play(state, seat, tracked.decode(dispute["move"])))
            assert json.loads(json.dumps({path: get_value(after, path.split(".")) for path in expected})) == expected
    assert set(dispute["rules"]) <= cited, cited


@run_all_rows(("key", "dispute"), [param for param in dispute_params() if "finds" in param.values[1]])
def test_words_of_a_dispute_find_its_rule_among_the_first_three(key: str, dispute: dict):
    found = [rule.id for rule in rule_index(key).search(dispute["asks"], 3)]
    assert set(found) & set(dispute["finds"]), found


@run_all_rows("key", GAME_KEYS)
def test_every_game_has_enough_disputes(key: str):
    names = [dispute["name"] for dispute in read_disputes(key)["disputes"]]
    enough = min(MIN_DISPUTES, len(GAMES[key].box.rules))
    assert len(names) >= enough, (
        f"{len(names)} disputes; {enough} are needed. Write them in tests/disputes/{key}.json, from the rulebook, "
        "as in tests/disputes/trails.json."
    )
    assert len(set(names)) == len(names), "Two disputes have the same name."
