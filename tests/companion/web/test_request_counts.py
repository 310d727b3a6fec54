"""Each request loads the table, reads a move, replays the log and counts the score once."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from msgspec import json

from companion.log.plans import RepairPlan, Truncate
from companion.log.preview import compare
from companion.log.replay import replay, replay_rewrite
from companion.storage.store import Store
from scoring.games import TRACKED_GAMES
from scoring.kernel.tracked_game import TrackedGame
from scoring.trails.moves.hiking import Hike, Skip
from tests.support.log_builder import leaf_edit
from tests.support.phones import SeatedTable, open_seated_table

TRAILS = TRACKED_GAMES["trails"]
COUNTED: dict[str, tuple[Callable, ...]] = {
    "loads": (Store.table,),
    "decodes": (TrackedGame.decode,),
    "replays": (replay, replay_rewrite),
    "comparisons": (compare,),
    "scores": (TRAILS.box.score,),
    "views": (TRAILS.view,),
}


@contextmanager
def count_calls() -> Iterator[Counter[str]]:
    """Count the calls of the functions of `COUNTED` in this thread."""
    names = {function.__code__: name for name, functions in COUNTED.items() for function in functions}
    counts: Counter[str] = Counter()

    def count(frame, event: str, argument) -> None:
        if event == "call" and (name := names.get(frame.f_code)):
            counts[name] += 1

    sys.setprofile(count)
    try:
        yield counts
    finally:
        sys.setprofile(None)


@pytest.fixture
def table(app: Flask) -> SeatedTable:
    """Return a table of three phones after a round of hikes; Ana is to move."""
    table = open_seated_table(app, "Ana", "Bo", "Cy")
    for seat in range(3):
        table.play(seat, Hike(1))
        while seat in TRAILS.flow.to_move(table.table.state):
            table.play(seat, Skip())
    return table


def no_request(table: SeatedTable) -> str:
    """Return the address of a repair that goes back to Bo's turn."""
    plan = RepairPlan(table.table.steps[1].id, edits=(Truncate(),))
    return f"/seat/0/mend/{plan.encode()}"


def correction_request(table: SeatedTable) -> str:
    """Let Bo ask to correct a resource of Ana's, and return the number of the request."""
    assert send_move(table, 1, LEAF_EDIT) == 200
    return str(table.table.proposals[-1].number)


def rollback_request(table: SeatedTable) -> str:
    """Let Ana ask to go back, and return the number of the request; Cy has agreed already."""
    table.phone(0).post(f"{table.path}{no_request(table)}/ask")
    number = str(table.table.proposals[-1].number)
    assert agree(table, 2, number) == 200
    return number


def send_move(table: SeatedTable, seat: int, move: dict) -> int:
    return table.submit(seat, "play", {"move": json.encode(move).decode()}, htmx=True).status_code


def agree(table: SeatedTable, seat: int, number: str) -> int:
    return table.submit(seat, "answer", {"proposal": number, "yes": "1"}, htmx=True).status_code


def open_page(table: SeatedTable, path: str, seat: int = 0) -> int:
    return table.phone(seat).get(table.path + path).status_code


HIKE, LEAF_EDIT = {"type": "hike", "steps": 1}, leaf_edit(0, 1)
# The title, what waits at the table, the request with its status, and how often it does each kind of work. What is not
# named is not done. A view is made for the phone, for everyone, and to compare with the table as it would be; what
# everyone may see is kept with the table, such as the score that a waiting phone shows. The page of a seat replays the
# log for each of its steps that a tap may undo.
REQUESTS: list[tuple[str, Callable[[SeatedTable], str], Callable[[SeatedTable, str], int], int, dict[str, int]]] = [
    ("tap", no_request, lambda table, _: send_move(table, 0, HIKE), 200, {"decodes": 1, "scores": 1, "views": 3}),
    (
        "refused tap",
        no_request,
        lambda table, _: send_move(table, 2, HIKE),
        422,
        {"decodes": 1, "replays": 1, "scores": 1, "views": 4},
    ),
    (
        "correction that asks",
        no_request,
        lambda table, _: send_move(table, 1, LEAF_EDIT),
        200,
        {"decodes": 1, "comparisons": 1, "scores": 3, "views": 5},
    ),
    ("agreement to a correction", correction_request, lambda table, number: agree(table, 0, number), 200, {"views": 2}),
    ("score page", correction_request, lambda table, _: open_page(table, "/score"), 200, {}),
    ("log page", correction_request, lambda table, _: open_page(table, "/seat/0/log"), 200, {}),
    (
        "table as it would be",
        correction_request,
        lambda table, number: open_page(table, f"/if/{number}"),
        200,
        {"views": 3},
    ),
    (
        "repair page",
        no_request,
        open_page,
        200,
        {"replays": 1, "comparisons": 1, "scores": 2, "views": 6},
    ),
    (
        "repair that asks",
        no_request,
        lambda table, path: table.phone(0).post(f"{table.path}{path}/ask").status_code,
        303,
        {"replays": 1, "comparisons": 1, "scores": 2, "views": 2},
    ),
    ("page that shows it", rollback_request, lambda table, _: open_page(table, "/seat/1", 1), 200, {"views": 1}),
    (
        "agreement to it",
        rollback_request,
        lambda table, number: agree(table, 1, number),
        200,
        # Four views for what may still have to be done at the table: before and after, as the seat and everyone see it.
        {"replays": 3, "scores": 1, "views": 9},
    ),
]


@pytest.mark.parametrize(
    ("prepare", "act", "status", "expected"), [case[1:] for case in REQUESTS], ids=[case[0] for case in REQUESTS]
)
def test_request_does_its_work_once(table: SeatedTable, prepare: Callable, act: Callable, status: int, expected: dict):
    prepared = prepare(table)
    with count_calls() as counts:
        assert act(table, prepared) == status
    assert dict(counts) == {"loads": 1, **expected}
