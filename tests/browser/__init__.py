"""Tests that play games through the pages in a real browser on phone-sized pages."""
