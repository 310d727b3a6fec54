"""Tests of undo and redo: free, by asking, or refused with the conflicting later step."""

import random

import pytest

from companion.log.apply import load_entry
from companion.log.entries import Entry, LogRewritten, MoveRedone, MoveUndone, Played
from companion.log.replay import ConflictingStepError, quote_step
from companion.log.table import Table
from companion.pages import seat as seat_pages
from scoring.games import TRACKED_GAMES
from scoring.trails.moves.corrections import Adopt
from scoring.trails.moves.hiking import Exchange, Hike, Photograph, Skip
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.score_entry import AddBadge, Done, RemoveBadge
from tests.support.log_builder import (
    ANA,
    BO,
    CY,
    DEVICES,
    HOST,
    STRANGER,
    TIME,
    LogBuilder,
    build_one_phone_log,
    build_seated_log,
    readable_texts,
)
from tests.support.parametrize import run_all_rows
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup
from tests.support.table_states import random_game_moves


def free_devices(builder: LogBuilder, number: int) -> list[str]:
    """Return the phones that may undo or redo a step without asking."""
    table = builder.table
    step = table.active_step(number) or table.removed[str(number)][0]
    return [device for device in (HOST, *DEVICES, STRANGER) if table.can_change_step_alone(step, device)]


def test_last_step_is_free_to_undo_only_for_its_player():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    assert free_devices(told, hike) == [ANA]
    told.add_entry(ANA, MoveUndone(hike), 0)
    assert told.table.state == told.table.initial_state and told.table.steps == ()
    assert told.log_texts[-1] == "Ana took back: Ana hiked 2 to the leaf site. +1 leaf."


def test_undone_log_line_names_the_player_until_the_redo():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    after = told.table.state
    told.add_entry(ANA, MoveUndone(hike), 0)
    assert [line.removed_by for line in told.table.messages if line.number == hike] == ["Ana"]
    assert free_devices(told, hike) == [ANA]
    told.add_entry(ANA, MoveRedone(hike), 0)
    assert [line.removed_by for line in told.table.messages if line.number == hike] == [None]
    assert told.table.state == after and told.table.removed == {}
    assert told.log_texts[-1] == "Ana put back: Ana hiked 2 to the leaf site. +1 leaf."


def play_some_moves(builder: LogBuilder) -> dict[str, int]:
    """Play some moves; return the entry numbers by name."""
    numbers = {"name": builder.play(0, NameCard("trailhead", "science")), "hike": builder.play(0, Hike(1))}
    numbers["exchange"] = builder.play(0, Exchange("acorn", "rock"))
    numbers["bo"] = builder.play(1, Hike(2))
    numbers["note"] = builder.play(1, NoteHand("climber-leaf"))
    numbers["last"] = builder.play(0, Hike(1))
    return numbers


FREE_DEVICES = [
    ("name", []),  # Bo, whose turn it was not, has moved since
    ("hike", []),
    ("exchange", []),
    ("bo", []),  # Ana has moved since
    ("note", [BO]),  # a secret is always its own player's
    ("last", [ANA]),
]


@run_all_rows(("step", "phones"), FREE_DEVICES)
def test_step_is_free_to_undo_until_another_player_moves_in_turn(step: str, phones: list[str]):
    told = build_seated_log("Ana", "Bo")
    assert free_devices(told, play_some_moves(told)[step]) == phones


@run_all_rows("step", [step for step, _ in FREE_DEVICES])
def test_phone_with_every_seat_may_undo_anything(step: str):
    told = build_one_phone_log("Ana", "Bo")
    assert free_devices(told, play_some_moves(told)[step]) == [HOST]


def test_undo_stays_free_in_simultaneous_play():
    """Score entry has no turns, so later entries of others do not restrict anybody."""
    told = build_seated_log("Ana", "Bo", game="trails-tally")
    badge = told.play(0, AddBadge("science"))
    told.play(1, AddBadge("climber-leaf"), Done())
    assert free_devices(told, badge) == [ANA]


