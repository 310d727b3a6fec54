"""Tests of the repository itself: imports, marks, documents, benchmarks."""
