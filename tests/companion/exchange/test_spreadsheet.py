"""Tests of tables of plays: encodings, delimiters, layouts, dates and writing."""

import datetime
import random

import pytest

from companion.exchange.plays import Play, PlayFile, play_names, to_result
from companion.exchange.spreadsheet import (
    OWN_COLUMNS,
    Columns,
    csv_rows,
    escape_cell,
    guess_columns,
    read_date,
    read_minutes,
    read_plays,
    read_table,
    to_csv,
)
from companion.history.result import PlayerResult, Result, name_key
from scoring.kernel.errors import InvalidInputError
from tests.support.results_in_files import random_id, random_result

HEADING = "Date,Game,Player,Points,Won\n"
GAME_OF_TWO = f"{HEADING}2026-11-20,Trails,Ana,25,x\n2026-11-20,Trails,Bo,20,\n"


def read_csv(text: str, columns: Columns | None = None) -> PlayFile:
    table = read_table(text.encode())
    return read_plays(table, columns or guess_columns(table), {})


def players_of(play: Play) -> list[tuple[str, str, bool]]:
    return [(part.name, part.score, part.is_winner) for part in play.players]


# Text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_table_is_read_in_any_common_encoding_with_any_delimiter(encoding: str, delimiter: str, line_end: str):
    text = GAME_OF_TWO.replace("Ana", "Zo\u00eb").replace(",", delimiter).replace("\n", line_end)
    table = read_table(text.encode(encoding))
    assert table.headings == ("Date", "Game", "Player", "Points", "Won")
    assert [cells[2] for _, cells in table.rows] == ["Zo\u00eb", "Bo"]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp1251", "\u0410\u043d\u0430"),
        ("mac_roman", "Zo\u00eb"),
        ("shift_jis", "\u82b1\u5b50"),
        ("gb18030", "\u674e\u660e"),
        ("cp949", "\uc9c0\uc218"),
    ],
)
def test_table_is_read_in_a_chosen_encoding(encoding: str, name: str):
    table = read_table(GAME_OF_TWO.replace("Ana", name).encode(encoding), encoding)
    assert table.rows[0][1][2] == name


def test_line_that_names_the_delimiter_is_followed_and_not_counted_as_a_row():
    table = read_table(b"sep=;\r\nDate;Players\r\n2026-11-20;a,b\r\n")
    assert table.headings == ("Date", "Players") and table.rows == ((3, ("2026-11-20", "a,b")),)


def test_quoted_cells_may_have_delimiters_and_lines():
    table = read_table(b'Date,Note\n2026-11-20,"Rain, wind\nand ""fog"""\n')
    assert table.rows[0][1][1] == 'Rain, wind\nand "fog"'


def test_rows_of_different_lengths_and_blank_rows_are_read():
    table = read_table(b"Date,Player,Points\n\n2026-11-20,Ana\n,,\n2026-11-21,Bo,3\n")
    assert [number for number, _ in table.rows] == [3, 5] and table.rows[0][1] == ("2026-11-20", "Ana", "")


# Layouts: each has Ana 25 and Bo 20, and Ana won

