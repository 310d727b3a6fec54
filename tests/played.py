"""Tables in the states a game goes through, each reached by playing: what the tests of whole pages look at."""

import random
from collections.abc import Callable
from itertools import product

from flask import Flask

from scoring.games import PLAYABLE
from scoring.kernel.move import Move
from scoring.trails.hiking import Hike
from scoring.trails.telling import CorrectPlayer, NameCard, NoteHand, NotePhoto
from tests.driver import random_game
from tests.phones import Seated, seated

NAMES = ("Ana", "Bo", "Cy", "Di")
SEED = 7  # with four players somebody takes photos that are named only at the end


def moves(game: str, names: tuple[str, ...], seed: int = SEED) -> list[tuple[int, Move]]:
    """Return a whole random game."""
    record: list[tuple[int, Move]] = []
    random_game(PLAYABLE[game], PLAYABLE[game].usual(list(names)), random.Random(seed), record)
    return record


def play(table: Seated, game: list[tuple[int, Move]]) -> Seated:
    for seat, move in game:
        table.say(seat, move)
    return table


def just_opened(app: Flask) -> Seated:
    return seated(app, *NAMES)


def in_the_middle(app: Flask) -> Seated:
    """Return a table in the middle of a game, with cards named and notes made."""
    table = play(seated(app, *NAMES), moves("trails", NAMES)[:60])
    for kind, seat in product((NameCard, NoteHand, NotePhoto), range(len(NAMES))):
        for offer in [offer for offer in table.table.game.offers(table.table.state, seat, (kind,)) if offer.legal][:1]:
            table.say(seat, offer.move)
    return table


def with_questions(app: Flask) -> Seated:
    """Return a table where somebody asks for a correction, and another for a step back."""
    table = seated(app, *NAMES)
    hike = table.say(0, Hike(2)).number
    table.say(1, CorrectPlayer(0, leaf=5))
    table.tap(2, "step", {"take_back": str(hike)})
    assert len(table.table.proposals) == 2
    return table


def revealing(app: Flask) -> Seated:
    """Return a table where play is over and photos are being named."""
    table = seated(app, *NAMES)
    game = moves("trails", NAMES)
    return play(table, game[: next(number for number, (_, move) in enumerate(game) if isinstance(move, NotePhoto)) + 1])


def at_the_end(app: Flask) -> Seated:
    return play(seated(app, *NAMES), moves("trails", NAMES))


def counting(app: Flask) -> Seated:
    return play(seated(app, *NAMES[:3], game="trails-tally"), moves("trails-tally", NAMES[:3])[:12])


def counted(app: Flask) -> Seated:
    return play(seated(app, *NAMES[:3], game="trails-tally"), moves("trails-tally", NAMES[:3]))


def on_one_phone(app: Flask) -> Seated:
    return play(seated(app, *NAMES[:2], phones=1), moves("trails", NAMES[:2])[:25])


STATES: dict[str, Callable[[Flask], Seated]] = {
    state.__name__.replace("_", " "): state
    for state in (
        just_opened,
        in_the_middle,
        with_questions,
        revealing,
        at_the_end,
        counting,
        counted,
        on_one_phone,
    )
}

# Every page of a table, with "0" for the seat; those that only its own phone may see, and those everybody may.
OWN = ("seat/0", "seat/0/now", "seat/0/tell", "seat/0/log")
PUBLIC = ("", "now", "board", "board/now", "score", "score/now", "print", "setup")
FILES = ("score.json", "score.csv", "score.pdf", "qr.svg")
