"""Every page fits a phone: nothing sticks out, controls are large and named, tasks visible."""

import pytest
from playwright.sync_api import expect

from scoring.games import GAMES
from scoring.trails import TRACKED_GAME
from scoring.trails.moves.hiking import Hike
from scoring.trails.state import State
from tests.browser.midgame_tables import LONG_NAMES, table_addresses
from tests.browser.phone import Phone
from tests.browser.repair_taps import request_repair, start_repair
from tests.browser.seated_tables import open_seated_table
from tests.browser.trails_game import GameLog, find_game
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

# Everything on the page that is a problem with one thumb, in bad light or with a screen reader.
FAULTS_SCRIPT = """() => {
  const faults = [];
  const isShown = (part) => part.checkVisibility({ opacityProperty: false, visibilityProperty: true })
    && part.getClientRects().length;
  const report = (part, fault) => faults.push(`${fault}: ${part.outerHTML.slice(0, 160)}`);
  const scrolls = (part) => part && part !== document.body
    && (/auto|scroll/.test(getComputedStyle(part).overflowX) || scrolls(part.parentElement));
  const isClipped = (part) => /inset|rect/.test(getComputedStyle(part).clipPath)
    || part.closest(".sr-only, .skip-link, svg");
  const pageWidth = document.documentElement.clientWidth, scrollWidth = document.documentElement.scrollWidth;
  if (scrollWidth > pageWidth) faults.push(`the page is ${scrollWidth} wide`);
  for (const part of document.querySelectorAll("body *")) {
    const box = part.getBoundingClientRect();
    const sticksOut = box.width && (box.right > pageWidth + 1 || box.left < -1);
    if (isShown(part) && sticksOut && !scrolls(part) && !isClipped(part)) report(part, "sticks out");
  }
  const name = (part) => part.getAttribute("aria-label") || part.textContent.trim()
    || [...(part.labels ?? [])].map((label) => label.textContent.trim()).join("");
  const isInText = (part) => getComputedStyle(part).display.startsWith("inline")
    && part.parentElement.textContent.trim().length > part.textContent.trim().length;
  const controls = "main :is(a[href], button, summary, input:not([type=hidden]), select)";
  for (const part of document.querySelectorAll(controls)) {
    if (!isShown(part) || isClipped(part)) continue;
    if (!name(part)) report(part, "has no name");
    const isLarge = part.matches(".move, .button, .pick, summary") && !part.closest(".dense"); // many side by side
    const minHeight = isLarge ? 48 : 44;
    const surfaces = [part, ...part.children].map((each) => getComputedStyle(each, "::after"));
    const isLaidOver = ({ position, content }) => position === "absolute" && content !== "none";
    const overlay = surfaces.find(isLaidOver) ?? surfaces[0]; // a small sign may have a larger surface laid over it
    const hasOverlay = isLaidOver(overlay);
    const margin = (start, end) => Math.max(0, -parseFloat(overlay[start]) - parseFloat(overlay[end]));
    const extra = (start, end) => (hasOverlay ? margin(start, end) : 0);
    const box = part.getBoundingClientRect();
    const height = box.height + extra("top", "bottom"), width = box.width + extra("left", "right");
    if (height < minHeight && !isInText(part)) report(part, `is ${height} high, not ${minHeight}`);
    const minWidth = part.matches(".key") ? 42 : 44; // seven in a row
    if (width < minWidth && !isInText(part)) report(part, `is ${width} wide, not ${minWidth}`);
  }
  for (const part of document.querySelectorAll("svg, img")) {
    if (part.closest("[aria-hidden=true]") || part.parentElement.closest("svg")) continue;
    const isNamed = part.getAttribute("aria-label") || part.getAttribute("alt") || part.querySelector("title");
    if (!isNamed) report(part, "a picture without a name");
  }
  for (const id of [...document.querySelectorAll("[id]")].map((part) => part.id)) {
    if (document.querySelectorAll(`[id="${CSS.escape(id)}"]`).length > 1) faults.push(`two parts are called ${id}`);
  }
  const headingCount = document.querySelectorAll("h1:not([inert] *)").length;
  if (headingCount !== 1) faults.push(`${headingCount} main headings`);
  if (!document.title || !document.documentElement.lang) faults.push("no title or language");
  return faults;
}"""

