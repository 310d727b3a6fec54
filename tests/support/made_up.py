"""Values made up by hypothesis: as many as the target asks for, from the seed of the random games."""

from collections.abc import Callable
from typing import Any

from hypothesis import seed, settings

from tests.support.invariants import SEED, sample_size


def with_examples(examples: int, **options: Any) -> Callable[[Callable], Callable]:
    """Try so many values in `make test-all`, a share of them elsewhere; the same ones wherever WAYMARK_SEED is the same."""
    return lambda test: seed(SEED)(
        settings(max_examples=sample_size(examples), deadline=None, database=None, **options)(test)
    )
