"""Keys, host names, network."""
