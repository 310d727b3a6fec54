"""Stress tests of a running server; `python -m tests.torture` prints the results."""
