"""Write docs/measured.md from the reports of measurements.

The reports are those of `python -m tests.bench` and `python -m tests.support.count_touches`. Run as
`python -m tests.bench.document FILE...`: the reports in these files replace those in docs/measured.json. Reports of
an older version, measured on the same machine, can be added with `--before FILE...`. Without files, the document is
written again from docs/measured.json. Its last section stays as it is: an author edits it. The README gets a summary.
"""

import argparse
import datetime
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.service.clock import describe_date
from companion.system.paths import CHECKOUT
from tests.bench.report import format_number

KindT = TypeVar("KindT")

DATA_FILE = CHECKOUT / "docs" / "measured.json"
DOCUMENT = CHECKOUT / "docs" / "measured.md"
README = CHECKOUT / "README.md"
# The last section, which an author edits.
NOTES = re.compile(r"^## Why targets are missed\n.*", re.DOTALL | re.MULTILINE)
SUMMARY = re.compile(r"(?<=<!-- Made by tests.bench.document. -->\n).*?(?=<!-- End. -->)", re.DOTALL)
# The rows that the README shows.
HIGHLIGHTS = (
    "TRAILS: replay, 4 players",
    "4 phones: all redrawn",
    "1,000 phones at 250 tables: tap answered, p99",
    "sheet as PDF, warm",
    "home page with everything it loads",
)
# The heading of each part, and a sentence about it.
HEADINGS = {
    "core": ("Rules core", "TRAILS without a server, next to other game engines in Python. Each plays random games."),
    "maps": ("Maps of ALPINE TRAILS", "Random maps near the end of a long game."),
    "write": ("Storing a move", "Each move is on the disk before its tap is answered."),
    "pages": ("Pages", "The server's work for one page in a game of four. A phone asks for it after each move."),
    "past": ("Repairs", "An early step of a long game is removed, and all later steps are replayed."),
    "judge": ("Rules search and disputes", "Recorded questions of players, many misspelled, and recorded disputes."),
    "history": ("Thousands of finished tables", "Pages and start of a Waymark that has been used for years."),
    "paper": ("Printing", "The score sheet of a finished game of four."),
    "size": ("Bytes", "A first visit without a cache, and the growth of the database."),
    "redraw": (
        "Redraw on a phone",
        "From the answer to the finished screen, in Chromium on a processor slowed six times, with the most players.",
    ),
    "tap": (
        "The server's work for a tap",
        "What a tap costs the server until its answer and the changes for all other phones are ready.",
    ),
    "live": (
        "From a tap to all phones",
        "The bare table stores each tap and sends every phone a page of fixed text. The bare echo stores nothing and "
        "sends a number. All three use the same web server.",
    ),
    "load": (
        "Many tables at the same time",
        "The bare view stores a line and answers with one word, on the same web server.",
    ),
    "words": (
        "Words that a newcomer reads",
        "The first round is that of a player until the second turn begins. Each lesson is read as soon as it is shown.",
    ),
    "refusals": (
        "Answers to refused moves",
        "Random moves that are refused in random games, each asked about as “May I …?”. A way to make a move is "
        "another turn, another place, or a change that is enough and of which no part can be left out.",
    ),
    "painting": (
        "Painting a finished map",
        "Maps of real evenings, painted by touch on 360 x 640 pixels from base camp to the score, questions included.",
    ),
    "taps": (
        "Taps",
        "Random games on a screen of 360 x 640 pixels, played by touch. A scroll, a pan and an unfolded section count "
        "as a tap each.",
    ),
}
MET_TEXTS = {True: "yes", False: "**no**", None: ""}
INTRODUCTION = """# Measurements

`make measured` measures everything, and writes this page and [measured.json](measured.json). Let nothing else run
meanwhile. `make bench` only prints the tables, and `make hand` counts taps. One part alone, with few repeats:
`.venv/bin/python -m tests.bench live --quick`.

Times depend on the machine and on its other work. Therefore several parts also measure a peer: another program that
does a comparable job, in turns with Waymark in the same run. A ratio to a peer depends less on the machine than a time.

The tables show the median of all repeats, their minimum and maximum, and the target that we set. p99 is the value that
99 % of the repeats do not exceed.
"""


class MeasuredRow(msgspec.Struct):
    """One measured value of a report, as `rows_to_data` writes it."""

    part: str
    label: str
    unit: str
    median: float
    least: float
    most: float
    repeats: int
    target: float | None
    more_is_better: bool
    note: str
    met: bool | None


class Run(msgspec.Struct):
    """When a report was made, and from which code."""

    date: datetime.date
    waymark: str  # version
    commit: str


class Report(msgspec.Struct):
    """One run of a benchmark."""

    run: Run
    machine: dict[str, str]
    rows: list[MeasuredRow]
    is_before: bool = False  # whether it is of an older version, for comparison


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.document", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="a report (docs/measured.json)")
    parser.add_argument("--before", nargs="+", type=Path, default=[], metavar="FILE", help="of an older version")
    chosen = parser.parse_args()
    try:
        reports = [read_json(file, Report) for file in chosen.files] or read_json(DATA_FILE, list[Report])
        reports += [replace(read_json(file, Report), is_before=True) for file in chosen.before]
        text = document(reports, "".join(NOTES.findall(DOCUMENT.read_text(encoding="utf-8"))))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    DATA_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(reports), indent=1) + b"\n")
    DOCUMENT.write_text(text, encoding="utf-8")
    README.write_text(with_summary(README.read_text(encoding="utf-8"), reports), encoding="utf-8")
    return 0


