"""Benchmark the judge: the share of questions that find their rule, and the time needed."""

from collections.abc import Iterator

from companion.service.rule_search import rule_index
from scoring.games import GAMES
from scoring.kernel.legality import explain
from tests.bench.report import Options, Row, make_row, percentile, time_call
from tests.companion.service.test_rule_search import (
    FIRST_RESULTS,
    GAME_KEYS,
    found_fresh_questions,
    fresh_questions,
    missed_questions,
    questions,
)
from tests.scoring.kernel.test_disputes import disputed_state
from tests.scoring.kernel.test_disputes import read_disputes as disputes

REPEATS = 5


def run(options: Options) -> Iterator[Row]:
    """Search for every recorded question and answer every dispute, game by game."""
    keys = [key for key in GAME_KEYS if key in GAMES]  # without the example games of the tests
    for key in keys[:1] if options.quick else keys:
        questions_asked = [words for question in questions(key) for words in question["asks"]]
        rule_index(key).search(questions_asked[0])  # Builds the index.
        right = 100 * (1 - len(missed_questions(key)) / len(questions_asked))
        searches = [time_call(lambda words=words: rule_index(key).search(words)) for words in questions_asked]
        title = GAMES[key].box.title
        yield make_row(
            f"{title}: questions with their rule among the first {FIRST_RESULTS} results",
            "%",
            [right],
            target=95,
            more_is_better=True,
        )
        fresh = fresh_questions(key)
        yield make_row(
            f"{title}: {len(fresh)} fresh questions, with their rule among the first {FIRST_RESULTS} results",
            "%",
            [100 * len(found_fresh_questions(key)) / len(fresh)],
            target=90,
            more_is_better=True,
        )
        yield make_row(
            f"{title}: search, p99 of {len(questions_asked)} questions", "ms", [percentile(searches, 0.99)], target=20
        )
        durations = [
            _time_verdict(key, dispute, 1 if options.quick else REPEATS)
            for dispute in disputes(key)["disputes"]
            if "move" in dispute
        ]
        note = f"{sum(duration > 50 for duration in durations)} of {len(durations)} above the target"
        yield make_row(f"{title}: answer to a dispute", "ms", durations, target=50, note=note)


def _time_verdict(key: str, dispute: dict, repeats: int) -> float:
    """Return the shortest time of several verdicts on a dispute, in milliseconds.

    The minimum is least affected by other load on the machine.
    """
    tracked, seat = GAMES[key].tracked, dispute.get("seat", 0)
    view, move = tracked.view(disputed_state(key, dispute), seat), tracked.decode(dispute["move"])
    return min(time_call(lambda: explain(tracked, view, seat, move)) for _ in range(repeats))
