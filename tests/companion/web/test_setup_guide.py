"""Tests of the guided setup: cards on all phones, ticks, entries, the list, and the sheet."""

import re

import msgspec
import pytest
from flask import Flask

from companion.log.entries import SetupGuideChanged
from companion.pages.setup_guide import setup_card
from companion.service.referee import NotAllowedError, new_tap
from scoring.games import TRACKED_GAMES
from scoring.parks.moves.trail_setup import LayTile
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.trail_setup import LaySites
from tests.support.lesson_readers import TAUGHT_GAMES
from tests.support.page_parser import parse_page
from tests.support.phones import Phone, SeatedTable, open_seated_table

NIA, OLI = 0, 1
NAMES = ("Nia", "Oli")


@pytest.fixture
def new_table(app: Flask) -> SeatedTable:
    """Return a table of TRAILS whose sites and newcomers are not known yet."""
    phones = (Phone(app), Phone(app))
    referee = app.extensions["waymark"]
    setup = referee.default_setup(TRACKED_GAMES["trails"], list(NAMES))
    table = SeatedTable(app, referee.open_table(phones[0].device, "trails", setup).code, phones)
    for seat in range(len(NAMES)):
        table.phone(seat).post(f"{table.path}/sit", {"seat": str(seat)})
    return table


@pytest.fixture
def guided_table(new_table: SeatedTable) -> SeatedTable:
    new_table.submit(NIA, "experience", {"new": "1"})
    return new_table


def step_ids(table: SeatedTable) -> list[str]:
    return [step.id for step in table.table.tracked.lessons.setup_steps(table.table.setup)]


def shown_step(table: SeatedTable, seat: int) -> str:
    """Return the text of the step that a phone shows; empty without the guide."""
    text = table.phone(seat).get(f"{table.path}/seat/{seat}").text
    card = re.search(r'<p class="setup-text"[^>]*>(.*?)</p>', text, re.DOTALL)
    return parse_page(card[0]).text if card else ""


def tap_guide(table: SeatedTable, seat: int, change: str) -> None:
    """Tap a button of the guide on a phone."""
    form = table.page(seat).form("/guide").default_values
    table.submit(seat, "guide", {**form, "change": change})


def test_new_player_opens_the_guide_for_the_whole_table(new_table: SeatedTable):
    assert shown_step(new_table, NIA) == ""
    new_table.submit(NIA, "experience", {"new": "1"})
    first = new_table.table.tracked.lessons.setup_steps(new_table.table.setup)[0].text
    assert [shown_step(new_table, seat) for seat in (NIA, OLI)] == [first, first]


def test_experienced_player_does_not_open_the_guide(new_table: SeatedTable):
    new_table.submit(NIA, "experience", {"new": "0"})
    assert new_table.table.setup_guide is None and shown_step(new_table, NIA) == ""


def test_step_ticked_on_one_phone_is_done_on_all(guided_table: SeatedTable):
    ids = step_ids(guided_table)
    tap_guide(guided_table, OLI, "done")
    assert guided_table.table.setup_guide == SetupGuideChanged((ids[0],))
    assert shown_step(guided_table, NIA) == shown_step(guided_table, OLI) != ""
    tap_guide(guided_table, NIA, "done")
    tap_guide(guided_table, NIA, "back")
    assert guided_table.table.setup_guide == SetupGuideChanged((ids[0],))


def test_two_taps_on_the_same_step_tick_one_step(guided_table: SeatedTable):
    form = guided_table.page(NIA).form("/guide").default_values
    for seat in (NIA, OLI):
        guided_table.submit(seat, "guide", {**form, "tap": new_tap(), "change": "done"})
    assert guided_table.table.setup_guide.done == (step_ids(guided_table)[0],)


def test_entry_ticks_its_step_off(guided_table: SeatedTable):
    card = setup_card(guided_table.table)
    assert card.step.id == "sites" and card.waits_for_entry
    sites = TRACKED_GAMES["trails"].box.components.FIRST_GAME_SITES
    move = msgspec.json.encode(LaySites(sites)).decode()
    guided_table.submit(OLI, "play", {"move": move})
    assert "sites" in guided_table.table.setup_guide.done
    assert setup_card(guided_table.table).step.id == step_ids(guided_table)[1]


def test_guide_shows_keys_only_at_the_step_that_asks(guided_table: SeatedTable):
    path = f"{guided_table.path}/seat/{NIA}"
    assert "lay-sites" in guided_table.phone(NIA).get(path).text
    tap_guide(guided_table, NIA, "done")
    assert "lay-sites" not in guided_table.phone(NIA).get(path).text


def test_goal_is_shown_above_the_steps_until_it_is_read(guided_table: SeatedTable):
    texts = guided_table.table.tracked.lessons.texts
    for _ in step_ids(guided_table)[:3]:
        assert texts.goal.text in guided_table.page(NIA).text
        tap_guide(guided_table, NIA, "done")
    guided_table.submit(NIA, "lesson", {"lesson": "goal"})
    for _ in step_ids(guided_table)[3:]:
        text = guided_table.page(NIA).text
        assert not any(lesson.text in text for lesson in (texts.goal, *texts.turn))
        tap_guide(guided_table, NIA, "done")
    assert shown_step(guided_table, NIA) == ""


