"""Tests of the owner: phones on which the current key of the instance has been typed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.storage import owner
from companion.storage.owner import Owners
from companion.storage.store import ALPHABET, Store
from companion.system.keys import InvalidKeyError
from companion.system.limits import RateLimiter, RateLimitError
from companion.web.app import create_app
from tests.support.phones import Phone


@pytest.fixture
def owners(store: Store) -> Owners:
    return Owners(store)


def test_owner_key_is_created_once_and_shown_at_the_start(owners: Owners, store: Store):
    assert re.fullmatch(f"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}", owners.key)
    assert owners.invitation("http://10.0.0.2:8000") == (
        f"Owner of the boxes: open http://10.0.0.2:8000/owner and enter the key {owners.key} once."
    )
    file = store.path.with_name("owner")
    assert file.read_text() == owners.key.replace("-", "") and file.stat().st_mode & 0o077 == 0
    assert Owners(store).key == owners.key


def test_truncated_owner_key_is_reported_at_the_start(owners: Owners, store: Store, tmp_path: Path):
    store.path.with_name("owner").write_text("BCD")
    with pytest.raises(InvalidKeyError, match="owner is incomplete or changed"):
        create_app(tmp_path)


@pytest.mark.parametrize("spelling", ["{}", "{} ", " {} ", "{}."])
def test_owner_key_is_accepted_in_any_spelling(owners: Owners, spelling: str):
    for key in (owners.key, owners.key.lower(), owners.key.replace("-", " "), owners.key.replace("-", "")):
        assert owners.is_key(spelling.format(key), "phone", "10.0.0.9")


@pytest.mark.parametrize("key", ["", "x", "\u00df\u00e4\u0130\U0001f98a", "B" * 5000])
def test_other_key_is_rejected(owners: Owners, key: str):
    assert not owners.is_key(key, "phone", "10.0.0.9")
    assert not owners.is_key(owners.key[:-1], "phone", "10.0.0.9")
    assert not owners.is_key(owners.key + "B", "phone", "10.0.0.9")


def test_several_phones_are_owners_until_they_leave(owners: Owners):
    assert not owners.is_owner("one", "two")
    owners.add("one")
    owners.add("two")
    owners.add("two")
    assert (
        owners.is_owner("one")
        and owners.is_owner("two")
        and owners.is_owner(None, "one", "three")
        and not owners.is_owner("three", None)
    )
    owners.remove("one")
    assert not owners.is_owner("one") and owners.is_owner("two")


def test_new_owner_key_invalidates_all_earlier_owners(owners: Owners, store: Store):
    owners.add("phone")
    store.path.with_name("owner").unlink()
    new = Owners(store)
    assert new.key != owners.key and not new.is_owner("phone")
    new.add("phone")
    assert new.is_owner("phone") and not owners.is_owner("phone")


GUESSERS = {
    "a phone": lambda number: ("phone", f"10.0.0.{number}"),
    "an address": lambda number: (f"phone {number}", "10.0.0.1"),
    "a household of IPv6": lambda number: (f"phone {number}", f"fd00::{number:x}"),
}


@pytest.mark.parametrize("identity", GUESSERS.values(), ids=list(GUESSERS))
def test_attempts_are_limited_even_for_the_right_key(owners: Owners, identity):
    for number in range(owner.MAX_ATTEMPTS):
        assert not owners.is_key("wrong", *identity(number))
    with pytest.raises(RateLimitError):
        owners.is_key(owners.key, *identity(99))
    assert owners.is_key(owners.key, "another", "10.9.9.9")


def test_attempts_of_all_together_are_limited(owners: Owners):
    for number in range(owner.MAX_ATTEMPTS_OF_ALL):
        assert not owners.is_key("wrong", f"phone {number}", f"10.0.{number}.1")
    with pytest.raises(RateLimitError):
        owners.is_key(owners.key, "another", "10.9.9.9")


def test_right_key_does_not_count_as_an_attempt(owners: Owners):
    for _ in range(3 * owner.MAX_ATTEMPTS):
        assert owners.is_key(owners.key, "phone", "10.0.0.9")


# The page.


@pytest.fixture
def owners_without_guesses(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Owners]:
    """Yield the owners of the app with new rate limiters, and remove all owners afterwards."""
    owners = app.extensions["waymark"].card_facts.owners
    for name, most in (("_attempts", owner.MAX_ATTEMPTS), ("_attempts_of_all", owner.MAX_ATTEMPTS_OF_ALL)):
        monkeypatch.setattr(owners, name, RateLimiter(most, 60))
    yield owners
    with app.extensions["waymark"].store.transaction() as db:
        db.execute("DELETE FROM owners")


def test_phone_becomes_the_owners_by_the_key_and_can_leave(owners_without_guesses: Owners, app: Flask):
    phone = Phone(app)
    form = phone.open("/owner").form("/owner")
    assert phone.post(form.action, {"key": owners_without_guesses.key}).headers["Location"] == "/owner"
    assert owners_without_guesses.is_owner(phone.device) and not owners_without_guesses.is_owner(Phone(app).device)
    page = phone.open("/owner")
    assert "This is the owner\u2019s phone." in page.text and owners_without_guesses.key not in page.text
    assert phone.post("/owner", {"leave": "1"}).status_code == 303
    assert not owners_without_guesses.is_owner(phone.device) and "Do you own the games?" in phone.open("/owner").text


def test_wrong_key_is_answered_with_a_message_and_rate_limited(owners_without_guesses: Owners, app: Flask):
    phone = Phone(app)
    for _ in range(owner.MAX_ATTEMPTS):
        answer = phone.post("/owner", {"key": "wrong"})
        assert answer.status_code == 403 and "That is not the key." in answer.text
    answer = phone.post("/owner", {"key": owners_without_guesses.key})
    assert answer.status_code == 429 and "Try again in" in answer.text and int(answer.headers["Retry-After"]) > 0
    assert not owners_without_guesses.is_owner(phone.device)


def test_owner_key_is_on_no_page(owners_without_guesses: Owners, app: Flask):
    phone = Phone(app).become_owner()
    for path in ("/", "/owner", "/about", "/box/parks", "/box/parks.json"):
        text = phone.get(path).text
        assert owners_without_guesses.key not in text and owners_without_guesses.key.replace("-", "") not in text


def test_owner_key_is_accepted_only_with_a_csrf_token(owners_without_guesses: Owners, app: Flask):
    phone = Phone(app)
    answer = phone.http.post("/owner", data={"key": owners_without_guesses.key})
    assert answer.status_code == 400 and not owners_without_guesses.is_owner(phone.device)
