"""What hooks of coding agents bring up, where they stay silent, and what they keep apart."""
