"""Tests of files of BG Stats: what is read, and that a written file gives everything back."""

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from companion.exchange.bg_stats import write_bg_stats
from companion.exchange.files import read_file
from companion.exchange.plays import NO_SCORE, Play, PlayFile, play_names, to_result
from companion.exchange.spreadsheet import csv_rows
from companion.history.result import PlayerResult, Result, name_key
from scoring.games import GAMES
from scoring.kernel.errors import InvalidInputError
from tests.support.results_in_files import random_id, random_result

BGG_IDS = {"trails": 342810, "parks": 266524}
RESULTS = 10_000
PER_FILE = 500
ANA, BO, ANONYMOUS = ({"id": 1, "name": "Ana"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "", "isAnonymous": True})
SCORES = ({"playerRefId": 1, "score": "25", "winner": True, "rank": 1}, {"playerRefId": 2, "score": "20", "rank": 2})


def read(data: dict) -> PlayFile:
    file = read_file(json.dumps(data).encode(), BGG_IDS)
    assert isinstance(file, PlayFile)
    return file


def bg_stats_file(*scores: dict, game: dict | None = None, players: tuple = (ANA, BO, ANONYMOUS), **play) -> dict:
    """Return a file with one play."""
    return {
        "games": [{"id": 7, "name": "Trails", "bggId": 342810} | (game or {})],
        "players": [dict(player) for player in players],
        "locations": [{"id": 1, "name": "Home"}],
        "plays": [
            {
                "uuid": "55555555-5555-4555-8555-555555555555",
                "gameRefId": 7,
                "playDate": "2026-11-20 20:00:00",
                "playerScores": [dict(score) for score in scores or SCORES],
            }
            | play
        ],
    }


def only_play(data: dict) -> Play:
    (play,) = read(data).plays
    return play


def only_result(data: dict) -> Result:
    play = only_play(data)
    return to_result(play, play_names(play))


# Writing and reading again


def test_ten_thousand_random_results_come_back_equal(new_york_time: None):
    rng = random.Random(33)
    for first in range(0, RESULTS, PER_FILE):
        results = [random_result(rng, random_id(first + number)) for number in range(PER_FILE)]
        file = read(json.loads(msgspec.json.encode(write_bg_stats(results, BGG_IDS))))
        assert not file.other_games and not file.problems
        assert [to_result(play, play_names(play)) for play in file.plays] == results


