"""Generate values with hypothesis: number by make target, seed of the random games."""

from collections.abc import Callable

from hypothesis import HealthCheck, seed, settings

from tests.support.invariants import SEED, sample_size


def with_examples(examples: int) -> Callable[[Callable], Callable]:
    """Try this many examples in `make test-all`, fewer elsewhere; WAYMARK_SEED sets the seed.

    A slow computer fails no test.
    """
    untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    return lambda test: seed(SEED)(settings(untimed, max_examples=sample_size(examples), database=None)(test))
