"""What is kept in SQLite: logs, history, card facts, owners, backups."""
