"""The companion at the table: a Flask app over the rules core."""

import datetime

__version__ = "0.3.0"
RELEASED = datetime.date(2026, 11, 21)  # no clock that is right is earlier
