"""Tables in the states a game goes through, reached by playing, for tests of whole pages."""

import random
from collections.abc import Callable
from itertools import product

from flask import Flask

from companion.log.plans import Insert, RepairPlan, Truncate
from companion.log.table import to_data
from companion.service.referee import NotAllowedError
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.reveals import Finish, NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.score_entry import CountAll, EnterCamp, PutTile
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import Increment
from scoring.kernel.move import Move
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Hike, RollWildlife, Skip
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from tests.support.phones import SeatedTable, new_tap, open_seated_table
from tests.support.random_games import possible_offers, random_game
from tests.support.ready_setups import ready_setup

NAMES = ("Ana", "Bo", "Cy", "Di")
SEED = 7  # With four players, someone takes photos that are named only at the end.


def random_game_moves(game: str, names: tuple[str, ...], seed: int = SEED) -> list[tuple[int, Move]]:
    """Return the moves of a whole random game."""
    record: list[tuple[int, Move]] = []
    random_game(TRACKED_GAMES[game], ready_setup(list(names), game), random.Random(seed), record)
    return record


def play_moves(table: SeatedTable, moves: list[tuple[int, Move]]) -> SeatedTable:
    for seat, move in moves:
        table.play(seat, move)
    return table


def just_opened(app: Flask) -> SeatedTable:
    return open_seated_table(app, *NAMES)


def in_the_middle(app: Flask) -> SeatedTable:
    """Return a table in the middle of a game, with cards named and notes made."""
    table = play_moves(open_seated_table(app, *NAMES), random_game_moves("trails", NAMES)[:60])
    for kind, seat in product((NameCard, NoteHand, NotePhoto), range(len(NAMES))):
        for offer in [
            offer for offer in table.table.tracked.offers(table.table.state, seat, (kind,)) if offer.is_legal
        ][:1]:
            table.play(seat, offer.move)
    return table


def with_questions(app: Flask) -> SeatedTable:
    """Return a table with two open proposals: a correction and an undo."""
    table = open_seated_table(app, *NAMES)
    hike = table.play(0, Hike(2)).version
    table.play(1, EditPosition((Increment("players.0.leaf", 2),)))
    table.submit(2, "step", {"take_back": str(hike)})
    assert len(table.table.proposals) == 2
    return table


def with_repairs(app: Flask) -> SeatedTable:
    """Return a table with repairs applied and proposed, removed steps, and private notes."""
    table = open_seated_table(app, *NAMES[:3])
    for seat, badge in enumerate(("science", "climber-leaf", "photography-rock")):
        table.play(seat, NoteHand(badge))
    hikes = [str(table.play(seat, Hike(2)).version) for seat in range(3)]
    for seat in range(3):
        table.play(seat, Hike(2))
        table.play(seat, Skip())
        table.play(seat, NameCard("trailhead", "climber-acorn") if seat == 1 else NoteHand("climber-rock"))
    otherwise = (Insert(1, to_data(Hike(1))), Insert(1, to_data(Skip())))
    # Bo hiked 1; the steps after it are removed.
    request_repair(table, 0, RepairPlan(hikes[1], 1, otherwise, resolutions=(Truncate(),)))
    play_moves(table, [(1, RollWildlife("leaf", "leaf")), (2, Hike(2)), (2, Skip()), (0, NoteHand("climber-rock"))])
    request_repair(table, 2, RepairPlan(table.table.steps[-1].id, 1))  # a note of Ana's, which no other seat can repair
    request_repair(table, 0, RepairPlan(table.table.steps[-1].id, 1))
    table.play(0, Hike(1))
    request_repair(
        table,
        2,
        RepairPlan(hikes[0], edits=(Insert(1, to_data(NameCard("trail-end", "seeker-leaf"))),)),
        approves=False,
    )
    request_repair(table, 1, RepairPlan(table.table.steps[-1].id, 1), approves=False)
    assert len(table.table.repairs) == 2 and table.table.removed and len(table.table.proposals) == 2
    return table


def request_repair(table: SeatedTable, seat: int, plan: RepairPlan, *, approves: bool = True) -> None:
    """Request a repair from a seat's phone, and let all who are asked agree."""
    device = table.phone(seat).device
    try:
        version = table.referee.repair(table.table, device, new_tap(), seat, plan).version
    except NotAllowedError:
        return
    for other in range(len(table.phones) if approves else 0):
        if (proposal := table.table.find_proposal(version)) and other in proposal.waiting_seats:
            table.submit(other, "answer", {"proposal": str(version), "yes": "1"})


