"""Tests of the timeline pages: earlier positions of the table and repairs from there."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from flask import Flask

from companion.log.log_text import game_log
from companion.log.plans import Insert, RepairPlan, Truncate, decode_plan
from companion.log.table import to_data
from scoring.games import TRACKED_GAMES
from scoring.on_the_trail.moves.run_moves import Stay
from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.log_builder import build_seated_log
from tests.support.page_parser import Page, parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.player_names import names_for
from tests.support.repair_pages import (
    CHANGED,
    DROPPED,
    MISSING,
    RESTORED_TO,
    answer_proposal,
    approve_by_all,
    enter_moves,
    move_json,
    open_snapshot,
    repair_links,
    request_repair,
    step_texts,
)
from tests.support.table_states import (
    in_the_middle,
    map_game_in_the_middle,
    on_one_phone,
    own_random_game_moves,
    play_moves,
    random_game_moves,
    with_repairs,
)
from tests.support.table_states import scores_entered as counted_all
from tests.support.timeline_addresses import seat_addresses

HIKED = "Ana hiked 2 tiles to the leaf site, +1 leaf."


# From a log line to an earlier position.


def test_log_line_opens_the_table_before_its_step(table_after_hikes: SeatedTable):
    log_page = table_after_hikes.phone(1).open(f"{table_after_hikes.path}/seat/1/log")
    lines = [address.partition("?")[0] for address in log_page.addresses if "/log/" in address]
    assert lines == [f"{table_after_hikes.path}/log/{step.id}" for step in table_after_hikes.table.steps]
    page = open_snapshot(table_after_hikes, 1, "8")  # Cy's hike
    assert "As it was before move 4" in page.text and "Hike 1 or 2 tiles, or use the canteen." not in page.text
    assert "Hike 1 or 2 tiles, or use the canteen." in open_snapshot(table_after_hikes, 2, "8").text
    assert page.tags_with_class("trail")  # the picture
    assert "What happened Cy hiked 2 tiles to the leaf site, +1 leaf. Is this wrong?" in page.text
    assert "What it changed Cy leaves 1 \u2192 becomes 2" in page.text
    assert (
        "What happened instead? Hike 1 tile to the exchange site exchange 1 resource for 2 of a different type "
        "Hike 3 tiles" in page.text
    )
    assert "Hike 4 tiles to the photo site with the canteen" in page.text
    assert all(rule.text in page.text for rule in Hike.rules)
    assert {f"{table_after_hikes.path}/log/{step}?seat=1" for step in (7, 9)} <= set(page.addresses)  # earlier, later


def test_earlier_and_later_links_visit_every_step_visible_to_the_phone(table_after_hikes: SeatedTable):
    for phone, steps in (
        (table_after_hikes.phone(1), 6),
        (table_after_hikes.phone(0), 5),
        (Phone(table_after_hikes.app), 5),
    ):
        address, pages = f"{table_after_hikes.path}/log/{table_after_hikes.table.steps[-1].id}", []
        while address:
            pages.append(address)
            page = phone.open(address)
            assert f"As it was before move {steps + 1 - len(pages)} {steps + 1 - len(pages)} of {steps}" in page.text
            links = [attributes for tag, attributes in page.tags if tag == "a" and attributes.get("rel") == "prev"]
            address = links[0]["href"] if links else ""
        assert len(pages) == steps


@pytest.mark.parametrize("id", ["1", "2", "99", "8.1", "x", "0", "-1", "9" * 400])
def test_unknown_step_redirects_to_the_log(table_after_hikes: SeatedTable, id: str):
    for ending in ("", "/now"):
        answer = table_after_hikes.phone(0).get(f"{table_after_hikes.path}/log/{id}{ending}")
        assert answer.status_code == 303 and answer.headers["Location"].endswith("/log#latest")


@pytest.mark.parametrize(
    "plan", ["x", "eNo", "A" * 3000, RepairPlan("99", 1).encode(), RepairPlan("8", 10**9).encode()[:-3]]
)
def test_invalid_repair_plan_redirects_to_the_log(table_after_hikes: SeatedTable, plan: str):
    for ending in ("", "/now"):
        assert table_after_hikes.phone(0).get(f"{table_after_hikes.path}/seat/0/mend/{plan}{ending}").status_code in (
            303,
            404,
        )
    for form in ("play", "right", "ask"):
        answer = table_after_hikes.phone(0).post(
            f"{table_after_hikes.path}/seat/0/mend/{plan}/{form}", {"move": '{"type":"hike","steps":1}'}
        )
        assert answer.status_code in (303, 400, 403, 404)
    assert table_after_hikes.table.version == 10


def test_spectator_reads_the_log_but_cannot_repair_it(table_after_hikes: SeatedTable, phone: Phone):
    table_after_hikes.submit(1, "right", {"was.players.0.leaf": "2", "is.players.0.leaf": "4"})
    log_page = phone.open(f"{table_after_hikes.path}/log")
    assert HIKED in log_page.text and "hand badge:" not in log_page.text
    assert repair_links(phone.open(f"{table_after_hikes.path}/log/6")) == {}
    for path in ("", "/board", f"/if/{table_after_hikes.table.version}"):
        assert "Ana\u2019s leaves 2 \u2192 4" in phone.open(f"{table_after_hikes.path}{path}").text
    answer_proposal(table_after_hikes, 0, table_after_hikes.table.version)
    repaired = request_repair(table_after_hikes, 2, repair_links(open_snapshot(table_after_hikes, 2, "10"))[DROPPED])
    # The repair is only proposed so far.
    assert (
        f"{table_after_hikes.path}/log/{repaired}/repair" not in phone.open(f"{table_after_hikes.path}/log").addresses
    )
    approve_by_all(table_after_hikes, repaired)
    (repair,) = table_after_hikes.table.repairs
    assert (
        f"{table_after_hikes.path}/log/{repair.number}/repair" in phone.open(f"{table_after_hikes.path}/log").addresses
    )
    assert "Cy undid: Ana skipped the photo." in phone.open(f"{table_after_hikes.path}/log/{repair.number}/repair").text


# Jumps in the log, and the turns of one player.


def test_log_has_links_to_each_round_and_player_and_ends_with_the_latest_line(table_after_hikes: SeatedTable):
    path = f"{table_after_hikes.path}/seat/1/log"
    page = table_after_hikes.phone(1).open(path)
    jumps = [address for address in page.addresses if "#" in address]
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert jumps[-4:] == ["#latest", *(f"#part-{number}" for number in (2, 1, 0))]
    assert {address[1:] for address in jumps if address.startswith("#")} <= set(ids)
    assert ids[-1] == "latest" and ids[-2] == f"step-{table_after_hikes.table.steps[-1].id}"
    assert [f"{path}#latest", *(f"{path}?player={seat}#latest" for seat in range(3))] == jumps[-8:-4]


def test_log_of_a_player_has_only_that_players_turns(table_after_hikes: SeatedTable):
    path, steps = f"{table_after_hikes.path}/seat/1/log", table_after_hikes.table.steps
    page = table_after_hikes.phone(1).open(f"{path}?player=2")
    shown = {address.split("?")[0].rpartition("/")[2] for address in page.addresses if "/log/" in address}
    assert shown == {step.id for step in steps if step.seat == 2}
    assert 'aria-current="page"' not in page.text and "Cy hiked" in page.text and HIKED not in page.text


@pytest.mark.parametrize("player", ["9", "-1", "x", ""])
def test_log_of_an_unknown_player_has_all_turns(table_after_hikes: SeatedTable, player: str):
    path = f"{table_after_hikes.path}/seat/1/log"
    assert HIKED in table_after_hikes.phone(1).open(f"{path}?player={player}").text


def test_log_of_a_player_never_shows_that_players_private_entries(table_after_hikes: SeatedTable, phone: Phone):
    (note,) = [step for step in table_after_hikes.table.steps if step.move.is_secret]
    own = table_after_hikes.phone(note.seat)
    assert note.text in own.open(f"{table_after_hikes.path}/seat/{note.seat}/log?player={note.seat}").text
    for seat in {0, 1, 2} - {note.seat}:
        page = table_after_hikes.phone(seat).open(f"{table_after_hikes.path}/seat/{seat}/log?player={note.seat}")
        assert note.text not in page.text and f"/log/{note.id}" not in "".join(page.addresses)
    assert note.text not in phone.open(f"{table_after_hikes.path}/log?player={note.seat}").text


# The moves that may be meant instead of a step.


def offered_moves(page: Page) -> list[str]:
    """Return the moves that the buttons of a page send."""
    return [sent["move"] for _, sent in page_buttons(page) if "move" in sent]


def test_step_is_replaced_by_one_of_the_moves_that_were_possible(table_after_hikes: SeatedTable):
    page = open_snapshot(table_after_hikes, 2, "8")  # Cy's hike of 2 tiles
    form, moves = next(address for address in page.addresses if "/play?as=2" in address), offered_moves(page)
    assert move_json(Hike(1)) in moves and move_json(Hike(2)) not in moves
    answer = table_after_hikes.phone(2).post(form, {"move": move_json(Hike(3, canteen=True))})
    (edit,) = decode_plan(answer.headers["Location"].rpartition("/")[2]).edits
    assert edit == Insert(2, to_data(Hike(3, canteen=True)))


def test_move_kept_secret_is_not_told_by_the_moves_possible_instead(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="on-the-trail")
    play_moves(table, own_random_game_moves(table)[:60])
    stops = [step for step in table.table.steps if isinstance(step.move, Stay) and step.move.keep]
    assert stops
    for step in stops:
        own, other = (offered_moves(open_snapshot(table, seat, step.id)) for seat in (step.seat, 1 - step.seat))
        assert move_json(step.move) not in own
        assert not any('"stay"' in move and '"keep"' in move for move in other)


def test_page_to_fix_a_mistake_begins_with_the_latest_moves(table_after_hikes: SeatedTable):
    (note,) = [step for step in table_after_hikes.table.steps if step.move.is_secret]
    for seat in range(3):
        page = table_after_hikes.phone(seat).open(f"{table_after_hikes.path}/seat/{seat}/tell")
        shown = [address.split("?")[0].rpartition("/")[2] for address in page.addresses if "/log/" in address]
        readable = [step.id for step in table_after_hikes.table.steps if step is not note or seat == note.seat]
        assert shown == readable[::-1]


# The four repairs of a step and their previews.


def test_step_offers_four_repairs_and_previews_change_nothing(table_after_hikes: SeatedTable):
    links = repair_links(open_snapshot(table_after_hikes, 2, "6"))
    assert list(links) == [DROPPED, MISSING, RESTORED_TO, CHANGED]
    pages = {label: table_after_hikes.phone(2).open(address).text for label, address in links.items()}
    assert "What happened? Instead of \u201cAna hiked 2 tiles to the leaf site\u201d" in pages[CHANGED]
    assert "A later move no longer works \u201cBo hiked 2 tiles to the leaf site\u201d" in pages[DROPPED]
    assert "What happened? Before \u201cAna hiked 2 tiles to the leaf site\u201d" in pages[MISSING]
    assert (
        "After the fix First changed move: \u201cAna hiked 2" in pages[RESTORED_TO]
        and "Removed: \u201cCy hiked 2" in pages[RESTORED_TO]
    )
    assert table_after_hikes.table.version == 10


def test_replaced_step_keeps_the_later_steps(table_after_hikes: SeatedTable):
    """Cy used the canteen: no later step depends on it."""
    page = enter_moves(
        table_after_hikes, 1, repair_links(open_snapshot(table_after_hikes, 1, "8"))[CHANGED], 2, Hike(2, canteen=True)
    )
    text = table_after_hikes.phone(1).open(page).text
    assert "After the fix" in text and "canteen filled \u2192 becomes empty" in text
    number = request_repair(table_after_hikes, 1, page)
    assert table_after_hikes.table.active_step("8") and table_after_hikes.table.find_proposal(number).text == (
        "Change \u201cCy hiked 2 tiles to the leaf site\u201d "
        "to \u201cCy hiked 2 tiles to the leaf site with the canteen\u201d"
    )
    approve_by_all(table_after_hikes, number)
    assert [step.id for step in table_after_hikes.table.steps] == [
        "5",
        "6",
        "7",
        f"{table_after_hikes.table.version}.1",
        "9",
        "10",
    ]
    assert "Cy hiked 2 tiles to the leaf site, +1 leaf." not in step_texts(table_after_hikes)


def test_removed_step_can_be_restored(table_after_hikes: SeatedTable):
    number = request_repair(table_after_hikes, 2, repair_links(open_snapshot(table_after_hikes, 2, "10"))[DROPPED])
    assert table_after_hikes.table.find_proposal(number).text == "Undo \u201cAna skipped the photo\u201d"
    approve_by_all(table_after_hikes, number)
    assert step_texts(table_after_hikes)[-1] == "Ana hiked 2 tiles to the photo site."
    page = open_snapshot(table_after_hikes, 0, "10")
    assert "Removed by Cy" in page.text and list(repair_links(page)) == ["put back"]
    request_repair(table_after_hikes, 0, repair_links(page)["put back"])
    assert step_texts(table_after_hikes)[-1] == "Ana skipped the photo."


def test_missing_step_is_inserted(table_after_hikes: SeatedTable):
    page = enter_moves(
        table_after_hikes,
        2,
        repair_links(open_snapshot(table_after_hikes, 2, "9"))[MISSING],
        2,
        NameCard("trailhead", "climber-leaf"),
    )
    assert (
        "left badge at the Trailhead not entered \u2192 becomes Climber (leaf)"
        in table_after_hikes.phone(2).open(page).text
    )
    request_repair(table_after_hikes, 2, page)
    assert (
        step_texts(table_after_hikes)[4] == "New badge at the Trailhead: Climber (leaf)."
        and table_after_hikes.table.proposals == ()
    )
    assert table_after_hikes.table.state.trailhead == ("climber-leaf", None)


def test_rewound_table_can_be_restored_completely(table_after_hikes: SeatedTable):
    before = table_after_hikes.table.state
    approve_by_all(
        table_after_hikes,
        request_repair(table_after_hikes, 0, repair_links(open_snapshot(table_after_hikes, 0, "7"))[RESTORED_TO]),
    )
    assert step_texts(table_after_hikes)[-1] == HIKED and table_after_hikes.table.tracked.flow.to_move(
        table_after_hikes.table.state
    ) == (1,)
    (repair,) = table_after_hikes.table.repairs
    page = table_after_hikes.phone(2).open(f"{table_after_hikes.path}/log/{repair.number}/repair")
    assert "Ana undid 4 moves, back to before \u201cBo hiked 2 tiles to the leaf site\u201d." in page.text
    assert "agreed by Bo and Cy" in page.text
    (repair_address,) = [address for address in page.addresses if "/mend/" in address]
    approve_by_all(table_after_hikes, request_repair(table_after_hikes, 2, repair_address))
    assert table_after_hikes.table.state == before and table_after_hikes.table.removed == {}


# A later step that becomes illegal.


@pytest.fixture
def blocked_page(table_after_hikes: SeatedTable) -> str:
    """Return the page where Bo has changed Cy's hike to 1, so that Ana's later hike is blocked.

    Cy would then be at the exchange, and it would not be Ana's turn yet.
    """
    return enter_moves(
        table_after_hikes, 1, repair_links(open_snapshot(table_after_hikes, 1, "8"))[CHANGED], 2, Hike(1)
    )


def answer_links(page: Page) -> dict[str, str]:
    """Return the links of a page with a blocked step, by the resolution: "out" or "stop"."""
    plans = {
        address: decode_plan(address.rpartition("/")[2])
        for address in page.addresses
        if re.search("/mend/[^/?]+$", address)
    }
    return {"stop" if plan.resolutions[-1] == Truncate() else "out": address for address, plan in plans.items()}


def test_blocked_step_is_shown_with_its_reason_and_three_resolutions(table_after_hikes: SeatedTable, blocked_page: str):
    page = table_after_hikes.phone(1).open(blocked_page)
    assert "A later move no longer works \u201cAna hiked 2 tiles to the photo site\u201d" in page.text
    assert "At this point, it is still Cy\u2019s turn." in page.text
    assert "Remove this move End the fix here" in page.text
    assert "Ending the fix removes the last 2 moves. You can restore them." in page.text
    assert any(address.startswith(f"{blocked_page}/play?as=2") for address in page.addresses)
    assert sorted(answer_links(page)) == ["out", "stop"]
    # Nothing is proposed before the repair is complete.
    assert table_after_hikes.phone(1).post(f"{blocked_page}/ask").headers["Location"] == blocked_page
    assert table_after_hikes.table.version == 10


@pytest.mark.parametrize("label", ["out", "stop"])
def test_blocked_step_is_dropped_or_the_log_truncated(table_after_hikes: SeatedTable, blocked_page: str, label: str):
    address = answer_links(table_after_hikes.phone(1).open(blocked_page))[label]
    text = table_after_hikes.phone(1).open(address).text
    assert (
        "After the fix" in text
        and "Removed: \u201cAna hiked 2 tiles to the photo site\u201d Removed: \u201cAna skipped the photo\u201d"
        in text
    )
    approve_by_all(table_after_hikes, request_repair(table_after_hikes, 1, address))
    assert step_texts(table_after_hikes)[-1] == "Cy hiked 1 tile to the exchange site." and {"8", "9", "10"} == set(
        table_after_hikes.table.removed
    )
    assert (
        "entered by Bo, agreed by Ana and Cy"
        in table_after_hikes.phone(0).open(f"{table_after_hikes.path}/seat/0/log").text
    )
    inserted = next(step for step in table_after_hikes.table.steps if step.entered_by is not None)
    assert "Entered by Bo, agreed by Ana and Cy." in open_snapshot(table_after_hikes, 0, inserted.id).text


def test_blocked_step_is_resolved_by_inserting_a_move(table_after_hikes: SeatedTable, blocked_page: str):
    page = enter_moves(table_after_hikes, 1, blocked_page, 2, Exchange("leaf", "rock"))
    text = table_after_hikes.phone(1).open(page).text
    assert "After the fix" in text and "New: \u201cCy exchanged 1 leaf for 2 rocks\u201d" in text and "Ask Cy" in text
    approve_by_all(table_after_hikes, request_repair(table_after_hikes, 1, page))
    assert step_texts(table_after_hikes)[3:] == [
        "Cy hiked 1 tile to the exchange site.",
        "Cy exchanged 1 leaf for 2 rocks.",
        "Ana hiked 2 tiles to the photo site.",
        "Ana skipped the photo.",
    ]


@pytest.mark.parametrize("htmx", [True, False])
def test_replacement_that_was_illegal_then_is_refused_with_its_rule(table_after_hikes: SeatedTable, htmx: bool):
    page = repair_links(open_snapshot(table_after_hikes, 2, "8"))[CHANGED]
    answer = table_after_hikes.phone(2).post(f"{page}/play?as=2", {"move": '{"type":"hike","steps":3}'}, htmx=htmx)
    assert answer.status_code == 422
    text = parse_page(answer.text)
    assert "Hike 1 or 2 tiles, not 3." in text.text
    assert "/rules/trails/hike-distance" in text.addresses and ("<html" in answer.text) is not htmx
    answer = table_after_hikes.phone(2).post(f"{page}/play?as=1", {"move": '{"type":"hike","steps":1}'}, htmx=htmx)
    assert answer.status_code == 422 and "At this point, it is still Cy\u2019s turn." in parse_page(answer.text).text
    answer = table_after_hikes.phone(2).post(f"{page}/play?as=2", {"move": "{"}, htmx=htmx)
    assert answer.status_code == 400 and "could not be read" in parse_page(answer.text).text
    assert (
        table_after_hikes.phone(2).post(f"{page}/play?as=9", {"move": '{"type":"hike","steps":1}'}).status_code == 303
    )
    assert table_after_hikes.table.version == 10


def test_secret_note_of_another_player_is_refused_where_it_is_inserted(table_after_hikes: SeatedTable):
    page = repair_links(open_snapshot(table_after_hikes, 2, "8"))[MISSING]
    note = {"move": move_json(NoteHand("climber-leaf"))}
    answer = table_after_hikes.phone(2).post(f"{page}/play?as=0", note)
    assert answer.status_code == 422
    assert "Only the player who made a private entry can change it" in parse_page(answer.text).text
    assert table_after_hikes.phone(2).post(f"{page}/play?as=2", note).status_code == 303


def test_correction_form_repairs_an_earlier_position(table_after_hikes: SeatedTable):
    page = repair_links(open_snapshot(table_after_hikes, 2, "8"))[MISSING]
    answer = table_after_hikes.phone(2).post(
        f"{page}/right?as=2", {"was.players.1.leaf": "2", "is.players.1.leaf": "4"}
    )
    text = table_after_hikes.phone(2).open(answer.headers["Location"]).text
    assert "New: \u201cCy corrected: Bo\u2019s leaves 2 \u2192 4\u201d" in text and "Ask Bo" in text
    refused = table_after_hikes.phone(2).post(
        f"{page}/right?as=2", {"was.players.1.leaf": "2", "is.players.1.leaf": "-1"}
    )
    assert refused.status_code == 422 and "Leaves: -1 is not possible" in parse_page(refused.text).text


@pytest.mark.long("many repaired logs")
@parametrize_cases("game", TRACKED_GAMES)
def test_no_earlier_position_is_described_as_somebodys_current_turn(app: Flask, game: str):
    """Conflicts of earlier steps are described as hypothetical, not as the current state."""
    table = open_seated_table(app, *names_for(game), game=game)
    play_moves(table, own_random_game_moves(table)[:30])
    readable = [step for step in table.table.steps if not step.move.is_secret]
    for step in readable[:: max(1, len(readable) // 10)]:
        for seat in (0, 1):
            links = repair_links(open_snapshot(table, seat, step.id))
            for label in (DROPPED, MISSING, RESTORED_TO):
                text = table.phone(seat).open(links[label]).text
                assert not re.search("It is \\w+\u2019s turn", text[: text.find("What happened")]), step.text
                answer = table.phone(seat).post(
                    f"{links[MISSING]}/play?as={(step.seat + 1) % len(table.table.seats)}",
                    {"move": move_json(step.move)},
                )
                assert not re.search("It is \\w+\u2019s turn", parse_page(answer.text).text), step.text


# The table view.


def test_snapshot_is_on_the_table_view_until_the_game_goes_on(table_after_hikes: SeatedTable):
    board = f"{table_after_hikes.path}/board"
    assert table_after_hikes.submit(2, "show", {"step": "8"}).headers["Location"] == f"{table_after_hikes.path}/log/8"
    page = Phone(table_after_hikes.app).open(board)
    assert "As it was before move 3 Cy hiked 2 tiles to the leaf site, +1 leaf." in page.text
    table_after_hikes.submit(0, "show", {"step": ""})
    assert "As it was before" not in table_after_hikes.phone(0).open(board).text
    table_after_hikes.submit(2, "show", {"step": "8"})
    table_after_hikes.play(1, Hike(2))
    assert "As it was before" not in table_after_hikes.phone(0).open(board).text


@pytest.mark.parametrize("step", ["5", "99", "x", "1"])
def test_secret_or_unknown_step_cannot_be_shown_on_the_table_view(table_after_hikes: SeatedTable, step: str):
    for seat in range(3):
        assert table_after_hikes.submit(seat, "show", {"step": step}).status_code == 303
    assert table_after_hikes.table.pinned_step == "" and table_after_hikes.table.version == 10
    assert "hand badge:" not in table_after_hikes.phone(1).open(f"{table_after_hikes.path}/board").text


# Notes in repaired steps.


def test_note_removed_by_a_repair_is_named_only_to_its_own_player(table_after_hikes: SeatedTable, phone: Phone):
    table_after_hikes.play(1, NoteHand("climber-leaf"))
    note = "Bo\u2019s hand badge: Climber (leaf)."
    page = enter_moves(
        table_after_hikes,
        2,
        repair_links(open_snapshot(table_after_hikes, 2, "6"))[MISSING],
        2,
        NameCard("trailhead", "climber-leaf"),
    )
    text = table_after_hikes.phone(2).open(page).text
    assert "In the game log New: \u201cNew badge at the Trailhead: Climber (leaf)\u201d Waymark is" in text
    approve_by_all(table_after_hikes, request_repair(table_after_hikes, 2, page))
    (repair,) = table_after_hikes.table.repairs
    # As noted before.
    assert [step.text for step in repair.removed] == [note] and table_after_hikes.table.state.players[
        1
    ].hand == "science"
    address = f"{table_after_hikes.path}/log/{repair.number}/repair"
    assert note in table_after_hikes.phone(1).open(address).text
    for other in (table_after_hikes.phone(0), table_after_hikes.phone(2), phone):
        assert (
            "New badge at the Trailhead: Climber (leaf)" in other.open(address).text
            and note not in other.open(address).text
        )
        for path in ("", "/log", f"/log/{repair.removed[0].id}", "/board"):
            assert note not in other.get(table_after_hikes.path + path).text


# Buttons.


def page_buttons(page: Page) -> list[tuple[str, dict[str, str]]]:
    """Return the address and data of a page's buttons, except those of forms with choices."""
    forms = [form for form in page.forms if form.method == "post" and "move.type" not in form.default_values]
    named = [
        (action, {**form.default_values, name: value})
        for form in forms
        for action, (name, value) in zip(form.button_actions, form.buttons, strict=True)
    ]
    asking = [(form.action, form.default_values) for form in forms if form.action.endswith("/ask")]
    sent = [*named, *asking]
    return [
        (action, {name: value for name, value in form.items() if name not in ("csrf_token", "tap")})
        for action, form in sent
    ]


