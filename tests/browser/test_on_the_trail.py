"""ON THE TRAIL through the pages: races in both tracking modes, solo, card facts as a file."""

import json
import re
from itertools import count

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from scoring.kernel.move import Move
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.box import BOOSTS, COST_CARDS
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import EnterBoost, NoteCard
from scoring.on_the_trail.moves.reveals import EnterStop, LayCard
from scoring.on_the_trail.moves.run_moves import Activate, Run, Stay
from scoring.on_the_trail.state import Setup
from scoring.on_the_trail.turn import required_decision
from tests.browser.browser_servers import Server
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table, open_table
from tests.browser.test_pages_fit import PAGES, page_faults, page_faults_in_both_schemes
from tests.browser.trails_taps import moves_to_tap, tap_button
from tests.browser.unreachable_choices import unreachable_choices
from tests.golden_games.on_the_trail import TRACKED_GAME, SimulatedGame
from tests.support.on_the_trail_table import CARD_FACTS
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import page_count

pytestmark = pytest.mark.browser

BOX_PATH = "/box/on-the-trail"
NEXT = "form.moves-form :is(.move, .move-key), .boost-form button"  # controls for the task of a turn


def find_race(setup: Setup, events: set[str], first: int = 0) -> SimulatedGame:
    """Return the first race, counting from a number, that has all the wanted events."""
    for number in count(first):
        race = SimulatedGame(str(number), setup).play()
        if events <= find_events(race):
            return race
    raise AssertionError("counting never ends")


def find_events(race: SimulatedGame) -> set[str]:
    """Return a race's events: kinds of moves, ways to run, effects of Boosts, winner and reason."""
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(race.state))
    moves = [move for _, move in race.log]
    runs = {"pair" if move.pair else move.card for move in moves if isinstance(move, Run)}
    boosts = {BOOSTS[move.boost].effect for move in moves if isinstance(move, Activate)}
    return {type(move).__name__ for move in moves} | runs | boosts | {sheet.decided_by, *sheet.winners}


def enter_card_facts(phone: Phone, server: Server) -> None:
    """Import the file with complete card facts on the owner's phone."""
    phone.become_owner(server.card_facts).go(BOX_PATH)
    phone.find("#file").set_input_files([card_facts_file(CARD_FACTS)])
    phone.button("Preview").tap()
    phone.button("Approve what is checked").tap()
    phone.page.wait_for_url(f"**{BOX_PATH}")
    expect(phone.find(".trail-card h3 .icon-check")).to_have_count(5)


def card_facts_file(facts: CardFacts, **top) -> dict:
    content = {"waymark": 1, "game": "on-the-trail", "facts": msgspec.to_builtins(facts), **top}
    return {"name": "box.json", "mimeType": "application/json", "buffer": json.dumps(content).encode()}


def choose_setup(table: SeatedTable, **choices: str) -> Setup:
    """Choose on the setup page, from the first phone; return the setup."""
    phone = table.phones[0]
    phone.go(table.path)
    phone.follow_link("/setup")
    for name, value in choices.items():
        phone.find(f'label:has(input[name="setup.{name}"][value="{value}"])').tap()
    phone.button("Save the setup").tap()
    phone.page.wait_for_url(f"**{table.path}")
    for seat, seat_phone in enumerate(table):
        seat_phone.go(f"{table.path}/seat/{seat}")
    return table.table.setup


def step_to(stepper: Locator, number: int) -> None:
    """Tap a stepper until it shows a number."""
    steps = number - int(stepper.locator("input").input_value() or 0)
    for _ in range(abs(steps)):
        stepper.locator(f"button[value={'up' if steps > 0 else 'down'}]").tap()


