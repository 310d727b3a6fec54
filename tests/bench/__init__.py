"""Benchmarks of the core, the server and its pages, run by `python -m tests.bench`."""
