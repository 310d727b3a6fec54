"""Run the command line as `waymark` does, with the small games registered."""

import sys

from companion.cli.main import main
from tests.support.registered_games import register_small_games

if __name__ == "__main__":
    register_small_games()
    sys.exit(main())
