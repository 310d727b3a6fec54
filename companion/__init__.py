"""The companion at the table: a Flask app over the rules core."""

__version__ = "0.3.0"
