"""FORD."""
