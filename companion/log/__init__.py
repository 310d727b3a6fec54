"""The event log and the table derived from it, independent of storage and HTTP."""
