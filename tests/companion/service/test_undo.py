"""Tests of undo and redo: free, by asking, or refused with the conflicting later step."""

import random

import pytest

from companion.log.apply import load_entry
from companion.log.entries import Entry, LogRewritten, MoveRedone, MoveUndone, Played
from companion.log.steps import ConflictingStepError, quote_step
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
from tests.support.player_names import names_for
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup
from tests.support.table_states import random_game_moves


def free_devices(builder: LogBuilder, number: int) -> list[str]:
    """Return the phones that may undo or redo a step without asking."""
    table = builder.table
    step = table.active_step(number) or table.removed[str(number)][0]
    return [device for device in (HOST, *DEVICES, STRANGER) if table.can_change_step_alone(step, device)]


def test_last_step_is_free_to_undo_only_for_its_player():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    assert free_devices(builder, hike) == [ANA]
    builder.add_entry(ANA, MoveUndone(hike), 0)
    assert builder.table.state == builder.table.initial_state and builder.table.steps == ()
    assert builder.log_texts[-1] == "Ana undid: hiked 2 tiles to the leaf site."


def test_undone_log_line_names_the_player_until_the_redo():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    after = builder.table.state
    builder.add_entry(ANA, MoveUndone(hike), 0)
    assert [line.removed_by for line in builder.table.messages if line.number == hike] == ["Ana"]
    assert free_devices(builder, hike) == [ANA]
    builder.add_entry(ANA, MoveRedone(hike), 0)
    assert [line.removed_by for line in builder.table.messages if line.number == hike] == [None]
    assert builder.table.state == after and builder.table.removed == {}
    assert builder.log_texts[-1] == "Ana redid: hiked 2 tiles to the leaf site."


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
    builder = build_seated_log("Ana", "Bo")
    assert free_devices(builder, play_some_moves(builder)[step]) == phones


@run_all_rows("step", [step for step, _ in FREE_DEVICES])
def test_phone_with_every_seat_may_undo_anything(step: str):
    builder = build_one_phone_log("Ana", "Bo")
    assert free_devices(builder, play_some_moves(builder)[step]) == [HOST]


def test_undo_stays_free_in_simultaneous_play():
    """Score entry has no turns, so later entries of others do not restrict anybody."""
    builder = build_seated_log("Ana", "Bo", game="trails-tally")
    badge = builder.play(0, AddBadge("science"))
    builder.play(1, AddBadge("climber-leaf"), Done())
    assert free_devices(builder, badge) == [ANA]


def test_undo_of_a_move_with_consent_needs_consent():
    builder = build_seated_log("Ana", "Bo")
    number = builder.propose(0, Played({"type": "adopt", "ruling": "zero-birds", "option": "everyone"}))
    builder.agree(1, number)
    assert builder.table.steps[-1].move == Adopt("zero-birds", "everyone")
    assert free_devices(builder, builder.table.version) == []


def test_undo_of_an_early_step_keeps_the_later_steps():
    builder = build_seated_log("Ana", "Bo")
    mistake = builder.play(0, NameCard("trailhead", "science"))
    builder.play(0, Hike(2))
    builder.play(1, Hike(2))
    builder.play(0, Hike(2), Skip())
    builder.play(1, Hike(2), Skip())
    builder.play(0, Hike(1))
    before = builder.table.state
    number = builder.propose(0, MoveUndone(mistake))
    builder.agree(1, number)
    assert before.trailhead == ("science", None) and builder.table.state.trailhead == (None, None)
    assert builder.table.state.players == before.players
    assert [step.text for step in builder.table.steps] == [
        "Ana hiked 2 tiles to the leaf site, +1 leaf.",
        "Bo hiked 2 tiles to the leaf site, +1 leaf.",
        "Ana hiked 2 tiles to the photo site.",
        "Ana skipped the photo.",
        "Bo hiked 2 tiles to the photo site.",
        "Bo skipped the photo.",
        "Ana hiked 1 tile to the rock site, +1 rock.",
    ]
    builder.agree(1, builder.propose(0, MoveRedone(mistake)))
    assert builder.table.state == before
    assert [step.number for step in builder.table.steps] == sorted(step.number for step in builder.table.steps)


# One tap on the undo arrow or in the log may change one step and no other.


def undo_controls(builder: LogBuilder, seat: int) -> tuple[str, dict[str, str]]:
    """Return the step that a seat's undo arrow removes, and the action on each line of its log."""
    page = seat_pages.seat_page(builder.table, builder.table.seats[seat], seat)
    return page.undoable_step.id if page.undoable_step else "", {
        line.step_id: line.action for line in page.log if line.action
    }


def log_in_the_reveal() -> tuple[LogBuilder, int]:
    """Return a log in the reveal in which the last player has noted a photo, and that note."""
    builder = build_seated_log("Ana", "Bo")
    for seat, move in random_game_moves("trails", ("Ana", "Bo")):
        builder.play(seat, move)
        if builder.table.state.is_over:
            break
    seat = builder.table.steps[-1].seat
    return builder, builder.play(seat, NotePhoto(2, 1))


