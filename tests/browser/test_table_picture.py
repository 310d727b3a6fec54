"""The picture of the table on every page: its layers match, and it keeps its height."""

from collections.abc import Iterator
from urllib.parse import urlencode

import msgspec
import pytest

from companion.log.plans import RepairPlan, Truncate
from companion.log.replay import replay
from companion.log.table import Table
from companion.pages.judge import answer_page, build_verdict
from companion.service.referee import new_tap
from scoring.games import TRACKED_GAMES
from scoring.kernel.legality import possible_actions
from tests.browser.browser_servers import InProcessServer
from tests.browser.midgame_tables import device, open_played_table, random_game_moves, take_seat_device
from tests.browser.phone import PHONE_SIZE, TABLET_SIZE
from tests.support.parametrize import parametrize_cases
from tests.support.player_names import names_for

pytestmark = pytest.mark.browser

PICTURES = ".board, .map, .map-card:has(svg.alpine), .score-map"
# Faults of every picture on the page: layers in different places, too high, or wider than the container.
TORN_SCRIPT = """(selector) => {
  const faults = [], height = document.documentElement.clientHeight, width = document.documentElement.clientWidth;
  const shown = (part) => part.checkVisibility() && part.getBoundingClientRect().width > 0;
  for (const details of document.querySelectorAll("details:has(.picture)")) details.open = true;
  for (const picture of document.querySelectorAll(selector)) {
    if (!shown(picture)) continue;
    const report = (fault) => faults.push(`${picture.className}: ${fault}`), box = picture.getBoundingClientRect();
    const images = [...picture.querySelectorAll("svg:not(.icon, .race-line svg)")].filter(shown);
    const layers = images.filter((image) => !image.parentElement.closest("svg"));
    const boxes = layers.map((layer) => layer.getBoundingClientRect()), first = boxes[0];
    if (!layers.length) report("nothing is drawn");
    for (const layer of boxes) {
      if (Math.abs(layer.top - first.top) > 2 || Math.abs(layer.height - first.height) > 2)
        report(`a layer lies at ${layer.top}, ${layer.height} high, another at ${first.top}, ${first.height} high`);
      const scrolls = picture.matches(".score-map"); // a map whose cells would be too small
      if (!scrolls && (layer.bottom > box.bottom + 2 || layer.top < box.top - 2))
        report(`a layer from ${layer.top} to ${layer.bottom} leaves the picture from ${box.top} to ${box.bottom}`);
      const sticksOut = layer.left < box.left - 2 || layer.right > box.right + 2;
      if (getComputedStyle(picture).overflowX === "hidden" && sticksOut)
        report(`a layer from ${layer.left} to ${layer.right} is cut off at ${box.left} and ${box.right}`);
      if (layer.height < 100) report(`it is only ${layer.height} high`);
    }
    if (picture.closest(".fragment-picture")) continue; // it fills what is left of the screen
    const maxHeight = (picture.matches(".map-card") ? 1 : 0.63) * height;
    if (box.height > maxHeight) report(`it is ${box.height} high on a screen of ${height}`);
    const isTooWide = box.left < -1 || box.right > width + 1;
    if (isTooWide) report(`it reaches from ${box.left} to ${box.right} on a screen ${width} wide`);
  }
  const pageWidth = document.documentElement.scrollWidth;
  if (pageWidth > width) faults.push(`the page is ${pageWidth} wide`);
  return { faults, drawn: [...document.querySelectorAll(selector)].filter(shown).length };
}"""


GAME_PARTS = {"begins": 0, "goes on": 0.6, "is over": 1}


def repair_pages(table: Table, asker: int) -> Iterator[tuple[str, RepairPlan]]:
    """Yield the pages of a repair: replacement step, illegal later steps, preview."""
    steps = [step for step in table.steps if not step.move.is_secret]
    yield "repair: what happened", RepairPlan(steps[len(steps) // 2].id, 1, is_open=True)
    for step in steps:
        plan = RepairPlan(step.id, 1)
        if replay(table, plan, asker).blocked:
            yield "repair: what does not stand", plan
            yield "repair: what would differ", plan.with_edit(Truncate())
            return


def question_pages(server: InProcessServer, table: Table, asker: int) -> Iterator[tuple[str, str]]:
    """Propose a repair and save an answer; yield the pages that preview their effect."""
    view = table.tracked.view(table.state, asker)
    for action in [action for action in possible_actions(table.tracked, view, asker) if action.is_possible][:1]:
        move = msgspec.json.encode(action.move).decode()
        yield "may I", f"/ask/may?{urlencode({'seat': asker, 'move': move})}"
        kept = server.referee.save_verdict(
            table,
            device(asker),
            new_tap(),
            asker,
            lambda now: build_verdict(answer_page(now, device(asker), asker, action.move, "")),
        )
        yield "verdict", f"/verdict/{kept.verdicts[-1].number}"
    others = [step for step in table.steps if not step.move.is_secret and step.seat != asker]
    for step in others[-1:]:
        asking_table = server.referee.repair(
            table,
            device(asker),
            new_tap(),
            asker,
            RepairPlan(step.id, 1, resolutions=(Truncate(),)),
        )
        if asking_table.proposals:
            yield "if all agree", f"/if/{asking_table.proposals[-1].number}?seat={asker}"


def picture_pages(server: InProcessServer, game: str) -> Iterator[tuple[str, int, str]]:
    """Yield the pages of a game's tables with a picture: a name, the seat of the phone, address."""
    tracked, players = TRACKED_GAMES[game], len(names_for(game))
    moves = random_game_moves(game, players)
    for name, part in GAME_PARTS.items():
        table = open_played_table(server, game, players, moves[: int(part * len(moves))])
        seat = next(iter(tracked.flow.to_move(table.state)), 0)
        other = (seat + 1) % players
        ends = [
            ("own", f"/seat/{seat}"),
            ("other", f"/seat/{other}"),
            ("lobby", ""),
            ("table view", "/board"),
            ("score", "/score"),
        ]
        if table.steps:
            ends += [
                (f"moment {step.id}", f"/log/{step.id}?seat={seat}")
                for step in table.steps[:: max(1, len(table.steps) // 3)]
            ]
            ends += [(label, f"/seat/{seat}/mend/{plan.encode()}") for label, plan in repair_pages(table, seat)]
            ends += question_pages(server, table, seat)
        yield from (
            (f"{game} {name}, {label}", other if label == "other" else seat, f"/t/{table.code}{end}")
            for label, end in ends
        )


@pytest.mark.long("every page in a browser")
@parametrize_cases("game", TRACKED_GAMES, first="parks")
def test_picture_is_whole_on_every_page(game: str, start_in_process_server, new_phone):
    server, faults, drawn = start_in_process_server(8), [], 0
    for size in (PHONE_SIZE, TABLET_SIZE):
        phone = new_phone("looks", server.address, viewport=size)
        for name, seat, address in picture_pages(server, game):
            take_seat_device(phone, server, seat)
            phone.go(address)
            found = phone.page.evaluate(TORN_SCRIPT, PICTURES)
            drawn += found["drawn"]
            faults += [f"{name} at {size['width']}: {fault}" for fault in found["faults"]]
    assert faults == [], "\n".join(faults)
