"""Benchmark results: rows of medians with their spread, the run, the machine, the table."""

import datetime
import gc
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from companion import __version__
from companion.system.paths import CHECKOUT


@dataclass(frozen=True)
class Options:
    """How long to measure."""

    quick: bool = False
    profile: bool = False


@dataclass(frozen=True)
class Row:
    """One measured value: median, minimum and maximum of its repeats, and its target."""

    label: str
    unit: str
    median: float
    least: float
    most: float
    repeats: int
    target: float | None = None
    more_is_better: bool = False
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        if self.target is None:
            return None
        return self.median >= self.target if self.more_is_better else self.median <= self.target


def make_row(label: str, unit: str, values: Iterable[float], **more) -> Row:
    """Return the row of some repeats."""
    values = list(values)
    return Row(label, unit, statistics.median(values), min(values), max(values), len(values), **more)


def percentile(values: list[float], part: float) -> float:
    """Return the value that `part` (0 to 1) of the values do not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median ratio of ours to theirs over rounds measured one after the other."""
    return statistics.median(ours_value / theirs_value for ours_value, theirs_value in zip(ours, theirs, strict=True))


def measure_rates(
    jobs: dict[str, Callable[[], dict[str, int]]], rounds: int, seconds: float
) -> dict[str, dict[str, list[float]]]:
    """Return rates per second: job -> counted thing -> one value for each round.

    The jobs take turns within a round, so that a busy moment of the machine affects them all. A job does one unit of
    work and returns its counts: {"games": 1, "moves": 129}.
    """
    found: dict[str, dict[str, list[float]]] = {name: {} for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            gc.collect()
            done: dict[str, int] = {}
            start = time.perf_counter()
            while (duration := time.perf_counter() - start) < seconds:
                for unit, count in job().items():
                    done[unit] = done.get(unit, 0) + count
            for unit, count in done.items():
                found[name].setdefault(unit, []).append(count / duration)
    return found


def time_call(job: Callable[[], object]) -> float:
    """Return the duration of a call in milliseconds."""
    start = time.perf_counter()
    job()
    return (time.perf_counter() - start) * 1000


def describe_run() -> dict[str, str]:
    """Return the date of today, the version of Waymark and the commit, if Git knows it."""
    git = ["git", "-C", str(CHECKOUT), "rev-parse", "--short", "HEAD"]
    try:
        commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        commit = "unknown"
    return {"date": datetime.date.today().isoformat(), "waymark": __version__, "commit": commit}


def describe_machine() -> dict[str, str]:
    """Return a description of the machine and the installed packages."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    found = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(cores),
    }
    if hasattr(os, "getloadavg"):
        found["load"] = f"{os.getloadavg()[0]:.1f} at the start"
    for package in ("flask", "uvicorn", "msgspec", "weasyprint", "catanatron", "open_spiel"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def format_number(value: float) -> str:
    """Return a whole number as it is, and any other with about three significant digits."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def format_rows(part: str, rows: list[Row]) -> Iterator[str]:
    """Yield a part's rows as lines of a table."""
    cells = [("", "median", "[min..max]", "repeats", "target", "")]
    for row in rows:
        target = ""
        if row.target is not None:
            target = (
                f"{'at least' if row.more_is_better else 'at most'} {format_number(row.target)}: "
                f"{'yes' if row.is_met else 'NO'}"
            )
        spread = f"[{format_number(row.least)}..{format_number(row.most)}]" if row.repeats > 1 else ""
        cells.append((row.label, f"{format_number(row.median)} {row.unit}", spread, str(row.repeats), target, row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    yield f"\n{part}"
    for line in cells:
        left = line[0].ljust(widths[0])
        rest = (text.rjust(width) for text, width in zip(line[1:5], widths[1:5], strict=True))
        yield "  ".join((f"  {left}", *rest, line[5])).rstrip()


def rows_to_data(part: str, rows: list[Row]) -> list[dict]:
    """Return a part's rows as plain data."""
    return [{"part": part, **asdict(row), "met": row.is_met} for row in rows]


def write_report(file: Path, run: dict[str, str], machine: dict[str, str], rows: list[dict]) -> None:
    """Write a run, its machine and the rows of all its parts as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        json.dumps({"run": run, "machine": machine, "rows": rows}, indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