# controls for the task of a turn, in order
NEXT = "form.moves-form :is(.move, .move-key), form.moves-form summary, details[id^=earn] > summary"
# Tasks that occur in the turns of the golden game.
TASKS = {
    "StartHike",
    "SiteAction exchange",
    "SiteAction photo",
    "BearEncounter exchange",
    "BearEncounter photo",
    "MoveBear",
    "TakePhoto",
    "RecyclingExchange",
    "ChooseResource",
    "BothSites",
    "EarnBadges",
    "KeepEight",
    "reveal",
}


def page_faults(phone: Phone) -> list[str]:
    """Return the faults of the page a phone shows, including its folded sections."""
    found = phone.page.evaluate(FAULTS_SCRIPT)
    phone.find("details").evaluate_all("parts => parts.forEach((part) => (part.open = true))")
    return list(dict.fromkeys([*found, *phone.page.evaluate(FAULTS_SCRIPT)]))


def page_faults_in_both_schemes(phone: Phone) -> list[str]:
    """Return the faults of the page a phone shows, in both color schemes."""
    found = []
    for scheme in ("light", "dark"):
        phone.page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {fault}" for fault in page_faults(phone)]
    phone.page.emulate_media(color_scheme="light")
    return found


def current_task(state: State) -> str:
    """Return the name of the current task of a turn."""
    task = state.tasks[-1] if state.tasks else None
    return "reveal" if state.is_over else f"{type(task).__name__} {getattr(task, 'site', '')}".strip()


def first_move_of_each_task(names: tuple[str, ...], moves: GameLog) -> dict[int, str]:
    """Return the moves of a game at which a task appears for the first time, with the task."""
    state, first = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(list(names))), {}
    for number, (seat, move) in enumerate(moves):
        if not move.out_of_turn or state.is_over:
            first.setdefault(current_task(state), number)
        state = TRACKED_GAME.play(state, seat, move)
    return {number: task for task, number in first.items()}


@parametrize_cases("scheme", ["light", "dark"])
@parametrize_cases(
    "page",
    [
        "/",
        "/new/trails",
        "/new/trails-tally",
        "/rules/trails",
        "/rules/trails?q=bear",
        "/rules/trails/canteen-new-tile",
        "/about",
        "/nowhere",
    ],
)
def test_page_away_from_table_fits_phone(page, scheme, new_phone):
    phone = new_phone(color_scheme=scheme)
    phone.expect_in_console("404")
    phone.go(page)
    assert page_faults(phone) == []


@pytest.mark.long("a whole game in a browser")
def test_each_task_of_turn_is_on_screen_and_reachable(server, new_phone):
    names = ("Ana", "Bo")
    moves = find_game(names, 489)
    stops = first_move_of_each_task(names, moves)
    assert set(stops.values()) >= TASKS
    table = open_seated_table(server, new_phone, *names, is_bare=True)
    for number, (seat, move) in enumerate(moves):
        if number in stops:
            phone = table.phones[seat]
            phone.go(f"{table.path}/seat/{seat}")
            expect(phone.find(NEXT).first).to_be_in_viewport(ratio=1)
            assert page_faults(phone) == [], stops[number]
        table.phones[seat].submit_move(table.path, seat, move)
    for page in PAGES:
        table.phones[0].go(f"{table.path}{page}")
        assert page_faults(table.phones[0]) == [], page


MAX_GAMES_ON_FIRST_SCREEN = 6  # more games are below them


def test_home_page_shows_the_first_six_games_without_scrolling(server, new_phone):
    phone = new_phone("Ana", server.address)
    phone.go("/")
    for game in [*GAMES.values()][:MAX_GAMES_ON_FIRST_SCREEN]:
        for key in [tracked.key for tracked in game.tracked_games]:
            expect(phone.find(f'a[href="/new/{key}"]')).to_be_in_viewport(ratio=1)


def test_last_step_is_undone_from_top_of_screen(table_of_two):
    ana, _ = table_of_two
    ana.wait_for_version(table_of_two.play(0, Hike(2)))
    expect(
        ana.find(".turnbar").get_by_role("button", name="Undo \u201cAna hiked 2 tiles to the leaf site, +1 leaf\u201d")
    ).to_be_in_viewport(ratio=1)


