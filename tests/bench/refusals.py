"""Benchmark answers to refused moves: what they name, and the processor time."""

import time
from collections import Counter
from collections.abc import Iterator

from scoring.kernel.legality import explain
from tests.bench.report import Options, Row, make_row, percentile
from tests.support.invariant_tables import TABLES
from tests.support.refused_queries import answer_kind, refused_queries

GAMES = 8  # random games of each title
STATES, QUERIES = 5, 4  # of each game and seat


def run(options: Options) -> Iterator[Row]:
    """Ask about refused moves of random games, title by title."""
    for key in dict.fromkeys(table.tracked.key for table in TABLES if not table.tracked.is_score_entry):
        tables = [table for table in TABLES if table.tracked.key == key and "other" not in table.label]
        kinds, durations = Counter[str](), []
        for number in range(1 if options.quick else GAMES):
            table = tables[number % len(tables)]
            for query in refused_queries(table, f"refused {number}", STATES, QUERIES):
                start = time.process_time()
                answer = explain(table.tracked, query.state, query.seat, query.move, query.label)
                durations.append(1000 * (time.process_time() - start))
                kinds[answer_kind(answer)] += 1
        title, total = tables[0].tracked.box.title, sum(kinds.values())
        unanswered = sum(count for kind, count in kinds.items() if kind.startswith("no change"))
        note = f"of {total}: " + "; ".join(f"{count} x {kind}" for kind, count in kinds.most_common())
        answered = 100 * (total - unanswered) / total
        yield make_row(
            f"{title}: refused moves with a way to make them", "%", [answered], more_is_better=True, note=note
        )
        yield make_row(f"{title}: answer, p90", "ms", [percentile(durations, 0.9)])
        yield make_row(f"{title}: answer, longest", "ms", [max(durations)])
