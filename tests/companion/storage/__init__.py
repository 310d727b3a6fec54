"""Tests of the SQLite database and the files of an instance."""
