"""The referee, live updates, import and export, and the search for rules."""
