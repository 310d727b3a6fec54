"""A new game needs one folder: two small games use all features of the app.

Neither has a line in `companion/` or its own template.
"""

import json
import re
from pathlib import Path

import pytest
from flask import Flask

from companion.system.paths import CHECKOUT
from scoring.document import BadPosition, score_document
from scoring.kernel.errors import IllegalMoveError
from tests.support.command import has_failed_with
from tests.support.page_parser import parse_page
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.small_games import ford
from tests.support.small_games.ford.final_position import FinalPlayer, FinalPosition

POSITION = {
    "game": "peaks",
    "players": [
        {"name": "Ana", "summits": 2, "cairns": 1},
        {"name": "Bo", "summits": 1, "weather": "fair", "guide": True},
        {"name": "Cy"},
    ],
}


def test_app_and_core_do_not_mention_the_small_games():
    files = [
        file for top in ("companion/**/*.py", "scoring/**/*.py", "templates/**/*.html") for file in CHECKOUT.glob(top)
    ]
    assert len(files) > 100
    assert [file for file in files if re.search(r"(?i)\b(peaks|ford)\b", file.read_text(encoding="utf-8"))] == []


# PEAKS, which has only a score entry


def test_peaks_rules_can_be_read_and_searched(phone: Phone):
    assert "Each summit you reached is worth 3 points." in phone.open("/rules/peaks").text
    found = phone.open("/rules/peaks?q=cairn").text
    assert "Each cairn you built" in found and "Each summit" not in found
    assert "The leaflet does not say who wins when points are tied." in phone.open("/rules/peaks/level").text


def test_home_page_offers_to_score_peaks_but_not_to_track_it(phone: Phone):
    page = phone.get("/").text
    assert 'href="/new/peaks-tally"' in page and 'href="/new/peaks"' not in page and 'href="/pad/peaks.pdf"' in page
    assert phone.get("/new/peaks").status_code == 404


def with_ana(**fields: object) -> dict:
    """Return the position with other values for the first player."""
    return {**POSITION, "players": [{"name": "Ana", **fields}, *POSITION["players"][1:]]}


def test_peaks_document_is_scored():
    result = score_document(POSITION)
    assert [(player["total"], player["winner"]) for player in result["players"]] == [(7, True), (4, False), (0, False)]
    with pytest.raises(BadPosition, match=r"players: the box has only 12 stones"):
        score_document({**POSITION, "players": [{"name": name, "cairns": 6} for name in ("Ana", "Bo", "Cy")]})
    with pytest.raises(BadPosition, match='players.0.: no key "tents"; there are name, summits'):
        score_document(with_ana(tents=13))


@pytest.fixture
def peaks_table(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", "Cy", game="peaks-tally")


def enter_value(table: SeatedTable, seat: int, field: str, value: str):
    return table.submit(seat, "play", {"move.type": "tell", "move.what": field, "move.value": value}, htmx=True)


def test_peaks_score_entry_uses_the_fields_of_its_document(peaks_table: SeatedTable):
    page = peaks_table.page(0)
    titles = ("Summits reached", "Cairns built", "Weather on the last day", "Guide hired")
    assert all(text in page.text for text in (*titles, "Fair", "Foul", "Yes"))
    (summits,) = (attributes for _, attributes in page.tags if attributes.get("aria-label") == "Summits reached")
    assert (summits["value"], summits["min"], summits["max"]) == ("0", "0", "20")
    for name, value in (("summits", "2"), ("cairns", "1"), ("weather", "fair"), ("guide", "false")):
        assert enter_value(peaks_table, 0, name, value).status_code == 200
    assert "9 points so far" in peaks_table.page(0).text
    peaks_table.submit(0, "play", {"move": '{"type":"done"}'})
    assert "Change my count" in peaks_table.page(0).text
    for seat in (1, 2):
        peaks_table.submit(seat, "play", {"move": '{"type":"done"}'})
    assert "Ana wins with 9 points." in peaks_table.page(1).text
    sheet = peaks_table.phone(0).get(f"{peaks_table.path}/score")
    assert "2 reached, 3 points each." in parse_page(sheet.text).text and "leaflet p. 2" in parse_page(sheet.text).text


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("cairns", "8", "The box has only 12 stones."),
        ("summits", "21", "Summits reached: enter 0 to 20."),
        (
            "tents",
            "1",
            "There is nothing called \u201ctents\u201d to enter; there are summits, cairns, weather, guide.",
        ),
    ],
)
def test_peaks_score_entry_refuses_what_its_document_refuses(
    peaks_table: SeatedTable, name: str, value: str, text: str
):
    enter_value(peaks_table, 1, "cairns", "5")
    answer = enter_value(peaks_table, 0, name, value)
    assert (
        answer.status_code == 422
        and text in parse_page(answer.text).text
        and "leaflet p. 2" in parse_page(answer.text).text
    )


