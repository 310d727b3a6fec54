"""A fifth game is one folder, or one file: two small ones come into the house and find all that a game needs there.

Neither has a line in `companion/` or a template of its own.
"""

import json
import re
from pathlib import Path

import pytest
from flask import Flask

from companion.system.paths import CHECKOUT
from scoring.document import BadPosition, score_document
from scoring.games import GAMES, PLAYS
from scoring.kernel.errors import Illegal
from tests.support.command import stopped
from tests.support.page_reader import read
from tests.support.phones import Phone, Seated, seated
from tests.support.small_games import ford, peaks

POSITION = {
    "game": "peaks",
    "players": [
        {"name": "Ana", "summits": 2, "cairns": 1},
        {"name": "Bo", "summits": 1, "weather": "fair", "guide": True},
    ],
}


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both games in the house, for one test."""
    for game in (peaks.GAME, ford.GAME):
        monkeypatch.setitem(GAMES, game.box.key, game)
        for play in game.plays:
            monkeypatch.setitem(PLAYS, play.key, play)


def test_no_line_of_the_house_knows_them():
    files = [
        file for top in ("companion/**/*.py", "scoring/**/*.py", "templates/**/*.html") for file in CHECKOUT.glob(top)
    ]
    assert len(files) > 100
    assert [file for file in files if re.search(r"(?i)\b(peaks|ford)\b", file.read_text(encoding="utf-8"))] == []


# PEAKS, which is only scored.


def test_its_rules_can_be_read_and_searched(phone: Phone):
    assert "Each summit you reached is worth three points." in phone.open("/rules/peaks").text
    found = phone.open("/rules/peaks?q=cairn").text
    assert "Each cairn you built" in found and "Each summit" not in found
    assert "It is not said who wins when points are level." in phone.open("/rules/peaks/level").text


def test_the_home_page_offers_to_score_it_and_not_to_track_it(phone: Phone):
    page = phone.get("/").text
    assert 'href="/new/peaks-tally"' in page and 'href="/new/peaks"' not in page and 'href="/pad/peaks.pdf"' in page
    assert phone.get("/new/peaks").status_code == 404


def test_a_document_of_it_is_scored():
    result = score_document(POSITION)
    assert [(player["total"], player["winner"]) for player in result["players"]] == [(7, True), (4, False)]
    with pytest.raises(BadPosition, match=r"players: the box has 12 stones"):
        score_document({**POSITION, "players": [{"name": "Ana", "cairns": 13}]})
    with pytest.raises(BadPosition, match='players.0.: no key "tents"; there are name, summits'):
        score_document({**POSITION, "players": [{"name": "Ana", "tents": 13}]})


@pytest.fixture
def counting(app: Flask) -> Seated:
    return seated(app, "Ana", "Bo", game="peaks-tally")


def tell(table: Seated, seat: int, what: str, value: str):
    return table.tap(seat, "play", {"move.type": "tell", "move.what": what, "move.value": value}, htmx=True)


def test_it_is_just_scored_from_the_fields_of_its_document(counting: Seated):
    page = counting.page(0)
    assert all(title in page.text for title in ("Summits", "Cairns", "Weather", "Guide", "Fair", "Foul", "Yes"))
    for what, value in (("summits", "2"), ("cairns", "1"), ("weather", "fair"), ("guide", "false")):
        assert tell(counting, 0, what, value).status_code == 200
    assert "9 points so far" in counting.page(0).text
    counting.tap(0, "play", {"move": '{"type":"done"}'})
    assert "Go on counting" in counting.page(0).text
    counting.tap(1, "play", {"move": '{"type":"done"}'})
    assert "Ana wins with 9 points." in counting.page(1).text
    sheet = counting.phone(0).get(f"{counting.path}/score")
    assert "2 reached, 3 points each." in read(sheet.text).text and "leaflet p. 2" in read(sheet.text).text


@pytest.mark.parametrize(
    ("what", "value", "said"),
    [
        ("cairns", "13", "The box has 12 stones."),
        ("summits", "-1", "Nobody has fewer than none."),
        ("summits", "many", "Summits cannot be \u201cmany\u201d."),
        ("weather", "windy", "Weather cannot be \u201cwindy\u201d."),
        ("tents", "1", "There is no \u201ctents\u201d to count; there are summits, cairns, weather, guide."),
    ],
)
def test_what_its_document_refuses_is_refused_with_a_rule(counting: Seated, what: str, value: str, said: str):
    answer = tell(counting, 0, what, value)
    assert answer.status_code == 422 and said in read(answer.text).text and "leaflet p. 2" in read(answer.text).text


def test_its_ruling_is_settled_at_the_table(counting: Seated):
    tell(counting, 0, "cairns", "3")
    tell(counting, 1, "summits", "1")
    for seat in (0, 1):
        counting.tap(seat, "play", {"move": '{"type":"done"}'})
    assert "share the victory" in counting.page(0).text
    assert "Who wins when points are level?" in counting.phone(0).open(f"{counting.path}/seat/0/tell").text
    counting.tap(0, "play", {"move": '{"type":"adopt","ruling":"ties","option":"cairns"}'})
    (question,) = counting.table.proposals
    counting.tap(1, "answer", {"proposal": str(question.number), "yes": "1"})
    assert "Ana wins by cairns: 3 against Bo 0." in counting.page(0).text


@pytest.mark.slow("prints PDFs")
def test_its_sheet_and_its_pad_are_printed(counting: Seated, phone: Phone):
    tell(counting, 0, "summits", "2")
    for path in (f"{counting.path}/score.pdf", "/pad/peaks.pdf"):
        answer = counting.phone(0).get(path)
        while answer.status_code == 202:
            answer = counting.phone(0).get(path)
        assert answer.status_code == 200 and answer.data.startswith(b"%PDF-")
    pad = read(phone.get("/pad/peaks").text).text
    assert "PEAKS" in pad and "Summits" in pad and "Total" in pad


@pytest.mark.slow("prints PDFs")
def test_the_command_line_scores_and_prints_it(tmp_path: Path, waymark):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    assert "Ana wins with 7 points." in waymark("score", str(file)).out
    for name, said in {"sheet": ("print", str(file)), "pad": ("pad", "peaks")}.items():
        paper = tmp_path / f"{name}.pdf"
        assert waymark(*said, "--output", str(paper)).status == 0 and paper.read_bytes().startswith(b"%PDF-")


# FORD, with turns, a die, a secret and a ruling.


@pytest.fixture
def crossing(app: Flask) -> Seated:
    return seated(app, "Ana", "Bo", game="ford")


def say(table: Seated, seat: int, **move):
    return table.tap(seat, "play", {"move": json.dumps(move)}, htmx=True)


def test_it_is_played_on_two_phones_to_its_explained_score(crossing: Seated):
    assert "Rolled 3" in crossing.page(0).text and "Rolled 3" not in crossing.page(1).text
    refused = say(crossing, 1, type="roll", die=2)
    assert refused.status_code == 422 and "It is Ana\u2019s turn: roll the die." in read(refused.text).text
    assert "The die shows 1 to 3, not 6." in read(say(crossing, 0, type="roll", die=6).text).text
    for seat, die in ((0, 3), (1, 1), (0, 3)):
        assert say(crossing, seat, type="roll", die=die).status_code == 200
    assert "Show your stones." in crossing.page(0).text
    refused = say(crossing, 0, type="roll", die=1)
    assert "Somebody is across: show where your stone lies." in read(refused.text).text
    say(crossing, 1, type="hide", hand="left")
    refused = say(crossing, 1, type="roll", die=1)
    assert "It is Ana\u2019s turn: show the stone." in read(refused.text).text
    say(crossing, 0, type="hide", hand="right")
    assert "Ana wins with 5 points." in crossing.page(0).text
    refused = say(crossing, 0, type="roll", die=1)
    assert "The game is over." in read(refused.text).text and "leaflet p. 2" in read(refused.text).text
    assert "Ana rolled 3. That is across." in crossing.phone(1).open(f"{crossing.path}/seat/1/log").text
    assert "Under the left hand." in crossing.phone(0).open(f"{crossing.path}/score").text


def test_its_secret_stays_on_its_own_phone(crossing: Seated):
    say(crossing, 0, type="hide", hand="left")
    assert "Under my left hand" in crossing.phone(1).open(f"{crossing.path}/seat/1/tell").text  # their own to note
    for path in ("", "/seat/1", "/seat/1/log", "/board", "/score"):
        assert "Ana has the stone" not in crossing.phone(1).open(crossing.path + path).text
    assert "Ana has the stone under the left hand." in crossing.page(0).text


def test_it_is_corrected_by_consent_and_by_what_adds_up(crossing: Seated):
    refused = say(crossing, 0, type="correct", player=1, step=9)
    assert "Bo stands on step 9; there is none." in read(refused.text).text
    say(crossing, 0, type="correct", player=1, step=4)
    (question,) = crossing.table.proposals
    assert question.text == "Correct Bo on step 4"
    crossing.tap(1, "answer", {"proposal": str(question.number), "yes": "1"})
    assert crossing.table.state.players[1].step == 4


def test_its_ruling_counts():
    final = ford.Final((ford.Crosser("Ana", 7), ford.Crosser("Bo", 5, "left")), {})
    assert [column.total for column in ford.score(final).columns] == [5, 6]
    final = ford.Final(final.players, {"beyond": "point"})
    sheet = ford.score(final)
    assert [column.total for column in sheet.columns] == [7, 6]
    assert sheet.rulings == ("What is a step beyond the fifth worth? A point like any other.",)


def test_its_table_as_it_lies_is_read_back_or_said_to_be_wrong():
    state = ford.PLAY.play(ford.PLAY.begin(ford.PLAY.usual(["Ana", "Bo"])), 0, ford.Roll(2))
    said = json.loads(json.dumps(ford.PLAY.lying.plain(state)))
    assert ford.PLAY.lying.read(said) == state
    said["players"][0]["step"] = 6
    with pytest.raises(Illegal, match="It is over when somebody is across, and only then."):
        ford.PLAY.lying.read(said)


@pytest.fixture
def exported(crossing: Seated, tmp_path: Path) -> Path:
    """The log of a table where Ana has hidden her stone and both have rolled."""
    say(crossing, 0, type="hide", hand="left")
    say(crossing, 0, type="roll", die=3)
    say(crossing, 1, type="roll", die=1)
    entries = crossing.referee.store.rows(
        "SELECT number, at, device, seat, what FROM entries ORDER BY table_id DESC, number LIMIT 6"
    )
    log = [
        {"number": n, "at": at, "device": "phone", "seat": seat, "what": json.loads(what)}
        for n, at, _, seat, what in entries
    ]
    file = tmp_path / "log.json"
    file.write_text(json.dumps({"code": crossing.code, "log": log}))
    return file


def test_a_log_says_how_the_table_lay_after_any_entry_and_such_a_file_is_read_again(
    exported: Path, waymark, tmp_path: Path
):
    last, before = (json.loads(waymark("replay", exported, *at, "--position").out) for at in ((), ("--at", "5")))
    assert (last["game"], last["rules"], last["at"], before["at"]) == ("ford", "1", 6, 5)
    assert [player["step"] for player in last["position"]["players"]] == [3, 1]
    assert [player["step"] for player in before["position"]["players"]] == [3, 0]
    file = tmp_path / "position.json"
    file.write_text(json.dumps(last))
    assert json.loads(waymark("replay", file, "--position").out) == last
    assert (
        waymark("replay", file).out == waymark("replay", exported).out != waymark("replay", exported, "--at", "5").out
    )


@pytest.mark.parametrize(
    ("change", "said"),
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
            "It is over when somebody is across, and only then.",
        ),
    ],
)
def test_a_position_that_is_none_is_said_in_one_line(change: dict, said: str, waymark, tmp_path: Path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "ford", "position": {}} | change))
    assert stopped(waymark("replay", file), said)


def test_what_cannot_be_stopped_at_or_has_no_position_is_said_in_one_line(exported: Path, waymark, tmp_path: Path):
    assert stopped(waymark("replay", exported, "--at", "99"), "there is no entry 99; the log has 1 to 6")
    file = tmp_path / "position.json"
    file.write_text(waymark("replay", exported, "--position").out)
    assert stopped(waymark("replay", file, "--at", "1"), "--at is for logs")
    log = json.loads(exported.read_text())["log"][:1]
    log[0]["what"] = {"type": "Opened", "game": "ford-tally", "version": "1", "setup": {"players": ["Ana", "Bo"]}}
    file.write_text(json.dumps({"log": log}))
    assert stopped(waymark("replay", file, "--position"), "what is counted of FORD after the game is no table")
