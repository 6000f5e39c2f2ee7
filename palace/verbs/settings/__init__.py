"""Settings of a user's own, and of their agents."""
