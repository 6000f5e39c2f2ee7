"""``palace hook``: what coding agents call. It starts within milliseconds, and nothing that fails in it is theirs."""

VERSION = "0.2.0"
"""That of Palace, which is not imported to ask for it; a test holds the two together."""
PROTOCOL = 1
"""Of what goes over the socket, as ``palace.hooks.answering`` has it; another one is not understood."""
