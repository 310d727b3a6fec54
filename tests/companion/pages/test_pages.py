"""Tests of the contents of each page: moves, questions, the log, the score and the rules."""

import random
import re
from collections import Counter

import pytest
from msgspec.structs import replace

from companion.log.entries import Declined, MoveRedone, MoveUndone, Played, Proposed, SeatRequested, VerdictSaved
from companion.log.table import Table
from companion.pages import board as board_pages
from companion.pages import home as home_pages
from companion.pages import rules as rules_pages
from companion.pages import seat as seat_pages
from companion.pages import sheet as sheet_pages
from companion.pages import table as table_pages
from companion.pages.menu import Menu
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.move import AdoptRuling, Move
from scoring.kernel.rule import Rule
from scoring.kernel.sheet import Column, Sheet, TieBreak, describe_gaps
from scoring.parks.moves.reveals import NamePark
from scoring.trails import rules as r
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Hike, Photograph, Skip
from scoring.trails.moves.reveals import NoteHand, NotePhoto
from tests.support.log_builder import ANA, BO, CY, DEVICES, HOST, STRANGER, LogBuilder, build_seated_log
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.player_names import names_for
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

TRAILS = GAMES["trails"].box


def test_heading_shows_whose_turn_it_is_and_the_last_move():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(2))
    builder.play(0, NoteHand("science"))
    page = table_pages.table_page(builder.table, BO, 1)
    assert (page.code, page.version, page.names, page.to_move) == (builder.table.code, 5, ("Ana", "Bo"), (1,))
    assert page.latest_text == "Ana hiked 2 tiles to the leaf site, +1 leaf."
    assert page.prompt == "Hike 1 or 2 tiles, or use the canteen."
    assert (page.has_begun, page.is_over, page.own_seats, page.is_host) == (True, False, (1,), False)
    assert table_pages.table_page(builder.table, HOST).is_host


def test_lobby_shows_free_held_and_own_seats():
    table = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO).table
    seats = table_pages.table_page(table, BO).seats
    assert [(seat.number, seat.name, seat.is_held, seat.is_own) for seat in seats] == [
        (0, "Ana", True, False),
        (1, "Bo", True, True),
        (2, "Cy", False, False),
    ]


def test_every_rendered_page_has_a_unique_tap():
    table = build_seated_log("Ana", "Bo").table
    assert len({table_pages.table_page(table, ANA, 0).tap for _ in range(50)}) == 50


@pytest.mark.slow("whole games")
@parametrize_cases("game", TRACKED_GAMES)
@parametrize_cases("seed", range(2))
def test_buttons_from_a_seats_view_are_the_legal_moves(game: str, seed: int):
    rules, record = TRACKED_GAMES[game], []
    names = list(names_for(game, 3))
    random_game(rules, ready_setup(names, rules.key), random.Random(seed), record)
    state = rules.initial_state(ready_setup(names, rules.key))
    for seat, move in record[:120]:
        for other in range(len(names)):
            menu = Menu(rules, rules.view(state, other), other)
            moves = [button.move for kind in rules.moves for button in menu.legal_buttons(tag_of(kind))]
            assert moves == [offer.move for offer in rules.offers(state, other) if offer.is_legal]
        state = rules.play(state, seat, move)


def test_likely_alternatives_to_a_name_come_first():
    rules = TRACKED_GAMES["parks"]
    state = rules.initial_state(rules.setup_format.default(["Ana", "Bo"]))
    wrong = NamePark("Kobuk Valley")
    names = [button.move.park for button in Menu(rules, state, 0).alternatives(wrong, wrong.log_text(state, 0))]
    assert [name[0] for name in names].index("K") == 0 and len(names) > 60
    assert sum(name[0] == "K" for name in names) == sum(name[0] == "K" for name in names[:4])


def tag_of(kind: type[Move]) -> str:
    return kind.__struct_config__.tag


