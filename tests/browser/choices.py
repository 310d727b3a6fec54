"""What a phone's own page lets somebody choose now, on any engine; of ALPINE TRAILS what its map and its keys have in their hand."""

import json
import random
from typing import NamedTuple

# All of it, as it stands on the page, but for what was chosen already.
CONTROLS = """:is(#p-sheet, #p-mine) :is(button[name=move], .pick:not(.refused), .found button, a.drafts, summary, .letters > label > input,
  .key):not([aria-pressed=true]), #p-things .pick-goal:not(.on), #map a.spot.fits"""
UNFOLDS, ADVANCES = "unfolds", "leads"
# The kinds of it, the first that it is: what only unfolds, and what puts a tile together; the rest leads on.
KINDS = {
    UNFOLDS: "summary, .letters input",
    "turn": "a.spot.here",
    "turn round": ".bar .turn",
    "cell": "a.spot",
    "back": ".bar .back",
    "say": ".bar *",
    "detail": ".key:is([name='draft.miles'], [name='draft.icons'])",
    "key": ".keys .key, .key[form]",
    ADVANCES: "*",
}
# How often each is chosen, beside the others.
KIND_WEIGHTS = {"say": 8, "turn": 2, "turn round": 2, ADVANCES: 4, "key": 3, "cell": 3, "detail": 1, "back": 1}
# What can be chosen now: its number, its kind, the moves that it sends: the last button sends what lies in the hand, too. A tile that lies in one way only is not turned.
_LIST_SCRIPT = """([controls, kinds]) => {
  const bar = document.querySelector(".bar:not([hidden]) .say button"), said = bar?.value ?? "";
  const scripts = typeof streaming !== "undefined", sends = ".key:is([name='draft.key'], [data-key])";
  const ways = document.querySelector("a.spot.here")?.dataset.ways ?? "", turn = document.querySelector(".bar .turn");
  const turns = ways.includes(" ") && turn.checkVisibility();
  const kind = (each) => Object.keys(kinds).find((kind) => each.matches(kinds[kind]));
  const says = (each) => {
    const first = scripts && said ? [said] : [];
    if (scripts && (each.matches(sends) || (each.matches("a.spot") && said.includes("discard")))) return first;
    return each.name === "move" ? [...(each.closest("[data-ends]") ? first : []), each.value] : [];
  };
  return [...document.querySelectorAll(controls)].flatMap((each, number) => {
    const shown = each.checkVisibility({ visibilityProperty: true }) && !each.disabled && !each.closest("#whynot, #so-far");
    return shown && (turns || !kind(each).startsWith("turn")) ? [[number, kind(each), says(each)]] : [];
  });
}"""
CONTROLS_SCRIPT = f"({_LIST_SCRIPT})({json.dumps([CONTROLS, KINDS])})"
# What tells one moment of a page from the next: what the table has sent, and what was put together here since.
PAGE_STATE_SCRIPT = """[...document.querySelectorAll("[data-piece], [aria-pressed], [aria-expanded], .say button, a.spot.here")].map((each) =>
  [each.dataset.piece, each.ariaPressed, each.ariaExpanded, each.value, each.dataset.at]).join()"""
# A tap now, in the place of the last one, is not taken for a double tap.
CAN_TAP_SCRIPT = "typeof tapped === 'undefined' || performance.now() - tapped.at > SOONER"
# Nothing is on its way: what was said is answered, and its answer is drawn, below the screen, too.
IS_IDLE_SCRIPT = "!sending && !asking && !late.length"


class PageControl(NamedTuple):
    number: int
    kind: str
    moves: list[str]  # the moves that it sends


def choose_control(controls: list[list], rng: random.Random, unfold_chance: float = 0.0) -> PageControl:
    """Choose something that leads on, one of a kind; or, as often as is wished where it can be, something that unfolds."""
    kinds: dict[str, list[PageControl]] = {}
    for each in controls:
        kinds.setdefault(each[1], []).append(PageControl(*each))
    folds = kinds.pop(UNFOLDS, [])
    assert folds or kinds, "nothing can be chosen"
    if folds and (not kinds or rng.random() < unfold_chance):
        return rng.choice(folds)
    (kind,) = rng.choices(list(kinds), [KIND_WEIGHTS[kind] for kind in kinds])
    return rng.choice(kinds[kind])
