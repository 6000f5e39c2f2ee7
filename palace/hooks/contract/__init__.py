"""What each coding agent sends to a hook, and what it takes as an answer. Pure."""
