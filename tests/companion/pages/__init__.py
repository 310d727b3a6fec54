"""What pages show."""