ONE_GAME = [("Ana", "25", True), ("Bo", "20", False)]
LAYOUTS = {
    "row for each player": GAME_OF_TWO,
    "row for each player, common cells once": f"{HEADING}2026-11-20,Trails,Ana,25,x\n,,Bo,20,\n",
    "row for each player with a number": (
        "Play,Date,Game,Player,Score,Winner\n1,2026-11-20,Trails,Ana,25,yes\n1,2026-11-20,Trails,Bo,20,no\n"
    ),
    "row for each player with the winner in each": (
        "Date,Game,Player,Score,Winner\n2026-11-20,Trails,Ana,25,Ana\n2026-11-20,Trails,Bo,20,Ana\n"
    ),
    "players side by side": (
        "Date,Game,Player 1,Score 1,Player 2,Score 2,Winner\n2026-11-20,Trails,Ana,25,Bo,20,Ana\n"
    ),
    "players side by side with ticks": (
        "Date,Game,Player 1,Score 1,Won 1,Player 2,Score 2,Won 2\n2026-11-20,Trails,Ana,25,1,Bo,20,0\n"
    ),
    "names as headings": "Date,Game,Ana,Bo,Winner\n2026-11-20,Trails,25,20,Ana\n",
    "names as headings, one absent": "Date,Game,Ana,Cy,Bo,Winner\n2026-11-20,Trails,25,,20,ana\n",
    "all in one cell": 'Date,Game,Players,Winner\n2026-11-20,Trails,"Ana 25, Bo 20",Ana\n',
    "all in one cell with signs": "Date,Game,Players,Winner\n2026-11-20,Trails,Ana: 25; Bo (20),Ana\n",
    "German": "Datum;Spiel;Spieler;Punkte;Gewinner\n20.11.2026;Trails;Ana;25;ja\n20.11.2026;Trails;Bo;20;nein\n",
    "French": "Date;Jeu;Joueur;Score;Gagnant\n20/11/2026;Trails;Ana;25;oui\n20/11/2026;Trails;Bo;20;\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_is_guessed_from_the_headings(layout: str):
    file = read_csv(LAYOUTS[layout])
    assert not file.problems
    (play,) = file.plays
    assert (play.game, play.ended, players_of(play)) == ("trails", "2026-11-20", ONE_GAME)


SHORT_TABLES = {
    "form": 'Timestamp,Who played?,Which game did you play?,Who won?\n11/20/2026 21:30:05,"Ana 25, Bo 20",Trails,Ana\n',
    "form with a date": (
        "Timestamp,When did you play?,Game,Who played?,Winner?\n"
        "11/25/2026 21:30:05,11/20/2026,Trails,Ana 25; Bo 20,Ana\n"
    ),
    "Russian": (
        "\u0414\u0430\u0442\u0430;\u0418\u0433\u0440\u0430;\u0418\u0433\u0440\u043e\u043a;\u041e\u0447\u043a\u0438\n"
        "20.11.2026;Trails;Ana;25\n20.11.2026;Trails;Bo;20\n"
    ),
    "Greek": (
        "\u0397\u03bc\u03b5\u03c1\u03bf\u03bc\u03b7\u03bd\u03af\u03b1;\u03a0\u03b1\u03b9\u03c7\u03bd\u03af\u03b4\u03b9;"
        "\u03a0\u03b1\u03af\u03ba\u03c4\u03b7\u03c2;\u03a0\u03cc\u03bd\u03c4\u03bf\u03b9\n20/11/2026;Trails;Ana;25\n20/11/2026;Trails;Bo;20\n"
    ),
    "Japanese": (
        "\u65e5\u4ed8,\u30b2\u30fc\u30e0,\u30d7\u30ec\u30a4\u30e4\u30fc,\u5f97\u70b9\n2026\u5e7411\u670820\u65e5,Trails,Ana,25\n2026\u5e7411\u670820\u65e5,Trails,Bo,20\n"
    ),
    "Chinese": (
        "\u65e5\u671f,\u6e38\u620f,\u73a9\u5bb6,\u5f97\u5206\n2026/11/20,Trails,Ana,25\n2026/11/20,Trails,Bo,20\n"
    ),
    "Korean": (
        "\ub0a0\uc9dc,\uac8c\uc784,\ud50c\ub808\uc774\uc5b4,\uc810\uc218\n"
        "2026-11-20,Trails,Ana,25\n2026-11-20,Trails,Bo,20\n"
    ),
}


@pytest.mark.parametrize("name", SHORT_TABLES)
def test_headings_of_forms_and_of_other_scripts_are_known(name: str):
    file = read_csv(SHORT_TABLES[name])
    assert not file.problems
    (play,) = file.plays
    assert (play.ended, [(part.name, part.score) for part in play.players]) == (
        "2026-11-20",
        [("Ana", "25"), ("Bo", "20")],
    )


@pytest.mark.parametrize(
    ("cell", "players"),
    [
        ("Smith, John; Doe, Jane", [("Smith, John", ""), ("Doe, Jane", "")]),
        ("Smith, John 25\nDoe, Jane 20", [("Smith, John", "25"), ("Doe, Jane", "20")]),
        ("Ana 25,5, Bo 20", [("Ana", "25,5"), ("Bo", "20")]),
        ("Ana 25, Bo 20; Cy 7", [("Ana", "25"), ("Bo", "20"), ("Cy", "7")]),
    ],
)
def test_names_with_commas_and_scores_with_commas_stay_whole(cell: str, players: list):
    (play,) = read_csv(f'Date,Game,Players\n2026-11-20,Trails,"{cell}"\n').plays
    assert [(part.name, part.score) for part in play.players] == players


@pytest.mark.parametrize("above", ["Our games\n\n", "sep=,\nGames of the club,,,,\n,,,,\n", "Exported,2026-11-20\n"])
def test_lines_above_the_headings_are_skipped(above: str):
    file = read_csv(above + GAME_OF_TWO)
    assert [players_of(play) for play in file.plays] == [ONE_GAME] and not file.problems and not file.other_games


def test_row_of_blanks_is_no_play_of_another_game():
    file = read_csv(f'{GAME_OF_TWO}" ",,"",,\n')
    assert len(file.plays) == 1 and not file.other_games and not file.problems


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (GAME_OF_TWO, ()),
        ("Date,Game,Player,Joy,Luck,Empty\n2026-11-20,Trails,Ana,5,3,\n", ("Columns not used: Joy and Luck.",)),
        (
            "Date,Game,Player\n12/31/2025,Trails,Ana\n31/10/2025,Trails,Ana\n3/4/2026,Trails,Ana\n",
            ("\u201c3/4/2026\u201d is read as 3 Apr 2026.",),
        ),
        ("Date,Game,Player\n26-11-15,Trails,Ana\n", ("\u201c26-11-15\u201d is read as 26 Nov 2015.",)),
        ("Date,Game,Player\n31/10/2025,Trails,Ana\n3/3/2026,Trails,Ana\n", ()),
    ],
)
def test_notes_name_unused_columns_and_a_date_that_could_be_another(text: str, notes: tuple[str, ...]):
    assert read_csv(text).notes == notes


