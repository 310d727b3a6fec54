"""Check that every choice of a decision is on the screen and large enough to tap."""

from tests.browser.phone import Phone

# The labels of choices that are not fully on the screen or that are too small for a thumb.
OUT_OF_REACH_SCRIPT = """() => {
  const least = 44, slack = 1, words = (each) => each.getAttribute("aria-label") || each.textContent.trim();
  const sheet = [...document.querySelectorAll("#fragment-actions form button, #fragment-actions form a, #fragment-actions .links a")];
  const picture = [...document.querySelectorAll("#fragment-picture button.tap-target:not(.canteen-hike)")];
  const seen = [...sheet, ...picture].filter((each) => each.checkVisibility());
  return seen.filter((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const inside = left >= -slack && top >= -slack && right <= innerWidth + slack && bottom <= innerHeight + slack;
    return !inside || right - left < least || bottom - top < least;
  }).map(words);
}"""


def unreachable_choices(phone: Phone) -> list[str]:
    """Return the choices of a seat's page that a thumb cannot reach without scrolling."""
    return phone.page.evaluate(OUT_OF_REACH_SCRIPT)