def find_control(phone: Phone, move: Move) -> Locator:
    """Return the control for a move, after unfolding its section and filling in its fields."""
    data = msgspec.json.encode(move).decode()
    match move:
        case EnterBoost():
            if (links := phone.find(f'a.updates-draft[href*="draft.boost={move.boost}"]')).count():
                tap_button(phone, links)
            form = phone.find(f"#tell-{move.boost}")
            for card in COST_CARDS:
                step_to(form.locator(f'.stepper:has(input[name="move.{card}"])'), getattr(move, card))
            if move.legs:
                step_to(form.locator('.stepper:has(input[name="move.legs"])'), move.legs)
            return form.locator("button.button")
        case Activate() if (links := phone.find(f'a.updates-draft[href*="draft.boost={move.boost}"]')).count():
            tap_button(phone, links)
            phone.find("#fragment-actions .back").wait_for()
    return phone.find(f"form.moves-form button[name=move][value='{data}']")


def tap_move(phone: Phone, move: Move) -> None:
    tap_button(phone, find_control(phone, move))


def play_race(table: SeatedTable, race: SimulatedGame, *watching: Phone, tapped: set[int] | None = None) -> None:
    """Play a whole race, each move on its own phone, all or some by taps.

    Asserts that every page shows the moves, and no page the cards of another player.
    """
    for number, (seat, move) in enumerate(race.log):
        before, phone = table.table, table.phones[seat]
        if tapped is None or number in tapped:
            tap_move(phone, move)
        else:
            phone.submit_move(table.path, seat, move)
        for phone in (*table, *watching):
            phone.wait_for_version(before.version + 1)
        assert_keeps_secrets(table, watching)
    assert table.table.state == race.state
    assert table.table.is_over


def join_stops(log: list[tuple[int, Move]]) -> list[tuple[int, Move]]:
    """Return a log in which stopping also enters the kind of an unknown stop."""
    joined: list[tuple[int, Move]] = []
    for seat, move in log:
        last = joined[-1][1] if joined else None
        if isinstance(move, EnterStop) and isinstance(last, Stay):
            joined[-1] = (seat, msgspec.structs.replace(last, stop=move.stop))
        else:
            joined.append((seat, move))
    return joined


def assert_keeps_secrets(table: SeatedTable, watching: tuple[Phone, ...]) -> None:
    """Assert that each phone's page has its own notes, and no page those of another player."""
    current = table.table
    notes = [line for line in current.messages if line.is_secret]
    for seat, phone in enumerate(table):
        hand = current.state.players[seat].hand
        shown = phone.find("#secret .hand .race-card:not(.unseen)")
        assert current.is_over or current.state.tracking == "light" or shown.count() == sum(hand)
        text = phone.page.content()
        assert current.is_over or not [line.text for line in notes if line.seat != seat and line.text in text]
    for phone in watching:
        text = phone.page.content()
        assert current.is_over or not [line.text for line in notes if line.text in text]


def assert_result_shown(table: SeatedTable) -> None:
    """Assert that every phone, the score page with its rules, and the sheet show the result."""
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state))
    for seat, phone in enumerate(table):
        expect(phone.find(".winner h2")).to_have_text(sheet.result_text_for(seat))
        expect(phone.find("#fragment-actions")).to_contain_text("Play again")
    phone = table.phones[0]
    phone.follow_link("/score")
    lines = phone.find("ul.lines > li.line")
    assert lines.locator(".label").all_inner_texts() == [
        line.label for column in sorted(sheet.columns, key=lambda column: column.rank) for line in column.lines
    ]
    for address in lines.locator("a.cite").evaluate_all("links => links.map(link => link.href)"):
        assert phone.page.request.get(address).ok
    paper = phone.request_sheet("a4")
    assert paper.body().startswith(b"%PDF-") and page_count(paper.body()) == 1


