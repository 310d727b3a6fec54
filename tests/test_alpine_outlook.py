"""ALPINE TRAILS: what a map promises while it grows, as all may know it."""

import pytest

from scoring.alpine import PLAY
from scoring.alpine.outlook import Outlook
from tests.alpine_table import ANA, table
from tests.cases import every_row


@every_row(
    "drawn, found",
    [
        ("Br Br", Outlook(0, None, 0)),
        (". EW3f Br Br .", Outlook(3, 3, 0)),
        (". EW3f EW3f Br Br EW1f .", Outlook(6, 0, 0)),
        ("Br Br\nNE1w .", Outlook(1, 5, 1)),
    ],
)
def test_what_a_map_promises(drawn: str, found: Outlook):
    assert PLAY.worked_out["outlook"](table(ana=drawn), ANA, {}) == found


@pytest.mark.parametrize(
    "found, lines",
    [
        (
            Outlook(3, 3, 1),
            "The longest path has 3 miles; the next step of the length goal is 15. A campsite needs 3 miles more. "
            "A trail can close a loop in 1 cell.",
        ),
        (
            Outlook(16, 0, 0),
            "The longest path has 16 miles; the next step of the length goal is 20. A campsite can be placed.",
        ),
        (Outlook(21, None, 0), "The longest path has 21 miles. No trail is open for a campsite."),
    ],
)
def test_it_is_said_in_sentences(found: Outlook, lines: str):
    assert " ".join(found.lines) == lines