def test_names_alone_in_one_cell_are_players_without_points():
    (play,) = read_csv('Date,Game,Players\n2026-11-20,Trails,"Ana, Bo"\n').plays
    assert players_of(play) == [("Ana", "", False), ("Bo", "", False)]


def test_plays_end_where_the_day_the_game_or_the_names_begin_again():
    text = (
        GAME_OF_TWO
        + "2026-11-20,Trails,Ana,1,\n2026-11-20,Trails,Bo,2,x\n2026-11-20,Parks,Bo,2,x\n2026-11-21,Parks,Ana,3,x\n"
    )
    plays = read_csv(text).plays
    assert [len(play.players) for play in plays] == [2, 2, 1, 1]
    assert len({play.ids for play in plays}) == 4


@pytest.mark.parametrize("between", ["", ",,,,\n", "\n"])
def test_blank_row_or_date_after_blank_cells_begins_another_play(between: str):
    rows = ("2026-11-20,Parks,Ana,25,yes\n,,Bo,20,\n", "2026-11-20,Parks,Cem,31,yes\n,,Dora,28,\n")
    assert [len(play.players) for play in read_csv(HEADING + between.join(rows)).plays] == [2, 2]
    full = ("2026-11-20,Parks,Ana,25,yes\n2026-11-20,Parks,Bo,20,\n", "2026-11-20,Parks,Cem,31,yes\n")
    assert not between or [len(play.players) for play in read_csv(HEADING + between.join(full)).plays] == [2, 1]


