"""Start a new game as a copy of a small one.

`python -m tests.support.copy_small_game peaks seven_summits` makes a copy of PEAKS in `scoring/seven_summits`.
It copies the package, the rule cases and, of a game with turns, the invariants, the disputes and the questions of
players. It renames the package, the key and the title in them. docs/adding-a-game.md has the steps that follow.
"""

import argparse
import errno
import re
import sys
from pathlib import Path

from companion.system.paths import CHECKOUT
from tests.support.game_names import key_of

SMALL_GAMES = ("peaks", "ford")  # one that is only scored, and one with turns


def copy_small_game(example: str, folder: str, checkout: Path = CHECKOUT) -> list[Path]:
    """Copy a small game to `scoring/<folder>` with its rule cases, and return the new files.

    :raises FileExistsError: if there is such a game.
    """
    tests, key = checkout / "tests", key_of(folder)
    copies = [
        (tests / "support" / "small_games" / example, checkout / "scoring" / folder),
        (tests / "scoring" / example, tests / "scoring" / folder),
        (tests / "support" / f"{example}_invariants.py", tests / "support" / f"{folder}_invariants.py"),
        (tests / "disputes" / f"{example}.json", tests / "disputes" / f"{key}.json"),
        (tests / "search_questions" / f"{example}.toml", tests / "search_questions" / f"{key}.toml"),
    ]
    files = [
        (file, target / file.relative_to(source))
        for source, target in copies
        for file in sorted([source] if source.is_file() else source.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    ]
    if taken := [target for _, target in copies if target.exists()]:
        raise FileExistsError(errno.EEXIST, "a game has this folder or key already", str(taken[0]))
    for file, target in files:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(rename(file.read_text(encoding="utf-8"), example, folder), encoding="utf-8")
    return [target for _, target in files]


def rename(text: str, example: str, folder: str) -> str:
    """Return the text of a file with the package, the key and the title of the new game."""
    key = key_of(folder)
    text = text.replace(f"tests.support.small_games.{example}", f"scoring.{folder}")
    return text.replace(f'"{example}"', f'"{key}"').replace(example.upper(), key.replace("-", " ").upper())


def main() -> int:
    """Read the command line and copy a small game."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.copy_small_game", description="Start a new game.")
    parser.add_argument("example", choices=SMALL_GAMES, help="peaks is only scored, ford has turns")
    parser.add_argument("folder", help="the new folder in scoring/, such as seven_summits")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", arguments.folder):
        parser.error(f"{arguments.folder}: a folder is in lower case with underscores, such as seven_summits")
    try:
        files = copy_small_game(arguments.example, arguments.folder)
    except FileExistsError as error:
        parser.error(f"{error.filename} exists; choose another folder")
    print(*(file.relative_to(CHECKOUT) for file in files), sep="\n")
    print("Next: the check-list of docs/adding-a-game.md, from scoring/games.py on.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
