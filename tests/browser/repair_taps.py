"""Enter repairs on a phone: open a step of the game log, change it, request approval."""

import re
from functools import partial
from typing import Any

import msgspec
from playwright.sync_api import Locator, expect

from companion.log.plans import decode_plan
from companion.log.replay import replay
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.kernel.move import Move
from scoring.on_the_trail.moves.reveals import EnterLeg
from scoring.parks.moves.reveals import NamePark
from scoring.trails.moves.reveals import NameCard, NotePhoto
from tests.browser import alpine_trails_taps, parks_taps
from tests.browser.games_with_mistakes import GameLog, Mistake
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import find_control, tap_button


def open_table_with_mistake(
    server,
    new_phone,
    mistake: Mistake,
    entered_log: GameLog | None = None,
    names: tuple[str, ...] = (),
    *,
    is_bare: bool = False,
) -> SeatedTable:
    """Open a table where a mistake was entered up to where it is noticed; all on their page."""
    names = (names or mistake.names)[: len(mistake.names)]
    # Not yet, so that no page has to be drawn.
    table = open_seated_table(server, new_phone, *names, game=mistake.game, is_bare=is_bare, shows_pages=False)
    for seat, move in mistake.entered_log if entered_log is None else entered_log:
        table.phones[seat].submit_move(table.path, seat, move)
    for seat, phone in enumerate(table):
        phone.go(f"{table.path}/seat/{seat}")
    return table


def follow_control(phone: Phone, control: Locator) -> None:
    """Tap a control that leads to another page, and wait for that page."""
    before = phone.page.url
    with phone.page.expect_navigation(url=lambda address: address != before):
        tap_button(phone, control)


def open_log(phone: Phone) -> None:
    """Open the game log from a seat's page."""
    phone.follow_link("/log#latest")


def open_snapshot(phone: Phone, step: str) -> None:
    """Open the game log on a seat's page, and tap a line to see the table at that step."""
    open_log(phone)
    tap_log_line(phone, step)


def tap_log_line(phone: Phone, step: str) -> None:
    """Tap a line of the game log to see the table at that step."""
    follow_control(phone, log_line(phone, step))


def jump_in_log(phone: Phone, *links: str) -> None:
    """Tap links of the game log: to the turns of a player, to a round."""
    for name in links:
        link = phone.find(".log-jumps").get_by_role("link", name=name, exact=True)
        if link.evaluate("link => link.href === location.href"):
            tap_button(phone, link)  # The page only scrolls.
        else:
            follow_control(phone, link)


def log_line(phone: Phone, step: str) -> Locator:
    """Return the line of the game log that leads to a step."""
    return phone.find(f'main a[href*="/log/{step}?"]')


def start_repair(phone: Phone, step: str, title: str) -> None:
    """State on a snapshot page what was wrong with the step."""
    open_snapshot(phone, step)
    follow_control(phone, phone.link(title))


def repair_state(phone: Phone, table: SeatedTable) -> Any:
    """Return the state in which the repairing phone is asked to enter a move."""
    plan = decode_plan(phone.page.url.split("?")[0].rpartition("/")[2])
    return replay(table.table, plan, table.phones.index(phone)).state


def enter_move(phone: Phone, table: SeatedTable, seat: int, move: Move) -> None:
    """Enter a player's move on a repair page with the buttons of that player's turn."""
    before, tab = phone.page.url, phone.find("nav.tabs a").nth(seat)
    if not tab.get_attribute("aria-current"):
        follow_control(phone, tab)
    with phone.page.expect_navigation(url=lambda address: "/mend/" in address and _plan(address) != _plan(before)):
        _tap_move(phone, repair_state(phone, table), seat, move)


def _plan(address: str) -> str:
    return address.split("?", maxsplit=1)[0]


