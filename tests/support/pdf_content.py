"""Inspect a PDF: its drawing commands and its number of pages."""

import re
import zlib


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
