"""Tests of the code that all games share."""