def in_the_reveal(app: Flask) -> SeatedTable:
    """Return a table where the game is over and photos are being named."""
    table = open_seated_table(app, *NAMES)
    game = random_game_moves("trails", NAMES)
    return play_moves(
        table, game[: next(number for number, (_, move) in enumerate(game) if isinstance(move, NotePhoto)) + 1]
    )


def at_the_end(app: Flask) -> SeatedTable:
    return play_moves(open_seated_table(app, *NAMES), random_game_moves("trails", NAMES))


def entering_scores(app: Flask) -> SeatedTable:
    return play_moves(
        open_seated_table(app, *NAMES[:3], game="trails-tally"), random_game_moves("trails-tally", NAMES[:3])[:12]
    )


def scores_entered(app: Flask) -> SeatedTable:
    return play_moves(
        open_seated_table(app, *NAMES[:3], game="trails-tally"), random_game_moves("trails-tally", NAMES[:3])
    )


def on_one_phone(app: Flask) -> SeatedTable:
    return play_moves(open_seated_table(app, *NAMES[:2], phones=1), random_game_moves("trails", NAMES[:2])[:25])


def own_random_game_moves(table: SeatedTable, seed: int = SEED) -> list[tuple[int, Move]]:
    """Return a random game from this table's setup, which may have card facts of earlier tables."""
    record: list[tuple[int, Move]] = []
    random_game(table.table.tracked, table.table.setup, random.Random(seed), record)
    return record


def map_game_opened(app: Flask) -> SeatedTable:
    """Return a table of ALPINE TRAILS that has just been opened."""
    return open_seated_table(app, *NAMES, game="alpine-trails")


def map_game_in_the_middle(app: Flask) -> SeatedTable:
    """Return a table of ALPINE TRAILS mid-game, with goals, animals and a question on a map."""
    table = map_game_opened(app)
    play_moves(table, own_random_game_moves(table)[:70])
    for kind, seat in product((NoteGoal, PlaceAnimal), range(len(NAMES))):
        legal = [
            offer.move
            for offer in possible_offers(table.table.tracked, table.table.state, seat, (kind,))
            if offer.is_legal
        ]
        for move in legal[seat : seat + 1]:
            table.play(seat, move)
    table.play(1, CorrectTile(0, 0, 0, "base", "wetland", icons=4))
    assert table.table.proposals
    return table


def map_game_with_lakes(app: Flask) -> SeatedTable:
    """Return a table of ALPINE TRAILS with an empty bag and placed lakes."""
    table = map_game_opened(app)
    game = own_random_game_moves(table)
    return play_moves(table, game[: next(number for number, (_, move) in enumerate(game) if isinstance(move, Finish))])


def map_game_at_the_end(app: Flask) -> SeatedTable:
    table = map_game_opened(app)
    return play_moves(table, own_random_game_moves(table))


def solo_map_game_at_the_end(app: Flask) -> SeatedTable:
    table = open_seated_table(app, NAMES[0], game="alpine-trails")
    return play_moves(table, own_random_game_moves(table))


def maps_entered(app: Flask) -> SeatedTable:
    """Return maps during entry after the game: one drawn, one counted, one not begun."""
    table = open_seated_table(app, *NAMES[:3], game="alpine-trails-tally")
    table.play(0, EnterCamp("rock"))
    table.play(0, PutTile(0, -1, "trail", "forest", "NS", 2, 1))
    table.play(1, CountAll(forest=11, lakes=5, path=16))
    return table


STATES: dict[str, Callable[[Flask], SeatedTable]] = {
    state.__name__.replace("_", " "): state
    for state in (
        just_opened,
        in_the_middle,
        with_questions,
        with_repairs,
        in_the_reveal,
        at_the_end,
        entering_scores,
        scores_entered,
        on_one_phone,
        map_game_opened,
        map_game_in_the_middle,
        map_game_with_lakes,
        map_game_at_the_end,
        solo_map_game_at_the_end,
        maps_entered,
    )
}

HISTORY_PAGES = ("/history", "/history/new", "/history/statistics")
# Every page without parameters in its address.
GENERAL_PAGES = ("/", "/demo", "/tables", "/about", "/rules", "/owner", *HISTORY_PAGES)
# Every page of a table, with "0" for the seat: those only its own phone may see, and those everyone may see.
SEAT_PAGES = ("seat/0", "seat/0/now", "seat/0/tell", "seat/0/log")
PUBLIC_PAGES = ("", "now", "board", "board/now", "score", "score/now", "print", "setup", "ask/sides")
FILE_PAGES = ("score.json", "score.csv", "score.pdf", "qr.svg")
