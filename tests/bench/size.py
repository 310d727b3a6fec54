"""Benchmark bytes: what a first visit fetches, and the disk use of a thousand moves."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from companion.log.table import to_data
from companion.service.live import LiveUpdates
from companion.service.referee import Referee, new_tap
from companion.storage.store import Store
from tests.bench.games import default_setup, random_game_moves, temporary_instance
from tests.bench.http_client import SERVE_ARGUMENTS, UnexpectedAnswerError, run_server
from tests.bench.phones import Phone
from tests.bench.report import Options, Row

FIRST_PAGE_TARGET = 100_000
THOUSAND_MOVES_TARGET = 1_000_000
RESOURCE_PATTERN = re.compile(r'<(?:link|script|img|use|image)\b[^>]*?(?:href|src)="([^"#]+)')
CSS_URL_PATTERN = re.compile(r"url\((?!\"?data:)\"?([^)\"#]+)")
FONT_FACE_PATTERN = re.compile(r"@font-face\{([^}]*)\}")


def run(options: Options) -> Iterator[Row]:
    """Visit the home page and a seat's page without a cache; then fill a new instance."""
    with temporary_instance() as folder, run_server(*SERVE_ARGUMENTS, str(folder)) as port:
        yield _measure_visit("home page with everything it loads", Phone(port), "/", FIRST_PAGE_TARGET)
        phone = Phone(port)
        phone.open_page("/new/trails")
        table = phone.post("/new/trails", **{"names-0": "Ann", "names-1": "Ben"})
        phone.open_page(table)
        seat = phone.post(f"{table}/sit", seat="0")
        yield _measure_visit("seat page with everything it loads", phone, seat, None)
    yield _measure_disk_use(100 if options.quick else 1000)


def _measure_visit(label: str, phone: Phone, path: str, target: int | None) -> Row:
    """Count the bytes of a first visit.

    Includes every font whose characters are on the page, and every picture of the style sheets, whether used or not.
    """
    sizes: dict[str, int] = {}

    def get(address: str) -> str:
        answer = phone.connection.request("GET", address)
        if answer.status != 200:
            raise UnexpectedAnswerError(f"GET {address}: {answer.status}")
        kind = answer.header("Content-Type").partition(";")[0].partition("/")[2]
        sizes[kind] = sizes.get(kind, 0) + answer.byte_count
        return answer.content.decode("utf-8", "replace")

    page = get(path)
    characters = set(re.sub(r"<(style|script).*?</\1>|<[^>]*>", "", page, flags=re.DOTALL))
    for address in dict.fromkeys(
        urljoin(path, found.replace("&amp;", "&")) for found in RESOURCE_PATTERN.findall(page)
    ):
        if re.search(r'<a\b[^>]*"' + re.escape(address), page):
            continue
        text = get(address)
        if ".css" in address:
            for file in dict.fromkeys(_style_files(text, characters)):
                get(urljoin(address, file))
    note = ", ".join(f"{kind} {size:,}" for kind, size in sorted(sizes.items(), key=lambda each: -each[1]))
    total = sum(sizes.values())
    return Row(label, "bytes", total, total, total, 1, target=target, note=note)


def _style_files(styles: str, characters: set[str]) -> Iterator[str]:
    """Yield the files a style sheet needs for a page with these characters."""
    for face in FONT_FACE_PATTERN.findall(styles):
        spans = re.search(r"unicode-range:([^;]*)", face)
        if spans is None or any(_is_in_ranges(spans.group(1), character) for character in characters):
            yield from CSS_URL_PATTERN.findall(face)
    yield from CSS_URL_PATTERN.findall(FONT_FACE_PATTERN.sub("", styles))


def _is_in_ranges(spans: str, character: str) -> bool:
    for span in spans.split(","):
        first, _, last = span.strip().removeprefix("U+").partition("-")
        if int(first, 16) <= ord(character) <= int(last or first, 16):
            return True
    return False


def _measure_disk_use(moves: int) -> Row:
    """Play random games into a new instance and measure its database."""
    played = seed = 0
    with temporary_instance() as folder:
        store = Store(folder / "waymark.sqlite3")
        empty = _database_size(store.path)
        referee = Referee(store, LiveUpdates(store, 1))
        while played < moves:
            players = 2 + seed % 3
            table = referee.open_table("host", "trails", to_data(default_setup(players)))
            for seat in range(players):
                referee.sit(table, f"a phone's own id {seat}"[:16], new_tap(), seat)
            for seat, move in random_game_moves(players, seed):
                referee.play(table, f"a phone's own id {seat}"[:16], new_tap(), seat, to_data(move))
                played += 1
            seed += 1
        grown = (_database_size(store.path) - empty) * 1000 / played
    return Row(
        "disk space of 1,000 moves",
        "bytes",
        grown,
        grown,
        grown,
        1,
        target=THOUSAND_MOVES_TARGET,
        note=f"{played:,} moves in {seed} whole games",
    )


def _database_size(path: Path) -> int:
    """Return the size of a database after its write-ahead log was merged into it."""
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path.stat().st_size
