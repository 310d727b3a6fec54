"""Tests that no answer to a phone depends on the secret hands and photos of other players."""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count, cycle, product

import pytest
from flask import Flask

from companion.log.entries import Played
from companion.log.plans import Insert, RepairPlan, Truncate
from companion.log.table import Table, to_data
from companion.pages import board as board_pages
from companion.pages import home as home_pages
from companion.pages import lobby as lobby_pages
from companion.pages import seat as seat_pages
from companion.pages import sheet as sheet_pages
from companion.pages import table as table_pages
from companion.pages import timeline
from companion.rendering import qr
from companion.service import referee
from companion.storage.lessons import Learner
from scoring.kernel.editable import Increment, Replace
from scoring.kernel.move import Move
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Hike, RollWildlife, Skip
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from tests.support.changed_secrets import (
    HtmlPrintQueue,
    PlayerChange,
    strip_per_request_values,
    substitute_table,
    with_other_notes,
    with_other_secrets,
    without_notes,
)
from tests.support.log_builder import build_seated_log, readable_texts
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.server_thread import read_response, serve
from tests.support.table_states import FILE_PAGES, NAMES, PUBLIC_PAGES, request_repair
from tests.support.timeline_addresses import public_addresses, seat_addresses

pytestmark = pytest.mark.slow("every page at every step of whole games")

SEEDS = (11, 12)
PICTURES = ("qr.svg",)  # contain only the code
SEAT_PATHS = ("seat/{seat}", "seat/{seat}/now", "seat/{seat}/lessons", "seat/{seat}/tell", "seat/{seat}/log")


@pytest.fixture(autouse=True)
def plain_print_queue(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "press", HtmlPrintQueue())


class WatchedTable:
    """A table with four phones that play and one of a stranger."""

    def __init__(self, app: Flask):
        self.table = open_seated_table(app, *NAMES, is_taught=True)
        self.viewers = (*self.table.phones, Phone(app))
        self.drawn = app.jinja_env.globals["shared_fragment"]._cache

    @property
    def current_table(self) -> Table:
        return self.table.table

    def steps(self, rng: random.Random) -> Iterator[int]:
        """Play a whole game in which all note their secrets; yield after all steps but the last."""
        for number in count():
            self.table.play(*next_move(self.current_table, rng))
            note_secrets(self)
            if self.current_table.is_over:
                return
            yield number

    def answers(self, viewer: int, paths: Iterable[str], table: Table) -> dict[str, str]:
        """Return the answers of these pages to a phone for the given table."""
        self.drawn.clear()
        with substitute_table(self.table.referee.store, table):
            found = {
                path: strip_per_request_values(self.viewers[viewer].get(f"{self.table.path}/{path}".rstrip("/")).text)
                for path in paths
            }
            if f"seat/{viewer}/now" in found:
                found["stream"] = self.streamed_fragments(viewer)
            return found

    def streamed_fragments(self, viewer: int) -> str:
        """Return all fragments of a viewer's page as its stream sends them, if the viewer has not moved last."""
        sent = self.table.app.extensions["pages"].sent(self.table.code, f"seat-{viewer}", self.viewers[viewer].device)
        sent.version, sent.etags = sent.version - 1, ""
        changes = self.table.subscribe(viewer)()
        return strip_per_request_values(changes) if changes else ""

    def check(self, viewer: int, paths: Iterable[str], change: PlayerChange) -> None:
        """Assert that the answers to a viewer's phone do not change with other secrets."""
        real = self.answers(viewer, paths, self.current_table)
        assert self.answers(viewer, paths, with_other_secrets(self.current_table, viewer, change)) == real
        secret_lines = [line.text for line in self.current_table.messages if line.is_secret and line.seat != viewer]
        assert not [(path, text) for path, answer in real.items() for text in secret_lines if text in answer]


def seat_paths(seat: int) -> tuple[str, ...]:
    return tuple(path.format(seat=seat) for path in SEAT_PATHS)


PUBLIC_PATHS = tuple(path for path in (*PUBLIC_PAGES, *FILE_PAGES) if path not in PICTURES)


