"""Random results of past games, for files that have to keep all of a result."""

import datetime
import random
import string

from companion.exchange.plays import decided_by, rank_players
from companion.history.result import MAX_POINTS, PlayerResult, Result, name_key
from scoring.games import GAMES

NAMES = (
    "Ana", "ANA", "Bo", "O'Neil, Jr.", "=1+1", "Guest", "Bot", "a" * 40, "x\uff0fy", "null", "-5", "Zo\u00eb",
    "\u674e\u660e", "\u05d3\u05e0\u05d4", "\u0e2a\u0e21\u0e0a\u0e32\u0e22", "\u00c5sa \u201cO\u201d", "\U0001f43b Bear",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)  # fmt: skip
TEXTS = ("", "", "At home", "Caf\u00e9 \u201cLe\u201d & more", "\u6771\u4eac", "a,b;c", "=2+2", "x" * 300)
HEX = "0123456789ABCDEF"


def random_result(rng: random.Random, id: str) -> Result:
    """Return a result with random values in every field, as it may be in the history."""
    box = GAMES[rng.choice(list(GAMES))].box
    names = random_names(rng, rng.randint(1, box.player_counts[-1]))
    points = [rng.choice((None, rng.randint(-5, 60), rng.randint(-MAX_POINTS, MAX_POINTS))) for _ in names]
    winners = [rng.random() < 0.4 for _ in names]
    places = rank_players(points, winners)
    kinds = [rng.choice(("", "", "", "bot", "guest")) for _ in names]
    categories = [id for id, _ in box.categories]
    ended = random_end(rng)
    return Result(
        id=id,
        game=box.key,
        ended=ended,
        day=rng.choice(("", "", ended[:10])) if len(ended) > len("2026-11-24") else "",
        players=tuple(
            PlayerResult(
                name=name,
                points=number or 0,
                place=place,
                winner=winner,
                categories={each: rng.randint(-9, 40) for each in categories if rng.random() < 0.3},
                note=rng.choice(("", "", "Trailblazer", "Score: about 20")),
                bot=kind == "bot",
                guest=kind == "guest",
                unscored=number is None,
                color=rng.choice(("", "red", "blue")),
            )
            for name, number, place, winner, kind in zip(names, points, places, winners, kinds, strict=True)
        ),
        decided_by=rng.choice((decided_by(box, points, winners), "trees")),
        verdict=rng.choice(("", "Ana wins with 30 points.")),
        minutes=rng.choice((0, 1, 45, 1440, 5000)),
        code=rng.choice(("", "".join(rng.choices(string.ascii_uppercase, k=5)))),
        where=rng.choice(TEXTS),
        note=rng.choice(TEXTS),
        hidden=rng.random() < 0.2,
        by_hand=rng.random() < 0.5,
        day_corrected=rng.random() < 0.1,
        other_ids=random_other_ids(rng),
    )


def random_names(rng: random.Random, count: int) -> list[str]:
    """Return names of different players."""
    names: dict[str, str] = {}
    while len(names) < count:
        name = rng.choice(NAMES)
        names.setdefault(name_key(name), name)
    return list(names.values())


def random_end(rng: random.Random) -> str:
    """Return a day, or a time in UTC, also in the hour that comes twice when summer time ends."""
    time = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(
        milliseconds=rng.randrange(8 * 10**11)
    )
    if rng.random() < 0.1:
        time = datetime.datetime(2025, 11, 2, rng.randint(4, 8), rng.randint(0, 59), 30, 120_000, tzinfo=datetime.UTC)
    return rng.choice((time.date().isoformat(), time.isoformat(timespec="milliseconds")))


def random_other_ids(rng: random.Random) -> tuple[str, ...]:
    uuid = "-".join("".join(rng.choices(HEX, k=length)) for length in (8, 4, 4, 4, 12))
    bg_stats, bgg = f"bg-stats:{uuid}", f"bgg:{rng.randint(1, 10**8)}"
    return rng.choice(((), (bg_stats,), (bg_stats, bgg), (f"csv:{uuid}-1",)))


def random_id(number: int) -> str:
    """Return the id of a result, different for each number."""
    letters = []
    for _ in range(6):
        number, letter = divmod(number, 26)
        letters.append(string.ascii_uppercase[letter])
    return "".join(letters)
