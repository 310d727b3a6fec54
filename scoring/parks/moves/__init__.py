"""The moves of PARKS: one class per move."""
