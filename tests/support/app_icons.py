"""Draw the icons of the home screen from static/favicon.svg.

Run as `python -m tests.support.app_icons`; replaces static/img/app-icon-*.png. Needs Chromium.
"""

import io
import shutil
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from companion.rendering.templating import STATIC
from companion.web.home_screen import BACKGROUND
from tests.browser.conftest import CHROMIUM_COMMANDS, CHROMIUM_FLAGS


class AppIcon(NamedTuple):
    """How one icon is drawn."""

    file: str
    size: int  # pixels
    share: float  # of the size, that the sign takes
    background: str


# A phone may cut a maskable icon to a circle of 80% of its size. Apple phones show transparent parts in black.
ICONS = (
    AppIcon("app-icon-192.png", 192, 1.0, "transparent"),
    AppIcon("app-icon-512.png", 512, 1.0, "transparent"),
    AppIcon("app-icon-maskable-512.png", 512, 0.76, BACKGROUND),
    AppIcon("app-icon-180.png", 180, 0.84, BACKGROUND),
)


def main() -> None:
    """Write all icons."""
    path = next(filter(None, map(shutil.which, CHROMIUM_COMMANDS)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        page = browser.new_page()
        for icon in ICONS:
            draw(page, icon).quantize().save(STATIC / "img" / icon.file, optimize=True)
        browser.close()


def draw(page: Page, icon: AppIcon) -> Image.Image:
    """Return an icon, drawn by a browser."""
    sign = (STATIC / "favicon.svg").read_text(encoding="utf-8")
    page.set_content(
        f"<style>body{{margin:0}}#icon{{width:{icon.size}px;height:{icon.size}px;display:grid;place-items:center;"
        f"background:{icon.background}}}svg{{width:{icon.share:.0%}}}</style><div id=icon>{sign}</div>"
    )
    picture = Image.open(io.BytesIO(page.locator("#icon").screenshot(omit_background=True, scale="css")))
    return picture.convert("RGBA" if icon.background == "transparent" else "RGB")


if __name__ == "__main__":
    main()
