"""Check that every choice of a decision is on the screen and large enough to tap."""

from tests.browser.phone import Phone

# The labels of choices that are not fully on the screen or that are too small for a thumb.
OUT_OF_REACH_SCRIPT = """() => {
  const minSize = 44, slack = 1, label = (control) => control.getAttribute("aria-label") || control.textContent.trim();
  const sheet = document.querySelectorAll("#fragment-actions :is(form button, form a, .links a, label.move-key)");
  const picture = document.querySelectorAll("#fragment-picture .offer-key");
  const shown = [...sheet, ...picture].filter((control) => control.checkVisibility());
  return shown.filter((control) => {
    const { left, top, right, bottom } = control.getBoundingClientRect();
    const isInside = left >= -slack && top >= -slack && right <= innerWidth + slack && bottom <= innerHeight + slack;
    return !isInside || right - left < minSize || bottom - top < minSize;
  }).map(label);
}"""


def unreachable_choices(phone: Phone) -> list[str]:
    """Return the choices of a seat's page that a thumb cannot reach without scrolling."""
    return phone.page.evaluate(OUT_OF_REACH_SCRIPT)
