"""The server over streamable HTTP, for programs on this machine alone."""
