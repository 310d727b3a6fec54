"""Tests of the judge's pages: questions, saved answers, house rules and disputes."""

import json
import re
from html import unescape

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.log import option_replay
from companion.log.entries import OwnRuling
from companion.log.plans import Insert, RepairPlan
from companion.log.steps import Step
from companion.log.table import to_data
from companion.pages import judge
from companion.service.rule_search import rule_index
from companion.storage.store import Store
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.legality import explain, possible_actions
from scoring.kernel.rule import Reason
from scoring.parks.moves.trail_setup import LayTile
from scoring.trails import rules as r
from scoring.trails.moves.hiking import Hike, Skip
from scoring.trails.moves.reveals import NoteHand
from tests.golden_games.files import moves_of, read_golden_game
from tests.scoring.kernel.test_disputes import disputed_state, read_disputes
from tests.support.changed_secrets import substitute_table
from tests.support.page_parser import parse_page
from tests.support.parametrize import TRACKED_KEYS, parametrize_cases
from tests.support.parks_table import token_counts, with_ana
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.ready_setups import ready_setup
from tests.support.registered_games import APP_GAMES

APP_KEYS = [key for key in TRACKED_KEYS if key in APP_GAMES]
HIKE = '{"type":"hike","steps":2}'
NINE = '{"type":"hike","steps":9}'