def note_secrets(watched: WatchedTable) -> None:
    """Have everybody note a different badge and photo as soon as they can."""
    for seat, player in enumerate(watched.current_table.state.players):
        for badge in [] if player.hand is not None else free_badges(watched.current_table, seat)[:1]:
            watched.table.play(seat, NoteHand(badge))
        for number in range(player.photos.count(None) if seat != 3 else 0):  # Di names hers at the end
            watched.table.play(seat, NotePhoto((seat + number) % 3, (seat + 2 * number) % 3))


def free_badges(table: Table, seat: int) -> list[str]:
    """Return the badges a seat could have, in a different order for each seat."""
    held = {player.hand for player in table.state.players}
    legal = [offer.move.badge for offer in table.tracked.offers(table.state, seat, (NoteHand,)) if offer.is_legal]
    return [badge for badge in legal[seat * 5 :] + legal if badge not in held]


def next_move(table: Table, rng: random.Random) -> tuple[int, Move]:
    """Return a legal move of the player to move, with long hikes to shorten the game."""
    seat = table.tracked.flow.to_move(table.state)[0]
    kinds = [kind for kind in table.tracked.moves if not kind.out_of_turn or kind is NotePhoto]
    legal = [offer.move for offer in table.tracked.offers(table.state, seat, kinds) if offer.is_legal]
    return seat, max(
        legal, key=lambda move: (getattr(move, "steps", 0) or not isinstance(move, NotePhoto), rng.random())
    )


