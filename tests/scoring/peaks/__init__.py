"""PEAKS."""
