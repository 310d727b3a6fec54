"""Count the touches, unfolded sections, scrolls and pans on a phone."""

from dataclasses import dataclass

from tests.browser.phone import Phone

# On the page: a touch is what a finger does, or what the helpers unfold by script. Scrolling between the page's own
# last move and a touch was done by the player.
COUNT_SCRIPT = """() => {
  const kept = JSON.parse(sessionStorage.getItem("touched") ?? '{"taps": 0, "pans": 0, "longest": 0}');
  const places = () => [["page", scrollX, scrollY],
    ...[...document.querySelectorAll(".board, .map, #fragment-actions, #map-view")].map((each) => [each, each.scrollLeft, each.scrollTop])];
  let settled = [];
  const settle = () => { settled = places(); };
  const soon = () => requestAnimationFrame(() => requestAnimationFrame(settle));
  const count = (what) => {
    kept[what] += 1;
    sessionStorage.setItem("touched", JSON.stringify(kept));
  };
  addEventListener("DOMContentLoaded", soon);
  addEventListener("load", soon);
  addEventListener("htmx:after:swap", soon);
  addEventListener("resize", soon);
  for (const kind of [Window.prototype, Element.prototype]) {
    for (const name of ["scrollTo", "scrollBy"]) {
      const own = (kind === Window.prototype ? window : kind)[name];
      (kind === Window.prototype ? window : kind)[name] = function (...how) { own.apply(this, how); soon(); };
    }
  }
  for (const name of ["scrollLeft", "scrollTop"]) {
    const own = Object.getOwnPropertyDescriptor(Element.prototype, name);
    Object.defineProperty(Element.prototype, name, { ...own, set(to) { own.set.call(this, to); soon(); } });
  }
  addEventListener("pointerdown", (event) => {
    if (!event.isTrusted) return;
    const before = new Map(settled.map(([each, x, y]) => [each, [x, y]]));
    const far = places().map(([each, x, y]) => before.has(each) ? Math.hypot(x - before.get(each)[0], y - before.get(each)[1]) : 0);
    if (Math.max(...far) > 1) {
      kept.longest = Math.max(kept.longest, ...far);
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