def test_undo_of_a_move_with_consent_needs_consent():
    told = build_seated_log("Ana", "Bo")
    asked = told.propose(0, Played({"type": "adopt", "ruling": "zero-birds", "option": "everyone"}))
    told.agree(1, asked)
    assert told.table.steps[-1].move == Adopt("zero-birds", "everyone")
    assert free_devices(told, told.table.version) == []


def test_undo_of_an_early_step_keeps_the_later_steps():
    told = build_seated_log("Ana", "Bo")
    mistake = told.play(0, NameCard("trailhead", "science"))
    told.play(0, Hike(2))
    told.play(1, Hike(2))
    told.play(0, Hike(2), Skip())
    told.play(1, Hike(2), Skip())
    told.play(0, Hike(1))
    before = told.table.state
    asked = told.propose(0, MoveUndone(mistake))
    told.agree(1, asked)
    assert before.trailhead == ("science", None) and told.table.state.trailhead == (None, None)
    assert told.table.state.players == before.players
    assert [step.text for step in told.table.steps] == [
        "Ana hiked 2 to the leaf site. +1 leaf.",
        "Bo hiked 2 to the leaf site. +1 leaf.",
        "Ana hiked 2 to the photo site.",
        "Ana left the photo.",
        "Bo hiked 2 to the photo site.",
        "Bo left the photo.",
        "Ana hiked 1 to the rock site. +1 rock.",
    ]
    told.agree(1, told.propose(0, MoveRedone(mistake)))
    assert told.table.state == before
    assert [step.number for step in told.table.steps] == sorted(step.number for step in told.table.steps)


# One tap on the undo arrow or in the log may change one step and no other.


def undo_controls(builder: LogBuilder, seat: int) -> tuple[str, dict[str, str]]:
    """Return the step that a seat's undo arrow removes, and the action on each line of its log."""
    page = seat_pages.seat_page(builder.table, builder.table.seats[seat], seat)
    return page.undoable_step.id if page.undoable_step else "", {
        line.step_id: line.action for line in page.log if line.action
    }


def log_in_the_reveal() -> tuple[LogBuilder, int]:
    """Return a log in the reveal in which the last player has noted a photo, and that note."""
    told = build_seated_log("Ana", "Bo")
    for seat, move in random_game_moves("trails", ("Ana", "Bo")):
        told.play(seat, move)
        if told.table.state.is_over:
            break
    seat = told.table.steps[-1].seat
    return told, told.play(seat, NotePhoto(2, 1))


def test_undo_during_reveal_removes_the_photo_and_never_the_last_move():
    told, note = log_in_the_reveal()
    played, seat = told.table.steps[-2], told.table.steps[-1].seat
    arrow, log = undo_controls(told, seat)
    assert arrow == str(note) and log == {str(note): "take_back"}
    told.add_entry(told.table.seats[seat], MoveUndone(note), seat)
    assert undo_controls(told, seat) == ("", {str(note): "put_back"})
    assert told.table.state.is_over and told.table.steps[-1] == played


def test_undo_during_reveal_is_not_offered_after_another_players_note():
    told, note = log_in_the_reveal()
    seat = told.table.steps[-1].seat
    told.add_entry(told.table.seats[seat], MoveUndone(note), seat)
    told.play(1 - seat, NotePhoto(1, 0))
    assert undo_controls(told, seat)[0] == ""


def test_undo_after_a_hand_note_removes_the_note():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    note = told.play(0, NoteHand("science"))
    assert undo_controls(told, 0) == (str(note), {str(note): "take_back", str(hike): "take_back"})
    told.add_entry(ANA, MoveUndone(note), 0)
    assert undo_controls(told, 0)[0] == str(hike)


def test_undo_is_not_on_the_page_of_another_seat_of_the_phone():
    """The page of a seat names no note of another one, even where one phone has both."""
    told = build_one_phone_log("Ana", "Bo")
    told.play(0, Hike(2))
    note = told.play(0, NoteHand("science"))
    undos = [seat_pages.seat_page(told.table, HOST, seat).undoable_step for seat in (0, 1)]
    assert [undo and undo.id for undo in undos] == [str(note), None]