def test_refused_moves_are_shown_with_reasons_except_out_of_turn_moves():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(2, canteen=True))
    builder.play(1, Hike(1), Skip())
    refused = seat_pages.seat_page(builder.table, ANA, 0).menu.refused_buttons()
    assert [(button.label, [reason.code for reason in button.reasons]) for button in refused] == [
        ("Hike 3 tiles to the rock site with the canteen", ["canteen-empty"])
    ]


def test_button_has_the_text_of_its_move():
    button = seat_pages.seat_page(build_seated_log("Ana", "Bo").table, ANA, 0).menu.legal_buttons("hike")[0]
    assert (button.move, button.label, button.hint, button.icon) == (
        Hike(1),
        "Hike 1 tile to the exchange site",
        "exchange 1 resource for 2 of a different type",
        "exchange",
    )


def line_actions(builder: LogBuilder, device: str, seat: int) -> dict[str, str]:
    """Return the actions that a phone has on the latest lines of its log, by their text."""
    log = seat_pages.seat_page(builder.table, device, seat).log
    return {line.message.text: line.action for line in log if line.action}


def test_log_line_has_an_undo_button_where_no_consent_is_needed():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, NoteHand("science"), Hike(2))
    builder.play(1, Hike(2))
    # Bo has moved since she hiked.
    assert line_actions(builder, ANA, 0) == {"Ana\u2019s hand badge: Science.": "take_back"}
    assert line_actions(builder, BO, 1) == {"Bo hiked 2 tiles to the leaf site, +1 leaf.": "take_back"}


def test_undone_step_has_a_redo_button():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    builder.add_entry(ANA, MoveUndone(hike), 0)
    text = "Ana hiked 2 tiles to the leaf site, +1 leaf."
    assert line_actions(builder, ANA, 0) == {text: "put_back"}
    assert line_actions(builder, BO, 1) == {}
    builder.add_entry(ANA, MoveRedone(hike), 0)
    assert line_actions(builder, ANA, 0) == {text: "take_back"}


def test_notes_of_others_are_readable_but_not_undoable_at_the_end():
    builder = revealed_log()
    ana, bo = "Ana\u2019s photo: 2 points.", "Bo\u2019s photo: 2 birds."
    lines = [line.message.text for line in seat_pages.seat_page(builder.table, BO, 1).log]
    assert {ana, bo} <= set(lines)
    assert line_actions(builder, BO, 1) == {}  # a finished game is changed only with everybody's consent


def revealed_log() -> LogBuilder:
    """Return a finished table where Ana and Bo took a photo each and revealed it at the end."""
    builder = build_seated_log("Ana", "Bo")
    for seat in (0, 1):
        builder.play(seat, Hike(4, canteen=True), Photograph(pay="acorn"))
    builder.agree(
        1,
        builder.propose(
            0, Played({"type": "set-right", "changes": [{"type": "into", "at": "sun", "was": "0", "now": "7"}]})
        ),
    )
    builder.play(0, Hike(2), Skip())
    builder.play(1, Hike(2))
    builder.play(0, NotePhoto(2, 0))
    builder.play(1, NotePhoto(0, 2))
    assert builder.table.is_over
    return builder


QUESTION = [  # phone: is_own, needs_my_answer, can_decide, is_for_my_seat
    (ANA, (False, True, False, False)),
    (BO, (False, True, False, True)),
    (CY, (False, True, False, False)),
    (HOST, (False, False, True, False)),
    (STRANGER, (True, False, False, False)),
]


@run_all_rows(("device", "flags"), QUESTION)
def test_question_offers_each_phone_the_answers_it_may_give(device: str, flags: tuple[bool, ...]):
    builder = build_seated_log("Ana", "Bo", "Cy")
    builder.play(1, NoteHand("science"))
    builder.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1)
    (question,) = table_pages.table_page(builder.table, device).proposals
    assert (question.is_own, question.needs_my_answer, question.can_decide, question.is_for_my_seat) == flags
    assert (question.text, question.proposer_name, question.seat_name) == (
        "Move Bo\u2019s seat to another phone",
        "Someone",
        "Bo",
    )
    assert (question.waiting_names, question.allowed_silence, question.has_secret_notes) == (
        ("Bo",),
        "5 minutes",
        device == BO,
    )
    builder.add_entry(STRANGER, Declined(question.number))
    assert table_pages.table_page(builder.table, device).proposals == ()


