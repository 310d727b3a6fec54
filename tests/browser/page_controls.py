"""The choices that a phone's page offers now, in any browser engine."""

import json
import random
from typing import NamedTuple

# Every control of the page except the choices that are selected already.
CONTROLS = """:is(#fragment-actions, #fragment-summary)
    :is(button[name=move], .pick:not(.refused), .card-options button, a.updates-draft, summary,
      .letter-picker > label > input, .key):not([aria-pressed=true]),
  #fragment-own-area .goal-option:not(.on),
  #fragment-picture .offer-key,
  #map a.hotspot.fits"""
UNFOLDS, ADVANCES = "unfolds", "leads"
# The first matching kind counts. Some controls only unfold or build a tile; the others lead to a move.
KINDS = {
    UNFOLDS: "summary, .letter-picker input",
    "turn": "a.hotspot.selected",
    "turn round": ".confirm-bar .rotate",
    "cell": "a.hotspot",
    "back": ".confirm-bar .back",
    "say": ".confirm-bar *",
    "detail": ".key:is([name='draft.miles'], [name='draft.icons'])",
    "key": ".tile-keys .key, .key[form]",
    ADVANCES: "*",
}
# How often each kind is chosen, relative to the others.
KIND_WEIGHTS = {"say": 8, "turn": 2, "turn round": 2, ADVANCES: 4, "key": 3, "cell": 3, "detail": 1, "back": 1}
# The available controls: number, kind and the moves each sends. The last button also sends the built tile. A tile
# with only one orientation is not turned.
_LIST_SCRIPT = """([controls, kinds]) => {
  const confirmMove = document.querySelector(".confirm-bar:not([hidden]) .confirm-form button")?.value ?? "";
  const hasScripts = typeof streaming !== "undefined", submitsKey = ".key:is([name='draft.key'], [data-key])";
  const exits = document.querySelector("a.hotspot.selected")?.dataset.exits ?? "";
  const canRotate = exits.includes(" ") && document.querySelector(".confirm-bar .rotate").checkVisibility();
  const kindOf = (control) => Object.keys(kinds).find((kind) => control.matches(kinds[kind]));
  const movesOf = (control) => {
    const first = hasScripts && confirmMove ? [confirmMove] : [];
    const discards = control.matches("a.hotspot") && confirmMove.includes("discard");
    if (hasScripts && (control.matches(submitsKey) || discards)) return first;
    return control.name === "move" ? [...(control.closest("[data-ends-turn]") ? first : []), control.value] : [];
  };
  return [...document.querySelectorAll(controls)].flatMap((control, number) => {
    const isShown = control.checkVisibility({ visibilityProperty: true });
    const kind = kindOf(control);
    if (!isShown || control.disabled || control.closest("#refused-moves, #score-so-far")) return [];
    return canRotate || !kind.startsWith("turn") ? [[number, kind, movesOf(control)]] : [];
  });
}"""
CONTROLS_SCRIPT = f"({_LIST_SCRIPT})({json.dumps([CONTROLS, KINDS])})"
# A value that changes when the server sends a new page or the player builds something on it.
PAGE_STATE_SCRIPT = """[...document.querySelectorAll(
  "[data-fragment], [aria-pressed], [aria-expanded], .confirm-form button, a.hotspot.selected"
)].map((part) => [part.dataset.fragment, part.ariaPressed, part.ariaExpanded, part.value, part.dataset.cell]).join()"""
# A tap in the place of the last one is not taken for a double tap any more.
CAN_TAP_SCRIPT = "typeof lastTap === 'undefined' || performance.now() - lastTap.at > DOUBLE_TAP"
# Nothing is in flight: every request is answered, and the answer is drawn, including below the screen.
IS_IDLE_SCRIPT = "!tapsInFlight && !pollsInFlight && !deferredTasks.length"


class PageControl(NamedTuple):
    number: int
    kind: str
    moves: list[str]  # moves that it sends


def choose_control(controls: list[list], rng: random.Random, unfold_chance: float = 0.0) -> PageControl:
    """Choose a control of a random kind; with probability `unfold_chance` one that unfolds."""
    kinds: dict[str, list[PageControl]] = {}
    for control in controls:
        kinds.setdefault(control[1], []).append(PageControl(*control))
    folds = kinds.pop(UNFOLDS, [])
    assert folds or kinds, "nothing can be chosen"
    if folds and (not kinds or rng.random() < unfold_chance):
        return rng.choice(folds)
    (kind,) = rng.choices(list(kinds), [KIND_WEIGHTS[kind] for kind in kinds])
    return rng.choice(kinds[kind])
