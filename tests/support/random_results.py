"""Enter results of random games over many years, for tests of lists, statistics and charts."""

import datetime
import random

from companion.history.result import PlayerResult, Result
from companion.service.referee import Referee
from scoring.games import GAMES
from scoring.kernel.box import Box
from tests.support.long_names import NAMES_OF_TWENTY_LETTERS

NAMES = (*NAMES_OF_TWENTY_LETTERS[:2], "Ana", "Bo", "Cy", "\u05e9\u05e8\u05d4")
LAST_DAY = datetime.date(2026, 11, 20)


def random_result(dice: random.Random, box: Box, day: datetime.date) -> Result:
    """Return the result of a game with one to four players; its length may be unknown."""
    names = dice.sample(NAMES, min(dice.randint(1, 4), max(box.player_counts)))
    points = [dice.randint(10, 60) if box.has_points else 0 for _ in names]
    winner = points.index(max(points))
    parts = tuple(
        PlayerResult(name, value, place=1 if seat == winner else 2, winner=seat == winner)
        for seat, (name, value) in enumerate(zip(names, points, strict=True))
    )
    return Result("AAAAAA", box.key, day.isoformat(), parts, minutes=dice.choice((0, 25, 60, 130)))


def enter_random_results(referee: Referee, count: int, device: str, *, years: int = 20) -> None:
    """Enter results of all games from a phone, on days of some years."""
    dice, boxes = random.Random(1), [game.box for game in GAMES.values()]
    with referee.store.transaction():
        for number in range(count):
            day = LAST_DAY - datetime.timedelta(days=365 * years * number // count)
            referee.results.enter(random_result(dice, boxes[number % len(boxes)], day), device)
