"""``palace hook``: what coding agents call. It starts within milliseconds, and nothing that fails in it is theirs."""

VERSION = "0.2.0"
"""That of Palace, which is not imported to ask for it; a test holds the two together."""
