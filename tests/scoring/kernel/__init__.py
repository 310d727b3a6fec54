"""What every game has in common."""