def test_undo_during_reveal_removes_the_photo_and_never_the_last_move():
    builder, note = log_in_the_reveal()
    step, seat = builder.table.steps[-2], builder.table.steps[-1].seat
    arrow, log = undo_controls(builder, seat)
    assert arrow == str(note) and log == {str(note): "take_back"}
    builder.add_entry(builder.table.seats[seat], MoveUndone(note), seat)
    assert undo_controls(builder, seat) == ("", {str(note): "put_back"})
    assert builder.table.state.is_over and builder.table.steps[-1] == step


def test_undo_during_reveal_is_not_offered_after_another_players_note():
    builder, note = log_in_the_reveal()
    seat = builder.table.steps[-1].seat
    builder.add_entry(builder.table.seats[seat], MoveUndone(note), seat)
    builder.play(1 - seat, NotePhoto(1, 0))
    assert undo_controls(builder, seat)[0] == ""


def test_undo_after_a_hand_note_removes_the_note():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    note = builder.play(0, NoteHand("science"))
    assert undo_controls(builder, 0) == (str(note), {str(note): "take_back", str(hike): "take_back"})
    builder.add_entry(ANA, MoveUndone(note), 0)
    assert undo_controls(builder, 0)[0] == str(hike)


def test_undo_is_not_on_the_page_of_another_seat_of_the_phone():
    """The page of a seat names no note of another one, even where one phone has both."""
    builder = build_one_phone_log("Ana", "Bo")
    builder.play(0, Hike(2))
    note = builder.play(0, NoteHand("science"))
    undos = [seat_pages.seat_page(builder.table, HOST, seat).undoable_step for seat in (0, 1)]
    assert [undo and undo.id for undo in undos] == [str(note), None]


def test_undo_in_the_log_is_offered_only_if_later_steps_stay():
    builder = build_seated_log("Ana", "Bo")
    hike, exchange = builder.play(0, Hike(1)), builder.play(0, Exchange("acorn", "leaf"))
    assert undo_controls(builder, 0) == (str(exchange), {str(exchange): "take_back"})
    builder.add_entry(ANA, MoveUndone(exchange), 0)
    assert undo_controls(builder, 0) == (str(hike), {str(exchange): "put_back", str(hike): "take_back"})


def test_redo_is_offered_only_in_the_order_of_play():
    builder = build_seated_log("Ana", "Bo")
    hike, exchange = builder.play(0, Hike(1)), builder.play(0, Exchange("acorn", "leaf"))
    builder.add_entry(ANA, MoveUndone(exchange), 0)
    builder.add_entry(ANA, MoveUndone(hike), 0)
    assert undo_controls(builder, 0) == ("", {str(hike): "put_back"})
    builder.add_entry(ANA, MoveRedone(hike), 0)
    assert undo_controls(builder, 0)[1] == {str(hike): "take_back", str(exchange): "put_back"}


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_one_tap_of_undo_or_redo_changes_one_step_in_every_game(game: str):
    names = names_for(game)
    builder, rng, wrong, moves = build_seated_log(*names, game=game), random.Random(game), [], 0
    for number, (seat, move) in enumerate(random_game_moves(game, names)):
        builder.play(seat, move)
        if number % 5 and not builder.table.is_over:
            continue
        for player in range(len(names)):
            own = [step for step in builder.table.steps if step.seat == player]
            arrow, log = undo_controls(builder, player)
            if arrow and arrow != own[-1].id:
                wrong.append(f"the arrow skips {own[-1].text}")
            for id, action in log.items():
                before, moves = builder.table, moves + 1
                after = state_after_entry(
                    before, (MoveUndone if action == "take_back" else MoveRedone)(int(id)), player
                )
                if {step.id for step in before.steps} ^ {step.id for step in after.steps} != {id}:
                    wrong.append(f"{action} {id} of {quote_step(before.find_step(id))}")
        # Now and then a step is undone, to check that its redo is offered.
        if own and rng.random() < 0.5 and undo_controls(builder, player)[0] == own[-1].id:
            reverted = builder.table.active_step(own[-1].id)
            builder.add_entry(builder.table.seats[player], MoveUndone(reverted.number), player)
            assert undo_controls(builder, player)[1].get(reverted.id) == "put_back"
            builder.add_entry(builder.table.seats[player], MoveRedone(reverted.number), player)
    assert wrong == [] and moves


def state_after_entry(table: Table, proposable: MoveUndone | MoveRedone, seat: int) -> Table:
    """Return a table after a seat's phone has undone or redone a step."""
    return load_entry(table, table.code, Entry(table.version + 1, TIME, table.seats[seat], seat, proposable))


def conflicting_steps(builder: LogBuilder, number: int) -> str:
    with pytest.raises(ConflictingStepError) as error:
        builder.rewritten_steps(LogRewritten(str(number), str(number)))
    return str(error.value)


