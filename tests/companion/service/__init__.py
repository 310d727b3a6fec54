"""Referee, live updates, import and export, rule search."""
