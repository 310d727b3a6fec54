"""The hand that mends: looks back in the story, says what was otherwise, tells it with the turn's own buttons, asks."""

import re
from functools import partial
from typing import Any

import msgspec
from playwright.sync_api import Locator, expect

from companion.log.repair import mend, unpacked
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.kernel.move import Move
from scoring.on_the_trail.moves.reveals import TellLeg
from scoring.parks.moves.reveals import NamePark
from scoring.trails.moves.reveals import NameCard, NotePhoto
from tests.browser import alpine_trails_thumb, parks_thumb
from tests.browser.mistakes import Mistake, Story
from tests.browser.phone import Phone
from tests.browser.seating import Seated, seated
from tests.browser.thumb import control, press


def at_the_table(server, new_phone, mistake: Mistake, told: Story | None = None, names: tuple[str, ...] = ()) -> Seated:
    """Open a table where a mistake has been told up to where it is noticed; everybody is on their own page."""
    names = (names or mistake.names)[: len(mistake.names)]
    table = seated(server, new_phone, *names, game=mistake.game, looking=False)  # yet, so that no page has to be drawn
    for seat, move in mistake.told if told is None else told:
        table.phones[seat].say(table.path, seat, move)
    for seat, phone in enumerate(table):
        phone.go(f"{table.path}/seat/{seat}")
    return table


def led(phone: Phone, control: Locator) -> None:
    """Tap what leads to another page, and be there."""
    before = phone.page.url
    with phone.page.expect_navigation(url=lambda address: address != before):
        press(phone, control)


def look_back(phone: Phone, step: str) -> None:
    """Open the whole story on a seat's page and tap a line of it: there is the table as it was then."""
    phone.follow("/log#latest")
    led(phone, line_of(phone, step))


def line_of(phone: Phone, step: str) -> Locator:
    """Return the line of the story that leads to a step."""
    return phone.find(f'main a[href*="/log/{step}?"]')


def begin(phone: Phone, step: str, words: str) -> None:
    """Say on the page of a moment what was wrong with it."""
    look_back(phone, step)
    led(phone, phone.link(words))


def there(phone: Phone, table: Seated) -> Any:
    """Return the state in which the mending phone is asked to tell something."""
    plan = unpacked(phone.page.url.split("?")[0].rpartition("/")[2])
    return mend(table.table, plan, table.phones.index(phone)).state


def tell(phone: Phone, table: Seated, seat: int, move: Move) -> None:
    """Tell on the page of a repair what somebody did there, with the buttons of that player's turn."""
    before, whose = phone.page.url, phone.find("nav.tabs a").nth(seat)
    if not whose.get_attribute("aria-current"):
        led(phone, whose)
    with phone.page.expect_navigation(url=lambda address: "/mend/" in address and _plan(address) != _plan(before)):
        _tell(phone, there(phone, table), seat, move)


def _plan(address: str) -> str:
    return address.split("?", maxsplit=1)[0]


def _tell(phone: Phone, state: Any, seat: int, move: Move) -> None:
    match move:
        case PlaceTrail() | PlaceTerrain() | PlaceCampsite() | PlaceWaterfall() | PlaceAnimal():
            alpine_trails_thumb.say(phone, move)
        case NameCard(end, badge):
            part = _besides(phone, f"name-{end}")
            press(phone, part.locator(f'button.pick[value="{badge}"]'))
        case NamePark(park):
            part = _besides(phone, "name-park")
            press(phone, parks_thumb.shown(part.locator(f'.found button[value="{park}"]')))
        case NotePhoto() if not state.over:
            press(phone, _besides(phone, "note-photo").locator(button(move)))
        case TellLeg() if not phone.find("form.moves-form").locator(button(move)).count():
            part = _besides(phone, f"card-{move.card}")
            press(phone, part.get_by_role("button", name=f"Leg {move.leg + 1} is {move.colour}"))
        case _:
            controls = {
                "trails": partial(control, phone, state, seat),
                "parks": partial(parks_thumb.control, phone, state),
            }
            usual = phone.find(f"form.moves-form {button(move)}")
            wanted = controls.get(type(state).__module__.split(".")[1], lambda _: usual)(move)
            wanted.evaluate(
                "part => { for (let each = part; (each = each.parentElement.closest('details')); ) each.open = true; }"
            )
            press(phone, wanted)


def _besides(phone: Phone, part: str) -> Locator:
    """Unfold what was told besides, and a part of that."""
    phone.open("besides")
    return phone.open(part)


def button(move: Move) -> str:
    return f"button[name=move][value='{msgspec.json.encode(move).decode()}']"


def ask(phone: Phone, table: Seated) -> tuple[int, ...]:
    """Put a repair in force, or ask those whom the button names; return the seats that are asked."""
    press_it = phone.button(re.compile("^(Mend it|Ask )"))
    words, before = press_it.inner_text(), table.table.number
    press(phone, press_it)
    expect(phone.page).to_have_url(
        re.compile(f"{table.path}/seat/{table.phones.index(phone)}$")
    )  # its answer and the news lead there
    table.all_show(before + 1)
    now = table.table
    asked = now.proposals[-1].waiting if now.proposals and now.proposals[-1].number == before + 1 else ()
    assert words.strip() == (f"Ask {listed(now.names[seat] for seat in asked)}" if asked else "Mend it")
    return asked


def listed(names) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def question(phone: Phone, number: int | None = None) -> Locator:
    """Return the questions on a phone, or one of them."""
    return phone.find(f'section.ask:has(input[name=proposal][value="{number}"])' if number else "section.ask")


def answer(table: Seated, seat: int, yes: bool, number: int = 0) -> None:
    """Answer a question on somebody's phone, the oldest unless another is named, and see every phone follow."""
    before = table.table
    asked = question(table.phones[seat], number or min(each.number for each in before.proposals))
    press(table.phones[seat], asked.get_by_role("button", name="Agree" if yes else "No", exact=True))
    table.all_show(before.number + 1)


def all_agree(table: Seated) -> list[Phone]:
    """Have all agree who are asked the oldest question; return the phones for which the repair is news."""
    asked = min(table.table.proposals, key=lambda each: each.number)
    for seat in asked.waiting:
        answer(table, seat, True, asked.number)
    assert table.table.proposal(asked.number) is None
    for phone in table:
        expect(question(phone)).to_have_count(len(table.table.proposals))
    return [phone for seat, phone in enumerate(table) if seat != asked.waiting[-1]]


def figures(phone: Phone) -> str:
    """Return what a phone's own page shows of its player's things and of everybody's, but for the code of the table."""
    return "\n".join(phone.find("main .mine, main .players, main .piles").all_inner_texts())
