"""Disputes as tables have them, made from the rule texts, each answered by what the pages ask.

A dispute is the table as it lies, a question, and what the book says. The files are in `disputes`, one for each game: a few
whole tables by name (`tables`), and the disputes, each at one of them with what lies otherwise there, place by place.
"""

import functools
import json
from copy import deepcopy
from typing import Any

import pytest

from companion.service.rule_search import finder
from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from scoring.kernel.legality import may
from tests.support.cases import every_row

FOLDER = CHECKOUT / "tests" / "disputes"
KEYS = [key for key, game in GAMES.items() if game.play and not game.play.counting]
AT_LEAST = 25  # for each game


def disputes() -> list:
    return [
        pytest.param(key, dispute, id=f"{key}-{dispute['name'].replace(' ', '-')}")
        for key in KEYS
        for dispute in read(key)["disputes"]
    ]


@functools.cache
def read(key: str) -> dict:
    return json.loads((FOLDER / f"{key}.json").read_text(encoding="utf-8"))


def lies(key: str, dispute: dict) -> Any:
    """Return the state of a dispute: a table as it lies, with what lies otherwise there."""
    table = deepcopy(read(key)["tables"][dispute["at"]])
    for place, value in dispute.get("but", {}).items():
        put(table, place.split("."), deepcopy(value))
    return GAMES[key].play.lying.read(table)


def put(table: Any, path: list[str], value: Any) -> None:
    *places, last = path
    for place in places:
        table = table[int(place)] if isinstance(table, list) else table.setdefault(place, {})
    if isinstance(table, list):
        table[int(last)] = value
    elif value is None:
        table.pop(last, None)
    else:
        table[last] = value


def get(table: Any, path: list[str]) -> Any:
    for place in path:
        table = table[int(place)] if isinstance(table, list | tuple) else table.get(place)
    return table


@every_row(("key", "dispute"), disputes())
def test_the_judge_says_what_the_book_says(key: str, dispute: dict):
    play, seat = GAMES[key].play, dispute.get("seat", 0)
    if "words" in dispute:  # on which the book is silent, or speaks: it is found
        found = finder(key).find(dispute["words"], 3)
        assert any(
            rule.id in dispute["rules"] and (rule.status == "open") == dispute.get("silent", False) for rule in found
        )
        return
    state = lies(key, dispute)
    if "points" in dispute:
        column = play.box.score(play.final(play.view(state, seat))).columns[seat]
        lines = [line for line in column.lines if line.category == dispute["category"]]
        cited = {rule.id for line in lines for rule in line.rules}
        assert sum(line.points for line in lines) == dispute["points"]
    else:
        answer = may(play, play.view(state, seat), seat, play.decode(dispute["move"]))
        assert answer.yes == dispute["verdict"], (answer.yes, [str(reason) for reason in answer.reasons])
        cited = {rule.id for rule in answer.rules}
        if first := dispute.get("first"):
            assert list(first) in [list(way) for way in answer.words]
        if then := dispute.get("then"):
            after = play.lying.plain(play.play(state, seat, play.decode(dispute["move"])))
            assert json.loads(json.dumps({place: get(after, place.split(".")) for place in then})) == then
    assert set(dispute["rules"]) <= cited, cited


@every_row("key", KEYS)
def test_there_are_enough_for_every_game(key: str):
    names = [dispute["name"] for dispute in read(key)["disputes"]]
    assert len(set(names)) == len(names) >= AT_LEAST
