"""Pure values of finished games: results, statistics, charts, photos."""
