"""One frozen dataclass per page, and the function that builds it for a seat."""
