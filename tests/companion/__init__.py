"""Tests of the Flask app."""
