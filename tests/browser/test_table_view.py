"""The table view fits a tablet and a television, and can be read from two meters."""

import pytest

from scoring.games import TRACKED_GAMES
from tests.browser.browser_servers import InProcessServer
from tests.browser.midgame_tables import LONG_NAMES, NAMES, open_played_table, random_game_moves
from tests.support.parametrize import TRACKED_KEYS, parametrize_cases

pytestmark = pytest.mark.browser

TABLET, TELEVISION = {"width": 1024, "height": 768}, {"width": 1920, "height": 1080}
LAPTOPS = {"width": 1366, "height": 768}, {"width": 1280, "height": 800}
UPRIGHT = {"width": 768, "height": 1024}
GAMES = [(key, players) for key in TRACKED_KEYS for players in TRACKED_GAMES[key].box.player_counts]
GAME_PARTS = (0, 0.5, 0.97, 1)
# Whole games with something rare: seven cards in front of a runner, a last turn, a last season of five players.
LONG_GAMES = {
    "seven cards": ("on-the-trail", 2, 4, 62),
    "a last turn": ("on-the-trail", 2, 9, 118),
    "a last season": ("parks", 5, 7, 166),
    "full parks": ("parks", 4, 5, 129),
    "a last round": ("trails", 4, 3, 178),
    "checked maps": ("alpine-trails", 4, 1, 138),
}
# The smallest size of text in px at 1024 x 768, and the elements that may be smaller.
SMALL_TEXT = {
    "": 22,
    "svg.alpine text": 11,  # The map is a picture. Its figures are in words beside it.
    ".menu *": 0,  # A menu is opened on the screen itself.
}
# The elements on the page: at most 30 % more than the drafts of the design had.
MAX_NODES = {"trails": 476, "parks": 459, "alpine-trails": 933, "on-the-trail": 311}
# What does not fit: the page, a section (except older log lines), or a player not fully on the screen.
FAULTS_SCRIPT = """() => {
  const faults = [], page = document.documentElement;
  if (page.scrollHeight > innerHeight) faults.push(`the page is ${page.scrollHeight} high`);
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} wide`);
  const fragments = [...document.querySelectorAll(".table-view > .fragment:not([hidden])")];
  const checkInside = (part, name) => {
    const box = part.getBoundingClientRect();
    const sticksOut = box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < -1;
    if (sticksOut) faults.push(`${name} sticks out: ${Math.round(box.bottom)} low`);
  };
  for (const fragment of fragments) {
    const overflows = !fragment.matches(".fragment-footer") && fragment.scrollHeight > fragment.clientHeight + 4;
    if (overflows) faults.push(`${fragment.id}: ${fragment.scrollHeight} in ${fragment.clientHeight}`);
    checkInside(fragment, fragment.id);
  }
  for (const part of document.querySelectorAll(".table-view :is(.player, .map-card, tr, .qr, .card)"))
    checkInside(part, part.className);
  const pairs = fragments.flatMap((first, n) => fragments.slice(n + 1).map((second) => [first, second]));
  for (const [first, second] of pairs) {
    const a = first.getBoundingClientRect(), b = second.getBoundingClientRect();
    const overlapWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const overlapHeight = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (overlapWidth > 2 && overlapHeight > 2) faults.push(`${first.id} lies on ${second.id}`);
  }
  return faults;
}"""
# Every text on the screen, also in pictures and of pseudo-elements: its words, size, boxes, and whether it is cut.
TEXTS_SCRIPT = """() => {
  const texts = [], range = document.createRange(), NAMES = "h2 > bdi, figcaption > bdi, thead bdi";
  const isHidden = (part) => part.closest(".sr-only, .skip-link, title, desc, defs, style, script, noscript")
    || !part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const size = (part, pseudo) => {
    const fontSize = parseFloat(getComputedStyle(part, pseudo).fontSize);
    if (!(part instanceof SVGGraphicsElement)) return fontSize;
    const { a, b, c, d } = part.getScreenCTM();
    return fontSize * Math.sqrt(Math.abs(a * d - b * c));
  };
  const clips = (part) => {
    const { display, overflowX, overflowY } = getComputedStyle(part);
    const isBox = !part.ownerSVGElement && !/inline$|contents/.test(display);
    return isBox && /hidden|clip|auto|scroll/.test(overflowX + overflowY);
  };
  const add = (part, words, boxes, textNode) => {
    let { left, top, right, bottom } = { left: 0, top: 0, right: innerWidth, bottom: Infinity };
    for (let outer = part; outer !== document.documentElement; outer = outer.parentElement) {
      if (!clips(outer)) continue;
      const box = outer.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    const isShown = (box) => {
      const margin = box.height * 0.25; // the space above and below letters
      return box.left >= left - 1 && box.right <= right + 1 && box.top >= top - margin && box.bottom <= bottom + margin;
    };
    const isCut = !boxes.every(isShown);
    let letters = words.length;
    if (isCut && textNode) {
      letters = 0;
      for (let at = 0; at < textNode.length; at++) {
        range.setStart(textNode, at);
        range.setEnd(textNode, at + 1);
        if (textNode.data[at].trim() && isShown(range.getBoundingClientRect())) letters++;
      }
    }
    texts.push({ words, size: size(part), part: part.outerHTML.slice(0, 90), letters, isCut,
      isName: part.matches(NAMES), isHidden: isCut && !letters, isAboutDecks: Boolean(part.closest(".game-info")),
      canEnd: Boolean(part.closest(`${NAMES}, .last-turn, .last-move-text, .game-info`)),
      selectors: SELECTORS.filter((selector) => selector && part.matches(selector)),
      boxes: boxes.filter(isShown).map(({ left, top, right, bottom }) => ({ left, top, right, bottom })) });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, part = text.parentElement, words = text.data.trim();
    if (!words || isHidden(part)) continue;
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
    if (boxes.length) add(part, words, boxes, text);
  }
  for (const part of document.querySelectorAll(".table-view *")) {
    for (const pseudo of ["::before", "::after"]) {
      const { content, display } = getComputedStyle(part, pseudo), words = content.match(/^"([^"]+)"/)?.[1].trim();
      if (words && display !== "none" && !isHidden(part)) add(part, words, [part.getBoundingClientRect()]);
    }
  }
  return texts;
}""".replace("SELECTORS", repr(list(SMALL_TEXT)))


