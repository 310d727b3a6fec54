"""The package, its date, the changelog and the README name the same version."""

import datetime
import re
import tomllib

from companion import RELEASED, __version__
from companion.system.paths import CHECKOUT

VERSION = re.compile(r"^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$", re.MULTILINE)


def released_versions() -> list[tuple[str, str]]:
    """Return the versions of the changelog with their dates, in its order."""
    return VERSION.findall((CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"))


def test_newest_version_of_the_changelog_is_the_package_version():
    assert released_versions()[0] == (__version__, RELEASED.isoformat()), (
        "companion/__init__.py and the newest heading of CHANGELOG.md name different releases; correct one of them."
    )


def test_package_takes_its_version_from_the_code():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"] and "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "companion/__init__.py"


def test_changelog_lists_versions_from_newest_to_oldest():
    headings = re.findall(r"^## (.+)$", (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    versions = released_versions()
    dated = [f"{version}, {date}" for version, date in versions]
    assert headings in (dated, ["Unreleased", *dated])
    newest_first = [
        (tuple(map(int, version.split("."))), datetime.date.fromisoformat(date)) for version, date in versions
    ]
    assert newest_first == sorted(newest_first, reverse=True) and len(set(newest_first)) == len(versions) >= 4


def test_readme_names_the_current_version():
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"The current version is (\S+);", text)
    assert named == [__version__], f'README.md, section "Limits": name version {__version__}, not {named}.'
