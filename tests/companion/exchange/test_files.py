"""Tests that files with plays are recognized, and other files are named."""

import io
import json
import zipfile

import pytest

from companion.exchange.files import CsvFile, PlayFile, WaymarkFile, read_file
from scoring.kernel.errors import InvalidInputError
from tests.companion.exchange.test_bg_stats import BGG_IDS, bg_stats_file

BG_STATS = json.dumps(bg_stats_file()).encode()
XML = b'<?xml version="1.0"?><plays username="ana" total="0" page="1"></plays>'
TABLE = b"Date,Game,Player,Points\n2026-11-20,Trails,Ana,20\n"


def zipped(**files: bytes) -> bytes:
    """Return a ZIP archive; in names, "__" stands for a dot."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return output.getvalue()


def as_old_office_file(content: bytes) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + content


KINDS = {
    "BG Stats": (BG_STATS, PlayFile),
    "BG Stats with a byte order mark": (b"\xef\xbb\xbf" + BG_STATS, PlayFile),
    "BG Stats in UTF-16": (BG_STATS.decode().encode("utf-16"), PlayFile),
    "BG Stats, zipped": (zipped(BGStatsExport__json=BG_STATS), PlayFile),
    "BG Stats, zipped with pictures": (zipped(BGStatsExport__json=BG_STATS, a__jpg=b"\xff\xd8"), PlayFile),
    "BoardGameGeek": (XML, PlayFile),
    "BoardGameGeek, zipped": (zipped(plays__xml=XML), PlayFile),
    "table": (TABLE, CsvFile),
    "table with semicolons": (TABLE.replace(b",", b";"), CsvFile),
    "table with tabs in UTF-16": (TABLE.replace(b",", b"\t").decode().encode("utf-16"), CsvFile),
    "Waymark": (b'{"waymark": 1, "results": []}', WaymarkFile),
}


@pytest.mark.parametrize("kind", KINDS)
def test_file_is_recognized_by_its_content(kind: str):
    content, expected = KINDS[kind]
    assert isinstance(read_file(content, BGG_IDS), expected)


OTHER_FILES = {
    "empty": (b" \n", "this file is empty"),
    "half of BG Stats": (BG_STATS[:300], "the file is cut off"),
    "half of BoardGameGeek": (XML[:60], "this is an XML file, but the file is cut off"),
    "half of a ZIP archive": (zipped(a__json=BG_STATS)[:200], "this ZIP archive is damaged or cut off"),
    "ZIP archive of pictures": (zipped(a__jpg=b"x"), "this ZIP archive has no file with plays"),
    "ZIP archive with two files": (zipped(a__json=b"{}", b__csv=b""), "several files (a.json and b.csv); unpack it"),
    "Excel": (zipped(**{"xl/workbook__xml": b"", "a__xml": b""}), "an Excel workbook; save the sheet as CSV first"),
    "LibreOffice": (zipped(content__xml=b""), "a LibreOffice document; save the sheet as CSV first"),
    "Numbers": (zipped(**{"Index/Document__iwa": b""}), "a Numbers document; export the sheet as CSV first"),
    "Word": (zipped(**{"word/document__xml": b""}), "a Word document"),
    "old Excel": (as_old_office_file(b""), "an old Office file; save the sheet as CSV first"),
    "collection as CSV": (
        b"objectname,objectid,numplays\nTrails,1,3\n",
        "this is a collection of BoardGameGeek: it says how",
    ),
    "collection as XML": (
        b'<items totalitems="1"></items>',
        "a collection or list of games of BoardGameGeek; it has no plays",
    ),
    "answer that the file is not ready": (
        b"<message>Your request</message>",
        "a message of BoardGameGeek instead of plays: \u201cYour request\u201d",
    ),
    "error of BoardGameGeek": (
        b"<errors>\n<error><message>Invalid username specified</message></error></errors>",
        "a message of BoardGameGeek instead of plays: \u201cInvalid username specified\u201d",
    ),
    "error without a text": (b"<errors><error/></errors>", "a message of BoardGameGeek instead of plays"),
    "page for people who are logged in": (
        b"Unauthorized. See https://boardgamegeek.com",
        "log in there and save it again",
    ),
    "another XML": (b"<rss/>", "an XML file of another kind"),
    "invalid XML": (b"<plays><play></plays>", "it is not valid at line 1, column"),
    "XML with entities": (b'<!DOCTYPE a [<!ENTITY b "c">]><plays>&b;</plays>', "document type declaration"),
    "web page": (b"\n<!DOCTYPE html><html></html>", "this is a web page"),
    "SVG": (b"<svg/>", "a picture (SVG)"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture (PNG)"),
    "PDF": (b"%PDF-1.7", "this is a PDF"),
    "database": (b"SQLite format 3\0", "this is a database"),
    "unknown": (b"\1\2\0\3", "this is no text file"),
    "other JSON": (b'{"plays": []}', "not a Waymark file, nor one of BG Stats"),
    "list": (b"[1]", "not a Waymark file, nor one of BG Stats"),
    "sentence": (b"We played on Friday.", "this is a text file, but no table of plays"),
    "headings alone": (b"Date,Game\n", "this table has headings, but no rows"),
    "wide table": (b",".join([b"x"] * 101) + b"\n1,2\n", "this table has 101 columns; at most 100"),
}


@pytest.mark.parametrize("kind", OTHER_FILES)
def test_other_file_is_named_for_what_it_is(kind: str):
    content, sentence = OTHER_FILES[kind]
    with pytest.raises(InvalidInputError) as error:
        read_file(content, BGG_IDS)
    assert sentence in str(error.value) and len(str(error.value)) < 200


def test_zip_archive_that_unpacks_to_too_much_is_refused():
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b" " * 50_000_001)
    with pytest.raises(InvalidInputError, match="larger than 50 MB"):
        read_file(output.getvalue(), BGG_IDS)


@pytest.mark.parametrize("content", [BG_STATS, XML, zipped(a__json=BG_STATS), TABLE], ids=["JSON", "XML", "ZIP", "CSV"])
def test_every_part_of_a_file_is_read_or_refused_in_a_sentence(content: bytes):
    for length in range(0, len(content), 7):
        try:
            read_file(content[:length], BGG_IDS)
        except InvalidInputError as error:
            assert str(error)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_archive_with_a_flipped_byte_is_refused(method: int):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", method) as archive:
        archive.writestr("plays.bgsplay", bytes(range(256)) * 20)
    for place in range(45, len(output.getvalue()) - 120, 7):
        content = bytearray(output.getvalue())
        content[place] ^= 255
        with pytest.raises(InvalidInputError):
            read_file(bytes(content), BGG_IDS)