def test_delimiter_that_splits_most_rows_is_found_beside_commas_in_dates():
    table = read_table(b"Date;Game;Player;Won\nApril 15, 2026;TRAILS;Ana;yes\nApril 15, 2026;TRAILS;Bo\n")
    assert table.headings == ("Date", "Game", "Player", "Won")
    assert len(read_table(b"a,b;c\nd,e;f\n", delimiter=";").headings) == 2


@pytest.mark.parametrize(
    "row", ["1,2026-11-21,Trails,Ana,25", "1,2026-11-20,Parks,Ana,25", "2,2026-11-20,Trails,Ana,25"]
)
def test_number_of_a_play_counts_only_on_its_day_in_its_game(row: str):
    heading = "No,Date,Game,Player,Points\n"
    (first,), (same,), (other,) = (
        read_csv(heading + text).plays for text in ("1,2026-11-20,Trails,Ana,25", "1,2026-11-20,Trails,Bo,9", row)
    )
    assert first.ids == same.ids != other.ids


def test_two_plays_with_one_number_are_two():
    text = "Session,Date,Game,Players\n1,2026-11-20,Trails,Ana; Bo\n1,2026-11-20,Trails,Ana; Bo\n"
    assert len({play.ids for play in read_csv(text).plays}) == 2


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("Date,Game,Players,Player 1,Score 1,Winner\n2026-11-20,Trails,4,Ana,25,Ana\n", [("Ana", "25", True)]),
        ("Date,Game,Players,Ana,Bo\n2026-11-20,Trails,2,25,20\n", [("Ana", "25", False), ("Bo", "20", False)]),
        (
            "Date,Game,Player 1,Score 1,Player 2,Score 2\n2026-11-20,Trails,Ana,25,,20\n",
            [("Ana", "25", False), ("", "20", False)],
        ),
        (
            'Date,Game,Players,Winner\n2026-11-20,Trails,"Si, Bo",Si\n',
            [("Si", "", True), ("Bo", "", False)],
        ),
        (
            'Date,Game,Players,Winner\n2026-11-20,Trails,"Smith, Ana 20; Lee, Bo 20","Smith, Ana"\n',
            [("Smith, Ana", "20", True), ("Lee, Bo", "20", False)],
        ),
        (
            "Date,Game,Player 1,Player 2,Winner\n2026-11-20,Trails,Ana,Bo,1\n",
            [("Ana", "", False), ("Bo", "", False)],
        ),
    ],
)
def test_players_and_winners_are_those_of_the_row(text: str, players: list):
    (play,) = read_csv(text).plays
    assert players_of(play) == players


def test_time_of_day_is_no_length():
    (play,) = read_csv("Date,Time,Game,Player\n2026-11-20,20:30,Trails,Ana\n").plays
    assert play.minutes == 0


@pytest.mark.parametrize("cell", [":" * 20_000, "9*" * 20_000, "Jan 1 " + "9" * 5000, "(" * 20_000])
def test_very_long_cells_are_cut_or_refused(cell: str):
    for row in (f"{cell},Trails,Ana,1", f"2026-11-20,{cell},Ana,1", f"2026-11-20,Trails,{cell},{cell}"):
        file = read_csv(f"Date,Game,Players,Points\n{row}\n")
        assert len(file.plays) + len(file.problems) + sum(file.other_games.values()) == 1


def test_equal_plays_have_different_ids_that_are_the_same_in_every_reading():
    twice = GAME_OF_TWO + GAME_OF_TWO.removeprefix(HEADING)
    ids = [play.ids for play in read_csv(twice).plays]
    assert len(set(ids)) == 2 and ids == [play.ids for play in read_csv(twice).plays]
    longer = twice + "2026-12-01,Trails,Ana,1,x\n"
    assert [play.ids for play in read_csv(longer).plays][:2] == ids