@pytest.fixture
def table_of_three(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", "Cy")


def approve_all(table: SeatedTable) -> None:
    """Have all asked players agree to every open request."""
    for proposal in table.table.proposals:
        for seat in proposal.waiting_seats:
            table.submit(seat, "answer", {"proposal": str(proposal.number), "yes": "1"})


def save_answer(table: SeatedTable, seat: int, move: str, **form: str) -> int:
    answer = table.phone(seat).post(f"{table.path}/ask/keep", {"move": move, "seat": str(seat), **form})
    assert answer.status_code == 303
    return int(answer.headers["Location"].rpartition("/")[2])


def test_question_about_a_move_shows_its_effect_and_plays_nothing(table_of_three: SeatedTable):
    before = table_of_three.table
    page = table_of_three.phone(0).open(f"{table_of_three.path}/ask/may?seat=0&move={HIKE}")
    assert "Yes." in page.text and "Nothing has been entered." in page.text and "Ana hiked 2" in page.text
    assert table_of_three.table == before


@pytest.mark.parametrize("game", [key for key, tracked in TRACKED_GAMES.items() if not tracked.is_score_entry])
def test_answer_shows_the_table_after_its_own_move_whatever_was_asked_before(app: Flask, game: str):
    tables = [open_seated_table(app, "Ana", "Bo", game=game) for _ in range(2)]
    (seat, *_), state = tables[0].table.tracked.flow.to_move(tables[0].table.state), tables[0].table.state
    moves = [to_data(offer.move) for offer in tables[0].table.tracked.offers(state, seat) if offer.is_legal][:6]
    assert len(moves) > 1

    def picture(table: SeatedTable, move: dict) -> str:
        fields = {"seat": seat, "move": json.dumps(move)}
        text = table.phone(seat).get(f"{table.path}/ask/may", query_string=fields).text.replace(table.code, "CODE")
        return text.partition('<details id="preview-table">')[2].partition("</details>")[0]

    forward = [picture(tables[0], move) for move in moves]
    backward = [picture(tables[1], move) for move in reversed(moves)]
    assert forward == backward[::-1] and any(forward)


def test_question_out_of_turn_is_answered_for_a_turn_starting_now(table_of_three: SeatedTable):
    page = table_of_three.phone(1).open(f"{table_of_three.path}/ask/may?seat=1&move={HIKE}")
    assert "No, not now. On your next turn you could." in page.text and "It is Ana\u2019s turn" in page.text
    assert "If your next turn began now:" in table_of_three.phone(1).open(f"{table_of_three.path}/ask?seat=1").text


def test_negative_answer_names_its_rule(table_of_three: SeatedTable):
    page = table_of_three.phone(0).open(f"{table_of_three.path}/ask/may?seat=0&move={NINE}")
    assert "No, not this turn." in page.text
    assert "/rules/trails/hike-distance" in page.addresses


VISIT = '{"type":"visit-park","park":"Yellowstone"}'


def test_negative_answer_names_the_nearest_step_and_what_is_missing(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks")
    table_after = table.play(0, LayTile("forest"))
    last = replace(table_after.steps[-1], after=with_ana(tokens=token_counts(forest=1)))
    with substitute_table(table.referee.store, replace(table_after, steps=(last,))):
        page = table.phone(0).open(f"{table.path}/ask/may?seat=0&move={VISIT}").text
    assert "Move a hiker first." in page
    missing = page.partition("The Parks site")[2]
    assert "You lack 2 Sun, 3 Water and 1 Wildlife." in missing and "Hike to the Parks site" in missing


@pytest.mark.parametrize("game", APP_KEYS)
def test_answer_to_a_dispute_begins_with_yes_or_no_and_says_why(app: Flask, game: str):
    disputes = [dispute for dispute in read_disputes(game)["disputes"] if "page" in dispute]
    assert disputes
    for dispute in disputes:
        state, seat = disputed_state(game, dispute), dispute["seat"]
        table = open_seated_table(app, *(player.name for player in state.players), game=game)
        with substitute_table(table.referee.store, table.table.at_state(state)):
            fields = {"seat": seat, "move": json.dumps(dispute["move"])}
            page = table.phone(seat).get(f"{table.path}/ask/may", query_string=fields).text
        answer = parse_page(page.partition('<p class="verdict')[2].partition("</p>")[0]).text
        verdict, *texts = dispute["page"]
        assert verdict.startswith(("Yes", "No")) and verdict in answer, (dispute["name"], answer)
        assert all(text in parse_page(page).text for text in texts), (dispute["name"], parse_page(page).text)


def test_stopping_before_the_first_leg_is_listed_as_not_allowed(app: Flask):
    dispute = next(item for item in read_disputes("on-the-trail")["disputes"] if item["name"] == "standing still")
    table = open_seated_table(app, "Ana", "Bo", game="on-the-trail")
    with substitute_table(table.referee.store, table.table.at_state(disputed_state("on-the-trail", dispute))):
        text = parse_page(table.phone(0).get(f"{table.path}/ask?seat=0").text).text
    stops = re.findall(r"Stop here and keep [a-z ]+? card\s+(No, see why|Yes[a-z, ]*)", text)
    assert stops and set(stops) == {"No, see why"}, text


@pytest.mark.parametrize("game", APP_KEYS)
def test_ask_page_gives_an_example_that_its_search_answers_and_titles_in_words(app: Flask, game: str):
    table = open_seated_table(app, "Ana", "Bo", game=game)
    page = table.phone(0).get(f"{table.path}/ask?seat=0").text
    example = unescape(re.findall(r'placeholder="([^"]*)"', page)[0])
    found = rule_index(game).search(example, 3)
    assert any("tie" in rule.id for rule in found), (example, found)
    titles = [kind.title for kind in TRACKED_GAMES[game].moves]
    assert all(re.fullmatch(r"[A-Z][A-Za-z\u2019 ]*([-,] ?[a-z ]+)*", title) for title in titles), titles


def test_answer_that_depends_on_an_unknown_fact_links_to_entering_it(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks")  # the Trail is laid first
    page = table.phone(0).open(f"{table.path}/ask/may?seat=0&move={VISIT}")
    assert "It depends on the tile at site 1, which is not entered yet." in page.text
    assert "Enter the tile at site 1" in page.text and f"{table.path}/seat/0" in page.addresses


@pytest.mark.parametrize("move", ["", "{", "[]", '{"type":"fly"}', '{"type":"hike"}', "x" * 9000])
def test_question_about_an_invalid_move_redirects_back(table_of_three: SeatedTable, move: str):
    answer = table_of_three.phone(0).get(f"{table_of_three.path}/ask/may", query_string={"seat": 0, "move": move})
    assert answer.status_code == 303 and "/ask" in answer.headers["Location"]
    answer = table_of_three.phone(0).post(f"{table_of_three.path}/ask/keep", {"move": move, "seat": "0"})
    assert answer.status_code == 303 and not table_of_three.table.verdicts


def test_saving_an_answer_without_a_tap_id_shows_why_it_is_refused(table_of_three: SeatedTable):
    form = {"move": HIKE, "seat": "0", "tap": ""}
    answer = table_of_three.phone(0).post(f"{table_of_three.path}/ask/keep", form)
    assert answer.status_code == 400 and "could not be read: tap" in answer.text
    assert not table_of_three.table.verdicts


def test_question_about_a_card_that_the_game_does_not_have_is_answered(table_of_three: SeatedTable):
    move = '{"type":"note-hand","badge":"no-such-badge"}'
    page = table_of_three.phone(0).open(f"{table_of_three.path}/ask/may?seat=0&move={move}")
    assert "No, not this turn." in page.text and "no-such-badge" in page.text


def test_phone_without_a_seat_may_read_but_not_ask(app: Flask, table_of_three: SeatedTable):
    stranger = open_seated_table(app, "Di", "Ed").phone(0)
    assert "May I" not in stranger.open(f"{table_of_three.path}/ask").text
    for path, form in (("ask/keep", {"move": HIKE}), ("ask/own", {"question": "a", "reading": "b"}), ("ask/sides", {})):
        assert stranger.post(f"{table_of_three.path}/{path}", {**form, "seat": "0"}).status_code == 303
    assert table_of_three.table.version == 4 and not table_of_three.table.proposals


def test_conflicting_note_is_not_revealed_on_the_ruling_page(table_of_three: SeatedTable, monkeypatch):
    note = table_of_three.play(0, NoteHand("science")).steps[-1]

    def refuse_note(tracked: object, state: object, step: Step) -> Step:
        assert step == note
        raise IllegalMoveError([Reason("hand", r.HAND_SECRET, "The hand shows Science.")])

    monkeypatch.setattr(option_replay, "replay_step", refuse_note)
    for phone in table_of_three.phones:
        page = phone.open(f"{table_of_three.path}/ask/ruling/zero-birds?seat={table_of_three.phones.index(phone)}").text
        assert (
            "because a private entry would not have been possible" in page
            and "The hand shows Science." not in page
            and note.text not in page
        )


def test_saved_answer_is_unchanged_by_later_moves(table_of_three: SeatedTable):
    number = save_answer(table_of_three, 0, NINE)
    first = table_of_three.phone(2).open(f"{table_of_three.path}/verdict/{number}").text
    assert "No, not this turn." in first and "Ana" in first
    table_of_three.play(0, Hike(2))
    assert (
        table_of_three.phone(1).open(f"{table_of_three.path}/verdict/{number}").text.split("Back to")[0]
        == first.split("Back to")[0]
    )
    assert (
        f"{table_of_three.path}/verdict/{number}"
        in table_of_three.phone(1).open(f"{table_of_three.path}/seat/1/log").addresses
    )
    assert (
        f"{table_of_three.path}/verdict/{number}"
        in table_of_three.phone(2).open(f"{table_of_three.path}/seat/2").addresses
    )
    assert table_of_three.phone(1).get(f"{table_of_three.path}/verdict/{number}/print").status_code == 200
    for missing_number in (1, 999):
        assert table_of_three.phone(1).get(f"{table_of_three.path}/verdict/{missing_number}").status_code == 303


def test_rule_page_of_a_player_counts_what_cites_the_rule(table_of_three: SeatedTable):
    path = f"/rules/trails/{r.HIKE_DISTANCE.id}"
    assert "These cite this rule" not in table_of_three.phone(0).open(path).text
    table_of_three.play(0, Hike(2))
    save_answer(table_of_three, 1, NINE)
    text = table_of_three.phone(2).open(path).text
    assert f"At table {table_of_three.table.code}" in text
    assert "1 move in the game log" in text and "1 saved answer" in text


def test_rule_page_hides_the_private_entries_of_other_phones(table_of_three: SeatedTable):
    table_of_three.play(0, NoteHand("science"))
    path = f"/rules/trails/{NoteHand.rules[0].id}"
    assert "1 move in the game log" in table_of_three.phone(0).open(path).text
    assert "These cite this rule" not in table_of_three.phone(1).open(path).text


def test_saved_answer_ignores_a_label_sent_by_the_phone(table_of_three: SeatedTable):
    table_of_three.play(0, Hike(2))
    leave = '{"type":"leave"}'
    number = save_answer(table_of_three, 0, leave, called="I have won")
    verdict = next(each for each in table_of_three.table.verdicts if each.number == number)
    assert "won" not in verdict.payload.question


def test_question_about_an_earlier_step_excludes_notes_of_others(table_of_three: SeatedTable):
    table_of_three.play(0, NoteHand("science"))
    note = table_of_three.table.steps[-1].id
    hike = str(table_of_three.play(0, Hike(2)).version)
    page = table_of_three.phone(1).open(f"{table_of_three.path}/ask?step={hike}&seat=1")
    assert "You are asking about an earlier moment" in page.text
    assert table_of_three.phone(1).get(f"{table_of_three.path}/ask?step={note}&seat=1").status_code == 303
    assert table_of_three.phone(0).get(f"{table_of_three.path}/ask?step={note}&seat=0").status_code == 200
    assert table_of_three.phone(0).get(f"{table_of_three.path}/ask?step=77&seat=0").status_code == 303


def test_house_rule_is_written_down_once_all_agree(table_of_three: SeatedTable):
    table_of_three.phone(0).post(
        f"{table_of_three.path}/ask/own", {"seat": "0", "question": " May one  whistle? ", "reading": "At night."}
    )
    assert table_of_three.table.own_rulings == () and table_of_three.table.proposals[0].waiting_seats == (1, 2)
    approve_all(table_of_three)
    assert table_of_three.table.own_rulings == (OwnRuling("May one whistle?", "At night."),)
    assert "May one whistle? At night." in table_of_three.phone(1).open(f"{table_of_three.path}/score").text
    assert "May one whistle? At night." in table_of_three.phone(1).open(f"{table_of_three.path}/print").text
    second_answer = table_of_three.phone(0).post(
        f"{table_of_three.path}/ask/own", {"seat": "0", "question": "May one whistle?", "reading": "At night."}
    )
    assert second_answer.status_code == 303 and not table_of_three.table.proposals
    table_of_three.phone(1).post(f"{table_of_three.path}/ask/own", {"seat": "1", "question": "May one whistle?"})
    approve_all(table_of_three)
    assert table_of_three.table.own_rulings == ()


@pytest.mark.parametrize("form", [{"reading": "x"}, {"question": "x"}, {"question": " ", "reading": "x"}])
def test_incomplete_house_rule_is_refused_with_the_reason(table_of_three: SeatedTable, form: dict):
    answer = table_of_three.phone(0).post(f"{table_of_three.path}/ask/own", {"seat": "0", **form})
    assert answer.status_code == 403 and "Enter " in answer.text and not table_of_three.table.proposals


@pytest.mark.parametrize("owner", [True, False])
def test_house_rule_is_saved_with_the_box_only_where_its_owner_plays(app: Flask, owner: bool):
    table = open_seated_table(app, "Ana", "Bo")
    if owner:
        table.phone(1).become_owner()
    table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "Whistle?", "reading": "Yes."})
    approve_all(table)
    other = open_seated_table(app, "Cy", "Di")
    page = other.phone(0).open(f"{other.path}/ask").text
    assert ("Another table with this box played it this way" in page) is owner
    assert (
        "Whistle?" not in open_seated_table(app, "Cy", "Di", game="parks").phone(0).open(f"{other.path}/ask").text
        or owner
    )
    table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "Whistle?"})
    approve_all(table)
    assert "Whistle?" not in other.phone(0).open(f"{other.path}/ask").text


