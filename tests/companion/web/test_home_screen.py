"""Tests of the icons on a home screen: manifests, files, and the page that they open."""

import json
import re

import pytest
from flask import Flask
from PIL import Image

from companion.rendering.templating import STATIC
from companion.web.home_screen import BACKGROUND
from scoring.trails.score_entry import Done
from tests.support.phones import Phone, SeatedTable, open_seated_table


def read_manifest(phone: Phone, path: str) -> dict:
    """Return the manifest that a page links."""
    tags = phone.open(path).tags
    address = next(attributes["href"] for tag, attributes in tags if tag == "link" and attributes["rel"] == "manifest")
    answer = phone.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
    return json.loads(answer.text)


@pytest.mark.parametrize("path", ["/", "/rules/trails", "/about"])
def test_icon_of_the_app_opens_the_home_page(phone: Phone, path: str):
    manifest = read_manifest(phone, path)
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Waymark", "/", "standalone")


@pytest.mark.parametrize("page", ["", "/seat/0", "/board", "/score", "/seat/0/log"])
def test_icon_of_a_table_has_its_game_and_code(table_of_two: SeatedTable, page: str):
    manifest = read_manifest(table_of_two.phone(0), table_of_two.path + page)
    assert manifest["name"] == f"TRAILS · {table_of_two.code}" and manifest["short_name"] == "TRAILS"
    assert (manifest["scope"], manifest["display"]) == ("/", "standalone")
    assert manifest["id"] == manifest["start_url"] == f"{table_of_two.path}/open"


def test_manifest_needs_no_cookie(table_of_two: SeatedTable, app: Flask):
    """Browsers request a manifest without cookies."""
    answer = app.test_client().get(f"{table_of_two.path}/manifest.webmanifest")
    assert answer.status_code == 200 and table_of_two.code in answer.text


def test_icon_opens_the_seat_of_the_phone_or_the_lobby(table_of_two: SeatedTable, phone: Phone):
    for asking, page in ((table_of_two.phone(0), "/seat/0"), (table_of_two.phone(1), "/seat/1"), (phone, "")):
        answer = asking.get(f"{table_of_two.path}/open")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{table_of_two.path}{page}")


def test_icon_opens_the_latest_game_after_play_again(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="trails-tally")
    for seat in (0, 1):
        table.play(seat, Done())
    second = table.referee.rematch(table.table, table.phone(0).device, "tap-1", 0)
    answer = table.phone(1).get(f"{table.path}/open")
    assert answer.headers["Location"] == f"/t/{second.code}/seat/1"


def test_icons_are_png_files_of_the_stated_sizes(phone: Phone):
    icons = read_manifest(phone, "/")["icons"]
    assert {(icon["sizes"], icon["purpose"]) for icon in icons} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    apple = [tag["href"] for name, tag in phone.open("/").tags if tag.get("rel") == "apple-touch-icon"]
    for address, size in [*((icon["src"], icon["sizes"]) for icon in icons), (apple[0], "180x180")]:
        with phone.get(address) as answer:
            assert answer.status_code == 200 and answer.mimetype == "image/png"
        with Image.open(STATIC / re.sub(r"^/static/|\?.*$", "", address)) as picture:
            assert "x".join(map(str, picture.size)) == size


def test_icons_that_a_phone_cuts_or_fills_are_opaque():
    for file in ("app-icon-maskable-512.png", "app-icon-180.png"):
        with Image.open(STATIC / "img" / file) as picture:
            assert picture.convert("RGBA").getchannel("A").getextrema() == (255, 255), file


def test_colors_of_the_window_are_those_of_the_page(phone: Phone):
    css = (STATIC / "css" / "waymark.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root\{[^}]*?--background:(#\w+)", css)[:2]
    colors = [tag["content"] for _, tag in phone.open("/").tags if tag.get("name") == "theme-color"]
    assert colors == [light, dark] and light == BACKGROUND


def test_video_that_keeps_the_screen_on_is_tiny_and_sent_in_ranges(phone: Phone):
    """An iPhone plays no video from a server that ignores ranges."""
    with phone.http.get("/static/media/silence.mp4", headers={"Range": "bytes=0-1"}) as answer:
        assert (answer.status_code, answer.mimetype, len(answer.data)) == (206, "video/mp4", 2)
    assert (STATIC / "media" / "silence.mp4").stat().st_size < 4096
