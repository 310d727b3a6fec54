"""Games in which a move was entered wrongly: the real moves, the entered ones, the repairs."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from scoring.alpine_trails.moves.placing import PlaceTrail
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from scoring.on_the_trail.moves.card_reveals import NoteCard
from scoring.on_the_trail.moves.reveals import EnterLeg
from scoring.on_the_trail.moves.run_moves import Run, Stay
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import BuyGear, VisitPark
from scoring.parks.moves.reveals import NameGear, NamePark
from scoring.parks.moves.sites import Roll, TakePhoto
from scoring.trails.moves import hiking as trails
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import KeepResources, Photograph, RollWildlife
from scoring.trails.moves.reveals import NameCard, NotePhoto
from tests.browser.parks_game import play_game as game_of_parks
from tests.golden_games.files import moves_of, read_golden_game

GameLog = tuple[tuple[int, Move], ...]
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve")


@dataclass(frozen=True)
class Mistake:
    """Part of a game that was entered with a few wrong steps; the first is noticed at the end."""

    game: str
    actual_moves: Callable[[], GameLog]
    step_count: int  # number of steps played by then
    # Index of a step -> the move that was entered instead; None if the step was forgotten.
    wrong_moves: tuple[tuple[int, Move | None], ...]
    # Moves that really happened and that differ from the game these steps are taken from.
    actual_changes: tuple[tuple[int, Move], ...] = ()
    asker: int = 0

    @cached_property
    def tracked(self) -> TrackedGame:
        return TRACKED_GAMES[self.game]

    @cached_property
    def actual_log(self) -> GameLog:
        """Return the moves that really happened."""
        changes = dict(self.actual_changes)
        steps = self.actual_moves()[: self.step_count]
        return tuple((seat, changes.get(place, move)) for place, (seat, move) in enumerate(steps))

    @property
    def entered_log(self) -> GameLog:
        """Return the moves that were entered."""
        wrong = dict(self.wrong_moves)
        steps = ((seat, wrong.get(place, move)) for place, (seat, move) in enumerate(self.actual_log))
        return tuple((seat, move) for seat, move in steps if move is not None)

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: max(seat for seat, _ in self.actual_log) + 1]

    @property
    def first_wrong_step(self) -> int:
        """Return the index of the wrong step, or of the step before which one is missing."""
        return self.wrong_moves[0][0]


def golden_moves(name: str) -> Callable[[], GameLog]:
    """Return a function that gives the moves of a golden game."""
    return cache(lambda: tuple(moves_of(read_golden_game(name))))


TRAILS, ALPINE, RACE = golden_moves("trails-3"), golden_moves("alpine-trails-3"), golden_moves("on-the-trail-2")


def parks_moves(seed: int, players: int = 3) -> Callable[[], GameLog]:
    """Return a function that gives the moves of a generated game, the same on every run."""
    return cache(
        lambda: tuple(
            game_of_parks(TRACKED_GAMES["parks"].setup_format.default(list(NAMES[:players])), random.Random(seed))
        )
    )


PARKS, PARKS_2 = parks_moves(3), parks_moves(1)
PARKS_5, ALPINE_5 = parks_moves(3, players=5), golden_moves("alpine-trails-5")

# The neighboring button was tapped about ten turns ago; every later step can stay.
NEIGHBOR_TAPS = {
    "trails: a badge": Mistake("trails", TRAILS, 47, ((26, EarnBadge("science")),), asker=1),
    "trails: a photo": Mistake("trails", TRAILS, 58, ((20, Photograph(pay="leaf")),)),
    "parks: a park": Mistake("parks", PARKS, 56, ((25, VisitPark("Indiana Dunes", mountain=1, unnamed="open")),)),
    "parks: a name": Mistake("parks", PARKS, 66, ((38, NamePark("Big Bend")),), asker=1),
    "alpine: a tile": Mistake("alpine-trails", ALPINE, 50, ((20, PlaceTrail("meadow", "NS", 1, 0, 1)),), asker=1),
    "race: a card": Mistake("on-the-trail", RACE, 60, ((41, Run("green", pair=True)),), asker=1),
    "race: a leg": Mistake(
        "on-the-trail", RACE, 78, ((32, EnterLeg(0, 2, "red")),), actual_changes=((33, Run("green", pair=True)),)
    ),
}
# The neighboring button was tapped in one of the last three turns.
NOTICED_SOON = {
    "trails: a hike": Mistake("trails", TRAILS, 16, ((9, trails.Hike(2, canteen=True)),), asker=1),
    "trails: the die": Mistake("trails", TRAILS, 18, ((13, RollWildlife("bear", "leaf")),), asker=1),
    "parks: a hiker": Mistake("parks", PARKS_5, 30, ((24, Hike(0, 1)),)),
    "parks: the die": Mistake("parks", PARKS_5, 46, ((39, Roll("mountain")),), asker=3),
    "parks: gear": Mistake("parks", PARKS_5, 36, ((29, BuyGear("camp-mug-trade", unnamed=True)),), asker=3),
    "parks: a gear name": Mistake("parks", PARKS_5, 74, ((60, NameGear("journal-sun")),)),
    "parks: a park": Mistake("parks", PARKS, 50, ((38, NamePark("Kobuk Valley")),), asker=1),
    "trails: a badge": Mistake("trails", TRAILS, 40, ((28, NameCard("trail-end", "observer-rock")),), asker=2),
    "alpine: a tile": Mistake("alpine-trails", ALPINE_5, 29, ((26, PlaceTrail("rock", "NE", 1, -1, 1)),), asker=1),
    "race: a leg": Mistake(
        "on-the-trail", RACE, 46, ((32, EnterLeg(0, 2, "red")),), actual_changes=((33, Run("green", pair=True)),)
    ),
    "race: a card": Mistake("on-the-trail", RACE, 26, ((19, Run("green", pair=True)),)),
}
# The neighboring button was tapped half a game ago.
NOTICED_MUCH_LATER = {
    "trails: a hike": Mistake("trails", TRAILS, 110, ((9, trails.Hike(2, canteen=True)),), asker=1),
    "trails: a badge": Mistake("trails", TRAILS, 110, ((4, NameCard("trailhead", "observer-acorn")),)),
    "parks: a hiker": Mistake("parks", PARKS_5, 140, ((55, Hike(9, 10)),), asker=1),
    "parks: a photo": Mistake("parks", PARKS_5, 75, ((31, TakePhoto("water")),), asker=4),
    "parks: a gear name": Mistake("parks", PARKS_5, 150, ((48, NameGear("binoculars-sun")),), asker=3),
    "parks: a park": Mistake("parks", PARKS, 140, ((42, NamePark("Big Bend")),), asker=2),
    "alpine: a tile": Mistake("alpine-trails", ALPINE_5, 110, ((26, PlaceTrail("rock", "NE", 1, -1, 1)),), asker=1),
    "race: a card": Mistake("on-the-trail", RACE, 150, ((19, Run("green", pair=True)),)),
    "race: a leg": Mistake(
        "on-the-trail", RACE, 150, ((32, EnterLeg(0, 2, "red")),), actual_changes=((33, Run("green", pair=True)),)
    ),
}
# One step was entered wrongly, and because of that a later one as well.
KNOCK_ON = {
    "trails": Mistake("trails", TRAILS, 56, ((16, Photograph(pay="rock")), (46, KeepResources(0, 6, 2)))),
    "parks": Mistake("parks", PARKS_2, 71, ((51, Hike(0, 2)), (59, Hike(2, 12))), asker=1),
    "alpine": Mistake(
        "alpine-trails",
        ALPINE,
        46,
        ((21, PlaceTrail("meadow", "NES", 3, 0, -1)), (33, PlaceTrail("wetland", "NW", 1, 1, -1))),
        asker=0,
    ),
    "race": Mistake("on-the-trail", RACE, 76, ((49, Stay("red")), (64, Stay("red")))),
}
# A step was forgotten.
FORGOTTEN = {
    "trails": Mistake("trails", TRAILS, 46, ((28, None),), asker=2),
    "parks": Mistake("parks", PARKS, 54, ((38, None),), asker=1),
    "alpine": Mistake("alpine-trails", ALPINE, 44, ((28, None),), asker=2),
    "race": Mistake("on-the-trail", RACE, 88, ((72, None),), asker=1),
}
# The color of a leg was not known when the run was forgotten; hands are not entered.
FORGOTTEN_LEG = Mistake(
    "on-the-trail",
    lambda: (
        (0, Run("red", leg="red")),
        (0, Run("yellow", leg="yellow")),
        (0, Stay("card", "neutral")),
        (1, Run("red")),
    ),
    4,
    ((1, None),),
)
# A secret note was entered wrongly.
WRONG_NOTES = {
    "trails": Mistake("trails", TRAILS, 40, ((17, NotePhoto(1, 1)),)),
    "race": Mistake("on-the-trail", RACE, 56, ((51, NoteCard("red")),), asker=1),
}
