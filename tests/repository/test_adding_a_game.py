"""The code that docs/adding-a-game.md shows is that of the example games."""

import re

import pytest

from companion.system.paths import CHECKOUT

DOCUMENT = (CHECKOUT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
# The file, and the lines that are shown; "..." stands for lines that are left out.
EXCERPTS = re.findall(r"^From `([^`]+)`:\n\n```\w+\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("file, excerpt", EXCERPTS)
def test_excerpt_is_in_its_file(file: str, excerpt: str):
    text = (CHECKOUT / file).read_text(encoding="utf-8")
    changed = [part for part in excerpt.split("...\n") if part not in text]
    assert not changed, f"{file} no longer has these lines. Copy them again to docs/adding-a-game.md:\n{changed[0]}"


def test_every_file_of_the_smaller_example_is_shown():
    folder = CHECKOUT / "tests" / "support" / "small_games" / "peaks"
    shown = {CHECKOUT / file for file, _ in EXCERPTS}
    missing = sorted(file.name for file in folder.iterdir() if file.is_file() and file not in shown)
    assert not missing, f"docs/adding-a-game.md shows nothing of {missing} of PEAKS. Add an excerpt of each."