def test_closed_guide_stays_closed_and_opens_from_the_list(guided_table: SeatedTable):
    tap_guide(guided_table, NIA, "close")
    assert shown_step(guided_table, OLI) == ""
    guided_table.submit(OLI, "experience", {"new": "1"})
    assert shown_step(guided_table, OLI) == ""
    form = guided_table.phone(OLI).open(f"{guided_table.path}/setup-steps").form("/guide")
    guided_table.phone(OLI).post(form.action, {**form.default_values, "change": "open"})
    assert shown_step(guided_table, NIA) != ""


def test_guide_that_told_everything_leaves_no_reminders(app: Flask):
    table = open_seated_table(app, *NAMES, game="parks", is_taught=None)
    tracked = table.table.tracked
    while tiles := [offer.move for offer in tracked.offers(table.table.state, NIA, (LayTile,)) if offer.is_legal]:
        table.play(NIA, tiles[0])
    assert any("weather tokens" in reminder.text for reminder in table.table.reminders)
    table.submit(NIA, "experience", {"new": "1"})
    assert table.table.reminders == ()
    tap_guide(table, NIA, "close")
    assert table.table.reminders != ()


def test_first_move_ends_the_guide(app: Flask):
    table = open_seated_table(app, *NAMES, is_taught=None)
    table.submit(NIA, "experience", {"new": "1"})
    table.play(NIA, Hike(1))
    assert [shown_step(table, seat) for seat in (NIA, OLI)] == ["", ""]
    with pytest.raises(NotAllowedError, match="The game has begun"):
        table.referee.change_setup_guide(table.table, table.phone(NIA).device, new_tap(), step="sites")


def test_phone_without_a_seat_cannot_tick(guided_table: SeatedTable, app: Flask):
    stranger = Phone(app)
    answer = stranger.post(f"{guided_table.path}/seat/0/guide", {"change": "done", "step": "sites"})
    assert answer.status_code in (303, 403) and guided_table.table.setup_guide.done == ()


def test_unknown_change_is_ignored(guided_table: SeatedTable):
    guided_table.submit(NIA, "guide", {"change": "explode", "step": "sites"})
    assert guided_table.table.setup_guide == SetupGuideChanged()


def test_table_view_shows_the_step(guided_table: SeatedTable):
    text = guided_table.phone(NIA).get(f"{guided_table.path}/board").text
    assert setup_card(guided_table.table).step.text in parse_page(text).text


@pytest.mark.parametrize("key", TAUGHT_GAMES)
def test_list_has_every_step_for_each_number_of_players(app: Flask, key: str):
    tracked = TRACKED_GAMES[key]
    for count in tracked.box.player_counts:
        text = Phone(app).open(f"/setup-steps/{key}?players={count}").text
        names = [f"Player {number}" for number in range(1, count + 1)]
        for step in tracked.lessons.setup_steps(tracked.setup_format.default(names)):
            assert step.text in text
        plain = parse_page(Phone(app).get(f"/setup-steps/{key}/print?players={count}").text).text
        assert "Player 1" in plain or f"{count} player" in plain


@pytest.mark.parametrize("path", ["/setup-steps/trails?players=9", "/setup-steps/chess", "/setup-steps/trails-tally"])
def test_list_of_an_unknown_setup_does_not_exist(app: Flask, path: str):
    assert Phone(app).get(path).status_code == 404


def test_setup_sheet_is_a_pdf(guided_table: SeatedTable):
    for path in (f"{guided_table.path}/setup-steps.pdf", "/setup-steps/parks.pdf?players=3"):
        answer = guided_table.phone(NIA).http.get(path, headers={"Accept": "application/pdf"})
        assert answer.status_code == 200 and answer.data.startswith(b"%PDF")


def test_animals_saved_in_the_guide_lead_back_to_the_seat(app: Flask):
    phone, referee = Phone(app), app.extensions["waymark"]
    tracked = TRACKED_GAMES["alpine-trails"]
    code = referee.open_table(phone.device, "alpine-trails", referee.default_setup(tracked, list(NAMES))).code
    phone.post(f"/t/{code}/sit", {"seat": "0"})
    phone.post(f"/t/{code}/seat/0/experience", {"new": "1"})
    form = phone.open(f"/t/{code}/seat/0").form("/setup?seat=0")
    animals = {"forest": "bear", "rock": "goat", "meadow": "wolf", "wetland": "moose"}
    values = {f"setup.facts.{terrain}": animal for terrain, animal in animals.items()}
    answer = phone.post(form.action, {**form.default_values, **values})
    assert answer.headers["Location"] == f"/t/{code}/seat/0"
    table = referee.store.table(code)
    assert table.state.facts.forest == "bear" and "animals" in table.setup_guide.done
