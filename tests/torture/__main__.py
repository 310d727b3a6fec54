"""Run `python -m tests.torture [parts] [--seconds N]` and print figures.

The exit status is 1 if anything failed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.torture import fuzz, races, request_floods, server_kills
from tests.torture.http_phone import StressReport

# The stress tests, each with its share of the time.
PARTS = {"kills": (server_kills, 0.4), "races": (races, 0.2), "fuzz": (fuzz, 0.2), "floods": (request_floods, 0.2)}


def run(seconds: float, parts: list[str]) -> dict[str, StressReport]:
    """Run the stress tests for about `seconds` in all; return the figures of each part."""
    shares = {name: PARTS[name][1] for name in parts}
    found = {}
    for name, share in shares.items():
        with tempfile.TemporaryDirectory(prefix="waymark-torture-") as folder:
            found[name] = PARTS[name][0].run(Path(folder), seconds * share / sum(shares.values()))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"all, unless told: {', '.join(PARTS)}")
    parser.add_argument("--seconds", type=float, default=600.0, help="for all of it together (600)")
    chosen = parser.parse_args()
    if unknown := [part for part in chosen.parts if part not in PARTS]:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    wrong = []
    for name, report in run(chosen.seconds, chosen.parts or list(PARTS)).items():
        print(f"\n{name}: {sys.modules[PARTS[name][0].__name__].__doc__.splitlines()[0]}")
        for label, number in report.items():
            print(f"  {label:50} {number:>12,g}")
        wrong += report.failures
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
