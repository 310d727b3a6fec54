"""The data in SQLite: logs, history, card facts, owners, backups."""
