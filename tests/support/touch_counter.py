"""Count the touches, unfolded sections, scrolls and pans on a phone."""

from dataclasses import dataclass

from tests.browser.phone import Phone

# On the page: a touch is what a finger does, or what the helpers unfold by script. Scrolling between the page's own
# last move and a touch was done by the player.
COUNT_SCRIPT = """() => {
  const kept = JSON.parse(sessionStorage.getItem("touched") ?? '{"taps": 0, "pans": 0, "longest": 0}');
  const scrollable = ".board, .map, #fragment-actions, #map-view";
  const positions = () => [["page", scrollX, scrollY],
    ...[...document.querySelectorAll(scrollable)].map((part) => [part, part.scrollLeft, part.scrollTop])];
  let settled = [];
  const settle = () => { settled = positions(); };
  const soon = () => requestAnimationFrame(() => requestAnimationFrame(settle));
  const count = (kind) => {
    kept[kind] += 1;
    sessionStorage.setItem("touched", JSON.stringify(kept));
  };
  addEventListener("DOMContentLoaded", soon);
  addEventListener("load", soon);
  addEventListener("htmx:after:swap", soon);
  addEventListener("resize", soon);
  for (const kind of [Window.prototype, Element.prototype]) {
    for (const name of ["scrollTo", "scrollBy"]) {
      const own = (kind === Window.prototype ? window : kind)[name];
      (kind === Window.prototype ? window : kind)[name] = function (...args) { own.apply(this, args); soon(); };
    }
  }
  for (const name of ["scrollLeft", "scrollTop"]) {
    const own = Object.getOwnPropertyDescriptor(Element.prototype, name);
    Object.defineProperty(Element.prototype, name, { ...own, set(value) { own.set.call(this, value); soon(); } });
  }
  addEventListener("pointerdown", (event) => {
    if (!event.isTrusted) return;
    const old = new Map(settled.map(([part, x, y]) => [part, [x, y]]));
    const distance = ([part, x, y]) => old.has(part) ? Math.hypot(x - old.get(part)[0], y - old.get(part)[1]) : 0;
    const distances = positions().map(distance);
    if (Math.max(...distances) > 1) {
      kept.longest = Math.max(kept.longest, ...distances);
      count("pans");
    }
    settle();
    count("taps");
  }, true);
  const click = HTMLElement.prototype.click;
  HTMLElement.prototype.click = function () {
    if (this.matches("summary, .letter-picker input")) count("taps");
    click.call(this);
  };
  const open = Object.getOwnPropertyDescriptor(HTMLDetailsElement.prototype, "open");
  Object.defineProperty(HTMLDetailsElement.prototype, "open", {
    ...open,
    set(on) {
      if (on && !this.open) count("taps");
      open.set.call(this, on);
    },
  });
}"""


@dataclass(frozen=True)
class Touches:
    """Touches, scrolls and pans of a phone so far; pans are also scrolls; distances in pixels."""

    taps: int = 0
    pans: int = 0
    longest: float = 0

    def count_since(self, before: "Touches") -> int:
        """Return the number of touches since then; a pan counts as one."""
        return self.taps + self.pans - before.taps - before.pans


def start_counting(phone: Phone) -> None:
    """Start counting with the next page."""
    phone.context.add_init_script(f"({COUNT_SCRIPT})()")


def read_touches(phone: Phone) -> Touches:
    return Touches(**phone.page.evaluate("JSON.parse(sessionStorage.getItem('touched') ?? '{}')"))
