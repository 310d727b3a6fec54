"""Widths of texts in the fonts of Waymark, and texts that fit a width."""

import functools
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from fontTools.ttLib import TTFont

from companion.rendering.pdf import STATIC

DISPLAY_FONT, TEXT_FONT = "bricolage-grotesque-800", "atkinson-hyperlegible-next-700"
MISSING_GLYPH_WIDTH = 1.0  # in em, for characters that the font lacks


class FittedText(NamedTuple):
    """A line of text, in a size at which it fits."""

    text: str
    size: float
    font: str

    def positions(self, x: float, spacing: float = 0) -> str:
        """Return the x positions of the letters, for renderers without kerning.

        Only `x` if the font lacks a letter.
        """
        advances = _advances(self.font)
        if not advances.keys() >= set(self.text):
            return str(x)
        positions = [float(x)]
        for previous, letter in pairwise(self.text):
            step = self.size * (advances[previous] + _kerning(self.font, previous, letter))
            positions.append(positions[-1] + step + spacing)
        return " ".join(f"{position:.1f}" for position in positions)


@functools.cache
def _font(name: str) -> Any:  # fontTools does not declare the fields of its tables
    """Return a font with all its tables read.

    fontTools reads a table when it is first used, which is not safe if threads share the font.
    """
    font = TTFont(STATIC / "fonts" / f"{name}.woff2")
    font.ensureDecompiled(recurse=True)
    return font


@functools.cache
def _advances(font: str) -> dict[str, float]:
    """Return the width of each letter of a font, in em."""
    face = _font(font)
    em, widths = face["head"].unitsPerEm, face["hmtx"]
    return {chr(code_point): widths[glyph][0] / em for code_point, glyph in (face.getBestCmap() or {}).items()}


@functools.cache
def _kerning_tables(font: str) -> list:
    """Return the tables of a font with the kerning of pairs of glyphs, in order of their use."""
    gpos = _font(font)["GPOS"].table
    kern_features = [record.Feature for record in gpos.FeatureList.FeatureRecord if record.FeatureTag == "kern"]
    lookups = sorted({index for feature in kern_features for index in feature.LookupListIndex})
    tables = [table for index in lookups for table in gpos.LookupList.Lookup[index].SubTable]
    return [getattr(table, "ExtSubTable", table) for table in tables]


@functools.cache
def _kerning(font: str, previous: str, letter: str) -> float:
    """Return the kerning between two letters that a font has, in em; negative is closer."""
    face = _font(font)
    glyphs = face.getBestCmap() or {}
    left_glyph, right_glyph = glyphs[ord(previous)], glyphs[ord(letter)]
    for table in _kerning_tables(font):
        if left_glyph not in table.Coverage.glyphs:
            continue
        if table.Format == 2:  # by classes of glyphs
            left_class = table.Class1Record[table.ClassDef1.classDefs.get(left_glyph, 0)]
            values = [left_class.Class2Record[table.ClassDef2.classDefs.get(right_glyph, 0)].Value1]
        else:
            pairs = table.PairSet[table.Coverage.glyphs.index(left_glyph)].PairValueRecord
            values = [pair.Value1 for pair in pairs if pair.SecondGlyph == right_glyph]
        if values:
            return values[0].XAdvance / face["head"].unitsPerEm
    return 0


def text_width(text: str, font: str, size: float) -> float:
    """Return the maximum width of a text, in the units of the picture."""
    advances = _advances(font)
    return size * sum(advances.get(letter, MISSING_GLYPH_WIDTH) for letter in text)


def fit_text(text: str, font: str, size: float, max_width: float, min_size: float = 0) -> FittedText:
    """Return a text as large as it fits, cut off at `min_size` (0: half of `size`)."""
    min_size = min_size or size / 2
    size = max(min_size, min(size, size * max_width / max(1.0, text_width(text, font, size))))
    if text_width(text, font, size) > max_width + 0.5:
        while text and text_width(f"{text}\u2026", font, size) > max_width:
            text = text[:-1].rstrip()
        text += "\u2026"
    return FittedText(text, round(size, 1), font)


def wrap_text(text: str, font: str, size: float, max_width: float) -> Sequence[str]:
    """Return a text as lines that fit."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", font, size) <= max_width:
            lines[-1] += f" {word}"
        else:
            lines.append(fit_text(word, font, size, max_width, min_size=size).text)
    return lines
