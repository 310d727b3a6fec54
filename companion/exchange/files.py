"""Recognizes a file with plays by its content, and names any other file for what it is."""

import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from companion.exchange import bg_stats, bgg, spreadsheet
from companion.exchange.plays import PlayFile
from scoring.kernel.english import join_words
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import detect_binary_format, parse_json

SOURCES = {bg_stats.SOURCE: "BG Stats", bgg.SOURCE: "BoardGameGeek", spreadsheet.SOURCE: "Spreadsheet"}
MAX_UNZIPPED_BYTES = 50_000_000
PLAY_FILE_ENDINGS = (".json", ".bgsplay", ".xml", ".csv")

# A file inside an archive that shows what the archive is -> what to say.
ARCHIVE_SIGNS = {
    "xl/workbook.xml": "an Excel workbook; save the sheet as CSV first",
    "word/document.xml": "a Word document; it has no plays that can be read",
    "content.xml": "a LibreOffice document; save the sheet as CSV first",
    "Index/Document.iwa": "a Numbers document; export the sheet as CSV first",
}
OLD_OFFICE_FILE = b"\xd0\xcf\x11\xe0"


class WaymarkFile(NamedTuple):
    """The JSON of a file that Waymark has written."""

    data: dict


class CsvFile(NamedTuple):
    """A table whose columns have to be assigned."""

    content: bytes


def read_file(
    content: bytes, bgg_ids: Mapping[str, int], *, is_in_archive: bool = False
) -> PlayFile | CsvFile | WaymarkFile:
    """Return the plays in a file, or the table or file of Waymark that it is.

    :param bgg_ids: the BoardGameGeek ids of our games, by key.
    :raises InvalidInputError: when it is another file, or a part of one; the message names it.
    """
    if content.startswith(b"PK") and not is_in_archive:
        return read_file(_unzip(content), bgg_ids, is_in_archive=True)
    if content.startswith(OLD_OFFICE_FILE):
        raise InvalidInputError("this is an old Office file; save the sheet as CSV first")
    content = _to_utf8(content)
    if b"\0" in content[:4000] or content.startswith((b"%PDF", b"\x1f\x8b")):
        kind = detect_binary_format(content) or "no text file"
        raise InvalidInputError(f"this is {kind}; it has no plays that can be read")
    start = content[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not start:
        raise InvalidInputError("this file is empty")
    if start.startswith((b"{", b"[")):
        return _read_json(content, bgg_ids)
    if start.startswith((b"<!doctype html", b"<html")):
        raise InvalidInputError("this is a web page; save the list of plays itself, as XML")
    if start.startswith(b"<svg"):
        raise InvalidInputError("this is a picture (SVG); it has no plays that can be read")
    if start.startswith(b"<"):
        return bgg.read_bgg_plays(bgg.parse_xml(content), bgg_ids)
    if start.startswith(b"unauthorized"):
        raise InvalidInputError(
            "this is no list of plays: BoardGameGeek asks you to log in; log in there and save it again"
        )
    return _read_text(content)


def _to_utf8(content: bytes) -> bytes:
    """Return a text in UTF-16 in UTF-8, and other content as it is."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace").encode()
    even, odd = content[0:1000:2], content[1:1000:2]
    for encoding, letters, zeros in (("utf-16-le", even, odd), ("utf-16-be", odd, even)):
        if letters and all(letters) and not any(zeros):
            return content.decode(encoding, errors="replace").encode()
    return content


def _unzip(content: bytes) -> bytes:
    """Return the file with plays in a ZIP archive.

    :raises InvalidInputError: when it has none or several, or cannot be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if sign := next((sign for sign in ARCHIVE_SIGNS if sign in names), ""):
                raise InvalidInputError(f"this is {ARCHIVE_SIGNS[sign]}")
            found = [
                info for info in archive.infolist()
                if info.filename.lower().endswith(PLAY_FILE_ENDINGS) and not info.filename.startswith("__MACOSX/")
            ]  # fmt: skip
            if not found:
                raise InvalidInputError("this ZIP archive has no file with plays")
            if len(found) > 1:
                listed = join_words([info.filename[-60:] for info in found[:5]])
                raise InvalidInputError(f"this ZIP archive has several files ({listed}); unpack it and choose one")
            if found[0].file_size > MAX_UNZIPPED_BYTES:
                raise InvalidInputError(f"the file in this ZIP archive is larger than {MAX_UNZIPPED_BYTES // 10**6} MB")
            return archive.read(found[0])
    except InvalidInputError:
        raise
    except RuntimeError:
        raise InvalidInputError("this ZIP archive has a password; unpack it first") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, EOFError, OSError, ValueError):
        raise InvalidInputError("this ZIP archive is damaged or cut off") from None


def _read_json(content: bytes, bgg_ids: Mapping[str, int]) -> PlayFile | WaymarkFile:
    data = parse_json(content)
    if bg_stats.is_bg_stats(data):
        text = json.dumps(data, ensure_ascii=False).encode(errors="replace")  # half an emoji becomes "?"
        return bg_stats.read_bg_stats(json.loads(text), bgg_ids)
    if isinstance(data, dict) and "waymark" in data:
        return WaymarkFile(data)
    raise InvalidInputError("this is not a Waymark file, nor one of BG Stats")


def _read_text(content: bytes) -> CsvFile:
    table = spreadsheet.read_table(content)
    if {"objectname", "numplays"} <= set(table.headings):
        raise InvalidInputError(
            "this is a collection of BoardGameGeek: it says how often a game was played, but not when and by whom"
        )
    if not table.rows:
        raise InvalidInputError("this table has headings, but no rows")
    return CsvFile(content)
