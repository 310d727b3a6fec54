"""Tests of the referee, live updates, import and export, and the rule search."""
