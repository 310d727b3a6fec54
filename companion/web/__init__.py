"""The web: thin blueprints. Each view reads like a sentence; errors become answers in one place."""
