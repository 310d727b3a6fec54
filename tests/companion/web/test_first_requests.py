"""What many phones send at once to a server that has just begun is read, and the server goes on."""

import subprocess
import sys

import pytest

from scoring.games import TRACKED_GAMES
from tests.support.servers import CHECKOUT

pytestmark = pytest.mark.slow("processes of their own")

TRIES = 4  # without what is tested about every third of them fails
# Several threads read a set-up and a move for the first time in their process, taking turns as often as can be.
TOGETHER = """
import sys, tempfile, threading
from pathlib import Path
import msgspec
from companion.web.app import create_app
from scoring.games import TRACKED_GAMES
app, tracked, threads = create_app(Path(tempfile.mkdtemp())), TRACKED_GAMES[sys.argv[1]], 6
setup = msgspec.to_builtins(tracked.default_setup(["Ana", "Bo"]))
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
@pytest.mark.parametrize("key", ["parks", "on-the-trail"])  # theirs hold most kinds of things
def test_the_first_who_come_at_once_end_nothing(key: str):
    assert key in TRACKED_GAMES
    for _ in range(TRIES):
        done = subprocess.run([sys.executable, "-c", TOGETHER, key], cwd=CHECKOUT, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr[-800:]