def test_peaks_ruling_is_settled_at_the_table(peaks_table: SeatedTable):
    enter_value(peaks_table, 0, "cairns", "3")
    enter_value(peaks_table, 1, "summits", "1")
    for seat in (0, 1, 2):
        peaks_table.submit(seat, "play", {"move": '{"type":"done"}'})
    assert "share the victory" in peaks_table.page(0).text
    assert "Who wins when points are tied?" in peaks_table.phone(0).open(f"{peaks_table.path}/seat/0/tell").text
    peaks_table.submit(0, "play", {"move": '{"type":"adopt","ruling":"ties","option":"cairns"}'})
    (question,) = peaks_table.table.proposals
    for seat in (1, 2):
        peaks_table.submit(seat, "answer", {"proposal": str(question.number), "yes": "1"})
    assert "Ana wins by most cairns: 3 against Bo 0." in peaks_table.page(0).text


@pytest.mark.slow("prints PDFs")
def test_peaks_sheet_and_score_pad_are_printed(peaks_table: SeatedTable, phone: Phone):
    enter_value(peaks_table, 0, "summits", "2")
    for path in (f"{peaks_table.path}/score.pdf", "/pad/peaks.pdf"):
        answer = peaks_table.phone(0).get(path)
        while answer.status_code == 202:
            answer = peaks_table.phone(0).get(path)
        assert answer.status_code == 200 and answer.data.startswith(b"%PDF-")
    pad = parse_page(phone.get("/pad/peaks").text).text
    assert "PEAKS" in pad and "Summits" in pad and "Total" in pad


@pytest.mark.slow("prints PDFs")
def test_command_line_scores_and_prints_peaks(tmp_path: Path, run_waymark):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    assert "Ana wins with 7 points." in run_waymark("score", str(file)).out
    for name, arguments in {"sheet": ("print", str(file)), "pad": ("pad", "peaks")}.items():
        pdf = tmp_path / f"{name}.pdf"
        assert run_waymark(*arguments, "--output", str(pdf)).status == 0 and pdf.read_bytes().startswith(b"%PDF-")


# FORD, with turns, a die, a secret and a ruling


