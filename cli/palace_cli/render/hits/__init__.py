"""What recall found, and why, for a person."""
