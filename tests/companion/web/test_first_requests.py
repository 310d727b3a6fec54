"""Tests of simultaneous first requests to a server that has just started."""

import subprocess
import sys

import pytest

from scoring.games import TRACKED_GAMES
from tests.support.server_processes import CHECKOUT

pytestmark = pytest.mark.slow("separate processes")

TRIES = 4  # without the protection under test, about every third try fails
# Several threads decode a setup for the first time in their process, switching as often as possible.
TOGETHER = """
import sys, tempfile, threading
from pathlib import Path
import msgspec
from companion.web.app import create_app
from scoring.games import TRACKED_GAMES
app, tracked, threads = create_app(Path(tempfile.mkdtemp())), TRACKED_GAMES[sys.argv[1]], 6
setup = msgspec.to_builtins(tracked.setup_format.default(["Ana", "Bo"]))
together = threading.Barrier(threads)
sys.setswitchinterval(1e-6)
def read():
    together.wait()
    for _ in range(5):
        tracked.read_setup(setup, strict=False)
for each in [threading.Thread(target=read) for _ in range(threads)]:
    each.start()
"""


@pytest.mark.long("many processes")
# These games have the most types to decode.
@pytest.mark.parametrize("key", ["parks", "on-the-trail"])
def test_simultaneous_first_requests_do_not_crash_the_server(key: str):
    assert key in TRACKED_GAMES
    for _ in range(TRIES):
        result = subprocess.run([sys.executable, "-c", TOGETHER, key], cwd=CHECKOUT, capture_output=True, timeout=60)
        assert result.returncode == 0, result.stderr[-800:]
