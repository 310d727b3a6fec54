"""Torture: kills, races, fuzz and floods against the server people start. `python -m tests.torture` prints what came of it."""
