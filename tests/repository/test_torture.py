"""Short form of `make torture`: about a minute, without any failure."""

from pathlib import Path

import pytest

from tests.torture.__main__ import PARTS

pytestmark = [pytest.mark.long("kills, races, fuzz and floods"), pytest.mark.timeout(400)]

SECONDS = 60
# The least number of attempts: without them the run proves nothing.
MIN_COUNTS = {
    "kills": {"kills": 5, "moves acknowledged": 100},
    "races": {"taps racing": 100, "tables opened": 10},
    "fuzz": {"odd requests": 300},
    "floods": {"taps of those who play, under floods": 20, "sheets printed": 200, "slow connections": 100},
}


@pytest.mark.parametrize("part", PARTS)
def test_short_torture_run_has_no_failures(part: str, tmp_path: Path):
    torture, share = PARTS[part]
    report = torture.run(tmp_path, SECONDS * share)
    print(*(f"{label}: {number:g}" for label, number in report.items()), sep="\n")
    assert report.failures == []
    assert {label: report[label] >= least for label, least in MIN_COUNTS[part].items()} == dict.fromkeys(
        MIN_COUNTS[part], True
    )