@pytest.mark.long("every page of a whole game, twice")
@parametrize_cases("seed", SEEDS)
def test_no_page_of_another_phone_depends_on_a_secret_in_a_whole_game(app: Flask, seed: int):
    watched, notes = WatchedTable(app), set()
    changes = cycle((with_other_notes, without_notes, with_other_notes))
    all_paths = [seat_paths(seat) + PUBLIC_PATHS for seat in range(4)] + [PUBLIC_PATHS]
    for step in watched.steps(random.Random(seed)):
        notes |= {(seat, player.hand) for seat, player in enumerate(watched.current_table.state.players) if player.hand}
        for seat in (step % 4, (step + 1) % 4):
            watched.check(seat, seat_paths(seat)[1:2], next(changes))
        for viewer in [step // 4 % 5] * (step % 4 == 0):  # sometimes all pages are compared
            watched.check(viewer, all_paths[viewer], next(changes))
    assert {seat for seat, _ in notes} == {0, 1, 2, 3} and len(notes) > 4
    assert sum(len(player.photos) for player in watched.current_table.state.players) >= 3


def test_no_page_depends_on_anothers_secret_at_any_step_of_a_game(app: Flask, monkeypatch):
    """This checks the data that the templates get, for every page at every step."""
    monkeypatch.setattr(table_pages, "new_tap", lambda: "tap")
    watched = WatchedTable(app)
    devices = [phone.device for phone in watched.table.phones]
    for _ in watched.steps(random.Random(SEEDS[0])):
        for seat, change in product(range(4), (with_other_notes, without_notes)):
            other = with_other_secrets(watched.current_table, seat, change)
            assert received_pages(watched.current_table, devices[seat], seat) == received_pages(
                other, devices[seat], seat
            )


def received_pages(table: Table, device: str, seat: int) -> list[object]:
    page = seat_pages.seat_page(table, device, seat, learner=Learner(is_taught=True))
    all_offers = [table.tracked.offers(page.table.view, seat, (kind,)) for kind in table.tracked.moves]
    seats = [
        page.table,
        page.table.log_counts,
        page.log,
        page.score,
        page.is_my_turn,
        page.lesson,
        all_offers,
        timeline.game_log_page(table, device, seat).chapters,
    ]
    board, sheet = board_pages.board_page(table, device, "", ""), sheet_pages.sheet_page(table, device, True)
    return [*seats, board, sheet, lobby_pages.lobby_page(table, device, "", ""), home_pages.table_summary(table)]


# A game played twice with different secrets.

StepAction = Callable[[SeatedTable, dict[str, str]], object]


def move_form(data: str) -> dict[str, str]:
    return {"move": data}


SECRET_STEPS: list[tuple[str, StepAction]] = [
    ("Ana notes her hand", lambda table, secret: table.submit(0, "play", move_form(secret["hand"]))),
    (
        "Ana hikes to the photo site",
        lambda table, _: table.submit(0, "play", move_form('{"type":"hike","steps":4,"canteen":true}')),
    ),
    ("Ana photographs", lambda table, _: table.submit(0, "play", move_form('{"type":"photograph","pay":"acorn"}'))),
    ("Ana notes her photo", lambda table, secret: table.submit(0, "play", move_form(secret["photo"]))),
    ("Bo hikes", lambda table, _: table.submit(1, "play", move_form('{"type":"hike","steps":2}'))),
    (
        "Ana takes her hand's note back, though Bo has moved",
        lambda table, _: table.submit(0, "step", {"take_back": "4"}),
    ),
    ("Ana puts it back", lambda table, _: table.submit(0, "step", {"put_back": "4"})),
    (
        "Bo asks to undo the photograph her note rests on",
        lambda table, _: table.submit(1, "step", {"take_back": "6"}, htmx=True),
    ),
    ("Bo asks to undo her note", lambda table, _: table.submit(1, "step", {"take_back": "4"}, htmx=True)),
    ("Bo asks to redo her note", lambda table, _: table.submit(1, "step", {"put_back": "4"}, htmx=True)),
    (
        "Bo tries to move for her",
        lambda table, _: table.phone(1).post(f"{table.path}/seat/0/play", move_form('{"type":"hike","steps":1}')),
    ),
    (
        "Bo tries to earn out of turn",
        lambda table, _: table.submit(
            1, "play", move_form('{"type":"earn-badge","badge":"seeker-rock","hand":true}'), htmx=True
        ),
    ),
    (
        "Bo notes a hand",
        lambda table, _: table.submit(1, "play", move_form('{"type":"note-hand","badge":"science"}'), htmx=True),
    ),
    (
        "Bo corrects her cubes",
        lambda table, _: table.submit(
            1,
            "play",
            move_form('{"type":"set-right","changes":[{"type":"by","at":"players.0.rock","by":2}]}'),
            htmx=True,
        ),
    ),
    ("Ana agrees", lambda table, _: table.submit(0, "answer", {"proposal": "12", "yes": "1"})),
    ("Bo asks for her hike back", lambda table, _: table.submit(1, "step", {"take_back": "5"}, htmx=True)),
    ("Ana forgets her photos", lambda table, _: table.submit(0, "play", move_form('{"type":"forget-photos"}'))),
    ("Ana notes her photo again", lambda table, secret: table.submit(0, "play", move_form(secret["photo"]))),
]
SECRETS = (
    {"hand": '{"type":"note-hand","badge":"climber-rock"}', "photo": '{"type":"note-photo","points":2,"birds":0}'},
    {"hand": '{"type":"note-hand","badge":"seeker-rock"}', "photo": '{"type":"note-photo","points":0,"birds":2}'},
)


def test_same_game_with_different_secrets_has_the_same_answers(app: Flask, monkeypatch: pytest.MonkeyPatch):
    """This includes undo, requests and refusals: no answer reveals Ana's hand."""
    monkeypatch.setattr(referee, "timestamp", lambda: "2026-01-02T20:00:00.000+00:00")
    monkeypatch.setattr(qr, "svg", lambda text: "")
    first, second = (play_secret_steps(app, secret) for secret in SECRETS)
    assert [page for page, other in zip(first, second, strict=True) if page != other] == []


def play_secret_steps(app: Flask, secret: dict[str, str]) -> list[tuple[str, str, str]]:
    """Play the game; return the answers to all taps, and all pages of everybody but Ana."""
    table, pages = open_seated_table(app, "Ana", "Bo"), []
    viewers = [(table.phone(1), seat_paths(1) + PUBLIC_PATHS), (Phone(app), PUBLIC_PATHS)]
    for name, run_step in SECRET_STEPS:
        pages.append((name, "the tap", run_step(table, secret).text))
        for phone, paths in viewers:
            pages += [(name, path, phone.get(f"{table.path}/{path}".rstrip("/")).text) for path in paths]
    return [(name, path, strip_per_request_values(text).replace(table.code, "CODE")) for name, path, text in pages]


def test_steps_of_the_scripted_game_have_the_expected_status(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    statuses = {name: run_step(table, SECRETS[0]).status_code for name, run_step in SECRET_STEPS}
    refused = {act: status for act, status in statuses.items() if status not in (200, 303)}
    assert refused == {
        "Bo asks to undo her note": 403,
        "Bo asks to redo her note": 403,
        "Bo tries to earn out of turn": 422,
    }
    ana = table.table.state.players[0]
    assert (ana.hand, ana.photos[0].points, ana.cubes) == ("climber-rock", 2, (0, 1, 3))


@parametrize_cases("end", ["trail-end", "trailhead"])
def test_visit_at_an_end_continues_equally_whatever_is_noted(end: str):
    """All see whether the app asks or ends the turn, so a noted card must not affect it."""
    pages = []
    for note in ("science", "climber-rock"):
        builder = build_seated_log("Ana", "Bo")
        builder.play(0, NameCard(end, "climber-acorn"), NameCard(end, "photography-rock"))
        builder.agree(1, builder.propose(0, Played(to_data(PLACES[end]))))
        builder.play(0, NoteHand(note), Hike(1))
        pages.append(
            (
                readable_texts(builder.table, 1),
                builder.table.tracked.flow.to_move(builder.table.state),
                builder.table.state.tasks,
            )
        )
    assert pages[0] == pages[1]


PLACES = {
    "trail-end": EditPosition((Replace("players.0.at", "trailhead", "rock"),)),
    "trailhead": EditPosition(
        (Replace("players.0.at", "trailhead", "exchange"), Replace("players.0.back", "no", "yes"))
    ),
}


def test_page_of_another_seat_is_not_shown(app: Flask):
    watched = WatchedTable(app)
    watched.table.play(0, NoteHand("climber-rock"))
    for phone, path in ((watched.table.phone(1), path) for path in seat_paths(0)):
        answer = phone.get(f"{watched.table.path}/{path}")
        assert answer.status_code == 303 and "Climber" not in answer.text


def test_phone_that_left_its_seat_no_longer_reads_its_notes(app: Flask):
    watched = WatchedTable(app)
    watched.table.play(0, NoteHand("climber-rock"))
    old = watched.table.phone(0)
    assert "hand badge: Climber (rock)" in old.open(f"{watched.table.path}/seat/0").text
    old.post(f"{watched.table.path}/stand", {"seat": "0"})
    new = Phone(app)
    new.post(f"{watched.table.path}/sit", {"seat": "0"})
    assert "hand badge: Climber (rock)" in new.open(f"{watched.table.path}/seat/0").text
    for path in (*seat_paths(0), *PUBLIC_PATHS):
        assert "hand badge: Climber" not in old.get(f"{watched.table.path}/{path}".rstrip("/")).text


def test_undone_note_stays_private_when_the_first_player_changes(app: Flask):
    """A note that was undone before the change of the setup still belongs to its author."""
    table = open_seated_table(app, "Ana", "Bo")
    number = table.play(0, NoteHand("climber-rock")).version
    table.submit(0, "step", {"take_back": str(number)})
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    assert table.phone(0).post(f"{table.path}/setup", {**form, "first": "1"}).status_code == 303
    assert table.table.names == ("Bo", "Ana")
    assert "Climber (rock)" not in table.phone(1).open(f"{table.path}/seat/0/log").text
    assert "Climber (rock)" in table.phone(0).open(f"{table.path}/seat/1/log").text


def test_stream_of_a_seat_does_not_depend_on_the_secret_that_another_notes(app: Flask):
    texts = []
    for badge in ("climber-rock", "science"):
        watched = WatchedTable(app)
        watched.table.page(1)
        render = watched.table.subscribe(1)
        watched.table.play(0, NoteHand(badge))
        changes = render()
        assert changes
        texts.append(strip_per_request_values(changes).replace(watched.table.code, ""))
    assert texts[0] == texts[1] and "Climber" not in texts[0]


def test_the_stream_says_no_more_than_a_number_when_a_secret_is_noted(app: Flask):
    watched = WatchedTable(app)
    cookie = watched.table.phone(1).http.get_cookie("waymark").value
    with serve(app) as server, server.connect() as page:
        address = f"{watched.table.path}/live"
        page.sendall(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: waymark={cookie}\r\n\r\n".encode())
        read_response(page, b"data: 5\n\n\r\n")
        watched.table.play(0, NoteHand("climber-rock"))
        assert read_response(page, b"\n\n\r\n") == b"18\r\nevent: version\ndata: 6\n\n\r\n"


# Repairs from a phone that does not know the notes of others.

BEFORE: list[tuple[int, Move]] = [(0, Hike(2)), (1, Hike(1)), (1, Skip())]
AFTER: list[tuple[int, Move]] = [
    (0, Hike(4, canteen=True)),
    (0, RollWildlife("rock", "rock")),
    (0, Skip()),
    (1, Hike(1)),
]
HANDS = ("seeker-leaf", "recycling-leaf", None)
# Bo's possible corrections at every step: other moves and missing ones.
LATER_MOVES: list[tuple[int, Move]] = [
    (1, Hike(2)),
    (0, Hike(1)),
    (1, NameCard("trail-end", "photography-leaf")),
    (1, NameCard("trail-end", "seeker-leaf")),
    (0, EditPosition((Increment("players.0.acorn", 1),))),
    (0, EarnBadge("seeker-leaf", hand=True)),
    (0, NoteHand("seeker-leaf")),
]


def table_with_noted_hand(app: Flask, note: str | None) -> SeatedTable:
    """Return a repaired table with open requests where Ana has noted a hand or cleared it."""
    table = open_seated_table(app, "Ana", "Bo")
    for seat, move in (*BEFORE, (0, NoteHand(note)), *AFTER, (0, NoteHand(note))):
        table.play(seat, move)
    request_repair(table, 1, RepairPlan("5", 1, (Insert(1, to_data(Hike(2))),), resolutions=(Truncate(),)))
    table.play(0, NoteHand(note))
    request_repair(
        table,
        1,
        RepairPlan("4", edits=(Insert(1, to_data(EditPosition((Increment("players.0.leaf", 1),)))),)),
        approves=False,
    )
    # Ana may have noted this badge.
    request_repair(table, 1, RepairPlan("4", edits=(Insert(1, to_data(NameCard("trailhead", "seeker-leaf"))),)))
    earned = Insert(0, to_data(EarnBadge("recycling-leaf", hand=True)))
    request_repair(table, 1, RepairPlan("10", edits=(earned,)), approves=False)
    assert len(table.table.repairs) == 2 and len(table.table.proposals) == 2 and table.table.removed
    return table


def timeline_answers(table: SeatedTable, seat: int) -> dict[str, tuple[int, str]]:
    """Return the answers to a phone on every timeline page, with all of its corrections."""
    current = table.table
    judge = [f"ask?seat={seat}", *(f"ask/ruling/{ruling.id}?seat={seat}" for ruling in current.tracked.box.rulings)]
    addresses = [
        "",
        "board",
        f"seat/{seat}",
        f"seat/{seat}/log",
        *judge,
        *seat_addresses(current, seat, LATER_MOVES),
        *public_addresses(current),
    ]
    answers = ((path, table.phone(seat).get(f"{table.path}/{path}")) for path in addresses)
    return {
        path: (
            answer.status_code,
            REVERT_LINK.sub("", strip_per_request_values(answer.text).replace(table.code, "CODE")),
        )
        for path, answer in answers
    }


# It contains step numbers, some of which belong to notes.
REVERT_LINK = re.compile('/mend/[^"]*(?="><svg class="icon icon-undo)')


@pytest.mark.long("every page of the past, twice")
def test_no_timeline_page_depends_on_notes_of_another_seat(app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(referee, "timestamp", lambda: "2026-01-02T20:00:00.000+00:00")
    monkeypatch.setattr(qr, "svg", lambda text: "")
    first, *others = (timeline_answers(table_with_noted_hand(app, note), 1) for note in HANDS)
    assert len(first) > 200
    for other in others:
        assert first.keys() == other.keys()
        assert [path for path in first if first[path] != other[path]] == []
    assert not [path for path, (_, text) in first.items() if "hand badge:" in text]
