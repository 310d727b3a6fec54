"""Test that a browser accepts the icons of the home screen, and opens the phone's seat."""

import json
import re

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

from companion.rendering.templating import STATIC
from tests.support import app_icons

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("page", ["", "/seat/0", "/board"])
def test_browser_accepts_the_manifest_and_its_icon_opens_the_seat(table_of_two, page: str):
    ana, bo = table_of_two
    ana.go(f"{table_of_two.path}{page}")
    devtools = ana.context.new_cdp_session(ana.page)
    answer = devtools.send("Page.getAppManifest")
    assert answer["errors"] == []
    manifest = json.loads(answer["data"])
    assert manifest["name"] == f"TRAILS · {table_of_two.code}"
    devtools.detach()
    ana.go(manifest["start_url"])
    expect(ana.page).to_have_url(re.compile(f"{table_of_two.path}/seat/0$"))


def test_icons_are_drawn_from_the_favicon(new_phone):
    """If this fails after a change of the favicon: `python -m tests.support.app_icons`."""
    page = new_phone("painter").page
    for icon in app_icons.ICONS:
        with Image.open(STATIC / "img" / icon.file) as stored:
            difference = ImageChops.difference(app_icons.draw(page, icon).convert("RGBA"), stored.convert("RGBA"))
        assert max(ImageStat.Stat(difference).mean) < 2, icon.file