def test_game_of_all_rows_can_be_chosen():
    text = "Date,Ana,Bo\n2026-11-20,25,20\n"
    with pytest.raises(InvalidInputError, match="no column has the game; choose the game of all rows"):
        read_csv(text)
    (play,) = read_csv(text, Columns(("day", "column", "column"), game="parks")).plays
    assert play.game == "parks"


@pytest.mark.parametrize(
    ("roles", "problem"),
    [(("", "game", "name"), "no column has the date"), (("day", "game", ""), "no column has the players")],
)
def test_columns_that_are_missing_are_named(roles: tuple, problem: str):
    with pytest.raises(InvalidInputError, match=problem):
        read_csv("a,b,c\n1,2,3\n", Columns(roles))


def test_rows_without_a_date_or_of_other_games_are_named_and_counted():
    file = read_csv(f"{HEADING},Trails,Ana,25,x\nsoon,Trails,Ana,25,x\n2026-11-20,Catan,Ana,9,x\n")
    assert file.problems == ("row 2: it has no date", "row 3: the date \u201csoon\u201d is not readable")
    assert file.other_games == {"Catan": 1}


# Dates and lengths

# text -> date, with the day first and with the month first
DATES = {
    "2026-03-04": ("2026-03-04", "2026-03-04"),
    "2026/3/4": ("2026-03-04", "2026-03-04"),
    "2026-03-04 20:15:00": ("2026-03-04", "2026-03-04"),
    "2026-03-04T20:15:00Z": ("2026-03-04", "2026-03-04"),
    "3/4/2026": ("2026-04-03", "2026-03-04"),
    "3.4.26": ("2026-04-03", "2026-03-04"),
    "03. 04. 2026": ("2026-04-03", "2026-03-04"),
    "25/4/2026": ("2026-04-25", "2026-04-25"),
    "4/25/2026": ("2026-04-25", "2026-04-25"),
    "4 Mar 2026": ("2026-03-04", "2026-03-04"),
    "4. March 2026": ("2026-03-04", "2026-03-04"),
    "Mar 4, 2026": ("2026-03-04", "2026-03-04"),
    "46085": ("2026-03-04", "2026-03-04"),
    "46085.84": ("2026-03-04", "2026-03-04"),
    "4/5/98": ("1998-05-04", "1998-04-05"),
    "4/5/68": ("1968-05-04", "1968-04-05"),
    "4-Mar-26": ("2026-03-04", "2026-03-04"),
    "Wednesday, March 4, 2026": ("2026-03-04", "2026-03-04"),
    "15 mrt 2026": ("2026-03-15", "2026-03-15"),
    "3 Nov 2026 (Mar.)": ("2026-11-03", "2026-11-03"),
    "mardi 3 novembre 2026": ("2026-11-03", "2026-11-03"),
    "4. M\u00e4rz 2026": ("2026-03-04", "2026-03-04"),
    "2026\u5e743\u67084\u65e5": ("2026-03-04", "2026-03-04"),
}


@pytest.mark.parametrize("text", DATES)
@pytest.mark.parametrize("month_first", [False, True])
def test_date_is_read_as_people_write_it(text: str, month_first: bool):
    expected = datetime.date.fromisoformat(DATES[text][month_first])
    assert read_date(text, "row 1", month_first=month_first) == expected


@pytest.mark.parametrize("text", ["", "soon", "31/2/2026", "0/0/0", "2026-13-45", "99999", "2062-11-20", "May 2026"])
def test_text_that_is_no_date_is_refused(text: str):
    with pytest.raises(InvalidInputError, match="row 1: "):
        read_date(text, "row 1")


