"""Whole games, recorded move by move together with their results."""
