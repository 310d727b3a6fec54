"""Whether a decision is on the screen: every choice of the sheet, and of the picture what can be reached on foot."""

from tests.browser.phone import Phone

# The words of choices that are not wholly on the screen, or that are too small for a thumb.
OUT_OF_REACH_SCRIPT = """() => {
  const least = 44, slack = 1, words = (each) => each.getAttribute("aria-label") || each.textContent.trim();
  const sheet = [...document.querySelectorAll("#p-sheet form button, #p-sheet form a, #p-sheet .links a")];
  const picture = [...document.querySelectorAll("#p-picture button.tap:not(.far)")];
  const seen = [...sheet, ...picture].filter((each) => each.checkVisibility());
  return seen.filter((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const inside = left >= -slack && top >= -slack && right <= innerWidth + slack && bottom <= innerHeight + slack;
    return !inside || right - left < least || bottom - top < least;
  }).map(words);
}"""


def unreachable_choices(phone: Phone) -> list[str]:
    """Return the choices of a seat's page that are not within a thumb's reach as it stands."""
    return phone.page.evaluate(OUT_OF_REACH_SCRIPT)