def test_undo_in_the_log_is_offered_only_if_later_steps_stay():
    told = build_seated_log("Ana", "Bo")
    hike, exchange = told.play(0, Hike(1)), told.play(0, Exchange("acorn", "leaf"))
    assert undo_controls(told, 0) == (str(exchange), {str(exchange): "take_back"})
    told.add_entry(ANA, MoveUndone(exchange), 0)
    assert undo_controls(told, 0) == (str(hike), {str(exchange): "put_back", str(hike): "take_back"})


def test_redo_is_offered_only_in_the_order_of_play():
    told = build_seated_log("Ana", "Bo")
    hike, exchange = told.play(0, Hike(1)), told.play(0, Exchange("acorn", "leaf"))
    told.add_entry(ANA, MoveUndone(exchange), 0)
    told.add_entry(ANA, MoveUndone(hike), 0)
    assert undo_controls(told, 0) == ("", {str(hike): "put_back"})
    told.add_entry(ANA, MoveRedone(hike), 0)
    assert undo_controls(told, 0)[1] == {str(hike): "take_back", str(exchange): "put_back"}


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_one_tap_of_undo_or_redo_changes_one_step_in_every_game(game: str):
    names = ("Ana", "Bo")
    told, rng, wrong, offered = build_seated_log(*names, game=game), random.Random(game), [], 0
    for number, (seat, move) in enumerate(random_game_moves(game, names)):
        told.play(seat, move)
        if number % 5 and not told.table.is_over:
            continue
        for who in range(len(names)):
            own = [step for step in told.table.steps if step.seat == who]
            arrow, log = undo_controls(told, who)
            if arrow and arrow != own[-1].id:
                wrong.append(f"the arrow skips {own[-1].text}")
            for id, can in log.items():
                before, offered = told.table, offered + 1
                after = state_after_entry(before, (MoveUndone if can == "take_back" else MoveRedone)(int(id)), who)
                if {step.id for step in before.steps} ^ {step.id for step in after.steps} != {id}:
                    wrong.append(f"{can} {id} of {quote_step(before.find_step(id))}")
        # Now and then a step is undone, to check that its redo is offered.
        if own and rng.random() < 0.5 and undo_controls(told, who)[0] == own[-1].id:
            undone = told.table.active_step(own[-1].id)
            told.add_entry(told.table.seats[who], MoveUndone(undone.number), who)
            assert undo_controls(told, who)[1].get(undone.id) == "put_back"
            told.add_entry(told.table.seats[who], MoveRedone(undone.number), who)
    assert wrong == [] and offered


def state_after_entry(table: Table, proposable: MoveUndone | MoveRedone, seat: int) -> Table:
    """Return a table after a seat's phone has undone or redone a step."""
    return load_entry(table, table.code, Entry(table.version + 1, TIME, table.seats[seat], seat, proposable))


def conflicting_steps(builder: LogBuilder, number: int) -> str:
    with pytest.raises(ConflictingStepError) as fault:
        builder.table.rewritten(LogRewritten(str(number), str(number)), {})
    return str(fault.value)


def test_undo_conflict_names_the_later_step_and_the_reason():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.play(1, Hike(1), Skip())
    text = conflicting_steps(told, hike)
    assert (
        text == "\u201cBo hiked 1 to the exchange site.\u201d stands in the way. "
        "It would still be up to Ana there: hike 1 or 2 tiles, or use the canteen."
    )


def test_undo_of_a_badge_that_was_removed_later_is_a_conflict():
    told = build_seated_log("Ana", "Bo", game="trails-tally")
    badge = told.play(0, AddBadge("science"))
    told.play(1, AddBadge("climber-leaf"))
    off = told.play(0, RemoveBadge("science"))
    assert conflicting_steps(told, badge).startswith("\u201cAna has no Science.\u201d stands in the way.")
    told.add_entry(ANA, MoveUndone(off), 0)
    told.add_entry(ANA, MoveUndone(badge), 0)
    assert told.table.state.players[0].badges == ()


