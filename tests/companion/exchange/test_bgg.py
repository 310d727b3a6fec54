"""Tests of lists of plays from BoardGameGeek."""

import pytest

from companion.exchange.files import PlayFile, read_file
from companion.exchange.plays import play_error, play_names, to_result

BGG_IDS = {"trails": 342810}
PLAYERS = (
    '<players><player username="ana_bgg" userid="1" name="Ana" startposition="2" color="red" score="25" new="0" '
    'rating="0" win="1"/><player username="" userid="0" name="Bo" startposition="1" color="" score="49-46ish" new="1" '
    'rating="0" win="0"/></players>'
)


def read_plays(
    body: str = PLAYERS, item: str = 'name="Trails" objecttype="thing" objectid="342810"', **attributes: str
) -> PlayFile:
    """Return the plays of a list with one play."""
    fields = {"id": "900001", "date": "2026-11-20", "quantity": "1", "length": "45", "location": "Home"} | attributes
    text = " ".join(f'{name}="{value}"' for name, value in fields.items())
    file = read_file(f"<plays><play {text}><item {item}/>{body}</play></plays>".encode(), BGG_IDS)
    assert isinstance(file, PlayFile)
    return file


def test_play_becomes_a_result_with_everything_it_says():
    (play,) = read_plays(f"<comments>Rain &amp; wind</comments>{PLAYERS}").plays
    result = to_result(play, play_names(play))
    assert (result.game, result.ended, result.minutes, result.where) == ("trails", "2026-11-20", 45, "Home")
    assert (result.note, result.other_ids, result.by_hand) == ("Rain & wind", ("bgg:900001",), True)
    bo, ana = result.players
    assert (bo.name, bo.unscored, bo.note, bo.place) == ("Bo", True, "Score: 49-46ish", 2)
    assert (ana.name, ana.points, ana.winner, ana.place) == ("Ana", 25, True, 1)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"quantity": "2"}, (2, 45, False)),
        ({"quantity": "0"}, (1, 45, False)),
        ({"length": "0"}, (1, 0, False)),
        ({"length": "soon"}, (1, 0, False)),
        ({"incomplete": "1"}, (1, 45, True)),
        ({"nowinstats": "1"}, (1, 45, True)),
    ],
)
def test_quantity_length_and_statistics_are_those_of_the_play(attributes: dict, expected: tuple):
    (play,) = read_plays(**attributes).plays
    assert (play.quantity, play.minutes, play.is_hidden) == expected


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        ("", "it has no players"),
        ("<players></players>", "it has no players"),
        (
            "<players>" + '<player name="Ana" win="1"/>' * 6 + "</players>",
            "it has 6 players, and TRAILS is for at most 4",
        ),
    ],
)
def test_play_with_no_or_too_many_players_cannot_be_imported(players: str, reason: str):
    (play,) = read_plays(players).plays
    assert play_error(play) == reason


def test_player_without_a_name_has_the_username_or_is_a_guest():
    players = '<players><player username="ana_bgg" name="" win="1"/><player username="" name=" "/></players>'
    (play,) = read_plays(players).plays
    result = to_result(play, play_names(play))
    assert [(part.name, part.guest) for part in result.players] == [("ana_bgg", False), ("Guest", True)]


@pytest.mark.parametrize("date", ["", "0000-00-00", "yesterday"])
def test_play_without_a_date_is_named(date: str):
    file = read_plays(date=date)
    assert not file.plays and file.problems[0].startswith("play 900001: ")


def test_other_games_are_counted_with_their_quantity():
    file = read_plays(item='name="Catan" objectid="13"', quantity="3")
    assert not file.plays and file.other_games == {"Catan": 3}


def test_text_that_was_escaped_twice_is_read():
    players = (
        '<players><player name="Sin\u00e9ad O&amp;apos;Brien" win="1"/><player name="Tom &amp;amp; Zoe"/></players>'
    )
    (play,) = read_plays(f"<comments>It&amp;#039;s fun</comments>{players}", location="Dean&amp;apos;s").plays
    assert [part.name for part in play.players] == ["Sin\u00e9ad O'Brien", "Tom & Zoe"]
    assert (play.where, play.note) == ("Dean's", "It's fun")


@pytest.mark.parametrize(("total", "notes"), [("250", 1), ("1", 0), ("", 0)])
def test_one_page_of_a_longer_list_says_so(total: str, notes: int):
    text = (
        f'<plays total="{total}" page="1"><play id="1" date="2026-11-20"><item name="Trails"/>{PLAYERS}</play></plays>'
    )
    file = read_file(text.encode(), BGG_IDS)
    assert isinstance(file, PlayFile) and len(file.plays) == 1 and len(file.notes) == notes
    assert not notes or file.notes[0].startswith("This file has 1 of your 250 plays at BoardGameGeek. ")


def test_very_long_texts_are_cut():
    players = f'<players><player name="{"x" * 5000}" score="{"9*" * 5000}9" win="1"/></players>'
    (play,) = read_plays(f"<comments>&amp;#{'1' * 5000};</comments>{players}", id="1" * 200).plays
    result = to_result(play, play_names(play))
    assert len(result.other_ids[0]) < 100 and len(result.note) <= 300 and result.players[0].unscored
