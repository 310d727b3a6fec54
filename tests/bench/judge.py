"""The judge: whether a question finds its rule, and how long a search and a verdict take."""

from collections.abc import Iterator

from companion.service.rule_search import finder
from scoring.games import GAMES
from scoring.kernel.legality import may
from tests.bench.report import Options, Row, percentile, row, timed
from tests.companion.service.test_rule_search import FIRST, KEYS, missed, questions
from tests.scoring.kernel.test_disputes import lies
from tests.scoring.kernel.test_disputes import read as disputes

REPEATS = 5


def run(options: Options) -> Iterator[Row]:
    """Ask every question of the lists, and settle every dispute, game by game."""
    for key in KEYS[:1] if options.quick else KEYS:
        asked = [words for question in questions(key) for words in question["asks"]]
        finder(key).find(asked[0])  # puts the index together
        right = 100 * (1 - len(missed(key)) / len(asked))
        searches = [timed(lambda words=words: finder(key).find(words)) for words in asked]
        yield row(
            f"{key}: questions that find their rule among the first {FIRST}",
            "%",
            [right],
            target=95,
            more_is_better=True,
        )
        yield row(f"{key}: a search, p99 of {len(asked)}", "ms", [percentile(searches, 0.99)], target=20)
        took = [
            _verdict(key, dispute, 1 if options.quick else REPEATS)
            for dispute in disputes(key)["disputes"]
            if "move" in dispute
        ]
        note = f"{sum(each > 50 for each in took)} of {len(took)} over it"
        yield row(f"{key}: a verdict", "ms", took, target=50, note=note)


def _verdict(key: str, dispute: dict, repeats: int) -> float:
    """Return how many milliseconds the verdict of a dispute takes at best: what else runs here only makes it slower."""
    play, seat = GAMES[key].play, dispute.get("seat", 0)
    seen, move = play.view(lies(key, dispute), seat), play.decode(dispute["move"])
    return min(timed(lambda: may(play, seen, seat, move)) for _ in range(repeats))
