"""``palace hook``, the command that coding agents call; it starts within milliseconds and never fails."""

VERSION = "0.2.0"
"""Palace's version, copied to avoid importing it; a test compares the two."""
PROTOCOL = 1
"""Version of the socket protocol with ``palace.hooks.answering``; others are refused."""