PAGES = ("", "/seat/0", "/seat/0/log", "/score", "/board", "/print")


def test_pages_of_table_in_play_fit_phone(server, new_phone):
    table = open_seated_table(server, new_phone, "Anastasia-Maria Papadopoulou-Smith", "Bo", "Cleo", "Dimitri")
    phone = table.phones[0]
    for page in ("/setup", *PAGES, "/seat/0/tell"):
        phone.go(f"{table.path}{page}")
        assert page_faults(phone) == [], page
    phone.go(f"{table.path}/seat/0")
    table.play(0, Hike(2))
    for page in (*PAGES, "/seat/0/tell"):
        phone.go(f"{table.path}{page}")
        assert page_faults(phone) == [], page


def test_pages_of_score_only_table_fit_phone(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally")
    phone = table.phones[0]
    named = table.table.version + 1
    phone.find('.pick[value="climber-rock"]').tap()
    phone.wait_for_version(named)
    for page in ("/setup", *PAGES, "/seat/0/tell"):
        phone.go(f"{table.path}{page}")
        assert page_faults(phone) == [], page


@parametrize_cases("game", GAMES)
def test_seat_pages_fit_phone_with_very_long_names(game, start_in_process_server, new_phone):
    server, phone = start_in_process_server(8), new_phone("Ana")
    for address in table_addresses(phone, server, GAMES[game].tracked_games[0].key, (), LONG_NAMES, (0.2,)):
        phone.go(f"{server.address}{address}")
        assert page_faults(phone) == [], address


# The words of some elements that are broken across lines.
BROKEN_WORDS_SCRIPT = """parts => {
  const broken = [], range = document.createRange();
  for (const part of parts) {
    const text = part.firstChild;
    for (const { 0: word, index } of text.textContent.matchAll(/[^ \\n]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
      if (range.getBoundingClientRect().right > part.getBoundingClientRect().right) broken.push(`${word} sticks out`);
    }
  }
  return broken;
}"""


@parametrize_cases("game", GAMES)
def test_category_names_are_not_broken_with_any_number_of_players(game, server, new_phone):
    names = ("Anastasia-Maria", "Bo", "Cleopatra", "Dimitri", "Evangelina", "Fay", "Gustav")
    names = names[: max(GAMES[game].box.player_counts)]
    key = GAMES[game].tracked_games[0].key
    phone = new_phone("Ana", server.address)
    phone.go(
        f"{phone.submit_form(f'/new/{key}', **{f'names-{number}': name for number, name in enumerate(names)})}/score"
    )
    rows = phone.find("table.scores tbody th")
    assert rows.count() > 1 or not GAMES[game].box.has_points
    assert rows.evaluate_all(BROKEN_WORDS_SCRIPT) == []


# Lines of the score where two rules are drawn with nothing between them.
DOUBLED_LINES_SCRIPT = """() => [...document.querySelectorAll(".column")].flatMap((column) => {
  const hasBorder = (part) => parseFloat(getComputedStyle(part).borderBottomWidth);
  const lines = [...column.querySelectorAll(".line"), column].filter(hasBorder);
  const ends = lines.map((part) => part.getBoundingClientRect().bottom).sort((a, b) => a - b);
  return ends.slice(1).map((end, number) => end - ends[number]).filter((gap) => gap < 12);
})"""


@parametrize_cases("game", ["on-the-trail", "trails-tally"])
def test_score_column_ends_with_one_rule(game, server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game=game)
    phone = table.phones[0]
    if game == "trails-tally":
        version = table.table.version
        phone.find('.pick[value="climber-rock"]').tap()
        phone.wait_for_version(version + 1)
    phone.go(f"{table.path}/score")
    expect(phone.find(".column .line").first).to_be_visible()
    assert phone.page.evaluate(DOUBLED_LINES_SCRIPT) == []


def test_question_on_own_phone_is_on_screen(table_of_two):
    ana, bo = table_of_two
    version = table_of_two.play(0, Hike(2))
    bo.wait_for_version(version)
    start_repair(bo, str(version), "Remove this move")
    assert request_repair(bo, table_of_two)
    expect(ana.button("Agree")).to_be_in_viewport(ratio=1)
    assert page_faults(ana) == []
