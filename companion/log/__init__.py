"""The event log and what follows from it. Pure: no storage, no HTTP."""
