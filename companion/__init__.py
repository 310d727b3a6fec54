"""The companion at the table: a Flask app over the rules core."""
