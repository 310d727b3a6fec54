"""SQLite and the files of an instance."""
