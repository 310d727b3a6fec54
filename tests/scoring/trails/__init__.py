"""TRAILS."""
