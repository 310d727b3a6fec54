"""Tables in the states a game goes through, each reached by playing: what the tests of whole pages look at."""

import random
from collections.abc import Callable
from itertools import product

from flask import Flask

from companion.log.repair import Plan, Stop, Told
from companion.log.table import plain_move
from companion.service.referee import NotAllowed
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.reveals import Finish, NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.score_entry import CountAll, PutTile, TellCamp
from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.trails.moves.corrections import CorrectPlayer
from scoring.trails.moves.hiking import Hike, Leave, Wildlife
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from tests.support.phones import Seated, new_tap, seated
from tests.support.positions import laid
from tests.support.random_games import offers, random_game

NAMES = ("Ana", "Bo", "Cy", "Di")
SEED = 7  # with four players somebody takes photos that are named only at the end


def moves(game: str, names: tuple[str, ...], seed: int = SEED) -> list[tuple[int, Move]]:
    """Return a whole random game."""
    record: list[tuple[int, Move]] = []
    random_game(PLAYS[game], laid(list(names), game), random.Random(seed), record)
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
        for offer in [offer for offer in table.table.play.offers(table.table.state, seat, (kind,)) if offer.legal][:1]:
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


def mended(app: Flask) -> Seated:
    """Return a table with repairs made and asked for, steps set aside, and notes in between that only their players read."""
    table = seated(app, *NAMES[:3])
    for seat, badge in enumerate(("science", "climber-leaf", "photography-rock")):
        table.say(seat, NoteHand(badge))
    hikes = [str(table.say(seat, Hike(2)).number) for seat in range(3)]
    for seat in range(3):
        table.say(seat, Hike(2))
        table.say(seat, Leave())
        table.say(seat, NameCard("trailhead", "climber-acorn") if seat == 1 else NoteHand("climber-rock"))
    otherwise = (Told(1, plain_move(Hike(1))), Told(1, plain_move(Leave())))
    repair(table, 0, Plan(hikes[1], 1, otherwise, said=(Stop(),)))  # Bo hiked 1; what came after is set aside
    play(table, [(1, Wildlife("leaf", "leaf")), (2, Hike(2)), (2, Leave()), (0, NoteHand("climber-rock"))])
    repair(table, 2, Plan(table.table.steps[-1].id, 1))  # a note of Ana's: nobody else can ask for that
    repair(table, 0, Plan(table.table.steps[-1].id, 1))
    table.say(0, Hike(1))
    repair(table, 2, Plan(hikes[0], here=(Told(1, plain_move(NameCard("trail-end", "seeker-leaf"))),)), yes=False)
    repair(table, 1, Plan(table.table.steps[-1].id, 1), yes=False)
    assert len(table.table.repairs) == 2 and table.table.undone and len(table.table.proposals) == 2
    return table


def repair(table: Seated, seat: int, plan: Plan, *, yes: bool = True) -> None:
    """Have a seat's phone tell the story otherwise, and all agree who are asked."""
    device = table.phone(seat).device
    try:
        asked = table.referee.mend(table.code, device, new_tap(), seat, plan).number
    except NotAllowed:
        return
    for other in range(len(table.phones) if yes else 0):
        if (proposal := table.table.proposal(asked)) and other in proposal.waiting:
            table.tap(other, "answer", {"proposal": str(asked), "yes": "1"})


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


def on_its_own(table: Seated, seed: int = SEED) -> list[tuple[int, Move]]:
    """Return a whole random game from the set-up of this table, which may know what earlier tables have told of the box."""
    record: list[tuple[int, Move]] = []
    random_game(table.table.play, table.table.setup, random.Random(seed), record)
    return record


def mapping(app: Flask) -> Seated:
    """Return a game of maps that has just been opened."""
    return seated(app, *NAMES, game="alpine-trails")


def half_mapped(app: Flask) -> Seated:
    """Return a game of maps in the middle, with goals noted, animals placed and a question on a map."""
    table = mapping(app)
    play(table, on_its_own(table)[:70])
    for kind, seat in product((NoteGoal, PlaceAnimal), range(len(NAMES))):
        legal = [offer.move for offer in offers(table.table.play, table.table.state, seat, (kind,)) if offer.legal]
        for move in legal[seat : seat + 1]:
            table.say(seat, move)
    table.say(1, CorrectTile(0, 0, 0, "base", "wetland", icons=4))
    assert table.table.proposals
    return table


def laking(app: Flask) -> Seated:
    """Return a game of maps whose bag is empty, with the lakes laid."""
    table = mapping(app)
    game = on_its_own(table)
    return play(table, game[: next(number for number, (_, move) in enumerate(game) if isinstance(move, Finish))])


def mapped(app: Flask) -> Seated:
    table = mapping(app)
    return play(table, on_its_own(table))


def mapped_alone(app: Flask) -> Seated:
    table = seated(app, NAMES[0], game="alpine-trails")
    return play(table, on_its_own(table))


def maps_entered(app: Flask) -> Seated:
    """Return maps being entered after the game: one drawn, one counted by hand, one not begun."""
    table = seated(app, *NAMES[:3], game="alpine-trails-tally")
    table.say(0, TellCamp("rock"))
    table.say(0, PutTile(0, -1, "trail", "forest", "NS", 2, 1))
    table.say(1, CountAll(forest=11, lakes=5, path=16))
    return table


STATES: dict[str, Callable[[Flask], Seated]] = {
    state.__name__.replace("_", " "): state
    for state in (
        just_opened,
        in_the_middle,
        with_questions,
        mended,
        revealing,
        at_the_end,
        counting,
        counted,
        on_one_phone,
        mapping,
        half_mapped,
        laking,
        mapped,
        mapped_alone,
        maps_entered,
    )
}

# Every page of a table, with "0" for the seat; those that only its own phone may see, and those everybody may.
OWN = ("seat/0", "seat/0/now", "seat/0/tell", "seat/0/log")
PUBLIC = ("", "now", "board", "board/now", "score", "score/now", "print", "setup", "ask/sides")
FILES = ("score.json", "score.csv", "score.pdf", "qr.svg")
