"""Every screenshot is shown, and every link of the documents leads somewhere."""

import re
from pathlib import Path

import pytest

from companion.system.paths import CHECKOUT

DOCUMENTS = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")  # of links and of pictures
CODE = re.compile(r"^(```.*?^```|( {4}|\t)[^\n]*)|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def links(document: Path) -> list[str]:
    """Return the targets of all links and pictures in a document, outside of code."""
    return LINK.findall(CODE.sub("", document.read_text(encoding="utf-8")))


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub forms them."""
    text = CODE.sub(
        lambda code: code[0] if code[0].startswith("`") and "\n" not in code[0] else "", document.read_text()
    )
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def is_broken(document: Path, link: str) -> bool:
    """Return whether a link leads to no file of the repository, or to no heading in it."""
    if re.match(r"https?://|mailto:", link):
        return False
    path, _, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    return not target.exists() or bool(anchor and anchor not in anchors(target))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(CHECKOUT)))
def test_links_of_a_document_lead_to_files_and_headings(document: Path):
    assert [link for link in links(document) if is_broken(document, link)] == []


def test_every_screenshot_is_shown():
    shown = {
        (document.parent / link).resolve()
        for document in (CHECKOUT / "README.md", CHECKOUT / "docs" / "gallery.md")
        for link in links(document)
    }
    pictures = set((CHECKOUT / "docs" / "screenshots").iterdir())
    assert len(pictures) > 40
    assert sorted(picture.name for picture in pictures - shown) == [], "Show them in docs/gallery.md, or delete them."


@pytest.mark.parametrize("link", ["nowhere.md", "../README.md#nowhere", "#nowhere", "screenshots/nowhere.png"])
def test_broken_link_is_found(link: str):
    gallery = CHECKOUT / "docs" / "gallery.md"
    assert is_broken(gallery, link)
    assert not any(is_broken(gallery, good) for good in ("../README.md#start", "#play", "gallery.md"))