def test_score_counts_secret_notes_only_at_the_end():
    builder = revealed_log()
    assert noted_photo_points(builder, ANA) == [2, 0]
    builder.add_entry(BO, MoveUndone(builder.table.version), 1)
    assert not builder.table.is_over
    assert noted_photo_points(builder, ANA) == noted_photo_points(builder, BO) == [0, 0]


def noted_photo_points(builder: LogBuilder, device: str) -> list[int]:
    return [column.points_in("photos") for column in sheet_pages.sheet_page(builder.table, device, True).sheet.columns]


def test_result_is_announced_on_every_page():
    table = revealed_log().table
    assert (
        seat_pages.seat_page(table, ANA, 0).score.result_text
        == board_pages.board_page(table, BO, "", "").result_text
        == "Bo wins with 4 points."
    )
    page = sheet_pages.sheet_page(table, ANA, True)
    assert page.date == "2026-01-02" and sheet_pages.result_heading(page.sheet) == ("Bo wins with 4 points.", "")


def test_score_page_counts_points_behind_after_the_end_and_points_to_a_tie_before():
    builder = revealed_log()
    assert sheet_pages.sheet_page(builder.table, ANA, True).points_behind == ("Ana was 2 points behind Bo.",)
    builder.add_entry(BO, MoveUndone(builder.table.version), 1)
    page = sheet_pages.sheet_page(builder.table, ANA, True)
    assert page.points_behind == tuple(describe_gaps(page.sheet, is_over=False))


@run_all_rows(
    "text, heading, detail",
    [
        ("Ana wins with 9 points.", "Ana wins with 9 points.", ""),
        ("Both finish. Ana wins with 2 cards.", "Ana wins with 2 cards.", "Both finish."),
        ("Mr. Q and Ana are tied at 1 point. Ana wins.", "Ana wins.", "Mr. Q and Ana are tied at 1 point."),
        ("No one wins.", "No one wins.", ""),
    ],
)
def test_result_heading_names_the_winner_once(text: str, heading: str, detail: str):
    sheet = Sheet("peaks", (), (Column("Mr. Q", (), 2, False), Column("Ana", (), 1, True)), "points", text)
    assert sheet_pages.result_heading(sheet) == (heading, detail)


def test_rules_page_lists_all_rules_by_section_without_a_query():
    page = rules_pages.rules_page(TRAILS, "")
    assert sum(len(rules) for _, rules in page.sections) == len(TRAILS.rules) and not page.matching_rules
    assert not rules_pages.rules_page(TRAILS, "bear").sections


@pytest.mark.parametrize("query", ["bear-same-site", "BEAR-SAME-SITE"])
def test_rule_is_found_by_its_id(query: str):
    assert rules_pages.rules_page(TRAILS, query).matching_rules[0].id == "bear-same-site"


@run_all_rows("id", TRAILS.rules)
def test_rule_page_shows_related_rules_and_its_ruling(id: str):
    page = rules_pages.rule_page(GAMES["trails"], TRAILS.rules[id])
    assert [rule.id for rule in page.related] == list(page.rule.related)
    assert [page.ruling] == ([ruling for ruling in TRAILS.rulings if ruling.rule.id == id] or [None])


def test_every_ruling_is_shown_with_its_rule():
    assert [rules_pages.rule_page(GAMES["trails"], ruling.rule).ruling for ruling in TRAILS.rulings] == list(
        TRAILS.rulings
    )


def uses_at(table: Table, rule: Rule, own_seats: tuple[int, ...] = ()) -> tuple[str, ...]:
    return rules_pages.rule_page(
        GAMES[table.game_key], rule, table=table, device=DEVICES[own_seats[0]] if own_seats else ""
    ).uses


