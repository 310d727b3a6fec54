"""Benchmarks: how fast the house is, next to others of its kind. `python -m tests.bench` prints a table."""
