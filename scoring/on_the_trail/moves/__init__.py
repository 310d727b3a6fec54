"""The moves of ON THE TRAIL: one class per move."""
