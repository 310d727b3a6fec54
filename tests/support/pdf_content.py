"""Inspect a PDF: its drawing commands, its number of pages, and the layout of a page."""

import re
import zlib
from typing import Any


def unpack_pdf(pdf: bytes) -> bytes:
    """Return the content of a PDF with its streams decompressed."""
    packed = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return pdf + b"\n".join(map(_decompress, packed))


def _decompress(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return b""


def page_count(pdf: bytes) -> int:
    """Return the number of pages."""
    return len(re.findall(rb"/Type\s*/Page\b", unpack_pdf(pdf)))


def page_box(page: Any) -> Any:
    """Return the layout of a page of WeasyPrint, which has no public name; only tests need it."""
    return page._page_box


def filled_share(page: Any) -> float:
    """Return the filled share of a page between its margins."""
    box = page_box(page)
    last = box.children[0].children[0].children[-1]  # of the body
    return (last.position_y + last.margin_height() - box.content_box_y()) / box.height