def read_json(file: Path, kind: type[KindT]) -> KindT:
    """Return the content of a JSON file as a value of some type.

    :raises ValueError: if the file is not JSON of this type.
    """
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except msgspec.DecodeError as error:
        raise ValueError(f"{file}: {error}") from None


def document(reports: list[Report], notes: str) -> str:
    """Return the document about some reports.

    :param notes: the last section, which an author edits; may be empty.
    :raises ValueError: if a report has a part without a heading.
    """
    rows = current_rows(reports)
    before = {(row.part, row.label): row for report in reports if report.is_before for row in report.rows}
    parts = list(dict.fromkeys(row.part for row in rows))
    if unknown := set(parts) - HEADINGS.keys():
        raise ValueError(f"no heading for {', '.join(unknown)}: add it to HEADINGS")
    sections = [INTRODUCTION, "\n".join(_runs(reports)), "\n".join(_missed_targets(rows))]
    for part in parts:
        heading, sentence = HEADINGS[part]
        lines = _table([row for row in rows if row.part == part], before)
        sections.append("\n".join([f"## {heading}", "", sentence, "", *lines, ""]))
    sections.append(notes)
    return "\n".join(sections)


def current_rows(reports: list[Report]) -> list[MeasuredRow]:
    """Return the rows of the reports of the current version."""
    return [row for report in reports if not report.is_before for row in report.rows]


def with_summary(readme: str, reports: list[Report]) -> str:
    """Return the text of the README with the most important rows, and a count of the targets."""
    rows = current_rows(reports)
    missed = Counter(HEADINGS[row.part][0] for row in rows if row.met is False)
    lines = ["", "| What | Median | Target | Met |", "|---|---:|---:|---|"]
    lines += [
        f"| {row.label} | {_value(row)} | {_target(row)} | {MET_TEXTS[row.met]} |"
        for label in HIGHLIGHTS
        for row in rows
        if row.label == label
    ]
    not_met = ", ".join(f"{heading} ({count})" for heading, count in missed.items()) or "none"
    met_count = sum(row.met is True for row in rows)
    lines += ["", f"{met_count} of {met_count + missed.total()} targets are met. Not met: {not_met}.", ""]
    return SUMMARY.sub(lambda _: "\n".join(lines), readme)


def _runs(reports: list[Report]) -> Iterator[str]:
    """Yield the section about the runs and their machines."""
    yield "## Runs\n"
    for report in reports:
        run = report.run
        parts = ", ".join(dict.fromkeys(row.part for row in report.rows))
        machine = ", ".join(f"{key} {value}" for key, value in report.machine.items())
        purpose = "For the columns “Before”: " if report.is_before else ""
        version = f"{describe_date(run.date)}, Waymark {run.waymark}, commit {run.commit}"
        yield f"- {purpose}{version}. Parts: {parts}. {machine}."
    yield ""


def _missed_targets(rows: list[MeasuredRow]) -> Iterator[str]:
    """Yield the section about the targets that were not met."""
    missed = [row for row in rows if row.met is False]
    yield "## Targets not met\n"
    yield f"{sum(row.met is True for row in rows)} targets were met, {len(missed)} were not{':' if missed else '.'}\n"
    for part in dict.fromkeys(row.part for row in missed):
        yield f"- {HEADINGS[part][0]}:"
        yield from (f"  - {row.label}: {_value(row)}, target {_target(row)}" for row in missed if row.part == part)
    yield ""


def _table(rows: list[MeasuredRow], before: dict[tuple[str, str], MeasuredRow]) -> Iterator[str]:
    """Yield the table of a part, line by line.

    :param before: the rows of an older version, by part and label.
    """
    has_before = any((row.part, row.label) in before for row in rows)
    yield f"| What |{' Before |' if has_before else ''} Median | Minimum to maximum | Repeats | Target | Met | Note |"
    yield f"|---|{'---:|' if has_before else ''}---:|---:|---:|---:|---|---|"
    for row in rows:
        older = before.get((row.part, row.label))
        spread = f"{format_number(row.least)} to {format_number(row.most)}" if row.repeats > 1 else ""
        cells = [row.label, _value(row), spread, str(row.repeats), _target(row), MET_TEXTS[row.met], row.note]
        if has_before:
            cells.insert(1, _value(older) if older else "")
        yield f"| {' | '.join(cells)} |"


def _value(row: MeasuredRow) -> str:
    return f"{format_number(row.median)} {row.unit}"


def _target(row: MeasuredRow) -> str:
    if row.target is None:
        return ""
    return f"at {'least' if row.more_is_better else 'most'} {format_number(row.target)}"


if __name__ == "__main__":
    sys.exit(main())
