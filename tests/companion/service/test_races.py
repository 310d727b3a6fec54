"""Two phones at once: who loses the race is judged again, and everybody is answered. Each race is forced."""

from collections.abc import Callable

import pytest
from msgspec import to_builtins

from companion.log.table import Table
from companion.service import referee as refereeing
from companion.service.live import Live
from companion.service.referee import Referee, TooBusy
from companion.storage.store import Store
from scoring.kernel.errors import Illegal
from tests.conftest import hasten
from tests.support.log_builder import ANA, BO, HOST
from tests.support.positions import laid

HIKE = {"type": "hike", "steps": 2}
NAME = {"type": "name-card", "end": "trailhead", "badge": "science"}


def texts(table: Table) -> list[str]:
    return [step.text for step in table.steps]


def first_another(judge: Referee, monkeypatch: pytest.MonkeyPatch, say: Callable[[], object]) -> list[Table]:
    """Let somebody else be quicker, once: between the look at the table and the writing. Return the tables looked at."""
    look, looked = judge.store.table, []

    def slow(code: str) -> Table:
        table = look(code)
        looked.append(table)
        if len(looked) == 1:
            say()
        return table

    monkeypatch.setattr(judge.store, "table", slow)
    return looked


def quicker(judge: Referee) -> Referee:
    """Return another process's referee on the same file."""
    store = Store(judge.store.path)
    hasten(store)
    return Referee(store, Live(store, 1))


def test_who_lost_the_race_is_judged_again_and_stands_when_still_legal(judge: Referee, code: str, monkeypatch):
    other = quicker(judge)
    looked = first_another(judge, monkeypatch, lambda: other.play(code, BO, "bo", 1, NAME))
    table = judge.play(code, ANA, "ana", 0, HIKE)
    assert texts(table) == ["Bo sees Science at the Trailhead.", "Ana hiked 2 to the leaf site. +1 leaf."]
    assert [table.number for table in looked][:2] == [3, 4]


def test_who_lost_the_race_is_refused_with_the_reason_when_no_longer_legal(judge: Referee, code: str, monkeypatch):
    other = quicker(judge)
    first_another(judge, monkeypatch, lambda: other.play(code, ANA, "from the tablet", 0, {"type": "hike", "steps": 1}))
    with pytest.raises(Illegal) as refusal:
        judge.play(code, ANA, "from the phone", 0, HIKE)
    assert [reason.code for reason in refusal.value.reasons] == ["finish-first"]
    assert judge.store.newest(code) == 4


def test_the_same_tap_by_two_ways_at_once_counts_once(judge: Referee, code: str, monkeypatch):
    """A phone that lost the answer sends its tap again, and both arrive together."""
    other = quicker(judge)
    first_another(judge, monkeypatch, lambda: other.play(code, ANA, "tap", 0, HIKE))
    assert texts(judge.play(code, ANA, "tap", 0, HIKE)) == ["Ana hiked 2 to the leaf site. +1 leaf."]


def test_two_phones_that_tap_at_once_are_both_answered(judge: Referee, code: str, monkeypatch):
    """Neither waits for the other: the second is written after the first, on the same table."""
    other, said = quicker(judge), []
    first_another(
        judge, monkeypatch, lambda: said.append(other.play(code, BO, "bo", 1, {**NAME, "badge": "climber-leaf"}))
    )
    said.append(judge.play(code, ANA, "ana", 0, NAME))
    assert [table.number for table in said] == [4, 5]
    assert said[1].state.trailhead == ("climber-leaf", "science")


def test_two_who_sit_down_on_one_seat_at_once(judge: Referee, monkeypatch):
    code = judge.open(HOST, "trails", to_builtins(laid(["Ana", "Bo"]))).code
    other = quicker(judge)
    first_another(judge, monkeypatch, lambda: other.sit(code, ANA, "ana", 0))
    table = judge.sit(code, BO, "bo", 0)
    assert table.seats == (ANA, None)
    assert [proposal.text for proposal in table.proposals] == ["Go on as Ana from another phone"]


def test_who_loses_every_race_hears_that_everybody_is_busy(judge: Referee, code: str, monkeypatch):
    other, look = quicker(judge), judge.store.table

    def always_slow(code: str) -> Table:
        table = look(code)
        other.play(
            code,
            BO,
            f"bo {table.number}",
            1,
            {"type": "note-hand", "badge": ("science", "climber-leaf")[table.number % 2]},
        )
        return table

    monkeypatch.setattr(judge.store, "table", always_slow)
    with pytest.raises(TooBusy):
        judge.play(code, ANA, "ana", 0, HIKE)
    assert other.store.newest(code) == 3 + refereeing.TRIES
