"""What the columns of a table have, guessed by their headings."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from companion.history.result import name_key

ColumnRole = Literal[
    "",
    "day",
    "game",
    "name",
    "points",
    "place",
    "won",
    "minutes",
    "where",
    "note",
    "id",
    "kind",
    "players",
    "column",
    "decided_by",
]
# Headings in the languages and scripts of common spreadsheets -> what the column has.
HEADINGS: dict[ColumnRole, str] = {
    "day": (
        "date day played when datum tag gespielt fecha data dato dag wann quand cuando kiedy "
        "дата ημερομηνία 日付 日時 日期 날짜"
    ),
    "game": ("game title boardgame spiel titel jeu juego gioco spel gra игра παιχνίδι ゲーム 游戏 遊戲 게임"),
    "name": (
        "player name who spieler spielerin joueur jugador giocatore speler spelare gracz "
        "игрок имя παίκτης プレイヤー 名前 玩家 姓名 플레이어 이름"
    ),
    "points": (
        "points score total result vp punkte punktzahl ergebnis pts puntos punti punten wynik "
        "очки баллы счёт счет πόντοι 得点 点数 スコア 分数 得分 分數 점수"
    ),
    "place": ("place rank position platz rang puesto posto plaats место θέση 順位 名次 排名 순위"),
    "won": (
        "winner won win winners sieger gewinner gewonnen gagnant ganador vincitore winnaar "
        "победитель νικητής 勝者 胜者 获胜者 勝利者 獲勝者 승자"
    ),
    "minutes": (
        "minutes length duration playing_time play_time min dauer minuten durée duración durata duur "
        "длительность минуты διάρκεια 时长 時長"
    ),
    "where": ("where location place played ort wo lieu lugar luogo plaats где τόπος 場所 地点 地點 장소"),
    "note": (
        "note notes comment comments remarks bemerkung notiz kommentar commentaire nota opmerking "
        "заметка комментарий σημείωση メモ 备注 備註 메모"
    ),
    "id": "id play number nr no session",
    "kind": "kind",
    "players": (
        "players all players who played spieler innen mitspieler joueurs jugadores giocatori spelers "
        "игроки παίκτες プレイヤーたち 参加者 所有玩家 참가자"
    ),
}
# Words in the heading of the time at which a form was sent, which is the day if no other column has it.
SENDING_TIME = (
    "timestamp zeitstempel tijdstempel horodateur marca cronologiche carimbo czasowa "
    "отметка タイムスタンプ 时间戳记 타임스탬프"
)
QUESTIONS: tuple[ColumnRole, ...] = ("day", "game", "won", "players", "points")  # "Which game did you play?"


def guess_roles(headings: Sequence[str]) -> list[ColumnRole]:
    """Return the roles of columns by their headings; questions of a form may fill the gaps."""
    words = [re.findall(r"[^\W\d_]+", name_key(heading)) for heading in headings]
    roles: list[ColumnRole] = [_guess_role(" ".join(found)) for found in words]
    questions = [index for index, heading in enumerate(headings) if re.search(r"[?\uff1f]$", heading)]
    searched: list[tuple[ColumnRole, str, Iterable[int]]] = [(role, HEADINGS[role], questions) for role in QUESTIONS]
    searched.append(("day", SENDING_TIME, range(len(headings))))
    for role, known, indexes in searched:
        sought = {*known.casefold().split()}
        index = next((index for index in indexes if not roles[index] and sought & {*words[index]}), None)
        if role not in roles and index is not None:
            roles[index] = role
    return roles


def _guess_role(heading: str) -> ColumnRole:
    for role, known in HEADINGS.items():
        if heading in _phrases(known.casefold()):
            return role
    return ""


def _phrases(words: str) -> set[str]:
    """Return the words, and each two neighbors as a phrase.

    Words joined by "_" are only known together.
    """
    parts = [part.replace("_", " ") for part in words.split()]
    return {*parts, *(f"{first} {second}" for first, second in pairwise(parts))}
