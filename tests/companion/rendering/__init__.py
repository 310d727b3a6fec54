"""Templates, PDF, pictures."""
