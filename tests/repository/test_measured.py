"""docs/measured.md is made from docs/measured.json and covers every part of the benchmark."""

import msgspec
import pytest
from msgspec.structs import replace

from tests.bench import document
from tests.bench.__main__ import PARTS
from tests.bench.report import Row, make_row, rows_to_data, write_report

RUN = {"date": "2026-11-25", "waymark": "0.4.0", "commit": "9c0f787"}


NOTES = "## Why targets are missed\n\nThe peer is quicker.\n"


def report_of(tmp_path, *rows: Row) -> document.Report:
    """Return the report of some rows of the part `core`, written and read again."""
    file = tmp_path / "bench.json"
    write_report(file, RUN, {"cores": "2"}, rows_to_data("core", list(rows)))
    return document.read_json(file, document.Report)


def test_document_is_made_from_its_data():
    reports = document.read_json(document.DATA_FILE, list[document.Report])
    text = document.DOCUMENT.read_text(encoding="utf-8")
    (notes,) = document.NOTES.findall(text)
    assert text == document.document(reports, notes), "Run `python -m tests.bench.document`."


def test_summary_in_the_readme_is_made_from_the_data():
    reports = document.read_json(document.DATA_FILE, list[document.Report])
    text = document.README.read_text(encoding="utf-8")
    assert len(document.SUMMARY.findall(text)) == 1
    assert text == document.with_summary(text, reports), "Run `python -m tests.bench.document`."
    assert all(f"| {label} |" in text for label in document.HIGHLIGHTS)


def test_headings_cover_every_part():
    assert document.HEADINGS.keys() == PARTS.keys() | {"taps"}


@pytest.mark.parametrize(
    ("more_is_better", "target", "cells"),
    [
        (True, 20, "at least 20 | yes"),
        (True, 21, "at least 21 | **no**"),
        (False, 20, "at most 20 | yes"),
        (False, 19, "at most 19 | **no**"),
        (False, None, " | "),
    ],
)
def test_row_shows_whether_its_target_is_met(tmp_path, more_is_better: bool, target: float | None, cells: str):
    row = make_row("hike", "ms", [10, 20, 40], target=target, more_is_better=more_is_better, note="quiet")
    text = document.document([report_of(tmp_path, row)], NOTES)
    assert f"\n| hike | 20 ms | 10 to 40 | 3 | {cells} | quiet |\n" in text
    assert ("\n- Rules core:\n  - hike: 20 ms, target" in text) is ("**no**" in cells)


def test_document_names_the_run_and_the_machine(tmp_path):
    text = document.document([report_of(tmp_path, make_row("hike", "ms", [1]))], NOTES)
    assert "- 25 Nov 2026, Waymark 0.4.0, commit 9c0f787. Parts: core. cores 2." in text


def test_document_compares_with_an_older_version_and_keeps_its_notes(tmp_path):
    older = report_of(tmp_path, make_row("hike", "ms", [30]), make_row("rest", "ms", [5]))
    newer = report_of(tmp_path, make_row("hike", "ms", [20]), make_row("swap", "ms", [1], target=0))
    text = document.document([newer, replace(older, is_before=True)], NOTES)
    assert "\n| What | Before | Median |" in text
    assert "\n| hike | 30 ms | 20 ms |" in text and "\n| swap |  | 1 ms |" in text and "| rest |" not in text
    assert "- For the columns “Before”: 25 Nov 2026, Waymark 0.4.0" in text and text.count("- 25 Nov 2026") == 1
    assert "0 targets were met, 1 were not:" in text
    assert document.NOTES.findall(text) == [NOTES] and text.endswith(NOTES)


def test_document_of_an_unknown_part_is_refused(tmp_path):
    report = report_of(tmp_path, make_row("hike", "ms", [1]))
    report.rows[0].part = "other"
    with pytest.raises(ValueError, match="no heading for other: add it to HEADINGS"):
        document.document([report], NOTES)


@pytest.mark.parametrize("text", ["", "{}", '{"run": {"date": "yesterday"}}'])
def test_file_that_is_no_report_is_refused_with_its_name(tmp_path, text: str):
    file = tmp_path / "bench.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"^{file}: "):
        document.read_json(file, document.Report)


def test_data_of_the_document_has_every_field_of_a_report():
    reports = msgspec.json.decode(document.DATA_FILE.read_bytes())
    fields = {field.name for field in msgspec.structs.fields(document.MeasuredRow)}
    assert reports and all(row.keys() == fields for report in reports for row in report["rows"])
