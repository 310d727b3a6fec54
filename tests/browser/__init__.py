"""Games played through the pages, in a real browser, on pages the size of a phone."""