def seat_pages(table: SeatedTable, seat: int) -> list[str]:
    """Return the addresses of a seat's page, its log, the latest snapshots and their repairs."""
    snapshots = [
        path
        for path in seat_addresses(table.table, seat, max_steps=6)
        if path.startswith("log/") and not path.endswith("now")
    ]
    phone = table.phone(seat)
    plans = [address for path in snapshots for address in repair_links(phone.open(f"{table.path}/{path}")).values()]
    return [table.path, *(f"{table.path}/{path}" for path in (f"seat/{seat}", f"seat/{seat}/log", *snapshots)), *plans]


BUTTONS: dict[str, Callable[[Flask], SeatedTable]] = {
    "repairs made and asked for": with_repairs,
    "a game of TRAILS": in_the_middle,
    "maps": map_game_in_the_middle,
    "counted": counted_all,
    "one phone": on_one_phone,
}
BUTTONS |= {game: lambda app, game=game: open_game(app, game) for game in ("parks", "on-the-trail", "parks-tally")}


def open_game(app: Flask, game: str) -> SeatedTable:
    table = open_seated_table(app, "Ana", "Bo", game=game)
    return play_moves(table, own_random_game_moves(table)[:40])


@pytest.mark.long("every button of tables in every state")
@parametrize_cases("state", BUTTONS)
def test_page_has_no_button_that_is_refused(app: Flask, monkeypatch: pytest.MonkeyPatch, state: str):
    """Each button of each page is submitted for the current table; nothing is written."""
    table, sent_forms = BUTTONS[state](app), set()
    monkeypatch.setattr(table.referee.store, "append", lambda *_: None)
    for seat in range(len(table.phones)):
        for path in seat_pages(table, seat):
            for action, sent in page_buttons(table.phone(seat).open(path)):
                if (seat, action, str(sent)) in sent_forms or action.endswith("/again"):
                    continue
                sent_forms.add((seat, action, str(sent)))
                answer = table.phone(seat).post(action, sent)
                assert answer.status_code == 303, f"{path}: {action} {sent}: {parse_page(answer.text).text[:400]}"
    assert len(sent_forms) > 10


