"""The moves of ALPINE TRAILS: one class per move."""
