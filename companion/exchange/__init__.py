"""Files of BG Stats, BoardGameGeek and spreadsheets. Independent of storage."""