@pytest.mark.slow("many pages")
@pytest.mark.parametrize("seat", ["x", "", "-1", "7", "9" * 5000, "\u00b2", "\u0663", "1.5"])
def test_repair_page_with_an_invalid_seat_is_answered(table_after_hikes: SeatedTable, seat: str):
    page = repair_links(open_snapshot(table_after_hikes, 2, "8"))[MISSING]
    for ending in ("", "/now"):
        assert table_after_hikes.phone(2).get(f"{page}{ending}", query_string={"as": seat}).status_code == 200
    answer = table_after_hikes.phone(2).post(f"{page}/play?as={seat}", {"move": '{"type":"fly"}'})
    assert answer.status_code == 400


# The headings of a race count its rounds.
@pytest.mark.parametrize("game", ["trails", "parks", "alpine-trails"])
def test_heading_of_the_log_never_divides_a_turn(game: str):
    builder = build_seated_log("Ana", "Bo", game=game)
    for seat, move in random_game_moves(game, ("Ana", "Bo")):
        builder.play(seat, move)
    heading = {
        line.id: chapter.title
        for chapter in game_log(builder.table, (0, 1))
        for turn in chapter.turns
        for line in turn.lines
    }
    in_turn = [step for step in builder.table.steps if not step.move.out_of_turn]
    divided = [
        (heading[first.id], heading[following.id], following.text)
        for first, following in pairwise(in_turn)
        if builder.table.tracked.is_turn_unfinished(first.before, following.before, first.seat)
        and heading[first.id] != heading[following.id]
    ]
    assert divided == []


def test_last_round_begins_after_the_turn_that_takes_the_sun():
    builder = build_seated_log("Ana", "Bo")
    for seat, move in random_game_moves("trails", ("Ana", "Bo")):
        builder.play(seat, move)
    chapters = game_log(builder.table, (0, 1))
    last = next(chapter for chapter in chapters if chapter.title == "Last round")
    first = builder.table.find_step(last.turns[0].lines[0].id)
    assert first.before.sun_holder not in (None, first.seat) and isinstance(first.move, Hike)