def hike_all(table: SeatedTable) -> str:
    """Have everybody hike; return the id of Ana's first step."""
    first = str(table.play(0, Hike(2)).version)
    for seat in (0, 1, 1, 2, 2):
        moves = (Skip(), Hike(2)) if seat == 0 else (Hike(1), Skip())
        for move in moves:
            if table.table.tracked.is_legal(table.table.state, seat, move):
                table.play(seat, move)
                break
    return first


def record_account(table: SeatedTable, seat: int, plan: RepairPlan, **form: str):
    return table.phone(seat).post(f"{table.path}/seat/{seat}/mend/{plan.encode()}/claim?as=0", form)


def test_accounts_of_a_dispute_are_replayed_and_can_be_withdrawn(table_of_three: SeatedTable):
    first = hike_all(table_of_three)
    plan = RepairPlan(first, 1, (Insert(0, to_data(Hike(1))),))
    assert record_account(table_of_three, 1, plan).status_code == 303
    assert record_account(table_of_three, 2, RepairPlan(first, 1, is_open=True), move=NINE).status_code == 303
    assert [claim.seat for claim in table_of_three.table.claims] == [1, 2]
    page = table_of_three.phone(0).open(f"{table_of_three.path}/ask/sides").text
    assert (
        "This was not possible." in page
        and "/rules/trails/hike-distance" in table_of_three.phone(0).get(f"{table_of_three.path}/ask/sides").text
    )
    assert record_account(table_of_three, 1, plan).status_code == 303
    assert len(table_of_three.table.claims) == 2  # the same account again changes nothing
    table_of_three.phone(2).post(f"{table_of_three.path}/ask/sides", {"seat": "2"})
    assert [claim.seat for claim in table_of_three.table.claims] == [1]


