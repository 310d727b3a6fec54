"""Finished games."""
