"""No phone learns another's secret: what it is answered is the same whatever the others hold in hand or have photographed."""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count, cycle, product

import pytest
from flask import Flask

from companion.log.entries import Played
from companion.log.repair import Plan, Stop, Told
from companion.log.table import Table, plain_move
from companion.pages import pages as build
from companion.pages import timeline
from companion.rendering import qr
from companion.service import referee as refereeing
from scoring.kernel.editable import By
from scoring.kernel.move import Move
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.corrections import SetRight
from scoring.trails.moves.hiking import Hike, Leave, Wildlife
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from tests.support.cases import cases
from tests.support.log_builder import all_at, readable
from tests.support.other_secrets import Change, PlainPress, another_note, no_note, otherwise, plain, serving
from tests.support.phones import Phone, Seated, seated
from tests.support.server_process import said, served
from tests.support.table_states import FILES, NAMES, PUBLIC, repair
from tests.support.timeline_addresses import of_a_seat, of_everybody

pytestmark = pytest.mark.slow("every page at every step of whole games")

SEEDS = (11, 12)
PICTURES = ("qr.svg",)  # the code and nothing else
OWN = ("seat/{seat}", "seat/{seat}/now", "seat/{seat}/tell", "seat/{seat}/log")


@pytest.fixture(autouse=True)
def paper(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "press", PlainPress())


class Watched:
    """A table where four phones play, and a stranger only looks."""

    def __init__(self, app: Flask):
        self.table = seated(app, *NAMES)
        self.viewers = (*self.table.phones, Phone(app))
        self.drawn = app.jinja_env.globals["shared"]._drawn

    @property
    def now(self) -> Table:
        return self.table.table

    def steps(self, rng: random.Random) -> Iterator[int]:
        """Play a whole game, in which everybody notes what they hold; yield after every step but the last."""
        for number in count():
            self.table.say(*next_move(self.now, rng))
            note(self)
            if self.now.over:
                return
            yield number

    def answers(self, viewer: int, paths: Iterable[str], table: Table) -> dict[str, str]:
        """Return what a phone is answered when the table is this one."""
        self.drawn.clear()
        with serving(self.table.referee.store, table):
            return {
                path: plain(self.viewers[viewer].get(f"{self.table.path}/{path}".rstrip("/")).text) for path in paths
            }

    def check(self, viewer: int, paths: Iterable[str], change: Change) -> None:
        """Compare what a phone, or the stranger's, is answered now with what it would be with other secrets."""
        real = self.answers(viewer, paths, self.now)
        assert self.answers(viewer, paths, otherwise(self.now, viewer, change)) == real
        told = [line.text for line in self.now.lines if line.secret and line.seat != viewer]
        assert not [(path, text) for path, answer in real.items() for text in told if text in answer]


def own(seat: int) -> tuple[str, ...]:
    return tuple(path.format(seat=seat) for path in OWN)


EVERYBODYS = tuple(path for path in (*PUBLIC, *FILES) if path not in PICTURES)


def note(watched: Watched) -> None:
    """Let everybody note what they hold as soon as they can: each another badge, each photo another face."""
    for seat, player in enumerate(watched.now.state.players):
        for badge in [] if player.hand is not None else free_badges(watched.now, seat)[:1]:
            watched.table.say(seat, NoteHand(badge))
        for number in range(player.photos.count(None) if seat != 3 else 0):  # Di names hers at the end
            watched.table.say(seat, NotePhoto((seat + number) % 3, (seat + 2 * number) % 3))


def free_badges(table: Table, seat: int) -> list[str]:
    """Return the badges a seat could hold, another for each seat."""
    held = {player.hand for player in table.state.players}
    legal = [offer.move.badge for offer in table.play.offers(table.state, seat, (NoteHand,)) if offer.legal]
    return [badge for badge in legal[seat * 5 :] + legal if badge not in held]


def next_move(table: Table, rng: random.Random) -> tuple[int, Move]:
    """Return a legal move of whoever is to move; hikes are long, so that the game is not."""
    seat = table.play.to_move(table.state)[0]
    kinds = [kind for kind in table.play.moves if not kind.anytime or kind is NotePhoto]
    legal = [offer.move for offer in table.play.offers(table.state, seat, kinds) if offer.legal]
    return seat, max(
        legal, key=lambda move: (getattr(move, "steps", 0) or not isinstance(move, NotePhoto), rng.random())
    )