def test_order_of_day_and_month_is_guessed_from_all_dates():
    assert guess_columns(read_table(b"Date,Player\n3/4/2026,Ana\n3/25/2026,Ana\n")).month_first
    assert not guess_columns(read_table(b"Date,Player\n3/4/2026,Ana\n25/3/2026,Ana\n")).month_first


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("45", 45), ("45 min", 45), ("1:30", 90), ("1:30:00", 90), ("1 h 30 min", 90), ("2h", 120), ("2 hours", 120),
        ("", 0), ("long", 0), ("9999", 0),
    ],
)  # fmt: skip
def test_length_is_read_as_people_write_it(text: str, minutes: int):
    assert read_minutes(text) == minutes


# Writing


def test_own_table_with_the_dates_of_another_program_is_read_right():
    rows = [["12/1/2025"], ["8/4/2026"], ["10/31/2025"]]
    players = (PlayerResult("Ana", 30, 1, True), PlayerResult("Bo", 20, 2))
    written = [[*row] for id in ("A", "B", "C") for row in csv_rows([Result(id * 6, "trails", "2026-01-02", players)])]
    for index, row in enumerate(written):
        row[0] = rows[index // 2][0]
    file = read_csv(to_csv([OWN_COLUMNS, *written]))
    assert [play.ended for play in file.plays] == ["2025-12-01", "2026-08-04", "2025-10-31"]


@pytest.mark.parametrize("decided_by", ["unknown", "tie-break", "other", "points", "shared"])
def test_own_table_keeps_the_reason_for_the_winner_and_assumes_none(decided_by: str):
    players = (PlayerResult("Ana", 20), PlayerResult("Bo", 20))
    for game in ("trails", "on-the-trail"):
        result = Result("AAAAAA", game, "2026-01-02", players, decided_by)
        (play,) = read_csv(to_csv([OWN_COLUMNS, *csv_rows([result])])).plays
        found = to_result(play, play_names(play))
        assert (found.decided_by, found.winners) == (decided_by, ())


def test_own_table_read_again_has_the_same_plays(new_york_time: None):
    rng = random.Random(35)
    results = [random_result(rng, random_id(number)) for number in range(300)]
    file = read_csv(to_csv([OWN_COLUMNS, *csv_rows(results)]))
    assert not file.problems and len(file.plays) == len(results)
    for play, result in zip(file.plays, results, strict=True):
        found = to_result(play, play_names(play))
        assert (found.game, found.date, found.other_ids) == (result.game, result.date, (f"waymark:{result.id}",))
        assert [(found.points_of(part), part.bot) for part in found.players] == [
            (result.points_of(part), part.bot) for part in result.players
        ]
        assert [part.winner for part in found.players] == [part.winner for part in result.players]
        assert [name_key(part.name) for part in found.players if not part.guest] == [
            name_key(part.name) for part in result.players if not part.guest
        ]
        assert (found.where, found.note) == (result.where.strip(), result.note.strip())


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_written_table_has_a_byte_order_mark_and_no_formula(delimiter: str):
    text = to_csv([["=1+1", "+1", "-1", "@a", -5]], delimiter)
    assert text == delimiter.join(["\ufeff'=1+1", "'+1", "'-1", "'@a", "-5"]) + "\r\n"
    assert escape_cell("Ana") == "Ana"


@pytest.mark.parametrize("text", ["=1", "'=1", "''-Ana", "'Ana", "@home", "O'Neil"])
def test_text_of_a_cell_comes_back(text: str):
    assert read_table(to_csv([["a", "b"], [text, "x"]]).encode()).rows[0][1][0] == text


def test_race_has_neither_points_nor_a_decision_by_points():
    players = (PlayerResult("Ana", 3, 1, True), PlayerResult("Bo", 0, 2))
    rows = [
        dict(zip(OWN_COLUMNS, row, strict=True))
        for row in csv_rows([Result("AAAAAA", "on-the-trail", "2026-01-02", players)])
    ]
    assert [(row["points"], row["decided by"], row["winner"]) for row in rows] == [
        ("", "finish", "yes"),
        ("", "finish", ""),
    ]