def test_account_about_a_note_is_refused(table_of_three: SeatedTable):
    table_of_three.play(0, NoteHand("science"))
    note = table_of_three.table.steps[-1].id
    assert record_account(table_of_three, 0, RepairPlan(note, 1)).status_code == 403
    assert not table_of_three.table.claims


def test_account_that_no_longer_fits_the_log_says_so(table_of_three: SeatedTable):
    first = hike_all(table_of_three)
    assert record_account(table_of_three, 1, RepairPlan(first, 1, (Insert(0, to_data(Hike(1))),))).status_code == 303
    while table_of_three.table.steps:
        table = table_of_three.table
        table_steps = [step for step in table.steps if not step.move.is_secret]
        table_of_three.submit(table_steps[-1].seat, "step", {"take_back": table_steps[-1].id})
        approve_all(table_of_three)
    assert "Enter this version again." in table_of_three.phone(0).open(f"{table_of_three.path}/ask/sides").text


def test_earlier_table_is_loaded_from_its_log(table_of_three: SeatedTable):
    store: Store = table_of_three.referee.store
    current = table_of_three.table
    table_of_three.play(0, Hike(2))
    assert store.table_at_entry(table_of_three.code, current.version).state == current.state


@parametrize_cases("golden_game", ["trails-3", "parks-3", "alpine-trails-2", "on-the-trail-2", "ford-2"])
def test_no_two_possible_moves_are_listed_alike(golden_game: str):
    game = read_golden_game(golden_game)
    tracked = TRACKED_GAMES[game["game"]]
    state, listed = tracked.initial_state(tracked.read_setup(game["setup"])), 0
    for number, (seat, move) in enumerate(moves_of(game)):
        if number % 7 == 0:
            actions = possible_actions(tracked, tracked.view(state, seat), seat)
            for title, queries in judge.actions_by_title(tracked, actions):
                labels = [query.label for query in queries]
                assert len(labels) == len(set(labels)), (title, labels)
                assert not [label for label in labels if ") (" in label], (title, labels)
                listed += len(labels)
        state = tracked.play(state, seat, move)
    assert listed