HOSTILE = {
    "a length that is no number": {"durationMin": float("nan")},
    "a length that is no number, as text": {"durationMin": "nan"},
    "an endless length": {"durationMin": "inf"},
    "the end of the calendar": {"playDate": "9999-12-31 23:30:00"},
    "half an emoji": {"comments": "x\ud83d"},
    "deep data beside a player": {"playerScores": [SCORES[0] | {"metaData": "[" * 100_000}, SCORES[1]]},
    "a long id": {"uuid": "x" * 200},
    "a long note": {"comments": "x" * 100_000},
    "a long score": {"playerScores": [SCORES[0] | {"score": "9*" * 100_000 + "9"}, SCORES[1]]},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_odd_value_is_read_or_left_out_and_can_be_stored(new_york_time: None, kind: str):
    result = only_result(bg_stats_file(**HOSTILE[kind]))
    assert msgspec.json.decode(msgspec.json.encode(result), type=Result) == result
    assert [part.name for part in result.players] == ["Ana", "Bo"]


def test_game_with_a_text_as_its_id_is_found_by_its_title():
    assert only_play(bg_stats_file(game={"bggId": "abc"})).game == "trails"
    assert read(bg_stats_file(game={"name": "(" * 100_000, "bggId": "abc"})).other_games == {"(" * 79 + "\u2026": 1}


def test_play_without_our_data_has_the_same_players_and_points(new_york_time: None):
    rng = random.Random(34)
    for number in range(300):
        result = random_result(rng, random_id(number))
        data = write_bg_stats([result], BGG_IDS)
        del data["plays"][0]["waymark"]
        found = only_result(json.loads(msgspec.json.encode(data)))
        assert (found.game, found.date, found.where, found.note) == (
            result.game,
            result.date,
            result.where,
            result.note,
        )
        assert found.minutes == (result.minutes if result.minutes <= 1440 else 0)
        assert [found.points_of(part) for part in found.players] == [result.points_of(part) for part in result.players]
        assert [(part.guest, part.bot) for part in found.players] == [(part.guest, part.bot) for part in result.players]
        assert [name_key(part.name) for part in found.players if not part.guest] == [
            name_key(part.name) for part in result.players if not part.guest
        ]


CHANGES = [
    ("a score", lambda play: play["playerScores"][0].update(score="31")),
    ("the winner", lambda play: play["playerScores"][1].update(winner=True)),
    ("the note", lambda play: play.update(comments="Again")),
    ("the length", lambda play: play.update(durationMin=50)),
    ("the day", lambda play: play.update(playDate="2026-01-03 12:00:00", playDateYmd=20260103)),
]


@pytest.mark.parametrize(("change"), [change for _, change in CHANGES], ids=[name for name, _ in CHANGES])
def test_play_that_was_changed_in_bg_stats_is_read_as_it_is_there(change):
    players = (PlayerResult("Ana", 30, 1, True, {"badges": 30}), PlayerResult("Bo", 20, 2))
    data = write_bg_stats([Result("AAAAAA", "trails", "2026-01-02", players, minutes=40)], BGG_IDS)
    assert only_result(data).players == players
    change(data["plays"][0])
    assert only_result(data).by_hand and not only_result(data).players[0].categories


def test_damaged_data_of_ours_is_ignored():
    data = write_bg_stats([Result("AAAAAA", "trails", "2026-01-02", (PlayerResult("Ana", 30),))], BGG_IDS)
    data["plays"][0]["waymark"]["result"]["players"] = []
    assert [part.name for part in only_result(data).players] == ["Ana"]


def test_written_file_has_what_importers_need():
    players = (
        PlayerResult("Ana", 30, 1, True),
        PlayerResult("The bot", 20, 2, bot=True),
        PlayerResult("Guest", 9, 3, guest=True),
    )
    data = write_bg_stats([Result("AAAAAA", "trails", "2026-01-02", players)], BGG_IDS)
    assert data["about"].startswith("This is a Play file that can be read by Board Game Stats.")
    assert [(each["name"], each["isAnonymous"]) for each in data["players"]] == [
        ("Ana", False), ("The bot", False), ("Anonymous player", True)
    ]  # fmt: skip
    (play,) = data["plays"]
    assert [score["metaData"] for score in play["playerScores"]] == ["", '{"isNpc":1}', ""]
    assert all(
        isinstance(score["startPlayer"], bool) and isinstance(score["score"], str) for score in play["playerScores"]
    )
    assert play["uuid"] == play["uuid"].upper() and play["playDateYmd"] == 20260102
    again = write_bg_stats([Result("AAAAAA", "trails", "2026-01-02", players)], BGG_IDS)
    assert again["plays"][0]["uuid"] == play["uuid"], "the same in every file"


# Reading

# text of the score -> points, None if it is no whole number of points
SCORE_TEXTS = {
    "25": 25, "-3": -3, "\u22123": -3, " 25 ": 25, "25.0": 25, "25,0": 25,
    "1.000": None, "1,000": None, "2+3": 5, "11+9": 20, "10 + 5": 15, "3*4+2": 14,
    "20-5+2": 17,
    "25 pts": 25, "25 points": 25, "\uff12\uff15": 25, "0": 0, "": None, "null": None, "49-46": None, "49-46ish": None,
    "20.5": None, "about 20": None, "1e3": None, "99999": None, "NaN": None, "\u221e": None, "2+": None,
}  # fmt: skip


@pytest.mark.parametrize("text", SCORE_TEXTS)
def test_score_is_read_as_points_or_kept_as_text(text: str):
    expected = SCORE_TEXTS[text]
    part = only_result(bg_stats_file({"playerRefId": 1, "score": text, "winner": True}, SCORES[1])).players[0]
    assert (None if part.unscored else part.points) == expected
    assert part.note == (
        f"Score: {' '.join(text.split())}" if expected is None and name_key(text) not in NO_SCORE else ""
    )


# (scores, winners, decided by) of plays
WINNERS = [
    (({"score": "25", "winner": True}, {"score": "20"}), (True, False), "points"),
    (({"score": "20", "winner": True}, {"score": "20"}), (True, False), "tie-break"),
    (({"score": "20", "winner": True}, {"score": "20", "winner": True}), (True, True), "shared"),
    (({"score": "10", "winner": True}, {"score": "20"}), (True, False), "other"),
    (({"score": "25", "rank": 0}, {"score": "20", "rank": 0}), (True, False), "points"),
    (({"score": "20"}, {"score": "20"}), (True, True), "shared"),
    (({"score": "10", "rank": 1}, {"score": "20", "rank": 2}), (True, False), "other"),
    (({"score": ""}, {"score": "20"}), (False, False), "unknown"),
    (({"score": "", "winner": True}, {"score": ""}), (True, False), "other"),
]


@pytest.mark.parametrize(("scores", "winners", "decided_by"), WINNERS)
def test_winner_is_the_one_of_the_file_or_the_one_with_the_most_points(scores: tuple, winners: tuple, decided_by: str):
    result = only_result(bg_stats_file(*({"playerRefId": id} | score for id, score in enumerate(scores, 1))))
    assert tuple(part.winner for part in result.players) == winners and result.decided_by == decided_by


def test_anonymous_players_are_guests_and_bots_are_bots():
    bot = {"id": 4, "name": "Automa", "metaData": '{"isNpc":1}'}
    scores = ({"playerRefId": 3}, {"playerRefId": 3}, {"playerRefId": 4}, {"playerRefId": 1, "metaData": '{"isNpc":1}'})
    result = only_result(bg_stats_file(*scores, players=(ANA, ANONYMOUS, bot)))
    assert [(part.name, part.guest, part.bot) for part in result.players] == [
        ("Guest", True, False), ("Guest 2", True, False), ("Automa", False, True), ("Ana", False, True)
    ]  # fmt: skip


def test_players_are_in_the_order_of_their_seats_if_known():
    first, second = SCORES
    assert [part.name for part in only_result(bg_stats_file(first, second)).players] == ["Ana", "Bo"]
    data = bg_stats_file(first | {"seatOrder": 2}, second | {"seatOrder": 1})
    assert [part.name for part in only_result(data).players] == ["Bo", "Ana"]


DATES = [
    ({"playDate": "2026-11-20 20:00:00"}, "2026-11-21T01:00:00+00:00"),
    ({"playDate": "2026-11-20 20:00:00", "playDateYmd": 20261120}, "2026-11-21T01:00:00+00:00"),
    ({"playDate": "2026-11-20 20:00:00", "playDateYmd": 20261118}, "2026-11-18"),
    ({"playDate": "2026-11-20 12:00:00"}, "2026-11-20"),
    ({"playDate": "", "playDateYmd": 20261118}, "2026-11-18"),
    ({"playDate": "2026-11-20"}, "2026-11-20"),
]


@pytest.mark.parametrize(("fields", "expected"), DATES)
def test_date_is_local_time_or_only_the_day(fields: dict, expected: str, new_york_time: None):
    assert only_play(bg_stats_file(**fields)).ended == expected


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"playDate": ""}, "play 1: it has no date"),
        ({"playDate": "soon"}, "play 1: the date \u201csoon\u201d is not readable"),
        ({"playDate": "0001-01-01 00:00:00"}, "play 1: the date"),
        ({"playDateYmd": 20261345}, "play 1: the date"),
        ({"playerScores": [{"score": []}]}, "play 1: one of its values is not readable"),
    ],
)
def test_play_that_cannot_be_read_is_named_and_the_others_are_read(fields: dict, problem: str):
    data = bg_stats_file(**fields)
    data["plays"].append(bg_stats_file()["plays"][0])
    file = read(data)
    assert len(file.plays) == 1 and len(file.problems) == 1 and problem in file.problems[0]


