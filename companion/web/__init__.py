"""The web layer: thin blueprints, with the error handlers in one place."""
