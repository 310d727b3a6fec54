"""Plays in the files of other programs: BG Stats, BoardGameGeek and spreadsheets. Independent of storage."""