def _tap_move(phone: Phone, state: Any, seat: int, move: Move) -> None:
    match move:
        case PlaceTrail() | PlaceTerrain() | PlaceCampsite() | PlaceWaterfall() | PlaceAnimal():
            alpine_trails_taps.play_move(phone, move)
        case NameCard(end, badge):
            part = _unfold_reveals(phone, f"name-{end}")
            tap_button(phone, part.locator(f'button.pick[value="{badge}"]'))
        case NamePark(park):
            part = _unfold_reveals(phone, "name-park")
            tap_button(phone, parks_taps.unfold_button(part.locator(f'.card-options button[value="{park}"]')))
        case NotePhoto() if not state.is_over:
            tap_button(phone, _unfold_reveals(phone, "note-photo").locator(move_selector(move)))
        case EnterLeg() if not phone.find("form.moves-form").locator(move_selector(move)).count():
            part = _unfold_reveals(phone, f"card-{move.card}")
            tap_button(phone, part.get_by_role("button", name=f"Leg {move.leg + 1} is {move.colour}"))
        case _:
            controls = {
                "trails": partial(find_control, phone, state, seat),
                "parks": partial(parks_taps.find_control, phone, state),
            }
            default = phone.find(f"form.moves-form {move_selector(move)}")
            control = controls.get(type(state).__module__.split(".")[1], lambda _: default)(move)
            control.evaluate(
                "part => { for (let each = part; (each = each.parentElement.closest('details')); ) each.open = true; }"
            )
            tap_button(phone, control)


def _unfold_reveals(phone: Phone, part: str) -> Locator:
    """Unfold the reveals and one section of them."""
    phone.unfold("other-facts")
    return phone.unfold(part)


def move_selector(move: Move) -> str:
    return f"button[name=move][value='{msgspec.json.encode(move).decode()}']"


def request_repair(phone: Phone, table: SeatedTable) -> tuple[int, ...]:
    """Apply a repair or ask the players its button names; return the seats that are asked."""
    press_it = phone.button(re.compile("^(Fix it|Ask )"))
    label, before = press_it.inner_text(), table.table.version
    tap_button(phone, press_it)
    # Both its answer and the live update lead there.
    expect(phone.page).to_have_url(re.compile(f"{table.path}/seat/{table.phones.index(phone)}$"))
    table.wait_for_version(before + 1)
    new = table.table
    waiting_seats = new.proposals[-1].waiting_seats if new.proposals and new.proposals[-1].number == before + 1 else ()
    assert label.strip() == (
        f"Ask {join_names(new.names[seat] for seat in waiting_seats)} to agree" if waiting_seats else "Fix it"
    )
    return waiting_seats


def join_names(names) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def find_question(phone: Phone, number: int | None = None) -> Locator:
    """Return the questions on a phone, or one of them."""
    return phone.find(f'.proposal:has(input[name=proposal][value="{number}"])' if number else ".proposal")


def answer_question(table: SeatedTable, seat: int, yes: bool, number: int = 0) -> None:
    """Answer a question on a seat's phone (default: the oldest); wait until all phones follow."""
    before = table.table
    question = find_question(table.phones[seat], number or min(proposal.number for proposal in before.proposals))
    unfold_requests(table.phones[seat], question)
    tap_button(table.phones[seat], question.get_by_role("button", name="Agree" if yes else "Decline", exact=True))
    table.wait_for_version(before.version + 1)


def unfold_requests(phone: Phone, question: Locator) -> None:
    """Unfold the other requests, if a part of one of them is needed."""
    if not question.is_visible():
        tap_button(phone, phone.find("#other-requests > summary"))


def approve_by_all(table: SeatedTable) -> list[Phone]:
    """Let all who are asked agree to the oldest question; return the phones that get the news."""
    proposal = min(table.table.proposals, key=lambda candidate: candidate.number)
    for seat in proposal.waiting_seats:
        answer_question(table, seat, True, proposal.number)
    assert table.table.find_proposal(proposal.number) is None
    for phone in table:
        expect(find_question(phone)).to_have_count(len(table.table.proposals))
    return [phone for seat, phone in enumerate(table) if seat != proposal.waiting_seats[-1]]


def visible_texts(phone: Phone) -> str:
    """Return the text of a phone's private and public areas, without the table's code."""
    return "\n".join(phone.find("main .own-area, main .players, main .pile-counts").all_inner_texts())