@pytest.mark.long("a whole game in a browser")
def test_two_phones_race_with_open_hands(server_with_card_facts, new_phone):
    table = open_seated_table(server_with_card_facts, new_phone, "Ana", "Bo", game="on-the-trail")
    setup = choose_setup(table, tracking="open")
    assert setup.facts == CARD_FACTS
    race = find_race(setup, {"TakeSetback", "TakeBoost", "pair", "wild", "advance", "LayCard", "hand"}, 2050)
    board = new_phone("board", server_with_card_facts.address, viewport=TABLET_SIZE)
    board.go(f"{table.path}/board")
    play_race(table, race, board, tapped=moves_to_tap(race.log))
    assert_result_shown(table)
    expect(board.find("main")).to_contain_text("Both finish.")


@pytest.mark.long("a rarer case in a browser")
def test_two_phones_race_with_light_tracking_and_unknown_card_facts(own_server, new_phone):
    table = open_seated_table(own_server, new_phone, "Ana", "Bo", game="on-the-trail")
    setup = choose_setup(table, tracking="light")
    assert setup.facts == CardFacts()
    expected = {
        "EnterLeg",
        "EndCard",
        "EnterStop",
        "EnterBoost",
        "EnterColour",
        "TakeSetback",
        "ShedSetbacks",
        "pair",
        "wild",
        "advance",
    }
    race = find_race(setup, expected, 1824)
    race.log = join_stops(race.log)
    play_race(table, race, tapped=moves_to_tap(race.log))
    assert_result_shown(table)
    # The card facts they entered are known to the next table here, once the owner has approved them.
    assert open_seated_table(own_server, new_phone, "Cy", "Di", game="on-the-trail").table.setup.facts == CardFacts()
    phone = table.phones[0].become_owner(own_server.card_facts)
    phone.go("/")
    phone.find(".notice", has_text="1 update of your card details to approve").get_by_role(
        "link", name="ON THE TRAIL"
    ).tap()
    expect(phone.find(".change h3")).to_have_text(f"Entered at table {table.code} by Ana, Bo")
    assert page_faults(phone) == []
    phone.button("Approve what is checked").tap()
    expect(phone.find(".trail-card h3 .icon-check")).to_have_count(5)
    after = open_seated_table(own_server, new_phone, "Cy", "Di", game="on-the-trail")
    assert after.table.setup.facts == table.table.state.facts


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("winner, tracking, deck", [("The bot", "open", "app"), ("Ana", "light", "cards")])
def test_solo_race_against_the_bot_is_played(winner: str, tracking: str, deck: str, server_with_card_facts, new_phone):
    phone = new_phone("Ana", server_with_card_facts.address)
    open_table(phone, "Ana", game="on-the-trail")
    table = SeatedTable(server_with_card_facts, phone.page.url.rpartition("/")[2], (phone,))
    expect(phone.find(".moves .move")).to_have_count(1)  # The bot needs no seat.
    phone.button("Ana").tap()
    phone.page.wait_for_url("**/seat/0")
    setup = choose_setup(table, tracking=tracking, bot_deck=deck)
    assert (setup.tracking, setup.bot_deck, len(setup.players)) == (tracking, deck, 1)
    race = find_race(setup, {"points", winner, "Flip"})
    assert {move.card is None for _, move in race.log if isinstance(move, Flip)} == {deck == "app"}
    play_race(table, race)
    assert_result_shown(table)


@pytest.mark.long("a rarer case in a browser")
def test_rematch_keeps_players_and_reshuffles_bot(server_with_card_facts, new_phone):
    phone = new_phone("Ana", server_with_card_facts.address)
    table = open_seated_table(server_with_card_facts, lambda *_: phone, "Ana", game="on-the-trail")
    setup = table.table.setup
    for seat, move in find_race(setup, {"points"}).log:
        phone.submit_move(table.path, seat, move)
    phone.go(f"{table.path}/seat/0")
    phone.find(
        "#fragment-actions form button[name=first], #fragment-actions form button",
        has_text=re.compile("Play again|Ana"),
    ).first.tap()
    phone.page.wait_for_url(re.compile(f"/t/(?!{table.code})"))
    after = server_with_card_facts.store.table(table.table.next_code)
    assert after.names == ("Ana", "The bot") and after.setup.facts == CARD_FACTS and after.setup.seed != setup.seed
    assert after.earlier_wins == tuple(
        column.winner for column in TRACKED_GAME.box.score(TRACKED_GAME.final_position(table.table.state)).columns
    )


