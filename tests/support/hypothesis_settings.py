"""Generate values with hypothesis: number by make target, seed of the random games."""

from collections.abc import Callable
from typing import Any

from hypothesis import seed, settings

from tests.support.invariants import SEED, sample_size


def with_examples(examples: int, **options: Any) -> Callable[[Callable], Callable]:
    """Try this many examples in `make test-all`, fewer elsewhere; WAYMARK_SEED sets the seed."""
    return lambda test: seed(SEED)(
        settings(max_examples=sample_size(examples), deadline=None, database=None, **options)(test)
    )
