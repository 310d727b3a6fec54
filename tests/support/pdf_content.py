"""Looking into a PDF: what it draws, and on how many pages."""

import re
import zlib


def drawing(pdf: bytes) -> bytes:
    """Return everything in a PDF with its streams unpacked."""
    packed = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return pdf + b"\n".join(map(_unpacked, packed))


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return b""


def pages(pdf: bytes) -> int:
    """Return the number of pages."""
    return len(re.findall(rb"/Type\s*/Page\b", drawing(pdf)))