@pytest.mark.long("every page of a whole game, twice")
@cases("seed", SEEDS)
def test_in_a_whole_game_no_page_of_another_phone_depends_on_a_secret(app: Flask, seed: int):
    watched, noted = Watched(app), set()
    changes = cycle((another_note, no_note, another_note))
    everything = [own(seat) + EVERYBODYS for seat in range(4)] + [EVERYBODYS]
    for step in watched.steps(random.Random(seed)):
        noted |= {(seat, player.hand) for seat, player in enumerate(watched.now.state.players) if player.hand}
        for seat in (step % 4, (step + 1) % 4):
            watched.check(seat, own(seat)[1:2], next(changes))
        for viewer in [step // 4 % 5] * (step % 4 == 0):  # now and then somebody looks at everything
            watched.check(viewer, everything[viewer], next(changes))
    assert {seat for seat, _ in noted} == {0, 1, 2, 3} and len(noted) > 4
    assert sum(len(player.photos) for player in watched.now.state.players) >= 3


def test_at_every_step_of_a_game_a_page_holds_nothing_that_depends_on_anothers_secret(app: Flask, monkeypatch):
    """The same looked at from inside, every page at every step: what the templates are given."""
    monkeypatch.setattr(build, "new_tap", lambda: "tap")
    watched = Watched(app)
    devices = [phone.device for phone in watched.table.phones]
    for _ in watched.steps(random.Random(SEEDS[0])):
        for seat, change in product(range(4), (another_note, no_note)):
            other = otherwise(watched.now, seat, change)
            assert given(watched.now, devices[seat], seat) == given(other, devices[seat], seat)


def given(table: Table, device: str, seat: int) -> list[object]:
    page = build.seat_page(table, device, seat)
    offers = [table.play.offers(page.table.view, seat, (kind,)) for kind in table.play.moves]
    seats = [page.table, page.log, page.score, page.my_turn, offers, timeline.story_page(table, device, seat).chapters]
    board, sheet = build.board_page(table, device, "", ""), build.sheet_page(table, device, True)
    return [*seats, board, sheet, build.lobby_page(table, device, "", ""), build.resumable(table)]


# A story told twice, with different secrets.

Act = Callable[[Seated, dict[str, str]], object]


def move(data: str) -> dict[str, str]:
    return {"move": data}


STORY: list[tuple[str, Act]] = [
    ("Ana notes her hand", lambda table, secret: table.tap(0, "play", move(secret["hand"]))),
    (
        "Ana hikes to the photo site",
        lambda table, _: table.tap(0, "play", move('{"type":"hike","steps":4,"canteen":true}')),
    ),
    ("Ana photographs", lambda table, _: table.tap(0, "play", move('{"type":"photograph","pay":"acorn"}'))),
    ("Ana notes her photo", lambda table, secret: table.tap(0, "play", move(secret["photo"]))),
    ("Bo hikes", lambda table, _: table.tap(1, "play", move('{"type":"hike","steps":2}'))),
    ("Ana takes her hand's note back, though Bo has moved", lambda table, _: table.tap(0, "step", {"take_back": "4"})),
    ("Ana puts it back", lambda table, _: table.tap(0, "step", {"put_back": "4"})),
    (
        "Bo asks to undo the photograph her note rests on",
        lambda table, _: table.tap(1, "step", {"take_back": "6"}, htmx=True),
    ),
    ("Bo asks to undo her note", lambda table, _: table.tap(1, "step", {"take_back": "4"}, htmx=True)),
    ("Bo asks to redo her note", lambda table, _: table.tap(1, "step", {"put_back": "4"}, htmx=True)),
    (
        "Bo tries to move for her",
        lambda table, _: table.phone(1).post(f"{table.path}/seat/0/play", move('{"type":"hike","steps":1}')),
    ),
    (
        "Bo tries to earn out of turn",
        lambda table, _: table.tap(
            1, "play", move('{"type":"earn-badge","badge":"seeker-rock","hand":true}'), htmx=True
        ),
    ),
    (
        "Bo notes a hand",
        lambda table, _: table.tap(1, "play", move('{"type":"note-hand","badge":"science"}'), htmx=True),
    ),
    (
        "Bo corrects her cubes",
        lambda table, _: table.tap(1, "play", move('{"type":"correct-player","player":0,"rock":3}'), htmx=True),
    ),
    ("Ana agrees", lambda table, _: table.tap(0, "answer", {"proposal": "12", "yes": "1"})),
    ("Bo asks for her hike back", lambda table, _: table.tap(1, "step", {"take_back": "5"}, htmx=True)),
    ("Ana forgets her photos", lambda table, _: table.tap(0, "play", move('{"type":"forget-photos"}'))),
    ("Ana notes her photo again", lambda table, secret: table.tap(0, "play", move(secret["photo"]))),
]
SECRETS = (
    {"hand": '{"type":"note-hand","badge":"climber-rock"}', "photo": '{"type":"note-photo","points":2,"birds":0}'},
    {"hand": '{"type":"note-hand","badge":"seeker-rock"}', "photo": '{"type":"note-photo","points":0,"birds":2}'},
)


def test_a_story_told_twice_with_other_secrets_is_answered_alike(app: Flask, monkeypatch: pytest.MonkeyPatch):
    """Also where things are taken back, asked for and refused: no answer on the way tells what is in Ana's hand."""
    monkeypatch.setattr(refereeing, "stamp", lambda: "2026-01-02T20:00:00.000+00:00")
    monkeypatch.setattr(qr, "svg", lambda text: "")
    first, second = (story(app, secret) for secret in SECRETS)
    assert [one for one, other in zip(first, second, strict=True) if one != other] == []


def story(app: Flask, secret: dict[str, str]) -> list[tuple[str, str, str]]:
    """Tell the story; return what everybody but Ana is answered on the way. Ana's own taps are answered elsewhere."""
    table, heard = seated(app, "Ana", "Bo"), []
    looks = [(table.phone(1), own(1) + EVERYBODYS), (Phone(app), EVERYBODYS)]
    for act, play in STORY:
        heard.append((act, "the tap", play(table, secret).text))
        for phone, paths in looks:
            heard += [(act, path, phone.get(f"{table.path}/{path}".rstrip("/")).text) for path in paths]
    return [(act, path, plain(text).replace(table.code, "CODE")) for act, path, text in heard]


def test_the_story_happens_as_it_is_told(app: Flask):
    table = seated(app, "Ana", "Bo")
    statuses = {act: play(table, SECRETS[0]).status_code for act, play in STORY}
    refused = {act: status for act, status in statuses.items() if status not in (200, 303)}
    assert refused == {
        "Bo asks to undo her note": 403,
        "Bo asks to redo her note": 403,
        "Bo tries to earn out of turn": 422,
    }
    ana = table.table.state.players[0]
    assert (ana.hand, ana.photos[0].points, ana.cubes) == ("climber-rock", 2, (0, 1, 3))


@cases("end", ["trail-end", "trailhead"])
def test_a_visit_at_an_end_goes_on_alike_whatever_is_noted(end: str):
    """Whether the app asks or hands the turn on is seen by all: it must not depend on what the note would cost."""
    heard = []
    for hand in ("science", "climber-rock"):
        told = all_at("Ana", "Bo")
        told.play(0, NameCard(end, "climber-acorn"), NameCard(end, "photography-rock"))
        told.agree(1, told.propose(0, Played(PLACES[end])))
        told.play(0, NoteHand(hand), Hike(1))
        heard.append((readable(told.table, 1), told.table.play.to_move(told.table.state), told.table.state.tasks))
    assert heard[0] == heard[1]


PLACES = {
    "trail-end": {"type": "correct-player", "player": 0, "space": 5, "facing": 1},
    "trailhead": {"type": "correct-player", "player": 0, "space": 1, "facing": -1},
}


def test_a_page_of_another_seat_is_not_answered_at_all(app: Flask):
    watched = Watched(app)
    watched.table.say(0, NoteHand("climber-rock"))
    for phone, path in ((watched.table.phone(1), path) for path in own(0)):
        answer = phone.get(f"{watched.table.path}/{path}")
        assert answer.status_code == 303 and "Climber" not in answer.text


def test_a_phone_that_has_lost_its_seat_no_longer_reads_what_it_noted(app: Flask):
    watched = Watched(app)
    watched.table.say(0, NoteHand("climber-rock"))
    old = watched.table.phone(0)
    assert "noted Climber (rock) in hand" in old.open(f"{watched.table.path}/seat/0").text
    old.post(f"{watched.table.path}/stand", {"seat": "0"})
    new = Phone(app)
    new.post(f"{watched.table.path}/sit", {"seat": "0"})
    assert "noted Climber (rock) in hand" in new.open(f"{watched.table.path}/seat/0").text
    for path in (*own(0), *EVERYBODYS):
        assert "noted Climber" not in old.get(f"{watched.table.path}/{path}".rstrip("/")).text


def test_a_note_stays_with_its_player_when_another_player_is_first(app: Flask):
    """Taken back before the set-up was changed, it is still nobody else's."""
    table = seated(app, "Ana", "Bo")
    number = table.say(0, NoteHand("climber-rock")).number
    table.tap(0, "step", {"take_back": str(number)})
    form = table.phone(0).open(f"{table.path}/setup").form("").untouched
    assert table.phone(0).post(f"{table.path}/setup", {**form, "first": "1"}).status_code == 303
    assert table.table.names == ("Bo", "Ana")
    assert "Climber (rock)" not in table.phone(1).open(f"{table.path}/seat/0/log").text
    assert "Climber (rock)" in table.phone(0).open(f"{table.path}/seat/1/log").text


def test_the_stream_says_no_more_than_a_number_when_a_secret_is_noted(app: Flask):
    watched = Watched(app)
    cookie = watched.table.phone(1).http.get_cookie("waymark").value
    with served(app) as here, here.connect() as page:
        address = f"{watched.table.path}/live"
        page.sendall(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: waymark={cookie}\r\n\r\n".encode())
        said(page, b"data: 5\n\n\r\n")
        watched.table.say(0, NoteHand("climber-rock"))
        assert said(page, b"\n\n\r\n") == b"18\r\nevent: version\ndata: 6\n\n\r\n"


# The past: what is told otherwise, from a phone that does not know another's notes.

BEFORE: list[tuple[int, Move]] = [(0, Hike(2)), (1, Hike(1)), (1, Leave())]
AFTER: list[tuple[int, Move]] = [(0, Hike(4, canteen=True)), (0, Wildlife("rock", "rock")), (0, Leave()), (1, Hike(1))]
HANDS = ("seeker-leaf", "recycling-leaf", None)
SAYS: list[tuple[int, Move]] = [  # what Bo says happened, or was missing, at every step
    (1, Hike(2)),
    (0, Hike(1)),
    (1, NameCard("trail-end", "photography-leaf")),
    (1, NameCard("trail-end", "seeker-leaf")),
    (0, SetRight((By("players.0.acorn", 1),))),
    (0, EarnBadge("seeker-leaf", hand=True)),
    (0, NoteHand("seeker-leaf")),
]


def noted(app: Flask, hand: str | None) -> Seated:
    """Return a table where Ana has noted her hand after the first hikes, or has forgotten it; repaired, with questions open."""
    table = seated(app, "Ana", "Bo")
    for seat, move in (*BEFORE, (0, NoteHand(hand)), *AFTER, (0, NoteHand(hand))):
        table.say(seat, move)
    repair(table, 1, Plan("5", 1, (Told(1, plain_move(Hike(2))),), said=(Stop(),)))
    table.say(0, NoteHand(hand))
    repair(table, 1, Plan("4", here=(Told(1, plain_move(SetRight((By("players.0.leaf", 1),)))),)), yes=False)
    repair(
        table, 1, Plan("4", here=(Told(1, plain_move(NameCard("trailhead", "seeker-leaf"))),))
    )  # what Ana may have noted
    earned = Told(0, plain_move(EarnBadge("recycling-leaf", hand=True)))
    repair(table, 1, Plan("10", here=(earned,)), yes=False)
    assert len(table.table.repairs) == 2 and len(table.table.proposals) == 2 and table.table.undone
    return table


def past_of(table: Seated, seat: int) -> dict[str, tuple[int, str]]:
    """Return what a phone is answered on every page of the past, whatever it says there."""
    now = table.table
    judge = [f"ask?seat={seat}", *(f"ask/ruling/{ruling.id}?seat={seat}" for ruling in now.play.box.rulings)]
    addresses = [
        "",
        "board",
        f"seat/{seat}",
        f"seat/{seat}/log",
        *judge,
        *of_a_seat(now, seat, SAYS),
        *of_everybody(now),
    ]
    answers = ((path, table.phone(seat).get(f"{table.path}/{path}")) for path in addresses)
    return {
        path: (answer.status_code, WAY_BACK.sub("", plain(answer.text).replace(table.code, "CODE")))
        for path, answer in answers
    }


WAY_BACK = re.compile(
    '/mend/[^"]*(?="><svg class="icon icon-redo)'
)  # it names steps by numbers, of which notes have some


@pytest.mark.long("every page of the past, twice")
def test_no_page_of_the_past_depends_on_what_another_seat_has_noted(app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(refereeing, "stamp", lambda: "2026-01-02T20:00:00.000+00:00")
    monkeypatch.setattr(qr, "svg", lambda text: "")
    first, *others = (past_of(noted(app, hand), 1) for hand in HANDS)
    assert len(first) > 200
    for other in others:
        assert first.keys() == other.keys()
        assert [path for path in first if first[path] != other[path]] == []
    assert not [path for path, (_, text) in first.items() if "noted" in text and "in hand" in text]