def test_every_answer_links_to_existing_pages(table_of_three: SeatedTable):
    table_of_three.play(0, Hike(2))
    links = re.findall(r'href="([^"]*/ask/may[^"]*)"', table_of_three.phone(0).get(f"{table_of_three.path}/ask").text)
    assert links
    for link in links[:6]:
        page = table_of_three.phone(0).get(unescape(link))
        assert page.status_code == 200
        for rule in re.findall(r'href="(/rules/[^"]*)"', page.text):
            assert table_of_three.phone(0).get(rule).status_code == 200


def test_skipping_one_thing_differs_from_skipping_another():
    tracked = TRACKED_GAMES["trails"]
    state = tracked.initial_state(ready_setup(["Ana", "Bo"]))
    for move in (Hike(1), Skip(), Hike(2), Skip(), Hike(2), Skip()):
        seat = tracked.flow.to_move(state)[0]
        state = tracked.play(state, seat, move) if tracked.is_legal(state, seat, move) else state
    seat = tracked.flow.to_move(state)[0]
    left = {change.label for change in possible_actions(tracked, state, seat) if isinstance(change.move, Skip)}
    assert len(left) > 1
    for label in left:
        answer = explain(tracked, state, seat, Skip(), label)
        assert answer.label == label and answer.legality in ("now", "later")


def test_proposed_house_rule_shows_whom_it_waits_for(table_of_three: SeatedTable):
    form = {"seat": "0", "question": "May one whistle?", "reading": "At night."}
    answer = table_of_three.phone(0).post(f"{table_of_three.path}/ask/own", form)
    page = table_of_three.phone(0).open(answer.headers["Location"])
    assert "Sent. Waiting for Bo and Cy" in page.text
    assert "You asked: House rule: May one whistle? At night." in page.text
    # It still waits when the page is opened again.
    later = table_of_three.phone(0).open(f"{table_of_three.path}/ask?seat=0").text
    assert "Sent." not in later and "You asked" in later and "Waiting for Bo and Cy" in later
    other_page = table_of_three.phone(1).open(f"{table_of_three.path}/ask?seat=1").text
    assert "Ana asks" in other_page and "Waiting for you and Cy" in other_page
    location = table_of_three.phone(0).post(f"{table_of_three.path}/ask/own", form).headers["Location"]
    assert "Done." not in table_of_three.phone(0).open(location).text  # it was asked for already
    for seat in (1, 2):
        table_of_three.submit(seat, "answer", {"proposal": str(table_of_three.table.proposals[0].number), "yes": "1"})
    assert "You asked" not in table_of_three.phone(0).open(f"{table_of_three.path}/ask?seat=0").text


def test_house_rule_that_takes_effect_immediately_says_so(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", phones=1)
    form = {"seat": "0", "question": "May one whistle?", "reading": "At night"}
    answer = table.phone(0).post(f"{table.path}/ask/own", form)
    text = table.phone(0).open(answer.headers["Location"]).text
    assert "Done. House rule: May one whistle? At night." in text and "Sent." not in text
    dropped = table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "May one whistle?"})
    assert "Done. House rule removed: May one whistle?" in table.phone(0).open(dropped.headers["Location"]).text
