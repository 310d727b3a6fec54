"""Bytes: what a first visit fetches, and what a thousand moves take on the disk."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from companion.log.table import plain_move
from companion.service.live import Live
from companion.service.referee import Referee, new_tap
from companion.storage.store import Store
from tests.bench.games import fresh_instance, recorded, setup
from tests.bench.phones import Phone
from tests.bench.report import Options, Row
from tests.bench.wire import SERVE, Broken, serving

FIRST_PAGE = 100_000
THOUSAND_MOVES = 1_000_000
LOADED = re.compile(r'<(?:link|script|img|use|image)\b[^>]*?(?:href|src)="([^"#]+)')
IMAGE = re.compile(r"url\((?!\"?data:)\"?([^)\"#]+)")
FACE = re.compile(r"@font-face\{([^}]*)\}")


def run(options: Options) -> Iterator[Row]:
    """Visit the first page and a seat's page with nothing kept; then fill a fresh instance."""
    with fresh_instance() as folder, serving(*SERVE, str(folder)) as port:
        yield _visited("first page and all it loads", Phone(port), "/", FIRST_PAGE)
        phone = Phone(port)
        phone.look("/new/trails")
        table = phone.post("/new/trails", **{"names-0": "Ann", "names-1": "Ben"})
        phone.look(table)
        seat = phone.post(f"{table}/sit", seat="0")
        yield _visited("seat page and all it loads", phone, seat, None)
    yield _on_disk(100 if options.quick else 1000)


def _visited(what: str, phone: Phone, path: str, target: int | None) -> Row:
    """Count a first visit: every face whose characters are on the page, every picture of the styles, used or not."""
    sizes: dict[str, int] = {}

    def get(address: str) -> str:
        answer = phone.talk.ask("GET", address)
        if answer.status != 200:
            raise Broken(f"GET {address}: {answer.status}")
        kind = answer.header("Content-Type").partition(";")[0].partition("/")[2]
        sizes[kind] = sizes.get(kind, 0) + answer.wire
        return answer.content.decode("utf-8", "replace")

    page = get(path)
    seen = set(re.sub(r"<(style|script).*?</\1>|<[^>]*>", "", page, flags=re.DOTALL))
    for address in dict.fromkeys(urljoin(path, found.replace("&amp;", "&")) for found in LOADED.findall(page)):
        if re.search(r'<a\b[^>]*"' + re.escape(address), page):
            continue
        text = get(address)
        if ".css" in address:
            for file in dict.fromkeys(_files(text, seen)):
                get(urljoin(address, file))
    note = ", ".join(f"{kind} {size:,}" for kind, size in sorted(sizes.items(), key=lambda each: -each[1]))
    total = sum(sizes.values())
    return Row(what, "bytes", total, total, total, 1, target=target, note=note)


def _files(styles: str, seen: set[str]) -> Iterator[str]:
    """Yield the files a style sheet needs for a page with these characters."""
    for face in FACE.findall(styles):
        spans = re.search(r"unicode-range:([^;]*)", face)
        if spans is None or any(_within(spans.group(1), character) for character in seen):
            yield from IMAGE.findall(face)
    yield from IMAGE.findall(FACE.sub("", styles))


def _within(spans: str, character: str) -> bool:
    for span in spans.split(","):
        first, _, last = span.strip().removeprefix("U+").partition("-")
        if int(first, 16) <= ord(character) <= int(last or first, 16):
            return True
    return False


def _on_disk(moves: int) -> Row:
    """Play random games into a fresh instance and weigh the file."""
    played = seed = 0
    with fresh_instance() as folder:
        store = Store(folder / "waymark.sqlite3")
        empty = _weighed(store.path)
        referee = Referee(store, Live(store, 1))
        while played < moves:
            players = 2 + seed % 3
            table = referee.open("host", "trails", plain_move(setup(players)))
            for seat in range(players):
                referee.sit(table.code, f"a phone's own id {seat}"[:16], new_tap(), seat)
            for seat, move in recorded(players, seed):
                referee.play(table.code, f"a phone's own id {seat}"[:16], new_tap(), seat, plain_move(move))
                played += 1
            seed += 1
        grown = (_weighed(store.path) - empty) * 1000 / played
    return Row(
        "on the disk for 1,000 moves",
        "bytes",
        grown,
        grown,
        grown,
        1,
        target=THOUSAND_MOVES,
        note=f"{played:,} moves in {seed} whole games",
    )


def _weighed(path: Path) -> int:
    """Return the size of a database with its write-ahead log moved into it."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path.stat().st_size
