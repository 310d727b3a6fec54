"""Tests of finished games."""
