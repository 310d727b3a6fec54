"""Tests of the pages' contents."""
