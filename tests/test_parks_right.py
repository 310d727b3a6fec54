"""The page of PARKS where a table sets things right: in play everything, after the end what scores."""

from flask import Flask

from tests.phones import Seated, seated
from tests.played import moves
from tests.reader import Page

IN_PLAY = {
    "correct-canteens", "correct-gear", "correct-hiker", "correct-park", "correct-passion", "correct-player", "correct-table",
    "correct-weather", "swap-tiles",
}  # fmt: skip
AFTER = {"correct-gear", "correct-park", "correct-passion", "correct-player", "correct-table"}


def right(table: Seated) -> Page:
    return table.phone(0).open(f"{table.path}/seat/0/tell")


def forms(page: Page, kind: str) -> list[dict[str, str]]:
    """Return the forms of a kind of move, as they are sent untouched."""
    found = [form.untouched for form in page.forms if form.untouched.get("move.type") == kind]
    return [{name: value for name, value in form.items() if name not in ("csrf_token", "tap")} for form in found]


def corrections(page: Page) -> set[str]:
    kinds = {form.untouched.get("move.type", "") for form in page.forms}
    return {kind for kind in kinds if kind.startswith(("correct", "swap"))}


def test_in_play_all_of_the_table_can_be_set_right(app: Flask):
    table = seated(app, "Ana", "Bo", game="parks", phones=1)
    assert corrections(right(table)) == IN_PLAY
    for kind in ("correct-player", "correct-table"):
        for form in forms(right(table), kind):
            assert table.tap(0, "play", form).status_code == 422, form  # untouched it asks for nothing
    player, here = forms(right(table), "correct-player")[1], forms(right(table), "correct-table")[0]
    (weather,) = forms(right(table), "correct-weather")
    table.tap(0, "play", {**player, "move.bought": "2", "move.wild_photos": "1"})
    table.tap(0, "play", {**here, "move.photo_used": "true"})
    table.tap(0, "play", {**weather, "move.space": "1", "move.weather": "water"})
    table.tap(0, "play", {**weather, "move.space": "2", "move.weather": ""})
    state = table.table.state
    assert (state.players[1].bought, state.players[1].wild_photos) == (2, 1)
    assert state.end_used == (False, True, False) and state.weather[:2] == ("water", "")


def test_after_the_end_what_scores_can_be_set_right(app: Flask):
    table = seated(app, "Ana", "Bo", game="parks", phones=1)
    for seat, move in moves("parks", ("Ana", "Bo"), 7):
        table.say(seat, move)
    assert table.table.over and f"{table.path}/seat/0/tell" in table.phone(0).get(f"{table.path}/seat/0").text
    page = right(table)
    assert corrections(page) == AFTER
    before = table.table.state
    table.tap(0, "play", {**forms(page, "correct-player")[1], "move.photos": str(before.players[1].photos + 2)})
    table.tap(0, "play", {**forms(page, "correct-table")[0], "move.first_hiker": str(1 - before.first_hiker)})
    tile = "fall-water" if before.tile != "fall-water" else "fall-sun"
    assert tile in page.values("move.tile") and "reserve" not in page.values("move.where")
    table.tap(0, "play", {"move.type": "name-tile", "move.tile": tile})
    after = table.table.state
    assert after.over and after.players[1].photos == before.players[1].photos + 2
    assert after.first_hiker == 1 - before.first_hiker and after.tile == tile
