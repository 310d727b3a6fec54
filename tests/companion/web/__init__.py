"""Tests of pages and requests."""
