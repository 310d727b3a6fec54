"""Taking steps back and putting them back: free or by asking, with what came after kept, or why that cannot be."""

import random

import pytest

from companion.log.apply import fold
from companion.log.entries import Entry, Played, PutBack, Rewrote, TookBack
from companion.log.table import InTheWay, Table, named
from companion.pages import pages as build
from scoring.games import PLAYS
from scoring.trails.moves.corrections import Adopt
from scoring.trails.moves.hiking import Exchange, Hike, Leave, Photograph
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.score_entry import AddBadge, Done, RemoveBadge
from tests.support.cases import every_row
from tests.support.log_builder import ANA, AT, BO, CY, HOST, PHONES, STRANGER, Told, all_at, on_one_phone, readable
from tests.support.positions import laid
from tests.support.random_games import random_game
from tests.support.table_states import moves


def free(told: Told, number: int) -> list[str]:
    """Return the phones that may take a step back, or put it back, without asking."""
    table = told.table
    step = table.step(number) or table.undone[str(number)][0]
    return [device for device in (HOST, *PHONES, STRANGER) if table.is_free(step, device)]


def test_the_last_step_is_free_for_its_player_and_for_nobody_else():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    assert free(told, hike) == [ANA]
    told.say(ANA, TookBack(hike), 0)
    assert told.table.state == told.table.first and told.table.steps == ()
    assert told.lines[-1] == "Ana took back: Ana hiked 2 to the leaf site. +1 leaf."


def test_a_line_taken_back_says_who_did_it_until_it_is_put_back():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    after = told.table.state
    told.say(ANA, TookBack(hike), 0)
    assert [line.undone_by for line in told.table.lines if line.number == hike] == ["Ana"]
    assert free(told, hike) == [ANA]
    told.say(ANA, PutBack(hike), 0)
    assert [line.undone_by for line in told.table.lines if line.number == hike] == [None]
    assert told.table.state == after and told.table.undone == {}
    assert told.lines[-1] == "Ana put back: Ana hiked 2 to the leaf site. +1 leaf."


def played(told: Told) -> dict[str, int]:
    """Play some moves; return the entries by name."""
    numbers = {"name": told.play(0, NameCard("trailhead", "science")), "hike": told.play(0, Hike(1))}
    numbers["exchange"] = told.play(0, Exchange("acorn", "rock"))
    numbers["bo"] = told.play(1, Hike(2))
    numbers["note"] = told.play(1, NoteHand("climber-leaf"))
    numbers["last"] = told.play(0, Hike(1))
    return numbers


WHO = [
    ("name", []),  # Bo, whose turn it was not, has moved since
    ("hike", []),
    ("exchange", []),
    ("bo", []),  # Ana has moved since
    ("note", [BO]),  # a secret is always its own player's
    ("last", [ANA]),
]


@every_row(("step", "phones"), WHO)
def test_a_step_is_free_for_its_own_phone_as_long_as_nobody_else_has_moved_in_turn(step: str, phones: list[str]):
    told = all_at("Ana", "Bo")
    assert free(told, played(told)[step]) == phones


@every_row("step", [step for step, _ in WHO])
def test_a_phone_that_holds_every_seat_may_take_anything_back(step: str):
    told = on_one_phone("Ana", "Bo")
    assert free(told, played(told)[step]) == [HOST]


def test_what_everybody_does_at_once_stays_free():
    """Counting is not in turns: what others have counted since does not bind anybody."""
    told = all_at("Ana", "Bo", game="trails-tally")
    badge = told.play(0, AddBadge("science"))
    told.play(1, AddBadge("climber-leaf"), Done())
    assert free(told, badge) == [ANA]


def test_what_needed_the_tables_consent_needs_it_again():
    told = all_at("Ana", "Bo")
    asked = told.propose(0, Played({"type": "adopt", "ruling": "zero-birds", "option": "everyone"}))
    told.agree(1, asked)
    assert told.table.steps[-1].move == Adopt("zero-birds", "everyone")
    assert free(told, told.table.number) == []


def test_a_step_five_turns_ago_goes_and_what_came_after_stays():
    told = all_at("Ana", "Bo")
    mistake = told.play(0, NameCard("trailhead", "science"))
    told.play(0, Hike(2))
    told.play(1, Hike(2))
    told.play(0, Hike(2), Leave())
    told.play(1, Hike(2), Leave())
    told.play(0, Hike(1))
    before = told.table.state
    asked = told.propose(0, TookBack(mistake))
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
    told.agree(1, told.propose(0, PutBack(mistake)))
    assert told.table.state == before
    assert [step.number for step in told.table.steps] == sorted(step.number for step in told.table.steps)


# One tap, on the arrow or in the log: it may change one step and no other.


def controls(told: Told, seat: int) -> tuple[str, dict[str, str]]:
    """Return the step that the arrow of a seat's page takes back, and what each line of its log offers."""
    page = build.seat_page(told.table, told.table.seats[seat], seat)
    return page.undo.id if page.undo else "", {line.step: line.can for line in page.log if line.can}


