"""ON THE TRAIL."""