# The page of the card facts


@pytest.mark.long("a rarer case in a browser")
def test_card_facts_are_entered_by_taps_and_exported_as_file(own_server, new_phone, tmp_path):
    phone = new_phone("owner", own_server.address).become_owner(own_server.card_facts)
    phone.go("/")
    phone.find(f'main a[href$="{BOX_PATH}"]').tap()
    for number, text in enumerate(("Add a yellow leg to card 1", "Add a red leg to card 1"), 1):
        phone.button(text).tap()
        expect(phone.find(".trail-card .leg")).to_have_count(number)
    tap_and_wait(phone, "Leg 2 of card 1: red", "Leg 2 of card 1: yellow")
    tap_and_wait(phone, "Stop 1 of card 1: stop not entered", "Stop 1 of card 1: neutral stop")
    tap_and_wait(phone, "Stop 1 of card 1: neutral stop", "Stop 1 of card 1: Setback stop")
    phone.button("Add a green leg to card 1").tap()
    expect(phone.find(".trail-card .leg")).to_have_count(3)
    phone.button("Remove the last leg").tap()
    expect(phone.find(".trail-card .leg")).to_have_count(2)
    phone.button("End card here").tap()
    expect(phone.button("This card has more legs")).to_be_visible()
    phone.unfold("fact-flat-out")
    tap_and_wait(phone, "Flat Out: add a red card", "Flat Out: remove a red card")
    tap_and_wait(phone, "Flat Out: add a card of any color", "Flat Out: remove a card of any color")
    tap_and_wait(phone, "Flat Out: add a leg", "Flat Out: add a leg")
    tap_and_wait(phone, "Flat Out: add a leg", "Flat Out: remove a leg")
    tap_and_wait(phone, "Flat Out: remove a red card", "Flat Out: add a red card")
    phone.button("Nausea shows green").tap()
    expect(phone.find('button[aria-label="Nausea shows green"]')).to_have_attribute("aria-pressed", "true")
    phone.page.reload()
    with phone.page.expect_download() as download:
        phone.link("Export as a file").tap()
    saved = json.loads(download.value.path().read_text())
    assert saved["game"] == "on-the-trail"
    facts = TRACKED_GAME.box.card_facts.from_data(saved["facts"])
    # A card ends at an Aid Station.
    assert [(leg.colour, leg.stop) for leg in facts.cards[0].legs] == [("yellow", "setback"), ("yellow", "aid")]
    assert facts.cards[0].whole and facts.boosts["flat-out"].cost == ("any",) and facts.boosts["flat-out"].legs == 2
    assert facts.setbacks == {"nausea": "green"}


def tap_and_wait(phone: Phone, button: str, shown: str) -> None:
    """Tap a button and wait for its result."""
    with phone.page.expect_response("**/box/*"):
        tap_button(phone, phone.find(f'button[aria-label^="{button}"]').first)
    expect(phone.find(f'button[aria-label^="{shown}"]').first).to_be_visible()


@pytest.mark.long("a rarer case in a browser")
def test_card_facts_file_is_imported_and_broken_file_refused_with_position(own_server, new_phone):
    phone = new_phone("friend", own_server.address)
    phone.expect_in_console("400|422")
    broken = msgspec.to_builtins(CARD_FACTS)
    broken["cards"][2]["legs"][1]["colour"] = "blue"
    phone.become_owner(own_server.card_facts).go(BOX_PATH)
    phone.find("#file").set_input_files(
        [{**card_facts_file(CARD_FACTS), "buffer": json.dumps({"game": "on-the-trail", "facts": broken}).encode()}]
    )
    phone.button("Preview").tap()
    expect(phone.find("[role=alert]:not(#error-banner)")).to_contain_text("cards[2].legs[1].colour")
    assert own_server.card_facts.facts(TRACKED_GAME.box) == CardFacts()
    enter_card_facts(phone, own_server)
    assert own_server.card_facts.facts(TRACKED_GAME.box) == CARD_FACTS


