"""``palace hook``: what coding agents call. It starts within milliseconds, and nothing that fails in it is theirs."""
