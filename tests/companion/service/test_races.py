"""Tests of two phones that write simultaneously: the slower one is judged again."""

from collections.abc import Callable

import pytest
from msgspec import to_builtins

from companion.log.table import Table
from companion.service import referee as referee_module
from companion.service.live import LiveUpdates
from companion.service.referee import Referee, TooManyRetriesError
from companion.storage.store import Store
from scoring.kernel.errors import IllegalMoveError
from tests.conftest import disable_fsync
from tests.support.log_builder import ANA, BO, HOST
from tests.support.ready_setups import ready_setup

HIKE = {"type": "hike", "steps": 2}
NAME = {"type": "name-card", "end": "trailhead", "badge": "science"}


def step_texts(table: Table) -> list[str]:
    return [step.text for step in table.steps]


def interleave(referee: Referee, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[str]:
    """Run `act` once, after the referee has found its table current.

    Return the codes of the tables that are loaded again.
    """
    store, checks, loads = referee.store, [], []
    latest_version, load = store.latest_version, store.table

    def check_version(code: str) -> int:
        version = latest_version(code)
        checks.append(version)
        if len(checks) == 1:
            act()
            monkeypatch.setattr(store, "table", load_again)
        return version

    def load_again(code: str) -> Table:
        loads.append(code)
        return load(code)

    monkeypatch.setattr(store, "latest_version", check_version)
    return loads


def other_process_referee(referee: Referee) -> Referee:
    """Return a referee of another process on the same file."""
    store = Store(referee.store.path)
    disable_fsync(store)
    return Referee(store, LiveUpdates(store, 1))


def test_slower_phone_is_judged_again_and_counts_if_still_legal(bare_referee: Referee, code: str, monkeypatch):
    other_referee = other_process_referee(bare_referee)
    loads = interleave(
        bare_referee, monkeypatch, lambda: other_referee.play(other_referee.store.table(code), BO, "bo", 1, NAME)
    )
    table = bare_referee.play(bare_referee.store.table(code), ANA, "ana", 0, HIKE)
    assert step_texts(table) == ["New badge at the Trailhead: Science.", "Ana hiked 2 tiles to the leaf site, +1 leaf."]
    assert loads == [code]


def test_slower_phone_is_refused_with_a_reason_if_no_longer_legal(bare_referee: Referee, code: str, monkeypatch):
    other_referee = other_process_referee(bare_referee)
    interleave(
        bare_referee,
        monkeypatch,
        lambda: other_referee.play(
            other_referee.store.table(code), ANA, "from the tablet", 0, {"type": "hike", "steps": 1}
        ),
    )
    with pytest.raises(IllegalMoveError) as refusal:
        bare_referee.play(bare_referee.store.table(code), ANA, "from the phone", 0, HIKE)
    assert [reason.code for reason in refusal.value.reasons] == ["finish-first"]
    assert bare_referee.store.latest_version(code) == 4


def test_same_tap_through_two_processes_counts_once(bare_referee: Referee, code: str, monkeypatch):
    """A phone that lost the answer sends its tap again, and both arrive together."""
    other_referee = other_process_referee(bare_referee)
    interleave(
        bare_referee, monkeypatch, lambda: other_referee.play(other_referee.store.table(code), ANA, "tap", 0, HIKE)
    )
    assert step_texts(bare_referee.play(bare_referee.store.table(code), ANA, "tap", 0, HIKE)) == [
        "Ana hiked 2 tiles to the leaf site, +1 leaf."
    ]


def test_two_simultaneous_taps_are_both_answered(bare_referee: Referee, code: str, monkeypatch):
    """Neither waits for the other: the second is written after the first, on the same table."""
    other_referee, calls = other_process_referee(bare_referee), []
    interleave(
        bare_referee,
        monkeypatch,
        lambda: calls.append(
            other_referee.play(other_referee.store.table(code), BO, "bo", 1, {**NAME, "badge": "climber-leaf"})
        ),
    )
    calls.append(bare_referee.play(bare_referee.store.table(code), ANA, "ana", 0, NAME))
    assert [table.version for table in calls] == [4, 5]
    assert calls[1].state.trailhead == ("climber-leaf", "science")


def test_two_phones_taking_one_seat_simultaneously_leave_a_question(bare_referee: Referee, monkeypatch):
    code = bare_referee.open_table(HOST, "trails", to_builtins(ready_setup(["Ana", "Bo"]))).code
    other_referee = other_process_referee(bare_referee)
    interleave(bare_referee, monkeypatch, lambda: other_referee.sit(other_referee.store.table(code), ANA, "ana", 0))
    table = bare_referee.sit(bare_referee.store.table(code), BO, "bo", 0)
    assert table.seats == (ANA, None)
    assert [proposal.text for proposal in table.proposals] == ["Move Ana\u2019s seat to another phone"]


def test_phone_that_loses_every_race_gets_a_retry_error(bare_referee: Referee, code: str, monkeypatch):
    other_referee, append = other_process_referee(bare_referee), bare_referee.store.append

    def always_slow(new_table: Table, *arguments) -> None:
        note = {"type": "note-hand", "badge": ("science", "climber-leaf")[new_table.version % 2]}
        other_referee.play(other_referee.store.table(code), BO, f"bo {new_table.version}", 1, note)
        append(new_table, *arguments)

    monkeypatch.setattr(bare_referee.store, "append", always_slow)
    with pytest.raises(TooManyRetriesError):
        bare_referee.play(bare_referee.store.table(code), ANA, "ana", 0, HIKE)
    assert other_referee.store.latest_version(code) == 3 + referee_module.MAX_ATTEMPTS
