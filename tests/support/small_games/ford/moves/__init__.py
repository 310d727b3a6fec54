"""The moves of FORD: one class per move."""
