"""Whole turns of each game with the keyboard alone, and what a screen reader says meanwhile."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from scoring.alpine_trails.moves.placing import PlaceTerrain, TakeCamp
from scoring.kernel.move import Move
from scoring.on_the_trail.moves.card_reveals import NoteCard
from scoring.on_the_trail.moves.reveals import LayCard
from scoring.parks.moves.hiking import Hike as ParksHike
from scoring.trails.moves.hiking import Hike, Skip
from tests.browser.page_controls import IS_IDLE_SCRIPT
from tests.browser.parks_taps import open_table_with_trail
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_alpine_trails_games import place_trail

pytestmark = pytest.mark.browser

ANA, BO = 0, 1
SKIP_PRESSES = 3  # to the first choice of a page: Tab to the skip link, Enter, Tab
CHOICE_TABS = 12  # at most from the first choice to any other
BAR_TABS = 3  # at most from the map of ALPINE TRAILS to the keys of the tile on it
# What is wrong with the focus: it is lost, off the screen, covered, or not marked; an empty text if nothing is.
FOCUS_FAULT_SCRIPT = """() => {
  const part = document.activeElement;
  if (!part || part === document.body) return "nothing has the focus";
  const shown = (part.matches("input[type=radio]") && part.closest("label")) || part;
  const box = shown.getBoundingClientRect(), name = part.outerHTML.slice(0, 200);
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  if (right - left < 2 || bottom - top < 2) return `off the screen: ${name}`;
  const middle = (top + bottom) / 2;
  for (const y of shown.matches(".fragment") ? [middle] : [top + 2, middle, bottom - 2]) {
    let over = document.elementFromPoint((left + right) / 2, y);
    while (over && ["static", "relative"].includes(getComputedStyle(over).position)) over = over.parentElement;
    if (over && !shown.contains(over) && !over.contains(shown)) return `below ${over.outerHTML.slice(0, 99)}: ${name}`;
  }
  const isOutlined = (each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  };
  // The cell of a map is drawn with a thicker line instead.
  const isMarked = part.matches("a.hotspot") || [part, shown, part.nextElementSibling].filter(Boolean).some(isOutlined);
  return isMarked ? "" : `not marked: ${name}`;
}"""
# The places of the choices in tab order: left, top and bottom.
CHOICES_SCRIPT = """() => [...document.querySelectorAll(
  "#fragment-actions :is(button, a[href], summary, input:not([type=hidden]), select)"
)].filter((part) => part.checkVisibility({ visibilityProperty: true }) && part.tabIndex === 0 && !part.disabled)
  .map((part) => (part.matches("[type=radio]") ? part.closest("label") : part).getBoundingClientRect())
  .map(({ left, top, bottom }) => [left, top, bottom])"""
HEADINGS_SCRIPT = """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((each) => each.checkVisibility())
  .map((each) => Number(each.localName[1]))"""
RECORD_SPEECH_SCRIPT = """() => {
  const status = document.getElementById("announcement");
  const record = () => window.spoken.push(status.textContent);
  if (!window.spoken) new MutationObserver(record).observe(status, { childList: true });
  window.spoken = [];
}"""


class Keyboard:
    """Uses a phone with its keyboard alone; the focus is checked after each key."""

    def __init__(self, table: SeatedTable, seat: int):
        self.table, self.phone = table, table.phones[seat]

    def press(self, key: str) -> None:
        self.phone.page.keyboard.press(key)
        self.check_focus()

    def check_focus(self) -> None:
        assert self.phone.page.evaluate(FOCUS_FAULT_SCRIPT) == ""

    @property
    def focused_text(self) -> str:
        """Return the role and the name of the focused control."""
        return self.phone.find(":focus").aria_snapshot().splitlines()[0]

    def is_in_choices(self) -> bool:
        return self.phone.find("#fragment-actions :focus").count() == 1

    def skip_to_choices(self) -> None:
        """Go from the top of a page to its first choice; start to record announcements."""
        for phone in self.table:
            phone.page.evaluate(RECORD_SPEECH_SCRIPT)
        for key in ("Tab", "Enter", "Tab"):
            self.press(key)
        assert self.is_in_choices()

    def find(self, name: str, limit: int = CHOICE_TABS, key: str = "Tab") -> None:
        """Press a key until the name of the focused control matches."""
        names = []
        for _ in range(limit + 1):
            if self.phone.find(":focus").count() and re.search(name, self.focused_text):
                return
            names.append(self.focused_text)
            self.press(key)
        raise AssertionError(f"{limit} presses of {key} do not lead to {name}: {names}")

    def choose(self, name: str, *, limit: int = CHOICE_TABS) -> None:
        """Find a move in the choices and make it; the next decision gets the focus."""
        self.check_choices()
        if not self.is_in_choices():
            self.press("Tab")
            assert self.is_in_choices()
        self.find(name, limit)
        self.make_move()

    def make_move(self) -> None:
        """Press the focused key, which makes a move."""
        version = self.table.table.version
        self.phone.page.keyboard.press("Enter")
        self.phone.wait_for_version(version + 1)
        self.wait_and_check()

    def press_key(self, name: str) -> None:
        """Find a key of the pad of ALPINE TRAILS and press it; the focus stays on it."""
        self.find(name, limit=20)
        self.press("Enter")
        assert "[pressed]" in self.focused_text

    def wait_and_check(self) -> None:
        self.phone.wait_until(IS_IDLE_SCRIPT)
        self.phone.wait_for_frames(2)
        self.check_focus()
        assert self.phone.find("#fragment-actions:focus, h1:focus, #region :focus").count() == 1

    def check_choices(self) -> None:
        """Assert that the choices are in reading order and that each has its own name."""
        places = self.phone.page.evaluate(CHOICES_SCRIPT)
        for (left, top, bottom), (next_left, next_top, _) in pairwise(places):
            is_in_row = next_top < bottom - 4 and next_left > left
            assert is_in_row or next_top >= (top + bottom) / 2, places
        check_names(self.phone)


def check_names(phone: Phone) -> None:
    """Assert that each choice has its own name, and that no level of headings is skipped."""
    snapshot = phone.find("#fragment-actions").aria_snapshot()
    names = Counter(re.findall(r"- '?((?:button|radio|link) .*?)'?:?$", snapshot, re.MULTILINE))
    assert [name for name, count in names.items() if count > 1 or name in ("button", "radio", "link")] == [], snapshot
    assert not re.search(r"(button|radio).* −\d", snapshot), snapshot
    levels = phone.page.evaluate(HEADINGS_SCRIPT)
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def submit_moves(table: SeatedTable, moves: Iterable[tuple[int, Move]], *, shows_pages: bool = True) -> None:
    for seat, move in moves:
        table.phones[seat].submit_move(table.path, seat, move)
    for seat, phone in enumerate(table) if shows_pages else ():
        phone.go(f"{table.path}/seat/{seat}")


def assert_turn_is_announced(phone: Phone, *texts: str) -> None:
    """Assert that a phone says once that it is its turn, and what the others did."""
    expect(phone.find("h1")).to_contain_text("Your turn")
    phone.wait_until("window.spoken.some((text) => text.startsWith('Your turn'))")
    spoken = phone.page.evaluate("window.spoken")
    for text in ("Your turn", *texts):
        assert sum(said.count(text) for said in spoken) == 1, spoken


def test_turn_of_trails_by_keyboard(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo")
    submit_moves(table, [(ANA, Hike(2)), (BO, Hike(2)), (ANA, Hike(2)), (ANA, Skip()), (BO, Hike(2)), (BO, Skip())])
    keyboard = Keyboard(table, ANA)
    keyboard.skip_to_choices()
    keyboard.choose('"2 tiles: Trail End')
    keyboard.choose('"The die shows: Exchange')
    keyboard.choose('"minus 1 rock plus 2 leaves')
    keyboard.choose(r'"Collector \(leaf\)"')
    expect(table.phones[ANA].find("h1")).to_be_focused()  # Nothing else can be earned.
    assert_turn_is_announced(table.phones[BO], "Ana: Trail End")
    keyboard = Keyboard(table, BO)
    keyboard.skip_to_choices()
    keyboard.choose('"2 tiles: Trail End')
    keyboard.choose("End turn", limit=30)  # after the badges that a card not entered yet could be
    assert_turn_is_announced(table.phones[ANA], "Bo: Trail End")


def test_turns_of_parks_by_keyboard(server, new_phone):
    table = open_table_with_trail(server, new_phone, "Ana", "Bo")
    submit_moves(table, [(ANA, ParksHike(0, 2)), (BO, ParksHike(0, 3))])
    keyboard = Keyboard(table, ANA)
    keyboard.skip_to_choices()
    keyboard.choose('"1: Hike from the Trailhead to the Parks site', limit=20)
    keyboard.choose("Top of the deck")
    expect(table.phones[ANA].find("h1")).to_be_focused()
    assert_turn_is_announced(table.phones[BO], "Ana: Parks site")


def test_turn_of_on_the_trail_by_keyboard(server_with_card_facts, new_phone):
    table = open_seated_table(server_with_card_facts, new_phone, "Ana", "Bo", game="on-the-trail")
    hands = [(seat, NoteCard(card)) for seat in (ANA, BO) for card in ("red", "yellow", "green", "green")]
    submit_moves(table, [*hands, (ANA, LayCard(1))])
    keyboard = Keyboard(table, ANA)
    keyboard.skip_to_choices()
    keyboard.choose('"green green 2 legs')
    keyboard.choose("Stop and keep: Red")
    keyboard.choose("Cramps", limit=20)
    expect(table.phones[ANA].find("h1")).to_be_focused()
    assert_turn_is_announced(table.phones[BO], "Ana: ")


def test_focus_that_the_player_moves_after_a_tap_stays(server, new_phone):
    ana = open_seated_table(server, new_phone, "Ana", "Bo").phones[ANA]
    ana.page.evaluate("""() => document.addEventListener("htmx:after:swap", () => {
      document.querySelector("#fragment-actions button").focus();
    }, { once: true })""")
    version = ana.version
    ana.find("#fragment-actions button.move-key").first.click()
    ana.wait_for_version(version + 1)
    expect(ana.find("#fragment-actions button").first).to_be_focused()


def test_turn_of_alpine_trails_by_keyboard(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    submit_moves(table, [(BO, TakeCamp("forest"))])
    ana, keyboard = table.phones[ANA], Keyboard(table, ANA)
    keyboard.skip_to_choices()
    keyboard.choose('"Rock"')
    keyboard.press("Tab")
    for key in ("Rock trail", "Bend", "3 miles"):
        keyboard.press_key(key)
    for key in ("ArrowUp", "ArrowUp", "Enter"):  # The first one leads from the keys to the map.
        keyboard.press(key)
    assert "3-mile rock bend" in keyboard.focused_text
    keyboard.find("Rotate", BAR_TABS)
    keyboard.press("Enter")
    keyboard.find("Place it: 3-mile rock bend")
    keyboard.make_move()
    expect(ana.find("#fragment-actions")).to_be_focused()

    bo_tiles = (PlaceTerrain("forest", -1, 0), place_trail(0, -1, "NSW", 1, "meadow"))
    submit_moves(table, [(BO, tile) for tile in bo_tiles], shows_pages=False)
    expect(ana.find("#announcement")).to_contain_text("meadow fork: take the animal of this terrain.")
    keyboard.find("Take the Wolf", limit=10, key="Shift+Tab")
    keyboard.make_move()
    keyboard.press("Tab")
    keyboard.press_key("Forest terrain")
    for key in ("ArrowLeft", "Enter"):
        keyboard.press(key)
    keyboard.find("Place it: forest terrain", BAR_TABS + 1)
    keyboard.make_move()
    keyboard.find("Only you see this: which goal card", limit=40)
    keyboard.press("Enter")
    keyboard.find("Choose: Length of the longest path")
    keyboard.make_move()
    assert table.table.state.players[ANA].goal


def test_focus_follows_the_row_of_icon_keys_as_it_opens_and_closes(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="alpine-trails")
    submit_moves(table, [(ANA, TakeCamp("rock")), (BO, TakeCamp("forest"))])
    keyboard = Keyboard(table, ANA)
    keyboard.skip_to_choices()
    keyboard.find("1 icon change", limit=20)
    keyboard.press("Enter")
    assert re.search(r'"1 icon".*pressed', keyboard.focused_text)
    keyboard.find("2 icons")
    keyboard.press("Enter")
    assert "2 icons change" in keyboard.focused_text
