"""The choices that a phone's page offers now, in any browser engine."""

import json
import random
from typing import NamedTuple

# Every control of the page except the choices that are selected already.
CONTROLS = """:is(#p-sheet, #p-mine) :is(button[name=move], .pick:not(.refused), .found button, a.drafts, summary, .letters > label > input,
  .key):not([aria-pressed=true]), #p-things .pick-goal:not(.on), #map a.spot.fits"""
UNFOLDS, ADVANCES = "unfolds", "leads"
# The first matching kind counts. Some controls only unfold or build a tile; the others lead to a move.
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
# How often each kind is chosen, relative to the others.
KIND_WEIGHTS = {"say": 8, "turn": 2, "turn round": 2, ADVANCES: 4, "key": 3, "cell": 3, "detail": 1, "back": 1}
# The available controls: number, kind and the moves each sends. The last button also sends the built tile. A tile
# with only one orientation is not turned.
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
# A value that changes when the server sends a new page or the player builds something on it.
PAGE_STATE_SCRIPT = """[...document.querySelectorAll("[data-piece], [aria-pressed], [aria-expanded], .say button, a.spot.here")].map((each) =>
  [each.dataset.piece, each.ariaPressed, each.ariaExpanded, each.value, each.dataset.at]).join()"""
# A tap in the place of the last one is not taken for a double tap any more.
CAN_TAP_SCRIPT = "typeof tapped === 'undefined' || performance.now() - tapped.at > SOONER"
# Nothing is in flight: every request is answered, and the answer is drawn, including below the screen.
IS_IDLE_SCRIPT = "!sending && !asking && !late.length"


class PageControl(NamedTuple):
    number: int
    kind: str
    moves: list[str]  # moves that it sends


def choose_control(controls: list[list], rng: random.Random, unfold_chance: float = 0.0) -> PageControl:
    """Choose a control of a random kind; with probability `unfold_chance` one that unfolds."""
    kinds: dict[str, list[PageControl]] = {}
    for each in controls:
        kinds.setdefault(each[1], []).append(PageControl(*each))
    folds = kinds.pop(UNFOLDS, [])
    assert folds or kinds, "nothing can be chosen"
    if folds and (not kinds or rng.random() < unfold_chance):
        return rng.choice(folds)
    (kind,) = rng.choices(list(kinds), [KIND_WEIGHTS[kind] for kind in kinds])
    return rng.choice(kinds[kind])