GAME_NAMES = [
    ({"name": "TRAILS", "bggId": 0}, "trails"),
    ({"name": "Our trail game", "bggName": "Trails", "bggId": 342810}, "trails"),
    ({"name": "PARKS (2nd Edition)", "bggId": 0}, "parks"),
    ({"name": "PARKS", "bggId": 266524}, "parks"),
    ({"name": "Alpine Trails", "bggId": 5}, "alpine-trails"),  # no id is known for it here
    ({"name": "On the Trail", "bggId": 0}, "on-the-trail"),
    ({"name": "Catan", "bggId": 13}, None),
    ({"name": "", "bggId": 0}, None),
]


@pytest.mark.parametrize(("game", "expected"), GAME_NAMES)
def test_game_is_found_by_its_id_or_title(game: dict, expected: str | None):
    file = read(bg_stats_file(game=game))
    assert [play.game for play in file.plays] == ([expected] if expected else [])
    assert file.other_games == ({} if expected else {game["name"] or "a game without a title": 1})
    assert expected is None or expected in GAMES


def test_other_edition_of_a_game_is_named_with_its_id():
    assert read(bg_stats_file(game={"name": "PARKS", "bggId": 999})).other_games == {"PARKS (BoardGameGeek ID 999)": 1}


def test_ids_are_those_of_the_play_here_and_at_boardgamegeek():
    data = bg_stats_file(uuid="55555555-5555-4555-8555-55555555555a", bggId=900001)
    assert only_play(data).ids == ("bg-stats:55555555-5555-4555-8555-55555555555A", "bgg:900001")


