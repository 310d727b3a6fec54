"""PARKS."""
