"""Tests that actions that are hard to undo need a second tap to confirm."""

import io
from html.parser import HTMLParser

import pytest
from flask import Flask

from tests.companion.history.test_photos import make_photo
from tests.support.finished_tables import random_game_table
from tests.support.phones import Phone, open_seated_table

VOID = {"input", "img", "br", "meta", "link", "hr", "path", "use", "circle", "rect"}


class FoldedButtons(HTMLParser):
    """The buttons of a page: form address, name, value, and whether a first tap opens them."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[tuple[str, dict]] = []
        self.buttons: list[tuple[str, str, str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list):
        attributes = dict(attrs)
        if tag == "button":
            action = next(
                (each["action"] for name, each in reversed(self.open) if name == "form" and "action" in each), ""
            )
            is_folded = any(name == "details" and "open" not in each for name, each in self.open)
            self.buttons.append((action, attributes.get("name", ""), attributes.get("value", ""), is_folded))
        if tag not in VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag: str):
        while self.open and tag not in VOID and self.open.pop()[0] != tag:
            pass


def needs_confirmation(text: str, action: str, name: str = "", value: str = "") -> bool:
    """Return whether all matching buttons of a page, at least one, are hidden until a first tap."""
    found = [
        is_folded for at, label, says, is_folded in FoldedButtons(text).buttons
        if at.endswith(action) and name in ("", label) and value in ("", says)
    ]  # fmt: skip
    assert found, action
    return all(found)


@pytest.mark.parametrize("game", ["trails", "on-the-trail", "alpine-trails-tally"])
def test_leaving_a_seat_is_confirmed_first(app: Flask, game: str):
    table = open_seated_table(app, "Ana", "Bo", game=game, phones=1)
    text = table.phone(0).get(table.path).text
    assert needs_confirmation(text, "/stand")
    assert text.count("Leave now") == 2


def test_leaving_the_owners_phone_is_confirmed_first(app: Flask):
    assert needs_confirmation(Phone(app).become_owner().get("/owner").text, "/owner", "leave")


def test_withdrawing_a_change_that_waits_is_confirmed_first(app: Flask):
    phone = Phone(app)
    phone.post("/box/alpine-trails", {"facts.forest": "bear"})
    text = phone.get("/box/alpine-trails").text
    assert needs_confirmation(text, "/change", "say", "decline")


def test_removing_a_house_rule_is_confirmed_first(app: Flask):
    table = open_seated_table(app, "Ana", game="on-the-trail")
    table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "May I?", "reading": "Yes."})
    before, _, after = table.phone(0).get(f"{table.path}/ask").text.partition("Remove this house rule")
    assert "May I?" in before and "May I?" in after.split("</details>")[0]


def test_deleting_a_photo_is_confirmed_first(app: Flask):
    phone = Phone(app)
    table = random_game_table(app.extensions["waymark"], "trails", "Ana", "Bo", device=phone.device)
    result = app.extensions["waymark"].results.of_table(table.code)
    sent = {"csrf_token": phone.token, "photo": (io.BytesIO(make_photo((300, 200))), "table.jpg")}
    assert phone.http.post(f"/r/{result.id}/photos", data=sent).status_code == 303
    assert needs_confirmation(phone.get(f"/r/{result.id}").text, "/photos/remove", "photo")