def test_file_with_another_form_is_refused_with_the_place():
    with pytest.raises(InvalidInputError, match="players"):
        read(bg_stats_file() | {"players": 3})


# What the file knows and this computer does not


def test_two_players_with_one_name_have_the_same_names_in_all_plays():
    players = (
        {"id": 1, "name": "Max"},
        {"id": 2, "name": "Lena"},
        {"id": 3, "name": "LENA"},
        {"id": 4, "name": "Lena"},
    )
    data = bg_stats_file(players=players)
    (first,) = data["plays"]
    orders = ([2, 3], [3, 2], [3, 1])
    data["plays"] = [
        first | {"uuid": f"play {number}", "playerScores": [{"playerRefId": id, "score": "1"} for id in order]}
        for number, order in enumerate(orders)
    ]
    file = read(data)
    assert [[part.name for part in play.players] for play in file.plays] == [
        ["Lena", "LENA 2"],
        ["LENA 2", "Lena"],
        ["LENA 2", "Max"],
    ]
    assert file.notes == ("The file has several players named LENA; one is LENA 2 here.",)  # the fourth never plays


def test_names_that_are_in_the_file_stay_with_their_players():
    players = tuple({"id": id, "name": name} for id, name in enumerate(("Lena", "Lena", "Lena 2"), 1))
    scores = [{"playerRefId": id, "score": "1"} for id in (1, 2, 3)]
    assert [part.name for part in only_play(bg_stats_file(*scores, players=players)).players] == [
        "Lena",
        "Lena 3",
        "Lena 2",
    ]
    assert [part.name for part in only_play(bg_stats_file(scores[1], players=players)).players] == ["Lena 3"]


@pytest.mark.parametrize("is_won", [False, True])
def test_solo_play_is_won_or_lost_as_in_the_file(is_won: bool):
    score = {"playerRefId": 1, "score": "44", "winner": is_won, "rank": 1}
    result = only_result(bg_stats_file(score))
    (part,) = result.players
    assert (result.has_won(part), part.place, result.decided_by) == (is_won, 1, "other" if is_won else "points")
    assert [row[7] for row in csv_rows([result])] == ["yes" if is_won else ""]
    (play,) = write_bg_stats([result], BGG_IDS)["plays"]
    assert play["playerScores"][0]["winner"] is is_won


def test_solo_game_of_waymark_is_no_win_in_bg_stats():
    result = Result("AAAAAA", "trails", "2026-01-02", (PlayerResult("Ana", 30, 1, True),))
    assert write_bg_stats([result], BGG_IDS)["plays"][0]["playerScores"][0]["winner"] is False


@pytest.mark.parametrize(
    ("zone", "play_date"),
    [("UTC", "2025-12-31 23:50:00"), ("UTC", "2025-12-31 00:05:00"), ("NZST-13", "2025-12-31 20:00:00")],
)
def test_day_of_the_file_stays_when_the_time_zone_of_the_computer_changes(monkeypatch, zone: str, play_date: str):
    with time_zone(monkeypatch, zone):
        result = only_result(bg_stats_file(playDate=play_date))
    for other in ("CET-1", "PST8", "UTC"):
        with time_zone(monkeypatch, other):
            assert result.date == "2025-12-31"
            (play,) = write_bg_stats([result], BGG_IDS)["plays"]
            assert play["playDateYmd"] == 20251231 and play["playDate"].startswith("2025-12-31")


@contextmanager
def time_zone(monkeypatch: pytest.MonkeyPatch, zone: str) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    "title",
    ["PARKS", "Parks (Second Edition)", "PARKS: Second Edition", "Parks \u2013 2nd edition", "PARKS 2nd Ed."],
)
def test_title_with_an_edition_is_our_game(title: str):
    assert only_play(bg_stats_file(game={"name": title, "bggId": 0})).game == "parks"


def test_title_with_the_subtitle_is_our_game_and_an_expansion_is_not():
    assert only_play(bg_stats_file(game={"name": "TRAILS: A PARKS Game", "bggId": 0})).game == "trails"
    assert read(bg_stats_file(game={"name": "PARKS: Nightfall", "bggId": 0})).other_games == {"PARKS: Nightfall": 1}


def test_players_who_share_a_victory_share_the_first_place():
    scores = [{"playerRefId": id, "score": score, "winner": won} for id, score, won in ((1, "30", 1), (2, "25", 1))]
    result = only_result(bg_stats_file(*scores, {"playerRefId": 3, "score": "27"}))
    assert [part.place for part in result.players] == [1, 1, 3] and result.decided_by == "shared"
