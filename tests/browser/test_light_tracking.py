"""Light tracking of ALPINE TRAILS on phones: few taps, animals on the other phones."""

import re

import pytest
from playwright.sync_api import expect

from scoring.alpine_trails.light_tracking import NoteFork, NoteRound
from scoring.alpine_trails.score_entry import EnterCamp
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_pages_fit import page_faults
from tests.browser.trails_taps import tap_button
from tests.support.touch_counter import read_touches, start_counting

pytestmark = pytest.mark.browser

MAX_TAPS = 1.6  # a round and player
NAMES = ("Ana", "Bo", "Cy")
# The taps of each round: the seat and the text of its key. Events are as frequent as in 16 recorded rounds of 3,
# where 48 player-rounds had 8 forks, 11 campsites and 7 loops.
ROUNDS = [
    [(0, "Forest")],
    [(1, "Campsite"), (2, "Loop")],
    [(1, "Rock"), (0, "Not taken")],
    [(0, "Campsite"), (2, "Campsite")],
    [(1, "Loop"), (2, "Forest")],
    [(0, "Loop"), (0, "Campsite"), (1, "Discard a tile")],
]
SUMMARIES = {  # the last summary on each phone
    0: "1 fork, 2 campsites, 1 loop, forest animal, round 7 of 16",
    1: "1 fork, 1 campsite, 1 loop, 1 discard, forest animal, round 7 of 16",
    2: "1 fork, 1 campsite, 1 loop, forest animal, rock animal, round 7 of 16",
}


def tap_key(table: SeatedTable, seat: int, text: str) -> None:
    """Tap a key when the phone shows the newest table, and wait for all phones."""
    version = table.table.version
    table.wait_for_version(version)
    key = table.phones[seat].find("#while-playing").get_by_role("button", name=re.compile(f"^{text}"))
    expect(key).to_be_in_viewport(ratio=1)
    tap_button(table.phones[seat], key)
    table.wait_for_version(version + 1)


def test_rounds_are_tracked_with_few_taps_without_scrolling(server, new_phone):
    table = open_seated_table(server, new_phone, *NAMES, game="alpine-trails-tally", shows_pages=False)
    for seat, phone in enumerate(table):
        start_counting(phone)
        phone.go(f"{table.path}/seat/{seat}")
    for number, taps in enumerate(ROUNDS, start=1):
        for seat, text in taps:
            tap_key(table, seat, text)
        tap_key(table, 2, f"Finish round {number}")  # one phone for the table
    for phone, summary in zip(table, SUMMARIES.values(), strict=True):
        expect(phone.find("#while-playing > summary small")).to_have_text(summary)
    touches = [read_touches(phone) for phone in table]
    taps_per_round = sum(each.taps for each in touches) / (len(ROUNDS) * len(NAMES))
    assert not any(each.pans for each in touches)
    assert taps_per_round <= MAX_TAPS
    assert taps_per_round == pytest.approx(1.0)


def test_animal_of_a_fork_is_offered_on_the_other_phones(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails-tally")
    ana, bo = table
    tap_key(table, 0, "Forest")
    expect(bo.find(".animal-offer")).to_contain_text("Ana placed a forest fork: the forest animal is yours.")
    expect(ana.find(".animal-offer")).to_have_count(0)
    tap_key(table, 1, "Not taken")
    expect(bo.find(".animal-offer")).to_have_count(0)


def test_keys_for_playing_fit_the_screen_and_fold_once_a_map_exists(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails-tally")
    ana = table.phones[0]
    for terrain in ("forest", "rock"):
        ana.submit_move(table.path, 1, NoteFork(terrain))
    ana.go(f"{table.path}/seat/0")
    for key in ana.find("#while-playing button").all():
        expect(key).to_be_in_viewport(ratio=1)
        assert key.bounding_box()["height"] >= 48
    assert page_faults(ana) == []
    ana.submit_move(table.path, 0, NoteRound(1))
    ana.submit_move(table.path, 0, EnterCamp("rock"))
    ana.go(f"{table.path}/seat/0")
    expect(ana.find("#while-playing")).not_to_have_attribute("open", re.compile(""))
    expect(ana.find("#while-playing > summary")).to_be_visible()