def test_undo_conflict_names_the_later_step_and_the_reason():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    builder.play(1, Hike(1), Skip())
    text = conflicting_steps(builder, hike)
    assert (
        text == "A later move would become impossible: \u201cBo hiked 1 tile to the exchange site\u201d. "
        "At this point, it is still Ana\u2019s turn."
    )


def test_undo_of_a_badge_that_was_removed_later_is_a_conflict():
    builder = build_seated_log("Ana", "Bo", game="trails-tally")
    badge = builder.play(0, AddBadge("science"))
    builder.play(1, AddBadge("climber-leaf"))
    removal = builder.play(0, RemoveBadge("science"))
    assert conflicting_steps(builder, badge).startswith(
        "A later move would become impossible: \u201cAna removed Science\u201d."
    )
    builder.add_entry(ANA, MoveUndone(removal), 0)
    builder.add_entry(ANA, MoveUndone(badge), 0)
    assert builder.table.state.players[0].badges == ()


def test_redo_can_conflict_with_a_later_step():
    builder = build_seated_log("Ana", "Bo", game="trails-tally")
    badge = builder.play(0, AddBadge("climber-leaf"))
    builder.add_entry(ANA, MoveUndone(badge), 0)
    builder.play(1, AddBadge("climber-leaf"))
    with pytest.raises(ConflictingStepError) as error:
        builder.rewritten_steps(LogRewritten(builder.table.steps[-1].id, replacement=(str(badge),)))
    assert error.value.step.text == "Bo added Climber (leaf)."
    assert error.value.reasons[0].code == "badge-copies"


def test_undo_conflict_does_not_reveal_a_secret_note():
    """The conflicting step is shown to anyone who asks, so its text must not contain a note."""
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(2))
    builder.play(1, Hike(2))
    builder.play(0, Hike(2))
    photo = builder.play(0, Photograph(pay="acorn"))
    builder.play(0, NotePhoto(2, 1))
    assert (
        conflicting_steps(builder, photo)
        == "This conflicts with one of Ana\u2019s private entries. Ana can undo that entry first."
    )


def test_dropped_request_does_not_reveal_the_conflicting_note():
    builder = build_seated_log("Ana", "Bo", "Cy")
    for seat in range(3):
        builder.play(seat, Hike(2))
    builder.play(0, Hike(2))
    photo = builder.play(0, Photograph(pay="acorn"))
    number = builder.propose(1, MoveUndone(photo))
    builder.play(0, NotePhoto(2, 1))
    builder.agree(0, number)
    builder.agree(2, number)
    assert builder.table.active_step(photo) and builder.table.proposals == ()
    assert readable_texts(builder.table)[-1] == (
        "Bo asked: Undo \u201cAna drew 2 photos and kept 1\u201d. This is no longer possible. "
        "This conflicts with one of Ana\u2019s private entries. Ana can undo that entry first."
    )


def test_step_undone_and_redone_twice_is_unchanged():
    builder = build_seated_log("Ana", "Bo", "Cy")
    hike = builder.play(0, Hike(2))
    after = builder.table.state
    for _ in range(2):
        builder.add_entry(ANA, MoveUndone(hike), 0)
        assert builder.table.state == builder.table.initial_state
        builder.add_entry(ANA, MoveRedone(hike), 0)
        assert builder.table.state == after
    assert builder.table.seats == (ANA, BO, CY) and builder.table.removed == {}


@pytest.mark.parametrize("game", TRACKED_GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whole_game_from_entries_equals_the_game_of_the_core(game: str, seed: int):
    rules, record = TRACKED_GAMES[game], []
    names = names_for(game, rules.box.player_counts[seed % len(rules.box.player_counts)])
    end = random_game(rules, ready_setup(list(names), rules.key), random.Random(seed), record)
    builder = build_one_phone_log(*names, game=game)
    for seat, move in record:
        builder.play(seat, move)
    assert builder.table.state == end and builder.table.is_over
    assert [(step.seat, step.move) for step in builder.table.steps] == record
    assert rules.replay(builder.table.setup, record) == end


@pytest.mark.slow("whole games")
@pytest.mark.parametrize("game", TRACKED_GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_undo_of_every_step_returns_to_the_start_through_every_state(game: str, seed: int):
    rules, record = TRACKED_GAMES[game], []
    names = names_for(game, 3)
    random_game(rules, ready_setup(list(names), rules.key), random.Random(100 + seed), record)
    builder = build_one_phone_log(*names, game=game)
    states = [builder.table.state]
    for seat, move in record:
        builder.play(seat, move)
        states.append(builder.table.state)
    steps = builder.table.steps
    for step, state in zip(reversed(steps), reversed(states[:-1]), strict=True):
        builder.add_entry(HOST, MoveUndone(step.number), step.seat)
        assert builder.table.state == state
    assert builder.table.state == builder.table.initial_state and len(builder.table.removed) == len(steps)
    for step, state in zip(steps, states[1:], strict=True):
        builder.add_entry(HOST, MoveRedone(step.number), step.seat)
        assert builder.table.state == state
    assert builder.table.steps == steps
