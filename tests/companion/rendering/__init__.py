"""Tests of templates, PDF and pictures."""
