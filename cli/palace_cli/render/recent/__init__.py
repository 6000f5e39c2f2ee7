"""What the last days brought and what stands open, for a person."""
