"""Run `python -m tests.bench [parts] [--quick] [--json FILE] [--profile]` and print a table.

A measured time never makes the run fail.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.bench import core, history, judge, live, load, maps, pages, printing, redraw, repair, size, write
from tests.bench.report import Options, describe_machine, format_rows, rows_to_data

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
    "live": live,
    "load": load,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"all, unless told: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="few repeats: does it run, roughly how fast")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    parser.add_argument("--profile", action="store_true", help="with pages: print where the time goes")
    chosen = parser.parse_args()
    if unknown := [part for part in chosen.parts if part not in PARTS]:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    options = Options(chosen.quick, chosen.profile)
    machine = describe_machine()
    print("; ".join(f"{key} {value}" for key, value in machine.items()))
    data = []
    for name in chosen.parts or PARTS:
        rows = list(PARTS[name].run(options))
        print("\n".join(format_rows(f"{name}: {PARTS[name].__doc__.splitlines()[0]}", rows)), flush=True)
        data += rows_to_data(name, rows)
    if chosen.json:
        chosen.json.write_text(json.dumps({"machine": machine, "rows": data}, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
