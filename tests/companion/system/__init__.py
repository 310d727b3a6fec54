"""Tests of keys, host names and the network."""