def text_faults(texts: list[dict]) -> list[str]:
    """Return the texts that are too small, cut so that they say less, or overlap."""
    shown = [text for text in texts if not text["isHidden"]]
    return [
        *(f"{text['size']:.1f} px: {text['words'][:40]} in {text['part']}" for text in shown if is_too_small(text)),
        *(f"cut: {text['words'][:40]} in {text['part']}" for text in texts if loses_meaning(text)),
        *overlaps(shown),
    ]


def is_too_small(text: dict) -> bool:
    """Return whether a text is smaller than it may be."""
    return text["size"] < min(SMALL_TEXT[selector] for selector in text["selectors"] or [""]) - 0.05


def loses_meaning(text: dict) -> bool:
    """Return whether a text is cut, other than the end of a name, a turn or a line about decks."""
    is_line_left_out = text["isHidden"] and text["isAboutDecks"]
    if not text["isCut"] or is_line_left_out:
        return False
    least_letters = min(8, len(text["words"])) if text["isName"] else 20
    return not text["canEnd"] or text["letters"] < least_letters


def overlaps(texts: list[dict]) -> list[str]:
    """Return the pairs of texts that overlap."""
    boxes = [(text, box) for text in texts for box in text["boxes"]]
    return [
        f"{first['words']} overlaps {second['words']}"
        for number, (first, a) in enumerate(boxes)
        for second, b in boxes[:number]
        if first is not second
        and min(a["right"], b["right"]) - max(a["left"], b["left"]) > 2
        and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > 0.3 * (a["bottom"] - a["top"])
    ]


@pytest.fixture
def table_server(start_in_process_server) -> InProcessServer:
    return start_in_process_server(8)


@pytest.fixture
def screen(table_server: InProcessServer, new_phone):
    return new_phone("the middle of the table", table_server.address, viewport=TABLET, is_mobile=False)


@parametrize_cases("names", [NAMES, LONG_NAMES], ids=["usual", "long"])
@parametrize_cases(("game", "players"), GAMES)
def test_table_view_fits_and_is_readable(game: str, players: int, names: tuple[str, ...], table_server, screen):
    moves = random_game_moves(game, players)
    for part in GAME_PARTS:
        table = open_played_table(table_server, game, players, moves[: int(part * len(moves))], names)
        for size in (TABLET, TELEVISION):
            screen.page.set_viewport_size(size)
            screen.go(f"/t/{table.code}/board")
            assert screen.page.evaluate(FAULTS_SCRIPT) == [], (part, size)
            assert text_faults(screen.page.evaluate(TEXTS_SCRIPT)) == [], (part, size)
        assert screen.find(".table-view *").count() <= MAX_NODES.get(game, 400), part


@parametrize_cases("case", LONG_GAMES)
def test_table_view_fits_with_many_things_on_it(case: str, table_server, screen):
    game, players, seed, steps = LONG_GAMES[case]
    table = open_played_table(table_server, game, players, random_game_moves(game, players, seed)[:steps], NAMES)
    screen.go(f"/t/{table.code}/board")
    assert screen.page.evaluate(FAULTS_SCRIPT) == []
    assert text_faults(screen.page.evaluate(TEXTS_SCRIPT)) == []


@parametrize_cases("game", TRACKED_KEYS)
def test_nothing_is_cut_on_laptops_and_upright_tablets(game: str, table_server, screen):
    players = TRACKED_GAMES[game].box.player_counts[-1]
    moves = random_game_moves(game, players)
    for part in (0.5, 1):
        table = open_played_table(table_server, game, players, moves[: int(part * len(moves))], LONG_NAMES)
        for size in (*LAPTOPS, UPRIGHT):
            screen.page.set_viewport_size(size)
            screen.go(f"/t/{table.code}/board")
            assert screen.page.evaluate(FAULTS_SCRIPT) == [], (part, size)
            texts = screen.page.evaluate(TEXTS_SCRIPT)
            assert [text for text in texts if loses_meaning(text)] == [], (part, size)
            assert overlaps(texts) == [], (part, size)


@parametrize_cases("game", TRACKED_KEYS)
def test_code_and_last_move_are_large(game: str, table_server, screen):
    players = TRACKED_GAMES[game].box.player_counts[-1]
    moves = random_game_moves(game, players)
    table = open_played_table(table_server, game, players, moves[: len(moves) // 2])
    screen.go(f"/t/{table.code}/board")
    assert screen.find(".qr").bounding_box()["width"] >= 111.9
    sizes = {"h1": 32, ".join-panel .code": 43.9, ".last-move-text": 30.9, ".player-column h2, figcaption > bdi": 25.5}
    for selector, least in sizes.items():
        size = screen.find(selector).first.evaluate("part => parseFloat(getComputedStyle(part).fontSize)")
        assert size >= least, selector