def in_the_reveal() -> tuple[Told, int]:
    """Return a table of two where play is over and Ana, who took the last turn, has named a photo; and that note."""
    told = all_at("Ana", "Bo")
    for seat, move in moves("trails", ("Ana", "Bo")):
        told.play(seat, move)
        if told.table.state.over:
            break
    seat = told.table.steps[-1].seat
    return told, told.play(seat, NotePhoto(2, 1))


def test_undo_during_reveal_removes_the_photo_and_never_the_last_move():
    told, note = in_the_reveal()
    played, seat = told.table.steps[-2], told.table.steps[-1].seat
    arrow, log = controls(told, seat)
    assert arrow == str(note) and log == {str(note): "take_back"}
    told.say(told.table.seats[seat], TookBack(note), seat)
    assert controls(told, seat) == ("", {str(note): "put_back"})
    assert told.table.state.over and told.table.steps[-1] == played


def test_undo_during_reveal_is_not_offered_for_the_last_move_after_another_players_note():
    told, note = in_the_reveal()
    seat = told.table.steps[-1].seat
    told.say(told.table.seats[seat], TookBack(note), seat)
    told.play(1 - seat, NotePhoto(1, 0))
    assert controls(told, seat)[0] == ""


def test_undo_after_a_hand_note_takes_back_the_note():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    note = told.play(0, NoteHand("science"))
    assert controls(told, 0) == (str(note), {str(note): "take_back", str(hike): "take_back"})
    told.say(ANA, TookBack(note), 0)
    assert controls(told, 0)[0] == str(hike)


def test_undo_stays_off_the_page_of_another_seat_that_the_phone_holds():
    """The page of a seat names no note of another one, even where one phone has both."""
    told = on_one_phone("Ana", "Bo")
    told.play(0, Hike(2))
    note = told.play(0, NoteHand("science"))
    undos = [build.seat_page(told.table, HOST, seat).undo for seat in (0, 1)]
    assert [undo and undo.id for undo in undos] == [str(note), None]


def test_undo_of_the_log_is_offered_for_a_step_only_if_later_ones_stay():
    told = all_at("Ana", "Bo")
    hike, exchange = told.play(0, Hike(1)), told.play(0, Exchange("acorn", "leaf"))
    assert controls(told, 0) == (str(exchange), {str(exchange): "take_back"})
    told.say(ANA, TookBack(exchange), 0)
    assert controls(told, 0) == (str(hike), {str(exchange): "put_back", str(hike): "take_back"})


def test_redo_is_offered_only_in_the_order_of_play():
    told = all_at("Ana", "Bo")
    hike, exchange = told.play(0, Hike(1)), told.play(0, Exchange("acorn", "leaf"))
    told.say(ANA, TookBack(exchange), 0)
    told.say(ANA, TookBack(hike), 0)
    assert controls(told, 0) == ("", {str(hike): "put_back"})
    told.say(ANA, PutBack(hike), 0)
    assert controls(told, 0)[1] == {str(hike): "take_back", str(exchange): "put_back"}


@pytest.mark.parametrize("game", PLAYS)
def test_one_tap_of_undo_or_redo_changes_one_step_in_every_game(game: str):
    names = ("Ana", "Bo")
    told, rng, wrong, offered = all_at(*names, game=game), random.Random(game), [], 0
    for number, (seat, move) in enumerate(moves(game, names)):
        told.play(seat, move)
        if number % 5 and not told.table.over:
            continue
        for who in range(len(names)):
            own = [step for step in told.table.steps if step.seat == who]
            arrow, log = controls(told, who)
            if arrow and arrow != own[-1].id:
                wrong.append(f"the arrow skips {own[-1].text}")
            for id, can in log.items():
                before, offered = told.table, offered + 1
                after = folded(before, (TookBack if can == "take_back" else PutBack)(int(id)), who)
                if {step.id for step in before.steps} ^ {step.id for step in after.steps} != {id}:
                    wrong.append(f"{can} {id} of {named(before.known(id))}")
        if own and rng.random() < 0.5 and controls(told, who)[0] == own[-1].id:  # and from where something is undone
            undone = told.table.step(own[-1].id)
            told.say(told.table.seats[who], TookBack(undone.number), who)
            assert controls(told, who)[1].get(undone.id) == "put_back"
            told.say(told.table.seats[who], PutBack(undone.number), who)
    assert wrong == [] and offered


def folded(table: Table, wish: TookBack | PutBack, seat: int) -> Table:
    """Return a table after a seat's phone has undone or redone a step."""
    return fold(table, table.code, Entry(table.number + 1, AT, table.seats[seat], seat, wish))


def in_the_way(told: Told, number: int) -> str:
    with pytest.raises(InTheWay) as fault:
        told.table.spliced(Rewrote(str(number), str(number)), {})
    return str(fault.value)


