"""The moves of TRAILS: one class per move."""
