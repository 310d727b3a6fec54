"""Count the words that a newcomer reads in the setup, in the first round and in a game."""

from collections.abc import Iterator, Sequence

from companion.log.table import Table
from scoring.games import TRACKED_GAMES
from tests.bench.report import Options, Row, make_row
from tests.support.lesson_readers import TAUGHT_GAMES, read_lessons, tables_of_random_game

GAMES, QUICK_GAMES = 20, 2  # random games of each title
BEFORE_FIRST_MOVE_TARGET, SETUP_STEPS_TARGET = 60, 12


def run(options: Options) -> Iterator[Row]:
    """Count the words of each game, for the most players that can play it."""
    for key in TAUGHT_GAMES:
        yield from _count_words(key, QUICK_GAMES if options.quick else GAMES)


def _count_words(key: str, game_count: int) -> Iterator[Row]:
    tracked = TRACKED_GAMES[key]
    assert tracked.lessons
    title, texts = tracked.box.title, tracked.lessons.texts
    games = [tables_of_random_game(key, seed) for seed in range(game_count)]
    steps = tracked.lessons.setup_steps(games[0][0].setup)
    turn = max(_words([lesson.text]) for lesson in texts.turn)
    before = _words([texts.goal.text]) + turn
    yield make_row(f"{title}: steps of the setup", "steps", [len(steps)], target=SETUP_STEPS_TARGET)
    yield make_row(f"{title}: words of the setup", "words", [_words([step.text for step in steps])])
    yield make_row(f"{title}: words before the first move", "words", [before], target=BEFORE_FIRST_MOVE_TARGET)
    rounds = [_words(_texts(tables, seat, turns=1)) for tables in games for seat in _seats(tables)]
    yield make_row(f"{title}: words until the second turn", "words", rounds, note="random games, each player")
    whole = [_texts(tables, seat) for tables in games for seat in _seats(tables)]
    yield make_row(f"{title}: words of a whole game", "words", [_words(each) for each in whole])
    yield make_row(f"{title}: lessons of a whole game", "lessons", [len(each) for each in whole])


def _seats(tables: Sequence[Table]) -> range:
    return range(len(tables[0].seats))


def _texts(tables: Sequence[Table], seat: int, turns: int | None = None) -> list[str]:
    """Return the lessons that a player reads, all or those of the first turns."""
    name = tables[0].names[seat]
    return [
        current.lesson.text
        for table, current in read_lessons(tables, seat)
        if turns is None or list(table.turn_starts.values()).count(name) <= turns
    ]


def _words(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)
