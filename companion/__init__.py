"""The companion at the table: a Flask app over the rules core."""

from companion.app import create_app

__all__ = ["create_app"]
__version__ = "0.1.0"
