"""What the tests of the companion start from: the app, phones, tables where everybody has sat down."""

import datetime
import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec import to_builtins

from companion import pages
from companion import referee as refereeing
from companion.__main__ import main
from companion.app import create_app, limit
from companion.live import Live
from companion.referee import Referee
from companion.store import Store
from scoring.trails.hiking import Hike, Leave
from scoring.trails.telling import NoteHand
from tests.command import Said
from tests.laid import laid
from tests.phones import Phone, Seated, seated
from tests.played import play
from tests.promises import GAMES_TO_PLAY
from tests.told_table import ANA, BO, HOST

# What `make quick` leaves out, and why: a folder, a file, or a test up to its case.
SLOW = {
    "tests/browser/": "a real browser",
    "tests/test_torture.py": "kills, races, fuzz and floods",
    "tests/test_wheel.py": "builds and installs a wheel",
    "tests/test_serve.py": "servers in processes of their own",
    "tests/test_nginx.py": "nginx and servers in processes of their own",
    "tests/test_service.py": "asks systemd",
    "tests/test_server.py": "a server with real connections, which wait",
    "tests/test_live.py": "a server with real connections, which wait",
    "tests/test_security.py": "every page of tables in every state",
    "tests/test_secrets.py": "every page at every step of whole games",
    "tests/test_pages.py::test_the_buttons_are_those_the_rules_allow_although_the_page_knows_no_secret_but_its_own": "whole games",
    "tests/test_asking.py::test_ways_are_legal_noes_are_noes_by_brute_force_and_no_answer_hangs_on_anothers_secret": "whole turns",
    "tests/test_backup.py": "copies and damages databases, some while people play",
    "tests/test_cli.py::test_the_command_is_run_as_people_run_it": "processes of their own",
    "tests/test_alpine_anyhow.py": "maps made up, each turned and moved",
    "tests/test_alpine_figures.py::test_whatever_is_set_right_the_game_goes_on_and_comes_to_an_end": "random games",
    "tests/test_on_the_trail_dnf.py::test_with_few_cards_a_runner_is_out_only_if_no_boost_helps_on_either": "every hand there can be",
    "tests/test_mending.py::test_whatever_stands_in_the_way_can_be_answered_until_the_story_is_whole": "random games, told otherwise",
    "tests/test_small_games.py::test_its_sheet_and_its_pad_are_printed": "prints PDFs",
    "tests/test_small_games.py::test_the_command_line_scores_and_prints_it": "prints PDFs",
    "tests/test_alpine_documents.py::test_anything_is_scored_and_adds_up_or_is_refused_with_a_single_line": "made up by hypothesis",
    "tests/test_alpine_pages.py::test_in_a_whole_game_no_page_of_another_phone_depends_on_a_goal": "every page of a whole game",
    "tests/test_hosts.py::test_a_foreign_name_is_told_nothing_whatever_it_asks_for": "every page by every name",
    "tests/test_wrong_taps.py": "whole evenings through the pages",
    "tests/test_past_races.py": "phones in threads, at many tables",
    "tests/test_past_pages.py::test_a_phone_sees_no_button_that_is_refused": "presses every button of tables in every state",
    "tests/test_past_pages.py::test_nothing_is_ever_said_to_be_somebodys_turn_about_a_moment_that_never_was": "tells many stories otherwise",
    "tests/test_press.py": "a printing process that is killed and waited for",
    "tests/test_printing.py": "prints many PDFs",
    "tests/test_documents_whatever.py": "hundreds of documents made up by hypothesis",
    "tests/test_export.py": "damages files page by page",
    "tests/test_spoilt_files.py": "damages files page by page",
    "tests/test_templating.py::test_a_page_is_the_same_whether_others_have_been_drawn_before_it_or_nothing": "draws all anew",
    "tests/test_parks_pages.py::test_every_page_of_parks_is_there_all_through_a_game": "draws every page at every step",
    "tests/test_sheets_on_paper.py": "prints PDFs",
    "tests/test_parks_pages.py::test_a_sheet_of_parks_is_one_page": "prints PDFs",
    "tests/test_parks_pages.py::test_five_players_with_eight_parks_each_fill_a_page_in_letters_that_can_be_read": "prints PDFs",
    "tests/test_parks_pages.py::test_the_sheet_of_a_table_of_parks_is_one_page_at_any_time": "prints PDFs",
    "tests/test_alpine_pages.py::test_a_sheet_of_five_busy_maps_is_one_page": "prints PDFs",
    "tests/test_alpine_pages.py::test_a_sheet_of_five_with_little_to_say_has_its_maps_in_two_rows_on_one_page": "prints PDFs",
    "tests/test_cli.py::test_a_sheet_and_a_pad_are_printed_on_one_page": "prints PDFs",
    "tests/test_cli.py::test_a_sheet_is_printed_on_two_pages_or_on_half_a_one": "prints PDFs",
    "tests/test_cli.py::test_a_file_that_cannot_be_written_is_said_in_one_line": "prints PDFs",
    "tests/test_first_read.py": "processes of their own",
    "tests/test_web.py::test_the_sheet_and_the_pad_are_printed": "prints PDFs",
    "tests/test_parks_documents.py::test_any_json_is_scored_or_refused_with_a_single_printable_line": "made up by hypothesis",
    "tests/test_history_pages.py::test_the_result_as_a_picture_needs_nothing_else_and_is_a_png_too": "draws pictures by the press",
    "tests/test_history_pages.py::test_what_was_typed_wrongly_is_set_right_by_who_typed_it": "draws pictures by the press",
    "tests/test_transfer.py::test_everything_taken_in_by_an_empty_instance_and_written_again_is_the_same_bytes": "made up by hypothesis",
    "tests/test_transfer.py::test_a_file_spoilt_in_any_way_is_taken_in_or_refused_and_every_page_is_there_still": "made up by chance",
    "tests/test_instance_files.py::test_processes_that_start_at_once_all_open_the_tables": "processes of their own",
    "tests/test_keys.py::test_processes_that_start_at_once_have_the_same_key": "servers in processes of their own",
}
# The same for cases: part of a case's name. The fewest and the most players play random games by the usual rulings at least.
SLOW_CASES = {
    "other-rulings": "random games by the other rulings",
    "[parks-4]": "random games of a number of players in between",
    "[alpine-trails-3]": "random games of a number of players in between",
    "[alpine-trails-4]": "random games of a number of players in between",
}
# Seconds a test may take on a loaded computer, where the usual limit (pyproject.toml) is too short.
LONGER = {
    "tests/browser/": 400,
    "tests/test_torture.py": 400,
    "tests/test_wheel.py": 600,
    "tests/test_every_game.py": 10 * GAMES_TO_PLAY + 240,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, with the reason, and what may take long."""
    for item in items:
        file, _, test = item.nodeid.partition("::")
        names = {file, f"{file}::{test.partition('[')[0]}", f"{file.rpartition('/')[0]}/"}
        reasons = [SLOW[name] for name in sorted(names & SLOW.keys())]
        reasons += [reason for part, reason in SLOW_CASES.items() if part in test]
        for reason in reasons:
            item.add_marker(pytest.mark.slow(reason))
        for name in names & LONGER.keys():
            item.add_marker(pytest.mark.timeout(LONGER[name]))


def hasten(store: Store) -> None:
    """Let this thread's commits return before they are on the disk: no test pulls the plug."""
    store.db.execute("PRAGMA synchronous = OFF")


class _Unforeseen(logging.Handler):
    """Keeps what the app logs as unforeseen: every page answers, or says why not."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(self.format(record))


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app with CSRF and everything else as it is served; its templates are read once for all tests."""
    app = create_app(tmp_path_factory.mktemp("instance"))
    hasten(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture
def app(shared_app: Flask) -> Iterator[Flask]:
    """The app for one test, which opens tables of its own. Fails the test if anything unforeseen happens."""
    limit(shared_app)
    unforeseen = _Unforeseen()
    shared_app.logger.addHandler(unforeseen)
    yield shared_app
    shared_app.logger.removeHandler(unforeseen)
    assert unforeseen.records == []


@pytest.fixture
def referee(app: Flask) -> Referee:
    return app.extensions["waymark"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let seconds go by on the clock that says when something was said."""
    gone = [0.0]

    def stamp() -> str:
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=sum(gone))
        return now.isoformat(timespec="milliseconds")

    for module in (refereeing, pages):
        monkeypatch.setattr(module, "stamp", stamp)
    return gone.append


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def two(app: Flask) -> Seated:
    """A table of TRAILS: Ana and Bo, each with a phone of their own; Ana's is the host."""
    return seated(app, "Ana", "Bo")


@pytest.fixture
def three(app: Flask) -> Seated:
    return seated(app, "Ana", "Bo", "Cy")


@pytest.fixture
def hiked(three: Seated) -> Seated:
    """Ana, Bo and Cy have hiked to the leaf site, Ana on to the photo, where she has left it. Bo has noted a badge before."""
    three.say(1, NoteHand("science"))
    return play(three, [*((seat, Hike(2)) for seat in range(3)), (0, Hike(2)), (0, Leave())])


@pytest.fixture
def tally(app: Flask) -> Seated:
    """Just score: Ana and Bo count what lies before them."""
    return seated(app, "Ana", "Bo", game="trails-tally")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A file of its own without an app."""
    store = Store(tmp_path / "waymark.sqlite3")
    yield store
    store.db.conn.close()


@pytest.fixture
def judge(store: Store) -> Referee:
    """A referee without an app."""
    hasten(store)
    return Referee(store, Live(store, 4))


@pytest.fixture
def code(judge: Referee) -> str:
    """A table of that referee with Ana and Bo, each on a phone; the host's is a third."""
    code = judge.open(HOST, "trails", to_builtins(laid(["Ana", "Bo"]))).code
    judge.sit(code, ANA, "sit 0", 0)
    judge.sit(code, BO, "sit 1", 1)
    return code


@pytest.fixture
def waymark(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """The command line."""

    def run(*arguments: object) -> Said:
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Said(status=status, out=out, err=err)

    return run


@pytest.fixture
def written(tmp_path: Path) -> Callable[[object], Path]:
    """Write data as JSON, or bytes as they are; return the file."""

    def write(content: object) -> Path:
        path = tmp_path / "written.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


@pytest.fixture
def stranger() -> Iterator[Path]:
    """A folder everybody can reach, for an account that may not write everywhere, as that of a computer's owner may."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        if os.geteuid() != os.getuid():
            os.seteuid(os.getuid())
