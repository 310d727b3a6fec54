"""Two games that are not part of the app, as examples: one is score-only, one also tracked."""