def test_rule_page_counts_the_moves_that_cite_the_rule_at_the_table():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(2))
    assert uses_at(builder.table, r.HIKE_DISTANCE) == ("1 move in the game log",)
    builder.play(1, Hike(2))
    assert uses_at(builder.table, r.HIKE_DISTANCE) == ("2 moves in the game log",)
    assert uses_at(builder.table, r.TIE_BADGES) == ()
    parks_rule = next(iter(GAMES["parks"].box.rules.values()))
    assert rules_pages.rule_page(GAMES["parks"], parks_rule, table=builder.table).uses == ()


def test_rule_page_counts_private_entries_only_for_their_own_seat():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, NoteHand("science"))
    rule = NoteHand.rules[0]
    assert uses_at(builder.table, rule, (0,)) == ("1 move in the game log",)
    assert uses_at(builder.table, rule, (1,)) == uses_at(builder.table, rule) == ()


def play_whole_game(game: str) -> Table:
    names, record = names_for(game, 2), []
    random_game(TRACKED_GAMES[game], ready_setup(list(names), game), random.Random(7), record)
    builder = build_seated_log(*names, game=game)
    for seat, move in record:
        builder.play(seat, move)
    assert builder.table.is_over
    return builder.table


@pytest.mark.slow("whole games")
@run_all_rows("game", [key for key, game in GAMES.items() if game.tracked])
def test_rule_pages_count_every_line_of_a_finished_score(game: str):
    table = play_whole_game(game)
    counted: Counter[str] = Counter()
    for rule in GAMES[game].box.rules.values():
        for use in uses_at(table, rule):
            if found := re.fullmatch(r"(\d+) lines? of the score(, with -?\d+ points?)?", use):
                counted[rule.id] += int(found[1])
    lines = [line for column in table.sheet.columns for line in column.lines if line.points]
    assert counted == Counter(rule.id for line in lines for rule in line.rules)


@pytest.mark.slow("a whole game")
def test_rule_page_names_the_tie_that_the_rule_broke():
    table = play_whole_game("trails")
    ties = (TieBreak("badges", "Badges", r.TIE_BADGES, (4, 4)), TieBreak("photos", "Photos", r.TIE_PHOTOS, (3, 2)))
    vars(table)["sheet"] = replace(table.sheet, decided_by="photos", tie_breaks=ties)
    assert "1 tie broken" in uses_at(table, r.TIE_PHOTOS) and uses_at(table, r.TIE_BADGES) == ()


def test_rule_page_counts_saved_answers_and_house_rules():
    builder = build_seated_log("Ana", "Bo")
    ruling = TRAILS.rulings[0]
    builder.add_entry(ANA, VerdictSaved("May Ana hike 2 tiles?", "Yes.", rules=(r.HIKE_DISTANCE.id,)), 0)
    assert uses_at(builder.table, r.HIKE_DISTANCE) == ("1 saved answer",)
    adopt_kind = TRACKED_GAMES["trails"].find_kind(AdoptRuling)
    builder.play(0, adopt_kind(ruling.id, ruling.options[1].id))
    assert uses_at(builder.table, ruling.rule) == ("1 change of the house rule",)


def test_table_summary_shows_the_current_prompt():
    builder = build_seated_log("Ana", "Bo")
    assert home_pages.table_summary(builder.table) == home_pages.TableSummary(
        builder.table.code,
        "TRAILS",
        ("Ana", "Bo"),
        "Hike 1 or 2 tiles, or use the canteen.",
    )


def test_refusal_is_shown_on_the_seat_page():
    table = build_seated_log("Ana", "Bo").table
    page = seat_pages.seat_page(table, BO, 1, ["It is not your turn."])
    assert page.refusal == ("It is not your turn.",) and not page.is_my_turn
    assert EditPosition not in {type(button.move) for button in page.menu.refused_buttons()}
