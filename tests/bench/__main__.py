"""Run `python -m tests.bench [parts] [--quick] [--json FILE] [--profile]` and print a table.

A measured time never makes the run fail. `python -m tests.bench.document` writes the file as docs/measured.md.
"""

import argparse
import sys
from pathlib import Path

from companion.web.server import tune_garbage_collector
from tests.bench import (
    core,
    history,
    judge,
    live,
    load,
    maps,
    pages,
    painting,
    printing,
    redraw,
    refusals,
    repair,
    size,
    tap,
    words,
    write,
)
from tests.bench.report import Options, describe_machine, describe_run, format_rows, rows_to_data, write_report

# The keys are part of the JSON files, so they stay the same.
PARTS = {
    "core": core,
    "maps": maps,
    "write": write,
    "pages": pages,
    "past": repair,
    "judge": judge,
    "history": history,
    "paper": printing,
    "size": size,
    "redraw": redraw,
    "tap": tap,
    "live": live,
    "load": load,
    "words": words,
    "refusals": refusals,
    "painting": painting,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)} (all)")
    parser.add_argument("--quick", action="store_true", help="few repeats, for a rough result")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers to this file")
    parser.add_argument("--profile", action="store_true", help="with pages: print a profile")
    chosen = parser.parse_args()
    if unknown := [part for part in chosen.parts if part not in PARTS]:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    options = Options(chosen.quick, chosen.profile)
    tune_garbage_collector()  # as the server does
    run, machine = describe_run(), describe_machine()
    print("; ".join(f"{key} {value}" for key, value in (run | machine).items()))
    data = []
    for name in chosen.parts or PARTS:
        rows = list(PARTS[name].run(options))
        print("\n".join(format_rows(f"{name}: {PARTS[name].__doc__.splitlines()[0]}", rows)), flush=True)
        data += rows_to_data(name, rows)
    if chosen.json:
        write_report(chosen.json, run, machine, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