@pytest.fixture
def ford_table(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", game="ford")


def play_move(table: SeatedTable, seat: int, **move):
    return table.submit(seat, "play", {"move": json.dumps(move)}, htmx=True)


def test_ford_is_played_on_two_phones_to_its_explained_score(ford_table: SeatedTable):
    assert "Rolled 3" in ford_table.page(0).text and "Rolled 3" not in ford_table.page(1).text
    refused = play_move(ford_table, 1, type="roll", die=2)
    assert refused.status_code == 422 and "It is Ana\u2019s turn: roll the die." in parse_page(refused.text).text
    assert "The die shows 1 to 3, not 6." in parse_page(play_move(ford_table, 0, type="roll", die=6).text).text
    for seat, die in ((0, 3), (1, 1), (0, 3)):
        assert play_move(ford_table, seat, type="roll", die=die).status_code == 200
    assert "A player is across. Show your stones." in ford_table.page(0).text
    refused = play_move(ford_table, 0, type="roll", die=1)
    assert "A player is across. Show your stone." in parse_page(refused.text).text
    play_move(ford_table, 1, type="hide", hand="left")
    refused = play_move(ford_table, 1, type="roll", die=1)
    assert "It is Ana\u2019s turn: show the stone." in parse_page(refused.text).text
    play_move(ford_table, 0, type="hide", hand="right")
    assert "You win with 5 points." in ford_table.page(0).text
    refused = play_move(ford_table, 0, type="roll", die=1)
    assert "The game is over." in parse_page(refused.text).text and "leaflet p. 2" in parse_page(refused.text).text
    assert "Ana rolled 3. Ana is across." in ford_table.phone(1).open(f"{ford_table.path}/seat/1/log").text
    assert "Under the left hand." in ford_table.phone(0).open(f"{ford_table.path}/score").text


def test_ford_secret_stays_on_its_own_phone(ford_table: SeatedTable):
    play_move(ford_table, 0, type="hide", hand="left")
    # Player 1 may note their stone.
    assert "Stone under my left hand" in ford_table.phone(1).open(f"{ford_table.path}/seat/1/tell").text
    for path in ("", "/seat/1", "/seat/1/log", "/board", "/score"):
        assert "Ana hid a stone" not in ford_table.phone(1).open(ford_table.path + path).text
    assert "Ana hid a stone under the left hand." in ford_table.page(0).text


def test_ford_is_corrected_by_consent_if_the_position_adds_up(ford_table: SeatedTable):
    refused = play_move(ford_table, 0, type="correct", player=1, step=9)
    assert "Bo is on step 9, but the last step is 7." in parse_page(refused.text).text
    play_move(ford_table, 0, type="correct", player=1, step=4)
    (question,) = ford_table.table.proposals
    assert question.text == "Fix Bo on step 4"
    ford_table.submit(1, "answer", {"proposal": str(question.number), "yes": "1"})
    assert ford_table.table.state.players[1].step == 4


def test_ford_ruling_counts():
    final = FinalPosition((FinalPlayer("Ana", 7), FinalPlayer("Bo", 5, "left")), {})
    assert [column.total for column in ford.BOX.score(final).columns] == [5, 6]
    final = FinalPosition(final.players, {"beyond": "point"})
    sheet = ford.BOX.score(final)
    assert [column.total for column in sheet.columns] == [7, 6]
    assert sheet.rulings == ("What is a step beyond the fifth worth? One point, like any other step.",)


def test_ford_position_is_read_or_refused():
    state = ford.TRACKED_GAME.play(
        ford.TRACKED_GAME.initial_state(ford.TRACKED_GAME.setup_format.default(["Ana", "Bo"])), 0, ford.Roll(2)
    )
    position = json.loads(json.dumps(ford.TRACKED_GAME.position_format.to_data(state)))
    assert ford.TRACKED_GAME.position_format.from_data(position) == state
    position["players"][0]["step"] = 6
    with pytest.raises(IllegalMoveError, match="The game ends when a player is across, and not before."):
        ford.TRACKED_GAME.position_format.from_data(position)


@pytest.fixture
def exported_log(ford_table: SeatedTable, tmp_path: Path) -> Path:
    """Export the log of a table where Ana has hidden her stone and both have rolled."""
    play_move(ford_table, 0, type="hide", hand="left")
    play_move(ford_table, 0, type="roll", die=3)
    play_move(ford_table, 1, type="roll", die=1)
    entries = ford_table.referee.store.query(
        "SELECT number, at, device, seat, what FROM entries ORDER BY table_id DESC, number LIMIT 6"
    )
    log = [
        {"number": n, "at": at, "device": "phone", "seat": seat, "what": json.loads(what)}
        for n, at, _, seat, what in entries
    ]
    file = tmp_path / "log.json"
    file.write_text(json.dumps({"code": ford_table.code, "log": log}))
    return file


def test_replay_prints_the_position_after_any_entry_and_reads_it_again(exported_log: Path, run_waymark, tmp_path: Path):
    last, before = (
        json.loads(run_waymark("replay", exported_log, *arguments, "--position").out)
        for arguments in ((), ("--at", "5"))
    )
    assert (last["game"], last["rules"], last["at"], before["at"]) == ("ford", "1", 6, 5)
    assert [player["step"] for player in last["position"]["players"]] == [3, 1]
    assert [player["step"] for player in before["position"]["players"]] == [3, 0]
    file = tmp_path / "position.json"
    file.write_text(json.dumps(last))
    assert json.loads(run_waymark("replay", file, "--position").out) == last
    assert (
        run_waymark("replay", file).out
        == run_waymark("replay", exported_log).out
        != run_waymark("replay", exported_log, "--at", "5").out
    )


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"game": "fjord"},
            "game: no game \u201cfjord\u201d; did you mean".replace("\u201c", '"').replace("\u201d", '"'),
        ),
        ({"game": None}, "game: which game? there are"),
        ({"position": {}}, "players: this is needed"),
        ({"position": {"players": [], "rulings": {}, "turn": "Bo"}}, "turn: expected a whole number, got text"),
        (
            {"position": {"players": [{"name": "Ana", "step": 6}], "rulings": {}}},
            "The game ends when a player is across, and not before.",
        ),
    ],
)
def test_invalid_position_is_refused_in_one_line(change: dict, text: str, run_waymark, tmp_path: Path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "ford", "position": {}} | change))
    assert has_failed_with(run_waymark("replay", file), text)


def test_replay_at_a_missing_entry_or_without_a_position_fails_in_one_line(
    exported_log: Path, run_waymark, tmp_path: Path
):
    assert has_failed_with(
        run_waymark("replay", exported_log, "--at", "99"), "there is no entry 99; the log has 1 to 6"
    )
    file = tmp_path / "position.json"
    file.write_text(run_waymark("replay", exported_log, "--position").out)
    assert has_failed_with(run_waymark("replay", file, "--at", "1"), "--at works only with logs")
    log = json.loads(exported_log.read_text())["log"][:1]
    log[0]["what"] = {"type": "Opened", "game": "ford-tally", "version": "1", "setup": {"players": ["Ana", "Bo"]}}
    file.write_text(json.dumps({"log": log}))
    assert has_failed_with(run_waymark("replay", file, "--position"), "ford-tally has no position")
