"""``palace hook``: what coding agents call while a person works with them. Here stands what has to be quick."""

VERSION = "0.2.0"
"""That of Palace, which is not imported to ask for it; a test holds the two together."""
