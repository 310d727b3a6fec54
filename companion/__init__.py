"""A companion for tabletop trail games: a Flask app over the rules core."""

import datetime

__version__ = "0.4.0"
RELEASED = datetime.date(2026, 11, 25)  # a clock that shows an earlier date is wrong