def test_the_later_step_that_stands_in_the_way_is_named_with_the_reason():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.play(1, Hike(1), Leave())
    text = in_the_way(told, hike)
    assert (
        text == "\u201cBo hiked 1 to the exchange site.\u201d stands in the way. "
        "It would still be up to Ana there: hike 1 or 2 tiles, or use the canteen."
    )


def test_a_badge_taken_off_the_sheet_stands_in_the_way_of_never_having_been_on_it():
    told = all_at("Ana", "Bo", game="trails-tally")
    badge = told.play(0, AddBadge("science"))
    told.play(1, AddBadge("climber-leaf"))
    off = told.play(0, RemoveBadge("science"))
    assert in_the_way(told, badge).startswith("\u201cAna has no Science.\u201d stands in the way.")
    told.say(ANA, TookBack(off), 0)
    told.say(ANA, TookBack(badge), 0)
    assert told.table.state.players[0].badges == ()


def test_a_step_can_stand_in_the_way_of_another_being_put_back():
    told = all_at("Ana", "Bo", game="trails-tally")
    badge = told.play(0, AddBadge("climber-leaf"))
    told.say(ANA, TookBack(badge), 0)
    told.play(1, AddBadge("climber-leaf"))
    with pytest.raises(InTheWay) as fault:
        told.table.spliced(Rewrote(told.table.steps[-1].id, tail=(str(badge),)), {})
    assert fault.value.step.text == "Bo has Climber (leaf)."
    assert fault.value.reasons[0].code == "badge-copies"


def test_a_secret_note_in_the_way_is_not_read_out():
    """What stands in the way is shown to whoever asks: a note must not be told by it."""
    told = all_at("Ana", "Bo")
    told.play(0, Hike(2))
    told.play(1, Hike(2))
    told.play(0, Hike(2))
    photo = told.play(0, Photograph(pay="acorn"))
    told.play(0, NotePhoto(2, 1))
    assert in_the_way(told, photo) == "A note that only Ana can read stands in the way; Ana can take it back first."


def test_what_nobody_can_do_any_more_is_told_without_the_note_in_the_way():
    told = all_at("Ana", "Bo", "Cy")
    for seat in range(3):
        told.play(seat, Hike(2))
    told.play(0, Hike(2))
    photo = told.play(0, Photograph(pay="acorn"))
    asked = told.propose(1, TookBack(photo))
    told.play(0, NotePhoto(2, 1))
    told.agree(0, asked)
    told.agree(2, asked)
    assert told.table.step(photo) and told.table.proposals == ()
    assert readable(told.table)[-1] == (
        "\u201cTake back \u2018Ana drew two photos and kept one for an acorn. \u22121 acorn. +1 photo.\u2019\u201d is no longer "
        "possible. A note that only Ana can read stands in the way; Ana can take it back first."
    )


def test_a_step_taken_back_twice_and_put_back_twice_is_as_it_was():
    told = all_at("Ana", "Bo", "Cy")
    hike = told.play(0, Hike(2))
    after = told.table.state
    for _ in range(2):
        told.say(ANA, TookBack(hike), 0)
        assert told.table.state == told.table.first
        told.say(ANA, PutBack(hike), 0)
        assert told.table.state == after
    assert told.table.seats == (ANA, BO, CY) and told.table.undone == {}


@pytest.mark.parametrize("game", PLAYS)
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_told_by_entries_is_the_game_the_core_plays(game: str, seed: int):
    rules, record = PLAYS[game], []
    names = ["Ana", "Bo", "Cy", "Di", "Ed"][: rules.box.seats[seed % len(rules.box.seats)]]
    end = random_game(rules, laid(names, rules.key), random.Random(seed), record)
    told = on_one_phone(*names, game=game)
    for seat, move in record:
        told.play(seat, move)
    assert told.table.state == end and told.table.over
    assert [(step.seat, step.move) for step in told.table.steps] == record
    assert rules.replay(told.table.setup, record) == end


@pytest.mark.slow("whole games")
@pytest.mark.parametrize("game", PLAYS)
@pytest.mark.parametrize("seed", range(2))
def test_taking_every_step_back_from_the_end_returns_to_the_start_through_every_state(game: str, seed: int):
    rules, record = PLAYS[game], []
    names = ["Ana", "Bo", "Cy"][: rules.box.seats[-1]]
    random_game(rules, laid(names, rules.key), random.Random(100 + seed), record)
    told = on_one_phone(*names, game=game)
    states = [told.table.state]
    for seat, move in record:
        told.play(seat, move)
        states.append(told.table.state)
    steps = told.table.steps
    for step, state in zip(reversed(steps), reversed(states[:-1]), strict=True):
        told.say(HOST, TookBack(step.number), step.seat)
        assert told.table.state == state
    assert told.table.state == told.table.first and len(told.table.undone) == len(steps)
    for step, state in zip(steps, states[1:], strict=True):
        told.say(HOST, PutBack(step.number), step.seat)
        assert told.table.state == state
    assert told.table.steps == steps