# Every page on a phone


NEEDS = {"hand", "leg", "run", "stop", "setback", "aid", "colour"}


@pytest.mark.long("a whole game in a browser")
def test_each_task_of_race_is_on_screen_and_reachable(server, new_phone):
    table = open_seated_table(server, new_phone, "Anastasia-Maria Papadopoulou-Smith", "Bo", game="on-the-trail")
    choose_setup(table, tracking="open")
    race = find_race(table.table.setup, {"EnterColour", "EnterBoost", "ShedSetbacks", "advance"})
    met: set[str] = set()
    for seat, move in race.log:
        decision = required_decision(table.table.state)
        if decision not in met:
            met.add(decision)
            phone = table.phones[seat]
            phone.go(f"{table.path}/seat/{seat}")
            expect(phone.find(NEXT).first).to_be_in_viewport(ratio=1)
            assert page_faults_in_both_schemes(phone) == [], decision
            phone.go(f"{table.path}/seat/{seat}/tell")
            assert page_faults_in_both_schemes(phone) == [], f"{decision}, set right"
        table.phones[seat].submit_move(table.path, seat, move)
    assert met >= NEEDS
    phone = table.phones[0]
    for page in (*(f"{table.path}{page}" for page in PAGES), BOX_PATH, "/new/on-the-trail", "/rules/on-the-trail"):
        phone.go(page)
        assert page_faults_in_both_schemes(phone) == [], page


def test_hand_is_entered_while_other_player_runs(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="on-the-trail")
    choose_setup(table, tracking="open")
    bo = table.phones[1]
    for number, card in enumerate(("green", "green", "wild", "red"), 1):
        tap_button(bo, bo.find(f"#secret button[value='{msgspec.json.encode(NoteCard(card)).decode()}']"))
        expect(bo.find("#secret .hand .race-card:not(.unseen)")).to_have_count(number)
    assert table.table.state.players[1].hand == (1, 0, 2, 1)
    assert "Bo entered" not in table.phones[0].page.content()


def test_tap_on_course_runs_to_that_leg_and_enters_a_stop(server_with_card_facts, new_phone):
    table = open_seated_table(server_with_card_facts, new_phone, "Ana", "Bo", game="on-the-trail", is_bare=True)
    ana, bo = table
    assert table.table.setup.tracking == "light"
    ana.submit_move(table.path, 0, LayCard(0))
    before = table.table.version
    table.wait_for_version(before)
    ana.find('.tap-targets [data-click-target="run-3"]').tap()
    table.wait_for_version(before + 1)
    assert table.table.state.players[0].legs_run == 3
    tap_button(ana, ana.find(".tap-targets [data-click-target=run-1]"))
    table.wait_for_version(before + 2)
    assert table.table.state.players[0].legs_run >= 4


@pytest.mark.long("a rarer case in a browser")
def test_every_decision_of_race_is_on_the_screen(server_with_card_facts, new_phone):
    table = open_seated_table(server_with_card_facts, new_phone, "Ana", "Bo", game="on-the-trail", is_bare=True)
    race = find_race(table.table.setup, {"TakeSetback", "TakeBoost", "advance"})
    missed = []
    for number, (seat, move) in enumerate(race.log):
        phone = table.phones[seat]
        phone.go(f"{table.path}/seat/{seat}")
        missed += [(number, label) for label in unreachable_choices(phone)][:1]
        phone.submit_move(table.path, seat, move)
    assert len(missed) <= 1, missed