def test_redo_can_conflict_with_a_later_step():
    told = build_seated_log("Ana", "Bo", game="trails-tally")
    badge = told.play(0, AddBadge("climber-leaf"))
    told.add_entry(ANA, MoveUndone(badge), 0)
    told.play(1, AddBadge("climber-leaf"))
    with pytest.raises(ConflictingStepError) as fault:
        told.table.rewritten(LogRewritten(told.table.steps[-1].id, replacement=(str(badge),)), {})
    assert fault.value.step.text == "Bo has Climber (leaf)."
    assert fault.value.reasons[0].code == "badge-copies"


def test_undo_conflict_does_not_reveal_a_secret_note():
    """The conflicting step is shown to anyone who asks, so its text must not contain a note."""
    told = build_seated_log("Ana", "Bo")
    told.play(0, Hike(2))
    told.play(1, Hike(2))
    told.play(0, Hike(2))
    photo = told.play(0, Photograph(pay="acorn"))
    told.play(0, NotePhoto(2, 1))
    assert (
        conflicting_steps(told, photo) == "A note that only Ana can read stands in the way; Ana can take it back first."
    )


def test_dropped_request_does_not_reveal_the_conflicting_note():
    told = build_seated_log("Ana", "Bo", "Cy")
    for seat in range(3):
        told.play(seat, Hike(2))
    told.play(0, Hike(2))
    photo = told.play(0, Photograph(pay="acorn"))
    asked = told.propose(1, MoveUndone(photo))
    told.play(0, NotePhoto(2, 1))
    told.agree(0, asked)
    told.agree(2, asked)
    assert told.table.active_step(photo) and told.table.proposals == ()
    assert readable_texts(told.table)[-1] == (
        "\u201cTake back \u2018Ana drew two photos and kept one for an acorn. \u22121 acorn. +1 photo.\u2019\u201d "
        "is no longer possible. A note that only Ana can read stands in the way; Ana can take it back first."
    )


def test_step_undone_and_redone_twice_is_unchanged():
    told = build_seated_log("Ana", "Bo", "Cy")
    hike = told.play(0, Hike(2))
    after = told.table.state
    for _ in range(2):
        told.add_entry(ANA, MoveUndone(hike), 0)
        assert told.table.state == told.table.initial_state
        told.add_entry(ANA, MoveRedone(hike), 0)
        assert told.table.state == after
    assert told.table.seats == (ANA, BO, CY) and told.table.removed == {}


@pytest.mark.parametrize("game", TRACKED_GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whole_game_from_entries_equals_the_game_of_the_core(game: str, seed: int):
    rules, record = TRACKED_GAMES[game], []
    names = ["Ana", "Bo", "Cy", "Di", "Ed"][: rules.box.player_counts[seed % len(rules.box.player_counts)]]
    end = random_game(rules, ready_setup(names, rules.key), random.Random(seed), record)
    told = build_one_phone_log(*names, game=game)
    for seat, move in record:
        told.play(seat, move)
    assert told.table.state == end and told.table.is_over
    assert [(step.seat, step.move) for step in told.table.steps] == record
    assert rules.replay(told.table.setup, record) == end


@pytest.mark.slow("whole games")
@pytest.mark.parametrize("game", TRACKED_GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_undo_of_every_step_returns_to_the_start_through_every_state(game: str, seed: int):
    rules, record = TRACKED_GAMES[game], []
    names = ["Ana", "Bo", "Cy"][: rules.box.player_counts[-1]]
    random_game(rules, ready_setup(names, rules.key), random.Random(100 + seed), record)
    told = build_one_phone_log(*names, game=game)
    states = [told.table.state]
    for seat, move in record:
        told.play(seat, move)
        states.append(told.table.state)
    steps = told.table.steps
    for step, state in zip(reversed(steps), reversed(states[:-1]), strict=True):
        told.add_entry(HOST, MoveUndone(step.number), step.seat)
        assert told.table.state == state
    assert told.table.state == told.table.initial_state and len(told.table.removed) == len(steps)
    for step, state in zip(steps, states[1:], strict=True):
        told.add_entry(HOST, MoveRedone(step.number), step.seat)
        assert told.table.state == state
    assert told.table.steps == steps
