"""Whole games, told move by move and kept with their results."""
